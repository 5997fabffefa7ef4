"""A game through Gymnasium: one seat is the learner, opponents play the others."""

import operator
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.logger import warn
from numpy.typing import NDArray

from kitchentable.api.batch import ILLEGAL, ILLEGAL_REWARD, SKIP_FORCED
from kitchentable.api.learner import LearnerGames, Opponents
from kitchentable.engine.game import Game, IllegalMoveError
from kitchentable.games import spec
from kitchentable.render.frames import RENDER_MODES, check_render_mode, frame

_ONLY: NDArray[np.int64] = np.zeros(1, np.int64)
_SEED_SIZE = 2**63

Observation = NDArray[np.float32]


class SingleAgentEnv(gymnasium.Env[Observation, np.int64]):
    """One seat's view of a game: the others are played inside `step`.

    An observation is flat float32; the mask of legal actions is in `info["action_mask"]`
    (int8) and `action_masks()` (bool). What the learner is paid while others move counts
    for its last action. A game that ends before the learner had a decision is followed by
    another at once.

    Args:
        game: a game's name.
        opponents: one for all other seats, or a list, clockwise from the learner; whatever
            `kitchentable.opponent` takes.
        seat: the learner's seat, or `"random"`: drawn anew for each game.
        illegal: what an illegal action does: `"raise"` an `IllegalMoveError`; `"lose"` ends
            the game with -1; `"random"` plays a random legal action instead.
        skip_forced: play moves without an alternative at once, the first of a game apart.
        reward: `"points"` or `"win"`.
        render_mode: `"human"` (prints text), `"ansi"`, `"rgb_array"` or `"svg"`; what is
            shown is the learner's view.
        options: the game's options.

    Raises:
        OptionError: an option is unknown or not allowed.
        OpponentError: there is no such opponent, or it cannot play this game.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - Gymnasium declares it so
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str,
        *,
        opponents: Opponents = "scripted",
        seat: int | str = 0,
        illegal: str = "raise",
        skip_forced: bool = False,
        reward: str = "points",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = Game(spec(game), reward=reward, **options)
        self._illegal = ILLEGAL.check(illegal, {})
        self.render_mode = check_render_mode(render_mode)
        self._games = LearnerGames(
            self.game, 1, opponents, seat, SKIP_FORCED.check(skip_forced, {})
        )
        self._started = self._running = False
        self.observation_space = self.game.observation_space
        self.action_space: spaces.Discrete = self.game.action_space

    @property
    def seat(self) -> int:
        """The learner's seat in the game now played."""
        return int(self._games.learners[0])

    @property
    def position(self) -> Any:
        """A copy of the game's state, for the methods of `game`."""
        return self.game.copy(self._games.states)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game; without a seed, one that follows from the games played before."""
        super().reset(seed=seed)
        if seed is None and not self._started:
            seed = int(self.np_random.integers(_SEED_SIZE))
        self._started = self._running = True
        self._games.seed([seed])
        self._games.start(_ONLY)
        self._show()
        return self._games.observations[0].copy(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action and all moves of the others up to the learner's next decision.

        Raises:
            IllegalMoveError: the action is illegal and `illegal` is `"raise"`.
            ResetNeeded: no game is running.
        """
        if not self._running:
            raise ResetNeeded("no game is running: call reset() before step()")
        illegal = self._games.substitute(self._number(action), _ONLY, self._illegal)
        if len(illegal) and self._illegal == "lose":
            self._running = False
            info = {"action_mask": np.zeros(self.game.actions.size, np.int8)}
            return self._games.learner_views(_ONLY)[0], ILLEGAL_REWARD, True, False, info
        self._games.play(_ONLY)
        over = bool(self._games.seats[0] < 0)
        self._running = not over
        seen = self._games.learner_views(_ONLY)[0] if over else self._games.observations[0].copy()
        self._show()
        return seen, float(self._games.collect(_ONLY)[0]), over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions; bool of shape (actions,). For sb3-contrib's MaskablePPO."""
        masks: NDArray[np.bool_] = self._games.masks[0].astype(np.bool_)
        return masks

    def render(self) -> Any:
        """Show the learner's view as `render_mode` says; None (printed) for `"human"`."""
        if self.render_mode is None:
            warn("render() does nothing without a render_mode; give one when making the env")
            return None
        return frame(self.game, self._games.states, self.render_mode, self.seat)

    def _repr_html_(self) -> str:
        """Show the learner's view in a notebook."""
        return self.game.picture(self._games.states, self.seat)

    def _number(self, action: Any) -> NDArray[np.int64]:
        try:
            return np.array([operator.index(action)])
        except TypeError:
            raise IllegalMoveError(
                f"{self.game.name}: an action is a whole number, not {action!r}"
            ) from None

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._games.masks[0].copy()}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()
