"""An oracle for Hand & Foot: the rules once more, slow and obvious, to test others against.

The rule ids (HF-…, G-…) are those of the rules text. The oracle has no chance of its own: of what
the other implementation did it believes only a new deal, after checking that it is possible. The
top of the stock is known from the table, so draws and picked-up feet are worked out here.

Readings, where the text is open:

- The first discard is turned up before the red threes of the hands are laid out: a new deal has
  165 cards in the stock less one for each red three laid out, and never fewer than 13 in a hand.
- Red threes drawn together are replaced one after the other from the top of the stock; a stock that
  runs out in between leaves the hand short.
- A turn ends with the deal, too: in a finished table `kind`, `begun`, `aside` and `permission` are
  reset. `known`, `melds`, `red_threes`, `feet` and `minimum` stay as the last move left them.
- `turns` grows when the next seat begins its turn, so not with the move that ends a deal.
- Whether a seat has asked in this turn is told by `permission` alone: null means not yet.
- `take_pile` counts as a meld move for `kind` and `begun`. Its three cards make the side open, or
  not, before the other cards come; so these lie `aside` only if the three do not suffice.
- A meld closed in the turn it was begun in leaves `begun`; the turn stays `"start"`.
- `known` loses, when cards leave the hand, as many equal ones, but never goes below what is `aside`
  at that moment. The two cards of `take_pile` leave `known` before the pile's cards enter it.
- "The side is open" is asked of the value of its melds, whoever laid them and in whatever turn.
- Canastas count towards `need` kind by kind: a third clean one does not stand for a dirty one.
- Reach in the foot (which play never brings about): the cards that must be kept are one of the
  "other conditions", so sequences that break them do not count.
- The view shows a foot as a count of 13 with nothing known, and null when it has been picked up.
- The viewer's own hand is a plain list in its view, also when it is empty.
- With `episode="deal"` the key `deal` is the deal played, so that `minimum` follows from it.
- `version` is returned as it was given.
"""

from collections import Counter
from copy import deepcopy
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, NamedTuple

Card = str
Cards = tuple[Card, ...]
Table = dict[str, Any]
Move = dict[str, Any]

RED_THREE = "3R"
BLACK_THREE = "3B"
NATURAL = list("456789TJQKA")
TWO = "2"
JOKER = "JK"
WILD_CARDS = [TWO, JOKER]
CARDS = [RED_THREE, BLACK_THREE, *NATURAL, *WILD_CARDS]
CARD_ORDER = {card: number for number, card in enumerate(CARDS)}
COPIES = dict.fromkeys(CARDS, 20) | {RED_THREE: 10, BLACK_THREE: 10, JOKER: 10}
PACK = [card for card in CARDS for _ in range(COPIES[card])]
VALUE = (
    dict.fromkeys([BLACK_THREE, *"4567"], 5)
    | dict.fromkeys("89TJQK", 10)
    | dict.fromkeys(["A", TWO], 20)
    | {JOKER: 50}
)
"""What a card counts; a red three has no value of its own."""
WILD = "wild"
"""The rank of a wild meld."""
MELD_RANKS = [*NATURAL, WILD]

NUM_PLAYERS = 4
HAND_SIZE = 13
MELD_SIZE = 3
CANASTA_SIZE = 7
PILE_SIZE = 7
"""HF-10: cards taken with the discard pile, at most."""
N_DEALS = 4
SCALE = 2000
CANASTA_BONUS = {"clean": 500, "dirty": 300, "wild": 1500}
RED_THREE_BONUS = 100
OUT_BONUS = 100
KEYS = {
    *("game", "version", "options", "deal", "dealer", "turn", "to_act", "phase", "turns"),
    *("scores", "finished", "winners", "capped", "stock", "discard", "hands", "feet", "known"),
    *("melds", "red_threes", "minimum", "kind", "begun", "aside", "permission"),
}
"""What a table holds; `rng` may be there besides."""

MELD_MOVES: list[Move] = [
    *(
        {"move": "open_meld", "rank": rank, "wild": wild}
        for rank in NATURAL
        for wild in (None, *WILD_CARDS)
    ),
    *({"move": "open_wild", "jokers": jokers} for jokers in range(4)),
    *(
        {"move": "add", "card": card, "meld": rank}
        for rank in NATURAL
        for card in (rank, *WILD_CARDS)
    ),
    *({"move": "add", "card": card, "meld": WILD} for card in WILD_CARDS),
]
"""Every meld move there is, legal or not."""


def sort_cards(cards: list[Card] | Cards) -> list[Card]:
    """The cards in the order of a hand."""
    return sorted(cards, key=lambda card: CARD_ORDER[card])


def value_of(cards: list[Card] | Cards) -> int:
    """What cards count together; there is no red three among them."""
    return sum(VALUE[card] for card in cards)


def side_of(seat: int) -> int:
    """HF-1: the seats 0 and 2 play against 1 and 3."""
    return seat % 2


def partner_of(seat: int) -> int:
    """The other seat of the side."""
    return (seat + 2) % NUM_PLAYERS


def left_of(seat: int) -> int:
    """The next seat clockwise."""
    return (seat + 1) % NUM_PLAYERS


def without(cards: list[Card] | Cards, fewer: list[Card] | Cards) -> list[Card]:
    """The cards with one copy fewer for each card named; all of these must be there."""
    left = list(cards)
    for card in fewer:
        left.remove(card)
    return left


def keeps_wild_rule(naturals: int, wilds: int, wild_rule: str) -> bool:
    """HF-7: whether a meld of a rank may hold so many wild cards."""
    if wild_rule == "majority":
        return wilds < naturals and wilds <= 3
    return wilds <= (2 if naturals + wilds >= 6 else 1)


@dataclass(frozen=True)
class Options:
    """The options of a table, resolved."""

    num_players: int
    wild_rule: str
    one_kind_per_turn: bool
    minimums: list[int]
    need: list[int]
    partner_in_foot: bool
    foot_red_three: int
    deal: int | None
    episode: str

    def __post_init__(self) -> None:
        assert self.num_players == NUM_PLAYERS, f"num_players is {self.num_players}"
        assert self.wild_rule in ("strict", "majority"), f"wild_rule is {self.wild_rule}"
        assert isinstance(self.one_kind_per_turn, bool), "one_kind_per_turn is no truth value"
        assert isinstance(self.partner_in_foot, bool), "partner_in_foot is no truth value"
        assert len(self.minimums) == N_DEALS, f"minimums is {self.minimums}"
        assert all(minimum >= 0 for minimum in self.minimums), f"minimums is {self.minimums}"
        assert len(self.need) == len(CANASTA_BONUS), f"need is {self.need}"
        assert all(count >= 0 for count in self.need), f"need is {self.need}"
        assert self.foot_red_three >= 0, f"foot_red_three is {self.foot_red_three}"
        assert self.episode in ("game", "deal"), f"episode is {self.episode}"
        assert self.deal is None or self.episode == "deal", "deal is given for a whole game"
        assert self.deal is None or 1 <= self.deal <= N_DEALS, f"deal is {self.deal}"


class Meld(NamedTuple):
    """A meld of a rank, or of wild cards; its cards are sorted."""

    rank: str
    cards: Cards

    @property
    def is_closed(self) -> bool:
        """A canasta takes no more cards."""
        return len(self.cards) == CANASTA_SIZE

    @property
    def wilds(self) -> int:
        """How many of the cards are wild."""
        return sum(card in WILD_CARDS for card in self.cards)

    @property
    def kind(self) -> str:
        """Clean, dirty or wild."""
        if self.rank == WILD:
            return "wild"
        return "dirty" if self.wilds else "clean"

    def takes(self, card: Card, wild_rule: str) -> bool:
        """HF-6, HF-7: whether a card may come to the meld, which is not closed."""
        if self.rank == WILD:
            return card in WILD_CARDS
        if card == self.rank:
            return True
        naturals = len(self.cards) - self.wilds
        return card in WILD_CARDS and keeps_wild_rule(naturals, self.wilds + 1, wild_rule)


class Position(NamedTuple):
    """What a mover has before it when it melds: its hand, its side's melds, the kind of turn."""

    hand: Cards
    aside: Cards
    melds: tuple[Meld, ...]
    kind: str | None
    begun: tuple[str, ...]

    def unclosed(self, rank: str) -> Meld | None:
        """HF-8: the side's only meld of this rank that takes more cards."""
        for meld in self.melds:
            if meld.rank == rank and not meld.is_closed:
                return meld
        return None

    def laid(self) -> int:
        """The value of the side's cards in melds."""
        return sum(value_of(meld.cards) for meld in self.melds)

    def free_cards(self) -> list[Card]:
        """HF-13: the cards of the hand that may be melded."""
        return without(self.hand, self.aside)


class Terms(NamedTuple):
    """What does not change while a mover melds.

    `may_leave` is all of being free to go out except for the canastas.
    """

    wild_rule: str
    one_kind_per_turn: bool
    minimum: int
    need: tuple[int, ...]
    in_foot: bool
    may_leave: bool


def canastas_lacking(melds: tuple[Meld, ...], need: tuple[int, ...]) -> int:
    """HF-18: how many canastas of `need` are not there, over the three kinds."""
    held = Counter(meld.kind for meld in melds if meld.is_closed)
    return sum(max(0, due - held[kind]) for kind, due in zip(CANASTA_BONUS, need, strict=True))


def is_free(position: Position, terms: Terms) -> bool:
    """Whether the seat is free to go out."""
    return terms.may_leave and canastas_lacking(position.melds, terms.need) == 0


def is_open(position: Position, terms: Terms) -> bool:
    """HF-14: whether the value of the side's melds has reached the minimum."""
    return position.laid() >= terms.minimum


def cards_of(move: Move) -> list[Card]:
    """The cards that a move takes out of the hand; `take_pile` is not asked for."""
    match move["move"]:
        case "open_meld":
            rank, wild = move["rank"], move["wild"]
            return [rank] * 3 if wild is None else [rank, rank, wild]
        case "open_wild":
            return [TWO] * (3 - move["jokers"]) + [JOKER] * move["jokers"]
        case "add" | "discard":
            return [move["card"]]
    return []


def rank_of(move: Move) -> str:
    """The rank of the meld that a meld move is about."""
    match move["move"]:
        case "open_meld":
            return str(move["rank"])
        case "add":
            return str(move["meld"])
    return WILD


MELD_MOVES_WITH_CARDS = [
    (move, rank_of(move), list(Counter(cards_of(move)).items())) for move in MELD_MOVES
]
"""Each meld move, its rank, and how many of which cards it takes."""


def moves_that_fit(position: Position, terms: Terms) -> list[Move]:
    """Meld moves legal but for the minimum and for the cards that a seat in its foot keeps."""
    free = Counter(position.free_cards())
    return [
        move
        for move, rank, needed in MELD_MOVES_WITH_CARDS
        if all(free[card] >= count for card, count in needed)
        and fits_the_table(move, rank, position, terms)
    ]


def fits_the_table(move: Move, rank: str, position: Position, terms: Terms) -> bool:
    """HF-8, HF-9, HF-7: what the melds and the kind of turn allow."""
    meld = position.unclosed(rank)
    if move["move"] != "add":
        return meld is None and position.kind != "add"
    if meld is None or not meld.takes(move["card"], terms.wild_rule):
        return False
    return position.kind != "start" or rank in position.begun


def lay(position: Position, rank: str, cards: list[Card], terms: Terms) -> Position:
    """The position after these cards went to the unclosed meld of a rank, or to a new one."""
    old = position.unclosed(rank)
    new = Meld(rank, tuple(sort_cards([*(old.cards if old else ()), *cards])))
    melds = tuple(new if meld is old else meld for meld in position.melds)
    melds = melds if old else (*melds, new)
    kind, begun = position.kind, set(position.begun)
    if terms.one_kind_per_turn:
        kind = kind or ("add" if old else "start")
        if not old:
            begun.add(rank)
    if new.is_closed:
        begun.discard(rank)
    after = Position(
        hand=tuple(without(position.hand, cards)),
        aside=position.aside,
        melds=melds,
        kind=kind,
        begun=tuple(sorted(begun, key=MELD_RANKS.index)),
    )
    return after._replace(aside=()) if is_open(after, terms) else after


def after_move(position: Position, move: Move, terms: Terms) -> Position:
    """The position after a meld move; the foot is still where it was."""
    return lay(position, rank_of(move), cards_of(move), terms)


@lru_cache(maxsize=1 << 12)
def legal_meld_moves(position: Position, terms: Terms) -> tuple[Move, ...]:
    """The legal `open_meld`, `open_wild` and `add`."""
    moves = moves_that_fit(position, terms)
    if not terms.in_foot:
        if is_open(position, terms):
            return tuple(moves)
        if not in_reach(position, terms):
            return ()
    return tuple(move for move in moves if may_leave_behind(position, move, terms))


def may_leave_behind(position: Position, move: Move, terms: Terms) -> bool:
    """Whether what a move leaves suffices: the minimum in reach, in the foot enough cards."""
    after = after_move(position, move, terms)
    return keeps_enough(after, terms) and in_reach(after, terms)


def keeps_enough(after: Position, terms: Terms) -> bool:
    """HF-20: a meld move from the foot leaves two cards, or one or none when going out.

    A single card may also be left to be added, if the seat is free after that.
    """
    if not terms.in_foot or len(after.hand) >= 2 or is_free(after, terms):
        return True
    return len(after.hand) == 1 and any(
        is_free(after_move(after, move, terms), terms) for move in legal_meld_moves(after, terms)
    )


@lru_cache(maxsize=1 << 14)
def in_reach(position: Position, terms: Terms) -> bool:
    """Whether the side is open, or the cards in hand and not aside can still make it so."""
    if is_open(position, terms):
        return True
    if position.laid() + value_of(position.free_cards()) < terms.minimum:
        return False
    if not terms.in_foot and lays_only_new_melds(position, terms):
        return position.laid() + most_layable(position, terms) >= terms.minimum
    return in_reach_by_trying(position, terms)


def in_reach_by_trying(position: Position, terms: Terms) -> bool:
    """Reach word by word: some sequence of meld moves reaches the minimum."""
    if is_open(position, terms):
        return True
    return any(
        keeps_enough(after, terms) and in_reach_by_trying(after, terms)
        for after in (after_move(position, move, terms) for move in moves_that_fit(position, terms))
    )


def lays_only_new_melds(position: Position, terms: Terms) -> bool:
    """Whether the kind of turn cannot change any more by what is laid: so it is when opening."""
    if position.kind is None and terms.one_kind_per_turn:
        return not position.melds
    return position.kind != "add"


def most_layable(position: Position, terms: Terms) -> int:
    """The highest value that can be laid from a hand that need keep no card.

    Moves on melds of different ranks do not hinder each other, but for the wild cards they share.
    So their order makes no difference, and it suffices to go through the ranks one by one.
    """
    free = Counter(position.free_cards())
    melds: list[tuple[int, int, int, int]] = []
    wild_meld: int | None = 0
    for rank in MELD_RANKS:
        meld = position.unclosed(rank)
        takes_none = meld and position.kind == "start" and rank not in position.begun
        if rank == WILD:
            wild_meld = None if takes_none else len(meld.cards) if meld else 0
        elif not takes_none and (meld or free[rank] >= 2):
            wilds = meld.wilds if meld else 0
            size = len(meld.cards) if meld else 0
            melds.append((VALUE[rank], free[rank], size - wilds, wilds))
    return most_in_melds(tuple(melds), wild_meld, free[TWO], free[JOKER], terms.wild_rule)


@lru_cache(maxsize=1 << 14)
def most_in_melds(
    melds: tuple[tuple[int, int, int, int], ...],
    wild_meld: int | None,
    twos: int,
    jokers: int,
    wild_rule: str,
) -> int:
    """The highest value that can be laid on these ranks and, last, on the wild meld.

    A rank is its card's value, the cards of it in hand, and the natural and wild cards of its
    unclosed meld (none: no such meld); the wild meld is its size, or None where it takes none.
    """
    if not melds:
        return 0 if wild_meld is None else most_in_wild_melds(wild_meld, twos, jokers)
    (value, held, naturals, wilds), others = melds[0], melds[1:]
    return max(
        value * used
        + VALUE[TWO] * used_twos
        + VALUE[JOKER] * used_jokers
        + most_in_melds(others, wild_meld, twos - used_twos, jokers - used_jokers, wild_rule)
        for used, used_twos, used_jokers in ways_to_lay(
            held, naturals, wilds, twos, jokers, wild_rule
        )
    )


@lru_cache(maxsize=1 << 14)
def ways_to_lay(
    held: int, naturals: int, wilds: int, twos: int, jokers: int, wild_rule: str
) -> frozenset[tuple[int, int, int]]:
    """All the natural cards, twos and jokers that can be laid on one rank, by trying each move."""
    size = naturals + wilds
    if size == CANASTA_SIZE:
        return ways_to_lay(held, 0, 0, twos, jokers, wild_rule)
    steps = [(1, 0, 0), (0, 1, 0), (0, 0, 1)] if size else [(3, 0, 0), (2, 1, 0), (2, 0, 1)]
    ways = {(0, 0, 0)}
    for used, used_twos, used_jokers in steps:
        new_wilds = wilds + used_twos + used_jokers
        if held < used or twos < used_twos or jokers < used_jokers:
            continue
        if new_wilds > wilds and not keeps_wild_rule(naturals + used, new_wilds, wild_rule):
            continue
        ways |= {
            (used + more, used_twos + more_twos, used_jokers + more_jokers)
            for more, more_twos, more_jokers in ways_to_lay(
                held - used,
                naturals + used,
                new_wilds,
                twos - used_twos,
                jokers - used_jokers,
                wild_rule,
            )
        }
    return frozenset(ways)


@lru_cache(maxsize=1 << 12)
def most_in_wild_melds(size: int, twos: int, jokers: int) -> int:
    """The highest value that wild cards can bring in wild melds; one has `size` cards (or 0)."""
    if size == CANASTA_SIZE:
        return most_in_wild_melds(0, twos, jokers)
    cards = 1 if size else MELD_SIZE
    return max(
        (
            VALUE[TWO] * (cards - new_jokers)
            + VALUE[JOKER] * new_jokers
            + most_in_wild_melds(size + cards, twos - cards + new_jokers, jokers - new_jokers)
            for new_jokers in range(cards + 1)
            if new_jokers <= jokers and cards - new_jokers <= twos
        ),
        default=0,
    )


class Oracle:
    """A game of Hand & Foot, seen with all cards open.

    After every `play`, `rewards` and `win_rewards` hold that move's rewards by seat.
    """

    options: Options
    version: int
    deal: int
    dealer: int
    turn: int
    to_act: int | None
    phase: str
    turns: int
    scores: list[int]
    finished: bool
    winners: list[int] | None
    capped: bool
    stock: list[Card]
    discard: list[Card]
    hands: list[list[Card]]
    feet: list[list[Card] | None]
    known: list[list[Card]]
    melds: list[list[Meld]]
    red_threes: list[int]
    minimum: int
    kind: str | None
    begun: list[str]
    aside: list[Card]
    permission: str | None
    rewards: list[float]
    win_rewards: list[float]

    @classmethod
    def from_table(cls, table: Table) -> "Oracle":
        """The game at a table; the key `rng` may be there and is not used.

        Raises:
            AssertionError: a key is missing or strange, or the cards are not those of the pack.
        """
        difference = (set(table) - {"rng"}) ^ KEYS
        assert not difference, f"missing or unknown keys: {sorted(difference)}"
        assert table["game"] == "hand_and_foot", f"game is {table['game']}"
        copied = deepcopy(table)
        oracle = cls()
        for key in KEYS - {"game", "options", "melds"}:
            setattr(oracle, key, copied[key])
        oracle.options = Options(**copied["options"])
        oracle.melds = [
            [Meld(entry["rank"], tuple(entry["cards"])) for entry in melds]
            for melds in copied["melds"]
        ]
        oracle.rewards = [0.0] * NUM_PLAYERS
        oracle.win_rewards = [0.0] * NUM_PLAYERS
        for cards in all_sorted_lists(table):
            assert cards == sort_cards(cards), f"{cards} is not sorted"
        minimum = oracle.options.minimums[oracle.deal - 1]
        assert table["minimum"] == minimum, f"minimum is {table['minimum']}, not {minimum}"
        assert_pack(table)
        return oracle

    def table(self) -> Table:
        """The whole table, without `rng`."""
        table: Table = {key: getattr(self, key) for key in KEYS - {"game", "options", "melds"}}
        table["game"] = "hand_and_foot"
        table["options"] = asdict(self.options)
        table["melds"] = [
            [{"rank": meld.rank, "cards": list(meld.cards)} for meld in melds]
            for melds in self.melds
        ]
        return deepcopy(table)

    # What the mover has before it

    @property
    def side(self) -> int:
        """The mover's side."""
        return side_of(self.turn)

    def mover_position(self) -> Position:
        return Position(
            hand=tuple(self.hands[self.turn]),
            aside=tuple(self.aside),
            melds=tuple(self.melds[self.side]),
            kind=self.kind,
            begun=tuple(self.begun),
        )

    def terms(self) -> Terms:
        return Terms(
            wild_rule=self.options.wild_rule,
            one_kind_per_turn=self.options.one_kind_per_turn,
            minimum=self.minimum,
            need=tuple(self.options.need),
            in_foot=self._is_in_foot(self.turn),
            may_leave=self._feet_are_up() and self.permission == "allow",
        )

    def _is_in_foot(self, seat: int) -> bool:
        return self.feet[seat] is None

    def _feet_are_up(self) -> bool:
        """HF-18: the mover is in its foot, and its partner if that is asked for."""
        partner_is_ready = self._is_in_foot(partner_of(self.turn))
        return self._is_in_foot(self.turn) and (
            partner_is_ready or not self.options.partner_in_foot
        )

    # Legal moves, phase by phase

    def legal_moves(self) -> list[Move]:
        """Every legal move, each once; none when the game is over."""
        match self.phase:
            case "draw":
                return self._legal_draw()
            case "play":
                return self._legal_play()
            case "ask":
                return [{"move": "allow"}, {"move": "refuse"}]
        return []

    def _legal_draw(self) -> list[Move]:
        """HF-21: with fewer than two cards in the stock the mover may end the deal."""
        moves: list[Move] = [{"move": "draw_two" if len(self.stock) >= 2 else "pass"}]
        return [*moves, {"move": "take_pile"}] if self._may_take_pile() else moves

    def _may_take_pile(self) -> bool:
        """HF-11, HF-12: two natural cards of the top card's rank, and room on the table."""
        top = self.discard[-1] if self.discard else None
        if top not in NATURAL or self.hands[self.turn].count(top) < 2:
            return False
        meld = self.mover_position().unclosed(top)
        if meld and len(meld.cards) + MELD_SIZE > CANASTA_SIZE:
            return False
        after = self._position_with_pile()
        if self._is_in_foot(self.turn) and len(after.hand) < 2:
            return False
        return in_reach(after, self.terms())

    def _position_with_pile(self) -> Position:
        """HF-10, HF-12, HF-13: three cards are melded, then the other cards come."""
        *others, top = self.discard[-PILE_SIZE:]
        position = self.mover_position()
        with_top = position._replace(hand=(*position.hand, top))
        after = lay(with_top, top, [top] * MELD_SIZE, self.terms())
        lie_aside = not is_open(after, self.terms())
        return after._replace(
            hand=tuple(sort_cards([*after.hand, *others])),
            aside=tuple(sort_cards(others)) if lie_aside else (),
        )

    def _legal_play(self) -> list[Move]:
        """Meld, discard, ask; and HF-31."""
        melding = [dict(move) for move in legal_meld_moves(self.mover_position(), self.terms())]
        moves = melding + self._legal_discards()
        if not moves and self._is_in_foot(self.turn) and len(self.hands[self.turn]) == 1:
            moves.append({"move": "pass"})
        if self._may_ask():
            moves.append({"move": "ask_partner"})
        return moves

    def _legal_discards(self) -> list[Move]:
        """HF-25: any card, but not while opening, and in the foot not the last one."""
        position, terms = self.mover_position(), self.terms()
        if position.melds and not is_open(position, terms):
            return []
        if terms.in_foot and len(position.hand) == 1 and not is_free(position, terms):
            return []
        names = dict.fromkeys(position.hand)
        return [{"move": "discard", "card": card} for card in names]

    def _may_ask(self) -> bool:
        """HF-20: once a turn, when one canasta at most is lacking."""
        lacking = canastas_lacking(tuple(self.melds[self.side]), tuple(self.options.need))
        return self.permission is None and self._feet_are_up() and lacking <= 1

    # Playing a move

    def play(self, move: Move, after: Table) -> list[float]:
        """Plays a move; the rewards by seat.

        `after` is the table the other implementation reached by the same move; only a new deal is
        read from it. A move that does not end a deal does with an empty one.

        Raises:
            AssertionError: the move is not legal, or the deal in `after` is impossible.
        """
        assert move in self.legal_moves(), f"{move} is not legal"
        self.rewards = [0.0] * NUM_PLAYERS
        self.win_rewards = [0.0] * NUM_PLAYERS
        match move["move"]:
            case "draw_two":
                self._gain(self.turn, [self.stock.pop(), self.stock.pop()])
                self.phase = "play"
            case "take_pile":
                self._play_take_pile()
            case "pass" if self.phase == "draw":
                self._end_deal(None, after)
            case "pass":
                self._end_turn()
            case "open_meld" | "open_wild" | "add":
                self._play_meld(move, after)
            case "discard":
                self._play_discard(move["card"], after)
            case "ask_partner":
                self.phase = "ask"
                self.to_act = partner_of(self.turn)
            case "allow" | "refuse":
                self.permission = move["move"]
                self.phase = "play"
                self.to_act = self.turn
        return self.rewards

    def _play_take_pile(self) -> None:
        """G-7: all have seen what comes into the hand, and which two cards left it."""
        *others, top = self.discard[-PILE_SIZE:]
        position = self._position_with_pile()
        self._forget([top, top])
        del self.discard[-PILE_SIZE:]
        known = self.known[self.turn]
        self.known[self.turn] = sort_cards([*known, *others])
        self._take_over(position)
        self.phase = "play"
        if not self.hands[self.turn]:
            self._pick_up_foot()

    def _play_meld(self, move: Move, after: Table) -> None:
        """HF-16, HF-19: an empty hand brings the foot, an empty foot the end of the deal."""
        position = after_move(self.mover_position(), move, self.terms())
        self._forget(cards_of(move))
        self._take_over(position)
        if self.hands[self.turn]:
            return
        if self._is_in_foot(self.turn):
            self._end_deal(self.side, after)
        else:
            self._pick_up_foot()

    def _play_discard(self, card: Card, after: Table) -> None:
        """HF-17: with the last card of the hand the foot is picked up for the next turn."""
        self._forget([card])
        self.hands[self.turn].remove(card)
        self.discard.append(card)
        if not self.hands[self.turn]:
            if self._is_in_foot(self.turn):
                self._end_deal(self.side, after)
                return
            self._pick_up_foot()
        self._end_turn()

    def _take_over(self, position: Position) -> None:
        """Puts a position where it is kept."""
        self.hands[self.turn] = list(position.hand)
        self.aside = list(position.aside)
        self.melds[self.side] = list(position.melds)
        self.kind = position.kind
        self.begun = list(position.begun)

    def _forget(self, cards: list[Card]) -> None:
        """Cards are about to leave the mover's hand: equal ones leave `known`, unless aside."""
        known = self.known[self.turn]
        for card in cards:
            if known.count(card) > self.aside.count(card):
                known.remove(card)

    def _gain(self, seat: int, cards: list[Card]) -> None:
        """HF-5: cards come into a hand; red threes are laid out and replaced while there is one."""
        for card in cards:
            while card == RED_THREE:
                self.red_threes[side_of(seat)] += 1
                if not self.stock:
                    break
                card = self.stock.pop()
            if card != RED_THREE:
                self.hands[seat] = sort_cards([*self.hands[seat], card])

    def _pick_up_foot(self) -> None:
        """HF-9, HF-16: the kind of turn is open again, melds begun before are older ones."""
        foot = self.feet[self.turn]
        assert foot is not None
        self.feet[self.turn] = None
        self.kind = None
        self.begun = []
        self._gain(self.turn, foot)

    def _end_turn(self) -> None:
        """The turn passes to the left."""
        self._reset_turn()
        self.turns += 1
        self.turn = left_of(self.turn)
        self.to_act = self.turn
        self.phase = "draw"

    def _reset_turn(self) -> None:
        self.kind = None
        self.begun = []
        self.aside = []
        self.permission = None

    # The end of a deal

    def _end_deal(self, side_out: int | None, after: Table) -> None:
        """Scores the deal, then the next one or the end."""
        self._reset_turn()
        points = [self._points(side) + (OUT_BONUS if side == side_out else 0) for side in (0, 1)]
        self.scores = [score + won for score, won in zip(self.scores, points, strict=True)]
        ahead = (points[0] - points[1]) / SCALE
        self.rewards = [ahead if side_of(seat) == 0 else -ahead for seat in range(NUM_PLAYERS)]
        if self.options.episode == "deal" or self.deal == N_DEALS:
            self._end_game()
        else:
            self._next_deal(after)

    def _points(self, side: int) -> int:
        """HF-22 to HF-24: what a side has got, less what its seats have left."""
        points = self.red_threes[side] * RED_THREE_BONUS
        for meld in self.melds[side]:
            points += value_of(meld.cards)
            if meld.is_closed:
                points += CANASTA_BONUS[meld.kind]
        for seat in (side, partner_of(side)):
            for card in self.hands[seat] + (self.feet[seat] or []):
                points -= self.options.foot_red_three if card == RED_THREE else VALUE[card]
        return points

    def _end_game(self) -> None:
        """HF-27: the higher total wins, a tie is shared."""
        self.finished = True
        self.phase = "over"
        self.to_act = None
        self.winners = [side for side in (0, 1) if self.scores[side] == max(self.scores)]
        if len(self.winners) == 1:
            winner = self.winners[0]
            seats = range(NUM_PLAYERS)
            self.win_rewards = [1.0 if side_of(seat) == winner else -1.0 for seat in seats]

    def _next_deal(self, after: Table) -> None:
        """HF-4: the dealer moves one seat; which cards lie where is taken from `after`."""
        assert_dealt(after)
        self.deal += 1
        self.minimum = self.options.minimums[self.deal - 1]
        self.dealer = left_of(self.dealer)
        self.turn = left_of(self.dealer)
        self.to_act = self.turn
        self.phase = "draw"
        self.turns = 1
        self.known = [[] for _ in range(NUM_PLAYERS)]
        self.melds = [[], []]
        for key in ("stock", "discard", "hands", "feet", "red_threes"):
            setattr(self, key, deepcopy(after[key]))


def all_sorted_lists(table: Table) -> list[list[Card]]:
    """The lists of a table that are kept sorted, but for `begun`."""
    feet = [foot for foot in table["feet"] if foot is not None]
    melds = [entry["cards"] for melds in table["melds"] for entry in melds]
    return [*table["hands"], *feet, *table["known"], *melds, table["aside"]]


def assert_pack(table: Table) -> None:
    """Every card lies somewhere, as often as the pack has it."""
    cards = Counter(table["stock"] + table["discard"])
    for pile in table["hands"] + [foot for foot in table["feet"] if foot is not None]:
        cards.update(pile)
    for melds in table["melds"]:
        for entry in melds:
            cards.update(entry["cards"])
    cards.update({RED_THREE: sum(table["red_threes"])})
    missing, strange = Counter(COPIES) - cards, cards - Counter(COPIES)
    assert not missing and not strange, f"cards missing: {missing}, too many: {strange}"


def assert_dealt(table: Table) -> None:
    """HF-2, HF-5, HF-29: thirteen and thirteen cards, one natural one turned up, the rest stock."""
    for key in ("hands", "feet"):
        assert len(table[key]) == NUM_PLAYERS, f"{key}: of {len(table[key])} seats"
        for cards in table[key]:
            assert cards is not None and len(cards) == HAND_SIZE, f"{key}: {cards} is no full one"
            assert cards == sort_cards(cards), f"{key}: {cards} is not sorted"
    for hand in table["hands"]:
        assert RED_THREE not in hand, f"hands: a red three was not laid out from {hand}"
    assert len(table["discard"]) == 1, f"discard: {len(table['discard'])} cards are turned up"
    assert table["discard"][0] in NATURAL, f"discard: {table['discard'][0]} is turned up"
    assert len(table["red_threes"]) == 2, f"red_threes is {table['red_threes']}"
    assert min(table["red_threes"]) >= 0, f"red_threes is {table['red_threes']}"
    assert_pack(table | {"melds": []})
    due = len(PACK) - 2 * NUM_PLAYERS * HAND_SIZE - 1 - sum(table["red_threes"])
    assert len(table["stock"]) == due, f"stock: {len(table['stock'])} cards, not {due}"


def new_deal_is_valid(table: Table) -> None:
    """Asserts that a table is one where a deal has just been dealt, in all respects.

    Raises:
        AssertionError: names the key that is wrong.
    """
    difference = (set(table) - {"rng"}) ^ KEYS
    assert not difference, f"missing or unknown keys: {sorted(difference)}"
    options = Options(**table["options"])
    assert table["dealer"] in range(NUM_PLAYERS), f"dealer is {table['dealer']}"
    assert table["deal"] in range(1, N_DEALS + 1), f"deal is {table['deal']}"
    assert options.deal in (None, table["deal"]), f"deal is {table['deal']}, not {options.deal}"
    first = left_of(table["dealer"])
    expected = {
        "game": "hand_and_foot",
        "turn": first,
        "to_act": first,
        "phase": "draw",
        "turns": 1,
        "finished": False,
        "winners": None,
        "capped": False,
        "known": [[]] * NUM_PLAYERS,
        "melds": [[], []],
        "minimum": options.minimums[table["deal"] - 1],
        "kind": None,
        "begun": [],
        "aside": [],
        "permission": None,
    }
    for key, value in expected.items():
        assert same_json(table[key], value), f"{key} is {table[key]}, not {value}"
    assert type(table["version"]) is int and table["version"] >= 0, "version is no whole number"
    assert_scores_so_far(table, options)
    assert_dealt(table)


def same_json(one: object, other: object) -> bool:
    """Equality that tells true from 1 and false from 0, in lists too."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    return type(one) is type(other) and one == other


def assert_scores_so_far(table: Table, options: Options) -> None:
    """No score before the first deal of a game has ended."""
    scores = table["scores"]
    assert len(scores) == 2, f"scores are {scores}"
    assert all(type(score) is int for score in scores), f"scores are {scores}"
    if table["deal"] == 1 or options.episode == "deal":
        assert not any(scores), f"scores are {scores} in the first deal"


def view(table: Table, seat: int) -> Table:
    """G-7: a table as one seat sees it.

    Hidden are the stock and all feet (count only), and the other hands (count and known cards),
    the partner's too, also when the game is over.
    """
    seen = deepcopy({key: value for key, value in table.items() if key != "rng"})
    seen["stock"] = {"count": len(table["stock"]), "known": []}
    seen["feet"] = [
        None if foot is None else {"count": len(foot), "known": []} for foot in table["feet"]
    ]
    for other, hand in enumerate(table["hands"]):
        if other != seat:
            seen["hands"][other] = {"count": len(hand), "known": list(table["known"][other])}
    return seen
