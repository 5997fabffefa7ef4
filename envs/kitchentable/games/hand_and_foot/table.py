"""Hand & Foot Canasta as JSON: tables, views and moves.

`reading` builds states back from tables and views, `words` says moves and tables to people.
"""

from collections.abc import Mapping
from typing import Any

from kitchentable.cards.reading import hands_seen
from kitchentable.engine.options import OptionError
from kitchentable.engine.reading import Reader
from kitchentable.games.hand_and_foot.deck import (
    FIRST_NATURAL,
    JOKER,
    NAMES,
    PACK,
    RANKS,
    RED_THREE,
    TWO,
)
from kitchentable.games.hand_and_foot.opening import MIN_MELD
from kitchentable.games.hand_and_foot.reach import minimum
from kitchentable.games.hand_and_foot.reading import (
    KINDS,
    MELD_RANKS,
    PERMISSIONS,
    WILD_NAME,
    read,
    read_view,
)
from kitchentable.games.hand_and_foot.state import ACTIONS, HAND_SIZE, N_SIDES, WILD, State
from kitchentable.games.hand_and_foot.words import sentence, text

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

WILD_CARDS = (NAMES[TWO], NAMES[JOKER])
MOVES = (
    "draw_two",
    "take_pile",
    "pass",
    "ask_partner",
    "allow",
    "refuse",
    "open_meld",
    "open_wild",
    "add",
    "discard",
)


def check_options(options: Mapping[str, Any]) -> None:
    """Refuse a deal named for a whole game."""
    if options["episode"] == "game" and options["deal"] is not None:
        raise OptionError(
            f'option deal={options["deal"]} is not allowed: it must be none with episode "game"'
        )


def store_options(state: State, options: Mapping[str, Any]) -> None:
    """HF-1: partners sit opposite each other."""
    state.num_sides = N_SIDES


# The table and the view


def keys(state: State) -> dict[str, Any]:
    """Return the game's own keys, hidden cards included."""
    fields = (state.hands, state.feet)
    stock = PACK.texts(state.stock[: state.stock_size].tolist())
    hands, feet = ([PACK.sorted(cards) for cards in field.tolist()] for field in fields)
    return _keys(state, stock, hands, feet)


def view_keys(state: State, seat: int) -> dict[str, Any]:
    """Return the keys with stock, feet and the other hands hidden, but for what all have seen."""
    stock, foot = ({"count": n, "known": []} for n in (int(state.stock_size), HAND_SIZE))
    return _keys(state, stock, hands_seen(state, seat, PACK), [foot] * int(state.num_players))


def _keys(state: State, stock: Any, hands: list[Any], feet: list[Any]) -> dict[str, Any]:
    seats, sides = range(state.num_players), range(N_SIDES)
    return {
        "stock": stock,
        "discard": PACK.texts(state.discard[: state.discard_size].tolist()),
        "hands": hands,
        "feet": [None if state.in_foot[seat] else feet[seat] for seat in seats],
        "known": [PACK.sorted(cards) for cards in state.known.tolist()],
        "melds": [_melds(state, side) for side in sides],
        "red_threes": [int(state.red_threes[side]) for side in sides],
        "minimum": int(minimum(state)),
        "kind": KINDS[state.kind],
        "begun": [name for rank, name in enumerate(MELD_RANKS) if int(state.begun) >> rank & 1],
        "aside": PACK.sorted(state.aside.tolist()),
        "permission": PERMISSIONS[state.permission],
    }


def _melds(state: State, side: int) -> list[dict[str, Any]]:
    """The melds of a side in the order begun."""
    fields = (state.meld_rank, state.meld_naturals, state.meld_twos, state.meld_jokers)
    columns = (field[side][: state.n_melds[side]].tolist() for field in fields)
    return [_meld(*numbers) for numbers in zip(*columns, strict=True)]


def _meld(rank: int, naturals: int, twos: int, jokers: int) -> dict[str, Any]:
    wild = [NAMES[TWO]] * twos + [NAMES[JOKER]] * jokers
    if rank == WILD:
        return {"rank": WILD_NAME, "cards": wild}
    return {"rank": RANKS[rank], "cards": [RANKS[rank]] * naturals + wild}


# Moves


def move(state: State, action: int) -> dict[str, Any]:
    """Return the move of an action."""
    name, values = ACTIONS.decode(action)
    match name:
        case "open_meld":
            wild = (None, *WILD_CARDS)[values[1]]
            return {"move": name, "rank": RANKS[values[0]], "wild": wild}
        case "open_wild":
            return {"move": name, "jokers": values[0]}
        case "add":
            rank = RANKS[values[0]]
            return {"move": name, "card": (rank, *WILD_CARDS)[values[1]], "meld": rank}
        case "add_wild":
            return {"move": "add", "card": WILD_CARDS[values[0]], "meld": WILD_NAME}
        case "discard":
            return {"move": name, "card": NAMES[values[0] + 1]}
        case _:
            return {"move": name}


def action(state: State, move: Reader) -> int:
    """Return the action of a move."""
    name = move.word("move", MOVES)
    match name:
        case "open_meld":
            rank = RANKS.index(move.word("rank", tuple(RANKS)))
            wild = move.value("wild")
            if wild is not None and wild not in WILD_CARDS:
                raise move.error("wild", "null, 2 or JK", wild)
            return ACTIONS.encode(name, rank, (None, *WILD_CARDS).index(wild))
        case "open_wild":
            return ACTIONS.encode(name, move.integer("jokers", 0, MIN_MELD))
        case "add":
            return _add_action(move)
        case "discard":
            card = PACK.number(move, "card", move.value("card"))
            if card == RED_THREE:
                raise move.error("card", "a card that hands have", NAMES[card])
            return ACTIONS.encode(name, card - 1)
        case _:
            return ACTIONS[name]


def _add_action(move: Reader) -> int:
    rank = MELD_RANKS.index(move.word("meld", MELD_RANKS))
    card = PACK.number(move, "card", move.value("card"))
    if rank == WILD:
        if card not in (TWO, JOKER):
            raise move.error("card", "2 or JK", NAMES[card])
        return ACTIONS.encode("add_wild", card - TWO)
    faces = (FIRST_NATURAL + rank, TWO, JOKER)
    if card not in faces:
        raise move.error("card", f"{RANKS[rank]}, 2 or JK", NAMES[card])
    return ACTIONS.encode("add", rank, faces.index(card))


def describe(state: State, move: Mapping[str, Any]) -> str:
    """Return a sentence about a move."""
    return sentence(keys(state), int(state.to_act), move)
