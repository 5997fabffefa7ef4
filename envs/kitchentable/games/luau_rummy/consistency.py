"""Whether a state of Luau Rummy agrees with itself, for tests and after reading a table."""

from enum import IntEnum

from kitchentable.cards.consistency import hands_agree, known_agrees, taken_agrees, turns_agree
from kitchentable.engine.jit import kernel
from kitchentable.engine.state import NOBODY, Episode
from kitchentable.games.luau_rummy.pack import (
    ANIMALS,
    FIRST_CARDS,
    LENGTHS,
    N_CARDS,
    N_MELD_KINDS,
    PILEUP,
    TRIPLE,
    WOLF,
)
from kitchentable.games.luau_rummy.rules import (
    MAX_CARDS,
    MAX_COPIES,
    MAX_DECKS,
    MAX_MELDS,
    MAX_PLAYERS,
    MIN_MELD,
    WOLF_PLACE,
    Phase,
    State,
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
    LAID = 9


@kernel
def validate(state: State) -> int:
    """Return the first `Fault` of a state, 0 if all its fields agree."""
    if not options_agree(state):
        return Fault.OPTIONS
    if not seats_agree(state):
        return Fault.SEATS
    if not sizes_agree(state):
        return Fault.SIZES
    if not hands_agree(state) or not no_hand_is_empty(state):
        return Fault.HANDS
    if not cards_agree(state):
        return Fault.CARDS
    if not known_agrees(state):
        return Fault.KNOWN
    if not taken_agrees(state, state.phase == Phase.PLAY):
        return Fault.TAKEN
    for meld in range(state.n_melds):
        if not meld_agrees(state, meld):
            return Fault.MELDS
    if not laid_agrees(state):
        return Fault.LAID
    return Fault.NONE


@kernel
def options_agree(state: State) -> bool:
    """Tell whether the options are allowed, and the sides and the deal follow from them."""
    seats, decks = int(state.num_players), int(state.decks)
    if not 2 <= seats <= MAX_PLAYERS or not 1 <= decks <= MAX_DECKS or (decks == 1 and seats > 2):
        return False
    if state.teams and seats != MAX_PLAYERS:
        return False
    if state.num_sides != (2 if state.teams else seats):
        return False
    if state.piggy_pileup and decks == 1:
        return False
    if not 1 <= state.copies <= MAX_COPIES or not 1 <= state.animal_copies <= MAX_COPIES:
        return False
    if not 0 <= state.wolves <= MAX_COPIES or state.target < 1 or state.turn_cap < 1:
        return False
    last = int(state.deal_cap) if state.episode == Episode.GAME else 1
    return 1 <= state.deal <= last


@kernel
def seats_agree(state: State) -> bool:
    """Tell whether there are such seats and turns, and the mover is to act."""
    if not turns_agree(state):
        return False
    if state.phase == Phase.OVER:
        return state.to_act == NOBODY
    return Phase.DRAW <= state.phase <= Phase.PLAY and state.to_act == state.turn


@kernel
def sizes_agree(state: State) -> bool:
    """Tell whether every size is within its array, and there is something to draw."""
    if not 0 <= state.stock_size <= MAX_CARDS or not 0 <= state.discard_size <= MAX_CARDS:
        return False
    if state.phase == Phase.DRAW and state.stock_size == 0:
        return False
    return 0 <= state.n_melds <= MAX_MELDS


@kernel
def no_hand_is_empty(state: State) -> bool:
    """Tell whether every seat has a card, but for who has gone out."""
    for seat in range(state.num_players):
        is_out = state.phase == Phase.OVER and seat == state.turn
        if state.hand_size[seat] == 0 and not is_out:
            return False
    return True


@kernel
def cards_agree(state: State) -> bool:
    """Tell whether there are exactly the cards of the packs."""
    for card in range(N_CARDS):
        n_piled = 0
        for i in range(state.discard_size):
            n_piled += state.discard[i] == card
        if n_piled != state.in_pile[card]:
            return False
        n = n_piled + int(state.on_table[card])
        for i in range(state.stock_size):
            n += state.stock[i] == card
        for seat in range(MAX_PLAYERS):
            n += int(state.hands[seat, card])
        if n != state.all_copies[card]:
            return False
    return True


@kernel
def meld_agrees(state: State, meld: int) -> bool:
    """Tell whether a meld is one that its side may have, by its cards alone."""
    kind, cards = int(state.meld_kind[meld]), state.meld_cards[meld]
    if not 0 <= kind < N_MELD_KINDS or not 0 <= state.meld_side[meld] < state.num_sides:
        return False
    n, names, wolves = 0, 0, int(cards[WOLF_PLACE])
    for place in range(WOLF_PLACE):
        if cards[place] < 0 or (cards[place] > 0 and place >= LENGTHS[kind]):
            return False
        n += int(cards[place])
        names += cards[place] > 0
    if not 0 <= wolves <= 1 or n + wolves < MIN_MELD:
        return False
    if kind == PILEUP:
        return bool(state.piggy_pileup) and names == 1 and wolves == 0
    return kind == ANIMALS or (n + wolves == TRIPLE and names == n)


@kernel
def laid_agrees(state: State) -> bool:
    """Tell whether what is counted by side and by card is what the melds have."""
    for side in range(MAX_PLAYERS):
        if not melds_of_side_agree(state, side):
            return False
    differ = 0
    for card in range(N_CARDS):
        differ += state.on_table[card] != cards_in_melds(state, card)
    return differ == 0


@kernel
def melds_of_side_agree(state: State, side: int) -> bool:
    """Tell whether melds, those without a wolf, cards and pile-ups of a side are counted right."""
    cards = 0
    for kind in range(N_MELD_KINDS):
        laid, pure = 0, 0
        for meld in range(state.n_melds):
            if state.meld_side[meld] == side and state.meld_kind[meld] == kind:
                laid += 1
                pure += state.meld_cards[meld, WOLF_PLACE] == 0
                for place in range(WOLF_PLACE + 1):
                    cards += int(state.meld_cards[meld, place])
        if laid != state.laid[side, kind] or pure != state.pure[side, kind]:
            return False
    for piggy in range(TRIPLE):
        n = 0
        for meld in range(state.n_melds):
            own = state.meld_side[meld] == side and state.meld_kind[meld] == PILEUP
            n += own and state.meld_cards[meld, piggy] > 0
        if n != state.pileups[side, piggy]:
            return False
    return bool(cards == state.cards_laid[side])


@kernel
def cards_in_melds(state: State, card: int) -> int:
    """Return how many of a card lie in melds."""
    n = 0
    for meld in range(state.n_melds):
        kind = int(state.meld_kind[meld])
        place = WOLF_PLACE if card == WOLF else card - FIRST_CARDS[kind]
        if card == WOLF or 0 <= place < LENGTHS[kind]:
            n += int(state.meld_cards[meld, place])
    return n
