"""Frustration Rummy as JSON: tables, views and moves.

`reading` builds states back from tables and views, `words` says moves and tables to people.
"""

from collections.abc import Mapping
from typing import Any

from kitchentable.cards.french import (
    CARDS,
    PACK,
    RANKS,
    SUITS,
    rank_of,
    suit_of,
)
from kitchentable.cards.piles import NONE
from kitchentable.cards.reading import card_keys
from kitchentable.cards.sets_and_runs import building_keys, meld_keys
from kitchentable.engine.options import OptionError
from kitchentable.engine.reading import Reader
from kitchentable.games.frustration_rummy.reading import read, read_view
from kitchentable.games.frustration_rummy.rules import (
    ACTIONS,
    END_WAYS,
    N_LOWS,
    Kind,
    Phase,
    State,
    natural_beyond,
    position_beyond,
    rank_of_set,
    set_number,
)
from kitchentable.games.frustration_rummy.wild import WILD, is_wild
from kitchentable.games.frustration_rummy.words import WILD_CARDS, sentence, text

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

ENDS = ("low", "high")
"""The ends of a run, by number."""
MOVES = (
    "draw_stock",
    "take_discard",
    "open_set",
    "open_run",
    "place",
    "lay_off",
    "discard",
)


def check_options(options: Mapping[str, Any]) -> None:
    """Refuse contracts that end before they begin, and one named for a whole game."""
    first, last = options["start_contract"], options["last_contract"]
    if last < first:
        raise OptionError(
            f"option last_contract={last} is not allowed: it must not come before "
            f"start_contract={first}"
        )
    if options["episode"] == "game" and options["deal"] is not None:
        raise OptionError(
            f'option deal={options["deal"]} is not allowed: it must be none with episode "game"'
        )


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
    seats = range(state.num_players)
    return {
        "contracts": [int(state.contracts[seat]) for seat in seats],
        "down": [bool(state.down[seat]) for seat in seats],
        **card_keys(state, PACK, viewer),
        "melds": [meld_keys(state, number) for number in range(state.n_melds)],
        "building": building_keys(state) if state.phase == Phase.MELD else None,
    }


# Moves


def move(state: State, action: int) -> dict[str, Any]:
    """Return the move of an action; what does not exist in this position is null in it."""
    name, values = ACTIONS.decode(action)
    match name:
        case "open_set":
            return {"move": name, "rank": RANKS[rank_of_set(values[0])]}
        case "open_run":
            return {"move": name, "suit": SUITS[values[0]], "low": values[1] + 1}
        case "place" | "discard":
            return {"move": name, "card": CARDS[values[0]]}
        case "lay_off":
            return _lay_off_move(state, *values)
        case _:
            return {"move": name}


def _lay_off_move(state: State, number: int, way: int) -> dict[str, Any]:
    if number >= state.n_melds:
        return {"move": "lay_off", "card": None, "meld": None, "end": None}
    if state.meld_kind[number] == Kind.SET:
        card = _card_for_set(int(state.meld_rank[number]), way)
        return {"move": "lay_off", "card": card, "meld": number, "end": None}
    end, kind = divmod(way, END_WAYS)
    wanted = _natural_at_end(state, number, end)
    card = CARDS[WILD[kind - 1]] if kind else None if wanted is None else CARDS[wanted]
    return {"move": "lay_off", "card": card, "meld": number, "end": ENDS[end]}


def _card_for_set(rank: int, way: int) -> str | None:
    """Return the card of a way to add to a set: four suits, five wild cards, then none."""
    if way < len(SUITS):
        return RANKS[rank] + SUITS[way]
    way -= len(SUITS)
    return CARDS[WILD[way]] if way < len(WILD) else None


def _natural_at_end(state: State, number: int, end: int) -> int | None:
    """Return the natural card that extends a run at an end, or none."""
    card = int(natural_beyond(state, number, end))
    return None if card == NONE else card


def action(state: State, move: Reader) -> int:
    """Return the action of a move."""
    name = move.word("move", MOVES)
    match name:
        case "open_set":
            rank = RANKS.index(move.word("rank", WILD_CARDS.set_ranks))
            return ACTIONS.encode(name, int(set_number(rank)))
        case "open_run":
            suit = SUITS.index(move.word("suit", tuple(SUITS)))
            return ACTIONS.encode(name, suit, move.integer("low", 1, N_LOWS) - 1)
        case "place" | "discard":
            return ACTIONS.encode(name, PACK.number(move, "card", move.value("card")))
        case "lay_off":
            return _lay_off_action(state, move)
        case _:
            return ACTIONS[name]


def _lay_off_action(state: State, move: Reader) -> int:
    if state.n_melds == 0:
        raise move.error("meld", "a meld on the table, where there is none", move.value("meld"))
    number = move.integer("meld", 0, int(state.n_melds) - 1)
    card = PACK.number(move, "card", move.value("card"))
    if state.meld_kind[number] == Kind.SET:
        return ACTIONS.encode("lay_off", number, _way_for_set(state, move, number, card))
    end = ENDS.index(move.word("end", ENDS))
    if not position_beyond(state, number, end):
        raise move.error("end", "an end with room inside positions 1 .. 14", ENDS[end])
    wanted = _natural_at_end(state, number, end)
    if is_wild(card):
        return ACTIONS.encode("lay_off", number, end * END_WAYS + 1 + WILD.index(card))
    if card != wanted:
        expected = "wild" if wanted is None else f"{CARDS[wanted]} or wild"
        raise move.error("card", expected, CARDS[card])
    return ACTIONS.encode("lay_off", number, end * END_WAYS)


def _way_for_set(state: State, move: Reader, number: int, card: int) -> int:
    if move.value("end") is not None:
        raise move.error("end", "null for a set", move.value("end"))
    if is_wild(card):
        return len(SUITS) + WILD.index(card)
    rank = int(state.meld_rank[number])
    if rank_of(card) != rank:
        raise move.error("card", f"of rank {RANKS[rank]}, or wild", CARDS[card])
    return int(suit_of(card))


def describe(state: State, move: Mapping[str, Any]) -> str:
    """Return a sentence about a move."""
    return sentence(keys(state), int(state.to_act), move)
