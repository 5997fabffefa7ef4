"""The search for contracts against brute force: every way to lay every group, tried."""

import random
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from kitchentable.cards.contracts import (
    NO_RUN_BEGUN,
    NOTHING_BEGUN,
    LastRun,
    Shape,
    can_lay,
    can_use_up,
    hold,
    holds,
    run_begun,
    set_begun,
    shape_of,
    stretches,
    take,
)
from kitchentable.cards.french import CARDS, JOKER, N_CARDS, N_NATURAL, PACK, card_at

Cards = tuple[int, ...]
"""A hand, sorted; the joker may stand in it several times."""

CONTRACTS = [(2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2)]
RATIOS = [pytest.param(True, id="ratio"), pytest.param(False, id="one natural")]
HANDS = 150


def counts_of(cards: Cards) -> NDArray[np.int8]:
    return np.bincount(np.array(cards, np.int64), minlength=N_CARDS).astype(np.int8)


def words(text: str) -> Cards:
    return tuple(sorted(PACK.numbers[word] for word in text.split()))


def without(cards: Cards, some: Cards) -> Cards | None:
    """The hand without some cards, or none if it has not got them."""
    left = list(cards)
    for card in some:
        if card not in left:
            return None
        left.remove(card)
    return tuple(left)


def fair(group: Cards, ratio: bool) -> bool:
    """Whether a complete group has few enough jokers."""
    jokers = group.count(JOKER)
    return jokers <= len(group) - jokers if ratio else jokers < len(group)


def all_sets(cards: Cards, ratio: bool, rank: int, begun: Cards = ()) -> Iterator[Cards]:
    """All ways to fill up a set of three."""
    usable = [c for c in cards if c == JOKER or c % 13 == rank]
    for more in set(combinations(usable, 3 - len(begun))):
        if fair(begun + more, ratio):
            yield more


def fillings(cards: Cards, suit: int, low: int, length: int) -> Iterator[Cards]:
    """All ways to put cards at `length` positions of a suit."""
    if length == 0:
        yield ()
        return
    for card in {card_at(suit, low), JOKER}:
        left = without(cards, (card,))
        if left is not None:
            for more in fillings(left, suit, low + 1, length - 1):
                yield (card, *more)


def brute_lay(cards: Cards, ratio: bool, sets: int, runs: int) -> bool:
    """Whether so many sets of three and runs of four can be laid."""
    if sets == runs == 0:
        return True
    groups: set[Cards] = set()
    if sets > 0:
        for rank in range(13):
            groups |= {tuple(sorted(group)) for group in all_sets(cards, ratio, rank)}
    else:
        for suit in range(4):
            for low in range(1, 12):
                ways = fillings(cards, suit, low, 4)
                groups |= {tuple(sorted(group)) for group in ways if fair(group, ratio)}
    rest = (max(sets - 1, 0), runs if sets else runs - 1)
    return any(brute_lay(without(cards, group) or (), ratio, *rest) for group in groups)


def brute_use_up(cards: Cards, ratio: bool, runs: int) -> bool:
    """Whether so many runs of four or more take up all cards; some run has the first one."""
    if runs == 0 or not cards or cards[0] == JOKER:
        return runs == 0 and not cards
    suit = cards[0] // 13
    for low in range(1, 12):
        for length in range(4, 16 - low):
            if len(cards) - length >= 4 * (runs - 1):
                for group in fillings(cards, suit, low, length):
                    left = without(cards, group)
                    fits = cards[0] in group and fair(group, ratio) and left is not None
                    if fits and brute_use_up(left or (), ratio, runs - 1):
                        return True
    return False


def random_group(chance: random.Random, kind: str, length: int) -> list[int]:
    """A set or a run, with some jokers."""
    suit, rank = chance.randrange(4), chance.randrange(13)
    low = chance.randrange(1, 16 - length)
    if kind == "set":
        group = [chance.randrange(4) * 13 + rank for _ in range(length)]
    else:
        group = [card_at(suit, low + place) for place in range(length)]
    return [JOKER if chance.random() < 0.2 else card for card in group]


def tidy(cards: list[int]) -> Cards:
    """A hand that three packs can have."""
    kept = [c for c in range(N_CARDS) for _ in range(min(cards.count(c), 6 if c == JOKER else 3))]
    return tuple(kept)


def near_hands(seed: int, sets: int, runs: int, others: int) -> Iterator[Cards]:
    """Hands that hold the contract or nearly so, and some cards more."""
    chance = random.Random(seed)
    for _ in range(HANDS):
        kinds = ["set"] * sets + ["run"] * runs
        cards = [c for kind in kinds for c in random_group(chance, kind, 3 if kind == "set" else 4)]
        for _ in range(chance.randrange(4)):
            cards[chance.randrange(len(cards))] = chance.randrange(N_CARDS)
        near = [min(max(c + chance.choice((-1, 1, 13)), 0), N_NATURAL - 1) for c in cards]
        yield tidy(cards + chance.sample(near, others))


def narrow_hands(seed: int, size: int) -> Iterator[Cards]:
    """Hands from few suits and ranks, in which groups compete for cards."""
    chance = random.Random(seed)
    for _ in range(HANDS):
        suits, ranks = chance.choice((1, 2, 2, 3)), chance.choice((5, 6, 8))
        first = chance.randrange(13)
        pack = [s * 13 + (first + r) % 13 for s in range(suits) for r in range(ranks)] * 2
        pack += [JOKER] * chance.randrange(5)
        yield tidy(chance.sample(pack, min(size, len(pack))))


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize(("sets", "runs"), CONTRACTS)
class TestCanLay:
    def hands(self, sets: int, runs: int) -> Iterator[Cards]:
        yield from near_hands(7 * sets + runs, sets, runs, 4)
        yield from narrow_hands(sets + 7 * runs, 11)

    def test_whole_contract(self, sets: int, runs: int, ratio: bool) -> None:
        answers = []
        for cards in self.hands(sets, runs):
            shape = shape_of(3, 4, ratio)
            found = can_lay(hold(counts_of(cards)), shape, sets, runs, NOTHING_BEGUN)
            assert found == brute_lay(cards, ratio, sets, runs), text_of(cards)
            answers.append(found)
        assert 0.1 < np.mean(answers) < 0.95

    def test_set_begun(self, sets: int, runs: int, ratio: bool) -> None:
        if sets == 0:
            return
        shape = shape_of(3, 4, ratio)
        for number, cards in enumerate(self.hands(sets, runs)):
            chance = random.Random(number)
            rank = chance.choice(cards) % 13
            usable = [c for c in cards if c == JOKER or c % 13 == rank]
            begun = tuple(chance.sample(usable, min(len(usable), chance.randrange(4))))
            left = without(cards, begun) or ()
            brute = any(
                brute_lay(without(left, more) or (), ratio, sets - 1, runs)
                for more in all_sets(left, ratio, rank, begun)
            )
            wild = shape.set_wild - begun.count(JOKER)
            group = set_begun(rank, 3 - len(begun), wild)
            found = wild >= 0 and can_lay(hold(counts_of(left)), shape, sets - 1, runs, group)
            assert found == brute, (text_of(cards), text_of(begun))

    def test_run_begun(self, sets: int, runs: int, ratio: bool) -> None:
        if runs == 0:
            return
        shape = shape_of(3, 4, ratio)
        for number, cards in enumerate(self.hands(sets, runs)):
            chance = random.Random(number)
            card = chance.choice([c for c in cards if c != JOKER] or [0])
            suit, low = card // 13, min(max(card % 13 + 1 - chance.randrange(3), 1), 11)
            ways = sorted(fillings(cards, suit, low, chance.randrange(5)))
            begun = chance.choice(ways) if ways else ()
            left, at = without(cards, begun) or (), low + len(begun)
            brute = any(
                brute_lay(without(left, more) or (), ratio, sets, runs - 1)
                for more in fillings(left, suit, at, 4 - len(begun))
                if fair(begun + more, ratio)
            )
            wild = shape.run_wild - begun.count(JOKER)
            group = run_begun(suit, at, 4 - len(begun), wild)
            found = wild >= 0 and can_lay(hold(counts_of(left)), shape, sets, runs - 1, group)
            assert found == brute, (text_of(cards), low, text_of(begun))


def text_of(cards: Cards) -> str:
    return " ".join(CARDS[card] for card in cards)


def last_hands(seed: int, runs: int, extra: int) -> Iterator[Cards]:
    """Hands that some runs use up, or nearly so."""
    chance = random.Random(seed)
    for _ in range(HANDS):
        cards: list[int] = []
        suits = [chance.randrange(chance.choice((1, 2, 4))) for _ in range(runs)]
        for suit in suits:
            length = 4 + chance.randrange(extra + 1)
            low = chance.randrange(1, 16 - length)
            cards += [card_at(suit, low + place) for place in range(length)]
        cards = [JOKER if chance.random() < 0.15 else card for card in cards]
        if chance.random() < 0.5:
            cards[chance.randrange(len(cards))] = suits[0] * 13 + chance.randrange(13)
        yield tidy(cards)


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize(("runs", "extra"), [(1, 5), (2, 2), (3, 1)])
class TestCanUseUp:
    def test_whole_hand(self, runs: int, extra: int, ratio: bool) -> None:
        answers = []
        for cards in last_hands(runs, runs, extra):
            found = can_use_up(hold(counts_of(cards)), ratio, runs, NO_RUN_BEGUN)
            assert found == brute_use_up(cards, ratio, runs), text_of(cards)
            answers.append(found)
        assert 0.1 < np.mean(answers) < 0.95

    def test_run_begun(self, runs: int, extra: int, ratio: bool) -> None:
        for number, cards in enumerate(last_hands(runs + 10, runs, extra)):
            chance = random.Random(number)
            card = chance.choice([c for c in cards if c != JOKER] or [0])
            suit, low = card // 13, min(max(card % 13 + 1 - chance.randrange(3), 1), 11)
            ways = sorted(fillings(cards, suit, low, chance.randrange(6)))
            begun = chance.choice(ways) if ways else ()
            left, at = without(cards, begun) or (), low + len(begun)
            brute = any(
                brute_use_up(without(left, more) or (), ratio, runs - 1)
                for length in range(max(0, 4 - len(begun)), 16 - at)
                for more in fillings(left, suit, at, length)
                if fair(begun + more, ratio)
            )
            jokers = begun.count(JOKER)
            run = LastRun(suit, at, len(begun) - jokers, jokers)
            found = can_use_up(hold(counts_of(left)), ratio, runs - 1, run)
            assert found == brute, (text_of(cards), low, text_of(begun))


class TestOtherShapes:
    """Groups of other sizes, as other contract rummies have them."""

    def lays(self, text: str, set_size: int, run_length: int, sets: int, runs: int) -> bool:
        shape = shape_of(set_size, run_length, True)
        return bool(can_lay(hold(counts_of(words(text))), shape, sets, runs, NOTHING_BEGUN))

    def test_sets_of_four(self) -> None:
        assert self.lays("7S 7H JK JK KS KH KD KC", 4, 4, 2, 0)
        assert not self.lays("7S JK JK JK KS KH KD KC", 4, 4, 2, 0)

    def test_no_wild_cards_at_all(self) -> None:
        hand = hold(counts_of(words("7S 7H 7D 7C 7S JK JK")))
        assert can_lay(hand, Shape(3, 0, 4, 0), 1, 0, NOTHING_BEGUN)
        assert not can_lay(hand, Shape(3, 0, 4, 0), 2, 0, NOTHING_BEGUN)

    def test_two_sets_of_five_from_one_rank(self) -> None:
        assert self.lays("7S 7S 7H 7H 7D 7D JK JK JK JK", 5, 4, 2, 0)
        assert not self.lays("7S 7S 7H 7H 7D JK JK JK JK JK", 5, 4, 2, 0)

    def test_a_run_of_nine(self) -> None:
        assert self.lays("5H 6H JK 8H JK TH JK QH JK", 3, 9, 0, 1)
        assert not self.lays("5H 6H JK 8H JK TH JK JK JK", 3, 9, 0, 1)

    def test_three_runs_of_four(self) -> None:
        assert self.lays("5H 6H 7H 8H 7H 8H JK TH 8H 9H TH JH", 3, 4, 0, 3)
        assert not self.lays("5H 6H 7H 8H 7H 8H JK TH 8H 9H TH JC", 3, 4, 0, 3)

    def test_four_sets(self) -> None:
        assert self.lays("7S 7H 7D 8S 8H JK 9S 9H JK TS TH JK", 3, 4, 4, 0)
        assert not self.lays("7S 7H 7D 8S 8H JK 9S 9H JK TS JC JK", 3, 4, 4, 0)


class TestHolding:
    def test_taking_every_card_leaves_nothing(self) -> None:
        cards = words("AS AS AS KC KC 7H JK JK")
        holding = hold(counts_of(cards))
        for card in cards:
            assert holds(holding, card)
            holding = take(holding, card)
        assert tuple(holding) == (0, 0, 0, 0, 0)

    @pytest.mark.parametrize("spare", range(4))
    def test_stretches_lack_few_naturals(self, spare: int) -> None:
        for cards in narrow_hands(spare, 11):
            found = stretches(hold(counts_of(cards)), 4, spare)
            for suit in range(4):
                for low in range(1, 12):
                    lacking = sum(card_at(suit, low + place) not in cards for place in range(4))
                    assert (found >> (16 * suit + low - 1)) & 1 == (lacking <= spare)
            assert found >> 62 == 0
