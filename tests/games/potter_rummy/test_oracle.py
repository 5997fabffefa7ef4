"""The oracle of Beatrix Potter's Rummy against the worked examples of the rules and itself."""

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from .oracle import (
    CHARACTERS,
    FULL_SET,
    NAMES,
    PACK,
    SIGNPOST,
    Move,
    Oracle,
    Table,
    assert_position,
    cards_dealt,
    is_set,
    moves_of_phase,
    new_deal_is_valid,
    sort_cards,
    view,
    winners_rewards,
)
from .tables import (
    chance_after,
    deal_randomly,
    ends_deal,
    make_table,
    parse_move,
    shuffled_deal,
)

NO_CHANCE: Table = {}
PLAIN_SIX = "c9 c10 c11 c12 c13 c14"
"""Six cards of which nothing can be laid, without a signpost."""
ONE_TO_WIN = {0: ["c1 c1 signpost", "c2 c2"]}
"""Sets with which `add 1 false` wins, if the hand is c2."""


def oracle_at(**changes: Any) -> Oracle:
    """An oracle at a table of `make_table`."""
    return Oracle.from_table(make_table(**changes))


def winning_oracle(**changes: Any) -> Oracle:
    """An oracle where seat 0 wins by `add 1 false`."""
    changes["hands"] = {0: "c2"} | changes.get("hands", {})
    changes["sets"] = ONE_TO_WIN | changes.get("sets", {})
    return oracle_at(**changes)


def play_all(oracle: Oracle, *texts: str) -> list[float]:
    """Plays moves, chance at random; the rewards of the last."""
    rewards: list[float] = []
    for text in texts:
        move = parse_move(text)
        rewards = oracle.play(move, chance_after(random.Random(1), oracle.table(), move))
    return rewards


def is_legal(oracle: Oracle, text: str) -> bool:
    """Whether a move in a few words is legal."""
    return parse_move(text) in oracle.legal_moves()


def names(oracle: Oracle) -> set[str]:
    """The kinds of moves that are legal."""
    return {move["move"] for move in oracle.legal_moves()}


def moves_named(oracle: Oracle, name: str) -> list[Move]:
    """The legal moves of one kind."""
    return [move for move in oracle.legal_moves() if move["move"] == name]


class TestWorkedExamples:
    def test_1_a_pair_is_laid_without_draw_or_discard(self) -> None:
        oracle = oracle_at(hands={0: "c1 c1 c2 c3 c4 c5"})
        before = oracle.table()
        play_all(oracle, "lay c1 2 false")
        assert oracle.hands[0] == ["c2", "c3", "c4", "c5"] and oracle.sets[0] == [["c1", "c1"]]
        assert (oracle.turn, oracle.to_act, oracle.phase, oracle.turns) == (1, 1, "act", 2)
        assert oracle.stock == before["stock"] and oracle.discard == before["discard"]

    def test_2_sets_of_a_pair_and_a_signpost(self) -> None:
        oracle = oracle_at(hands={0: "c1 c1 signpost c4 c5 c6"})
        for text in ("lay c1 2 false", "lay c1 2 true", "lay c1 3 true"):
            assert is_legal(oracle, text)
        assert not is_legal(oracle, "lay c1 3 false")

    def test_2_sets_of_a_card_and_two_signposts(self) -> None:
        oracle = oracle_at(hands={0: "c1 signpost signpost c4 c5 c6"})
        of_c1 = [move for move in moves_named(oracle, "lay") if move["card"] == "c1"]
        assert of_c1 == [parse_move("lay c1 2 true")]
        laid = {move["card"] for move in moves_named(oracle, "lay")}
        assert laid == {"c1", "c4", "c5", "c6"}
        play_all(oracle, "lay c1 2 true")
        assert oracle.sets[0] == [["c1", SIGNPOST]] and oracle.hands[0].count(SIGNPOST) == 1

    def test_3_the_turn_is_over_after_the_first_lay(self) -> None:
        oracle = oracle_at(hands={0: "c1 c1 c2 c2 c4 c5"})
        play_all(oracle, "lay c1 2 false")
        assert oracle.turn == 1 and oracle.phase == "act"
        assert not is_legal(oracle, "lay c2 2 false")

    @pytest.mark.parametrize("draw", ["draw_stock", "take_discard"])
    def test_3_after_a_draw_only_a_discard(self, draw: str) -> None:
        oracle = oracle_at(hands={0: "c1 c1 c2 c2 c4 c5"}, sets={1: ["c2 signpost"]})
        play_all(oracle, draw)
        assert names(oracle) == {"discard"} and oracle.turn == 0

    def test_4_substitute(self) -> None:
        oracle = oracle_at(hands={0: "c1 ..."}, sets={1: ["c1 c1 signpost"]}, known={0: "c1"})
        play_all(oracle, "substitute 1 0")
        assert oracle.sets[1] == [["c1", "c1", "c1"]]
        assert SIGNPOST in oracle.hands[0] and "c1" not in oracle.hands[0]
        assert oracle.known[0] == [SIGNPOST]
        assert (oracle.turn, oracle.phase) == (1, "act")

    def test_5_no_substitution_in_an_own_set(self) -> None:
        changes: Table = {"sets": {0: ["c1 signpost"]}, "hands": {0: "c1 ...", 2: "c1 ..."}}
        oracle = oracle_at(**changes)
        assert "substitute" not in names(oracle)
        assert is_legal(oracle, "take_back 0")
        play_all(oracle, "add 0 false")
        assert oracle.sets[0] == [["c1", "c1", SIGNPOST]]
        oracle = oracle_at(**changes, turn=2)
        play_all(oracle, "substitute 0 0")
        assert oracle.sets[0] == [["c1", "c1"]] and oracle.known[2] == [SIGNPOST]

    def test_6_one_signpost_a_set(self) -> None:
        oracle = oracle_at(sets={0: ["c1 signpost"]}, hands={0: "signpost ..."})
        assert not is_legal(oracle, "add 0 true")
        oracle = oracle_at(sets={0: ["c1 c1"]}, hands={0: "signpost ..."})
        play_all(oracle, "add 0 true")
        assert oracle.sets[0] == [["c1", "c1", SIGNPOST]]

    def test_6_no_add_to_a_set_of_three_or_of_another(self) -> None:
        oracle = oracle_at(sets={0: ["c1 c1 c1"], 1: ["c2 c2"]}, hands={0: "c2 signpost c3"})
        assert moves_named(oracle, "add") == []
        oracle = oracle_at(sets={0: ["c1 c1 signpost"]}, hands={0: "c1 signpost c3"})
        assert moves_named(oracle, "add") == [] == moves_named(oracle, "take_back")

    def test_7_three_pairs_and_no_hand(self) -> None:
        pairs = ["c1 c1", "c2 c2", "c3 c3"]
        oracle = oracle_at(num_players=2, sets={0: pairs}, stock="c1", hands={1: PLAIN_SIX})
        taking_back = [f"take_back {number}" for number in range(3)]
        expected = [*map(parse_move, ["draw_stock", "take_discard", *taking_back])]
        assert oracle.legal_moves() == expected
        play_all(oracle, "draw_stock")
        assert oracle.legal_moves() == [parse_move("discard c1")]
        play_all(oracle, "discard c1", "draw_stock", "discard c14", "take_back 1")
        assert oracle.sets[0] == [["c1", "c1"], ["c3", "c3"]] and oracle.turn == 1
        assert oracle.hands[0] == ["c2", "c2"] == oracle.known[0]

    def test_7_a_set_of_three_stays(self) -> None:
        oracle = oracle_at(sets={0: ["c1 c1 c1", "c2 c2"]}, hands={0: "c5"})
        assert moves_named(oracle, "take_back") == [parse_move("take_back 1")]

    def test_8_the_second_set_of_three_wins_at_once(self) -> None:
        oracle = winning_oracle(episode="deal")
        rewards = play_all(oracle, "add 1 false")
        assert oracle.sets[0] == [["c1", "c1", SIGNPOST], ["c2", "c2", "c2"]]
        assert oracle.finished and oracle.winners == [0] and oracle.hands[0] == []
        assert (oracle.phase, oracle.to_act, oracle.turn) == ("over", None, 0)
        assert oracle.scores == [30, 14, 14, 14] and not oracle.capped
        assert rewards == pytest.approx([16 / 20, *[(-6 + 2 / 3) / 20] * 3])
        assert oracle.win_rewards == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])
        assert oracle.legal_moves() == []

    def test_9_points(self) -> None:
        oracle = winning_oracle(
            hands={1: "c9 c10 c11 c12", 2: "c9 c10 c11 c12 c13 signpost", 3: PLAIN_SIX},
            sets={1: ["c3 c3"]},
        )
        play_all(oracle, "add 1 false")
        assert oracle.scores == [30, 16, 10, 14]

    @pytest.mark.parametrize(("extra", "cost"), [(False, 14), (True, 16)])
    def test_9_both_signposts(self, extra: bool, cost: int) -> None:
        oracle = winning_oracle(
            signpost_extra=extra,
            sets={0: ["c1 c1 c1", "c2 c2"]},
            hands={1: "c9 c10 c11 c12 signpost signpost"},
        )
        play_all(oracle, "add 1 false")
        assert oracle.scores[:2] == [30, 20 - cost]

    def test_9_one_signpost_with_the_extra(self) -> None:
        oracle = winning_oracle(signpost_extra=True, hands={3: "c9 c10 c11 c12 c13 signpost"})
        play_all(oracle, "add 1 false")
        assert oracle.scores[3] == 20 - 11

    def test_10_counters(self) -> None:
        oracle = winning_oracle(scoring="counters", scores=[40, 3, 0, 37])
        rewards = play_all(oracle, "add 1 false")
        assert oracle.scores == [49, 0, 0, 31]
        points = [9, -3, 0, -6]
        expected = [(own - (0 - own) / 3) / 20 for own in points]
        assert rewards == pytest.approx(expected)

    def test_11_one_set_wins_with_eight_players(self) -> None:
        oracle = oracle_at(num_players=8, episode="deal", hands={0: "c4 c4 c4"})
        play_all(oracle, "lay c4 3 false")
        assert oracle.winners == [0] and oracle.scores == [30] + [17] * 7

    @pytest.mark.parametrize(("third", "signpost"), [("c4", "false"), (SIGNPOST, "true")])
    def test_11_a_pair_first(self, third: str, signpost: str) -> None:
        hands = {0: "c4 c4 c5"}
        oracle = oracle_at(num_players=8, episode="deal", hands=hands, discard=third)
        play_all(oracle, "lay c4 2 false")
        assert not oracle.finished and oracle.hands[0] == ["c5"]
        oracle.turn = oracle.to_act = 0
        play_all(oracle, "take_discard", "discard c5")
        oracle.turn = oracle.to_act = 0
        play_all(oracle, f"add 0 {signpost}")
        assert oracle.winners == [0]

    def test_12_two_sets_of_one_character(self) -> None:
        oracle = oracle_at(sets={0: ["c1 signpost"]}, hands={0: "c1 c1 c5 c6"})
        play_all(oracle, "lay c1 2 false")
        assert oracle.sets[0] == [["c1", SIGNPOST], ["c1", "c1"]]
        oracle.turn = oracle.to_act = 0
        play_all(oracle, "take_back 0")
        assert oracle.sets[0] == [["c1", "c1"]] and oracle.known[0] == ["c1", SIGNPOST]

    def test_13_reshuffle(self) -> None:
        pile = "c3 c9 c3 c7 c5 c5 c11 c2"
        table = make_table(num_players=6, discard=pile, rest="stock")
        assert table["stock"] == []
        oracle = Oracle.from_table(table)
        assert {"draw_stock", "take_discard"} <= names(oracle)
        move = parse_move("draw_stock")
        after = chance_after(random.Random(1), table, move)
        oracle.play(move, after)
        assert len(oracle.stock) == 6 and oracle.discard == ["c2"]
        assert oracle.stock == after["stock"] and oracle.hands[0] == after["hands"][0]
        gained = Counter(oracle.hands[0]) - Counter(table["hands"][0])
        assert Counter(oracle.stock) + gained == Counter(pile.split()[:7])
        assert oracle.known[0] == [] and oracle.taken is None

    def test_14_a_wasted_turn(self) -> None:
        oracle = oracle_at(discard="c7", hands={0: "c7 c9 ..."})
        play_all(oracle, "take_discard")
        assert oracle.taken == "c7" and oracle.known[0] == ["c7"] and oracle.discard == []
        play_all(oracle, "discard c7")
        assert oracle.discard == ["c7"] and oracle.known[0] == [] and oracle.taken is None

    def test_14_not_without_return_discard(self) -> None:
        oracle = oracle_at(return_discard=False, discard="c7", hands={0: "c7 c9 ..."})
        play_all(oracle, "take_discard")
        assert not is_legal(oracle, "discard c7") and is_legal(oracle, "discard c9")

    @pytest.mark.parametrize("hand", ["", "c7 c7"])
    def test_14_but_when_the_hand_has_no_other_name(self, hand: str) -> None:
        pairs = ["c1 c1", "c2 c2", "c3 c3"]
        sets = {0: pairs[: 2 if hand else 3]}
        oracle = oracle_at(return_discard=False, discard="c7", sets=sets, hands={0: hand})
        play_all(oracle, "take_discard")
        assert oracle.legal_moves() == [parse_move("discard c7")]

    def test_15_known_after_taking_back(self) -> None:
        oracle = oracle_at(turn=2, sets={2: ["c5 signpost"]}, hands={2: "c5 ..."})
        play_all(oracle, "take_back 0")
        assert oracle.sets[2] == [] and oracle.known[2] == ["c5", SIGNPOST]
        assert oracle.hands[2].count("c5") == 2
        oracle.turn = oracle.to_act = 2
        play_all(oracle, "draw_stock", "discard c5")
        assert oracle.known[2] == [SIGNPOST] and "c5" in oracle.hands[2]

    def test_16_win_rule_1(self) -> None:
        oracle = winning_oracle(num_players=3, win_rule=1, scores=[31, 18, 31])
        play_all(oracle, "add 1 false")
        assert oracle.scores == [41, 12, 25] and oracle.winners == [0] and not oracle.capped
        oracle = winning_oracle(num_players=3, win_rule=1, scores=[29, 18, 31])
        play_all(oracle, "add 1 false")
        assert oracle.deal == 2 and not oracle.finished

    @pytest.mark.parametrize(("last", "winners"), [(6, [0]), (7, None)])
    def test_16_win_rule_2(self, last: int, winners: list[int] | None) -> None:
        oracle = winning_oracle(num_players=3, win_rule=2, scores=[24, 18, last])
        play_all(oracle, "add 1 false")
        assert oracle.scores == [34, 12, last - 6] and oracle.winners == winners

    @pytest.mark.parametrize("deal", [4, 5])
    def test_16_win_rule_3(self, deal: int) -> None:
        oracle = winning_oracle(num_players=3, deal=deal, scores=[21, 37, 24])
        play_all(oracle, "add 1 false")
        assert oracle.scores == [31, 31, 18]
        assert oracle.winners == ([0, 1] if deal == 5 else None)
        expected = [0.25, 0.25, -0.5] if deal == 5 else [0, 0, 0]
        assert oracle.win_rewards == pytest.approx(expected)

    def test_17_the_deal_is_void_at_the_cap(self) -> None:
        oracle = oracle_at(turns=239, deal=1, dealer=1, scores=[11, 29, 20, 20])
        play_all(oracle, "draw_stock")
        play_all(oracle, f"discard {oracle.hands[0][0]}")
        assert (oracle.deal, oracle.turns, oracle.turn) == (1, 240, 1)
        play_all(oracle, "take_discard")
        rewards = play_all(oracle, f"discard {oracle.hands[1][0]}")
        assert (oracle.deal, oracle.turns, oracle.dealer, oracle.turn) == (2, 1, 2, 3)
        assert oracle.scores == [11, 29, 20, 20] and oracle.capped and rewards == [0] * 4
        assert oracle.known == [[]] * 4 and oracle.taken is None
        new_deal_is_valid(oracle.table())

    def test_17_the_fifth_deal_is_void(self) -> None:
        oracle = oracle_at(turns=240, deal=5, scores=[11, 29, 20, 29], hands={0: "c1 c1 ..."})
        play_all(oracle, "lay c1 2 false")
        assert oracle.winners == [1, 3] and oracle.capped and oracle.turns == 240


class TestMovesOfATurn:
    @pytest.mark.parametrize("num_players", range(2, 13))
    def test_number_of_moves(self, num_players: int) -> None:
        moves = moves_of_phase("act", 1, num_players) + moves_of_phase("discard", 1, num_players)
        expected = 80 + 3 * (num_players - 1) if num_players <= 6 else 75 + num_players
        assert len(moves) == expected

    @pytest.mark.parametrize("free", [False, True])
    def test_bp_2_take_back(self, free: bool) -> None:
        oracle = oracle_at(
            takeback_free=free, turns=240, sets={0: ["c1 c1", "c2 signpost"]}, hands={0: "c1 c3"}
        )
        play_all(oracle, "take_back 1")
        if not free:
            assert oracle.deal == 2 and oracle.capped
            return
        assert (oracle.deal, oracle.turn, oracle.turns, oracle.phase) == (1, 0, 240, "act")
        play_all(oracle, "take_back 0")
        assert oracle.hands[0] == ["c1", "c1", "c1", "c2", "c3", SIGNPOST]
        assert oracle.known[0] == ["c1", "c1", "c2", SIGNPOST]
        assert names(oracle) == {"draw_stock", "take_discard", "lay"}
        play_all(oracle, "draw_stock", "discard c3")
        assert oracle.deal == 2

    def test_bp_7_sets_of_two_and_three_of_all_others(self) -> None:
        oracle = oracle_at(
            turn=3,
            sets={0: ["c4 c4", "c2 signpost"], 1: ["c5 c5", "c1 c1 signpost"]},
            hands={3: "c1 c2 c4 ..."},
        )
        expected = ["substitute 0 1", "substitute 1 1"]
        assert moves_named(oracle, "substitute") == [parse_move(text) for text in expected]

    def test_bp_9_a_pair_may_be_taken_back_after_a_substitution(self) -> None:
        oracle = oracle_at(sets={1: ["c2 signpost"]}, hands={0: "c2 ..."})
        play_all(oracle, "substitute 1 0")
        assert is_legal(oracle, "take_back 0")

    def test_bp_4_a_signpost_may_be_discarded_and_taken(self) -> None:
        oracle = oracle_at(hands={0: "signpost ..."})
        play_all(oracle, "draw_stock", "discard signpost", "take_discard")
        assert oracle.taken == SIGNPOST and oracle.known[1] == [SIGNPOST]
        assert is_legal(oracle, "discard signpost")

    def test_a_plain_draw_takes_the_top_of_the_stock(self) -> None:
        oracle = oracle_at(stock="c4 c8", hands={0: PLAIN_SIX})
        oracle.play(parse_move("draw_stock"), NO_CHANCE)
        assert oracle.hands[0] == sort_cards(["c8", *PLAIN_SIX.split()])
        assert oracle.stock[-1] == "c4" and oracle.known[0] == [] and oracle.taken is None

    def test_laying_takes_equal_cards_out_of_known(self) -> None:
        oracle = oracle_at(hands={0: "c1 c1 c1 c7 ..."}, known={0: "c1 c7"})
        play_all(oracle, "lay c1 2 false")
        assert oracle.known[0] == ["c7"] and "c1" in oracle.hands[0]

    @pytest.mark.parametrize("text", ["lay c1 2 false", "discard c1", "add 0 false", "take_back 0"])
    def test_illegal_moves_are_refused(self, text: str) -> None:
        oracle = oracle_at(hands={0: PLAIN_SIX})
        with pytest.raises(AssertionError, match="not legal"):
            oracle.play(parse_move(text), NO_CHANCE)

    def test_bp_11_an_impossible_reshuffle_is_refused(self) -> None:
        table = make_table(num_players=6, discard="c3 c9 c3 c7 c5 c5 c11 c2")
        move = parse_move("draw_stock")
        after = chance_after(random.Random(1), table, move)
        wrong = after | {"stock": ["c2", *after["stock"][1:]]}
        with pytest.raises(AssertionError, match="not made of the discards"):
            Oracle.from_table(table).play(move, wrong)
        with pytest.raises(AssertionError, match="exactly one card"):
            Oracle.from_table(table).play(move, after | {"hands": table["hands"]})


class TestEnds:
    def test_a_new_deal(self) -> None:
        oracle = winning_oracle(dealer=3, known={1: "c9"}, hands={1: "c9 ..."})
        play_all(oracle, "add 1 false")
        assert (oracle.deal, oracle.dealer, oracle.turn, oracle.to_act) == (2, 0, 1, 1)
        assert (oracle.phase, oracle.turns, oracle.capped) == ("act", 1, False)
        assert oracle.sets == [[]] * 4 == oracle.known and oracle.win_rewards == [0] * 4
        assert oracle.scores == [30, 14, 14, 14]
        new_deal_is_valid(oracle.table())

    @pytest.mark.parametrize("wrong", ["pack", "sizes", "order"])
    def test_an_impossible_new_deal_is_refused(self, wrong: str) -> None:
        after = shuffled_deal(random.Random(1), 4)
        if wrong == "pack":
            after["stock"][0] = "c1" if after["stock"][0] != "c1" else "c2"
        elif wrong == "sizes":
            after["discard"].append(after["stock"].pop())
        else:
            after["hands"][0].reverse()
        with pytest.raises(AssertionError):
            winning_oracle().play(parse_move("add 1 false"), after)

    def test_a_deal_won_in_the_last_turn_is_not_void(self) -> None:
        oracle = winning_oracle(turns=240)
        play_all(oracle, "add 1 false")
        assert oracle.deal == 2 and not oracle.capped and oracle.scores[0] == 30

    @pytest.mark.parametrize(("num_players", "wins"), [(2, False), (6, False), (7, True)])
    def test_bp_10_one_set_of_three_wins_from_seven_players_on(
        self, num_players: int, wins: bool
    ) -> None:
        oracle = oracle_at(num_players=num_players, episode="deal", hands={0: "c1 c1 c1 ..."})
        play_all(oracle, "lay c1 3 false")
        assert oracle.finished == wins

    def test_a_set_of_three_and_a_pair_do_not_win(self) -> None:
        oracle = oracle_at(sets={0: ["c1 c1 c1"]}, hands={0: "c2 c2 c3"})
        play_all(oracle, "lay c2 2 false")
        assert oracle.deal == 1 and oracle.turn == 1

    def test_the_second_set_may_be_laid_whole(self) -> None:
        oracle = oracle_at(sets={0: ["c1 c1 c1"]}, hands={0: "c2 c2 signpost"}, episode="deal")
        play_all(oracle, "lay c2 3 true")
        assert oracle.winners == [0]

    def test_the_third_card_by_substitution_of_another_does_not_win(self) -> None:
        oracle = oracle_at(num_players=7, sets={1: ["c1 signpost"]}, hands={0: "c1 ..."})
        play_all(oracle, "substitute 1 0")
        assert oracle.deal == 1 and oracle.sets[1] == [["c1", "c1"]]

    def test_single_deal_is_won_by_its_winner_whatever_the_options(self) -> None:
        oracle = winning_oracle(episode="deal", win_rule=1, deal_cap=1, scores=[0, 99, 20, 20])
        play_all(oracle, "add 1 false")
        assert oracle.winners == [0] and not oracle.capped and oracle.scores[:2] == [10, 93]

    def test_void_single_deal_has_no_winner(self) -> None:
        oracle = oracle_at(episode="deal", turn_cap=1, turns=4, hands={0: "c1 c1 ..."})
        rewards = play_all(oracle, "lay c1 2 false")
        assert oracle.finished and oracle.winners == [] and oracle.capped
        assert rewards == [0] * 4 == oracle.win_rewards and oracle.scores == [20] * 4
        assert oracle.sets[0] == [["c1", "c1"]] and oracle.turn == 0

    @pytest.mark.parametrize("win_rule", [1, 2])
    def test_bp_16_deal_cap(self, win_rule: int) -> None:
        oracle = winning_oracle(win_rule=win_rule, deal=3, deal_cap=3, scores=[14, 30, 30, 20])
        play_all(oracle, "add 1 false")
        assert oracle.winners == [0, 1, 2] and oracle.capped
        assert oracle.scores == [24, 24, 24, 14]

    @pytest.mark.parametrize("win_rule", [1, 2])
    def test_an_end_in_the_last_deal_is_not_capped(self, win_rule: int) -> None:
        oracle = winning_oracle(win_rule=win_rule, deal=3, deal_cap=3, scores=[30, 30, 30, 6])
        play_all(oracle, "add 1 false")
        assert oracle.winners == [0] and not oracle.capped

    def test_win_rule_3_knows_no_limits(self) -> None:
        oracle = winning_oracle(deal_cap=1, scores=[39, 5, -3, 20])
        play_all(oracle, "add 1 false")
        assert oracle.deal == 2 and oracle.scores == [49, -1, -9, 14] and not oracle.capped

    def test_winners_rewards(self) -> None:
        assert winners_rewards([], 3) == [0.0] * 3
        assert winners_rewards([0, 1, 2], 3) == pytest.approx([0, 0, 0])
        assert winners_rewards([1], 12) == pytest.approx([-1 / 11, 1, *[-1 / 11] * 10])


class TestTables:
    @pytest.mark.parametrize(
        "changes",
        [
            {"turn": 1},
            {"to_act": None},
            {"phase": "discard"},
            {"turns": 2},
            {"scores": [20, 20, 20, 21]},
            {"scores": [20, 20, 20]},
            {"capped": True},
            {"deal": 6},
            {"known": [[], [], [], ["c1"]]},
            {"sets": [[], [], []]},
            {"dealer": 4},
            {"dealer": True},
            {"taken": "c1"},
            {"version": None},
            {"winners": []},
            {"finished": True},
            {"discard": []},
            {"hands": [[], [], [], []]},
            {"secret": 1},
        ],
    )
    def test_wrong_keys_are_named(self, changes: Table) -> None:
        table = make_table()
        new_deal_is_valid(table)
        with pytest.raises(AssertionError, match=next(iter(changes))):
            new_deal_is_valid(table | changes)

    @pytest.mark.parametrize(
        "changes",
        [
            {"win_rule": 1, "scores": [40, 9, 9, 9]},
            {"win_rule": 2, "scores": [30, 14, 14, 0]},
            {"scoring": "counters", "scores": [30, 14, 14, 14]},
            {"scoring": "counters", "scores": [30, 30, 30, -10]},
        ],
    )
    def test_impossible_scores(self, changes: Table) -> None:
        with pytest.raises(AssertionError, match="scores"):
            new_deal_is_valid(make_table(**changes, deal=2))

    @pytest.mark.parametrize(
        "changes",
        [
            {"num_players": 1},
            {"num_players": 13},
            {"scoring": "chips"},
            {"signpost_extra": 1},
            {"win_rule": 0},
            {"deals": 0},
            {"deal_cap": 0},
            {"turn_cap": 0},
            {"episode": "turn"},
        ],
    )
    def test_wrong_options_are_named(self, changes: Table) -> None:
        with pytest.raises(AssertionError, match=next(iter(changes))):
            make_table(**changes)

    @pytest.mark.parametrize(
        ("changes", "name"),
        [
            ({"sets": {0: ["c1 c2"]}}, "sets"),
            ({"sets": {0: ["signpost signpost"]}}, "sets"),
            ({"sets": {0: ["signpost c1"]}}, "sets"),
            ({"sets": {0: ["c1 signpost signpost"]}}, "sets"),
            ({"sets": {0: ["c1 c1 c1", "c2 c2 c2"]}}, "sets"),
            ({"num_players": 7, "sets": {0: ["c1 c1 c1"]}}, "sets"),
            ({"hands": {0: "c1"}}, "hands"),
            ({"hands": {1: "c1 c2 c3 c4 c5 c6 c7"}}, "hands"),
            ({"hands": {0: "c1 c1 c1 c1 ..."}}, "pack"),
            ({"known": {0: "c1"}, "hands": {0: "c2 c3 c4 c5 c6 c7"}}, "known"),
            ({"discard": ""}, "discard"),
            ({"turns": 241}, "turns"),
        ],
    )
    def test_impossible_positions_are_refused(self, changes: Table, name: str) -> None:
        with pytest.raises(AssertionError, match=name):
            make_table(**changes)

    def test_in_phase_discard_the_mover_has_one_card_more(self) -> None:
        oracle = oracle_at(taken="c5", hands={0: "c5 ..."})
        assert oracle.phase == "discard" and len(oracle.hands[0]) == 7
        assert oracle.known[0] == ["c5"] and oracle.discard == []
        oracle = oracle_at(phase="discard", sets={0: ["c5 c5"]})
        assert len(oracle.hands[0]) == 5 and oracle.taken is None

    def test_the_pack(self) -> None:
        assert len(PACK) == 44 and PACK.count(SIGNPOST) == 2
        assert all(PACK.count(card) == 3 for card in CHARACTERS)
        assert [*CHARACTERS, SIGNPOST] == NAMES and NAMES[9] == "c10"


class TestView:
    def test_g_7_hidden_cards(self) -> None:
        table = make_table(known={2: "c9"}, hands={2: "c9 ..."}, sets={2: ["c1 c1"]})
        seen = view(table | {"rng": "0" * 16}, 0)
        assert seen["stock"] == {"count": 44 - 25, "known": []}
        assert seen["hands"][0] == table["hands"][0]
        assert seen["hands"][1] == {"count": 6, "known": []}
        assert seen["hands"][2] == {"count": 4, "known": ["c9"]}
        hidden = {"stock", "hands"}
        assert {key: value for key, value in seen.items() if key not in hidden} == {
            key: value for key, value in table.items() if key not in hidden
        }
        assert isinstance(table["stock"], list)

    def test_finished_table_and_empty_hand(self) -> None:
        oracle = winning_oracle(episode="deal")
        play_all(oracle, "add 1 false")
        assert view(oracle.table(), 0)["hands"][0] == []
        assert view(oracle.table(), 1)["hands"][0] == {"count": 0, "known": []}
        assert view(oracle.table(), 0)["hands"][1] == {"count": 6, "known": []}


def laid_naively(hand: list[str]) -> set[tuple[str, ...]]:
    """Every set of two or three that the cards of a hand make."""
    choices = {tuple(cards) for size in (2, FULL_SET) for cards in combinations(hand, size)}
    return {cards for cards in choices if is_set(list(cards))}


def laid_by_moves(table: Table) -> list[tuple[str, ...]]:
    """The sets that the legal moves `lay` put down, each played out."""
    laid = []
    for move in Oracle.from_table(table).legal_moves():
        if move["move"] == "lay":
            options = table["options"] | {"episode": "deal"}
            after = Oracle.from_table(table | {"options": options})
            after.play(move, NO_CHANCE)
            laid.append(tuple(after.sets[table["turn"]][-1]))
    return laid


def added_naively(table: Table) -> Counter[tuple[str, ...]]:
    """Own sets with one card name of the hand more, where this is a set again."""
    turn = table["turn"]
    made = [
        tuple(sort_cards([*laid, card]))
        for laid in table["sets"][turn]
        for card in set(table["hands"][turn])
        if is_set([*laid, card])
    ]
    return Counter(made)


def added_by_moves(table: Table) -> Counter[tuple[str, ...]]:
    """The sets that the legal moves `add` lead to, each played out."""
    made = []
    for move in Oracle.from_table(table).legal_moves():
        if move["move"] == "add":
            options = table["options"] | {"episode": "deal"}
            after = Oracle.from_table(table | {"options": options})
            after.play(move, NO_CHANCE)
            made.append(tuple(after.sets[table["turn"]][move["set"]]))
    return Counter(made)


class TestLegalMovesAgainstNaiveSearch:
    def test_every_set_can_be_laid_in_just_one_way(self) -> None:
        generator = random.Random(1)
        sizes = Counter[int]()
        for _ in range(200):
            few = generator.sample(CHARACTERS, 4)
            hand = generator.sample([*few * 3, SIGNPOST, SIGNPOST], 6)
            table = make_table(hands={0: " ".join(hand)})
            laid = laid_by_moves(table)
            assert len(laid) == len(set(laid)) and set(laid) == laid_naively(table["hands"][0])
            sizes.update(map(len, laid))
        assert min(sizes[2], sizes[3]) > 100

    def test_every_third_card_can_be_added(self) -> None:
        generator = random.Random(2)
        made = 0
        for _ in range(200):
            cards = ["c1", "c1", "c1", "c2", "c2", "c2", SIGNPOST, SIGNPOST, "c3", "c4"]
            generator.shuffle(cards)
            pairs = [sort_cards(cards[:2]), sort_cards(cards[2:4])]
            sets = [" ".join(pair) for pair in pairs if is_set(pair)]
            hand = " ".join(cards[4 : 10 - 2 * len(sets)])
            table = make_table(sets={0: sets}, hands={0: hand})
            assert added_by_moves(table) == added_naively(table)
            made += sum(added_naively(table).values())
        assert made > 50


def play_itself(generator: random.Random, start: Table, eager: bool) -> tuple[Oracle, Counter[str]]:
    """Random moves to the end, the table checked after every one; and the moves by their names."""
    oracle = Oracle.from_table(start)
    played = Counter[str]()
    while not oracle.finished:
        legal = oracle.legal_moves()
        assert legal, oracle.table()
        move = choose(generator, legal, eager)
        before = oracle.table()
        rewards = oracle.play(move, chance_after(generator, before, move))
        after = oracle.table()
        assert_position(after)
        assert sum(rewards) == pytest.approx(0) == sum(oracle.win_rewards)
        assert_deal_is_counted(before, move, after, rewards)
        assert generator.random() < 0.98 or Oracle.from_table(after).table() == after
        played[move["move"]] += 1
    return oracle, played


def choose(generator: random.Random, legal: list[Move], eager: bool) -> Move:
    """A random move, its kind first; eagerly one that brings sets on, if there is one."""
    if eager:
        useful = [move for move in legal if move["move"] == "add" or move.get("size") == FULL_SET]
        legal = useful or [move for move in legal if move["move"] != "take_back"]
    kind = generator.choice(sorted({move["move"] for move in legal}))
    return generator.choice([move for move in legal if move["move"] == kind])


def assert_deal_is_counted(before: Table, move: Move, after: Table, rewards: list[float]) -> None:
    """The totals change by the rewards' points when a deal ends, and never else."""
    if not ends_deal(before, move):
        assert after["scores"] == before["scores"] and not any(rewards)
        assert after["deal"] == before["deal"] and not after["finished"]
        return
    changes = [new - old for new, old in zip(after["scores"], before["scores"], strict=True)]
    n = len(changes)
    mean_free = [(change - (sum(changes) - change) / (n - 1)) / 20 for change in changes]
    assert rewards == pytest.approx(mean_free)
    if before["options"]["scoring"] == "counters":
        assert sum(changes) == 0 and min(after["scores"]) >= 0
    if any(changes):
        assert [change > 0 for change in changes].count(True) <= 1
    else:
        assert after["capped"] or before["options"]["scoring"] == "counters"
    if not after["finished"]:
        new_deal_is_valid(after)


class TestSelfPlay:
    @pytest.mark.parametrize("num_players", range(2, 13))
    @pytest.mark.parametrize("win_rule", [1, 2, 3])
    def test_games(self, num_players: int, win_rule: int) -> None:
        generator = random.Random(100 * win_rule + num_players)
        start = deal_randomly(
            generator,
            num_players=num_players,
            win_rule=win_rule,
            scoring=generator.choice(["points", "counters"]),
            signpost_extra=generator.random() < 0.5,
            takeback_free=generator.random() < 0.5,
            return_discard=generator.random() < 0.5,
            deals=3,
            deal_cap=6,
            turn_cap=20,
        )
        new_deal_is_valid(start)
        oracle, _ = play_itself(generator, start, eager=num_players % 2 == 0)
        assert oracle.winners
        assert oracle.deal == 3 if win_rule == 3 else oracle.deal <= 6

    @pytest.mark.parametrize("num_players", range(2, 13))
    @pytest.mark.parametrize("eager", [False, True])
    def test_single_deals(self, num_players: int, eager: bool) -> None:
        generator = random.Random(num_players)
        for takeback_free in (False, True):
            start = deal_randomly(
                generator,
                num_players=num_players,
                takeback_free=takeback_free,
                return_discard=takeback_free,
                episode="deal",
            )
            oracle, _ = play_itself(generator, start, eager=eager)
            assert oracle.deal == 1 and oracle.winners is not None
            assert oracle.capped == (oracle.winners == [])
            assert all(len(hand) <= cards_dealt(num_players) for hand in oracle.hands)

    def test_every_move_and_both_ends_occur(self) -> None:
        generator = random.Random(0)
        played = Counter[str]()
        capped = set[bool]()
        for cap, eager in ((60, True), (3, False)):
            start = deal_randomly(generator, deals=3, turn_cap=cap)
            oracle, moves = play_itself(generator, start, eager)
            played += moves
            capped.add(oracle.capped)
        assert set(played) == {
            *("draw_stock", "take_discard", "lay", "add", "substitute", "take_back", "discard")
        }
        assert capped == {False, True}

    def test_some_games_end_by_their_win_rule_and_some_at_the_cap(self) -> None:
        generator = random.Random(5)
        ends = Counter[bool]()
        for number in range(12):
            start = deal_randomly(
                generator, num_players=8, win_rule=1 + number % 2, deal_cap=2 + number
            )
            oracle, _ = play_itself(generator, start, eager=True)
            ends[oracle.capped] += 1
        assert min(ends[False], ends[True]) > 0
