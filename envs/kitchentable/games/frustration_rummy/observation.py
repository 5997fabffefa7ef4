"""What a seat sees of Frustration Rummy.

Seats are counted clockwise from the viewer, who is number 0; what belongs to absent seats
is zero, so that one policy plays every number of seats. Melds are numbered as in the
table and the actions: in the order laid.
"""

import numpy as np

from kitchentable.cards.contracts import ONE_SUIT, SUIT_BITS, Holding, n_bits, positions
from kitchentable.cards.french import (
    JOKER,
    JOKERS_A_PACK,
    N_CARDS,
    N_NATURAL,
    N_RANKS,
    N_SUITS,
)
from kitchentable.cards.piles import NONE
from kitchentable.engine.jit import kernel, wide
from kitchentable.engine.layout import Layout, Part
from kitchentable.engine.record import Float32Array, Int8Array
from kitchentable.engine.state import Episode, seat_after, steps_to
from kitchentable.engine.vectors import add_counts
from kitchentable.games.frustration_rummy.prospects import (
    NOTHING_KNOWN,
    add,
    counts_of,
    covered,
    having,
    nearest,
)
from kitchentable.games.frustration_rummy.rules import (
    DECKS,
    EXTRA,
    MAX_MELDS,
    MAX_PLAYERS,
    N_CONTRACTS,
    RUN_LENGTHS,
    RUNS,
    SET_SIZES,
    SETS,
    Kind,
    Phase,
    State,
    natural_beyond,
    open_wild,
    position_beyond,
    shape,
    sizes_of,
    wild_fits,
)
from kitchentable.games.frustration_rummy.wild import (
    TWO,
    WILD,
    count_of_rank,
    hold_wild,
    is_wild,
)

OTHERS = MAX_PLAYERS - 1
MELD_WIDTH = 8
"""Floats that describe a meld."""
CONTRACT_WIDTH = 5
"""Floats that describe a contract."""
NEXT_CARDS = 2
"""Cards on top of the stock that a critic is shown."""
COPIES = 2.0
"""Scale of counts of a card; a power of two, so that sums stay exact."""
OF_RANK = 4.0
"""Scale of counts of a rank, and of groups."""
GROUP = 8.0
"""Scale of the sizes of groups, and of cards lacking."""
CARDS = 16.0
"""Scale of sizes of hands and positions."""
MANY = 64.0
"""Scale of the sizes of stock and discard pile, of rounds and deals."""

LAYOUT = Layout(
    Part("hand", N_CARDS, "how many of each card I hold", COPIES),
    Part("hand_ranks", N_RANKS, "how many natural cards of each rank I hold", OF_RANK),
    Part("hand_wild", 1, "how many wild cards I hold", OF_RANK),
    Part(
        "for_sets",
        N_RANKS,
        "natural cards of each rank, while I have sets to lay or am down; else 0",
        OF_RANK,
    ),
    Part(
        "for_runs",
        N_NATURAL,
        "while I have runs to lay or am down, for each natural card: what share of the places of "
        "a run with it I hold, of the best such run (of my contract's length; once down of four)",
    ),
    Part("top_for", 3, "of the top discard, natural: its entries in for_sets, for_runs and hand"),
    Part(
        "spare",
        N_NATURAL,
        "natural cards of my hand for which the nearest way to my contract has no use",
    ),
    Part(
        "lacking",
        4,
        "cards that I lack on that way: in sets, in runs, in both when my wild cards serve; wild "
        "cards of mine that do not serve",
        GROUP,
    ),
    Part("top_helps", 1, "phase draw: taking the top discard brings me a card nearer"),
    Part("top", N_CARDS, "one-hot of the top discard"),
    Part("pile", N_CARDS, "how many of each card the discard pile has", COPIES),
    Part("unseen", N_CARDS, "how many of each card lie where I cannot know", COPIES),
    Part("known_left", N_CARDS, "cards that all saw go into my left neighbour's hand", COPIES),
    Part("known_others", N_CARDS, "such cards in the hands of seats 2 .. 4, together", COPIES),
    Part(
        "known_ranks", (OTHERS - 1, N_RANKS), "such natural cards of seats 2 .. 4, by rank", OF_RANK
    ),
    Part(
        "melds",
        (MAX_MELDS, MELD_WIDTH),
        "each meld: is a set; suit of a run (one-hot S H D C); rank of a set 1 .. 13 or lowest "
        "position of a run, and highest, both / 16; 1 if a wild card fits",
    ),
    Part("fits", N_CARDS, "cards that fit some meld on the table"),
    Part("phase", len(Phase) - 1, "one-hot: draw, play, meld"),
    Part("turn", MAX_PLAYERS, "one-hot: whose turn it is"),
    Part("to_act", MAX_PLAYERS, "one-hot: who must act"),
    Part("contract", N_CONTRACTS, "one-hot of my contract"),
    Part(
        "to_lay",
        4,
        "sets and runs that I have still to begin, none once I am down, / 4; their sizes / 8",
    ),
    Part(
        "contracts",
        (OTHERS, CONTRACT_WIDTH),
        "each other seat's contract: its number / 14, sets / 4, their size / 8, runs / 4, their "
        "length / 8",
    ),
    Part("open_kind", 2, "one-hot: the group being laid is a set, a run"),
    Part("open_rank", N_RANKS, "one-hot: rank of the next card of that group"),
    Part("open_suit", N_SUITS, "one-hot: suit of that run"),
    Part("open_size", 3, "cards, wild cards in that group, and cards that it lacks", GROUP),
    Part("hand_size", MAX_PLAYERS, "cards in each hand", CARDS),
    Part("down", MAX_PLAYERS, "who is down"),
    Part("points", OTHERS, "each other seat's points less mine", CARDS),
    Part("sizes", 2, "cards in the stock, in the discard pile", MANY),
    Part("rounds_left", 1, "turns each seat can begin before the cap, 64 at most", MANY),
    Part("deals_left", 1, "deals that can follow this one, 64 at most", MANY),
    Part("taken", 1, "the mover took the top discard and holds such a card still"),
    Part("seats", MAX_PLAYERS - 1, "one-hot of the number of seats 2 .. 5"),
    Part(
        "options",
        4,
        "start_contract / 14, last_contract / 14, return_discard, whether the episode is one deal",
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
HAND_WILD = LAYOUT["hand_wild"]
FOR_SETS = LAYOUT["for_sets"]
FOR_RUNS = LAYOUT["for_runs"]
TOP_FOR = LAYOUT["top_for"]
SPARE = LAYOUT["spare"]
LACKING = LAYOUT["lacking"]
TOP_HELPS = LAYOUT["top_helps"]
TOP = LAYOUT["top"]
PILE = LAYOUT["pile"]
UNSEEN = LAYOUT["unseen"]
KNOWN_LEFT = LAYOUT["known_left"]
KNOWN_OTHERS = LAYOUT["known_others"]
KNOWN_RANKS = LAYOUT["known_ranks"]
MELDS = LAYOUT["melds"]
FITS = LAYOUT["fits"]
PHASE = LAYOUT["phase"]
TURN = LAYOUT["turn"]
TO_ACT = LAYOUT["to_act"]
CONTRACT = LAYOUT["contract"]
TO_LAY = LAYOUT["to_lay"]
CONTRACTS = LAYOUT["contracts"]
OPEN_KIND = LAYOUT["open_kind"]
OPEN_RANK = LAYOUT["open_rank"]
OPEN_SUIT = LAYOUT["open_suit"]
OPEN_SIZE = LAYOUT["open_size"]
HAND_SIZES = LAYOUT["hand_size"]
DOWN = LAYOUT["down"]
POINTS = LAYOUT["points"]
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
    see_other_hands(state, seat, out)
    see_discards(state, out)
    see_unseen(out)
    see_melds(state, out)
    see_open_group(state, out)
    see_seats(state, seat, out)
    see_course(state, seat, out)
    see_options(state, out)


@kernel
def see_hand(state: State, viewer: int, out: Float32Array) -> None:
    """Write the viewer's cards, and how near they are to what the viewer has to lay."""
    counts, contract = state.hands[viewer], wide(state.contracts[viewer])
    add_counts(out, HAND, counts, N_CARDS, COPY)
    hand = hold_wild(counts)
    out[HAND_WILD] = hand.wild / OF_RANK
    for rank in range(N_RANKS):
        out[HAND_RANKS + rank] = count_of_rank(hand.ranks, rank) / OF_RANK
    sets, runs, down = SETS[contract], RUNS[contract], bool(state.down[viewer])
    if down:
        contract, sets, runs = EXTRA, 0, 0
    elif state.phase == Phase.MELD and state.turn == viewer:
        sets, runs = wide(state.sets_left), wide(state.runs_left)
    out[TO_LAY] = sets / OF_RANK
    out[TO_LAY + 1] = runs / OF_RANK
    out[TO_LAY + 2] = SET_SIZES[contract] / GROUP
    out[TO_LAY + 3] = RUN_LENGTHS[contract] / GROUP
    if sets > 0 or down:
        for rank in range(N_RANKS):
            out[FOR_SETS + rank] = out[HAND_RANKS + rank]
    if runs > 0 or down:
        see_runs(hand, RUN_LENGTHS[contract], out)
    see_top(state, out)
    see_prospects(state, hand, contract, sets, runs, out)


@kernel
def see_runs(hand: Holding, length: int, out: Float32Array) -> None:
    """Write for each card how much is held of the best run of this length with it."""
    counts, done = counts_of(positions(hand), length), 0
    for n in range(length, 0, -1):
        found = covered(having(counts, n), length) & ~done
        done |= found
        mark(found, n / length, out[FOR_RUNS:])


@kernel
def mark(cards: int, value: float, out: Float32Array) -> None:
    """Write a value for each natural card among `cards`, bits as in a `Holding`."""
    for suit in range(N_SUITS):
        here = (cards >> (SUIT_BITS * suit)) & ONE_SUIT
        while here:
            rank = n_bits((here & -here) - 1)
            out[suit * N_RANKS + rank] = value
            here &= here - 1


@kernel
def see_top(state: State, out: Float32Array) -> None:
    """Write what the top discard would go with."""
    if state.discard_size == 0:
        return
    card = wide(state.discard[state.discard_size - 1])
    if not is_wild(card):
        out[TOP_FOR] = out[FOR_SETS + card % N_RANKS]
        out[TOP_FOR + 1] = out[FOR_RUNS + card]
        out[TOP_FOR + 2] = out[HAND + card]


@kernel
def see_prospects(
    state: State, hand: Holding, contract: int, sets: int, runs: int, out: Float32Array
) -> None:
    """Write the nearest way to what is to be laid, and whether the top discard helps."""
    sizes = sizes_of(contract)
    way = nearest(hand, NOTHING_KNOWN, sizes, sets, runs)
    out[LACKING] = way.in_sets / GROUP
    out[LACKING + 1] = way.in_runs / GROUP
    out[LACKING + 2] = way.lacking / GROUP
    out[LACKING + 3] = max(way.wild, 0) / GROUP
    mark(way.spare, 1.0, out[SPARE:])
    if state.phase == Phase.DRAW and state.discard_size > 0 and sets + runs > 0:
        top = wide(state.discard[state.discard_size - 1])
        after = nearest(add(hand, top), NOTHING_KNOWN, sizes, sets, runs)
        out[TOP_HELPS] = after.lacking < way.lacking


@kernel
def see_other_hands(state: State, viewer: int, out: Float32Array) -> None:
    """Write the cards that all have seen go into other hands (G-7)."""
    for step in range(1, state.num_players):
        known = state.known[seat_after(state, viewer, step)]
        if step == 1:
            add_counts(out, KNOWN_LEFT, known, N_CARDS, COPY)
        else:
            start = KNOWN_RANKS + (step - 2) * N_RANKS
            add_counts(out, KNOWN_OTHERS, known, N_CARDS, COPY)
            for rank in range(N_RANKS):
                if rank != TWO:
                    out[start + rank] = of_rank(known, rank) / OF_RANK


@kernel
def of_rank(counts: Int8Array, rank: int) -> int:
    """Return how many cards of a rank there are among counts by card."""
    spades, hearts = int(counts[rank]), int(counts[N_RANKS + rank])
    return spades + hearts + int(counts[2 * N_RANKS + rank]) + int(counts[3 * N_RANKS + rank])


@kernel
def see_discards(state: State, out: Float32Array) -> None:
    """Write the discard pile, all of which has been shown."""
    for i in range(state.discard_size):
        out[PILE + int(state.discard[i])] += COPY
    if state.discard_size > 0:
        out[TOP + int(state.discard[state.discard_size - 1])] = 1


@kernel
def see_unseen(out: Float32Array) -> None:
    """Write the cards that lie in no place seen so far; melds take theirs away later."""
    copies = DECKS * COPY
    for card in range(N_CARDS):
        known = out[KNOWN_LEFT + card] + out[KNOWN_OTHERS + card]
        out[UNSEEN + card] = copies - out[HAND + card] - out[PILE + card] - known
    out[UNSEEN + JOKER] += (JOKERS_A_PACK - 1) * copies


@kernel
def see_melds(state: State, out: Float32Array) -> None:
    """Write each meld, and what can be laid off."""
    wild = False
    for meld in range(state.n_melds):
        for i in range(state.meld_size[meld]):
            out[UNSEEN + int(state.meld_cards[meld, i])] -= COPY
        start = MELDS + meld * MELD_WIDTH
        if state.meld_kind[meld] == Kind.SET:
            see_set(state, meld, out, start)
        else:
            see_run(state, meld, out, start)
        wild |= out[start + MELD_WIDTH - 1] > 0
    if wild:
        for card in WILD:
            out[FITS + card] = 1


@kernel
def see_set(state: State, meld: int, out: Float32Array, start: int) -> None:
    """Write a set, and the natural cards that fit it."""
    rank = wide(state.meld_rank[meld])
    out[start] = 1
    out[start + 5] = out[start + 6] = (rank + 1) / CARDS
    out[start + 7] = wild_fits(state, meld)
    for suit in range(N_SUITS):
        out[FITS + suit * N_RANKS + rank] = 1


@kernel
def see_run(state: State, meld: int, out: Float32Array, start: int) -> None:
    """Write a run, and the natural cards that fit it."""
    suit, low = wide(state.meld_suit[meld]), wide(state.meld_low[meld])
    out[start + 1 + suit] = 1
    out[start + 5] = low / CARDS
    out[start + 6] = (low + wide(state.meld_size[meld]) - 1) / CARDS
    has_room = False
    for end in range(2):
        has_room |= position_beyond(state, meld, end) > 0
        natural = natural_beyond(state, meld, end)
        if natural != NONE:
            out[FITS + natural] = 1
    out[start + 7] = has_room and wild_fits(state, meld)


@kernel
def see_open_group(state: State, out: Float32Array) -> None:
    """Write the group that the mover is laying."""
    if state.phase != Phase.MELD or state.open_kind == NONE:
        return
    size, sizes = wide(state.open_size), shape(state)
    for i in range(size):
        out[UNSEEN + int(state.open_cards[i])] -= COPY
    out[OPEN_KIND + int(state.open_kind)] = 1
    out[OPEN_SIZE] = size / GROUP
    out[OPEN_SIZE + 1] = open_wild(state) / GROUP
    if state.open_kind == Kind.SET:
        out[OPEN_RANK + int(state.open_rank)] = 1
        out[OPEN_SIZE + 2] = (sizes.set_size - size) / GROUP
    else:
        out[OPEN_SUIT + int(state.open_suit)] = 1
        out[OPEN_RANK + (int(state.open_low) + size - 1) % N_RANKS] = 1
        out[OPEN_SIZE + 2] = (sizes.run_length - size) / GROUP


@kernel
def see_seats(state: State, viewer: int, out: Float32Array) -> None:
    """Write what is public about each seat."""
    players = wide(state.num_players)
    for step in range(players):
        seat = seat_after(state, viewer, step)
        contract = wide(state.contracts[seat])
        out[HAND_SIZES + step] = state.hand_size[seat] / CARDS
        out[DOWN + step] = state.down[seat]
        if step == 0:
            out[CONTRACT + contract - 1] = 1
        else:
            start = CONTRACTS + (step - 1) * CONTRACT_WIDTH
            out[start] = contract / N_CONTRACTS
            out[start + 1] = SETS[contract] / OF_RANK
            out[start + 2] = SET_SIZES[contract] / GROUP
            out[start + 3] = RUNS[contract] / OF_RANK
            out[start + 4] = RUN_LENGTHS[contract] / GROUP
            out[POINTS + step - 1] = (int(state.scores[seat]) - int(state.scores[viewer])) / CARDS
    out[SEATS + players - 2] = 1


@kernel
def see_course(state: State, viewer: int, out: Float32Array) -> None:
    """Write whose move it is, and how long the deal and game can last."""
    out[TURN + steps_to(state, viewer, wide(state.turn))] = 1
    if state.phase != Phase.OVER:
        out[PHASE + int(state.phase) - 1] = 1
        out[TO_ACT + steps_to(state, viewer, wide(state.to_act))] = 1
    out[SIZES] = state.stock_size / MANY
    out[SIZES + 1] = state.discard_size / MANY
    rounds = int(state.turn_cap) - (int(state.turns) - 1) / int(state.num_players)
    out[ROUNDS_LEFT] = min(rounds / MANY, 1.0)
    if state.episode == Episode.GAME:
        out[DEALS_LEFT] = min((int(state.deal_cap) - int(state.deal)) / MANY, 1.0)
    out[TAKEN] = state.taken != NONE


@kernel
def see_options(state: State, out: Float32Array) -> None:
    """Write the options that change how to play."""
    out[OPTION] = state.start_contract / N_CONTRACTS
    out[OPTION + 1] = state.last_contract / N_CONTRACTS
    out[OPTION + 2] = state.return_discard
    out[OPTION + 3] = state.episode == Episode.DEAL


@kernel
def privileged(state: State, out: Float32Array) -> None:
    """Write everything, as the seat to act sees it, into `out`."""
    viewer, players = max(wide(state.to_act), 0), wide(state.num_players)
    observe(state, viewer, out)
    for step in range(1, players):
        seat = seat_after(state, viewer, step)
        add_counts(out, OTHER_HANDS + (step - 1) * N_CARDS, state.hands[seat], N_CARDS, COPY)
    for i in range(min(NEXT_CARDS, int(state.stock_size))):
        out[NEXT + i * N_CARDS + int(state.stock[state.stock_size - 1 - i])] = 1
