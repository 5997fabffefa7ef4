"""Family games as fast environments, and opponents that any program can play against.

>>> import kitchentable as kt
>>> game = kt.game("norwegian_rummy", num_players=4)
>>> state = game.new(seed=7)
>>> game.legal_moves(state)
[{'move': 'draw_stock'}, {'move': 'take_discard'}]
"""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from kitchentable.api.registration import register, versioned_module

if TYPE_CHECKING:
    from kitchentable.api.batch import Batch
    from kitchentable.api.play import play_game
    from kitchentable.engine.game import Game, IllegalMoveError
    from kitchentable.engine.options import OptionError
    from kitchentable.engine.reading import TableError
    from kitchentable.games import GAMES, TESTBEDS
    from kitchentable.opponents import Opponent, OpponentError, opponent

_HOMES = {
    "Batch": "api.batch",
    "GAMES": "games",
    "Game": "engine.game",
    "IllegalMoveError": "engine.game",
    "Opponent": "opponents",
    "OpponentError": "opponents",
    "OptionError": "engine.options",
    "TESTBEDS": "games",
    "TableError": "engine.reading",
    "opponent": "opponents",
    "play_game": "api.play",
}
"""Where each public name lives; imported when first asked for, so that imports stay quick."""

__all__ = [
    "GAMES",
    "TESTBEDS",
    "Batch",
    "Game",
    "IllegalMoveError",
    "Opponent",
    "OpponentError",
    "OptionError",
    "TableError",
    "game",
    "opponent",
    "play_game",
]
__version__ = version("kitchentable")


def game(name: str, /, *, reward: str = "points", **options: Any) -> "Game":
    """Return a game with its options checked.

    Args:
        name: one of `GAMES` or `TESTBEDS`.
        reward: `"points"` or `"win"`.
        options: the game's options; `kitchentable describe GAME` lists them.

    Raises:
        ValueError: there is no such game.
        OptionError: an option is unknown or not allowed.
    """
    from kitchentable.engine.game import Game
    from kitchentable.games import spec

    return Game(spec(name), reward=reward, **options)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    module = versioned_module(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return module


register()
