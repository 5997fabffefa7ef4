"""A table of cards as SVG: what the pictures of all card games have in common.

A picture is made of a view or a whole table. Each seat has a panel, a `Box`, with a line
for its name, marks, facts and score; stock and discard pile lie between the panels.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Any, NamedTuple, TypeVar

from kitchentable.cards import drawing
from kitchentable.cards.table_text import size_of, turn_words

View = Mapping[str, Any]
Item = TypeVar("Item")

WIDTH = 1280.0
MARGIN = 24.0
GAP = 14.0
"""Between panels, and between melds."""
PAD = 14.0
"""Between a panel's rim and what is in it."""
TOP = MARGIN + 44
"""Where the panels begin, below the title."""
COLUMNS = 3
"""Panels beside each other around a table."""
DARK, LIGHT = "#2b2000", "#ffffff"
"""Colours of words on a mark."""
GREEN = "#3d8f5f"


class Box(NamedTuple):
    """Where a panel lies."""

    x: float
    y: float
    width: float
    height: float


def seats_from_viewer(view: View) -> list[int]:
    """Return all seats clockwise from the one whose hand is open; in a whole table the first."""
    hands = view["hands"]
    viewer = next(seat for seat, hand in enumerate(hands) if isinstance(hand, list))
    return [(viewer + step) % len(hands) for step in range(len(hands))]


def title(name: str, words: str) -> str:
    """Return the line on top: the game at the left, and words about the deal at the right."""
    y = MARGIN + 26
    left = drawing.text(MARGIN + 4, y, name, 24, bold=True)
    return left + drawing.text(WIDTH - MARGIN - 4, y, words, 18, color=drawing.GOLD, anchor="end")


# Panels around a table


class Places(NamedTuple):
    """Where everything lies, and how high that makes the picture."""

    seats: dict[int, Box]
    middle: Box
    height: float


def around_table(
    order: Sequence[int], panel_height: Callable[[int, float], float], middle_height: float
) -> Places:
    """Return panels for 2 .. 6 seats: the viewer at the bottom, the others clockwise.

    Two others sit at the sides of the middle, all further ones (or a single one) above it.

    Args:
        order: the seats clockwise, the viewer first.
        panel_height: how high a seat's panel of some width must be.
        middle_height: how high the middle must be.
    """
    viewer, *others = order
    top = others if len(others) == 1 else others[1:-1]
    sides = [] if len(others) == 1 else [others[0], others[-1]]
    seats: dict[int, Box] = {}
    y, inner = TOP, WIDTH - 2 * MARGIN
    if top:
        width = (inner - GAP * (len(top) - 1)) / len(top)
        height = max(panel_height(seat, width) for seat in top)
        for i, seat in enumerate(top):
            seats[seat] = Box(MARGIN + i * (width + GAP), y, width, height)
        y += height + GAP
    column = (inner - GAP * (COLUMNS - 1)) / COLUMNS
    height = max([middle_height, *(panel_height(seat, column) for seat in sides)])
    for seat, x in zip(sides, (MARGIN, WIDTH - MARGIN - column), strict=False):
        seats[seat] = Box(x, y, column, height)
    middle = Box(MARGIN + column + GAP, y, column, height)
    y += height + GAP
    seats[viewer] = Box(MARGIN, y, inner, panel_height(viewer, inner))
    return Places(seats, middle, y + seats[viewer].height + MARGIN)


# A seat's panel


class Mark(NamedTuple):
    """A badge beside a seat's name."""

    words: str
    fill: str = drawing.GOLD
    ink: str = DARK


def marks(view: View, seat: int, *own: Mark, acts: str = "to act") -> list[Mark]:
    """Return a seat's badges: who acts or moves, who has won, the game's own ones, the dealer."""
    found = []
    if seat == view["to_act"]:
        found.append(Mark(acts))
    elif seat == view["turn"] and not view["finished"]:
        found.append(Mark("moves", "#c9b47a"))
    if view["finished"] and seat % len(view["scores"]) in view["winners"]:
        found.append(Mark("winner"))
    found += own
    if seat == view["dealer"]:
        found.append(Mark("D", "#e8e8e8"))
    return found


def name_and_marks(view: View, seat: int, box: Box, badges: Iterable[Mark]) -> str:
    """Return the left part of a panel's first line."""
    y = box.y + 23
    color = drawing.GOLD if seat == view["turn"] else drawing.WHITE
    parts = [drawing.text(box.x + PAD, y, f"Player {seat}", 17, color=color, bold=True)]
    x = box.x + PAD + 88
    for words, fill, ink in badges:
        mark, width = drawing.badge(x, y - 15, words, fill=fill, color=ink)
        parts.append(mark)
        x += width + 5
    return "".join(parts)


def facts_and_score(box: Box, facts: str, score: int) -> str:
    """Return the right part of a panel's first line."""
    right, y, words = box.x + box.width - PAD, box.y + 23, str(score)
    shown = drawing.text(right, y, words, 18, anchor="end", bold=True)
    right -= 11.5 * len(words) + 10
    return shown + drawing.text(right, y, facts, 12.5, color=drawing.MUTED, anchor="end")


def faces_of(hand: Any) -> list[str | None]:
    """Return a hand's cards to be drawn: what is known of it, then None for each hidden card."""
    if isinstance(hand, list):
        return list(hand)
    return [*hand["known"], *[None] * (hand["count"] - len(hand["known"]))]


def in_rows(
    items: Iterable[Item], width_of: Callable[[Item], float], room: float
) -> list[list[Item]]:
    """Return things broken into rows that fit, with gaps between them."""
    rows: list[list[Item]] = []
    left = 0.0
    for item in items:
        width = width_of(item)
        if not rows or width > left:
            rows.append([])
            left = room
        rows[-1].append(item)
        left -= width + GAP
    return rows


# The middle


class Piles(NamedTuple):
    """How stock and discard pile are drawn."""

    card: float
    """Width of a card."""
    shown: int
    """Of the discards only the last ones are to be seen, the top one at the right."""
    step: float
    """How far apart these lie."""
    between: float = 2 * GAP
    """Between the piles."""
    face: drawing.Face = drawing.card_face
    name: str = "discard pile"

    def draw(
        self, stock: Any, discard: Sequence[str | None], centre: float, y: float, room: float
    ) -> str:
        """Return both piles beside each other, with their numbers of cards above."""
        in_stock, shown = size_of(stock), discard[-self.shown :]
        spread = drawing.fan_width(len(shown), self.card, room, self.step)
        left = centre - (self.card + self.between + spread) / 2
        right = left + self.card + self.between
        words = f"{self.name} {len(discard)}"
        parts = [
            drawing.text(left, y - 8, f"stock {in_stock}", 13, color=drawing.MUTED),
            drawing.text(right, y - 8, words, 13, color=drawing.MUTED),
            drawing.pile(None, in_stock, left, y, self.card),
            drawing.fan(shown, right, y, self.card, room=spread, step=self.step, face=self.face)
            if shown
            else drawing.empty_place(right, y, self.card),
        ]
        return "".join(parts)

    @property
    def middle_height(self) -> float:
        """The height of `middle`."""
        return 3 * 22 + self.card * drawing.RATIO + 2 * PAD + 60


def middle(view: View, box: Box, piles: Piles, due: str, letters: int) -> str:
    """Return the piles, and below them what is due in lines of `letters`, and the turn."""
    centre = box.x + box.width / 2
    y = box.y + (box.height - piles.middle_height) / 2 + PAD + 20
    drawn = piles.draw(view["stock"], view["discard"], centre, y, box.width)
    y += piles.card * drawing.RATIO + 30
    lines = broken(due, letters)
    drawn += centred(lines, centre, y, 15.5, 21, drawing.GOLD)
    return drawn + centred([turn_words(view)], centre, y + 21 * len(lines) + 2, 12.5)


def broken(words: str, letters: int) -> list[str]:
    """Return words as lines of at most so many letters."""
    return wrap(words, letters, break_on_hyphens=False)


def centred(
    lines: Iterable[str],
    x: float,
    y: float,
    size: float,
    leading: float = 0,
    color: str = drawing.MUTED,
) -> str:
    """Return lines of words below each other, their middles at x, the first one at y."""
    return "".join(
        drawing.text(x, y + i * leading, line, size, color=color, anchor="middle")
        for i, line in enumerate(lines)
    )
