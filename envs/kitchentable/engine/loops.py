"""Loops over many games, written once and made for a game from its kernels.

All arrays are C-contiguous; the first axis is the game. `masks` is int8 of shape
(games, actions), `observations` float32 of shape (games, layout size), `actions` and
`seats` int32 of shape (games,), `rewards` float32 of shape (games, seats), `finished`
and `truncated` bool of shape (games,).
"""

from typing import Any, NamedTuple

import numpy as np

from kitchentable.engine import rng
from kitchentable.engine.jit import kernel
from kitchentable.engine.record import UInt64, dtype_of, new_states


class Kernels(NamedTuple):
    """What a game brings; the same names and signatures in every game."""

    new_game: Any
    """`new_game(state)` starts a game from the options and generator in the record."""
    legal: Any
    """`legal(state, mask)` sets the mask (zeroed before) of the seat to act."""
    apply: Any
    """`apply(state, action)` plays one legal action; adds to `state.reward`."""
    observe: Any
    """`observe(state, viewer, out)` writes a seat's observation (`out` zeroed before)."""
    privileged: Any
    """`privileged(state, out)` writes everything, hidden things included (zeroed before)."""
    resample_hidden: Any
    """`resample_hidden(state, viewer)` deals what the viewer cannot know anew."""
    scripted: Any
    """`scripted(state)` returns the scripted opponent's action for the seat to act."""


class Loops(NamedTuple):
    """The compiled loops of one game."""

    start: Any
    """(states): starts every game."""
    step: Any
    """Plays one action in each game, restarts what is over, and looks; see `Batch.step`."""
    legal: Any
    """(states, masks)"""
    apply: Any
    """(states, actions, skip_forced, masks): plays without restarting; masks is scratch."""
    play: Any
    """(states, indices, actions, skip_forced, seats, masks, observations, rewards): plays
    actions[i] for each i of indices (int64) without restarting, adds up what that pays, and
    looks."""
    look: Any
    """(states, seats, masks, observations): who acts, what is legal, what that seat sees."""
    observe: Any
    """(states, seats, observations)"""
    privileged: Any
    """(states, out)"""
    resample: Any
    """(states, seats, seeds): `seeds` (uint64) become the generators' states."""
    scripted: Any
    """(states, indices, actions): sets actions[i] for each i of indices (int64)."""
    gain: Any
    """(states, indices, actions, seeds, scratch, gains): sets gains[j] to what actions[j] brings
    its seat in the game indices[j] beyond the script's move, if the script plays on in all seats:
    the mean of seeds.shape[1] pairs of playouts, the first with the hidden cards as they are,
    the others with cards dealt anew by the seeds (uint64). `scratch` holds two records."""


def make_loops(kernels: Kernels) -> Loops:
    """Return the loops of the game that has these kernels.

    Kernels are handed whole numbers as int64, whatever array they come from: another width
    would compile them once more.
    """
    new_game, legal, apply = kernels.new_game, kernels.legal, kernels.apply
    observe, privileged = kernels.observe, kernels.privileged
    resample_hidden, scripted = kernels.resample_hidden, kernels.scripted

    @kernel
    def start_loop(states: Any) -> None:
        for i in range(states.shape[0]):
            new_game(states[i])

    @kernel
    def legal_loop(states: Any, masks: Any) -> None:
        masks[:] = 0
        for i in range(states.shape[0]):
            if states[i].to_act >= 0:
                legal(states[i], masks[i])

    @kernel
    def play_one(state: Any, action: int, skip_forced: bool, mask: Any) -> None:
        """Play, and with `skip_forced` go on while one move alone is legal."""
        state.reward[:] = 0
        apply(state, np.int64(action))
        while skip_forced and state.to_act >= 0:
            mask[:] = 0
            legal(state, mask)
            forced = only_entry(mask)
            if forced < 0:
                break
            apply(state, forced)

    @kernel
    def apply_loop(states: Any, actions: Any, skip_forced: bool, masks: Any) -> None:
        for i in range(states.shape[0]):
            play_one(states[i], actions[i], skip_forced, masks[i])

    @kernel
    def look_at(state: Any, mask: Any, observation: Any) -> int:
        """Fill mask and observation of the seat to act, and return it."""
        mask[:] = 0
        observation[:] = 0
        if state.to_act >= 0:
            legal(state, mask)
            observe(state, np.int64(state.to_act), observation)
        return int(state.to_act)

    @kernel
    def play_loop(
        states: Any,
        indices: Any,
        actions: Any,
        skip_forced: bool,
        seats: Any,
        masks: Any,
        observations: Any,
        rewards: Any,
    ) -> None:
        for i in indices:
            play_one(states[i], actions[i], skip_forced, masks[i])
            for seat in range(rewards.shape[1]):
                rewards[i, seat] += states[i].reward[seat]
            seats[i] = look_at(states[i], masks[i], observations[i])

    @kernel
    def look_loop(states: Any, seats: Any, masks: Any, observations: Any) -> None:
        for i in range(states.shape[0]):
            seats[i] = look_at(states[i], masks[i], observations[i])

    @kernel
    def step_loop(
        states: Any,
        actions: Any,
        skip_forced: bool,
        max_moves: int,
        moves: Any,
        seats: Any,
        masks: Any,
        observations: Any,
        rewards: Any,
        finished: Any,
        truncated: Any,
        final_observations: Any,
    ) -> None:
        n_seats = rewards.shape[1]
        for i in range(states.shape[0]):
            state = states[i]
            play_one(state, actions[i], skip_forced, masks[i])
            for seat in range(n_seats):
                rewards[i, seat] = state.reward[seat]
            moves[i] += 1
            finished[i] = state.to_act < 0
            truncated[i] = max_moves > 0 and moves[i] >= max_moves and state.to_act >= 0
            if truncated[i]:
                final_observations[i] = 0
                for seat in range(n_seats):
                    observe(state, seat, final_observations[i, seat])
            if finished[i] or truncated[i]:
                new_game(state)
                moves[i] = 0
            seats[i] = look_at(state, masks[i], observations[i])

    @kernel
    def observe_loop(states: Any, seats: Any, observations: Any) -> None:
        observations[:] = 0
        for i in range(states.shape[0]):
            observe(states[i], np.int64(seats[i]), observations[i])

    @kernel
    def privileged_loop(states: Any, out: Any) -> None:
        out[:] = 0
        for i in range(states.shape[0]):
            privileged(states[i], out[i])

    @kernel
    def resample_loop(states: Any, seats: Any, seeds: Any) -> None:
        for i in range(states.shape[0]):
            states[i].rng = seeds[i]
            resample_hidden(states[i], np.int64(seats[i]))

    @kernel
    def scripted_loop(states: Any, indices: Any, actions: Any) -> None:
        for i in indices:
            actions[i] = scripted(states[i])

    @kernel
    def play_out(state: Any, seat: Any) -> float:
        """Let the script play a game to its end; return what that pays to a seat."""
        paid = 0.0
        while state.to_act >= 0:
            state.reward[:] = 0
            apply(state, np.int64(scripted(state)))
            paid += state.reward[seat]
        return paid

    @kernel
    def gain_loop(
        states: Any, indices: Any, actions: Any, seeds: Any, scratch: Any, gains: Any
    ) -> None:
        for j in range(indices.shape[0]):
            seat = np.int64(states[indices[j]].to_act)
            gains[j] = 0
            for sample in range(seeds.shape[1]):
                scratch[0] = states[indices[j]]
                if sample > 0:
                    scratch[0].rng = seeds[j, sample]
                    resample_hidden(scratch[0], seat)
                scratch[1] = scratch[0]
                scratch[1].reward[:] = 0
                apply(scratch[1], np.int64(actions[j]))
                gains[j] += scratch[1].reward[seat]
                gains[j] += play_out(scratch[1], seat) - play_out(scratch[0], seat)
            gains[j] /= seeds.shape[1]

    return Loops(
        start=start_loop,
        step=step_loop,
        legal=legal_loop,
        apply=apply_loop,
        play=play_loop,
        look=look_loop,
        observe=observe_loop,
        privileged=privileged_loop,
        resample=resample_loop,
        scripted=scripted_loop,
        gain=gain_loop,
    )


@kernel
def only_entry(mask: Any) -> int:
    """Return the index of the mask's only entry, or -1 if it has several (or none)."""
    found = -1
    for action in range(mask.shape[0]):
        if mask[action]:
            if found >= 0:
                return -1
            found = action
    return found


@kernel
def nth_entry(mask: Any, n: int) -> int:
    """Return the index of the mask's entry number `n`, counted from 0."""
    for action in range(mask.shape[0]):
        if mask[action]:
            if n == 0:
                return action
            n -= 1
    return -1


@kernel
def random_actions(masks: Any, generators: Any, actions: Any) -> None:
    """Set each action to a uniformly drawn legal one; -1 where the mask is empty.

    `generators` is a record array with a field `rng`, one for each game.
    """
    for i in range(masks.shape[0]):
        n_legal = 0
        for action in range(masks.shape[1]):
            n_legal += masks[i, action]
        actions[i] = -1
        if n_legal > 0:
            actions[i] = nth_entry(masks[i], rng.below(generators[i], n_legal))


@kernel
def first_illegal(masks: Any, actions: Any) -> int:
    """Return the first game whose action its mask forbids, or -1."""
    for i in range(masks.shape[0]):
        if actions[i] < 0 or actions[i] >= masks.shape[1] or not masks[i, actions[i]]:
            return i
    return -1


class Generator:
    """A generator outside of any game's state."""

    apart: UInt64
    """Unused: Numba would take any state for a wider record of the same kind, and warn."""
    rng: UInt64


def generators(seed: int, n: int) -> Any:
    """Return `n` generators for `random_actions`; a record array of shape (n,)."""
    made = new_states(dtype_of(Generator), n)
    made["rng"] = rng.seeds(seed, n)
    return made
