"""What a seat sees of Beatrix Potter's Rummy.

Seats are counted clockwise from the viewer, who is number 0; what belongs to absent seats
is zero, so that one policy plays every number of seats. Sets stand in the order in which
actions number them.
"""

import numpy as np

from kitchentable.cards.piles import NONE
from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.layout import Layout, Part
from kitchentable.engine.record import Float32Array
from kitchentable.engine.state import Episode, next_seat, steps_to
from kitchentable.engine.vectors import add_counts
from kitchentable.games.potter_rummy.rules import (
    COPIES_OF_CHARACTER,
    GOAL,
    MAX_PLAYERS,
    MAX_SETS,
    N_CARDS,
    N_CHARACTERS,
    OTHERS,
    PAIR,
    SIGNPOST,
    SIGNPOSTS,
    THREE,
    Phase,
    Scoring,
    State,
    WinRule,
    hand_cost,
    sets_of_three,
    sets_to_win,
)

OWN_SET_WIDTH = N_CHARACTERS + 4
"""Floats that describe a set of the viewer's."""
OTHER_SET_WIDTH = 4
"""Floats that describe another seat's set."""
NEXT_CARDS = 2
"""Cards on top of the stock that a critic is shown."""
COPIES = 4.0
"""Scale of counts of a card; a power of two, so that sums stay exact."""
CARDS = 8.0
"""Scale of what a seat has."""
MANY = 64.0
"""Scale of turns and of what a hand costs."""
POINTS = 32.0
"""Scale of points."""

LAYOUT = Layout(
    Part("hand", N_CARDS, "how many of each card I hold", COPIES),
    Part("hand_pairs", N_CHARACTERS, "characters of which I hold two at least"),
    Part("hand_threes", N_CHARACTERS, "characters of which I hold all three"),
    Part("own", N_CHARACTERS, "how many of each character I have, in hand and in sets", COPIES),
    Part(
        "own_sets",
        (MAX_SETS, OWN_SET_WIDTH),
        "each of my sets: its character (one-hot); is of three; has a signpost; I hold a card "
        "that completes it; I hold a signpost that does",
    ),
    Part("missing", 1, "cards that I lack of the sets that win, signposts put to use", 2.0 * THREE),
    Part("hand_cost", 1, "points that my hand would cost", MANY),
    Part("top", N_CARDS, "one-hot of the top discard"),
    Part("top_own", 3, "one-hot: of its character I have none, one, two or more; a signpost: none"),
    Part("pile", N_CARDS, "how many of each card the discard pile has", COPIES),
    Part("unseen", N_CARDS, "how many of each card lie where I cannot know", COPIES),
    Part(
        "other_sets",
        (OTHERS, MAX_SETS, OTHER_SET_WIDTH),
        "each set of the others: it is there; is of three; has a signpost; I hold its character",
    ),
    Part(
        "other_cards",
        (OTHERS, N_CHARACTERS),
        "how many of each character lie in the sets of each other seat",
        COPIES,
    ),
    Part("known", (OTHERS, N_CARDS), "cards that all saw go into each other hand", COPIES),
    Part("pairs", MAX_PLAYERS, "sets of two of each seat", MAX_SETS),
    Part("threes", MAX_PLAYERS, "sets of three of each seat", MAX_SETS),
    Part("hand_size", MAX_PLAYERS, "cards in each hand", CARDS),
    Part("threat", MAX_PLAYERS, "who wins with the third card of a set on the table"),
    Part("phase", len(Phase) - 1, "one-hot: act, discard"),
    Part("turn", MAX_PLAYERS, "one-hot: whose turn it is"),
    Part("score", MAX_PLAYERS, "each seat's score", POINTS),
    Part("score_lead", OTHERS, "my score less that of each other seat", POINTS),
    Part("goal", 2, "win rules 1 and 2: points I lack to 40, points I have above 0", POINTS),
    Part("sizes", 2, "cards in the stock, in the discard pile", MANY),
    Part("rounds_left", 1, "turns each seat can begin before the cap, 64 at most", MANY),
    Part("deals_left", 1, "deals after this one, 8 at most", CARDS),
    Part("taken", 1, "the mover took the top discard and holds such a card still"),
    Part("seats", MAX_PLAYERS - 1, "one-hot of the number of seats 2 .. 12"),
    Part("sets_to_win", 2, "one-hot: one set of three wins, two do"),
    Part(
        "options",
        8,
        "scoring with counters, signpost_extra, win_rule (one-hot 1, 2, 3), takeback_free, "
        "return_discard, whether the episode is one deal",
    ),
)
PRIVILEGED = Layout(
    *LAYOUT,
    Part("other_hands", (OTHERS, N_CARDS), "how many of each card the other seats hold", COPIES),
    Part("next_cards", (NEXT_CARDS, N_CARDS), "one-hot of the cards on top of the stock"),
)

COPY = np.float32(1 / COPIES)
"""What one copy of a card adds."""
HAND = LAYOUT["hand"]
HAND_PAIRS = LAYOUT["hand_pairs"]
HAND_THREES = LAYOUT["hand_threes"]
OWN = LAYOUT["own"]
OWN_SETS = LAYOUT["own_sets"]
MISSING = LAYOUT["missing"]
HAND_COST = LAYOUT["hand_cost"]
TOP = LAYOUT["top"]
TOP_OWN = LAYOUT["top_own"]
PILE = LAYOUT["pile"]
UNSEEN = LAYOUT["unseen"]
OTHER_SETS = LAYOUT["other_sets"]
OTHER_CARDS = LAYOUT["other_cards"]
KNOWN = LAYOUT["known"]
PAIRS = LAYOUT["pairs"]
THREES = LAYOUT["threes"]
HAND_SIZE = LAYOUT["hand_size"]
THREAT = LAYOUT["threat"]
PHASE = LAYOUT["phase"]
TURN = LAYOUT["turn"]
SCORE = LAYOUT["score"]
SCORE_LEAD = LAYOUT["score_lead"]
GOAL_LEFT = LAYOUT["goal"]
SIZES = LAYOUT["sizes"]
ROUNDS_LEFT = LAYOUT["rounds_left"]
DEALS_LEFT = LAYOUT["deals_left"]
TAKEN = LAYOUT["taken"]
SEATS = LAYOUT["seats"]
SETS_TO_WIN = LAYOUT["sets_to_win"]
OPTION = LAYOUT["options"]
OTHER_HANDS = PRIVILEGED["other_hands"]
NEXT = PRIVILEGED["next_cards"]


@kernel
def observe(state: State, viewer: int, out: Float32Array) -> None:
    """Write what `viewer` sees into `out`, zeroed float32 of shape (LAYOUT.size,)."""
    seat = wide(viewer)
    see_hand(state, seat, out)
    see_own_sets(state, seat, out)
    see_discards(state, out)
    see_others(state, seat, out)
    see_seats(state, seat, out)
    out[MISSING] = cards_missing(state, seat, out) / (2.0 * THREE)
    see_course(state, seat, out)
    see_options(state, out)


@kernel
def see_hand(state: State, viewer: int, out: Float32Array) -> None:
    """Write the viewer's cards; the rest of the pack is unseen until it is met."""
    hand = state.hands[viewer]
    for card in range(N_CHARACTERS):
        held = hand[card]
        out[HAND + card] = out[OWN + card] = held * COPY
        out[HAND_PAIRS + card] = held >= PAIR
        out[HAND_THREES + card] = held == THREE
        out[UNSEEN + card] = (COPIES_OF_CHARACTER - held) * COPY
    out[HAND + SIGNPOST] = hand[SIGNPOST] * COPY
    out[UNSEEN + SIGNPOST] = (SIGNPOSTS - hand[SIGNPOST]) * COPY
    out[HAND_COST] = hand_cost(state, viewer) / MANY


@kernel
def see_own_sets(state: State, viewer: int, out: Float32Array) -> None:
    """Write the viewer's sets, and what completes them."""
    for place in range(state.n_sets[viewer]):
        card, size = int(state.set_card[viewer, place]), int(state.set_size[viewer, place])
        signpost = int(state.set_signpost[viewer, place])
        start = OWN_SETS + place * OWN_SET_WIDTH
        out[start + card] = 1
        out[start + N_CHARACTERS] = size == THREE
        out[start + N_CHARACTERS + 1] = signpost
        if size == PAIR:
            out[start + N_CHARACTERS + 2] = state.hands[viewer, card] > 0
            out[start + N_CHARACTERS + 3] = signpost == 0 and state.hands[viewer, SIGNPOST] > 0
        out[OWN + card] += (size - signpost) * COPY
        out[UNSEEN + card] -= (size - signpost) * COPY
        out[UNSEEN + SIGNPOST] -= signpost * COPY


@kernel
def see_discards(state: State, out: Float32Array) -> None:
    """Write the discard pile, all of which has been shown."""
    size = int(state.discard_size)
    for i in range(size):
        out[PILE + int(state.discard[i])] += COPY
        out[UNSEEN + int(state.discard[i])] -= COPY
    if size > 0:
        top = int(state.discard[size - 1])
        out[TOP + top] = 1
        had = 0
        if top != SIGNPOST:
            had = min(2, int(out[OWN + top] * COPIES))
        out[TOP_OWN + had] = 1


@kernel
def see_others(state: State, viewer: int, out: Float32Array) -> None:
    """Write the sets of the other seats, and the cards known to be in their hands (G-7)."""
    seat = viewer
    for other in range(wide(state.num_players) - 1):
        seat = next_seat(state, seat)
        known = KNOWN + other * N_CARDS
        for card in range(N_CARDS):
            if state.known[seat, card] > 0:
                copies = state.known[seat, card] * COPY
                out[known + card] = copies
                out[UNSEEN + card] -= copies
        for place in range(state.n_sets[seat]):
            card = int(state.set_card[seat, place])
            signpost = int(state.set_signpost[seat, place])
            start = OTHER_SETS + (other * MAX_SETS + place) * OTHER_SET_WIDTH
            out[start] = 1
            out[start + 1] = state.set_size[seat, place] == THREE
            out[start + 2] = signpost
            out[start + 3] = state.hands[viewer, card] > 0
            copies = (int(state.set_size[seat, place]) - signpost) * COPY
            out[OTHER_CARDS + other * N_CHARACTERS + card] += copies
            out[UNSEEN + card] -= copies
            out[UNSEEN + SIGNPOST] -= signpost * COPY


@kernel
def see_seats(state: State, viewer: int, out: Float32Array) -> None:
    """Write how far each seat is, and its score."""
    seat, due = viewer, sets_to_win(state)
    own = int(state.scores[viewer])
    for step in range(state.num_players):
        threes = sets_of_three(state, seat)
        pairs = int(state.n_sets[seat]) - threes
        out[PAIRS + step] = pairs / MAX_SETS
        out[THREES + step] = threes / MAX_SETS
        out[HAND_SIZE + step] = state.hand_size[seat] / CARDS
        out[THREAT + step] = pairs > 0 and threes == due - 1
        out[SCORE + step] = state.scores[seat] / POINTS
        if step > 0:
            out[SCORE_LEAD + step - 1] = (own - int(state.scores[seat])) / POINTS
        seat = next_seat(state, seat)


@kernel
def cards_missing(state: State, viewer: int, out: Float32Array) -> int:
    """Return how many cards the viewer lacks of the sets that win.

    As if pairs on the table could be regrouped; sets of three are kept. Of the characters
    those are counted of which the viewer has most.
    """
    sets = sets_to_win(state) - sets_of_three(state, viewer)
    signposts = int(state.hands[viewer, SIGNPOST])
    for place in range(state.n_sets[viewer]):
        if state.set_size[viewer, place] == PAIR:
            signposts += int(state.set_signpost[viewer, place])
    threes, twos, ones = 0, 0, 0
    for card in range(N_CHARACTERS):
        loose = int(out[OWN + card] * COPIES)
        threes += loose == 3
        twos += loose == 2
        ones += loose == 1
    for place in range(state.n_sets[viewer]):
        if state.set_size[viewer, place] == THREE:
            owned = int(out[OWN + int(state.set_card[viewer, place])] * COPIES)
            signpost = int(state.set_signpost[viewer, place])
            threes -= owned == 3
            twos -= owned == 2
            ones += owned == 3 and signpost == 1
    incomplete = max(0, sets - threes)
    lack = THREE * incomplete - 2 * min(incomplete, twos)
    lack -= min(max(0, incomplete - twos), ones)
    return lack - min(signposts, incomplete)


@kernel
def see_course(state: State, viewer: int, out: Float32Array) -> None:
    """Write whose move it is, and how long the deal and the game can last."""
    players = wide(state.num_players)
    out[TURN + steps_to(state, viewer, wide(state.turn))] = 1
    if state.phase != Phase.OVER:
        out[PHASE + int(state.phase) - 1] = 1
    own = int(state.scores[viewer])
    if state.win_rule == WinRule.GOAL:
        out[GOAL_LEFT] = (GOAL - own) / POINTS
    elif state.win_rule == WinRule.NOTHING_LEFT:
        out[GOAL_LEFT + 1] = own / POINTS
    out[SIZES] = state.stock_size / MANY
    out[SIZES + 1] = state.discard_size / MANY
    rounds = int(state.turn_cap) - (int(state.turns) - 1) / players
    out[ROUNDS_LEFT] = min(rounds / MANY, 1.0)
    if state.episode == Episode.GAME:
        last = int(state.deals) if state.win_rule == WinRule.DEALS else int(state.deal_cap)
        out[DEALS_LEFT] = min((last - int(state.deal)) / CARDS, 1.0)
    out[TAKEN] = state.taken != NONE
    out[SEATS + players - 2] = 1
    out[SETS_TO_WIN + sets_to_win(state) - 1] = 1


@kernel
def see_options(state: State, out: Float32Array) -> None:
    """Write the options that change how to play."""
    out[OPTION] = state.scoring == Scoring.COUNTERS
    out[OPTION + 1] = state.signpost_extra
    out[OPTION + 1 + int(state.win_rule)] = 1
    out[OPTION + 5] = state.takeback_free
    out[OPTION + 6] = state.return_discard
    out[OPTION + 7] = state.episode == Episode.DEAL


@kernel
def privileged(state: State, out: Float32Array) -> None:
    """Write everything, as the seat to act sees it, into `out`."""
    viewer = max(wide(state.to_act), 0)
    observe(state, viewer, out)
    seat = viewer
    for other in range(wide(state.num_players) - 1):
        seat = next_seat(state, seat)
        add_counts(out, OTHER_HANDS + other * N_CARDS, state.hands[seat], N_CARDS, COPY)
    for i in range(min(NEXT_CARDS, int(state.stock_size))):
        out[NEXT + i * N_CARDS + int(state.stock[state.stock_size - 1 - i])] = 1
