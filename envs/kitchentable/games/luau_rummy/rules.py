"""The rules of Luau Rummy, in the order of play.

Draw or take the whole discard pile, lay melds of five kinds, discard; every card laid is a
point, and one meld of each kind makes a Luau. The first side alone in the lead with 50 or
more wins. Rule numbers (R1 ..) and rulings (LR-1 ..) are those of README.md beside this file.

Options: `num_players` 4, `decks` 2 (1 for two seats), `teams` false, `piggy_pileup` false,
`copies` 4, `animal_copies` 1, `wolves` 2, `target` 50, `turn_cap` 60, `deal_cap` 30,
`return_discard` true, `episode` "game".
"""

from enum import IntEnum
from itertools import combinations_with_replacement
from typing import Annotated

from kitchentable.cards.piles import (
    NONE,
    clear_piles,
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
from kitchentable.engine.record import Int8, Int8Array, Int16, Int16Array, dtype_of
from kitchentable.engine.state import (
    BaseState,
    Episode,
    finish,
    next_seat,
    pay_points,
    win_by_most,
)
from kitchentable.games.luau_rummy.pack import (
    ANIMALS,
    FIRST_ANIMAL,
    FIRST_CARDS,
    FIRST_PIGGY,
    N_ANIMALS,
    N_CARDS,
    N_KINDS,
    N_MELD_KINDS,
    N_TRIPLES,
    PILEUP,
    TRIPLE,
    WOLF,
)

MAX_PLAYERS = 4
MAX_DECKS = 2
MAX_COPIES = 4
"""The most copies of a card in one pack."""
MAX_CARDS = MAX_DECKS * MAX_COPIES * N_CARDS
"""The most cards that any game has."""
HAND_SIZE = 5
MIN_MELD = 3
MAX_MELDS = MAX_CARDS // MIN_MELD
WOLF_PLACE = N_ANIMALS
"""The wolf's place among the counts of a meld's cards."""
LUAU = 10
"""What a Luau brings if there is a meld without a wolf of each kind ..."""
WOLFISH_LUAU = 5
"""... and what any other brings."""
REWARD_SCALE = 20.0
"""Points that make a reward of 1."""
TRIOS = tuple(
    trio
    for trio in combinations_with_replacement(range(FIRST_ANIMAL, WOLF + 1), MIN_MELD)
    if trio.count(WOLF) <= 1
)
"""R5: the melds of three animals, or of two and a wolf, each in card order."""
ADDABLE = FIRST_PIGGY
"""The first card that can be added to some meld; all after it can."""
N_WOLF_CHOICES = 1 + TRIPLE
"""A meld of three different cards has no wolf, or one for the first, second or third card."""

OPTIONS = (
    num_players_option(4, range(2, MAX_PLAYERS + 1)),
    IntOption(
        "decks",
        lambda options: 1 if options["num_players"] == 2 else 2,
        "packs; for three and four seats always 2",
        default_text="1 for two seats, else 2",
        high=MAX_DECKS,
    ),
    BoolOption("teams", False, "four seats only: seats 0 and 2 against seats 1 and 3"),
    BoolOption("piggy_pileup", False, "two packs only: sets of identical piggies"),
    IntOption(
        "copies",
        4,
        "copies in a pack of each card of supplies, gourmet, materials and piggies",
        high=MAX_COPIES,
    ),
    IntOption("animal_copies", 1, "copies in a pack of each animal", high=MAX_COPIES),
    IntOption("wolves", 2, "wolves in a pack", low=0, high=MAX_COPIES),
    IntOption("target", 50, "total that can win the game"),
    IntOption("turn_cap", 60, "turns a seat may begin in one deal"),
    IntOption("deal_cap", 30, "deals in one game"),
    RETURN_DISCARD,
    EPISODE,
)

ACTIONS = Actions(
    Block("draw_stock", "draw the top card of the stock"),
    Block("take_pile", "take the whole discard pile"),
    Block(
        "lay",
        "lay the three cards of supplies, gourmet, materials or piggies; without a wolf, or with "
        "one for the first, second or third card",
        (("kind", N_TRIPLES), ("wolf", N_WOLF_CHOICES)),
    ),
    Block(
        "lay_animals",
        "lay three animals, or two and a wolf: every such trio in card order, equal names allowed",
        (("cards", len(TRIOS)),),
    ),
    Block("lay_pileup", "lay three equal piggies", (("piggy", TRIPLE),)),
    Block(
        "add",
        "add a piggy to the pile-up of it, an animal or a wolf to the first animals meld that "
        "can have it",
        (("card", N_CARDS - ADDABLE),),
    ),
    Block("discard", "discard a card, which ends the turn", (("card", N_CARDS),)),
)
DRAW_STOCK = ACTIONS["draw_stock"]
TAKE_PILE = ACTIONS["take_pile"]
LAY = ACTIONS["lay"]
LAY_ANIMALS = ACTIONS["lay_animals"]
LAY_PILEUP = ACTIONS["lay_pileup"]
ADD = ACTIONS["add"]
DISCARD = ACTIONS["discard"]


class Phase(IntEnum):
    """Which decision the game waits for."""

    OVER = 0
    DRAW = 1
    PLAY = 2


class State(BaseState):
    """One game of Luau Rummy. Cards are numbered as in `pack`."""

    decks: Int8
    teams: Int8
    piggy_pileup: Int8
    copies: Int8
    animal_copies: Int8
    wolves: Int8
    target: Int16
    turn_cap: Int16
    deal_cap: Int16
    return_discard: Int8
    all_copies: Annotated[Int8Array, (N_CARDS,)]
    """How many of each card all packs have, by the options."""

    stock_size: Int16
    discard_size: Int16
    stock: Annotated[Int8Array, (MAX_CARDS,)]
    """Cards, the top one last (at stock_size - 1)."""
    discard: Annotated[Int8Array, (MAX_CARDS,)]
    """The discard pile, the top card last."""
    in_pile: Annotated[Int8Array, (N_CARDS,)]
    """How many of each card it has."""
    hands: Annotated[Int8Array, (MAX_PLAYERS, N_CARDS)]
    """How many of each card, by seat."""
    hand_size: Annotated[Int16Array, (MAX_PLAYERS,)]
    known: Annotated[Int8Array, (MAX_PLAYERS, N_CARDS)]
    """How many of each card in a hand all have seen go there (G-7)."""
    taken: Int8
    """The top card of the pile taken in this turn, or NONE."""

    n_melds: Int8
    """Melds on the table, in the order laid; fields `meld_...` have one entry for each."""
    meld_side: Annotated[Int8Array, (MAX_MELDS,)]
    meld_kind: Annotated[Int8Array, (MAX_MELDS,)]
    """A `Kind`."""
    meld_cards: Annotated[Int8Array, (MAX_MELDS, WOLF_PLACE + 1)]
    """How many of each card of its kind, in card order from 0 on; wolves at WOLF_PLACE."""
    laid: Annotated[Int8Array, (MAX_PLAYERS, N_MELD_KINDS)]
    """By side and kind: how many melds."""
    pure: Annotated[Int8Array, (MAX_PLAYERS, N_MELD_KINDS)]
    """By side and kind: how many of them have no wolf."""
    pileups: Annotated[Int8Array, (MAX_PLAYERS, TRIPLE)]
    """By side and piggy: 1 if it has laid a pile-up of it."""
    cards_laid: Annotated[Int16Array, (MAX_PLAYERS,)]
    """By side: how many cards lie in its melds."""
    on_table: Annotated[Int8Array, (N_CARDS,)]
    """How many of each card lie in melds, whoever's."""


STATE = dtype_of(State)


@kernel
def new_game(state: State) -> None:
    """G-1: the first dealer is drawn; every score is 0."""
    state.capped = 0
    state.winners[:] = 0
    state.scores[:] = 0
    state.points[:] = 0
    state.deal = 1
    state.dealer = rng.below(state, state.num_players)
    deal_cards(state)


@kernel
def deal_cards(state: State) -> None:
    """R1, LR-4: five cards each, none turned up; the seat left of the dealer begins."""
    clear_table(state)
    make_stock(state)
    for seat in range(state.num_players):
        for _ in range(HAND_SIZE):
            gain(state, seat, pop_stock(state))
    state.turns = 0
    state.turn = state.dealer
    begin_turn(state)


@kernel
def clear_table(state: State) -> None:
    """Take every card off the table; what is unused stays 0 (or NONE)."""
    clear_piles(state)
    state.in_pile[:] = 0
    state.n_melds = 0
    state.meld_side[:] = 0
    state.meld_kind[:] = 0
    state.meld_cards[:] = 0
    state.laid[:] = 0
    state.pure[:] = 0
    state.pileups[:] = 0
    state.cards_laid[:] = 0
    state.on_table[:] = 0


@kernel
def make_stock(state: State) -> None:
    """LR-1, G-2: all packs, shuffled."""
    for card in range(N_CARDS):
        push_stock(state, card, wide(state.all_copies[card]))
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


@kernel
def apply(state: State, action: int) -> None:
    """Play `action` for the seat to act."""
    if state.phase == Phase.DRAW:
        apply_draw(state, action)
    elif state.phase == Phase.PLAY:
        apply_play(state, action)
        end_move(state, action >= DISCARD)


@kernel
def legal_draw(state: State, mask: Int8Array) -> None:
    """R2: the stock has a card at the beginning of every turn, the pile need not have one."""
    mask[DRAW_STOCK] = 1
    mask[TAKE_PILE] = state.discard_size > 0


@kernel
def apply_draw(state: State, action: int) -> None:
    """R2, LR-5, LR-21: the top card of the stock, or the whole pile, which all know then."""
    seat = wide(state.turn)
    if action == TAKE_PILE:
        state.taken = gain_discard(state, seat)
        while state.discard_size > 0:
            gain_discard(state, seat)
        state.in_pile[:] = 0
    else:
        gain(state, seat, pop_stock(state))
    state.phase = Phase.PLAY


@kernel
def side_of(state: State, seat: int) -> int:
    """LR-3: return the side of a seat."""
    return seat % wide(state.num_sides)


@kernel
def legal_play(state: State, mask: Int8Array) -> None:
    """R3 to R7: lay melds, add to them, or discard."""
    legal_lay(state, mask)
    legal_lay_animals(state, mask)
    if state.piggy_pileup:
        legal_lay_pileup(state, mask)
    legal_add(state, mask)
    legal_discard(state, mask)


@kernel
def apply_play(state: State, action: int) -> None:
    """R3 to R7: lay a meld, add a card or discard one."""
    if action >= DISCARD:
        give(state, action - DISCARD)
        push_discard(state, action - DISCARD)
        state.in_pile[action - DISCARD] += 1
    elif action >= ADD:
        apply_add(state, action - ADD + ADDABLE)
    elif action >= LAY_PILEUP:
        apply_lay_pileup(state, action - LAY_PILEUP)
    elif action >= LAY_ANIMALS:
        apply_lay_animals(state, action - LAY_ANIMALS)
    else:
        apply_lay(state, (action - LAY) // N_WOLF_CHOICES, (action - LAY) % N_WOLF_CHOICES)


@kernel
def legal_lay(state: State, mask: Int8Array) -> None:
    """R3, LR-7, LR-8: the three different cards of a kind, or two of them and a wolf."""
    hand = state.hands[state.turn]
    has_wolf = hand[WOLF] > 0
    for kind in range(N_TRIPLES):
        first, start = kind * TRIPLE, LAY + kind * N_WOLF_CHOICES
        has_1, has_2, has_3 = hand[first] > 0, hand[first + 1] > 0, hand[first + 2] > 0
        mask[start] = has_1 and has_2 and has_3
        mask[start + 1] = has_wolf and has_2 and has_3
        mask[start + 2] = has_wolf and has_1 and has_3
        mask[start + 3] = has_wolf and has_1 and has_2


@kernel
def apply_lay(state: State, kind: int, wolf: int) -> None:
    """R3, LR-8: lay the cards of a kind; a wolf takes the place of card number `wolf`, 1 .. 3."""
    begin_meld(state, kind)
    for place in range(TRIPLE):
        lay_card(state, WOLF if place + 1 == wolf else kind * TRIPLE + place)


@kernel
def begin_meld(state: State, kind: int) -> None:
    """LR-10: the mover's side begins one more meld, without a wolf so far."""
    meld, side = wide(state.n_melds), side_of(state, wide(state.turn))
    state.n_melds += 1
    state.meld_side[meld] = side
    state.meld_kind[meld] = kind
    state.laid[side, kind] += 1
    state.pure[side, kind] += 1


@kernel
def lay_card(state: State, card: int) -> None:
    """Put a card of the hand into the last meld."""
    put_into(state, wide(state.n_melds) - 1, card)


@kernel
def put_into(state: State, meld: int, card: int) -> None:
    """Put a card of the hand into a meld; the place of a wolf is the same in all."""
    give(state, card)
    side, kind = wide(state.meld_side[meld]), wide(state.meld_kind[meld])
    if card == WOLF:
        state.pure[side, kind] -= 1
        state.meld_cards[meld, WOLF_PLACE] += 1
    else:
        state.meld_cards[meld, card - FIRST_CARDS[kind]] += 1
    state.cards_laid[side] += 1
    state.on_table[card] += 1


@kernel
def n_animals(hand: Int8Array) -> int:
    """Return how many animals a hand has, wolves apart."""
    lions, alligators = wide(hand[FIRST_ANIMAL]), wide(hand[FIRST_ANIMAL + 1])
    return lions + alligators + wide(hand[FIRST_ANIMAL + 2]) + wide(hand[FIRST_ANIMAL + 3])


@kernel
def legal_lay_animals(state: State, mask: Int8Array) -> None:
    """R4, LR-7, LR-8: any three animals, or two and a wolf."""
    hand = state.hands[state.turn]
    if n_animals(hand) + min(wide(hand[WOLF]), 1) >= MIN_MELD:
        for number in range(len(TRIOS)):
            first, second, third = TRIOS[number]
            needed_2 = 1 + (second == first)
            needed_3 = 1 + (third == second) + (third == first)
            has_all = hand[first] > 0 and hand[second] >= needed_2 and hand[third] >= needed_3
            mask[LAY_ANIMALS + number] = has_all


@kernel
def apply_lay_animals(state: State, number: int) -> None:
    """R4: lay one of the trios."""
    begin_meld(state, ANIMALS)
    first, second, third = TRIOS[number]
    lay_card(state, first)
    lay_card(state, second)
    lay_card(state, third)


@kernel
def legal_lay_pileup(state: State, mask: Int8Array) -> None:
    """R6, LR-18: three equal piggies, if the side has no pile-up of them yet."""
    hand, side = state.hands[state.turn], side_of(state, wide(state.turn))
    for piggy in range(TRIPLE):
        enough = hand[FIRST_PIGGY + piggy] >= MIN_MELD
        mask[LAY_PILEUP + piggy] = enough and state.pileups[side, piggy] == 0


@kernel
def apply_lay_pileup(state: State, piggy: int) -> None:
    """R6, LR-18: lay three equal piggies."""
    begin_meld(state, PILEUP)
    state.pileups[side_of(state, wide(state.turn)), piggy] = 1
    for _ in range(MIN_MELD):
        lay_card(state, FIRST_PIGGY + piggy)


@kernel
def legal_add(state: State, mask: Int8Array) -> None:
    """R5, R6, LR-9: what the hand has for an animals meld or pile-up of the mover's side."""
    hand, side = state.hands[state.turn], side_of(state, wide(state.turn))
    if state.laid[side, ANIMALS] > 0:
        for card in range(FIRST_ANIMAL, WOLF):
            mask[ADD + card - ADDABLE] = hand[card] > 0
        mask[ADD + WOLF - ADDABLE] = hand[WOLF] > 0 and state.pure[side, ANIMALS] > 0
    if state.laid[side, PILEUP] > 0:
        for piggy in range(TRIPLE):
            card = FIRST_PIGGY + piggy
            mask[ADD + card - ADDABLE] = hand[card] > 0 and state.pileups[side, piggy] > 0


@kernel
def apply_add(state: State, card: int) -> None:
    """R5, R6, LR-8: add a card to the first meld of the side that can have it."""
    side, meld = side_of(state, wide(state.turn)), 0
    while not can_have(state, meld, side, card):
        meld += 1
    put_into(state, meld, card)


@kernel
def can_have(state: State, meld: int, side: int, card: int) -> bool:
    """Tell whether a meld is the side's, and can have a piggy, an animal or a wolf more."""
    kind, cards = state.meld_kind[meld], state.meld_cards[meld]
    if state.meld_side[meld] != side:
        return False
    if card < FIRST_ANIMAL:
        return bool(kind == PILEUP and cards[card - FIRST_PIGGY] > 0)
    return bool(kind == ANIMALS) and not (card == WOLF and cards[WOLF_PLACE] > 0)


@kernel
def legal_discard(state: State, mask: Int8Array) -> None:
    """R7, G-3: any card; the name just taken only if allowed, or if there is no other."""
    hand = state.hands[state.turn]
    for card in range(N_CARDS):
        mask[DISCARD + card] = hand[card] > 0
    taken = wide(state.taken)
    if taken != NONE and not state.return_discard and hand[taken] < state.hand_size[state.turn]:
        mask[DISCARD + taken] = 0


@kernel
def end_move(state: State, discarded: bool) -> None:
    """R7, R8, LR-11, LR-12, LR-19: end the turn or the deal.

    A deal ends when the mover is out, or else after a discard if the stock's last card has
    been drawn or no turn is left.
    """
    if state.hand_size[state.turn] == 0:
        end_deal(state, True)
    elif discarded and state.stock_size == 0:
        end_deal(state, False)
    elif discarded and state.turns >= wide(state.turn_cap) * wide(state.num_players):
        state.capped = 1
        end_deal(state, False)
    elif discarded:
        begin_turn(state)


@kernel
def end_deal(state: State, out: bool) -> None:
    """R9, R10: score the deal; `out` tells whether the mover has no card left."""
    for side in range(state.num_sides):
        state.points[side] = wide(state.cards_laid[side]) + luau(state, side)
    if out:
        give_cards(state)
    for side in range(state.num_sides):
        state.scores[side] += state.points[side]
    pay_points(state, REWARD_SCALE)
    go_on(state)


@kernel
def luau(state: State, side: int) -> int:
    """R9, LR-15: ten for a meld without a wolf of each kind, five for any meld of each kind."""
    laid, pure, kinds, pure_kinds = state.laid[side], state.pure[side], 0, 0
    for kind in range(N_KINDS):
        kinds += laid[kind] > 0
        pure_kinds += pure[kind] > 0
    if kinds < N_KINDS:
        return 0
    return LUAU if pure_kinds == N_KINDS else WOLFISH_LUAU


@kernel
def give_cards(state: State) -> None:
    """R9, LR-14, LR-16: a point for each card in a hand: to the ender's side from its opponents.

    In team play the other side gets as much for the cards of the ender's partner.
    """
    ender = side_of(state, wide(state.turn))
    for seat in range(state.num_players):
        size, side = wide(state.hand_size[seat]), side_of(state, seat)
        if side != ender:
            state.points[ender] += size
        elif state.teams:
            state.points[1 - ender] += size


@kernel
def go_on(state: State) -> None:
    """R10, LR-17, LR-19: deal again until a side has won, or no deal is left."""
    if state.episode == Episode.DEAL:
        win_by_most(state, state.points)
        end_game(state)
        return
    win_by_most(state, state.scores)
    won = has_winner(state)
    if won or state.deal >= state.deal_cap:
        state.capped = state.capped or not won
        end_game(state)
    else:
        state.winners[:] = 0
        state.deal += 1
        state.dealer = next_seat(state, wide(state.dealer))
        deal_cards(state)


@kernel
def has_winner(state: State) -> bool:
    """R10, LR-17: tell whether one side alone leads, with `target` at least."""
    leaders, most, target = 0, 0, wide(state.target)
    for side in range(state.num_sides):
        leaders += wide(state.winners[side])
        most = max(most, wide(state.scores[side]))
    return leaders == 1 and most >= target


@kernel
def end_game(state: State) -> None:
    """R10: the winners stand; the cards stay as they lie."""
    state.taken = NONE
    finish(state)
