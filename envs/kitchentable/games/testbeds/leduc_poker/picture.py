"""How Leduc poker looks."""

from collections.abc import Mapping
from typing import Any

from kitchentable.games.testbeds.leduc_poker.table import text
from kitchentable.games.testbeds.poster import poster


def picture(view: Mapping[str, Any]) -> str:
    """Return a view or table as SVG."""
    return poster(text(view).splitlines())
