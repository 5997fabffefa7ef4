"""The rules of Hand & Foot Canasta, rule by rule; the worked examples by their numbers."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from kitchentable.engine import rng
from kitchentable.engine.jit import COMPILED
from kitchentable.engine.options import OptionError
from kitchentable.engine.record import new_states
from kitchentable.games.hand_and_foot.consistency import Fault, validate
from kitchentable.games.hand_and_foot.deck import COPIES, NAMES, PACK_SIZE, RANKS
from kitchentable.games.hand_and_foot.opening import Opening, best_of_few, best_value, wild_fits
from kitchentable.games.hand_and_foot.rules import new_game
from kitchentable.games.hand_and_foot.state import ACTIONS, STATE

from .walks import Seat, at_play, game_of, positions

CLEAN = "7 7 7 7 7 7 7"
OTHER_CLEAN = "J J J J J J J"
DIRTY = "6 6 6 6 6 6 2"
OTHER_DIRTY = "T T T T T 2 2"
WILD_CANASTA = "2 2 2 2 2 JK JK"
NEEDED = [CLEAN, OTHER_CLEAN, DIRTY, OTHER_DIRTY, WILD_CANASTA]
WILD_LACKING = [*NEEDED[:4], "2 2 2 2 2 JK"]
N_DEALT = 400 if COMPILED else 60
"""Deals that are only looked at."""
BOTH = [0, 2]
"""Both partners of side 0."""


def openings(seat: Seat) -> set[str]:
    return {text for text in seat.legal() if not text.startswith("discard")}


class TestDealing:
    def test_example_1_and_what_is_left_over_of_an_old_game(self) -> None:
        assert PACK_SIZE == 270 and sum(COPIES) == 270
        for seed in range(20):
            states = new_states(STATE, 1)
            states.view(np.uint8)[:] = 77
            states["rng"] = rng.seeds(seed, 1)
            state = states[0]
            state.num_players, state.num_sides = 4, 2
            state.minimums[:], state.need[:] = (50, 90, 120, 150), (2, 2, 1)
            state.episode = state.chosen_deal = 0
            new_game(state)
            assert validate(state) == Fault.NONE
            assert state.stock_size == 165 - state.red_threes.sum()
            assert list(state.hand_size) == [13] * 4 and state.deal == 1
            assert NAMES[state.discard[0]] in RANKS and state.discard_size == 1
            assert state.turn == (state.dealer + 1) % 4 == state.to_act

    def test_what_is_turned_up_and_not_natural_is_buried_anywhere(self) -> None:
        """HF-2: seen in the stock's next cards, where such a card is as often as elsewhere."""
        game = game_of()
        states = game.new_batch(3000 if COMPILED else 60, seed=1)
        tops = [int(state.stock[state.stock_size - 1]) for state in states]
        share = sum(card >= 13 for card in tops) / len(tops)
        assert abs(share - 30 / 270) < (0.03 if COMPILED else 0.15)

    def test_the_first_dealer_is_drawn_and_deals_pass_to_the_left(self) -> None:
        dealers = Counter(int(state.dealer) for state in game_of().new_batch(N_DEALT, seed=2))
        assert all(dealers[seat] > N_DEALT / 8 for seat in range(4))
        seat = Seat(stock="4", rest="discard", hands={0: "9"}, discard="8")
        dealer = seat.table["dealer"]
        seat.play("pass")
        assert seat.table["deal"] == 2 and seat.table["dealer"] == (dealer + 1) % 4
        assert seat.table["minimum"] == 90

    def test_deals_of_a_single_deal_are_drawn_evenly(self) -> None:
        states = game_of(episode="deal").new_batch(N_DEALT, seed=3)
        deals = Counter(int(state.deal) for state in states)
        assert all(deals[deal] > N_DEALT / 8 for deal in range(1, 5))


class TestOpening:
    def test_example_2(self) -> None:
        assert at_play("K K K 7 7 7 4 5 6 8 9 T J 3B").names() == {"discard"}
        seat = at_play("A A A 4 5 6 8 9 T J Q 7 3B 3B")
        assert openings(seat) == {"open_meld A"}
        seat = at_play("K K JK 4 5 6 8 9 T J Q A 7 3B")
        assert openings(seat) == {"open_meld K JK"}
        seat.play("open_meld K JK")
        assert seat.melds() == ["K K JK"] and seat.table["begun"] == ["K"]
        assert "discard" in seat.names()

    def test_example_3(self) -> None:
        seat = at_play("2 2 JK 4 5 6 8 9 T J Q 7 3B 3B", deal=2)
        assert openings(seat) == {"open_wild 1"}
        assert at_play("A A A K K 2 4 5 6 8 9 T J Q", deal=3).names() == {"discard"}
        for order in (("add A", "open_meld K 2"), ("open_meld K 2", "add A")):
            seat = at_play("A A A A K K 2 4 5 6 8 9 T J Q", deal=3)
            assert not seat.can("open_meld A 2")
            seat.play("open_meld A", order[0])
            assert "discard" not in seat.names()
            seat.play(order[1])
            assert "discard" in seat.names() and seat.table["begun"] == ["K", "A"]

    def test_example_6(self) -> None:
        seat = Seat(hands={0: "8 8 A A A 4"}, discard="5 6 7 9 T J Q K A 8")
        seat.play("take_pile")
        assert seat.table["aside"] == ["9", "T", "J", "Q", "K", "A"] == seat.table["known"][0]
        assert seat.legal() == {"open_meld A"}
        seat.play("open_meld A")
        assert seat.table["aside"] == [] and seat.can("add A")
        assert not Seat(hands={0: "8 8 4 5 6 T"}, discard="A A A 9 J Q 8").can("take_pile")

    def test_a_card_that_is_aside_stays_known(self) -> None:
        seat = Seat(hands={0: "8 8 9 9 2 JK 4"}, discard="9 J 8")
        seat.play("take_pile")
        assert seat.legal() == {"open_meld 9 JK", "open_meld 9 2", "add JK 8", "add 2 8"}
        seat.play("open_meld 9 2")
        assert seat.table["aside"] == [] and seat.table["known"][0] == ["9", "J"]
        seat.play("add 9")
        assert seat.table["known"][0] == ["J"]

    def test_the_foot_does_not_count(self) -> None:
        assert at_play("K K K", feet={0: "A A A ..."}).names() == {"discard"}

    def test_in_a_foot_the_cards_to_be_kept_are_out_of_reach(self) -> None:
        assert at_play("A A A", in_foot=BOTH).names() == {"discard"}
        assert at_play("A A A 4", in_foot=BOTH).names() == {"discard"}
        assert at_play("A A A 4 5", in_foot=BOTH).can("open_meld A")
        hand = "K K K Q Q Q"
        assert not at_play(f"{hand} 4", in_foot=BOTH).can("open_meld K")
        assert at_play(f"{hand} 4 5", in_foot=BOTH).can("open_meld K")
        assert not Seat(hands={0: "8 8 A A A"}, in_foot=BOTH, discard="8").can("take_pile")
        assert Seat(hands={0: "8 8 A A A"}, in_foot=BOTH, discard="5 4 8").can("take_pile")

    @pytest.mark.parametrize("seed", range(4))
    def test_reach_is_what_trying_all_ways_finds(self, seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(150 if COMPILED else 25):
            opening = some_opening(chance)
            assert best_value(opening, 10**6) == best_by_trying(opening, 99)
            few = chance.randint(0, 10)
            assert best_of_few(opening, few) == best_by_trying(opening, few)


def some_opening(chance: random.Random) -> Opening:
    """Cards at hand and melds of one to three ranks, crowded ones often among them."""
    majority, hand, naturals, wilds = chance.random() < 0.5, 0, 0, 0
    for rank in chance.sample(range(len(RANKS)), chance.randint(1, 3)):
        melds = [(0, 0)] * 8
        for n in range(2, 7):
            for wild in range(4):
                if 3 <= n + wild < 7 and wild_fits(majority, n, wild):
                    melds.append((n, wild))
        n, wild = chance.choice(melds)
        hand |= chance.choice([0, 1, 2, 2, 3, 4, 5, 6, 8]) << (5 * rank)
        naturals |= n << (3 * rank)
        wilds |= wild << (3 * rank)
    twos, jokers = chance.randint(0, 4), chance.randint(0, 3)
    wild_meld = chance.choice([0, 0, 3, 4, 5, 6])
    return Opening(0, hand, naturals, wilds, twos, jokers, wild_meld, majority)


def best_by_trying(opening: Opening, most: int) -> int:
    """The most that can be laid with `most` cards, by every sequence of moves."""
    seen: dict[Any, int] = {}
    values = {rank: 5 if rank < 4 else 20 if rank == 10 else 10 for rank in range(11)}
    digits = range(len(RANKS))
    ranks = tuple(
        (
            (opening.hand >> 5 * r) & 31,
            (opening.naturals >> 3 * r) & 7,
            (opening.wilds >> 3 * r) & 7,
        )
        for r in digits
    )

    def best(ranks: Any, twos: int, jokers: int, wild_meld: int, left: int) -> int:
        key = (ranks, twos, jokers, wild_meld, left)
        if key in seen:
            return seen[key]
        found = 0
        for rank in digits:
            hand, naturals, wilds = ranks[rank]
            for n, two, joker in lays(naturals > 0):
                now, wild = naturals + n, wilds + two + joker
                if hand < n or twos < two or jokers < joker or n + two + joker > left:
                    continue
                if two + joker and not wild_fits(opening.majority, now, wild):
                    continue
                meld = (0, 0) if now + wild == 7 else (now, wild)
                after = (*ranks[:rank], (hand - n, *meld), *ranks[rank + 1 :])
                rest = (twos - two, jokers - joker, wild_meld, left - n - two - joker)
                value = n * values[rank] + 20 * two + 50 * joker
                found = max(found, value + best(after, *rest))
        wild_lays = [(1, 0), (0, 1)] if wild_meld else [(3 - n, n) for n in range(4)]
        for two, joker in wild_lays:
            if twos >= two and jokers >= joker and two + joker <= left:
                size = (wild_meld + two + joker) % 7
                rest = (twos - two, jokers - joker, size, left - two - joker)
                found = max(found, 20 * two + 50 * joker + best(ranks, *rest))
        seen[key] = found
        return found

    return best(ranks, opening.twos, opening.jokers, opening.wild_meld, most)


def lays(has_meld: bool) -> list[tuple[int, int, int]]:
    return [(1, 0, 0), (0, 1, 0), (0, 0, 1)] if has_meld else [(3, 0, 0), (2, 1, 0), (2, 0, 1)]


class TestMelds:
    @pytest.mark.parametrize(
        ("wild_rule", "meld", "add_is_legal"),
        [
            ("strict", "Q Q Q 2", False),
            ("majority", "Q Q Q 2", True),
            ("strict", "Q Q Q Q 2", True),
            ("strict", "Q Q Q Q 2 2", False),
            ("majority", "Q Q Q Q 2 2", True),
            ("majority", "Q Q Q 2 2", False),
        ],
    )
    def test_example_4(self, wild_rule: str, meld: str, add_is_legal: bool) -> None:
        seat = at_play("2 3B 4 6", melds={0: ["A A A", meld]}, wild_rule=wild_rule)
        assert seat.can("add 2 Q") == add_is_legal

    def test_example_4_two_wild_cards_begin_no_meld(self) -> None:
        assert at_play("Q 2 2 4 6", melds={0: [CLEAN, OTHER_CLEAN]}).names() == {"discard"}
        assert at_play("Q Q 2 4 6", melds={0: [OTHER_CLEAN, CLEAN]}).can("open_meld Q 2")

    def test_example_8(self) -> None:
        melds = {0: ["Q Q Q Q Q Q Q"]}
        assert not at_play("Q 2 4 5", melds=melds).can("add Q")
        seat = at_play("Q Q Q 4 5", melds=melds)
        seat.play("open_meld Q")
        assert seat.melds() == ["Q Q Q Q Q Q Q", "Q Q Q"]

    def test_example_9(self) -> None:
        hand, melds = "5 5 5 5 2 K K 9 4", {0: ["K K K", "A A A"]}
        seat = at_play(hand, melds=melds)
        seat.play("open_meld 5")
        assert not seat.can("add K") and seat.can("add 5") and seat.can("add 2 5")
        seat = at_play(hand, melds=melds)
        seat.play("add K")
        assert not seat.can("open_meld 5") and seat.can("add 2 A")
        seat = at_play(hand, melds=melds, one_kind_per_turn=False)
        seat.play("open_meld 5")
        assert seat.can("add K") and seat.table["kind"] is None and seat.table["begun"] == []

    def test_a_canasta_closed_in_the_turn_may_be_followed_by_another(self) -> None:
        seat = at_play("Q " * 10 + "Q 4", melds={0: ["A A A"]})
        seat.play("open_meld Q", "add Q", "add Q", "add Q", "add Q")
        assert seat.table["kind"] == "start" and seat.table["begun"] == []
        seat.play("open_meld Q", "add Q")
        assert seat.table["begun"] == ["Q"] and seat.melds()[2] == "Q Q Q Q"


class TestPile:
    def test_example_5(self) -> None:
        seat = Seat(hands={0: "8 8 J 4"}, discard="5 6 7 9 T J Q K A 8", melds={0: ["A A A"]})
        seat.play("take_pile")
        assert seat.table["discard"] == ["5", "6", "7"] and seat.melds() == ["A A A", "8 8 8"]
        assert seat.table["hands"][0] == ["4", "9", "T", "J", "J", "Q", "K", "A"]
        assert seat.table["known"][0] == ["9", "T", "J", "Q", "K", "A"]

    @pytest.mark.parametrize(
        ("hand", "top"), [("8 2 J 4", "8"), ("8 8 J 4", "2"), ("3B 3B J", "3B"), ("JK JK J", "JK")]
    )
    def test_example_5_piles_that_cannot_be_taken(self, hand: str, top: str) -> None:
        seat = Seat(hands={0: hand}, discard=f"5 6 {top}", melds={0: ["A A A"]})
        assert seat.legal() == {"draw_two"}

    def test_example_7(self) -> None:
        position: dict[str, Any] = {"hands": {0: "K K 4"}, "discard": "5 K"}
        assert Seat(**position, melds={0: ["K K K K K"]}).legal() == {"draw_two"}
        seat = Seat(**position, melds={0: ["K K K K", "A A A"]})
        seat.play("take_pile")
        assert seat.melds()[0] == "K K K K K K K" and seat.table["kind"] == "add"

    @pytest.mark.parametrize(("pile", "taken"), [("8", False), ("4 8", True)])
    def test_example_15(self, pile: str, taken: bool) -> None:
        seat = Seat(hands={0: "8 8 5"}, discard=pile, in_foot=[0], melds={0: ["K K K", "A A A"]})
        assert seat.can("take_pile") == taken

    def test_a_pile_that_empties_the_hand_brings_the_foot(self) -> None:
        seat = Seat(hands={0: "A A"}, discard="A", feet={0: "3R ..."}, stock="4")
        seat.play("take_pile")
        assert seat.table["feet"][0] is None and seat.table["kind"] is None


class TestFoot:
    def test_example_10(self) -> None:
        foot = "3R 3R 5 5 5 4 6 7 8 9 T J Q"
        seat = at_play(
            "5 5 5", melds={0: ["K K K K K"]}, feet={0: foot}, stock="A K", red_threes=[1, 0]
        )
        seat.play("open_meld 5")
        assert seat.table["feet"][0] is None and seat.table["red_threes"] == [3, 0]
        assert seat.table["hands"][0] == [
            "4",
            "5",
            "5",
            "5",
            "6",
            "7",
            "8",
            "9",
            "T",
            "J",
            "Q",
            "K",
            "A",
        ]
        assert seat.table["kind"] is None and seat.table["begun"] == []
        assert seat.can("add 5") and seat.can("add K") and not seat.can("open_meld 5")
        seat.play("add 5", "discard 4")
        assert seat.table["turn"] == 1 and seat.table["turns"] == 2

    def test_example_11(self) -> None:
        seat = at_play("9 4", melds={0: ["9 9 9", "K K K"]}, feet={0: "3R ..."}, stock="A 3R")
        seat.play("add 9", "discard 4")
        assert seat.table["feet"][0] is None and "A" in seat.table["hands"][0]
        assert seat.table["turn"] == 1 and seat.table["red_threes"] == [2, 0]

    def test_example_18(self) -> None:
        for need, asks in (([2, 2, 1], False), ([1, 0, 0], True)):
            seat = Seat(
                need=need,
                hands={0: "K"},
                in_foot=BOTH,
                stock="3R 3R",
                rest="discard",
                melds={0: ["K K K", "A A A"]},
            )
            seat.play("draw_two")
            assert seat.legal() == ({"pass", "ask_partner"} if asks else {"pass"})
            seat.play("pass")
            assert seat.table["turn"] == 1 and "draw_two" not in seat.names()


class TestGoingOut:
    def test_example_12(self) -> None:
        position: dict[str, Any] = {"in_foot": BOTH, "melds": {0: [*NEEDED, "K K K K"]}}
        seat = at_play("K 4", **position, episode="deal", deal=1)
        assert seat.legal() == {"discard K", "discard 4", "ask_partner"}
        seat.play("ask_partner")
        assert seat.table["to_act"] == 2 and seat.names() == {"allow", "refuse"}
        seat.play("allow", "add K")
        assert seat.legal() == {"discard 4"}
        seat.play("discard 4")
        assert seat.table["finished"] and seat.table["permission"] is None
        seat = at_play("K 4", **position)
        seat.play("ask_partner", "refuse")
        assert seat.legal() == {"discard K", "discard 4"}

    def test_example_13(self) -> None:
        seat = at_play("2 4", in_foot=BOTH, melds={0: WILD_LACKING})
        seat.play("ask_partner", "allow")
        assert seat.legal() == {"add 2 wild", "discard 2", "discard 4"}
        seat.play("add 2 wild")
        assert seat.legal() == {"discard 4"}
        seat = at_play("2 4", in_foot=BOTH, melds={0: [CLEAN, OTHER_CLEAN, DIRTY]})
        assert not seat.can("ask_partner")

    def test_example_14(self) -> None:
        position: dict[str, Any] = {"in_foot": BOTH, "melds": {0: [*WILD_LACKING, "Q Q Q"]}}
        seat = at_play("Q 2", **position, episode="deal", deal=1)
        assert not seat.can("add Q")
        seat.play("ask_partner", "allow")
        assert seat.legal() == {"add Q Q", "add 2 wild", "discard Q", "discard 2"}
        seat.play("add Q")
        assert seat.legal() == {"add 2 wild"}
        seat.play("add 2 wild")
        assert seat.table["finished"]

    def test_the_last_card_must_not_be_barred_otherwise(self) -> None:
        position: dict[str, Any] = {"in_foot": BOTH, "permission": "allow"}
        melds = {0: WILD_LACKING}
        assert not at_play("Q Q Q 2", **position, melds=melds).can("open_meld Q")
        both_kinds = at_play("Q Q Q 2", **position, melds=melds, one_kind_per_turn=False)
        assert both_kinds.can("open_meld Q")
        begun: dict[str, Any] = {"kind": "start", "begun": ["Q"]}
        melds = {0: [*WILD_LACKING, "Q Q Q"]}
        assert not at_play("Q 2", **position, **begun, melds=melds).can("add Q")
        assert at_play("Q 4 2", **position, **begun, melds=melds).can("add Q")
        melds = {0: [CLEAN, OTHER_CLEAN, DIRTY, WILD_CANASTA, "9 9 9 9 2 2", "Q Q Q"]}
        assert not at_play("Q 2", **position, melds=melds).can("add Q")
        assert at_play("Q 2", **position, melds=melds, wild_rule="majority").can("add Q")
        assert at_play("Q 9", **position, melds=melds).can("add Q")


class TestScoring:
    def test_example_16(self) -> None:
        seat = Seat(
            phase="play",
            need=[1, 1, 0],
            permission="allow",
            in_foot=BOTH,
            hands={0: "4", 1: "4 5 A", 2: "A 5 3B", 3: "2 JK"},
            feet={1: "3R 3R 4 4 4 4 4 4 4 4 4 4 4", 3: "5 5 5 5 5 5 5 5 5 5 5 5 5"},
            melds={0: ["K K K K K K K", "9 9 9 9 9 2 2"], 1: ["Q Q Q Q Q"]},
            red_threes=[2, 1],
            episode="deal",
            deal=1,
        )
        rewards = seat.play("discard 4")
        theirs = 100 + 50 - 30 - 70 - 55 - 200 - 65
        assert seat.table["scores"] == [1230, theirs] and seat.table["winners"] == [0]
        reward = (1230 - theirs) / 2000
        assert rewards == pytest.approx([reward, -reward, reward, -reward])

    def test_example_17(self) -> None:
        position: dict[str, Any] = {"stock": "4", "rest": "discard", "melds": {0: ["A A A"]}}
        seat = Seat(hands={0: "K 9"}, discard="8", **position, episode="deal", deal=1)
        assert seat.legal() == {"pass"}
        seat.play("pass")
        assert seat.table["finished"]
        assert Seat(hands={0: "8 8 9"}, discard="8", **position).legal() == {"pass", "take_pile"}


class TestOptions:
    @pytest.mark.parametrize(
        "options",
        [
            {"num_players": 3},
            {"wild_rule": "loose"},
            {"minimums": [50, 90, 120]},
            {"need": [2, 2, -1]},
            {"deal": 2},
            {"episode": "deal", "deal": 5},
        ],
    )
    def test_what_is_not_allowed_is_refused(self, options: dict[str, Any]) -> None:
        with pytest.raises(OptionError):
            game_of(**options)

    def test_there_are_92_actions(self) -> None:
        assert ACTIONS.size == 92


@pytest.mark.parametrize("share", [0.0, 0.9])
@pytest.mark.parametrize("rare", [False, True])
def test_every_position_is_sound(share: float, rare: bool) -> None:
    options: dict[str, Any] = {"need": [1, 1, 0]}
    if rare:
        options |= {"wild_rule": "majority", "one_kind_per_turn": False, "partner_in_foot": False}
    for game, state in positions(7, 4000 if COMPILED else 150, share, **options):
        assert validate(state[0]) == Fault.NONE
        assert game.is_finished(state) or game.mask(state).any()
