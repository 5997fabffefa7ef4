"""Every game through PettingZoo's AEC interface."""

import copy
import operator
import secrets
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.logger import warn
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from kitchentable.api.batch import ILLEGAL, ILLEGAL_REWARD, SKIP_FORCED
from kitchentable.engine.game import CHECKSUM_SIZE, Game, IllegalMoveError
from kitchentable.engine.loops import generators, random_actions
from kitchentable.engine.options import IntOption
from kitchentable.engine.rng import seeds
from kitchentable.engine.state import MAX_SEATS
from kitchentable.games import spec
from kitchentable.render.frames import RENDER_MODES, check_render_mode, frame

Observation = dict[str, np.ndarray[Any, Any]]


class RawEnv(AECEnv):  # type: ignore[misc] # PettingZoo ships no types
    """One game for PettingZoo; `env` adds the wrapper that minds the order of calls.

    Agents are called `player_<seat>`. An observation is a dict of `"observation"` (float32)
    and `"action_mask"` (int8; all zero for a seat that is not to act); the mask is in
    `infos[agent]["action_mask"]` too. Rewards arrive for all seats when they arise, and all
    seats end together.

    Args:
        game: a game's name.
        illegal: what an illegal action does: `"raise"` an `IllegalMoveError`; `"lose"` ends
            the game with -1 for the seat and 0 for the others; `"random"` plays a random
            legal action instead.
        skip_forced: play moves without an alternative at once. The first move of a game is
            never skipped.
        reward: `"points"` or `"win"`.
        render_mode: `"human"` (prints text), `"ansi"`, `"rgb_array"` or `"svg"`.
        render_seat: whose view of the table is shown; None shows all of it.
        options: the game's options.

    Raises:
        OptionError: an option is unknown or not allowed.
    """

    def __init__(
        self,
        game: str,
        *,
        illegal: str = "raise",
        skip_forced: bool = False,
        reward: str = "points",
        render_mode: str | None = None,
        render_seat: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.game = Game(spec(game), reward=reward, **options)
        self._illegal = ILLEGAL.check(illegal, {})
        self._skip_forced = SKIP_FORCED.check(skip_forced, {})
        self.render_mode = check_render_mode(render_mode)
        last = self.game.num_players - 1
        seat = IntOption("render_seat", None, "", low=0, high=last, nullable=True)
        self.render_seat = seat.check(render_seat, {})
        self._arguments = {
            "game": game,
            "illegal": illegal,
            "skip_forced": skip_forced,
            "reward": reward,
            "render_mode": render_mode,
            "render_seat": render_seat,
            **self.game.options,
        }
        self.metadata = {
            "name": f"{self.game.name}_v{self.game.spec.version}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.num_players)]
        self.agents: list[str] = []
        self._make_spaces()
        self._make_buffers()

    def _make_spaces(self) -> None:
        size = self.game.actions.size
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": copy.deepcopy(self.game.observation_space),
                    "action_mask": spaces.Box(0, 1, (size,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        privileged = self.game.spec.privileged.size
        self.state_space = spaces.Box(-np.inf, np.inf, (privileged,), np.float32)

    def _make_buffers(self) -> None:
        """Make all arrays that a step writes, and the views that Python reads."""
        game, seats = self.game, self.game.num_players
        self._loops = game.spec.loops
        self._states: Any = None
        self._first = np.zeros(1, np.int64)
        self._actions = np.zeros(1, np.int32)
        self._seats = np.full(1, -1, np.int32)
        self._masks = np.zeros((1, game.actions.size), np.int8)
        self._observations = np.zeros((1, game.layout.size), np.float32)
        self._rewards = np.zeros((1, seats), np.float32)
        self._mask = self._masks[0]
        self._observation = self._observations[0]
        self._paid = self._rewards[0]
        self._viewers = [np.array([seat], np.int32) for seat in range(seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._size = game.actions.size
        self._substitutes = generators(0, 1)
        self._to_act = -1

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the agent's observation space, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the agent's action space, the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game; without a seed, one that follows from the games played before.

        Args:
            seed: same seed and same actions, same game. The very first game without one is
                drawn by lot.
            options: PettingZoo hands these over; the options of a game stand since it was
                made, so they are not read.
        """
        if seed is None and self._states is None:
            seed = secrets.randbits(63)
        if seed is not None:
            self._states = self.game.new(seed)
            self._substitutes["rng"] = seeds(seed, 2)[1:]
        else:
            self._states["reward"] = 0
            self._loops.start(self._states)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._loops.look(self._states, self._seats, self._masks, self._observations)
        self._to_act = int(self._seats[0])
        self.agent_selection = self.possible_agents[self._to_act]
        self._inform()
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Play an action for `agent_selection`; None for an agent whose game is over.

        Raises:
            IllegalMoveError: the action is illegal and `illegal` is `"raise"`.
            ResetNeeded: no game has been started.
        """
        if self._states is None:
            raise ResetNeeded(f"{self}: call reset() before step()")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        number = self._number(action)
        if not (0 <= number < self._size and self._mask[number]):
            if self._illegal == "lose":
                self._lose(agent)
                return
            number = self._substitute(number)
        self._actions[0] = number
        self._paid[:] = 0
        self._loops.play(
            self._states,
            self._first,
            self._actions,
            self._skip_forced,
            self._seats,
            self._masks,
            self._observations,
            self._rewards,
        )
        self._cumulative_rewards[agent] = 0.0
        self._pay(self._paid.tolist())
        self._pass_on(agent)
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now, whoever is to act; new arrays each time."""
        seat = self._seat_of[agent]
        if seat == self._to_act:
            return {"observation": self._observation.copy(), "action_mask": self._mask.copy()}
        out = np.zeros((1, self._observation.size), np.float32)
        self._loops.observe(self._states, self._viewers[seat], out)
        return {"observation": out[0], "action_mask": np.zeros(self._size, np.int8)}

    def state(self) -> np.ndarray[Any, Any]:
        """Return everything, hidden things included, for a critic in training."""
        return self.game.privileged(self._states)

    def render(self) -> Any:
        """Show the table as `render_mode` says; None (printed) for `"human"`."""
        if self.render_mode is None:
            warn("render() does nothing without a render_mode; give one when making the env")
            return None
        return frame(self.game, self._states, self.render_mode, self.render_seat)

    def close(self) -> None:
        """There is nothing to release."""

    def clone(self) -> "RawEnv":
        """Return an independent copy that goes on from the same position."""
        return copy.deepcopy(self)

    @property
    def position(self) -> Any:
        """A copy of the game's state, for the methods of `game`."""
        return self.game.copy(self._states)

    def to_bytes(self) -> bytes:
        """Return everything about the running game, the generators included."""
        saved = np.zeros(1, self._saved_dtype())
        saved["state"] = self._states
        saved["substitutes"] = self._substitutes["rng"]
        for agent in self.agents:
            seat = self._seat_of[agent]
            saved["present"][0, seat] = True
            saved["ended"][0, seat] = self.terminations[agent]
            saved["rewards"][0, seat] = self.rewards[agent]
            saved["cumulative"][0, seat] = self._cumulative_rewards[agent]
        saved["selection"] = self._seat_of[self.agent_selection]
        data = self._header() + saved.tobytes()
        return data + self.game.checksum(data)

    def from_bytes(self, data: bytes) -> None:
        """Go on from the position that `to_bytes` saved.

        Raises:
            ValueError: the bytes are not a saved position of this game with these options.
        """
        header, dtype = self._header(), self._saved_dtype()
        size = len(header) + dtype.itemsize
        sound = len(data) == size + CHECKSUM_SIZE and self.game.checksum(data[:size]) == data[size:]
        if not data.startswith(header) or not sound:
            raise ValueError(f"these bytes are no position of {self} saved by to_bytes")
        saved = np.frombuffer(data, dtype, count=1, offset=len(header))
        self._require_same_options(saved["state"])
        self._states = self.game.copy(saved["state"])
        self._substitutes["rng"] = saved["substitutes"]
        present = np.flatnonzero(saved["present"][0])
        self.agents = [self.possible_agents[seat] for seat in present]
        self.rewards = dict(zip(self.agents, saved["rewards"][0, present].tolist(), strict=True))
        totals = saved["cumulative"][0, present].tolist()
        self._cumulative_rewards = dict(zip(self.agents, totals, strict=True))
        ended = saved["ended"][0, present].tolist()
        self.terminations = dict(zip(self.agents, ended, strict=True))
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.possible_agents[int(saved["selection"][0])]
        self._skip_agent_selection = None
        self._loops.look(self._states, self._seats, self._masks, self._observations)
        self._to_act = int(self._seats[0])
        if not self.agents or all(ended):
            self._close_table()
        self._inform()

    def __getstate__(self) -> dict[str, Any]:
        saved = None if self._states is None else self.to_bytes()
        return {"arguments": self._arguments, "saved": saved}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state["arguments"])  # type: ignore[misc]
        if state["saved"] is not None:
            self.from_bytes(state["saved"])

    def _repr_html_(self) -> str:
        """Show the table in a notebook."""
        if self._states is None:
            return f"<code>{self}</code>, not reset yet"
        return self.game.picture(self._states, self.render_seat)

    def _saved_dtype(self) -> np.dtype[np.void]:
        return np.dtype(
            [
                ("state", self.game.spec.state),
                ("substitutes", np.uint64),
                ("rewards", np.float64, (MAX_SEATS,)),
                ("cumulative", np.float64, (MAX_SEATS,)),
                ("present", np.bool_, (MAX_SEATS,)),
                ("ended", np.bool_, (MAX_SEATS,)),
                ("selection", np.int8),
            ]
        )

    def _header(self) -> bytes:
        return f"kitchentable {self.metadata['name']}\n".encode()

    def _require_same_options(self, state: Any) -> None:
        record = state.view(np.recarray)[0]
        for option in self.game.spec.options:
            saved, own = option.load(record), self.game.options[option.name]
            if saved != own:
                raise ValueError(f"option {option.name} is {own!r} here but {saved!r} there")
        if record.reward_form != self.game.reward:
            raise ValueError("option reward is not the one there")

    def _number(self, action: Any) -> int:
        try:
            return operator.index(action)
        except TypeError:
            raise IllegalMoveError(
                f"{self.game.name}: {self.agent_selection} must play a whole number, not {action!r}"
            ) from None

    def _substitute(self, number: int) -> int:
        """Return a random legal action in place of an illegal one, if that is asked for."""
        if self._illegal == "raise":
            self._refuse(number)
        random_actions(self._masks, self._substitutes, self._actions)
        return int(self._actions[0])

    def _refuse(self, number: int) -> NoReturn:
        raise IllegalMoveError(self.game.illegal_reason(self._states, number))

    def _lose(self, offender: str) -> None:
        """End the game with a loss for who played an illegal action."""
        paid = [0.0] * len(self.possible_agents)
        paid[self._seat_of[offender]] = ILLEGAL_REWARD
        self._cumulative_rewards[offender] = 0.0
        self._pay(paid)
        self._end()

    def _pay(self, paid: list[float]) -> None:
        self.rewards = dict(zip(self.agents, paid, strict=True))
        if any(paid):
            self._accumulate_rewards()

    def _pass_on(self, before: str) -> None:
        """Give the move to the seat that must act now, or end the game."""
        self._to_act = int(self._seats[0])
        if self._to_act < 0:
            self._end()
            return
        self.agent_selection = after = self.possible_agents[self._to_act]
        if after != before:
            self.infos[before] = {"action_mask": np.zeros(self._size, np.int8)}
        self.infos[after] = {"action_mask": self._mask.copy()}

    def _end(self) -> None:
        self.terminations = dict.fromkeys(self.agents, True)
        self._close_table()
        self._inform()
        self._deads_step_first()

    def _close_table(self) -> None:
        """Nobody acts any more, also when an illegal action has ended the game."""
        self._to_act = -1
        self._mask[:] = 0

    def _inform(self) -> None:
        self.infos = {
            agent: {
                "action_mask": self._mask.copy()
                if self._seat_of[agent] == self._to_act
                else np.zeros(self._size, np.int8)
            }
            for agent in self.agents
        }


class OrderedEnv(OrderEnforcingWrapper):  # type: ignore[misc] # PettingZoo ships no types
    """PettingZoo's wrapper that minds the order of calls, for notebooks and copies too."""

    def clone(self) -> "OrderedEnv":
        """Return an independent copy that goes on from the same position."""
        return copy.deepcopy(self)

    def __str__(self) -> str:
        return str(self.env)

    def _repr_html_(self) -> str:
        """Show the table in a notebook."""
        html: str = self.unwrapped._repr_html_()
        return html


def env(game: str, **options: Any) -> OrderedEnv:
    """Return a game for PettingZoo; options are those of `RawEnv`.

    PettingZoo's wrappers for actions out of bounds and illegal actions are not applied:
    `illegal` says what becomes of either.

    Raises:
        OptionError: an option is unknown or not allowed.
    """
    return OrderedEnv(RawEnv(game, **options))


def of_game(game: str, module: str) -> tuple[Callable[..., OrderedEnv], Callable[..., RawEnv]]:
    """Return `env` and `raw_env` of a game's module, with their help; they can be pickled."""

    def make(**options: Any) -> OrderedEnv:
        return env(game, **options)

    def make_raw(**options: Any) -> RawEnv:
        return RawEnv(game, **options)

    for name, function in (("env", make), ("raw_env", make_raw)):
        function.__name__ = function.__qualname__ = name
        function.__module__ = module
        function.__doc__ = RawEnv.__doc__
    return make, make_raw
