"""The rules of Norwegian Rummy, in the order of play.

Contract rummy over seven deals with buying out of turn; lowest total wins. Source: a
description by a player ("Norwegian Rummy", signed Steve, of Lake Metigoshe). Rule
numbers (R1 ..) and rulings (NR-1 ..) are those of README.md beside this file.

Options: `num_players` 4, `decks` 2 (3 for five or six seats), `max_buys` 3,
`joker_ratio` true, `turn_cap` 60, `return_discard` true, `episode` "game", `deal` none.
"""

from enum import IntEnum
from typing import Annotated

from kitchentable.cards.french import N_CARDS, N_POSITIONS, N_RANKS, N_SUITS
from kitchentable.engine.actions import Actions, Block
from kitchentable.engine.options import (
    EPISODE,
    RETURN_DISCARD,
    BoolOption,
    IntOption,
    num_players_option,
)
from kitchentable.engine.record import Int8, Int8Array, Int16, dtype_of
from kitchentable.engine.state import BaseState

MAX_PLAYERS = 6
MAX_DECKS = 3
MAX_PACK = MAX_DECKS * 54
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
NONE = -1
"""No card, no meld."""

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
