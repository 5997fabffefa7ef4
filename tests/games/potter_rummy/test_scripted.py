"""The scripted opponent: its advice, its legality, and how it does against random play."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from kitchentable.engine.game import Game
from kitchentable.engine.jit import COMPILED
from kitchentable.engine.loops import generators, random_actions
from kitchentable.games import spec

from .tables import make_table, parse_move

MATCH_GAMES = 120 if COMPILED else 3
"""Deals of a match, each played once from every seat."""
FAR = "c9 c10 c11 c12"
"""Four cards that have nothing to do with each other."""


@cache
def game_of(**options: Any) -> Game:
    return Game(spec("potter_rummy"), **options)


def choice(**changes: Any) -> dict[str, Any]:
    """The scripted move at a table of `make_table`, as JSON."""
    table = make_table(**changes)
    game = game_of(**table["options"])
    state = game.from_table(table)
    action = game.scripted(state)
    assert game.mask(state)[action]
    return game.move(state, action)


class TestSets:
    def test_the_winning_card_is_added(self) -> None:
        sets = {0: ["c1 c1 c1", "c2 c2"]}
        assert choice(hands={0: "c2"}, sets=sets) == parse_move("add 1 false")

    def test_three_are_laid_at_once(self) -> None:
        assert choice(hands={0: f"c1 c1 c1 c2 {FAR[:6]}"}) == parse_move("lay c1 3 false")
        assert choice(hands={0: f"c1 c1 signpost c2 {FAR[:6]}"}) == parse_move("lay c1 3 true")

    def test_a_natural_card_completes_rather_than_a_signpost(self) -> None:
        hand = "c1 signpost c9 c10"
        assert choice(hands={0: hand}, sets={0: ["c1 c1"]}) == parse_move("add 0 false")

    def test_pairs_are_held_while_nobody_is_near(self) -> None:
        assert choice(hands={0: f"c1 c1 {FAR}"})["move"] in ("draw_stock", "take_discard")

    def test_a_pair_is_laid_when_somebody_is_near(self) -> None:
        near = {"sets": {2: ["c5 c5 c5"]}, "discard": "c8"}
        assert choice(hands={0: f"c1 c1 {FAR}"}, **near) == parse_move("lay c1 2 false")

    def test_a_pair_is_laid_at_a_large_table(self) -> None:
        table: dict[str, Any] = {"num_players": 8, "hands": {0: "c4 c4 c5"}, "discard": "c8"}
        assert choice(**table) == parse_move("lay c4 2 false")

    def test_a_hopeless_pair_is_taken_back(self) -> None:
        sets = {0: ["c1 signpost"], 1: ["c1 c1"]}
        assert choice(hands={0: FAR}, sets=sets) == parse_move("take_back 0")

    def test_with_three_pairs_one_is_taken_back(self) -> None:
        move = choice(hands={0: ""}, sets={0: ["c1 c1", "c2 c2", "c3 c3"], 1: ["c3 signpost"]})
        assert move == parse_move("take_back 2")


class TestDrawing:
    def test_the_third_card_is_taken(self) -> None:
        assert choice(hands={0: f"c1 c1 {FAR}"}, discard="c1") == parse_move("take_discard")

    def test_a_signpost_is_taken(self) -> None:
        move = choice(hands={0: f"c1 c1 {FAR}"}, discard="signpost")
        assert move == parse_move("take_discard")

    def test_what_does_not_help_is_left(self) -> None:
        hand = "c1 c1 c2 c2 c3 c3"
        assert choice(hands={0: hand}, discard="c8") == parse_move("draw_stock")

    def test_a_signpost_is_fetched_for_a_card_of_little_use(self) -> None:
        move = choice(hands={0: "c5 c2 c2 c3 c3 c9"}, sets={1: ["c5 signpost"]}, discard="c8")
        assert move == parse_move("substitute 1 0")


class TestDiscarding:
    def test_the_single_card_goes(self) -> None:
        move = choice(phase="discard", hands={0: "c1 c1 c2 c2 c3 c3 c9"})
        assert move == parse_move("discard c9")

    def test_a_signpost_stays(self) -> None:
        move = choice(phase="discard", hands={0: "c1 signpost"}, sets={0: ["c3 c3 c3", "c2 c2"]})
        assert move == parse_move("discard c1")

    def test_the_next_player_does_not_get_the_winning_card(self) -> None:
        sets = {0: ["c3 c3 c3", "c2 c2"], 1: ["c5 c5 c5", "c9 c9"]}
        move = choice(phase="discard", hands={0: "c8 c9"}, sets=sets)
        assert move == parse_move("discard c8")

    def test_the_card_just_taken_does_not_go_back_where_that_is_forbidden(self) -> None:
        sets = {0: ["c3 c3 c3", "c2 c2"]}
        hand = {0: "c8 c9"}
        for taken, left in (("c8", "c9"), ("c9", "c8")):
            move = choice(return_discard=False, taken=taken, hands=hand, sets=sets)
            assert move == parse_move(f"discard {left}")


def points_against_random(seats: int, n: int) -> tuple[float, float]:
    """Mean points of a deal: of one scripted seat, and of the others at random."""
    game = game_of(num_players=seats, episode="deal")
    own, others = [], []
    for seat in range(seats if COMPILED else 1):
        states, lots = game.new_batch(n, seed=1), generators(seat, n)
        masks = np.zeros((n, game.actions.size), np.int8)
        scratch, actions = masks.copy(), np.zeros(n, np.int32)
        while (states.to_act >= 0).any():
            live = np.flatnonzero(states.to_act >= 0)
            playing, chances = states[live], masks[: len(live)]
            game.spec.loops.legal(playing, chances)
            random_actions(chances, lots, actions[: len(live)])
            scripted = np.flatnonzero(playing.to_act == seat)
            game.spec.loops.scripted(playing, scripted, actions[: len(live)])
            game.spec.loops.apply(playing, actions[: len(live)], False, scratch[: len(live)])
            states[live] = playing
        points = states.scores[:, :seats] - 20
        own += points[:, seat].tolist()
        others += np.delete(points, seat, axis=1).ravel().tolist()
    return float(np.mean(own)), float(np.mean(others))


@pytest.mark.compiled
@pytest.mark.parametrize("seats", range(2, 13))
def test_it_beats_random_play_by_far(seats: int) -> None:
    scripted, random = points_against_random(seats, MATCH_GAMES)
    assert scripted > random + 4


@pytest.mark.parametrize("seats", [2, 4, 6, 7, 12])
def test_its_deals_end_long_before_the_cap(seats: int) -> None:
    game = game_of(num_players=seats, episode="deal")
    for seed in range(40 if COMPILED else 2):
        state = game.new(seed)
        while not game.is_finished(state):
            game.play(state, game.scripted(state))
        assert not state[0].capped


@pytest.mark.parametrize("takeback_free", [False, True])
@pytest.mark.parametrize("return_discard", [False, True])
def test_its_moves_are_legal(takeback_free: bool, return_discard: bool) -> None:
    lots = np.random.default_rng(3)
    for seats in (2, 5, 7, 12):
        game = game_of(
            num_players=seats, takeback_free=takeback_free, return_discard=return_discard, deals=1
        )
        state = game.new(seats)
        while not game.is_finished(state):
            legal = game.legal_actions(state)
            action = game.scripted(state)
            assert action in legal
            random = legal[int(lots.integers(len(legal)))]
            game.play(state, random if lots.random() < 0.6 else action)
