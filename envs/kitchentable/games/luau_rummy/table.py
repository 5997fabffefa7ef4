"""Luau Rummy as JSON: tables, views and moves.

`reading` builds states back from tables and views, `words` says moves and tables to people.
"""

from collections.abc import Mapping
from typing import Any

from kitchentable.cards.reading import card_keys
from kitchentable.engine.options import OptionError
from kitchentable.engine.reading import Reader
from kitchentable.games.luau_rummy.pack import (
    CARDS,
    FIRST_ANIMAL,
    FIRST_CARDS,
    FIRST_PIGGY,
    LENGTHS,
    N_CARDS,
    N_TRIPLES,
    PACK,
    TRIPLE,
    WOLF,
    Kind,
)
from kitchentable.games.luau_rummy.reading import KIND_NAMES, read, read_view
from kitchentable.games.luau_rummy.rules import (
    ACTIONS,
    ADDABLE,
    MAX_PLAYERS,
    MIN_MELD,
    TRIOS,
    WOLF_PLACE,
    State,
)
from kitchentable.games.luau_rummy.words import sentence, text

__all__ = [
    "action",
    "check_options",
    "describe",
    "keys",
    "move",
    "read",
    "read_view",
    "store_options",
    "text",
    "view_keys",
]

MOVES = tuple(block.name for block in ACTIONS.blocks)


def check_options(options: Mapping[str, Any]) -> None:
    """Refuse too few packs, teams of other than two seats, and pile-ups of one pack."""
    seats, decks = options["num_players"], options["decks"]
    if seats > 2 and decks != 2:
        raise OptionError(f"option decks={decks} is not allowed: {seats} seats need 2 packs")
    if options["teams"] and seats != MAX_PLAYERS:
        raise OptionError(f"option teams=True is not allowed: {seats} seats make no teams, 4 do")
    if options["piggy_pileup"] and decks != 2:
        raise OptionError(f"option piggy_pileup=True is not allowed: it needs 2 packs, not {decks}")


def store_options(state: State, options: Mapping[str, Any]) -> None:
    """LR-3: with teams seats 0 and 2 are a side, else every seat is one. LR-1: the cards."""
    state.num_sides = 2 if options["teams"] else options["num_players"]
    state.all_copies[:FIRST_ANIMAL] = options["decks"] * options["copies"]
    state.all_copies[FIRST_ANIMAL:WOLF] = options["decks"] * options["animal_copies"]
    state.all_copies[WOLF] = options["decks"] * options["wolves"]


# The table and the view


def keys(state: State) -> dict[str, Any]:
    """Return the game's own keys, hidden cards included."""
    return _keys(state, None)


def view_keys(state: State, seat: int) -> dict[str, Any]:
    """Return the keys with the stock and the other hands hidden, but for what all have seen."""
    return _keys(state, seat)


def _keys(state: State, viewer: int | None) -> dict[str, Any]:
    return {
        **card_keys(state, PACK, viewer),
        "melds": [_meld(state, number) for number in range(state.n_melds)],
    }


def _meld(state: State, number: int) -> dict[str, Any]:
    kind, counts = int(state.meld_kind[number]), state.meld_cards[number]
    names = range(FIRST_CARDS[kind], FIRST_CARDS[kind] + LENGTHS[kind])
    cards = [CARDS[card] for place, card in enumerate(names) for _ in range(counts[place])]
    cards += [CARDS[WOLF]] * int(counts[WOLF_PLACE])
    return {"side": int(state.meld_side[number]), "kind": KIND_NAMES[kind], "cards": cards}


# Moves


def move(state: State, action: int) -> dict[str, Any]:
    """Return the move of an action."""
    name, values = ACTIONS.decode(action)
    match name:
        case "lay":
            kind, place = values
            wolf = CARDS[kind * TRIPLE + place - 1] if place else None
            return {"move": name, "kind": KIND_NAMES[kind], "wolf": wolf}
        case "lay_animals":
            return {"move": name, "cards": PACK.texts(TRIOS[values[0]])}
        case "lay_pileup":
            return {"move": name, "card": CARDS[FIRST_PIGGY + values[0]]}
        case "add":
            return {"move": name, "card": CARDS[ADDABLE + values[0]]}
        case "discard":
            return {"move": name, "card": CARDS[values[0]]}
        case _:
            return {"move": name}


def action(state: State, move: Reader) -> int:
    """Return the action of a move."""
    name = move.word("move", MOVES)
    match name:
        case "lay":
            kind = Kind[move.word("kind", KIND_NAMES[:N_TRIPLES]).upper()]
            return ACTIONS.encode(name, kind, _wolf_choice(move, kind))
        case "lay_animals":
            return ACTIONS.encode(name, _trio_number(move))
        case "lay_pileup":
            piggies = range(FIRST_PIGGY, FIRST_PIGGY + TRIPLE)
            return ACTIONS.encode(name, _card_among(move, piggies) - FIRST_PIGGY)
        case "add":
            return ACTIONS.encode(name, _card_among(move, range(ADDABLE, N_CARDS)) - ADDABLE)
        case "discard":
            return ACTIONS.encode(name, _card_among(move, range(N_CARDS)))
        case _:
            return ACTIONS[name]


def _wolf_choice(move: Reader, kind: Kind) -> int:
    """Return 0 for no wolf, else the place 1 .. 3 of the card that it stands in for."""
    wolf = move.value("wolf")
    names = CARDS[FIRST_CARDS[kind] : FIRST_CARDS[kind] + TRIPLE]
    if wolf is None:
        return 0
    if not isinstance(wolf, str) or wolf not in names:
        raise move.error("wolf", "null or one of " + ", ".join(names), wolf)
    return names.index(wolf) + 1


def _trio_number(move: Reader) -> int:
    values = move.items("cards", MIN_MELD)
    trio = tuple(PACK.number(move, f"cards[{i}]", value) for i, value in enumerate(values))
    if trio not in TRIOS:
        expected = "three animals, or two and a wolf, in card order"
        raise move.error("cards", expected, values)
    return TRIOS.index(trio)


def _card_among(move: Reader, cards: range) -> int:
    card = PACK.number(move, "card", move.value("card"))
    if card not in cards:
        expected = "one of " + ", ".join(PACK.texts(cards))
        raise move.error("card", expected, CARDS[card])
    return card


def describe(state: State, move: Mapping[str, Any]) -> str:
    """Return a sentence about a move."""
    return sentence(keys(state), int(state.to_act), move)
