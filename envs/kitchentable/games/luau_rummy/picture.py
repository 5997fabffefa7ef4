"""How a table of Luau Rummy looks.

The viewer sits at the bottom, the others around the table clockwise: the seat to the left
at the left. Each seat has a panel with its hand and its side's melds (those of a team lie
with the viewer, or with the first of the two seats to the left); stock and pile are in the
middle.
"""

from functools import partial
from typing import NamedTuple

from kitchentable.cards import drawing
from kitchentable.cards.table_picture import (
    GAP,
    PAD,
    WIDTH,
    Box,
    Piles,
    View,
    around_table,
    faces_of,
    facts_and_score,
    in_rows,
    marks,
    middle,
    name_and_marks,
    seats_from_viewer,
    title,
)
from kitchentable.cards.table_text import count_words, size_of
from kitchentable.games.luau_rummy import faces
from kitchentable.games.luau_rummy.words import (
    deal_words,
    due_words,
    luau_words,
    points_laid,
    side_of,
)

HEAD = 34.0
"""Height of a panel's line with name, score and marks."""
HAND_CARD = 66.0
"""Width of a card in the viewer's hand."""
OTHER_CARD = 46.0
MELD_CARD = 48.0
STEP = 0.32
"""How far apart the cards of a fan stand, over their width: names can be read."""
LABEL = 17.0
"""Height of the line above a meld."""
MELD_ROW = LABEL + MELD_CARD * drawing.RATIO + 8
PILES = Piles(card=76.0, shown=9, step=76.0 * STEP, face=faces.card_face, name="pile")
LETTERS = 40
"""Of a line in the middle."""


class Meld(NamedTuple):
    """A meld to be drawn."""

    kind: str
    cards: list[str]

    def width(self, room: float) -> float:
        """Return how much of `room` the meld takes."""
        return drawing.fan_width(len(self.cards), MELD_CARD, room, MELD_CARD * STEP)


def picture(view: View) -> str:
    """Return a view or a whole table as SVG."""
    order = seats_from_viewer(view)
    places = around_table(order, partial(_panel_height, view, order), PILES.middle_height)
    due = due_words(view)
    parts = [faces.DEFINITIONS, drawing.felt(WIDTH, places.height)]
    parts.append(title("Luau Rummy", deal_words(view)))
    parts += [_seat_panel(view, order, seat, places.seats[seat]) for seat in order]
    parts.append(middle(view, places.middle, PILES, due, LETTERS))
    label = f"Luau Rummy, {deal_words(view)}. {due}"
    return drawing.document(WIDTH, places.height, *parts, label=label)


# A seat's panel


def _melds(view: View, order: list[int], seat: int) -> list[Meld]:
    """Return the melds that lie in a seat's panel."""
    side = side_of(view, seat)
    home = next(other for other in order if side_of(view, other) == side)
    if seat != home:
        return []
    return [Meld(meld["kind"], meld["cards"]) for meld in view["melds"] if meld["side"] == side]


def _rows(view: View, order: list[int], seat: int, room: float) -> list[list[Meld]]:
    return in_rows(_melds(view, order, seat), lambda meld: meld.width(room), room)


def _card_width(order: list[int], seat: int) -> float:
    return HAND_CARD if seat == order[0] else OTHER_CARD


def _panel_height(view: View, order: list[int], seat: int, width: float) -> float:
    rows = _rows(view, order, seat, width - 2 * PAD)
    hand = _card_width(order, seat) * drawing.RATIO
    return HEAD + hand + 8 + len(rows) * MELD_ROW + PAD


def _seat_panel(view: View, order: list[int], seat: int, box: Box) -> str:
    card, room, hand = _card_width(order, seat), box.width - 2 * PAD, view["hands"][seat]
    left, y = box.x + PAD, box.y + HEAD
    step = card * (0.8 if isinstance(hand, list) else 0.45)
    drawn = [drawing.panel(*box, lit=seat == view["to_act"]), _headline(view, seat, box)]
    drawn.append(_fan(faces_of(hand), left, y, card, room=room, step=step))
    y += card * drawing.RATIO + 8
    for row in _rows(view, order, seat, room):
        x = left
        for meld in row:
            drawn.append(drawing.text(x, y + 12, meld.kind, 12, color=drawing.MUTED))
            step = MELD_CARD * STEP
            drawn.append(_fan(meld.cards, x, y + LABEL, MELD_CARD, room=room, step=step))
            x += meld.width(room) + GAP
        y += MELD_ROW
    return "".join(drawn)


_fan = partial(drawing.fan, face=faces.card_face)


def _headline(view: View, seat: int, box: Box) -> str:
    """Name, marks and, at the right, cards in hand, cards laid, Luau and score."""
    side, cards = side_of(view, seat), count_words(size_of(view["hands"][seat]), "card")
    facts = f"{cards} · {points_laid(view, side)} laid · {luau_words(view, side)}"
    left = name_and_marks(view, seat, box, marks(view, seat))
    return left + facts_and_score(box, facts, view["scores"][side])
