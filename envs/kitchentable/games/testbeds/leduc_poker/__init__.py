"""Leduc poker, a testbed."""

from kitchentable.engine.loops import Kernels
from kitchentable.engine.spec import GameSpec
from kitchentable.games.testbeds.leduc_poker import observation, picture, rules, scripted, table

GAME = GameSpec(
    name="leduc_poker",
    version=0,
    title="Leduc poker",
    summary="One card each, a public card, two rounds of betting, for testing algorithms.",
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
        resample_hidden=observation.resample_hidden,
        scripted=scripted.scripted,
    ),
    codec=table,
    picture=picture.picture,
    reward_scale=rules.REWARD_SCALE,
    testbed=True,
)
