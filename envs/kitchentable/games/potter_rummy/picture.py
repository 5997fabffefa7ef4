"""How a table of Beatrix Potter's Rummy looks.

The viewer sits at the bottom. The others stand in rows above, clockwise from the seat left
of the viewer: from left to right, row by row. Each seat has a panel with its hand and its
sets; stock and discard pile lie between.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from kitchentable.cards import drawing
from kitchentable.games.potter_rummy.faces import DEFINITIONS, fan
from kitchentable.games.potter_rummy.rules import SMALL_TABLE
from kitchentable.games.potter_rummy.words import TITLE, count_words, deal_words, due_words

View = Mapping[str, Any]

WIDTH = 1280.0
MARGIN = 24.0
GAP = 14.0
PAD = 14.0
HEAD = 36.0
"""Height of a panel's line with name, score and marks."""
MOST_COLUMNS = 5
COLUMNS_OF_MANY = 4
"""Panels in a row where more than five stand above."""
HAND_CARD = 66.0
"""Width of a card in the viewer's hand."""
OTHER_CARD = 40.0
SET_CARD = 44.0
"""Width of a card in the set of another seat."""
PILE_CARD = 70.0
SHOWN_DISCARDS = 14
DISCARD_STEP = 32.0
WIDE = 280.0
"""From this width on a panel's line has room for the number of cards."""
SET_STEP = 0.36
"""How far apart the cards of a set lie, of their width."""
MIDDLE_HEIGHT = PILE_CARD * drawing.RATIO + 80


class Box(NamedTuple):
    """Where a panel lies."""

    x: float
    y: float
    width: float
    height: float


def picture(view: View) -> str:
    """Return a view or a whole table as SVG."""
    viewer = _viewer(view)
    seats = len(view["hands"])
    others = [(viewer + step) % seats for step in range(1, seats)]
    boxes, y = _panels_of_others(others, seats <= SMALL_TABLE)
    middle = Box(MARGIN, y, WIDTH - 2 * MARGIN, MIDDLE_HEIGHT)
    y += MIDDLE_HEIGHT + GAP
    height = HEAD + HAND_CARD * drawing.RATIO + PAD
    boxes[viewer] = Box(MARGIN, y, WIDTH - 2 * MARGIN, height)
    y += height + MARGIN
    parts = [DEFINITIONS, drawing.felt(WIDTH, y), _title(view)]
    parts += [_panel(view, seat, boxes[seat], seat == viewer) for seat in [*others, viewer]]
    parts.append(_middle(view, middle))
    label = f"{TITLE}, {deal_words(view)}. {due_words(view)}"
    return drawing.document(WIDTH, y, *parts, label=label)


def _viewer(view: View) -> int:
    """Return the seat whose hand is open; in a whole table the first."""
    return next(seat for seat, hand in enumerate(view["hands"]) if isinstance(hand, list))


def _panels_of_others(others: list[int], is_small: bool) -> tuple[dict[int, Box], float]:
    """Return where the panels of the other seats lie, and where they end."""
    n_rows = 1 if len(others) <= MOST_COLUMNS else -(-len(others) // COLUMNS_OF_MANY)
    columns = -(-len(others) // n_rows)
    width = (WIDTH - 2 * MARGIN - GAP * (columns - 1)) / columns
    height = HEAD + SET_CARD * drawing.RATIO + PAD
    if is_small:
        height += OTHER_CARD * drawing.RATIO + 10
    boxes: dict[int, Box] = {}
    y = MARGIN + 44
    for first in range(0, len(others), columns):
        row = others[first : first + columns]
        left = (WIDTH - len(row) * width - (len(row) - 1) * GAP) / 2
        for i, seat in enumerate(row):
            boxes[seat] = Box(left + i * (width + GAP), y, width, height)
        y += height + GAP
    return boxes, y


# A seat's panel


def _panel(view: View, seat: int, box: Box, is_viewer: bool) -> str:
    """Name line, hand and sets: the sets beside the hand, or below it where there is no room."""
    parts = [drawing.panel(*box, lit=seat == view["to_act"]), _name_line(view, seat, box)]
    x, y, room = box.x + PAD, box.y + HEAD, box.width - 2 * PAD
    if is_viewer:
        parts.append(_hand(view, seat, x, y, HAND_CARD, room * 0.6))
        parts.append(_sets(view, seat, x + room * 0.62, y, HAND_CARD))
    elif len(view["hands"]) <= SMALL_TABLE:
        parts.append(_hand(view, seat, x, y, OTHER_CARD, room))
        parts.append(_sets(view, seat, x, y + OTHER_CARD * drawing.RATIO + 10, SET_CARD))
    else:
        parts.append(_hand(view, seat, x, y + 4, OTHER_CARD, room * 0.5))
        parts.append(_sets(view, seat, x + room * 0.6, y, SET_CARD))
    return "".join(parts)


def _name_line(view: View, seat: int, box: Box) -> str:
    """Name, marks and, at the right, cards in hand (if there is room) and score."""
    y = box.y + 24
    color = drawing.GOLD if seat == view["turn"] else drawing.WHITE
    parts = [drawing.text(box.x + PAD, y, f"Player {seat}", 16, color=color, bold=True)]
    x = box.x + PAD + 84
    for words, fill in _marks(view, seat):
        mark, width = drawing.badge(x, y - 15, words, fill=fill)
        parts.append(mark)
        x += width + 4
    score = f"{view['scores'][seat]}"
    parts.append(drawing.text(box.x + box.width - PAD, y, score, 18, anchor="end", bold=True))
    if box.width >= WIDE:
        right = box.x + box.width - PAD - 12 * len(score) - 8
        cards = count_words(_hand_size(view, seat), "card")
        parts.append(drawing.text(right, y, cards, 12, color=drawing.MUTED, anchor="end"))
    return "".join(parts)


def _marks(view: View, seat: int) -> list[tuple[str, str]]:
    """Return the badges of a seat: words and colour."""
    marks = []
    if seat == view["to_act"]:
        marks.append(("discard" if view["phase"] == "discard" else "to act", drawing.GOLD))
    if view["finished"] and seat in view["winners"]:
        marks.append(("winner", drawing.GOLD))
    if seat == view["dealer"]:
        marks.append(("D", "#e8e8e8"))
    return marks


def _hand_size(view: View, seat: int) -> int:
    hand = view["hands"][seat]
    return len(hand) if isinstance(hand, list) else int(hand["count"])


def _hand(view: View, seat: int, x: float, y: float, card: float, room: float) -> str:
    """A hand: what is known of it face up, the rest face down."""
    hand = view["hands"][seat]
    if isinstance(hand, list):
        return fan(hand, x, y, card, room=room, step=card + 5)
    hidden = [None] * (hand["count"] - len(hand["known"]))
    return fan([*hand["known"], *hidden], x, y, card, room=room, step=card * 0.72)


def _sets(view: View, seat: int, x: float, y: float, card: float) -> str:
    """The sets of a seat, side by side."""
    parts = []
    for cards in view["sets"][seat]:
        width = drawing.fan_width(len(cards), card, WIDTH, card * SET_STEP)
        parts.append(fan(cards, x, y, card, room=width, step=card * SET_STEP))
        x += width + card * 0.12
    return "".join(parts)


# The middle


def _title(view: View) -> str:
    """The line on top: the game and its deal."""
    y = MARGIN + 26
    name = drawing.text(MARGIN + 4, y, TITLE, 24, bold=True)
    words = deal_words(view)
    return name + drawing.text(WIDTH - MARGIN - 4, y, words, 18, color=drawing.GOLD, anchor="end")


def _middle(view: View, box: Box) -> str:
    """Stock, the last discards with the top one at the right, and what is due."""
    stock = view["stock"]
    in_stock = len(stock) if isinstance(stock, list) else stock["count"]
    discard = view["discard"]
    shown = discard[-SHOWN_DISCARDS:]
    spread = drawing.fan_width(len(shown), PILE_CARD, box.width, DISCARD_STEP)
    centre, y = box.x + box.width / 2, box.y + 22
    left = centre - (PILE_CARD + 2 * GAP + spread) / 2
    right = left + PILE_CARD + 2 * GAP
    foot = y + PILE_CARD * drawing.RATIO + 26
    cap = view["options"]["turn_cap"] * len(view["hands"])
    turn = f"turn {view['turns']} of {cap} at most"
    return "".join(
        [
            drawing.text(left, y - 8, f"stock {in_stock}", 13, color=drawing.MUTED),
            drawing.text(right, y - 8, f"discard pile {len(discard)}", 13, color=drawing.MUTED),
            drawing.pile(None, in_stock, left, y, PILE_CARD),
            fan(shown, right, y, PILE_CARD, room=spread, step=DISCARD_STEP)
            if shown
            else drawing.empty_place(right, y, PILE_CARD),
            drawing.text(centre, foot, due_words(view), 16, color=drawing.GOLD, anchor="middle"),
            drawing.text(centre, foot + 21, turn, 12.5, color=drawing.MUTED, anchor="middle"),
        ]
    )
