"""What the tests of both testbeds need: all their positions, and what a seat cannot know."""

import json
from collections.abc import Iterator
from itertools import permutations
from typing import Any

from kitchentable.engine.game import Game


def dealt(game: Game, hands: str, left: str) -> Any:
    """Return the first position of a deal; cards as words, such as `"J Q"` and `"K"`."""
    table = game.table(game.new())
    cards = {"hands": [[card] for card in hands.split()], "left": left.split()}
    return game.from_table({**table, **cards})


def play(game: Game, state: Any, moves: str) -> list[float]:
    """Play moves given as words; return the rewards of all of them by seat."""
    totals = [0.0] * game.num_players
    for move in moves.split():
        for seat, reward in enumerate(game.play(state, {"move": move})):
            totals[seat] += float(reward)
    return totals


def every_position(game: Game, state: Any) -> Iterator[Any]:
    """Yield a position and all that can follow from it."""
    yield state
    for action in game.legal_actions(state):
        after = game.copy(state)
        game.play(after, action)
        yield from every_position(game, after)


def hidden_orders(game: Game, state: Any, seat: int) -> Iterator[Any]:
    """Yield the position with the cards hidden from a seat in every possible order."""
    table = json.loads(json.dumps(game.table(state)))
    other = 1 - seat
    hidden = [*table["hands"][other], *table["left"]]
    for order in permutations(hidden):
        hands = [table["hands"][0], table["hands"][1]]
        hands[other] = [order[0]]
        yield game.from_table({**table, "hands": hands, "left": list(order[1:])})


def view_of(game: Game, **keys: Any) -> dict[str, Any]:
    """Return seat 0's first view with some keys put in place."""
    return {**game.view(game.new(1), 0), **keys}
