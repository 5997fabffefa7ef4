"""The scripted opponent of Hand & Foot Canasta.

It plays like an attentive amateur, by these pieces of advice:

- Take the pile when it brings wild cards or cards that one collects, or when it is large.
- Open as soon as the hand reaches the minimum, with natural cards as far as they go.
- Each turn, do what lays down more: begin melds or add to them.
- Wild cards belong into the wild canasta, worth the most; elsewhere they close dirty
  canastas that the side still needs, or help a short hand to its foot or out.
- Discard what the own side does not collect: black threes first, then lone cards, and rather
  not what the next player collects or would take a rich pile with. Never a wild card, if
  there is another one.
- Ask to go out when all cards but one can be laid, and say yes when one's own hand is cheap
  or the other side is near its end. When the stock runs low, lay down whatever goes.
"""

import numpy as np

from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.record import Int8Array
from kitchentable.engine.state import next_seat
from kitchentable.games.hand_and_foot.deck import (
    BLACK_THREE,
    COPIES,
    FIRST_NATURAL,
    JOKER,
    N_CARDS,
    N_RANKS,
    TWO,
    VALUES,
)
from kitchentable.games.hand_and_foot.opening import CANASTA, MIN_MELD
from kitchentable.games.hand_and_foot.reach import Lay, is_open, kind_closed, lay_of, others_taken
from kitchentable.games.hand_and_foot.rules import is_natural, legal
from kitchentable.games.hand_and_foot.state import (
    ACTIONS,
    ALL_WILD,
    ALLOW,
    ASK_PARTNER,
    CANASTA_BONUS,
    CLEAN,
    DIRTY,
    DISCARD,
    DRAW_TWO,
    N_SEATS,
    N_SIDES,
    OPEN_MELD,
    PASS,
    REFUSE,
    TAKE_PILE,
    WILD,
    Kind,
    Permission,
    Phase,
    State,
)

N_ACTIONS = ACTIONS.size
LOW_STOCK = 16
"""Cards in the stock with which the deal is nearly over: two rounds."""
NEAR_END = 3
"""Cards of an opponent's foot that make haste."""
SHORT_HAND = 5
"""A hand so short that a wild card may help it to the foot."""
TAKE_AT = 10
"""A pile of such worth is taken: see `worth_of_pile`."""
WILD_IN_PILE, COLLECTED, OTHER = 12, 4, 1
"""What a card under the top one is worth."""
CHEAP_HAND = 100
"""A hand so cheap that the partner may go out."""
NEVER = -1000
LATE = 40
"""How much more a card is worth on the table when the deal is nearly over."""
KEEP_WILD = 500
"""How bad it is to discard a wild card."""
KEEP_FITTING, KEEP_PAIR, KEEP_SET = 14, 9, 16
"""How bad it is to discard what fits an own meld, a card of a pair, or of three."""
DANGER_KNOWN, DANGER_MELD, DANGER_UNSEEN = 7, 5, 6
"""How bad it is to discard what the next player holds, collects, or may hold a pair of."""
BONUS_SHARE = 5
"""Points of a canasta's bonus that weigh as much as one of the numbers here."""


@kernel
def scripted(state: State) -> int:
    """Return the move of the seat to act; see the top of this page for how it plays."""
    if state.phase == Phase.ASK:
        return answer(state, wide(state.to_act))
    mask = np.zeros(N_ACTIONS, np.int8)
    legal(state, mask)
    seat = wide(state.turn)
    if state.phase == Phase.DRAW:
        return choose_draw(state, mask, seat)
    if mask[ASK_PARTNER] and wants_out(state, seat):
        return ASK_PARTNER
    return choose_play(state, mask, seat)


@kernel
def is_late(state: State, seat: int) -> bool:
    """Tell whether the deal is nearly over: a low stock, or an opponent about to go out."""
    late = bool(state.stock_size <= LOW_STOCK)
    for other in range(1 - seat % N_SIDES, N_SEATS, N_SIDES):
        late = late or (bool(state.in_foot[other]) and bool(state.hand_size[other] <= NEAR_END))
    return late


@kernel
def lacks(state: State, side: int, kind: int) -> int:
    """Return how many canastas of a kind a side lacks to go out."""
    return max(0, int(state.need[kind]) - int(state.canastas[side, kind]))


@kernel
def choose_draw(state: State, mask: Int8Array, seat: int) -> int:
    """Take the pile if it is worth it, else draw, and pass only if there is nothing else."""
    if mask[TAKE_PILE] and (not mask[DRAW_TWO] or worth_of_pile(state, seat) >= TAKE_AT):
        return TAKE_PILE
    return DRAW_TWO if mask[DRAW_TWO] else PASS


@kernel
def worth_of_pile(state: State, seat: int) -> int:
    """Return what the top cards of the pile are worth to the seat."""
    size, side, hand = wide(state.discard_size), seat % N_SIDES, state.hands[seat]
    top = wide(state.discard[size - 1])
    meld = wide(state.unclosed_size[side, top - FIRST_NATURAL])
    worth = MIN_MELD * COLLECTED
    if meld == CANASTA - MIN_MELD or not is_open(state, side):
        worth += TAKE_AT
    if state.in_foot[seat] and is_late(state, seat):
        worth -= TAKE_AT
    for i in range(size - 1 - others_taken(state), size - 1):
        card = wide(state.discard[i])
        if card >= TWO:
            worth += WILD_IN_PILE
        elif is_natural(card):
            collects = hand[card] > 0 or state.unclosed_size[side, card - FIRST_NATURAL] > 0
            worth += COLLECTED if collects else OTHER
        else:
            worth -= OTHER
    return worth


@kernel
def wants_out(state: State, seat: int) -> bool:
    """Tell whether the seat could go out now: one canasta at most to be closed, all cards laid."""
    side, hand, left = seat % N_SIDES, state.hands[seat], 0
    needs_closing = lacks(state, side, CLEAN) + lacks(state, side, DIRTY)
    needs_closing += lacks(state, side, ALL_WILD)
    wild, free = int(hand[TWO]) + int(hand[JOKER]), state.kind != Kind.START
    for rank in range(N_RANKS):
        n, size = int(hand[FIRST_NATURAL + rank]), wide(state.unclosed_size[side, rank])
        laid = min(n, CANASTA - size) if size > 0 and free else 0
        if size == 0 and n >= MIN_MELD and state.kind != Kind.ADD:
            laid = n
        left += n - laid
        if laid > 0 and size + laid == CANASTA:
            kind = CLEAN if state.unclosed_wild[side, rank] == 0 else DIRTY
            needs_closing -= lacks(state, side, kind) > 0
        elif size + laid == CANASTA - 1 and size > 0 and free and wild > 0:
            wild -= 1
            needs_closing -= lacks(state, side, DIRTY) > 0
    room = CANASTA - wide(state.unclosed_size[side, WILD])
    if room < CANASTA and free and wild >= room:
        wild -= room
        needs_closing -= lacks(state, side, ALL_WILD) > 0
    elif room < CANASTA and free:
        wild = 0
    return left + int(hand[BLACK_THREE]) + wild <= 1 and needs_closing <= 0


@kernel
def answer(state: State, seat: int) -> int:
    """Let the partner go out with a cheap hand of one's own, or late in the deal."""
    cost = 0
    for card in range(N_CARDS):
        cost += VALUES[card] * int(state.hands[seat, card])
    return ALLOW if cost <= CHEAP_HAND or is_late(state, seat) else REFUSE


@kernel
def choose_play(state: State, mask: Int8Array, seat: int) -> int:
    """Lay down what is worth most, of the kind that lays down more; else discard."""
    late, must = is_late(state, seat), not mask[DISCARD:].any()
    may_start, may_add = better_kind(state, mask, seat, late)
    best, most = PASS, NEVER
    for action in range(OPEN_MELD, DISCARD):
        if mask[action]:
            lay = lay_of(action)
            worth = worth_of(state, seat, lay, late)
            fits = may_start if lay.is_new else may_add
            if fits and worth > most and (worth > 0 or must):
                best, most = action, worth
    if most > NEVER:
        return best
    return choose_discard(state, mask, seat, late)


@kernel
def better_kind(state: State, mask: Int8Array, seat: int, late: bool) -> tuple[bool, bool]:
    """HF-9: tell whether to begin melds and whether to add, before the turn has a kind."""
    if state.kind != Kind.NONE or not state.one_kind_per_turn:
        return True, True
    start, add = 0, 0
    for action in range(OPEN_MELD, DISCARD):
        if mask[action]:
            lay = lay_of(action)
            worth = max(0, worth_of(state, seat, lay, late))
            if lay.is_new:
                start += worth
            else:
                room = CANASTA - wide(state.unclosed_size[seat % N_SIDES, lay.rank])
                n = int(state.hands[seat, FIRST_NATURAL + lay.rank]) if lay.naturals > 0 else 1
                add += worth * min(n, room)
    return start >= add, add >= start


@kernel
def worth_of(state: State, seat: int, lay: Lay, late: bool) -> int:
    """Return what laying these cards is worth; nothing or less: better keep them."""
    closed = kind_closed(state, lay)
    bonus = 0 if closed < 0 else CANASTA_BONUS[closed] // BONUS_SHARE
    if closed >= 0 and lacks(state, seat % N_SIDES, closed) > 0:
        bonus += CANASTA_BONUS[DIRTY] // BONUS_SHARE
    if late:
        bonus += LATE
    if lay.rank == WILD:
        return 30 + bonus - 2 * lay.jokers
    worth = lay.naturals * (8 + VALUES[FIRST_NATURAL + lay.rank] // 5)
    if lay.twos + lay.jokers == 0:
        return worth + bonus
    cost = cost_of_wild(state, seat, lay, closed >= 0)
    return worth + bonus - (cost // 2 if late else cost) - lay.jokers


@kernel
def cost_of_wild(state: State, seat: int, lay: Lay, closes: bool) -> int:
    """Return what a wild card is worth elsewhere, more than in this meld of a rank."""
    side = seat % N_SIDES
    cost = 40
    if lacks(state, side, ALL_WILD) > 0 and state.unclosed_size[side, WILD] >= MIN_MELD + 1:
        cost += 20
    if closes and state.unclosed_wild[side, lay.rank] == 0:
        clean_left = COPIES[FIRST_NATURAL] - wide(state.shown[FIRST_NATURAL + lay.rank])
        cost += 60 if clean_left > 2 and lacks(state, side, CLEAN) > 0 else 20
    is_short = bool(state.hand_size[seat] <= SHORT_HAND)
    if is_short and (not state.in_foot[seat] or state.permission == Permission.ALLOW):
        cost -= 30
    if lay.is_new and lacks(state, side, DIRTY) > dirty_melds(state, side):
        cost -= 15
    return cost


@kernel
def dirty_melds(state: State, side: int) -> int:
    """Return how many unclosed melds of a side have a wild card beside natural ones."""
    n = 0
    for rank in range(N_RANKS):
        n += state.unclosed_wild[side, rank] > 0
    return n


@kernel
def choose_discard(state: State, mask: Int8Array, seat: int, late: bool) -> int:
    """Discard what the side misses least and the next player can use least."""
    best, least = PASS, 1 << 20
    for card in range(1, N_CARDS):
        if mask[DISCARD - 1 + card]:
            loss = loss_of(state, seat, card, late)
            if loss < least:
                best, least = DISCARD - 1 + card, loss
    return best


@kernel
def loss_of(state: State, seat: int, card: int, late: bool) -> int:
    """Return how bad it is to discard a card."""
    if card == BLACK_THREE:
        return -5
    if card >= TWO:
        return KEEP_WILD + VALUES[card]
    side, rank, n = seat % N_SIDES, card - FIRST_NATURAL, int(state.hands[seat, card])
    loss = KEEP_SET if n >= MIN_MELD else KEEP_PAIR if n == 2 else 0
    size = wide(state.unclosed_size[side, rank])
    if size > 0 and n <= CANASTA - size:
        loss += KEEP_FITTING + size
    if is_open(state, side):
        loss -= VALUES[card] // 2 if late else VALUES[card] // 10
    else:
        loss += VALUES[card] // 5
    return loss + danger(state, seat, card)


@kernel
def danger(state: State, seat: int, card: int) -> int:
    """Return how much a discard may help the next player to take the pile, or to collect."""
    follower, rank = next_seat(state, seat), card - FIRST_NATURAL
    known, size = int(state.known[follower, card]), wide(state.discard_size)
    unseen = COPIES[card] - int(state.shown[card]) - int(state.hands[seat, card])
    risk = DANGER_KNOWN * known + DANGER_UNSEEN * unseen // COPIES[card]
    meld = state.unclosed_size[follower % N_SIDES, rank]
    if meld > CANASTA - MIN_MELD:
        risk = 0  # there is no room for three in their meld
    elif meld > 0:
        risk += DANGER_MELD
    rich = 0
    for i in range(max(0, size - 6), size):
        rich += 3 if state.discard[i] >= TWO else 1
    return risk * (4 + rich) // 8
