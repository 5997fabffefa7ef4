"""Hand & Foot Canasta: canasta for two sides, with a second hand for every seat."""

from kitchentable.engine.loops import Kernels
from kitchentable.engine.spec import GameSpec
from kitchentable.games.hand_and_foot import (
    hidden,
    observation,
    picture,
    rules,
    scripted,
    state,
    table,
)

GAME = GameSpec(
    name="hand_and_foot",
    version=0,
    title="Hand & Foot Canasta",
    summary="Canasta for two sides of two, each seat with a hand and a foot; most points win.",
    options=state.OPTIONS,
    state=state.STATE,
    phases=state.Phase,
    actions=state.ACTIONS,
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
    reward_scale=state.REWARD_SCALE,
)
