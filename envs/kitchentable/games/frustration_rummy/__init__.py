"""Frustration Rummy: fourteen contracts, each seat at its own place in the list."""

from kitchentable.engine.loops import Kernels
from kitchentable.engine.spec import GameSpec
from kitchentable.games.frustration_rummy import (
    hidden,
    observation,
    picture,
    rules,
    scripted,
    table,
)

GAME = GameSpec(
    name="frustration_rummy",
    version=0,
    title="Frustration Rummy",
    summary="Contract rummy over fourteen contracts with wild twos; out on the last one wins.",
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
