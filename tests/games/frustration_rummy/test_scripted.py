"""The scripted opponent: its advice, its legality, and how it does against random play."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from kitchentable.engine.game import Game
from kitchentable.engine.jit import COMPILED
from kitchentable.games import spec
from tests.games.matches import mean_pay, play_out

from .tables import make_table, parse_move, run_being_laid, run_of, set_being_laid, set_of

GAMES = 40 if COMPILED else 1
"""Games of each kind that are played to their end."""
MATCH_GAMES = 100 if COMPILED else 2
"""Deals of a match, each played once from every seat."""


@cache
def game_of(**options: Any) -> Game:
    return Game(spec("frustration_rummy"), **options)


def choice(**changes: Any) -> dict[str, Any]:
    """The scripted move at a table of `make_table`, as JSON."""
    table = make_table(**changes)
    game = game_of(**table["options"])
    state = game.from_table(table)
    action = game.scripted(state)
    assert game.mask(state)[action]
    return game.move(state, action)


DOWN: dict[str, Any] = {
    "contract": 1,
    "melds": [set_of(0, f"{rank}S {rank}H {rank}D") for rank in "345"],
}
"""Seat 0 is down."""
FAR = "3S 6H 9D QC TS AH 4D"
"""Seven cards that have nothing to do with each other."""


class TestDrawing:
    def test_a_discard_that_completes_a_set_is_taken(self) -> None:
        hand = f"7S 7H KD KC 8S JC {FAR}"
        assert choice(contract=1, discard="7D", hands={0: hand}) == parse_move("take_discard")

    def test_a_run_is_of_no_use_when_sets_are_wanted(self) -> None:
        hand = f"4C 5C 7C KD KS 8H {FAR}".replace("6H", "JH")
        assert choice(contract=1, discard="6C", hands={0: hand}) == parse_move("draw_stock")
        assert choice(contract=5, discard="6C", hands={0: hand}) == parse_move("take_discard")

    @pytest.mark.parametrize("wild", ["JK", "2S"])
    def test_a_wild_card_is_always_taken(self, wild: str) -> None:
        assert choice(contract=6, discard=wild) == parse_move("take_discard")

    def test_who_is_down_takes_what_can_be_laid_off(self) -> None:
        hands = {0: "KS 9H"}
        assert choice(**DOWN, discard="3C", hands=hands) == parse_move("take_discard")
        assert choice(**DOWN, discard="7C", hands=hands) == parse_move("draw_stock")

    def test_who_is_down_takes_what_makes_a_meld(self) -> None:
        hands = {0: "KS KH 9H"}
        assert choice(**DOWN, discard="KD", hands=hands) == parse_move("take_discard")


class TestGoingDown:
    def test_the_contract_is_laid_as_soon_as_it_can_be(self) -> None:
        hand = "7S 7H 7D KS KH KD 9S 9H JK 3D 4C 6S QD TH"
        move = choice(contract=1, phase="play", hands={0: hand})
        assert move in (parse_move("open_set 7"), parse_move("open_set K"))

    def test_a_card_that_the_run_needs_stays_out_of_the_set(self) -> None:
        hand = "7S 7H 7D 7C 8S 9S TS KH QD 3C 4D 5H 6C AD"
        table = make_table(contract=2, phase="play", hands={0: hand})
        game = game_of(**table["options"])
        state = game.from_table(table)
        while not state[0].down[0]:
            game.play(state, game.scripted(state))
        melds = game.table(state)["melds"]
        assert ["7S", "8S", "9S", "TS"] in [meld["cards"] for meld in melds]

    def test_a_wild_card_stands_where_a_card_is_missing(self) -> None:
        building = run_being_laid("S", 10, "TS", 0, 0)
        melds = [run_of(0, 3, "3D 4D 5D 6D")]
        hand = "QS KS 2C 3H 4H ..."
        move = choice(contract=5, melds=melds, building=building, hands={0: hand})
        assert move == parse_move("place 2C")

    def test_natural_cards_first(self) -> None:
        building = set_being_laid("7", "7S", 2, 0)
        hand = "7H 7D KS KH KD 9S 9H 9D JK ..."
        move = choice(contract=1, building=building, hands={0: hand})
        assert move["card"] in ("7H", "7D")


class TestDown:
    def test_what_fits_is_laid_off(self) -> None:
        assert choice(**DOWN, phase="play", hands={0: "4C KS 9H"}) == parse_move("lay_off 4C 1")

    def test_three_of_a_rank_are_an_extra_meld(self) -> None:
        move = choice(**DOWN, phase="play", hands={0: "KS KH KD 9H"})
        assert move == parse_move("open_set K")

    def test_a_pair_and_a_wild_card_are_an_extra_meld(self) -> None:
        move = choice(**DOWN, phase="play", hands={0: "KS KH JK 9H"})
        assert move == parse_move("open_set K")

    def test_a_wild_card_is_laid_off_to_go_out(self) -> None:
        move = choice(**DOWN, phase="play", hands={0: "2H KS"})
        assert move["move"] == "lay_off" and move["card"] == "2H"

    def test_a_wild_card_is_held_back_while_it_does_not_help(self) -> None:
        assert choice(**DOWN, phase="play", hands={0: "2H KS 8D"})["move"] == "discard"

    def test_a_wild_card_leads_to_a_card_of_the_hand(self) -> None:
        melds = [set_of(0, "3S 3H 3D"), run_of(0, 6, "6C 7C 8C 9C")]
        move = choice(contract=2, phase="play", melds=melds, hands={0: "JK JC KS QD"})
        assert move == parse_move("lay_off JK 1 high")


class TestDiscarding:
    def test_what_serves_nothing_goes(self) -> None:
        hand = "7S 7H 8S 8H 9S 9H KS KH TD TC 4D 4C JH JK"
        assert choice(contract=10, phase="play", hands={0: hand}) == parse_move("discard JH")

    def test_a_run_begun_is_kept_when_runs_are_wanted(self) -> None:
        hand = "JS QS KS JH QH KH 3D 8D 3C 8C 4S 7H AD 5C"
        move = choice(contract=5, phase="play", hands={0: hand})
        assert move["card"][0] not in "JQK"

    def test_wild_cards_stay_while_there_is_another(self) -> None:
        assert choice(**DOWN, phase="play", hands={0: "2S 9D 8H"})["card"] != "2S"

    def test_a_wild_card_goes_when_it_is_the_last(self) -> None:
        assert choice(**DOWN, phase="play", hands={0: "JK"}) == parse_move("discard JK")

    def test_the_card_just_taken_does_not_go_back_where_that_is_forbidden(self) -> None:
        changes = DOWN | {"phase": "play", "taken": "KS", "known": {0: "KS"}}
        hands = {0: "KS 9H"}
        barred = choice(**changes, hands=hands, return_discard=False)
        assert barred == parse_move("discard 9H")

    def test_the_next_player_does_not_get_what_he_collects(self) -> None:
        hand = "7S 7H 8S 8H 9S 9H 5D 6C TD QD 4D 3C KS KH"
        changes: dict[str, Any] = {"contract": 1, "phase": "play"}
        free = choice(**changes, hands={0: hand})
        card = free["card"]
        others = [f"{card[0]}{suit}" for suit in "SHDC" if suit != card[1]][:2]
        feeds = choice(
            **changes,
            hands={0: hand, 1: f"{others[0]} {others[1]} ..."},
            known={1: " ".join(others)},
        )
        assert feeds["card"] != card

    def test_nor_what_he_can_lay_off(self) -> None:
        hand = "7S 7H 8S 8H 9S 9H 5C TD QD 4D 3C KS KH AD"
        melds = [set_of(1, f"{rank}S {rank}H JK") for rank in "QTA"]
        changes: dict[str, Any] = {"contract": 1, "phase": "play", "melds": melds}
        move = choice(**changes, hands={0: hand, 1: "6S 6H"})
        assert move["card"] not in ("QD", "TD", "AD")


@pytest.mark.parametrize("num_players", range(2, 6))
@pytest.mark.parametrize("deal", [1, 2, 5, 6, 7, 9, 10, 13, 14])
def test_its_moves_are_legal_at_every_table(num_players: int, deal: int) -> None:
    options = {"num_players": num_players, "episode": "deal", "deal": deal}
    game = game_of(**options | {"turn_cap": 60 if COMPILED else 6})
    play_out(game, range(num_players), GAMES)
    play_out(game_of(**options | {"turn_cap": 8, "return_discard": False}), [0], GAMES)


@pytest.mark.parametrize("num_players", range(2, 6))
def test_it_beats_random_play_by_far(num_players: int) -> None:
    options = {"num_players": num_players, "episode": "deal"}
    options |= {} if COMPILED else {"deal": 2, "turn_cap": 10}
    pay = mean_pay(game_of(**options), MATCH_GAMES)
    assert pay > (0.8 if COMPILED else 0.2), "nearly always down, and out"


@pytest.mark.compiled
@pytest.mark.parametrize("deal", range(1, 15))
def test_somebody_goes_out_long_before_the_cap(deal: int) -> None:
    game = game_of(num_players=4, episode="deal", deal=deal)
    states = game.new_batch(100, seed=4)
    actions = np.zeros(100, np.int32)
    while (states.to_act >= 0).any():
        running = np.flatnonzero(states.to_act >= 0)
        game.spec.loops.scripted(states, running, actions)
        part = states[running]
        masks = np.zeros((len(running), game.actions.size), np.int8)
        game.spec.loops.apply(part, actions[running], False, masks)
        states[running] = part
    assert not states.capped.any()
    assert np.mean(states.turns) < 4 * 20
