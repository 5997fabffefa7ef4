"""The oracle of Norwegian Rummy against the worked examples of the rules and against itself."""

import random
from collections import Counter
from itertools import combinations, product
from typing import Any

import pytest

from .oracle import (
    CONTRACTS,
    JOKER,
    PACK,
    RANKS,
    Card,
    Laying,
    Move,
    Oracle,
    Table,
    assert_pack,
    can_finish,
    keeps_ratio,
    new_deal_is_valid,
    sort_cards,
    view,
)
from .tables import (
    chance_after,
    deal_randomly,
    make_table,
    parse_move,
    run_being_laid,
    run_of,
    set_of,
)

NO_CHANCE: Table = {}


def oracle_at(**changes: Any) -> Oracle:
    """An oracle at a table of `make_table`."""
    return Oracle.from_table(make_table(**changes))


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


def placed(rank_or_run: str, cards: str) -> list[str]:
    """The moves that lay a group of a contract 1-6."""
    return [rank_or_run, *(f"place {card}" for card in cards.split())]


class TestWorkedExamples:
    def test_1_fourth_card_is_laid_off_in_the_same_turn(self) -> None:
        oracle = oracle_at(
            contract=1, phase="play", hands={0: "7H 7D 7C KS KS KH KD 2S 4H 5D 9C TH"}
        )
        assert not any(move["move"] == "open_run" for move in oracle.legal_moves())
        play_all(oracle, *placed("open_set 7", "7H 7D 7C"), *placed("open_set K", "KS KS KH"))
        assert oracle.down[0] and oracle.phase == "play"
        assert is_legal(oracle, "lay_off KD 1")
        play_all(oracle, "lay_off KD 1")
        assert oracle.melds[1].cards == ["KS", "KS", "KH", "KD"]

    def test_1_run_is_never_opened_in_deal_1(self) -> None:
        oracle = oracle_at(
            contract=1, phase="play", hands={0: "7H 7D 7C 7S 8S 9S TS 2H 3D QC KD AH"}
        )
        assert names(oracle) == {"discard"}

    def test_1_no_third_set_later(self) -> None:
        oracle = oracle_at(
            contract=1,
            phase="play",
            melds=[set_of(0, "7H 7D 7C"), set_of(0, "KH KD KC")],
            hands={0: "4S 4H 4D 9C"},
        )
        assert names(oracle) == {"discard"}

    def test_2_set_with_one_joker(self) -> None:
        oracle = oracle_at(
            contract=1, phase="play", hands={0: "7H 7D JK KH KD KC 2S 4H 5D 9C TH QS"}
        )
        play_all(oracle, *placed("open_set 7", "7H JK"))
        assert not is_legal(oracle, "place JK")
        play_all(oracle, "place 7D")
        assert oracle.melds[0].cards == ["7H", "JK", "7D"]

    @pytest.mark.parametrize(("joker_ratio", "legal"), [(True, False), (False, True)])
    def test_2_set_with_two_jokers(self, joker_ratio: bool, legal: bool) -> None:
        oracle = oracle_at(
            contract=1,
            phase="play",
            joker_ratio=joker_ratio,
            hands={0: "7H JK JK KH KD KC 2S 4H 5D 9C TH QS"},
        )
        assert is_legal(oracle, "open_set 7") == legal

    def test_2_run_with_two_jokers(self) -> None:
        oracle = oracle_at(
            contract=2, phase="play", hands={0: "5C 7C JK JK KH KD KC 2S 4H 9D TH QS"}
        )
        play_all(oracle, *placed("open_run C 5", "5C JK 7C JK"))
        assert oracle.melds[0].cards == ["5C", "JK", "7C", "JK"]

    def test_3_ace_high_and_low_but_not_round_the_corner(self) -> None:
        oracle = oracle_at(
            contract=3, phase="play", hands={0: "JD QD KD AD AD 2D 3D 4D 6S 8H TC 9S"}
        )
        opened = [move for move in oracle.legal_moves() if move["move"] == "open_run"]
        assert opened == [parse_move("open_run D 1"), parse_move("open_run D 11")]
        play_all(oracle, *placed("open_run D 11", "JD QD KD AD"))
        play_all(oracle, *placed("open_run D 1", "AD 2D 3D 4D"))
        assert oracle.down[0]

    def test_3_three_cards_are_no_run(self) -> None:
        oracle = oracle_at(
            contract=2, phase="play", hands={0: "5C 6C 7C KH KD KC 2S 4H 9D TH QS AS"}
        )
        assert names(oracle) == {"discard"}

    def test_4_joker_goes_to_the_high_end(self) -> None:
        changes: Table = {
            "contract": 2,
            "phase": "play",
            "melds": [set_of(0, "KH KD KC"), run_of(0, 6, "6C 7C JK 9C")],
            "hands": {0: "8C JC 2S"},
        }
        oracle = oracle_at(**changes)
        assert not is_legal(oracle, "lay_off JC 1 high")
        play_all(oracle, "move_joker 8C 1 high", "lay_off JC 1 high")
        assert oracle.table()["melds"][1] == run_of(0, 6, "6C 7C 8C 9C JK JC")
        oracle = oracle_at(**changes)
        play_all(oracle, "move_joker 8C 1 low")
        assert oracle.table()["melds"][1] == run_of(0, 5, "JK 6C 7C 8C 9C")

    def test_4_nobody_else_moves_the_joker(self) -> None:
        oracle = oracle_at(
            contract=2,
            phase="play",
            turn=1,
            melds=[
                set_of(0, "KH KD KC"),
                run_of(0, 6, "6C 7C JK 9C"),
                set_of(1, "2H 2D 2C"),
                run_of(1, 1, "AS 2S 3S 4S"),
            ],
            hands={0: "5H", 1: "8C JC 2S"},
        )
        assert "move_joker" not in names(oracle)

    def test_5_seats_are_asked_clockwise_and_the_first_buy_ends_it(self) -> None:
        oracle = oracle_at(turn=1, discard="2S 9H", stock="4D 3D")
        play_all(oracle, "draw_stock")
        assert (oracle.phase, oracle.asked, oracle.to_act) == ("buy", [2, 3, 0], 2)
        play_all(oracle, "pass")
        assert (oracle.asked, oracle.to_act) == ([3, 0], 3)
        before = Counter(oracle.hands[3])
        play_all(oracle, "buy")
        assert Counter(oracle.hands[3]) - before == Counter(["9H", "4D"])
        assert len(oracle.hands[3]) == 13 and oracle.known[3] == ["9H"]
        assert (oracle.phase, oracle.asked, oracle.to_act) == ("play", [], 1)
        assert oracle.buys_left == [3, 3, 3, 2] and oracle.discard == ["2S"]
        assert oracle.taken is None

    def test_6_nobody_is_asked_when_the_discard_is_taken(self) -> None:
        oracle = oracle_at(discard="9H")
        play_all(oracle, "take_discard")
        assert (oracle.phase, oracle.to_act, oracle.asked) == ("play", 0, [])
        assert oracle.taken == "9H" and oracle.known[0] == ["9H"] and oracle.discard == []

    def test_7_no_buys_left_or_down_is_not_asked(self) -> None:
        changes: Table = {
            "contract": 1,
            "melds": [set_of(2, "7H 7D 7C"), set_of(2, "KH KD KC")],
            "buys_left": [3, 0, 3, 1],
            "hands": {2: "4S 5S"},
        }
        oracle = oracle_at(**changes)
        play_all(oracle, "draw_stock")
        assert oracle.asked == [3]
        oracle = oracle_at(**changes, turn=2)
        assert is_legal(oracle, "take_discard")

    def test_8_contract_7_is_laid_with_all_cards(self) -> None:
        hand = "AS 2S 3S 4S 5H 6H 7H 8H TD JD QD KD"
        oracle = oracle_at(contract=7, phase="play", hands={0: hand, 1: "2H ..."}, num_players=2)
        play_all(oracle, *placed("open_run S 1", "AS 2S 3S 4S"), "close")
        assert oracle.building == {"kind": None, "cards": [], "sets_left": 0, "runs_left": 2}
        play_all(oracle, *placed("open_run D 10", "TD JD QD KD"), "close")
        play_all(oracle, *placed("open_run H 5", "5H 6H 7H 8H"))
        rewards = play_all(oracle, "close")
        assert oracle.finished and oracle.winners == [0] and oracle.down == [True, False]
        assert oracle.scores[0] == 0 and rewards[0] == oracle.scores[1] / 100 == -rewards[1]
        assert oracle.win_rewards == [1.0, -1.0] and oracle.legal_moves() == []

    def test_8_contract_7_with_a_joker_standing_in(self) -> None:
        hand = "AS 2S JK 4S 5H 6H 7H 8H TD JD QD KD"
        oracle = oracle_at(contract=7, phase="play", hands={0: hand})
        assert is_legal(oracle, "open_run S 1") and not is_legal(oracle, "open_run S 2")
        play_all(oracle, "open_run S 1", "place AS")
        assert not is_legal(oracle, "place JK")

    def test_8_eleven_of_twelve_fit(self) -> None:
        hand = "AS 2S 3S 4S 5H 6H 7H 8H TD JD QD 9C"
        oracle = oracle_at(contract=7, phase="play", hands={0: hand})
        assert names(oracle) == {"discard"}

    def test_9_value_of_a_hand(self) -> None:
        oracle = oracle_at(
            contract=1,
            phase="play",
            num_players=2,
            melds=[
                set_of(0, "7H 7D 7C"),
                set_of(0, "KH KD KC"),
                set_of(1, "4H 4D 4C"),
                set_of(1, "QH QD QC"),
            ],
            hands={0: "5S", 1: "2S 9D TD KS AC JK"},
        )
        rewards = play_all(oracle, "discard 5S")
        assert oracle.scores == [0, 95] and rewards == [0.95, -0.95]

    def test_10_laying_off_on_other_melds(self) -> None:
        melds = [
            set_of(0, "7H 7D 7C"),
            set_of(0, "KH KD KC"),
            set_of(2, "9H 9D 9C"),
            set_of(2, "QH QD QC"),
        ]
        hands = {0: "9S 2S", 2: "5H"}
        oracle = oracle_at(contract=1, phase="play", melds=melds, hands=hands)
        play_all(oracle, "lay_off 9S 2")
        assert oracle.melds[2].cards[-1] == "9S" and oracle.melds[2].owner == 2
        hands[3] = "9S 2S 3S 4S 5S 6S 8H TH JH AH 2D 3D"
        oracle = oracle_at(contract=1, phase="play", melds=melds, hands=hands, turn=3)
        assert names(oracle) == {"discard"}

    def test_11_out_without_a_discard(self) -> None:
        hand = "7H 7D 7C 8S 9S TS JS QS KS AS 7S 7S"
        oracle = oracle_at(contract=2, phase="play", hands={0: hand})
        play_all(oracle, *placed("open_set 7", "7H 7D 7C"))
        play_all(oracle, *placed("open_run S 8", "8S 9S TS JS"))
        play_all(oracle, "lay_off QS 1 high", "lay_off KS 1 high", "lay_off AS 1 high")
        play_all(oracle, "lay_off 7S 1 low", "lay_off 7S 0")
        assert oracle.finished and oracle.winners == [0] and not oracle.capped

    def test_12_adjoining_runs_never_merge(self) -> None:
        oracle = oracle_at(
            contract=3, phase="play", hands={0: "4S 5S 6S 7S 8S 9S TS JS 2H 4D 6C KH"}
        )
        play_all(oracle, *placed("open_run S 4", "4S 5S 6S 7S"))
        play_all(oracle, *placed("open_run S 8", "8S 9S TS JS"))
        assert [meld.cards[0] for meld in oracle.melds] == ["4S", "8S"] and oracle.down[0]

    @pytest.mark.parametrize(("last", "legal"), [("QH", False), ("JK", True)])
    def test_13_the_run_must_not_be_lost(self, last: str, legal: bool) -> None:
        hand = f"7H 7D 7C 7S 8S 9S TS 2H 3D 5C KD {last}"
        oracle = oracle_at(contract=2, phase="play", hands={0: hand})
        play_all(oracle, "open_set 7")
        assert is_legal(oracle, "place 7H")
        assert is_legal(oracle, "place 7S") == legal


class TestStockAndBuying:
    def test_nr_20_draw_from_a_reshuffled_stock(self) -> None:
        table = make_table(rest="discard", discard="4D 3D 9H", decks=1)
        oracle = Oracle.from_table(table)
        move = parse_move("draw_stock")
        after = chance_after(random.Random(1), table, move)
        oracle.play(move, after)
        assert oracle.discard == ["9H"] and oracle.stock == after["stock"]
        assert oracle.hands[0] == after["hands"][0] and oracle.phase == "buy"

    def test_nr_20_an_impossible_reshuffle_is_refused(self) -> None:
        table = make_table(rest="discard", discard="4D 3D 9H", decks=1)
        move = parse_move("draw_stock")
        after = chance_after(random.Random(1), table, move)
        after["stock"][0] = "9H"
        with pytest.raises(AssertionError, match="not made of the discards"):
            Oracle.from_table(table).play(move, after)
        with pytest.raises(AssertionError, match="exactly one card"):
            Oracle.from_table(table).play(move, {"hands": table["hands"], "stock": []})

    def test_nr_20_reshuffle_in_the_middle_of_a_buy(self) -> None:
        table = make_table(rest="discard", stock="5S", discard="4D 3D 9H", decks=1)
        oracle = Oracle.from_table(table)
        play_all(oracle, "draw_stock", "pass")
        assert oracle.stock == [] and oracle.to_act == 2
        move = parse_move("buy")
        oracle.play(move, chance_after(random.Random(1), oracle.table(), move))
        assert oracle.discard == ["3D"] and "9H" in oracle.known[2]
        assert len(oracle.hands[2]) == 13 and len(oracle.stock) == 54 - 12 - 11 - 13 - 11 - 1

    def test_nr_20_nothing_to_reshuffle(self) -> None:
        """The buyer gets only the discard, the next seat can draw only by taking."""
        spades = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"
        melds = [run_of(1, 1, spades), run_of(1, 1, spades.replace("S", "H"))]
        hands = {0: "AD 3D 5D 7D 9D JD KD AC 3C 5C 7C", 1: "2D 4D 6D 8D TD QD 2C 4C 6C 8C TC QC"}
        changes: Table = {"contract": 3, "num_players": 2, "decks": 1, "melds": melds}
        oracle = oracle_at(**changes, turn=1, hands=hands, discard="JC KC", stock="JK JK 9C")
        play_all(oracle, "draw_stock", "pass", "discard 2D")
        oracle.stock.clear()
        oracle.discard = ["2D"]
        assert [move["move"] for move in oracle.legal_moves()] == ["take_discard"]
        oracle = oracle_at(**changes, turn=1, hands=hands, discard="JC KC", stock="JK JK 9C")
        play_all(oracle, "draw_stock")
        oracle.stock.clear()
        oracle.discard = ["KC"]
        play_all(oracle, "buy")
        assert len(oracle.hands[0]) == 12 and oracle.buys_left[0] == 2
        assert oracle.discard == [] and oracle.phase == "play"

    def test_nr_12_no_buys_at_all(self) -> None:
        oracle = oracle_at(max_buys=0)
        play_all(oracle, "draw_stock")
        assert (oracle.phase, oracle.to_act, oracle.asked) == ("play", 0, [])

    def test_nobody_is_asked_without_a_discard(self) -> None:
        oracle = oracle_at(discard="")
        assert names(oracle) == {"draw_stock"}
        play_all(oracle, "draw_stock")
        assert oracle.phase == "play"

    def test_everybody_passes(self) -> None:
        oracle = oracle_at(num_players=3, discard="9H")
        play_all(oracle, "draw_stock", "pass", "pass")
        assert (oracle.phase, oracle.to_act, oracle.discard) == ("play", 0, ["9H"])


class TestMelding:
    def test_joker_placed_although_the_natural_card_is_in_hand(self) -> None:
        oracle = oracle_at(
            contract=2, phase="play", hands={0: "5C 6C 7C 8C JK KH KD KC 2S 4H 9D TH"}
        )
        play_all(oracle, *placed("open_run C 5", "5C JK"))
        assert is_legal(oracle, "place 7C") and not is_legal(oracle, "place 6C")

    def test_joker_that_the_other_group_needs(self) -> None:
        oracle = oracle_at(
            contract=2, phase="play", hands={0: "5C 6C 7C 8C JK KH KD 3C 2S 4H 9D TH"}
        )
        play_all(oracle, *placed("open_run C 5", "5C"))
        assert is_legal(oracle, "place 6C") and not is_legal(oracle, "place JK")

    def test_no_discard_between_two_groups(self) -> None:
        building: Table = {"kind": None, "cards": [], "sets_left": 1, "runs_left": 0}
        oracle = oracle_at(
            contract=1,
            building=building,
            melds=[set_of(0, "7H 7D 7C")],
            hands={0: "KH KD KC QH QD QC 2S 5H 9D"},
        )
        assert oracle.legal_moves() == [parse_move("open_set Q"), parse_move("open_set K")]

    def test_lay_off_on_a_run_up_to_both_aces(self) -> None:
        oracle = oracle_at(
            contract=2,
            phase="play",
            melds=[set_of(0, "7H 7D 7C"), run_of(0, 2, "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS")],
            hands={0: "AS AS JK JK 5H"},
        )
        play_all(oracle, "lay_off AS 1 low", "lay_off AS 1 high")
        assert oracle.table()["melds"][1]["low"] == 1
        assert not any(move.get("meld") == 1 for move in oracle.legal_moves())
        play_all(oracle, "lay_off JK 0")
        assert is_legal(oracle, "lay_off JK 0")

    @pytest.mark.parametrize(("joker_ratio", "legal"), [(True, False), (False, True)])
    def test_nr_6_joker_laid_off_within_the_ratio(self, joker_ratio: bool, legal: bool) -> None:
        oracle = oracle_at(
            contract=2,
            phase="play",
            joker_ratio=joker_ratio,
            melds=[set_of(0, "7H 7D JK"), run_of(0, 2, "2S JK JK 5S")],
            hands={0: "JK 3S 5H"},
        )
        assert is_legal(oracle, "lay_off JK 0")
        assert is_legal(oracle, "lay_off JK 1 high") == legal
        assert is_legal(oracle, "lay_off JK 1 low") == legal
        assert is_legal(oracle, "move_joker 3S 1 low")

    def test_nr_9_out_by_moving_a_joker(self) -> None:
        oracle = oracle_at(
            contract=2,
            phase="play",
            melds=[set_of(0, "7H 7D 7C"), run_of(0, 11, "JS JK KS AS")],
            hands={0: "QS"},
        )
        assert not is_legal(oracle, "move_joker QS 1 high")
        play_all(oracle, "move_joker QS 1 low")
        assert oracle.finished and oracle.table()["melds"][1] == run_of(0, 10, "JK JS QS KS AS")

    def test_taken_and_known_leave_with_an_equal_card(self) -> None:
        oracle = oracle_at(
            contract=1,
            phase="play",
            taken="7H",
            known={0: "7H 9C"},
            hands={0: "7H 7H 7C KH KD KC 2S 4H 5D 9C TH QS"},
        )
        play_all(oracle, "open_set 7", "place 7C")
        assert oracle.taken == "7H" and oracle.known[0] == ["7H", "9C"]
        play_all(oracle, "place 7H")
        assert oracle.taken is None and oracle.known[0] == ["9C"]


class TestContract7:
    def test_runs_longer_than_four(self) -> None:
        hand = "AS 2S 3S 4S 5S 5H 6H 7H 8H TD JD QD KD AD"
        oracle = oracle_at(contract=7, phase="play", buys_left=[2, 3, 3, 3], hands={0: hand})
        play_all(oracle, *placed("open_run S 1", "AS 2S 3S 4S"))
        assert oracle.legal_moves() == [parse_move("place 5S")]
        play_all(oracle, "place 5S", "close")
        play_all(oracle, *placed("open_run D 10", "TD JD QD KD"))
        assert oracle.legal_moves() == [parse_move("place AD")]

    def test_close_or_go_on(self) -> None:
        hand = "2S 3S 4S 5S 6S 7S 8S 9S TD JD QD KD"
        oracle = oracle_at(contract=7, phase="play", hands={0: hand})
        play_all(oracle, *placed("open_run S 2", "2S 3S 4S 5S"))
        assert oracle.legal_moves() == [parse_move("close")]
        hand = "2S 3S 4S 5S 6S 6S 7S 8S 9S TD JD QD KD"
        oracle = oracle_at(contract=7, phase="play", hands={0: hand}, buys_left=[2, 3, 3, 3])
        play_all(oracle, *placed("open_run S 2", "2S 3S 4S 5S"))
        assert oracle.legal_moves() == [parse_move("place 6S")]

    def test_ratio_is_asked_of_the_closed_run(self) -> None:
        """The third joker of five cards is one too many; at position six it is not."""
        hand = "2S 6S 7S 5H 6H 7H 8H TD JD QD KD JK JK JK"
        oracle = oracle_at(contract=7, phase="play", buys_left=[2, 3, 3, 3], hands={0: hand})
        play_all(oracle, *placed("open_run S 2", "2S JK JK JK"))
        assert oracle.legal_moves() == [parse_move("place 6S")]
        play_all(oracle, "place 6S")
        assert oracle.legal_moves() == [parse_move("place 7S")]
        play_all(oracle, "place 7S")
        assert oracle.legal_moves() == [parse_move("close")]

    def test_full_run_still_wants_its_close(self) -> None:
        hand = "JS QS KS AS 5H 6H 7H 8H TD JD QD KD"
        oracle = oracle_at(contract=7, phase="play", hands={0: hand})
        play_all(oracle, *placed("open_run S 11", "JS QS KS AS"))
        assert oracle.legal_moves() == [parse_move("close")]

    def test_run_of_fourteen_with_both_aces(self) -> None:
        oracle = oracle_at(
            contract=7,
            buys_left=[0, 3, 3, 3],
            building=run_being_laid(1, "AS", sets_left=0, runs_left=0),
            melds=[run_of(0, 5, "5H 6H 7H 8H")],
            hands={0: "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"},
        )
        while oracle.phase == "meld":
            (move,) = oracle.legal_moves()
            oracle.play(move, NO_CHANCE)
        assert oracle.finished and len(oracle.melds[-1].cards) == 14


class TestReturnDiscard:
    def test_g_3_the_name_taken_is_forbidden(self) -> None:
        oracle = oracle_at(return_discard=False, discard="9H", hands={0: "9H ..."})
        play_all(oracle, "take_discard")
        assert not is_legal(oracle, "discard 9H")
        assert len(oracle.legal_moves()) >= len(set(oracle.hands[0])) - 1

    def test_g_3_unless_there_is_no_other(self) -> None:
        oracle = oracle_at(
            contract=1,
            return_discard=False,
            discard="9H",
            melds=[set_of(0, "7H 7D 7C"), set_of(0, "KH KD KC")],
            hands={0: "9H"},
        )
        play_all(oracle, "take_discard")
        assert oracle.legal_moves() == [parse_move("discard 9H")]
        play_all(oracle, "discard 9H")
        assert oracle.hands[0] == ["9H"] and oracle.taken is None and oracle.turn == 1


class TestEndOfDeal:
    def test_nr_23_cap(self) -> None:
        oracle = oracle_at(contract=1, num_players=2, turn_cap=2, turns=3, turn=0, phase="play")
        play_all(oracle, f"discard {oracle.hands[0][0]}", "take_discard")
        assert oracle.turns == 4 and not oracle.finished
        rewards = play_all(oracle, f"discard {oracle.hands[1][0]}")
        assert oracle.finished and oracle.capped and min(oracle.scores) > 0
        assert oracle.turns == 4 and oracle.turn == 1 and sum(rewards) == pytest.approx(0)
        assert oracle.winners == [oracle.scores.index(min(oracle.scores))]

    def test_nr_23_going_out_comes_before_the_cap(self) -> None:
        oracle = oracle_at(
            contract=1,
            num_players=2,
            turn_cap=2,
            turns=4,
            phase="play",
            melds=[set_of(0, "7H 7D 7C"), set_of(0, "KH KD KC")],
            hands={0: "2S"},
        )
        play_all(oracle, "discard 2S")
        assert oracle.finished and not oracle.capped

    def test_g_1_next_deal(self) -> None:
        table = make_table(
            num_players=3,
            deal=4,
            phase="play",
            turn=1,
            dealer=2,
            turns=20,
            scores=[10, 20, 30],
            melds=[set_of(1, "7H 7D 7C"), set_of(1, "KH KD KC"), set_of(1, "4H 4D 4C")],
            hands={0: "AS TS 2S 3S 2H 2D 5H 6H 8H 9D 6D", 1: "2S"},
            buys_left=[3, 0, 3],
        )
        oracle = Oracle.from_table(table)
        move = parse_move("discard 2S")
        after = chance_after(random.Random(2), table, move)
        rewards = oracle.play(move, after)
        cost = [score - before for score, before in zip(oracle.scores, [10, 20, 30], strict=True)]
        assert cost[:2] == [15 + 10 + 9 * 5, 0]
        assert rewards[1] == pytest.approx((cost[0] + cost[2]) / 2 / 100)
        assert sum(rewards) == pytest.approx(0) and oracle.win_rewards == [0.0] * 3
        assert (oracle.deal, oracle.dealer, oracle.turn, oracle.turns) == (5, 0, 1, 1)
        assert oracle.contract == {"sets": 2, "runs": 1}
        new_deal_is_valid(oracle.table())

    def test_impossible_deals_are_refused(self) -> None:
        changes: Table = {
            "deal": 1,
            "phase": "play",
            "melds": [set_of(0, "7H 7D 7C"), set_of(0, "KH KD KC")],
            "hands": {0: "2S"},
        }
        table = make_table(**changes)
        move = parse_move("discard 2S")
        after = chance_after(random.Random(2), table, move)
        after["stock"][0] = "AS" if after["stock"][0] != "AS" else "2S"
        with pytest.raises(AssertionError, match="cards missing"):
            Oracle.from_table(table).play(move, after)
        after = chance_after(random.Random(2), table, move)
        after["discard"].append(after["stock"].pop())
        with pytest.raises(AssertionError, match="turned up"):
            Oracle.from_table(table).play(move, after)

    def test_equal_lowest_totals_share_the_win(self) -> None:
        melds = [run_of(0, 1, "AS 2S 3S 4S"), run_of(0, 5, "5S 6S 7S 8S")]
        oracle = oracle_at(
            deal=7,
            num_players=3,
            scores=[70, 15, 500],
            melds=melds,
            building=run_being_laid(10, "TS JS QS KS", sets_left=0, runs_left=0),
            hands={0: "", 1: "2H 2H 3H 3H 4H 4H 5H 5H 6H 6H 7H", 2: "..."},
        )
        play_all(oracle, "close")
        assert oracle.scores[:2] == [70, 70] and oracle.winners == [0, 1]
        assert oracle.win_rewards == pytest.approx([0.25, 0.25, -0.5])


class TestNewDealIsValid:
    @pytest.mark.parametrize("episode", ["game", "deal"])
    def test_random_deals_are_valid(self, episode: str) -> None:
        generator = random.Random(5)
        for num_players in range(2, 7):
            new_deal_is_valid(
                deal_randomly(generator, num_players=num_players, episode=episode, max_buys=0)
            )

    @pytest.mark.parametrize(
        "changes",
        [
            {"turn": 1},
            {"to_act": None},
            {"phase": "play"},
            {"turns": 0},
            {"scores": [0, 0, 0, 5]},
            {"capped": True},
            {"contract": CONTRACTS[1]},
            {"deal": 8},
            {"known": [[], [], [], ["AS"]]},
            {"buys_left": [3, 3, 3, 2]},
            {"down": [0, 0, 0, 0]},
            {"asked": [1]},
            {"dealer": 4},
            {"taken": "AS"},
            {"version": None},
            {"discard": []},
            {"hands": [[], [], [], []]},
            {"secret": 1},
        ],
    )
    def test_wrong_keys_are_named(self, changes: Table) -> None:
        table = make_table()
        new_deal_is_valid(table)
        with pytest.raises((AssertionError, KeyError), match=next(iter(changes))):
            new_deal_is_valid(table | changes)

    def test_contract_of_the_option(self) -> None:
        new_deal_is_valid(make_table(contract=5))
        new_deal_is_valid(make_table(episode="deal") | {"contract": CONTRACTS[3]})
        with pytest.raises(AssertionError, match="contract"):
            new_deal_is_valid(make_table(contract=5) | {"contract": CONTRACTS[3]})


class TestView:
    def test_g_7_hidden_cards(self) -> None:
        table = make_table(known={2: "9H"}, hands={2: "9H ..."}) | {"rng": "0" * 16}
        seen = view(table, 0)
        assert seen["stock"] == {"count": 108 - 45, "known": []}
        assert seen["hands"][0] == table["hands"][0]
        assert seen["hands"][1] == {"count": 11, "known": []}
        assert seen["hands"][2] == {"count": 11, "known": ["9H"]}
        assert seen["discard"] == table["discard"] and seen["known"] == table["known"]
        assert "rng" not in seen and isinstance(table["stock"], list)

    def test_finished_table_and_empty_hands(self) -> None:
        oracle = oracle_at(
            contract=1,
            phase="play",
            melds=[set_of(0, "7H 7D 7C"), set_of(0, "KH KD KC")],
            hands={0: "2S"},
        )
        play_all(oracle, "discard 2S")
        assert view(oracle.table(), 0)["hands"][0] == []
        assert view(oracle.table(), 1)["hands"][0] == {"count": 0, "known": []}
        assert view(oracle.table(), 0)["hands"][1] == {"count": 11, "known": []}


def is_set(cards: tuple[Card, ...], joker_ratio: bool) -> bool:
    """Whether three cards are a set."""
    naturals = [card for card in cards if card != JOKER]
    ratio = keeps_ratio(len(naturals), len(cards) - len(naturals), joker_ratio)
    return len(cards) == 3 and ratio and len({card[0] for card in naturals}) == 1


def is_run(cards: tuple[Card, ...], joker_ratio: bool) -> bool:
    """Whether some order of these cards is a run of four or more."""
    naturals = [card for card in cards if card != JOKER]
    ratio = keeps_ratio(len(naturals), len(cards) - len(naturals), joker_ratio)
    if not ratio or len(cards) < 4 or len({card[1] for card in naturals}) != 1:
        return False
    ranks = Counter(card[0] for card in naturals)
    ladder = RANKS + "A"
    return any(
        not ranks - Counter(ladder[start : start + len(cards)])
        for start in range(14 - len(cards) + 1)
    )


def can_lay_naively(hand: list[Card], sets: int, runs: int, joker_ratio: bool) -> bool:
    """Whether the contract (not 7) can be laid: every choice of cards for every group."""
    if sets + runs == 0:
        return True
    size, fits = (3, is_set) if sets else (4, is_run)
    rest = (sets - 1, runs) if sets else (sets, runs - 1)
    for chosen in set(combinations(hand, size)):
        if fits(chosen, joker_ratio):
            left = sort_cards(list((Counter(hand) - Counter(chosen)).elements()))
            if can_lay_naively(left, *rest, joker_ratio):
                return True
    return False


def can_use_up_naively(hand: list[Card], runs: int, joker_ratio: bool) -> bool:
    """Whether the hand is just so many runs: every way to share it out."""
    for owners in product(range(runs), repeat=len(hand)):
        parts = [
            tuple(card for card, owner in zip(hand, owners, strict=True) if owner == part)
            for part in range(runs)
        ]
        if all(is_run(part, joker_ratio) for part in parts):
            return True
    return False


def suited_hand(generator: random.Random, size: int, suits: str, ranks: str) -> list[Card]:
    """A random hand from few cards, where contracts are neither rare nor certain."""
    pack = [rank + suit for rank in ranks for suit in suits] * 2 + [JOKER] * (len(ranks) // 2)
    return sort_cards(generator.sample(pack, size))


class TestCompletionAgainstNaiveSearch:
    @pytest.mark.parametrize("joker_ratio", [True, False])
    @pytest.mark.parametrize(("sets", "runs"), [(2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2)])
    def test_contracts_1_to_6(self, sets: int, runs: int, joker_ratio: bool) -> None:
        generator = random.Random(10 * sets + runs)
        answers = set[bool]()
        for _ in range(40):
            ranks = {0: "357", 1: "A2QK", 2: "A2JQK"}[runs]
            hand = suited_hand(generator, 3 * sets + 4 * runs + 1, "SH", ranks)
            laying = Laying(False, joker_ratio)
            answer = can_finish(tuple(hand), None, sets, runs, laying)
            assert answer == can_lay_naively(hand, sets, runs, joker_ratio), hand
            answers.add(answer)
        assert answers == {True, False}

    @pytest.mark.parametrize("joker_ratio", [True, False])
    @pytest.mark.parametrize("runs", [1, 2])
    def test_all_cards(self, runs: int, joker_ratio: bool) -> None:
        generator = random.Random(runs)
        answers = Counter[bool]()
        for _ in range(60):
            suits = "S" if runs == 1 else generator.choice(["S", "SH"])
            hand = suited_hand(generator, 4 * runs + generator.randint(0, 1), suits, "A2345QK")
            answer = can_finish(tuple(hand), None, 0, runs, Laying(True, joker_ratio))
            assert answer == can_use_up_naively(hand, runs, joker_ratio), hand
            answers[answer] += 1
        assert min(answers[True], answers[False]) > 0

    def test_three_runs_dealt_apart_are_found(self) -> None:
        generator = random.Random(3)
        for _ in range(40):
            hand: list[Card] = []
            for _ in range(3):
                length = generator.randint(4, 6)
                low = generator.randint(1, 15 - length)
                suit = generator.choice("SH")
                run = [(RANKS + "A")[low - 1 + step] + suit for step in range(length)]
                run[generator.randrange(length)] = JOKER
                hand += run
            assert can_finish(tuple(sort_cards(hand)), None, 0, 3, Laying(True, True)), hand


Laid = frozenset[tuple[Card, ...]]
"""Two groups that can lie on the table: a run in its order, a set sorted."""


def all_sets(joker_ratio: bool) -> set[tuple[Card, ...]]:
    """Every set of three from any number of packs of spades and hearts."""
    names_of = {rank: [rank + "S", rank + "H", JOKER] for rank in RANKS}
    triples = {
        tuple(sort_cards(cards)) for rank in RANKS for cards in product(names_of[rank], repeat=3)
    }
    return {cards for cards in triples if is_set(cards, joker_ratio)}


def all_runs(lengths: range, joker_ratio: bool) -> set[tuple[Card, ...]]:
    """Every run of spades or hearts; one with jokers at the ends may lie at several places."""
    runs = set()
    for suit, length in product("SH", lengths):
        for start in range(14 - length + 1):
            ladder = [(rank + suit, JOKER) for rank in (RANKS + "A")[start : start + length]]
            runs |= {cards for cards in product(*ladder) if is_run(cards, joker_ratio)}
    return runs


def laid_by_moves(oracle: Oracle) -> set[Laid]:
    """What all legal moves from here lead to, each time until the contract is complete.

    Raises:
        AssertionError: some step was legal that cannot be completed.
    """
    found: set[Laid] = set()
    seen: set[str] = set()
    waiting = [oracle.table()]
    while waiting:
        table = waiting.pop()
        if table["down"][0]:
            groups = table["melds"][-2:]
            found.add(frozenset((*lay_of(meld), str(number)) for number, meld in enumerate(groups)))
            continue
        moves = [
            move for move in Oracle.from_table(table).legal_moves() if move["move"] != "discard"
        ]
        assert moves or table["phase"] == "play", table
        for move in moves:
            after = Oracle.from_table(table)
            after.play(move, NO_CHANCE)
            key = repr((after.building, [meld.table() for meld in after.melds]))
            if key not in seen:
                seen.add(key)
                waiting.append(after.table())
    return found


def lay_of(meld: Table) -> tuple[Card, ...]:
    """The cards of a meld, those of a set sorted."""
    cards = meld["cards"] if meld["kind"] == "run" else sort_cards(meld["cards"])
    return tuple(cards)


def laid_naively(
    hand: list[Card], first: set[tuple[Card, ...]], second: set[tuple[Card, ...]], all_cards: bool
) -> set[Laid]:
    """Every pair of groups, in both orders, that the hand has the cards for."""
    held = Counter(hand)
    possible = [[group for group in groups if Counter(group) <= held] for groups in (first, second)]
    found: set[Laid] = set()
    for one, other in product(*possible):
        cards = Counter(one) + Counter(other)
        if cards == held or (cards <= held and not all_cards):
            found.add(frozenset([(*one, "0"), (*other, "1")]))
            found.add(frozenset([(*other, "0"), (*one, "1")]))
    return found


class TestEveryLayingCanBeReached:
    """The moves lead to all complete layings, to nothing else, and never to a dead end."""

    @pytest.mark.parametrize("joker_ratio", [True, False])
    def test_a_set_and_a_run(self, joker_ratio: bool) -> None:
        generator = random.Random(4)
        sets, runs = all_sets(joker_ratio), all_runs(range(4, 5), joker_ratio)
        counts = []
        for _ in range(8):
            hand = suited_hand(generator, 12, "SH", "A23QK")
            oracle = oracle_at(
                contract=2,
                phase="play",
                joker_ratio=joker_ratio,
                decks=3,
                hands={0: " ".join(hand)},
            )
            expected = laid_naively(hand, sets, runs, all_cards=False)
            assert laid_by_moves(oracle) == expected
            counts.append(len(expected))
        assert max(counts) > 10

    @pytest.mark.parametrize("joker_ratio", [True, False])
    def test_the_last_two_runs_of_contract_7(self, joker_ratio: bool) -> None:
        generator = random.Random(6)
        runs = all_runs(range(4, 7), joker_ratio)
        building: Table = {"kind": None, "cards": [], "sets_left": 0, "runs_left": 2}
        counts = []
        for extra in [0, 0, 1, 1, 2, 2]:
            hand: list[Card] = []
            for length in (4, 4 + extra):
                start = generator.randint(0, 14 - length)
                hand += [rank + "S" for rank in (RANKS + "A")[start : start + length]]
            for place in generator.sample(range(len(hand)), 3):
                hand[place] = JOKER
            hand = sort_cards(hand)
            oracle = oracle_at(
                contract=7,
                joker_ratio=joker_ratio,
                decks=3,
                building=building,
                buys_left=[1, 3, 3, 3],
                melds=[run_of(0, 5, "5H 6H 7H 8H 9H TH")],
                hands={0: " ".join(hand)},
            )
            expected = laid_naively(hand, runs, runs, all_cards=True)
            assert laid_by_moves(oracle) == expected
            counts.append(len(expected))
        assert max(counts) > 5


def play_itself(generator: random.Random, start: Table, eager: bool) -> Oracle:
    """Random moves to the end, the table checked after every one; `eager` lays what it can."""
    oracle = Oracle.from_table(start)
    while not oracle.finished:
        legal = oracle.legal_moves()
        assert legal, oracle.table()
        move = choose(generator, legal, eager)
        table = oracle.table()
        deals = oracle.deal
        rewards = oracle.play(move, chance_after(generator, table, move))
        assert_pack(oracle.table())
        assert sum(rewards) == pytest.approx(0) == sum(oracle.win_rewards)
        assert max(map(len, oracle.hands)) <= 18
        if oracle.deal != deals:
            new_deal_is_valid(oracle.table())
        assert generator.random() < 0.98 or Oracle.from_table(oracle.table()).table() == (
            oracle.table()
        )
    return oracle


def choose(generator: random.Random, legal: list[Move], eager: bool) -> Move:
    """A random move; eagerly one that lays cards, if there is one."""
    laying = [
        move for move in legal if move["move"] in ("open_set", "open_run", "place", "lay_off")
    ]
    return generator.choice(laying if eager and laying else legal)


class TestSelfPlay:
    @pytest.mark.parametrize("num_players", range(2, 7))
    @pytest.mark.parametrize("joker_ratio", [True, False])
    def test_games(self, num_players: int, joker_ratio: bool) -> None:
        generator = random.Random(num_players)
        start = deal_randomly(
            generator,
            num_players=num_players,
            joker_ratio=joker_ratio,
            return_discard=joker_ratio,
            turn_cap=10,
        )
        oracle = play_itself(generator, start, eager=True)
        assert oracle.deal == 7 and oracle.winners

    @pytest.mark.parametrize("contract", range(1, 8))
    @pytest.mark.parametrize("decks", [1, 2, 3])
    @pytest.mark.parametrize("max_buys", [0, 1, 3])
    def test_single_deals(self, contract: int, decks: int, max_buys: int) -> None:
        generator = random.Random(100 * contract + 10 * decks + max_buys)
        start = deal_randomly(
            generator,
            num_players=min(4, decks + 2),
            decks=decks,
            max_buys=max_buys,
            turn_cap=20,
            episode="deal",
            deal=contract,
            return_discard=bool(max_buys),
        )
        new_deal_is_valid(start)
        oracle = play_itself(generator, start, eager=contract % 2 == 0)
        assert oracle.deal == 1 and oracle.contract == CONTRACTS[contract - 1]

    def test_some_deal_ends_by_going_out_and_some_at_the_cap(self) -> None:
        generator = random.Random(0)
        capped = [
            play_itself(
                generator,
                deal_randomly(generator, episode="deal", deal=1, turn_cap=cap),
                eager=True,
            ).capped
            for cap in (60, 1)
        ]
        assert capped == [False, True]


def test_the_pack_has_two_jokers() -> None:
    assert len(PACK) == 54 and PACK.count(JOKER) == 2
