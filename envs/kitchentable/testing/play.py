"""What holds while a game is played: masks, moves, rewards, the end."""

import json
from typing import Any

import numpy as np

from kitchentable.engine.game import Game, IllegalMoveError
from kitchentable.engine.loops import generators, random_actions
from kitchentable.engine.state import Reward
from kitchentable.testing.walks import as_json, games, positions, record, restored, same_game

_ENOUGH_MOVES = 200_000
"""Moves within which any game must end."""
_ROUNDING = 1e-4


def check_masks(game: Game) -> None:
    """The mask is the list of legal moves, and never empty unless the game is over."""
    for state in positions(game, 1, 80):
        mask, legal = game.mask(state), game.legal_actions(state)
        assert mask.dtype == np.int8, "the mask must be int8"
        assert mask.max(initial=0) <= 1 and mask.min(initial=0) >= 0, "the mask must be 0 or 1"
        assert bool(legal) != game.is_finished(state), f"{len(legal)} moves at {game.table(state)}"
        moves = game.legal_moves(state)
        texts = {json.dumps(move, sort_keys=True) for move in moves}
        assert len(texts) == len(moves), f"two legal actions are one move: {moves}"
        back = [game.action(state, as_json(move)) for move in moves]
        assert back == legal, f"moves {moves} are actions {legal}, but read as {back}"
        for move in moves:
            said = game.describe(state, move)
            assert said.startswith(f"Player {game.to_act(state)} "), f"{said!r} about {move}"


def check_apply(game: Game) -> None:
    """Every legal action can be played, and leaves a sound position."""
    for state in positions(game, 2, 24):
        for action in game.legal_actions(state):
            after = game.copy(state)
            rewards = game.play(after, action)
            assert rewards.shape == (game.num_players,), "rewards are for every seat"
            sound = restored(game, game.table(after))
            assert game.table(sound) == game.table(after), "a move leaves an unsound position"
            assert game.is_finished(after) or game.legal_actions(after), "nothing can be played"


def check_illegal_actions(game: Game) -> None:
    """Every other action is refused in one line that names the seat, and changes nothing."""
    for state in positions(game, 3, 12):
        before = game.to_bytes(state)
        legal = set(game.legal_actions(state))
        for action in {*range(-1, game.actions.size + 1)} - legal:
            try:
                game.play(state, action)
            except IllegalMoveError as error:
                text = str(error)
                seat = game.to_act(state)
                assert "\n" not in text and str(action) in text, text
                assert ("over" if seat is None else f"seat {seat} ") in text, text
            else:
                raise AssertionError(f"action {action} is not in the mask, yet was played")
        assert game.to_bytes(state) == before, "a refused action changes the position"


def check_rewards(game: Game) -> None:
    """Whatever is paid sums to zero over the seats at every move."""
    for _, turns in games(game, 4, 200):
        for state, action in turns:
            if action >= 0:
                paid = game.play(game.copy(state), action)
                assert np.isfinite(paid).all(), f"paid {paid}"
                assert abs(paid.sum()) < _ROUNDING, f"rewards {paid} do not sum to zero"


def check_reward_forms(game: Game) -> None:
    """Paying for points or for winning changes what is paid and nothing else."""
    points, win = same_game(game, reward="points"), same_game(game, reward="win")
    for seed, turns in games(points, 5, 40):
        state = win.new(seed)
        total = np.zeros(game.num_players)
        for _, action in turns:
            if action >= 0:
                total += win.play(state, action)
        same = win.table(state) == points.table(turns[-1].state)
        assert same, "the reward form changes the game"
        expected = _win_rewards(win, state) if win.is_finished(state) else np.zeros_like(total)
        assert np.abs(total - expected).max() < _ROUNDING, f"paid {total}, not {expected}"


def check_ends(game: Game) -> None:
    """Scripted and random games end, with winners, and nothing can be played then."""
    for state in (_played_out(game, 6), record(game, 6, 1.0, _ENOUGH_MOVES)[-1].state):
        table = game.table(state)
        assert table["finished"], f"no end within {_ENOUGH_MOVES} moves"
        assert table["to_act"] is None and table["phase"] == "over", f"over, but {table}"
        assert table["winners"] == sorted(set(table["winners"])), "winners are sides, sorted"
        assert game.legal_moves(state) == [], "there are moves after the end"
        for seat in range(game.num_players):
            assert np.isfinite(game.observe(state, seat)).all(), "nothing to see at the end"


def _played_out(game: Game, seed: int) -> Any:
    """Return the end of a game of random moves."""
    states = game.new_batch(1, seed)
    masks = np.zeros((1, game.actions.size), np.int8)
    scratch, chosen, lots = masks.copy(), np.zeros(1, np.int32), generators(seed, 1)
    for _ in range(_ENOUGH_MOVES):
        game.spec.loops.legal(states, masks)
        random_actions(masks, lots, chosen)
        if chosen[0] < 0:
            break
        game.spec.loops.apply(states, chosen, False, scratch)
    return states


def _win_rewards(game: Game, state: Any) -> np.ndarray[Any, Any]:
    """Return what winning pays, computed from the table."""
    assert game.reward == Reward.WIN
    sides, winners = int(state[0].num_sides), game.table(state)["winners"]
    if not winners or game.num_players < 2:
        return np.zeros(game.num_players)
    share = [(side in winners) / len(winners) for side in range(sides)]
    by_side = [(w - 1 / sides) * sides / (sides - 1) for w in share]
    return np.array([by_side[seat % sides] for seat in range(game.num_players)])
