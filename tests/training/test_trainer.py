"""What the trainer sets by the course of a training, and what it logs."""

from pathlib import Path
from typing import Any

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from kitchentable_training.config import make_config
from kitchentable_training.trainer import Trainer

SETTINGS: dict[str, Any] = {
    "game": "leduc_poker",
    "total_timesteps": 400,
    "num_envs": 20,
    "num_steps": 10,
    "num_minibatches": 2,
    "network": {"hidden": [8], "skip": True},
    "playouts": 2,
    "eval_interval": None,
    "eval_deals": 2,
    "torch_threads": 1,
}


def trainer(folder: Path, **settings: Any) -> Trainer:
    return Trainer(make_config(SETTINGS | settings), folder)


@pytest.mark.parametrize(
    ("final", "weights"),
    [(0.0, [1.0, 0.5, 0.0, 0.0]), (0.2, [1.0, 0.6, 0.2, 0.2])],
)
def test_a_teachers_weight_falls_to_what_is_left(
    tmp_path: Path, final: float, weights: list[float]
) -> None:
    teaching = trainer(tmp_path, teacher={"name": "scripted", "until": 0.4, "final": final})
    found = [teaching.teacher_weight(fraction) for fraction in (0.0, 0.2, 0.4, 1.0)]
    assert found == pytest.approx(weights)


def test_playouts_have_curves(tmp_path: Path) -> None:
    assert trainer(tmp_path).run()
    events = EventAccumulator(str(tmp_path))
    events.Reload()
    departures = [event.value for event in events.Scalars("playouts/departures")]
    assert departures and all(0 < share <= 1 for share in departures)
    assert all(event.value > 0 for event in events.Scalars("playouts/gain_spread"))
    assert events.Scalars("playouts/gain")
