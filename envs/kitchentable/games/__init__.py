"""The games, one folder each; this list is the registry."""

from functools import cache
from importlib import import_module

from kitchentable.engine.spec import GameSpec

GAMES = ("norwegian_rummy", "frustration_rummy", "luau_rummy", "potter_rummy", "hand_and_foot")
"""The games of the suite, by name."""

TESTBEDS = ("kuhn_poker", "leduc_poker")
"""Tiny games on which algorithms can be checked exactly."""


@cache
def spec(name: str) -> GameSpec:
    """Return what the game `name` declares about itself; imports it when first asked.

    Raises:
        ValueError: there is no such game.
    """
    if name in GAMES:
        path = f"kitchentable.games.{name}"
    elif name in TESTBEDS:
        path = f"kitchentable.games.testbeds.{name}"
    else:
        raise ValueError(f"unknown game {name!r}: there are {', '.join(GAMES + TESTBEDS)}")
    declared: GameSpec = import_module(path).GAME
    return declared
