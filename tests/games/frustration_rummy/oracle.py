"""An oracle for Frustration Rummy: the rules once more, slow and obvious, to test others against.

The rule ids (FR-…, G-…) are those of the rules text. The oracle has no chance of its own: of what
the other implementation did it believes only the order of a shuffle and a new deal, after checking
that they are possible. Everything else it works out for itself.

Readings, where the text is open:

- Between two groups of the contract (phase `meld`) only `open_…` is legal.
- The ratio may be broken while a group is open; it is asked with the group's last card.
- `building` of an extra meld has `sets_left` and `runs_left` 0; nothing else but `down` tells it
  from the last group of a contract.
- A seat that goes down stays in its turn and may lay off, lay extra melds and go out at once.
- A seat with its last cards all equal to `taken` may discard one of them (G-3).
- A run may hold the ace at both ends (positions 1 and 14); `lay_off` may bring it there.
- A two at position 2 of a run of its own suit counts as wild in the ratio, as everywhere.
- "Not capped" of a seat that wins on the last contract means that this end sets nothing: a `capped`
  that an earlier deal has set stays true.
- At `deal_cap` the seats that are down move on first, and the finished table shows the contracts
  after it. After a win on the last contract, and with `episode="deal"`, it shows those of the deal.
- A game that is won in the last deal of `deal_cap` is won by that seat alone.
- A deal that ends at the turn cap pays for being down, and nothing for being out; `scores` sums
  these points in whole games, too.
- With `episode="deal"` the key `deal` is 1, and the option `deal` stays null when it was drawn;
  `contracts` tells. The option `deal_cap` is resolved there, too, and plays no part.
- The seats of an `episode="deal"` that have most points win: who went out, or else all who are
  down, or else all seats.
- In a new deal `dealer` is one to the left, `turns` is 1, `known`, `down`, `melds` are empty.
- A finished table keeps `down`, `known`, `melds` and the cards as the last move left them.
- The viewer's own hand is a plain list in its view, also when it is empty.
- `version` is returned as it was given.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

Card = str
Table = dict[str, Any]
Move = dict[str, Any]
Hand = tuple[Card, ...]

RANKS = "A23456789TJQK"
SUITS = "SHDC"
JOKER = "JK"
PACK = [rank + suit for suit in SUITS for rank in RANKS] + [JOKER, JOKER]
CARDS = PACK * 2
"""FR-1: two packs with two jokers each."""
CARD_ORDER = {card: number for number, card in enumerate(PACK)}
SET_RANKS = RANKS.replace("2", "")
"""FR-2: the ranks of which there are sets; a two is never natural."""
RANK_AT = dict(enumerate(RANKS + "A", start=1))
"""G-4: the rank at each position 1 (ace low) … 14 (ace high) of a run."""

HAND_SIZE = 13
EXTRA_SET_SIZE = 3
EXTRA_RUN_SIZE = 4
SCALE = 2
KEYS = {
    *("game", "version", "options", "deal", "dealer", "turn", "to_act", "phase", "turns"),
    *("scores", "finished", "winners", "capped", "contracts", "down", "stock", "discard"),
    *("hands", "known", "taken", "melds", "building"),
}
"""What a table holds; `rng` may be there besides."""


class Groups(NamedTuple):
    """So many sets and so many runs, each of exactly this size."""

    sets: int
    set_size: int
    runs: int
    run_size: int

    @property
    def cards(self) -> int:
        """The cards in all of them."""
        return self.sets * self.set_size + self.runs * self.run_size


CONTRACTS = {
    1: Groups(3, 3, 0, 0),
    2: Groups(1, 3, 1, 4),
    3: Groups(2, 3, 1, 4),
    4: Groups(2, 4, 0, 0),
    5: Groups(0, 0, 2, 4),
    6: Groups(4, 3, 0, 0),
    7: Groups(1, 3, 1, 7),
    8: Groups(3, 4, 0, 0),
    9: Groups(0, 0, 3, 4),
    10: Groups(2, 5, 0, 0),
    11: Groups(0, 0, 2, 5),
    12: Groups(2, 4, 1, 4),
    13: Groups(1, 4, 2, 4),
    14: Groups(1, 3, 1, 9),
}
NOTHING_LEFT = Groups(0, 0, 0, 0)


def sort_cards(cards: list[Card] | Hand) -> list[Card]:
    """The cards in the order of a hand: suits S H D C, ranks A … K, jokers last."""
    return sorted(cards, key=lambda card: CARD_ORDER[card])


def is_wild(card: Card) -> bool:
    """FR-2: jokers and all twos, wherever they stand."""
    return card == JOKER or card[0] == "2"


def natural_card(suit: str, position: int) -> Card:
    """G-4: the card that belongs at this position of a run (a two there is wild all the same)."""
    return RANK_AT[position] + suit


def keeps_ratio(naturals: int, wilds: int) -> bool:
    """FR-3: wild cards at most as many as natural ones."""
    return wilds <= naturals


def count_wilds(cards: list[Card] | Hand) -> int:
    """How many of these cards are wild."""
    return sum(map(is_wild, cards))


@dataclass(frozen=True)
class Options:
    """The options of a table, resolved."""

    num_players: int
    start_contract: int
    last_contract: int
    turn_cap: int
    deal_cap: int
    return_discard: bool
    deal: int | None
    episode: str

    def __post_init__(self) -> None:
        assert 2 <= self.num_players <= 5, f"num_players is {self.num_players}"
        assert 1 <= self.start_contract <= 14, f"start_contract is {self.start_contract}"
        in_range = self.start_contract <= self.last_contract <= 14
        assert in_range, f"last_contract is {self.last_contract}"
        assert self.turn_cap >= 1, f"turn_cap is {self.turn_cap}"
        assert self.deal_cap >= 1, f"deal_cap is {self.deal_cap}"
        assert self.episode in ("game", "deal"), f"episode is {self.episode}"
        assert self.deal is None or self.episode == "deal", "deal is given for a whole game"
        assert self.deal is None or 1 <= self.deal <= 14, f"deal is {self.deal}"


def default_deal_cap(num_players: int, start_contract: int, last_contract: int) -> int:
    """FR-16: the deals of one game when the option is not given."""
    return (last_contract - start_contract + 1) * num_players + 10


@dataclass
class Meld:
    """A set or a run on the table; `owner` is the seat that laid it."""

    owner: int
    kind: str
    cards: list[Card]
    rank: str = ""
    suit: str = ""
    low: int = 0

    def table(self) -> Table:
        """The meld as the table writes it."""
        entry: Table = {"owner": self.owner, "kind": self.kind, "cards": list(self.cards)}
        if self.kind == "set":
            return entry | {"rank": self.rank}
        return entry | {"suit": self.suit, "low": self.low}

    def keeps_ratio_with(self, card: Card) -> bool:
        """FR-3: whether the ratio holds with one more card."""
        wilds = count_wilds([*self.cards, card])
        return keeps_ratio(len(self.cards) + 1 - wilds, wilds)

    def ends_for(self, card: Card) -> list[str | None]:
        """FR-17: the ends where this card may be laid off; `[None]` for a set that takes it."""
        if not self.keeps_ratio_with(card):
            return []
        if self.kind == "set":
            return [None] if is_wild(card) or card[0] == self.rank else []
        next_position = {"low": self.low - 1, "high": self.low + len(self.cards)}
        return [
            end
            for end, position in next_position.items()
            if 1 <= position <= 14
            if is_wild(card) or card == natural_card(self.suit, position)
        ]

    def extend(self, card: Card, end: str | None) -> None:
        """Adds a card to a set (`end` is None) or at an end of a run."""
        if end == "low":
            self.cards.insert(0, card)
            self.low -= 1
        else:
            self.cards.append(card)


class Group(NamedTuple):
    """The group being laid, as far as its completion depends on it."""

    kind: str
    rank: str
    suit: str
    low: int
    size: int
    naturals: int
    wilds: int

    @property
    def placed(self) -> int:
        """Cards placed so far."""
        return self.naturals + self.wilds

    def with_card(self, card: Card) -> "Group":
        """The group with one more card."""
        if is_wild(card):
            return self._replace(wilds=self.wilds + 1)
        return self._replace(naturals=self.naturals + 1)

    def takes(self, card: Card) -> bool:
        """Whether the card fits as the next one, whatever becomes of the contract."""
        if is_wild(card):
            return True
        if self.kind == "set":
            return card[0] == self.rank
        return card == natural_card(self.suit, self.low + self.placed)


def new_set(rank: str, size: int) -> Group:
    """A set without a card yet."""
    return Group("set", rank, "", 0, size, 0, 0)


def new_run(suit: str, low: int, size: int) -> Group:
    """A run without a card yet."""
    return Group("run", "", suit, low, size, 0, 0)


@lru_cache
def all_new_runs(size: int) -> tuple[Group, ...]:
    """Every run that fits into positions 1 … 14, without a card yet."""
    return tuple(new_run(suit, low, size) for suit in SUITS for low in range(1, 14 - size + 2))


@lru_cache
def all_new_sets(size: int) -> tuple[Group, ...]:
    """A set of every rank that has sets, without a card yet."""
    return tuple(new_set(rank, size) for rank in SET_RANKS)


def without(hand: Hand, cards: Hand) -> Hand:
    """The hand with one copy of each of these cards fewer."""
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)


def is_completable(hand: Hand, group: Group | None, left: Groups) -> bool:
    """Whether the open group and those left can all be filled from a sorted hand.

    For this the wild cards are all alike, so only their number counts.
    """
    naturals = tuple(card for card in hand if not is_wild(card))
    return can_fill(naturals, len(hand) - len(naturals), group, left)


@lru_cache(maxsize=1 << 17)
def can_fill(naturals: Hand, wilds: int, group: Group | None, left: Groups) -> bool:
    """Whether all groups can be filled: every way to fill the runs, then the sets.

    The order in which groups are filled makes no difference to whether there is a way.
    """
    missing = 0 if group is None else group.size - group.placed
    if len(naturals) + wilds < missing + left.cards:
        return False
    if group is not None and group.kind == "run":
        return any(
            can_fill(rest, wilds - used, None, left)
            for rest, used in ways_to_fill_run(naturals, wilds, group)
        )
    # Whoever can fill the sets and some runs can fill the sets alone, so that is asked first.
    if not can_fill_all_sets(naturals, wilds, group, left):
        return False
    if left.runs == 0:
        return True
    one_run_less = left._replace(runs=left.runs - 1)
    return any(
        can_fill(rest, wilds - used, group, one_run_less)
        for run in all_new_runs(left.run_size)
        for rest, used in ways_to_fill_run(naturals, wilds, run)
    )


def ways_to_fill_run(naturals: Hand, wilds: int, run: Group) -> Iterator[tuple[Hand, int]]:
    """Every choice of natural cards for the rest of a run, wild cards standing in for the others.

    Yields the natural cards left and the number of wild cards used. No run of a contract is long
    enough to hold both aces, so the cards wanted are all different.
    """
    positions = range(run.low + run.placed, run.low + run.size)
    wanted = [natural_card(run.suit, position) for position in positions]
    held = [card for card in wanted if card in naturals]
    for n_naturals in range(len(held), -1, -1):
        used = len(wanted) - n_naturals
        if used > wilds or not keeps_ratio(run.naturals + n_naturals, run.wilds + used):
            return
        for chosen in combinations(held, n_naturals):
            yield without(naturals, chosen), used


def can_fill_all_sets(naturals: Hand, wilds: int, group: Group | None, left: Groups) -> bool:
    """Whether the open set, if there is one, and the sets left can be filled.

    In a set all suits are alike (G-5), so only the number of natural cards of each rank counts.
    """
    held = Counter(card[0] for card in naturals)
    if group is None:
        return can_fill_sets(tuple(sorted(held.values())), wilds, left.sets, left.set_size)
    missing = group.size - group.placed
    for chosen in range(min(missing, held[group.rank]) + 1):
        used = missing - chosen
        if used > wilds or not keeps_ratio(group.naturals + chosen, group.wilds + used):
            continue
        counts = held - Counter({group.rank: chosen})
        rest = tuple(sorted(counts.values()))
        if can_fill_sets(rest, wilds - used, left.sets, left.set_size):
            return True
    return False


@lru_cache(maxsize=1 << 16)
def can_fill_sets(counts: tuple[int, ...], wilds: int, sets: int, size: int) -> bool:
    """Whether so many sets can be filled from ranks held so often: every rank, every share."""
    if sets == 0:
        return True
    for place, count in enumerate(counts):
        for chosen in range(min(size, count) + 1):
            used = size - chosen
            if used <= wilds and keeps_ratio(chosen, used):
                rest = sorted((*counts[:place], count - chosen, *counts[place + 1 :]))
                if can_fill_sets(tuple(rest), wilds - used, sets - 1, size):
                    return True
    return False


def copy_json(value: Any) -> Any:
    """A copy of lists and dictionaries all the way down."""
    if isinstance(value, list):
        return [copy_json(entry) for entry in value]
    if isinstance(value, dict):
        return {key: copy_json(entry) for key, entry in value.items()}
    return value


class Oracle:
    """A game of Frustration Rummy, seen with all cards open.

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
    contracts: list[int]
    down: list[bool]
    stock: list[Card]
    discard: list[Card]
    hands: list[list[Card]]
    known: list[list[Card]]
    taken: Card | None
    melds: list[Meld]
    building: Table | None
    rewards: list[float]
    win_rewards: list[float]

    @classmethod
    def from_table(cls, table: Table) -> "Oracle":
        """The game at a table; the key `rng` may be there and is not used.

        Raises:
            AssertionError: a key is missing or strange, the cards are not those of the packs, or
                there is no card to draw.
        """
        assert_keys(table)
        copied = copy_json(table)
        oracle = cls()
        for key in KEYS - {"game", "options", "melds"}:
            setattr(oracle, key, copied[key])
        oracle.options = Options(**copied["options"])
        oracle.melds = [Meld(**entry) for entry in copied["melds"]]
        oracle.rewards = [0.0] * oracle.options.num_players
        oracle.win_rewards = [0.0] * oracle.options.num_players
        for seat, hand in enumerate(oracle.hands):
            assert hand == sort_cards(hand), f"hands: that of seat {seat} is not sorted"
        assert_pack(table)
        can_draw = oracle.phase != "draw" or oracle.stock or oracle.discard
        assert can_draw, "stock: it is empty, and so is the discard pile"
        return oracle

    def table(self) -> Table:
        """The whole table, without `rng`."""
        table = {key: copy_json(getattr(self, key)) for key in KEYS - {"game", "options", "melds"}}
        table["game"] = "frustration_rummy"
        table["options"] = asdict(self.options)
        table["melds"] = [meld.table() for meld in self.melds]
        return table

    # Legal moves, phase by phase

    def legal_moves(self) -> list[Move]:
        """Every legal move, each once; none when the game is over."""
        match self.phase:
            case "draw":
                return self._legal_draw()
            case "play":
                return self._legal_openings() + self._legal_lay_offs() + self._legal_discards()
            case "meld" if self._open_group() is None:
                return self._legal_openings()
            case "meld":
                return self._legal_places()
        return []

    def _legal_draw(self) -> list[Move]:
        """FR-14: the stock counts with what a reshuffle would give."""
        moves: list[Move] = []
        if self.stock or len(self.discard) >= 2:
            moves.append({"move": "draw_stock"})
        if self.discard:
            moves.append({"move": "take_discard"})
        return moves

    def _legal_openings(self) -> list[Move]:
        """FR-5, FR-7: groups of the contract, or extra melds that leave a card to discard."""
        hand = tuple(self.hands[self.turn])
        if self.down[self.turn]:
            sets = all_new_sets(EXTRA_SET_SIZE) if len(hand) > EXTRA_SET_SIZE else ()
            runs = all_new_runs(EXTRA_RUN_SIZE) if len(hand) > EXTRA_RUN_SIZE else ()
            after_set = after_run = NOTHING_LEFT
        else:
            left = self._groups_left()
            if not is_completable(hand, None, left):
                return []
            sets = all_new_sets(left.set_size) if left.sets else ()
            runs = all_new_runs(left.run_size) if left.runs else ()
            after_set = left._replace(sets=left.sets - 1)
            after_run = left._replace(runs=left.runs - 1)
        moves: list[Move] = [
            {"move": "open_set", "rank": group.rank}
            for group in sets
            if is_completable(hand, group, after_set)
        ]
        return moves + [
            {"move": "open_run", "suit": group.suit, "low": group.low}
            for group in runs
            if is_completable(hand, group, after_run)
        ]

    def _legal_places(self) -> list[Move]:
        """Cards that fit, and after which all groups can still be completed."""
        group = self._open_group()
        assert group is not None
        hand = tuple(self.hands[self.turn])
        left = self._groups_left()
        return [
            {"move": "place", "card": card}
            for card in dict.fromkeys(hand)
            if group.takes(card)
            if is_completable(without(hand, (card,)), group.with_card(card), left)
        ]

    def _legal_lay_offs(self) -> list[Move]:
        """FR-8, FR-9: on any meld, whoever's, but a card must be left to discard."""
        hand = self.hands[self.turn]
        if not self.down[self.turn] or len(hand) < 2:
            return []
        return [
            {"move": "lay_off", "card": card, "meld": number, "end": end}
            for number, meld in enumerate(self.melds)
            for card in dict.fromkeys(hand)
            for end in meld.ends_for(card)
        ]

    def _legal_discards(self) -> list[Move]:
        """G-3: any card; without `return_discard` not the name in `taken` if there is another."""
        names = list(dict.fromkeys(self.hands[self.turn]))
        if not self.options.return_discard and names != [self.taken]:
            names = [card for card in names if card != self.taken]
        return [{"move": "discard", "card": card} for card in names]

    def _groups_left(self) -> Groups:
        """The groups still to be laid, an open one not counted; none beside an extra meld."""
        contract = CONTRACTS[self.contracts[self.turn]]
        if self.building is None:
            return contract
        return contract._replace(sets=self.building["sets_left"], runs=self.building["runs_left"])

    def _open_group(self) -> Group | None:
        """The group that is open, if one is."""
        if self.building is None or self.building["kind"] is None:
            return None
        kind = self.building["kind"]
        if self.down[self.turn]:
            size = EXTRA_SET_SIZE if kind == "set" else EXTRA_RUN_SIZE
        else:
            contract = CONTRACTS[self.contracts[self.turn]]
            size = contract.set_size if kind == "set" else contract.run_size
        if kind == "set":
            group = new_set(self.building["rank"], size)
        else:
            group = new_run(self.building["suit"], self.building["low"], size)
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
            case "open_set":
                self._open({"kind": "set", "rank": move["rank"]})
            case "open_run":
                self._open({"kind": "run", "suit": move["suit"], "low": move["low"]})
            case "place":
                self._play_place(move["card"])
            case "lay_off":
                self._lose(move["card"])
                self.melds[move["meld"]].extend(move["card"], move["end"])
            case "discard":
                self._play_discard(move["card"], after)
        return self.rewards

    def _play_draw_stock(self, after: Table) -> None:
        """FR-14: the top card of the stock, after a reshuffle if the stock is empty."""
        if not self.stock:
            self._reshuffle(after)
        self._gain(self.stock.pop())

    def _reshuffle(self, after: Table) -> None:
        """All discards but the top one become the stock; their order is taken from `after`."""
        shuffled = self.discard[:-1]
        hand = Counter(self.hands[self.turn])
        drawn = list((Counter(after["hands"][self.turn]) - hand).elements())
        assert len(drawn) == 1, f"hands: {drawn} is drawn, not exactly one card"
        self.stock = [*after["stock"], *drawn]
        is_possible = Counter(self.stock) == Counter(shuffled)
        assert is_possible, "stock: it is not made of the discards below the top one"
        self.discard = self.discard[-1:]

    def _play_take_discard(self) -> None:
        """The mover takes the top discard, which all have seen."""
        self.taken = self.discard.pop()
        self.known[self.turn] = sort_cards([*self.known[self.turn], self.taken])
        self._gain(self.taken)

    def _play_place(self, card: Card) -> None:
        """The card goes to the open group, which is complete when it has its size."""
        assert self.building is not None
        self._lose(card)
        self.building["cards"].append(card)
        group = self._open_group()
        assert group is not None
        if group.placed == group.size:
            self._end_group()

    def _play_discard(self, card: Card, after: Table) -> None:
        """FR-9, FR-15: going out comes before the cap; else the turn passes to the left."""
        self._lose(card)
        self.discard.append(card)
        self.taken = None
        if not self.hands[self.turn]:
            self._end_deal(self.turn, after)
        elif self.turns == self.options.turn_cap * self.options.num_players:
            self.capped = True
            self._end_deal(None, after)
        else:
            self.turns += 1
            self.turn = self._left_of(self.turn)
            self.to_act = self.turn
            self.phase = "draw"

    def _open(self, opened: Table) -> None:
        """A group is opened, without a card yet."""
        left = NOTHING_LEFT
        if not self.down[self.turn]:
            left = self._groups_left()
            if opened["kind"] == "set":
                left = left._replace(sets=left.sets - 1)
            else:
                left = left._replace(runs=left.runs - 1)
        self.building = opened | {"cards": [], "sets_left": left.sets, "runs_left": left.runs}
        self.phase = "meld"

    def _end_group(self) -> None:
        """The open group is complete; with the contract's last one the seat is down."""
        assert self.building is not None
        left = {name: self.building.pop(name) for name in ("sets_left", "runs_left")}
        self.melds.append(Meld(owner=self.turn, **self.building))
        if any(left.values()):
            self.building = {"kind": None, "cards": []} | left
            return
        self.building = None
        self.down[self.turn] = True
        self.phase = "play"

    def _gain(self, card: Card) -> None:
        """The card drawn enters the mover's hand, who goes on."""
        self.hands[self.turn] = sort_cards([*self.hands[self.turn], card])
        self.phase = "play"

    def _lose(self, card: Card) -> None:
        """The card leaves the mover's hand; an equal one leaves `known` and `taken`."""
        self.hands[self.turn].remove(card)
        if card in self.known[self.turn]:
            self.known[self.turn].remove(card)
        if self.taken == card:
            self.taken = None

    def _left_of(self, seat: int) -> int:
        return (seat + 1) % self.options.num_players

    # The end of a deal

    def _end_deal(self, out: int | None, after: Table) -> None:
        """FR-23: points, then the next contracts, then the next deal or the end of the game."""
        points = [int(is_down) for is_down in self.down]
        if out is not None:
            points[out] += 1
        self.scores = [score + point for score, point in zip(self.scores, points, strict=True)]
        self.rewards = points_rewards(points)
        if self.options.episode == "deal":
            self._end_game(best_seats(points))
        elif out is not None and self.contracts[out] == self.options.last_contract:
            self._end_game([out])
        else:
            self._move_on()
            if self.deal == self.options.deal_cap:
                self.capped = True
                self._end_game(best_seats(self.contracts))
            else:
                self._next_deal(after)

    def _move_on(self) -> None:
        """FR-12, FR-13: all that are down, but nobody beyond the last contract."""
        self.contracts = [
            min(contract + 1, self.options.last_contract) if is_down else contract
            for contract, is_down in zip(self.contracts, self.down, strict=True)
        ]

    def _end_game(self, winners: list[int]) -> None:
        self.finished = True
        self.phase = "over"
        self.to_act = None
        self.winners = winners
        self.win_rewards = winners_rewards(winners, self.options.num_players)

    def _next_deal(self, after: Table) -> None:
        """FR-10: the deal passes to the left; which cards lie where is taken from `after`."""
        num_players = self.options.num_players
        self.deal += 1
        self.dealer = self._left_of(self.dealer)
        self.turn = self._left_of(self.dealer)
        self.to_act = self.turn
        self.phase = "draw"
        self.turns = 1
        self.known = [[] for _ in range(num_players)]
        self.down = [False] * num_players
        self.melds = []
        self.building = None
        assert_dealt(after | {"options": asdict(self.options), "melds": [], "building": None})
        self.hands = copy_json(after["hands"])
        self.discard = list(after["discard"])
        self.stock = list(after["stock"])


def best_seats(values: list[int]) -> list[int]:
    """The seats that share the highest value."""
    return [seat for seat, value in enumerate(values) if value == max(values)]


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


def assert_keys(table: Table) -> None:
    """The keys of a table of this game, all of them and no other."""
    difference = (set(table) - {"rng"}) ^ KEYS
    assert not difference, f"missing or unknown keys: {sorted(difference)}"
    assert table["game"] == "frustration_rummy", f"game is {table['game']}"


def assert_pack(table: Table) -> None:
    """Every card of the two packs lies somewhere, as often as they have it."""
    cards = Counter(table["stock"] + table["discard"])
    for hand in table["hands"]:
        cards.update(hand)
    for meld in table["melds"]:
        cards.update(meld["cards"])
    if table["building"] is not None:
        cards.update(table["building"]["cards"])
    packs = Counter(CARDS)
    missing, strange = packs - cards, cards - packs
    assert not missing and not strange, f"cards missing: {missing}, too many: {strange}"


def assert_dealt(table: Table) -> None:
    """Thirteen cards each, one card turned up (FR-20: any), the rest is the stock."""
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
    assert_keys(table)
    options = Options(**table["options"])
    num_players = options.num_players
    assert 0 <= table["dealer"] < num_players, f"dealer is {table['dealer']}"
    first = (table["dealer"] + 1) % num_players
    expected = {
        "turn": first,
        "to_act": first,
        "phase": "draw",
        "turns": 1,
        "finished": False,
        "winners": None,
        "down": [False] * num_players,
        "known": [[]] * num_players,
        "taken": None,
        "melds": [],
        "building": None,
    }
    for key, value in expected.items():
        assert same_json(table[key], value), f"{key} is {table[key]}, not {value}"
    assert type(table["version"]) is int and table["version"] >= 0, "version is no whole number"
    assert type(table["deal"]) is int, f"deal is {table['deal']}"
    assert isinstance(table["capped"], bool), f"capped is {table['capped']}"
    for key in ("contracts", "scores"):
        assert len(table[key]) == num_players, f"{key} are {table[key]}"
        assert all(type(value) is int for value in table[key]), f"{key} are {table[key]}"
    if options.episode == "deal":
        assert_only_deal(table, options)
    else:
        assert_deal_of_game(table, options)
    assert_dealt(table)


def same_json(one: object, other: object) -> bool:
    """Equality that tells true from 1 and false from 0, in lists too."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    return type(one) is type(other) and one == other


def assert_only_deal(table: Table, options: Options) -> None:
    """All seats have the contract of the option `deal`, or any one of the range if it is null."""
    if options.deal is None:
        possible = range(options.start_contract, options.last_contract + 1)
    else:
        possible = range(options.deal, options.deal + 1)
    contract = table["contracts"][0]
    is_possible = contract in possible and set(table["contracts"]) == {contract}
    assert is_possible, f"contracts are {table['contracts']}"
    assert table["deal"] == 1, f"deal is {table['deal']}"
    assert not table["capped"], "capped before the deal"
    assert not any(table["scores"]), f"scores are {table['scores']} before the deal"


def assert_deal_of_game(table: Table, options: Options) -> None:
    """What the deals before can have brought: contracts, points and `capped` fit together.

    A seat has moved on once for every deal in which it was down, but for those on the last
    contract; it was out in some of them, one seat a deal, and in every deal that was not capped.
    """
    deal, contracts, scores = table["deal"], table["contracts"], table["scores"]
    assert 1 <= deal <= options.deal_cap, f"deal is {deal}"
    before = deal - 1
    steps = [contract - options.start_contract for contract in contracts]
    for contract, step, score in zip(contracts, steps, scores, strict=True):
        is_possible = 0 <= step <= before and contract <= options.last_contract
        assert is_possible, f"contracts are {contracts} in deal {deal}"
        most_often_down = before if contract == options.last_contract else step
        # The game ends when a seat goes out on the last contract, so it was out below it only.
        is_possible = step <= score <= most_often_down + step
        assert is_possible, f"scores are {scores} with the contracts {contracts}"
    # On the last contract nobody sees how often a seat was down; else every point is accounted for.
    fewest_out = 0 if options.last_contract in contracts else sum(scores) - sum(steps)
    most_out = sum(scores) - sum(steps)
    if table["capped"]:
        assert before >= 1 and fewest_out < before, f"capped with the scores {scores}"
    else:
        assert fewest_out <= before <= most_out, f"scores are {scores} with every deal gone out"


def view(table: Table, seat: int) -> Table:
    """G-7: a table as one seat sees it.

    Hidden are the stock (count only, FR-22) and the other hands (count and known cards), also when
    the game is over.
    """
    seen: Table = copy_json({key: value for key, value in table.items() if key != "rng"})
    seen["stock"] = {"count": len(table["stock"]), "known": []}
    for other, hand in enumerate(table["hands"]):
        if other != seat:
            seen["hands"][other] = {"count": len(hand), "known": list(table["known"][other])}
    return seen
