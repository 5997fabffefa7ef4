"""The contract under rare rules: its own tests know the default options alone."""

from typing import Any

import pytest

from kitchentable.engine.game import Game
from kitchentable.engine.reading import TableError
from kitchentable.games import GAMES, spec
from kitchentable.testing import (
    check_from_view,
    check_garbage,
    check_looking_changes_nothing,
    check_masks,
    check_no_leak,
    check_shown,
    check_tables,
)

SLOW = (
    check_masks,
    check_looking_changes_nothing,
    check_no_leak,
    check_from_view,
    check_shown,
)
CHECKS = (
    check_tables,
    check_garbage,
    *(pytest.param(check, marks=pytest.mark.slow) for check in SLOW),
)
RARE: dict[str, list[dict[str, Any]]] = {
    "norwegian_rummy": [
        {"num_players": 5, "episode": "deal", "deal": 3, "turn_cap": 25},
        {"num_players": 2, "episode": "deal", "deal": 7, "max_buys": 1},
        {"num_players": 3, "decks": 3, "joker_ratio": False, "return_discard": False},
        {"num_players": 3, "decks": 1, "turn_cap": 6},
    ],
    "frustration_rummy": [
        {"num_players": 5, "episode": "deal", "deal": 9, "turn_cap": 15},
        {"num_players": 2, "episode": "deal", "deal": 14},
        {"num_players": 3, "last_contract": 2, "deal_cap": 3, "return_discard": False},
    ],
    "luau_rummy": [
        {"num_players": 2, "decks": 2, "episode": "deal", "piggy_pileup": True, "wolves": 4},
        {"num_players": 3, "deal_cap": 2, "return_discard": False, "turn_cap": 9},
        {"num_players": 4, "episode": "deal", "animal_copies": 3},
        {"num_players": 4, "teams": True, "piggy_pileup": True, "deal_cap": 2, "target": 20},
    ],
    "potter_rummy": [
        {"num_players": 4, "takeback_free": True, "deals": 2, "turn_cap": 20},
        {"num_players": 6, "return_discard": False, "win_rule": 1, "scoring": "points"},
        {"num_players": 12, "win_rule": 2, "scoring": "counters", "signpost_extra": True},
    ],
    "hand_and_foot": [
        {"wild_rule": "majority", "one_kind_per_turn": False},
        {"episode": "deal", "deal": 3, "need": [1, 1, 0]},
    ],
}


def test_every_game_has_rare_rules() -> None:
    assert set(RARE) == set(GAMES)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize(("name", "options"), [(n, o) for n, found in RARE.items() for o in found])
def test_the_contract_under_rare_rules(name: str, options: dict[str, Any], check: Any) -> None:
    check(Game(spec(name), **options))


@pytest.mark.parametrize("name", ["luau_rummy", "potter_rummy", "frustration_rummy"])
def test_a_single_deal_that_was_won_is_not_capped(name: str) -> None:
    game = Game(spec(name), episode="deal")
    state = game.new(3)
    while not game.is_finished(state):
        game.play(state, game.scripted(state))
    table = game.table(state)
    assert not table["capped"]
    table["capped"] = True
    with pytest.raises(TableError, match="capped"):
        game.from_table(table)
