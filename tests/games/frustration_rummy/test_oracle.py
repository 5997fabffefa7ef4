"""The oracle of Frustration Rummy against the worked examples of the rules and against itself."""

import random
from collections import Counter
from itertools import combinations, product
from typing import Any

import pytest

from .oracle import (
    CARDS,
    CONTRACTS,
    PACK,
    RANKS,
    Card,
    Groups,
    Move,
    Oracle,
    Table,
    assert_pack,
    count_wilds,
    is_completable,
    is_wild,
    keeps_ratio,
    new_deal_is_valid,
    sort_cards,
    view,
)
from .tables import (
    between_groups,
    chance_after,
    deal_randomly,
    make_table,
    parse_move,
    run_being_laid,
    run_of,
    set_being_laid,
    set_of,
    shuffled_deal,
)

NO_CHANCE: Table = {}


def oracle_at(**changes: Any) -> Oracle:
    """An oracle at a table of `make_table`."""
    return Oracle.from_table(make_table(**changes))


def oracle_with(contract: int, hand: str, **changes: Any) -> Oracle:
    """An oracle in phase `play` of seat 0 with this hand, on this contract."""
    return oracle_at(contract=contract, phase="play", hands={0: hand}, **changes)


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


def openings(oracle: Oracle) -> list[Move]:
    """The legal moves that open a group."""
    return [move for move in oracle.legal_moves() if move["move"] in ("open_set", "open_run")]


def laid(opening: str, cards: str) -> list[str]:
    """The moves that lay a group."""
    return [opening, *(f"place {card}" for card in cards.split())]


FIVES = set_of(1, "5H 5D 5C")
SIX_TO_TEN = run_of(1, 6, "6D 7D 8D 9D TD")


class TestWorkedExamples:
    def test_1_three_sets(self) -> None:
        hand = "5H 5D JK JK KS KC 2H 9S 9H 9D 3C 4C 7D 8S"
        oracle = oracle_with(1, hand)
        play_all(oracle, "open_set 5", "place 5H", "place JK")
        assert not is_legal(oracle, "place JK") and is_legal(oracle, "place 5D")
        oracle = oracle_with(1, hand)
        play_all(oracle, *laid("open_set 5", "5H 5D JK"), *laid("open_set K", "KS KC 2H"))
        assert oracle.phase == "meld" and not oracle.down[0]
        play_all(oracle, *laid("open_set 9", "9S 9H 9D"))
        assert oracle.down[0] and oracle.phase == "play" and oracle.building is None
        assert [meld.cards for meld in oracle.melds] == [
            ["5H", "5D", "JK"],
            ["KS", "KC", "2H"],
            ["9S", "9H", "9D"],
        ]

    def test_2_two_in_its_own_place_is_wild(self) -> None:
        oracle = oracle_with(2, "AC 2D 3C 4C KS KH KD 6H 7S 8D 9S TH JD QC")
        play_all(oracle, *laid("open_run C 1", "AC 2D 3C 4C"))
        assert oracle.melds[0].table() == run_of(0, 1, "AC 2D 3C 4C")

    def test_2_two_natural_and_two_wild(self) -> None:
        oracle = oracle_with(2, "AC 2C JK 4C KS KH KD 6H 7S 8D 9S TH JD QS")
        play_all(oracle, *laid("open_run C 1", "AC 2C JK 4C"))
        assert oracle.melds[0].cards == ["AC", "2C", "JK", "4C"]

    def test_2_one_natural_card_is_too_few(self) -> None:
        oracle = oracle_with(2, "2C 3C 2D JK JK KS KH KD 6H 7S 8D 9S TH JD")
        assert not is_legal(oracle, "open_run C 1")

    def test_3_never_round_the_corner(self) -> None:
        oracle = oracle_with(2, "2S QS KS AS 5S 5H 5D 7C 8D 9C TH JD 4C 6H")
        assert [move for move in openings(oracle) if move["move"] == "open_run"] == [
            parse_move("open_run S 11")
        ]
        play_all(oracle, *laid("open_run S 11", "2S QS KS AS"))
        assert oracle.melds[0].table() == run_of(0, 11, "2S QS KS AS")

    @pytest.mark.parametrize(("second", "legal"), [("7D", True), ("2D", False)])
    def test_4_sets_of_four(self, second: str, legal: bool) -> None:
        oracle = oracle_with(4, f"7H {second} 2C JK KS KH KD KC 3S 4H 5D 8C 9S TH")
        assert is_legal(oracle, "open_set 7") == legal
        assert is_legal(oracle, "open_set K") == legal
        if legal:
            play_all(oracle, *laid("open_set 7", "7H 7D 2C JK"))
            play_all(oracle, *laid("open_set K", "KS KH KD KC"))
            assert oracle.down[0]

    def test_5_no_run_before_the_seat_is_down(self) -> None:
        oracle = oracle_with(1, "AS 3S 4S 5S 6S 7S 8S 9S TS JS QS KS 2S JK")
        assert names(oracle) == {"discard"}
        hand = "5S 5H 5D 7S 7H 7D 9S 9H 9D TC JC QC KC 3S"
        oracle = oracle_with(1, hand)
        assert {move["move"] for move in openings(oracle)} == {"open_set"}
        play_all(oracle, *laid("open_set 5", "5S 5H 5D"), *laid("open_set 7", "7S 7H 7D"))
        assert {move["move"] for move in oracle.legal_moves()} == {"open_set"}
        play_all(oracle, *laid("open_set 9", "9S 9H 9D"))
        assert is_legal(oracle, "open_run C 10")

    def test_6_a_card_is_left_to_discard(self) -> None:
        oracle = oracle_with(6, "5S 5H 5D 7S 7H 7D 9S 9H 9D JS JH JD 5C 7C")
        play_all(oracle, *laid("open_set 5", "5S 5H 5D"), *laid("open_set 7", "7S 7H 7D"))
        play_all(oracle, *laid("open_set 9", "9S 9H 9D"), *laid("open_set J", "JS JH JD"))
        assert oracle.down[0] and oracle.hands[0] == ["5C", "7C"]
        assert is_legal(oracle, "lay_off 5C 0") and is_legal(oracle, "lay_off 7C 1")
        play_all(oracle, "lay_off 5C 0")
        assert oracle.legal_moves() == [parse_move("discard 7C")]
        play_all(oracle, "discard 7C")
        assert oracle.finished and oracle.winners == [0] and oracle.scores == [2, 0, 0, 0]

    def test_7_no_laying_off_before_the_seat_is_down(self) -> None:
        oracle = oracle_with(1, "5S 3S 4H 6D 7C 8S 9H TD JC QS KH AD 3C 4S", melds=[FIVES])
        assert names(oracle) == {"discard"}

    def test_8_laying_off_at_the_ends_of_a_run(self) -> None:
        melds = [set_of(0, "KS KH KD"), SIX_TO_TEN]
        oracle = oracle_with(2, "5D JD 2S 4D", melds=melds)
        assert is_legal(oracle, "lay_off 5D 1 low") and is_legal(oracle, "lay_off JD 1 high")
        assert is_legal(oracle, "lay_off 2S 1 high") and is_legal(oracle, "lay_off 2S 1 low")
        assert not is_legal(oracle, "lay_off 4D 1 low")
        assert not is_legal(oracle, "lay_off 5D 1 high")
        play_all(oracle, "lay_off 2S 1 high", "lay_off 5D 1 low", "lay_off 4D 1 low")
        assert oracle.melds[1].table() == run_of(1, 4, "4D 5D 6D 7D 8D 9D TD 2S")

    @pytest.mark.parametrize(
        ("hand", "expected"),
        [
            ("4H 5H 6H 9S", []),
            ("4H 5H 6H JK", []),
            ("4H 5H 6H JK 9S", ["open_run H 3", "open_run H 4"]),
            ("8S 8H 8D", []),
            ("8S 8H 8D JS", ["open_set 8"]),
        ],
    )
    def test_9_extra_melds(self, hand: str, expected: list[str]) -> None:
        oracle = oracle_with(2, hand, melds=[set_of(0, "KS KH KD"), run_of(0, 6, "6C 7C 8C 9C")])
        runs = [move for move in openings(oracle) if move["move"] == "open_run"]
        sets = [move for move in openings(oracle) if move["move"] == "open_set"]
        assert runs == [parse_move(text) for text in expected if "run" in text]
        assert sets == [parse_move(text) for text in expected if "set" in text]

    def test_9_out_with_an_extra_set(self) -> None:
        melds = [set_of(0, "KS KH KD"), run_of(0, 6, "6C 7C 8C 9C")]
        oracle = oracle_with(2, "8S 8H 8D JS", melds=melds)
        play_all(oracle, "open_set 8")
        assert oracle.building == set_being_laid("8", "", sets_left=0, runs_left=0)
        play_all(oracle, "place 8S", "place 8H", "place 8D")
        assert oracle.legal_moves() == [parse_move("discard JS")]
        play_all(oracle, "discard JS")
        assert oracle.finished and oracle.winners == [0]

    def test_9_out_in_the_turn_of_going_down(self) -> None:
        oracle = oracle_with(3, "5S 5H 5D 9S 9H 9D 6C 7C 8C 9C 8S 8H 8D JS")
        play_all(oracle, *laid("open_set 5", "5S 5H 5D"), *laid("open_set 9", "9S 9H 9D"))
        play_all(oracle, *laid("open_run C 6", "6C 7C 8C 9C"), *laid("open_set 8", "8S 8H 8D"))
        play_all(oracle, "discard JS")
        assert oracle.finished and oracle.scores == [2, 0, 0, 0]
        assert oracle.melds[3].table() == set_of(0, "8S 8H 8D")

    def test_10_all_that_are_down_move_on(self) -> None:
        oracle, after = oracle_going_out(
            num_players=3, contracts=[3, 5, 2], down=[True, True, False]
        )
        rewards = oracle.play(parse_move("discard 9S"), after)
        assert oracle.contracts == [4, 6, 2] and oracle.scores == [2, 1, 0]
        assert rewards == [0.75, 0, -0.75] and oracle.win_rewards == [0, 0, 0]
        assert not oracle.finished and oracle.deal == 2

    def test_11_who_has_laid_the_last_contract_stays_on_it(self) -> None:
        oracle, after = oracle_going_out(contracts=[9, 14, 3, 2], down=[True, True, False, False])
        oracle.play(parse_move("discard 9S"), after)
        assert oracle.contracts == [10, 14, 3, 2] and not oracle.finished

    def test_11_going_out_on_the_last_contract_wins(self) -> None:
        oracle, _ = oracle_going_out(contracts=[14, 14, 14, 2], down=[True, True, True, False])
        rewards = play_all(oracle, "discard 9S")
        assert oracle.finished and oracle.winners == [0] and not oracle.capped
        assert oracle.contracts == [14, 14, 14, 2] and oracle.scores == [2, 1, 1, 0]
        assert rewards == pytest.approx([2 / 3, 0, 0, -2 / 3])
        assert oracle.win_rewards == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])

    def test_12_wild_cards_on_a_set(self) -> None:
        melds = [set_of(0, "KS KH KD"), run_of(0, 6, "6C 7C 8C 9C"), set_of(1, "4S 4H JK")]
        oracle = oracle_with(2, "2H JK 4D TS", melds=melds)
        play_all(oracle, "lay_off 2H 2")
        assert not is_legal(oracle, "lay_off JK 2")
        play_all(oracle, "lay_off 4D 2")
        assert is_legal(oracle, "lay_off JK 2")

    @pytest.mark.parametrize(("last", "legal"), [("QH", False), ("7S", True), ("JK", True)])
    def test_13_the_run_must_not_be_lost(self, last: str, legal: bool) -> None:
        oracle = oracle_with(2, f"7H 7D 7C 7S 8S 9S TS 3H 4D 5C KD QC AH {last}")
        play_all(oracle, "open_set 7")
        assert is_legal(oracle, "place 7H")
        assert is_legal(oracle, "place 7S") == legal

    def test_14_run_of_seven(self) -> None:
        oracle = oracle_with(7, "5H 6H 2C 8H JK TH JH KS KD KC 3S 4D 9C QS")
        play_all(oracle, *laid("open_run H 5", "5H 6H 2C 8H JK TH JH"))
        assert oracle.building == between_groups(sets_left=1, runs_left=0)
        oracle = oracle_with(7, "5H 6H 2C 8H JK JK 2D KS KD KC 3S 4D 9C QS")
        assert not is_legal(oracle, "open_run H 5") and openings(oracle) == []

    def test_15_both_aces(self) -> None:
        long = run_of(1, 3, "3S 4S 5S 6S 7S 8S 9S TS JS QS KS")
        oracle = oracle_with(2, "2H AS AS 9D 9C", melds=[set_of(0, "KS KH KD"), long])
        assert is_legal(oracle, "lay_off AS 1 high") and not is_legal(oracle, "lay_off AS 1 low")
        play_all(oracle, "lay_off 2H 1 low", "lay_off AS 1 low")
        assert not is_legal(oracle, "lay_off AS 1 low")
        play_all(oracle, "lay_off AS 1 high")
        assert oracle.melds[1].table() == run_of(1, 1, "AS 2H 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS")
        assert names(oracle) == {"discard"}

    def test_16_reshuffle_of_twenty_discards(self) -> None:
        table = make_table()
        cards = table["stock"] + table["discard"]
        table |= {"stock": [], "discard": cards[-20:], "down": [False, True, False, False]}
        table["hands"][1] = sort_cards(table["hands"][1] + cards[:-20])
        top = table["discard"][-1]
        oracle = Oracle.from_table(table)
        after = chance_after(random.Random(1), table, parse_move("draw_stock"))
        oracle.play(parse_move("draw_stock"), after)
        assert oracle.discard == [top] and len(oracle.stock) == 18 == len(after["stock"])
        assert oracle.stock == after["stock"] and oracle.hands[0] == after["hands"][0]
        assert len(oracle.hands[0]) == 14 and oracle.phase == "play"

    def test_16_one_discard_must_be_taken(self) -> None:
        oracle = oracle_at(discard="9H")
        oracle.hands[1] += oracle.stock
        oracle.stock = []
        assert oracle.legal_moves() == [parse_move("take_discard")]
        oracle.discard = ["8H", "9H"]
        assert oracle.legal_moves() == [parse_move("draw_stock"), parse_move("take_discard")]

    def test_17_turn_cap(self) -> None:
        table = make_table(
            turn=3,
            turns=240,
            phase="play",
            contracts=[1, 1, 5, 1],
            down=[False, False, True, False],
            hands={2: "5D"},
        )
        oracle = Oracle.from_table(table)
        move = parse_move(f"discard {oracle.hands[3][0]}")
        rewards = oracle.play(move, chance_after(random.Random(1), table, move))
        assert oracle.contracts == [1, 1, 6, 1] and oracle.capped and not oracle.finished
        assert oracle.scores == [0, 0, 1, 0]
        assert rewards == pytest.approx([-1 / 6, -1 / 6, 1 / 2, -1 / 6])
        new_deal_is_valid(oracle.table() | {"contracts": [1, 1, 2, 1]})


def oracle_going_out(**changes: Any) -> tuple[Oracle, Table]:
    """An oracle at a table where seat 0 is down with a nine to discard, and a next deal."""
    table = make_table(phase="play", hands={0: "9S"}, **changes)
    after = chance_after(random.Random(2), table, parse_move("discard 9S"))
    return Oracle.from_table(table), after


class TestContracts:
    def test_groups_and_cards(self) -> None:
        cards = [9, 7, 10, 8, 8, 12, 10, 12, 12, 10, 10, 12, 12, 12]
        assert [CONTRACTS[number].cards for number in range(1, 15)] == cards

    @pytest.mark.parametrize(
        ("contract", "groups"),
        [
            (1, ["open_set 5: 5H 5D 5C", "open_set 9: 9H 2D 9C", "open_set Q: QH QD QC"]),
            (2, ["open_run S 9: 9S TS JS QS", "open_set A: AH AD AC"]),
            (3, ["open_set 9: 9H 9D 9C", "open_run S 1: AS 2S 3S 4S", "open_set 9: 9H 9D 9C"]),
            (4, ["open_set 5: 5H 5D 5C 2S", "open_set 9: 9H 2D 9C JK"]),
            (5, ["open_run D 4: 4D 5D 6D 7D", "open_run D 8: 8D 9D TD JD"]),
            (6, ["open_set 5: 5H 5D 5C", "open_set 5: 5H 2D 5S"] + ["open_set 8: 8H 8D JK"] * 2),
            (7, ["open_run H 8: 8H 9H TH JH QH KH AH", "open_set A: AS AD AC"]),
            (8, ["open_set 3: 3S 3H 3D 3C"] * 2 + ["open_set 4: 4S 4H 2S 2S"]),
            (9, ["open_run C 11: JC QC KC AC"] * 2 + ["open_run C 2: JK 3C 4C 2S"]),
            (10, ["open_set K: KS KS KH KH KD", "open_set 7: 7S 7H 7C 2C JK"]),
            (11, ["open_run H 10: TH JH QH KH AH", "open_run D 1: AD 2D 3D 4D 5D"]),
            (
                12,
                ["open_set 3: 3S 3H 3D 3C", "open_run S 5: 5S 6S 7S 8S", "open_set 3: 3S 3H 3D 3C"],
            ),
            (
                13,
                [
                    "open_run S 5: 5S 6S 7S 8S",
                    "open_set J: JS JH JD JK",
                    "open_run C 3: 3C 2S 5C JK",
                ],
            ),
            (14, ["open_set 3: 3S 3H 3D", "open_run H 6: 6H 7H 8H 9H TH JH QH KH AH"]),
        ],
    )
    def test_every_contract_can_be_laid(self, contract: int, groups: list[str]) -> None:
        cards = " ".join(text.split(": ")[1] for text in groups)
        oracle = oracle_with(contract, f"{cards} ...")
        for text in groups:
            assert not oracle.down[0]
            play_all(oracle, *laid(*text.split(": ")))
        assert oracle.down[0] and oracle.phase == "play" and oracle.building is None
        assert len(oracle.hands[0]) == 14 - CONTRACTS[contract].cards

    def test_groups_are_laid_in_any_order_and_only_as_often_as_needed(self) -> None:
        oracle = oracle_with(2, "AH AD AC 9S TS JS QS 5S 5H 5D 6C 7C 8C 9C")
        assert names(oracle) == {"open_set", "open_run", "discard"}
        play_all(oracle, *laid("open_set A", "AH AD AC"))
        assert oracle.legal_moves() == [parse_move("open_run S 9"), parse_move("open_run C 6")]

    def test_lowest_card_of_a_long_run(self) -> None:
        oracle = oracle_with(14, "6H 7H 8H 9H TH JH QH KH AH 3S 3H 3D 4C JK")
        runs = [move["low"] for move in openings(oracle) if move["move"] == "open_run"]
        assert runs == [5, 6]

    def test_fr_6_equal_runs(self) -> None:
        oracle = oracle_with(5, "5S 6S 7S 8S 5S 6S 7S 8S 3H 4D TC JH QD KC")
        play_all(oracle, *laid("open_run S 5", "5S 6S 7S 8S") * 2)
        assert oracle.down[0] and oracle.melds[0] == oracle.melds[1]

    def test_wild_card_that_another_group_needs(self) -> None:
        oracle = oracle_with(2, "5C 6C 7C 8C JK KH KD 3C 4S 4H 9D TH JS QD")
        play_all(oracle, "open_run C 5", "place 5C")
        assert oracle.legal_moves() == [parse_move("place 6C")]
        play_all(oracle, "place 6C", "place 7C", "place 8C")
        assert oracle.legal_moves() == [parse_move("open_set 4"), parse_move("open_set K")]

    def test_wild_card_placed_although_the_natural_card_is_there(self) -> None:
        oracle = oracle_with(2, "5C 6C 7C 8C 2C KH KD KS 4S 3H 9D TH JS QD")
        play_all(oracle, "open_run C 5", "place 5C", "place 2C")
        assert oracle.legal_moves() == [parse_move("place 7C")]

    def test_fr_3_ratio_may_be_broken_while_the_group_is_open(self) -> None:
        oracle = oracle_with(2, "7C 8C JK 2S KH KD KS 4S 3H 9D TH JS QD AH")
        play_all(oracle, *laid("open_run C 5", "JK 2S 7C 8C"))
        assert oracle.melds[0].table() == run_of(0, 5, "JK 2S 7C 8C")

    def test_twos_and_jokers_are_five_different_cards(self) -> None:
        oracle = oracle_with(4, "7S 7H 7D 2S 2H 2D 2C JK KH KD KS KC AH AD")
        play_all(oracle, "open_set 7", "place 7S")
        placed = [move["card"] for move in oracle.legal_moves()]
        assert placed == ["2S", "2H", "7H", "2D", "7D", "2C", "JK"]

    def test_there_is_no_set_of_twos(self) -> None:
        oracle = oracle_with(1, "2S 2H 2D 2C 5S 5H 5D 9S 9H 9D JK QS QD KD")
        assert parse_move("open_set 2") not in oracle.legal_moves()
        assert [move["rank"] for move in openings(oracle)] == ["5", "9", "Q"]

    def test_melds_of_the_contract_being_laid(self) -> None:
        building = run_being_laid("S", 5, "5S JK", sets_left=0, runs_left=0)
        oracle = oracle_at(
            contract=2,
            building=building,
            melds=[set_of(0, "7H 7D 7C")],
            hands={0: "7S 8S 3H 4D TC JH QD KC 2D"},
        )
        assert not oracle.down[0]
        assert [move["card"] for move in oracle.legal_moves()] == ["7S", "2D"]
        play_all(oracle, "place 7S", "place 2D")
        assert oracle.down[0] and oracle.table()["building"] is None


class TestExtraMelds:
    MELDS = (set_of(0, "KS KH KD"), run_of(0, 6, "6C 7C 8C 9C"))

    def test_fr_21_how_a_long_run_grows(self) -> None:
        oracle = oracle_with(2, "5S 6S JK JK 2H TS 9S 4S AD", melds=list(self.MELDS))
        play_all(oracle, *laid("open_run S 5", "5S 6S JK JK"))
        assert not is_legal(oracle, "lay_off 2H 2 high")
        play_all(oracle, "lay_off 4S 2 low", "lay_off 2H 2 high", "lay_off TS 2 high")
        assert oracle.table()["melds"][2] == run_of(0, 4, "4S 5S 6S JK JK 2H TS")

    def test_extra_meld_of_a_seat_that_is_down(self) -> None:
        oracle = oracle_at(
            contract=13,
            building=run_being_laid("S", 5, "5S JK", sets_left=0, runs_left=0),
            melds=list(self.MELDS),
            down=[True, False, False, False],
            hands={0: "7S 2D TD"},
        )
        assert [move["card"] for move in oracle.legal_moves()] == ["7S"]
        play_all(oracle, "place 7S", "place 2D")
        assert oracle.phase == "play" and len(oracle.melds) == 3

    def test_laying_off_between_extra_melds(self) -> None:
        oracle = oracle_with(2, "5S 5H 5D 9S 9H 9D KC TD", melds=list(self.MELDS))
        play_all(oracle, *laid("open_set 5", "5S 5H 5D"), "lay_off KC 0")
        play_all(oracle, *laid("open_set 9", "9S 9H 9D"))
        assert oracle.legal_moves() == [parse_move("discard TD")]

    def test_extra_set_has_three_cards_whatever_the_contract(self) -> None:
        melds = [set_of(0, "KS KH KD KC"), set_of(0, "7S 7H 7D 7C")]
        oracle = oracle_with(4, "5S 5H 2D 9S", melds=melds)
        play_all(oracle, *laid("open_set 5", "5S 5H 2D"))
        assert oracle.phase == "play" and oracle.melds[2].cards == ["5S", "5H", "2D"]

    def test_extra_set_in_the_ratio(self) -> None:
        oracle = oracle_with(2, "5S JK JK 9S", melds=list(self.MELDS))
        assert openings(oracle) == []

    def test_no_other_move_while_the_group_is_open(self) -> None:
        oracle = oracle_with(2, "5S 5H 5D 9S KC", melds=list(self.MELDS))
        play_all(oracle, "open_set 5")
        assert names(oracle) == {"place"}


class TestDrawAndDiscard:
    def test_fr_20_wild_card_turned_up_may_be_taken(self) -> None:
        oracle = oracle_at(discard="2H", hands={0: "2H 3S 4H 5D 6C 7S 8H 9D TC JS QH KD AC"})
        play_all(oracle, "take_discard")
        assert oracle.taken == "2H" and oracle.known[0] == ["2H"] and oracle.discard == []
        play_all(oracle, "discard 2H")
        assert oracle.taken is None and oracle.known[0] == [] and oracle.discard == ["2H"]
        assert (oracle.turn, oracle.to_act, oracle.turns, oracle.phase) == (1, 1, 2, "draw")

    def test_draw_from_the_stock(self) -> None:
        oracle = oracle_at(stock="7C 8C", discard="9C")
        play_all(oracle, "draw_stock")
        assert "8C" in oracle.hands[0] and oracle.stock[-1] == "7C" and oracle.taken is None
        assert oracle.known[0] == [] and oracle.phase == "play"

    def test_taken_and_known_leave_with_an_equal_card(self) -> None:
        oracle = oracle_with(
            2, "7H 7H 7C 8S 9S TS JS 4H 5D 9C TH QS KD AC", taken="7H", known={0: "7H 9C"}
        )
        play_all(oracle, "open_set 7", "place 7C")
        assert oracle.taken == "7H" and oracle.known[0] == ["7H", "9C"]
        play_all(oracle, "place 7H")
        assert oracle.taken is None and oracle.known[0] == ["9C"]

    @pytest.mark.parametrize("return_discard", [True, False])
    def test_g_3_the_name_taken(self, return_discard: bool) -> None:
        oracle = oracle_at(return_discard=return_discard, discard="9H", hands={0: "9H ..."})
        play_all(oracle, "take_discard")
        assert is_legal(oracle, "discard 9H") == return_discard
        n_discards = len(set(oracle.hands[0])) - int(not return_discard)
        assert len(oracle.legal_moves()) == n_discards

    def test_g_3_unless_there_is_no_other(self) -> None:
        oracle = oracle_with(
            1,
            "9H 9H",
            return_discard=False,
            taken="9H",
            known={0: "9H"},
            melds=[set_of(0, "7H 7D 7C")],
        )
        assert oracle.legal_moves() == [parse_move("discard 9H")]
        oracle = oracle_with(
            1, "9H 8H 9H", return_discard=False, taken="9H", melds=[set_of(0, "9S 9D 9C")]
        )
        play_all(oracle, "lay_off 9H 0")
        assert is_legal(oracle, "discard 9H") and oracle.taken is None

    def test_impossible_reshuffle_is_refused(self) -> None:
        table = make_table(rest="discard", discard="4D 3D 9H")
        move = parse_move("draw_stock")
        after = chance_after(random.Random(1), table, move)
        after["stock"][0] = "9H"
        with pytest.raises(AssertionError, match="not made of the discards"):
            Oracle.from_table(table).play(move, after)
        with pytest.raises(AssertionError, match="exactly one card"):
            Oracle.from_table(table).play(move, {"hands": table["hands"], "stock": []})

    def test_no_card_to_draw_is_refused(self) -> None:
        table = make_table()
        table["hands"][0] = sort_cards(table["hands"][0] + table["stock"] + table["discard"])
        with pytest.raises(AssertionError, match="stock"):
            Oracle.from_table(table | {"stock": [], "discard": []})


class TestEndOfDeal:
    def test_fr_10_next_deal(self) -> None:
        table = make_table(
            num_players=3,
            deal=4,
            dealer=2,
            turn=1,
            turns=20,
            phase="play",
            scores=[4, 1, 2],
            contracts=[3, 2, 2],
            melds=[set_of(1, "7H 7D 7C")],
            hands={0: "9H ...", 1: "3S"},
            known={0: "9H"},
        )
        oracle = Oracle.from_table(table)
        move = parse_move("discard 3S")
        after = chance_after(random.Random(2), table, move)
        oracle.play(move, after)
        assert (oracle.deal, oracle.dealer, oracle.turn, oracle.turns) == (5, 0, 1, 1)
        assert oracle.contracts == [3, 3, 2] and oracle.scores == [4, 3, 2]
        assert oracle.hands == after["hands"] and oracle.down == [False] * 3
        new_deal_is_valid(oracle.table())

    def test_impossible_deals_are_refused(self) -> None:
        oracle, after = oracle_going_out(down=[True, False, False, False])
        table = oracle.table()
        wrong = after | {"stock": ["AS", *after["stock"][1:]]}
        assert wrong["stock"] != after["stock"]
        with pytest.raises(AssertionError, match="cards missing"):
            oracle.play(parse_move("discard 9S"), wrong)
        wrong = after | {
            "stock": after["stock"][:-1],
            "discard": [*after["discard"], after["stock"][-1]],
        }
        with pytest.raises(AssertionError, match="turned up"):
            Oracle.from_table(table).play(parse_move("discard 9S"), wrong)

    def test_going_out_comes_before_the_cap(self) -> None:
        oracle, after = oracle_going_out(turns=240, down=[True, False, False, False])
        oracle.play(parse_move("discard 9S"), after)
        assert not oracle.capped and oracle.scores == [2, 0, 0, 0]

    def test_capped_stays(self) -> None:
        oracle, after = oracle_going_out(capped=True, down=[True, False, False, False])
        oracle.play(parse_move("discard 9S"), after)
        assert oracle.capped and oracle.deal == 2

    def test_fr_16_highest_contract_wins_at_the_deal_cap(self) -> None:
        oracle, _ = oracle_going_out(
            deal_cap=3, deal=3, contracts=[2, 3, 2, 2], down=[True, False, True, False]
        )
        play_all(oracle, "discard 9S")
        assert oracle.finished and oracle.capped and oracle.contracts == [3, 3, 3, 2]
        assert oracle.winners == [0, 1, 2] and oracle.deal == 3
        assert oracle.win_rewards == pytest.approx([1 / 9, 1 / 9, 1 / 9, -1 / 3])
        assert oracle.to_act is None and oracle.phase == "over" and oracle.legal_moves() == []

    def test_fr_13_winning_in_the_last_deal_is_not_capped(self) -> None:
        oracle, _ = oracle_going_out(
            deal_cap=3,
            deal=3,
            last_contract=3,
            contracts=[3, 3, 2, 1],
            down=[True, True, True, False],
        )
        play_all(oracle, "discard 9S")
        assert oracle.winners == [0] and not oracle.capped and oracle.contracts == [3, 3, 2, 1]

    def test_fr_16_turn_cap_in_the_last_deal(self) -> None:
        oracle = oracle_at(
            deal_cap=3,
            deal=3,
            last_contract=3,
            turns=240,
            turn=3,
            phase="play",
            contracts=[3, 3, 2, 1],
            down=[False, True, True, False],
        )
        play_all(oracle, f"discard {oracle.hands[3][0]}")
        assert oracle.contracts == [3, 3, 3, 1] and oracle.winners == [0, 1, 2] and oracle.capped
        assert (oracle.turn, oracle.turns, oracle.dealer) == (3, 240, 2)

    def test_nobody_wins_on_the_last_contract_without_going_out(self) -> None:
        table = make_table(
            deal=3,
            last_contract=3,
            turns=240,
            turn=3,
            phase="play",
            contracts=[3, 3, 2, 3],
            down=[False, False, False, True],
            hands={3: "9S 8H"},
        )
        move = parse_move("discard 9S")
        oracle = Oracle.from_table(table)
        oracle.play(move, chance_after(random.Random(1), table, move))
        assert not oracle.finished and oracle.capped and oracle.contracts == [3, 3, 2, 3]

    def test_single_deal_at_the_cap(self) -> None:
        oracle = oracle_at(contract=14, num_players=2, turn_cap=1, turns=2, turn=1, phase="play")
        rewards = play_all(oracle, f"discard {oracle.hands[1][0]}")
        assert oracle.finished and oracle.capped and oracle.winners == [0, 1]
        assert rewards == oracle.win_rewards == [0, 0] == oracle.scores
        oracle = oracle_at(
            contract=14,
            num_players=3,
            turn_cap=1,
            turns=3,
            turn=2,
            phase="play",
            down=[True, True, False],
        )
        rewards = play_all(oracle, f"discard {oracle.hands[2][0]}")
        assert oracle.winners == [0, 1] and oracle.contracts == [14] * 3
        assert rewards == [0.25, 0.25, -0.5] == oracle.win_rewards

    def test_single_deal_plays_no_further_whatever_the_caps(self) -> None:
        oracle, _ = oracle_going_out(
            contract=2, last_contract=1, deal_cap=1, down=[True, True, False, False]
        )
        play_all(oracle, "discard 9S")
        assert oracle.winners == [0] and not oracle.capped and oracle.contracts == [2] * 4


class TestNewDealIsValid:
    @pytest.mark.parametrize("episode", ["game", "deal"])
    def test_random_deals_are_valid(self, episode: str) -> None:
        generator = random.Random(5)
        for num_players in range(2, 6):
            new_deal_is_valid(
                deal_randomly(generator, num_players=num_players, episode=episode, turn_cap=1)
            )

    @pytest.mark.parametrize(
        "changes",
        [
            {"game": "norwegian_rummy"},
            {"turn": 1},
            {"to_act": None},
            {"phase": "play"},
            {"turns": 0},
            {"scores": [0, 0, 0, 1]},
            {"capped": True},
            {"contracts": [1, 1, 1, 2]},
            {"deal": 67},
            {"known": [[], [], [], ["AS"]]},
            {"down": [0, 0, 0, 0]},
            {"dealer": 4},
            {"taken": "AS"},
            {"melds": [set_of(0, "7H 7D 7C")]},
            {"building": between_groups(1, 0)},
            {"winners": []},
            {"version": None},
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
        ("contracts", "scores", "valid"),
        [
            ([2, 2, 1, 1], [2, 2, 0, 0], "gone out"),
            ([3, 2, 1, 1], [4, 1, 0, 0], "gone out"),
            ([3, 3, 3, 3], [4, 2, 2, 2], "gone out"),
            ([1, 1, 1, 1], [0, 0, 0, 0], "capped"),
            ([3, 3, 1, 1], [3, 2, 0, 0], "capped"),
            ([3, 1, 1, 1], [2, 0, 0, 0], "capped"),
            ([4, 1, 1, 1], [4, 0, 0, 0], "never"),
            ([2, 2, 1, 1], [3, 1, 0, 0], "never"),
            ([2, 2, 1, 1], [2, 2, 1, 0], "never"),
        ],
    )
    @pytest.mark.parametrize("capped", [False, True])
    def test_third_deal(
        self, contracts: list[int], scores: list[int], valid: str, capped: bool
    ) -> None:
        table = make_table(deal=3, contracts=contracts, scores=scores, capped=capped)
        if valid == ("capped" if capped else "gone out"):
            new_deal_is_valid(table)
            return
        with pytest.raises(AssertionError, match=r"contracts|scores"):
            new_deal_is_valid(table)

    def test_contract_of_the_option(self) -> None:
        new_deal_is_valid(make_table(contract=5, last_contract=3))
        new_deal_is_valid(make_table(episode="deal", last_contract=3, contracts=[3] * 4))
        for table in (
            make_table(contract=5, contracts=[3] * 4),
            make_table(episode="deal", last_contract=3, contracts=[4] * 4),
            make_table(episode="deal", contracts=[1, 2, 1, 1]),
        ):
            with pytest.raises(AssertionError, match="contracts"):
                new_deal_is_valid(table)

    @pytest.mark.parametrize(
        ("name", "options"),
        [
            ("num_players", {"num_players": 6}),
            ("num_players", {"num_players": 1}),
            ("start_contract", {"start_contract": 0}),
            ("start_contract", {"start_contract": 15}),
            ("last_contract", {"start_contract": 3, "last_contract": 2}),
            ("last_contract", {"last_contract": 15}),
            ("turn_cap", {"turn_cap": 0}),
            ("deal_cap", {"deal_cap": 0}),
            ("episode", {"episode": "hand"}),
            ("deal", {"episode": "deal", "deal": 15}),
            ("deal", {"deal": 3}),
        ],
    )
    def test_wrong_options_are_named(self, name: str, options: Table) -> None:
        table = make_table()
        table["options"] |= options
        with pytest.raises(AssertionError, match=f"{name} is"):
            Oracle.from_table(table)


class TestView:
    def test_g_7_hidden_cards(self) -> None:
        table = make_table(known={2: "9H"}, hands={2: "9H ..."}) | {"rng": "0" * 16}
        seen = view(table, 0)
        assert seen["stock"] == {"count": 108 - 53, "known": []}
        assert seen["hands"][0] == table["hands"][0]
        assert seen["hands"][1] == {"count": 13, "known": []}
        assert seen["hands"][2] == {"count": 13, "known": ["9H"]}
        assert seen["discard"] == table["discard"] and seen["known"] == table["known"]
        assert "rng" not in seen and isinstance(table["stock"], list)

    def test_finished_table_and_empty_hands(self) -> None:
        oracle = oracle_with(1, "9S", melds=[set_of(0, "7H 7D 7C")])
        play_all(oracle, "discard 9S")
        assert view(oracle.table(), 0)["hands"][0] == []
        assert view(oracle.table(), 1)["hands"][0] == {"count": 0, "known": []}
        assert view(oracle.table(), 0)["hands"][1] == {"count": 13, "known": []}


def fits_ratio(cards: tuple[Card, ...]) -> bool:
    """Whether at least half of the cards are natural."""
    return keeps_ratio(len(cards) - count_wilds(cards), count_wilds(cards))


def is_set(cards: tuple[Card, ...]) -> bool:
    """Whether these cards are a set."""
    return fits_ratio(cards) and len({card[0] for card in cards if not is_wild(card)}) == 1


def is_run(cards: tuple[Card, ...]) -> bool:
    """Whether some order of these cards is a run."""
    naturals = [card for card in cards if not is_wild(card)]
    if not fits_ratio(cards) or len({card[1] for card in naturals}) != 1:
        return False
    ranks = Counter(card[0] for card in naturals)
    ladder = RANKS + "A"
    return any(
        not ranks - Counter(ladder[start : start + len(cards)])
        for start in range(14 - len(cards) + 1)
    )


def can_lay_naively(hand: list[Card], groups: Groups) -> bool:
    """Whether the groups can be laid: every choice of cards for every group."""
    if groups.sets + groups.runs == 0:
        return True
    if groups.sets:
        size, fits, rest = groups.set_size, is_set, groups._replace(sets=groups.sets - 1)
    else:
        size, fits, rest = groups.run_size, is_run, groups._replace(runs=groups.runs - 1)
    for chosen in set(combinations(hand, size)):
        if fits(chosen):
            left = sort_cards(list((Counter(hand) - Counter(chosen)).elements()))
            if can_lay_naively(left, rest):
                return True
    return False


def suited_hand(generator: random.Random, size: int, ranks: str) -> list[Card]:
    """A random hand from few cards, where contracts are neither rare nor certain."""
    pack = [rank + suit for rank in ranks for suit in "SH"] * 2
    wilds = generator.sample(["2S", "2S", "2H", "2H", "JK", "JK"], 4)
    return sort_cards(generator.sample(pack + wilds, size))


class TestCompletionAgainstNaiveSearch:
    @pytest.mark.parametrize("contract", CONTRACTS)
    def test_contracts(self, contract: int) -> None:
        groups = CONTRACTS[contract]
        generator = random.Random(contract)
        ranks = "A357TJQK" if groups.runs == 0 else "A345JQK"
        answers = Counter[bool]()
        for number in range(80):
            if number % 2:
                hand = suited_hand(generator, groups.cards + number % 3, ranks)
            else:
                (hand,) = shuffled_deal(generator, [contract], generous=1)["hands"]
            answer = is_completable(tuple(hand), None, groups)
            assert answer == can_lay_naively(hand, groups), hand
            answers[answer] += 1
        assert min(answers[True], answers[False]) > 0


Laying = frozenset[tuple[Card, ...]]
"""Two groups that can lie on the table: a run in its order, a set sorted, and which was first."""


def all_sets(size: int) -> set[tuple[Card, ...]]:
    """Every set of spades and hearts with the wild cards that hands here hold."""
    possible = [[rank + "S", rank + "H", "2S", "2H", "JK"] for rank in RANKS if rank != "2"]
    return {
        tuple(sort_cards(cards))
        for names_of in possible
        for cards in product(names_of, repeat=size)
        if is_set(cards)
    }


def all_runs(size: int) -> set[tuple[Card, ...]]:
    """Every run of spades or hearts, in its order; one with wild ends may lie at several places."""
    runs = set()
    for suit in "SH":
        for start in range(14 - size + 1):
            ladder = [
                {rank + suit, "2S", "2H", "JK"} for rank in (RANKS + "A")[start : start + size]
            ]
            runs |= {cards for cards in product(*ladder) if fits_ratio(cards)}
    return runs


def laid_by_moves(oracle: Oracle) -> set[Laying]:
    """What all legal moves from here lead to, each time until the contract is complete.

    Raises:
        AssertionError: some step was legal that cannot be completed.
    """
    found: set[Laying] = set()
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
            key = repr((open_group_of(after), [lay_of(meld) for meld in after.table()["melds"]]))
            if key not in seen:
                seen.add(key)
                waiting.append(after.table())
    return found


def open_group_of(oracle: Oracle) -> Table | None:
    """What is being laid; the order of the cards in an open set makes no difference."""
    if oracle.building is None or oracle.building["kind"] != "set":
        return oracle.building
    return oracle.building | {"cards": sort_cards(oracle.building["cards"])}


def lay_of(meld: Table) -> tuple[Card, ...]:
    """The cards of a meld, those of a set sorted."""
    cards = meld["cards"] if meld["kind"] == "run" else sort_cards(meld["cards"])
    return tuple(cards)


def laid_naively(
    hand: list[Card], first: set[tuple[Card, ...]], second: set[tuple[Card, ...]]
) -> set[Laying]:
    """Every pair of groups, in both orders, that the hand has the cards for."""
    held = Counter(hand)
    possible = [[group for group in groups if Counter(group) <= held] for groups in (first, second)]
    found: set[Laying] = set()
    for one, other in product(*possible):
        if Counter(one) + Counter(other) <= held:
            found.add(frozenset([(*one, "0"), (*other, "1")]))
            found.add(frozenset([(*other, "0"), (*one, "1")]))
    return found


class TestEveryLayingCanBeReached:
    """The moves lead to all complete layings, to nothing else, and never to a dead end."""

    @pytest.mark.parametrize("contract", [2, 4, 5])
    def test_two_groups(self, contract: int) -> None:
        generator = random.Random(contract)
        groups = CONTRACTS[contract]
        possible = [all_sets(groups.set_size) for _ in range(groups.sets)]
        possible += [all_runs(groups.run_size) for _ in range(groups.runs)]
        counts = []
        for _ in range(8):
            cards = suited_hand(generator, 10, "A34QK" if groups.runs else "A3")
            oracle = oracle_with(contract, " ".join(cards) + " 5D 9D 6C TC")
            expected = laid_naively(oracle.hands[0], possible[0], possible[1])
            assert laid_by_moves(oracle) == expected
            counts.append(len(expected))
        assert max(counts) > 10


def play_itself(
    generator: random.Random, start: Table, eager: bool, generous: float = 0.5
) -> tuple[Oracle, Counter[str]]:
    """Random moves to the end, the table checked after every one; `eager` lays what it can."""
    oracle = Oracle.from_table(start)
    seen = Counter[str]()
    while not oracle.finished:
        legal = oracle.legal_moves()
        assert legal, oracle.table()
        move = choose(generator, legal, eager)
        table = oracle.table()
        rewards = oracle.play(move, chance_after(generator, table, move, generous))
        after = oracle.table()
        check_step(table, after, rewards, oracle.win_rewards)
        seen[move["move"]] += 1
        seen["deals"] += after["deal"] - table["deal"]
        seen["reshuffles"] += move["move"] == "draw_stock" and not table["stock"]
        assert generator.random() < 0.98 or Oracle.from_table(after).table() == after
    return oracle, seen


def check_step(before: Table, after: Table, rewards: list[float], win: list[float]) -> None:
    """Cards are conserved, hands have their sizes, points add up, seats move on as they should."""
    assert_pack(after)
    assert sum(rewards) == pytest.approx(0) == sum(win)
    points = [new - old for old, new in zip(before["scores"], after["scores"], strict=True)]
    num_players = len(points)
    for own, reward in zip(points, rewards, strict=True):
        others = (sum(points) - own) / (num_players - 1)
        assert reward == pytest.approx((own - others) / 2) and -1 <= reward <= 1
    assert any(win) <= after["finished"] and len(after["melds"]) <= 35
    if after["finished"] or after["deal"] != before["deal"]:
        for seat, point in enumerate(points):
            assert (point >= 1) == before["down"][seat]
            assert after["contracts"][seat] - before["contracts"][seat] in (0, int(point >= 1))
        assert points.count(2) == (len(before["hands"][before["turn"]]) == 1)
    else:
        assert not any(points) and after["contracts"] == before["contracts"]
    if after["deal"] != before["deal"]:
        new_deal_is_valid(after)
    if after["finished"]:
        return
    for seat, hand in enumerate(after["hands"]):
        assert hand
        if not after["down"][seat] and after["building"] is None:
            has_drawn = seat == after["turn"] and after["phase"] == "play"
            assert len(hand) == 13 + has_drawn


def choose(generator: random.Random, legal: list[Move], eager: bool) -> Move:
    """A random move; eagerly one that lays cards, if there is one."""
    laying = [
        move for move in legal if move["move"] not in ("draw_stock", "take_discard", "discard")
    ]
    return generator.choice(laying if eager and laying else legal)


class TestSelfPlay:
    @pytest.mark.parametrize("num_players", range(2, 6))
    def test_short_games_are_won(self, num_players: int) -> None:
        generator = random.Random(num_players)
        start = deal_randomly(
            generator,
            generous=0.9,
            num_players=num_players,
            start_contract=num_players,
            last_contract=num_players + 2,
            return_discard=bool(num_players % 2),
        )
        oracle, seen = play_itself(generator, start, eager=True, generous=0.9)
        assert oracle.winners and seen["deals"] >= 2

    @pytest.mark.parametrize("num_players", range(2, 6))
    def test_whole_games_end_at_a_cap(self, num_players: int) -> None:
        generator = random.Random(num_players)
        start = deal_randomly(generator, num_players=num_players, turn_cap=6, deal_cap=12)
        oracle, seen = play_itself(generator, start, eager=True)
        assert oracle.finished and oracle.capped and oracle.deal == 12
        assert seen["lay_off"] > 0
        assert oracle.winners is not None
        assert all(oracle.contracts[seat] == max(oracle.contracts) for seat in oracle.winners)

    @pytest.mark.parametrize("contract", range(1, 15))
    @pytest.mark.parametrize("num_players", [2, 3, 5])
    def test_single_deals(self, contract: int, num_players: int) -> None:
        generator = random.Random(100 * contract + num_players)
        start = deal_randomly(
            generator,
            generous=0.8,
            num_players=num_players,
            turn_cap=30,
            episode="deal",
            deal=contract,
            return_discard=bool(contract % 3),
        )
        new_deal_is_valid(start)
        oracle, _ = play_itself(generator, start, eager=contract % 2 == 0)
        assert oracle.deal == 1 and set(oracle.contracts) == {contract}

    def test_some_deals_are_gone_out_and_some_reshuffle(self) -> None:
        generator = random.Random(0)
        seen = Counter[str]()
        capped = 0
        for _ in range(10):
            start = deal_randomly(generator, generous=0.4, episode="deal")
            oracle, moves = play_itself(generator, start, eager=True)
            seen += moves
            capped += oracle.capped
        assert 0 < capped < 10 and min(seen[name] for name in MOVE_NAMES) > 0, seen


MOVE_NAMES = (
    *("draw_stock", "take_discard", "open_set", "open_run", "place", "lay_off", "discard"),
    "reshuffles",
)


def test_the_packs() -> None:
    assert len(PACK) == 54 and len(CARDS) == 108 and CARDS.count("JK") == 4
    assert sum(map(is_wild, CARDS)) == 12
    dealt = shuffled_deal(random.Random(1), [1, 14], generous=1)
    assert [len(hand) for hand in dealt["hands"]] == [13, 13] and len(dealt["stock"]) == 81
