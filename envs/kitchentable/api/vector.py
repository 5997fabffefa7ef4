"""Many games through Gymnasium at once: no Python loop over games."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from kitchentable.api.batch import ILLEGAL, ILLEGAL_REWARD, SKIP_FORCED
from kitchentable.api.learner import Indices, LearnerGames, Opponents
from kitchentable.engine.game import Game, IllegalMoveError
from kitchentable.engine.options import ChoiceOption, IntOption
from kitchentable.games import spec
from kitchentable.render.frames import RENDER_MODES, check_render_mode, frame

_SEED_SIZE = 2**63
_AUTORESET = ChoiceOption(
    "autoreset_mode",
    AutoresetMode.SAME_STEP.value,
    "",
    choices=(AutoresetMode.SAME_STEP.value, AutoresetMode.NEXT_STEP.value),
)

Arrays = tuple[
    NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
]


class SingleAgentVectorEnv(VectorEnv[NDArray[np.float32], NDArray[Any], NDArray[Any]]):
    """`num_envs` games as `SingleAgentEnv` plays them.

    Game i, seeded with s + i, is the game of a single env with that seed, as long as the
    opponents draw no lots: those that do draw from one stream for all games.

    `infos["action_mask"]` is int8 of shape (num_envs, actions), `action_masks()` bool.

    With `autoreset_mode` `"SameStep"` the game that ends is followed by a new one in the same
    step: observation and mask are the new game's, those of the end are in `infos["final_obs"]`
    and `infos["final_info"]`. With `"NextStep"` the next step starts the new game, whatever
    its action; the mask of an ended game is all ones then, as any action will do.

    Args:
        num_envs: how many games.
        game: a game's name.
        opponents, seat, illegal, skip_forced, reward, options: as for `SingleAgentEnv`.
        autoreset_mode: `"SameStep"` or `"NextStep"`, or Gymnasium's enumeration.
        max_episode_steps: cut a game off after so many of the learner's actions.
        render_mode: as for `SingleAgentEnv`; a frame for each game.

    Raises:
        OptionError: an option is unknown or not allowed.
        OpponentError: there is no such opponent, or it cannot play this game.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        game: str,
        opponents: Opponents = "scripted",
        seat: int | str = 0,
        illegal: str = "raise",
        skip_forced: bool = False,
        reward: str = "points",
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = Game(spec(game), reward=reward, **options)
        self.num_envs = IntOption("num_envs", 1, "", high=2**31 - 1).check(num_envs, {}) or 1
        self._illegal = ILLEGAL.check(illegal, {})
        mode = autoreset_mode.value if isinstance(autoreset_mode, AutoresetMode) else autoreset_mode
        self._same_step = _AUTORESET.check(mode, {}) == AutoresetMode.SAME_STEP.value
        limit = IntOption("max_episode_steps", None, "", high=2**31 - 1, nullable=True)
        self._limit = limit.check(max_episode_steps, {}) or 0
        self.render_mode = check_render_mode(render_mode)
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "autoreset_mode": AutoresetMode(mode),
        }
        self._games = LearnerGames(
            self.game, num_envs, opponents, seat, SKIP_FORCED.check(skip_forced, {})
        )
        self._all: Indices = np.arange(num_envs)
        self._steps = np.zeros(num_envs, np.int64)
        self._over = np.zeros(num_envs, np.bool_)
        self._started = False
        self.single_observation_space = self.game.observation_space
        self.single_action_space: spaces.Discrete = self.game.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    @property
    def seats(self) -> NDArray[np.int32]:
        """The learner's seat in each game now played."""
        return self._games.learners.copy()

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start all games; a seed for all gives game i the seed `seed + i`.

        Raises:
            ValueError: there are not as many seeds as games.
        """
        self._games.seed(self._seeds(seed))
        self._games.start(self._all)
        self._steps[:] = 0
        self._over[:] = False
        self._show()
        return self._games.observations.copy(), self._infos(self._games.masks.copy())

    def step(self, actions: NDArray[Any]) -> Arrays:
        """Play an action in every game, and all others up to the learner's next decisions.

        Raises:
            IllegalMoveError: an action is illegal and `illegal` is `"raise"`; no game moves.
            ResetNeeded: no games have been started.
        """
        if not self._started:
            raise ResetNeeded("no game is running: call reset() before step()")
        fresh = np.flatnonzero(self._over)
        running = np.flatnonzero(~self._over)
        lost = self._lost(self._numbers(actions), running)
        playing = np.setdiff1d(running, lost, assume_unique=True) if len(lost) else running
        rewards = np.zeros(self.num_envs, np.float64)
        self._games.play(playing)
        self._games.start(fresh)
        rewards[playing] = self._games.collect(playing)
        rewards[lost] = ILLEGAL_REWARD
        self._steps[running] += 1
        self._steps[fresh] = 0
        terminations = self._games.seats < 0
        terminations[lost] = True
        truncations = self._steps >= self._limit if self._limit else np.zeros_like(terminations)
        truncations &= ~terminations
        return self._conclude(rewards, terminations, truncations)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions; bool of shape (num_envs, actions)."""
        masks = self._games.masks.astype(np.bool_)
        masks[self._over] = True
        return masks

    def render(self) -> tuple[Any, ...] | None:
        """Return a frame of each game, as the learner sees it."""
        if self.render_mode is None:
            return None
        states, seats = self._games.states, self._games.learners
        return tuple(
            frame(self.game, states[i : i + 1], self.render_mode, int(seats[i])) for i in self._all
        )

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        started, self._started = self._started, True
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
            return [int(seed) + i for i in range(self.num_envs)]
        if seed is not None:
            if len(seed) != self.num_envs:
                raise ValueError(f"there are {len(seed)} seeds for {self.num_envs} games")
            return list(seed)
        if started:
            return [None] * self.num_envs
        return [int(one) for one in self.np_random.integers(_SEED_SIZE, size=self.num_envs)]

    def _numbers(self, actions: NDArray[Any]) -> NDArray[Any]:
        numbers = np.asarray(actions)
        if numbers.shape != (self.num_envs,) or numbers.dtype.kind not in "iu":
            raise IllegalMoveError(
                f"{self.game.name}: actions are {self.num_envs} whole numbers, "
                f"not {numbers.dtype} of shape {numbers.shape}"
            )
        return numbers

    def _lost(self, actions: NDArray[Any], running: Indices) -> Indices:
        """Take the actions; return the games lost by an illegal one."""
        illegal = self._games.substitute(actions, running, self._illegal)
        return illegal if self._illegal == "lose" else illegal[:0]

    def _conclude(
        self,
        rewards: NDArray[np.float64],
        terminations: NDArray[np.bool_],
        truncations: NDArray[np.bool_],
    ) -> Arrays:
        """Show the ends, and with `"SameStep"` start new games."""
        over = terminations | truncations
        ended = np.flatnonzero(over)
        masks = self._games.masks.copy()
        masks[terminations] = 0
        infos: dict[str, Any] = {}
        last = self._games.learner_views(ended)
        if self._same_step and len(ended):
            infos = self._final(ended, last, masks)
            self._games.start(ended)
            self._steps[ended] = 0
            masks[ended] = self._games.masks[ended]
        observations = self._games.observations.copy()
        if not self._same_step:
            self._over = over
            masks[ended], observations[ended] = 1, last
        self._show()
        return observations, rewards, terminations, truncations, {**infos, **self._infos(masks)}

    def _final(
        self, ended: Indices, last: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> dict[str, Any]:
        """Return what Gymnasium's infos tell of games that have ended."""
        there = np.zeros(self.num_envs, np.bool_)
        there[ended] = True
        views = np.full(self.num_envs, None, object)
        for i, view in zip(ended, last, strict=True):
            views[i] = view
        final_masks = np.zeros_like(masks)
        final_masks[ended] = masks[ended]
        return {
            "final_obs": views,
            "_final_obs": there,
            "final_info": {"action_mask": final_masks, "_action_mask": there.copy()},
            "_final_info": there.copy(),
        }

    def _infos(self, masks: NDArray[np.int8]) -> dict[str, Any]:
        return {"action_mask": masks, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()
