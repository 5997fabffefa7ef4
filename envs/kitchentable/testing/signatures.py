"""Every kernel and loop is compiled once, for one kind of arguments."""

from typing import Any

from kitchentable.engine.game import Game
from kitchentable.engine.jit import COMPILED


def check_signatures(game: Game) -> None:
    """Nothing was compiled twice: a second variant means that some caller hands over others.

    Worth most after everything else has been called in the same process.
    """
    if not COMPILED:
        return
    parts: dict[str, Any] = {**game.spec.loops._asdict(), **game.spec.kernels._asdict()}
    for name, part in parts.items():
        count = len(part.signatures)
        assert count <= 1, f"{name} is compiled for {count} kinds of arguments: {part.signatures}"
