"""Whether a state of Frustration Rummy agrees with itself, for tests and after reading a table."""

from enum import IntEnum

from kitchentable.cards.consistency import (
    french_cards_agree,
    hands_agree,
    known_agrees,
    taken_agrees,
    turns_agree,
)
from kitchentable.cards.french import (
    N_POSITIONS,
    N_RANKS,
    card_at,
)
from kitchentable.cards.piles import NONE
from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.state import NOBODY, Episode
from kitchentable.games.frustration_rummy.rules import (
    ALL_CARDS,
    DECKS,
    HAND_SIZE,
    MAX_GROUP,
    MAX_MELD_CARDS,
    MAX_MELDS,
    MAX_PLAYERS,
    MIN_RUN,
    MIN_SET,
    N_CONTRACTS,
    RUN_LENGTHS,
    RUNS,
    SET_SIZES,
    SETS,
    Kind,
    Phase,
    State,
    shape,
)
from kitchentable.games.frustration_rummy.wild import TWO, is_wild


class Fault(IntEnum):
    """What `validate` finds wrong with a state."""

    NONE = 0
    OPTIONS = 1
    SEATS = 2
    CONTRACTS = 3
    SIZES = 4
    HANDS = 5
    CARDS = 6
    KNOWN = 7
    TAKEN = 8
    MELDS = 9
    DOWN = 10
    BUILDING = 11
    HAND_SIZES = 12


@kernel
def validate(state: State) -> int:
    """Return the first `Fault` of a state, 0 if all its fields agree."""
    if not options_agree(state):
        return Fault.OPTIONS
    if not seats_agree(state):
        return Fault.SEATS
    if not contracts_agree(state):
        return Fault.CONTRACTS
    if not sizes_agree(state):
        return Fault.SIZES
    if not hands_agree(state):
        return Fault.HANDS
    if not french_cards_agree(state, DECKS):
        return Fault.CARDS
    if not known_agrees(state):
        return Fault.KNOWN
    if not taken_agrees(state, state.phase == Phase.PLAY or state.phase == Phase.MELD):
        return Fault.TAKEN
    for meld in range(state.n_melds):
        if not meld_agrees(state, meld):
            return Fault.MELDS
    if not down_agrees(state):
        return Fault.DOWN
    if not building_agrees(state):
        return Fault.BUILDING
    if not hand_sizes_agree(state):
        return Fault.HAND_SIZES
    return Fault.NONE


@kernel
def options_agree(state: State) -> bool:
    """Tell whether the options are allowed, and the deal is one that they know."""
    if not 2 <= state.num_players <= MAX_PLAYERS or state.num_sides != state.num_players:
        return False
    if not 1 <= state.start_contract <= state.last_contract <= N_CONTRACTS:
        return False
    if state.turn_cap < 1 or state.deal_cap < 1 or not 0 <= state.chosen_contract <= N_CONTRACTS:
        return False
    if state.episode == Episode.GAME:
        return state.chosen_contract == 0 and 1 <= state.deal <= state.deal_cap
    return bool(state.deal == 1)


@kernel
def seats_agree(state: State) -> bool:
    """Tell whether there are such seats and turns, and the right one is to act."""
    if not turns_agree(state):
        return False
    if state.phase == Phase.OVER:
        return bool(state.to_act == NOBODY)
    return Phase.DRAW <= state.phase <= Phase.MELD and state.to_act == state.turn


@kernel
def contracts_agree(state: State) -> bool:
    """Tell whether every seat has a contract of the range, in a single deal the same."""
    first, last = wide(state.start_contract), wide(state.last_contract)
    if state.chosen_contract > 0:
        first = last = wide(state.chosen_contract)
    for seat in range(MAX_PLAYERS):
        contract = wide(state.contracts[seat])
        if seat >= state.num_players:
            if contract != 0:
                return False
        elif not first <= contract <= last or (
            state.episode == Episode.DEAL and contract != state.contracts[0]
        ):
            return False
    return True


@kernel
def sizes_agree(state: State) -> bool:
    """Tell whether every size is within its array."""
    if not 0 <= state.stock_size <= ALL_CARDS or not 0 <= state.discard_size <= ALL_CARDS:
        return False
    if not 0 <= state.n_melds <= MAX_MELDS or not 0 <= state.open_size < MAX_GROUP:
        return False
    melds = 0
    for meld in range(state.n_melds):
        melds += MIN_SET <= state.meld_size[meld] <= MAX_MELD_CARDS
    return melds == state.n_melds


@kernel
def is_natural(kind: int, rank: int, suit: int, position: int, card: int) -> bool:
    """Tell whether a card is natural in a set of a rank, or at a position of a run."""
    if is_wild(card):
        return False
    if kind == Kind.SET:
        return card % N_RANKS == rank
    return card == card_at(suit, position)


@kernel
def meld_agrees(state: State, meld: int) -> bool:
    """Tell whether a meld is a set or a run, with its wild cards counted and not too many."""
    size, wild, low = wide(state.meld_size[meld]), 0, wide(state.meld_low[meld])
    kind, rank = wide(state.meld_kind[meld]), wide(state.meld_rank[meld])
    suit = wide(state.meld_suit[meld])
    if kind == Kind.RUN and (size < MIN_RUN or low < 1 or low + size - 1 > N_POSITIONS):
        return False
    if kind == Kind.SET and rank == TWO:
        return False
    for place in range(size):
        card = wide(state.meld_cards[meld, place])
        if is_wild(card):
            wild += 1
        elif not is_natural(kind, rank, suit, low + place, card):
            return False
    owner = 0 <= state.meld_owner[meld] < state.num_players
    return owner and wild == state.meld_wild[meld] and 2 * wild <= size


@kernel
def down_agrees(state: State) -> bool:
    """Tell whether who is down owns its contract, and any other nothing but what it lays now.

    In a game that ended after the last deal that may be, who is down has moved on already.
    """
    for seat in range(state.num_players):
        contract = wide(state.contracts[seat])
        sets, runs, others = groups_of(state, seat, contract)
        if seat == state.turn and state.phase == Phase.MELD and not state.down[seat]:
            sets += wide(state.sets_left) + (state.open_kind == Kind.SET)
            runs += wide(state.runs_left) + (state.open_kind == Kind.RUN)
            if others > 0 or sets != SETS[contract] or runs != RUNS[contract]:
                return False
        elif not state.down[seat]:
            if sets + runs + others > 0:
                return False
        elif sets < SETS[contract] or runs < RUNS[contract]:
            moved_on = state.phase == Phase.OVER and state.episode == Episode.GAME
            if not moved_on or contract == state.start_contract:
                return False
            sets, runs, _ = groups_of(state, seat, contract - 1)
            if sets < SETS[contract - 1] or runs < RUNS[contract - 1]:
                return False
    return True


@kernel
def groups_of(state: State, seat: int, contract: int) -> tuple[int, int, int]:
    """Return how many sets and runs of a contract's sizes a seat owns, and smaller groups."""
    sets, runs, others = 0, 0, 0
    for meld in range(state.n_melds):
        if state.meld_owner[meld] == seat:
            is_set = state.meld_kind[meld] == Kind.SET
            least = SET_SIZES[contract] if is_set else RUN_LENGTHS[contract]
            fits = state.meld_size[meld] >= least
            sets += is_set and fits
            runs += not is_set and fits
            others += not fits
    return sets, runs, others


@kernel
def building_agrees(state: State) -> bool:
    """Tell whether the open group fits together, and none is open outside phase MELD."""
    size, kind = wide(state.open_size), wide(state.open_kind)
    left = wide(state.sets_left) + wide(state.runs_left)
    if state.phase != Phase.MELD:
        return kind == NONE and size == 0 and left == 0
    if state.down[state.turn] and (left > 0 or kind == NONE):
        return False
    if kind == NONE:
        return size == 0 and left > 0
    sizes = shape(state)
    low, rank, suit = wide(state.open_low), wide(state.open_rank), wide(state.open_suit)
    if kind == Kind.SET and (size >= sizes.set_size or rank == TWO):
        return False
    if kind == Kind.RUN and size >= sizes.run_length:
        return False
    if kind == Kind.RUN and (low < 1 or low + sizes.run_length - 1 > N_POSITIONS):
        return False
    for place in range(size):
        card = wide(state.open_cards[place])
        if not is_wild(card) and not is_natural(kind, rank, suit, low + place, card):
            return False
    return True


@kernel
def hand_sizes_agree(state: State) -> bool:
    """Tell whether who is not down has 13 cards, 14 between its draw and its discard.

    Cards that it is laying count. Who is down has a card to discard, unless it is out.
    """
    if state.phase == Phase.OVER and state.points[state.turn] == 0 and not state.capped:
        return False
    for seat in range(state.num_players):
        n, is_mover = wide(state.hand_size[seat]), seat == state.turn
        drawn = is_mover and (state.phase == Phase.PLAY or state.phase == Phase.MELD)
        if state.down[seat]:
            if n < 1 and not (is_mover and state.phase == Phase.OVER):
                return False
            continue
        if is_mover and state.phase == Phase.MELD:
            n += wide(state.open_size)
            for meld in range(state.n_melds):
                if state.meld_owner[meld] == seat:
                    n += wide(state.meld_size[meld])
        if n != HAND_SIZE + drawn:
            return False
    return True
