"""Whatever comes from outside is refused, or is a position like any other."""

import copy
import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from kitchentable.engine.game import Game
from kitchentable.engine.reading import TableError
from kitchentable.testing.walks import as_json, positions, restored, viewers

_SPOILED = 240
"""Tables and views that are tried."""
_MOVES = 5
"""Spoiled moves in each position."""
_STRANGE: list[Any] = [None, True, False, 0, 1, -1, 2, 3, 13, 255, 10**30, 0.5, "", "x"]
_STRANGE += [[], {}, [[]], [None], [0], [0, 1, 2, 3], {"": 1}, {"count": 3}]
_STRANGE += [{"count": 3, "known": []}]

Path = tuple[Any, ...]


def check_garbage(game: Game, states: Sequence[Any] = ()) -> None:
    """Spoiled tables, views and moves raise a TableError of one line, or can be played.

    Args:
        game: whose they are.
        states: positions to spoil; without any, some of all kinds of games.

    Raises:
        AssertionError: something else is raised, or what is read cannot be played.
    """
    lots = random.Random(41)
    states = states or positions(game, 41, 40)
    words = sorted({word for state in states for word in _words(game.table(state))})
    strange = [*_STRANGE, *words, *([word] for word in words)]
    refused = 0
    for number in range(_SPOILED):
        state = lots.choice(states)
        if number % 3:
            table = spoiled(as_json(game.table(state)), lots, strange)
            built = _unless_refused(game.from_table, table)
        else:
            view = game.view(state, lots.randrange(game.num_players))
            built = _unless_refused(game.from_view, spoiled(as_json(view), lots, strange))
        refused += built is None
        if built is not None:
            _check_sound(game, built, lots)
    assert refused > _SPOILED // 4, "hardly anything is refused"
    for state in states:
        for action in lots.choices(range(game.actions.size), k=_MOVES):
            move = spoiled(as_json(game.move(state, action)), lots, strange)
            known = _unless_refused(partial(game.action, state), move)
            assert known is None or 0 <= known < game.actions.size, f"{move} is read as {known}"


def spoiled(value: Any, lots: random.Random, strange: list[Any]) -> Any:
    """Return JSON with one to three places deleted, replaced, swapped or doubled."""
    value = copy.deepcopy(value)
    for _ in range(lots.randint(1, 3)):
        paths = list(_paths(value))
        if not paths:
            return value
        short = [path for path in paths if len(path) < 3 or isinstance(path[-1], str)]
        path = lots.choice(short if lots.random() < 0.7 and short else paths)
        _spoil(value, path, lots, [*strange, _value_at(value, lots.choice(paths))])
    return value


def _spoil(value: Any, path: Path, lots: random.Random, others: list[Any]) -> None:
    """Change what stands at a path."""
    *steps, last = path
    place = _value_at(value, steps)
    match lots.randrange(6):
        case 0:
            del place[last]
        case 1 if isinstance(place[last], int):
            place[last] += lots.choice([-1, 1])
        case 2 if isinstance(place, list):
            place.append(copy.deepcopy(lots.choice(place)))
        case 3 if isinstance(place, list):
            lots.shuffle(place)
        case 4:
            place[last] = copy.deepcopy(others[-1])
        case _:
            place[last] = copy.deepcopy(lots.choice(others))


def _paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the places of a JSON value, the innermost ones too."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _paths(inner, (*path, key))


def _value_at(value: Any, path: Any) -> Any:
    for step in path:
        value = value[step]
    return value


def _words(value: Any) -> Iterator[str]:
    """Yield the texts in a JSON value."""
    for path in _paths(value):
        word = _value_at(value, path)
        if isinstance(word, str):
            yield word


def _unless_refused(read: Callable[[Any], Any], given: Any) -> Any:
    """Return what is read, or none if it is refused as it should be."""
    try:
        return read(given)
    except TableError as error:
        assert "\n" not in str(error), f"more than a line: {error}"
        return None
    except Exception as error:
        raise AssertionError(f"{error!r} instead of a TableError about {given}") from error


def _check_sound(game: Game, state: Any, lots: random.Random) -> None:
    """The position can be saved, shown and played."""
    table = game.table(state)
    assert game.table(restored(game, table)) == table, "the position is not sound"
    for seat in viewers(game):
        game.view(state, seat)
        assert np.isfinite(game.observe(state, seat)).all(), f"seat {seat} sees no number"
    assert game.text(state) and game.picture(state), "nothing is shown"
    for _ in range(3):
        if game.is_finished(state):
            return
        game.scripted(state)
        legal = game.legal_actions(state)
        assert legal, f"no move in {table}"
        game.play(state, lots.choice(legal))
