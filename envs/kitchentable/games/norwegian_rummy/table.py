"""Norwegian Rummy as JSON: tables, views and moves.

`reading` builds states back from tables and views, `words` says moves and tables to people.
"""

from collections.abc import Mapping
from typing import Any

from kitchentable.cards.french import (
    CARDS,
    JOKER,
    JOKERS_A_PACK,
    N_NATURAL,
    N_POSITIONS,
    N_RANKS,
    PACK,
    RANKS,
    SUITS,
    card_at,
    rank_of,
    suit_of,
)
from kitchentable.cards.piles import NONE
from kitchentable.cards.reading import card_keys
from kitchentable.cards.sets_and_runs import building_keys, meld_keys
from kitchentable.engine.options import OptionError
from kitchentable.engine.reading import Reader
from kitchentable.games.norwegian_rummy.reading import read, read_view
from kitchentable.games.norwegian_rummy.rules import (
    ACTIONS,
    HAND_SIZE,
    LOW,
    MAX_GROUPS,
    N_LOWS,
    RUNS,
    SETS,
    Kind,
    Phase,
    State,
)
from kitchentable.games.norwegian_rummy.words import sentence, text

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
    "buy",
    "pass",
    "open_set",
    "open_run",
    "place",
    "close",
    "lay_off",
    "move_joker",
    "discard",
)


def check_options(options: Mapping[str, Any]) -> None:
    """Refuse too few cards, and a contract named for a whole game."""
    seats, decks = options["num_players"], options["decks"]
    needed = HAND_SIZE * seats + 1
    cards = decks * (N_NATURAL + JOKERS_A_PACK)
    if cards < needed:
        raise OptionError(
            f"option decks={decks} is not allowed: {seats} seats need {needed} cards at least, "
            f"and that is {cards}"
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
        "contract": {"sets": SETS[state.contract], "runs": RUNS[state.contract]},
        **card_keys(state, PACK, viewer),
        "down": [bool(state.down[seat]) for seat in seats],
        "buys_left": [int(state.buys_left[seat]) for seat in seats],
        "melds": [meld_keys(state, number) for number in range(state.n_melds)],
        "building": building_keys(state) if state.phase == Phase.MELD else None,
        "asked": _asked(state) if state.phase == Phase.BUY else [],
    }


def _asked(state: State) -> list[int]:
    """NR-12: from the seat that is asked now on, clockwise, up to the mover."""
    n, asked = int(state.num_players), []
    seat = int(state.to_act)
    while seat != state.turn:
        if not state.down[seat] and state.buys_left[seat]:
            asked.append(seat)
        seat = (seat + 1) % n
    return asked


# Moves


def move(state: State, action: int) -> dict[str, Any]:
    """Return the move of an action; what does not exist in this position is null in it."""
    name, values = ACTIONS.decode(action)
    match name:
        case "open_set":
            return {"move": name, "rank": RANKS[values[0]]}
        case "open_run":
            return {"move": name, "suit": SUITS[values[0]], "low": values[1] + 1}
        case "place" | "discard":
            return {"move": name, "card": CARDS[values[0]]}
        case "lay_off_set":
            return _lay_off_set_move(state, *values)
        case "lay_off_run":
            return _lay_off_run_move(state, *values)
        case "move_joker":
            return _move_joker_move(state, *values)
        case _:
            return {"move": name}


def _lay_off_set_move(state: State, slot: int, suit_or_joker: int) -> dict[str, Any]:
    number = _meld_in_slot(state, slot, Kind.SET)
    card = None
    if suit_or_joker == len(SUITS):
        card = CARDS[JOKER]
    elif number is not None:
        card = CARDS[suit_or_joker * N_RANKS + int(state.meld_rank[number])]
    return {"move": "lay_off", "card": card, "meld": number, "end": None}


def _lay_off_run_move(state: State, slot: int, end: int, joker: int) -> dict[str, Any]:
    number = _meld_in_slot(state, slot, Kind.RUN)
    card = None
    if joker:
        card = CARDS[JOKER]
    elif number is not None:
        wanted = _card_at_end(state, number, end)
        card = None if wanted is None else CARDS[wanted]
    return {"move": "lay_off", "card": card, "meld": number, "end": ENDS[end]}


def _move_joker_move(state: State, slot: int, place: int, end: int) -> dict[str, Any]:
    number = _meld_in_slot(state, slot, Kind.RUN)
    card = None
    if number is not None:
        card = CARDS[card_at(int(state.meld_suit[number]), place + 1)]
    return {"move": "move_joker", "meld": number, "card": card, "end": ENDS[end]}


def _meld_in_slot(state: State, slot: int, kind: Kind) -> int | None:
    """Return the index of a meld that an action names, counted by owner from the seat to act."""
    steps, place = divmod(slot, MAX_GROUPS)
    if steps >= state.num_players:
        return None
    owner = (int(state.to_act) + steps) % int(state.num_players)
    number = int(state.own_melds[owner][place])
    return number if number != NONE and state.meld_kind[number] == kind else None


def _card_at_end(state: State, number: int, end: int) -> int | None:
    """Return the natural card that extends a run at an end, or none inside 1 .. 14."""
    low, size = int(state.meld_low[number]), int(state.meld_size[number])
    position = low - 1 if end == LOW else low + size
    if not 1 <= position <= N_POSITIONS:
        return None
    return int(card_at(int(state.meld_suit[number]), position))


def action(state: State, move: Reader) -> int:
    """Return the action of a move."""
    name = move.word("move", MOVES)
    match name:
        case "open_set":
            return ACTIONS.encode(name, RANKS.index(move.word("rank", tuple(RANKS))))
        case "open_run":
            suit = SUITS.index(move.word("suit", tuple(SUITS)))
            return ACTIONS.encode(name, suit, move.integer("low", 1, N_LOWS) - 1)
        case "place" | "discard":
            return ACTIONS.encode(name, PACK.number(move, "card", move.value("card")))
        case "lay_off":
            return _lay_off_action(state, move)
        case "move_joker":
            return _move_joker_action(state, move)
        case _:
            return ACTIONS[name]


def _lay_off_action(state: State, move: Reader) -> int:
    number = _meld_number(state, move)
    slot = _slot(state, number)
    card = PACK.number(move, "card", move.value("card"))
    if state.meld_kind[number] == Kind.SET:
        if move.value("end") is not None:
            raise move.error("end", "null for a set", move.value("end"))
        rank = int(state.meld_rank[number])
        if card != JOKER and rank_of(card) != rank:
            raise move.error("card", f"of rank {RANKS[rank]}, or JK", CARDS[card])
        suit_or_joker = len(SUITS) if card == JOKER else suit_of(card)
        return ACTIONS.encode("lay_off_set", slot, suit_or_joker)
    end = ENDS.index(move.word("end", ENDS))
    wanted = _card_at_end(state, number, end)
    if wanted is None:
        raise move.error("end", "an end with room inside positions 1 .. 14", ENDS[end])
    if card not in (wanted, JOKER):
        raise move.error("card", f"{CARDS[wanted]} or JK", CARDS[card])
    return ACTIONS.encode("lay_off_run", slot, end, int(card == JOKER))


def _move_joker_action(state: State, move: Reader) -> int:
    number = _meld_number(state, move)
    if state.meld_kind[number] != Kind.RUN or state.meld_owner[number] != state.to_act:
        raise move.error("meld", "a run of the seat that acts", number)
    card = PACK.number(move, "card", move.value("card"))
    suit = int(state.meld_suit[number])
    if card == JOKER or suit_of(card) != suit:
        raise move.error("card", f"a natural card of suit {SUITS[suit]}", CARDS[card])
    end = ENDS.index(move.word("end", ENDS))
    position = _joker_position(state, number, card)
    return ACTIONS.encode("move_joker", _slot(state, number), position - 1, end)


def _joker_position(state: State, number: int, card: int) -> int:
    """Return the position where a joker stands for the card, or else one where the card belongs.

    An ace has two positions; jokers in both fill the run from end to end, and none can move.
    """
    low = int(state.meld_low[number])
    for place in range(state.meld_size[number]):
        wanted = card_at(int(state.meld_suit[number]), low + place)
        if wanted == card and state.meld_cards[number][place] == JOKER:
            return low + place
    return rank_of(card) + 1


def _meld_number(state: State, move: Reader) -> int:
    if state.n_melds == 0:
        raise move.error("meld", "a meld on the table, where there is none", move.value("meld"))
    return move.integer("meld", 0, int(state.n_melds) - 1)


def _slot(state: State, number: int) -> int:
    """Return a meld's number in actions: three for each owner, from the seat to act on."""
    owner = int(state.meld_owner[number])
    steps = (owner - int(state.to_act)) % int(state.num_players)
    place = [int(own) for own in state.own_melds[owner]].index(number)
    return MAX_GROUPS * steps + place


def describe(state: State, move: Mapping[str, Any]) -> str:
    """Return a sentence about a move."""
    return sentence(keys(state), int(state.to_act), move)
