"""What is kept of a training's course: TensorBoard curves, and a line for each evaluation."""

import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kitchentable_training.ppo import Losses
from kitchentable_training.seating import LEARNER

if TYPE_CHECKING:
    from kitchentable_training.trainer import Trainer

PROGRESS_FILE = "progress.jsonl"
LOG_INTERVAL = 1.0
"""Seconds between two points of the TensorBoard curves."""


class Logbook:
    """TensorBoard curves, and a line of JSON for each evaluation."""

    def __init__(self, trainer: "Trainer") -> None:
        self._trainer = trainer
        self._writer: Any = None
        self._purge_from: int | None = None
        self._logged_at = 0.0
        self._lengths: list[int] = []
        self._gains: list[float] = []
        self._decisions = 0
        self._returns: dict[int, list[float]] = {}
        self._counts = np.zeros(len(trainer.game.actions.blocks), np.int64)
        actions = trainer.game.actions
        sizes = [block.size for block in actions.blocks]
        self._blocks = np.repeat(np.arange(len(sizes)), sizes)

    @property
    def _file(self) -> Path:
        return self._trainer.folder / PROGRESS_FILE

    def forget_after(self, steps: int) -> None:
        """Drop what was logged after the state that a training goes on from."""
        self._purge_from = steps + 1
        if self._file.exists():
            lines = self._file.read_text(encoding="utf-8").splitlines(keepends=True)
            kept = [line for line in lines if json.loads(line)["steps"] <= steps]
            self._file.write_text("".join(kept), encoding="utf-8")

    def iteration(self, losses: Losses, learning_rate: float) -> None:
        """Add one rollout and update to the curves, which get a point every second."""
        self._count()
        now = time.monotonic()
        if now - self._logged_at < LOG_INTERVAL:
            return
        self._logged_at = now
        for name, value in asdict(losses).items():
            self._add(f"losses/{name}", value)
        self._add("charts/learning_rate", learning_rate)
        self._add("charts/SPS", self._trainer.speed)
        if self._lengths:
            self._add("charts/episodic_length", float(np.mean(self._lengths)))
        if self._trainer.rollout.playouts is not None:
            self._add_gains()
        for guest, returns in self._returns.items():
            self._add_returns(guest, returns)
        for block, count in zip(self._trainer.game.actions.blocks, self._counts, strict=True):
            self._add(f"habits/{block.name}", float(count / max(self._counts.sum(), 1)))
        self._lengths, self._returns = [], {}
        self._counts[:] = 0

    def evaluation(self, results: dict[str, Any]) -> None:
        """Add the results of an evaluation to the curves and to the file."""
        trainer = self._trainer
        for name, result in results.items():
            self._add(f"eval/points_vs_{name}", result["points"])
            self._add(f"eval/winrate_vs_{name}", result["wins"])
        line = {
            "steps": trainer.steps,
            "seconds": round(trainer.elapsed, 3),
            "updates": trainer.ppo.updates,
            "samples_per_second": round(trainer.speed, 1),
            "evaluations": results,
        }
        trainer.folder.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def close(self) -> None:
        """Write what is not written yet."""
        if self._writer is not None:
            self._writer.close()

    def _count(self) -> None:
        rollout = self._trainer.rollout
        steps = slice(rollout.steps.start, rollout.blank)
        chosen = rollout.actions[steps][rollout.played[steps]]
        gains = rollout.gains[steps]
        self._gains.extend(gains[gains != 0].tolist())
        self._decisions += rollout.n_decisions
        self._counts += np.bincount(self._blocks[chosen], minlength=len(self._counts))
        self._lengths.extend(rollout.episodes.lengths)
        for guest, returns in rollout.episodes.returns.items():
            self._returns.setdefault(guest, []).extend(returns)

    def _add_gains(self) -> None:
        """Tell how often the policy departs from the script, and what that gains by playouts."""
        self._add("playouts/departures", len(self._gains) / max(self._decisions, 1))
        if self._gains:
            self._add("playouts/gain", float(np.mean(self._gains)))
            self._add("playouts/gain_spread", float(np.std(self._gains)))
        self._gains, self._decisions = [], 0

    def _add_returns(self, guest: int, returns: list[float]) -> None:
        """In self-play the mean return is 0 by the rules: its spread tells more."""
        if guest == LEARNER:
            self._add("charts/episodic_return", float(np.mean(returns)))
            self._add("charts/episodic_return_spread", float(np.std(returns)))
        else:
            name = self._trainer.seating.opponents[guest - 1].name
            self._add(f"charts/episodic_return_vs_{name}", float(np.mean(returns)))

    def _add(self, tag: str, value: float) -> None:
        if self._writer is None:
            from torch.utils.tensorboard import SummaryWriter

            folder = str(self._trainer.folder)
            self._writer = SummaryWriter(folder, purge_step=self._purge_from)
        self._writer.add_scalar(tag, value, self._trainer.steps)
