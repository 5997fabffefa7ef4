"""What a seat sees of Luau Rummy.

Seats are counted clockwise from the viewer, who is number 0, and so are sides: with teams
side 0 is the viewer's, side 1 the other. What belongs to absent seats or sides is zero, so
that one policy plays every number of seats, alone or in teams.
"""

import numpy as np

from kitchentable.cards.piles import NONE
from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.layout import Layout, Part
from kitchentable.engine.record import Float32Array
from kitchentable.engine.state import Episode, seat_after, steps_to
from kitchentable.engine.vectors import add_counts, add_flags
from kitchentable.games.luau_rummy.pack import (
    ANIMALS,
    FIRST_ANIMAL,
    N_CARDS,
    N_KINDS,
    N_MELD_KINDS,
    N_TRIPLES,
    TRIPLE,
    WOLF,
)
from kitchentable.games.luau_rummy.prospects import (
    Base,
    Holding,
    base_of,
    hold,
    n_layable,
    triple_of,
    with_pile,
)
from kitchentable.games.luau_rummy.rules import (
    MAX_PLAYERS,
    MIN_MELD,
    Phase,
    State,
    luau,
    side_of,
)

OTHERS = MAX_PLAYERS - 1
COPIES = 4.0
"""Scale of counts of cards and melds; a power of two, so that sums stay exact."""
CARDS = 16.0
"""Scale of sizes of hands."""
MANY = 64.0
"""Scale of sizes of stock and pile, and of totals."""
POINTS = 32.0
"""Scale of the points of a deal."""

LAYOUT = Layout(
    Part("hand", N_CARDS, "how many of each card I hold", COPIES),
    Part(
        "hand_kinds",
        (N_TRIPLES, 3),
        "of supplies, gourmet, materials, piggies in my hand: melds without a wolf, melds beyond "
        "these that lack one card, different cards",
        COPIES,
    ),
    Part("hand_animals", 1, "animals in my hand", COPIES),
    Part("hand_lays", 2, "cards of my hand that can be laid now, and that stay then", CARDS),
    Part("wanted", N_CARDS, "cards one more of which could be laid at once, with others or alone"),
    Part("top", N_CARDS, "one-hot of the top discard"),
    Part("pile", N_CARDS, "how many of each card the discard pile has", COPIES),
    Part(
        "pile_kinds",
        N_KINDS,
        "melds of each kind without a wolf that my hand has more with the pile",
        COPIES,
    ),
    Part("pile_lays", 1, "cards that I could lay more with the pile", CARDS),
    Part("unseen", N_CARDS, "how many of each card lie where I cannot know", COPIES),
    Part("known", (OTHERS, N_CARDS), "cards that all saw go into the hands of the others", COPIES),
    Part("laid", (MAX_PLAYERS, N_MELD_KINDS), "melds of each side by kind", COPIES),
    Part("pure", (MAX_PLAYERS, N_MELD_KINDS), "those of them without a wolf", COPIES),
    Part("has", (MAX_PLAYERS, 2, N_KINDS), "whether a side has a meld of a kind, one without wolf"),
    Part("pileups", (MAX_PLAYERS, TRIPLE), "whether a side has a pile-up of a piggy"),
    Part("points", MAX_PLAYERS, "what each side's melds bring so far, a Luau included", POINTS),
    Part("luau", MAX_PLAYERS, "what the Luau of each side brings so far", 10.0),
    Part("score", OTHERS, "total of each other side less mine", MANY),
    Part("to_target", MAX_PLAYERS, "points that each side lacks to the target, 64 at most", MANY),
    Part("phase", len(Phase) - 1, "one-hot: draw, play"),
    Part("turn", MAX_PLAYERS, "one-hot: whose turn it is"),
    Part("hand_size", MAX_PLAYERS, "cards in each hand", CARDS),
    Part("sizes", 2, "cards in the stock, in the discard pile", MANY),
    Part("last_cards", 1, "cards in the stock, 16 at most", CARDS),
    Part("rounds_left", 1, "turns each seat can begin before the cap, 64 at most", MANY),
    Part("deals_left", 1, "deals that can follow, 64 at most", MANY),
    Part("taken", 1, "the mover took the pile and holds a card like its top one still"),
    Part("seats", MAX_PLAYERS - 1, "one-hot of the number of seats 2 .. 4"),
    Part(
        "options",
        8,
        "decks / 2, teams, piggy_pileup, copies / 4, animal_copies / 4, wolves / 4, "
        "return_discard, whether the episode is one deal",
    ),
)
PRIVILEGED = Layout(
    *LAYOUT,
    Part("other_hands", (OTHERS, N_CARDS), "how many of each card the other seats hold", COPIES),
    Part("next_card", N_CARDS, "one-hot of the card on top of the stock"),
)

COPY = np.float32(1 / COPIES)
"""What one copy of a card adds."""
HAND = LAYOUT["hand"]
HAND_KINDS = LAYOUT["hand_kinds"]
HAND_ANIMALS = LAYOUT["hand_animals"]
HAND_LAYS = LAYOUT["hand_lays"]
WANTED = LAYOUT["wanted"]
TOP = LAYOUT["top"]
PILE = LAYOUT["pile"]
PILE_KINDS = LAYOUT["pile_kinds"]
PILE_LAYS = LAYOUT["pile_lays"]
UNSEEN = LAYOUT["unseen"]
KNOWN = LAYOUT["known"]
LAID = LAYOUT["laid"]
PURE = LAYOUT["pure"]
HAS = LAYOUT["has"]
PILEUPS = LAYOUT["pileups"]
LUAUS = LAYOUT["luau"]
SIDE_POINTS = LAYOUT["points"]
SCORE = LAYOUT["score"]
TO_TARGET = LAYOUT["to_target"]
PHASE = LAYOUT["phase"]
TURN = LAYOUT["turn"]
HAND_SIZES = LAYOUT["hand_size"]
SIZES = LAYOUT["sizes"]
LAST_CARDS = LAYOUT["last_cards"]
ROUNDS_LEFT = LAYOUT["rounds_left"]
DEALS_LEFT = LAYOUT["deals_left"]
TAKEN = LAYOUT["taken"]
SEATS = LAYOUT["seats"]
OPTION = LAYOUT["options"]
OTHER_HANDS = PRIVILEGED["other_hands"]
NEXT = PRIVILEGED["next_card"]


@kernel
def observe(state: State, viewer: int, out: Float32Array) -> None:
    """Write what `viewer` sees into `out`, zeroed float32 of shape (LAYOUT.size,)."""
    seat = wide(viewer)
    side = side_of(state, seat)
    holding, base = hold(state.hands[seat]), base_of(state, side)
    lays = n_layable(holding, base)
    see_hand(state, seat, holding, lays, out)
    see_wanted(state, seat, holding, base, out)
    see_pile(state, holding, base, lays, out)
    see_places(state, seat, out)
    see_sides(state, side, out)
    see_course(state, seat, out)
    see_options(state, out)


@kernel
def see_hand(state: State, viewer: int, holding: Holding, lays: int, out: Float32Array) -> None:
    """Write the viewer's cards, and what they make."""
    add_counts(out, HAND, state.hands[viewer], N_CARDS, COPY)
    for kind in range(N_TRIPLES):
        triple, start = triple_of(holding, kind), HAND_KINDS + kind * 3
        out[start] = triple.melds * COPY
        out[start + 1] = triple.pairs * COPY
        out[start + 2] = triple.names * COPY
    out[HAND_ANIMALS] = holding.animals * COPY
    out[HAND_LAYS] = lays / CARDS
    out[HAND_LAYS + 1] = (wide(state.hand_size[viewer]) - lays) / CARDS


@kernel
def see_wanted(state: State, viewer: int, holding: Holding, base: Base, out: Float32Array) -> None:
    """Write the cards that complete a meld with the hand, or can be added to one."""
    hand, pairs = state.hands[viewer], 0
    for kind in range(N_TRIPLES):
        first, found = kind * TRIPLE, triple_of(holding, kind).pairs
        pairs += found
        if found > 0:
            for place in range(TRIPLE):
                n, after = hand[first + place], hand[first + (place + 1) % TRIPLE]
                if after > n and hand[first + (place + 2) % TRIPLE] > n:
                    out[WANTED + first + place] = 1
    two_animals = holding.animals == MIN_MELD - 1
    if base.melds > 0 or two_animals:
        for card in range(FIRST_ANIMAL, WOLF):
            out[WANTED + card] = 1
    out[WANTED + WOLF] = pairs > 0 or base.pure > 0 or two_animals


@kernel
def see_pile(state: State, holding: Holding, base: Base, lays: int, out: Float32Array) -> None:
    """Write the discard pile, all of which has been shown, and what it is good for."""
    if state.discard_size == 0:
        return
    add_counts(out, PILE, state.in_pile, N_CARDS, COPY)
    out[TOP + wide(state.discard[state.discard_size - 1])] = 1
    together = with_pile(holding, state)
    for kind in range(N_TRIPLES):
        more = triple_of(together, kind).melds - triple_of(holding, kind).melds
        out[PILE_KINDS + kind] = more * COPY
    more = together.animals // MIN_MELD - holding.animals // MIN_MELD
    out[PILE_KINDS + ANIMALS] = more * COPY
    out[PILE_LAYS] = (n_layable(together, base) - lays) / CARDS


@kernel
def see_places(state: State, viewer: int, out: Float32Array) -> None:
    """Write what is known of the other hands, and the cards that lie in no place seen."""
    add_counts(out, UNSEEN, state.all_copies, N_CARDS, COPY)
    add_counts(out, UNSEEN, state.on_table, N_CARDS, -COPY)
    add_counts(out, UNSEEN, state.in_pile, N_CARDS, -COPY)
    add_counts(out, UNSEEN, state.hands[viewer], N_CARDS, -COPY)
    for step in range(1, state.num_players):
        known = state.known[seat_after(state, viewer, step)]
        add_counts(out, UNSEEN, known, N_CARDS, -COPY)
        add_counts(out, KNOWN + (step - 1) * N_CARDS, known, N_CARDS, COPY)


@kernel
def see_sides(state: State, own: int, out: Float32Array) -> None:
    """Write the melds and points of each side, the viewer's first."""
    sides = wide(state.num_sides)
    mine = wide(state.scores[own])
    for step in range(sides):
        side = own + step if own + step < sides else own + step - sides
        total, cards = wide(state.scores[side]), wide(state.cards_laid[side])
        if cards > 0:
            see_melds(state, side, step, out)
            bonus = luau(state, side)
            out[LUAUS + step] = bonus / 10
            out[SIDE_POINTS + step] = (cards + bonus) / POINTS
        if step > 0:
            out[SCORE + step - 1] = (total - mine) / MANY
        if state.episode == Episode.GAME:
            out[TO_TARGET + step] = min((wide(state.target) - total) / MANY, 1.0)


@kernel
def see_melds(state: State, side: int, step: int, out: Float32Array) -> None:
    """Write how many melds of each kind a side has."""
    laid, pure = state.laid[side], state.pure[side]
    laid_at, has_at = step * N_MELD_KINDS, HAS + step * 2 * N_KINDS
    add_counts(out, LAID + laid_at, laid, N_MELD_KINDS, COPY)
    add_counts(out, PURE + laid_at, pure, N_MELD_KINDS, COPY)
    add_flags(out, has_at, laid, N_KINDS)
    add_flags(out, has_at + N_KINDS, pure, N_KINDS)
    add_flags(out, PILEUPS + step * TRIPLE, state.pileups[side], TRIPLE)


@kernel
def see_course(state: State, viewer: int, out: Float32Array) -> None:
    """Write whose move it is, the sizes, and how long the deal and game can last."""
    players = wide(state.num_players)
    out[TURN + steps_to(state, viewer, wide(state.turn))] = 1
    if state.phase != Phase.OVER:
        out[PHASE + wide(state.phase) - 1] = 1
    for step in range(players):
        out[HAND_SIZES + step] = state.hand_size[seat_after(state, viewer, step)] / CARDS
    out[SIZES] = state.stock_size / MANY
    out[SIZES + 1] = state.discard_size / MANY
    out[LAST_CARDS] = min(wide(state.stock_size) / CARDS, 1.0)
    rounds = wide(state.turn_cap) - (wide(state.turns) - 1) / players
    out[ROUNDS_LEFT] = min(rounds / MANY, 1.0)
    if state.episode == Episode.GAME:
        out[DEALS_LEFT] = min((wide(state.deal_cap) - wide(state.deal)) / MANY, 1.0)
    out[TAKEN] = state.taken != NONE
    out[SEATS + players - 2] = 1


@kernel
def see_options(state: State, out: Float32Array) -> None:
    """Write the options that change how to play."""
    out[OPTION] = state.decks / 2
    out[OPTION + 1] = state.teams
    out[OPTION + 2] = state.piggy_pileup
    out[OPTION + 3] = state.copies * COPY
    out[OPTION + 4] = state.animal_copies * COPY
    out[OPTION + 5] = state.wolves * COPY
    out[OPTION + 6] = state.return_discard
    out[OPTION + 7] = state.episode == Episode.DEAL


@kernel
def privileged(state: State, out: Float32Array) -> None:
    """Write everything, as the seat to act sees it, into `out`."""
    viewer, players = max(wide(state.to_act), 0), wide(state.num_players)
    observe(state, viewer, out)
    for step in range(1, players):
        seat = seat_after(state, viewer, step)
        add_counts(out, OTHER_HANDS + (step - 1) * N_CARDS, state.hands[seat], N_CARDS, COPY)
    if state.stock_size > 0:
        out[NEXT + wide(state.stock[state.stock_size - 1])] = 1
