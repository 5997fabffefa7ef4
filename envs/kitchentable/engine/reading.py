"""Reading JSON from outside: every key is asked for, and errors name the culprit."""

from collections.abc import Mapping
from typing import Any


class TableError(ValueError):
    """A table, a view or a move from outside is not what it should be."""


class Reader:
    """The keys of one JSON object, each to be read once.

    Raises:
        TableError: from every method, naming the key, the value and what is expected.
    """

    def __init__(self, data: object, path: str = "") -> None:
        if not isinstance(data, Mapping):
            raise TableError(f"{path or 'the table'} must be an object, not {shown(data)}")
        self._data = data
        self._path = path
        self._read: set[str] = set()

    def has(self, key: str) -> bool:
        """Tell whether the key is there."""
        return key in self._data

    def value(self, key: str) -> Any:
        """Return whatever stands under the key."""
        if key not in self._data:
            raise TableError(f"key {self.name(key)!r} is missing")
        self._read.add(key)
        return self._data[key]

    def integer(self, key: str, low: int, high: int) -> int:
        """Return a whole number `low` .. `high`."""
        value = self.value(key)
        if type(value) is not int or not low <= value <= high:
            raise self.error(key, f"a whole number {low} .. {high}", value)
        return value

    def flag(self, key: str) -> bool:
        """Return true or false."""
        value = self.value(key)
        if type(value) is not bool:
            raise self.error(key, "true or false", value)
        return value

    def word(self, key: str, allowed: tuple[str, ...]) -> str:
        """Return one of the words allowed."""
        value = self.value(key)
        if not isinstance(value, str) or value not in allowed:
            raise self.error(key, "one of " + ", ".join(allowed), value)
        return value

    def items(self, key: str, length: int | None = None) -> list[Any]:
        """Return a list, of a given length if one is given."""
        value = self.value(key)
        if not isinstance(value, list):
            raise self.error(key, "a list", value)
        if length is not None and len(value) != length:
            raise self.error(key, f"a list of {length}", value)
        return value

    def integers(self, key: str, length: int | None, low: int, high: int) -> list[int]:
        """Return a list of whole numbers `low` .. `high`."""
        value = self.items(key, length)
        if any(type(item) is not int or not low <= item <= high for item in value):
            raise self.error(key, f"whole numbers {low} .. {high}", value)
        return value

    def flags(self, key: str, length: int) -> list[bool]:
        """Return a list of truth values."""
        value = self.items(key, length)
        if any(type(item) is not bool for item in value):
            raise self.error(key, "a list of true and false", value)
        return value

    def below(self, key: str) -> "Reader":
        """Return the object under the key, to be read in turn."""
        return Reader(self.value(key), self.name(key))

    def objects(self, key: str, length: int | None = None) -> list["Reader"]:
        """Return a list of objects, each to be read in turn."""
        return [
            Reader(item, f"{self.name(key)}[{i}]") for i, item in enumerate(self.items(key, length))
        ]

    def hidden(self, key: str, count: int) -> None:
        """Read what stands for so many cards of which nothing is known."""
        hidden = self.below(key)
        hidden.integer("count", count, count)
        if hidden.items("known"):
            raise hidden.error("known", "[]", hidden.value("known"))
        hidden.finish()

    def finish(self) -> None:
        """Refuse keys that nobody asked for."""
        for key in self._data:
            if key not in self._read:
                raise TableError(f"key {self.name(str(key))!r} is unknown")

    def name(self, key: str) -> str:
        """Return the full name of a key, such as `melds[0].rank`."""
        return f"{self._path}.{key}" if self._path else key

    def error(self, key: str, expected: str, value: object) -> TableError:
        """Return the error that names the key."""
        return TableError(f"key {self.name(key)!r} must be {expected}, not {shown(value)}")


def shown(value: object) -> str:
    """Return a value as messages show it: not too long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
