"""Games and positions of the kernels and of the oracle, with options at random."""

import random
from typing import Any

import pytest

from kitchentable.engine.jit import COMPILED
from kitchentable.engine.reading import TableError
from tests.games.side_by_side import canonical, play_side_by_side

from . import oracle
from .tables import make_table, meld_of
from .walks import game_of

N_GAMES = 2000 if COMPILED else 4
"""Random games in all; without compiling a handful."""
WHOLE_GAMES = 0.04
"""Share of games of four deals, the others are single deals."""
N_PARTS = 20
N_POSITIONS = 3000 if COMPILED else 150
"""Positions at random, among them many that play leads to seldom or never."""
MELDS = [
    "7 7 7 7 7 7 7",
    "J J J J J J J",
    "4 4 4 4 4 4 4",
    "6 6 6 6 6 6 2",
    "T T T T T 2 2",
    "2 2 2 2 2 JK JK",
    "2 2 2 2 2 JK",
    "9 9 9 9 2 2",
    "9 9 9 9 9 9",
    "Q Q Q",
    "A A A A",
    "K K 2",
    "5 5 5 5 5",
    "4 4 4",
]


def options_of(number: int) -> dict[str, Any]:
    """Return options for a game, most of them at random."""
    rng = random.Random(number)
    options: dict[str, Any] = {
        "wild_rule": rng.choice(["strict", "majority"]),
        "one_kind_per_turn": rng.random() < 0.6,
        "partner_in_foot": rng.random() < 0.6,
        "foot_red_three": rng.choice([0, 100, 500]),
    }
    if rng.random() < 0.5:
        options["need"] = [rng.randint(0, 2), rng.randint(0, 2), rng.randint(0, 1)]
    if rng.random() < 0.3:
        options["minimums"] = [rng.choice([0, 5, 15, 40, 60, 200]) for _ in range(4)]
    if rng.random() >= WHOLE_GAMES:
        options["episode"] = "deal"
        options["deal"] = rng.choice([None, *range(1, 5)])
    return options


@pytest.mark.slow
@pytest.mark.parametrize("part", range(N_PARTS))
def test_kernels_play_like_the_oracle(part: int) -> None:
    moves = [
        play_side_by_side("hand_and_foot", oracle, options_of(number), number)
        for number in range(part, N_GAMES, N_PARTS)
    ]
    assert not moves or sum(moves) > len(moves)


def some_melds(rng: random.Random) -> list[str]:
    """Melds of a side, one unclosed of a rank at most."""
    chosen: list[str] = []
    for cards in rng.sample(MELDS, rng.randint(0, 6)):
        unclosed = {meld_of(c)["rank"] for c in chosen if len(c.split()) < 7}
        if len(cards.split()) == 7 or meld_of(cards)["rank"] not in unclosed:
            chosen.append(cards)
    return chosen


def some_position(rng: random.Random) -> dict[str, Any]:
    """What `make_table` is asked for: short hands, feet, permission, kinds of turn."""
    needs = [[2, 2, 1], [1, 0, 0], [0, 0, 0], [1, 1, 0], [0, 0, 1], [2, 1, 1]]
    melds, size = some_melds(rng), rng.choice([1, 2, 2, 3, 4, 4, 5, 6, 8])
    position: dict[str, Any] = {
        "wild_rule": rng.choice(["strict", "majority"]),
        "one_kind_per_turn": rng.random() < 0.6,
        "partner_in_foot": rng.random() < 0.5,
        "need": rng.choice(needs),
        "deal": rng.randint(1, 4),
        "melds": {0: melds},
        "hands": {
            0: " ".join(
                rng.choices(
                    ["4", "5", "6", "8", "9", "Q", "K", "A", "A", "2", "2", "JK", "3B", "J"], k=size
                )
            )
        },
        "in_foot": rng.choice([[0], [2], [], [0, 2], [0, 2], [0, 2]]),
    }
    if rng.random() < 0.2:
        pile = rng.choices(
            ["4", "5", "6", "8", "9", "Q", "K", "A", "A", "2", "3B"], k=rng.randint(1, 9)
        )
        return position | {"discard": " ".join(pile)}
    position["phase"] = "play"
    if 0 in position["in_foot"]:
        position["permission"] = rng.choice([None, "allow", "allow", "refuse"])
    if position["one_kind_per_turn"] and rng.random() < 0.3:
        position |= {"kind": "add", "begun": []}
    elif position["one_kind_per_turn"] and rng.random() < 0.5:
        ranks = [meld_of(cards)["rank"] for cards in melds if len(cards.split()) < 7]
        begun = [rank for rank in ranks if rng.random() < 0.6]
        position |= {"kind": "start", "begun": sorted(begun, key=oracle.MELD_RANKS.index)}
    return position


@pytest.mark.parametrize("seed", range(2))
def test_kernels_and_oracle_know_the_same_moves(seed: int) -> None:
    rng, compared = random.Random(seed), 0
    for _ in range(N_POSITIONS):
        position = some_position(rng)
        try:
            table = make_table(**position)
            game = game_of(**table["options"])
            state = game.from_table(table)
        except (AssertionError, TableError):
            continue  # a permission or melds that cannot be
        expected = sorted(map(canonical, oracle.Oracle.from_table(table).legal_moves()))
        assert sorted(map(canonical, game.legal_moves(state))) == expected, position
        assert expected
        compared += 1
    assert compared > N_POSITIONS / 2
