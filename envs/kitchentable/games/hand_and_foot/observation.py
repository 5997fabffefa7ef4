"""What a seat sees of Hand & Foot Canasta.

Seats are counted clockwise from the viewer, who is number 0: 1 and 3 are the opponents, 2 is
the partner. The viewer's side comes before the other one.
"""

import numpy as np

from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.layout import Layout, Part
from kitchentable.engine.record import Float32Array
from kitchentable.engine.state import Episode, seat_after, steps_to
from kitchentable.engine.vectors import add_counts
from kitchentable.games.hand_and_foot.deck import (
    COPIES,
    FIRST_NATURAL,
    JOKER,
    N_CARDS,
    N_RANKS,
    TWO,
    VALUES,
)
from kitchentable.games.hand_and_foot.opening import CANASTA, MIN_MELD, WILD_TAKEN, best_value
from kitchentable.games.hand_and_foot.reach import (
    is_majority,
    is_open,
    minimum,
    opening_of,
    others_taken,
)
from kitchentable.games.hand_and_foot.rules import is_natural
from kitchentable.games.hand_and_foot.state import (
    N_DEALS,
    N_KINDS,
    N_MELD_RANKS,
    N_SEATS,
    N_SIDES,
    PILE_TAKEN,
    Kind,
    Permission,
    Phase,
    State,
)

OTHERS = N_SEATS - 1
NEXT_CARDS = 4
"""Cards on top of the stock that a critic is shown."""
COPIES_SCALE = 8.0
"""Scale of counts of a card; a power of two, so that sums stay exact."""
FEW = 4.0
"""Scale of small counts."""
MANY_COPIES = 16.0
CARDS = 16.0
"""Scale of sizes of hands."""
MANY = 128.0
"""Scale of the sizes of stock and discard pile."""
VALUE = 128.0
"""Scale of values of hands and melds."""
POINTS = 2048.0
"""Scale of points."""

LAYOUT = Layout(
    Part("hand", N_CARDS, "how many of each card I hold", COPIES_SCALE),
    Part("pairs", N_RANKS, "ranks of which I hold two natural cards"),
    Part("sets", N_RANKS, "ranks of which I hold three natural cards"),
    Part("wild", 1, "wild cards that I hold", COPIES_SCALE),
    Part("hand_value", 1, "what my hand would cost", VALUE),
    Part("aside", N_CARDS, "cards of the mover's hand that may not be melded yet", FEW),
    Part("top", N_CARDS, "one-hot of the top discard"),
    Part("top_held", 1, "cards of a natural top discard that I hold", FEW),
    Part("with_top", N_CARDS, "how many of each card come with the top one of the pile", FEW),
    Part(
        "beneath",
        (PILE_TAKEN - 1, N_CARDS),
        "one-hot of each of these cards, from the top down: later ones come to lie deeper",
    ),
    Part("pile", N_CARDS, "how many of each card the discard pile has", COPIES_SCALE),
    Part("unseen", N_CARDS, "how many of each card lie where I cannot know", MANY_COPIES),
    Part("known", (OTHERS, N_CARDS), "cards that all know in the other hands", FEW),
    Part(
        "meld_size",
        (N_SIDES, N_MELD_RANKS),
        "by side and rank 4 .. A, wild: cards of the unclosed meld",
        COPIES_SCALE,
    ),
    Part("meld_wild", (N_SIDES, N_MELD_RANKS), "wild cards beside natural ones in it", FEW),
    Part("takes_wild", (N_SIDES, N_RANKS), "whether it takes one more wild card"),
    Part(
        "fits",
        (N_SIDES, N_RANKS),
        "natural cards that I hold and it has room for; what fits the other side is better kept",
        FEW,
    ),
    Part("closed", (N_SIDES, N_MELD_RANKS), "canastas of the rank", FEW),
    Part("begun", N_MELD_RANKS, "unclosed melds begun in this turn"),
    Part("canastas", (N_SIDES, N_KINDS), "clean, dirty and wild canastas", FEW),
    Part("lacking", (N_SIDES, N_KINDS), "such canastas that a side lacks to go out", FEW),
    Part("lacking_in_all", N_SIDES, "all of them together", FEW),
    Part("laid", N_SIDES, "the value of a side's cards in melds", POINTS),
    Part("open", N_SIDES, "whether it has reached the minimum"),
    Part("minimum", 1, "the minimum of this deal", VALUE),
    Part("to_minimum", N_SIDES, "what a side has still to lay to reach it", VALUE),
    Part("reach", 1, "the share of the minimum that I can reach with my hand, 1 at most"),
    Part("red_threes", N_SIDES, "red threes laid out", COPIES_SCALE),
    Part("hand_size", N_SEATS, "cards in each hand", CARDS),
    Part("in_foot", N_SEATS, "who has picked up the foot"),
    Part("phase", len(Phase) - 1, "one-hot: draw, play, ask"),
    Part("turn", N_SEATS, "one-hot: whose turn it is"),
    Part("to_act", N_SEATS, "one-hot: who must act"),
    Part("kind", 2, "one-hot: this turn begins melds, adds to them"),
    Part("permission", 2, "one-hot: the mover may go out, may not"),
    Part("score", 2, "my side's score less the other's, my side's", POINTS),
    Part("sizes", 2, "cards in the stock, in the discard pile", MANY),
    Part("deal", N_DEALS, "one-hot of the deal"),
    Part("deals_left", 1, "deals after this one", N_DEALS),
    Part(
        "options",
        8,
        "majority rule, one_kind_per_turn, need / 4, partner_in_foot, foot_red_three / 128, "
        "whether the episode is one deal",
    ),
)
PRIVILEGED = Layout(
    *LAYOUT,
    Part(
        "other_hands", (OTHERS, N_CARDS), "how many of each card the other seats hold", COPIES_SCALE
    ),
    Part("feet", (N_SEATS, N_CARDS), "how many of each card each foot has", COPIES_SCALE),
    Part("next_cards", (NEXT_CARDS, N_CARDS), "one-hot of the cards on top of the stock"),
)

COPY = np.float32(1 / COPIES_SCALE)
"""What one copy of a card adds; in float32, which the dense loops need to be fast."""
FEW_COPY = np.float32(1 / FEW)
UNSEEN_COPY = np.float32(1 / MANY_COPIES)
ROOM = np.array([0, *range(CANASTA - 1, 0, -1)], np.int8)
"""How many cards a meld of so many takes; one of none is not there."""
HAND = LAYOUT["hand"]
PAIRS = LAYOUT["pairs"]
SETS = LAYOUT["sets"]
WILD_HELD = LAYOUT["wild"]
HAND_VALUE = LAYOUT["hand_value"]
ASIDE = LAYOUT["aside"]
TOP = LAYOUT["top"]
TOP_HELD = LAYOUT["top_held"]
WITH_TOP = LAYOUT["with_top"]
BENEATH = LAYOUT["beneath"]
PILE = LAYOUT["pile"]
UNSEEN = LAYOUT["unseen"]
KNOWN = LAYOUT["known"]
MELD_SIZE = LAYOUT["meld_size"]
MELD_WILD = LAYOUT["meld_wild"]
TAKES_WILD = LAYOUT["takes_wild"]
FITS = LAYOUT["fits"]
CLOSED = LAYOUT["closed"]
BEGUN = LAYOUT["begun"]
CANASTAS = LAYOUT["canastas"]
LACKING = LAYOUT["lacking"]
LACKING_IN_ALL = LAYOUT["lacking_in_all"]
LAID = LAYOUT["laid"]
OPEN = LAYOUT["open"]
MINIMUM = LAYOUT["minimum"]
TO_MINIMUM = LAYOUT["to_minimum"]
REACH = LAYOUT["reach"]
RED_THREES = LAYOUT["red_threes"]
HAND_SIZES = LAYOUT["hand_size"]
IN_FOOT = LAYOUT["in_foot"]
PHASE = LAYOUT["phase"]
TURN = LAYOUT["turn"]
TO_ACT = LAYOUT["to_act"]
KIND = LAYOUT["kind"]
PERMISSION = LAYOUT["permission"]
SCORE = LAYOUT["score"]
SIZES = LAYOUT["sizes"]
DEAL = LAYOUT["deal"]
DEALS_LEFT = LAYOUT["deals_left"]
OPTION = LAYOUT["options"]
OTHER_HANDS = PRIVILEGED["other_hands"]
FEET = PRIVILEGED["feet"]
NEXT = PRIVILEGED["next_cards"]


@kernel
def observe(state: State, viewer: int, out: Float32Array) -> None:
    """Write what `viewer` sees into `out`, zeroed float32 of shape (LAYOUT.size,)."""
    seat = wide(viewer)
    see_hand(state, seat, out)
    see_pile(state, seat, out)
    see_unseen(state, seat, out)
    see_side(state, seat, 0, out)
    see_side(state, seat, 1, out)
    see_canastas(state, seat % N_SIDES, 0, out)
    see_canastas(state, 1 - seat % N_SIDES, 1, out)
    see_minimum(state, seat, out)
    see_seats(state, seat, out)
    see_course(state, seat, out)
    see_options(state, out)


@kernel
def see_hand(state: State, viewer: int, out: Float32Array) -> None:
    """Write the viewer's cards."""
    hand, value = state.hands[viewer], 0
    for card in range(1, N_CARDS):
        out[HAND + card] = hand[card] * COPY
        value += VALUES[card] * int(hand[card])
    for rank in range(N_RANKS):
        out[PAIRS + rank] = hand[FIRST_NATURAL + rank] >= 2
        out[SETS + rank] = hand[FIRST_NATURAL + rank] >= MIN_MELD
    out[WILD_HELD] = (hand[TWO] + hand[JOKER]) * COPY
    out[HAND_VALUE] = value / VALUE


@kernel
def see_pile(state: State, viewer: int, out: Float32Array) -> None:
    """Write the discard pile, all of which has been shown, and what a turn can take of it."""
    n = wide(state.discard_size)
    if n > 0:
        top = wide(state.discard[n - 1])
        out[TOP + top] = 1
        if is_natural(top):
            out[TOP_HELD] = state.hands[viewer, top] * FEW_COPY
        for depth in range(others_taken(state)):
            card = wide(state.discard[n - 2 - depth])
            out[WITH_TOP + card] += FEW_COPY
            out[BENEATH + depth * N_CARDS + card] = 1


@kernel
def see_unseen(state: State, viewer: int, out: Float32Array) -> None:
    """Write what all know of other hands, and the cards that lie where the viewer cannot know."""
    hand, known, shown, pile = state.hands[viewer], state.known[viewer], state.shown, state.pile
    add_counts(out, PILE, pile, N_CARDS, COPY)
    for card in range(N_CARDS):
        seen = int(shown[card]) + int(hand[card]) - int(known[card])
        out[UNSEEN + card] = np.float32(COPIES[card] - seen) * UNSEEN_COPY
    for step in range(1, N_SEATS):
        theirs, start = state.known[seat_after(state, viewer, step)], KNOWN + (step - 1) * N_CARDS
        add_counts(out, start, theirs, N_CARDS, FEW_COPY)


@kernel
def see_side(state: State, viewer: int, step: int, out: Float32Array) -> None:
    """Write the melds of the viewer's side, or of the other one."""
    side, hand = (viewer + step) % N_SIDES, state.hands[viewer]
    size, wild, closed = state.unclosed_size[side], state.unclosed_wild[side], state.closed[side]
    start, majority = step * N_MELD_RANKS, int(is_majority(state))
    add_counts(out, MELD_SIZE + start, size, N_MELD_RANKS, COPY)
    add_counts(out, MELD_WILD + start, wild, N_MELD_RANKS, FEW_COPY)
    add_counts(out, CLOSED + start, closed, N_MELD_RANKS, FEW_COPY)
    for rank in range(N_RANKS):
        place, n = step * N_RANKS + rank, size[rank]
        out[FITS + place] = min(ROOM[n], hand[FIRST_NATURAL + rank]) * FEW_COPY
        out[TAKES_WILD + place] = WILD_TAKEN[majority, n, wild[rank]]


@kernel
def see_canastas(state: State, side: int, step: int, out: Float32Array) -> None:
    """Write the canastas and red threes of a side, and what it lacks to go out."""
    in_all = 0
    for kind in range(N_KINDS):
        has = int(state.canastas[side, kind])
        lacking = max(0, int(state.need[kind]) - has)
        out[CANASTAS + step * N_KINDS + kind] = has * FEW_COPY
        out[LACKING + step * N_KINDS + kind] = lacking * FEW_COPY
        in_all += lacking
    out[LACKING_IN_ALL + step] = in_all * FEW_COPY
    out[LAID + step] = state.meld_value[side] / POINTS
    out[RED_THREES + step] = state.red_threes[side] * COPY


@kernel
def see_minimum(state: State, viewer: int, out: Float32Array) -> None:
    """Write how near both sides are to the minimum, and what waits for it."""
    least = minimum(state)
    out[MINIMUM] = least / VALUE
    for step in range(N_SIDES):
        side = (viewer + step) % N_SIDES
        out[OPEN + step] = is_open(state, side)
        out[TO_MINIMUM + step] = max(0, least - int(state.meld_value[side])) / VALUE
    if state.phase == Phase.PLAY and not is_open(state, wide(state.turn) % N_SIDES):
        add_counts(out, ASIDE, state.aside, N_CARDS, FEW_COPY)
    out[REACH] = 1
    if not is_open(state, viewer % N_SIDES):
        out[REACH] = min(1.0, best_value(opening_of(state, viewer), least) / least)


@kernel
def see_seats(state: State, viewer: int, out: Float32Array) -> None:
    """Write what is public about each seat."""
    for step in range(N_SEATS):
        seat = seat_after(state, viewer, step)
        out[HAND_SIZES + step] = state.hand_size[seat] / CARDS
        out[IN_FOOT + step] = state.in_foot[seat]


@kernel
def see_course(state: State, viewer: int, out: Float32Array) -> None:
    """Write whose move it is, what the turn is for, the scores and how long it can last."""
    out[TURN + steps_to(state, viewer, wide(state.turn))] = 1
    if state.phase != Phase.OVER:
        out[PHASE + int(state.phase) - 1] = 1
        out[TO_ACT + steps_to(state, viewer, wide(state.to_act))] = 1
    if state.kind != Kind.NONE:
        out[KIND + int(state.kind) - 1] = 1
        for rank in range(N_MELD_RANKS):
            out[BEGUN + rank] = (int(state.begun) >> rank) & 1
    if state.permission != Permission.NONE:
        out[PERMISSION + int(state.permission) - 1] = 1
    own, other = int(state.scores[viewer % N_SIDES]), int(state.scores[1 - viewer % N_SIDES])
    out[SCORE] = (own - other) / POINTS
    out[SCORE + 1] = own / POINTS
    out[SIZES] = state.stock_size / MANY
    out[SIZES + 1] = state.discard_size / MANY
    out[DEAL + int(state.deal) - 1] = 1
    if state.episode == Episode.GAME:
        out[DEALS_LEFT] = (N_DEALS - int(state.deal)) / N_DEALS


@kernel
def see_options(state: State, out: Float32Array) -> None:
    """Write the options that change how to play."""
    out[OPTION] = state.wild_rule
    out[OPTION + 1] = state.one_kind_per_turn
    for kind in range(N_KINDS):
        out[OPTION + 2 + kind] = state.need[kind] * FEW_COPY
    out[OPTION + 5] = state.partner_in_foot
    out[OPTION + 6] = state.foot_red_three / VALUE
    out[OPTION + 7] = state.episode == Episode.DEAL


@kernel
def privileged(state: State, out: Float32Array) -> None:
    """Write everything, as the seat to act sees it, into `out`."""
    viewer = max(wide(state.to_act), 0)
    observe(state, viewer, out)
    for step in range(N_SEATS):
        seat = seat_after(state, viewer, step)
        if step > 0:
            add_counts(out, OTHER_HANDS + (step - 1) * N_CARDS, state.hands[seat], N_CARDS, COPY)
        add_counts(out, FEET + step * N_CARDS, state.feet[seat], N_CARDS, COPY)
    for i in range(min(NEXT_CARDS, int(state.stock_size))):
        out[NEXT + i * N_CARDS + int(state.stock[state.stock_size - 1 - i])] = 1
