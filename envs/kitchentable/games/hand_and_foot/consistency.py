"""Whether a state of Hand & Foot Canasta agrees with itself, for tests."""

from enum import IntEnum

from kitchentable.cards.consistency import known_agrees
from kitchentable.cards.piles import NONE
from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.state import NOBODY, Episode, seat_after
from kitchentable.games.hand_and_foot.deck import (
    COPIES,
    FIRST_NATURAL,
    JOKER,
    N_CARDS,
    PACK_SIZE,
    RED_THREE,
    TWO,
    VALUES,
)
from kitchentable.games.hand_and_foot.opening import CANASTA, MIN_MELD, wild_fits
from kitchentable.games.hand_and_foot.reach import can_reach, canastas_lacking, feet_are_up, is_open
from kitchentable.games.hand_and_foot.state import (
    ALL_WILD,
    CLEAN,
    DIRTY,
    HAND_SIZE,
    MAX_ASKED_LACK,
    MAX_MELDS,
    N_DEALS,
    N_KINDS,
    N_MELD_RANKS,
    N_SEATS,
    N_SIDES,
    PARTNER,
    WILD,
    Kind,
    Permission,
    Phase,
    State,
    WildRule,
)


class Fault(IntEnum):
    """What `validate` finds wrong with a state."""

    NONE = 0
    OPTIONS = 1
    SEATS = 2
    SIZES = 3
    HANDS = 4
    CARDS = 5
    KNOWN = 6
    MELDS = 7
    CANASTAS = 8
    VALUE = 9
    OPENING = 10
    TURN = 11
    ASIDE = 12
    PERMISSION = 13


@kernel
def validate(state: State) -> int:
    """Return the first `Fault` of a state, 0 if all its fields agree."""
    if not options_agree(state):
        return Fault.OPTIONS
    if not seats_agree(state):
        return Fault.SEATS
    if not sizes_agree(state):
        return Fault.SIZES
    if not hands_agree(state):
        return Fault.HANDS
    for card in range(N_CARDS):
        shown = count_shown(state, card)
        if shown != state.shown[card] or shown + count_hidden(state, card) != COPIES[card]:
            return Fault.CARDS
    if not known_agrees(state):
        return Fault.KNOWN
    for side in range(N_SIDES):
        for meld in range(state.n_melds[side]):
            if not meld_agrees(state, side, meld):
                return Fault.MELDS
        if not canastas_agree(state, side):
            return Fault.CANASTAS
        if not value_agrees(state, side):
            return Fault.VALUE
        if not opening_agrees(state, side):
            return Fault.OPENING
    if not turn_agrees(state):
        return Fault.TURN
    if not aside_agrees(state):
        return Fault.ASIDE
    if not permission_agrees(state):
        return Fault.PERMISSION
    return Fault.NONE


@kernel
def options_agree(state: State) -> bool:
    """Tell whether the options are allowed and the deal follows from them."""
    if state.num_players != N_SEATS or state.num_sides != N_SIDES or state.capped:
        return False
    if not 1 <= state.deal <= N_DEALS:
        return False
    if state.episode == Episode.GAME:
        return bool(state.chosen_deal == 0)
    return bool(state.chosen_deal == 0 or state.chosen_deal == state.deal)


@kernel
def seats_agree(state: State) -> bool:
    """Tell whether there are such seats and turns, and the right one is to act."""
    if not 0 <= state.dealer < N_SEATS or not 0 <= state.turn < N_SEATS or state.turns < 1:
        return False
    if state.phase == Phase.OVER:
        return bool(state.to_act == NOBODY)
    if state.phase == Phase.ASK:
        return bool(state.to_act == seat_after(state, wide(state.turn), PARTNER))
    return bool(Phase.DRAW <= state.phase <= Phase.ASK and state.to_act == state.turn)


@kernel
def sizes_agree(state: State) -> bool:
    """Tell whether every size is within its array, unused places empty, and the pile counted."""
    if not 0 <= state.stock_size <= PACK_SIZE or not 0 <= state.discard_size <= PACK_SIZE:
        return False
    for i in range(state.stock_size, PACK_SIZE):
        if state.stock[i] != 0:
            return False
    for i in range(state.discard_size, PACK_SIZE):
        if state.discard[i] != 0:
            return False
    for card in range(N_CARDS):
        n = 0
        for i in range(state.discard_size):
            n += state.discard[i] == card
        if n != state.pile[card]:
            return False
    for side in range(N_SIDES):
        if not 0 <= state.n_melds[side] <= MAX_MELDS or state.red_threes[side] < 0:
            return False
    return True


@kernel
def hands_agree(state: State) -> bool:
    """Tell whether hands and feet have as many cards as they should, no hand a red three."""
    for seat in range(N_SEATS):
        n, foot = 0, 0
        for card in range(N_CARDS):
            if state.hands[seat, card] < 0 or state.feet[seat, card] < 0:
                return False
            n += int(state.hands[seat, card])
            foot += int(state.feet[seat, card])
        if n != state.hand_size[seat] or state.hands[seat, RED_THREE] > 0:
            return False
        if n == 0 and state.phase != Phase.OVER:
            return False
        if foot != (0 if state.in_foot[seat] else HAND_SIZE):
            return False
    return True


@kernel
def count_hidden(state: State, card: int) -> int:
    """Return how many of a card lie where not all know it."""
    n = 0
    for i in range(state.stock_size):
        n += state.stock[i] == card
    for seat in range(N_SEATS):
        n += int(state.hands[seat, card]) + int(state.feet[seat, card])
        n -= int(state.known[seat, card])
    return n


@kernel
def count_shown(state: State, card: int) -> int:
    """Return how many of a card lie where all know it."""
    n = int(state.pile[card])
    for seat in range(N_SEATS):
        n += int(state.known[seat, card])
    for side in range(N_SIDES):
        n += in_melds(state, side, card)
        if card == RED_THREE:
            n += int(state.red_threes[side])
    return n


@kernel
def meld_agrees(state: State, side: int, meld: int) -> bool:
    """Tell whether a meld is legal, and noted as unclosed if it is."""
    rank, size = wide(state.meld_rank[side, meld]), meld_size(state, side, meld)
    naturals = wide(state.meld_naturals[side, meld])
    wild = wide(state.meld_twos[side, meld]) + wide(state.meld_jokers[side, meld])
    if not 0 <= rank <= WILD or not MIN_MELD <= size <= CANASTA:
        return False
    if rank == WILD and naturals > 0:
        return False
    majority = state.wild_rule == WildRule.MAJORITY
    if rank != WILD and (naturals < 2 or not wild_fits(majority, naturals, wild)):
        return False
    if size == CANASTA:
        return bool(state.unclosed[side, rank] != meld)
    sized = state.unclosed_size[side, rank] == size
    counted = sized and state.unclosed_wild[side, rank] == (0 if rank == WILD else wild)
    return bool(counted and state.unclosed[side, rank] == meld)


@kernel
def meld_size(state: State, side: int, meld: int) -> int:
    """Return how many cards a meld has."""
    wild = int(state.meld_twos[side, meld]) + int(state.meld_jokers[side, meld])
    return int(state.meld_naturals[side, meld]) + wild


@kernel
def canastas_agree(state: State, side: int) -> bool:
    """Tell whether canastas and unclosed melds are counted as they lie."""
    unclosed, closed = 0, 0
    for rank in range(N_MELD_RANKS):
        there = state.unclosed[side, rank] != NONE
        if there != (state.unclosed_size[side, rank] > 0):
            return False
        unclosed += there
        closed += int(state.closed[side, rank])
    for kind in range(N_KINDS):
        n = 0
        for meld in range(state.n_melds[side]):
            n += kind_of(state, side, meld) == kind
        if n != state.canastas[side, kind]:
            return False
        closed -= n
    for meld in range(state.n_melds[side]):
        unclosed -= kind_of(state, side, meld) == NONE
        if not 0 <= state.closed[side, state.meld_rank[side, meld]] <= state.n_melds[side]:
            return False
    return unclosed == 0 and closed == 0


@kernel
def kind_of(state: State, side: int, meld: int) -> int:
    """Return the kind of a canasta, or NONE for a meld that is not closed."""
    if meld_size(state, side, meld) < CANASTA:
        return NONE
    if state.meld_rank[side, meld] == WILD:
        return ALL_WILD
    return CLEAN if state.meld_naturals[side, meld] == CANASTA else DIRTY


@kernel
def value_agrees(state: State, side: int) -> bool:
    """Tell whether the value of a side's melds is counted as they lie."""
    value = 0
    for card in range(N_CARDS):
        value += VALUES[card] * in_melds(state, side, card)
    return bool(value == state.meld_value[side])


@kernel
def in_melds(state: State, side: int, card: int) -> int:
    """Return how many of a card a side's melds have."""
    n = 0
    for meld in range(state.n_melds[side]):
        n += of_card(state, side, meld, card)
    return n


@kernel
def of_card(state: State, side: int, meld: int, card: int) -> int:
    """Return how many of a card a meld has."""
    if card == TWO:
        return wide(state.meld_twos[side, meld])
    if card == JOKER:
        return wide(state.meld_jokers[side, meld])
    of_rank = card == FIRST_NATURAL + int(state.meld_rank[side, meld])
    return wide(state.meld_naturals[side, meld]) if of_rank else 0


@kernel
def opening_agrees(state: State, side: int) -> bool:
    """HF-14: tell whether melds below the minimum are being laid, with the minimum in reach."""
    if is_open(state, side) or state.n_melds[side] == 0:
        return True
    laying = state.phase == Phase.PLAY or state.phase == Phase.ASK
    if not laying or state.turn % N_SIDES != side:
        return False
    if state.one_kind_per_turn and state.kind != Kind.START:
        return False
    return can_reach(state, wide(state.turn))


@kernel
def turn_agrees(state: State) -> bool:
    """Tell whether kind and melds begun can be those of a turn."""
    playing = state.phase == Phase.PLAY or state.phase == Phase.ASK
    if state.kind != Kind.NONE and not (playing and state.one_kind_per_turn):
        return False
    if state.begun != 0 and state.kind != Kind.START:
        return False
    for rank in range(N_MELD_RANKS):
        if (int(state.begun) >> rank) & 1 and state.unclosed[state.turn % N_SIDES, rank] == NONE:
            return False
    return int(state.begun) >> N_MELD_RANKS == 0


@kernel
def aside_agrees(state: State) -> bool:
    """HF-13: tell whether what is aside is known of the hand of a seat that opens."""
    n = 0
    for card in range(N_CARDS):
        n += int(state.aside[card])
        if not 0 <= state.aside[card] <= state.known[state.turn, card]:
            return False
    return n == 0 or not is_open(state, wide(state.turn) % N_SIDES)


@kernel
def permission_agrees(state: State) -> bool:
    """HF-20: tell whether a seat that was asked for, or is being, can go out."""
    if state.permission != Permission.NONE and state.phase != Phase.PLAY:
        return False
    if state.permission == Permission.NONE and state.phase != Phase.ASK:
        return True
    lacking = canastas_lacking(state, wide(state.turn) % N_SIDES, NONE, NONE)
    return feet_are_up(state) and lacking <= MAX_ASKED_LACK
