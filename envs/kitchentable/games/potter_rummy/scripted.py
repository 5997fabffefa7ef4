"""The scripted opponent of Beatrix Potter's Rummy.

It plays like an attentive amateur, by these pieces of advice:

- Count what is gone: a character is worth collecting only while its cards can still come,
  and a card that has been seen in the discard pile comes back with the next stock.
- Win if that can be done, and complete a set as soon as that can be done.
- Take the top discard, or a signpost for a card from another seat's set, if that brings the
  sets that win nearer than a card of the stock does on average.
- Keep pairs in the hand, where they can still be given up; but lay a pair when the deal can
  end any time, since cards on the table cost nothing: always with three cards a seat, else
  when somebody has a set of three and the mover has none.
- Discard what the sets miss least, and rather not what the next player has a pair of or is
  known to hold. Never a signpost, if there is another card.
- Take back a pair that cannot become a set of three.
"""

from typing import NamedTuple

from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.state import next_seat, seat_after
from kitchentable.games.potter_rummy.rules import (
    ADD,
    COPIES_OF_CHARACTER,
    DISCARD,
    DRAW_STOCK,
    LAY,
    LAYS,
    MAX_ADDS,
    MAX_SETS,
    N_CARDS,
    N_CHARACTERS,
    PAIR,
    SIGNPOST,
    SIGNPOSTS,
    SUBSTITUTE,
    TAKE_BACK,
    TAKE_DISCARD,
    THREE,
    Phase,
    State,
    sets_of_three,
    sets_to_win,
)

BITS = 4
"""Bits of a card's count in a packed hand."""
FIELD = (1 << BITS) - 1
WAIT = 1000
"""What it costs to wait for a card that can come in one way."""
HIDDEN_WAYS, STOCK_WAYS = 10, 6
"""Ways for an unseen card to come if it lies in a hand, and how many more if in the stock."""
PILE_WAYS, SOON = 48, 4
"""Ways for a card of the discard pile, divided by SOON more cards than the stock has."""
HOPELESS = 600
"""The cost of a card that cannot come."""
LAID = 60
"""What it is worth that the pair of a set lies on the table already."""
MIN_GAIN = 3
"""A discard is taken, or a signpost fetched, that saves more cost than this."""
HELP_PAIR, HELP_KNOWN, HELP_WIN = 5, 2, 40
"""How bad it is to discard what the next player has a pair of, holds, or wins with."""
NO_ACTION = -1
MOST = 1 << 30
"""More than any cost."""


class Outlook(NamedTuple):
    """What a seat judges its cards by; counts by card are packed, `BITS` for each."""

    unseen: int
    """By card: how many lie where the seat cannot know."""
    pile: int
    """By card: how many the discard pile has."""
    unseen_ways: int
    """The ways in which an unseen card can come."""
    pile_ways: int
    """The ways in which a card of the pile can come."""
    table: int
    """By character: natural cards in own sets of two."""
    posted: int
    """A bit for each character of which an own set of two has a signpost."""
    need: int
    """Sets of three still to be completed."""


@kernel
def scripted(state: State) -> int:
    """Return the move of the seat to act; see the top of this page for how it plays."""
    seat = wide(state.to_act)
    view = outlook(state, seat)
    if state.phase == Phase.DISCARD:
        return choose_discard(state, view, seat)
    action = complete_set(state, seat)
    if action == NO_ACTION:
        action = take_back_hopeless(state, view, seat)
    if action == NO_ACTION:
        action = choose_gain(state, view, seat)
    if action == NO_ACTION:
        action = lay_pair(state, view, seat)
    return action if action != NO_ACTION else DRAW_STOCK


@kernel
def count(packed: int, card: int) -> int:
    """Return how many of a card a packed hand has."""
    return (packed >> (BITS * card)) & FIELD


@kernel
def one(card: int) -> int:
    """Return one card as a packed hand."""
    return 1 << (BITS * card)


@kernel
def packed_hand(state: State, seat: int) -> int:
    """Return the hand of a seat, packed."""
    hand = 0
    for card in range(N_CARDS):
        hand |= wide(state.hands[seat, card]) << (BITS * card)
    return hand


@kernel
def outlook(state: State, seat: int) -> Outlook:
    """Return what a seat judges its cards by."""
    unseen, held = 0, 0
    for card in range(N_CHARACTERS):
        unseen += one(card) * (COPIES_OF_CHARACTER - wide(state.hands[seat, card]))
    unseen += one(SIGNPOST) * (SIGNPOSTS - wide(state.hands[seat, SIGNPOST]))
    table, posted, pile = 0, 0, 0
    for i in range(state.discard_size):
        pile += one(wide(state.discard[i]))
    for other in range(state.num_players):
        for place in range(state.n_sets[other]):
            card, signpost = wide(state.set_card[other, place]), state.set_signpost[other, place]
            cards = one(card) * (wide(state.set_size[other, place]) - wide(signpost))
            unseen -= cards + one(SIGNPOST) * wide(signpost)
            if other == seat and state.set_size[other, place] == PAIR:
                table += cards
                posted |= wide(signpost) << card
        if other != seat:
            for card in range(N_CARDS):
                held += one(card) * wide(state.known[other, card])
    unseen -= pile + held
    stock = wide(state.stock_size)
    unseen_ways = HIDDEN_WAYS + STOCK_WAYS * stock // max(1, total(unseen))
    need = sets_to_win(state) - sets_of_three(state, seat)
    return Outlook(unseen, pile, unseen_ways, PILE_WAYS // (SOON + stock), table, posted, need)


@kernel
def total(packed: int) -> int:
    """Return how many cards a packed hand has."""
    n = 0
    for card in range(N_CARDS):
        n += count(packed, card)
    return n


@kernel
def cost_of_set(hand: int, view: Outlook, card: int, signpost: int) -> int:
    """Return what a set of a character still costs, with a signpost of the hand or without."""
    on_table = count(view.table, card)
    posted = (view.posted >> card) & 1
    wild = max(signpost, posted)
    lacking = THREE - count(hand, card) - on_table - wild
    cost = -LAID if on_table > 0 else 0
    ways = view.unseen_ways * count(view.unseen, card) + view.pile_ways * count(view.pile, card)
    if lacking > 0 and wild == 0:
        ways += view.unseen_ways * count(view.unseen, SIGNPOST) // 2
    for _ in range(lacking):
        cost += min(HOPELESS, WAIT // ways) if ways > 0 else HOPELESS
        ways = max(0, ways - view.unseen_ways)
    return cost


@kernel
def cost_of_nothing(view: Outlook) -> int:
    """Return what a set costs that is not begun, as if all its cards were unseen."""
    cost = 0
    for copies in range(1, COPIES_OF_CHARACTER + 1):
        cost += min(HOPELESS, WAIT // max(1, view.unseen_ways * copies))
    return cost


class Ranking(NamedTuple):
    """The three sets that cost least, and the characters of the first two."""

    first: int
    second: int
    third: int
    at_first: int
    at_second: int


@kernel
def rank_sets(hand: int, view: Outlook, signpost: int) -> Ranking:
    """Return the sets that cost least, each with a signpost of the hand or each without."""
    nothing = cost_of_nothing(view)
    first, second, third = nothing, nothing, nothing
    at_first, at_second = NO_ACTION, NO_ACTION
    for card in range(N_CHARACTERS):
        if count(hand, card) + count(view.table, card) > 0:
            cost = cost_of_set(hand, view, card, signpost)
            if cost < first:
                first, second, third = cost, first, second
                at_first, at_second = card, at_first
            elif cost < second:
                second, third, at_second = cost, second, card
            elif cost < third:
                third = cost
    return Ranking(first, second, third, at_first, at_second)


@kernel
def cost_of_hand(hand: int, view: Outlook) -> int:
    """Return what the sets that win still cost: the cheapest, and a part of the next ones."""
    signposts = count(hand, SIGNPOST)
    plain = rank_sets(hand, view, 0)
    wild = rank_sets(hand, view, 1) if signposts > 0 else plain
    if view.need == 1:
        return wild.first + plain.second // 4 + plain.third // 16
    if signposts != 1:
        return wild.first + wild.second + plain.third // 4
    first = wild.first + (plain.second if wild.at_first == plain.at_first else plain.first)
    second = wild.second + (plain.second if wild.at_second == plain.at_first else plain.first)
    return min(first, second) + plain.third // 4


@kernel
def complete_set(state: State, seat: int) -> int:
    """Add a third card, a natural one rather than a signpost, or lay three."""
    hand = state.hands[seat]
    found = NO_ACTION
    for place in range(min(MAX_ADDS, wide(state.n_sets[seat]))):
        if state.set_size[seat, place] == PAIR:
            if hand[state.set_card[seat, place]] > 0:
                return ADD + 2 * place
            if hand[SIGNPOST] > 0 and not state.set_signpost[seat, place]:
                found = ADD + 2 * place + 1
    for card in range(N_CHARACTERS):
        if hand[card] == THREE:
            return LAY + LAYS * card + 2
        if hand[card] == PAIR and hand[SIGNPOST] > 0 and found == NO_ACTION:
            found = LAY + LAYS * card + 3
    return found


@kernel
def take_back_hopeless(state: State, view: Outlook, seat: int) -> int:
    """Take back a pair that cannot be completed, or with an empty hand the worst one."""
    worst, most = NO_ACTION, HOPELESS - LAID - 1
    if state.hand_size[seat] == 0:
        most = -MOST
    for place in range(state.n_sets[seat]):
        if state.set_size[seat, place] == PAIR:
            cost = cost_of_set(0, view, wide(state.set_card[seat, place]), 0)
            if cost > most:
                worst, most = TAKE_BACK + place, cost
    return worst


@kernel
def choose_gain(state: State, view: Outlook, seat: int) -> int:
    """Take the top discard, or fetch a signpost, if that is better than a card of the stock."""
    hand = packed_hand(state, seat)
    best, least = NO_ACTION, cost_of_drawing(state, hand, view) - MIN_GAIN
    top = wide(state.discard[state.discard_size - 1])
    cost = cost_after_discard(state, hand + one(top), without_top(view, top), top)
    if cost < least:
        best, least = TAKE_DISCARD, cost
    for step in range(1, state.num_players):
        owner = seat_after(state, seat, step)
        for place in range(state.n_sets[owner]):
            card = wide(state.set_card[owner, place])
            if state.set_signpost[owner, place] and count(hand, card) > 0:
                cost = cost_of_hand(hand - one(card) + one(SIGNPOST), view)
                if cost < least:
                    best, least = SUBSTITUTE + MAX_SETS * (step - 1) + place, cost
    return best


@kernel
def cost_of_drawing(state: State, hand: int, view: Outlook) -> int:
    """Return what the hand costs on average after a card of the stock and a discard."""
    now, cost, n = cost_of_hand(hand, view), 0, 0
    for card in range(N_CARDS):
        copies = count(view.unseen, card)
        if copies > 0:
            back = now + help_to_next(state, card)
            kept = cost_after_discard(state, hand + one(card), without_unseen(view, card), card)
            cost += copies * min(back, kept)
            n += copies
    return cost // n if n > 0 else now


@kernel
def cost_after_discard(state: State, hand: int, view: Outlook, drawn: int) -> int:
    """Return the least cost, help to others counted, once another card than `drawn` is gone."""
    least = MOST
    for card in range(N_CHARACTERS):
        if card != drawn and count(hand, card) > 0:
            cost = cost_of_hand(hand - one(card), view) + help_to_next(state, card)
            least = min(least, cost)
    return least


@kernel
def without_top(view: Outlook, card: int) -> Outlook:
    """Return the outlook once the top discard is in the hand."""
    pile = view.pile - one(card)
    return Outlook(
        view.unseen, pile, view.unseen_ways, view.pile_ways, view.table, view.posted, view.need
    )


@kernel
def without_unseen(view: Outlook, card: int) -> Outlook:
    """Return the outlook once an unseen card is in the hand."""
    unseen = view.unseen - one(card)
    return Outlook(
        unseen, view.pile, view.unseen_ways, view.pile_ways, view.table, view.posted, view.need
    )


@kernel
def lay_pair(state: State, view: Outlook, seat: int) -> int:
    """Lay the best pair of two natural cards, if the deal can end before the third comes.

    At a large table that is always so; at a small one if somebody has a set of three and
    the mover has none. The pair must have its place among the sets that win.
    """
    own = sets_of_three(state, seat)
    if wide(state.n_sets[seat]) - own >= view.need:
        return NO_ACTION
    if sets_to_win(state) > 1 and (own > 0 or not somebody_is_near(state)):
        return NO_ACTION
    best, least = NO_ACTION, HOPELESS
    hand = packed_hand(state, seat)
    for card in range(N_CHARACTERS):
        if count(hand, card) == PAIR:
            cost = cost_of_set(hand, view, card, 0)
            if cost < least:
                best, least = LAY + LAYS * card, cost
    return best


@kernel
def somebody_is_near(state: State) -> bool:
    """Tell whether a seat has a set of three already."""
    n = 0
    for seat in range(state.num_players):
        n += sets_of_three(state, seat)
    return n > 0


@kernel
def choose_discard(state: State, view: Outlook, seat: int) -> int:
    """Discard what the sets miss least and the next player cannot use."""
    hand = packed_hand(state, seat)
    best, least = SIGNPOST, MOST
    for i in range(N_CHARACTERS):
        # Of equal cards not always the same: two seats could wait for each other for ever.
        card = (i + wide(state.turns)) % N_CHARACTERS
        if count(hand, card) > 0 and not is_barred(state, card):
            loss = cost_of_hand(hand - one(card), view) + help_to_next(state, card)
            if loss < least:
                best, least = card, loss
    return DISCARD + best


@kernel
def is_barred(state: State, card: int) -> bool:
    """G-3: tell whether a card was just taken and may not go back."""
    seat = state.turn
    others = state.hand_size[seat] > state.hands[seat, card]
    return card == state.taken and not state.return_discard and others


@kernel
def help_to_next(state: State, card: int) -> int:
    """Return how much a discard would help the next player."""
    follower = next_seat(state, wide(state.turn))
    bad = HELP_KNOWN * wide(state.known[follower, card])
    wins = sets_of_three(state, follower) == sets_to_win(state) - 1
    for place in range(state.n_sets[follower]):
        is_pair = state.set_size[follower, place] == PAIR
        if is_pair and state.set_card[follower, place] == card:
            bad += HELP_WIN if wins else HELP_PAIR
    return bad
