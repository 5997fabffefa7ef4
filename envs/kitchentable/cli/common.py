"""What the commands share: options of games on the command line, and the console."""

import json
from typing import Annotated, Any

import typer

from kitchentable.engine.options import OptionError

GameOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="KEY=VALUE", help="An option of the game; may be repeated."
    ),
]


def examples(*lines: str) -> str:
    """Return the end of a command's help, one example a line."""
    return "\n\n".join(("Examples:", *lines))


def parse_options(given: list[str] | None) -> dict[str, Any]:
    """Return options written as `num_players=3`, `teams=true` or `chart=national`.

    Raises:
        OptionError: there is no `=` in one of them.
    """
    parsed: dict[str, Any] = {}
    for text in given or []:
        key, sign, value = text.partition("=")
        if not sign:
            raise OptionError(f"option {text!r} must be written KEY=VALUE")
        parsed[key.strip()] = _value(value.strip())
    return parsed


def _value(text: str) -> Any:
    if text in ("none", "None"):
        return None
    try:
        return json.loads(text.lower() if text in ("True", "False") else text)
    except json.JSONDecodeError:
        return text
