"""An oracle for Norwegian Rummy: the rules once more, slow and obvious, to test others against.

The rule ids (NR-…, G-…) are those of the rules text. The oracle has no chance of its own: of what
the other implementation did it believes only the order of a shuffle, after checking that the
shuffle is possible. Everything else it works out for itself.

Readings, where the text is open:

- Contract 7 is known by its contract (no set, three runs), so it needs all cards in an
  `episode="deal"` too, where the key `deal` is 1.
- Between two groups (phase `meld`) only `open_…` is legal; `discard` is a move of phase `play`.
- A run of contract 7 that has reached position 14 still wants its `close`.
- The ratio may be broken while a group is open, in contract 7 also beyond the fourth card.
- The last `close` of contract 7 makes the seat down, as every last group does; with it the deal
  ends.
- A reshuffle happens when a card is drawn from an empty stock, not when the stock becomes empty.
- A buyer takes the discard first: the discard then on top stays when the rest is reshuffled.
- A joker that `move_joker` moves never enters the hand; only the natural card leaves it.
- A run may hold the ace at both ends (positions 1 and 14); `lay_off` may bring it there.
- `capped` is never taken back: a later deal of the same game still shows it.
- The move that ends a deal writes the scores; in the new deal `dealer` is one to the left, `turns`
  is 1, `buys_left` is full again, `known`, `down`, `melds` and `taken` are empty.
- A finished table keeps `contract`, `known`, `down`, `melds` and `buys_left` as the last move left
  them; `building` is null and `asked` empty.
- The viewer's own hand is a plain list in its view, also when it is empty.
- `version` is returned as it was given.
"""

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

Card = str
Table = dict[str, Any]
Move = dict[str, Any]
Hand = tuple[Card, ...]

RANKS = "A23456789TJQK"
SUITS = "SHDC"
JOKER = "JK"
PACK = [rank + suit for suit in SUITS for rank in RANKS] + [JOKER, JOKER]
CARD_ORDER = {card: number for number, card in enumerate(PACK)}
RANK_AT = dict(enumerate(RANKS + "A", start=1))
"""G-4: the rank at each position 1 (ace low) … 14 (ace high) of a run."""

HAND_SIZE = 11
SET_SIZE = 3
RUN_SIZE = 4
HIGHEST_LOW = 14 - RUN_SIZE + 1
SCALE = 100
CONTRACTS = [
    {"sets": 2, "runs": 0},
    {"sets": 1, "runs": 1},
    {"sets": 0, "runs": 2},
    {"sets": 3, "runs": 0},
    {"sets": 2, "runs": 1},
    {"sets": 1, "runs": 2},
    {"sets": 0, "runs": 3},
]
LAST_CONTRACT = CONTRACTS[6]
KEYS = {
    *("game", "version", "options", "deal", "dealer", "turn", "to_act", "phase", "turns"),
    *("scores", "finished", "winners", "capped", "contract", "stock", "discard", "hands"),
    *("known", "taken", "down", "buys_left", "melds", "building", "asked"),
}
"""What a table holds; `rng` may be there besides."""


def sort_cards(cards: list[Card] | Hand) -> list[Card]:
    """The cards in the order of a hand: suits S H D C, ranks A … K, jokers last."""
    return sorted(cards, key=lambda card: CARD_ORDER[card])


def card_value(card: Card) -> int:
    """What a card left in hand costs."""
    if card == JOKER:
        return 50
    if card[0] == "A":
        return 15
    return 10 if card[0] in "TJQK" else 5


def natural_card(suit: str, position: int) -> Card:
    """G-4: the card that belongs at this position of a run."""
    return RANK_AT[position] + suit


def keeps_ratio(naturals: int, jokers: int, joker_ratio: bool) -> bool:
    """NR-6: jokers at most as many as natural cards; without the option one natural card."""
    return jokers <= naturals if joker_ratio else naturals >= 1


@dataclass(frozen=True)
class Options:
    """The options of a table, resolved."""

    num_players: int
    decks: int
    max_buys: int
    joker_ratio: bool
    turn_cap: int
    return_discard: bool
    deal: int | None
    episode: str

    def __post_init__(self) -> None:
        assert 2 <= self.num_players <= 6, f"num_players is {self.num_players}"
        assert 1 <= self.decks <= 3, f"decks is {self.decks}"
        cards_needed = HAND_SIZE * self.num_players + 1
        assert len(PACK) * self.decks >= cards_needed, f"decks is {self.decks}: too few cards"
        assert 0 <= self.max_buys <= 3, f"max_buys is {self.max_buys}"
        assert self.turn_cap >= 1, f"turn_cap is {self.turn_cap}"
        assert self.episode in ("game", "deal"), f"episode is {self.episode}"
        assert self.deal is None or self.episode == "deal", "deal is given for a whole game"
        assert self.deal is None or 1 <= self.deal <= 7, f"deal is {self.deal}"


@dataclass
class Meld:
    """A set or a run on the table; `owner` is the seat that laid it (NR-10)."""

    owner: int
    kind: str
    cards: list[Card]
    rank: str = ""
    suit: str = ""
    low: int = 0

    @classmethod
    def from_table(cls, entry: Table) -> "Meld":
        """The meld of a table's entry."""
        return cls(**entry)

    def table(self) -> Table:
        """The meld as the table writes it."""
        entry: Table = {"owner": self.owner, "kind": self.kind, "cards": list(self.cards)}
        if self.kind == "set":
            return entry | {"rank": self.rank}
        return entry | {"suit": self.suit, "low": self.low}

    @property
    def high(self) -> int:
        """The position of a run's highest card."""
        return self.low + len(self.cards) - 1

    def takes_joker(self, joker_ratio: bool) -> bool:
        """NR-6: whether one more joker keeps the ratio."""
        jokers = self.cards.count(JOKER)
        return keeps_ratio(len(self.cards) - jokers, jokers + 1, joker_ratio)

    def free_ends(self) -> list[str]:
        """G-4: the ends of a run where a card still fits inside positions 1 … 14."""
        ends = ["low"] if self.low > 1 else []
        return [*ends, "high"] if self.high < 14 else ends

    def extend(self, card: Card, end: str | None) -> None:
        """Adds a card to a set (`end` is None) or at an end of a run."""
        if end == "low":
            self.cards.insert(0, card)
            self.low -= 1
        else:
            self.cards.append(card)


class Group(NamedTuple):
    """A group of the contract being laid, as far as its completion depends on it."""

    kind: str
    rank: str
    suit: str
    low: int
    naturals: int
    jokers: int

    @property
    def size(self) -> int:
        """Cards placed so far."""
        return self.naturals + self.jokers

    def with_card(self, card: Card) -> "Group":
        """The group with one more card."""
        if card == JOKER:
            return self._replace(jokers=self.jokers + 1)
        return self._replace(naturals=self.naturals + 1)


class Laying(NamedTuple):
    """How a contract is laid: contract 7 takes up all cards; NR-6 is an option."""

    all_cards: bool
    joker_ratio: bool


def open_set(rank: str) -> Group:
    """A set without a card yet."""
    return Group("set", rank, "", 0, 0, 0)


def open_run(suit: str, low: int) -> Group:
    """A run without a card yet."""
    return Group("run", "", suit, low, 0, 0)


def without(hand: Hand, card: Card) -> Hand:
    """The hand with one copy of a card fewer."""
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


def group_is_full(group: Group, laying: Laying) -> bool:
    """Whether no card may be placed any more: three, four, or (contract 7) at position 14."""
    if group.kind == "set":
        return group.size == SET_SIZE
    if laying.all_cards:
        return group.low + group.size > 14
    return group.size == RUN_SIZE


def group_may_end(group: Group, laying: Laying) -> bool:
    """Whether the group is complete, or (contract 7) may be closed; NR-6 is asked here."""
    enough = group.size >= (SET_SIZE if group.kind == "set" else RUN_SIZE)
    return enough and keeps_ratio(group.naturals, group.jokers, laying.joker_ratio)


def fitting_cards(hand: Hand, group: Group, laying: Laying) -> list[Card]:
    """The names in hand that fit as the group's next card, whatever becomes of the contract."""
    if group_is_full(group, laying):
        return []
    names = list(dict.fromkeys(hand))
    if group.kind == "set":
        return [card for card in names if card == JOKER or card[0] == group.rank]
    wanted = natural_card(group.suit, group.low + group.size)
    return [card for card in names if card in (wanted, JOKER)]


@lru_cache(maxsize=1 << 16)
def can_finish(hand: Hand, group: Group | None, sets: int, runs: int, laying: Laying) -> bool:
    """Whether the rest of the contract can be laid from a sorted hand.

    `group` is the open group, `sets` and `runs` are to be laid besides it. It tries out every way
    to lay on, leaving out only orders that make no difference and what counting rules out.
    """
    if is_hopeless(hand, group, sets, runs, laying):
        return False
    if group is None:
        if sets == 0 and runs == 0:
            return not (laying.all_cards and hand)
        return any(
            can_finish(hand, opened, sets, runs - 1, laying)
            if opened.kind == "run"
            else can_finish(hand, opened, sets - 1, runs, laying)
            for opened in openings_to_try(hand, runs, laying)
        )
    if group_may_end(group, laying) and can_finish(hand, None, sets, runs, laying):
        return True
    return any(
        can_finish(without(hand, card), group.with_card(card), sets, runs, laying)
        for card in fitting_cards(hand, group, laying)
    )


def openings_to_try(hand: Hand, runs: int, laying: Laying) -> Iterator[Group]:
    """Groups to open next when any order of the groups will do: runs first, then sets.

    In contract 7 the first natural card must be in some run, and that run may as well be next.
    """
    held = Counter(hand)
    if runs == 0:
        yield from (open_set(rank) for rank in RANKS)
        return
    suits = SUITS
    if laying.all_cards:
        suits = hand[0][1] if hand and hand[0] != JOKER else ""
    for suit in suits:
        for low in range(1, HIGHEST_LOW + 1):
            first_four = [natural_card(suit, low + step) for step in range(RUN_SIZE)]
            if sum(card not in held for card in first_four) <= held[JOKER]:
                yield open_run(suit, low)


def is_hopeless(hand: Hand, group: Group | None, sets: int, runs: int, laying: Laying) -> bool:
    """Whether counting alone shows that the contract cannot be completed."""
    if len(hand) < SET_SIZE * sets + RUN_SIZE * runs:
        return True
    if laying.all_cards:
        return runs_needed(hand, group) > runs
    # Whoever can lay some sets and some runs can lay the sets alone.
    return group is None and sets > 0 < runs and not can_finish(hand, None, sets, 0, laying)


def runs_needed(hand: Hand, group: Group | None) -> int:
    """Runs that must still be opened, at least, to use up the natural cards of the hand.

    A run is of one suit and takes a card other than an ace once only; the open run takes only what
    lies at its next position or above. Aces, which a run may take twice, are not counted here
    except that they need some run of their suit.
    """
    needed = dict.fromkeys(SUITS, 0)
    for card, copies in Counter(hand).items():
        if card == JOKER:
            continue
        rank, suit = card[0], card[1]
        is_open = group is not None and group.suit == suit
        if rank == "A":
            runs_of_card = 0 if is_open else 1
        else:
            reachable = (
                group is not None
                and group.suit == suit
                and RANKS.index(rank) + 1 >= group.low + group.size
            )
            runs_of_card = copies - 1 if reachable else copies
        needed[suit] = max(needed[suit], runs_of_card)
    return sum(needed.values())


class Oracle:
    """A game of Norwegian Rummy, seen with all cards open.

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
    contract: dict[str, int]
    stock: list[Card]
    discard: list[Card]
    hands: list[list[Card]]
    known: list[list[Card]]
    taken: Card | None
    down: list[bool]
    buys_left: list[int]
    melds: list[Meld]
    building: Table | None
    asked: list[int]
    rewards: list[float]
    win_rewards: list[float]

    @classmethod
    def from_table(cls, table: Table) -> "Oracle":
        """The game at a table; the key `rng` may be there and is not used.

        Raises:
            AssertionError: a key is missing or strange, or the cards are not those of the packs.
        """
        difference = (set(table) - {"rng"}) ^ KEYS
        assert not difference, f"missing or unknown keys: {sorted(difference)}"
        assert table["game"] == "norwegian_rummy", f"game is {table['game']}"
        copied = deepcopy(table)
        oracle = cls()
        for key in KEYS - {"game", "options", "melds"}:
            setattr(oracle, key, copied[key])
        oracle.options = Options(**copied["options"])
        oracle.melds = [Meld.from_table(entry) for entry in copied["melds"]]
        oracle.rewards = [0.0] * oracle.options.num_players
        oracle.win_rewards = [0.0] * oracle.options.num_players
        for seat, hand in enumerate(oracle.hands):
            assert hand == sort_cards(hand), f"hands: that of seat {seat} is not sorted"
        assert_pack(table)
        return oracle

    def table(self) -> Table:
        """The whole table, without `rng`."""
        table: Table = {key: getattr(self, key) for key in KEYS - {"game", "options", "melds"}}
        table["game"] = "norwegian_rummy"
        table["options"] = asdict(self.options)
        table["melds"] = [meld.table() for meld in self.melds]
        return deepcopy(table)

    # Legal moves, phase by phase

    def legal_moves(self) -> list[Move]:
        """Every legal move, each once; none when the game is over."""
        match self.phase:
            case "draw":
                return self._legal_draw()
            case "buy":
                return [{"move": "buy"}, {"move": "pass"}]
            case "play":
                return self._legal_play()
            case "meld":
                return self._legal_meld()
        return []

    def _legal_draw(self) -> list[Move]:
        """NR-20: the stock counts with what a reshuffle would give."""
        moves: list[Move] = []
        if self.stock or len(self.discard) > 1:
            moves.append({"move": "draw_stock"})
        if self.discard:
            moves.append({"move": "take_discard"})
        return moves

    def _legal_play(self) -> list[Move]:
        """NR-5, NR-9: lay the contract, or when down lay off and move jokers; or discard."""
        if self.down[self.turn]:
            moves = self._legal_lay_offs() + self._legal_joker_moves()
        else:
            moves = self._legal_openings()
        return moves + self._legal_discards()

    def _legal_meld(self) -> list[Move]:
        """Steps after which the whole contract can still be completed."""
        group = self._open_group()
        if group is None:
            return self._legal_openings()
        hand = tuple(self.hands[self.turn])
        sets, runs = self._groups_left()
        laying = self._laying()
        moves: list[Move] = [
            {"move": "place", "card": card}
            for card in fitting_cards(hand, group, laying)
            if can_finish(without(hand, card), group.with_card(card), sets, runs, laying)
        ]
        may_close = laying.all_cards and group_may_end(group, laying)
        if may_close and can_finish(hand, None, sets, runs, laying):
            moves.append({"move": "close"})
        return moves

    def _legal_openings(self) -> list[Move]:
        """NR-4, NR-22: groups that the contract still needs and with which it can be completed."""
        hand = tuple(self.hands[self.turn])
        sets, runs = self._groups_left()
        laying = self._laying()
        moves: list[Move] = []
        if not can_finish(hand, None, sets, runs, laying):
            return moves
        if sets:
            for rank in RANKS:
                if can_finish(hand, open_set(rank), sets - 1, runs, laying):
                    moves.append({"move": "open_set", "rank": rank})
        if runs:
            for suit in SUITS:
                for low in range(1, HIGHEST_LOW + 1):
                    if can_finish(hand, open_run(suit, low), sets, runs - 1, laying):
                        moves.append({"move": "open_run", "suit": suit, "low": low})
        return moves

    def _legal_lay_offs(self) -> list[Move]:
        """NR-5, NR-6: cards that extend a meld, whoever's."""
        return [
            {"move": "lay_off", "card": card, "meld": number, "end": end}
            for number, meld in enumerate(self.melds)
            for card in dict.fromkeys(self.hands[self.turn])
            for end in self._ends_for(meld, card)
        ]

    def _ends_for(self, meld: Meld, card: Card) -> list[str | None]:
        """The ends where this card may be laid off; `[None]` for a set that takes it."""
        if card == JOKER and not meld.takes_joker(self.options.joker_ratio):
            return []
        if meld.kind == "set":
            return [None] if card == JOKER or card[0] == meld.rank else []
        position = {"low": meld.low - 1, "high": meld.high + 1}
        return [
            end
            for end in meld.free_ends()
            if card in (JOKER, natural_card(meld.suit, position[end]))
        ]

    def _legal_joker_moves(self) -> list[Move]:
        """NR-9: own runs only, the natural card for the place of a joker, an end that is free."""
        hand = self.hands[self.turn]
        return [
            {"move": "move_joker", "meld": number, "card": card, "end": end}
            for number, meld in enumerate(self.melds)
            if meld.kind == "run" and meld.owner == self.turn
            for card in joker_places(meld)
            if card in hand
            for end in meld.free_ends()
        ]

    def _legal_discards(self) -> list[Move]:
        """G-3: any card; without `return_discard` not the name in `taken` if there is another."""
        names = list(dict.fromkeys(self.hands[self.turn]))
        if not self.options.return_discard and len(names) > 1:
            names = [card for card in names if card != self.taken]
        return [{"move": "discard", "card": card} for card in names]

    def _laying(self) -> Laying:
        """How the contract of this deal is laid."""
        return Laying(self.contract == LAST_CONTRACT, self.options.joker_ratio)

    def _groups_left(self) -> tuple[int, int]:
        """Sets and runs still to be laid, an open group not counted."""
        if self.building is None:
            return self.contract["sets"], self.contract["runs"]
        return self.building["sets_left"], self.building["runs_left"]

    def _open_group(self) -> Group | None:
        """The group that is open, if one is."""
        if self.building is None or self.building["kind"] is None:
            return None
        if self.building["kind"] == "set":
            group = open_set(self.building["rank"])
        else:
            group = open_run(self.building["suit"], self.building["low"])
        for card in self.building["cards"]:
            group = group.with_card(card)
        return group

    # Playing a move

    def play(self, move: Move, after: Table) -> list[float]:
        """Plays a move and returns its "points" rewards by seat.

        `after` is the table the other implementation reached by the same move; only the outcome of
        a shuffle is read from it. A move without a shuffle does with an empty one.

        Raises:
            AssertionError: the move is not legal, or the shuffle in `after` is impossible.
        """
        assert move in self.legal_moves(), f"{move} is not legal"
        self.rewards = [0.0] * self.options.num_players
        self.win_rewards = [0.0] * self.options.num_players
        match move["move"]:
            case "draw_stock":
                self._play_draw_stock(after)
            case "take_discard":
                self._play_take_discard()
            case "buy":
                self._play_buy(after)
            case "pass":
                self._ask(self.asked[1:])
            case "open_set":
                self._open({"kind": "set", "rank": move["rank"]})
            case "open_run":
                self._open({"kind": "run", "suit": move["suit"], "low": move["low"]})
            case "place":
                self._play_place(move["card"], after)
            case "close":
                self._end_group(after)
            case "lay_off":
                self._lose(move["card"])
                self.melds[move["meld"]].extend(move["card"], move["end"])
                self._end_deal_if_out(after)
            case "move_joker":
                self._play_move_joker(move, after)
            case "discard":
                self._play_discard(move["card"], after)
        return self.rewards

    def _play_draw_stock(self, after: Table) -> None:
        """NR-12, NR-14: then the seats not down with buys left are asked, from the mover's left."""
        self._draw(self.turn, after)
        seats = [(self.turn + step) % self.options.num_players for step in self._steps_round()]
        asked = [seat for seat in seats if not self.down[seat] and self.buys_left[seat] > 0]
        self._ask(asked if self.discard else [])

    def _play_take_discard(self) -> None:
        """The mover takes the top discard, which all have seen; nobody is asked."""
        self.taken = self.discard.pop()
        self._gain_openly(self.turn, self.taken)
        self.phase = "play"

    def _play_buy(self, after: Table) -> None:
        """NR-13: the buyer gets the discard, then the next card of the stock."""
        buyer = self.asked[0]
        self.buys_left[buyer] -= 1
        self._gain_openly(buyer, self.discard.pop())
        self._draw(buyer, after)
        self._ask([])

    def _play_place(self, card: Card, after: Table) -> None:
        """The card goes to the open group, which may be complete with it (not in contract 7)."""
        assert self.building is not None
        self._lose(card)
        self.building["cards"].append(card)
        group = self._open_group()
        assert group is not None
        if not self._laying().all_cards and group_is_full(group, self._laying()):
            self._end_group(after)

    def _play_move_joker(self, move: Move, after: Table) -> None:
        """NR-9: the natural card takes the joker's place, the joker goes to the end named."""
        meld = self.melds[move["meld"]]
        self._lose(move["card"])
        meld.cards[joker_places(meld)[move["card"]]] = move["card"]
        meld.extend(JOKER, move["end"])
        self._end_deal_if_out(after)

    def _play_discard(self, card: Card, after: Table) -> None:
        """NR-16, NR-23: going out comes before the cap; else the turn passes to the left."""
        self._lose(card)
        self.discard.append(card)
        self.taken = None
        if not self.hands[self.turn]:
            self._end_deal(after)
        elif self.turns == self.options.turn_cap * self.options.num_players:
            self.capped = True
            self._end_deal(after)
        else:
            self.turns += 1
            self.turn = self._left_of(self.turn)
            self.to_act = self.turn
            self.phase = "draw"

    def _open(self, opened: Table) -> None:
        """A group is opened, without a card yet."""
        sets, runs = self._groups_left()
        if opened["kind"] == "set":
            sets -= 1
        else:
            runs -= 1
        self.building = opened | {"cards": [], "sets_left": sets, "runs_left": runs}
        self.phase = "meld"

    def _end_group(self, after: Table) -> None:
        """The open group is complete; with the last one the seat is down."""
        assert self.building is not None
        building = self.building
        laid = {key: value for key, value in building.items() if not key.endswith("_left")}
        self.melds.append(Meld(owner=self.turn, **laid))
        sets, runs = self._groups_left()
        if sets or runs:
            self.building = {"kind": None, "cards": [], "sets_left": sets, "runs_left": runs}
            return
        self.building = None
        self.down[self.turn] = True
        self.phase = "play"
        self._end_deal_if_out(after)

    def _ask(self, seats: list[int]) -> None:
        """NR-12: the first of these seats is asked; with nobody to ask the mover goes on."""
        self.asked = seats
        self.phase = "buy" if seats else "play"
        self.to_act = seats[0] if seats else self.turn

    def _draw(self, seat: int, after: Table) -> None:
        """The top of the stock goes to a hand, after a reshuffle if need be (NR-20), if any."""
        if not self.stock:
            self._reshuffle(seat, after)
        if self.stock:
            self._gain(seat, self.stock.pop())

    def _reshuffle(self, seat: int, after: Table) -> None:
        """NR-20: all discards but the top one become the stock; `seat` then draws its top card.

        The order is taken from `after`, where the top card is already in that seat's hand.
        """
        shuffled, self.discard = self.discard[:-1], self.discard[-1:]
        if not shuffled:
            return
        gained = Counter(after["hands"][seat])
        gained.subtract(self.hands[seat])
        drawn = [card for card, copies in gained.items() if copies]
        one_gained = len(drawn) == 1 and gained[drawn[0]] == 1
        assert one_gained, f"seat {seat} did not gain exactly one card by drawing: {dict(gained)}"
        stock = [*after["stock"], *drawn]
        same = Counter(stock) == Counter(shuffled)
        assert same, f"the reshuffled stock {stock} is not made of the discards {shuffled}"
        self.stock = stock

    def _gain(self, seat: int, card: Card) -> None:
        self.hands[seat] = sort_cards([*self.hands[seat], card])

    def _gain_openly(self, seat: int, card: Card) -> None:
        """G-7: all have seen this card go to the hand."""
        self._gain(seat, card)
        self.known[seat] = sort_cards([*self.known[seat], card])

    def _lose(self, card: Card) -> None:
        """A card leaves the mover's hand; an equal one leaves `known` and `taken`."""
        self.hands[self.turn].remove(card)
        if card in self.known[self.turn]:
            self.known[self.turn].remove(card)
        if self.taken == card:
            self.taken = None

    def _left_of(self, seat: int) -> int:
        return (seat + 1) % self.options.num_players

    def _steps_round(self) -> range:
        """How far to the left the other seats sit, nearest first."""
        return range(1, self.options.num_players)

    # The end of a deal

    def _end_deal_if_out(self, after: Table) -> None:
        """NR-16: the deal ends as soon as the mover has no card left."""
        if not self.hands[self.turn]:
            self._end_deal(after)

    def _end_deal(self, after: Table) -> None:
        """Scores the deal (whoever went out holds nothing), then the next deal or the end."""
        self.taken = None
        costs = [sum(map(card_value, hand)) for hand in self.hands]
        self.scores = [score + cost for score, cost in zip(self.scores, costs, strict=True)]
        self.rewards = points_rewards([-cost for cost in costs])
        if self.options.episode == "deal" or self.deal == len(CONTRACTS):
            self._end_game()
        else:
            self._next_deal(after)

    def _end_game(self) -> None:
        """The lowest total wins; equal lowest totals share the win."""
        self.finished = True
        self.phase = "over"
        self.to_act = None
        self.winners = [seat for seat, score in enumerate(self.scores) if score == min(self.scores)]
        self.win_rewards = winners_rewards(self.winners, self.options.num_players)

    def _next_deal(self, after: Table) -> None:
        """G-1: the deal passes to the left; which cards lie where is taken from `after`."""
        num_players = self.options.num_players
        self.deal += 1
        self.contract = dict(CONTRACTS[self.deal - 1])
        self.dealer = self._left_of(self.dealer)
        self.turn = self._left_of(self.dealer)
        self.to_act = self.turn
        self.phase = "draw"
        self.turns = 1
        self.known = [[] for _ in range(num_players)]
        self.down = [False] * num_players
        self.buys_left = [self.options.max_buys] * num_players
        self.melds = []
        self.building = None
        self.asked = []
        assert_dealt(after | {"options": asdict(self.options), "melds": [], "building": None})
        self.hands = deepcopy(after["hands"])
        self.discard = list(after["discard"])
        self.stock = list(after["stock"])


def joker_places(meld: Meld) -> dict[Card, int]:
    """The natural cards in whose places jokers stand in a run, with the index of the place.

    One ace could stand for two places only in a run of fourteen, where no end is free anyway.
    """
    return {
        natural_card(meld.suit, meld.low + place): place
        for place, card in enumerate(meld.cards)
        if card == JOKER
    }


def points_rewards(points: list[int]) -> list[float]:
    """Each seat's points less the mean of the others', by the scale."""
    others = len(points) - 1
    return [float((own - Fraction(sum(points) - own, others)) / SCALE) for own in points]


def winners_rewards(winners: list[int], num_players: int) -> list[float]:
    """1 to a single winner, shared by several; the losers pay evenly."""
    stretch = Fraction(num_players, num_players - 1)
    shares = [
        Fraction(1, len(winners)) if seat in winners else Fraction(0) for seat in range(num_players)
    ]
    return [float((share - Fraction(1, num_players)) * stretch) for share in shares]


def assert_pack(table: Table) -> None:
    """Every card of the packs lies somewhere, as often as the packs have it."""
    cards = Counter(table["stock"] + table["discard"])
    for hand in table["hands"]:
        cards.update(hand)
    for meld in table["melds"]:
        cards.update(meld["cards"])
    if table["building"] is not None:
        cards.update(table["building"]["cards"])
    packs = Counter(PACK * table["options"]["decks"])
    missing, strange = packs - cards, cards - packs
    assert not missing and not strange, f"cards missing: {missing}, too many: {strange}"


def assert_dealt(table: Table) -> None:
    """Eleven cards each, one card turned up, the rest is the stock."""
    num_players = table["options"]["num_players"]
    sizes = [len(hand) for hand in table["hands"]]
    assert sizes == [HAND_SIZE] * num_players, f"hands: {sizes} cards are dealt"
    for seat, hand in enumerate(table["hands"]):
        assert hand == sort_cards(hand), f"hands: that of seat {seat} is not sorted"
    assert len(table["discard"]) == 1, f"discard: {len(table['discard'])} cards are turned up"
    assert_pack(table)


def new_deal_is_valid(table: Table) -> None:
    """Asserts that a table is one where a deal has just been dealt, in all respects.

    Raises:
        AssertionError: names the key that is wrong.
    """
    difference = (set(table) - {"rng"}) ^ KEYS
    assert not difference, f"missing or unknown keys: {sorted(difference)}"
    options = Options(**table["options"])
    num_players = options.num_players
    assert 0 <= table["dealer"] < num_players, f"dealer is {table['dealer']}"
    first = (table["dealer"] + 1) % num_players
    expected = {
        "game": "norwegian_rummy",
        "turn": first,
        "to_act": first,
        "phase": "draw",
        "turns": 1,
        "finished": False,
        "winners": None,
        "known": [[]] * num_players,
        "taken": None,
        "down": [False] * num_players,
        "buys_left": [options.max_buys] * num_players,
        "melds": [],
        "building": None,
        "asked": [],
    }
    for key, value in expected.items():
        assert same_json(table[key], value), f"{key} is {table[key]}, not {value}"
    assert type(table["version"]) is int and table["version"] >= 0, "version is no whole number"
    assert_deal_and_contract(table, options)
    assert_scores_so_far(table)
    assert_dealt(table)


def same_json(one: object, other: object) -> bool:
    """Equality that tells true from 1 and false from 0, in lists too."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    return type(one) is type(other) and one == other


def assert_deal_and_contract(table: Table, options: Options) -> None:
    """The contract is the deal's; with `episode="deal"` the option's, or any if that is null."""
    if options.episode == "deal":
        assert table["deal"] == 1, f"deal is {table['deal']}"
        possible = CONTRACTS if options.deal is None else [CONTRACTS[options.deal - 1]]
    else:
        assert table["deal"] in range(1, 8), f"deal is {table['deal']}"
        possible = [CONTRACTS[table["deal"] - 1]]
    assert table["contract"] in possible, f"contract is {table['contract']}"


def assert_scores_so_far(table: Table) -> None:
    """No score and no cap before the first deal has ended; every card costs a multiple of five."""
    scores = table["scores"]
    assert len(scores) == table["options"]["num_players"], f"scores are {scores}"
    assert all(type(score) is int for score in scores), f"scores are {scores}"
    assert all(score >= 0 and score % 5 == 0 for score in scores), f"scores are {scores}"
    assert isinstance(table["capped"], bool), f"capped is {table['capped']}"
    if table["deal"] == 1:
        assert not any(scores), f"scores are {scores} in the first deal"
        assert not table["capped"], "capped in the first deal"


def view(table: Table, seat: int) -> Table:
    """G-7: a table as one seat sees it.

    Hidden are the stock (count only) and the other hands (count and known cards), also when the
    game is over.
    """
    seen = deepcopy({key: value for key, value in table.items() if key != "rng"})
    seen["stock"] = {"count": len(table["stock"]), "known": []}
    for other, hand in enumerate(table["hands"]):
        if other != seat:
            seen["hands"][other] = {"count": len(hand), "known": list(table["known"][other])}
    return seen
