"""The faces of the cards: fourteen animals and a signpost, drawn of simple shapes.

Every face lies in a square of 100. `DEFINITIONS` holds them once for a picture, and
`card_face` puts them on cards.
"""

from kitchentable.cards import drawing
from kitchentable.games.potter_rummy.rules import CARDS, SIGNPOST
from kitchentable.games.potter_rummy.words import NAMES

INK = "#2a2320"
PINK = "#e79a9a"
FOOT = 11.0
"""Size of the name on a card of width 60."""


def _circle(x: float, y: float, r: float, fill: str) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}"/>'


def _oval(x: float, y: float, rx: float, ry: float, fill: str) -> str:
    return f'<ellipse cx="{x}" cy="{y}" rx="{rx}" ry="{ry}" fill="{fill}"/>'


def _shape(path: str, fill: str) -> str:
    return f'<path d="{path}" fill="{fill}"/>'


def _line(path: str, width: float = 3, color: str = INK) -> str:
    return f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{width}"/>'


def _eyes(left: float, right: float, y: float, r: float = 5) -> str:
    return _circle(left, y, r, INK) + _circle(right, y, r, INK)


def _rabbit() -> str:
    ears = _oval(36, 27, 11, 27, "#a9805c") + _oval(64, 27, 11, 27, "#a9805c")
    inside = _oval(36, 29, 5, 19, PINK) + _oval(64, 29, 5, 19, PINK)
    head = _oval(50, 68, 30, 28, "#b98d66") + _oval(50, 80, 15, 10, "#f1e4d3")
    whiskers = _line("M34 80 L12 76 M34 84 L13 88 M66 80 L88 76 M66 84 L87 88", 2)
    return ears + inside + head + _eyes(39, 61, 62) + _oval(50, 75, 5, 4, "#c65d5d") + whiskers


def _duck() -> str:
    head = _oval(50, 44, 32, 36, "#f7f7f2") + _line("M44 9 Q52 -2 58 8", 4, "#c9c9bf")
    beak = _oval(50, 71, 34, 14, "#f0a52c") + _line("M18 71 Q50 82 82 71", 3, "#9c6510")
    outline = _line("M22 60 A32 36 0 1 1 78 60", 2, "#a8a89c")
    return head + outline + beak + _eyes(38, 62, 40, 6)


def _hedgehog() -> str:
    spikes = (
        "M50 2 L58 16 L72 7 L73 23 L90 20 L84 36 L99 42 L87 53 L98 66 L82 70 L84 86 L16 86 "
        "L18 70 L2 66 L13 53 L1 42 L16 36 L10 20 L27 23 L28 7 L42 16 Z"
    )
    face = _oval(50, 68, 29, 27, "#dcb58a")
    return _shape(spikes, "#6d4c33") + face + _eyes(39, 61, 62) + _circle(50, 80, 7, INK)


def _squirrel() -> str:
    tail = _shape("M62 96 C104 96 104 20 74 6 C98 30 66 44 66 70 Z", "#b4572a")
    ears = _shape("M18 34 L20 2 L40 22 Z M44 22 L62 2 L66 34 Z", "#a44c22")
    head = _oval(42, 56, 31, 34, "#c9683a") + _oval(42, 74, 17, 15, "#f6e6d6")
    return tail + ears + head + _eyes(31, 53, 50) + _oval(42, 66, 5, 4, INK)


def _frog() -> str:
    bumps = _circle(27, 28, 18, "#5f9e3e") + _circle(73, 28, 18, "#5f9e3e")
    head = _oval(50, 60, 45, 33, "#6bb046") + _oval(50, 74, 30, 15, "#b9d98f")
    whites = _circle(27, 27, 11, "#fffef0") + _circle(73, 27, 11, "#fffef0")
    return bumps + head + whites + _eyes(27, 73, 27, 6) + _line("M14 60 Q50 86 86 60", 4, "#2f5d1c")


def _mouse() -> str:
    ears = _circle(22, 28, 21, "#8d8f99") + _circle(78, 28, 21, "#8d8f99")
    inside = _circle(22, 28, 12, PINK) + _circle(78, 28, 12, PINK)
    head = _shape("M50 98 C26 90 16 66 20 50 C26 30 74 30 80 50 C84 66 74 90 50 98 Z", "#a3a5b0")
    whiskers = _line("M40 86 L12 80 M40 90 L15 94 M60 86 L88 80 M60 90 L85 94", 2)
    return ears + inside + head + whiskers + _eyes(38, 62, 60) + _circle(50, 90, 7, "#d96c7c")


def _cat() -> str:
    ears = _shape("M12 50 L12 4 L44 26 Z M88 50 L88 4 L56 26 Z", "#55565e")
    head = _circle(50, 58, 37, "#6b6d77") + _oval(50, 76, 16, 11, "#e9e9ec")
    stripes = _line("M50 22 L50 40 M38 24 L41 39 M62 24 L59 39", 5, "#3a3b42")
    eyes = _oval(35, 56, 8, 6, "#b7d84b") + _oval(65, 56, 8, 6, "#b7d84b")
    pupils = _oval(35, 56, 2.5, 6, INK) + _oval(65, 56, 2.5, 6, INK)
    whiskers = _line("M34 76 L6 70 M34 80 L8 86 M66 76 L94 70 M66 80 L92 86", 2)
    return ears + head + stripes + eyes + pupils + whiskers + _oval(50, 70, 5, 4, PINK)


def _fox() -> str:
    ears = _shape("M8 46 L10 2 L42 26 Z M92 46 L90 2 L58 26 Z", "#8c3a12")
    head = _shape("M50 98 L6 48 C14 22 86 22 94 48 Z", "#dd6b20")
    cheeks = _shape(
        "M50 98 L6 48 C24 50 40 60 46 80 Z M50 98 L94 48 C76 50 60 60 54 80 Z", "#fbf3ea"
    )
    return ears + head + cheeks + _eyes(36, 64, 52) + _circle(50, 90, 8, INK)


def _badger() -> str:
    ears = _circle(20, 24, 13, "#33363b") + _circle(80, 24, 13, "#33363b")
    head = _shape("M50 98 C34 94 12 66 14 40 C18 10 82 10 86 40 C88 66 66 94 50 98 Z", "#f3f3f1")
    stripes = _shape("M28 18 L42 16 L46 78 L36 74 C26 60 20 40 28 18 Z", "#2b2e33")
    other = _shape("M72 18 L58 16 L54 78 L64 74 C74 60 80 40 72 18 Z", "#2b2e33")
    eyes = _circle(36, 50, 5, "#ffffff") + _circle(64, 50, 5, "#ffffff")
    return ears + head + stripes + other + eyes + _oval(50, 89, 10, 8, INK)


def _pig() -> str:
    ears = _shape("M10 8 L44 22 L20 46 Z M90 8 L56 22 L80 46 Z", "#d97f8c")
    head = _circle(50, 57, 38, "#f2a9b2") + _oval(50, 68, 20, 15, "#e08593")
    nostrils = _oval(43, 68, 4, 6, "#8f3e4c") + _oval(57, 68, 4, 6, "#8f3e4c")
    return ears + head + nostrils + _eyes(34, 66, 46)


def _owl() -> str:
    tufts = _shape("M14 36 L16 2 L42 20 Z M86 36 L84 2 L58 20 Z", "#6e5230")
    head = _oval(50, 55, 41, 42, "#8b6a40")
    rims = _circle(32, 46, 20, "#f0dfbf") + _circle(68, 46, 20, "#f0dfbf")
    pupils = _circle(32, 46, 10, "#e8a317") + _circle(68, 46, 10, "#e8a317")
    beak = _shape("M42 58 L58 58 L50 78 Z", "#d08a1e")
    return tufts + head + rims + pupils + _eyes(32, 68, 46, 5.5) + beak


def _dog() -> str:
    head = _oval(50, 52, 31, 40, "#d9b17c") + _oval(50, 74, 19, 16, "#f4e3c8")
    ears = _oval(17, 48, 13, 30, "#7a4f2a") + _oval(83, 48, 13, 30, "#7a4f2a")
    tongue = _oval(50, 90, 8, 9, "#e2607a")
    return tongue + head + ears + _eyes(38, 62, 46) + _oval(50, 67, 9, 7, INK)


def _hen() -> str:
    comb = "M26 26 C24 4 40 4 42 16 C44 -2 60 0 58 16 C64 4 78 8 72 28 Z"
    head = _oval(50, 54, 30, 34, "#c98e52") + _oval(50, 78, 26, 18, "#b0763c")
    beak = _shape("M38 56 L62 56 L50 74 Z", "#f2b02e")
    wattle = _oval(44, 80, 6, 10, "#cf2b2b") + _oval(56, 80, 6, 10, "#cf2b2b")
    return _shape(comb, "#cf2b2b") + head + wattle + beak + _eyes(37, 63, 46)


def _robin() -> str:
    body = _circle(46, 52, 42, "#7d6a55") + _oval(56, 66, 30, 29, "#e2542c")
    beak = _shape("M84 34 L100 42 L84 48 Z", "#4a3b2c")
    legs = _line("M38 92 L36 100 M54 93 L54 100", 4)
    tail = _shape("M10 62 L0 92 L22 80 Z", "#5c4c3b")
    return tail + legs + body + _circle(66, 34, 7, "#fffdf5") + _circle(67, 34, 4.5, INK) + beak


def _signpost() -> str:
    post = '<rect x="43" y="10" width="14" height="88" rx="3" fill="#8a5a2b"/>'
    right = _shape("M22 16 L78 16 L96 30 L78 44 L22 44 Z", "#3f7d4e")
    left = _shape("M78 52 L24 52 L6 65 L24 78 L78 78 Z", "#c08a2e")
    return post + right + left + _line("M34 30 L72 30 M34 65 L68 65", 5, "#fffdf5")


_DRAWN = dict(
    zip(
        CARDS,
        (
            *(_rabbit(), _duck(), _hedgehog(), _squirrel(), _frog(), _mouse(), _cat()),
            *(_fox(), _badger(), _pig(), _owl(), _dog(), _hen(), _robin(), _signpost()),
        ),
        strict=True,
    )
)
DEFINITIONS = (
    "<defs>"
    + "".join(f'<g id="face-{card}">{drawn}</g>' for card, drawn in _DRAWN.items())
    + "</defs>"
)
"""To be put before the first card of a picture."""


def face(card: str, x: float, y: float, size: float) -> str:
    """Return the drawing of a card in a square of `size`."""
    place = f"translate({x:.1f} {y:.1f}) scale({size / 100:.3f})"
    return f'<use href="#face-{card}" transform="{place}"/>'


def card_face(card: str, x: float, y: float, width: float) -> str:
    """Return a card, its top left corner at x, y.

    Its number and a small face stand at the left, so that it can be read when the next card
    covers the rest.
    """
    height = width * drawing.RATIO
    frame = (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'rx="{width * 0.11:.1f}" fill="{drawing.IVORY}" stroke="#8d8d86" stroke-width="1"/>'
    )
    is_wild = card == CARDS[SIGNPOST]
    number = "wild" if is_wild else card.removeprefix("c")
    color = drawing.JOKER_COLOR if is_wild else INK
    middle = x + width * 0.2
    parts = [
        frame,
        drawing.text(
            middle,
            y + width * 0.33,
            number,
            width * 0.3,
            color=color,
            anchor="middle",
            bold=True,
            fit=width * 0.31 if len(number) > 1 else 0,
        ),
        face(card, x + width * 0.06, y + width * 0.42, width * 0.28),
        face(card, x + width * 0.39, y + width * 0.36, width * 0.56),
        drawing.text(
            x + width / 2,
            y + height - width * 0.11,
            NAMES[card],
            width * FOOT / 60,
            color=color,
            anchor="middle",
        ),
    ]
    return f"<g>{''.join(parts)}</g>"
