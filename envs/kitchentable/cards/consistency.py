"""Whether piles, hands and turns of a state agree, for the `validate` of every card game.

For states with the fields of `cards.piles`.
"""

from typing import Any

from kitchentable.cards.french import JOKERS_A_PACK, N_CARDS, N_RANKS, N_SUITS, PACK_SIZE
from kitchentable.cards.piles import NONE
from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.record import Int8Array

EACH_RANK = sum(1 << (4 * rank) for rank in range(N_RANKS))
"""One card of each rank, four bits each."""


@kernel
def turns_agree(state: Any) -> bool:
    """Tell whether there are such seats and turns, within the cap."""
    seats = wide(state.num_players)
    if not 0 <= state.dealer < seats or not 0 <= state.turn < seats:
        return False
    return bool(1 <= state.turns <= wide(state.turn_cap) * seats)


@kernel
def hands_agree(state: Any) -> bool:
    """Tell whether the hands have as many cards as `hand_size` says; none beyond the seats."""
    seats, cards = state.hands.shape
    for seat in range(seats):
        n = 0
        for card in range(cards):
            if state.hands[seat, card] < 0:
                return False
            n += wide(state.hands[seat, card])
        if n != state.hand_size[seat] or (seat >= state.num_players and n > 0):
            return False
    return True


@kernel
def known_agrees(state: Any) -> bool:
    """Tell whether each hand has the cards that all know of it."""
    seats, cards = state.hands.shape
    for seat in range(seats):
        for card in range(cards):
            if not 0 <= state.known[seat, card] <= state.hands[seat, card]:
                return False
    return True


@kernel
def taken_agrees(state: Any, may_be_taken: bool) -> bool:
    """Tell whether the card taken, where there may be one, is known of the mover's hand."""
    if state.taken == NONE:
        return True
    there = may_be_taken and 0 <= state.taken < state.hands.shape[1]
    return bool(there and state.known[state.turn, state.taken] > 0)


@kernel
def french_cards_agree(state: Any, decks: int) -> bool:
    """Tell whether there are exactly the cards of so many packs.

    For states with the fields of `cards.sets_and_runs`. With the right number of cards in
    all, equal tallies leave no card over or missing, even if a digit of a tally ran over.
    """
    n = wide(state.stock_size) + wide(state.discard_size) + wide(state.open_size)
    for seat in range(state.num_players):
        n += wide(state.hand_size[seat])
    for meld in range(state.n_melds):
        n += wide(state.meld_size[meld])
    complete = n == PACK_SIZE * decks
    for suit in range(N_SUITS):
        complete &= tally(state, suit) == EACH_RANK * decks
    return complete and tally(state, N_SUITS) == JOKERS_A_PACK * decks


@kernel
def tally(state: Any, suit: int) -> int:
    """Return how many of each rank of a suit there are, four bits each; of jokers for suit 4."""
    total = tally_of(state.stock, wide(state.stock_size), suit)
    total += tally_of(state.discard, wide(state.discard_size), suit)
    total += tally_of(state.open_cards, wide(state.open_size), suit)
    for meld in range(state.n_melds):
        total += tally_of(state.meld_cards[meld], wide(state.meld_size[meld]), suit)
    for seat in range(state.num_players):
        for card in range(suit * N_RANKS, min((suit + 1) * N_RANKS, N_CARDS)):
            total += wide(state.hands[seat, card]) << (4 * (card % N_RANKS))
    return total


@kernel
def tally_of(cards: Int8Array, n: int, suit: int) -> int:
    """Return the tally of the first `n` of some cards."""
    total = 0
    for i in range(n):
        card = wide(cards[i])
        if card // N_RANKS == suit:
            total += 1 << (4 * (card % N_RANKS))
    return total
