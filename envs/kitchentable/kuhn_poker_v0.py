"""Kuhn poker through PettingZoo: `env(...)` and `raw_env(...)`."""

from functools import partial

from kitchentable.api import aec

env = partial(aec.env, "kuhn_poker")
raw_env = partial(aec.RawEnv, "kuhn_poker")
