"""How a table of Luau Rummy looks.

The viewer sits at the bottom, the others around the table clockwise: the seat to the left
at the left. Each seat has a panel with its hand and its side's melds (those of a team lie
with the viewer, or with the first of the two seats to the left); stock and pile are in the
middle.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from kitchentable.cards import drawing
from kitchentable.games.luau_rummy import faces
from kitchentable.games.luau_rummy.words import (
    count_words,
    deal_words,
    due_words,
    luau_words,
    points_laid,
    side_of,
)

View = Mapping[str, Any]

WIDTH = 1280.0
MARGIN = 24.0
GAP = 14.0
PAD = 14.0
COLUMNS = 3
HEAD = 34.0
"""Height of a panel's line with name, score and marks."""
HAND_CARD = 66.0
"""Width of a card in the viewer's hand."""
OTHER_CARD = 46.0
MELD_CARD = 48.0
PILE_CARD = 76.0
SHOWN_DISCARDS = 9
STEP = 0.32
"""How far apart the cards of a fan stand, over their width: names can be read."""
LABEL = 17.0
"""Height of the line above a meld."""
MELD_ROW = LABEL + MELD_CARD * drawing.RATIO + 8
LINE = 40
"""Letters of a line in the middle."""


class Box(NamedTuple):
    """Where a panel lies."""

    x: float
    y: float
    width: float
    height: float


def picture(view: View) -> str:
    """Return a view or a whole table as SVG."""
    viewer = next(seat for seat, hand in enumerate(view["hands"]) if isinstance(hand, list))
    seats = len(view["hands"])
    order = [(viewer + step) % seats for step in range(seats)]
    boxes, height = _arrange(view, order)
    parts = [faces.DEFINITIONS, drawing.felt(WIDTH, height), _title(view)]
    parts += [_seat_panel(view, order, seat, boxes[seat]) for seat in order]
    parts.append(_middle(view, boxes[-1]))
    label = f"Luau Rummy, {deal_words(view)}. {due_words(view)}"
    return drawing.document(WIDTH, height, *parts, label=label)


def _arrange(view: View, order: list[int]) -> tuple[dict[int, Box], float]:
    """Return where each seat's panel lies, and under -1 the middle; and the picture's height."""
    viewer, others = order[0], order[1:]
    top = others if len(others) == 1 else others[1:-1]
    sides = [] if len(others) == 1 else [others[0], others[-1]]
    boxes: dict[int, Box] = {}
    y, inner = MARGIN + 44, WIDTH - 2 * MARGIN
    for seat in top:
        height = _panel_height(view, order, seat, inner)
        boxes[seat] = Box(MARGIN, y, inner, height)
        y += height + GAP
    column = (inner - GAP * (COLUMNS - 1)) / COLUMNS
    height = max([_middle_height(), *(_panel_height(view, order, s, column) for s in sides)])
    for seat, x in zip(sides, (MARGIN, WIDTH - MARGIN - column), strict=False):
        boxes[seat] = Box(x, y, column, height)
    boxes[-1] = Box(MARGIN + column + GAP, y, column, height)
    y += height + GAP
    height = _panel_height(view, order, viewer, inner)
    boxes[viewer] = Box(MARGIN, y, inner, height)
    return boxes, y + height + MARGIN


# A seat's panel


def _melds(view: View, order: list[int], seat: int) -> list[tuple[str, list[str]]]:
    """Return the melds that lie in a seat's panel: their kinds and cards."""
    side = side_of(view, seat)
    home = next(other for other in order if side_of(view, other) == side)
    if seat != home:
        return []
    return [(meld["kind"], meld["cards"]) for meld in view["melds"] if meld["side"] == side]


def _rows(
    melds: list[tuple[str, list[str]]], room: float
) -> list[list[tuple[str, list[str], float]]]:
    """Return the melds with their widths, broken into rows that fit."""
    rows: list[list[tuple[str, list[str], float]]] = []
    left = 0.0
    for kind, cards in melds:
        width = drawing.fan_width(len(cards), MELD_CARD, room, MELD_CARD * STEP) + GAP
        if not rows or width - GAP > left:
            rows.append([])
            left = room
        rows[-1].append((kind, cards, width))
        left -= width
    return rows


def _card_width(order: list[int], seat: int) -> float:
    return HAND_CARD if seat == order[0] else OTHER_CARD


def _panel_height(view: View, order: list[int], seat: int, width: float) -> float:
    rows = _rows(_melds(view, order, seat), width - 2 * PAD)
    hand = _card_width(order, seat) * drawing.RATIO
    return HEAD + hand + 8 + len(rows) * MELD_ROW + PAD


def _seat_panel(view: View, order: list[int], seat: int, box: Box) -> str:
    card, room = _card_width(order, seat), box.width - 2 * PAD
    left, y = box.x + PAD, box.y + HEAD
    drawn = [drawing.panel(*box, lit=seat == view["to_act"]), _name_line(view, seat, box)]
    drawn.append(_hand(view, seat, left, y, card, room))
    y += card * drawing.RATIO + 8
    for row in _rows(_melds(view, order, seat), room):
        x = left
        for kind, cards, width in row:
            drawn.append(drawing.text(x, y + 12, kind, 12, color=drawing.MUTED))
            step = MELD_CARD * STEP
            drawn.append(faces.fan(cards, x, y + LABEL, MELD_CARD, room=room, step=step))
            x += width
        y += MELD_ROW
    return "".join(drawn)


def _name_line(view: View, seat: int, box: Box) -> str:
    """Name, marks and, at the right, cards in hand, cards laid, Luau and score."""
    y, side = box.y + 23, side_of(view, seat)
    color = drawing.GOLD if seat == view["turn"] else drawing.WHITE
    parts = [drawing.text(box.x + PAD, y, f"Player {seat}", 17, color=color, bold=True)]
    x = box.x + PAD + 88
    for words, fill in _marks(view, seat):
        mark, width = drawing.badge(x, y - 15, words, fill=fill)
        parts.append(mark)
        x += width + 5
    hand = view["hands"][seat]
    size = len(hand) if isinstance(hand, list) else hand["count"]
    laid = points_laid(view, side)
    facts = f"{count_words(size, 'card')} · {laid} laid · {luau_words(view, side)}"
    score = f"{view['scores'][side]}"
    parts.append(drawing.text(box.x + box.width - PAD, y, score, 18, anchor="end", bold=True))
    right = box.x + box.width - PAD - 11.5 * len(score) - 10
    parts.append(drawing.text(right, y, facts, 12.5, color=drawing.MUTED, anchor="end"))
    return "".join(parts)


def _marks(view: View, seat: int) -> list[tuple[str, str]]:
    """Return the badges of a seat: words and colour."""
    marks = []
    if seat == view["to_act"]:
        marks.append(("to act", drawing.GOLD))
    if view["finished"] and side_of(view, seat) in view["winners"]:
        marks.append(("winner", drawing.GOLD))
    if seat == view["dealer"]:
        marks.append(("D", "#e8e8e8"))
    return marks


def _hand(view: View, seat: int, x: float, y: float, card: float, room: float) -> str:
    """A hand: what is known of it face up, the rest face down."""
    hand = view["hands"][seat]
    if isinstance(hand, list):
        return faces.fan(hand, x, y, card, room=room, step=card * 0.8)
    hidden = hand["count"] - len(hand["known"])
    cards = [*hand["known"], *[None] * hidden]
    return faces.fan(cards, x, y, card, room=room, step=card * 0.45)


# The middle


def _title(view: View) -> str:
    """The line on top: the game and the deal."""
    y = MARGIN + 26
    name = drawing.text(MARGIN + 4, y, "Luau Rummy", 24, bold=True)
    words = deal_words(view)
    return name + drawing.text(WIDTH - MARGIN - 4, y, words, 18, color=drawing.GOLD, anchor="end")


def _middle_height() -> float:
    return 3 * 22 + PILE_CARD * drawing.RATIO + 2 * PAD + 60


def _middle(view: View, box: Box) -> str:
    """Stock, the last discards with the top one at the right, and what is due."""
    stock, discard = view["stock"], view["discard"]
    in_stock = len(stock) if isinstance(stock, list) else stock["count"]
    shown, step = discard[-SHOWN_DISCARDS:], PILE_CARD * STEP
    spread = drawing.fan_width(len(shown), PILE_CARD, box.width, step)
    centre = box.x + box.width / 2
    y = box.y + (box.height - _middle_height()) / 2 + PAD + 20
    left = centre - (PILE_CARD + 2 * GAP + spread) / 2
    right = left + PILE_CARD + 2 * GAP
    parts = [
        drawing.text(left, y - 8, f"stock {in_stock}", 13, color=drawing.MUTED),
        drawing.text(right, y - 8, f"pile {len(discard)}", 13, color=drawing.MUTED),
        drawing.pile(None, in_stock, left, y, PILE_CARD),
        faces.fan(shown, right, y, PILE_CARD, room=spread, step=step)
        if shown
        else drawing.empty_place(right, y, PILE_CARD),
    ]
    y += PILE_CARD * drawing.RATIO + 30
    for line in _broken(due_words(view), LINE):
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
