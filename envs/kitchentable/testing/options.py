"""Options: each of their values plays, and what is not allowed is refused by name."""

from collections.abc import Iterator
from typing import Any

from kitchentable.engine.game import Game
from kitchentable.engine.options import (
    BoolOption,
    ChoiceOption,
    IntOption,
    ListOption,
    Option,
    OptionError,
)
from kitchentable.testing.walks import as_json, record, restored, same_game

_MOVES = 150


def check_options(game: Game) -> None:
    """Every option can be set, is kept in the table, and refuses what it does not allow."""
    _check_refused(game, {"no_such_option": 1}, "no_such_option")
    for option in game.spec.options:
        for value in (object(), "no such value", -(10**6), 10**6, 1.5):
            _check_refused(game, {option.name: value}, option.name)
        if option.name == "num_players":
            continue
        for value in _values(option, game):
            try:
                changed = same_game(game, **{option.name: value})
            except OptionError:
                continue  # not with the game's other options
            _check_plays(changed, option.name, value)


def _check_refused(game: Game, options: dict[str, Any], name: str) -> None:
    try:
        Game(game.spec, **{**game.options, **options})
    except OptionError as error:
        assert name in str(error) and "\n" not in str(error), f"unclear: {error}"
    else:
        raise AssertionError(f"{options} was accepted")


def _check_plays(game: Game, name: str, value: Any) -> None:
    for share in (0.8, 0.0):
        last = record(game, 11, share, _MOVES)[-1].state
        table = as_json(game.table(last))
        assert table["options"][name] == value, f"option {name}={value} is lost"
        assert game.table(restored(game, table)) == table, f"no round trip with {name}={value}"


def _values(option: Option, game: Game) -> Iterator[Any]:
    """Yield values other than the game's own: all of few, the ends of many."""
    own = game.options[option.name]
    values: list[Any] = []
    if isinstance(option, BoolOption):
        values = [False, True]
    elif isinstance(option, ChoiceOption):
        values = list(option.choices)
    elif isinstance(option, IntOption):
        high = option.high(game.options) if callable(option.high) else option.high
        values = list(option.choices) or [option.low, option.low + 1, min(high, option.low + 9)]
        values += [None] if option.nullable else []
    elif isinstance(option, ListOption):
        values = [[option.high] * option.length]
    yield from (value for value in values if value != own)
