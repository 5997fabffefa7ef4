"""One frame of a table in each of the render modes."""

from typing import Any

from kitchentable.engine.game import Game
from kitchentable.engine.options import ChoiceOption
from kitchentable.render.raster import pixels

RENDER_MODES = ("human", "ansi", "rgb_array", "svg")
"""Text printed, text returned, pixels, and a picture as SVG."""


def check_render_mode(mode: str | None) -> str | None:
    """Return the mode if there is such a one.

    Raises:
        OptionError: there is none.
    """
    if mode is None:
        return None
    return ChoiceOption("render_mode", None, "", choices=RENDER_MODES).check(mode, {})


def frame(game: Game, state: Any, mode: str, seat: int | None) -> Any:
    """Return one frame: as a seat sees the table, or with `seat` None all of it.

    Returns:
        None (printed) for `"human"`, text for `"ansi"` and `"svg"`, uint8 of shape
        (height, width, 3) for `"rgb_array"`.
    """
    if mode == "human":
        print(game.text(state, seat))
        return None
    if mode == "ansi":
        return game.text(state, seat)
    picture = game.picture(state, seat)
    return pixels(picture) if mode == "rgb_array" else picture
