"""Hand & Foot Canasta through PettingZoo: `env(...)` and `raw_env(...)`."""

from kitchentable.api.aec import of_game

env, raw_env = of_game("hand_and_foot", __name__)
