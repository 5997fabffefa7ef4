"""What a move must leave in reach: the minimum for opening, and what a foot needs to go on.

A meld move is legal only if the seat can finish what it begins (R6, HF-14) and, in its foot, keeps
enough cards or may go out (R11, HF-20). Rule numbers and rulings are those of README.md beside
this file.
"""

from typing import NamedTuple

from kitchentable.cards.piles import (
    NONE,
)
from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.record import Int8Array
from kitchentable.engine.state import (
    seat_after,
)
from kitchentable.games.hand_and_foot.deck import (
    FIRST_NATURAL,
    JOKER,
    N_RANKS,
    TWO,
)
from kitchentable.games.hand_and_foot.opening import (
    CANASTA,
    HAND_BITS,
    MELD_BITS,
    MIN_MELD,
    Opening,
    after_laying,
    best_of_all,
    best_of_few,
    best_value,
    plain_ranks,
    reaches_after,
    wild_fits,
)
from kitchentable.games.hand_and_foot.state import (
    ADD,
    ADD_WILD,
    ALL_WILD,
    CLEAN,
    DIRTY,
    DISCARD,
    KEPT_IN_FOOT,
    MAX_ASKED_LACK,
    N_KINDS,
    N_MELD_RANKS,
    N_SIDES,
    OPEN_MELD,
    OPEN_WILD,
    PARTNER,
    PILE_TAKEN,
    WILD,
    Kind,
    Permission,
    State,
    WildRule,
)


@kernel
def others_taken(state: State) -> int:
    """HF-10: return how many cards come into the hand with the top one of the pile."""
    return min(PILE_TAKEN, wide(state.discard_size)) - 1


@kernel
def minimum(state: State) -> int:
    """R6: return the minimum of this deal."""
    return wide(state.minimums[state.deal - 1])


@kernel
def is_open(state: State, side: int) -> bool:
    """R6, HF-14: tell whether a side's melds have reached the minimum."""
    return bool(state.meld_value[side] >= state.minimums[state.deal - 1])


@kernel
def is_majority(state: State) -> bool:
    """HF-7: tell whether the rule for wild cards is the majority."""
    return bool(state.wild_rule == WildRule.MAJORITY)


@kernel
def opens_with_pile(state: State, side: int, rank: int) -> bool:
    """R6, HF-13: tell whether the minimum is in reach after taking the pile, its others aside."""
    now, least = opening_of(state, wide(state.turn)), minimum(state)
    # The top card comes first: it is not of the hand.
    with_top = Opening(
        now.laid,
        now.hand + (1 << (HAND_BITS * rank)),
        now.naturals,
        now.wilds,
        now.twos,
        now.jokers,
        now.wild_meld,
        now.majority,
    )
    after = after_laying(with_top, rank, MIN_MELD, 0, 0)
    if state.in_foot[state.turn]:
        size = wide(state.hand_size[state.turn]) - 2 + others_taken(state)
        return best_of_few(after, cards_to_lay(state, size, NONE)) >= least
    return best_value(after, least) >= least


@kernel
def opening_of(state: State, seat: int) -> Opening:
    """Return what the seat's side has laid, and what the seat may still lay."""
    side, hand, naturals, wilds = seat % N_SIDES, 0, 0, 0
    free = seat != state.turn  # only of the mover's hand something is aside
    for rank in range(N_RANKS):
        card = FIRST_NATURAL + rank
        n = int(state.hands[seat, card]) - (0 if free else int(state.aside[card]))
        wild = int(state.unclosed_wild[side, rank])
        hand |= n << (HAND_BITS * rank)
        naturals |= (int(state.unclosed_size[side, rank]) - wild) << (MELD_BITS * rank)
        wilds |= wild << (MELD_BITS * rank)
    return Opening(
        wide(state.meld_value[side]),
        hand,
        naturals,
        wilds,
        int(state.hands[seat, TWO]) - (0 if free else int(state.aside[TWO])),
        int(state.hands[seat, JOKER]) - (0 if free else int(state.aside[JOKER])),
        wide(state.unclosed_size[side, WILD]),
        is_majority(state),
    )


class Lay(NamedTuple):
    """What a meld move lays down."""

    rank: int
    """The rank 0 .. 10, or WILD."""
    naturals: int
    twos: int
    jokers: int
    is_new: bool
    """Whether it begins a meld."""


@kernel
def lay_of(action: int) -> Lay:
    """Return what a meld move lays down."""
    if action >= ADD_WILD:
        joker = action - ADD_WILD
        return Lay(WILD, 0, 1 - joker, joker, False)
    if action >= ADD:
        face = (action - ADD) % 3
        return Lay((action - ADD) // 3, int(face == 0), int(face == 1), int(face == 2), False)
    if action >= OPEN_WILD:
        jokers = action - OPEN_WILD
        return Lay(WILD, 0, MIN_MELD - jokers, jokers, True)
    face = (action - OPEN_MELD) % 3
    naturals = MIN_MELD if face == 0 else MIN_MELD - 1
    return Lay((action - OPEN_MELD) // 3, naturals, int(face == 1), int(face == 2), True)


@kernel
def keep_in_reach(state: State, mask: Int8Array) -> None:
    """R6, HF-14: of the meld moves only those after which the minimum is reached or in reach."""
    seat, least = wide(state.turn), minimum(state)
    now = opening_of(state, seat)
    plain = plain_ranks(now)
    if best_of_all(now, plain, least) < least:
        mask[OPEN_MELD:DISCARD] = 0
        return
    for action in range(OPEN_MELD, DISCARD):
        if mask[action]:
            lay = lay_of(action)
            if state.in_foot[seat]:
                mask[action] = reaches_in_foot(state, now, lay)
            else:
                mask[action] = reaches_after(
                    now, plain, lay.rank, lay.naturals, lay.twos, lay.jokers, least
                )


@kernel
def reaches_in_foot(state: State, now: Opening, lay: Lay) -> bool:
    """R6, R11: tell whether the minimum is in reach after a meld move of a seat that keeps cards.

    No play leads to a seat in its foot whose side is not open.
    """
    left = wide(state.hand_size[state.turn]) - lay.naturals - lay.twos - lay.jokers
    most = cards_to_lay(state, left, kind_closed(state, lay))
    after = after_laying(now, lay.rank, lay.naturals, lay.twos, lay.jokers)
    return best_of_few(after, most) >= minimum(state)


@kernel
def cards_to_lay(state: State, size: int, closed: int) -> int:
    """R11: return how many of `size` cards a seat in its foot may meld."""
    return size if is_free(state, closed, NONE) else max(0, size - KEPT_IN_FOOT)


@kernel
def can_reach(state: State, seat: int) -> bool:
    """R6: tell whether the mover can reach the minimum."""
    now, least = opening_of(state, seat), minimum(state)
    if state.in_foot[seat]:
        return best_of_few(now, cards_to_lay(state, wide(state.hand_size[seat]), NONE)) >= least
    return best_value(now, least) >= least


@kernel
def keep_enough(state: State, mask: Int8Array) -> None:
    """R11, HF-20: of the meld moves only those that leave enough cards in a foot."""
    size = wide(state.hand_size[state.turn])
    if size >= MIN_MELD + KEPT_IN_FOOT:
        return
    for action in range(OPEN_MELD, DISCARD):
        if mask[action]:
            lay = lay_of(action)
            left = size - lay.naturals - lay.twos - lay.jokers
            mask[action] = left >= KEPT_IN_FOOT or may_go_on(state, lay, left)


@kernel
def may_go_on(state: State, lay: Lay, left: int) -> bool:
    """R11: tell whether the seat is free after a meld move, or with one more addition."""
    closed = kind_closed(state, lay)
    if is_free(state, closed, NONE):
        return True
    if left == 0 or state.permission != Permission.ALLOW:
        return False
    hand = state.hands[state.turn]
    for rank in range(N_RANKS):
        if int(hand[FIRST_NATURAL + rank]) > (lay.naturals if rank == lay.rank else 0):
            return frees(state, lay, closed, Lay(rank, 1, 0, 0, False))
    two = int(hand[TWO]) > lay.twos
    if not two and int(hand[JOKER]) == lay.jokers:
        return False  # the card left is a black three
    for rank in range(N_MELD_RANKS):
        if frees(state, lay, closed, Lay(rank, 0, int(two), int(not two), False)):
            return True
    return False


@kernel
def frees(state: State, lay: Lay, closed: int, then: Lay) -> bool:
    """R11: tell whether the last card can be added as `then` says, and frees the seat.

    It is not free after `lay` alone, so that addition must close a canasta.
    """
    side = state.turn % N_SIDES
    size = int(state.unclosed_size[side, then.rank])
    if size == 0 or (closed != NONE and then.rank == lay.rank):
        return False
    if state.one_kind_per_turn and lay.is_new and (int(state.begun) >> then.rank) & 1 == 0:
        return False
    if state.kind == Kind.START and (int(state.begun) >> then.rank) & 1 == 0:
        return False
    both = then
    if then.rank == lay.rank:
        both = Lay(
            lay.rank,
            lay.naturals + then.naturals,
            lay.twos + then.twos,
            lay.jokers + then.jokers,
            False,
        )
    if then.rank != WILD and then.naturals == 0:
        wild, majority = int(state.unclosed_wild[side, then.rank]), is_majority(state)
        if not wild_fits(majority, size - wild + both.naturals, wild + both.twos + both.jokers):
            return False
    also = kind_closed(state, both)
    return also != NONE and is_free(state, closed, also)


@kernel
def kind_closed(state: State, lay: Lay) -> int:
    """Return the kind of canasta that a meld move closes, or NONE."""
    side, wild = state.turn % N_SIDES, lay.twos + lay.jokers
    if int(state.unclosed_size[side, lay.rank]) + lay.naturals + wild < CANASTA:
        return NONE
    if lay.rank == WILD:
        return ALL_WILD
    return DIRTY if int(state.unclosed_wild[side, lay.rank]) + wild > 0 else CLEAN


@kernel
def is_free(state: State, closed: int, also: int) -> bool:
    """R11, HF-18: tell whether the mover may go out, once canastas of these kinds are closed."""
    allowed = state.permission == Permission.ALLOW and feet_are_up(state)
    return allowed and canastas_lacking(state, wide(state.turn) % N_SIDES, closed, also) == 0


@kernel
def feet_are_up(state: State) -> bool:
    """R11: tell whether the mover is in its foot, and its partner too if it has to be."""
    partner = seat_after(state, wide(state.turn), PARTNER)
    return bool(state.in_foot[state.turn]) and (
        not state.partner_in_foot or bool(state.in_foot[partner])
    )


@kernel
def canastas_lacking(state: State, side: int, closed: int, also: int) -> int:
    """Return how many canastas a side lacks to go out, once those of these kinds are closed."""
    lacking = 0
    for kind in range(N_KINDS):
        has = int(state.canastas[side, kind]) + (kind == closed) + (kind == also)
        lacking += max(0, int(state.need[kind]) - has)
    return lacking


@kernel
def may_ask(state: State) -> bool:
    """R11, HF-20: once a turn, both in their feet, and one canasta lacking at most."""
    if state.permission != Permission.NONE or not feet_are_up(state):
        return False
    side = wide(state.turn) % N_SIDES
    return canastas_lacking(state, side, NONE, NONE) <= MAX_ASKED_LACK
