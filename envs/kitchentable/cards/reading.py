"""Piles and hands as JSON, both ways; for states with the fields of `cards.piles`.

`read_all_cards` and `read_seen_cards` do for a game whose cards lie in hands and stock once
what all see has been read; the functions beneath are their steps.
"""

from collections.abc import Iterator
from enum import IntEnum
from typing import Any

import numpy as np

from kitchentable.cards.pack import Pack, Tally
from kitchentable.cards.piles import NONE
from kitchentable.engine.reading import Reader, TableError
from kitchentable.engine.record import new_states
from kitchentable.engine.rng import seeds
from kitchentable.engine.spec import GameSpec

MAX_COUNT = 127
"""More cards than a hand can hold, where a game says nothing else; what Int8 can hold."""
_TRIES = 4
"""Deals of the hidden cards before a view is thought impossible; one does as a rule."""


def read_all_cards(reader: Reader, state: Any, tally: Tally, most: int = MAX_COUNT) -> None:
    """Read hands and stock of a table: all cards that the tally has left.

    Raises:
        TableError: naming the key that is wrong.
    """
    read_hands(reader, state, tally, most)
    read_stock(reader, state, tally)


def read_seen_cards(reader: Reader, state: Any, tally: Tally, most: int = MAX_COUNT) -> int:
    """Read hands and stock of a view, the hidden cards in any order; return the viewer.

    Raises:
        TableError: naming the key that is wrong.
    """
    viewer = read_seen_hands(reader, state, tally, most)
    place_taken(reader, state, viewer, tally)
    hidden = tally.remaining()
    place_hidden(reader, state, viewer, hidden)
    read_hidden_stock(reader, state, hidden)
    return viewer


def read_hands(reader: Reader, state: Any, tally: Tally, most: int = MAX_COUNT) -> None:
    """Read the hands of a table, each with `most` cards at most."""
    for seat, hand in enumerate(reader.items("hands", int(state.num_players))):
        read_hand(reader, state, seat, hand, tally, most)


def read_seen_hands(reader: Reader, state: Any, tally: Tally, most: int = MAX_COUNT) -> int:
    """Read the hands of a view, without the cards hidden in them; return the viewer."""
    hands = reader.items("hands", int(state.num_players))
    viewer = viewer_of(reader, hands)
    read_hand(reader, state, viewer, hands[viewer], tally, most)
    for seat, hand in enumerate(hands):
        if seat != viewer:
            read_hidden_hand(Reader(hand, f"hands[{seat}]"), state, seat, tally, most)
    return viewer


def store_pile(pile: Any, cards: list[int]) -> int:
    """Put cards into a pile's array; return how many they are."""
    pile[: len(cards)] = cards
    return len(cards)


def read_discard(reader: Reader, state: Any, tally: Tally) -> None:
    """Read the discard pile."""
    cards = tally.take_all(reader, "discard", reader.items("discard"))
    state.discard_size = store_pile(state.discard, cards)


def read_stock(reader: Reader, state: Any, tally: Tally) -> None:
    """Read the stock of a table, which must have all cards that lie nowhere else.

    Raises:
        TableError: naming the key, or cards that lie nowhere.
    """
    cards = tally.take_all(reader, "stock", reader.items("stock"))
    state.stock_size = store_pile(state.stock, cards)
    missing = tally.remaining()
    if missing:
        names = ", ".join(tally.pack.texts(missing[:5]))
        raise TableError(f"key 'stock': {len(missing)} cards lie nowhere, among them {names}")


def read_hidden_stock(reader: Reader, state: Any, hidden: list[int]) -> None:
    """Read the stock of a view: a count only; it gets the cards `hidden`."""
    stock = reader.below("stock")
    stock.integer("count", len(hidden), len(hidden))
    if stock.items("known"):
        raise stock.error("known", "[]", stock.value("known"))
    stock.finish()
    state.stock_size = store_pile(state.stock, hidden)


def read_known(reader: Reader, state: Any, pack: Pack, most: int = MAX_COUNT) -> None:
    """Read the cards that all know to be in each hand, which has `most` at most."""
    for seat, cards in enumerate(reader.items("known", int(state.num_players))):
        key = f"known[{seat}]"
        if not isinstance(cards, list) or len(cards) > most:
            raise reader.error(key, "a list of cards", cards)
        numbers = [pack.number(reader, f"{key}[{i}]", card) for i, card in enumerate(cards)]
        counts = np.bincount(np.array(numbers, np.int64), minlength=len(pack.names))
        if counts.max() > MAX_COUNT:
            raise reader.error(key, "cards that a hand can have", cards)
        state.known[seat][:] = counts


def read_taken(reader: Reader, state: Any, pack: Pack) -> None:
    """Read the card taken from the discard pile in this turn."""
    value = reader.value("taken")
    state.taken = NONE if value is None else pack.number(reader, "taken", value)


def viewer_of(reader: Reader, hands: list[Any]) -> int:
    """Return whose view it is: the seat whose hand is a list."""
    shown = [seat for seat, hand in enumerate(hands) if isinstance(hand, list)]
    if len(shown) != 1:
        raise reader.error("hands", "one list, the viewer's, and objects beside it", hands)
    return shown[0]


def read_hand(
    reader: Reader, state: Any, seat: int, cards: object, tally: Tally, most: int = MAX_COUNT
) -> None:
    """Read a hand in full; what all know of it must be in it. `most` fits its field."""
    key = f"hands[{seat}]"
    if not isinstance(cards, list):
        raise reader.error(key, "a list of cards", cards)
    for card in tally.take_all(reader, key, cards):
        state.hands[seat][card] += 1
    state.hand_size[seat] = min(len(cards), most)
    for card, name in enumerate(tally.pack.names):
        if state.known[seat][card] > state.hands[seat][card]:
            expected = f"cards of the hand, where {name} is not so often"
            raise reader.error(f"known[{seat}]", expected, reader.value("known")[seat])


def read_hidden_hand(
    hand: Reader, state: Any, seat: int, tally: Tally, most: int = MAX_COUNT
) -> None:
    """Read another hand in a view: how many cards (`most` at most), and those that all know."""
    state.hand_size[seat] = hand.integer("count", 0, most)
    values = hand.items("known")
    for card in tally.take_all(hand, "known", values):
        state.hands[seat][card] += 1
    hand.finish()
    if (state.hands[seat] != state.known[seat]).any():
        raise hand.error("known", f"the cards of 'known[{seat}]'", values)
    if state.hand_size[seat] < len(values):
        raise hand.error("count", f"{len(values)} at least, as known", hand.value("count"))


def place_taken(reader: Reader, state: Any, viewer: int, tally: Tally) -> None:
    """The card taken in this turn is in the mover's hand, even if `known` lacks it."""
    card, mover = int(state.taken), int(state.turn)
    if card == NONE or mover == viewer or state.hands[mover][card]:
        return
    if not tally.left[card] or state.hand_size[mover] == state.hands[mover].sum():
        raise reader.error("taken", "a card that the mover can hold", reader.value("taken"))
    tally.left[card] -= 1
    state.hands[mover][card] += 1


def place_hidden(reader: Reader, state: Any, viewer: int, hidden: list[int]) -> None:
    """Fill the hands that the viewer does not see with cards off the end of `hidden`."""
    for seat in range(state.num_players):
        if seat == viewer:
            continue
        missing = int(state.hand_size[seat]) - int(state.hands[seat].sum())
        if missing > len(hidden):
            expected = f"{int(state.hand_size[seat]) - missing + len(hidden)} at most"
            raise reader.error(f"hands[{seat}].count", expected, int(state.hand_size[seat]))
        for _ in range(missing):
            state.hands[seat][hidden.pop()] += 1


def check_taken(reader: Reader, state: Any, *phases: IntEnum) -> None:
    """A card taken in this turn lies in the mover's hand, and there is one in `phases` alone."""
    if state.taken == NONE:
        return
    if state.phase not in phases:
        names = " and ".join(phase.name.lower() for phase in phases)
        expected = f"null but in phase{'s' if len(phases) > 1 else ''} {names}"
        raise reader.error("taken", expected, reader.value("taken"))
    if not state.hands[state.turn][state.taken]:
        raise reader.error("taken", "a card of the mover's hand", reader.value("taken"))


def dealt_anew(game: GameSpec, state: Any, viewer: int) -> Iterator[Any]:
    """Yield the position a few times, each with other cards where the viewer sees none."""
    seats = np.array([viewer], np.int32)
    for seed in range(_TRIES):
        dealt = _batch_of(game, state)
        game.loops.resample(dealt, seats, seeds(seed, 1))
        yield dealt[0]


def has_legal_move(game: GameSpec, state: Any) -> bool:
    """Ask the rules whether there is any move."""
    masks = np.zeros((1, game.actions.size), np.int8)
    game.loops.legal(_batch_of(game, state), masks)
    return bool(masks.any())


def _batch_of(game: GameSpec, state: Any) -> Any:
    states = new_states(game.state, 1)
    states[0] = state
    return states


def card_keys(state: Any, pack: Pack, viewer: int | None) -> dict[str, Any]:
    """Return piles and hands as JSON, as a seat sees them; everything if `viewer` is none."""
    stock: Any = {"count": int(state.stock_size), "known": []}
    if viewer is None:
        stock = pack.texts(state.stock[: state.stock_size])
    seats = range(state.num_players)
    return {
        "stock": stock,
        "discard": pack.texts(state.discard[: state.discard_size]),
        "hands": hands_seen(state, viewer, pack),
        "known": [pack.sorted(state.known[seat]) for seat in seats],
        "taken": None if state.taken == NONE else pack.names[state.taken],
    }


def hands_seen(state: Any, viewer: int | None, pack: Pack) -> list[Any]:
    """Return the key `hands`: the viewer's as a list (or all), of others what all know."""
    return [
        pack.sorted(state.hands[seat])
        if viewer is None or seat == viewer
        else {"count": int(state.hand_size[seat]), "known": pack.sorted(state.known[seat])}
        for seat in range(state.num_players)
    ]
