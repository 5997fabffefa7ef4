"""Killed, interrupted, damaged: a training goes on as if nothing had happened."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import torch

from kitchentable_training.config import TrainConfig, make_config
from kitchentable_training.run import STATE_FOLDER, read_run, write_run
from kitchentable_training.trainer import Trainer
from kitchentable_training.training_state import (
    LATEST,
    PREVIOUS,
    StateError,
    load_state,
    save_state,
)

SETTINGS: dict[str, Any] = {
    "game": "leduc_poker",
    "total_timesteps": 12_000,
    "num_envs": 20,
    "num_steps": 10,
    "num_minibatches": 2,
    "network": {"hidden": [16]},
    "max_moves": 5,
    "kl_magnet_coef": 0.1,
    "kl_magnet_interval": 3,
    "average_decay": 0.9,
    "teacher": {"name": "random", "until": 0.8},
    "privileged_critic": True,
    "playouts": 2,
    "playout_lambda": 0.5,
    "opponents": [{"name": "random", "share": 0.3}, {"name": "scripted", "share": 0.2}],
    "eval_interval": None,
    "eval_interval_steps": 4_000,
    "eval_deals": 5,
    "save_interval": 0.02,
    "precision": "float32",
    "torch_threads": 1,
}

TRAIN = """
import sys
from pathlib import Path
from kitchentable_training.run import read_run
from kitchentable_training.trainer import Trainer
folder = Path(sys.argv[1])
Trainer(read_run(folder), folder).run()
"""


def config(**settings: Any) -> TrainConfig:
    return make_config({**SETTINGS, **settings})


def weights(trainer: Trainer) -> dict[str, torch.Tensor]:
    return {name: value.clone() for name, value in trainer.network.state_dict().items()}


def assert_same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> None:
    assert one.keys() == other.keys()
    for name, value in one.items():
        assert torch.equal(value, other[name]), name


def resumed(folder: Path) -> Trainer:
    trainer = Trainer(read_run(folder), folder)
    assert trainer.restore() is None
    return trainer


def wait_for(path: Path, process: "subprocess.Popen[str]") -> None:
    begun = time.monotonic()
    while not path.exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() - begun < 120
        time.sleep(0.01)


@pytest.mark.slow
def test_killed_and_resumed_is_bit_for_bit_undisturbed(tmp_path: Path) -> None:
    undisturbed = Trainer(config(), tmp_path / "undisturbed")
    assert undisturbed.run()

    folder = tmp_path / "killed"
    write_run(folder, config())
    process = subprocess.Popen(
        [sys.executable, "-c", TRAIN, str(folder)], stderr=subprocess.PIPE, text=True
    )
    wait_for(folder / STATE_FOLDER / PREVIOUS, process)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL

    # Evaluations after the state that was saved last will be made again.
    with (folder / "progress.jsonl").open("a") as file:
        file.write('{"steps": 11999}\n')
    trainer = resumed(folder)
    assert 0 < trainer.steps < 11_999
    assert trainer.run()
    assert trainer.steps == undisturbed.steps
    assert_same(weights(trainer), weights(undisturbed))
    assert logged(folder) == logged(tmp_path / "undisturbed")


def logged(folder: Path) -> list[tuple[int, float]]:
    lines = (folder / "progress.jsonl").read_text().splitlines()
    found = [json.loads(line) for line in lines]
    return [(line["steps"], line["evaluations"]["scripted"]["points"]) for line in found]


def test_saving_changes_nothing_and_restoring_brings_all_back(tmp_path: Path) -> None:
    first = Trainer(config(), tmp_path)
    plain = Trainer(config(), tmp_path / "plain")
    for _ in range(5):
        first.iterate()
        plain.iterate()
        first.save()
    second = Trainer(config(), tmp_path)
    second.restore()
    assert (second.steps, second.ppo.updates) == (first.steps, 5)
    assert second.elapsed >= first._facts()["elapsed"] - 1
    for _ in range(4):
        losses = [trainer.iterate() for trainer in (first, second, plain)]
        assert losses[0] == losses[1] == losses[2]
    assert_same(weights(first), weights(second))
    assert_same(weights(first), weights(plain))


def test_seeds_decide(tmp_path: Path) -> None:
    found = []
    for seed in (1, 1, 2):
        trainer = Trainer(config(seed=seed), tmp_path)
        for _ in range(2):
            trainer.iterate()
        found.append(weights(trainer)["policy_head.weight"])
    assert torch.equal(found[0], found[1])
    assert not torch.equal(found[0], found[2])


def test_threads_of_the_games_change_nothing(tmp_path: Path) -> None:
    found = []
    for threads in (1, 3):
        trainer = Trainer(config(env_threads=threads), tmp_path)
        trainer.iterate()
        found.append(weights(trainer))
    assert_same(*found)


@pytest.mark.parametrize("damage", ["cut short", "one bit", "empty", "missing"])
def test_a_damaged_state_gives_way_to_the_previous_one(tmp_path: Path, damage: str) -> None:
    for number in (1, 2):
        save_state(tmp_path, {"x": torch.full((1000,), number)}, {"number": number})
    path = tmp_path / LATEST
    data = path.read_bytes()
    if damage == "missing":
        path.unlink()
    else:
        spoilt = bytearray(data)
        spoilt[-10] ^= 1
        kinds = {"cut short": data[:-100], "one bit": bytes(spoilt), "empty": b""}
        path.write_bytes(kinds[damage])
    (tensors, facts), note = load_state(tmp_path)
    assert facts == {"number": 1}
    assert (tensors["x"] == 1).all()
    assert note is not None
    assert str(path) in note
    assert PREVIOUS in note
    assert "\n" not in note


def test_no_sound_state_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StateError, match="missing"):
        load_state(tmp_path)
    save_state(tmp_path, {"x": torch.zeros(3)}, {})
    (tmp_path / LATEST).write_bytes(b"nothing")
    with pytest.raises(StateError, match="damaged"):
        load_state(tmp_path)


def test_a_state_of_other_shape_is_refused(tmp_path: Path) -> None:
    trainer = Trainer(config(), tmp_path)
    trainer.iterate()
    trainer.save()
    for other in (config(network={"hidden": [8]}), config(num_envs=10)):
        with pytest.raises(StateError, match="does not fit"):
            Trainer(other, tmp_path).restore()
    with pytest.raises(StateError, match="another version"):
        Trainer(config(game="kuhn_poker"), tmp_path).restore()


def test_the_budget_counts_what_was_used_before(tmp_path: Path) -> None:
    trainer = Trainer(config(total_timesteps=None, time_limit=0.05), tmp_path)
    assert trainer.run()
    assert trainer.elapsed >= 3
    again = resumed(tmp_path)
    assert again.fraction == 1
    assert again.learning_rate(again.fraction) == 0
    assert again.ent_coef(1.0) == config().ent_coef_final
    steps = again.steps
    assert again.run()
    assert again.steps == steps


def test_a_run_leaves_policies_curves_and_evaluations(tmp_path: Path) -> None:
    trainer = Trainer(config(), tmp_path)
    assert trainer.run()
    for name in ("latest", "best"):
        policy = json.loads((tmp_path / name / "policy.json").read_text())
        assert policy["training"]["num_envs"] == 20
    assert policy["evaluation"]["random"]["deals"] == 5
    assert [steps for steps, _ in logged(tmp_path)][-1] == trainer.steps
    assert len(logged(tmp_path)) == 3
    assert list(tmp_path.glob("events.out.tfevents.*"))
    assert not list((tmp_path / STATE_FOLDER).glob("*.new"))


COMMAND = "from kitchentable.cli import main; main()"


@pytest.mark.slow
def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path: Path) -> None:
    arguments = ["train", "--out", str(tmp_path / "run"), str(tmp_path / "config.toml")]
    (tmp_path / "config.toml").write_text(
        'game = "kuhn_poker"\ntime_limit = 5.0\nsave_interval = 0.01\ntorch_threads = 1\n'
        "num_envs = 16\nnum_steps = 8\nnum_minibatches = 1\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, *arguments],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "200"},
    )
    wait_for(tmp_path / "run" / STATE_FOLDER / LATEST, process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert "stopped after" in err
    assert "kitchentable train --resume" in err
    assert resumed(tmp_path / "run").steps > 0
