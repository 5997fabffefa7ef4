"""Positions of Luau Rummy from random games, for tests."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from kitchentable.engine.game import Game
from kitchentable.games import spec
from kitchentable.games.luau_rummy.rules import ACTIONS, DISCARD, LAY

OPTIONS: tuple[dict[str, Any], ...] = (
    {"num_players": 2, "deal_cap": 3},
    {"num_players": 2, "decks": 2, "episode": "deal", "piggy_pileup": True, "wolves": 4},
    {"num_players": 3, "deal_cap": 2, "return_discard": False, "turn_cap": 9},
    {"num_players": 4, "episode": "deal", "animal_copies": 3},
    {"num_players": 4, "teams": True, "piggy_pileup": True, "deal_cap": 2, "target": 20},
)
"""Every number of seats, alone and in teams, and the rarer rules."""


@cache
def game_of(**options: Any) -> Game:
    return Game(spec("luau_rummy"), **options)


def eager_action(game: Game, state: Any, chance: random.Random) -> int:
    """A legal action; laying and adding are far likelier than they are at random."""
    legal = game.legal_actions(state)
    laying = [action for action in legal if LAY <= action < DISCARD]
    eager = laying and chance.random() < 0.7
    kinds: dict[str, list[int]] = {}
    for action in laying if eager else legal:
        kinds.setdefault(ACTIONS.decode(action)[0], []).append(action)
    return chance.choice(kinds[chance.choice(list(kinds))])


def play_through(seed: int, stride: int = 1, **options: Any) -> Iterator[tuple[Game, Any]]:
    """One in `stride` positions of a game at random, and the finished one."""
    chance = random.Random(seed)
    game = game_of(**options)
    state = game.new(seed)
    while not game.is_finished(state):
        if chance.randrange(stride) == 0:
            yield game, state
        game.play(state, eager_action(game, state, chance))
    yield game, state
