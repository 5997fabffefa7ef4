"""Beatrix Potter's Rummy as JSON: tables, views and moves.

`reading` builds states back from tables and views, `words` says moves and tables to people.
"""

from collections.abc import Mapping
from typing import Any

from kitchentable.cards.reading import card_keys
from kitchentable.engine.reading import Reader
from kitchentable.games.potter_rummy.reading import read, read_view
from kitchentable.games.potter_rummy.rules import (
    ACTIONS,
    CARDS,
    MAX_ADDS,
    MAX_SETS,
    PACK,
    PAIR,
    SIGNPOST,
    THREE,
    State,
)
from kitchentable.games.potter_rummy.words import sentence, text

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

MOVES = ("draw_stock", "take_discard", "lay", "add", "substitute", "take_back", "discard")


def check_options(options: Mapping[str, Any]) -> None:
    """Every combination of options is allowed."""


def store_options(state: State, options: Mapping[str, Any]) -> None:
    """Every seat is a side of its own."""
    state.num_sides = options["num_players"]


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
        "sets": [_sets(state, seat) for seat in range(state.num_players)],
    }


def _sets(state: State, seat: int) -> list[list[str]]:
    return [_set(state, seat, place) for place in range(state.n_sets[seat])]


def _set(state: State, seat: int, place: int) -> list[str]:
    signposts = int(state.set_signpost[seat][place])
    natural = CARDS[state.set_card[seat][place]]
    cards = [natural] * (int(state.set_size[seat][place]) - signposts)
    return cards + [CARDS[SIGNPOST]] * signposts


# Moves


def move(state: State, action: int) -> dict[str, Any]:
    """Return the move of an action; a seat that does not play is null in it."""
    name, values = ACTIONS.decode(action)
    match name:
        case "lay":
            character, size, signpost = values
            card = CARDS[character]
            return {"move": name, "card": card, "size": PAIR + size, "signpost": bool(signpost)}
        case "add":
            return {"move": name, "set": values[0], "signpost": bool(values[1])}
        case "substitute":
            return {"move": name, "seat": _seat(state, values[0] + 1), "set": values[1]}
        case "take_back":
            return {"move": name, "set": values[0]}
        case "discard":
            return {"move": name, "card": CARDS[values[0]]}
        case _:
            return {"move": name}


def _seat(state: State, steps: int) -> int | None:
    """Return the seat so many places to the left of the mover, or none at a smaller table."""
    seats = int(state.num_players)
    return (int(state.turn) + steps) % seats if steps < seats else None


def action(state: State, move: Reader) -> int:
    """Return the action of a move."""
    name = move.word("move", MOVES)
    match name:
        case "lay":
            card = PACK.number(move, "card", move.value("card"))
            if card == SIGNPOST:
                raise move.error("card", "a character", CARDS[card])
            size = move.integer("size", PAIR, THREE)
            return ACTIONS.encode(name, card, size - PAIR, int(move.flag("signpost")))
        case "add":
            place = move.integer("set", 0, MAX_ADDS - 1)
            return ACTIONS.encode(name, place, int(move.flag("signpost")))
        case "substitute":
            seat = move.integer("seat", 0, int(state.num_players) - 1)
            if seat == state.turn:
                raise move.error("seat", "another seat than the one that acts", seat)
            steps = (seat - int(state.turn)) % int(state.num_players)
            return ACTIONS.encode(name, steps - 1, move.integer("set", 0, MAX_SETS - 1))
        case "take_back":
            return ACTIONS.encode(name, move.integer("set", 0, MAX_SETS - 1))
        case "discard":
            return ACTIONS.encode(name, PACK.number(move, "card", move.value("card")))
        case _:
            return ACTIONS[name]


def describe(state: State, move: Mapping[str, Any]) -> str:
    """Return a sentence about a move."""
    return sentence(keys(state), int(state.turn), move)
