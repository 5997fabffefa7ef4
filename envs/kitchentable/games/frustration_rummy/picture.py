"""How a table of Frustration Rummy looks.

The viewer sits at the bottom, the others around the table clockwise: the seat to the left
at the left. Each seat has a panel with its contract, its hand and the melds it owns; stock
and discard pile are in the middle.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from kitchentable.cards import drawing
from kitchentable.cards.french import CARDS, N_POSITIONS, SUITS, card_at
from kitchentable.games.frustration_rummy.words import (
    contract_words,
    count_words,
    deal_words,
    due_words,
    rank_at,
)

View = Mapping[str, Any]

WIDTH = 1280.0
MARGIN = 24.0
GAP = 14.0
PAD = 14.0
COLUMNS = 3
HEAD = 54.0
"""Height of a panel's lines with name, score and marks, and with the contract."""
HAND_CARD = 58.0
"""Width of a card in the viewer's hand."""
OTHER_CARD = 40.0
MELD_CARD = 44.0
PILE_CARD = 70.0
SHOWN_DISCARDS = 8
DISCARD_STEP = 26.0
MELD_STEP = 23.0
"""How far apart the cards of a meld lie."""
NEXT_GAP = 5.0
"""Between an open group and the place of its next card."""
LABEL = 17.0
"""Height of the line above a meld."""
MELD_ROW = LABEL + MELD_CARD * drawing.RATIO + 8
WIDE = 900.0
"""From this width on a panel has the melds beside the hand."""


class Box(NamedTuple):
    """Where a panel lies."""

    x: float
    y: float
    width: float
    height: float


class Group(NamedTuple):
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


def picture(view: View) -> str:
    """Return a view or a whole table as SVG."""
    viewer = _viewer(view)
    seats = len(view["hands"])
    others = [(viewer + step) % seats for step in range(1, seats)]
    boxes, height = _arrange(view, viewer, others)
    parts = [drawing.felt(WIDTH, height), _title(view)]
    parts += [_seat_panel(view, seat, boxes[seat], seat == viewer) for seat in [*others, viewer]]
    parts.append(_middle(view, boxes[-1]))
    label = f"Frustration Rummy, {deal_words(view)}. {due_words(view)}"
    return drawing.document(WIDTH, height, *parts, label=label)


def _viewer(view: View) -> int:
    """Return the seat whose hand is open; in a whole table the first."""
    return next(seat for seat, hand in enumerate(view["hands"]) if isinstance(hand, list))


def _arrange(view: View, viewer: int, others: list[int]) -> tuple[dict[int, Box], float]:
    """Return where each seat's panel lies, and under -1 the middle; and the picture's height."""
    left, top, right = others[:1], others[1:-1], others[-1:]
    if len(others) == 1:
        left, top, right = [], others, []
    boxes: dict[int, Box] = {}
    y, inner = MARGIN + 44, WIDTH - 2 * MARGIN
    if top:
        width = (inner - GAP * (len(top) - 1)) / len(top)
        height = max(_panel_height(view, seat, width, False) for seat in top)
        for i, seat in enumerate(top):
            boxes[seat] = Box(MARGIN + i * (width + GAP), y, width, height)
        y += height + GAP
    column = (inner - GAP * (COLUMNS - 1)) / COLUMNS
    sides = [*left, *right]
    height = max([_middle_height(), *(_panel_height(view, s, column, False) for s in sides)])
    for seat in left:
        boxes[seat] = Box(MARGIN, y, column, height)
    for seat in right:
        boxes[seat] = Box(WIDTH - MARGIN - column, y, column, height)
    boxes[-1] = Box(MARGIN + column + GAP, y, column, height)
    y += height + GAP
    height = _panel_height(view, viewer, inner, True)
    boxes[viewer] = Box(MARGIN, y, inner, height)
    return boxes, y + height + MARGIN


# A seat's panel


class Parts(NamedTuple):
    """How hand and melds share a panel."""

    card: float
    """Width of a card in hand."""
    hand_room: float
    melds_x: float
    melds_y: float
    melds_room: float


def _parts(width: float, is_viewer: bool) -> Parts:
    """Return where things lie in a panel: melds under the hand, or beside it in a wide one."""
    card = HAND_CARD if is_viewer else OTHER_CARD
    room = width - 2 * PAD
    if is_viewer or width < WIDE:
        return Parts(card, room, 0, card * drawing.RATIO + 8, room)
    hand_room = room * 0.36
    return Parts(card, hand_room, hand_room + 2 * GAP, 0, room - hand_room - 2 * GAP)


def _panel_height(view: View, seat: int, width: float, is_viewer: bool) -> float:
    parts = _parts(width, is_viewer)
    rows = _rows(_groups(view, seat), parts.melds_room)
    melds = parts.melds_y + len(rows) * MELD_ROW
    return HEAD + max(LABEL + parts.card * drawing.RATIO, melds) + PAD


def _rows(groups: list[Group], room: float) -> list[list[Group]]:
    """Return the groups broken into rows that fit."""
    rows: list[list[Group]] = []
    left = 0.0
    for group in groups:
        width = group.width(room) + GAP
        if not rows or width - GAP > left:
            rows.append([])
            left = room
        rows[-1].append(group)
        left -= width
    return rows


def _seat_panel(view: View, seat: int, box: Box, is_viewer: bool) -> str:
    lit = seat == view["to_act"]
    parts = _parts(box.width, is_viewer)
    left, y = box.x + PAD, box.y + HEAD
    hand_y = y if parts.melds_y else y + LABEL
    drawn = [drawing.panel(*box, lit=lit), _name_line(view, seat, box)]
    drawn.append(_hand(view, seat, left, hand_y, parts.card, parts.hand_room))
    y += parts.melds_y
    for row in _rows(_groups(view, seat), parts.melds_room):
        x = left + parts.melds_x
        for group in row:
            drawn.append(_group(group, x, y, parts.melds_room))
            x += group.width(parts.melds_room) + GAP
        y += MELD_ROW
    return "".join(drawn)


def _name_line(view: View, seat: int, box: Box) -> str:
    """Name, marks and, at the right, cards in hand and score; below the contract."""
    y = box.y + 23
    color = drawing.GOLD if seat == view["turn"] else drawing.WHITE
    name = f"Player {seat}"
    parts = [drawing.text(box.x + PAD, y, name, 17, color=color, bold=True)]
    x = box.x + PAD + 88
    for words, fill, ink in _marks(view, seat):
        mark, width = drawing.badge(x, y - 15, words, fill=fill, color=ink)
        parts.append(mark)
        x += width + 5
    facts = count_words(_hand_size(view, seat), "card")
    score = f"{view['scores'][seat]}"
    parts.append(drawing.text(box.x + box.width - PAD, y, score, 18, anchor="end", bold=True))
    right = box.x + box.width - PAD - 11.5 * len(score) - 10
    parts.append(drawing.text(right, y, facts, 12.5, color=drawing.MUTED, anchor="end"))
    contract = view["contracts"][seat]
    words = f"contract {contract}: {contract_words(contract)}"
    parts.append(drawing.text(box.x + PAD, y + 20, words, 13.5, color=drawing.MUTED))
    return "".join(parts)


def _marks(view: View, seat: int) -> list[tuple[str, str, str]]:
    """Return the badges of a seat: words, colour, colour of the words."""
    dark, light = "#2b2000", "#ffffff"
    marks = []
    if seat == view["to_act"]:
        marks.append(("to act", drawing.GOLD, dark))
    if view["finished"] and seat in view["winners"]:
        marks.append(("winner", drawing.GOLD, dark))
    if view["down"][seat]:
        marks.append(("down", "#3d8f5f", light))
    if seat == view["dealer"]:
        marks.append(("D", "#e8e8e8", dark))
    return marks


def _hand_size(view: View, seat: int) -> int:
    hand = view["hands"][seat]
    return len(hand) if isinstance(hand, list) else int(hand["count"])


def _hand(view: View, seat: int, x: float, y: float, card: float, room: float) -> str:
    """A hand: what is known of it face up, the rest face down."""
    hand = view["hands"][seat]
    if isinstance(hand, list):
        return drawing.fan(hand, x, y, card, room=room, step=card * 0.66)
    hidden = hand["count"] - len(hand["known"])
    cards = [*hand["known"], *[None] * hidden]
    return drawing.fan(cards, x, y, card, room=room, step=card * 0.55)


# Melds


def _groups(view: View, seat: int) -> list[Group]:
    """Return the melds of a seat, then the group it is laying."""
    melds = [
        _ready(meld, f"{number}")
        for number, meld in enumerate(view["melds"])
        if meld["owner"] == seat
    ]
    building = view["building"]
    if building is not None and building["kind"] and seat == view["turn"]:
        melds.append(_ready(building, "laying", is_open=True))
    return melds


def _ready(meld: Mapping[str, Any], number: str, is_open: bool = False) -> Group:
    """Return a meld as a group to be drawn, with its number in the table's list."""
    cards = list(meld["cards"])
    if meld["kind"] == "set":
        wanted = meld["rank"].replace("T", "10") if is_open else ""
        return Group(f"{number} · set", cards, [""] * len(cards), wanted)
    suit, low = SUITS.index(meld["suit"]), meld["low"]
    places = [CARDS[card_at(suit, low + i)] if card == "JK" else "" for i, card in enumerate(cards)]
    high = low + len(cards) - 1
    ends = f" {rank_at(low)}-{rank_at(high)}" if cards else ""
    wanted = rank_at(high + 1) if is_open and high < N_POSITIONS else ""
    return Group(f"{number} · run{ends}", cards, places, wanted)


def _group(group: Group, x: float, y: float, room: float) -> str:
    """A group with its label above; an open one ends with the place of the next card."""
    label = drawing.text(x, y + 12, group.label, 12, color=drawing.MUTED)
    y += LABEL
    place = ""
    if group.wanted:
        free = x + group.width(room) - MELD_CARD
        place = drawing.empty_place(free, y, MELD_CARD, group.wanted)
    places = group.stands_for
    return (
        label
        + place
        + drawing.fan(group.cards, x, y, MELD_CARD, room=room, step=MELD_STEP, stands_for=places)
    )


# The middle


def _title(view: View) -> str:
    """The line on top: the game, the deal, and on what contract the game is won."""
    y, words = MARGIN + 26, deal_words(view)
    name = drawing.text(MARGIN + 4, y, "Frustration Rummy", 24, bold=True)
    if view["options"]["episode"] == "game":
        words += f" · out on contract {view['options']['last_contract']} wins"
    right = drawing.text(WIDTH - MARGIN - 4, y, words, 18, color=drawing.GOLD, anchor="end")
    return name + right


def _middle_height() -> float:
    return 3 * 22 + PILE_CARD * drawing.RATIO + 2 * PAD + 60


def _middle(view: View, box: Box) -> str:
    """Stock, the last discards with the top one at the right, and what is due."""
    stock = view["stock"]
    in_stock = len(stock) if isinstance(stock, list) else stock["count"]
    discard = view["discard"]
    shown = discard[-SHOWN_DISCARDS:]
    spread = drawing.fan_width(len(shown), PILE_CARD, box.width, DISCARD_STEP)
    centre = box.x + box.width / 2
    y = box.y + (box.height - _middle_height()) / 2 + PAD + 20
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
    y += PILE_CARD * drawing.RATIO + 30
    for line in _broken(due_words(view), 46):
        parts.append(drawing.text(centre, y, line, 15.5, color=drawing.GOLD, anchor="middle"))
        y += 21
    turn = f"turn {view['turns']} of {view['options']['turn_cap'] * len(view['hands'])} at most"
    parts.append(drawing.text(centre, y + 2, turn, 12.5, color=drawing.MUTED, anchor="middle"))
    return "".join(parts)


def _broken(words: str, width: int) -> list[str]:
    """Return words as lines of at most `width` letters."""
    lines = [""]
    for word in words.split():
        if len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
