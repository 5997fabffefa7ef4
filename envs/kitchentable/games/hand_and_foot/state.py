"""The record of a game of Hand & Foot Canasta, its options, its phases, and its actions."""

from enum import IntEnum
from typing import Annotated

from kitchentable.engine.actions import Actions, Block
from kitchentable.engine.options import (
    EPISODE,
    BoolOption,
    ChoiceOption,
    IntOption,
    ListOption,
    num_players_option,
)
from kitchentable.engine.record import Int8, Int8Array, Int16, Int16Array, dtype_of
from kitchentable.engine.state import (
    BaseState,
)
from kitchentable.games.hand_and_foot.deck import (
    N_CARDS,
    N_RANKS,
    PACK_SIZE,
)

N_SEATS = 4
N_SIDES = 2
N_DEALS = 4
PARTNER = 2
"""HF-1: seats from a player to the partner."""
HAND_SIZE = 13
"""Cards of a hand at first, and of a foot."""
WILD = N_RANKS
"""The rank of a wild meld."""
N_MELD_RANKS = N_RANKS + 1
MAX_MELDS = 42
"""The most melds of a side: twelve unclosed ones of three cards and thirty canastas at most,
of 250 cards that are not threes."""
PILE_TAKEN = 7
"""The most cards that are taken off the discard pile."""
KEPT_IN_FOOT = 2
"""HF-20: the cards that a meld move leaves in a foot, unless the seat is free to go out."""
MAX_ASKED_LACK = 1
"""The most canastas that may be lacking when the partner is asked."""
RED_THREE_BONUS = 100
OUT_BONUS = 100
CLEAN, DIRTY, ALL_WILD = 0, 1, 2
"""The kinds of canasta, in the order of `need`."""
N_KINDS = 3
CANASTA_BONUS = (500, 300, 1500)
REWARD_SCALE = 2000.0
"""Points that make a reward of 1."""
OPTIONS = (
    num_players_option(N_SEATS, (N_SEATS,)),
    ChoiceOption(
        "wild_rule",
        "strict",
        "wild cards in a meld of a rank: strict: one at most, or two in a meld of six or seven "
        "cards; majority: fewer than natural cards, and three at most",
        choices=("strict", "majority"),
    ),
    BoolOption(
        "one_kind_per_turn",
        True,
        "in one turn a seat begins new melds or adds to older ones, not both; false: both",
    ),
    ListOption(
        "minimums",
        [50, 90, 120, 150],
        "value of a side's first melds, by deal",
        length=N_DEALS,
    ),
    ListOption(
        "need",
        [2, 2, 1],
        "clean, dirty and wild canastas that a side must have to go out",
        length=N_KINDS,
    ),
    BoolOption(
        "partner_in_foot",
        True,
        "the partner must have picked up its foot before a seat goes out",
    ),
    IntOption(
        "foot_red_three",
        100,
        "points lost for each red three in a foot that was never picked up",
        low=0,
    ),
    EPISODE,
    IntOption(
        "deal",
        None,
        "with episode deal: which deal is played; none: one drawn evenly",
        high=N_DEALS,
        nullable=True,
        field="chosen_deal",
    ),
)
ACTIONS = Actions(
    Block("draw_two", "draw the two top cards of the stock"),
    Block("take_pile", "take the top seven discards, the top one into a meld"),
    Block("pass", "end the deal for want of cards, or a turn in which no card can be discarded"),
    Block("ask_partner", "ask the partner whether one may go out"),
    Block("allow", "let the partner go out"),
    Block("refuse", "do not"),
    Block(
        "open_meld",
        "begin a meld of a rank 4 .. A: with three natural cards, or two and a two or a joker",
        (("rank", N_RANKS), ("natural_two_or_joker", 3)),
    ),
    Block("open_wild", "begin a wild meld of so many jokers, the rest twos", (("jokers", 4),)),
    Block(
        "add",
        "add a card of the rank, a two or a joker to the unclosed meld of a rank",
        (("rank", N_RANKS), ("natural_two_or_joker", 3)),
    ),
    Block("add_wild", "add a two or a joker to the unclosed wild meld", (("two_or_joker", 2),)),
    Block("discard", "discard a card, 3B .. JK, which ends the turn", (("card", N_CARDS - 1),)),
)
DRAW_TWO = ACTIONS["draw_two"]
TAKE_PILE = ACTIONS["take_pile"]
PASS = ACTIONS["pass"]
ASK_PARTNER = ACTIONS["ask_partner"]
ALLOW = ACTIONS["allow"]
REFUSE = ACTIONS["refuse"]
OPEN_MELD = ACTIONS["open_meld"]
OPEN_WILD = ACTIONS["open_wild"]
ADD = ACTIONS["add"]
ADD_WILD = ACTIONS["add_wild"]
DISCARD = ACTIONS["discard"]


class Phase(IntEnum):
    """Which decision the game waits for."""

    OVER = 0
    DRAW = 1
    PLAY = 2
    ASK = 3


class WildRule(IntEnum):
    """HF-7: how many wild cards a meld of a rank may have (option `wild_rule`)."""

    STRICT = 0
    MAJORITY = 1


class Kind(IntEnum):
    """HF-9: what the turn is for."""

    NONE = 0
    START = 1
    ADD = 2


class Permission(IntEnum):
    """HF-20: the partner's answer in this turn."""

    NONE = 0
    ALLOW = 1
    REFUSE = 2


class State(BaseState):
    """One game of Hand & Foot Canasta. Cards are numbered as in `deck`."""

    wild_rule: Int8
    one_kind_per_turn: Int8
    minimums: Annotated[Int16Array, (N_DEALS,)]
    need: Annotated[Int16Array, (N_KINDS,)]
    partner_in_foot: Int8
    foot_red_three: Int16
    chosen_deal: Int8
    """The option `deal`; 0 for none."""

    stock_size: Int16
    discard_size: Int16
    stock: Annotated[Int8Array, (PACK_SIZE,)]
    """Cards, the top one last (at stock_size - 1)."""
    discard: Annotated[Int8Array, (PACK_SIZE,)]
    """The discard pile, the top card last."""
    pile: Annotated[Int8Array, (N_CARDS,)]
    """How many of each card the discard pile has."""
    hands: Annotated[Int8Array, (N_SEATS, N_CARDS)]
    """How many of each card a seat plays from, by seat: the hand, later the foot."""
    hand_size: Annotated[Int8Array, (N_SEATS,)]
    known: Annotated[Int8Array, (N_SEATS, N_CARDS)]
    """How many of each card in a hand were taken with the pile, so that all know (G-7)."""
    shown: Annotated[Int8Array, (N_CARDS,)]
    """How many of each card lie where all know it: in the pile, on the table, in `known`."""
    feet: Annotated[Int8Array, (N_SEATS, N_CARDS)]
    """How many of each card a foot that lies face down has."""
    in_foot: Annotated[Int8Array, (N_SEATS,)]
    """Whether a seat has picked up its foot."""

    n_melds: Annotated[Int8Array, (N_SIDES,)]
    """Melds by side, in the order begun; fields `meld_...` have one entry for each."""
    meld_rank: Annotated[Int8Array, (N_SIDES, MAX_MELDS)]
    """The rank 0 .. 10, or WILD."""
    meld_naturals: Annotated[Int8Array, (N_SIDES, MAX_MELDS)]
    meld_twos: Annotated[Int8Array, (N_SIDES, MAX_MELDS)]
    meld_jokers: Annotated[Int8Array, (N_SIDES, MAX_MELDS)]
    unclosed: Annotated[Int8Array, (N_SIDES, N_MELD_RANKS)]
    """HF-8: the meld of each rank that is not closed, or NONE."""
    unclosed_size: Annotated[Int8Array, (N_SIDES, N_MELD_RANKS)]
    """How many cards it has, 0 where there is none."""
    unclosed_wild: Annotated[Int8Array, (N_SIDES, N_MELD_RANKS)]
    """How many of these are wild; 0 for the wild meld."""
    closed: Annotated[Int8Array, (N_SIDES, N_MELD_RANKS)]
    """How many canastas of each rank a side has."""
    canastas: Annotated[Int8Array, (N_SIDES, N_KINDS)]
    """How many of each kind."""
    meld_value: Annotated[Int16Array, (N_SIDES,)]
    """The value of all the cards in a side's melds."""
    red_threes: Annotated[Int8Array, (N_SIDES,)]
    """Red threes laid out."""

    kind: Int8
    """The `Kind` of this turn."""
    begun: Int16
    """Bit r: the unclosed meld of rank r was begun in this turn, since a foot picked up in it."""
    aside: Annotated[Int8Array, (N_CARDS,)]
    """HF-13: how many of each card of the mover's hand may not be melded yet."""
    permission: Int8
    """The `Permission` to go out."""


STATE = dtype_of(State)
