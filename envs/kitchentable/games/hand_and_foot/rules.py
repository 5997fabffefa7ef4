"""The rules of Hand & Foot Canasta, in the order of play.

Canasta for two sides of two over four deals: each seat plays a hand and then a second one,
its foot. The higher total wins. Source: a description of "Hand & Foot Canasta" as a partner
game; where it is silent, the custom of that family of games. Rule numbers (R1 ..) and
rulings (HF-1 ..) are those of README.md beside this file.

Options: `num_players` 4, `wild_rule` "strict", `one_kind_per_turn` true, `minimums`
[50, 90, 120, 150], `need` [2, 2, 1], `partner_in_foot` true, `foot_red_three` 100,
`episode` "game", `deal` none.
"""

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
from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.record import Int8Array
from kitchentable.engine.state import (
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
    RED_THREE,
    TWO,
    VALUES,
)
from kitchentable.games.hand_and_foot.opening import (
    CANASTA,
    MIN_MELD,
    wild_fits,
)
from kitchentable.games.hand_and_foot.reach import (
    Lay,
    is_free,
    is_majority,
    is_open,
    keep_enough,
    keep_in_reach,
    lay_of,
    may_ask,
    opens_with_pile,
    others_taken,
)
from kitchentable.games.hand_and_foot.state import (
    ADD,
    ADD_WILD,
    ALL_WILD,
    ALLOW,
    ASK_PARTNER,
    CANASTA_BONUS,
    CLEAN,
    DIRTY,
    DISCARD,
    DRAW_TWO,
    HAND_SIZE,
    KEPT_IN_FOOT,
    N_DEALS,
    N_KINDS,
    N_SEATS,
    N_SIDES,
    OPEN_MELD,
    OPEN_WILD,
    OUT_BONUS,
    PARTNER,
    PASS,
    RED_THREE_BONUS,
    REFUSE,
    REWARD_SCALE,
    TAKE_PILE,
    WILD,
    Kind,
    Permission,
    Phase,
    State,
)


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
