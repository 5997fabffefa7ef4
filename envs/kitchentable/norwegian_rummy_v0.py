"""Norwegian Rummy through PettingZoo: `env(...)` and `raw_env(...)`."""

from functools import partial

from kitchentable.api import aec

env = partial(aec.env, "norwegian_rummy")
raw_env = partial(aec.RawEnv, "norwegian_rummy")
