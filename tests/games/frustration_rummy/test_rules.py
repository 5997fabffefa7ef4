"""The rules of Frustration Rummy, rule by rule, played by the kernels."""

from collections import Counter
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
import pytest

from kitchentable.cards.french import CARDS
from kitchentable.engine.game import Game, IllegalMoveError
from kitchentable.engine.jit import COMPILED
from kitchentable.games import spec
from kitchentable.games.frustration_rummy.consistency import Fault, validate
from kitchentable.games.frustration_rummy.rules import (
    ACTIONS,
    MAX_MELDS,
    RUN_LENGTHS,
    RUNS,
    SET_SIZES,
    SETS,
    WAYS,
    Phase,
)

from .tables import (
    between_groups,
    make_table,
    parse_move,
    run_being_laid,
    run_of,
    set_being_laid,
    set_of,
)


@cache
def game_of(**options: Any) -> Game:
    return Game(spec("frustration_rummy"), **options)


class Position:
    """A position that is played on in few words."""

    def __init__(self, **changes: Any) -> None:
        reward = changes.pop("reward", "points")
        table = make_table(**changes)
        self.game = game_of(reward=reward, **table["options"])
        self.state = self.game.from_table(table)
        self.reward = np.zeros(self.game.num_players, np.float32)

    def is_legal(self, move: str) -> bool:
        return parse_move(move) in self.game.legal_moves(self.state)

    def legal(self, kind: str) -> list[dict[str, Any]]:
        return [move for move in self.game.legal_moves(self.state) if move["move"] == kind]

    def play(self, *moves: str) -> "Position":
        for move in moves:
            assert self.is_legal(move), move
            self.reward = self.game.play(self.state, parse_move(move))
        return self

    def refuses(self, move: str) -> bool:
        """Whether a move that can be named is not legal."""
        with pytest.raises(IllegalMoveError):
            self.game.play(self.state, parse_move(move))
        return not self.is_legal(move)

    @property
    def table(self) -> dict[str, Any]:
        return self.game.table(self.state)


def playing(contract: int, hand: str, **changes: Any) -> Position:
    """Seat 0 has drawn, and is not down."""
    return Position(contract=contract, phase="play", hands={0: hand}, **changes)


THREES = [set_of(0, "3S 3H 3D"), set_of(0, "4S 4H 4D"), set_of(0, "5S 5H 5D")]
"""Contract 1 laid by seat 0."""


def down(hand: str, **changes: Any) -> Position:
    """Seat 0 is down on contract 1, and has drawn."""
    return playing(1, hand, **({"melds": THREES} | changes))


class TestContracts:
    def test_the_list(self) -> None:
        groups = list(zip(SETS, SET_SIZES, RUNS, RUN_LENGTHS, strict=True))[1:]
        cards = [sets * size + runs * length for sets, size, runs, length in groups]
        assert cards == [9, 7, 10, 8, 8, 12, 10, 12, 12, 10, 10, 12, 12, 12]
        assert groups[2] == (2, 3, 1, 4) and groups[13] == (1, 3, 1, 9)

    def test_numbers_are_enough(self) -> None:
        assert ACTIONS.size == 584
        assert MAX_MELDS * WAYS == 420


class TestDeal:
    @pytest.mark.parametrize("num_players", range(2, 6))
    def test_r1_thirteen_cards_and_one_turned_up(self, num_players: int) -> None:
        game = game_of(num_players=num_players)
        table = game.table(game.new(3))
        assert [len(hand) for hand in table["hands"]] == [13] * num_players
        assert len(table["discard"]) == 1
        assert len(table["stock"]) == 108 - 13 * num_players - 1
        assert table["turn"] == table["to_act"] == (table["dealer"] + 1) % num_players
        assert table["contracts"] == [1] * num_players

    def test_fr_1_two_packs_with_their_jokers(self) -> None:
        table = game_of().table(game_of().new(1))
        cards = Counter(table["stock"] + table["discard"] + [*chain(*table["hands"])])
        assert cards == Counter({card: 4 if card == "JK" else 2 for card in CARDS})

    def test_g_1_any_seat_deals_first(self) -> None:
        game = game_of(num_players=3)
        dealers = {int(state.dealer) for state in game.new_batch(100, 1)}
        assert dealers == {0, 1, 2}

    def test_every_seat_begins_with_the_first_contract(self) -> None:
        game = game_of(start_contract=5, last_contract=6)
        assert game.table(game.new(0))["contracts"] == [5] * 4

    def test_a_single_deal_draws_its_contract_evenly(self) -> None:
        game = game_of(num_players=2, episode="deal", start_contract=3, last_contract=6)
        drawn = Counter(int(state.contracts[0]) for state in game.new_batch(2000, 1))
        assert sorted(drawn) == [3, 4, 5, 6]
        assert all(abs(n - 500) < 100 for n in drawn.values())

    def test_a_single_deal_of_a_named_contract(self) -> None:
        game = game_of(num_players=2, episode="deal", deal=13, last_contract=2)
        assert game.table(game.new(0))["contracts"] == [13, 13]


class TestDrawing:
    def test_r2_stock_or_discard(self) -> None:
        position = Position(discard="5H 9H", stock="KC")
        assert position.is_legal("draw_stock")
        position.play("take_discard")
        table = position.table
        assert table["taken"] == "9H" and table["known"][0] == ["9H"]
        assert "9H" in table["hands"][0] and table["phase"] == "play"

    def test_example_16_an_empty_stock_is_made_anew(self) -> None:
        position = Position(
            num_players=5, rest="discard", hands={4: "2S"}, down=[False] * 4 + [True]
        )
        n = len(position.table["discard"])
        top = position.table["discard"][-1]
        position.play("draw_stock")
        table = position.table
        assert table["discard"] == [top] and len(table["stock"]) == n - 2
        assert len(table["hands"][0]) == 14

    def test_example_16_with_one_discard_it_must_be_taken(self) -> None:
        rest = Counter({card: 4 if card == "JK" else 2 for card in CARDS})
        rest.subtract(["KS", "AS"])
        hands = {0: "KS", 1: " ".join(rest.elements())}
        position = Position(num_players=2, hands=hands, down=[True, True], discard="AS")
        assert position.table["stock"] == []
        assert position.game.legal_moves(position.state) == [{"move": "take_discard"}]

    def test_fr_20_a_wild_top_card_may_be_taken(self) -> None:
        assert Position(discard="2H").is_legal("take_discard")


class TestLayingTheContract:
    def test_example_1(self) -> None:
        hand = "5H 5D JK KS KC 2H 9S 9H 9D JK 3C 4D 6S 7C"
        position = playing(1, hand).play("open_set 5", "place 5H", "place JK")
        assert position.refuses("place JK"), "one natural, two wild"
        position.play("place 5D", "open_set K", "place KS", "place KC", "place 2H")
        assert not position.table["down"][0]
        position.play("open_set 9", "place 9S", "place 9H", "place 9D")
        table = position.table
        assert table["down"][0] and table["phase"] == "play" and table["building"] is None
        assert table["melds"][0]["cards"] == ["5H", "JK", "5D"]
        assert validate(position.state[0]) == Fault.NONE

    def test_example_2_a_two_is_wild_in_its_own_place(self) -> None:
        runs = "5H 6H 7H 8H QS QH 9D 9C KD KS"
        assert playing(5, f"AC 2D 3C 4C {runs}").is_legal("open_run C 1")
        assert playing(5, f"AC 2C JK 4C {runs}").is_legal("open_run C 1")
        position = playing(5, f"3C 2C JK 2D {runs}")
        assert not position.is_legal("open_run C 1"), "one natural, three wild"

    def test_example_2_with_two_and_two(self) -> None:
        position = playing(5, "AC 2C JK 4C 5H 6H 7H 8H QS QH 9D 9C KD KS")
        position.play("open_run C 1", "place AC")
        assert position.is_legal("place 2C") and position.is_legal("place JK")
        position.play("place 2C", "place JK", "place 4C")
        assert position.table["building"]["runs_left"] == 1

    def test_example_3_never_round_the_corner(self) -> None:
        position = playing(5, "QS KS AS 2S 5H 6H 7H 8H QC QH 9D 9C KD KC")
        suits = [move for move in position.legal("open_run") if move["suit"] == "S"]
        assert [move["low"] for move in suits] == [11]
        position.play("open_run S 11", "place 2S", "place QS", "place KS", "place AS")

    def test_example_4_the_ratio(self) -> None:
        rest = "KS KH KD KC 3S 5H 8D TC JH 6S"
        assert playing(4, f"7S 7H 2C JK {rest}").is_legal("open_set 7")
        assert not playing(4, f"7S 2D 2C JK {rest}").is_legal("open_set 7")

    def test_example_5_no_run_where_the_contract_has_none(self) -> None:
        hand = "5S 5H 5D KS KC KD 9S 9H 9D 6S 7S 8S TS JS"
        position = playing(1, hand)
        assert position.legal("open_set") and not position.legal("open_run")

    def test_example_13_a_card_that_the_run_needs(self) -> None:
        hand = "7H 7D 7C 7S 8S 9S TS KH QD 3C 4D 5H 6C AD"
        position = playing(2, hand).play("open_set 7")
        assert position.refuses("place 7S")
        another = playing(2, hand.replace("AD", "7S")).play("open_set 7")
        assert another.is_legal("place 7S")
        wild = playing(2, hand.replace("AD", "2D")).play("open_set 7")
        assert wild.is_legal("place 7S")

    def test_example_14_a_run_of_seven(self) -> None:
        sets = "KS KH KD 3S 4D 6C QS"
        position = playing(7, f"5H 6H 2C 8H JK TH JH {sets}")
        position.play("open_run H 5", "place 5H", "place 6H", "place 2C", "place 8H", "place JK")
        position.play("place TH", "place JH")
        assert position.table["melds"][0]["cards"] == ["5H", "6H", "2C", "8H", "JK", "TH", "JH"]
        few = playing(7, f"5H 6H 2C 2D 8H JK JK {sets}")
        assert not few.is_legal("open_run H 5")

    def test_a_run_of_nine_stays_inside(self) -> None:
        hand = "6S 7S 8S 9S TS JS QS KS AS 4H 4D 4C KH 3D"
        position = playing(14, hand)
        assert [move["low"] for move in position.legal("open_run")] == [6]

    def test_fr_6_equal_and_touching_groups(self) -> None:
        hand = "5H 6H 7H 8H 5H 6H 7H 8H 9H TH JH QH KS 3D"
        position = playing(9, hand)
        for low, cards in ((5, "5H 6H 7H 8H"), (5, "5H 6H 7H 8H"), (9, "9H TH JH QH")):
            position.play(f"open_run H {low}", *(f"place {card}" for card in cards.split()))
        assert position.table["down"][0]
        six = playing(4, "7S 7S 7H 7H 7D 7D 7C 7C KS QH 3D 4S TC JD")
        six.play("open_set 7", "place 7S", "place 7S", "place 7H", "place 7H")
        assert six.is_legal("open_set 7")

    def test_fr_5_only_the_groups_of_the_contract_in_any_order(self) -> None:
        position = playing(3, "5S 5H 5D KS KC KD 6C 7C 8C 9C 9S JH QH 3D")
        position.play("open_run C 6", *(f"place {card}" for card in ("6C", "7C", "8C", "9C")))
        moves = position.game.legal_moves(position.state)
        assert {move["move"] for move in moves} == {"open_set"}, "no discard between two groups"
        assert position.table["building"] == between_groups(2, 0)

    def test_fr_2_no_set_of_twos(self) -> None:
        position = playing(1, "2S 2H 2D 2C JK KS KC KD 9S 9H 9D 7S 7H QD")
        assert {move["rank"] for move in position.legal("open_set")} == {"K", "9", "7"}


class TestDown:
    def test_example_6_a_card_stays_for_the_discard(self) -> None:
        melds = [set_of(0, f"{rank}S {rank}H {rank}D") for rank in "3456"]
        position = playing(6, "3C 4C", melds=melds)
        position.play("lay_off 3C 0")
        assert not position.legal("lay_off")
        position.play("discard 4C")
        assert position.table["finished"] and position.table["winners"] == [0]

    def test_example_7_who_is_not_down_lays_nothing_off(self) -> None:
        position = playing(1, "5C 8D ...", melds=[set_of(1, "5S 5H 5D")])
        assert not position.legal("lay_off")

    def test_example_8_the_ends_of_a_run(self) -> None:
        run = run_of(1, 6, "6D 7D 8D 9D TD")
        position = down("5D JD 2S 4D KS", melds=[*THREES, run])
        for move in ("5D 3 low", "JD 3 high", "2S 3 high", "2S 3 low"):
            assert position.is_legal(f"lay_off {move}")
        assert {"card": "4D", "meld": 3} not in [
            {"card": move["card"], "meld": move["meld"]} for move in position.legal("lay_off")
        ]
        position.play("lay_off 2S 3 high", "lay_off 5D 3 low", "lay_off 4D 3 low")
        meld = position.table["melds"][3]
        assert meld["low"] == 4
        assert meld["cards"] == ["4D", "5D", "6D", "7D", "8D", "9D", "TD", "2S"]
        assert meld["owner"] == 1

    def test_example_9_extra_melds(self) -> None:
        assert not down("4H 5H 6H 9S").legal("open_run")
        assert not down("4H 5H 6H 7H").legal("open_run"), "nothing would be left"
        position = down("4H 5H 6H JK 9S")
        assert [move["low"] for move in position.legal("open_run")] == [3, 4]
        assert not down("8S 8H 8D").legal("open_set")
        down("8S 8H 8D JS").play("open_set 8", "place 8S", "place 8H", "place 8D", "discard JS")

    def test_example_9_in_the_turn_of_going_down(self) -> None:
        hand = "5S 5H 5D KS KC KD 9S 9H 9D 8S 8H 8D JS 3C"
        position = playing(1, hand)
        for rank, suits in (("5", "SHD"), ("K", "SCD"), ("9", "SHD"), ("8", "SHD")):
            position.play(f"open_set {rank}", *(f"place {rank}{suit}" for suit in suits))
        assert position.table["phase"] == "play" and len(position.table["melds"]) == 4

    def test_an_extra_set_has_its_ratio(self) -> None:
        position = down("8S 2D JK QS KH")
        assert not position.legal("open_set")
        position = down("8S 8H 2D JK QS KH").play("open_set 8", "place 2D")
        assert position.refuses("place JK")

    def test_an_extra_meld_is_completed_at_three_and_four(self) -> None:
        position = down("8S 8H 8D 8C QS").play("open_set 8", "place 8S", "place 8H")
        assert position.table["building"] == set_being_laid("8", "8S 8H", 0, 0)
        position.play("place 8D", "lay_off 8C 3")
        assert position.table["melds"][3]["cards"] == ["8S", "8H", "8D", "8C"]

    def test_example_12_the_ratio_after_each_addition(self) -> None:
        melds = [set_of(1, "7S 7H JK"), *THREES]
        position = down("2H JK 7D KS", melds=melds).play("lay_off 2H 0")
        assert position.refuses("lay_off JK 0")
        position.play("lay_off 7D 0")
        assert position.is_legal("lay_off JK 0")

    def test_example_15_to_both_aces(self) -> None:
        run = run_of(0, 3, "3S 4S 5S 6S 7S 8S 9S TS JS QS KS")
        melds = [set_of(0, "4H 4D 4C"), run]
        position = playing(2, "2H AS AS QC", melds=melds)
        assert position.is_legal("lay_off AS 1 high") and not position.is_legal("lay_off AS 1 low")
        position.play("lay_off 2H 1 low", "lay_off AS 1 low", "lay_off AS 1 high")
        assert len(position.table["melds"][1]["cards"]) == 14
        assert not position.legal("lay_off")

    def test_a_two_never_goes_naturally_to_position_2(self) -> None:
        run = run_of(0, 3, "3S 4S JK 2D")
        position = playing(2, "2S AS QC", melds=[set_of(0, "4H 4D 4C"), run])
        assert not [move for move in position.legal("lay_off") if move["meld"] == 1]


class TestDiscarding:
    def test_any_card_ends_the_turn(self) -> None:
        position = playing(1, "5H 9D ...").play("discard 5H")
        table = position.table
        assert table["discard"][-1] == "5H" and table["turn"] == table["to_act"] == 1
        assert table["phase"] == "draw" and table["turns"] == 2

    def test_g_3_the_card_just_taken(self) -> None:
        for allowed in (True, False):
            position = Position(discard="9H", return_discard=allowed).play("take_discard")
            assert position.is_legal("discard 9H") == allowed

    def test_g_3_unless_there_is_no_other(self) -> None:
        position = Position(
            contract=1, melds=THREES, hands={0: "KS"}, discard="KS", return_discard=False
        ).play("take_discard")
        assert [move["card"] for move in position.legal("discard")] == ["KS"]

    def test_a_known_card_leaves_with_an_equal_one(self) -> None:
        position = Position(discard="9H", hands={0: "9H ..."}).play("take_discard", "discard 9H")
        assert position.table["known"][0] == [] and "9H" in position.table["hands"][0]


class TestEndOfADeal:
    def test_example_10_everybody_who_is_down_moves_on(self) -> None:
        melds = [
            *(set_of(0, "3S 3H 3D"), set_of(0, "4S 4H 4D"), run_of(0, 5, "5C 6C 7C 8C")),
            *(run_of(1, 5, "5H 6H 7H 8H"), run_of(1, 9, "9H TH JH QH")),
        ]
        position = Position(
            num_players=3, contracts=[3, 5, 2], phase="play", melds=melds, hands={0: "KS", 1: "KD"}
        ).play("discard KS")
        table = position.table
        assert table["contracts"] == [4, 6, 2] and table["scores"] == [2, 1, 0]
        assert position.reward.tolist() == [0.75, 0, -0.75]
        assert table["deal"] == 2 and table["dealer"] == 0 and table["turn"] == 1
        assert table["turns"] == 1 and table["melds"] == [] and not any(table["down"])

    def test_example_11_only_who_goes_out_on_the_last_contract_wins(self) -> None:
        last = [set_of(0, "4S 4H 4D"), run_of(0, 5, "5S 6S 7S 8S 9S TS JS QS KS")]
        other = [run_of(1, low, cards) for low, cards in ((5, "5H 6H 7H 8H"), (9, "9H TH JH QH"))]
        other.append(run_of(1, 5, "5D 6D 7D 8D"))
        changes: dict[str, Any] = {"num_players": 2, "contracts": [14, 9], "phase": "play"}
        changes |= {"melds": last + other, "deal": 5}
        position = Position(**changes, turn=1, hands={0: "AC", 1: "AD"}).play("discard AD")
        assert position.table["contracts"] == [14, 10] and not position.table["finished"]
        position = Position(**changes, hands={0: "AC", 1: "AD"}).play("discard AC")
        assert position.table["winners"] == [0] and not position.table["capped"]
        assert position.table["contracts"] == [14, 9]
        assert position.table["phase"] == "over" and position.table["to_act"] is None

    def test_example_17_the_turn_cap(self) -> None:
        melds = [set_of(2, "3S 3H 3D"), set_of(2, "4S 4H 4D"), set_of(2, "5S 5H 5D")]
        position = Position(
            turn=3, turns=240, phase="play", melds=melds, hands={2: "KS", 3: "9H ..."}
        )
        position.play("discard 9H")
        table = position.table
        assert table["capped"] and table["contracts"] == [1, 1, 2, 1]
        assert table["scores"] == [0, 0, 1, 0] and table["deal"] == 2
        assert position.reward.tolist() == pytest.approx([-1 / 6, -1 / 6, 0.5, -1 / 6])

    def test_going_out_comes_before_the_cap(self) -> None:
        position = Position(turn=0, turns=240, phase="play", melds=THREES, hands={0: "KS"})
        position.play("discard KS")
        assert not position.table["capped"] and position.table["scores"] == [2, 0, 0, 0]

    def test_fr_16_the_deal_cap(self) -> None:
        changes: dict[str, Any] = {"contracts": [1, 2, 2, 1], "deal": 3, "deal_cap": 3}
        changes |= {"phase": "play", "melds": THREES, "hands": {0: "KS"}, "reward": "win"}
        position = Position(**changes).play("discard KS")
        table = position.table
        assert table["finished"] and table["capped"] and table["winners"] == [0, 1, 2]
        assert table["contracts"] == [2, 2, 2, 1]
        assert position.reward.tolist() == pytest.approx([1 / 9, 1 / 9, 1 / 9, -1 / 3])

    def test_a_win_in_the_last_deal_is_not_capped(self) -> None:
        changes: dict[str, Any] = {"start_contract": 1, "last_contract": 1, "deal_cap": 1}
        position = Position(**changes, phase="play", melds=THREES, hands={0: "KS"})
        position.play("discard KS")
        assert position.table["winners"] == [0] and not position.table["capped"]

    def test_capped_stays_true(self) -> None:
        position = Position(
            last_contract=1, capped=True, phase="play", melds=THREES, hands={0: "KS"}
        ).play("discard KS")
        assert position.table["winners"] == [0] and position.table["capped"]

    def test_a_single_deal_is_won_by_most_points(self) -> None:
        melds = [*THREES, *(set_of(1, f"{rank}S {rank}H {rank}D") for rank in "678")]
        position = down("KS", melds=melds, turn=0).play("discard KS")
        assert position.table["winners"] == [0] and position.table["scores"] == [2, 1, 0, 0]
        nobody = playing(1, "KS ...", turns=240).play("discard KS")
        assert nobody.table["winners"] == [0, 1, 2, 3] and nobody.table["capped"]
        assert nobody.table["contracts"] == [1, 1, 1, 1]


class TestBuildingRead:
    def test_a_run_half_laid_goes_on(self) -> None:
        position = Position(
            contract=5, building=run_being_laid("C", 6, "6C JK", 0, 1), hands={0: "8C 9C 3H 4H 5H 6H ..."}
        )  # fmt: skip
        assert position.legal("place") == [{"move": "place", "card": "8C"}]
        position.play("place 8C", "place 9C", "open_run H 3")


@pytest.mark.parametrize("num_players", range(2, 6))
def test_every_position_is_sound(num_players: int) -> None:
    """Random and scripted moves, every contract: a legal move, and fields that agree."""
    chance = np.random.default_rng(num_players)
    for deal in range(1, 15 if COMPILED else 3):
        options = {"episode": "deal", "deal": deal, "turn_cap": 12}
        game = game_of(num_players=num_players, **options)
        state = game.new(deal)
        while not game.is_finished(state):
            legal = game.legal_actions(state)
            assert legal and validate(state[0]) == Fault.NONE
            random = legal[int(chance.integers(len(legal)))]
            game.play(state, game.scripted(state) if chance.random() < 0.85 else random)
        assert validate(state[0]) == Fault.NONE


def test_a_whole_game_ends_with_a_winner() -> None:
    game = game_of(num_players=2, last_contract=3)
    state = game.new(1)
    while not game.is_finished(state):
        game.play(state, game.scripted(state))
    table = game.table(state)
    (winner,) = table["winners"]
    assert table["contracts"][winner] == 3 and table["hands"][winner] == []
    assert state[0].phase == Phase.OVER


def test_a_game_that_ends_at_its_last_deal_agrees_with_itself() -> None:
    """FR-16: who is down moves on, also after the last deal, while its melds still lie there."""
    moved_on = 0
    for seed in range(6):
        game = game_of(num_players=3, deal_cap=1 + seed % 3)
        state = game.new(seed)
        while not game.is_finished(state):
            assert validate(state[0]) == Fault.NONE
            game.play(state, game.scripted(state))
        assert validate(state[0]) == Fault.NONE
        moved_on += int(state[0].down[:3].sum())
    assert moved_on > 0
