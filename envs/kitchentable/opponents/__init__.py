"""Opponents: random, scripted, trained. `opponent(...)` makes one from a word or a path."""

from pathlib import Path

from kitchentable.opponents.base import Opponent, OpponentError
from kitchentable.opponents.simple import RandomOpponent, ScriptedOpponent

__all__ = ["Opponent", "OpponentError", "opponent"]


def opponent(name: str | Path | Opponent, seed: int = 0, *, greedy: bool | None = None) -> Opponent:
    """Return an opponent.

    Args:
        name: `"random"`, `"scripted"`, or the folder of a trained policy; an opponent is
            returned as it is.
        seed: for opponents that draw lots.
        greedy: whether a trained policy plays its likeliest action rather than drawing one by
            its probabilities; None: as it was saved to play.

    Raises:
        OpponentError: there is no such opponent, or its folder is not a sound checkpoint.
    """
    if isinstance(name, Opponent):
        return name
    if not isinstance(name, str | Path):
        raise OpponentError(
            f'an opponent is "random", "scripted", a folder or an Opponent, not {name!r}'
        )
    if name == "random":
        return RandomOpponent(seed)
    if name == "scripted":
        return ScriptedOpponent()
    from kitchentable.opponents.trained import load

    return load(Path(name), seed, greedy=greedy)
