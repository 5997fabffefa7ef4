"""Whether a state of Norwegian Rummy agrees with itself, for tests and after reading a table."""

from enum import IntEnum

from kitchentable.cards.consistency import (
    french_cards_agree,
    hands_agree,
    known_agrees,
    taken_agrees,
    turns_agree,
)
from kitchentable.cards.contracts import keeps_ratio
from kitchentable.cards.french import (
    JOKER,
    N_POSITIONS,
    N_RANKS,
    PACK_SIZE,
    card_at,
    rank_of,
    suit_of,
)
from kitchentable.cards.piles import NONE
from kitchentable.engine.jit import kernel
from kitchentable.engine.state import NOBODY, Episode
from kitchentable.games.norwegian_rummy.rules import (
    HAND_SIZE,
    LAST_CONTRACT,
    MAX_DECKS,
    MAX_GROUPS,
    MAX_MELD_CARDS,
    MAX_MELDS,
    MAX_PACK,
    MAX_PLAYERS,
    MIN_RUN,
    MIN_SET,
    N_DEALS,
    RUNS,
    SETS,
    Kind,
    Phase,
    State,
    may_buy,
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
    TAKEN = 7
    MELDS = 8
    OWNERS = 9
    CONTRACT = 10
    BUILDING = 11
    BUYS = 12


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
    if not french_cards_agree(state, int(state.decks)):
        return Fault.CARDS
    if not known_agrees(state):
        return Fault.KNOWN
    if not taken_agrees(state, state.phase == Phase.PLAY or state.phase == Phase.MELD):
        return Fault.TAKEN
    for meld in range(state.n_melds):
        if not meld_agrees(state, meld):
            return Fault.MELDS
    if not owners_agree(state):
        return Fault.OWNERS
    if not contract_agrees(state):
        return Fault.CONTRACT
    if not building_agrees(state):
        return Fault.BUILDING
    if not buys_agree(state):
        return Fault.BUYS
    return Fault.NONE


@kernel
def options_agree(state: State) -> bool:
    """Tell whether the options are allowed and the contract follows from them."""
    seats, decks = int(state.num_players), int(state.decks)
    if not 2 <= seats <= MAX_PLAYERS or not 1 <= decks <= MAX_DECKS or state.num_sides != seats:
        return False
    if decks * PACK_SIZE < HAND_SIZE * seats + 1 or state.turn_cap < 1:
        return False
    if state.episode == Episode.GAME:
        return state.chosen_contract == 0 and state.contract == state.deal <= N_DEALS
    chosen = state.chosen_contract == 0 or state.chosen_contract == state.contract
    return state.deal == 1 and 1 <= state.contract <= N_DEALS and chosen


@kernel
def seats_agree(state: State) -> bool:
    """Tell whether there are such seats and turns, and the right one is to act."""
    seats = int(state.num_players)
    if not turns_agree(state):
        return False
    if state.phase == Phase.OVER:
        return state.to_act == NOBODY
    if state.phase == Phase.BUY:
        asked = 0 <= state.to_act < seats and state.to_act != state.turn
        return asked and may_buy(state, state.to_act)
    return Phase.DRAW <= state.phase <= Phase.MELD and state.to_act == state.turn


@kernel
def sizes_agree(state: State) -> bool:
    """Tell whether every size is within its array."""
    if not 0 <= state.stock_size <= MAX_PACK or not 0 <= state.discard_size <= MAX_PACK:
        return False
    if not 0 <= state.n_melds <= MAX_MELDS or not 0 <= state.open_size <= N_POSITIONS:
        return False
    melds = 0
    for meld in range(state.n_melds):
        melds += MIN_SET <= state.meld_size[meld] <= MAX_MELD_CARDS
    return melds == state.n_melds


@kernel
def meld_agrees(state: State, meld: int) -> bool:
    """Tell whether a meld is a set or a run, with its jokers counted and not too many."""
    size, jokers, low = int(state.meld_size[meld]), 0, int(state.meld_low[meld])
    is_run = state.meld_kind[meld] == Kind.RUN
    if is_run and (size < MIN_RUN or low < 1 or low + size - 1 > N_POSITIONS):
        return False
    for place in range(size):
        card = int(state.meld_cards[meld, place])
        natural = card_at(int(state.meld_suit[meld]), low + place)
        if not is_run:
            natural = suit_of(card) * N_RANKS + int(state.meld_rank[meld])
        if card == JOKER:
            jokers += 1
        elif card != natural:
            return False
    fair = keeps_ratio(bool(state.joker_ratio), size - jokers, jokers)
    return fair and jokers == state.meld_jokers[meld]


@kernel
def owners_agree(state: State) -> bool:
    """Tell whether `own_melds` lists every meld once, with its owner, in the order laid."""
    n = 0
    for seat in range(MAX_PLAYERS):
        last = NONE
        for place in range(MAX_GROUPS):
            meld = int(state.own_melds[seat, place])
            if meld != NONE:
                if not last < meld < state.n_melds or state.meld_owner[meld] != seat:
                    return False
                if place > 0 and state.own_melds[seat, place - 1] == NONE:
                    return False
                last = meld
                n += 1
    return n == state.n_melds


@kernel
def contract_agrees(state: State) -> bool:
    """Tell whether a seat that is down has laid the contract, and any other nothing yet."""
    for seat in range(MAX_PLAYERS):
        sets, runs = 0, 0
        for place in range(MAX_GROUPS):
            meld = int(state.own_melds[seat, place])
            if meld != NONE:
                sets += state.meld_kind[meld] == Kind.SET
                runs += state.meld_kind[meld] == Kind.RUN
        laying = state.phase == Phase.MELD and seat == state.turn
        if laying:
            sets += int(state.sets_left) + (state.open_kind == Kind.SET)
            runs += int(state.runs_left) + (state.open_kind == Kind.RUN)
        if laying and state.down[seat]:
            return False
        wanted = laying or state.down[seat]
        if sets != (SETS[state.contract] if wanted else 0):
            return False
        if runs != (RUNS[state.contract] if wanted else 0):
            return False
    return True


@kernel
def building_agrees(state: State) -> bool:
    """Tell whether the open group fits together, and none is open outside phase MELD."""
    size = int(state.open_size)
    if state.phase != Phase.MELD or state.open_kind == NONE:
        left = int(state.sets_left) + int(state.runs_left)
        return state.open_kind == NONE and size == 0 and (left > 0) == (state.phase == Phase.MELD)
    if state.open_kind == Kind.SET and size >= MIN_SET:
        return False
    if state.open_kind == Kind.RUN and state.contract != LAST_CONTRACT and size >= MIN_RUN:
        return False
    if state.open_kind == Kind.RUN and state.open_low + size - 1 > N_POSITIONS:
        return False
    for place in range(size):
        card, natural = int(state.open_cards[place]), 0
        if state.open_kind == Kind.RUN:
            natural = card_at(int(state.open_suit), int(state.open_low) + place)
        elif card != JOKER and rank_of(card) == state.open_rank:
            natural = card
        if card != JOKER and card != natural:
            return False
    return True


@kernel
def buys_agree(state: State) -> bool:
    """NR-14: tell whether a seat that is not down has as many cards as its buys allow.

    After b buys these are 11 + b to 11 + 2b, one more for the mover after its draw, with
    the cards it is laying.
    """
    for seat in range(state.num_players):
        buys = int(state.max_buys) - int(state.buys_left[seat])
        if not 0 <= buys <= state.max_buys:
            return False
        n = int(state.hand_size[seat])
        if seat == state.turn:
            n += int(state.open_size)
            if state.phase != Phase.DRAW and state.phase != Phase.OVER:
                n -= 1
        for place in range(MAX_GROUPS):
            if state.own_melds[seat, place] != NONE:
                n += int(state.meld_size[state.own_melds[seat, place]])
        if not state.down[seat] and not HAND_SIZE + buys <= n <= HAND_SIZE + 2 * buys:
            return False
    return True
