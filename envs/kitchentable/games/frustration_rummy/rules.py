"""The rules of Frustration Rummy, in the order of play.

Contract rummy: fourteen contracts in a fixed order, every seat at its own place in the
list; who first goes out on the last contract wins. Source: a published description of the
board game. Rule numbers (R1 ..) and rulings (FR-1 ..) are those of README.md beside this
file.

Options: `num_players` 4, `start_contract` 1, `last_contract` 14, `turn_cap` 60, `deal_cap`
as many deals as the range of contracts can need and ten more, `return_discard` true,
`episode` "game", `deal` none.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Annotated, Any

from kitchentable.cards.contracts import (
    NOTHING_BEGUN,
    SUIT_BITS,
    Begun,
    Holding,
    Shape,
    can_lay,
    run_begun,
    set_begun,
    shape_of,
    stretches,
    take,
    take_wild,
)
from kitchentable.cards.french import (
    JOKER,
    JOKERS_A_PACK,
    N_CARDS,
    N_POSITIONS,
    N_RANKS,
    N_SUITS,
    PACK_SIZE,
    card_at,
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
    IntOption,
    num_players_option,
)
from kitchentable.engine.record import Int8, Int8Array, Int16, dtype_of
from kitchentable.engine.state import (
    BaseState,
    Episode,
    finish,
    next_seat,
    pay_points,
    win_by_most,
)
from kitchentable.games.frustration_rummy.wild import (
    N_WILD,
    TWO_POSITION,
    WILD,
    can_finish,
    hold_wild,
    is_wild,
)

MAX_PLAYERS = 5
DECKS = 2
ALL_CARDS = DECKS * PACK_SIZE
HAND_SIZE = 13
MIN_SET = 3
"""Cards of an extra set."""
MIN_RUN = 4
"""Cards of an extra run."""
N_CONTRACTS = 14
SETS = (0, 3, 1, 2, 2, 0, 4, 1, 3, 0, 2, 0, 2, 1, 1)
"""Sets of each contract 1 .. 14; the first entry stands for what is extra."""
SET_SIZES = (MIN_SET, 3, 3, 3, 4, 3, 3, 3, 4, 3, 5, 3, 4, 4, 3)
"""Cards of each of these sets; three where the contract has none."""
RUNS = (0, 0, 1, 1, 0, 2, 0, 1, 0, 3, 0, 2, 1, 2, 1)
"""Runs of each contract."""
RUN_LENGTHS = (MIN_RUN, 4, 4, 4, 4, 4, 4, 7, 4, 4, 4, 5, 4, 4, 9)
"""Cards of each of these runs; four where the contract has none."""
EXTRA = 0
"""What a seat that is down lays has the sizes of this contract."""
MAX_SETS = 4
MAX_RUNS = 3
MAX_GROUP = 9
"""The most cards that a group has when it is completed."""
MAX_MELDS = 35
"""Threes out of 106 cards, because each seat holds one at least."""
MAX_MELD_CARDS = 16
"""Eight cards of a rank and as many wild ones; a run has 14 at most."""
N_SET_RANKS = N_RANKS - 1
"""Ranks of which there are sets: all but the two."""
N_LOWS = 11
"""Lowest positions 1 .. 11 that a run of four can start from."""
REWARD_SCALE = 2.0
"""Points that make a reward of 1."""
LOW, HIGH = 0, 1
"""The ends of a run."""
END_WAYS = 1 + N_WILD
"""Ways to add to an end of a run: the natural card, or one of the wild cards."""
WAYS = 2 * END_WAYS
"""Numbers for laying off on one meld."""


def default_deal_cap(options: Mapping[str, Any]) -> int:
    """FR-16: a deal with a seat out raises a contract; ten deals more for those without."""
    contracts: int = options["last_contract"] - options["start_contract"] + 1
    seats: int = options["num_players"]
    return max(contracts, 0) * seats + 10


OPTIONS = (
    num_players_option(4, range(2, MAX_PLAYERS + 1)),
    IntOption("start_contract", 1, "the contract that every seat begins with", high=N_CONTRACTS),
    IntOption(
        "last_contract",
        N_CONTRACTS,
        "the contract on which the game is won, not before the first; fewer make shorter games",
        high=N_CONTRACTS,
    ),
    IntOption("turn_cap", 60, "turns a seat may begin in one deal"),
    IntOption(
        "deal_cap",
        default_deal_cap,
        "deals in one game",
        default_text="10, and one for each seat and contract",
    ),
    RETURN_DISCARD,
    EPISODE,
    IntOption(
        "deal",
        None,
        "with episode deal: every seat's contract; none: one for all, drawn evenly from first to "
        "last",
        high=N_CONTRACTS,
        nullable=True,
        field="chosen_contract",
    ),
)

ACTIONS = Actions(
    Block("draw_stock", "draw the top card of the stock"),
    Block("take_discard", "take the top discard"),
    Block("open_set", "begin a set, of aces, threes .. kings", (("rank", N_SET_RANKS),)),
    Block("open_run", "begin a run", (("suit", N_SUITS), ("low", N_LOWS))),
    Block("place", "add the next card to the open group", (("card", N_CARDS),)),
    Block(
        "lay_off",
        "add a card to a meld, numbered as in the table: to a set that of suit S, H, D or C, or "
        "the 2S, 2H, 2D, 2C or joker; to a run at its low end the natural card or one of these "
        "five, then likewise at its high end",
        (("meld", MAX_MELDS), ("way", WAYS)),
    ),
    Block("discard", "discard a card, which ends the turn", (("card", N_CARDS),)),
)
DRAW_STOCK = ACTIONS["draw_stock"]
TAKE_DISCARD = ACTIONS["take_discard"]
OPEN_SET = ACTIONS["open_set"]
OPEN_RUN = ACTIONS["open_run"]
PLACE = ACTIONS["place"]
LAY_OFF = ACTIONS["lay_off"]
DISCARD = ACTIONS["discard"]


class Phase(IntEnum):
    """Which decision the game waits for."""

    OVER = 0
    DRAW = 1
    PLAY = 2
    MELD = 3


class Kind(IntEnum):
    """What a group or meld is."""

    SET = 0
    RUN = 1


class State(BaseState):
    """One game of Frustration Rummy. Cards are numbered as in `cards.french`."""

    start_contract: Int8
    last_contract: Int8
    turn_cap: Int16
    deal_cap: Int16
    return_discard: Int8
    chosen_contract: Int8
    """The option `deal`; 0 for none."""

    contracts: Annotated[Int8Array, (MAX_PLAYERS,)]
    """The contract 1 .. 14 of each seat in this deal."""
    down: Annotated[Int8Array, (MAX_PLAYERS,)]
    stock_size: Int16
    discard_size: Int16
    stock: Annotated[Int8Array, (ALL_CARDS,)]
    """Cards, the top one last (at stock_size - 1)."""
    discard: Annotated[Int8Array, (ALL_CARDS,)]
    """The discard pile, the top card last."""
    hands: Annotated[Int8Array, (MAX_PLAYERS, N_CARDS)]
    """How many of each card, by seat."""
    hand_size: Annotated[Int8Array, (MAX_PLAYERS,)]
    known: Annotated[Int8Array, (MAX_PLAYERS, N_CARDS)]
    """How many of each card in a hand all have seen go there (G-7)."""
    taken: Int8
    """The card the mover took from the discard pile in this turn, or NONE."""

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
    meld_wild: Annotated[Int8Array, (MAX_MELDS,)]
    """How many of its cards are wild."""
    meld_cards: Annotated[Int8Array, (MAX_MELDS, MAX_MELD_CARDS)]
    """Of a run in run order, of a set in the order laid."""

    open_kind: Int8
    """Phase MELD: the `Kind` of the open group, or NONE between two groups."""
    open_rank: Int8
    open_suit: Int8
    open_low: Int8
    open_size: Int8
    open_cards: Annotated[Int8Array, (MAX_GROUP,)]
    sets_left: Int8
    """Phase MELD: sets of the contract still to be laid, the open group not counted."""
    runs_left: Int8


STATE = dtype_of(State)


@kernel
def new_game(state: State) -> None:
    """G-1: the first dealer is drawn; every seat has the first contract."""
    state.capped = 0
    state.winners[:] = 0
    state.scores[:] = 0
    state.points[:] = 0
    state.deal = 1
    contract = wide(state.start_contract)
    if state.episode == Episode.DEAL:
        n_contracts = wide(state.last_contract) - contract + 1
        chosen = wide(state.chosen_contract)
        contract = chosen if chosen > 0 else contract + rng.below(state, n_contracts)
    state.contracts[:] = 0
    state.contracts[: state.num_players] = contract
    state.dealer = rng.below(state, state.num_players)
    deal_cards(state)


@kernel
def deal_cards(state: State) -> None:
    """R1: thirteen cards each, one turned up; the seat left of the dealer begins."""
    clear_table(state)
    make_stock(state)
    for seat in range(state.num_players):
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
    state.n_melds = 0
    state.meld_owner[:] = 0
    state.meld_kind[:] = 0
    state.meld_rank[:] = 0
    state.meld_suit[:] = 0
    state.meld_low[:] = 0
    state.meld_size[:] = 0
    state.meld_wild[:] = 0
    state.meld_cards[:] = 0
    state.open_cards[:] = 0
    state.sets_left = 0
    state.runs_left = 0
    close_group(state)


@kernel
def make_stock(state: State) -> None:
    """FR-1, G-2: two packs with two jokers each, shuffled."""
    for card in range(N_CARDS):
        push_stock(state, card, DECKS * (JOKERS_A_PACK if card == JOKER else 1))
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
    elif state.phase == Phase.PLAY:
        legal_play(state, mask)
    elif state.phase == Phase.MELD:
        legal_meld(state, mask)


@kernel
def apply(state: State, action: int) -> None:
    """Play `action` for the seat to act."""
    if state.phase == Phase.DRAW:
        apply_draw(state, action)
    elif state.phase == Phase.PLAY:
        apply_play(state, action)
    elif state.phase == Phase.MELD:
        apply_meld(state, action)


@kernel
def legal_draw(state: State, mask: Int8Array) -> None:
    """R2, FR-14: from the stock, if need be after a reshuffle, or the top discard."""
    mask[DRAW_STOCK] = state.stock_size > 0 or state.discard_size > 1
    mask[TAKE_DISCARD] = state.discard_size > 0


@kernel
def apply_draw(state: State, action: int) -> None:
    """R2: draw a card."""
    if action == TAKE_DISCARD:
        state.taken = gain_discard(state, state.turn)
    else:
        draw(state, state.turn)
    state.phase = Phase.PLAY


@kernel
def legal_play(state: State, mask: Int8Array) -> None:
    """R3, R5: lay the contract, or once down lay off and meld; or discard."""
    legal_discard(state, mask)
    seat = wide(state.turn)
    hand = hold_wild(state.hands[seat])
    if state.down[seat]:
        legal_lay_off(state, mask, hand.wild > 0)
        legal_open_extra(state, mask, hand)
    else:
        contract = wide(state.contracts[seat])
        legal_open(state, mask, hand, SETS[contract], RUNS[contract])


@kernel
def apply_play(state: State, action: int) -> None:
    """R3, R5: open a group, lay off or discard."""
    if action >= DISCARD:
        apply_discard(state, action - DISCARD)
    elif action >= LAY_OFF:
        apply_lay_off(state, (action - LAY_OFF) // WAYS, (action - LAY_OFF) % WAYS)
    else:
        begin_groups(state, action >= OPEN_RUN)
        apply_open(state, action)


@kernel
def legal_meld(state: State, mask: Int8Array) -> None:
    """R3: add the next card to the open group, or open the next group."""
    hand = hold_wild(state.hands[state.turn])
    if state.open_kind == NONE:
        legal_open(state, mask, hand, wide(state.sets_left), wide(state.runs_left))
    elif state.open_kind == Kind.SET:
        legal_place_set(state, mask, hand)
    else:
        legal_place_run(state, mask, hand)


@kernel
def apply_meld(state: State, action: int) -> None:
    """R3: open a group, or add a card to it."""
    if action >= PLACE:
        apply_place(state, action - PLACE)
    else:
        apply_open(state, action)


@kernel
def shape(state: State) -> Shape:
    """R3, R5: how large the mover's groups are, and how many wild cards each may have."""
    return sizes_of(EXTRA if state.down[state.turn] else wide(state.contracts[state.turn]))


@kernel
def sizes_of(contract: int) -> Shape:
    """FR-3: return how large a contract's groups are, and their most wild cards."""
    return shape_of(SET_SIZES[contract], RUN_LENGTHS[contract], True)


@kernel
def completable(hand: Holding, sizes: Shape, sets: int, runs: int, begun: Begun) -> bool:
    """R3: tell whether the group begun and so many sets and runs can be laid from the hand."""
    if sets + runs == 0:
        return can_finish(hand, begun)
    return can_lay(hand, sizes, sets, runs, begun)


@kernel
def set_number(rank: int) -> int:
    """Return the number that a rank has among those of sets."""
    return int(rank - (rank > 0))


@kernel
def rank_of_set(number: int) -> int:
    """Return the rank 0, 2 .. 12 of a set's number 0 .. 11."""
    return int(number + (number > 0))


@kernel
def legal_open(state: State, mask: Int8Array, hand: Holding, sets: int, runs: int) -> None:
    """R3, FR-6: begin a group of the contract, if all of it can be completed then."""
    sizes = shape(state)
    if not can_lay(hand, sizes, sets, runs, NOTHING_BEGUN):
        return
    for number in range(N_SET_RANKS if sets > 0 else 0):
        begun = set_begun(rank_of_set(number), sizes.set_size, sizes.set_wild)
        mask[OPEN_SET + number] = completable(hand, sizes, sets - 1, runs, begun)
    if runs > 0:
        legal_open_run(mask, hand, sizes, sets, runs - 1)


@kernel
def legal_open_run(mask: Int8Array, hand: Holding, sizes: Shape, sets: int, runs: int) -> None:
    """R3, G-4: begin a run where the hand has one, if so many other groups can follow."""
    length = sizes.run_length
    found = stretches(hand, length, min(sizes.run_wild, hand.wild))
    for suit in range(N_SUITS):
        lows = found >> (SUIT_BITS * suit)
        for place in range(N_POSITIONS + 1 - length):
            if (lows >> place) & 1:
                begun = run_begun(suit, place + 1, length, sizes.run_wild)
                action = OPEN_RUN + suit * N_LOWS + place
                mask[action] = completable(hand, sizes, sets, runs, begun)


@kernel
def legal_open_extra(state: State, mask: Int8Array, hand: Holding) -> None:
    """R5, FR-7: begin an extra meld, if a card to discard is left after it."""
    sizes = shape(state)
    size = state.hand_size[state.turn]
    for number in range(N_SET_RANKS if size > MIN_SET else 0):
        begun = set_begun(rank_of_set(number), MIN_SET, sizes.set_wild)
        mask[OPEN_SET + number] = can_finish(hand, begun)
    if size > MIN_RUN:
        legal_open_run(mask, hand, sizes, 0, 0)


@kernel
def open_wild(state: State) -> int:
    """Return how many wild cards the open group has."""
    n = 0
    for place in range(state.open_size):
        n += is_wild(wide(state.open_cards[place]))
    return n


@kernel
def legal_place_set(state: State, mask: Int8Array, hand: Holding) -> None:
    """R3, G-5: a card of the rank or a wild one, if all can be completed then."""
    sizes, counts = shape(state), state.hands[state.turn]
    sets, runs, rank = wide(state.sets_left), wide(state.runs_left), wide(state.open_rank)
    missing = sizes.set_size - 1 - wide(state.open_size)
    wild = sizes.set_wild - open_wild(state)
    begun = set_begun(rank, missing, wild)
    for suit in range(N_SUITS):
        card = suit * N_RANKS + rank
        if counts[card]:
            mask[PLACE + card] = completable(take(hand, card), sizes, sets, runs, begun)
    if hand.wild > 0 and wild > 0:
        begun = set_begun(rank, missing, wild - 1)
        if completable(take_wild(hand, 1), sizes, sets, runs, begun):
            allow_wild(counts, mask[PLACE:])


@kernel
def legal_place_run(state: State, mask: Int8Array, hand: Holding) -> None:
    """R3, G-4: the natural card for the next position or a wild one, likewise."""
    sizes, counts = shape(state), state.hands[state.turn]
    sets, runs, suit = wide(state.sets_left), wide(state.runs_left), wide(state.open_suit)
    position = wide(state.open_low) + wide(state.open_size)
    missing = sizes.run_length - 1 - wide(state.open_size)
    wild = sizes.run_wild - open_wild(state)
    card = card_at(suit, position)
    if counts[card] and position != TWO_POSITION:
        begun = run_begun(suit, position + 1, missing, wild)
        mask[PLACE + card] = completable(take(hand, card), sizes, sets, runs, begun)
    if hand.wild > 0 and wild > 0:
        begun = run_begun(suit, position + 1, missing, wild - 1)
        if completable(take_wild(hand, 1), sizes, sets, runs, begun):
            allow_wild(counts, mask[PLACE:])


@kernel
def allow_wild(counts: Int8Array, cards: Int8Array) -> None:
    """FR-2: allow each wild card that is held, in a part of the mask that is by card."""
    for card in WILD:
        cards[card] = counts[card] > 0


@kernel
def begin_groups(state: State, is_run: bool) -> None:
    """R3, R5: say what is to be laid: the contract, or one group when the seat is down."""
    seat = wide(state.turn)
    if state.down[seat]:
        state.sets_left = 0 if is_run else 1
        state.runs_left = 1 if is_run else 0
    else:
        contract = wide(state.contracts[seat])
        state.sets_left = SETS[contract]
        state.runs_left = RUNS[contract]


@kernel
def apply_open(state: State, action: int) -> None:
    """R3, FR-18: begin a set of a rank, or a run of a suit from its lowest position."""
    state.phase = Phase.MELD
    state.open_size = 0
    if action >= OPEN_RUN:
        state.open_kind = Kind.RUN
        state.open_suit = (action - OPEN_RUN) // N_LOWS
        state.open_low = (action - OPEN_RUN) % N_LOWS + 1
        state.runs_left -= 1
    else:
        state.open_kind = Kind.SET
        state.open_rank = rank_of_set(action - OPEN_SET)
        state.sets_left -= 1


@kernel
def apply_place(state: State, card: int) -> None:
    """R3, FR-5: add a card to the open group, which is complete at exactly its size."""
    give(state, card)
    state.open_cards[state.open_size] = card
    state.open_size += 1
    sizes = shape(state)
    size = sizes.set_size if state.open_kind == Kind.SET else sizes.run_length
    if state.open_size == size:
        complete_group(state)


@kernel
def complete_group(state: State) -> None:
    """R4, R5: the open group becomes a meld; with the last of the contract the seat is down."""
    meld = wide(state.n_melds)
    state.n_melds += 1
    state.meld_owner[meld] = state.turn
    state.meld_kind[meld] = state.open_kind
    state.meld_rank[meld] = state.open_rank
    state.meld_suit[meld] = state.open_suit
    state.meld_low[meld] = state.open_low
    state.meld_size[meld] = state.open_size
    state.meld_wild[meld] = open_wild(state)
    for place in range(state.open_size):
        state.meld_cards[meld, place] = state.open_cards[place]
        state.open_cards[place] = 0
    close_group(state)
    if state.sets_left == 0 and state.runs_left == 0:
        state.down[state.turn] = 1
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
def wild_fits(state: State, meld: int) -> bool:
    """FR-3: tell whether a meld can have one more wild card."""
    return 2 * wide(state.meld_wild[meld]) + 1 <= wide(state.meld_size[meld])


@kernel
def position_beyond(state: State, meld: int, end: int) -> int:
    """Return the position next to an end of a run, or 0 where there is none."""
    low = wide(state.meld_low[meld])
    if end == LOW:
        return low - 1
    high = low + wide(state.meld_size[meld])
    return high if high <= N_POSITIONS else 0


@kernel
def natural_beyond(state: State, meld: int, end: int) -> int:
    """FR-2: return the natural card for the next position at an end of a run, or NONE."""
    position = position_beyond(state, meld, end)
    if position == 0 or position == TWO_POSITION:
        return NONE
    return card_at(wide(state.meld_suit[meld]), position)


@kernel
def legal_lay_off(state: State, mask: Int8Array, has_wild: bool) -> None:
    """R5, FR-8, FR-9: on any meld on the table, if a card to discard is left."""
    hand = state.hands[state.turn]
    if state.hand_size[state.turn] < 2:
        return
    for meld in range(state.n_melds):
        ways = mask[LAY_OFF + meld * WAYS :]
        wild = has_wild and wild_fits(state, meld)
        if state.meld_kind[meld] == Kind.SET:
            for suit in range(N_SUITS):
                ways[suit] = hand[suit * N_RANKS + state.meld_rank[meld]] > 0
            if wild:
                lay_off_wild(hand, ways[N_SUITS:])
        else:
            for end in range(2):
                legal_lay_off_run(state, ways[end * END_WAYS :], meld, end, wild)


@kernel
def legal_lay_off_run(state: State, ways: Int8Array, meld: int, end: int, wild: bool) -> None:
    """R5, FR-17: the natural card for the next position inside 1 .. 14, or a wild one."""
    hand, natural = state.hands[state.turn], natural_beyond(state, meld, end)
    if natural != NONE:
        ways[0] = hand[natural] > 0
    if wild and position_beyond(state, meld, end) > 0:
        lay_off_wild(hand, ways[1:])


@kernel
def lay_off_wild(hand: Int8Array, ways: Int8Array) -> None:
    """Allow each of the five wild cards that is held."""
    for i in range(N_WILD):
        ways[i] = hand[WILD[i]] > 0


@kernel
def card_laid_off(state: State, meld: int, way: int) -> int:
    """Return the card that an action lays off on a meld."""
    if state.meld_kind[meld] == Kind.SET:
        if way >= N_SUITS:
            return WILD[way - N_SUITS]
        return way * N_RANKS + wide(state.meld_rank[meld])
    if way % END_WAYS > 0:
        return WILD[way % END_WAYS - 1]
    return natural_beyond(state, meld, way // END_WAYS)


@kernel
def apply_lay_off(state: State, meld: int, way: int) -> None:
    """R5: add a card to a set, or to an end of a run."""
    card = card_laid_off(state, meld, way)
    give(state, card)
    place = wide(state.meld_size[meld])
    if state.meld_kind[meld] == Kind.RUN and way < END_WAYS:
        while place > 0:
            state.meld_cards[meld, place] = state.meld_cards[meld, place - 1]
            place -= 1
        state.meld_low[meld] -= 1
    state.meld_cards[meld, place] = card
    state.meld_size[meld] += 1
    state.meld_wild[meld] += is_wild(card)


@kernel
def legal_discard(state: State, mask: Int8Array) -> None:
    """R6, G-3: any card; the card just taken only if allowed, or if there is no other."""
    hand = state.hands[state.turn]
    for card in range(N_CARDS):
        mask[DISCARD + card] = hand[card] > 0
    taken = wide(state.taken)
    if taken != NONE and not state.return_discard and hand[taken] < state.hand_size[state.turn]:
        mask[DISCARD + taken] = 0


@kernel
def apply_discard(state: State, card: int) -> None:
    """R6, R7: put a card on the discard pile; with the last one the mover is out.

    FR-15: the last turn allowed ends the deal, but going out comes first.
    """
    give(state, card)
    push_discard(state, card)
    out = state.hand_size[state.turn] == 0
    if out or state.turns >= wide(state.turn_cap) * wide(state.num_players):
        end_deal(state, out)
    else:
        begin_turn(state)


@kernel
def end_deal(state: State, out: bool) -> None:
    """R8, FR-23: a point for being down, one more for going out; then on, or the end."""
    state.capped = state.capped or not out
    for seat in range(state.num_players):
        points = wide(state.down[seat]) + (out and seat == state.turn)
        state.points[seat] = points
        state.scores[seat] += points
    pay_points(state, REWARD_SCALE)
    if state.episode == Episode.DEAL:
        win_by_most(state, state.points)
        end_game(state)
    elif out and state.contracts[state.turn] == state.last_contract:
        state.winners[state.turn] = 1
        end_game(state)
    else:
        move_on(state)


@kernel
def move_on(state: State) -> None:
    """R9, FR-12, FR-16: who is down moves on; deal again, or end the game at its cap."""
    for seat in range(state.num_players):
        if state.down[seat] and state.contracts[seat] < state.last_contract:
            state.contracts[seat] += 1
    if state.deal < state.deal_cap:
        state.deal += 1
        state.dealer = next_seat(state, state.dealer)
        deal_cards(state)
    else:
        state.capped = 1
        win_by_most(state, state.contracts)
        end_game(state)


@kernel
def end_game(state: State) -> None:
    """R10: the game is over; `winners` is set."""
    state.taken = NONE
    finish(state)
