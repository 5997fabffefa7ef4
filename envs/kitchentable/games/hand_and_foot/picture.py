"""How a table of Hand & Foot Canasta looks.

The viewer sits at the bottom, the partner at the top, the opponents at the sides. Between
them are stock and discard pile, and beneath the melds of the other side and of the own one.
Cards have no suits in this game; the pictures take turns with them, but red threes are
hearts and black threes spades.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from kitchentable.cards import drawing
from kitchentable.cards.table_picture import (
    GREEN,
    LIGHT,
    MARGIN,
    PAD,
    WIDTH,
    Box,
    Mark,
    Piles,
    View,
    broken,
    centred,
    faces_of,
    marks,
    name_and_marks,
    seats_from_viewer,
)
from kitchentable.cards.table_text import count_words, size_of
from kitchentable.games.hand_and_foot.state import HAND_SIZE, N_SIDES
from kitchentable.games.hand_and_foot.words import (
    deal_words,
    due_words,
    meld_kind,
    plural,
    side_words,
    turn_words,
)

GAP = 12.0
INNER = WIDTH - 2 * MARGIN
COLUMN = (INNER - 2 * GAP) / 3
HEAD = 34.0
"""Height of a panel's line with name and facts."""
HAND_CARD = 58.0
"""Width of a card in the viewer's hand."""
OTHER_CARD = 38.0
MELD_CARD = 40.0
PILES = Piles(card=66.0, shown=7, step=24.0, between=2 * GAP)
MELD_STEP = 14.0
LABEL = 17.0
"""Height of the line above a meld."""
MELD_WIDTH = MELD_CARD + 6 * MELD_STEP + GAP
"""What a meld takes, with the gap beside it."""
MELD_ROW = LABEL + MELD_CARD * drawing.RATIO + 6
PER_ROW = int((INNER - 2 * PAD + GAP) // MELD_WIDTH)
SEAT_HEIGHT = HEAD + OTHER_CARD * drawing.RATIO + PAD
MIDDLE_HEIGHT = PILES.card * drawing.RATIO + 120
HAND_HEIGHT = HEAD + HAND_CARD * drawing.RATIO + PAD
SUITS = "SHDC"


def picture(view: View) -> str:
    """Return a view or a whole table as SVG."""
    viewer, left, partner, right = seats_from_viewer(view)
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


def _faces(cards: Sequence[str | None]) -> list[str | None]:
    return [card and face(card, number) for number, card in enumerate(cards)]


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
    y = box.y + HEAD
    parts = [drawing.panel(*box, lit=seat == view["to_act"]), _name_line(view, seat, box)]
    parts.append(
        drawing.fan(_faces(faces_of(hand)), box.x + PAD, y, card, room=room, step=card * 0.55)
    )
    if lies:
        parts.append(drawing.pile(None, HAND_SIZE, box.x + box.width - PAD - card, y, card))
    return "".join(parts)


def _name_line(view: View, seat: int, box: Box) -> str:
    """Name, marks and, at the right, how many cards the seat holds."""
    foot = [Mark("foot", GREEN, LIGHT)] if view["feet"][seat] is None else []
    acts = "asked" if view["phase"] == "ask" else "to act"
    left = name_and_marks(view, seat, box, marks(view, seat, *foot, acts=acts))
    facts, right = count_words(size_of(view["hands"][seat]), "card"), box.x + box.width - PAD
    return left + drawing.text(right, box.y + 23, facts, 12.5, color=drawing.MUTED, anchor="end")


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
    centre, y = box.x + box.width / 2, box.y + PAD + 14
    drawn = PILES.draw(view["stock"], _faces(view["discard"]), centre, y, box.width)
    y += PILES.card * drawing.RATIO + 26
    due = broken(due_words(view), 46)
    drawn += centred(due, centre, y, 15.5, 19, drawing.GOLD)
    y += 19 * len(due)
    return drawn + centred(broken(turn_words(view), 56), centre, y, 12.5, 16)
