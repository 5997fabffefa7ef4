"""The scripted opponent: its advice, its legality, and how it does against random play."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from kitchentable.engine.game import Game
from kitchentable.engine.jit import COMPILED
from kitchentable.games import spec
from tests.games.matches import mean_pay, play_out

from .tables import make_table, parse_move, run_being_laid, run_of, set_of

GAMES = 60 if COMPILED else 1
"""Games of each kind that are played to their end."""
MATCH_GAMES = 100 if COMPILED else 2
"""Deals of a match, each played once from every seat."""


@cache
def game_of(**options: Any) -> Game:
    return Game(spec("norwegian_rummy"), **options)


def choice(**changes: Any) -> dict[str, Any]:
    """The scripted move at a table of `make_table`, as JSON."""
    table = make_table(**changes)
    game = game_of(**table["options"])
    state = game.from_table(table)
    action = game.scripted(state)
    assert game.mask(state)[action]
    return game.move(state, action)


TWO_SETS: dict[str, Any] = {"contract": 1, "melds": [set_of(0, "3S 3H 3D"), set_of(0, "4S 4H 4D")]}
"""Seat 0 is down in a deal of two sets."""
FAR = "2S 5H 8D JC QS 9H 2D 6C"
"""Eight cards that have nothing to do with each other."""


class TestDrawing:
    def test_a_discard_that_completes_a_set_is_taken(self) -> None:
        hand = f"7S 7H KD {FAR}"
        assert choice(contract=1, discard="7D", hands={0: hand}) == parse_move("take_discard")

    def test_a_discard_that_completes_a_run_is_taken(self) -> None:
        hand = "4C 5C 7C KD TS 2H 9D 9S JH QD 3H"
        assert choice(contract=3, discard="6C", hands={0: hand}) == parse_move("take_discard")

    def test_a_run_is_of_no_use_when_sets_are_wanted(self) -> None:
        hand = "4C 5C 7C KD TS 2H 9D 9S JH QD 3H"
        assert choice(contract=1, discard="6C", hands={0: hand}) == parse_move("draw_stock")

    def test_a_joker_is_always_taken(self) -> None:
        assert choice(contract=6, discard="JK") == parse_move("take_discard")

    def test_who_is_down_takes_only_what_can_be_laid_off(self) -> None:
        hands = {0: "KS 9H"}
        assert choice(**TWO_SETS, discard="3C", hands=hands) == parse_move("take_discard")
        assert choice(**TWO_SETS, discard="5C", hands=hands) == parse_move("draw_stock")


class TestBuying:
    def test_the_third_card_of_a_set_is_bought(self) -> None:
        hand = f"7S 7H KD {FAR}"
        buy = {"contract": 1, "phase": "buy", "turn": 3, "hands": {0: hand}, "discard": "7D"}
        assert choice(**buy) == parse_move("buy")

    def test_what_does_not_help_is_not_bought(self) -> None:
        hand = f"7S 7H KD {FAR}"
        buy = {"contract": 1, "phase": "buy", "turn": 3, "hands": {0: hand}, "discard": "TD"}
        assert choice(**buy) == parse_move("pass")


class TestGoingDown:
    def test_the_contract_is_laid_as_soon_as_it_can_be(self) -> None:
        hand = "7S 7H 7D KS KH KD 2S 5H 8D JC QS 9H"
        move = choice(contract=1, phase="play", hands={0: hand})
        assert move == parse_move("open_set K"), "the costly cards first"

    def test_jokers_are_spared_for_laying_off(self) -> None:
        hand = "7S 7H 7D KS KH 4S 4H 4D JK JC QS 9H"
        move = choice(contract=1, phase="play", hands={0: hand})
        assert move in (parse_move("open_set 7"), parse_move("open_set 4"))

    def test_a_card_that_the_run_needs_stays_out_of_the_set(self) -> None:
        hand = "7S 7H 7D 7C 8S 9S TS KH QD 3C 2D 5H"
        table = make_table(contract=2, phase="play", hands={0: hand})
        game = game_of(**table["options"])
        state = game.from_table(table)
        while not state[0].down[0]:
            game.play(state, game.scripted(state))
        melds = game.table(state)["melds"]
        assert ["7S", "8S", "9S", "TS"] in [meld["cards"] for meld in melds]

    def test_a_joker_stands_where_a_card_is_missing(self) -> None:
        building = run_being_laid(10, "TS", 0, 0)
        hand = "QS KS JK 2H 3H ..."
        move = choice(
            contract=3, melds=[run_of(0, 2, "2D 3D 4D 5D")], building=building, hands={0: hand}
        )
        assert move == parse_move("place JK")

    def test_the_last_contract_uses_up_the_hand(self) -> None:
        hand = "4S 5S 6S 7S 5H 6H 7H 8H JD QD KD AD"
        table = make_table(contract=7, phase="play", hands={0: hand})
        game = game_of(**table["options"])
        state = game.from_table(table)
        while not game.is_finished(state):
            game.play(state, game.scripted(state))
        assert game.table(state)["scores"][0] == 0


class TestLayingOff:
    def test_what_fits_is_laid_off(self) -> None:
        move = choice(**TWO_SETS, phase="play", hands={0: "4C KS"})
        assert move["move"] == "lay_off" and move["card"] == "4C"

    def test_an_own_joker_moves_to_where_the_next_card_fits(self) -> None:
        melds = [run_of(0, 6, "6C 7C JK 9C"), run_of(0, 2, "2D 3D 4D 5D")]
        move = choice(contract=3, phase="play", melds=melds, hands={0: "8C JC KS"})
        assert move == {"move": "move_joker", "card": "8C", "meld": 0, "end": "high"}

    def test_a_joker_is_laid_off_when_nothing_else_is(self) -> None:
        move = choice(**TWO_SETS, phase="play", hands={0: "JK KS"})
        assert move["move"] == "lay_off" and move["card"] == "JK"

    def test_a_joker_goes_where_a_card_of_the_hand_can_follow(self) -> None:
        melds = [run_of(0, 6, "6C 7C 8C 9C"), set_of(0, "3S 3H 3D")]
        for card, end in (("JC", "high"), ("4C", "low")):
            move = choice(contract=2, phase="play", melds=melds, hands={0: f"JK {card} QS"})
            assert move == {"move": "lay_off", "card": "JK", "meld": 0, "end": end}

    def test_what_remains_is_discarded_the_costly_card_first(self) -> None:
        move = choice(**TWO_SETS, phase="play", hands={0: "9S KS 8D"})
        assert move == parse_move("discard KS")


class TestDiscarding:
    def test_the_costly_card_that_serves_nothing_goes(self) -> None:
        hand = "7S 7H 8S 8H 9S 9H 5D 6C TD AC 4D 3C"
        assert choice(contract=1, phase="play", hands={0: hand}) == parse_move("discard AC")

    def test_a_pair_is_kept_however_costly(self) -> None:
        hand = "AS AH KS KH 3D 4C 5D 6C 7D 8C 9D TC"
        assert choice(contract=1, phase="play", hands={0: hand}) == parse_move("discard TC")

    def test_a_run_begun_is_kept_when_runs_are_wanted(self) -> None:
        hand = "JS QS KS JH QH KH 3D 8D 3C 8C 2S 7H"
        move = choice(contract=3, phase="play", hands={0: hand})
        assert move["card"] in {"3D", "8D", "3C", "8C", "2S", "7H"}

    def test_a_joker_stays_while_there_is_another_card(self) -> None:
        melds = [run_of(0, 1, "AS JK 3S JK"), run_of(0, 1, "AH JK 3H JK")]
        move = choice(contract=3, decks=3, phase="play", melds=melds, hands={0: "JK 9D"})
        assert move == parse_move("discard 9D")

    def test_a_joker_goes_when_it_is_the_last_card(self) -> None:
        melds = [run_of(0, 1, "AS JK 3S JK"), run_of(0, 1, "AH JK 3H JK")]
        move = choice(contract=3, decks=3, phase="play", melds=melds, hands={0: "JK"})
        assert move == parse_move("discard JK")

    def test_the_card_just_taken_does_not_go_back_where_that_is_forbidden(self) -> None:
        melds = TWO_SETS["melds"]
        changes: dict[str, Any] = {"contract": 1, "phase": "play", "taken": "KS", "melds": melds}
        hands, known = {0: "KS 9H"}, {0: "KS"}
        free = choice(**changes, hands=hands, known=known)
        barred = choice(**changes, hands=hands, known=known, return_discard=False)
        assert (free, barred) == (parse_move("discard KS"), parse_move("discard 9H"))

    def test_the_next_player_does_not_get_what_he_collects(self) -> None:
        hand = "7S 7H 8S 8H 9S 9H 5D 6C TD QD 4D 3C"
        changes: dict[str, Any] = {"contract": 1, "phase": "play"}
        feeds = choice(**changes, hands={0: hand, 1: "QS QH ..."}, known={1: "QS QH"})
        assert choice(**changes, hands={0: hand}) == parse_move("discard QD")
        assert feeds == parse_move("discard TD")


@pytest.mark.parametrize("num_players", range(2, 7))
@pytest.mark.parametrize("deal", range(1, 8))
def test_its_moves_are_legal_at_every_table(num_players: int, deal: int) -> None:
    options = {"num_players": num_players, "episode": "deal", "deal": deal}
    game = game_of(**options)
    play_out(game, range(num_players), GAMES)
    play_out(game_of(**options | {"turn_cap": 8}), [0], GAMES)


@pytest.mark.parametrize("decks", [1, 3])
def test_its_moves_are_legal_under_rare_rules(decks: int) -> None:
    rare = {"joker_ratio": False, "return_discard": False, "turn_cap": 15}
    game = game_of(num_players=3, decks=decks, **rare)
    play_out(game, range(3), GAMES)
    play_out(game, [1], GAMES)


@pytest.mark.parametrize("num_players", range(2, 7))
def test_it_beats_random_play_by_far(num_players: int) -> None:
    options = {"num_players": num_players, "episode": "deal"}
    assert mean_pay(game_of(**options), MATCH_GAMES) > 0.5, "half a hundred points a deal"


def test_it_goes_out_long_before_the_cap() -> None:
    game = game_of(num_players=4, episode="deal")
    states = game.new_batch(GAMES, seed=4)
    actions = np.zeros(GAMES, np.int32)
    for _ in range(400):
        running = np.flatnonzero(states.to_act >= 0)
        game.spec.loops.scripted(states, running, actions)
        part = states[running]
        masks = np.zeros((len(running), game.actions.size), np.int8)
        game.spec.loops.apply(part, actions[running], False, masks)
        states[running] = part
    assert np.mean(states.to_act < 0) > 0.9
