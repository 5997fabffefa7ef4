"""Training by self-play: rollouts, updates, evaluations, and everything kept on disk."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from kitchentable import Batch, Game, opponent
from kitchentable.opponents import Opponent
from kitchentable_training.backend import PolicyOpponent
from kitchentable_training.checkpoint import save_checkpoint
from kitchentable_training.config import TrainConfig
from kitchentable_training.evaluate import evaluate
from kitchentable_training.logbook import Logbook
from kitchentable_training.network import PolicyNetwork, PrivilegedCritic
from kitchentable_training.playouts import Playouts
from kitchentable_training.ppo import PPO, Losses
from kitchentable_training.progress import Display
from kitchentable_training.rollout import Rollout
from kitchentable_training.run import BEST, LATEST, STATE_FOLDER, write_run
from kitchentable_training.seating import Seating
from kitchentable_training.training_state import StateError, load_state, save_state

EVALUATION_SEED = 1_000_003
"""Evaluations of all trainings play the same deals, so that curves can be compared."""
STATE_VERSION = 1
LAST_STRETCH = 0.97
"""After this share of the budget only the evaluation at the end is due."""

_PENDING = (
    "played",
    "seats",
    "masks",
    "choices",
    "actions",
    "advice",
    "log_probabilities",
    "values",
    "rewards",
    "gains",
)
"""Arrays of a rollout whose pending rows are kept."""


class Trainer:
    """Trains a network on a game.

    Args:
        config: all settings.
        folder: of this run; made if need be.
        display: tells the user; None: nothing is told.

    Raises:
        OpponentError: there is no such opponent, or it does not play this game.
    """

    def __init__(self, config: TrainConfig, folder: Path, display: Display | None = None) -> None:
        self.config = config
        self.folder = folder
        self.display = display
        self.game = config.make_game()
        self.dtype = choose_dtype(config.precision)
        if config.torch_threads is not None:
            torch.set_num_threads(config.torch_threads)
        self.generator = torch.Generator().manual_seed(config.seed)
        self.network = make_network(config, self.game)
        self.ppo = PPO(self.network, config, self.dtype, make_critic(config, self.game))
        self.batch = Batch(
            self.game,
            games=config.num_envs,
            seed=config.seed,
            threads=config.env_threads,
            skip_forced=config.skip_forced,
            max_moves=config.max_moves,
        )
        self.seating = self._make_seating()
        self.rivals = [opponent(name) for name in config.eval_opponents]
        for rival in self.rivals:
            rival.check(evaluation_game(self.game))
        self.rollout = Rollout(
            self.batch,
            self.seating,
            config.num_steps,
            dtype=self.dtype,
            generator=self.generator,
            teacher=self._make_teacher(),
            privileged=config.privileged_critic,
            playouts=self._make_playouts(),
        )
        self.steps = 0
        self.evaluations: dict[str, Any] = {}
        self.best: float | None = None
        self.speed = 0.0
        self._evaluated_at = (0.0, 0)
        self._elapsed_before = 0.0
        self._started = time.perf_counter()
        self._stopping = False
        self.logbook = Logbook(self)

    @property
    def elapsed(self) -> float:
        """Seconds of training so far, those before a resumption included."""
        return self._elapsed_before + time.perf_counter() - self._started

    @property
    def fraction(self) -> float:
        """How much of the budget is used, 0 .. 1."""
        used = 0.0
        if self.config.total_timesteps is not None:
            used = self.steps / self.config.total_timesteps
        if self.config.time_limit is not None:
            used = max(used, self.elapsed / (60 * self.config.time_limit))
        return min(used, 1.0)

    def run(self) -> bool:
        """Train until the budget is used up; return False if interrupted by Ctrl-C.

        Raises:
            DivergedError: a loss is no number any more.
        """
        write_run(self.folder, self.config)
        saved_at = time.monotonic()
        with _interruptible(self._stop):
            while self.fraction < 1 and not self._stopping:
                self.iterate()
                if self._is_evaluation_due():
                    self.evaluate()
                if time.monotonic() - saved_at > self.config.save_interval:
                    self.save()
                    saved_at = time.monotonic()
            if not self._stopping and self._evaluated_at[1] < self.steps:
                self.evaluate()
            self.save()
        self.logbook.close()
        self.batch.close()
        return not self._stopping

    def iterate(self) -> Losses:
        """Play one rollout and learn from it."""
        begun = time.perf_counter()
        fraction = self.fraction
        self._reseed_opponents()
        teacher_weight = self.teacher_weight(fraction)
        self.rollout.collect(self.ppo.evaluate, ask_teacher=teacher_weight > 0)
        n_decisions = self.rollout.n_decisions
        losses = self.ppo.update(
            self.rollout.samples(
                self.config.gamma, self.config.gae_lambda, self.config.playout_lambda
            ),
            self.learning_rate(fraction),
            self.ent_coef(fraction),
            self.generator,
            teacher_weight=teacher_weight,
        )
        self.steps += n_decisions
        self._show(n_decisions / (time.perf_counter() - begun))
        self.logbook.iteration(losses, self.learning_rate(fraction))
        return losses

    def learning_rate(self, fraction: float) -> float:
        """Return the learning rate after this share of the budget."""
        left = 1 - fraction if self.config.anneal_lr else 1.0
        return self.config.learning_rate * left

    def ent_coef(self, fraction: float) -> float:
        """Return the worth of entropy after this share of the budget."""
        first, last = self.config.ent_coef, self.config.ent_coef_final
        return first * (1 - fraction) + last * fraction

    def teacher_weight(self, fraction: float) -> float:
        """Return how much the teacher's moves count after this share of the budget, 0 .. 1."""
        teacher = self.config.teacher
        if teacher is None:
            return 0.0
        return max(teacher.final, 1 - (1 - teacher.final) * fraction / teacher.until)

    def evaluate(self) -> dict[str, Any]:
        """Play against each of the opponents for evaluation; keep and return the results."""
        game = evaluation_game(self.game)
        results = {}
        for rival in self.rivals:
            rival.reseed(EVALUATION_SEED)
            contender = PolicyOpponent(
                self.ppo.policy,
                name=self.config.name,
                seed=EVALUATION_SEED,
                greedy=self.config.greedy,
            )
            result = evaluate(
                game, contender, rival, deals=self.config.eval_deals, seed=EVALUATION_SEED
            )
            results[rival.name] = result.summary()
        self._evaluated_at = (self.elapsed, self.steps)
        self.evaluations = results
        if results:
            self._take_down(results)
        return results

    def save(self) -> None:
        """Write the newest policy, and all that a resumed training needs."""
        self._save_policy(LATEST)
        if self.best is None:
            self._save_policy(BEST)
        save_state(self.folder / STATE_FOLDER, self._tensors(), self._facts())

    def restore(self) -> str | None:
        """Go on from the state in the run folder; return what the user must be told.

        Raises:
            StateError: there is no sound state, or it is of a different training.
        """
        (tensors, facts), note = load_state(self.folder / STATE_FOLDER)
        if facts["version"] != STATE_VERSION or facts["layout"] != self.game.spec.layout_hash:
            raise StateError(f"{self.folder}: the training state is of another version")
        try:
            self._set_tensors(tensors)
        except (KeyError, RuntimeError, ValueError) as error:
            reason = " ".join(str(error).split())
            raise StateError(f"{self.folder}: the training state does not fit: {reason}") from None
        self._set_facts(facts)
        self.logbook.forget_after(self.steps)
        return note

    def _make_seating(self) -> Seating:
        guests = [opponent(entry.name, self.config.seed) for entry in self.config.opponents]
        for guest in guests:
            guest.check(self.game)
        return Seating(
            self.config.num_envs,
            self.game.num_players,
            guests,
            [entry.share for entry in self.config.opponents],
            self.generator,
        )

    def _make_teacher(self) -> Opponent | None:
        if self.config.teacher is None:
            return None
        teacher = opponent(self.config.teacher.name, self.config.seed)
        teacher.check(self.game)
        return teacher

    def _make_playouts(self) -> Playouts | None:
        if not self.config.playouts:
            return None
        threads = torch.get_num_threads()
        return Playouts(self.batch, self.config.playouts, self.generator, threads)

    def _reseed_opponents(self) -> None:
        """Make the opponents' and the teacher's lots follow from the seed and the number of the rollout."""
        teachers = [] if self.rollout.teacher is None else [self.rollout.teacher]
        for number, guest in enumerate([*self.seating.opponents, *teachers]):
            entropy = np.random.SeedSequence([self.config.seed, self.ppo.updates, number])
            guest.reseed(int(entropy.generate_state(1)[0]))

    def _stop(self) -> None:
        self._stopping = True
        if self.display is not None:
            self.display.say("interrupted: ending this update, then saving (Ctrl-C again: at once)")

    def _is_evaluation_due(self) -> bool:
        if self.fraction > LAST_STRETCH:
            return False
        seconds, steps = self._evaluated_at
        config = self.config
        if config.eval_interval is not None and self.elapsed - seconds >= config.eval_interval:
            return True
        every = config.eval_interval_steps
        return every is not None and self.steps - steps >= every

    def _show(self, speed: float) -> None:
        self.speed = speed if self.speed == 0 else 0.9 * self.speed + 0.1 * speed
        if self.display is not None:
            fraction = max(self.fraction, 1e-9)
            left = self.elapsed * (1 - fraction) / fraction
            self.display.show(fraction, self.steps, self.speed, left)

    def _take_down(self, results: dict[str, Any]) -> None:
        """Tell, log and keep the results of an evaluation, and the policy if it is the best."""
        if self.display is not None:
            self.display.show_evaluation(self.steps, results)
        self.logbook.evaluation(results)
        points = list(results.values())[-1]["points"]
        if self.best is None or points > self.best:
            self.best = points
            self._save_policy(BEST)

    def _save_policy(self, name: str) -> None:
        save_checkpoint(
            self.folder / name,
            self.ppo.policy,
            self.config.network,
            self.game,
            greedy=self.config.greedy,
            training=self.config.model_dump(mode="json"),
            seed=self.config.seed,
            steps=self.steps,
            seconds=self.elapsed,
            evaluation=self.evaluations,
        )

    def _tensors(self) -> dict[str, Tensor]:
        """Return everything that is an array."""
        rollout = self.rollout
        heads = rollout.steps.start
        tensors = {
            "states": torch.frombuffer(
                bytearray(self.game.to_bytes(self.batch.states)), dtype=torch.uint8
            ),
            "moves": torch.from_numpy(self.batch.moves),
            "generator": self.generator.get_state(),
            "seating": torch.from_numpy(self.seating.seats),
            "returns": torch.from_numpy(rollout.returns),
            "lengths": torch.from_numpy(rollout.lengths),
        }
        rollout.carry_over()
        tensors["pending"] = torch.from_numpy(rollout.pending)
        tensors["rollout.observations"] = rollout.observations[:heads]
        for name in _PENDING:
            tensors[f"rollout.{name}"] = torch.from_numpy(getattr(rollout, name)[:heads])
        for name, value in self.network.state_dict().items():
            tensors[f"network.{name}"] = value
        for kept, companion in self._companions().items():
            for name, value in companion.state_dict().items():
                tensors[f"{kept}.{name}"] = value
        for number, slots in self.ppo.optimizer.state_dict()["state"].items():
            for name, value in slots.items():
                tensors[f"optimizer.{number}.{name}"] = value
        return tensors

    def _set_tensors(self, tensors: dict[str, Tensor]) -> None:
        """Take over what `_tensors` returned.

        Raises:
            KeyError: one is missing.
            RuntimeError: a weight does not fit.
            ValueError: an array does not fit.
        """
        rollout = self.rollout
        heads = rollout.steps.start
        states = self.game.from_bytes(tensors["states"].numpy().tobytes())
        self.batch.states[:] = states
        self.batch.moves[:] = tensors["moves"].numpy()
        self.batch.look()
        self.generator.set_state(tensors["generator"])
        self.seating.seats[:] = tensors["seating"].numpy()
        rollout.returns[:] = tensors["returns"].numpy()
        rollout.lengths[:] = tensors["lengths"].numpy()
        rollout.pending[:] = tensors["pending"].numpy()
        rollout.observations[:heads] = tensors["rollout.observations"]
        for name in _PENDING:
            getattr(rollout, name)[:heads] = tensors[f"rollout.{name}"].numpy()
        self.network.load_state_dict(_below(tensors, "network."))
        for kept, companion in self._companions().items():
            companion.load_state_dict(_below(tensors, f"{kept}."))
        self._set_optimizer(_below(tensors, "optimizer."))

    def _companions(self) -> dict[str, nn.Module]:
        """Return the networks that are kept beside the policy that learns."""
        found = {
            "magnet": self.ppo.magnet,
            "average": self.ppo.average,
            "critic": self.ppo.critic,
        }
        return {name: network for name, network in found.items() if network is not None}

    def _set_optimizer(self, tensors: dict[str, Tensor]) -> None:
        slots: dict[int, dict[str, Tensor]] = {}
        for key, value in tensors.items():
            number, name = key.split(".")
            slots.setdefault(int(number), {})[name] = value
        known = self.ppo.optimizer.state_dict()
        self.ppo.optimizer.load_state_dict({**known, "state": slots})

    def _facts(self) -> dict[str, Any]:
        """Return everything else."""
        return {
            "version": STATE_VERSION,
            "layout": self.game.spec.layout_hash,
            "config": self.config.model_dump(mode="json"),
            "steps": self.steps,
            "updates": self.ppo.updates,
            "elapsed": self.elapsed,
            "evaluated_at": list(self._evaluated_at),
            "evaluations": self.evaluations,
            "best": self.best,
        }

    def _set_facts(self, facts: dict[str, Any]) -> None:
        self.steps = facts["steps"]
        self.ppo.updates = facts["updates"]
        self._elapsed_before = facts["elapsed"]
        self._started = time.perf_counter()
        self._evaluated_at = (facts["evaluated_at"][0], facts["evaluated_at"][1])
        self.evaluations = facts["evaluations"]
        self.best = facts["best"]


def make_network(config: TrainConfig, game: Game) -> PolicyNetwork:
    """Return a new network whose weights follow from the seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.seed)
        return PolicyNetwork(config.network, game.layout.size, game.actions.size)


def make_critic(config: TrainConfig, game: Game) -> PrivilegedCritic | None:
    """Return a new privileged critic whose weights follow from the seed, if one is wanted."""
    if not config.privileged_critic:
        return None
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.seed)
        return PrivilegedCritic(config.network, game.spec.privileged.size)


def choose_dtype(precision: str) -> torch.dtype:
    """Return what the network computes in."""
    if precision == "bf16" or (precision == "auto" and multiplies_bf16()):
        return torch.bfloat16
    return torch.float32


def multiplies_bf16() -> bool:
    """Tell whether this processor has instructions for products of bf16."""
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return False
    return "avx512_bf16" in flags or "amx_bf16" in flags


def evaluation_game(game: Game) -> Game:
    """Return the game with a single deal as its episode: that is what evaluations play."""
    return Game(game.spec, **{**game.options, "episode": "deal"})


def _below(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    """Return the tensors whose names begin so, without that."""
    return {
        name.removeprefix(prefix): value
        for name, value in tensors.items()
        if name.startswith(prefix)
    }


@contextmanager
def _interruptible(stop: Callable[[], None]) -> Iterator[None]:
    """Turn the first Ctrl-C into a call of `stop`; the second one interrupts as usual."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.getsignal(signal.SIGINT)

    def interrupt(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, previous)
        stop()

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
