"""`Game`: one game with its options, to be played move by move from Python.

A state is a batch of one: a record array of shape (1,). Whatever wants speed plays many
games at once through `kitchentable.Batch`.
"""

import operator
from collections.abc import Mapping
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kitchentable.engine import options as opt
from kitchentable.engine import rng, tables
from kitchentable.engine.actions import Actions
from kitchentable.engine.layout import Layout
from kitchentable.engine.reading import Reader, TableError
from kitchentable.engine.record import new_states
from kitchentable.engine.spec import GameSpec
from kitchentable.engine.state import Reward

Move = Mapping[str, Any]
"""A move as JSON: its name under `"move"`, and its arguments."""

CHECKSUM_SIZE = 8
"""Bytes at the end of a saved position."""


class IllegalMoveError(ValueError):
    """A move that the rules do not allow in this position."""


class Game:
    """A game with fixed options: positions, moves, tables and views.

    Raises:
        OptionError: an option is unknown or its value is not allowed.
    """

    def __init__(self, spec: GameSpec, /, *, reward: str = "points", **options: Any) -> None:
        self.spec = spec
        self.options = opt.resolve(spec.options, options)
        spec.codec.check_options(self.options)
        rewards = opt.ChoiceOption("reward", "points", "", choices=("points", "win"))
        self.reward = Reward[rewards.check(reward, {}).upper()]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what it was made from: kernels cannot be pickled."""
        return _remade, (self.spec, self.reward.name.lower(), self.options)

    @property
    def name(self) -> str:
        """The game's name, such as `"norwegian_rummy"`."""
        return self.spec.name

    @property
    def num_players(self) -> int:
        """How many seats play."""
        return int(self.options["num_players"])

    @property
    def actions(self) -> Actions:
        """The action blocks; `actions.size` numbers in all."""
        return self.spec.actions

    @property
    def layout(self) -> Layout:
        """The parts of an observation."""
        return self.spec.observation

    @cached_property
    def action_space(self) -> Any:
        """`gymnasium.spaces.Discrete` of all action numbers."""
        from gymnasium.spaces import Discrete

        return Discrete(self.actions.size)

    @cached_property
    def observation_space(self) -> Any:
        """`gymnasium.spaces.Box` of one seat's observation, float32."""
        from gymnasium.spaces import Box

        return Box(-np.inf, np.inf, (self.layout.size,), np.float32)

    def new(self, seed: int = 0) -> Any:
        """Return a game at its first move; a state of shape (1,)."""
        return self.new_batch(1, seed)

    def new_batch(self, n: int, seed: int = 0) -> Any:
        """Return `n` different games at their first moves; states of shape (n,).

        Raises:
            ValueError: `n` is not 1 or more.
        """
        if _whole(n, "n") < 1:
            raise ValueError(f"n must be 1 at least, not {n}")
        states = self._blank(n)
        states["rng"] = rng.seeds(seed, n)
        self.spec.loops.start(states)
        return states

    def copy(self, state: Any) -> Any:
        """Return an independent copy, the generator included."""
        # NumPy would copy it field by field, which takes ten times as long.
        return self._states_in(state.tobytes())

    def to_bytes(self, state: Any) -> bytes:
        """Return everything about the position as bytes, with a checksum at the end."""
        data = bytes(state.tobytes())
        return data + self.checksum(data)

    def from_bytes(self, data: bytes) -> Any:
        """Return the position that `to_bytes` saved.

        Raises:
            ValueError: the bytes are not what `to_bytes` gave for a state of this game, in a
                version with the same fields.
        """
        states, checksum = data[:-CHECKSUM_SIZE], data[-CHECKSUM_SIZE:]
        if not states or checksum != self.checksum(states):
            raise ValueError(f"these {len(data)} bytes are no position of {self.name}")
        return self._states_in(states)

    def checksum(self, data: bytes) -> bytes:
        """Return a hash, `CHECKSUM_SIZE` long, of saved bytes and of what a state's fields are."""
        return blake2b(data, digest_size=CHECKSUM_SIZE, key=self._fields).digest()

    @cached_property
    def _fields(self) -> bytes:
        fields = f"{self.name} {self.spec.version} {self.spec.state}"
        return blake2b(fields.encode(), digest_size=32).digest()

    def is_finished(self, state: Any) -> bool:
        """Tell whether the game is over."""
        return bool(state[0].to_act < 0)

    def to_act(self, state: Any) -> int | None:
        """Return the seat that must move now, or none when the game is over."""
        seat = int(state[0].to_act)
        return None if seat < 0 else seat

    def mask(self, state: Any) -> NDArray[np.int8]:
        """Return the legal actions of the seat to act; int8 of shape (actions.size,)."""
        self._require_own(state)
        masks = np.zeros((1, self.actions.size), np.int8)
        self.spec.loops.legal(state, masks)
        first: NDArray[np.int8] = masks[0]
        return first

    def observe(self, state: Any, seat: int) -> NDArray[np.float32]:
        """Return what a seat sees, at any time; float32 of shape (layout.size,)."""
        self._require_own(state)
        observations = np.zeros((1, self.layout.size), np.float32)
        self.spec.loops.observe(state, np.array([self._seat(seat)], np.int32), observations)
        first: NDArray[np.float32] = observations[0]
        return first

    def privileged(self, state: Any) -> NDArray[np.float32]:
        """Return everything, for a critic in training; float32 of shape (privileged size,)."""
        self._require_own(state)
        out = np.zeros((1, self.spec.privileged.size), np.float32)
        self.spec.loops.privileged(state, out)
        first: NDArray[np.float32] = out[0]
        return first

    def legal_actions(self, state: Any) -> list[int]:
        """Return the numbers of all legal actions."""
        return [int(action) for action in np.flatnonzero(self.mask(state))]

    def legal_moves(self, state: Any) -> list[dict[str, Any]]:
        """Return all legal moves as JSON."""
        return [self.move(state, action) for action in self.legal_actions(state)]

    def play(self, state: Any, move: Move | int) -> NDArray[np.float32]:
        """Play a move or an action number; return the rewards by seat, float32.

        Raises:
            IllegalMoveError: naming the seat and the move, and what is legal.
            TableError: there is no such move in this game.
        """
        self._require_own(state)
        action = self.action(state, move) if isinstance(move, Mapping) else _whole(move)
        self._require_legal(state, action, move)
        scratch = np.zeros((1, self.actions.size), np.int8)
        self.spec.loops.apply(state, np.array([action], np.int32), False, scratch)
        return np.array(state[0].reward[: self.num_players], np.float32)

    def scripted(self, state: Any) -> int:
        """Return the scripted opponent's action for the seat to act."""
        self._require_own(state)
        actions = np.zeros(1, np.int32)
        self.spec.loops.scripted(state, np.zeros(1, np.int64), actions)
        return int(actions[0])

    def resample(self, state: Any, seat: int, seed: int) -> Any:
        """Return a copy in which all that the seat cannot know is dealt anew."""
        self._require_own(state)
        copied = self.copy(state)
        self.spec.loops.resample(copied, np.array([self._seat(seat)], np.int32), rng.seeds(seed, 1))
        return copied

    def move(self, state: Any, action: int) -> dict[str, Any]:
        """Return the move that an action number stands for in this position."""
        self._require_own(state)
        return self.spec.codec.move(state[0], _whole(action))

    def action(self, state: Any, move: Move) -> int:
        """Return the number of a move.

        Raises:
            TableError: there is no such move in this game.
        """
        self._require_own(state)
        reader = Reader(move, "move")
        action = self.spec.codec.action(state[0], reader)
        reader.finish()
        return action

    def describe(self, state: Any, move: Move | int) -> str:
        """Return a sentence for people about a move in this position.

        Raises:
            TableError: there is no such move in this game.
        """
        self._require_own(state)
        if isinstance(move, Mapping):
            self.action(state, move)
        known = move if isinstance(move, Mapping) else self.move(state, move)
        return self.spec.codec.describe(state[0], known)

    def table(self, state: Any) -> dict[str, Any]:
        """Return the whole state as JSON, hidden parts and generator included."""
        self._require_own(state)
        record = state[0]
        keys = {**tables.common_keys(self.spec, record), **self.spec.codec.keys(record)}
        return {**keys, "rng": f"{int(record.rng):016x}"}

    def view(self, state: Any, seat: int) -> dict[str, Any]:
        """Return the table as a seat sees it."""
        self._require_own(state)
        record = state[0]
        own = self.spec.codec.view_keys(record, self._seat(seat))
        return {**tables.common_keys(self.spec, record), **own}

    def from_table(self, table: object, seed: int = 0) -> Any:
        """Return the state of a table; `seed` serves where it has no generator.

        Raises:
            TableError: naming the key that is wrong.
        """
        reader = Reader(table)
        state = self._read(reader)
        self.spec.codec.read(reader, state[0])
        known = tables.read_rng(reader)
        reader.finish()
        state["rng"] = rng.seeds(seed, 1) if known is None else np.uint64(known)
        return state

    def from_view(self, view: object, seed: int = 0) -> Any:
        """Return a state that has this view, the hidden cards dealt at random.

        Raises:
            TableError: naming the key that is wrong.
        """
        reader = Reader(view)
        state = self._read(reader)
        seat = self.spec.codec.read_view(reader, state[0])
        reader.finish()
        return self.resample(state, seat, seed)

    def text(self, state: Any, seat: int | None = None) -> str:
        """Return the table as text: as a seat sees it, or with `seat` None all of it."""
        return self.spec.codec.text(self._shown(state, seat))

    def picture(self, state: Any, seat: int | None = None) -> str:
        """Return the table as SVG: as a seat sees it, or with `seat` None all of it."""
        return str(self.spec.picture(self._shown(state, seat)))

    def illegal_reason(self, state: Any, action: int) -> str:
        """Say who may not do what, and what is legal instead."""
        legal = self.legal_actions(state)
        names = sorted({self.actions.decode(a)[0] for a in legal})
        phase = self.spec.phases(state[0].phase).name.lower()
        seat = self.to_act(state)
        if seat is None:
            return f"{self.name}: action {action} is not legal: the game is over"
        shown: Any = action
        if 0 <= action < self.actions.size:
            shown = self.move(state, action)
        return (
            f"{self.name}: seat {seat} may not play {shown} (action {action}) in phase {phase}; "
            f"legal there: {', '.join(names)} ({len(legal)} actions)"
        )

    def _states_in(self, data: bytes) -> Any:
        """Return the states that have these bytes."""
        return np.frombuffer(bytearray(data), self.spec.state).view(np.recarray)

    def _require_own(self, state: Any) -> None:
        """Refuse what is no single state of this game.

        Raises:
            ValueError: saying what it is.
        """
        if not isinstance(state, np.ndarray) or state.dtype != self.spec.state:
            raise ValueError(f"{self.name}: this is no state of the game, but {type(state)}")
        if state.shape != (1,):
            raise ValueError(f"{self.name}: one state is needed, not an array of {state.shape}")
        seats = int(state["num_players"][0])
        if seats != self.num_players:
            raise ValueError(f"{self.name}: a state for {seats} seats, not {self.num_players}")

    def _require_legal(self, state: Any, action: int, move: Move | int) -> None:
        legal = 0 <= action < self.actions.size and self.mask(state)[action]
        if not legal:
            raise IllegalMoveError(self.illegal_reason(state, action))

    def _read(self, reader: Reader) -> Any:
        """Return a state with options and common keys as the table has them."""
        options = tables.read_options(self.spec, reader)
        if options != self.options:
            differing = next(name for name in options if options[name] != self.options[name])
            raise TableError(
                f"key 'options.{differing}' is {options[differing]!r}, "
                f"but this game was made with {self.options[differing]!r}"
            )
        state = self._blank(1)
        tables.read_common(self.spec, reader, state[0])
        return state

    def _blank(self, n: int) -> Any:
        """Return states that hold the options and nothing else."""
        states = new_states(self.spec.state, n)
        first = states[0]
        for option in self.spec.options:
            option.store(first, self.options[option.name])
        first.reward_form = self.reward
        first.num_sides = self.num_players
        self.spec.codec.store_options(first, self.options)
        states[1:] = first
        return states

    def _seat(self, seat: int) -> int:
        number = _whole(seat, "seat")
        if not 0 <= number < self.num_players:
            raise ValueError(f"seat {number} is not in 0 .. {self.num_players - 1}")
        return number

    def _shown(self, state: Any, seat: int | None) -> dict[str, Any]:
        return self.table(state) if seat is None else self.view(state, seat)


def _whole(value: Any, what: str = "action") -> int:
    """Return a whole number of any integer type.

    Raises:
        ValueError: it is none; neither are truth values.
    """
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        return operator.index(value)
    except TypeError:
        raise ValueError(f"{what} must be a whole number, not {value!r}") from None


def _remade(declared: GameSpec, reward: str, options: dict[str, Any]) -> Game:
    """Return the game that was pickled."""
    return Game(declared, reward=reward, **options)
