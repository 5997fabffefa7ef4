"""The cards of Luau Rummy as SVG: a coloured edge with the name, and an icon.

The edge is at the left, so that a card can be read when the next one covers the rest.
"""

from kitchentable.cards import drawing
from kitchentable.games.luau_rummy.pack import CARDS, PACK, Kind, kind_of

EDGE = 0.27
"""Width of the coloured edge over that of the card."""
ICON = 0.62
"""Size of the icon over the card's width."""
COLORS = {
    Kind.SUPPLIES: "#c8622a",
    Kind.GOURMET: "#9c2f45",
    Kind.MATERIALS: "#8a6d22",
    Kind.PIGGIES: "#c9517e",
    Kind.ANIMALS: "#2f7d45",
    None: "#3b4252",
}
"""By kind; the wolf has none."""


def _circle(x: float, y: float, r: float, fill: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{fill}"/>'


def _path(outline: str, fill: str = "none", stroke: str = "", width: float = 5) -> str:
    line = f' stroke="{stroke}" stroke-width="{width:g}" stroke-linecap="round"' if stroke else ""
    return f'<path d="{outline}" fill="{fill}"{line}/>'


def _pig(skin: str, more: str) -> str:
    """A pig's face, and what tells it from the others."""
    ears = _path("M18 38 L14 8 L42 22 Z M82 38 L86 8 L58 22 Z", "#d9698f")
    eyes = _circle(34, 46, 5, "#222") + _circle(66, 46, 5, "#222")
    snout = '<ellipse cx="50" cy="66" rx="19" ry="13" fill="#d9698f"/>'
    holes = _circle(43, 66, 4, "#7c2f4a") + _circle(57, 66, 4, "#7c2f4a")
    return ears + _circle(50, 54, 38, skin) + eyes + snout + holes + more


def _beast(fur: str, ears: str, muzzle: str, more: str = "") -> str:
    """The face of a lion, bear, coyote or wolf."""
    eyes = _circle(35, 46, 5, "#222") + _circle(65, 46, 5, "#222")
    nose = _path("M42 62 L58 62 L50 71 Z", "#222")
    mouth = _path("M50 71 L50 78 M50 78 L40 83 M50 78 L60 83", stroke="#222", width=3)
    shape = '<ellipse cx="50" cy="72" rx="20" ry="16" fill="' + muzzle + '"/>'
    return ears + more + _circle(50, 54, 33, fur) + eyes + shape + nose + mouth


_POINTED = "M20 44 L16 4 L46 24 Z M80 44 L84 4 L54 24 Z"
"""Ears of coyote and wolf."""
ICONS = {
    "fire": _path(
        "M52 4 C58 24 84 36 84 64 C84 84 68 97 50 97 C32 97 16 84 16 64 C16 48 28 42 32 28 "
        "C40 34 42 40 42 46 C50 36 54 22 52 4 Z",
        "#e8541d",
    )
    + _path(
        "M50 50 C58 60 68 64 68 78 C68 90 60 95 50 95 C40 95 32 90 32 78 C32 68 46 64 50 50 Z",
        "#ffc93c",
    ),
    "foil": _path("M14 30 L70 14 L90 74 L34 92 Z", "#b9c3cf", "#7d8996", 3)
    + _path("M30 36 L74 78 M62 22 L46 84 M22 52 L82 48", stroke="#f1f5f9", width=4)
    + _path("M14 30 L30 44 L34 30 Z", "#8f9aa8"),
    "utensils": _path(
        "M30 96 L30 52 M16 6 L16 34 C16 46 22 52 30 52 C38 52 44 46 44 34 L44 6 M30 6 L30 40",
        stroke="#5d6875",
        width=8,
    )
    + _path("M72 96 L72 56 M68 6 C90 14 88 46 72 58 L68 56 Z", "#5d6875", "#5d6875", 6),
    "seasoning": _path("M30 34 L70 34 L78 94 L22 94 Z", "#e9edf2", "#8a94a0", 4)
    + _path("M28 34 C28 8 72 8 72 34 Z", "#8a94a0")
    + "".join(_circle(x, y, 3.4, "#fff") for x, y in ((40, 25), (50, 20), (60, 25)))
    + drawing.text(50, 76, "S", 32, color="#8a94a0", anchor="middle", bold=True),
    "sauce": _path(
        "M42 4 L58 4 L58 30 C74 36 76 46 76 58 L76 96 L24 96 L24 58 C24 46 26 36 42 30 Z", "#a3301c"
    )
    + _path("M24 56 L76 56 L76 82 L24 82 Z", "#f6e3b8")
    + _path("M40 4 L60 4 L60 14 L40 14 Z", "#2b2b2b")
    + _path("M50 60 C58 68 60 78 50 79 C40 78 42 68 50 60 Z", "#a3301c"),
    "meat": _path("M62 62 L88 86", stroke="#f3ead9", width=13)
    + _circle(90, 80, 8, "#f3ead9")
    + _circle(82, 90, 8, "#f3ead9")
    + '<ellipse cx="42" cy="42" rx="38" ry="30" transform="rotate(40 42 42)" fill="#9b4a2c"/>'
    + _path("M20 30 C26 20 36 16 46 18", stroke="#d08a63", width=6),
    "straw": _path(
        "M34 96 L20 8 M42 96 L36 4 M50 96 L50 4 M58 96 L64 4 M66 96 L80 8",
        stroke="#d9a825",
        width=7,
    )
    + _path("M30 58 L70 58", stroke="#8c4a1c", width=12),
    "wood": "".join(
        _path(f"M{x} {y} L{x + 52} {y}", stroke="#8a5a2b", width=26)
        + _circle(x, y, 14, "#e2bd86")
        + _circle(x, y, 8, "#b9854a")
        + _circle(x, y, 3, "#e2bd86")
        for x, y in ((26, 24), (18, 52), (26, 80))
    ),
    "bricks": _path("M6 16 L94 16 L94 90 L6 90 Z", "#e8ddd0")
    + "".join(
        _path(f"M{x} {y} h{w} v20 h-{w} Z", "#b3452f")
        for x, y, w in (
            (9, 19, 38),
            (51, 19, 40),
            (9, 43, 18),
            (31, 43, 38),
            (73, 43, 18),
            (9, 67, 38),
            (51, 67, 40),
        )
    ),
    "oinky": _pig("#f4a3bd", _path("M40 86 C46 92 54 92 60 86", stroke="#7c2f4a", width=4)),
    "pinky": _pig(
        "#ffc2d6",
        _path("M50 16 L28 4 L28 28 Z M50 16 L72 4 L72 28 Z", "#d6256b")
        + _circle(50, 16, 6, "#8f1145"),
    ),
    "stinky": _pig(
        "#c9b98a",
        _path("M14 96 C4 86 22 80 12 68 M88 96 C78 86 96 80 86 68", stroke="#6f8f2e", width=6)
        + _circle(30, 62, 5, "#8a7446")
        + _circle(70, 32, 6, "#8a7446"),
    ),
    "lion": _beast(
        "#e9b44c",
        "",
        "#f7dfa6",
        "".join(
            _circle(50 + dx, 52 + dy, 14, "#a8611d")
            for dx, dy in (
                (0, -36),
                (26, -26),
                (37, 0),
                (28, 26),
                (0, 36),
                (-28, 26),
                (-37, 0),
                (-26, -26),
            )
        ),
    ),
    "alligator": _path(
        "M4 58 C4 46 20 44 34 42 C44 22 72 20 96 40 L96 74 C70 84 30 80 4 72 Z", "#4f9a4a"
    )
    + _path("M4 62 L88 60", stroke="#24552a", width=4)
    + _path("M12 62 L17 70 L22 62 L27 70 L32 62 L37 70 L42 62 L47 70 L52 62 Z", "#fff")
    + _circle(58, 36, 9, "#f4f0a8")
    + _circle(58, 36, 4, "#222")
    + _circle(10, 53, 2.5, "#24552a"),
    "bear": _beast(
        "#8b5a34",
        _circle(22, 24, 15, "#8b5a34")
        + _circle(78, 24, 15, "#8b5a34")
        + _circle(22, 24, 7, "#c99a6c")
        + _circle(78, 24, 7, "#c99a6c"),
        "#c99a6c",
    ),
    "coyote": _beast("#c98f52", _path(_POINTED, "#a86d34"), "#f3e3c8"),
    "wolf": _beast(
        "#7b8494",
        _path(_POINTED, "#565f6e"),
        "#dfe4ea",
        _path("M14 60 L4 84 L30 82 Z M86 60 L96 84 L70 82 Z", "#7b8494"),
    ),
}
"""What is drawn for each card, in a square of 100."""

DEFINITIONS = (
    "<defs>" + "".join(f'<g id="luau-{card}">{ICONS[card]}</g>' for card in CARDS) + "</defs>"
)
"""To be put once into a picture that has faces."""


def card_face(card: str, x: float, y: float, width: float) -> str:
    """Return a card face up, its top left corner at x, y."""
    height, edge = width * drawing.RATIO, width * EDGE
    color = COLORS[kind_of(PACK.numbers[card])]
    corner = width * 0.11
    frame = (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'rx="{corner:.1f}" fill="{drawing.IVORY}" stroke="#8d8d86"/>'
    )
    strip = _path(
        f"M{x + edge:.1f} {y:.1f} h{corner - edge:.1f} a{corner:.1f} {corner:.1f} 0 0 0 "
        f"-{corner:.1f} {corner:.1f} v{height - 2 * corner:.1f} a{corner:.1f} {corner:.1f} 0 0 0 "
        f"{corner:.1f} {corner:.1f} h{edge - corner:.1f} Z",
        color,
    )
    size = width * 0.21
    foot_x, foot_y = x + edge / 2 + size * 0.36, y + height - width * 0.1
    room = height - width * 0.2
    squeeze = room if len(card) * size * 0.66 > room else 0
    name = drawing.text(foot_x, foot_y, card, size, bold=True, fit=squeeze)
    turned = f'<g transform="rotate(-90 {foot_x:.1f} {foot_y:.1f})">{name}</g>'
    left = x + edge + (width - edge - width * ICON) / 2
    place = f"translate({left:.1f} {y + (height - width * ICON) / 2:.1f})"
    icon = f'<use href="#luau-{card}" transform="{place} scale({width * ICON / 100:.3f})"/>'
    return f"<g>{frame}{strip}{turned}{icon}</g>"
