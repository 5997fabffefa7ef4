"""Tables and views of Norwegian Rummy read back into a state; every key is checked.

A position that play could not have led to may pass, a contradiction does not. Order:
deal and seats, the cards that all see, the hands and the stock, then what must agree.
"""

from typing import Any

import numpy as np

from kitchentable.cards.french import (
    CARDS,
    JOKER,
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
from kitchentable.games.norwegian_rummy.rules import (
    ACTIONS,
    HAND_SIZE,
    LAST_CONTRACT,
    MAX_MELD_CARDS,
    MIN_RUN,
    MIN_SET,
    N_DEALS,
    N_LOWS,
    RUNS,
    SETS,
    STATE,
    Kind,
    Phase,
    State,
)

MAX_SCORE = 1_000_000
"""More than any game can bring, and little enough for the sums to fit."""
_TRIES = 4
"""Deals of the hidden cards before a view is thought impossible; one does as a rule."""


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
        expected = "a group with which the mover's hand can complete the contract"
        raise reader.error("building", expected, reader.value("building"))


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
        expected = "a group with which the mover's hand can complete the contract"
        raise reader.error("building", expected, reader.value("building"))
    return viewer


def _read_open_cards(reader: Reader, state: State) -> Tally:
    """Read everything but hands and stock; return what cards that leaves."""
    _clear(state)
    _read_deal(reader, state)
    _read_seats(reader, state)
    tally = tally_of_packs(int(state.decks))
    read_discard(reader, state, tally)
    for meld in reader.objects("melds"):
        _read_meld(meld, state, tally)
    _read_building(reader, state, tally)
    read_taken(reader, state, PACK)
    return tally


def _clear(state: State) -> None:
    """Set what a state of zeros does not say by itself."""
    state.taken = NONE
    state.own_melds[:] = NONE
    state.open_kind = NONE


def _read_deal(reader: Reader, state: State) -> None:
    """Which deal it is and its contract, and what turns and scores there can be."""
    is_game = state.episode == Episode.GAME
    reader.integer("deal", 1, N_DEALS if is_game else 1)
    finished_early = is_game and state.phase == Phase.OVER and state.deal < N_DEALS
    if finished_early:
        raise reader.error("deal", f"{N_DEALS} in a finished game", int(state.deal))
    given = reader.below("contract")
    pair = given.integer("sets", 0, max(SETS)), given.integer("runs", 0, max(RUNS))
    given.finish()
    due = int(state.deal) if is_game else int(state.chosen_contract)
    contracts = [due] if due else list(range(1, N_DEALS + 1))
    for contract in contracts:
        if pair == (SETS[contract], RUNS[contract]):
            state.contract = contract
    if not state.contract:
        expected = f"the contract of deal {due}" if due else "one of the seven contracts"
        raise reader.error("contract", expected, reader.value("contract"))
    reader.integer("turns", 1, int(state.turn_cap) * int(state.num_players))
    reader.integers("scores", int(state.num_players), 0, MAX_SCORE)


def _read_seats(reader: Reader, state: State) -> None:
    """Who is down, the buys left, and the cards that all know to be in each hand."""
    seats = int(state.num_players)
    state.down[:seats] = reader.flags("down", seats)
    state.buys_left[:seats] = reader.integers("buys_left", seats, 0, int(state.max_buys))
    read_known(reader, state, PACK)


# Melds


def _read_meld(meld: Reader, state: State, tally: Tally) -> None:
    """One meld, legal by itself, with an owner who may have it."""
    number = int(state.n_melds)
    owner = meld.integer("owner", 0, int(state.num_players) - 1)
    kind = Kind[meld.word("kind", ("set", "run")).upper()]
    _register_owner(meld, state, owner, kind)
    if kind == Kind.SET:
        rank = RANKS.index(meld.word("rank", tuple(RANKS)))
        cards = _read_set_cards(meld, rank, MAX_MELD_CARDS, tally)
        state.meld_rank[number] = rank
    else:
        suit = SUITS.index(meld.word("suit", tuple(SUITS)))
        low = meld.integer("low", 1, N_LOWS)
        cards = _read_run_cards(meld, suit, low, tally)
        state.meld_suit[number], state.meld_low[number] = suit, low
    meld.finish()
    _check_complete(meld, state, kind, cards)
    state.meld_owner[number], state.meld_kind[number] = owner, kind
    state.meld_size[number], state.meld_jokers[number] = len(cards), cards.count(JOKER)
    state.meld_cards[number][: len(cards)] = cards
    state.n_melds = number + 1


def _register_owner(meld: Reader, state: State, owner: int, kind: Kind) -> None:
    """NR-4: a seat owns no more groups of a kind than the contract has."""
    own = [int(other) for other in state.own_melds[owner] if other != NONE]
    allowed = (SETS if kind == Kind.SET else RUNS)[state.contract]
    if sum(state.meld_kind[other] == kind for other in own) >= allowed:
        expected = f"a seat with no more than {allowed} {kind.name.lower()}s, as its contract has"
        raise meld.error("owner", expected, owner)
    state.own_melds[owner][len(own)] = state.n_melds


def _read_set_cards(group: Reader, rank: int, most: int, tally: Tally) -> list[int]:
    """The cards of a set, in the order laid."""
    values = _list_of_at_most(group, most)
    cards = tally.take_all(group, "cards", values)
    for i, card in enumerate(cards):
        if card != JOKER and rank_of(card) != rank:
            raise group.error(f"cards[{i}]", f"of rank {RANKS[rank]}, or JK", values[i])
    return cards


def _read_run_cards(
    group: Reader, suit: int, low: int, tally: Tally, most: int = N_POSITIONS
) -> list[int]:
    """The cards of a run from position `low` up, inside 1 .. 14 (G-4)."""
    values = _list_of_at_most(group, min(most, N_POSITIONS + 1 - low))
    cards = tally.take_all(group, "cards", values)
    for i, card in enumerate(cards):
        wanted = card_at(suit, low + i)
        if card not in (wanted, JOKER):
            raise group.error(f"cards[{i}]", f"{CARDS[wanted]} or JK", values[i])
    return cards


def _list_of_at_most(group: Reader, most: int) -> list[Any]:
    values = group.items("cards")
    if len(values) > most:
        raise group.error("cards", f"a list of {most} at most", values)
    return values


def _check_complete(meld: Reader, state: State, kind: Kind, cards: list[int]) -> None:
    """Three for a set, four for a run, and the jokers within their ratio (NR-6)."""
    least = MIN_SET if kind == Kind.SET else MIN_RUN
    jokers = cards.count(JOKER)
    naturals = len(cards) - jokers
    if len(cards) < least:
        raise meld.error("cards", f"{least} cards at least", meld.value("cards"))
    if naturals < (jokers if state.joker_ratio else 1):
        expected = "no more jokers than natural cards" if state.joker_ratio else "not jokers alone"
        raise meld.error("cards", expected, meld.value("cards"))


def _read_building(reader: Reader, state: State, tally: Tally) -> None:
    """The open group and what is left of the contract: in phase meld, and only then."""
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
    state.sets_left = building.integer("sets_left", 0, SETS[state.contract])
    state.runs_left = building.integer("runs_left", 0, RUNS[state.contract])
    building.finish()
    _check_groups_left(building, state)


def _read_open_set(building: Reader, state: State, tally: Tally) -> list[int]:
    """With its last card a set is complete, and in `melds`."""
    state.open_kind = Kind.SET
    state.open_rank = RANKS.index(building.word("rank", tuple(RANKS)))
    return _read_set_cards(building, int(state.open_rank), MIN_SET - 1, tally)


def _read_open_run(building: Reader, state: State, tally: Tally) -> list[int]:
    """With its fourth card a run is complete, but in contract 7 it goes on until closed."""
    state.open_kind = Kind.RUN
    state.open_suit = SUITS.index(building.word("suit", tuple(SUITS)))
    state.open_low = building.integer("low", 1, N_LOWS)
    most = N_POSITIONS if state.contract == LAST_CONTRACT else MIN_RUN - 1
    return _read_run_cards(building, int(state.open_suit), int(state.open_low), tally, most)


def _check_groups_left(building: Reader, state: State) -> None:
    """Groups laid, the open one and those left are the contract's."""
    own = [int(number) for number in state.own_melds[state.turn] if number != NONE]
    for kind, total in ((Kind.SET, SETS[state.contract]), (Kind.RUN, RUNS[state.contract])):
        key = f"{kind.name.lower()}s_left"
        laid = sum(state.meld_kind[number] == kind for number in own)
        due = total - laid - (state.open_kind == kind)
        if building.value(key) != due:
            expected = f"{due}, as the contract has {total}"
            raise building.error(key, expected, building.value(key))
    if state.open_kind == NONE and not (own and state.sets_left + state.runs_left):
        raise building.error("kind", "null only between two groups", None)


# What must agree


def _check(reader: Reader, state: State) -> None:
    """The position is one that the rules know."""
    _check_seats_to_act(reader, state)
    _check_phase(reader, state)
    _check_taken(reader, state)
    for seat in range(state.num_players):
        _check_groups(reader, state, seat)
    for seat in range(state.num_players):
        _check_hand_size(reader, state, seat)
    if state.phase == Phase.OVER:
        _check_end(reader, state)


def _check_seats_to_act(reader: Reader, state: State) -> None:
    """NR-12: who is asked is the rest of those who can buy, clockwise from the mover."""
    asked = reader.integers("asked", None, 0, int(state.num_players) - 1)
    acts = state.to_act
    if state.phase == Phase.BUY:
        seats = [(state.turn + step) % state.num_players for step in range(1, state.num_players)]
        buyers = [int(s) for s in seats if not state.down[s] and state.buys_left[s]]
        if acts not in buyers:
            raise reader.error("to_act", "a seat that can buy", int(acts))
        due = buyers[buyers.index(acts) :]
    else:
        due = []
        if state.phase != Phase.OVER and acts != state.turn:
            raise reader.error("to_act", f"{state.turn}, whose turn it is", int(acts))
    if asked != due:
        raise reader.error("asked", str(due), asked)


def _check_phase(reader: Reader, state: State) -> None:
    """There is something to draw, to buy, to lay."""
    if state.phase == Phase.DRAW and not (state.stock_size or state.discard_size):
        raise reader.error("discard", "a card at least, or one in the stock, to be drawn", [])
    if state.phase == Phase.BUY and not state.discard_size:
        raise reader.error("discard", "a card at least, to be bought", [])
    if state.phase == Phase.MELD and state.down[state.turn]:
        raise reader.error("down", "false for the seat that lays its contract", True)


def _check_taken(reader: Reader, state: State) -> None:
    """A card taken in this turn lies in the mover's hand."""
    if state.taken == NONE:
        return
    if state.phase not in (Phase.PLAY, Phase.MELD):
        raise reader.error("taken", "null but in phases play and meld", reader.value("taken"))
    if not state.hands[state.turn][state.taken]:
        raise reader.error("taken", "a card of the mover's hand", reader.value("taken"))


def _check_hand_size(reader: Reader, state: State, seat: int) -> None:
    """NR-13, NR-14: eleven cards, one or two more for each buy, one more for the mover's draw."""
    buys = int(state.max_buys) - int(state.buys_left[seat])
    is_mover = seat == state.turn
    drawn = int(is_mover and state.phase in (Phase.BUY, Phase.PLAY, Phase.MELD))
    least, most = HAND_SIZE + buys + drawn, HAND_SIZE + 2 * buys + drawn
    size = int(state.hand_size[seat])
    if state.down[seat]:
        least = 0 if is_mover and state.phase == Phase.OVER else 1
    elif is_mover and state.phase == Phase.MELD:
        own = [number for number in state.own_melds[seat] if number != NONE]
        laid = int(state.open_size) + sum(int(state.meld_size[number]) for number in own)
        least, most = least - laid, most - laid
    if not least <= size <= most:
        raise reader.error(f"hands[{seat}]", f"{least} .. {most} cards", size)


def _check_groups(reader: Reader, state: State, seat: int) -> None:
    """NR-4: who is down owns exactly the groups of the contract, and who is not owns none."""
    own = sum(number != NONE for number in state.own_melds[seat])
    if state.down[seat]:
        due = SETS[state.contract] + RUNS[state.contract]
        if own != due:
            expected = f"false for a seat with {own} of {due} groups"
            raise reader.error(f"down[{seat}]", expected, True)
    elif own and not (seat == state.turn and state.phase == Phase.MELD):
        raise reader.error(f"down[{seat}]", "true for a seat that owns melds", False)


def _check_end(reader: Reader, state: State) -> None:
    """The lowest total wins; the deal ended by going out or at the cap."""
    scores = [int(score) for score in state.scores[: state.num_players]]
    winners = [seat for seat, score in enumerate(scores) if score == min(scores)]
    if reader.value("winners") != winners:
        raise reader.error("winners", str(winners), reader.value("winners"))
    at_cap = state.capped and state.turns == int(state.turn_cap) * int(state.num_players)
    if state.hand_size[state.turn] and not at_cap:
        seat = int(state.turn)
        size = int(state.hand_size[seat])
        raise reader.error(
            f"hands[{seat}]", "empty, unless the cap ended the deal", f"{size} cards"
        )


def _has_legal_move(state: State) -> bool:
    """Ask the rules; only who can complete the contract may be laying it."""
    return bool(_legal(_copy(state)).any())


def _can_go_on(state: State, viewer: int) -> bool:
    """Whether the seat that lays its contract can hold a hand with which it has a move."""
    if state.turn == viewer:
        return _has_legal_move(state)
    seats = np.array([viewer], np.int32)
    for seed in range(_TRIES):
        dealt = _copy(state)
        spec("norwegian_rummy").loops.resample(dealt, seats, seeds(seed, 1))
        if _legal(dealt).any():
            return True
    return False


def _copy(state: State) -> Any:
    copied = new_states(STATE, 1)
    copied[0] = state
    return copied


def _legal(states: Any) -> Any:
    masks = np.zeros((1, ACTIONS.size), np.int8)
    spec("norwegian_rummy").loops.legal(states, masks)
    return masks
