"""The rules of Beatrix Potter's Rummy, in the order of play.

One action a turn: draw, or change the sets on the table. First with two sets of three wins
the deal. Source: the leaflet of a card game for children ("Beatrix Potter's Rummy", 44
cards). Rule numbers (R1 ..) and rulings (BP-1 ..) are those of README.md beside this file.

Options: `num_players` 4, `scoring` "points", `signpost_extra` false, `win_rule` 3, `deals` 5,
`deal_cap` 50, `takeback_free` false, `turn_cap` 60, `return_discard` true, `episode` "game".
"""

from enum import IntEnum
from typing import Annotated

from kitchentable.cards.pack import Pack, Tally
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
    ChoiceOption,
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
    seat_after,
    win_by_most,
)

MAX_PLAYERS = 12
OTHERS = MAX_PLAYERS - 1
SMALL_TABLE = 6
"""The most seats that get six cards each and need two sets."""
MANY_CARDS, FEW_CARDS = 6, 3
"""What a seat is dealt at a small table, and at a larger one."""
N_CHARACTERS = 14
SIGNPOST = N_CHARACTERS
"""The signpost's number; characters are 0 .. 13."""
N_CARDS = N_CHARACTERS + 1
"""Different cards, the signpost among them."""
COPIES_OF_CHARACTER = 3
SIGNPOSTS = 2
PACK_SIZE = N_CHARACTERS * COPIES_OF_CHARACTER + SIGNPOSTS
CARDS = (*(f"c{number}" for number in range(1, N_CHARACTERS + 1)), "signpost")
"""The text of each card, by number: `"c1"` .. `"c14"`, `"signpost"`."""
PACK = Pack(CARDS, '"c1", "c14" or "signpost"')
PAIR, THREE = 2, 3
"""The sizes of a set."""
MAX_SETS = 3
"""The most sets of a seat: three pairs of six cards."""
MAX_ADDS = 2
"""Sets that a seat with a card in hand can have."""
START_SCORE = 20
BONUS = 10
"""Points for winning a deal."""
SIGNPOST_COST = 5
"""What a signpost costs that is left in hand (BP-12)."""
GOAL = 40
"""The total that ends a game under win rule 1."""
REWARD_SCALE = 20.0
"""Points that make a reward of 1."""

OPTIONS = (
    num_players_option(4, range(2, MAX_PLAYERS + 1)),
    ChoiceOption(
        "scoring",
        "points",
        "points: the winner of a deal gets 10, the others lose what they hold; "
        "counters: they pay it to the winner",
        choices=("points", "counters"),
    ),
    BoolOption(
        "signpost_extra", False, "whether a signpost in hand costs 5 and 1 for a card; false: 5"
    ),
    IntOption(
        "win_rule",
        3,
        "the game ends when 1: a seat has 40; 2: a seat has nothing left; "
        "3: so many deals are played",
        high=3,
    ),
    IntOption("deals", 5, "deals of a game under win rule 3"),
    IntOption("deal_cap", 50, "deals after which a game under win rules 1 and 2 ends anyway"),
    BoolOption("takeback_free", False, "whether taking back a pair leaves the turn to the mover"),
    IntOption("turn_cap", 60, "turns a seat may begin in one deal"),
    RETURN_DISCARD,
    EPISODE,
)

ACTIONS = Actions(
    Block("draw_stock", "draw the top card of the stock"),
    Block("take_discard", "take the top discard"),
    Block(
        "lay",
        "lay a set of two or three (size 0 or 1) of a character, with a signpost or without",
        (("character", N_CHARACTERS), ("size", 2), ("signpost", 2)),
    ),
    Block(
        "add",
        "add the third card to an own set of two: one of its character, or a signpost",
        (("set", MAX_ADDS), ("signpost", 2)),
    ),
    Block(
        "substitute",
        "take the signpost of another seat's set for a card of its character; seats count "
        "clockwise from the one left of the seat that acts",
        (("seat", OTHERS), ("set", MAX_SETS)),
    ),
    Block("take_back", "take an own set of two back into the hand", (("set", MAX_SETS),)),
    Block("discard", "discard a card, which ends the turn", (("card", N_CARDS),)),
)
DRAW_STOCK = ACTIONS["draw_stock"]
TAKE_DISCARD = ACTIONS["take_discard"]
LAY = ACTIONS["lay"]
ADD = ACTIONS["add"]
SUBSTITUTE = ACTIONS["substitute"]
TAKE_BACK = ACTIONS["take_back"]
DISCARD = ACTIONS["discard"]
LAYS = 4
"""Ways to lay a set of one character."""


class Phase(IntEnum):
    """Which decision the game waits for."""

    OVER = 0
    ACT = 1
    DISCARD = 2


class Scoring(IntEnum):
    """What a deal changes (BP-13)."""

    POINTS = 0
    COUNTERS = 1


class WinRule(IntEnum):
    """When a game ends (BP-14); the leaflet's numbers."""

    GOAL = 1
    NOTHING_LEFT = 2
    DEALS = 3


class State(BaseState):
    """One game. Cards are numbered 0 .. 13 for the characters, 14 for the signpost."""

    scoring: Int8
    """A `Scoring`."""
    signpost_extra: Int8
    win_rule: Int8
    """A `WinRule`."""
    deals: Int16
    deal_cap: Int16
    takeback_free: Int8
    turn_cap: Int16
    return_discard: Int8

    stock_size: Int16
    discard_size: Int16
    stock: Annotated[Int8Array, (PACK_SIZE,)]
    """Cards, the top one last (at stock_size - 1)."""
    discard: Annotated[Int8Array, (PACK_SIZE,)]
    """The discard pile, the top card last."""
    hands: Annotated[Int8Array, (MAX_PLAYERS, N_CARDS)]
    """How many of each card, by seat."""
    hand_size: Annotated[Int8Array, (MAX_PLAYERS,)]
    known: Annotated[Int8Array, (MAX_PLAYERS, N_CARDS)]
    """How many of each card in a hand all have seen go there (G-7)."""
    taken: Int8
    """The card the mover took from the discard pile in this turn, or NONE."""

    n_sets: Annotated[Int8Array, (MAX_PLAYERS,)]
    """Sets on the table, by seat; fields `set_...` have one entry for each, in the order laid."""
    set_card: Annotated[Int8Array, (MAX_PLAYERS, MAX_SETS)]
    """The character."""
    set_size: Annotated[Int8Array, (MAX_PLAYERS, MAX_SETS)]
    """PAIR or THREE, the signpost counted."""
    set_signpost: Annotated[Int8Array, (MAX_PLAYERS, MAX_SETS)]
    """1 where one of the cards is a signpost."""


STATE = dtype_of(State)


def full_pack() -> Tally:
    """Return the cards of the game, none of them met yet."""
    return Tally(PACK, [COPIES_OF_CHARACTER] * N_CHARACTERS + [SIGNPOSTS])


@kernel
def cards_each(state: State) -> int:
    """R1: how many cards a seat has, hand and sets together, after every turn (BP-3)."""
    return MANY_CARDS if state.num_players <= SMALL_TABLE else FEW_CARDS


@kernel
def sets_to_win(state: State) -> int:
    """R9, BP-10: how many sets of three win the deal."""
    return 2 if state.num_players <= SMALL_TABLE else 1


@kernel
def new_game(state: State) -> None:
    """G-1, R10: the first dealer is drawn; everybody has 20."""
    state.capped = 0
    state.winners[:] = 0
    state.points[:] = 0
    state.scores[:] = 0
    for seat in range(state.num_players):
        state.scores[seat] = START_SCORE
    state.deal = 1
    state.dealer = rng.below(state, state.num_players)
    deal_cards(state)


@kernel
def deal_cards(state: State) -> None:
    """R1: six (three) cards each, one turned up; the seat left of the dealer begins."""
    clear_piles(state)
    state.n_sets[:] = 0
    state.set_card[:] = 0
    state.set_size[:] = 0
    state.set_signpost[:] = 0
    make_stock(state)
    for seat in range(state.num_players):
        for _ in range(cards_each(state)):
            gain(state, seat, pop_stock(state))
    push_discard(state, pop_stock(state))
    state.turns = 0
    state.turn = state.dealer
    begin_turn(state)


@kernel
def make_stock(state: State) -> None:
    """G-2: all cards, shuffled."""
    for card in range(N_CARDS):
        push_stock(state, card, SIGNPOSTS if card == SIGNPOST else COPIES_OF_CHARACTER)
    rng.shuffle(state, state.stock, PACK_SIZE)


@kernel
def begin_turn(state: State) -> None:
    """R2: the turn passes to the left."""
    state.turn = next_seat(state, state.turn)
    state.turns += 1
    state.to_act = state.turn
    state.taken = NONE
    state.phase = Phase.ACT


@kernel
def legal(state: State, mask: Int8Array) -> None:
    """Set what the seat to act may do."""
    if state.phase == Phase.ACT:
        legal_act(state, mask)
    elif state.phase == Phase.DISCARD:
        legal_discard(state, mask)


@kernel
def apply(state: State, action: int) -> None:
    """Play `action` for the seat to act."""
    if action >= DISCARD:
        apply_discard(state, action - DISCARD)
    else:
        apply_act(state, action)


@kernel
def legal_act(state: State, mask: Int8Array) -> None:
    """R2, BP-1: one thing of these; the pile has a card at the start of every turn."""
    mask[DRAW_STOCK] = 1
    mask[TAKE_DISCARD] = 1
    legal_lay(state, mask)
    legal_own_sets(state, mask)
    legal_substitute(state, mask)


@kernel
def apply_act(state: State, action: int) -> None:
    """R2, BP-1: the turn is over, but for the discard after drawing."""
    if action >= TAKE_BACK:
        apply_take_back(state, action - TAKE_BACK)
    elif action >= SUBSTITUTE:
        apply_substitute(state, action - SUBSTITUTE)
    elif action >= ADD:
        apply_add(state, action - ADD)
    elif action >= LAY:
        apply_lay(state, action - LAY)
    else:
        apply_draw(state, action)


@kernel
def apply_draw(state: State, action: int) -> None:
    """R3: the top card of the stock, if need be after a reshuffle (BP-11), or the top discard."""
    if action == TAKE_DISCARD:
        state.taken = gain_discard(state, state.turn)
    else:
        draw(state, state.turn)
    state.phase = Phase.DISCARD


@kernel
def legal_lay(state: State, mask: Int8Array) -> None:
    """R4, BP-5, BP-6: two or three of a character; one of them may be a signpost."""
    hand = state.hands[state.turn]
    signpost = hand[SIGNPOST] > 0
    for card in range(N_CHARACTERS):
        if hand[card] > 0:
            first = LAY + LAYS * card
            mask[first] = hand[card] >= PAIR
            mask[first + 1] = signpost
            mask[first + 2] = hand[card] >= THREE
            mask[first + 3] = signpost and hand[card] >= THREE - 1


@kernel
def apply_lay(state: State, choice: int) -> None:
    """R4: the set lies before the mover."""
    seat, card = state.turn, choice // LAYS
    size, signpost = PAIR + choice // 2 % 2, choice % 2
    for _ in range(size - signpost):
        give(state, card)
    if signpost > 0:
        give(state, SIGNPOST)
    place = state.n_sets[seat]
    state.set_card[seat, place] = card
    state.set_size[seat, place] = size
    state.set_signpost[seat, place] = signpost
    state.n_sets[seat] += 1
    end_turn(state)


@kernel
def legal_own_sets(state: State, mask: Int8Array) -> None:
    """R5, R7: add a third card to an own set of two (BP-8), or take it back (BP-9)."""
    seat = state.turn
    hand = state.hands[seat]
    for place in range(state.n_sets[seat]):
        if state.set_size[seat, place] == PAIR:
            mask[TAKE_BACK + place] = 1
            if place < MAX_ADDS:
                signpost = hand[SIGNPOST] > 0 and not state.set_signpost[seat, place]
                mask[ADD + 2 * place] = hand[state.set_card[seat, place]] > 0
                mask[ADD + 2 * place + 1] = signpost


@kernel
def apply_add(state: State, choice: int) -> None:
    """R5: the third card comes to an own set."""
    seat, place = state.turn, choice // 2
    if choice % 2 == 1:
        give(state, SIGNPOST)
        state.set_signpost[seat, place] = 1
    else:
        give(state, wide(state.set_card[seat, place]))
    state.set_size[seat, place] = THREE
    end_turn(state)


@kernel
def legal_substitute(state: State, mask: Int8Array) -> None:
    """R6, BP-7: another seat's set with a signpost, a card of whose character is in hand."""
    hand, seat = state.hands[state.turn], wide(state.turn)
    for step in range(1, state.num_players):
        seat = next_seat(state, seat)
        for place in range(state.n_sets[seat]):
            if state.set_signpost[seat, place] and hand[state.set_card[seat, place]] > 0:
                mask[SUBSTITUTE + MAX_SETS * (step - 1) + place] = 1


@kernel
def apply_substitute(state: State, choice: int) -> None:
    """R6: card and signpost change places, and all know where the signpost is (G-7)."""
    owner = seat_after(state, wide(state.turn), choice // MAX_SETS + 1)
    place = choice % MAX_SETS
    give(state, wide(state.set_card[owner, place]))
    state.set_signpost[owner, place] = 0
    gain(state, state.turn, SIGNPOST)
    state.known[state.turn, SIGNPOST] += 1
    end_turn(state)


@kernel
def apply_take_back(state: State, place: int) -> None:
    """R7, BP-2: both cards come back, known to all; with `takeback_free` the turn goes on."""
    seat = state.turn
    gain_known(state, wide(state.set_card[seat, place]))
    if state.set_signpost[seat, place]:
        gain_known(state, SIGNPOST)
    else:
        gain_known(state, wide(state.set_card[seat, place]))
    remove_set(state, place)
    if not state.takeback_free:
        end_turn(state)


@kernel
def gain_known(state: State, card: int) -> None:
    """Put a card that all see into the mover's hand."""
    gain(state, wide(state.turn), card)
    state.known[state.turn, card] += 1


@kernel
def remove_set(state: State, place: int) -> None:
    """Take away one of the mover's sets; the later ones move up."""
    seat, last = state.turn, int(state.n_sets[state.turn]) - 1
    for i in range(place, last):
        state.set_card[seat, i] = state.set_card[seat, i + 1]
        state.set_size[seat, i] = state.set_size[seat, i + 1]
        state.set_signpost[seat, i] = state.set_signpost[seat, i + 1]
    state.set_card[seat, last] = 0
    state.set_size[seat, last] = 0
    state.set_signpost[seat, last] = 0
    state.n_sets[seat] = last


@kernel
def legal_discard(state: State, mask: Int8Array) -> None:
    """R8, BP-4, G-3: any card; the card just taken only if allowed, or if there is no other."""
    hand = state.hands[state.turn]
    for card in range(N_CARDS):
        mask[DISCARD + card] = hand[card] > 0
    taken = int(state.taken)
    if taken != NONE and not state.return_discard and hand[taken] < state.hand_size[state.turn]:
        mask[DISCARD + taken] = 0


@kernel
def apply_discard(state: State, card: int) -> None:
    """R8: put a card on the discard pile."""
    give(state, card)
    push_discard(state, card)
    end_turn(state)


@kernel
def sets_of_three(state: State, seat: int) -> int:
    """Return how many sets of three a seat has."""
    n = 0
    for place in range(state.n_sets[seat]):
        n += int(state.set_size[seat, place] == THREE)
    return n


@kernel
def has_won(state: State, seat: int) -> bool:
    """R9, BP-10: whether a seat has the sets of three that win the deal."""
    return sets_of_three(state, seat) >= sets_to_win(state)


@kernel
def end_turn(state: State) -> None:
    """R9, BP-16: the mover has won the deal, or the last turn allowed voids it, or it goes on."""
    if has_won(state, wide(state.turn)):
        score_deal(state)
        end_deal(state, True)
    elif state.turns >= int(state.turn_cap) * int(state.num_players):
        state.capped = 1
        state.points[:] = 0
        end_deal(state, False)
    else:
        begin_turn(state)


@kernel
def score_deal(state: State) -> None:
    """R10, BP-13: the mover gets 10, or what the others pay; they lose what they hold."""
    winner, paid = wide(state.turn), 0
    for seat in range(state.num_players):
        if seat != winner:
            loss = hand_cost(state, seat)
            if state.scoring == Scoring.COUNTERS:
                loss = min(loss, max(0, int(state.scores[seat])))
            state.points[seat] = -loss
            paid += loss
    state.points[winner] = paid if state.scoring == Scoring.COUNTERS else BONUS
    for seat in range(state.num_players):
        state.scores[seat] += state.points[seat]
    pay_points(state, REWARD_SCALE)


@kernel
def hand_cost(state: State, seat: int) -> int:
    """R10, BP-12: a card costs 1, a signpost 5, or 6 with `signpost_extra`."""
    signposts = int(state.hands[seat, SIGNPOST])
    more = SIGNPOST_COST if state.signpost_extra else SIGNPOST_COST - 1
    return int(state.hand_size[seat]) + more * signposts


@kernel
def end_deal(state: State, is_won: bool) -> None:
    """R11: the game is over, or the next seat deals (BP-15)."""
    if state.episode == Episode.DEAL:
        end_single_deal(state, is_won)
    elif is_decided(state):
        end_game(state)
    elif state.win_rule != WinRule.DEALS and state.deal >= state.deal_cap:
        state.capped = 1
        end_game(state)
    else:
        state.deal += 1
        state.dealer = next_seat(state, state.dealer)
        deal_cards(state)


@kernel
def is_decided(state: State) -> bool:
    """R11, BP-14: whether the game ends by its win rule."""
    if state.win_rule == WinRule.DEALS:
        return bool(state.deal >= state.deals)
    least, most = int(state.scores[0]), int(state.scores[0])
    for seat in range(state.num_players):
        least = min(least, int(state.scores[seat]))
        most = max(most, int(state.scores[seat]))
    return most >= GOAL if state.win_rule == WinRule.GOAL else least <= 0


@kernel
def end_single_deal(state: State, is_won: bool) -> None:
    """R11: who won the deal has won the game; nobody after a void deal."""
    state.taken = NONE
    if is_won:
        state.winners[state.turn] = 1
    finish(state)


@kernel
def end_game(state: State) -> None:
    """R11: the highest total wins; equal ones share."""
    state.taken = NONE
    win_by_most(state, state.scores)
    finish(state)
