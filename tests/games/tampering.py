"""Tables changed in one place, to see that they are refused."""

import copy
import re
from collections.abc import Callable, Iterable
from typing import Any

from kitchentable.engine.game import Game
from kitchentable.testing import check_garbage

Table = dict[str, Any]


def changed(table: Table, path: str, value: Any) -> Table:
    """The table with another value at a path such as `melds[0].cards` or `melds.0.cards`.

    A function as value makes the new one of the old.
    """
    result = copy.deepcopy(table)
    *steps, last = _steps_of(path)
    place = _value_at(result, steps)
    place[last] = value(place[last]) if callable(value) else value
    return result


def first_to(card: str) -> Callable[[list[str]], list[str]]:
    """The cards with another one in place of the first."""
    return lambda cards: [card, *cards[1:]]


def without_first(cards: list[str]) -> list[str]:
    return cards[1:]


def moved(table: Table, source: str, target: str) -> Table:
    """The table with the first card of one list at the end of another."""
    card = _value_at(table, _steps_of(source))[0]
    result = changed(table, source, without_first)
    return changed(result, target, lambda cards: [*cards, card])


def naming(key: str) -> str:
    """What an error about this key looks like."""
    return rf"^(key '{re.escape(key)}'|{re.escape(key)} must be an object)"


def check_spoiled(game: Game, table: Table) -> None:
    """Whatever is wrong with this table, its views and moves, it is refused or can be played."""
    check_garbage(game, [game.from_table(table)])


def _steps_of(path: str) -> list[Any]:
    return [int(word) if word.isdigit() else word for word in re.findall(r"\w+", path)]


def _value_at(value: Any, steps: Iterable[Any]) -> Any:
    for step in steps:
        value = value[step]
    return value
