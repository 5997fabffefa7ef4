"""Beatrix Potter's Rummy: collect sets of three characters, one action a turn."""

from kitchentable.engine.loops import Kernels
from kitchentable.engine.spec import GameSpec
from kitchentable.games.potter_rummy import (
    hidden,
    observation,
    picture,
    rules,
    scripted,
    table,
)

GAME = GameSpec(
    name="potter_rummy",
    version=0,
    title="Beatrix Potter's Rummy",
    summary="Sets of three characters, one action a turn; the first with two sets wins the deal.",
    options=rules.OPTIONS,
    state=rules.STATE,
    phases=rules.Phase,
    actions=rules.ACTIONS,
    observation=observation.LAYOUT,
    privileged=observation.PRIVILEGED,
    kernels=Kernels(
        new_game=rules.new_game,
        legal=rules.legal,
        apply=rules.apply,
        observe=observation.observe,
        privileged=observation.privileged,
        resample_hidden=hidden.resample_hidden,
        scripted=scripted.scripted,
    ),
    codec=table,
    picture=picture.picture,
    reward_scale=rules.REWARD_SCALE,
)
