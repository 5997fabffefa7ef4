"""An oracle for Luau Rummy: the rules once more, slow and obvious, to test others against.

The rule ids (LR-…, G-…) are those of the rules text. The oracle has no chance of its own: of what
the other implementation did it believes only the cards of a new deal, after checking that the deal
is possible. Everything else, a plain draw too, it works out for itself.

Readings, where the text is open:

- `scores`, `winners` and the points are by side; rewards are by seat, partners get the same.
- A side alone in the lead with `target` wins also in the last deal (`deal_cap`), and `capped` is
  then not set by it; only without such a side does the cap decide.
- A stock that runs out in the very turn of the turn cap ends the deal before the cap does, so
  `capped` is not set by it; nor is it when that turn goes out.
- With `episode="deal"` the winners are those with the highest score of this deal, whatever stood
  in `scores` before; the score is added to `scores` all the same.
- Whether an animals meld is free of wolves is asked at the end of the deal: a wolf added later
  counts like one laid at first, and may turn a Luau of 10 into one of 5.
- A wolf in another hand is a gift of 1, as every card.
- `lay` takes several cards from the hand at once; each of them takes an equal one out of `known`,
  and if one of them has the name in `taken`, `taken` becomes null.
- `taken` is null once a deal has ended, also where the last card of the hand was laid.
- In a new deal `dealer` is one to the left, `turns` is 1, and `known`, `melds` and `discard` are
  empty. `capped` is never taken back.
- The move that ends the game leaves `known`, `melds`, hands and piles as they are.
- The viewer's own hand is a plain list in its view, also when it is empty.
- `version` is returned as it was given.
"""

from collections import Counter
from copy import deepcopy
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

Card = str
Table = dict[str, Any]
Move = dict[str, Any]

TRIPLES: dict[str, list[Card]] = {
    "supplies": ["fire", "foil", "utensils"],
    "gourmet": ["seasoning", "sauce", "meat"],
    "materials": ["straw", "wood", "bricks"],
    "piggies": ["oinky", "pinky", "stinky"],
}
"""The kinds of meld with three different cards, in card order."""
PIGGIES = TRIPLES["piggies"]
ANIMALS = ["lion", "alligator", "bear", "coyote"]
WOLF = "wolf"
NAMES = [*(card for cards in TRIPLES.values() for card in cards), *ANIMALS, WOLF]
"""All names in card order."""
LUAU_KINDS = [*TRIPLES, "animals"]
"""LR-18: a pile-up is none of them."""

HAND_SIZE = 5
MELD_SIZE = 3
SCALE = 20
PURE_LUAU = 10
LUAU = 5
KEYS = {
    *("game", "version", "options", "deal", "dealer", "turn", "to_act", "phase", "turns"),
    *("scores", "finished", "winners", "capped", "stock", "discard", "hands", "known", "taken"),
    "melds",
}
"""What a table holds; `rng` may be there besides."""


def sort_cards(cards: list[Card]) -> list[Card]:
    """The cards in card order."""
    return sorted(cards, key=NAMES.index)


@dataclass(frozen=True)
class Options:
    """The options of a table, resolved."""

    num_players: int
    decks: int
    teams: bool
    piggy_pileup: bool
    copies: int
    animal_copies: int
    wolves: int
    target: int
    turn_cap: int
    deal_cap: int
    return_discard: bool
    episode: str

    def __post_init__(self) -> None:
        highest = {"num_players": 4, "decks": 2, "copies": 4, "animal_copies": 4, "wolves": 4}
        for name in (*highest, "target", "turn_cap", "deal_cap"):
            number = getattr(self, name)
            lowest = {"num_players": 2, "wolves": 0}.get(name, 1)
            assert type(number) is int, f"{name} is {number}, no whole number"
            assert lowest <= number <= highest.get(name, number), f"{name} is {number}"
        for name in ("teams", "piggy_pileup", "return_discard"):
            assert isinstance(getattr(self, name), bool), f"{name} is {getattr(self, name)}"
        assert self.num_players == 2 or self.decks == 2, f"decks is {self.decks}: LR-2 asks for two"
        assert not self.teams or self.num_players == 4, "teams are for four players only"
        assert not self.piggy_pileup or self.decks == 2, "piggy_pileup wants two packs"
        assert self.episode in ("game", "deal"), f"episode is {self.episode}"

    @property
    def num_sides(self) -> int:
        """LR-3: two teams, or every seat for itself."""
        return 2 if self.teams else self.num_players

    def side_of(self, seat: int) -> int:
        """LR-3: seats 0 and 2 are side 0, seats 1 and 3 are side 1; else the seat."""
        return seat % 2 if self.teams else seat

    def all_cards(self) -> list[Card]:
        """LR-1: all cards of the packs, in card order."""
        copies = dict.fromkeys(NAMES, self.copies)
        copies |= dict.fromkeys(ANIMALS, self.animal_copies) | {WOLF: self.wolves}
        return [card for card in NAMES for _ in range(copies[card] * self.decks)]


@dataclass
class Meld:
    """A meld on the table; it belongs to a side."""

    side: int
    kind: str
    cards: list[Card]

    @property
    def has_wolf(self) -> bool:
        """Whether a wolf is in it."""
        return WOLF in self.cards

    def takes(self, card: Card) -> bool:
        """LR-8, LR-9, LR-18: whether the owners may add this card."""
        if self.kind == "animals":
            return card in ANIMALS or (card == WOLF and not self.has_wolf)
        return self.kind == "pileup" and card == self.cards[0]

    def is_proper(self) -> bool:
        """LR-7, LR-8, LR-18: whether the cards make a meld of this kind."""
        naturals = [card for card in self.cards if card != WOLF]
        wolves = len(self.cards) - len(naturals)
        if self.kind == "animals":
            good = wolves <= 1 and set(naturals) <= set(ANIMALS) and len(self.cards) >= MELD_SIZE
        elif self.kind == "pileup":
            same = len(set(self.cards)) == 1 and self.cards[0] in PIGGIES
            good = same and len(self.cards) >= MELD_SIZE
        else:
            different = len(set(naturals)) == len(naturals)
            own = set(naturals) <= set(TRIPLES.get(self.kind, []))
            good = wolves <= 1 and different and own and len(self.cards) == MELD_SIZE
        return good and self.cards == sort_cards(self.cards)


class Oracle:
    """A game of Luau Rummy, its attributes named like the keys of its table.

    Attributes:
        rewards: By seat, what the last move brought under reward "points".
        win_rewards: By seat, what it brought under reward "win".
    """

    version: int
    options: Options
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
    known: list[list[Card]]
    taken: Card | None
    melds: list[Meld]
    rewards: list[float]
    win_rewards: list[float]

    @classmethod
    def from_table(cls, table: Table) -> "Oracle":
        """The game at a table; the key `rng` may be there and is not used.

        Raises:
            AssertionError: a key is missing or strange, or the cards do not lie as they can.
        """
        assert_keys(table)
        copied = deepcopy(table)
        oracle = cls()
        for key in KEYS - {"game", "options", "melds"}:
            setattr(oracle, key, copied[key])
        oracle.options = Options(**copied["options"])
        oracle.melds = [Meld(**entry) for entry in copied["melds"]]
        oracle.rewards = [0.0] * oracle.options.num_players
        oracle.win_rewards = [0.0] * oracle.options.num_players
        assert_pack(table)
        assert_places(table)
        return oracle

    def table(self) -> Table:
        """The whole table, without `rng`."""
        plain = deepcopy({key: getattr(self, key) for key in KEYS - {"game", "options", "melds"}})
        return plain | {
            "game": "luau_rummy",
            "options": asdict(self.options),
            "melds": [asdict(meld) for meld in self.melds],
        }

    # Legal moves, phase by phase

    def legal_moves(self) -> list[Move]:
        """Every legal move, each once; none when the game is over."""
        match self.phase:
            case "draw":
                return self._legal_draw()
            case "play":
                return [
                    *self._legal_triples(),
                    *self._legal_animals(),
                    *self._legal_pileups(),
                    *self._legal_additions(),
                    *self._legal_discards(),
                ]
        return []

    def _legal_draw(self) -> list[Move]:
        """LR-4, LR-5: from the stock, or the whole pile if it has a card."""
        pile: list[Move] = [{"move": "take_pile"}] if self.discard else []
        return [{"move": "draw_stock"}, *pile]

    def _legal_triples(self) -> list[Move]:
        """LR-7, LR-8, LR-10: the kind's three cards, or two of them and a wolf."""
        return [
            {"move": "lay", "kind": kind, "wolf": wolf}
            for kind, cards in TRIPLES.items()
            for wolf in [None, *cards]
            if self._hand_has(triple_with(kind, wolf))
        ]

    def _legal_animals(self) -> list[Move]:
        """LR-7, LR-8: any three animals, one of which may be a wolf."""
        return [
            {"move": "lay_animals", "cards": list(cards)}
            for cards in combinations_with_replacement([*ANIMALS, WOLF], MELD_SIZE)
            if cards.count(WOLF) <= 1 and self._hand_has(list(cards))
        ]

    def _legal_pileups(self) -> list[Move]:
        """LR-18: three of one piggy, unless the side has a pile-up of it."""
        if not self.options.piggy_pileup:
            return []
        return [
            {"move": "lay_pileup", "card": card}
            for card in PIGGIES
            if self._hand_has([card] * MELD_SIZE)
            and not any(meld.kind == "pileup" and meld.takes(card) for meld in self._own_melds())
        ]

    def _legal_additions(self) -> list[Move]:
        """LR-9, LR-18: cards that some meld of the side takes."""
        return [
            {"move": "add", "card": card}
            for card in self._names_in_hand()
            if any(meld.takes(card) for meld in self._own_melds())
        ]

    def _legal_discards(self) -> list[Move]:
        """G-3, LR-21: without `return_discard` not the name in `taken`, if there is another."""
        names = self._names_in_hand()
        if not self.options.return_discard and len(names) > 1:
            names = [card for card in names if card != self.taken]
        return [{"move": "discard", "card": card} for card in names]

    def _hand_has(self, cards: list[Card]) -> bool:
        """Whether the mover holds these cards, each as often as named."""
        hand = self.hands[self.turn]
        return all(hand.count(card) >= cards.count(card) for card in cards)

    def _names_in_hand(self) -> list[Card]:
        """The names that the mover holds, each once."""
        return list(dict.fromkeys(self.hands[self.turn]))

    def _own_melds(self) -> list[Meld]:
        """LR-3: the melds of the mover's side, in the order laid."""
        return [meld for meld in self.melds if meld.side == self.options.side_of(self.turn)]

    # Playing a move

    def play(self, move: Move, after: Table) -> list[float]:
        """Plays a move and returns its "points" rewards by seat.

        `after` is the table the other implementation reached by the same move; only the cards of a
        new deal are read from it. A move that begins no deal does with an empty one.

        Raises:
            AssertionError: the move is not legal, or the deal in `after` is impossible.
        """
        assert move in self.legal_moves(), f"{move} is not legal"
        self.rewards = [0.0] * self.options.num_players
        self.win_rewards = [0.0] * self.options.num_players
        match move["move"]:
            case "draw_stock":
                self._gain([self.stock.pop()])
                self.phase = "play"
            case "take_pile":
                self._play_take_pile()
            case "lay":
                self._lay(move["kind"], triple_with(move["kind"], move["wolf"]))
            case "lay_animals":
                self._lay("animals", move["cards"])
            case "lay_pileup":
                self._lay("pileup", [move["card"]] * MELD_SIZE)
            case "add":
                self._play_add(move["card"])
            case "discard":
                self._lose(move["card"])
                self.discard.append(move["card"])
        if move["move"] not in ("draw_stock", "take_pile"):
            self._test_for_end(move["move"] == "discard", after)
        return self.rewards

    def _play_take_pile(self) -> None:
        """LR-5, LR-20: the whole pile; all have seen its cards."""
        self.taken = self.discard[-1]
        self._gain(self.discard)
        self.known[self.turn] = sort_cards(self.known[self.turn] + self.discard)
        self.discard = []
        self.phase = "play"

    def _lay(self, kind: str, cards: list[Card]) -> None:
        """A new meld of the mover's side."""
        for card in cards:
            self._lose(card)
        self.melds.append(Meld(self.options.side_of(self.turn), kind, sort_cards(cards)))

    def _play_add(self, card: Card) -> None:
        """LR-9: the first of the side's melds that takes the card gets it."""
        self._lose(card)
        meld = next(meld for meld in self._own_melds() if meld.takes(card))
        meld.cards = sort_cards([*meld.cards, card])

    def _gain(self, cards: list[Card]) -> None:
        self.hands[self.turn] = sort_cards(self.hands[self.turn] + cards)

    def _lose(self, card: Card) -> None:
        """A card leaves the mover's hand; an equal one leaves `known` and `taken`."""
        self.hands[self.turn].remove(card)
        if card in self.known[self.turn]:
            self.known[self.turn].remove(card)
        if self.taken == card:
            self.taken = None

    def _left_of(self, seat: int) -> int:
        return (seat + 1) % self.options.num_players

    # The end of a turn, a deal, the game

    def _test_for_end(self, has_discarded: bool, after: Table) -> None:
        """LR-11, LR-12, LR-19, in this order; after a discard that ends nothing the next turn."""
        if not self.hands[self.turn]:
            self._end_deal(self.turn, after)
        elif has_discarded and not self.stock:
            self._end_deal(None, after)
        elif has_discarded and self.turns >= self.options.turn_cap * self.options.num_players:
            self.capped = True
            self._end_deal(None, after)
        elif has_discarded:
            self.taken = None
            self.turns += 1
            self.turn = self._left_of(self.turn)
            self.to_act = self.turn
            self.phase = "draw"

    def _end_deal(self, ender: int | None, after: Table) -> None:
        """Scores the deal, then the next deal or the end of the game."""
        self.taken = None
        points = [self._points(side, ender) for side in range(self.options.num_sides)]
        self.scores = [total + won for total, won in zip(self.scores, points, strict=True)]
        self.rewards = self._by_seat(points_rewards(points))
        best = highest(self.scores)
        if self.options.episode == "deal":
            self._end_game(highest(points))
        elif len(best) == 1 and self.scores[best[0]] >= self.options.target:
            self._end_game(best)
        elif self.deal >= self.options.deal_cap:
            self.capped = True
            self._end_game(best)
        else:
            self._next_deal(after)

    def _points(self, side: int, ender: int | None) -> int:
        """What a side scores in the deal that has just ended."""
        melds = [meld for meld in self.melds if meld.side == side]
        laid = sum(len(meld.cards) for meld in melds)
        return laid + luau_bonus(melds) + self._gifts(side, ender)

    def _gifts(self, side: int, ender: int | None) -> int:
        """LR-13, LR-14, LR-16: the ender gets the other hands; each team the other's hands."""
        side_of = self.options.side_of
        if ender is None or (not self.options.teams and side != side_of(ender)):
            return 0
        return sum(len(hand) for seat, hand in enumerate(self.hands) if side_of(seat) != side)

    def _end_game(self, winners: list[int]) -> None:
        self.finished = True
        self.phase = "over"
        self.to_act = None
        self.winners = winners
        self.win_rewards = self._by_seat(winners_rewards(winners, self.options.num_sides))

    def _next_deal(self, after: Table) -> None:
        """G-1: the deal passes to the left; which cards lie where is taken from `after`."""
        self.deal += 1
        self.dealer = self._left_of(self.dealer)
        self.turn = self._left_of(self.dealer)
        self.to_act = self.turn
        self.phase = "draw"
        self.turns = 1
        self.known = [[] for _ in range(self.options.num_players)]
        self.melds = []
        self.discard = []
        assert_dealt(after | {"options": asdict(self.options), "melds": [], "discard": []})
        self.hands = deepcopy(after["hands"])
        self.stock = list(after["stock"])

    def _by_seat(self, by_side: list[float]) -> list[float]:
        """Partners get the same."""
        return [by_side[self.options.side_of(seat)] for seat in range(self.options.num_players)]


def triple_with(kind: str, wolf: Card | None) -> list[Card]:
    """The three cards of a kind, a wolf for the card named."""
    return [WOLF if card == wolf else card for card in TRIPLES[kind]]


def luau_bonus(melds: list[Meld]) -> int:
    """LR-15: 10 with a meld free of wolves of each of the five kinds, 5 with any of each."""
    kinds = {meld.kind for meld in melds}
    pure_kinds = {meld.kind for meld in melds if not meld.has_wolf}
    if pure_kinds >= set(LUAU_KINDS):
        return PURE_LUAU
    return LUAU if kinds >= set(LUAU_KINDS) else 0


def highest(scores: list[int]) -> list[int]:
    """The sides with the highest score."""
    return [side for side, score in enumerate(scores) if score == max(scores)]


def points_rewards(points: list[int]) -> list[float]:
    """Each side's points less the mean of the others', by the scale."""
    others = len(points) - 1
    return [float((own - Fraction(sum(points) - own, others)) / SCALE) for own in points]


def winners_rewards(winners: list[int], num_sides: int) -> list[float]:
    """By side: 1 to a single winner, shared by several; the losers pay evenly."""
    stretch = Fraction(num_sides, num_sides - 1)
    shares = [
        Fraction(1, len(winners)) if side in winners else Fraction(0) for side in range(num_sides)
    ]
    return [float((share - Fraction(1, num_sides)) * stretch) for share in shares]


def assert_keys(table: Table) -> None:
    """The table has just the keys of this game."""
    difference = (set(table) - {"rng"}) ^ KEYS
    assert not difference, f"missing or unknown keys: {sorted(difference)}"
    assert table["game"] == "luau_rummy", f"game is {table['game']}"


def assert_pack(table: Table) -> None:
    """Every card of the packs lies somewhere, as often as the packs have it."""
    cards = Counter(table["stock"] + table["discard"])
    for hand in table["hands"]:
        cards.update(hand)
    for meld in table["melds"]:
        cards.update(meld["cards"])
    packs = Counter(Options(**table["options"]).all_cards())
    missing, strange = packs - cards, cards - packs
    assert not missing and not strange, f"cards missing: {missing}, too many: {strange}"


def assert_places(table: Table) -> None:
    """Hands, known cards, the card taken, stock and melds are as they can be in play."""
    for seat, (hand, known) in enumerate(zip(table["hands"], table["known"], strict=True)):
        assert hand == sort_cards(hand), f"hands: that of seat {seat} is not sorted"
        assert known == sort_cards(known), f"known: that of seat {seat} is not sorted"
        assert Counter(known) <= Counter(hand), f"known: seat {seat} does not hold {known}"
        assert hand or table["finished"], f"hands: that of seat {seat} is empty"
    assert table["stock"] or table["phase"] != "draw", "stock: empty in phase draw"
    may_have_taken = table["phase"] == "play" and table["taken"] in table["known"][table["turn"]]
    assert table["taken"] is None or may_have_taken, f"taken is {table['taken']}"
    melds = [Meld(**entry) for entry in table["melds"]]
    for meld in melds:
        assert meld.is_proper(), f"melds: {meld} is none"
    pileups = [(meld.side, meld.cards[0]) for meld in melds if meld.kind == "pileup"]
    assert len(set(pileups)) == len(pileups), "melds: two pile-ups of one piggy"
    assert table["options"]["piggy_pileup"] or not pileups, "melds: a pile-up without the option"


def assert_dealt(table: Table) -> None:
    """LR-4: five cards each, nothing turned up, the rest is the stock."""
    sizes = [len(hand) for hand in table["hands"]]
    assert sizes == [HAND_SIZE] * table["options"]["num_players"], f"hands: {sizes} cards are dealt"
    for seat, hand in enumerate(table["hands"]):
        assert hand == sort_cards(hand), f"hands: that of seat {seat} is not sorted"
    assert table["discard"] == [], f"discard: {len(table['discard'])} cards are turned up"
    assert_pack(table)


def new_deal_is_valid(table: Table) -> None:
    """Asserts that a table is one where a deal has just been dealt, in all respects.

    Raises:
        AssertionError: names the key that is wrong.
    """
    assert_keys(table)
    options = Options(**table["options"])
    num_players = options.num_players
    assert table["dealer"] in range(num_players), f"dealer is {table['dealer']}"
    first = (table["dealer"] + 1) % num_players
    expected = {
        "turn": first,
        "to_act": first,
        "phase": "draw",
        "turns": 1,
        "finished": False,
        "winners": None,
        "known": [[]] * num_players,
        "taken": None,
        "melds": [],
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
    """The deal's number is possible, and the scores are such that a deal has to be played."""
    deal, scores = table["deal"], table["scores"]
    last_deal = 1 if options.episode == "deal" else options.deal_cap
    assert type(deal) is int and 1 <= deal <= last_deal, f"deal is {deal}"
    assert len(scores) == options.num_sides, f"scores are {scores}"
    assert all(type(score) is int and score >= 0 for score in scores), f"scores are {scores}"
    assert isinstance(table["capped"], bool), f"capped is {table['capped']}"
    if deal == 1:
        assert not any(scores), f"scores are {scores} in the first deal"
        assert not table["capped"], "capped in the first deal"
    is_won = len(highest(scores)) == 1 and max(scores) >= options.target
    assert not is_won, f"scores are {scores}: the game is won"


def view(table: Table, seat: int) -> Table:
    """G-7: a table as one seat sees it.

    Hidden are the stock (count only) and the other hands, the partner's too (count and known
    cards), also when the game is over.
    """
    seen = deepcopy({key: value for key, value in table.items() if key != "rng"})
    seen["stock"] = {"count": len(table["stock"]), "known": []}
    for other, hand in enumerate(table["hands"]):
        if other != seat:
            seen["hands"][other] = {"count": len(hand), "known": list(table["known"][other])}
    return seen
