"""The rules of Norwegian Rummy, in the order of play.

Contract rummy over seven deals with buying out of turn; lowest total wins. Source: a
description by a player ("Norwegian Rummy", signed Steve, of Lake Metigoshe). Rule
numbers (R1 ..) and rulings (NR-1 ..) are those of README.md beside this file.

Options: `num_players` 4, `decks` 2 (3 for five or six seats), `max_buys` 3,
`joker_ratio` true, `turn_cap` 60, `return_discard` true, `episode` "game", `deal` none.
"""

from enum import IntEnum
from typing import Annotated

from kitchentable.cards.contracts import (
    NO_RUN_BEGUN,
    NOTHING_BEGUN,
    Holding,
    LastRun,
    Shape,
    can_lay,
    can_use_up,
    hold,
    holds,
    keeps_ratio,
    run_begun,
    set_begun,
    shape_of,
    take,
)
from kitchentable.cards.french import (
    JOKER,
    JOKERS_A_PACK,
    N_CARDS,
    N_NATURAL,
    N_POSITIONS,
    N_RANKS,
    N_SUITS,
    PACK_SIZE,
    card_at,
    rank_of,
)
from kitchentable.cards.piles import (
    NONE,
    clear_piles,
    draw,
    gain,
    gain_discard,
    give,
    pop_stock,
    push_discard,
    push_stock,
)
from kitchentable.engine import rng
from kitchentable.engine.actions import Actions, Block
from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.options import (
    EPISODE,
    RETURN_DISCARD,
    BoolOption,
    IntOption,
    num_players_option,
)
from kitchentable.engine.record import Int8, Int8Array, Int16, dtype_of
from kitchentable.engine.state import BaseState, Episode, finish, next_seat, pay_points

MAX_PLAYERS = 6
MAX_DECKS = 3
MAX_PACK = MAX_DECKS * PACK_SIZE
"""The most cards that any game has."""
HAND_SIZE = 11
MIN_SET = 3
MIN_RUN = 4
N_DEALS = 7
SETS = (0, 2, 1, 0, 3, 2, 1, 0)
"""Sets of each contract 1 .. 7 (the first entry is unused)."""
RUNS = (0, 0, 1, 2, 0, 1, 2, 3)
"""Runs of each contract 1 .. 7."""
LAST_CONTRACT = 7
"""The contract that uses up the whole hand."""
MAX_GROUPS = 3
"""The most groups that a contract has, so the most melds that a seat owns."""
MAX_MELDS = MAX_PLAYERS * MAX_GROUPS
MAX_MELD_CARDS = 18
"""Twelve cards of a rank and six jokers; a run has 14 at most."""
N_LOWS = 11
"""Lowest positions 1 .. 11 that a run of four can start from."""
REWARD_SCALE = 100.0
"""Points that make a reward of 1."""
LOW, HIGH = 0, 1
"""The ends of a run."""
VALUES = (15, 5, 5, 5, 5, 5, 5, 5, 5, 10, 10, 10, 10)
"""What a card left in hand costs, by rank: ace, 2 .. king."""
JOKER_VALUE = 50

OPTIONS = (
    num_players_option(4, range(2, MAX_PLAYERS + 1)),
    IntOption(
        "decks",
        lambda options: 2 if options["num_players"] <= 4 else 3,
        "packs of 52 cards and 2 jokers; 11 cards a seat and one more there must be",
        default_text="2; 3 for five or six seats",
        high=MAX_DECKS,
    ),
    IntOption("max_buys", 3, "buys a seat may make in one deal", low=0, high=3),
    BoolOption(
        "joker_ratio",
        True,
        "a meld never has more jokers than natural cards; false: one natural card at least",
    ),
    IntOption("turn_cap", 60, "turns a seat may begin in one deal"),
    RETURN_DISCARD,
    EPISODE,
    IntOption(
        "deal",
        None,
        "with episode deal: the contract; none: one drawn evenly",
        high=N_DEALS,
        nullable=True,
        field="chosen_contract",
    ),
)

ACTIONS = Actions(
    Block("draw_stock", "draw the top card of the stock"),
    Block("take_discard", "take the top discard"),
    Block("buy", "buy the top discard out of turn, with the next card of the stock"),
    Block("pass", "do not buy"),
    Block("open_set", "begin a set of the contract", (("rank", N_RANKS),)),
    Block("open_run", "begin a run of the contract", (("suit", N_SUITS), ("low", N_LOWS))),
    Block("place", "add the next card to the open group", (("card", N_CARDS),)),
    Block("close", "end the open run (contract 7)"),
    Block(
        "lay_off_set",
        "add a card to a set: of suit S, H, D or C, or a joker; melds are numbered by owner, "
        "clockwise from the seat that acts, three for each",
        (("meld", MAX_MELDS), ("suit_or_joker", N_SUITS + 1)),
    ),
    Block(
        "lay_off_run",
        "add the natural card or a joker to the low or high end of a run",
        (("meld", MAX_MELDS), ("end", 2), ("joker", 2)),
    ),
    Block(
        "move_joker",
        "replace the joker at a position of an own run, and move it to an end",
        (("meld", MAX_GROUPS), ("position", N_POSITIONS), ("end", 2)),
    ),
    Block("discard", "discard a card, which ends the turn", (("card", N_CARDS),)),
)
DRAW_STOCK = ACTIONS["draw_stock"]
TAKE_DISCARD = ACTIONS["take_discard"]
BUY = ACTIONS["buy"]
PASS = ACTIONS["pass"]
OPEN_SET = ACTIONS["open_set"]
OPEN_RUN = ACTIONS["open_run"]
PLACE = ACTIONS["place"]
CLOSE = ACTIONS["close"]
LAY_OFF_SET = ACTIONS["lay_off_set"]
LAY_OFF_RUN = ACTIONS["lay_off_run"]
MOVE_JOKER = ACTIONS["move_joker"]
DISCARD = ACTIONS["discard"]


class Phase(IntEnum):
    """Which decision the game waits for."""

    OVER = 0
    DRAW = 1
    BUY = 2
    PLAY = 3
    MELD = 4


class Kind(IntEnum):
    """What a group or meld is."""

    SET = 0
    RUN = 1


class State(BaseState):
    """One game of Norwegian Rummy. Cards are numbered as in `cards.french`."""

    decks: Int8
    max_buys: Int8
    joker_ratio: Int8
    turn_cap: Int16
    return_discard: Int8
    chosen_contract: Int8
    """The option `deal`; 0 for none."""

    contract: Int8
    """The contract of this deal, 1 .. 7."""
    stock_size: Int16
    discard_size: Int16
    stock: Annotated[Int8Array, (MAX_PACK,)]
    """Cards, the top one last (at stock_size - 1)."""
    discard: Annotated[Int8Array, (MAX_PACK,)]
    """The discard pile, the top card last."""
    hands: Annotated[Int8Array, (MAX_PLAYERS, N_CARDS)]
    """How many of each card, by seat."""
    hand_size: Annotated[Int8Array, (MAX_PLAYERS,)]
    known: Annotated[Int8Array, (MAX_PLAYERS, N_CARDS)]
    """How many of each card in a hand all have seen go there (G-7)."""
    taken: Int8
    """The card the mover took from the discard pile in this turn, or NONE."""
    down: Annotated[Int8Array, (MAX_PLAYERS,)]
    buys_left: Annotated[Int8Array, (MAX_PLAYERS,)]

    n_melds: Int8
    """Melds on the table, in the order laid; fields `meld_...` have one entry for each."""
    meld_owner: Annotated[Int8Array, (MAX_MELDS,)]
    meld_kind: Annotated[Int8Array, (MAX_MELDS,)]
    """A `Kind`."""
    meld_rank: Annotated[Int8Array, (MAX_MELDS,)]
    """Of a set: its rank 0 .. 12."""
    meld_suit: Annotated[Int8Array, (MAX_MELDS,)]
    """Of a run: its suit 0 .. 3."""
    meld_low: Annotated[Int8Array, (MAX_MELDS,)]
    """Of a run: the position 1 .. 14 of its lowest card."""
    meld_size: Annotated[Int8Array, (MAX_MELDS,)]
    meld_jokers: Annotated[Int8Array, (MAX_MELDS,)]
    meld_cards: Annotated[Int8Array, (MAX_MELDS, MAX_MELD_CARDS)]
    """Of a run in run order, of a set in the order laid."""
    own_melds: Annotated[Int8Array, (MAX_PLAYERS, MAX_GROUPS)]
    """By seat: the indices of the melds it owns, in the order laid; NONE beyond these.
    In actions a meld is number 3 * ((owner - seat to act) mod num_players) + its place here."""

    open_kind: Int8
    """Phase MELD: the `Kind` of the open group, or NONE between two groups."""
    open_rank: Int8
    open_suit: Int8
    open_low: Int8
    open_size: Int8
    open_cards: Annotated[Int8Array, (N_POSITIONS,)]
    sets_left: Int8
    """Phase MELD: sets of the contract still to be laid, the open group not counted."""
    runs_left: Int8


STATE = dtype_of(State)


@kernel
def new_game(state: State) -> None:
    """G-1: the first dealer is drawn; every score is 0."""
    state.capped = 0
    state.winners[:] = 0
    state.scores[:] = 0
    state.points[:] = 0
    state.deal = 1
    state.contract = 1
    if state.episode == Episode.DEAL:
        chosen = state.chosen_contract
        state.contract = chosen if chosen > 0 else 1 + rng.below(state, N_DEALS)
    state.dealer = rng.below(state, state.num_players)
    deal_cards(state)


@kernel
def deal_cards(state: State) -> None:
    """R1: eleven cards each, one turned up; the seat left of the dealer begins."""
    clear_table(state)
    make_stock(state)
    for seat in range(state.num_players):
        state.buys_left[seat] = state.max_buys
        for _ in range(HAND_SIZE):
            gain(state, seat, pop_stock(state))
    push_discard(state, pop_stock(state))
    state.turns = 0
    state.turn = state.dealer
    begin_turn(state)


@kernel
def clear_table(state: State) -> None:
    """Take every card off the table; what is unused stays 0 (or NONE)."""
    clear_piles(state)
    state.down[:] = 0
    state.buys_left[:] = 0
    state.n_melds = 0
    state.meld_owner[:] = 0
    state.meld_kind[:] = 0
    state.meld_rank[:] = 0
    state.meld_suit[:] = 0
    state.meld_low[:] = 0
    state.meld_size[:] = 0
    state.meld_jokers[:] = 0
    state.meld_cards[:] = 0
    state.own_melds[:] = NONE
    state.open_cards[:] = 0
    state.sets_left = 0
    state.runs_left = 0
    close_group(state)


@kernel
def make_stock(state: State) -> None:
    """NR-1, G-2: all packs, shuffled."""
    for card in range(N_CARDS):
        push_stock(state, card, state.decks * (JOKERS_A_PACK if card == JOKER else 1))
    rng.shuffle(state, state.stock, state.stock_size)


@kernel
def begin_turn(state: State) -> None:
    """R1, R2: the turn passes to the left, to draw."""
    state.turn = next_seat(state, state.turn)
    state.turns += 1
    state.to_act = state.turn
    state.taken = NONE
    state.phase = Phase.DRAW


@kernel
def legal(state: State, mask: Int8Array) -> None:
    """Set what the seat to act may do."""
    if state.phase == Phase.DRAW:
        legal_draw(state, mask)
    elif state.phase == Phase.BUY:
        legal_buy(state, mask)
    elif state.phase == Phase.PLAY:
        legal_play(state, mask)
    elif state.phase == Phase.MELD:
        legal_meld(state, mask)


@kernel
def apply(state: State, action: int) -> None:
    """Play `action` for the seat to act."""
    if state.phase == Phase.DRAW:
        apply_draw(state, action)
    elif state.phase == Phase.BUY:
        apply_buy(state, action)
    elif state.phase == Phase.PLAY:
        apply_play(state, action)
    elif state.phase == Phase.MELD:
        apply_meld(state, action)
    end_move(state, action >= DISCARD)


@kernel
def legal_draw(state: State, mask: Int8Array) -> None:
    """R2, NR-20: from the stock, if need be after a reshuffle, or the top discard."""
    mask[DRAW_STOCK] = state.stock_size > 0 or state.discard_size > 1
    mask[TAKE_DISCARD] = state.discard_size > 0


@kernel
def apply_draw(state: State, action: int) -> None:
    """R2, NR-12: a draw from the stock lets the others buy; taking the discard does not."""
    if action == TAKE_DISCARD:
        state.taken = gain_discard(state, state.turn)
        state.phase = Phase.PLAY
    else:
        draw(state, state.turn)
        ask_after(state, state.turn)


@kernel
def ask_after(state: State, seat: int) -> None:
    """NR-12, NR-14: ask the next seat that may buy, clockwise; at the end the mover goes on."""
    seat = next_seat(state, seat)
    while seat != state.turn and not may_buy(state, seat):
        seat = next_seat(state, seat)
    state.to_act = seat
    state.phase = Phase.PLAY if seat == state.turn else Phase.BUY


@kernel
def may_buy(state: State, seat: int) -> bool:
    """NR-12, NR-14: a seat that is not down and has buys left, if there is a discard."""
    return state.discard_size > 0 and not state.down[seat] and state.buys_left[seat] > 0


@kernel
def legal_buy(state: State, mask: Int8Array) -> None:
    """R3: whoever is asked may buy or pass."""
    mask[BUY] = 1
    mask[PASS] = 1


@kernel
def apply_buy(state: State, action: int) -> None:
    """R3, NR-13: the buyer gets the discard, then the next card of the stock."""
    seat = state.to_act
    if action == PASS:
        ask_after(state, seat)
        return
    state.buys_left[seat] -= 1
    gain_discard(state, seat)
    draw(state, seat)
    state.to_act = state.turn
    state.phase = Phase.PLAY


@kernel
def legal_play(state: State, mask: Int8Array) -> None:
    """R4, R6: lay the contract, or once down lay off; or discard."""
    legal_discard(state, mask)
    if state.down[state.turn]:
        legal_lay_off(state, mask)
        legal_move_joker(state, mask)
    else:
        hand = hold(state.hands[state.turn])
        legal_open(state, mask, hand, SETS[state.contract], RUNS[state.contract])


@kernel
def apply_play(state: State, action: int) -> None:
    """R4, R6: open a group, lay off, move a joker or discard."""
    if action >= DISCARD:
        apply_discard(state, action - DISCARD)
    elif action >= MOVE_JOKER:
        apply_move_joker(state, action - MOVE_JOKER)
    elif action >= LAY_OFF_RUN:
        apply_lay_off_run(state, action - LAY_OFF_RUN)
    elif action >= LAY_OFF_SET:
        apply_lay_off_set(state, action - LAY_OFF_SET)
    else:
        state.sets_left = SETS[state.contract]
        state.runs_left = RUNS[state.contract]
        apply_open(state, action)


@kernel
def legal_meld(state: State, mask: Int8Array) -> None:
    """R4: add the next card to the open group, or open the next group."""
    hand = hold(state.hands[state.turn])
    if state.open_kind == NONE:
        legal_open(state, mask, hand, wide(state.sets_left), wide(state.runs_left))
    elif state.open_kind == Kind.SET:
        legal_place_set(state, mask, hand)
    elif state.contract == LAST_CONTRACT:
        legal_place_last(state, mask, hand)
    else:
        legal_place_run(state, mask, hand)


@kernel
def apply_meld(state: State, action: int) -> None:
    """R4: open a group, add a card to it, or close it."""
    if action == CLOSE:
        complete_group(state)
    elif action >= PLACE:
        apply_place(state, action - PLACE)
    else:
        apply_open(state, action)


@kernel
def shape(state: State) -> Shape:
    """NR-6: sets of three and runs of four, and how many jokers each may have."""
    return shape_of(MIN_SET, MIN_RUN, bool(state.joker_ratio))


@kernel
def legal_open(state: State, mask: Int8Array, hand: Holding, sets: int, runs: int) -> None:
    """R4, NR-4: begin a group of the contract, if all of it can be completed then."""
    sizes = shape(state)
    if state.contract == LAST_CONTRACT:
        legal_open_last(state, mask, hand, runs)
    elif can_lay(hand, sizes, sets, runs, NOTHING_BEGUN):
        for rank in range(N_RANKS if sets > 0 else 0):
            begun = set_begun(rank, MIN_SET, sizes.set_wild)
            mask[OPEN_SET + rank] = can_lay(hand, sizes, sets - 1, runs, begun)
        for choice in range(N_SUITS * N_LOWS if runs > 0 else 0):
            suit, low = choice // N_LOWS, choice % N_LOWS + 1
            begun = run_begun(suit, low, MIN_RUN, sizes.run_wild)
            mask[OPEN_RUN + choice] = can_lay(hand, sizes, sets, runs - 1, begun)


@kernel
def legal_open_last(state: State, mask: Int8Array, hand: Holding, runs: int) -> None:
    """R5: a run with which, and with the other runs, no card is left over."""
    ratio = bool(state.joker_ratio)
    if can_use_up(hand, ratio, runs, NO_RUN_BEGUN):
        for choice in range(N_SUITS * N_LOWS):
            begun = LastRun(choice // N_LOWS, choice % N_LOWS + 1, 0, 0)
            mask[OPEN_RUN + choice] = can_use_up(hand, ratio, runs - 1, begun)


@kernel
def open_jokers(state: State) -> int:
    """Return how many jokers the open group has."""
    n = 0
    for place in range(state.open_size):
        if state.open_cards[place] == JOKER:
            n += 1
    return n


@kernel
def legal_place_set(state: State, mask: Int8Array, hand: Holding) -> None:
    """R4, G-5: a card of the rank or a joker, if the contract can be completed then."""
    sizes = shape(state)
    sets, runs, rank = wide(state.sets_left), wide(state.runs_left), wide(state.open_rank)
    wild = sizes.set_wild - open_jokers(state)
    for suit in range(N_SUITS + 1):
        card = JOKER if suit == N_SUITS else suit * N_RANKS + rank
        if holds(hand, card):
            after = wild - 1 if card == JOKER else wild
            begun = set_begun(rank, MIN_SET - 1 - wide(state.open_size), after)
            mask[PLACE + card] = after >= 0 and can_lay(take(hand, card), sizes, sets, runs, begun)


@kernel
def legal_place_run(state: State, mask: Int8Array, hand: Holding) -> None:
    """R4, G-4: the natural card for the next position or a joker, likewise."""
    sizes = shape(state)
    sets, runs, suit = wide(state.sets_left), wide(state.runs_left), wide(state.open_suit)
    position = wide(state.open_low) + wide(state.open_size)
    wild = sizes.run_wild - open_jokers(state)
    for card in (card_at(suit, position), JOKER):
        if holds(hand, card):
            after = wild - 1 if card == JOKER else wild
            begun = run_begun(suit, position + 1, MIN_RUN - 1 - wide(state.open_size), after)
            mask[PLACE + card] = after >= 0 and can_lay(take(hand, card), sizes, sets, runs, begun)


@kernel
def legal_place_last(state: State, mask: Int8Array, hand: Holding) -> None:
    """R5: go on with the run or close it, if the rest of the hand can be used up then."""
    ratio, runs = bool(state.joker_ratio), wide(state.runs_left)
    suit, size, wild = wide(state.open_suit), wide(state.open_size), open_jokers(state)
    if size >= MIN_RUN and keeps_ratio(ratio, size - wild, wild):
        mask[CLOSE] = can_use_up(hand, ratio, runs, NO_RUN_BEGUN)
    position = wide(state.open_low) + size
    if position > N_POSITIONS:
        return
    for card in (card_at(suit, position), JOKER):
        if holds(hand, card):
            after = wild + 1 if card == JOKER else wild
            begun = LastRun(suit, position + 1, size + 1 - after, after)
            mask[PLACE + card] = can_use_up(take(hand, card), ratio, runs, begun)


@kernel
def apply_open(state: State, action: int) -> None:
    """R4: begin a set of a rank, or a run of a suit from its lowest position."""
    state.phase = Phase.MELD
    state.open_size = 0
    if action >= OPEN_RUN:
        state.open_kind = Kind.RUN
        state.open_suit = (action - OPEN_RUN) // N_LOWS
        state.open_low = (action - OPEN_RUN) % N_LOWS + 1
        state.runs_left -= 1
    else:
        state.open_kind = Kind.SET
        state.open_rank = action - OPEN_SET
        state.sets_left -= 1


@kernel
def apply_place(state: State, card: int) -> None:
    """R4, R5: add a card to the open group; three make a set, four a run (not in contract 7)."""
    give(state, card)
    state.open_cards[state.open_size] = card
    state.open_size += 1
    if state.open_kind == Kind.SET:
        if state.open_size == MIN_SET:
            complete_group(state)
    elif state.open_size == MIN_RUN and state.contract != LAST_CONTRACT:
        complete_group(state)


@kernel
def complete_group(state: State) -> None:
    """R4: the open group becomes a meld; with the last one the seat is down."""
    meld, seat = int(state.n_melds), state.turn
    state.n_melds += 1
    state.meld_owner[meld] = seat
    state.meld_kind[meld] = state.open_kind
    state.meld_rank[meld] = state.open_rank
    state.meld_suit[meld] = state.open_suit
    state.meld_low[meld] = state.open_low
    state.meld_size[meld] = state.open_size
    state.meld_jokers[meld] = open_jokers(state)
    for place in range(state.open_size):
        state.meld_cards[meld, place] = state.open_cards[place]
        state.open_cards[place] = 0
    own = 0
    while state.own_melds[seat, own] != NONE:
        own += 1
    state.own_melds[seat, own] = meld
    close_group(state)
    if state.sets_left == 0 and state.runs_left == 0:
        state.down[seat] = 1
        state.phase = Phase.PLAY


@kernel
def close_group(state: State) -> None:
    """Say that no group is open."""
    state.open_kind = NONE
    state.open_rank = 0
    state.open_suit = 0
    state.open_low = 0
    state.open_size = 0


@kernel
def joker_fits(state: State, meld: int) -> bool:
    """NR-6: whether a meld, all of which have a natural card, can have one more joker."""
    jokers = int(state.meld_jokers[meld])
    return not state.joker_ratio or 2 * jokers + 1 <= state.meld_size[meld]


@kernel
def legal_lay_off(state: State, mask: Int8Array) -> None:
    """R6, NR-5: on any meld on the table, whoever's."""
    hand, seat = state.hands[state.turn], int(state.turn)
    for distance in range(state.num_players):
        for place in range(MAX_GROUPS):
            meld = int(state.own_melds[seat, place])
            if meld == NONE:
                break
            number = distance * MAX_GROUPS + place
            joker = hand[JOKER] > 0 and joker_fits(state, meld)
            if state.meld_kind[meld] == Kind.SET:
                first = LAY_OFF_SET + number * (N_SUITS + 1)
                for suit in range(N_SUITS):
                    mask[first + suit] = hand[suit * N_RANKS + state.meld_rank[meld]] > 0
                mask[first + N_SUITS] = joker
            else:
                legal_lay_off_run(state, mask[LAY_OFF_RUN + number * 4 :], meld, joker)
        seat = next_seat(state, seat)


@kernel
def legal_lay_off_run(state: State, ends: Int8Array, meld: int, joker: bool) -> None:
    """R6, G-4: at the low or high end, inside 1 .. 14; sets `ends` by end and kind of card."""
    hand, suit = state.hands[state.turn], int(state.meld_suit[meld])
    for end in range(2):
        position = position_beyond(state, meld, end)
        if position > 0:
            ends[end * 2] = hand[card_at(suit, position)] > 0
            ends[end * 2 + 1] = joker


@kernel
def position_beyond(state: State, meld: int, end: int) -> int:
    """Return the position next to an end of a run, or 0 where there is none."""
    low = int(state.meld_low[meld])
    if end == LOW:
        return low - 1
    high = low + int(state.meld_size[meld])
    return high if high <= N_POSITIONS else 0


@kernel
def legal_move_joker(state: State, mask: Int8Array) -> None:
    """R7, NR-9: in an own run, for the natural card of its place; to a free end."""
    seat = state.turn
    for place in range(MAX_GROUPS):
        meld = int(state.own_melds[seat, place])
        if meld == NONE:
            break
        if state.meld_kind[meld] != Kind.RUN or state.meld_jokers[meld] == 0:
            continue
        suit, low = int(state.meld_suit[meld]), int(state.meld_low[meld])
        for i in range(state.meld_size[meld]):
            if state.meld_cards[meld, i] == JOKER and state.hands[seat, card_at(suit, low + i)]:
                first = MOVE_JOKER + 2 * (place * N_POSITIONS + low + i - 1)
                mask[first + LOW] = position_beyond(state, meld, LOW) > 0
                mask[first + HIGH] = position_beyond(state, meld, HIGH) > 0


@kernel
def legal_discard(state: State, mask: Int8Array) -> None:
    """R8, G-3: any card; the card just taken only if allowed, or if there is no other."""
    hand = state.hands[state.turn]
    for card in range(N_CARDS):
        mask[DISCARD + card] = hand[card] > 0
    taken = int(state.taken)
    if taken != NONE and not state.return_discard and hand[taken] < state.hand_size[state.turn]:
        mask[DISCARD + taken] = 0


@kernel
def meld_number(state: State, number: int) -> int:
    """Return the meld that an action of the mover numbers by owner and place."""
    owner = (state.turn + number // MAX_GROUPS) % state.num_players
    return int(state.own_melds[owner, number % MAX_GROUPS])


@kernel
def apply_lay_off_set(state: State, choice: int) -> None:
    """R6: add a card to a set."""
    meld, suit = meld_number(state, choice // (N_SUITS + 1)), choice % (N_SUITS + 1)
    card = JOKER if suit == N_SUITS else suit * N_RANKS + int(state.meld_rank[meld])
    give(state, card)
    append(state, meld, card)


@kernel
def apply_lay_off_run(state: State, choice: int) -> None:
    """R6: add a card to an end of a run."""
    meld, end = meld_number(state, choice // 4), choice // 2 % 2
    card = JOKER
    if choice % 2 == 0:
        card = card_at(int(state.meld_suit[meld]), position_beyond(state, meld, end))
    give(state, card)
    extend(state, meld, end, card)


@kernel
def apply_move_joker(state: State, choice: int) -> None:
    """R7, NR-9: the natural card takes the joker's place, the joker goes to an end."""
    meld = meld_number(state, choice // (2 * N_POSITIONS))
    position, end = choice // 2 % N_POSITIONS + 1, choice % 2
    card = card_at(int(state.meld_suit[meld]), position)
    give(state, card)
    state.meld_cards[meld, position - state.meld_low[meld]] = card
    state.meld_jokers[meld] -= 1
    extend(state, meld, end, JOKER)


@kernel
def append(state: State, meld: int, card: int) -> None:
    """Put a card at the end of a meld's cards."""
    state.meld_cards[meld, state.meld_size[meld]] = card
    state.meld_size[meld] += 1
    if card == JOKER:
        state.meld_jokers[meld] += 1


@kernel
def extend(state: State, meld: int, end: int, card: int) -> None:
    """Put a card to an end of a run; at the low end all the others move up."""
    append(state, meld, card)
    if end == LOW:
        for place in range(state.meld_size[meld] - 1, 0, -1):
            state.meld_cards[meld, place] = state.meld_cards[meld, place - 1]
        state.meld_cards[meld, 0] = card
        state.meld_low[meld] -= 1


@kernel
def apply_discard(state: State, card: int) -> None:
    """R8: put a card on the discard pile."""
    give(state, card)
    push_discard(state, card)


@kernel
def end_move(state: State, discarded: bool) -> None:
    """R8, R9, NR-16: without a card the mover is out; else a discard ends its turn.

    NR-23: the last turn allowed ends the deal, but going out comes first.
    """
    out = state.phase == Phase.PLAY and state.hand_size[state.turn] == 0
    last = discarded and state.turns >= int(state.turn_cap) * int(state.num_players)
    if out or last:
        state.capped = state.capped or not out
        end_deal(state)
    elif discarded:
        begin_turn(state)


@kernel
def end_deal(state: State) -> None:
    """R10: score what is left in the hands; deal again, or end the game after the last deal."""
    for seat in range(state.num_players):
        value = hand_value(state.hands[seat])
        state.points[seat] = -value
        state.scores[seat] += value
    pay_points(state, REWARD_SCALE)
    if state.episode == Episode.GAME and state.deal < N_DEALS:
        state.deal += 1
        state.contract = state.deal
        state.dealer = next_seat(state, state.dealer)
        deal_cards(state)
    else:
        end_game(state)


@kernel
def hand_value(counts: Int8Array) -> int:
    """R10: 2 to 9 five, ten to king 10, ace 15, joker 50."""
    value = JOKER_VALUE * int(counts[JOKER])
    for card in range(N_NATURAL):
        value += VALUES[rank_of(card)] * int(counts[card])
    return value


@kernel
def end_game(state: State) -> None:
    """R11: the lowest total wins; equal ones share the win."""
    state.taken = NONE
    lowest = int(state.scores[0])
    for seat in range(state.num_players):
        lowest = min(lowest, int(state.scores[seat]))
    for seat in range(state.num_players):
        state.winners[seat] = state.scores[seat] == lowest
    finish(state)
