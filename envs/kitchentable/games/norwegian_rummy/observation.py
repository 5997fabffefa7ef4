"""What a seat sees of Norwegian Rummy.

Seats are counted clockwise from the viewer, who is number 0; what belongs to absent seats
is zero, so that one policy plays every number of seats. Melds are numbered as in the
actions: three places for each owner.

How far the hand is from the contract is counted as the scripted opponent does (`prospects.py`).
"""

import numpy as np

from kitchentable.cards.contracts import ALL_SUITS, SUIT_BITS, stretches_lacking, take
from kitchentable.cards.french import (
    JOKER,
    JOKERS_A_PACK,
    N_CARDS,
    N_NATURAL,
    N_POSITIONS,
    N_RANKS,
    N_SUITS,
    card_at,
)
from kitchentable.cards.piles import NONE
from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.layout import Layout, Part
from kitchentable.engine.record import Float32Array, Int8Array
from kitchentable.engine.state import Episode, seat_after, steps_to
from kitchentable.engine.vectors import add_counts
from kitchentable.games.norwegian_rummy.prospects import (
    Outlook,
    add,
    cost_of_hand,
    help_to_next,
    is_late,
    outlook,
    relief,
)
from kitchentable.games.norwegian_rummy.rules import (
    JOKER_VALUE,
    MAX_GROUPS,
    MAX_MELDS,
    MAX_PLAYERS,
    MIN_RUN,
    N_DEALS,
    RUNS,
    SETS,
    VALUES,
    Kind,
    Phase,
    State,
    joker_fits,
)

OTHERS = MAX_PLAYERS - 1
ALL_RANKS = ((1 << N_RANKS) - 1) * ALL_SUITS
"""A bit for every natural card."""
MELD_WIDTH = 8
"""Floats that describe a meld."""
NEXT_CARDS = 2
"""Cards on top of the stock that a critic is shown: the mover's and a buyer's."""
COPIES = 4.0
"""Scale of counts of a card or rank; a power of two, so that sums stay exact."""
CARDS = 16.0
"""Scale of sizes of hands and groups."""
MANY = 64.0
"""Scale of the sizes of stock and discard pile."""
POINTS = 128.0
"""Scale of points."""
COSTS = 16.0
"""Scale of what a contract costs."""

LAYOUT = Layout(
    Part("hand", N_CARDS, "how many of each card I hold", COPIES),
    Part("hand_ranks", N_RANKS, "how many natural cards of each rank I hold", COPIES),
    Part("for_sets", N_RANKS, "the same, while I have sets to lay; else 0", COPIES),
    Part(
        "for_runs",
        (N_SUITS, N_RANKS),
        "while I have runs to lay, for each natural card: how many of the cards of a run of "
        "four with it I hold, of the best such run; else 0",
        COPIES,
    ),
    Part("cost", 1, "what the contract costs by my count, while I am not down", COSTS),
    Part(
        "losses",
        N_NATURAL,
        "at my own play, while I am not down, for each card of mine: how much more it costs "
        "without it, less what its points count, and what it would help the next seat",
        COSTS,
    ),
    Part("gain", 1, "at my draw or buy, while I am not down: less with the top discard", COSTS),
    Part(
        "top_for",
        3,
        "of the top discard, natural: its entries in for_sets, for_runs and hand",
        COPIES,
    ),
    Part("hand_value", 1, "points that my hand would cost", POINTS),
    Part("top", N_CARDS, "one-hot of the top discard"),
    Part("pile", N_CARDS, "how many of each card the discard pile has", COPIES),
    Part("unseen", N_CARDS, "how many of each card lie where I cannot know", COPIES),
    Part("known_left", N_CARDS, "cards that all saw go into my left neighbour's hand", COPIES),
    Part("known_others", N_CARDS, "such cards in the hands of seats 2 .. 5, together", COPIES),
    Part(
        "known_ranks", (OTHERS - 1, N_RANKS), "such natural cards of seats 2 .. 5, by rank", COPIES
    ),
    Part(
        "melds",
        (MAX_MELDS, MELD_WIDTH),
        "each meld: is a set; suit of a run (one-hot S H D C); rank of a set 1 .. 13 or lowest "
        "position of a run, and highest, both / 16; 1 if a joker fits",
    ),
    Part("own_jokers", (MAX_GROUPS, N_POSITIONS), "where a joker stands in each of my runs"),
    Part("fits", N_CARDS, "cards (and jokers) that fit some meld on the table"),
    Part("phase", len(Phase) - 1, "one-hot: draw, buy, play, meld"),
    Part("turn", MAX_PLAYERS, "one-hot: whose turn it is"),
    Part("to_act", MAX_PLAYERS, "one-hot: who must act"),
    Part("contract", N_DEALS, "one-hot of this deal's contract"),
    Part("to_lay", 2, "sets, runs that I have still to begin; none once I am down", MAX_GROUPS),
    Part("open_kind", 2, "one-hot: the group being laid is a set, a run"),
    Part("open_rank", N_RANKS, "one-hot: rank of the next card of that group"),
    Part("open_suit", N_SUITS, "one-hot: suit of that run"),
    Part("open_size", 2, "cards, jokers in that group", CARDS),
    Part("hand_size", MAX_PLAYERS, "cards in each hand", CARDS),
    Part("down", MAX_PLAYERS, "who is down"),
    Part("buys_left", MAX_PLAYERS, "buys that each seat has left", COPIES),
    Part("score", OTHERS, "each other seat's score less mine", POINTS),
    Part("sizes", 2, "cards in the stock, in the discard pile", MANY),
    Part("rounds_left", 1, "turns each seat can begin before the cap, 64 at most", MANY),
    Part("deals_left", 1, "deals after this one", N_DEALS),
    Part("taken", 1, "the mover took the top discard and holds such a card still"),
    Part("seats", MAX_PLAYERS - 1, "one-hot of the number of seats 2 .. 6"),
    Part(
        "options",
        5,
        "decks / 4, max_buys / 4, joker_ratio, return_discard, whether the episode is one deal",
    ),
)
PRIVILEGED = Layout(
    *LAYOUT,
    Part("other_hands", (OTHERS, N_CARDS), "how many of each card the other seats hold", COPIES),
    Part("next_cards", (NEXT_CARDS, N_CARDS), "one-hot of the cards on top of the stock"),
)

COPY = np.float32(1 / COPIES)
"""What one copy of a card adds; in float32, which the dense loops need to be fast."""
HAND = LAYOUT["hand"]
HAND_RANKS = LAYOUT["hand_ranks"]
FOR_SETS = LAYOUT["for_sets"]
FOR_RUNS = LAYOUT["for_runs"]
COST = LAYOUT["cost"]
LOSSES = LAYOUT["losses"]
GAIN = LAYOUT["gain"]
TOP_FOR = LAYOUT["top_for"]
HAND_VALUE = LAYOUT["hand_value"]
TOP = LAYOUT["top"]
PILE = LAYOUT["pile"]
UNSEEN = LAYOUT["unseen"]
KNOWN_LEFT = LAYOUT["known_left"]
KNOWN_OTHERS = LAYOUT["known_others"]
KNOWN_RANKS = LAYOUT["known_ranks"]
MELDS = LAYOUT["melds"]
OWN_JOKERS = LAYOUT["own_jokers"]
FITS = LAYOUT["fits"]
PHASE = LAYOUT["phase"]
TURN = LAYOUT["turn"]
TO_ACT = LAYOUT["to_act"]
CONTRACT = LAYOUT["contract"]
TO_LAY = LAYOUT["to_lay"]
OPEN_KIND = LAYOUT["open_kind"]
OPEN_RANK = LAYOUT["open_rank"]
OPEN_SUIT = LAYOUT["open_suit"]
OPEN_SIZE = LAYOUT["open_size"]
HAND_SIZES = LAYOUT["hand_size"]
DOWN = LAYOUT["down"]
BUYS_LEFT = LAYOUT["buys_left"]
SCORE = LAYOUT["score"]
SIZES = LAYOUT["sizes"]
ROUNDS_LEFT = LAYOUT["rounds_left"]
DEALS_LEFT = LAYOUT["deals_left"]
TAKEN = LAYOUT["taken"]
SEATS = LAYOUT["seats"]
OPTION = LAYOUT["options"]
OTHER_HANDS = PRIVILEGED["other_hands"]
NEXT = PRIVILEGED["next_cards"]


@kernel
def observe(state: State, viewer: int, out: Float32Array) -> None:
    """Write what `viewer` sees into `out`, zeroed float32 of shape (LAYOUT.size,)."""
    seat = wide(viewer)
    see_hand(state, seat, out)
    see_needs(state, seat, out)
    see_other_hands(state, seat, out)
    see_discards(state, out)
    see_unseen(state, out)
    see_melds(state, seat, out)
    see_open_group(state, out)
    see_prospects(state, seat, out)
    see_seats(state, seat, out)
    see_course(state, seat, out)
    see_options(state, out)


@kernel
def see_hand(state: State, viewer: int, out: Float32Array) -> None:
    """Write the viewer's cards."""
    hand = state.hands[viewer]
    add_counts(out, HAND, hand, N_CARDS, COPY)
    see_ranks(hand, out, HAND_RANKS)
    value = np.float32(int(hand[JOKER]) * JOKER_VALUE)
    for rank in range(N_RANKS):
        value += out[HAND_RANKS + rank] * np.float32(COPIES * VALUES[rank])
    out[HAND_VALUE] = value / POINTS


@kernel
def see_losses(state: State, viewer: int, view: Outlook, cost: int, out: Float32Array) -> None:
    """Write what discarding each card would lose; what the contract costs, once a rank if it can."""
    hand, late = state.hands[viewer], is_late(state)
    for rank in range(N_RANKS):
        loss, is_known = 0, False
        for suit in range(N_SUITS):
            card = suit * N_RANKS + rank
            if hand[card] > 0:
                if not is_known:
                    loss = cost_of_hand(take(view.hand, card), view) - cost
                    is_known = view.runs == 0
                change = loss - relief(card, late) + help_to_next(state, view, card)
                out[LOSSES + card] = change / COSTS


@kernel
def see_ranks(cards: Int8Array, out: Float32Array, at: int) -> None:
    """Write how many natural cards of each rank there are among `cards`, counts by card."""
    for suit in range(N_SUITS):
        add_counts(out, at, cards[suit * N_RANKS :], N_RANKS, COPY)


@kernel
def see_needs(state: State, viewer: int, out: Float32Array) -> None:
    """Write what I have still to lay, and which cards go together for it."""
    contract = wide(state.contract)
    sets, runs = SETS[contract], RUNS[contract]
    if state.phase == Phase.MELD and state.turn == viewer:
        sets, runs = wide(state.sets_left), wide(state.runs_left)
    elif state.down[viewer]:
        sets, runs = 0, 0
    if sets + runs == 0:
        return
    out[TO_LAY] = sets / MAX_GROUPS
    out[TO_LAY + 1] = runs / MAX_GROUPS
    if sets > 0:
        for rank in range(N_RANKS):
            out[FOR_SETS + rank] = out[HAND_RANKS + rank]
    if runs > 0:
        see_runs(state.hands[viewer], out)
    if state.discard_size > 0 and state.discard[state.discard_size - 1] != JOKER:
        card = wide(state.discard[state.discard_size - 1])
        out[TOP_FOR] = out[FOR_SETS + card % N_RANKS]
        out[TOP_FOR + 1] = out[FOR_RUNS + card]
        out[TOP_FOR + 2] = out[HAND + card]


@kernel
def see_runs(hand: Int8Array, out: Float32Array) -> None:
    """Write for each card the most cards that are held of a run of four with it."""
    held = 0
    for card in range(N_NATURAL):
        held += int(hand[card] > 0) << (SUIT_BITS * (card // N_RANKS) + card % N_RANKS)
    lacking = stretches_lacking(held, MIN_RUN)
    worth_1, worth_2 = covered(lacking[3]), covered(lacking[2])
    worth_3, worth_4 = covered(lacking[1]), covered(lacking[0])
    for suit in range(N_SUITS):
        for rank in range(N_RANKS):
            bit = SUIT_BITS * suit + rank
            worth = (worth_1 >> bit & 1) + (worth_2 >> bit & 1)
            worth += (worth_3 >> bit & 1) + (worth_4 >> bit & 1)
            out[FOR_RUNS + suit * N_RANKS + rank] = worth * COPY


@kernel
def covered(lows: int) -> int:
    """Return the positions of runs of four, given their lowest ones; the high ace is the low."""
    places = lows | lows << 1 | lows << 2 | lows << 3
    return places | (places >> (N_POSITIONS - 1) & ALL_SUITS)


@kernel
def see_prospects(state: State, viewer: int, out: Float32Array) -> None:
    """Write how far the contract is, and what the cards to choose from change about that."""
    if state.down[viewer] or state.to_act != viewer or state.phase == Phase.MELD:
        return
    view = outlook(state, viewer)
    cost = cost_of_hand(view.hand, view)
    out[COST] = cost / COSTS
    if state.phase == Phase.PLAY:
        see_losses(state, viewer, view, cost, out)
    elif state.discard_size > 0:
        top = wide(state.discard[state.discard_size - 1])
        out[GAIN] = (cost - cost_of_hand(add(view.hand, top), view)) / COSTS


@kernel
def see_other_hands(state: State, viewer: int, out: Float32Array) -> None:
    """Write the cards that all have seen go into other hands (G-7)."""
    for step in range(1, state.num_players):
        known = state.known[seat_after(state, viewer, step)]
        if step == 1:
            add_counts(out, KNOWN_LEFT, known, N_CARDS, COPY)
        else:
            add_counts(out, KNOWN_OTHERS, known, N_CARDS, COPY)
            see_ranks(known, out, KNOWN_RANKS + (step - 2) * N_RANKS)


@kernel
def see_discards(state: State, out: Float32Array) -> None:
    """Write the discard pile, all of which has been shown."""
    for i in range(state.discard_size):
        out[PILE + int(state.discard[i])] += COPY
    if state.discard_size > 0:
        out[TOP + int(state.discard[state.discard_size - 1])] = 1


@kernel
def see_unseen(state: State, out: Float32Array) -> None:
    """Write the cards that lie in no place seen so far; melds take theirs away later."""
    copies = state.decks * COPY
    for card in range(N_CARDS):
        known = out[KNOWN_LEFT + card] + out[KNOWN_OTHERS + card]
        out[UNSEEN + card] = copies - out[HAND + card] - out[PILE + card] - known
    out[UNSEEN + JOKER] += (JOKERS_A_PACK - 1) * copies


@kernel
def see_melds(state: State, viewer: int, out: Float32Array) -> None:
    """Write each meld, and what can be laid off."""
    for step in range(state.num_players):
        seat = seat_after(state, viewer, step)
        for place in range(MAX_GROUPS):
            meld = wide(state.own_melds[seat, place])
            if meld == NONE:
                break
            for i in range(state.meld_size[meld]):
                out[UNSEEN + int(state.meld_cards[meld, i])] -= COPY
            start = MELDS + (step * MAX_GROUPS + place) * MELD_WIDTH
            if state.meld_kind[meld] == Kind.SET:
                see_set(state, meld, out, start)
            else:
                see_run(state, meld, out, start)
            if step == 0 and state.meld_jokers[meld] > 0:
                see_own_jokers(state, meld, out, OWN_JOKERS + place * N_POSITIONS)


@kernel
def see_set(state: State, meld: int, out: Float32Array, start: int) -> None:
    """Write a set, and the cards that fit it."""
    rank = wide(state.meld_rank[meld])
    out[start] = 1
    out[start + 5] = out[start + 6] = (rank + 1) / CARDS
    for suit in range(N_SUITS):
        out[FITS + suit * N_RANKS + rank] = 1
    if joker_fits(state, meld):
        out[start + 7] = out[FITS + JOKER] = 1


@kernel
def see_run(state: State, meld: int, out: Float32Array, start: int) -> None:
    """Write a run, and the cards that fit it."""
    suit, low = wide(state.meld_suit[meld]), wide(state.meld_low[meld])
    high = low + wide(state.meld_size[meld]) - 1
    out[start + 1 + suit] = 1
    out[start + 5] = low / CARDS
    out[start + 6] = high / CARDS
    if low > 1:
        out[FITS + card_at(suit, low - 1)] = 1
    if high < N_POSITIONS:
        out[FITS + card_at(suit, high + 1)] = 1
    if joker_fits(state, meld) and (low > 1 or high < N_POSITIONS):
        out[start + 7] = out[FITS + JOKER] = 1


@kernel
def see_own_jokers(state: State, meld: int, out: Float32Array, start: int) -> None:
    """NR-9: write where jokers stand in one of the viewer's runs."""
    if state.meld_kind[meld] == Kind.RUN:
        for i in range(state.meld_size[meld]):
            if state.meld_cards[meld, i] == JOKER:
                out[start + int(state.meld_low[meld]) - 1 + i] = 1


@kernel
def see_open_group(state: State, out: Float32Array) -> None:
    """Write the group that the mover is laying."""
    if state.phase != Phase.MELD or state.open_kind == NONE:
        return
    jokers = 0
    for i in range(state.open_size):
        jokers += state.open_cards[i] == JOKER
        out[UNSEEN + int(state.open_cards[i])] -= COPY
    out[OPEN_KIND + int(state.open_kind)] = 1
    out[OPEN_SIZE] = state.open_size / CARDS
    out[OPEN_SIZE + 1] = jokers / CARDS
    if state.open_kind == Kind.SET:
        out[OPEN_RANK + int(state.open_rank)] = 1
    else:
        position = int(state.open_low) + int(state.open_size)
        out[OPEN_SUIT + int(state.open_suit)] = 1
        if position <= N_POSITIONS:
            out[OPEN_RANK + (position - 1) % N_RANKS] = 1


@kernel
def see_seats(state: State, viewer: int, out: Float32Array) -> None:
    """Write what is public about each seat."""
    players = int(state.num_players)
    for step in range(players):
        seat = seat_after(state, viewer, step)
        out[HAND_SIZES + step] = state.hand_size[seat] / CARDS
        out[DOWN + step] = state.down[seat]
        out[BUYS_LEFT + step] = state.buys_left[seat] * COPY
        if step > 0:
            out[SCORE + step - 1] = (int(state.scores[seat]) - int(state.scores[viewer])) / POINTS
    out[SEATS + players - 2] = 1


@kernel
def see_course(state: State, viewer: int, out: Float32Array) -> None:
    """Write the contract, whose move it is, and how long the deal and game can last."""
    players, contract = int(state.num_players), int(state.contract)
    out[CONTRACT + contract - 1] = 1
    out[TURN + steps_to(state, viewer, wide(state.turn))] = 1
    if state.phase != Phase.OVER:
        out[PHASE + int(state.phase) - 1] = 1
        out[TO_ACT + steps_to(state, viewer, wide(state.to_act))] = 1
    out[SIZES] = state.stock_size / MANY
    out[SIZES + 1] = state.discard_size / MANY
    rounds = int(state.turn_cap) - (int(state.turns) - 1) / players
    out[ROUNDS_LEFT] = min(rounds / MANY, 1.0)
    if state.episode == Episode.GAME:
        out[DEALS_LEFT] = (N_DEALS - int(state.deal)) / N_DEALS
    out[TAKEN] = state.taken != NONE


@kernel
def see_options(state: State, out: Float32Array) -> None:
    """Write the options that change how to play."""
    out[OPTION] = state.decks * COPY
    out[OPTION + 1] = state.max_buys * COPY
    out[OPTION + 2] = state.joker_ratio
    out[OPTION + 3] = state.return_discard
    out[OPTION + 4] = state.episode == Episode.DEAL


@kernel
def privileged(state: State, out: Float32Array) -> None:
    """Write everything, as the seat to act sees it, into `out`."""
    viewer, players = max(wide(state.to_act), 0), int(state.num_players)
    observe(state, viewer, out)
    for step in range(1, players):
        seat = seat_after(state, viewer, step)
        add_counts(out, OTHER_HANDS + (step - 1) * N_CARDS, state.hands[seat], N_CARDS, COPY)
    for i in range(min(NEXT_CARDS, int(state.stock_size))):
        out[NEXT + i * N_CARDS + int(state.stock[state.stock_size - 1 - i])] = 1
