"""The contract tests find what they are there to find: games broken on purpose."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from kitchentable import testing
from kitchentable.api import aec, learner, single
from kitchentable.api.batch import Batch
from kitchentable.engine import loops as loops_module
from kitchentable.engine.game import Game
from kitchentable.engine.loops import Kernels, make_loops
from kitchentable.engine.spec import GameSpec
from kitchentable.games import spec
from kitchentable.games.testbeds.kuhn_poker import table

KUHN = spec("kuhn_poker")
SOUND = Kernels(*(getattr(kernel, "py_func", kernel) for kernel in KUHN.kernels))
HIDDEN_FLOAT = KUHN.observation["card"]


def plain(game: GameSpec, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Return a game whose loops are plain Python, so that broken kernels need no compiling."""
    monkeypatch.setattr(loops_module, "kernel", lambda function: function)
    game.__dict__["loops"] = make_loops(game.kernels)
    return Game(game)


def broken(**kernels: Callable[..., Any]) -> GameSpec:
    return replace(KUHN, kernels=SOUND._replace(**kernels))


def with_table(**functions: Callable[..., Any]) -> GameSpec:
    codec: Any = SimpleNamespace(**{**vars(table), **functions})
    return replace(KUHN, kernels=SOUND, codec=codec)


def no_moves(state: Any, mask: Any) -> None:
    pass


def odd_mask(state: Any, mask: Any) -> None:
    mask[:] = 2


def one_sided_pay(state: Any, action: int) -> None:
    SOUND.apply(state, action)
    state.reward[0] += 1


def never_over(state: Any, action: int) -> None:
    state.to_act = 1 - state.to_act


def pays_winners_twice(state: Any, action: int) -> None:
    SOUND.apply(state, action)
    state.reward[:] *= 2


def peeking_observation(state: Any, viewer: int, out: Any) -> None:
    SOUND.observe(state, viewer, out)
    out[HIDDEN_FLOAT] += 0.25 * state.deck[1 - viewer]


def writing_observation(state: Any, viewer: int, out: Any) -> None:
    SOUND.observe(state, viewer, out)
    state.turns += 1


def blind_observation(state: Any, viewer: int, out: Any) -> None:
    pass


def peeking_script(state: Any) -> int:
    return int(state.deck[state.to_act] > state.deck[1 - state.to_act])


def lazy_resampling(state: Any, viewer: int) -> None:
    pass


def wild_resampling(state: Any, viewer: int) -> None:
    state.deck[:] = np.roll(state.deck, 1)


def fixed_deal(state: Any) -> None:
    state.rng = np.uint64(1)
    SOUND.new_game(state)


def forgetful_start(state: Any) -> None:
    checked = state.checked
    SOUND.new_game(state)
    state.checked = checked


def same_moves(state: Any, action: int) -> dict[str, Any]:
    return {"move": "pass"}


def open_hands(state: Any, seat: int) -> dict[str, Any]:
    return {**table.view_keys(state, seat), "hands": table.keys(state)["hands"]}


def forgetful_read(reader: Any, state: Any) -> None:
    table.read(reader, state)
    state.paid[:] = 1


def trusting_read(reader: Any, state: Any) -> None:
    state.paid[:] = np.array(reader.value("paid"), np.int8)
    table.read(reader, state)


def any_number(state: Any, move: Any) -> int:
    move.value("move")
    return -1


def no_picture(view: Any) -> str:
    return "<svg>"


def peeking_text(view: Any) -> str:
    return f"{table.text(view)} {np.random.default_rng().random()}"


GAMES: dict[str, tuple[testing.Check, GameSpec]] = {
    "no moves": (testing.check_masks, broken(legal=no_moves)),
    "odd mask": (testing.check_masks, broken(legal=odd_mask)),
    "two actions are one move": (testing.check_masks, with_table(move=same_moves)),
    "one-sided pay": (testing.check_rewards, broken(apply=one_sided_pay)),
    "paid twice": (testing.check_reward_forms, broken(apply=pays_winners_twice)),
    "never over": (testing.check_ends, broken(apply=never_over)),
    "unsound after a move": (testing.check_apply, broken(apply=never_over)),
    "seed ignored": (testing.check_seeds, broken(new_game=fixed_deal)),
    "left over": (testing.check_restarts, broken(new_game=forgetful_start)),
    "table forgets": (testing.check_tables, with_table(read=forgetful_read)),
    "observation leaks": (testing.check_no_leak, broken(observe=peeking_observation)),
    "script peeks": (testing.check_no_leak, broken(scripted=peeking_script)),
    "view leaks": (testing.check_no_leak, with_table(view_keys=open_hands)),
    "text differs": (testing.check_no_leak, with_table(text=peeking_text)),
    "nothing dealt anew": (testing.check_no_leak, broken(resample_hidden=lazy_resampling)),
    "own card dealt anew": (testing.check_no_leak, broken(resample_hidden=wild_resampling)),
    "view not kept": (testing.check_from_view, broken(resample_hidden=wild_resampling)),
    "garbage is trusted": (testing.check_garbage, with_table(read=trusting_read)),
    "garbage is a move": (testing.check_garbage, with_table(action=any_number)),
    "no picture": (testing.check_shown, replace(KUHN, picture=no_picture)),
    "looking writes": (
        testing.check_looking_changes_nothing,
        broken(observe=writing_observation),
    ),
    "nothing to see": (testing.check_looking_changes_nothing, broken(observe=blind_observation)),
}


@pytest.mark.parametrize("name", GAMES)
def test_broken_games_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check, game = GAMES[name]
    monkeypatch.setattr("kitchentable.testing.play._ENOUGH_MOVES", 500)
    with pytest.raises(AssertionError):
        check(plain(game, monkeypatch))


def test_the_sound_game_passes_in_plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    game = plain(replace(KUHN, kernels=SOUND), monkeypatch)
    for check in {check for check, _ in GAMES.values()}:
        check(game)


def keeps_one_alive(env: Any) -> None:
    env.terminations = {**dict.fromkeys(env.agents, True), env.agents[-1]: False}
    env._close_table()
    env._inform()
    env._deads_step_first()


def skips_nothing(batch: Batch, part: slice, was: Any = Batch._step_part) -> None:
    batch.skip_forced = False
    was(batch, part)


BREAKS: dict[str, tuple[testing.Check, Any, str, Any]] = {
    "one is not over": (testing.check_protocol, aec.RawEnv, "_end", keeps_one_alive),
    "nobody is paid": (testing.check_protocol, aec.RawEnv, "_pay", lambda env, paid: None),
    "masks for all": (
        testing.check_protocol,
        aec.RawEnv,
        "observe",
        lambda env, agent: {
            "observation": env.game.observe(env._states, env._seat_of[agent]),
            "action_mask": env._mask.copy(),
        },
    ),
    "seed ignored": (
        testing.check_pettingzoo,
        aec.RawEnv,
        "reset",
        lambda env, seed=None, options=None, was=aec.RawEnv.reset: was(env, id(env)),
    ),
    "illegal actions pass": (
        testing.check_illegal_in_environments,
        aec.RawEnv,
        "_refuse",
        lambda env, number: None,
    ),
    "copies begin anew": (
        testing.check_copies_of_environments,
        aec.RawEnv,
        "from_bytes",
        lambda env, data: env.reset(seed=0),
    ),
    "the learner is not paid": (
        testing.check_gymnasium,
        learner.LearnerGames,
        "collect",
        lambda games, indices: np.zeros(len(indices), np.float32),
    ),
    "the learner sees the mask late": (
        testing.check_gymnasium,
        single.SingleAgentEnv,
        "_info",
        lambda env: {"action_mask": np.zeros(env.game.actions.size, np.int8)},
    ),
    "the first game is played for ever": (
        testing.check_vector_environment,
        learner.LearnerGames,
        "start",
        lambda games, indices: games.look(),
    ),
    "rewards of another seat": (
        testing.check_batch_is_single_games,
        Batch,
        "_run",
        lambda batch, part, was=Batch._run: (
            was(batch, part),
            batch.rewards.__setitem__(slice(None), batch.rewards[:, ::-1].copy()),
        ),
    ),
    "a thread is idle": (
        testing.check_threads,
        Batch,
        "_run",
        lambda batch, part: part(batch._parts[0]),
    ),
    "forced moves are left": (
        testing.check_skip_forced,
        Batch,
        "_step_part",
        skips_nothing,
    ),
    "losing costs nothing": (testing.check_illegal_in_batches, Batch, "_lose", lambda *_: None),
}


@pytest.mark.parametrize("name", BREAKS)
def test_broken_environments_are_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check, broken_class, method, replacement = BREAKS[name]
    monkeypatch.setattr(broken_class, method, replacement)
    game = "leduc_poker" if "forced" not in name else "norwegian_rummy"
    with pytest.raises((AssertionError, IndexError)):
        check(Game(spec(game)))


def test_contract_runs_every_check_and_names_the_one_that_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(game: Game) -> None:
        raise AssertionError("as it should")

    ran: list[Any] = []
    monkeypatch.setattr(testing, "CHECKS", (ran.append,))
    testing.contract("kuhn_poker")
    assert [game.num_players for game in ran] == [2]
    monkeypatch.setattr(testing, "CHECKS", (fails,))
    with pytest.raises(AssertionError, match=r"fails \(kuhn_poker, num_players=2\): as it should"):
        testing.contract("kuhn_poker", num_players=2)
