"""The scripted opponent of Norwegian Rummy.

It plays like an attentive amateur, by these pieces of advice:

- Count what is gone: cards in the discard pile and on the table will not come.
- Take or buy a discard that brings the contract clearly nearer; a joker always. But do not
  buy for the last contract: every card must find a place there.
- Discard what the contract misses least, the costly cards first, and rather not what the
  next player collects or can lay off. Never a joker, if there is another card.
- Go down as soon as the contract can be laid, with the groups that use few jokers and many points.
- Once down, lay off whatever fits, send own jokers on where that frees a place, and take
  a discard only if it can be laid off.
"""

from kitchentable.cards.contracts import (
    NO_RUN_BEGUN,
    NOTHING_BEGUN,
    RANK_BITS,
    Holding,
    LastRun,
    can_lay,
    can_use_up,
    hold,
    holds,
    keeps_ratio,
    run_begun,
    set_begun,
    take,
)
from kitchentable.cards.french import (
    JOKER,
    N_POSITIONS,
    N_RANKS,
    N_SUITS,
    card_at,
)
from kitchentable.cards.piles import NONE
from kitchentable.engine.jit import kernel, wide
from kitchentable.games.norwegian_rummy.prospects import (
    RANK_MASK,
    add,
    cost_of_hand,
    fits_table,
    help_to_next,
    is_late,
    outlook,
    relief,
)
from kitchentable.games.norwegian_rummy.rules import (
    BUY,
    CLOSE,
    DISCARD,
    DRAW_STOCK,
    HIGH,
    LAST_CONTRACT,
    LAY_OFF_RUN,
    LAY_OFF_SET,
    LOW,
    MAX_GROUPS,
    MIN_RUN,
    MIN_SET,
    MOVE_JOKER,
    N_LOWS,
    OPEN_RUN,
    OPEN_SET,
    PASS,
    PLACE,
    RUNS,
    SETS,
    TAKE_DISCARD,
    VALUES,
    Kind,
    Phase,
    State,
    joker_fits,
    open_jokers,
    position_beyond,
    shape,
)

TAKE_GAIN = 25
"""A discard is taken that saves so much cost of the contract."""
BUY_GAIN = 35
"""A discard is bought that saves so much."""
JOKER_IN_CONTRACT = 60
"""How many points of natural cards a joker in the contract is worth."""
NO_ACTION = -1
MOST = 1 << 30
"""More than any cost."""


@kernel
def scripted(state: State) -> int:
    """Return the move of the seat to act; see the top of this page for how it plays."""
    seat = wide(state.to_act)
    if state.phase == Phase.DRAW:
        return choose_draw(state, seat)
    if state.phase == Phase.BUY:
        return BUY if wants_discard(state, seat) else PASS
    if state.phase == Phase.MELD:
        return continue_contract(state)
    action = lay_off_something(state) if state.down[seat] else begin_contract(state)
    return action if action != NO_ACTION else choose_discard(state, seat)


@kernel
def choose_draw(state: State, seat: int) -> int:
    """Take the discard if it is wanted, else draw from the stock."""
    if state.discard_size == 0:
        return DRAW_STOCK
    if state.stock_size == 0 and state.discard_size == 1:
        return TAKE_DISCARD
    return TAKE_DISCARD if wants_discard(state, seat) else DRAW_STOCK


@kernel
def wants_discard(state: State, seat: int) -> bool:
    """Tell whether the top discard is worth the draw, or the buy and one more card."""
    card = wide(state.discard[state.discard_size - 1])
    if state.down[seat]:
        return fits_table(state, card)
    if card == JOKER:
        return True
    is_buy = state.phase == Phase.BUY
    if is_buy and state.contract == LAST_CONTRACT:
        return False
    view = outlook(state, seat)
    gain = cost_of_hand(view.hand, view) - cost_of_hand(add(view.hand, card), view)
    return gain >= (BUY_GAIN if is_buy else TAKE_GAIN)


@kernel
def choose_discard(state: State, seat: int) -> int:
    """Discard a costly card that the contract misses least and the next player cannot use.

    Costly cards are looked at first; the rest of a hand costs no less than the whole, so
    that most cheap cards need no closer look.
    """
    view, late = outlook(state, seat), is_late(state)
    is_down = bool(state.down[seat])
    whole = 0 if is_down else cost_of_hand(view.hand, view)
    best, least = JOKER, MOST
    for i in range(N_RANKS):
        rank = (N_RANKS - i) % N_RANKS
        for suit in range(N_SUITS):
            card = suit * N_RANKS + rank
            may = holds(view.hand, card) and not is_barred(state, card)
            if may and whole - relief(card, late) < least:
                rest = 0 if is_down else cost_of_hand(take(view.hand, card), view)
                loss = rest - relief(card, late) + help_to_next(state, view, card)
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
def begin_contract(state: State) -> int:
    """Open a group as soon as the whole contract can be laid."""
    hand, contract = hold(state.hands[state.turn]), wide(state.contract)
    return open_best(state, hand, SETS[contract], RUNS[contract])


@kernel
def continue_contract(state: State) -> int:
    """Lay the contract on: the next card of the open group, or the next group."""
    hand = hold(state.hands[state.turn])
    if state.open_kind == NONE:
        return open_best(state, hand, wide(state.sets_left), wide(state.runs_left))
    if state.open_kind == Kind.SET:
        return place_in_set(state, hand)
    if state.contract == LAST_CONTRACT:
        return place_last(state, hand)
    return place_in_run(state, hand)


@kernel
def open_best(state: State, hand: Holding, sets: int, runs: int) -> int:
    """Open the group with few jokers and many points with which the contract can be laid."""
    if state.contract == LAST_CONTRACT:
        return open_last(state, hand, runs)
    sizes = shape(state)
    best, most = NO_ACTION, -1000
    if not can_lay(hand, sizes, sets, runs, NOTHING_BEGUN):
        return best
    for rank in range(N_RANKS if sets > 0 else 0):
        worth = worth_of_set(hand, rank)
        begun = set_begun(rank, MIN_SET, sizes.set_wild)
        if worth > most and can_lay(hand, sizes, sets - 1, runs, begun):
            best, most = OPEN_SET + rank, worth
    for choice in range(N_SUITS * N_LOWS if runs > 0 else 0):
        suit, low = choice // N_LOWS, choice % N_LOWS + 1
        worth = worth_of_run(hand, suit, low)
        begun = run_begun(suit, low, MIN_RUN, sizes.run_wild)
        if worth > most and can_lay(hand, sizes, sets, runs - 1, begun):
            best, most = OPEN_RUN + choice, worth
    return best


@kernel
def worth_of_set(hand: Holding, rank: int) -> int:
    """Return the points of a rank in hand, less what jokers it needs."""
    n = (hand.ranks >> (RANK_BITS * rank)) & RANK_MASK
    return n * VALUES[rank] - max(0, MIN_SET - n) * JOKER_IN_CONTRACT


@kernel
def worth_of_run(hand: Holding, suit: int, low: int) -> int:
    """Return the points of a run in hand, less what jokers it needs."""
    worth = 0
    for place in range(MIN_RUN):
        card = card_at(suit, low + place)
        worth += VALUES[card % N_RANKS] if holds(hand, card) else -JOKER_IN_CONTRACT
    return worth


@kernel
def open_last(state: State, hand: Holding, runs: int) -> int:
    """Open any run with which the whole hand is used up: all ways go out."""
    ratio = bool(state.joker_ratio)
    if can_use_up(hand, ratio, runs, NO_RUN_BEGUN):
        for choice in range(N_SUITS * N_LOWS):
            begun = LastRun(choice // N_LOWS, choice % N_LOWS + 1, 0, 0)
            if can_use_up(hand, ratio, runs - 1, begun):
                return OPEN_RUN + choice
    return NO_ACTION


@kernel
def place_in_set(state: State, hand: Holding) -> int:
    """Add a natural card of the rank if the contract allows it, else a joker."""
    sizes = shape(state)
    sets, runs, rank = wide(state.sets_left), wide(state.runs_left), wide(state.open_rank)
    wild = sizes.set_wild - open_jokers(state)
    begun = set_begun(rank, MIN_SET - 1 - wide(state.open_size), wild)
    for suit in range(N_SUITS):
        card = suit * N_RANKS + rank
        if holds(hand, card) and can_lay(take(hand, card), sizes, sets, runs, begun):
            return PLACE + card
    return PLACE + JOKER


@kernel
def place_in_run(state: State, hand: Holding) -> int:
    """Add the natural card if the contract allows it, else a joker."""
    sizes = shape(state)
    sets, runs, suit = wide(state.sets_left), wide(state.runs_left), wide(state.open_suit)
    position = wide(state.open_low) + wide(state.open_size)
    wild = sizes.run_wild - open_jokers(state)
    card = card_at(suit, position)
    begun = run_begun(suit, position + 1, MIN_RUN - 1 - wide(state.open_size), wild)
    if holds(hand, card) and can_lay(take(hand, card), sizes, sets, runs, begun):
        return PLACE + card
    return PLACE + JOKER


@kernel
def place_last(state: State, hand: Holding) -> int:
    """Contract 7: close the run if that goes, else add the natural card, else a joker."""
    ratio, runs = bool(state.joker_ratio), wide(state.runs_left)
    suit, size, wild = wide(state.open_suit), wide(state.open_size), open_jokers(state)
    may_close = size >= MIN_RUN and keeps_ratio(ratio, size - wild, wild)
    if may_close and can_use_up(hand, ratio, runs, NO_RUN_BEGUN):
        return CLOSE
    position = wide(state.open_low) + size
    card = card_at(suit, position)
    begun = LastRun(suit, position + 1, size + 1 - wild, wild)
    if holds(hand, card) and can_use_up(take(hand, card), ratio, runs, begun):
        return PLACE + card
    return PLACE + JOKER


@kernel
def lay_off_something(state: State) -> int:
    """Lay off a natural card, else move a joker, else lay off a joker."""
    action = lay_off_natural(state)
    if action == NO_ACTION:
        action = move_own_joker(state)
    if action == NO_ACTION and state.hands[state.turn, JOKER] > 0:
        action = lay_off_joker(state)
    return action


@kernel
def lay_off_natural(state: State) -> int:
    """Lay off the first natural card that fits a meld."""
    seat = wide(state.turn)
    hand = state.hands[seat]
    for number in range(MAX_GROUPS * state.num_players):
        meld = meld_at(state, number)
        if meld == NONE:
            continue
        if state.meld_kind[meld] == Kind.SET:
            for suit in range(N_SUITS):
                if hand[suit * N_RANKS + state.meld_rank[meld]]:
                    return LAY_OFF_SET + number * (N_SUITS + 1) + suit
        else:
            for end in range(2):
                position = position_beyond(state, meld, end)
                if position > 0 and hand[card_at(wide(state.meld_suit[meld]), position)]:
                    return LAY_OFF_RUN + number * 4 + end * 2
    return NO_ACTION


@kernel
def meld_at(state: State, number: int) -> int:
    """Return the meld that has this number for the mover, or NONE."""
    owner = wide(state.turn) + number // MAX_GROUPS
    if owner >= state.num_players:
        owner -= wide(state.num_players)
    return wide(state.own_melds[owner, number % MAX_GROUPS])


@kernel
def move_own_joker(state: State) -> int:
    """NR-9: put a card in place of an own joker; the joker goes where the next card fits."""
    seat = wide(state.turn)
    for place in range(MAX_GROUPS):
        meld = wide(state.own_melds[seat, place])
        if meld == NONE:
            break
        if state.meld_kind[meld] == Kind.SET or state.meld_jokers[meld] == 0:
            continue
        suit, low = wide(state.meld_suit[meld]), wide(state.meld_low[meld])
        end = end_for_joker(state, meld)
        for i in range(state.meld_size[meld]):
            card = card_at(suit, low + i)
            if state.meld_cards[meld, i] == JOKER and state.hands[seat, card] and end != NONE:
                return MOVE_JOKER + 2 * (place * N_POSITIONS + low + i - 1) + end
    return NO_ACTION


@kernel
def lay_off_joker(state: State) -> int:
    """Lay off a joker: on a run if a card of the hand can follow it, else anywhere."""
    found = NO_ACTION
    for number in range(MAX_GROUPS * state.num_players):
        meld = meld_at(state, number)
        if meld == NONE or not joker_fits(state, meld):
            continue
        if state.meld_kind[meld] == Kind.SET:
            found = LAY_OFF_SET + number * (N_SUITS + 1) + N_SUITS
            continue
        end = end_for_joker(state, meld)
        if end != NONE:
            found = LAY_OFF_RUN + number * 4 + end * 2 + 1
            if has_card_beyond(state, meld, end):
                return found
    return found


@kernel
def end_for_joker(state: State, meld: int) -> int:
    """Return the free end of a run where a card of the hand can follow, else any, or NONE."""
    if has_card_beyond(state, meld, LOW):
        return LOW
    if position_beyond(state, meld, HIGH) > 0:
        return HIGH
    return LOW if position_beyond(state, meld, LOW) > 0 else NONE


@kernel
def has_card_beyond(state: State, meld: int, end: int) -> bool:
    """Tell whether the mover holds the card after the next one at a free end of a run."""
    position = position_beyond(state, meld, end)
    after = position - 1 if end == LOW else position + 1
    if position == 0 or after < 1 or after > N_POSITIONS:
        return False
    return bool(state.hands[state.turn, card_at(wide(state.meld_suit[meld]), after)] > 0)
