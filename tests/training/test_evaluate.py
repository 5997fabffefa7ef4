from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import kitchentable as kt
from kitchentable.engine import rng
from kitchentable.engine.game import Game, IllegalMoveError
from kitchentable.engine.positions import Positions
from kitchentable.opponents import Opponent, OpponentError
from kitchentable.opponents.simple import RandomOpponent, ScriptedOpponent
from kitchentable_training.evaluate import evaluate, play_matches, rotations
from kitchentable_training.exploitability import GameTree

KUHN = kt.game("kuhn_poker")
LEDUC = kt.game("leduc_poker")


class Always(Opponent):
    """Plays one action whenever it is legal, and else the first legal one."""

    def __init__(self, action: int) -> None:
        self.name = f"always {action}"
        self.played = action

    def act(
        self, positions: Positions, indices: NDArray[np.int64], actions: NDArray[np.int32]
    ) -> None:
        for i in indices:
            legal = positions.masks[i]
            actions[i] = self.played if legal[self.played] else int(legal.argmax())


@pytest.mark.parametrize("game", [KUHN, LEDUC])
def test_a_policy_is_exactly_even_with_itself(game: Game) -> None:
    result = evaluate(game, "scripted", "scripted", deals=300, seed=5)
    assert (result.differences == 0).all()
    assert (result.points, result.error, result.interval) == (0, 0, (0, 0))
    assert (result.wins, result.deals_won) == (0.5, 0.5)


@pytest.mark.parametrize("game", [KUHN, LEDUC])
def test_the_result_is_what_playing_one_by_one_gives(game: Game) -> None:
    deals, seed = 40, 7
    result = evaluate(game, "scripted", Always(1), deals=deals, seed=seed, batch=16)
    players = (ScriptedOpponent(), Always(1))
    for deal in range(deals):
        total = 0.0
        for seat in range(2):
            state = game.new_batch(deals, seed)[deal : deal + 1]
            while not game.is_finished(state):
                player = players[0 if game.to_act(state) == seat else 1]
                total += float(game.play(state, player.action(game, state))[seat])
        assert result.differences[deal] == total / 2


def test_the_mean_is_the_exact_value() -> None:
    tree = GameTree(KUHN)

    def scripted(observations: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
        cards, facing = observations[:, :3].argmax(1), observations[:, 6]
        bets = (cards == 2) | ((cards == 1) & (facing == 1))
        return np.stack([~bets, bets], axis=1)

    ours, theirs = tree.probabilities(scripted), np.full(tree.masks.shape, 0.5)
    exact = (tree.values(ours, theirs)[0] + tree.values(theirs, ours)[1]) / 2
    runs = [evaluate(KUHN, "scripted", "random", deals=60, seed=s) for s in range(150)]
    covered = np.mean([low <= exact <= high for low, high in (run.interval for run in runs)])
    assert 0.90 <= covered <= 0.99
    mean = np.mean([run.points for run in runs])
    assert abs(mean - exact) < 4 * runs[0].error / np.sqrt(len(runs))


def test_random_against_itself_is_about_even() -> None:
    result = evaluate(LEDUC, "random", "random", deals=300, seed=1)
    assert abs(result.points) < 4 * result.error
    assert 0.4 < result.wins < 0.6


def test_duplicate_deals_have_the_smaller_error() -> None:
    result = evaluate(KUHN, "scripted", "random", deals=1000)
    seeds = rng.seeds(99, 2000)
    seating = np.tile(rotations(2, 2), (1000, 1))
    single = play_matches(KUHN, seeds, (ScriptedOpponent(), RandomOpponent(1)), seating)
    points = single.points[np.arange(2000), np.tile([0, 1], 1000)]
    assert result.error < 0.5 * points.std() / np.sqrt(2000)


def test_the_same_seed_gives_the_same_result() -> None:
    first = evaluate(LEDUC, "random", "scripted", deals=50, seed=3)
    again = evaluate(LEDUC, "random", "scripted", deals=50, seed=3)
    other = evaluate(LEDUC, "random", "scripted", deals=50, seed=4)
    assert first.differences.tolist() == again.differences.tolist()
    assert first.differences.tolist() != other.differences.tolist()


def test_an_opponent_that_has_played_before_plays_the_same() -> None:
    contender, other = RandomOpponent(1), RandomOpponent(2)
    first = evaluate(LEDUC, contender, other, deals=50, seed=3)
    again = evaluate(LEDUC, contender, other, deals=50, seed=3)
    assert first.differences.tolist() == again.differences.tolist()
    assert np.abs(first.differences).max() > 0


@pytest.mark.parametrize("batch", [1, 2, 7, 1000])
def test_how_many_are_played_at_once_makes_no_difference(batch: int) -> None:
    expected = evaluate(LEDUC, "scripted", Always(2), deals=30)
    result = evaluate(LEDUC, "scripted", Always(2), deals=30, batch=batch)
    assert result.differences.tolist() == expected.differences.tolist()
    assert result.decisions == expected.decisions
    assert result.games == 60


def test_the_form_of_the_reward_makes_no_difference() -> None:
    expected = evaluate(LEDUC, "scripted", Always(2), deals=30)
    game = kt.game("leduc_poker", reward="win")
    assert evaluate(game, "scripted", Always(2), deals=30).points == expected.points


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    evaluate(
        KUHN, "random", "random", deals=50, batch=10, on_progress=lambda a, b: told.append((a, b))
    )
    assert told[-1] == (100, 100)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_teams_rotate_as_one() -> None:
    assert rotations(4, 2).tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]
    assert rotations(3, 3).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_the_summary_is_json() -> None:
    import json

    summary = evaluate(KUHN, "scripted", "random", deals=20).summary()
    assert json.loads(json.dumps(summary)) == summary
    assert summary["points_interval"][0] < summary["points"] < summary["points_interval"][1]
    assert summary["reward"] == summary["points"]


def test_one_deal_has_no_error_to_show() -> None:
    summary = evaluate(KUHN, "scripted", "random", deals=1).summary()
    assert (summary["points_error"], summary["points_interval"]) == (None, None)


def test_an_illegal_action_names_the_player() -> None:
    class Wrong(Always):
        def act(
            self, positions: Positions, indices: NDArray[np.int64], actions: NDArray[np.int32]
        ) -> None:
            actions[indices] = 0

    with pytest.raises(IllegalMoveError, match="always 0: leduc_poker: seat 0 may not play"):
        evaluate(LEDUC, Wrong(0), "random", deals=2)


def test_a_player_that_cannot_play_is_refused() -> None:
    class Choosy(Always):
        def check(self, game: Game) -> None:
            raise OpponentError("not this game")

    with pytest.raises(OpponentError, match="not this game"):
        evaluate(KUHN, "random", Choosy(0), deals=2)


def test_nothing_to_play_is_refused() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        evaluate(KUHN, "random", "random", deals=0)
