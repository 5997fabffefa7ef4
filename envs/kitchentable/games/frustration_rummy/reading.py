"""Tables and views of Frustration Rummy read back into a state; every key is checked.

A position that play could not have led to may pass, a contradiction does not. Order:
deal and seats, the cards that all see, the hands and the stock, then what must agree.
"""

from typing import Any

import numpy as np

from kitchentable.cards.french import (
    CARDS,
    N_POSITIONS,
    PACK,
    RANKS,
    SUITS,
    card_at,
    rank_of,
    tally_of_packs,
)
from kitchentable.cards.pack import Tally
from kitchentable.cards.piles import NONE
from kitchentable.cards.reading import (
    place_hidden,
    place_taken,
    read_discard,
    read_hand,
    read_hidden_hand,
    read_hidden_stock,
    read_known,
    read_stock,
    read_taken,
    viewer_of,
)
from kitchentable.engine.reading import Reader
from kitchentable.engine.record import new_states
from kitchentable.engine.rng import seeds
from kitchentable.engine.state import Episode
from kitchentable.games import spec
from kitchentable.games.frustration_rummy.rules import (
    ACTIONS,
    DECKS,
    HAND_SIZE,
    MAX_MELD_CARDS,
    MAX_MELDS,
    MIN_RUN,
    MIN_SET,
    N_LOWS,
    RUN_LENGTHS,
    RUNS,
    SET_SIZES,
    SETS,
    STATE,
    Kind,
    Phase,
    State,
)
from kitchentable.games.frustration_rummy.wild import is_wild
from kitchentable.games.frustration_rummy.words import SET_RANKS

MAX_SCORE = 1_000_000
"""More than any game can bring, and little enough for the sums to fit."""
_TRIES = 4
"""Deals of the hidden cards before a view is thought impossible; one does as a rule."""
_GOES_ON = "a group with which the mover's hand can complete what it lays"


def read(reader: Reader, state: State) -> None:
    """Fill the state from a table's own keys.

    Raises:
        TableError: naming the key that is wrong.
    """
    tally = _read_open_cards(reader, state)
    hands = reader.items("hands", state.num_players)
    for seat in range(state.num_players):
        read_hand(reader, state, seat, hands[seat], tally)
    read_stock(reader, state, tally)
    _check(reader, state)
    if state.phase == Phase.MELD and not _has_legal_move(state):
        raise reader.error("building", _GOES_ON, reader.value("building"))


def read_view(reader: Reader, state: State) -> int:
    """Fill the state from a view, the hidden cards in any order, and return the viewer.

    Raises:
        TableError: naming the key that is wrong.
    """
    tally = _read_open_cards(reader, state)
    hands = reader.items("hands", state.num_players)
    viewer = viewer_of(reader, hands)
    read_hand(reader, state, viewer, hands[viewer], tally)
    for seat in range(state.num_players):
        if seat != viewer:
            read_hidden_hand(Reader(hands[seat], f"hands[{seat}]"), state, seat, tally)
    place_taken(reader, state, viewer, tally)
    hidden = tally.remaining()
    place_hidden(reader, state, viewer, hidden)
    read_hidden_stock(reader, state, hidden)
    _check(reader, state)
    if state.phase == Phase.MELD and not _can_go_on(state, viewer):
        raise reader.error("building", _GOES_ON, reader.value("building"))
    return viewer


def _read_open_cards(reader: Reader, state: State) -> Tally:
    """Read everything but hands and stock; return what cards that leaves."""
    state.taken = NONE
    state.open_kind = NONE
    _read_deal(reader, state)
    _read_contracts(reader, state)
    seats = int(state.num_players)
    state.down[:seats] = reader.flags("down", seats)
    read_known(reader, state, PACK)
    tally = tally_of_packs(DECKS)
    read_discard(reader, state, tally)
    melds = reader.objects("melds")
    if len(melds) > MAX_MELDS:
        raise reader.error("melds", f"a list of {MAX_MELDS} at most", reader.value("melds"))
    for meld in melds:
        _read_meld(meld, state, tally)
    _read_building(reader, state, tally)
    read_taken(reader, state, PACK)
    return tally


def _read_deal(reader: Reader, state: State) -> None:
    """Which deal it is, and what turns and scores there can be."""
    is_game = state.episode == Episode.GAME
    reader.integer("deal", 1, int(state.deal_cap) if is_game else 1)
    reader.integer("turns", 1, int(state.turn_cap) * int(state.num_players))
    reader.integers("scores", int(state.num_players), 0, MAX_SCORE)


def _read_contracts(reader: Reader, state: State) -> None:
    """Each seat's contract: in a single deal the one that was chosen or drawn for all."""
    seats = int(state.num_players)
    chosen = int(state.chosen_contract)
    first, last = int(state.start_contract), int(state.last_contract)
    if chosen:
        first = last = chosen
    contracts = reader.integers("contracts", seats, first, last)
    if state.episode == Episode.DEAL and len(set(contracts)) > 1:
        raise reader.error("contracts", "the same for all in a single deal", contracts)
    state.contracts[:seats] = contracts


# Melds


def _read_meld(meld: Reader, state: State, tally: Tally) -> None:
    """One meld, legal by itself."""
    number = int(state.n_melds)
    state.meld_owner[number] = meld.integer("owner", 0, int(state.num_players) - 1)
    kind = Kind[meld.word("kind", ("set", "run")).upper()]
    if kind == Kind.SET:
        rank = RANKS.index(meld.word("rank", SET_RANKS))
        cards = _read_set_cards(meld, rank, MAX_MELD_CARDS, tally)
        state.meld_rank[number] = rank
    else:
        suit = SUITS.index(meld.word("suit", tuple(SUITS)))
        low = meld.integer("low", 1, N_LOWS)
        cards = _read_run_cards(meld, suit, low, N_POSITIONS, tally)
        state.meld_suit[number], state.meld_low[number] = suit, low
    meld.finish()
    wild = sum(map(is_wild, cards))
    least = MIN_SET if kind == Kind.SET else MIN_RUN
    if len(cards) < least:
        raise meld.error("cards", f"{least} cards at least", meld.value("cards"))
    if 2 * wild > len(cards):
        expected = "no more wild cards than natural ones"
        raise meld.error("cards", expected, meld.value("cards"))
    state.meld_kind[number], state.meld_wild[number] = kind, wild
    state.meld_size[number] = len(cards)
    state.meld_cards[number][: len(cards)] = cards
    state.n_melds = number + 1


def _read_set_cards(group: Reader, rank: int, most: int, tally: Tally) -> list[int]:
    """The cards of a set, in the order laid."""
    values = _list_of_at_most(group, most)
    cards = tally.take_all(group, "cards", values)
    for i, card in enumerate(cards):
        if not is_wild(card) and rank_of(card) != rank:
            raise group.error(f"cards[{i}]", f"of rank {RANKS[rank]}, or wild", values[i])
    return cards


def _read_run_cards(group: Reader, suit: int, low: int, most: int, tally: Tally) -> list[int]:
    """The cards of a run from position `low` up, inside 1 .. 14 (G-4)."""
    values = _list_of_at_most(group, min(most, N_POSITIONS + 1 - low))
    cards = tally.take_all(group, "cards", values)
    for i, card in enumerate(cards):
        wanted = card_at(suit, low + i)
        if not is_wild(card) and card != wanted:
            expected = "wild" if is_wild(wanted) else f"{CARDS[wanted]} or wild"
            raise group.error(f"cards[{i}]", expected, values[i])
    return cards


def _list_of_at_most(group: Reader, most: int) -> list[Any]:
    values = group.items("cards")
    if len(values) > most:
        raise group.error("cards", f"a list of {most} at most", values)
    return values


def _read_building(reader: Reader, state: State, tally: Tally) -> None:
    """The open group and what is left to be laid: in phase meld, and only then."""
    if reader.value("building") is None:
        if state.phase == Phase.MELD:
            raise reader.error("building", "an object in phase meld", None)
        return
    if state.phase != Phase.MELD:
        expected = "null but in phase meld"
        raise reader.error("building", expected, reader.value("building"))
    building = reader.below("building")
    kind = building.value("kind")
    cards: list[int] = []
    if kind is None:
        if building.items("cards"):
            raise building.error("cards", "[] between two groups", building.value("cards"))
    elif kind == "set":
        cards = _read_open_set(building, state, tally)
    elif kind == "run":
        cards = _read_open_run(building, state, tally)
    else:
        raise building.error("kind", "set, run or null", kind)
    state.open_size = len(cards)
    state.open_cards[: len(cards)] = cards
    state.sets_left = building.integer("sets_left", 0, max(SETS))
    state.runs_left = building.integer("runs_left", 0, max(RUNS))
    building.finish()
    _check_groups_left(building, state)


def _read_open_set(building: Reader, state: State, tally: Tally) -> list[int]:
    """With its last card a set is complete, and in `melds`."""
    state.open_kind = Kind.SET
    state.open_rank = RANKS.index(building.word("rank", SET_RANKS))
    return _read_set_cards(building, int(state.open_rank), _set_size(state) - 1, tally)


def _read_open_run(building: Reader, state: State, tally: Tally) -> list[int]:
    """With its last card a run is complete, and in `melds`."""
    length = _run_length(state)
    state.open_kind = Kind.RUN
    state.open_suit = SUITS.index(building.word("suit", tuple(SUITS)))
    state.open_low = building.integer("low", 1, N_POSITIONS + 1 - length)
    low = int(state.open_low)
    return _read_run_cards(building, int(state.open_suit), low, length - 1, tally)


def _set_size(state: State) -> int:
    """Return how many cards the mover's sets have: of the contract, or extra ones."""
    return MIN_SET if state.down[state.turn] else SET_SIZES[state.contracts[state.turn]]


def _run_length(state: State) -> int:
    """Return how many cards the mover's runs have."""
    return MIN_RUN if state.down[state.turn] else RUN_LENGTHS[state.contracts[state.turn]]


def _check_groups_left(building: Reader, state: State) -> None:
    """Groups laid, the open one and those left are the contract's; an extra meld is alone."""
    contract, is_down = state.contracts[state.turn], state.down[state.turn]
    own = _own_melds(state, int(state.turn))
    for kind, total in ((Kind.SET, SETS[contract]), (Kind.RUN, RUNS[contract])):
        key = f"{kind.name.lower()}s_left"
        laid = sum(state.meld_kind[number] == kind for number in own)
        due = 0 if is_down else total - laid - int(state.open_kind == kind)
        if building.value(key) != due:
            expected = "0 for an extra meld" if is_down else f"{due}, as the contract has {total}"
            raise building.error(key, expected, building.value(key))
    if state.open_kind == NONE and (is_down or not own or not state.sets_left + state.runs_left):
        raise building.error("kind", "null only between two groups of a contract", None)


def _own_melds(state: State, seat: int) -> list[int]:
    """Return the numbers of the melds that a seat owns."""
    return [number for number in range(state.n_melds) if state.meld_owner[number] == seat]


# What must agree


def _check(reader: Reader, state: State) -> None:
    """The position is one that the rules know."""
    if state.phase != Phase.OVER and state.to_act != state.turn:
        raise reader.error("to_act", f"{state.turn}, whose turn it is", int(state.to_act))
    if state.phase == Phase.DRAW and not (state.stock_size or state.discard_size):
        raise reader.error("discard", "a card at least, or one in the stock, to be drawn", [])
    _check_taken(reader, state)
    for seat in range(state.num_players):
        _check_owner(reader, state, seat)
    for seat in range(state.num_players):
        _check_hand_size(reader, state, seat)
    if state.phase == Phase.OVER:
        _check_end(reader, state)


def _check_taken(reader: Reader, state: State) -> None:
    """A card taken in this turn lies in the mover's hand."""
    if state.taken == NONE:
        return
    if state.phase not in (Phase.PLAY, Phase.MELD):
        raise reader.error("taken", "null but in phases play and meld", reader.value("taken"))
    if not state.hands[state.turn][state.taken]:
        raise reader.error("taken", "a card of the mover's hand", reader.value("taken"))


def _check_owner(reader: Reader, state: State, seat: int) -> None:
    """Who owns melds is down, or is laying its contract, each group at exactly its size."""
    own = _own_melds(state, seat)
    if state.down[seat] or not own:
        return
    if seat != state.turn or state.phase != Phase.MELD:
        raise reader.error(f"down[{seat}]", "true for a seat that owns melds", False)
    for number in own:
        size = _set_size(state) if state.meld_kind[number] == Kind.SET else _run_length(state)
        if state.meld_size[number] != size:
            cards = reader.value("melds")[number]["cards"]
            expected = f"{size} cards, as the contract that is being laid says"
            raise reader.error(f"melds[{number}].cards", expected, cards)


def _check_hand_size(reader: Reader, state: State, seat: int) -> None:
    """Who is not down has 13 cards, one more after its draw; who is down has one to discard."""
    size, is_mover = int(state.hand_size[seat]), seat == state.turn
    if state.down[seat]:
        least = 0 if is_mover and state.phase == Phase.OVER else 1
        if is_mover and state.phase == Phase.MELD:
            missing = _set_size(state) if state.open_kind == Kind.SET else _run_length(state)
            least = missing - int(state.open_size) + 1
        if size < least:
            raise reader.error(f"hands[{seat}]", f"{least} cards at least", size)
        return
    due = HAND_SIZE + int(is_mover and state.phase in (Phase.PLAY, Phase.MELD))
    if is_mover and state.phase == Phase.MELD:
        own = _own_melds(state, seat)
        due -= int(state.open_size) + sum(int(state.meld_size[number]) for number in own)
    if size != due:
        raise reader.error(f"hands[{seat}]", f"{due} cards", size)


def _check_end(reader: Reader, state: State) -> None:
    """The deal ended by going out or at the cap, and whoever has most has won."""
    seats, turn = range(state.num_players), int(state.turn)
    out = not state.hand_size[turn]
    at_cap = state.capped and state.turns == int(state.turn_cap) * int(state.num_players)
    if not out and not at_cap:
        size = int(state.hand_size[turn])
        expected = "empty, unless the cap ended the deal"
        raise reader.error(f"hands[{turn}]", expected, f"{size} cards")
    wins_at_once = out and state.contracts[turn] == state.last_contract
    allowed = []
    if state.episode == Episode.DEAL:
        allowed = [_best([int(state.down[s]) + (out and s == turn) for s in seats])]
    else:
        if state.capped and state.deal == state.deal_cap:
            allowed.append(_best([int(state.contracts[seat]) for seat in seats]))
        if wins_at_once:
            allowed.append([turn])
    if not allowed:
        expected = f"{int(state.deal_cap)} in a finished game that nobody has won by going out"
        raise reader.error("deal", expected, int(state.deal))
    winners = reader.value("winners")
    if winners not in allowed:
        raise reader.error("winners", " or ".join(map(str, allowed)), winners)


def _best(values: list[int]) -> list[int]:
    """Return the seats that have most."""
    return [seat for seat, value in enumerate(values) if value == max(values)]


def _has_legal_move(state: State) -> bool:
    """Ask the rules; only who can complete what it lays may be laying it."""
    return bool(_legal(_copy(state)).any())


def _can_go_on(state: State, viewer: int) -> bool:
    """Whether the seat that lays can hold a hand with which it has a move."""
    if state.turn == viewer:
        return _has_legal_move(state)
    seats = np.array([viewer], np.int32)
    for seed in range(_TRIES):
        dealt = _copy(state)
        spec("frustration_rummy").loops.resample(dealt, seats, seeds(seed, 1))
        if _legal(dealt).any():
            return True
    return False


def _copy(state: State) -> Any:
    copied = new_states(STATE, 1)
    copied[0] = state
    return copied


def _legal(states: Any) -> Any:
    masks = np.zeros((1, ACTIONS.size), np.int8)
    spec("frustration_rummy").loops.legal(states, masks)
    return masks
