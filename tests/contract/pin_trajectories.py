"""Pin what random games look like: `python tests/contract/pin_trajectories.py`.

To be run when a game's rules, actions or observation have changed and its version with them.
"""

import json
from pathlib import Path

from kitchentable.engine.game import Game
from kitchentable.games import GAMES, TESTBEDS, spec
from kitchentable.testing import trajectory_hash

PINS = Path(__file__).with_name("trajectories.json")
MOVES = 800


def games() -> dict[str, Game]:
    """Return every game with every number of seats, by the name of its pin."""
    return {
        f"{name}_v{spec(name).version} {seats}": Game(spec(name), num_players=seats)
        for name in GAMES + TESTBEDS
        for seats in spec(name).seat_counts
    }


if __name__ == "__main__":
    pins = {name: trajectory_hash(game, moves=MOVES) for name, game in games().items()}
    PINS.write_text(json.dumps(pins, indent=2) + "\n")
