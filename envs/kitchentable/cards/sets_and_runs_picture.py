"""The picture of a contract rummy: each seat's panel has its hand and the melds it owns.

The viewer sits at the bottom, the others around the table clockwise: the seat to the left
at the left. Stock and discard pile are in the middle.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from kitchentable.cards import drawing
from kitchentable.cards.french import CARDS, N_POSITIONS, SUITS, card_at
from kitchentable.cards.sets_and_runs import rank_at
from kitchentable.cards.table_picture import (
    GAP,
    PAD,
    WIDTH,
    Box,
    Piles,
    View,
    around_table,
    faces_of,
    in_rows,
    middle,
    seats_from_viewer,
)

HAND_CARD = 58.0
"""Width of a card in the viewer's hand."""
OTHER_CARD = 40.0
MELD_CARD = 44.0
MELD_STEP = 23.0
"""How far apart the cards of a meld lie."""
NEXT_GAP = 5.0
"""Between an open group and the place of its next card."""
LABEL = 17.0
"""Height of the line above a meld."""
MELD_ROW = LABEL + MELD_CARD * drawing.RATIO + 8
WIDE = 900.0
"""From this width on a panel has the melds beside the hand."""
PILES = Piles(card=70.0, shown=8, step=26.0)
LETTERS = 46
"""Of a line in the middle."""


class Shown(NamedTuple):
    """A meld or the open group, ready to be drawn."""

    label: str
    cards: list[str]
    stands_for: list[str]
    """By card: what a joker in a run stands for, else empty."""
    wanted: str
    """In an open group the card that comes next, else empty."""

    def width(self, room: float) -> float:
        """Return how much of `room` the group takes."""
        width = drawing.fan_width(len(self.cards), MELD_CARD, room, MELD_STEP) if self.cards else 0
        return width + (MELD_CARD + NEXT_GAP if self.wanted else 0)


def contract_picture(
    view: View,
    *,
    title: str,
    label: str,
    due: str,
    head: float,
    headline: Callable[[int, Box], str],
) -> str:
    """Return a view or a whole table as SVG.

    Args:
        view: as JSON has it.
        title: the line on top, drawn.
        label: the picture in words.
        due: what is due, for the middle.
        head: how high the lines of a panel are that `headline` draws.
        headline: draws a seat's name, marks, facts and score in its panel.
    """
    order = seats_from_viewer(view)
    viewer = order[0]
    panels = {seat: _Panel(view, seat, seat == viewer, head) for seat in order}
    places = around_table(order, lambda seat, w: panels[seat].height(w), PILES.middle_height)
    parts = [drawing.felt(WIDTH, places.height), title]
    for seat in [*order[1:], viewer]:
        box = places.seats[seat]
        parts.append(drawing.panel(*box, lit=seat == view["to_act"]) + headline(seat, box))
        parts.append(panels[seat].draw(box))
    parts.append(middle(view, places.middle, PILES, due, LETTERS))
    return drawing.document(WIDTH, places.height, *parts, label=label)


class _Parts(NamedTuple):
    """How hand and melds share a panel."""

    hand_room: float
    melds_x: float
    melds_y: float
    melds_room: float


class _Panel:
    """A seat's hand and melds."""

    def __init__(self, view: View, seat: int, is_viewer: bool, head: float) -> None:
        self._hand = view["hands"][seat]
        self._groups = _groups(view, seat)
        self._is_viewer = is_viewer
        self._head = head
        self._card = HAND_CARD if is_viewer else OTHER_CARD

    def height(self, width: float) -> float:
        """Return how high a panel of some width is."""
        parts = self._parts(width)
        melds = parts.melds_y + len(self._rows(parts)) * MELD_ROW
        return self._head + max(LABEL + self._card * drawing.RATIO, melds) + PAD

    def draw(self, box: Box) -> str:
        """Return hand and melds in the panel's place."""
        parts = self._parts(box.width)
        left, y = box.x + PAD, box.y + self._head
        drawn = [self._drawn_hand(left, y if parts.melds_y else y + LABEL, parts.hand_room)]
        y += parts.melds_y
        for row in self._rows(parts):
            x = left + parts.melds_x
            for group in row:
                drawn.append(_drawn_group(group, x, y, parts.melds_room))
                x += group.width(parts.melds_room) + GAP
            y += MELD_ROW
        return "".join(drawn)

    def _parts(self, width: float) -> _Parts:
        """Return where things lie: melds under the hand, or beside it in a wide panel."""
        room = width - 2 * PAD
        if self._is_viewer or width < WIDE:
            return _Parts(room, 0, self._card * drawing.RATIO + 8, room)
        hand_room = room * 0.36
        return _Parts(hand_room, hand_room + 2 * GAP, 0, room - hand_room - 2 * GAP)

    def _rows(self, parts: _Parts) -> list[list[Shown]]:
        room = parts.melds_room
        return in_rows(self._groups, lambda group: group.width(room), room)

    def _drawn_hand(self, x: float, y: float, room: float) -> str:
        step = self._card * (0.66 if isinstance(self._hand, list) else 0.55)
        return drawing.fan(faces_of(self._hand), x, y, self._card, room=room, step=step)


def _groups(view: View, seat: int) -> list[Shown]:
    """Return the melds of a seat, then the group it is laying."""
    melds = [
        _shown(meld, f"{number}")
        for number, meld in enumerate(view["melds"])
        if meld["owner"] == seat
    ]
    building = view["building"]
    if building is not None and building["kind"] and seat == view["turn"]:
        melds.append(_shown(building, "laying", is_open=True))
    return melds


def _shown(meld: Mapping[str, Any], number: str, is_open: bool = False) -> Shown:
    """Return a meld as a group to be drawn, with its number in the table's list."""
    cards = list(meld["cards"])
    if meld["kind"] == "set":
        wanted = meld["rank"].replace("T", "10") if is_open else ""
        return Shown(f"{number} · set", cards, [""] * len(cards), wanted)
    suit, low = SUITS.index(meld["suit"]), meld["low"]
    places = [CARDS[card_at(suit, low + i)] if card == "JK" else "" for i, card in enumerate(cards)]
    high = low + len(cards) - 1
    ends = f" {rank_at(low)}-{rank_at(high)}" if cards else ""
    wanted = rank_at(high + 1) if is_open and high < N_POSITIONS else ""
    return Shown(f"{number} · run{ends}", cards, places, wanted)


def _drawn_group(group: Shown, x: float, y: float, room: float) -> str:
    """A group with its label above; an open one ends with the place of the next card."""
    label = drawing.text(x, y + 12, group.label, 12, color=drawing.MUTED)
    y += LABEL
    place = ""
    if group.wanted:
        free = x + group.width(room) - MELD_CARD
        place = drawing.empty_place(free, y, MELD_CARD, group.wanted)
    places = group.stands_for
    cards = drawing.fan(group.cards, x, y, MELD_CARD, room=room, step=MELD_STEP, stands_for=places)
    return label + place + cards
