"""Cards read from JSON, counted against the packs."""

from typing import Any

from kitchentable.cards.french import (
    CARDS,
    JOKER,
    JOKERS_A_PACK,
    N_CARDS,
    N_NATURAL,
    NUMBER,
)
from kitchentable.engine.reading import Reader


class Tally:
    """The cards of the packs that have not been met yet.

    Raises:
        TableError: from every method, naming the key and the card.
    """

    def __init__(self, decks: int) -> None:
        self.decks = decks
        self.left = [decks] * N_NATURAL + [decks * JOKERS_A_PACK]

    def take(self, reader: Reader, key: str, value: object) -> int:
        """Return the number of the card `value`, which stands under `key`."""
        card = card_number(reader, key, value)
        self.left[card] -= 1
        if self.left[card] < 0:
            held = self.decks * (JOKERS_A_PACK if card == JOKER else 1)
            expected = f"another card (there are only {held} of {CARDS[card]})"
            raise reader.error(key, expected, value)
        return card

    def take_all(self, reader: Reader, key: str, values: list[Any]) -> list[int]:
        """Return the numbers of the cards of the list under `key`."""
        return [self.take(reader, f"{key}[{i}]", value) for i, value in enumerate(values)]

    def remaining(self) -> list[int]:
        """Return the numbers of the cards not met yet, sorted."""
        return [card for card in range(N_CARDS) for _ in range(self.left[card])]


def card_number(reader: Reader, key: str, value: object) -> int:
    """Return the number of the card `value`, which stands under `key`.

    Raises:
        TableError: it is no card.
    """
    if not isinstance(value, str) or value not in NUMBER:
        raise reader.error(key, 'a card such as "9H", "TS" or "JK"', value)
    return NUMBER[value]
