"""What a game declares about itself: one `GameSpec` in the `__init__.py` of its folder."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from typing import Any, Protocol

import numpy as np

from kitchentable.engine.actions import Actions
from kitchentable.engine.layout import Layout
from kitchentable.engine.loops import Kernels, Loops, make_loops
from kitchentable.engine.options import Option
from kitchentable.engine.reading import Reader


class Codec(Protocol):
    """A game's `table.py`: its state as JSON and text, both ways. States are single records."""

    def keys(self, state: Any) -> dict[str, Any]:
        """Return the game's own keys of the table, hidden things included."""

    def view_keys(self, state: Any, seat: int) -> dict[str, Any]:
        """Return the game's own keys as `seat` sees them."""

    def read(self, reader: Reader, state: Any) -> None:
        """Fill the state from the game's own keys; options and common keys stand already.

        Raises:
            TableError: naming the key that is wrong.
        """

    def read_view(self, reader: Reader, state: Any) -> int:
        """Fill the state from a view and return the viewer.

        Cards hidden from the viewer may be put anywhere they fit by number: the kernel
        `resample_hidden` is run next, and it must cope with any such arrangement.

        Raises:
            TableError: naming the key that is wrong.
        """

    def move(self, state: Any, action: int) -> dict[str, Any]:
        """Return the move that an action stands for in this position."""

    def action(self, state: Any, move: Reader) -> int:
        """Return the number of a move, legal or not, whose name stands under `"move"`.

        Raises:
            TableError: there is no such move.
        """

    def describe(self, state: Any, move: Mapping[str, Any]) -> str:
        """Return a sentence for people, such as "Player 2 discards 5♥."."""

    def text(self, view: Mapping[str, Any]) -> str:
        """Return a view (or a whole table) as lines of text for a terminal."""

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Refuse combinations of options that no single option can judge.

        Raises:
            OptionError: naming the option.
        """

    def store_options(self, state: Any, options: Mapping[str, Any]) -> None:
        """Set fields that follow from the options, such as `num_sides`."""


@dataclass(frozen=True)
class GameSpec:
    """A game: its options, state, kernels, layouts, and how it looks."""

    name: str
    version: int
    """Raised whenever rules, actions or observation change."""
    title: str
    summary: str
    options: tuple[Option, ...]
    """With `num_players` first and `episode` among them."""
    state: np.dtype[np.void]
    phases: type[IntEnum]
    actions: Actions
    observation: Layout
    privileged: Layout
    kernels: Kernels
    codec: Codec
    picture: Any
    """`picture(view_or_table) -> str`, an SVG."""
    reward_scale: float = 1.0
    """Points that make a reward of 1 (what the rules give to `pay_points`)."""
    testbed: bool = False
    """A tiny game for testing algorithms, not part of the suite."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle where it is declared: kernels cannot be pickled."""
        return _declared_in, (self.package,)

    @property
    def package(self) -> str:
        """The package that declares it."""
        return str(self.kernels.new_game.__module__).rpartition(".")[0]

    @cached_property
    def rules(self) -> str:
        """How the game is played, in Markdown: the README of its package."""
        return (files(self.package) / "README.md").read_text(encoding="utf-8")

    @cached_property
    def loops(self) -> Loops:
        """The compiled loops; one set in a process."""
        return make_loops(self.kernels)

    @property
    def max_seats(self) -> int:
        """The most seats that can play."""
        high: Any = self.options[0]
        return max(high.choices) if high.choices else int(high.high)

    @property
    def min_seats(self) -> int:
        """The fewest seats that can play."""
        low: Any = self.options[0]
        return int(low.low)

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """All numbers of seats that can play."""
        option: Any = self.options[0]
        return option.choices or tuple(range(self.min_seats, self.max_seats + 1))

    @cached_property
    def layout_hash(self) -> str:
        """A hash of the names of all actions and observed floats, kept with the weights."""
        names = "\n".join((*self.actions.names(), "", *self.observation.names()))
        return sha256(names.encode()).hexdigest()[:16]


def _declared_in(package: str) -> GameSpec:
    """Return what the package of a game declares."""
    declared: GameSpec = import_module(package).GAME
    return declared
