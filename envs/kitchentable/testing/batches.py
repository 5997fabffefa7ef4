"""Many games at once are the same games one by one."""

from typing import Any

import numpy as np

from kitchentable.api.batch import ILLEGAL_REWARD, Batch
from kitchentable.engine.game import Game, IllegalMoveError
from kitchentable.engine.loops import generators, random_actions

_GAMES = 6
_STEPS = 500


class _Chooser:
    """Plays by the script in some games and by lot in others, so that games end too."""

    def __init__(self, games: int, seed: int = 0) -> None:
        self._lots = generators(seed, games)
        self._actions = np.zeros(games, np.int32)
        self._scripted = np.arange(0, games, 2)

    def choose(self, batch: Batch) -> np.ndarray[Any, np.dtype[np.int32]]:
        """Return an action for each game."""
        random_actions(batch.masks, self._lots, self._actions)
        batch.game.spec.loops.scripted(batch.states, self._scripted, self._actions)
        return self._actions.copy()


def check_batch_is_single_games(game: Game) -> None:
    """Each game of a batch is the game that it would be alone."""
    batch, chooser = Batch(game, _GAMES, seed=41), _Chooser(_GAMES)
    singles = [batch.states[i : i + 1].copy() for i in range(_GAMES)]
    for _ in range(_STEPS):
        actions = chooser.choose(batch)
        batch.step(actions)
        for i, state in enumerate(singles):
            rewards = game.play(state, int(actions[i]))
            assert (batch.rewards[i] == rewards).all(), f"{batch.rewards[i]} is not {rewards}"
            assert batch.finished[i] == game.is_finished(state), "one is over, the other not"
            if game.is_finished(state):
                game.spec.loops.start(state)
            seat = int(batch.seats[i])
            assert seat == game.to_act(state), "another seat is to act"
            assert (batch.masks[i] == game.mask(state)).all(), "masks differ"
            assert (batch.observations[i] == game.observe(state, seat)).all(), "views differ"
    assert not batch.truncated.any(), "a game was cut off"


def check_threads(game: Game) -> None:
    """The number of threads changes nothing."""
    batches = [Batch(game, 2 * _GAMES, seed=42, threads=threads) for threads in (1, 2, 5)]
    chooser = _Chooser(2 * _GAMES)
    for _ in range(_STEPS):
        actions = chooser.choose(batches[0])
        for batch in batches:
            batch.step(actions)
        for name in ("rewards", "finished", "seats", "masks", "observations"):
            first, *others = (getattr(batch, name) for batch in batches)
            assert all((first == other).all() for other in others), f"threads change {name}"
    assert len({batch.states.tobytes() for batch in batches}) == 1, "threads change the games"
    for batch in batches:
        batch.close()


def check_restarts(game: Game) -> None:
    """A game started in a used record is like one started in a new record."""
    batch, chooser = Batch(game, _GAMES, seed=43), _Chooser(_GAMES)
    for step in range(_STEPS):
        batch.step(chooser.choose(batch))
        if step % 50 == 49:
            used, fresh = batch.states.copy(), game.new_batch(_GAMES, 0)
            fresh["rng"] = used["rng"]
            for states in (used, fresh):
                states["reward"] = 0
                game.spec.loops.start(states)
            for i in range(_GAMES):
                assert game.table(used[i : i + 1]) == game.table(fresh[i : i + 1]), "left over"
            _check_fields(used, fresh)


def check_skip_forced(game: Game) -> None:
    """With forced moves skipped every decision is one, and the games are the same games."""
    batch, chooser = Batch(game, _GAMES, seed=44, skip_forced=True), _Chooser(_GAMES)
    singles = [batch.states[i : i + 1].copy() for i in range(_GAMES)]
    for _ in range(_STEPS // 2):
        actions = chooser.choose(batch)
        batch.step(actions)
        choices = batch.masks.sum(axis=1)
        assert (choices[~batch.finished] > 1).all(), "a forced move was left to decide"
        for i, state in enumerate(singles):
            paid = game.play(state, int(actions[i]))
            while len(legal := game.legal_actions(state)) == 1:
                paid = paid + game.play(state, legal[0])
            assert np.allclose(batch.rewards[i], paid, atol=1e-5), "paid otherwise"
            if game.is_finished(state):
                game.spec.loops.start(state)
            table, own = game.table(batch.states[i : i + 1]), game.table(state)
            assert table == own, "skipping forced moves changes the game"


def check_truncation(game: Game) -> None:
    """Games are cut off after `max_moves` steps, with a last look for every seat."""
    batch, chooser = Batch(game, _GAMES, seed=45, max_moves=2), _Chooser(_GAMES)
    for _ in range(20):
        before = batch.moves.copy()
        states = batch.states.copy()
        actions = chooser.choose(batch)
        batch.step(actions)
        for i in range(_GAMES):
            single = states[i : i + 1]
            game.play(single, int(actions[i]))
            over = game.is_finished(single)
            assert batch.finished[i] == over, "cutting off changes the end"
            assert batch.truncated[i] == (before[i] == 1 and not over), "cut off at another move"
            if batch.truncated[i]:
                seen = [game.observe(single, seat) for seat in range(game.num_players)]
                assert (batch.final_observations[i] == np.array(seen)).all(), "no last look"


def check_illegal_in_batches(game: Game) -> None:
    """An illegal action in a batch is refused, lost, or replaced, as asked."""
    for mode in ("raise", "lose", "random"):
        batch, chooser = Batch(game, _GAMES, seed=46, illegal=mode), _Chooser(_GAMES)
        for step in range(30):
            actions, before = chooser.choose(batch), batch.states.tobytes()
            seats, wrong = batch.seats.copy(), step % _GAMES
            actions[wrong] = (-1, game.actions.size)[step % 2]
            if mode == "raise":
                _check_refused(batch, actions, wrong, before)
                actions[wrong] = int(batch.masks[wrong].argmax())
            batch.step(actions)
            if mode == "lose":
                expected = np.zeros(game.num_players)
                expected[seats[wrong]] = ILLEGAL_REWARD
                assert (batch.rewards[wrong] == expected).all(), "the offender must lose"
                assert batch.finished[wrong], "the game must end"
            assert batch.masks.any(axis=1).all(), "a game has no move"


def _check_refused(batch: Batch, actions: Any, wrong: int, before: bytes) -> None:
    try:
        batch.step(actions)
    except IllegalMoveError as error:
        assert f"game {wrong}" in str(error) and "\n" not in str(error), f"unclear: {error}"
        assert batch.states.tobytes() == before, "a refused step moves the games"
    else:
        raise AssertionError("an illegal action was played")


def _check_fields(used: Any, fresh: Any) -> None:
    """Nothing of an old game is left where a new one would see it."""
    for name in used.dtype.names:
        same = (used[name] == fresh[name]).all()
        assert same or name == "points", f"the field {name!r} keeps something of the last game"
