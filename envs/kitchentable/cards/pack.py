"""A pack of cards by name, as JSON has them, and cards read from JSON counted against it."""

from collections.abc import Iterable, Sequence
from typing import Any

from kitchentable.engine.reading import Reader


class Pack:
    """The different cards of a game, in the order in which hands are sorted.

    Args:
        names: the text of each card, by number.
        examples: some of them for error messages, such as `'"9H" or "JK"'`.
    """

    def __init__(self, names: Sequence[str], examples: str) -> None:
        self.names = tuple(names)
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self._examples = examples

    def __len__(self) -> int:
        return len(self.names)

    def texts(self, cards: Iterable[int]) -> list[str]:
        """Return the texts of cards in the order given."""
        return [self.names[card] for card in cards]

    def sorted(self, counts: Sequence[int]) -> list[str]:
        """Return the cards of a hand, sorted, given how many of each it has."""
        return [name for name, n in zip(self.names, counts, strict=True) for _ in range(n)]

    def number(self, reader: Reader, key: str, value: object) -> int:
        """Return the number of the card `value`, which stands under `key`.

        Raises:
            TableError: it is no card.
        """
        if not isinstance(value, str) or value not in self.numbers:
            raise reader.error(key, f"a card such as {self._examples}", value)
        return self.numbers[value]


class Tally:
    """The cards of a game that have not been met yet.

    Args:
        pack: the different cards.
        copies: how many there are of each.

    Raises:
        TableError: from every method, naming the key and the card.
    """

    def __init__(self, pack: Pack, copies: Iterable[int]) -> None:
        self.pack = pack
        self._copies = list(copies)
        self.left = list(self._copies)

    def take(self, reader: Reader, key: str, value: object) -> int:
        """Return the number of the card `value`, which stands under `key`."""
        card = self.pack.number(reader, key, value)
        self.left[card] -= 1
        if self.left[card] < 0:
            held = self._copies[card]
            expected = f"another card (there are only {held} of {self.pack.names[card]})"
            raise reader.error(key, expected, value)
        return card

    def take_all(self, reader: Reader, key: str, values: list[Any]) -> list[int]:
        """Return the numbers of the cards of the list under `key`."""
        return [self.take(reader, f"{key}[{i}]", value) for i, value in enumerate(values)]

    def remaining(self) -> list[int]:
        """Return the numbers of the cards not met yet, sorted."""
        return [card for card, n in enumerate(self.left) for _ in range(n)]
