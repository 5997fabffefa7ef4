"""Luau Rummy: melds of five kinds, the whole discard pile at once, a point for every card."""

from kitchentable.engine.loops import Kernels
from kitchentable.engine.spec import GameSpec
from kitchentable.games.luau_rummy import (
    hidden,
    observation,
    picture,
    rules,
    scripted,
    table,
)

GAME = GameSpec(
    name="luau_rummy",
    version=0,
    title="Luau Rummy",
    summary="Melds of five kinds and whole discard piles; the first to lead alone with 50 wins.",
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
