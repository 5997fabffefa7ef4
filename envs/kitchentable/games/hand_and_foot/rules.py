"""The rules of Hand & Foot Canasta, in the order of play.

Canasta for two sides of two over four deals: each seat plays a hand and then a second one,
its foot. The higher total wins. Source: a description of "Hand & Foot Canasta" as a partner
game; where it is silent, the custom of that family of games. Rule numbers (R1 ..) and
rulings (HF-1 ..) are those of README.md beside this file.

Options: `num_players` 4, `wild_rule` "strict", `one_kind_per_turn` true, `minimums`
[50, 90, 120, 150], `need` [2, 2, 1], `partner_in_foot` true, `foot_red_three` 100,
`episode` "game", `deal` none.
"""

from enum import IntEnum
from typing import Annotated, NamedTuple

from kitchentable.cards.piles import (
    NONE,
    gain,
    gain_discard,
    pop_discard,
    pop_stock,
    push_discard,
    push_stock,
)
from kitchentable.engine import rng
from kitchentable.engine.actions import Actions, Block
from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.options import (
    EPISODE,
    BoolOption,
    ChoiceOption,
    IntOption,
    ListOption,
    num_players_option,
)
from kitchentable.engine.record import Int8, Int8Array, Int16, Int16Array, dtype_of
from kitchentable.engine.state import (
    BaseState,
    Episode,
    finish,
    next_seat,
    pay_points,
    seat_after,
    win_by_most,
)
from kitchentable.games.hand_and_foot.deck import (
    COPIES,
    FIRST_NATURAL,
    JOKER,
    N_CARDS,
    N_RANKS,
    PACK_SIZE,
    RED_THREE,
    TWO,
    VALUES,
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

N_SEATS = 4
N_SIDES = 2
N_DEALS = 4
PARTNER = 2
"""HF-1: seats from a player to the partner."""
HAND_SIZE = 13
"""Cards of a hand at first, and of a foot."""
WILD = N_RANKS
"""The rank of a wild meld."""
N_MELD_RANKS = N_RANKS + 1
MAX_MELDS = 42
"""The most melds of a side: twelve unclosed ones of three cards and thirty canastas at most,
of 250 cards that are not threes."""
PILE_TAKEN = 7
"""The most cards that are taken off the discard pile."""
KEPT_IN_FOOT = 2
"""HF-20: the cards that a meld move leaves in a foot, unless the seat is free to go out."""
MAX_ASKED_LACK = 1
"""The most canastas that may be lacking when the partner is asked."""
RED_THREE_BONUS = 100
OUT_BONUS = 100
CLEAN, DIRTY, ALL_WILD = 0, 1, 2
"""The kinds of canasta, in the order of `need`."""
N_KINDS = 3
CANASTA_BONUS = (500, 300, 1500)
REWARD_SCALE = 2000.0
"""Points that make a reward of 1."""

OPTIONS = (
    num_players_option(N_SEATS, (N_SEATS,)),
    ChoiceOption(
        "wild_rule",
        "strict",
        "wild cards in a meld of a rank: strict: one at most, or two in a meld of six or seven "
        "cards; majority: fewer than natural cards, and three at most",
        choices=("strict", "majority"),
    ),
    BoolOption(
        "one_kind_per_turn",
        True,
        "in one turn a seat begins new melds or adds to older ones, not both; false: both",
    ),
    ListOption(
        "minimums",
        [50, 90, 120, 150],
        "value of a side's first melds, by deal",
        length=N_DEALS,
    ),
    ListOption(
        "need",
        [2, 2, 1],
        "clean, dirty and wild canastas that a side must have to go out",
        length=N_KINDS,
    ),
    BoolOption(
        "partner_in_foot",
        True,
        "the partner must have picked up its foot before a seat goes out",
    ),
    IntOption(
        "foot_red_three",
        100,
        "points lost for each red three in a foot that was never picked up",
        low=0,
    ),
    EPISODE,
    IntOption(
        "deal",
        None,
        "with episode deal: which deal is played; none: one drawn evenly",
        high=N_DEALS,
        nullable=True,
        field="chosen_deal",
    ),
)

ACTIONS = Actions(
    Block("draw_two", "draw the two top cards of the stock"),
    Block("take_pile", "take the top seven discards, the top one into a meld"),
    Block("pass", "end the deal for want of cards, or a turn in which no card can be discarded"),
    Block("ask_partner", "ask the partner whether one may go out"),
    Block("allow", "let the partner go out"),
    Block("refuse", "do not"),
    Block(
        "open_meld",
        "begin a meld of a rank 4 .. A: with three natural cards, or two and a two or a joker",
        (("rank", N_RANKS), ("natural_two_or_joker", 3)),
    ),
    Block("open_wild", "begin a wild meld of so many jokers, the rest twos", (("jokers", 4),)),
    Block(
        "add",
        "add a card of the rank, a two or a joker to the unclosed meld of a rank",
        (("rank", N_RANKS), ("natural_two_or_joker", 3)),
    ),
    Block("add_wild", "add a two or a joker to the unclosed wild meld", (("two_or_joker", 2),)),
    Block("discard", "discard a card, 3B .. JK, which ends the turn", (("card", N_CARDS - 1),)),
)
DRAW_TWO = ACTIONS["draw_two"]
TAKE_PILE = ACTIONS["take_pile"]
PASS = ACTIONS["pass"]
ASK_PARTNER = ACTIONS["ask_partner"]
ALLOW = ACTIONS["allow"]
REFUSE = ACTIONS["refuse"]
OPEN_MELD = ACTIONS["open_meld"]
OPEN_WILD = ACTIONS["open_wild"]
ADD = ACTIONS["add"]
ADD_WILD = ACTIONS["add_wild"]
DISCARD = ACTIONS["discard"]


class Phase(IntEnum):
    """Which decision the game waits for."""

    OVER = 0
    DRAW = 1
    PLAY = 2
    ASK = 3


class WildRule(IntEnum):
    """HF-7: how many wild cards a meld of a rank may have (option `wild_rule`)."""

    STRICT = 0
    MAJORITY = 1


class Kind(IntEnum):
    """HF-9: what the turn is for."""

    NONE = 0
    START = 1
    ADD = 2


class Permission(IntEnum):
    """HF-20: the partner's answer in this turn."""

    NONE = 0
    ALLOW = 1
    REFUSE = 2


class State(BaseState):
    """One game of Hand & Foot Canasta. Cards are numbered as in `deck`."""

    wild_rule: Int8
    one_kind_per_turn: Int8
    minimums: Annotated[Int16Array, (N_DEALS,)]
    need: Annotated[Int16Array, (N_KINDS,)]
    partner_in_foot: Int8
    foot_red_three: Int16
    chosen_deal: Int8
    """The option `deal`; 0 for none."""

    stock_size: Int16
    discard_size: Int16
    stock: Annotated[Int8Array, (PACK_SIZE,)]
    """Cards, the top one last (at stock_size - 1)."""
    discard: Annotated[Int8Array, (PACK_SIZE,)]
    """The discard pile, the top card last."""
    pile: Annotated[Int8Array, (N_CARDS,)]
    """How many of each card the discard pile has."""
    hands: Annotated[Int8Array, (N_SEATS, N_CARDS)]
    """How many of each card a seat plays from, by seat: the hand, later the foot."""
    hand_size: Annotated[Int8Array, (N_SEATS,)]
    known: Annotated[Int8Array, (N_SEATS, N_CARDS)]
    """How many of each card in a hand were taken with the pile, so that all know (G-7)."""
    shown: Annotated[Int8Array, (N_CARDS,)]
    """How many of each card lie where all know it: in the pile, on the table, in `known`."""
    feet: Annotated[Int8Array, (N_SEATS, N_CARDS)]
    """How many of each card a foot that lies face down has."""
    in_foot: Annotated[Int8Array, (N_SEATS,)]
    """Whether a seat has picked up its foot."""

    n_melds: Annotated[Int8Array, (N_SIDES,)]
    """Melds by side, in the order begun; fields `meld_...` have one entry for each."""
    meld_rank: Annotated[Int8Array, (N_SIDES, MAX_MELDS)]
    """The rank 0 .. 10, or WILD."""
    meld_naturals: Annotated[Int8Array, (N_SIDES, MAX_MELDS)]
    meld_twos: Annotated[Int8Array, (N_SIDES, MAX_MELDS)]
    meld_jokers: Annotated[Int8Array, (N_SIDES, MAX_MELDS)]
    unclosed: Annotated[Int8Array, (N_SIDES, N_MELD_RANKS)]
    """HF-8: the meld of each rank that is not closed, or NONE."""
    unclosed_size: Annotated[Int8Array, (N_SIDES, N_MELD_RANKS)]
    """How many cards it has, 0 where there is none."""
    unclosed_wild: Annotated[Int8Array, (N_SIDES, N_MELD_RANKS)]
    """How many of these are wild; 0 for the wild meld."""
    closed: Annotated[Int8Array, (N_SIDES, N_MELD_RANKS)]
    """How many canastas of each rank a side has."""
    canastas: Annotated[Int8Array, (N_SIDES, N_KINDS)]
    """How many of each kind."""
    meld_value: Annotated[Int16Array, (N_SIDES,)]
    """The value of all the cards in a side's melds."""
    red_threes: Annotated[Int8Array, (N_SIDES,)]
    """Red threes laid out."""

    kind: Int8
    """The `Kind` of this turn."""
    begun: Int16
    """Bit r: the unclosed meld of rank r was begun in this turn, since a foot picked up in it."""
    aside: Annotated[Int8Array, (N_CARDS,)]
    """HF-13: how many of each card of the mover's hand may not be melded yet."""
    permission: Int8
    """The `Permission` to go out."""


STATE = dtype_of(State)


@kernel
def new_game(state: State) -> None:
    """G-1: the first dealer is drawn; every score is 0."""
    state.capped = 0
    state.winners[:] = 0
    state.scores[:] = 0
    state.points[:] = 0
    state.deal = 1
    if state.episode == Episode.DEAL:
        chosen = state.chosen_deal
        state.deal = chosen if chosen > 0 else 1 + rng.below(state, N_DEALS)
    state.dealer = rng.below(state, N_SEATS)
    deal_cards(state)


@kernel
def deal_cards(state: State) -> None:
    """R1, HF-3, HF-29: hands, feet, a card turned up, red threes; left of the dealer begins."""
    clear_table(state)
    for card in range(N_CARDS):
        push_stock(state, card, COPIES[card])
    rng.shuffle(state, state.stock, state.stock_size)
    for seat in range(N_SEATS):
        for _ in range(HAND_SIZE):
            gain(state, seat, pop_stock(state))
        for _ in range(HAND_SIZE):
            state.feet[seat, pop_stock(state)] += 1
    turn_up(state)
    seat = wide(state.dealer)
    for _ in range(N_SEATS):
        seat = next_seat(state, seat)
        lay_out_red_threes(state, seat)
    state.turns = 0
    state.turn = state.dealer
    begin_turn(state)


@kernel
def clear_table(state: State) -> None:
    """Take every card off the table; what is unused stays 0 (or NONE)."""
    state.stock[:] = 0
    state.stock_size = 0
    state.discard[:] = 0
    state.discard_size = 0
    state.pile[:] = 0
    state.hands[:] = 0
    state.hand_size[:] = 0
    state.known[:] = 0
    state.shown[:] = 0
    state.feet[:] = 0
    state.in_foot[:] = 0
    state.n_melds[:] = 0
    state.meld_rank[:] = 0
    state.meld_naturals[:] = 0
    state.meld_twos[:] = 0
    state.meld_jokers[:] = 0
    state.unclosed[:] = NONE
    state.unclosed_size[:] = 0
    state.unclosed_wild[:] = 0
    state.closed[:] = 0
    state.canastas[:] = 0
    state.meld_value[:] = 0
    state.red_threes[:] = 0


@kernel
def is_natural(card: int) -> bool:
    """Tell whether a card is a 4 .. A."""
    return FIRST_NATURAL <= card < TWO


@kernel
def turn_up(state: State) -> None:
    """R1, HF-2: turn up a card; what is not natural goes back to a random place in the stock."""
    card = pop_stock(state)
    while not is_natural(card):
        place = rng.below(state, int(state.stock_size) + 1)
        for i in range(int(state.stock_size), place, -1):
            state.stock[i] = state.stock[i - 1]
        state.stock[place] = card
        state.stock_size += 1
        card = pop_stock(state)
    put_on_pile(state, card)
    state.shown[card] += 1


@kernel
def put_on_pile(state: State, card: int) -> None:
    """Put a card onto the discard pile."""
    push_discard(state, card)
    state.pile[card] += 1


@kernel
def lay_out_red_threes(state: State, seat: int) -> None:
    """R2, HF-5: lay the red threes of a hand out and draw as many cards for them."""
    n = wide(state.hands[seat, RED_THREE])
    if n > 0:
        state.hands[seat, RED_THREE] = 0
        state.hand_size[seat] -= n
        state.red_threes[seat % N_SIDES] += n
        state.shown[RED_THREE] += n
        draw_cards(state, seat, n)


@kernel
def draw_cards(state: State, seat: int, n: int) -> None:
    """R2: draw `n` cards, red threes replaced while the stock lasts."""
    while n > 0 and state.stock_size > 0:
        card = pop_stock(state)
        if card == RED_THREE:
            state.red_threes[seat % N_SIDES] += 1
            state.shown[RED_THREE] += 1
        else:
            gain(state, seat, card)
            n -= 1


@kernel
def begin_turn(state: State) -> None:
    """R3: the turn passes to the left, to draw."""
    clear_turn(state)
    state.turn = next_seat(state, state.turn)
    state.turns += 1
    state.to_act = state.turn
    state.phase = Phase.DRAW


@kernel
def clear_turn(state: State) -> None:
    """Forget what holds for one turn."""
    state.kind = Kind.NONE
    state.begun = 0
    state.aside[:] = 0
    state.permission = Permission.NONE


@kernel
def legal(state: State, mask: Int8Array) -> None:
    """Set what the seat to act may do."""
    if state.phase == Phase.PLAY:
        legal_play(state, mask)
    elif state.phase == Phase.DRAW:
        legal_draw(state, mask)
    elif state.phase == Phase.ASK:
        mask[ALLOW] = 1
        mask[REFUSE] = 1


@kernel
def apply(state: State, action: int) -> None:
    """Play `action` for the seat to act."""
    if state.phase == Phase.PLAY:
        apply_play(state, action)
    elif state.phase == Phase.DRAW:
        apply_draw(state, action)
    elif state.phase == Phase.ASK:
        apply_ask(state, action)


@kernel
def legal_draw(state: State, mask: Int8Array) -> None:
    """R3, HF-21: two cards from the stock, or the pile; `pass` when the stock is used up."""
    has_two = state.stock_size >= 2
    mask[DRAW_TWO] = has_two
    mask[PASS] = not has_two
    mask[TAKE_PILE] = may_take_pile(state)


@kernel
def may_take_pile(state: State) -> bool:
    """R4, HF-11: a natural top card, two of its rank in hand, and room for three in the meld."""
    if state.discard_size == 0:
        return False
    seat, top = wide(state.turn), wide(state.discard[state.discard_size - 1])
    if not is_natural(top) or state.hands[seat, top] < 2:
        return False
    side, rank = seat % N_SIDES, top - FIRST_NATURAL
    if state.unclosed_size[side, rank] > CANASTA - MIN_MELD:
        return False
    if state.in_foot[seat] and state.hand_size[seat] - 2 + others_taken(state) < KEPT_IN_FOOT:
        return False
    return is_open(state, side) or opens_with_pile(state, side, rank)


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


@kernel
def apply_draw(state: State, action: int) -> None:
    """R3: draw, take the pile, or end the deal."""
    if action == PASS:
        end_deal(state, False)
        return
    state.phase = Phase.PLAY
    if action == DRAW_TWO:
        draw_cards(state, state.turn, 2)
    else:
        take_pile(state)


@kernel
def take_pile(state: State) -> None:
    """R4, HF-12, HF-13: meld the top card with two from the hand, then take up to six more."""
    n, top = others_taken(state), pop_discard(state)
    state.pile[top] -= 1
    seat = state.turn
    side = seat % N_SIDES
    rank = top - FIRST_NATURAL
    give(state, top, 2)
    put_in_meld(state, Lay(rank, MIN_MELD, 0, 0, state.unclosed_size[side, rank] == 0))
    barred = not is_open(state, side)
    for _ in range(n):
        card = gain_discard(state, seat)
        state.pile[card] -= 1
        if barred:
            state.aside[card] += 1
    after_melding(state)


@kernel
def give(state: State, card: int, n: int) -> None:
    """Take cards out of the mover's hand; equal ones leave what is known, but for those aside."""
    seat = state.turn
    known = int(state.known[seat, card])
    still_known = max(known - n, min(known, int(state.aside[card])))
    state.hands[seat, card] -= n
    state.hand_size[seat] -= n
    state.known[seat, card] = still_known
    state.shown[card] += n - (known - still_known)


@kernel
def legal_play(state: State, mask: Int8Array) -> None:
    """R5, R10: meld, discard, or ask to go out; without any of these pass."""
    seat = wide(state.turn)
    side = seat % N_SIDES
    may_discard = True
    legal_melds(state, mask)
    if not is_open(state, side):
        may_discard = bool(state.n_melds[side] == 0)
        keep_in_reach(state, mask)
    if not state.in_foot[seat]:
        legal_discard(state, mask, may_discard)
        return
    is_last = state.hand_size[seat] == 1
    keep_enough(state, mask)
    legal_discard(state, mask, may_discard and (not is_last or is_free(state, NONE, NONE)))
    mask[ASK_PARTNER] = may_ask(state)
    if is_last:
        mask[PASS] = not mask[OPEN_MELD:].any()


@kernel
def legal_discard(state: State, mask: Int8Array, allowed: bool) -> None:
    """R9, HF-25: any card."""
    if allowed:
        hand = state.hands[state.turn]
        for card in range(1, N_CARDS):
            mask[DISCARD - 1 + card] = hand[card] > 0


@kernel
def legal_melds(state: State, mask: Int8Array) -> None:
    """R5: what can be begun or added, apart from the minimum and from what a foot keeps."""
    seat = wide(state.turn)
    side, kind = seat % N_SIDES, state.kind
    hand, aside = state.hands[seat], state.aside
    twos, jokers = int(hand[TWO]) - int(aside[TWO]), int(hand[JOKER]) - int(aside[JOKER])
    for rank in range(N_RANKS):
        n = int(hand[FIRST_NATURAL + rank]) - int(aside[FIRST_NATURAL + rank])
        if state.unclosed_size[side, rank] == 0:
            if kind != Kind.ADD and n >= 2:
                first = OPEN_MELD + 3 * rank
                mask[first] = n >= MIN_MELD
                mask[first + 1] = twos > 0
                mask[first + 2] = jokers > 0
        elif kind != Kind.START or (int(state.begun) >> rank) & 1:
            first = ADD + 3 * rank
            mask[first] = n > 0
            if twos + jokers > 0 and takes_wild(state, side, rank):
                mask[first + 1] = twos > 0
                mask[first + 2] = jokers > 0
    legal_wild_meld(state, mask, twos, jokers)


@kernel
def takes_wild(state: State, side: int, rank: int) -> bool:
    """HF-7: tell whether the unclosed meld of a rank 4 .. A can have one more wild card."""
    wild, majority = int(state.unclosed_wild[side, rank]), is_majority(state)
    return wild_fits(majority, int(state.unclosed_size[side, rank]) - wild, wild + 1)


@kernel
def legal_wild_meld(state: State, mask: Int8Array, twos: int, jokers: int) -> None:
    """R5, HF-8: wild cards alone make melds, too."""
    if state.unclosed_size[state.turn % N_SIDES, WILD] == 0:
        if state.kind != Kind.ADD and twos + jokers >= MIN_MELD:
            for n in range(MIN_MELD + 1):
                mask[OPEN_WILD + n] = jokers >= n and twos >= MIN_MELD - n
    elif state.kind != Kind.START or (int(state.begun) >> WILD) & 1:
        mask[ADD_WILD] = twos > 0
        mask[ADD_WILD + 1] = jokers > 0


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


@kernel
def apply_play(state: State, action: int) -> None:
    """R5, R9: meld, ask, discard, or end the turn without a discard (HF-31)."""
    if action >= DISCARD:
        apply_discard(state, action - DISCARD + 1)
    elif action >= OPEN_MELD:
        apply_lay(state, lay_of(action))
    elif action == ASK_PARTNER:
        state.phase = Phase.ASK
        state.to_act = seat_after(state, wide(state.turn), PARTNER)
    else:
        begin_turn(state)


@kernel
def apply_ask(state: State, action: int) -> None:
    """R11: the partner's answer holds for this turn."""
    state.permission = Permission.ALLOW if action == ALLOW else Permission.REFUSE
    state.phase = Phase.PLAY
    state.to_act = state.turn


@kernel
def apply_lay(state: State, lay: Lay) -> None:
    """R5: lay cards of the hand down."""
    if lay.naturals > 0:
        give(state, FIRST_NATURAL + lay.rank, lay.naturals)
    if lay.twos > 0:
        give(state, TWO, lay.twos)
    if lay.jokers > 0:
        give(state, JOKER, lay.jokers)
    put_in_meld(state, lay)
    after_melding(state)


@kernel
def put_in_meld(state: State, lay: Lay) -> None:
    """R5, HF-8, HF-9: begin a meld or add to the unclosed one; with seven cards it is closed."""
    side, rank = wide(state.turn) % N_SIDES, lay.rank
    if lay.is_new:
        state.unclosed[side, rank] = state.n_melds[side]
        state.meld_rank[side, state.n_melds[side]] = rank
        state.n_melds[side] += 1
    meld, wild = wide(state.unclosed[side, rank]), lay.twos + lay.jokers
    state.meld_naturals[side, meld] += lay.naturals
    state.meld_twos[side, meld] += lay.twos
    state.meld_jokers[side, meld] += lay.jokers
    state.unclosed_size[side, rank] += lay.naturals + wild
    state.meld_value[side] += lay.twos * VALUES[TWO] + lay.jokers * VALUES[JOKER]
    if rank != WILD:
        state.unclosed_wild[side, rank] += wild
        state.meld_value[side] += lay.naturals * VALUES[FIRST_NATURAL + rank]
    note_kind(state, lay)
    if state.unclosed_size[side, rank] == CANASTA:
        close_meld(state, side, rank)


@kernel
def note_kind(state: State, lay: Lay) -> None:
    """HF-9: the first meld move says what the turn is for."""
    if state.one_kind_per_turn:
        if state.kind == Kind.NONE:
            state.kind = Kind.START if lay.is_new else Kind.ADD
        if lay.is_new:
            state.begun |= 1 << lay.rank


@kernel
def close_meld(state: State, side: int, rank: int) -> None:
    """R5: seven cards make a canasta; another meld of the rank may be begun then."""
    kind = ALL_WILD
    if rank != WILD:
        kind = CLEAN if state.unclosed_wild[side, rank] == 0 else DIRTY
    state.canastas[side, kind] += 1
    state.closed[side, rank] += 1
    state.unclosed[side, rank] = NONE
    state.unclosed_size[side, rank] = 0
    state.unclosed_wild[side, rank] = 0
    state.begun &= ~(1 << rank)


@kernel
def after_melding(state: State) -> None:
    """R7: with the minimum reached nothing is aside; an empty hand brings the foot, or is out."""
    seat = state.turn
    if is_open(state, seat % N_SIDES):
        state.aside[:] = 0
    if state.hand_size[seat] > 0:
        return
    if state.in_foot[seat]:
        end_deal(state, True)
    else:
        pick_up_foot(state, seat)
        state.kind = Kind.NONE
        state.begun = 0


@kernel
def pick_up_foot(state: State, seat: int) -> None:
    """R7, HF-16, HF-17: the foot becomes the hand; its red threes are laid out."""
    state.in_foot[seat] = 1
    for card in range(N_CARDS):
        state.hands[seat, card] = state.feet[seat, card]
        state.feet[seat, card] = 0
    state.hand_size[seat] = HAND_SIZE
    lay_out_red_threes(state, seat)


@kernel
def apply_discard(state: State, card: int) -> None:
    """R9: the discard ends the turn; with the last card of the hand comes the foot, or the end."""
    seat = wide(state.turn)
    give(state, card, 1)
    put_on_pile(state, card)
    if state.hand_size[seat] == 0:
        if state.in_foot[seat]:
            end_deal(state, True)
            return
        pick_up_foot(state, seat)
    begin_turn(state)


@kernel
def end_deal(state: State, out: bool) -> None:
    """R12, R13: score; deal again, or end the game after the last deal."""
    for side in range(N_SIDES):
        state.points[side] = side_points(state, side)
    if out:
        state.points[state.turn % N_SIDES] += OUT_BONUS
    for side in range(N_SIDES):
        state.scores[side] += state.points[side]
    pay_points(state, REWARD_SCALE)
    clear_turn(state)
    if state.episode == Episode.GAME and state.deal < N_DEALS:
        state.deal += 1
        state.dealer = next_seat(state, state.dealer)
        deal_cards(state)
    else:
        win_by_most(state, state.scores)
        finish(state)


@kernel
def side_points(state: State, side: int) -> int:
    """R12, HF-22, HF-24: melds, canastas and red threes, less what is left in hands and feet."""
    points = wide(state.meld_value[side]) + RED_THREE_BONUS * int(state.red_threes[side])
    for kind in range(N_KINDS):
        points += CANASTA_BONUS[kind] * int(state.canastas[side, kind])
    for seat in range(side, N_SEATS, N_SIDES):
        for card in range(N_CARDS):
            left = int(state.hands[seat, card]) + int(state.feet[seat, card])
            points -= VALUES[card] * left
        points -= int(state.foot_red_three) * int(state.feet[seat, RED_THREE])
    return points
