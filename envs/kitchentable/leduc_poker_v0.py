"""Leduc poker through PettingZoo: `env(...)` and `raw_env(...)`."""

from functools import partial

from kitchentable.api import aec

env = partial(aec.env, "leduc_poker")
raw_env = partial(aec.RawEnv, "leduc_poker")
