"""A game's options: declared once, checked where they enter, kept in the state.

An option called `max_buys` is kept in the state's field `max_buys`, unless it names another.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from kitchentable.engine.reading import shown

Resolved = Mapping[str, Any]
"""The options of a game by name, those declared earlier already resolved."""


class OptionError(ValueError):
    """An option is unknown, or its value is not allowed."""


@dataclass(frozen=True)
class Option(ABC):
    """What is common to all options."""

    name: str
    default: Any
    """The default, or a function of the options declared before."""
    meaning: str
    default_text: str = ""
    """How the documents state a default that depends on other options."""
    field: str = ""
    """The state's field that keeps it, if its name is not the option's."""

    @property
    def kept_in(self) -> str:
        """The state's field that keeps the value."""
        return self.field or self.name

    def default_for(self, resolved: Resolved) -> Any:
        """Return the default, given the options declared before."""
        return self.default(resolved) if callable(self.default) else self.default

    @abstractmethod
    def check(self, value: Any, resolved: Resolved) -> Any:
        """Return the value if it is allowed.

        Raises:
            OptionError: naming the option, the value, and what is allowed.
        """

    @abstractmethod
    def allowed(self) -> str:
        """Say what values are allowed."""

    def store(self, state: Any, value: Any) -> None:
        """Keep the value in the state."""
        setattr(state, self.kept_in, value)

    @abstractmethod
    def load(self, state: Any) -> Any:
        """Return the value that the state keeps."""

    def refuse(self, value: Any, allowed: str) -> OptionError:
        """Return the error for a value that is not allowed."""
        return OptionError(
            f"option {self.name}={shown(value)} is not allowed: it must be {allowed}"
        )


@dataclass(frozen=True)
class IntOption(Option):
    """A whole number from `low` to `high`, or with `nullable` none (kept as `low` - 1)."""

    low: int = 1
    high: int | Callable[[Resolved], int] = 32767
    choices: tuple[int, ...] = ()
    """If given, the only values allowed."""
    nullable: bool = False

    def check(self, value: Any, resolved: Resolved) -> int | None:
        """Refuse what is no whole number or out of range."""
        if value is None and self.nullable:
            return None
        high = self.high(resolved) if callable(self.high) else self.high
        if isinstance(value, np.integer):
            value = int(value)
        if type(value) is not int or not self.low <= value <= high:
            raise self.refuse(value, self._words(high))
        if self.choices and value not in self.choices:
            raise self.refuse(value, self._words(high))
        return value

    def allowed(self) -> str:
        """Say the range."""
        return self._words(None if callable(self.high) else self.high)

    def store(self, state: Any, value: Any) -> None:
        """Keep the number; `low` - 1 stands for none."""
        setattr(state, self.kept_in, self.low - 1 if value is None else value)

    def load(self, state: Any) -> int | None:
        """Return the number or none."""
        value = int(getattr(state, self.kept_in))
        return None if self.nullable and value < self.low else value

    def _words(self, high: int | None) -> str:
        if self.choices:
            words = ", ".join(map(str, self.choices[:-1])) + f" or {self.choices[-1]}"
        elif high is None:
            words = f"a whole number, {self.low} at least"
        else:
            words = f"a whole number {self.low} .. {high}"
        return words + (", or none" if self.nullable else "")


@dataclass(frozen=True)
class BoolOption(Option):
    """True or false."""

    def check(self, value: Any, resolved: Resolved) -> bool:
        """Refuse what is neither true nor false."""
        if isinstance(value, np.bool_):
            value = bool(value)
        if type(value) is not bool:
            raise self.refuse(value, self.allowed())
        return value

    def allowed(self) -> str:
        """Say the two values."""
        return "true or false"

    def load(self, state: Any) -> bool:
        """Return the value."""
        return bool(getattr(state, self.kept_in))


@dataclass(frozen=True)
class ChoiceOption(Option):
    """One of several words, kept as its place in `choices`."""

    choices: tuple[str, ...] = ()

    def check(self, value: Any, resolved: Resolved) -> str:
        """Refuse other words."""
        if not isinstance(value, str) or value not in self.choices:
            raise self.refuse(value, self.allowed())
        return value

    def allowed(self) -> str:
        """List the words."""
        return " or ".join(f'"{choice}"' for choice in self.choices)

    def store(self, state: Any, value: Any) -> None:
        """Keep the place of the word."""
        setattr(state, self.kept_in, self.choices.index(value))

    def load(self, state: Any) -> str:
        """Return the word."""
        return self.choices[int(getattr(state, self.kept_in))]


@dataclass(frozen=True)
class ListOption(Option):
    """Whole numbers, `length` of them, each from `low` to `high`."""

    length: int = 1
    low: int = 0
    high: int = 32767

    def check(self, value: Any, resolved: Resolved) -> list[int]:
        """Refuse a wrong length or a number out of range."""
        if not isinstance(value, list | tuple) or len(value) != self.length:
            raise self.refuse(value, self.allowed())
        if any(type(item) is not int or not self.low <= item <= self.high for item in value):
            raise self.refuse(value, self.allowed())
        return list(value)

    def allowed(self) -> str:
        """Say length and range."""
        return f"{self.length} whole numbers {self.low} .. {self.high}"

    def store(self, state: Any, value: Any) -> None:
        """Keep the numbers."""
        getattr(state, self.kept_in)[:] = value

    def load(self, state: Any) -> list[int]:
        """Return the numbers."""
        return [int(item) for item in getattr(state, self.kept_in)]


def num_players_option(default: int, seats: Sequence[int]) -> IntOption:
    """Return the option `num_players` of a game that can seat so many."""
    gaps = tuple(seats) if len(seats) <= seats[-1] - seats[0] else ()
    return IntOption(
        "num_players", default, "how many seats play", low=seats[0], high=seats[-1], choices=gaps
    )


EPISODE = ChoiceOption(
    "episode",
    "game",
    "what one game is: the whole game, or a single deal",
    choices=("game", "deal"),
)
RETURN_DISCARD = BoolOption(
    "return_discard", True, "whether the card just taken from the discard pile may be discarded"
)


def resolve(options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return every option with its value, in the order of declaration.

    Raises:
        OptionError: an option is unknown or its value not allowed.
    """
    known = [option.name for option in options]
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise OptionError(f"unknown option {name!r}: there are {', '.join(known)}{hint}")
    resolved: dict[str, Any] = {}
    for option in options:
        missing = option.name not in given
        value = option.default_for(resolved) if missing else given[option.name]
        resolved[option.name] = option.check(value, resolved)
    return resolved


def markdown(options: Sequence[Option]) -> str:
    """Return the table of options that the game's page shows."""
    rows = ["| option | default | allowed | meaning |", "| --- | --- | --- | --- |"]
    for option in options:
        default = option.default_text or _word(option.default)
        rows.append(f"| `{option.name}` | {default} | {option.allowed()} | {option.meaning} |")
    return "\n".join(rows)


def _word(value: Any) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
