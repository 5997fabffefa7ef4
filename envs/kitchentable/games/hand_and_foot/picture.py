"""How a table of Hand & Foot Canasta looks.

The viewer sits at the bottom, the partner at the top, the opponents at the sides. Between
them are stock and discard pile, and beneath the melds of the other side and of the own one.
Cards have no suits in this game; the pictures take turns with them, but red threes are
hearts and black threes spades.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kitchentable.cards import drawing
from kitchentable.games.hand_and_foot.rules import HAND_SIZE, N_SEATS, N_SIDES
from kitchentable.games.hand_and_foot.words import (
    count_words,
    deal_words,
    due_words,
    meld_kind,
    plural,
    side_words,
    turn_words,
)

View = Mapping[str, Any]

WIDTH = 1280.0
MARGIN = 24.0
GAP = 12.0
PAD = 14.0
INNER = WIDTH - 2 * MARGIN
COLUMN = (INNER - 2 * GAP) / 3
HEAD = 34.0
"""Height of a panel's line with name and facts."""
HAND_CARD = 58.0
"""Width of a card in the viewer's hand."""
OTHER_CARD = 38.0
MELD_CARD = 40.0
PILE_CARD = 66.0
SHOWN_DISCARDS = 7
DISCARD_STEP = 24.0
MELD_STEP = 14.0
LABEL = 17.0
"""Height of the line above a meld."""
MELD_WIDTH = MELD_CARD + 6 * MELD_STEP + GAP
"""What a meld takes, with the gap beside it."""
MELD_ROW = LABEL + MELD_CARD * drawing.RATIO + 6
PER_ROW = int((INNER - 2 * PAD + GAP) // MELD_WIDTH)
SEAT_HEIGHT = HEAD + OTHER_CARD * drawing.RATIO + PAD
MIDDLE_HEIGHT = PILE_CARD * drawing.RATIO + 120
HAND_HEIGHT = HEAD + HAND_CARD * drawing.RATIO + PAD
SUITS = "SHDC"


class Box(NamedTuple):
    """Where a panel lies."""

    x: float
    y: float
    width: float
    height: float


def picture(view: View) -> str:
    """Return a view or a whole table as SVG."""
    viewer = next(seat for seat, hand in enumerate(view["hands"]) if isinstance(hand, list))
    left, partner, right = ((viewer + step) % N_SEATS for step in (1, 2, 3))
    y = MARGIN + 40
    parts = [_title(view)]
    parts.append(_seat(view, partner, Box(MARGIN + COLUMN + GAP, y, COLUMN, SEAT_HEIGHT)))
    y += SEAT_HEIGHT + GAP
    side_y = y + (MIDDLE_HEIGHT - SEAT_HEIGHT) / 2
    parts.append(_seat(view, left, Box(MARGIN, side_y, COLUMN, SEAT_HEIGHT)))
    parts.append(_middle(view, Box(MARGIN + COLUMN + GAP, y, COLUMN, MIDDLE_HEIGHT)))
    parts.append(_seat(view, right, Box(MARGIN + 2 * (COLUMN + GAP), side_y, COLUMN, SEAT_HEIGHT)))
    y += MIDDLE_HEIGHT + GAP
    for side in (1 - viewer % N_SIDES, viewer % N_SIDES):
        height = _side_height(view, side)
        parts.append(_side(view, side, Box(MARGIN, y, INNER, height)))
        y += height + GAP
    parts.append(_seat(view, viewer, Box(MARGIN, y, INNER, HAND_HEIGHT), HAND_CARD))
    height = y + HAND_HEIGHT + MARGIN
    label = f"Hand & Foot Canasta, {deal_words(view)}. {due_words(view)}"
    return drawing.document(WIDTH, height, drawing.felt(WIDTH, height), *parts, label=label)


def face(card: str, number: int) -> str:
    """Return a card of the French pack that stands for a card without a suit."""
    if card == "JK":
        return card
    if card[0] == "3":
        return "3H" if card == "3R" else "3S"
    return card + SUITS[number % len(SUITS)]


def _faces(cards: Sequence[str]) -> list[str | None]:
    return [face(card, number) for number, card in enumerate(cards)]


def _title(view: View) -> str:
    """The line on top: the game, the deal and its minimum."""
    y = MARGIN + 24
    name = drawing.text(MARGIN + 4, y, "Hand & Foot Canasta", 24, bold=True)
    words = f"{deal_words(view)} · minimum {view['minimum']} · turn {view['turns']}"
    right = drawing.text(WIDTH - MARGIN - 4, y, words, 18, color=drawing.GOLD, anchor="end")
    return name + right


# A seat's panel


def _seat(view: View, seat: int, box: Box, card: float = OTHER_CARD) -> str:
    """A seat's hand, what is known of it face up, and its foot while it lies there."""
    hand = view["hands"][seat]
    lies = view["feet"][seat] is not None
    room = box.width - 2 * PAD - (card + 2 * GAP if lies else 0)
    cards = hand if isinstance(hand, list) else hand["known"]
    hidden = 0 if isinstance(hand, list) else hand["count"] - len(hand["known"])
    y = box.y + HEAD
    parts = [drawing.panel(*box, lit=seat == view["to_act"]), _name_line(view, seat, box)]
    faces = [*_faces(cards), *[None] * hidden]
    parts.append(drawing.fan(faces, box.x + PAD, y, card, room=room, step=card * 0.55))
    if lies:
        parts.append(drawing.pile(None, HAND_SIZE, box.x + box.width - PAD - card, y, card))
    return "".join(parts)


def _name_line(view: View, seat: int, box: Box) -> str:
    """Name, marks and, at the right, how many cards the seat holds."""
    y = box.y + 23
    color = drawing.GOLD if seat == view["turn"] else drawing.WHITE
    parts = [drawing.text(box.x + PAD, y, f"Player {seat}", 17, color=color, bold=True)]
    x = box.x + PAD + 88
    for words, fill, ink in _marks(view, seat):
        mark, width = drawing.badge(x, y - 15, words, fill=fill, color=ink)
        parts.append(mark)
        x += width + 5
    hand = view["hands"][seat]
    size = len(hand) if isinstance(hand, list) else hand["count"]
    facts, right = count_words(size, "card"), box.x + box.width - PAD
    parts.append(drawing.text(right, y, facts, 12.5, color=drawing.MUTED, anchor="end"))
    return "".join(parts)


def _marks(view: View, seat: int) -> list[tuple[str, str, str]]:
    """Return the badges of a seat: words, colour, colour of the words."""
    dark, light = "#2b2000", "#ffffff"
    marks = []
    if seat == view["to_act"]:
        words = "asked" if view["phase"] == "ask" else "to act"
        marks.append((words, drawing.GOLD, dark))
    elif seat == view["turn"] and not view["finished"]:
        marks.append(("moves", "#c9b47a", dark))
    if view["finished"] and seat % N_SIDES in view["winners"]:
        marks.append(("winner", drawing.GOLD, dark))
    if view["feet"][seat] is None:
        marks.append(("foot", "#3d8f5f", light))
    if seat == view["dealer"]:
        marks.append(("D", "#e8e8e8", dark))
    return marks


# A side's melds


def _side_height(view: View, side: int) -> float:
    rows = max(1, -(-len(view["melds"][side]) // PER_ROW))
    return HEAD + rows * MELD_ROW + PAD / 2


def _side(view: View, side: int, box: Box) -> str:
    """The melds of a side in order, with its score and its red threes."""
    red = count_words(view["red_threes"][side], "red three")
    title, y = side_words(side).capitalize(), box.y + 22
    right = box.x + box.width - PAD
    score = f"{view['scores'][side]}"
    parts = [
        drawing.panel(*box),
        drawing.text(box.x + PAD, y, title, 15, bold=True),
        drawing.text(box.x + PAD + 145, y, red, 12.5, color=drawing.MUTED),
        drawing.text(right, y, score, 18, anchor="end", bold=True),
    ]
    for number, meld in enumerate(view["melds"][side]):
        row, column = divmod(number, PER_ROW)
        x = box.x + PAD + column * MELD_WIDTH
        parts.append(_meld(meld, x, box.y + HEAD + row * MELD_ROW))
    return "".join(parts)


def _meld(meld: Mapping[str, Any], x: float, y: float) -> str:
    """A meld with its rank above it; of a canasta its kind."""
    kind = meld_kind(meld)
    words = f"{plural(meld['rank'])}{f' · {kind}' if kind else ''}"
    color = drawing.GOLD if kind else drawing.MUTED
    label = drawing.text(x, y + 12, words, 12, color=color, bold=bool(kind))
    room = MELD_WIDTH - GAP
    cards = drawing.fan(_faces(meld["cards"]), x, y + LABEL, MELD_CARD, room=room, step=MELD_STEP)
    return label + cards


# The middle


def _middle(view: View, box: Box) -> str:
    """Stock, the discards that can be taken with the top one at the right, and what is due."""
    stock, discard = view["stock"], view["discard"]
    in_stock = len(stock) if isinstance(stock, list) else stock["count"]
    shown = _faces(discard)[-SHOWN_DISCARDS:]
    spread = drawing.fan_width(len(shown), PILE_CARD, box.width, DISCARD_STEP)
    centre, y = box.x + box.width / 2, box.y + PAD + 14
    left = centre - (PILE_CARD + 2 * GAP + spread) / 2
    right = left + PILE_CARD + 2 * GAP
    parts = [
        drawing.text(left, y - 8, f"stock {in_stock}", 13, color=drawing.MUTED),
        drawing.text(right, y - 8, f"discard pile {len(discard)}", 13, color=drawing.MUTED),
        drawing.pile(None, in_stock, left, y, PILE_CARD),
        drawing.fan(shown, right, y, PILE_CARD, room=spread, step=DISCARD_STEP)
        if shown
        else drawing.empty_place(right, y, PILE_CARD),
    ]
    y += PILE_CARD * drawing.RATIO + 26
    for line in _broken(due_words(view), 46):
        parts.append(drawing.text(centre, y, line, 15.5, color=drawing.GOLD, anchor="middle"))
        y += 19
    for line in _broken(turn_words(view), 56):
        parts.append(drawing.text(centre, y, line, 12.5, color=drawing.MUTED, anchor="middle"))
        y += 16
    return "".join(parts)


def _broken(words: str, width: int) -> list[str]:
    """Return words as lines of at most `width` letters."""
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return [line for line in lines if line]
