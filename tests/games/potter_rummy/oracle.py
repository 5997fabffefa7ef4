"""An oracle for Beatrix Potter's Rummy: the rules once more, slow and obvious, to test others.

The rule ids (BP-…, G-…) are those of the rules text. The oracle has no chance of its own: of what
the other implementation did it believes only the order of a shuffle and a new deal, after checking
that they are possible. Everything else it works out for itself.

Readings, where the text is open:

- The stock is made new when a card is drawn from an empty stock, not when its last card is drawn.
- A deal that is won in the last turn the cap allows is won, not void; the cap is looked at only
  when a turn ends, so a free `take_back` never voids a deal.
- Without `return_discard` every copy of the name in `taken` must stay, not only the one taken.
- A card of the hand that is laid, added, substituted or discarded takes an equal card out of
  `known`, whether or not it was that very card which all have seen.
- The end of a game is looked for after every deal, a void one too. A game whose end under win
  rule 1 or 2 comes with deal number `deal_cap` is not capped.
- Win rule 1: should several seats have 40 or more, the highest total wins and equal ones share, as
  under the other rules (only a table that play cannot reach has such totals).
- `capped` is never taken back: a later deal of the same game still shows it, and a game that
  then ends in the ordinary way is finished, has winners and is capped.
- `episode="deal"`: the seat that won the deal wins, whatever the totals are.
- `"counters"`: the points of the reward are what was paid and got, so the others' payments may be
  less than their counts.
- The move that ends a deal writes the scores; in the new deal `dealer` is one to the left, `turns`
  is 1, `known` and `sets` are empty, `taken` is null.
- A finished table keeps `known` and `sets` as the last move left them.
- The viewer's own hand is a plain list in its view, also when it is empty.
- `version` is returned as it was given.
"""

from collections import Counter
from copy import deepcopy
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

Card = str
Table = dict[str, Any]
Move = dict[str, Any]
LaidSet = list[Card]

CHARACTERS = [f"c{number}" for number in range(1, 15)]
SIGNPOST = "signpost"
NAMES = [*CHARACTERS, SIGNPOST]
"""The names of the cards in the card order."""
PACK = CHARACTERS * 3 + [SIGNPOST] * 2

FULL_SET = 3
START_SCORE = 20
BONUS = 10
GOAL = 40
"""Win rule 1: who has so many ends the game."""
SCALE = 20
KEYS = {
    *("game", "version", "options", "deal", "dealer", "turn", "to_act", "phase", "turns"),
    *("scores", "finished", "winners", "capped", "stock", "discard", "hands", "known", "taken"),
    "sets",
}
"""What a table holds; `rng` may be there besides."""


def sort_cards(cards: list[Card]) -> list[Card]:
    """The cards in the card order: c1 … c14, signposts last."""
    return sorted(cards, key=NAMES.index)


def cards_dealt(num_players: int) -> int:
    """BP-3: the cards a seat has after every turn, hand and sets together."""
    return 6 if num_players <= 6 else 3


def sets_to_win(num_players: int) -> int:
    """BP-10: the sets of three that win a deal."""
    return 2 if num_players <= 6 else 1


def is_set(cards: list[Card]) -> bool:
    """BP-6: two or three cards of one character, a signpost at most among them."""
    characters = [card for card in cards if card != SIGNPOST]
    signposts = len(cards) - len(characters)
    return len(cards) in (2, FULL_SET) and len(set(characters)) == 1 and signposts <= 1


def character_of(laid: LaidSet) -> Card:
    """The character that a set is of."""
    return next(card for card in laid if card != SIGNPOST)


def cards_to_lay(move: Move) -> LaidSet:
    """The cards that a `lay` puts on the table, in card order."""
    signposts = 1 if move["signpost"] else 0
    return [move["card"]] * (move["size"] - signposts) + [SIGNPOST] * signposts


@dataclass(frozen=True)
class Options:
    """The options of a table, resolved."""

    num_players: int
    scoring: str
    signpost_extra: bool
    win_rule: int
    deals: int
    deal_cap: int
    takeback_free: bool
    turn_cap: int
    return_discard: bool
    episode: str

    def __post_init__(self) -> None:
        assert 2 <= self.num_players <= 12, f"num_players is {self.num_players}"
        assert self.scoring in ("points", "counters"), f"scoring is {self.scoring}"
        assert self.win_rule in (1, 2, 3), f"win_rule is {self.win_rule}"
        assert self.episode in ("game", "deal"), f"episode is {self.episode}"
        for name in ("deals", "deal_cap", "turn_cap"):
            assert getattr(self, name) >= 1, f"{name} is {getattr(self, name)}"
        for name in ("signpost_extra", "takeback_free", "return_discard"):
            assert isinstance(getattr(self, name), bool), f"{name} is {getattr(self, name)}"


@lru_cache
def moves_of_phase(phase: str, mover: int, num_players: int) -> tuple[Move, ...]:
    """Every move that can ever be legal for this seat in this phase."""
    if phase == "discard":
        return tuple({"move": "discard", "card": card} for card in NAMES)
    if phase == "over":
        return ()
    most_sets = cards_dealt(num_players) // 2
    to_add = min(most_sets, 2)
    others = [seat for seat in range(num_players) if seat != mover]
    moves: list[Move] = [{"move": "draw_stock"}, {"move": "take_discard"}]
    moves += [
        {"move": "lay", "card": card, "size": size, "signpost": signpost}
        for card in CHARACTERS
        for size in (2, FULL_SET)
        for signpost in (False, True)
    ]
    moves += [
        {"move": "add", "set": number, "signpost": signpost}
        for number in range(to_add)
        for signpost in (False, True)
    ]
    moves += [
        {"move": "substitute", "seat": seat, "set": number}
        for seat in others
        for number in range(most_sets)
    ]
    moves += [{"move": "take_back", "set": number} for number in range(most_sets)]
    return tuple(moves)


class Oracle:
    """One game; its attributes are the keys of the table."""

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
    known: list[list[Card]]
    taken: Card | None
    sets: list[list[LaidSet]]
    rewards: list[float]
    win_rewards: list[float]

    @classmethod
    def from_table(cls, table: Table) -> "Oracle":
        """The game at a table; the key `rng` may be there and is not used.

        Raises:
            AssertionError: the table cannot be one of this game.
        """
        difference = (set(table) - {"rng"}) ^ KEYS
        assert not difference, f"missing or unknown keys: {sorted(difference)}"
        assert table["game"] == "potter_rummy", f"game is {table['game']}"
        copied = deepcopy(table)
        oracle = cls()
        for key in KEYS - {"game", "options"}:
            setattr(oracle, key, copied[key])
        oracle.options = Options(**copied["options"])
        oracle._pay_nothing()
        assert_position(table)
        return oracle

    def table(self) -> Table:
        """The whole table, without `rng`."""
        table: Table = {key: getattr(self, key) for key in KEYS - {"game", "options"}}
        table["game"] = "potter_rummy"
        table["options"] = asdict(self.options)
        return deepcopy(table)

    # Legal moves

    def legal_moves(self) -> list[Move]:
        """Every legal move, each once; none when the game is over."""
        every_move = moves_of_phase(self.phase, self.turn, self.options.num_players)
        return [dict(move) for move in every_move if self._is_legal(move)]

    def _is_legal(self, move: Move) -> bool:
        """Whether a move of the phase can be made, as the table of moves says it."""
        match move["move"]:
            case "draw_stock" | "take_discard":
                return True
            case "lay":
                return self._mover_holds(cards_to_lay(move))
            case "add":
                return self._may_add(move["set"], move["signpost"])
            case "substitute":
                return self._may_substitute(move["seat"], move["set"])
            case "take_back":
                return self._is_own_pair(move["set"])
        return self._may_discard(move["card"])

    def _mover_holds(self, cards: list[Card]) -> bool:
        hand = self.hands[self.turn]
        return all(hand.count(card) >= cards.count(card) for card in cards)

    def _is_own_pair(self, number: int) -> bool:
        """BP-9: the mover has such a set, and it is of two cards."""
        own = self.sets[self.turn]
        return number < len(own) and len(own[number]) == 2

    def _may_add(self, number: int, signpost: bool) -> bool:
        """BP-8: the third card for an own set of two, from the hand."""
        if not self._is_own_pair(number):
            return False
        laid = self.sets[self.turn][number]
        if signpost:
            return SIGNPOST not in laid and SIGNPOST in self.hands[self.turn]
        return character_of(laid) in self.hands[self.turn]

    def _may_substitute(self, seat: int, number: int) -> bool:
        """BP-7: the other seat's set has a signpost, the mover a card of its character."""
        if number >= len(self.sets[seat]):
            return False
        laid = self.sets[seat][number]
        return SIGNPOST in laid and character_of(laid) in self.hands[self.turn]

    def _may_discard(self, card: Card) -> bool:
        """G-3, BP-4: any card; without `return_discard` not the name in `taken` if avoidable."""
        hand = self.hands[self.turn]
        if card not in hand:
            return False
        has_another_name = len(set(hand)) > 1
        return self.options.return_discard or card != self.taken or not has_another_name

    # Playing a move

    def play(self, move: Move, after: Table) -> list[float]:
        """Plays a move and returns its "points" rewards by seat.

        `after` is the table the other implementation reached by the same move; only the outcome of
        a shuffle is read from it. A move without a shuffle does with an empty one.

        Raises:
            AssertionError: the move is not legal, or the shuffle in `after` is impossible.
        """
        assert move in self.legal_moves(), f"{move} is not legal"
        self._pay_nothing()
        match move["move"]:
            case "draw_stock":
                self._play_draw_stock(after)
            case "take_discard":
                self.taken = self.discard.pop()
                self._gain(self.taken, openly=True)
                self.phase = "discard"
            case "lay":
                laid = cards_to_lay(move)
                self._lose(laid)
                self.sets[self.turn].append(laid)
                self._end_turn_or_win(after)
            case "add":
                self._play_add(move["set"], move["signpost"])
                self._end_turn_or_win(after)
            case "substitute":
                self._play_substitute(move["seat"], move["set"])
                self._end_turn(after)
            case "take_back":
                for card in self.sets[self.turn].pop(move["set"]):
                    self._gain(card, openly=True)
                if not self.options.takeback_free:
                    self._end_turn(after)
            case "discard":
                self._lose([move["card"]])
                self.discard.append(move["card"])
                self.taken = None
                self._end_turn(after)
        return self.rewards

    def _pay_nothing(self) -> None:
        self.rewards = [0.0] * self.options.num_players
        self.win_rewards = [0.0] * self.options.num_players

    def _play_draw_stock(self, after: Table) -> None:
        """The top of the stock goes to the hand, unseen; an empty stock is made new first."""
        if not self.stock:
            self._reshuffle(after)
        self._gain(self.stock.pop(), openly=False)
        self.phase = "discard"

    def _reshuffle(self, after: Table) -> None:
        """BP-11: all discards but the top one become the stock.

        The order is taken from `after`, where the top card is already in the mover's hand.
        """
        shuffled, self.discard = self.discard[:-1], self.discard[-1:]
        gained = Counter(after["hands"][self.turn])
        gained.subtract(self.hands[self.turn])
        drawn = [card for card, copies in gained.items() if copies]
        one_gained = len(drawn) == 1 and gained[drawn[0]] == 1
        assert one_gained, f"seat {self.turn} did not gain exactly one card: {dict(gained)}"
        stock = [*after["stock"], *drawn]
        same = Counter(stock) == Counter(shuffled)
        assert same, f"the reshuffled stock {stock} is not made of the discards {shuffled}"
        self.stock = stock

    def _play_add(self, number: int, signpost: bool) -> None:
        """BP-8: the third card goes from the hand to the set."""
        laid = self.sets[self.turn][number]
        card = SIGNPOST if signpost else character_of(laid)
        self._lose([card])
        self.sets[self.turn][number] = sort_cards([*laid, card])

    def _play_substitute(self, seat: int, number: int) -> None:
        """BP-7: the card of the hand and the signpost of the set change places."""
        laid = self.sets[seat][number]
        card = character_of(laid)
        self._lose([card])
        self.sets[seat][number] = [card] * len(laid)
        self._gain(SIGNPOST, openly=True)

    def _gain(self, card: Card, *, openly: bool) -> None:
        """A card comes into the mover's hand; G-7: all know it if all have seen it."""
        self.hands[self.turn] = sort_cards([*self.hands[self.turn], card])
        if openly:
            self.known[self.turn] = sort_cards([*self.known[self.turn], card])

    def _lose(self, cards: list[Card]) -> None:
        """Cards leave the mover's hand; for each an equal one leaves `known`."""
        for card in cards:
            self.hands[self.turn].remove(card)
            if card in self.known[self.turn]:
                self.known[self.turn].remove(card)

    def _left_of(self, seat: int) -> int:
        return (seat + 1) % self.options.num_players

    # The end of a turn, a deal, the game

    def _end_turn_or_win(self, after: Table) -> None:
        """BP-10: the mover wins at once if it now has the sets of three for it."""
        full_sets = [laid for laid in self.sets[self.turn] if len(laid) == FULL_SET]
        if len(full_sets) == sets_to_win(self.options.num_players):
            self._end_deal(self.turn, after)
        else:
            self._end_turn(after)

    def _end_turn(self, after: Table) -> None:
        """BP-16: at the cap the deal is void; else the next seat's turn begins."""
        if self.turns >= self.options.turn_cap * self.options.num_players:
            self.capped = True
            self._end_deal(None, after)
        else:
            self.turns += 1
            self.turn = self._left_of(self.turn)
            self.to_act = self.turn
            self.phase = "act"

    def _end_deal(self, winner: int | None, after: Table) -> None:
        """Scores the deal, which is void without a winner; then the next deal or the end."""
        points = [0] * self.options.num_players if winner is None else self._points(winner)
        self.scores = [score + gain for score, gain in zip(self.scores, points, strict=True)]
        self.rewards = points_rewards(points)
        if self.options.episode == "deal":
            self._end_game([] if winner is None else [winner])
        elif self._is_game_over():
            best = max(self.scores)
            self._end_game([seat for seat, score in enumerate(self.scores) if score == best])
        else:
            self._next_deal(after)

    def _points(self, winner: int) -> list[int]:
        """BP-12, BP-13: what every seat gains or loses; the winner's hand is empty and costs 0."""
        costs = [self._hand_cost(hand) for hand in self.hands]
        if self.options.scoring == "points":
            return [
                BONUS if seat == winner else -costs[seat]
                for seat in range(self.options.num_players)
            ]
        paid = [min(cost, score) for cost, score in zip(costs, self.scores, strict=True)]
        return [
            sum(paid) if seat == winner else -paid[seat] for seat in range(self.options.num_players)
        ]

    def _hand_cost(self, hand: list[Card]) -> int:
        """BP-12: 1 for every card, but 5 (or 6) for a signpost."""
        signpost_cost = 6 if self.options.signpost_extra else 5
        return sum(signpost_cost if card == SIGNPOST else 1 for card in hand)

    def _is_game_over(self) -> bool:
        """BP-14, BP-16: whether the deal just scored is the last; sets `capped` at the cap."""
        if self.options.win_rule == 3:
            return self.deal >= self.options.deals
        if self.options.win_rule == 1 and max(self.scores) >= GOAL:
            return True
        if self.options.win_rule == 2 and min(self.scores) <= 0:
            return True
        if self.deal >= self.options.deal_cap:
            self.capped = True
            return True
        return False

    def _end_game(self, winners: list[int]) -> None:
        self.finished = True
        self.phase = "over"
        self.to_act = None
        self.winners = winners
        self.win_rewards = winners_rewards(winners, self.options.num_players)

    def _next_deal(self, after: Table) -> None:
        """G-1, BP-15: the deal passes to the left; where the cards lie is taken from `after`."""
        num_players = self.options.num_players
        self.deal += 1
        self.dealer = self._left_of(self.dealer)
        self.turn = self._left_of(self.dealer)
        self.to_act = self.turn
        self.phase = "act"
        self.turns = 1
        self.known = [[] for _ in range(num_players)]
        self.sets = [[] for _ in range(num_players)]
        self.hands = deepcopy(after["hands"])
        self.discard = list(after["discard"])
        self.stock = list(after["stock"])
        assert_dealt(self.table())


def points_rewards(points: list[int]) -> list[float]:
    """Each seat's points less the mean of the others', by the scale."""
    others = len(points) - 1
    return [float((own - Fraction(sum(points) - own, others)) / SCALE) for own in points]


def winners_rewards(winners: list[int], num_players: int) -> list[float]:
    """1 to a single winner, shared by several; the losers pay evenly; nothing without winners."""
    if not winners:
        return [0.0] * num_players
    stretch = Fraction(num_players, num_players - 1)
    shares = [
        Fraction(1, len(winners)) if seat in winners else Fraction(0) for seat in range(num_players)
    ]
    return [float((share - Fraction(1, num_players)) * stretch) for share in shares]


def assert_position(table: Table) -> None:
    """Asserts what the rules say of the cards in every position, finished or not."""
    assert_pack(table)
    num_players = table["options"]["num_players"]
    for seat in range(num_players):
        hand, known, sets = table["hands"][seat], table["known"][seat], table["sets"][seat]
        due = cards_dealt(num_players)
        if table["phase"] == "discard" and seat == table["turn"]:
            due += 1
        size = len(hand) + sum(map(len, sets))
        assert size == due, f"hands: seat {seat} has {size} cards, {due} are due"
        assert hand == sort_cards(hand), f"hands: that of seat {seat} is not sorted"
        assert known == sort_cards(known), f"known: that of seat {seat} is not sorted"
        assert Counter(known) <= Counter(hand), f"known: seat {seat} does not hold {known}"
        for laid in sets:
            assert is_set(laid), f"sets: {laid} of seat {seat} is none"
            assert laid == sort_cards(laid), f"sets: {laid} of seat {seat} is not sorted"
    if not table["finished"]:
        assert_running(table)


def assert_running(table: Table) -> None:
    """Asserts what is so only while a deal runs."""
    num_players, turn = table["options"]["num_players"], table["turn"]
    assert table["phase"] in ("act", "discard"), f"phase is {table['phase']}"
    assert table["to_act"] == turn, f"to_act is {table['to_act']}, turn {turn}"
    assert table["phase"] == "discard" or table["discard"], "discard: it is empty in phase act"
    most_turns = table["options"]["turn_cap"] * num_players
    assert 1 <= table["turns"] <= most_turns, f"turns is {table['turns']}"
    if table["taken"] is not None:
        assert table["phase"] == "discard", f"taken is {table['taken']} in phase act"
        assert table["taken"] in table["known"][turn], f"taken {table['taken']} is not known"
    for seat, sets in enumerate(table["sets"]):
        full_sets = [laid for laid in sets if len(laid) == FULL_SET]
        assert len(full_sets) < sets_to_win(num_players), f"sets: seat {seat} has won"


def assert_pack(table: Table) -> None:
    """Every card of the pack lies somewhere, as often as the pack has it."""
    cards = Counter(table["stock"] + table["discard"])
    for hand in table["hands"]:
        cards.update(hand)
    for sets in table["sets"]:
        for laid in sets:
            cards.update(laid)
    missing, strange = Counter(PACK) - cards, cards - Counter(PACK)
    assert not missing and not strange, f"cards missing: {missing}, too many: {strange}"


def assert_dealt(table: Table) -> None:
    """Six (three) cards each, one card turned up, the rest is the stock."""
    num_players = table["options"]["num_players"]
    sizes = [len(hand) for hand in table["hands"]]
    assert sizes == [cards_dealt(num_players)] * num_players, f"hands: {sizes} cards are dealt"
    assert not any(table["sets"]), f"sets: {table['sets']} in a new deal"
    assert len(table["discard"]) == 1, f"discard: {len(table['discard'])} cards are turned up"
    assert_position(table)


def same_json(one: object, other: object) -> bool:
    """Equality that tells true from 1 and false from 0, in lists too."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    return type(one) is type(other) and one == other


def new_deal_is_valid(table: Table) -> None:
    """Asserts that a table is one where a deal has just been dealt, in all respects.

    Raises:
        AssertionError: names the key that is wrong.
    """
    difference = (set(table) - {"rng"}) ^ KEYS
    assert not difference, f"missing or unknown keys: {sorted(difference)}"
    options = Options(**table["options"])
    num_players = options.num_players
    dealer = table["dealer"]
    assert type(dealer) is int and 0 <= dealer < num_players, f"dealer is {dealer}"
    first = (dealer + 1) % num_players
    expected = {
        "game": "potter_rummy",
        "turn": first,
        "to_act": first,
        "phase": "act",
        "turns": 1,
        "finished": False,
        "winners": None,
        "known": [[]] * num_players,
        "taken": None,
        "sets": [[]] * num_players,
    }
    for key, value in expected.items():
        assert same_json(table[key], value), f"{key} is {table[key]}, not {value}"
    assert type(table["version"]) is int and table["version"] >= 0, "version is no whole number"
    assert_deal_and_scores(table, options)
    assert_dealt(table)


def assert_deal_and_scores(table: Table, options: Options) -> None:
    """The deal is one the game can have, and so are the totals; no cap before the first deal."""
    deal, scores = table["deal"], table["scores"]
    assert type(deal) is int and 1 <= deal <= most_deals(options), f"deal is {deal}"
    assert len(scores) == options.num_players, f"scores are {scores}"
    assert all(type(score) is int for score in scores), f"scores are {scores}"
    assert isinstance(table["capped"], bool), f"capped is {table['capped']}"
    if deal == 1:
        assert scores == [START_SCORE] * options.num_players, f"scores are {scores} at first"
        assert not table["capped"], "capped in the first deal"
    if options.scoring == "counters":
        assert sum(scores) == START_SCORE * options.num_players, f"scores are {scores}"
        assert min(scores) >= 0, f"scores are {scores}"
    if options.win_rule == 1:
        assert max(scores) < GOAL, f"scores are {scores}: the game is over"
    if options.win_rule == 2:
        assert min(scores) > 0, f"scores are {scores}: the game is over"


def most_deals(options: Options) -> int:
    """The number of the last deal that a game can have."""
    if options.episode == "deal":
        return 1
    return options.deals if options.win_rule == 3 else options.deal_cap


def view(table: Table, seat: int) -> Table:
    """G-7, BP-19: a table as one seat sees it.

    Hidden are the stock (count only) and the other hands (count and known cards), also when the
    game is over.
    """
    seen = deepcopy({key: value for key, value in table.items() if key != "rng"})
    seen["stock"] = {"count": len(table["stock"]), "known": []}
    for other, hand in enumerate(table["hands"]):
        if other != seat:
            seen["hands"][other] = {"count": len(hand), "known": list(table["known"][other])}
    return seen
