"""The trainer's acid test: self-play comes near best play where that is known exactly."""

from pathlib import Path

import pytest

from kitchentable_training.backend import PolicyOpponent
from kitchentable_training.config import read_config
from kitchentable_training.exploitability import GameTree, uniform
from kitchentable_training.trainer import Trainer

CONFIGS = Path(__file__).parents[2] / "configs"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "bound"), [("kuhn_poker", 0.05), ("leduc_poker", 0.5)], ids=["kuhn", "leduc"]
)
def test_self_play_comes_near_best_play(game: str, bound: float, tmp_path: Path) -> None:
    config = read_config(CONFIGS / f"{game}.toml", ["eval_interval=none", "eval_opponents=[]"])
    trainer = Trainer(config, tmp_path)
    tree = GameTree(trainer.game)
    policy = PolicyOpponent(trainer.network)
    before = tree.evaluate(policy.probabilities)
    assert trainer.run()
    after = tree.evaluate(policy.probabilities)
    print(f"{game}: uniform {tree.evaluate(uniform)}; untrained {before}; trained {after}")
    assert after.exploitability <= bound < before.exploitability / 4
