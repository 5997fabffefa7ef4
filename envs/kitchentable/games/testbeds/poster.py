"""Lines of text as a picture: all that a testbed needs."""

from collections.abc import Iterable
from xml.sax.saxutils import escape

_LINE_HEIGHT = 20
_WIDTH = 420


def poster(lines: Iterable[str]) -> str:
    """Return lines of text as SVG."""
    rows = [
        f'<text x="12" y="{24 + _LINE_HEIGHT * i}" xml:space="preserve">{escape(line)}</text>'
        for i, line in enumerate(lines)
    ]
    size = f'width="{_WIDTH}" height="{24 + _LINE_HEIGHT * len(rows)}"'
    font = 'font-family="monospace" font-size="14"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(rows)}</svg>'
    )
