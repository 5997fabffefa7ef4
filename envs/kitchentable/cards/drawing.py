"""Cards, piles and panels as SVG, shared by the pictures of all card games.

Everything is text put together; nothing depends on installed fonts but ranks and words.
A picture is `document(width, height, *parts)`, and each part a string made here. Lengths
are in the picture's own units, and y grows downwards.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from xml.sax.saxutils import escape, quoteattr

Face = Callable[..., str]
"""Draws a card: its name, x, y and width, as `card_face`."""
RATIO = 1.4
"""Height of a card over its width."""
FELT = "#1e6b4a"
FELT_EDGE = "#0f4630"
PANEL = "#000000"
GOLD = "#ffd257"
IVORY = "#fdfcf7"
WHITE = "#ffffff"
MUTED = "#c5dccf"
BLACK_SUIT = "#1b1f24"
RED_SUIT = "#c8202f"
JOKER_COLOR = "#7a2fa0"
BACK = "#28508f"
FONT = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"

_SHAPES = {
    "S": "M50 4 C62 26 94 42 94 66 C94 82 82 90 70 90 C62 90 56 86 53 80 C54 89 58 95 64 99 "
    "L36 99 C42 95 46 89 47 80 C44 86 38 90 30 90 C18 90 6 82 6 66 C6 42 38 26 50 4 Z",
    "H": "M50 96 C40 78 5 58 5 30 C5 14 17 5 29 5 C39 5 47 11 50 20 C53 11 61 5 71 5 "
    "C83 5 95 14 95 30 C95 58 60 78 50 96 Z",
    "D": "M50 2 C60 20 74 36 88 50 C74 64 60 80 50 98 C40 80 26 64 12 50 C26 36 40 20 50 2 Z",
    "C": "M50 3 C63 3 72 12 72 24 C72 31 69 37 64 41 C67 40 70 39 74 39 C87 39 96 48 96 61 "
    "C96 74 87 83 74 83 C65 83 57 78 53 71 C54 84 58 93 64 98 L36 98 C42 93 46 84 47 71 "
    "C43 78 35 83 26 83 C13 83 4 74 4 61 C4 48 13 39 26 39 C30 39 33 40 36 41 "
    "C31 37 28 31 28 24 C28 12 37 3 50 3 Z",
    "JK": "M50 3 L61 37 L97 37 L68 58 L79 93 L50 72 L21 93 L32 58 L3 37 L39 37 Z",
}
"""Outlines of the suits, and the joker's star, in a square of 100."""


def document(width: float, height: float, *parts: str, label: str) -> str:
    """Return a whole SVG; `label` says what it shows to those who cannot see it."""
    size = f'width="{_n(width)}" height="{_n(height)}" viewBox="0 0 {_n(width)} {_n(height)}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label={quoteattr(label)}'
    )
    return f'{head} font-family="{FONT}">{_DEFINITIONS}{"".join(parts)}</svg>'


def felt(width: float, height: float) -> str:
    """Return the green cloth under everything, with the table's rim."""
    return (
        f'<rect width="{_n(width)}" height="{_n(height)}" fill="#5b3a1e"/>'
        f'<rect x="8" y="8" width="{_n(width - 16)}" height="{_n(height - 16)}" rx="26" '
        f'fill="url(#felt)" stroke="#3b2411" stroke-width="3"/>'
    )


def panel(x: float, y: float, width: float, height: float, *, lit: bool = False) -> str:
    """Return a darker field on the cloth; a lit one has a golden rim."""
    edge = f'stroke="{GOLD}" stroke-width="3"' if lit else 'stroke="#ffffff" stroke-opacity="0.14"'
    place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
    opacity = 0.3 if lit else 0.2
    return f'<rect {place} rx="14" fill="{PANEL}" fill-opacity="{opacity}" {edge}/>'


def text(
    x: float,
    y: float,
    words: str,
    size: float = 16,
    *,
    color: str = WHITE,
    anchor: str = "start",
    bold: bool = False,
    fit: float = 0,
) -> str:
    """Return a line of words whose baseline begins (or with `anchor` ends) at x, y.

    `fit` is the width into which they are squeezed, if any.
    """
    weight = ' font-weight="bold"' if bold else ""
    if fit:
        weight += f' textLength="{_n(fit)}" lengthAdjust="spacingAndGlyphs"'
    place = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" text-anchor="{anchor}"'
    return f'<text {place} fill="{color}"{weight}>{escape(words)}</text>'


def badge(
    x: float, y: float, words: str, *, fill: str = GOLD, color: str = "#2b2000"
) -> tuple[str, float]:
    """Return a small filled label with its top left corner at x, y, and its width."""
    width = 14 + 7.6 * len(words)
    rect = f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="20" rx="10" fill="{fill}"/>'
    label = text(x + width / 2, y + 14.5, words, 12, color=color, anchor="middle", bold=True)
    return rect + label, width


def suit_mark(suit: str, x: float, y: float, size: float, color: str | None = None) -> str:
    """Return a suit (`"S"` .. `"C"`, or `"JK"` for the joker's star) in a square of `size`."""
    scale = f"translate({_n(x)} {_n(y)}) scale({size / 100:.3f})"
    return f'<use href="#suit-{suit}" transform="{scale}" fill="{color or _color(suit)}"/>'


def card_face(card: str, x: float, y: float, width: float, *, stands_for: str = "") -> str:
    """Return a card of the French pack, its top left corner at x, y.

    Rank and suit stand in the corner, so that a card can be read when the next covers it.
    `stands_for` is the card whose place a joker takes.
    """
    suit = card if card == "JK" else card[1]
    color = _color(suit)
    height = width * RATIO
    frame = _frame(x, y, width, IVORY, "#8d8d86")
    if suit == "JK":
        index = suit_mark("JK", x + width * 0.06, y + width * 0.08, width * 0.34)
        star = suit_mark("JK", x + width * 0.53, y + height * 0.55, width * 0.42)
        place = _stand_in(stands_for, x, y, width) if stands_for else ""
        return f"<g>{frame}{index}{star}{place}</g>"
    rank = card[0].replace("T", "10")
    index = text(
        x + width * 0.22,
        y + width * 0.37,
        rank,
        width * 0.38,
        color=color,
        anchor="middle",
        bold=True,
        fit=width * 0.38 if rank == "10" else 0,
    )
    small = suit_mark(suit, x + width * 0.09, y + width * 0.45, width * 0.26)
    large = suit_mark(suit, x + width * 0.51, y + height * 0.54, width * 0.43)
    return f"<g>{frame}{index}{small}{large}</g>"


def card_back(x: float, y: float, width: float) -> str:
    """Return a card face down, its top left corner at x, y."""
    inset = width * 0.1
    height = width * RATIO
    place = f'x="{_n(x + inset)}" y="{_n(y + inset)}"'
    size = f'width="{_n(width - 2 * inset)}" height="{_n(height - 2 * inset)}"'
    inner = f'<rect {place} {size} rx="{_n(width * 0.06)}" fill="url(#back)" stroke="#9fbbe6"/>'
    return f"<g>{_frame(x, y, width, IVORY, '#8d8d86')}{inner}</g>"


def empty_place(x: float, y: float, width: float, words: str = "") -> str:
    """Return a dashed outline where a card could lie."""
    height = width * RATIO
    place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
    dashes = f'stroke="{GOLD}" stroke-width="1.6" stroke-dasharray="5 4" stroke-opacity="0.8"'
    outline = f'<rect {place} rx="{_n(width * 0.11)}" fill="#000000" fill-opacity="0.12" {dashes}/>'
    middle = y + height / 2 + width * 0.11
    shown = text(x + width / 2, middle, words, width * 0.3, color=GOLD, anchor="middle")
    return outline + (shown if words else "")


def fan(
    cards: Sequence[str | None],
    x: float,
    y: float,
    width: float,
    *,
    room: float,
    step: float | None = None,
    stands_for: Iterable[str] = (),
    face: Face = card_face,
) -> str:
    """Return overlapping cards from left to right; None is one face down.

    A card is `width` wide and each stands `step` to the right of the one before, less if they
    would need more than `room`. `stands_for` has an entry for each card, empty but for jokers;
    `face` draws a card of another pack than the French one.
    """
    distance = fan_step(len(cards), width, room, step)
    places = list(stands_for) or [""] * len(cards)
    faces = [partial(face, stands_for=place) if place else face for place in places]
    return "".join(
        card_back(x + i * distance, y, width)
        if card is None
        else faces[i](card, x + i * distance, y, width)
        for i, card in enumerate(cards)
    )


def fan_step(n: int, width: float, room: float, step: float | None = None) -> float:
    """Return how far apart the cards of a fan stand."""
    wanted = width * 0.46 if step is None else step
    return min(wanted, (room - width) / (n - 1)) if n > 1 else wanted


def fan_width(n: int, width: float, room: float, step: float | None = None) -> float:
    """Return how wide a fan of `n` cards is."""
    return width + max(n - 1, 0) * fan_step(n, width, room, step)


def pile(card: str | None, n: int, x: float, y: float, width: float) -> str:
    """Return a pile of `n` cards, the top one face up, or face down if it is None."""
    if n == 0:
        return empty_place(x, y, width)
    beneath = min(n - 1, 4)
    parts = [card_back(x - i * 1.6, y + i * 1.6, width) for i in range(beneath, 0, -1)]
    if card is not None:
        frames = range(beneath, 0, -1)
        parts = [_frame(x - i * 1.6, y + i * 1.6, width, IVORY, "#8d8d86") for i in frames]
    top = card_back(x, y, width) if card is None else card_face(card, x, y, width)
    return "".join(parts) + top


def _frame(x: float, y: float, width: float, fill: str, edge: str) -> str:
    place = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(width * RATIO)}"'
    rim = f'stroke="{edge}" stroke-width="1"'
    return f'<rect {place} rx="{_n(width * 0.11)}" fill="{fill}" {rim}/>'


def _stand_in(card: str, x: float, y: float, width: float) -> str:
    """The card whose place a joker takes, small at the left where it is not covered."""
    suit, rank = card[1], card[0].replace("T", "10")
    size, foot = width * 0.27, y + width * RATIO * 0.66
    left = x + width * 0.07
    squeeze = width * 0.25 if rank == "10" else 0
    words = text(left, foot, rank, size, color=_color(suit), bold=True, fit=squeeze)
    right = left + width * (0.26 if rank == "10" else 0.21)
    return words + suit_mark(suit, right, foot - size * 0.72, size * 0.72)


def _color(suit: str) -> str:
    if suit == "JK":
        return JOKER_COLOR
    return RED_SUIT if suit in "HD" else BLACK_SUIT


def _n(value: float) -> str:
    """A length with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0")


_DEFINITIONS = (
    "<defs>"
    + "".join(f'<path id="suit-{suit}" d="{path}"/>' for suit, path in _SHAPES.items())
    + '<radialGradient id="felt" cx="50%" cy="45%" r="75%">'
    f'<stop offset="0%" stop-color="{FELT}"/><stop offset="100%" stop-color="{FELT_EDGE}"/>'
    "</radialGradient>"
    '<pattern id="back" width="8" height="8" patternUnits="userSpaceOnUse">'
    f'<rect width="8" height="8" fill="{BACK}"/>'
    '<path d="M0 4 L4 0 L8 4 L4 8 Z" fill="none" stroke="#7fa3dc" stroke-width="1"/>'
    "</pattern></defs>"
)
