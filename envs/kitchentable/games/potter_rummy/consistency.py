"""Whether a state agrees with itself, for tests and after reading a table."""

from enum import IntEnum

from kitchentable.cards.consistency import hands_agree, known_agrees, taken_agrees, turns_agree
from kitchentable.engine.jit import kernel
from kitchentable.engine.state import NOBODY, Episode
from kitchentable.games.potter_rummy.rules import (
    COPIES_OF_CHARACTER,
    MAX_PLAYERS,
    MAX_SETS,
    N_CARDS,
    N_CHARACTERS,
    PACK_SIZE,
    PAIR,
    SIGNPOST,
    SIGNPOSTS,
    THREE,
    Phase,
    Scoring,
    State,
    WinRule,
    cards_each,
    has_won,
)


class Fault(IntEnum):
    """What `validate` finds wrong with a state."""

    NONE = 0
    OPTIONS = 1
    SEATS = 2
    SIZES = 3
    HANDS = 4
    SETS = 5
    SHARES = 6
    CARDS = 7
    KNOWN = 8
    TAKEN = 9
    PILE = 10
    WON = 11
    SCORES = 12


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
    if not sets_agree(state):
        return Fault.SETS
    if not shares_agree(state):
        return Fault.SHARES
    if not cards_agree(state):
        return Fault.CARDS
    if not known_agrees(state):
        return Fault.KNOWN
    if not taken_agrees(state, state.phase == Phase.DISCARD):
        return Fault.TAKEN
    if state.phase == Phase.ACT and state.discard_size == 0:
        return Fault.PILE
    if not end_agrees(state):
        return Fault.WON
    if not scores_agree(state):
        return Fault.SCORES
    return Fault.NONE


@kernel
def options_agree(state: State) -> bool:
    """Tell whether the options are allowed, and the deal is within them."""
    seats = int(state.num_players)
    if not 2 <= seats <= MAX_PLAYERS or state.num_sides != seats or state.turn_cap < 1:
        return False
    if not WinRule.GOAL <= state.win_rule <= WinRule.DEALS:
        return False
    if state.episode == Episode.DEAL:
        return state.deal == 1
    most = state.deals if state.win_rule == WinRule.DEALS else state.deal_cap
    return 1 <= state.deal <= most


@kernel
def seats_agree(state: State) -> bool:
    """Tell whether there are such seats and turns, and the mover is to act."""
    if not turns_agree(state):
        return False
    if state.phase == Phase.OVER:
        return state.to_act == NOBODY
    return Phase.ACT <= state.phase <= Phase.DISCARD and state.to_act == state.turn


@kernel
def sizes_agree(state: State) -> bool:
    """Tell whether every size is within its array."""
    piles = 0 <= state.stock_size <= PACK_SIZE and 0 <= state.discard_size <= PACK_SIZE
    for seat in range(MAX_PLAYERS):
        piles = piles and 0 <= state.n_sets[seat] <= MAX_SETS
    return piles


@kernel
def sets_agree(state: State) -> bool:
    """Tell whether every set has two or three cards, and what is unused is 0."""
    for seat in range(MAX_PLAYERS):
        if seat >= state.num_players and state.n_sets[seat] > 0:
            return False
        for place in range(MAX_SETS):
            card, size = state.set_card[seat, place], state.set_size[seat, place]
            signpost = state.set_signpost[seat, place]
            if place >= state.n_sets[seat]:
                if card != 0 or size != 0 or signpost != 0:
                    return False
            elif (
                not PAIR <= size <= THREE or not 0 <= card < N_CHARACTERS or not 0 <= signpost <= 1
            ):
                return False
    return True


@kernel
def shares_agree(state: State) -> bool:
    """BP-3: tell whether every seat has its six (three) cards, one more before the discard."""
    for seat in range(state.num_players):
        n = int(state.hand_size[seat])
        for place in range(state.n_sets[seat]):
            n += int(state.set_size[seat, place])
        drawn = seat == state.turn and state.phase == Phase.DISCARD
        if n != cards_each(state) + int(drawn):
            return False
    return True


@kernel
def cards_agree(state: State) -> bool:
    """Tell whether there are exactly the cards of the pack."""
    for card in range(N_CARDS):
        copies = SIGNPOSTS if card == SIGNPOST else COPIES_OF_CHARACTER
        if count_of(state, card) != copies:
            return False
    return True


@kernel
def count_of(state: State, card: int) -> int:
    """Return how many of a card there are in all places."""
    n = 0
    for i in range(state.stock_size):
        n += int(state.stock[i] == card)
    for i in range(state.discard_size):
        n += int(state.discard[i] == card)
    for seat in range(state.num_players):
        n += int(state.hands[seat, card])
        for place in range(state.n_sets[seat]):
            signpost = int(state.set_signpost[seat, place])
            if card == SIGNPOST:
                n += signpost
            elif card == state.set_card[seat, place]:
                n += int(state.set_size[seat, place]) - signpost
    return n


@kernel
def end_agrees(state: State) -> bool:
    """Tell whether nobody has the sets that win a deal, but for the mover who has ended it."""
    for seat in range(state.num_players):
        ended_it = state.phase == Phase.OVER and seat == state.turn
        if has_won(state, seat) and not ended_it:
            return False
    if state.phase != Phase.OVER or has_won(state, int(state.turn)):
        return True
    last = state.turns == int(state.turn_cap) * int(state.num_players)
    return last and state.capped == 1


@kernel
def scores_agree(state: State) -> bool:
    """BP-13: tell whether nobody has less than no counters."""
    for seat in range(state.num_players):
        if state.scoring == Scoring.COUNTERS and state.scores[seat] < 0:
            return False
    return True
