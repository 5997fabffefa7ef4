"""The scripted opponent of Luau Rummy.

It plays like an attentive amateur, by these pieces of advice:

- Take the pile when it brings melds, or several cards that melds can be made of; the more
  cards somebody could soon be given, the less cards without a use are wanted.
- Lay melds at once: every card laid is a point. Wolves go where a kind is missing for the
  Luau first, and not into the only animals meld without a wolf, while the deal lasts.
- Go out as soon as it is possible: the cards of the others are points. But hold cards back
  where that would let another side win the game.
- Discard what melds need least, and rather not what the next player could make a meld of
  with the pile and the cards that all saw him take. Never a wolf, if there is another card.
"""

from typing import NamedTuple

from kitchentable.cards.piles import NONE
from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.state import Episode, next_seat
from kitchentable.games.luau_rummy.pack import (
    ANIMALS,
    FIRST_ANIMAL,
    FIRST_PIGGY,
    N_KINDS,
    N_TRIPLES,
    TRIPLE,
    WOLF,
)
from kitchentable.games.luau_rummy.prospects import (
    Base,
    Holding,
    add,
    base_of,
    count_of,
    hold,
    n_layable,
    take,
    triple_of,
    with_pile,
)
from kitchentable.games.luau_rummy.rules import (
    ADD,
    ADDABLE,
    DISCARD,
    DRAW_STOCK,
    LAY,
    LAY_ANIMALS,
    LAY_PILEUP,
    MIN_MELD,
    N_WOLF_CHOICES,
    TAKE_PILE,
    TRIOS,
    Phase,
    State,
    luau,
    side_of,
)

NO_ACTION = -1
POINT = 12
"""What a card laid counts; all other worths are measured by it."""
KIND_STEPS = (0, 4, 10, 20, 40, 100)
"""What it is worth to have a meld of so many kinds, in view of a Luau."""
PAIR, SINGLE, ANIMAL, SPARE_WOLF = 8, 3, 7, 16
"""Worth of two cards that lack a third, of one card more of a kind, of an animal, a wolf."""
STOCK_GAIN = 10
"""A pile is taken that is worth so much."""
USELESS, USELESS_LATE = 1, 4
"""What a card without a use costs, at first and when somebody is near to going out."""
NEAR_OUT = 3
"""Cards in hand with which a player is near to going out."""
KEPT = 2
"""Cards with which a player who lays no more is not out after the discard."""
FEEDS_MELD, FEEDS_PAIR = 10, 2
"""How bad it is to discard what makes a meld, or half of one, for the next player."""


class Outlook(NamedTuple):
    """What a seat judges its cards by."""

    base: Base
    kinds: int
    """The kinds of which its side has a meld, a bit each."""
    useless: int
    """What a card without a use costs."""


@kernel
def scripted(state: State) -> int:
    """Return the move of the seat to act; see the top of this page for how it plays."""
    seat = wide(state.to_act)
    if state.phase == Phase.DRAW:
        return choose_draw(state, seat)
    view = outlook(state, seat)
    holding = hold(state.hands[seat])
    n_laid = n_layable(holding, view.base)
    can_go_out = wide(state.hand_size[seat]) - n_laid <= 1
    is_last = can_go_out or state.stock_size == 0
    keep = KEPT if can_go_out and lets_another_win(state, seat, n_laid) else 0
    action = lay_something(state, seat, view, holding, is_last, keep)
    return action if action != NO_ACTION else choose_discard(state, seat, view, holding)


@kernel
def outlook(state: State, seat: int) -> Outlook:
    """Return what a seat judges its cards by."""
    side, kinds, fewest = side_of(state, seat), 0, NEAR_OUT + 1
    for kind in range(N_KINDS):
        kinds |= (state.laid[side, kind] > 0) << kind
    for other in range(state.num_players):
        if side_of(state, other) != side:
            fewest = min(fewest, wide(state.hand_size[other]))
    useless = USELESS_LATE if fewest <= NEAR_OUT else USELESS
    return Outlook(base_of(state, side), kinds, useless)


@kernel
def kinds_with(holding: Holding, view: Outlook) -> int:
    """Return the kinds of which the side has a meld once the hand is laid, a bit each."""
    kinds, wolves = view.kinds, holding.wolves
    if view.base.melds == 0:
        with_wolf = holding.animals == MIN_MELD - 1 and wolves > 0
        wolves -= with_wolf
        kinds |= (holding.animals >= MIN_MELD or with_wolf) << ANIMALS
    for kind in range(N_TRIPLES):
        triple = triple_of(holding, kind)
        if triple.melds > 0:
            kinds |= 1 << kind
        elif triple.pairs > 0 and wolves > 0 and not (kinds >> kind) & 1:
            kinds |= 1 << kind
            wolves -= 1
    return kinds


@kernel
def n_kinds(kinds: int) -> int:
    """Return how many bits are set."""
    n = 0
    for kind in range(N_KINDS):
        n += (kinds >> kind) & 1
    return n


@kernel
def worth_of(holding: Holding, size: int, view: Outlook) -> int:
    """Return what a hand of so many cards is worth: what it lays, and what it promises."""
    lays = n_layable(holding, view.base)
    worth = POINT * lays + KIND_STEPS[n_kinds(kinds_with(holding, view))]
    pairs = 0
    for kind in range(N_TRIPLES):
        triple = triple_of(holding, kind)
        pairs += triple.pairs
        worth += SINGLE * triple.names
    wolves = holding.wolves
    if view.base.melds == 0 and holding.animals < MIN_MELD:
        worth += ANIMAL * holding.animals * holding.animals
    worth += PAIR * max(0, pairs - wolves) + SPARE_WOLF * wolves
    return worth - view.useless * max(0, size - lays)


@kernel
def choose_draw(state: State, seat: int) -> int:
    """Take the pile if it is worth more than a card of the stock."""
    if state.discard_size == 0:
        return DRAW_STOCK
    view, holding = outlook(state, seat), hold(state.hands[seat])
    size = wide(state.hand_size[seat])
    together = with_pile(holding, state)
    gain = worth_of(together, size + wide(state.discard_size), view)
    gain -= worth_of(holding, size, view)
    return TAKE_PILE if gain >= STOCK_GAIN else DRAW_STOCK


@kernel
def lets_another_win(state: State, seat: int, n_laid: int) -> bool:
    """R10: tell whether another side wins the game if the seat lays so many cards and is out."""
    leader = leader_after(state, seat, n_gifts(state, seat) + n_laid)
    return state.episode == Episode.GAME and leader not in (NONE, side_of(state, seat))


@kernel
def n_gifts(state: State, seat: int) -> int:
    """R9: return the cards that the seat's side gets if it goes out."""
    side, n = side_of(state, seat), 0
    for other in range(state.num_players):
        if side_of(state, other) != side:
            n += wide(state.hand_size[other])
    return n


@kernel
def leader_after(state: State, seat: int, gain: int) -> int:
    """R10: return the side that wins the game if the deal ends now, or NONE.

    `gain` is what the side of the seat gets beside what lies on the table.
    """
    own, leader, most, target = side_of(state, seat), NONE, 0, wide(state.target)
    for side in range(state.num_sides):
        total = wide(state.scores[side]) + wide(state.cards_laid[side])
        total += luau(state, side)
        if side == own:
            total += gain
        if total == most:
            leader = NONE
        elif total > most:
            most = total
            leader = side if total >= target else NONE
    return leader


@kernel
def lay_something(
    state: State, seat: int, view: Outlook, holding: Holding, is_last: bool, keep: int
) -> int:
    """Lay a meld or add a card, if so many cards of the hand can be kept; NO_ACTION if not.

    With `is_last` nothing is saved for later turns.
    """
    room = wide(state.hand_size[seat]) - keep
    action = NO_ACTION
    if room >= MIN_MELD:
        action = lay_triple(holding)
        if action == NO_ACTION and view.base.melds == 0:
            action = lay_animals(state, seat)
    if action == NO_ACTION and room >= 1:
        action = add_something(state, seat, view.base)
    if action == NO_ACTION and room >= MIN_MELD and view.base.may_pile:
        action = lay_pileup(holding, view.base)
    if action == NO_ACTION and room >= MIN_MELD and holding.wolves > 0:
        action = lay_with_wolf(state, seat, view, holding)
    free = view.base.pure if is_last else view.base.pure - 1
    if action == NO_ACTION and room >= 1 and holding.wolves > 0 and free > 0:
        action = ADD + WOLF - ADDABLE
    return action


@kernel
def lay_triple(holding: Holding) -> int:
    """Lay three different cards of a kind."""
    for kind in range(N_TRIPLES):
        if triple_of(holding, kind).melds > 0:
            return LAY + kind * N_WOLF_CHOICES
    return NO_ACTION


@kernel
def lay_animals(state: State, seat: int) -> int:
    """Lay three animals, with a wolf only if there are no more than two."""
    hand, found = state.hands[seat], NO_ACTION
    for number in range(len(TRIOS)):
        first, second, third = TRIOS[number]
        needed_2 = 1 + (second == first)
        needed_3 = 1 + (third == second) + (third == first)
        if hand[first] > 0 and hand[second] >= needed_2 and hand[third] >= needed_3:
            if third != WOLF:
                return LAY_ANIMALS + number
            found = LAY_ANIMALS + number
    return found


@kernel
def add_something(state: State, seat: int, base: Base) -> int:
    """Add an animal to the animals, or a piggy that no whole meld needs to its pile-up."""
    hand = state.hands[seat]
    if base.melds > 0:
        for card in range(FIRST_ANIMAL, WOLF):
            if hand[card] > 0:
                return ADD + card - ADDABLE
    for piggy in range(TRIPLE):
        if (base.pileups >> piggy) & 1 and hand[FIRST_PIGGY + piggy] > 0:
            return ADD + FIRST_PIGGY + piggy - ADDABLE
    return NO_ACTION


@kernel
def lay_pileup(holding: Holding, base: Base) -> int:
    """LR-18: lay three equal piggies."""
    for piggy in range(TRIPLE):
        n = count_of(holding, FIRST_PIGGY + piggy)
        if n >= MIN_MELD and not (base.pileups >> piggy) & 1:
            return LAY_PILEUP + piggy
    return NO_ACTION


@kernel
def lay_with_wolf(state: State, seat: int, view: Outlook, holding: Holding) -> int:
    """Lay two cards and a wolf, of a kind that the side lacks if there is such."""
    hand, found = state.hands[seat], NO_ACTION
    for kind in range(N_TRIPLES):
        if triple_of(holding, kind).pairs > 0:
            place = 0
            while hand[kind * TRIPLE + place] > 0:
                place += 1
            action = LAY + kind * N_WOLF_CHOICES + 1 + place
            if not (view.kinds >> kind) & 1:
                return action
            found = action
    return found


@kernel
def choose_discard(state: State, seat: int, view: Outlook, holding: Holding) -> int:
    """Discard the card whose loss costs least, what it does for the next player included."""
    hand, size = state.hands[seat], wide(state.hand_size[seat]) - 1
    rival = rival_holding(state, seat)
    best, most = WOLF, -(1 << 30)
    for card in range(WOLF):
        if hand[card] > 0 and not is_barred(state, seat, card):
            worth = worth_of(take(holding, card), size, view) - help_to(rival, card)
            if worth > most:
                best, most = card, worth
    return DISCARD + best


@kernel
def is_barred(state: State, seat: int, card: int) -> bool:
    """G-3: tell whether a card was just taken and may not go back."""
    others = state.hand_size[seat] > state.hands[seat, card]
    return card == state.taken and not state.return_discard and others


@kernel
def rival_holding(state: State, seat: int) -> Holding:
    """Return what the next player is known to have once he takes the pile."""
    follower = next_seat(state, seat)
    return with_pile(hold(state.known[follower]), state)


@kernel
def help_to(rival: Holding, card: int) -> int:
    """Return how much a discard helps the next player."""
    if card >= FIRST_ANIMAL:
        return FEEDS_MELD if rival.animals + 1 == MIN_MELD else FEEDS_PAIR
    kind = card // TRIPLE
    before, after = triple_of(rival, kind), triple_of(add(rival, card), kind)
    if after.melds > before.melds:
        return FEEDS_MELD
    return FEEDS_PAIR if after.pairs > before.pairs else 0
