"""The rules rule by rule, and the worked examples by number, on the kernels."""

from collections import Counter
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
import pytest

from kitchentable.engine.game import Game, IllegalMoveError
from kitchentable.games import spec
from kitchentable.games.potter_rummy.consistency import Fault, validate
from kitchentable.games.potter_rummy.rules import ACTIONS, CARDS, PACK, PACK_SIZE

from .tables import make_table, parse_move

Table = dict[str, Any]


@cache
def game_of(**options: Any) -> Game:
    return Game(spec("potter_rummy"), **options)


class Position:
    """A position of `make_table`, played on in words."""

    def __init__(self, **changes: Any) -> None:
        table = make_table(**changes)
        self.game = game_of(**table["options"])
        self.state = self.game.from_table(table)

    def moves(self, name: str) -> list[Table]:
        """Return the legal moves of a name."""
        return [m for m in self.game.legal_moves(self.state) if m["move"] == name]

    def can(self, move: str) -> bool:
        return parse_move(move) in self.game.legal_moves(self.state)

    def play(self, *moves: str) -> "Position":
        for move in moves:
            self.rewards = self.game.play(self.state, parse_move(move))
            assert validate(self.state[0]) == Fault.NONE
        return self

    def __getitem__(self, key: str) -> Any:
        return self.game.table(self.state)[key]


class TestR1Deal:
    @pytest.mark.parametrize(("seats", "each"), [(2, 6), (6, 6), (7, 3), (12, 3)])
    def test_cards_each(self, seats: int, each: int) -> None:
        game = game_of(num_players=seats)
        table = game.table(game.new(seed=3))
        assert [len(hand) for hand in table["hands"]] == [each] * seats
        assert len(table["discard"]) == 1
        assert len(table["stock"]) == PACK_SIZE - each * seats - 1
        assert table["turn"] == (table["dealer"] + 1) % seats
        assert table["scores"] == [20] * seats

    def test_the_pack(self) -> None:
        game = game_of(num_players=2)
        table = game.table(game.new())
        cards = Counter([*table["stock"], *table["discard"], *chain(*table["hands"])])
        assert cards == {name: 2 if name == "signpost" else 3 for name in PACK.names}

    def test_every_seat_deals_first_at_times(self) -> None:
        game = game_of(num_players=3)
        assert {int(game.new(seed)[0].dealer) for seed in range(30)} == {0, 1, 2}


class TestR2OneActionATurn:
    def test_example_1_laying_is_the_whole_turn(self) -> None:
        at = Position(hands={0: "c1 c1 c2 c3 c4 c5"}).play("lay c1 2 false")
        assert at["turn"] == 1
        assert at["phase"] == "act"
        assert at["hands"][0] == ["c2", "c3", "c4", "c5"]
        assert at["sets"][0] == [["c1", "c1"]]

    def test_example_3_no_second_thing(self) -> None:
        at = Position(hands={0: "c1 c1 c2 c2 c4 c5"}).play("lay c1 2 false")
        assert at["to_act"] == 1
        at = Position(hands={0: "c1 c1 c2 c2 c4 c5"}).play("draw_stock")
        assert {m["move"] for m in at.game.legal_moves(at.state)} == {"discard"}

    def test_the_number_of_actions_is_enough(self) -> None:
        assert ACTIONS.size == 80 + 33


class TestR3Drawing:
    def test_the_top_of_the_stock(self) -> None:
        at = Position(hands={0: "c1 c1 c1 c2 c2 c3"}, stock="c9 c8").play("draw_stock")
        assert "c8" in at["hands"][0]
        assert at["known"][0] == []
        assert at["taken"] is None

    def test_the_top_discard_is_known(self) -> None:
        at = Position(discard="c9 c8").play("take_discard")
        assert at["taken"] == "c8"
        assert at["known"][0] == ["c8"]
        assert at["discard"] == ["c9"]

    def test_example_13_a_new_stock(self) -> None:
        pile = "c3 c9 c3 c7 c5 c5 c11 c2"
        at = Position(num_players=6, discard=pile, stock="", rest="discard")
        assert at["stock"] == []
        before = Counter(at["discard"][:-1])
        hand = Counter(at["hands"][0])
        at.play("draw_stock")
        assert at["discard"] == ["c2"]
        assert len(at["stock"]) == 6
        assert Counter(at["stock"]) + (Counter(at["hands"][0]) - hand) == before


class TestR4Laying:
    def test_example_2_sizes_and_signposts(self) -> None:
        at = Position(hands={0: "c1 c1 signpost c2 c3 c4"})
        assert at.can("lay c1 2 false")
        assert at.can("lay c1 2 true")
        assert at.can("lay c1 3 true")
        assert not at.can("lay c1 3 false")
        at = Position(hands={0: "c1 signpost signpost c2 c3 c4"})
        assert [m for m in at.moves("lay") if m["card"] == "c1"] == [parse_move("lay c1 2 true")]

    def test_example_12_two_sets_of_one_character(self) -> None:
        at = Position(hands={0: "c1 c1 ..."}, sets={0: ["c1 signpost"]})
        at.play("lay c1 2 false")
        assert at["sets"][0] == [["c1", "signpost"], ["c1", "c1"]]
        at.play(
            "draw_stock", f"discard {at_hand(at, 1)}", "draw_stock", f"discard {at_hand(at, 2)}"
        )
        at.play("draw_stock", f"discard {at_hand(at, 3)}", "take_back 0")
        assert at["sets"][0] == [["c1", "c1"]]

    def test_example_11_large_tables(self) -> None:
        at = Position(num_players=8, episode="deal", hands={0: "c4 c4 c4"}).play("lay c4 3 false")
        assert at["winners"] == [0]
        at = Position(num_players=8, episode="deal", hands={0: "c4 c4 c5"}).play("lay c4 2 false")
        assert not at["finished"]
        for hand, move in (("c4", "add 0 false"), ("signpost", "add 0 true")):
            at = Position(num_players=8, episode="deal", hands={0: hand}, sets={0: ["c4 c4"]})
            assert at.play(move)["winners"] == [0]


def at_hand(at: Position, seat: int) -> str:
    """Return a card of a seat's hand."""
    return str(at["hands"][seat][0])


class TestR5Adding:
    def test_example_6_one_signpost_a_set(self) -> None:
        at = Position(hands={0: "signpost c3 c4 c5"}, sets={0: ["c1 signpost"]})
        assert not at.moves("add")
        at = Position(hands={0: "signpost c3 c4 c5"}, sets={0: ["c1 c1"]})
        assert at.moves("add") == [parse_move("add 0 true")]
        at = Position(hands={0: "signpost c3 c4"}, sets={0: ["c1 c1 c1"]})
        assert not at.moves("add")
        at = Position(hands={0: "c1 signpost ..."}, sets={1: ["c1 c1"]})
        assert not at.moves("add")

    def test_example_8_the_second_set_of_three_wins(self) -> None:
        at = Position(episode="deal", hands={0: "c2"}, sets={0: ["c1 c1 signpost", "c2 c2"]})
        at.play("add 1 false")
        assert at["finished"]
        assert at["winners"] == [0]

    def test_a_set_of_three_alone_does_not_win(self) -> None:
        at = Position(hands={0: "c2 c3 c4 c5"}, sets={0: ["c2 c2"]}).play("add 0 false")
        assert at["sets"][0] == [["c2", "c2", "c2"]]
        assert at["turn"] == 1


class TestR6Substituting:
    def test_example_4_the_signpost_changes_hands(self) -> None:
        at = Position(hands={0: "c1 c2 c3 c4 c5 c6"}, sets={1: ["c1 c1 signpost"]})
        at.play("substitute 1 0")
        assert at["sets"][1] == [["c1", "c1", "c1"]]
        assert at["hands"][0] == ["c2", "c3", "c4", "c5", "c6", "signpost"]
        assert at["known"][0] == ["signpost"]
        assert at["turn"] == 1

    def test_example_5_not_in_the_own_set(self) -> None:
        at = Position(hands={0: "c1 ...", 2: "c1 ..."}, sets={0: ["c1 signpost"]})
        assert not at.moves("substitute")
        assert at.can("add 0 false")
        assert at.can("take_back 0")
        at = Position(turn=2, hands={2: "c1 ..."}, sets={0: ["c1 signpost"]})
        assert at.play("substitute 0 0")["sets"][0] == [["c1", "c1"]]

    def test_a_set_without_signpost_is_left_alone(self) -> None:
        at = Position(hands={0: "c1 ..."}, sets={1: ["c1 c1"]})
        assert not at.moves("substitute")

    def test_seats_are_counted_from_the_one_that_acts(self) -> None:
        at = Position(turn=3, hands={3: "c1 ..."}, sets={2: ["c5 c5", "c1 signpost"]})
        assert at.moves("substitute") == [parse_move("substitute 2 1")]
        assert at.game.legal_actions(at.state).count(ACTIONS.encode("substitute", 2, 1)) == 1


class TestR7TakingBack:
    def test_example_15_all_know_what_came_back(self) -> None:
        at = Position(turn=2, hands={2: "c5 ..."}, sets={2: ["c5 signpost"]}).play("take_back 0")
        assert at["known"][2] == ["c5", "signpost"]
        assert at["turn"] == 3
        after = Position(**turn_two_discards())
        assert after.play("discard c5")["known"][2] == ["signpost"]

    def test_example_7_three_pairs(self) -> None:
        at = Position(hands={0: ""}, sets={0: ["c1 c1", "c2 c2", "c3 c3"]}, stock="c1")
        assert {m["move"] for m in at.game.legal_moves(at.state)} == {
            "draw_stock",
            "take_discard",
            "take_back",
        }
        at.play("draw_stock")
        assert at.game.legal_moves(at.state) == [parse_move("discard c1")]

    def test_a_set_of_three_stays(self) -> None:
        at = Position(hands={0: "c2 c3 c4"}, sets={0: ["c1 c1 signpost"]})
        assert not at.moves("take_back")

    def test_takeback_free_goes_on(self) -> None:
        sets = {0: ["c1 c1", "c2 signpost"]}
        at = Position(takeback_free=True, hands={0: "c1 c3"}, sets=sets)
        at.play("take_back 0")
        assert at["turn"] == 0
        assert at["phase"] == "act"
        at.play("take_back 0", "lay c1 3 false")
        assert at["turn"] == 1
        assert at["known"][0] == ["c2", "signpost"]


def turn_two_discards() -> Table:
    """Seat 2 holds c5 twice, one of them known, and has drawn."""
    hand = "c5 c5 signpost c7 c8 c9 c10"
    return {"turn": 2, "phase": "discard", "hands": {2: hand}, "known": {2: "c5 signpost"}}


class TestR8Discard:
    def test_any_card_of_the_hand(self) -> None:
        at = Position(hands={0: "c1 c2 signpost c4"}, sets={0: ["c9 c9"]}, stock="c7")
        at.play("draw_stock")
        assert [m["card"] for m in at.moves("discard")] == ["c1", "c2", "c4", "c7", "signpost"]

    def test_example_14_the_card_just_taken(self) -> None:
        for allowed in (True, False):
            at = Position(return_discard=allowed, hands={0: "c7 c2 ..."}, discard="c7")
            assert at.play("take_discard").can("discard c7") == allowed
            assert at.can("discard c2")
        at = Position(
            num_players=8, return_discard=False, hands={0: "c7"}, sets={0: ["c1 c1"]}, discard="c7"
        )
        assert at.play("take_discard").can("discard c7")


class TestR9EndOfDeal:
    def test_example_17_a_void_deal(self) -> None:
        at = Position(turns=240, scores=[3, 30, 20, 20], hands={0: "c1 ..."}, stock="c5")
        at.play("draw_stock", "discard c5")
        assert at["deal"] == 2
        assert at["capped"]
        assert at["scores"] == [3, 30, 20, 20]
        assert not at.rewards.any()

    def test_a_void_single_deal_has_no_winner(self) -> None:
        at = Position(episode="deal", turns=240, stock="c5").play("draw_stock", "discard c5")
        assert at["finished"]
        assert at["winners"] == []
        assert at["capped"]

    def test_the_last_turn_can_win(self) -> None:
        sets = {0: ["c1 c1 c1", "c2 c2"]}
        at = Position(episode="deal", turns=240, hands={0: "c2"}, sets=sets).play("add 1 false")
        assert at["winners"] == [0]
        assert not at["capped"]

    def test_a_free_take_back_is_no_end_of_a_turn(self) -> None:
        at = Position(takeback_free=True, turns=240, sets={0: ["c1 c1"]}).play("take_back 0")
        assert at["deal"] == 1

    def test_the_deal_passes_to_the_left(self) -> None:
        at = Position(dealer=3, turn=0, hands={0: "c2"}, sets={0: ["c1 c1 c1", "c2 c2"]})
        at.play("add 1 false")
        assert (at["deal"], at["dealer"], at["turn"], at["turns"]) == (2, 0, 1, 1)
        assert at["sets"] == [[], [], [], []]
        assert [len(hand) for hand in at["hands"]] == [6] * 4


WINNING: Table = {"sets": {0: ["c1 c1 c1", "c2 c2"]}}


def won(**changes: Any) -> Position:
    """Seat 0 wins the deal by adding to its second set."""
    hands = {0: "c2", **changes.pop("hands", {})}
    sets = {**WINNING["sets"], **changes.pop("sets", {})}
    return Position(hands=hands, sets=sets, **changes).play("add 1 false")


class TestR10Score:
    def test_example_9_points(self) -> None:
        hands = {1: "c3 c4 c5 c6", 2: "c7 c8 c9 c10 c11 signpost", 3: "c3 c4 c5 c6 c7 c8"}
        at = won(hands=hands, sets={1: ["c12 c12"]})
        assert at["scores"] == [30, 16, 10, 14]
        points = np.array([10, -4, -10, -6])
        expected = [(p - (points.sum() - p) / 3) / 20 for p in points]
        assert at.rewards == pytest.approx(expected)

    def test_example_9_two_signposts_and_the_option(self) -> None:
        hands = {1: "c3 c4 c5 c6 signpost signpost"}
        assert won(hands=hands)["scores"][1] == 20 - 14
        assert won(hands=hands, signpost_extra=True)["scores"][1] == 20 - 16
        one = {1: "c3 c4 c5 c6 c7 signpost"}
        assert won(hands=one, signpost_extra=True)["scores"][1] == 20 - 11

    def test_points_can_fall_below_zero(self) -> None:
        assert won(scores=[20, 3, 20, 20], hands={1: "c3 c4 c5 c6 c7 c8"})["scores"][1] == -3

    def test_example_10_counters(self) -> None:
        hands = {1: "c3 c4 c5 c6 c7 c8", 2: "c3 c4 c5 c6 c7 c8", 3: "c9 c10 c11 c12 c13 c14"}
        at = won(scoring="counters", scores=[20, 3, 37, 0], hands=hands)
        assert at["scores"] == [20 + 3 + 6, 0, 31, 0]


class TestR11End:
    def test_example_16_win_rule_1(self) -> None:
        at = won(num_players=3, win_rule=1, scores=[31, 18, 31], hands={1: "c3 c4 c5 c6 c7 c8"})
        assert at["scores"] == [41, 12, 25]
        assert at["winners"] == [0]

    def test_example_16_win_rule_2(self) -> None:
        at = won(num_players=3, win_rule=2, scores=[24, 18, 6])
        assert at["scores"] == [34, 12, 0]
        assert at["winners"] == [0]

    def test_example_16_win_rule_3(self) -> None:
        at = won(num_players=3, deal=5, scores=[21, 37, 24])
        assert at["scores"] == [31, 31, 18]
        assert at["winners"] == [0, 1]

    def test_the_game_goes_on_before(self) -> None:
        for changes in (
            {"win_rule": 1, "scores": [29, 20, 20, 20]},
            {"win_rule": 2, "scores": [20, 7, 20, 20]},
            {"win_rule": 3, "deal": 4},
        ):
            assert not won(**changes)["finished"]

    def test_the_cap_of_deals(self) -> None:
        at = won(win_rule=1, deal=3, deal_cap=3)
        assert at["winners"] == [0]
        assert at["capped"]
        at = won(win_rule=1, deal=3, deal_cap=3, scores=[30, 20, 20, 20])
        assert not at["capped"]

    def test_the_winner_of_a_single_deal_wins_alone(self) -> None:
        at = won(episode="deal", scores=[0, 35, 20, 20])
        assert at["winners"] == [0]


def test_nothing_else_is_legal() -> None:
    at = Position(hands={0: "c1 c2 c3 c4 c5 c6"})
    assert at.game.legal_moves(at.state) == [parse_move("draw_stock"), parse_move("take_discard")]
    with pytest.raises(IllegalMoveError):
        at.play("lay c1 2 false")


def test_faults_are_found() -> None:
    def fault(name: str, value: int, *place: int) -> int:
        at = Position(hands={0: "c1 c1 c3 c4"}, sets={0: ["c5 c5"]})
        field = getattr(at.state[0], name)
        if place:
            field[place] = value
        else:
            setattr(at.state[0], name, value)
        return int(validate(at.state[0]))

    assert fault("win_rule", 4) == Fault.OPTIONS
    assert fault("to_act", 2) == Fault.SEATS
    assert fault("stock_size", 60) == Fault.SIZES
    assert fault("hand_size", 3, 0) == Fault.HANDS
    assert fault("set_size", 4, 0, 0) == Fault.SETS
    assert fault("set_size", 3, 0, 0) == Fault.SHARES
    assert fault("set_card", 0, 0, 0) == Fault.CARDS
    assert fault("known", 1, 0, CARDS.index("c9")) == Fault.KNOWN
    assert fault("taken", 0) == Fault.TAKEN


@pytest.mark.parametrize("seats", [2, 6, 7, 12])
def test_games_stay_sound(seats: int) -> None:
    game = game_of(num_players=seats, win_rule=3, deals=2, turn_cap=8)
    lots = np.random.default_rng(seats)
    state = game.new(seed=seats)
    while not game.is_finished(state):
        assert validate(state[0]) == Fault.NONE
        legal = game.legal_actions(state)
        game.play(state, legal[int(lots.integers(len(legal)))])
    assert validate(state[0]) == Fault.NONE
