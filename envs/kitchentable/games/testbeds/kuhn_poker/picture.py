"""How Kuhn poker looks."""

from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape


def picture(view: Mapping[str, Any]) -> str:
    """Return a view or table as SVG."""
    from kitchentable.games.testbeds.kuhn_poker.table import text

    lines = text(view).splitlines()
    rows = "".join(
        f'<text x="12" y="{24 + 20 * i}" xml:space="preserve">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    size = f'width="320" height="{24 + 20 * len(lines)}"'
    font = 'font-family="monospace" font-size="14"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>'
        f'<rect width="100%" height="100%" fill="#fff"/>{rows}</svg>'
    )
