"""Beatrix Potter's Rummy through PettingZoo: `env(...)` and `raw_env(...)`."""

from kitchentable.api.aec import of_game

env, raw_env = of_game("potter_rummy", __name__)
