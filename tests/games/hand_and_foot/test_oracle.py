"""The oracle of Hand & Foot against the worked examples of the rules and against itself."""

import random
from collections import Counter
from typing import Any

import pytest

from .oracle import (
    MELD_MOVES,
    NATURAL,
    NUM_PLAYERS,
    PACK,
    WILD_CARDS,
    Meld,
    Move,
    Oracle,
    Position,
    Table,
    Terms,
    after_move,
    assert_pack,
    in_reach,
    in_reach_by_trying,
    is_open,
    lays_only_new_melds,
    most_layable,
    moves_that_fit,
    new_deal_is_valid,
    sort_cards,
    view,
)
from .tables import assert_legal, chance_after, deal_randomly, make_table, parse_move, shuffled_deal

NO_CHANCE: Table = {}
CLEAN = "7 7 7 7 7 7 7"
OTHER_CLEAN = "J J J J J J J"
DIRTY = "6 6 6 6 6 6 2"
OTHER_DIRTY = "T T T T T 2 2"
WILD_CANASTA = "2 2 2 2 2 JK JK"
NEEDED = [CLEAN, OTHER_CLEAN, DIRTY, OTHER_DIRTY, WILD_CANASTA]
"""The canastas that a side must have to go out."""
WILD_LACKING = [CLEAN, OTHER_CLEAN, DIRTY, OTHER_DIRTY, "2 2 2 2 2 JK"]


def oracle_at(**changes: Any) -> Oracle:
    """An oracle at a table of `make_table`."""
    return Oracle.from_table(make_table(**changes))


def at_play(hand: str, **changes: Any) -> Oracle:
    """An oracle where seat 0 holds this hand in phase `play`."""
    return oracle_at(phase="play", hands={0: hand}, **changes)


def play_all(oracle: Oracle, *texts: str) -> list[float]:
    """Plays moves without chance; the rewards of the last."""
    rewards: list[float] = []
    for text in texts:
        rewards = oracle.play(parse_move(text), NO_CHANCE)
    return rewards


def is_legal(oracle: Oracle, text: str) -> bool:
    """Whether a move in a few words is legal."""
    return parse_move(text) in oracle.legal_moves()


def names(oracle: Oracle) -> set[str]:
    """The kinds of moves that are legal."""
    return {move["move"] for move in oracle.legal_moves()}


def legal(oracle: Oracle) -> set[str]:
    """The legal moves in a few words."""
    return {
        " ".join(str(word) for word in move.values() if word is not None)
        for move in oracle.legal_moves()
    }


def meld_cards(oracle: Oracle, side: int = 0) -> list[str]:
    """A side's melds in a few words."""
    return [" ".join(meld.cards) for meld in oracle.melds[side]]


class TestWorkedExamples:
    def test_1_a_new_deal(self) -> None:
        assert len(PACK) == 270
        for seed in range(20):
            table = deal_randomly(random.Random(seed))
            new_deal_is_valid(table)
            assert len(table["stock"]) == 165 - sum(table["red_threes"])
            assert table["discard"][0] in NATURAL

    def test_1_a_wrong_new_deal_is_refused(self) -> None:
        table = deal_randomly(random.Random(2))
        place = next(at for at, card in enumerate(table["stock"]) if card == "2")
        table["stock"][place], table["discard"] = table["discard"][0], ["2"]
        with pytest.raises(AssertionError, match="2 is turned up"):
            new_deal_is_valid(table)

    def test_2_first_melds_of_deal_1(self) -> None:
        oracle = at_play("K K K 7 7 7 4 5 6 8 9 T J 3B")
        assert names(oracle) == {"discard"}
        oracle = at_play("A A A 4 5 6 8 9 T J Q 7 3B 3B")
        assert legal(oracle) - {f"discard {card}" for card in oracle.hands[0]} == {"open_meld A"}
        oracle = at_play("K K JK 4 5 6 8 9 T J Q A 7 3B")
        assert is_legal(oracle, "open_meld K JK") and not is_legal(oracle, "open_meld K")
        play_all(oracle, "open_meld K JK")
        assert meld_cards(oracle) == ["K K JK"] and oracle.begun == ["K"]
        assert "discard" in names(oracle)

    def test_3_a_wild_meld_opens_deal_2(self) -> None:
        oracle = at_play("2 2 JK 4 5 6 8 9 T J Q 7 3B 3B", deal=2)
        assert legal(oracle) - {f"discard {card}" for card in oracle.hands[0]} == {"open_wild 1"}

    def test_3_minimum_of_deal_3(self) -> None:
        rest = "4 5 6 8 9 T J Q"
        oracle = at_play(f"A A A K K 2 {rest}", deal=3)
        assert names(oracle) == {"discard"}
        for order in (
            ("open_meld A", "add A", "open_meld K 2"),
            ("open_meld A", "open_meld K 2", "add A"),
        ):
            oracle = at_play(f"A A A A K K 2 {rest}", deal=3)
            for text in order:
                assert is_legal(oracle, text)
                assert not is_legal(oracle, "open_meld A 2") and not is_legal(oracle, "add 2 A")
                play_all(oracle, text)
                opened = text == order[-1]
                assert ("discard" in names(oracle)) == opened
            assert sorted(oracle.begun) == ["A", "K"] and oracle.kind == "start"

    def test_3_the_kings_may_begin(self) -> None:
        """Any order reaches the minimum, also one that begins with the dirty meld."""
        oracle = at_play("A A A A K K 2 4 5 6 8 9 T J", deal=3)
        play_all(oracle, "open_meld K 2", "open_meld A")
        assert legal(oracle) == {"add A A"}

    def test_4_wild_cards_in_a_meld(self) -> None:
        rest = "3B 4 6"
        oracle = at_play(f"Q 2 2 {rest}", melds={0: [OTHER_CLEAN]})
        assert names(oracle) == {"discard"}
        oracle = at_play(f"Q Q 2 {rest}", melds={0: [OTHER_CLEAN]})
        assert is_legal(oracle, "open_meld Q 2")
        for wild_rule, meld, add_is_legal in (
            ("strict", "Q Q Q 2", False),
            ("majority", "Q Q Q 2", True),
            ("strict", "Q Q Q Q 2", True),
            ("majority", "Q Q Q Q 2", True),
            ("strict", "Q Q Q Q 2 2", False),
            ("majority", "Q Q Q Q 2 2", True),
            ("majority", "Q Q Q 2 2", False),
        ):
            oracle = at_play(f"2 {rest}", melds={0: ["A A A", meld]}, wild_rule=wild_rule)
            assert is_legal(oracle, "add 2 Q") == add_is_legal, (wild_rule, meld)

    def test_5_seven_cards_of_the_pile(self) -> None:
        hands = {0: "8 8 J 4"}
        pile = "5 6 7 9 T J Q K A 8"
        oracle = oracle_at(hands=hands, discard=pile, melds={0: ["A A A"]})
        play_all(oracle, "take_pile")
        assert oracle.discard == ["5", "6", "7"] and meld_cards(oracle) == ["A A A", "8 8 8"]
        assert oracle.hands[0] == ["4", "9", "T", "J", "J", "Q", "K", "A"]
        assert oracle.known[0] == ["9", "T", "J", "Q", "K", "A"] and oracle.aside == []
        assert (oracle.kind, oracle.begun, oracle.phase) == ("start", ["8"], "play")

    @pytest.mark.parametrize(
        ("hand", "top"), [("8 2 J 4", "8"), ("8 8 J 4", "2"), ("3B 3B J", "3B"), ("JK JK J", "JK")]
    )
    def test_5_pile_that_is_not_taken(self, hand: str, top: str) -> None:
        oracle = oracle_at(hands={0: hand}, discard=f"5 6 {top}", melds={0: ["A A A"]})
        assert legal(oracle) == {"draw_two"}

    def test_6_the_other_cards_lie_aside(self) -> None:
        pile = "5 6 7 9 T J Q K A 8"
        oracle = oracle_at(hands={0: "8 8 A A A 4"}, discard=pile)
        play_all(oracle, "take_pile")
        assert oracle.aside == ["9", "T", "J", "Q", "K", "A"] == oracle.known[0]
        assert legal(oracle) == {"open_meld A"}
        play_all(oracle, "open_meld A")
        assert oracle.aside == [] and oracle.known[0] == ["9", "T", "J", "Q", "K", "A"]
        assert is_legal(oracle, "add A")

    def test_6_cards_of_the_pile_do_not_count(self) -> None:
        oracle = oracle_at(hands={0: "8 8 4 5 6 T"}, discard="A A A 9 J Q 8")
        assert legal(oracle) == {"draw_two"}

    def test_7_no_room_for_three(self) -> None:
        changes: Table = {"hands": {0: "K K 4"}, "discard": "5 K"}
        oracle = oracle_at(**changes, melds={0: ["K K K K K"]})
        assert legal(oracle) == {"draw_two"}
        oracle = oracle_at(**changes, melds={0: ["K K K K", "A A A"]})
        play_all(oracle, "take_pile")
        assert meld_cards(oracle) == ["K K K K K K K", "A A A"]
        assert oracle.melds[0][0].kind == "clean"
        assert (oracle.kind, oracle.begun) == ("add", [])

    def test_8_after_a_canasta(self) -> None:
        melds = {0: ["Q Q Q Q Q Q Q"]}
        assert not is_legal(at_play("Q 2 4 5", melds=melds), "add Q")
        oracle = at_play("Q Q Q 4 5", melds=melds)
        assert is_legal(oracle, "open_meld Q") and "add" not in names(oracle)
        play_all(oracle, "open_meld Q")
        assert meld_cards(oracle) == ["Q Q Q Q Q Q Q", "Q Q Q"]

    def test_9_one_kind_in_a_turn(self) -> None:
        changes: Table = {"melds": {0: ["K K K", "A A A"]}}
        hand = "5 5 5 5 2 K K 9 4"
        oracle = at_play(hand, **changes)
        play_all(oracle, "open_meld 5")
        assert not is_legal(oracle, "add K") and not is_legal(oracle, "add 2 K")
        assert is_legal(oracle, "add 5") and is_legal(oracle, "add 2 5")
        oracle = at_play(hand, **changes)
        play_all(oracle, "add K")
        assert oracle.kind == "add" and "open_meld" not in names(oracle)
        assert is_legal(oracle, "add 2 A")
        oracle = at_play(hand, **changes, one_kind_per_turn=False)
        play_all(oracle, "open_meld 5")
        assert is_legal(oracle, "add K") and is_legal(oracle, "add 5")
        assert (oracle.kind, oracle.begun) == (None, [])

    def test_10_the_foot_first_way(self) -> None:
        foot = "3R 3R 5 5 5 4 6 7 8 9 T J Q"
        oracle = at_play(
            "5 5 5", melds={0: ["K K K K K"]}, feet={0: foot}, stock="A K", red_threes=[1, 0]
        )
        play_all(oracle, "open_meld 5")
        assert oracle.feet[0] is None and oracle.red_threes == [3, 0]
        assert oracle.hands[0] == ["4", "5", "5", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
        assert (oracle.kind, oracle.begun, oracle.phase, oracle.turn) == (None, [], "play", 0)
        assert is_legal(oracle, "add 5") and is_legal(oracle, "add K")
        assert not is_legal(oracle, "open_meld 5")
        play_all(oracle, "add 5", "discard 4")
        assert (oracle.turn, oracle.turns, oracle.discard[-1]) == (1, 2, "4")

    def test_11_the_foot_second_way(self) -> None:
        oracle = at_play("9 4", melds={0: ["9 9 9", "K K K"]}, feet={0: "3R ..."}, stock="A 3R")
        play_all(oracle, "add 9", "discard 4")
        assert oracle.feet[0] is None and len(oracle.hands[0]) == 13 and "A" in oracle.hands[0]
        assert oracle.red_threes == [2, 0]
        assert (oracle.turn, oracle.phase, oracle.kind) == (1, "draw", None)

    def test_12_asking_and_going_out(self) -> None:
        changes: Table = {"in_foot": [0, 2], "melds": {0: [*NEEDED, "K K K K"]}}
        oracle = at_play("K 4", **changes, episode="deal", deal=1)
        assert legal(oracle) == {"discard K", "discard 4", "ask_partner"}
        play_all(oracle, "ask_partner")
        assert (oracle.phase, oracle.turn, oracle.to_act) == ("ask", 0, 2)
        assert names(oracle) == {"allow", "refuse"}
        play_all(oracle, "allow")
        assert (oracle.phase, oracle.to_act, oracle.permission) == ("play", 0, "allow")
        assert legal(oracle) == {"add K K", "discard K", "discard 4"}
        play_all(oracle, "add K")
        assert legal(oracle) == {"discard 4"}
        play_all(oracle, "discard 4")
        assert oracle.finished and oracle.hands[0] == [] and oracle.permission is None
        oracle = at_play("K 4", **changes)
        play_all(oracle, "ask_partner", "refuse")
        assert legal(oracle) == {"discard K", "discard 4"}
        play_all(oracle, "discard 4")
        assert (oracle.turn, oracle.permission) == (1, None)

    def test_13_one_canasta_is_lacking(self) -> None:
        changes: Table = {"in_foot": [0, 2], "melds": {0: WILD_LACKING}}
        oracle = at_play("2 4", **changes)
        play_all(oracle, "ask_partner", "allow")
        assert legal(oracle) == {"add 2 wild", "discard 2", "discard 4"}
        play_all(oracle, "add 2 wild")
        assert legal(oracle) == {"discard 4"}
        oracle = at_play("2 4", **changes)
        play_all(oracle, "ask_partner", "allow", "discard 4")
        assert oracle.hands[0] == ["2"] and oracle.turn == 1
        oracle = at_play("2 4", in_foot=[0, 2], melds={0: [CLEAN, OTHER_CLEAN, DIRTY]})
        assert "ask_partner" not in names(oracle)

    def test_14_the_last_card_is_added(self) -> None:
        changes: Table = {"in_foot": [0, 2], "melds": {0: [*WILD_LACKING, "Q Q Q"]}}
        oracle = at_play("Q 2", **changes, episode="deal", deal=1)
        assert not is_legal(oracle, "add Q")
        play_all(oracle, "ask_partner", "allow")
        # The two on the queens would leave a queen that does not close the wild canasta.
        assert legal(oracle) == {"add Q Q", "add 2 wild", "discard Q", "discard 2"}
        play_all(oracle, "add Q")
        assert legal(oracle) == {"add 2 wild"}
        play_all(oracle, "add 2 wild")
        assert oracle.finished
        oracle = at_play("Q 2", **changes)
        play_all(oracle, "ask_partner", "allow", "add 2 wild")
        assert legal(oracle) == {"add Q Q", "discard Q"}

    @pytest.mark.parametrize(("pile", "taken"), [("8", False), ("4 8", True)])
    def test_15_the_pile_in_the_foot(self, pile: str, taken: bool) -> None:
        oracle = oracle_at(
            hands={0: "8 8 5"}, discard=pile, in_foot=[0], melds={0: ["K K K", "A A A"]}
        )
        assert is_legal(oracle, "take_pile") == taken

    def test_16_score(self) -> None:
        oracle = oracle_at(
            phase="play",
            need=[1, 1, 0],
            permission="allow",
            in_foot=[0, 2],
            hands={0: "4", 1: "4 5 A", 2: "A 5 3B", 3: "2 JK"},
            feet={1: "3R 3R 4 4 4 4 4 4 4 4 4 4 4", 3: "5 5 5 5 5 5 5 5 5 5 5 5 5"},
            melds={0: ["K K K K K K K", "9 9 9 9 9 2 2"], 1: ["Q Q Q Q Q"]},
            red_threes=[2, 1],
            episode="deal",
            deal=1,
        )
        rewards = play_all(oracle, "discard 4")
        theirs = 100 + 50 - 30 - 70 - 55 - 200 - 65
        assert oracle.scores == [1230, theirs] and oracle.winners == [0]
        reward = (1230 - theirs) / 2000
        assert rewards == [reward, -reward, reward, -reward]
        assert oracle.win_rewards == [1.0, -1.0, 1.0, -1.0]

    def test_17_the_stock_is_depleted(self) -> None:
        changes: Table = {"stock": "4", "rest": "discard", "melds": {0: ["A A A"]}}
        oracle = oracle_at(hands={0: "K 9"}, discard="8", **changes, episode="deal", deal=1)
        assert legal(oracle) == {"pass"}
        play_all(oracle, "pass")
        assert oracle.finished and oracle.hands[0] == ["9", "K"]
        nothing_else = sum(oracle.scores)
        oracle = oracle_at(hands={0: "8 8 9"}, discard="8", **changes)
        assert legal(oracle) == {"pass", "take_pile"}
        assert nothing_else < 0

    @pytest.mark.parametrize(("need", "asks"), [([2, 2, 1], False), ([1, 0, 0], True)])
    def test_18_pass_with_a_single_card(self, need: list[int], asks: bool) -> None:
        oracle = oracle_at(
            need=need,
            hands={0: "K"},
            in_foot=[0, 2],
            stock="3R 3R",
            rest="discard",
            melds={0: ["K K K", "A A A"]},
        )
        play_all(oracle, "draw_two")
        assert oracle.hands[0] == ["K"] and oracle.red_threes[0] == 2
        assert legal(oracle) == ({"pass", "ask_partner"} if asks else {"pass"})
        play_all(oracle, "pass")
        assert (oracle.turn, oracle.phase, oracle.turns) == (1, "draw", 2)
        assert "draw_two" not in names(oracle) and "pass" in names(oracle)


class TestMelds:
    def test_there_are_72_meld_moves(self) -> None:
        kinds = Counter(move["move"] for move in MELD_MOVES)
        assert kinds == {"open_meld": 33, "open_wild": 4, "add": 35}

    @pytest.mark.parametrize(
        ("hand", "jokers"), [("2 2 2 JK JK JK", {0, 1, 2, 3}), ("2 JK JK", {2}), ("2 2 4", set())]
    )
    def test_wild_melds(self, hand: str, jokers: set[int]) -> None:
        oracle = at_play(f"{hand} 4 3B", melds={0: ["A A A"]})
        opened = {move["jokers"] for move in oracle.legal_moves() if move["move"] == "open_wild"}
        assert opened == jokers

    def test_only_one_wild_meld_is_unclosed(self) -> None:
        oracle = at_play("2 2 2 4 5", melds={0: ["2 2 JK"]})
        assert "open_wild" not in names(oracle) and is_legal(oracle, "add 2 wild")

    def test_closed_and_begun_again_in_one_turn(self) -> None:
        oracle = at_play("Q " * 10 + "Q 4", melds={0: ["A A A"]})
        play_all(oracle, "open_meld Q", "add Q", "add Q", "add Q")
        assert oracle.begun == ["Q"]
        play_all(oracle, "add Q")
        assert (oracle.kind, oracle.begun) == ("start", [])
        play_all(oracle, "open_meld Q", "add Q")
        assert oracle.begun == ["Q"] and meld_cards(oracle)[2] == "Q Q Q Q"

    def test_begun_is_sorted_with_wild_last(self) -> None:
        oracle = at_play("A A A 2 2 2 4 4 4 5 6", melds={0: ["K K K K K"]})
        play_all(oracle, "open_wild 0", "open_meld A", "open_meld 4")
        assert oracle.begun == ["4", "A", "wild"]
        assert meld_cards(oracle)[1:] == ["2 2 2", "A A A", "4 4 4"]

    def test_the_partners_melds_are_ones_own(self) -> None:
        oracle = oracle_at(turn=2, phase="play", hands={2: "A 4 5"}, melds={0: ["A A A"]})
        assert is_legal(oracle, "add A")

    def test_canastas_by_kind(self) -> None:
        kinds = [Meld("x", tuple(cards.split())).kind for cards in (CLEAN, DIRTY)]
        assert kinds == ["clean", "dirty"] and Meld("wild", ("2",) * 7).kind == "wild"

    def test_strict_second_wild_card_closes_six(self) -> None:
        """Six natural cards and one wild card, or five and two."""
        oracle = at_play("2 2 8 4", melds={0: ["8 8 8 8 8", "A A A"]})
        play_all(oracle, "add 2 8", "add 2 8")
        assert meld_cards(oracle)[0] == "8 8 8 8 8 2 2"


class TestOpening:
    def test_wild_cards_are_shared_out_as_the_minimum_wants(self) -> None:
        oracle = at_play("K K Q Q 2 JK 4 5 6", minimums=[110, 110, 110, 110])
        assert {text for text in legal(oracle) if "open" in text} == {
            *("open_meld K 2", "open_meld K JK", "open_meld Q 2", "open_meld Q JK")
        }
        play_all(oracle, "open_meld K JK")
        assert legal(oracle) == {"open_meld Q 2"}

    def test_a_move_that_spoils_the_minimum_is_not_legal(self) -> None:
        oracle = at_play("K K K Q Q 2 4 5 6", minimums=[70, 70, 70, 70])
        assert {text for text in legal(oracle) if "open" in text} == {
            "open_meld K",
            "open_meld Q 2",
        }
        play_all(oracle, "open_meld K")
        assert legal(oracle) == {"open_meld Q 2"}

    def test_eight_of_a_rank_reach_only_seven(self) -> None:
        changes: Table = {"minimums": [75, 75, 75, 75]}
        assert "open_meld" not in names(at_play("K K K K K K K K 4 5", **changes))
        assert is_legal(at_play("K K K K K K K K K K 4 5", **changes), "open_meld K")

    @pytest.mark.parametrize(("twos", "legal_too"), [(8, False), (9, False), (10, True)])
    def test_eight_wild_cards_reach_only_seven(self, twos: int, legal_too: bool) -> None:
        oracle = at_play("2 " * twos + "4 5", minimums=[145, 145, 145, 145])
        assert is_legal(oracle, "open_wild 0") == legal_too

    def test_opening_with_all_cards_brings_the_foot(self) -> None:
        oracle = at_play("K K K A A A")
        play_all(oracle, "open_meld K", "open_meld A")
        assert oracle.feet[0] is None and len(oracle.hands[0]) == 13 and oracle.kind is None

    def test_the_foot_does_not_count(self) -> None:
        oracle = at_play("K K K", feet={0: "A A A ..."})
        assert names(oracle) == {"discard"}

    def test_the_pile_brings_the_foot(self) -> None:
        oracle = oracle_at(hands={0: "A A"}, discard="A", feet={0: "3R ..."}, stock="4")
        play_all(oracle, "take_pile")
        assert oracle.feet[0] is None and len(oracle.hands[0]) == 13
        assert (oracle.kind, oracle.begun, oracle.phase) == (None, [], "play")
        assert oracle.discard == [] and oracle.red_threes == [1, 0]

    def test_the_pile_alone_opens(self) -> None:
        oracle = oracle_at(hands={0: "A A 4"}, discard="5 5 5 A")
        play_all(oracle, "take_pile")
        assert oracle.aside == [] and is_legal(oracle, "open_meld 5")

    def test_aside_binds_by_number_and_stays_known(self) -> None:
        oracle = oracle_at(hands={0: "8 8 9 9 2 JK 4"}, discard="9 J 8")
        play_all(oracle, "take_pile")
        assert oracle.aside == ["9", "J"]
        assert legal(oracle) == {"open_meld 9 JK", "open_meld 9 2", "add JK 8", "add 2 8"}
        play_all(oracle, "open_meld 9 2")
        assert oracle.aside == [] and oracle.known[0] == ["9", "J"]
        assert is_legal(oracle, "add 9")

    def test_aside_opening_is_not_emptied_too_early(self) -> None:
        oracle = oracle_at(
            hands={0: "8 8 9 9 9 K K K 4"}, discard="9 J 8", minimums=[90, 90, 90, 90]
        )
        play_all(oracle, "take_pile", "open_meld 9")
        assert oracle.aside == ["9", "J"] == oracle.known[0]
        assert legal(oracle) == {"open_meld K"}

    def test_nobody_discards_while_opening(self) -> None:
        oracle = at_play("A 4 5 A A", melds={0: ["K K K"]})
        assert (oracle.kind, oracle.begun) == ("start", ["K"])
        assert legal(oracle) == {"open_meld A"}

    def test_the_partner_is_open_too(self) -> None:
        oracle = oracle_at(turn=2, phase="play", hands={2: "4 4 4 5"}, melds={0: ["A A A"]})
        assert is_legal(oracle, "open_meld 4")

    def test_reach_is_bound_in_the_foot(self) -> None:
        """Play never brings it about: a side not open with a seat in its foot."""
        oracle = at_play("A A A", in_foot=[0, 2])
        assert names(oracle) == {"discard"}
        oracle = at_play("A A A 4", in_foot=[0, 2])
        assert names(oracle) == {"discard"}
        oracle = at_play("A A A 4 5", in_foot=[0, 2])
        assert is_legal(oracle, "open_meld A")

    def test_reach_counted_and_tried_agree(self) -> None:
        generator = random.Random(5)
        reached = [self.compare_reach(generator) for _ in range(400)]
        assert 100 < sum(reached) < 300

    def compare_reach(self, generator: random.Random) -> bool:
        """Reach by ranks and by sequences, from a hand of few ranks; what both say."""
        ranks = generator.sample(NATURAL, 2)
        cards = generator.choices([*ranks * 2, *WILD_CARDS], k=generator.randint(3, 9))
        hand = tuple(sort_cards(cards))
        terms = Terms(
            wild_rule=generator.choice(["strict", "majority"]),
            one_kind_per_turn=generator.random() < 0.5,
            minimum=generator.randint(6, 35) * 5,
            need=(2, 2, 1),
            in_foot=False,
            may_leave=False,
        )
        aside = (generator.choice(hand),) if generator.random() < 0.3 else ()
        position = Position(hand, aside, (), None, ())
        for wanted in range(2):
            moves = moves_that_fit(position, terms)
            if moves and generator.random() < 0.3 * (1 + wanted):
                position = after_move(position, generator.choice(moves), terms)
        assert lays_only_new_melds(position, terms) or is_open(position, terms)
        tried = in_reach_by_trying(position, terms)
        assert in_reach(position, terms) == tried
        if not is_open(position, terms):
            counted = position.laid() + most_layable(position, terms)
            assert (counted >= terms.minimum) == tried
        return tried


class TestFoot:
    def test_two_cards_are_kept(self) -> None:
        changes: Table = {"in_foot": [0], "melds": {0: ["K K K", "A A A"]}}
        assert is_legal(at_play("K K 4", **changes), "add K")
        assert not is_legal(at_play("K 4", **changes), "add K")
        assert names(at_play("Q Q Q 4", **changes)) == {"discard"}
        assert is_legal(at_play("Q Q Q 4 5", **changes), "open_meld Q")

    @pytest.mark.parametrize(("in_foot", "asks"), [([0], False), ([0, 2], True), ([2], False)])
    def test_who_may_ask(self, in_foot: list[int], asks: bool) -> None:
        oracle = at_play("K 4", in_foot=in_foot, melds={0: NEEDED})
        assert is_legal(oracle, "ask_partner") == asks

    def test_partner_need_not_be_in_its_foot(self) -> None:
        oracle = at_play("4", in_foot=[0], melds={0: NEEDED}, partner_in_foot=False, deal=4)
        assert legal(oracle) == {"pass", "ask_partner"}
        play_all(oracle, "ask_partner", "allow")
        assert legal(oracle) == {"discard 4"}

    def test_after_refuse_with_a_single_card(self) -> None:
        oracle = at_play("4", in_foot=[0, 2], melds={0: NEEDED})
        play_all(oracle, "ask_partner", "refuse")
        assert legal(oracle) == {"pass"}

    def test_out_by_opening_a_meld(self) -> None:
        oracle = at_play(
            "Q Q Q", in_foot=[0, 2], melds={0: NEEDED}, permission="allow", episode="deal"
        )
        assert legal(oracle) == {"open_meld Q", "discard Q"}
        play_all(oracle, "open_meld Q")
        assert oracle.finished and meld_cards(oracle)[-1] == "Q Q Q"
        assert (oracle.kind, oracle.begun) == (None, [])

    def test_the_last_card_must_not_be_barred_by_the_kind_of_turn(self) -> None:
        """As example 14, but a new meld would leave the two, and the wild meld is an older one."""
        changes: Table = {"in_foot": [0, 2], "permission": "allow", "melds": {0: WILD_LACKING}}
        assert not is_legal(at_play("Q Q Q 2", **changes), "open_meld Q")
        assert is_legal(at_play("Q Q Q 2", **changes, one_kind_per_turn=False), "open_meld Q")

    def test_the_last_card_must_not_be_barred_by_the_wild_rule(self) -> None:
        melds = {0: [CLEAN, OTHER_CLEAN, DIRTY, WILD_CANASTA, "9 9 9 9 2 2", "Q Q Q"]}
        changes: Table = {"in_foot": [0, 2], "permission": "allow", "melds": melds}
        assert not is_legal(at_play("Q 2", **changes), "add Q")
        assert is_legal(at_play("Q 2", **changes, wild_rule="majority"), "add Q")
        assert is_legal(at_play("Q 9", **changes), "add Q")

    def test_need_of_nothing(self) -> None:
        oracle = at_play("4", in_foot=[0, 2], melds={0: ["A A A"]}, need=[0, 0, 0])
        play_all(oracle, "ask_partner", "allow")
        assert legal(oracle) == {"discard 4"}

    def test_red_threes_without_replacement(self) -> None:
        foot = "3R " * 10 + "4 5 6"
        oracle = at_play("A", feet={0: foot}, melds={0: ["A A A"]}, stock="", rest="discard")
        play_all(oracle, "add A")
        assert oracle.hands[0] == ["4", "5", "6"] and oracle.red_threes == [10, 0]

    def test_one_replacement_is_left(self) -> None:
        oracle = oracle_at(stock="A 3R 3R", rest="discard", hands={0: "4"})
        play_all(oracle, "draw_two")
        assert oracle.hands[0] == ["4", "A"] and oracle.red_threes[0] == 2


class TestEnd:
    def test_the_next_deal(self) -> None:
        table = make_table(stock="4", rest="discard", hands={0: "9"}, discard="8", scores=[5, -15])
        oracle = Oracle.from_table(table)
        after = shuffled_deal(random.Random(3), 1)
        oracle.play(parse_move("pass"), after)
        new_deal_is_valid(oracle.table())
        assert (oracle.deal, oracle.dealer, oracle.turn, oracle.minimum) == (2, 0, 1, 90)
        assert oracle.hands == after["hands"] and oracle.red_threes == after["red_threes"]
        assert not any(oracle.win_rewards) and oracle.scores[1] > -15

    def test_an_impossible_deal_is_refused(self) -> None:
        table = make_table(stock="", rest="discard", hands={0: "9"}, discard="8")
        after = shuffled_deal(random.Random(3), 1)
        after["stock"].append(after["stock"][0])
        with pytest.raises(AssertionError, match="too many"):
            Oracle.from_table(table).play(parse_move("pass"), after)

    def test_a_tie_is_shared(self) -> None:
        oracle = oracle_at(
            deal=4,
            stock="",
            rest="discard",
            hands=dict.fromkeys(range(NUM_PLAYERS), "9"),
            in_foot=[0, 1, 2, 3],
            discard="8",
            scores=[1000, 0],
        )
        play_all(oracle, "pass")
        assert oracle.red_threes == [0, 10] and oracle.scores == [980, 980]
        assert oracle.winners == [0, 1] and oracle.win_rewards == [0.0] * 4
        assert oracle.rewards == [-0.5, 0.5, -0.5, 0.5]

    @pytest.mark.parametrize("foot_red_three", [100, 500])
    def test_red_threes_in_the_foot(self, foot_red_three: int) -> None:
        oracle = oracle_at(
            stock="",
            rest="discard",
            hands={0: "9", 2: "A"},
            feet={0: "3R 3R 4 4 4 4 4 4 4 4 4 4 4"},
            in_foot=[1, 2, 3],
            red_threes=[1, 7],
            foot_red_three=foot_red_three,
            episode="deal",
            deal=2,
        )
        play_all(oracle, "pass")
        assert oracle.scores[0] == 100 - 10 - 20 - 55 - 2 * foot_red_three

    def test_an_illegal_move_is_refused(self) -> None:
        with pytest.raises(AssertionError, match="not legal"):
            play_all(oracle_at(), "discard 4")


class TestTable:
    def test_round_trip(self) -> None:
        table = make_table(melds={1: ["A A A"]}, known={2: "4"}, hands={2: "4 ..."})
        assert Oracle.from_table(table).table() == table

    def test_view(self) -> None:
        table = make_table(known={2: "4", 0: "5"}, hands={2: "4 ...", 0: "5 ..."}, in_foot=[3])
        seen = view(table | {"rng": "0"}, 0)
        assert seen["hands"][0] == table["hands"][0]
        assert seen["hands"][1] == {"count": 13, "known": []}
        assert seen["hands"][2] == {"count": 13, "known": ["4"]}
        hidden_foot = {"count": 13, "known": []}
        assert seen["feet"] == [hidden_foot, hidden_foot, hidden_foot, None]
        assert seen["stock"] == {"count": len(table["stock"]), "known": []}
        assert set(seen) == set(table) and seen["discard"] == table["discard"]

    @pytest.mark.parametrize(
        "changes",
        [
            {"melds": {0: ["K K K"]}},
            {"melds": {1: ["K K K"]}, "phase": "play"},
            {"melds": {0: ["K K K"]}, "phase": "play", "hands": {0: "4 5"}},
            {"melds": {0: ["A A A", "A A A A"]}},
            {"melds": {0: ["A A A 2 2"]}},
            {"melds": {0: ["A A A 4"]}},
            {"known": {0: "A"}, "hands": {0: "4"}},
            {"hands": {0: ""}},
            {"hands": {0: "3R"}},
            {"minimum": 60},
        ],
    )
    def test_make_table_refuses(self, changes: Table) -> None:
        with pytest.raises(AssertionError):
            oracle_at(**changes)


def play_itself(
    generator: random.Random, start: Table, eager: float
) -> tuple[Oracle, Counter[str]]:
    """Plays a table to its end with random moves; the end, and how often what happened."""
    oracle = Oracle.from_table(start)
    happened: Counter[str] = Counter()
    while not oracle.finished:
        moves = oracle.legal_moves()
        assert moves, f"no legal move in {oracle.table()}"
        assert len(set(map(str, moves))) == len(moves)
        move = choose(generator, moves, eager)
        before = oracle.table()
        rewards = oracle.play(move, chance_after(generator, before, move))
        after = oracle.table()
        check(generator, oracle, after)
        assert sum(rewards) == pytest.approx(0) == sum(oracle.win_rewards)
        happened[f"{move['move']} in {before['phase']}"] += 1
        deal_has_ended = oracle.finished or oracle.deal != before["deal"]
        happened["out"] += deal_has_ended and move["move"] != "pass"
        happened["foot"] += not deal_has_ended and after["feet"] != before["feet"]
        if deal_has_ended and not oracle.finished:
            new_deal_is_valid(after)
    return oracle, happened


def check(generator: random.Random, oracle: Oracle, table: Table) -> None:
    """What holds in every position."""
    if oracle.finished:
        assert_pack(table)
        assert (table["to_act"], table["phase"]) == (None, "over")
        assert oracle.winners and oracle.legal_moves() == []
    else:
        assert_legal(table)
    assert generator.random() < 0.95 or Oracle.from_table(table).table() == table


def choose(generator: random.Random, moves: list[Move], eager: float) -> Move:
    """A random move; an eager mover melds and asks if it can, an eager partner allows."""
    eagerly = ("open_meld", "open_wild", "add", "take_pile", "ask_partner", "allow")
    wanted = [move for move in moves if move["move"] in eagerly]
    return generator.choice(wanted if wanted and generator.random() < eager else moves)


class TestSelfPlay:
    @pytest.mark.parametrize("wild_rule", ["strict", "majority"])
    @pytest.mark.parametrize("one_kind_per_turn", [True, False])
    def test_games(self, wild_rule: str, one_kind_per_turn: bool) -> None:
        generator = random.Random(wild_rule)
        start = deal_randomly(generator, wild_rule=wild_rule, one_kind_per_turn=one_kind_per_turn)
        new_deal_is_valid(start)
        oracle, happened = play_itself(generator, start, eager=0.8)
        assert oracle.deal == 4 and oracle.winners and happened["foot"]

    @pytest.mark.parametrize("deal", [1, 2, 3, 4])
    @pytest.mark.parametrize("eager", [0.0, 1.0])
    @pytest.mark.parametrize("need", [[2, 2, 1], [1, 0, 0], [0, 0, 0]])
    def test_single_deals(self, deal: int, eager: float, need: list[int]) -> None:
        generator = random.Random(deal)
        start = deal_randomly(
            generator,
            need=need,
            episode="deal",
            deal=deal,
            partner_in_foot=deal % 2 == 0,
            one_kind_per_turn=deal < 3,
        )
        oracle, _ = play_itself(generator, start, eager)
        assert oracle.deal == deal and oracle.minimum == [50, 90, 120, 150][deal - 1]

    def test_last_turns(self) -> None:
        """From small hands in the foot, with nearly all canastas: many go out."""
        generator = random.Random(4)
        happened: Counter[str] = Counter()
        cards = [*"QQQQ99922", "JK", "8", "8"]
        for _ in range(60):
            start = make_table(
                phase="play",
                episode="deal",
                in_foot=range(NUM_PLAYERS),
                melds={0: [*generator.choice([NEEDED, WILD_LACKING]), "9 9 9 9 9 2", "K K K"]},
                hands={seat: " ".join(generator.sample(cards, 4)) for seat in range(NUM_PLAYERS)},
                stock=" ".join(generator.sample(cards, 12)),
                rest="discard",
                discard="8",
                one_kind_per_turn=generator.random() < 0.5,
                wild_rule=generator.choice(["strict", "majority"]),
            )
            happened += play_itself(generator, start, eager=0.8)[1]
        assert happened["out"] > 15 and happened["pass in draw"] > 5

    def test_everything_happens(self) -> None:
        generator = random.Random(7)
        happened: Counter[str] = Counter()
        for need in ([0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]) * 3:
            start = deal_randomly(generator, need=need, episode="deal", deal=1)
            happened += play_itself(generator, start, eager=0.9)[1]
        assert set(happened) >= {
            *("draw_two in draw", "take_pile in draw", "pass in draw", "ask_partner in play"),
            *("open_meld in play", "open_wild in play", "add in play", "discard in play"),
            *("allow in ask", "refuse in ask", "foot", "out"),
        }
