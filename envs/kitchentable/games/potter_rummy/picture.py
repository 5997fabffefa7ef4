"""How a table of Beatrix Potter's Rummy looks.

The viewer sits at the bottom. The others stand in rows above, clockwise from the seat left
of the viewer: from left to right, row by row. Each seat has a panel with its hand and its
sets; stock and discard pile lie between.
"""

from functools import partial

from kitchentable.cards import drawing
from kitchentable.cards.table_picture import (
    GAP,
    MARGIN,
    PAD,
    TOP,
    WIDTH,
    Box,
    Piles,
    View,
    centred,
    faces_of,
    marks,
    seats_from_viewer,
    title,
)
from kitchentable.cards.table_text import count_words, size_of, turn_words
from kitchentable.games.potter_rummy.faces import DEFINITIONS, card_face
from kitchentable.games.potter_rummy.rules import SMALL_TABLE
from kitchentable.games.potter_rummy.words import TITLE, deal_words, due_words

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
PILES = Piles(card=70.0, shown=14, step=32.0, face=card_face)
WIDE = 280.0
"""From this width on a panel's line has room for the number of cards."""
SET_STEP = 0.36
"""How far apart the cards of a set lie, of their width."""
MIDDLE_HEIGHT = PILES.card * drawing.RATIO + 80


def picture(view: View) -> str:
    """Return a view or a whole table as SVG."""
    viewer, *others = seats_from_viewer(view)
    boxes, y = _panels_of_others(others, len(view["hands"]) <= SMALL_TABLE)
    middle = Box(MARGIN, y, WIDTH - 2 * MARGIN, MIDDLE_HEIGHT)
    y += MIDDLE_HEIGHT + GAP
    height = HEAD + HAND_CARD * drawing.RATIO + PAD
    boxes[viewer] = Box(MARGIN, y, WIDTH - 2 * MARGIN, height)
    y += height + MARGIN
    parts = [DEFINITIONS, drawing.felt(WIDTH, y), title(TITLE, deal_words(view))]
    parts += [_panel(view, seat, boxes[seat], seat == viewer) for seat in [*others, viewer]]
    parts.append(_middle(view, middle))
    label = f"{TITLE}, {deal_words(view)}. {due_words(view)}"
    return drawing.document(WIDTH, y, *parts, label=label)


def _panels_of_others(others: list[int], is_small: bool) -> tuple[dict[int, Box], float]:
    """Return where the panels of the other seats lie, and where they end."""
    n_rows = 1 if len(others) <= MOST_COLUMNS else -(-len(others) // COLUMNS_OF_MANY)
    columns = -(-len(others) // n_rows)
    width = (WIDTH - 2 * MARGIN - GAP * (columns - 1)) / columns
    height = HEAD + SET_CARD * drawing.RATIO + PAD
    if is_small:
        height += OTHER_CARD * drawing.RATIO + 10
    boxes: dict[int, Box] = {}
    y = TOP
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
    acts = "discard" if view["phase"] == "discard" else "to act"
    for words, fill, ink in marks(view, seat, acts=acts):
        mark, width = drawing.badge(x, y - 15, words, fill=fill, color=ink)
        parts.append(mark)
        x += width + 4
    score = f"{view['scores'][seat]}"
    parts.append(drawing.text(box.x + box.width - PAD, y, score, 18, anchor="end", bold=True))
    if box.width >= WIDE:
        right = box.x + box.width - PAD - 12 * len(score) - 8
        cards = count_words(size_of(view["hands"][seat]), "card")
        parts.append(drawing.text(right, y, cards, 12, color=drawing.MUTED, anchor="end"))
    return "".join(parts)


def _hand(view: View, seat: int, x: float, y: float, card: float, room: float) -> str:
    """A hand: what is known of it face up, the rest face down."""
    hand = view["hands"][seat]
    step = card + 5 if isinstance(hand, list) else card * 0.72
    return _fan(faces_of(hand), x, y, card, room=room, step=step)


def _sets(view: View, seat: int, x: float, y: float, card: float) -> str:
    """The sets of a seat, side by side."""
    parts = []
    for cards in view["sets"][seat]:
        width = drawing.fan_width(len(cards), card, WIDTH, card * SET_STEP)
        parts.append(_fan(cards, x, y, card, room=width, step=card * SET_STEP))
        x += width + card * 0.12
    return "".join(parts)


_fan = partial(drawing.fan, face=card_face)


def _middle(view: View, box: Box) -> str:
    """Stock, the last discards with the top one at the right, and what is due."""
    centre, y = box.x + box.width / 2, box.y + 22
    foot = y + PILES.card * drawing.RATIO + 26
    return "".join(
        [
            PILES.draw(view["stock"], view["discard"], centre, y, box.width),
            centred([due_words(view)], centre, foot, 16, color=drawing.GOLD),
            centred([turn_words(view)], centre, foot + 21, 12.5),
        ]
    )
