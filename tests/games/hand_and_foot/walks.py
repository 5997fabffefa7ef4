"""Games and positions of Hand & Foot for the tests of the kernels."""

import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from kitchentable.engine.game import Game
from kitchentable.games import spec

from .tables import make_table, parse_move

Table = dict[str, Any]


@cache
def _game(options: str) -> Game:
    return Game(spec("hand_and_foot"), **json.loads(options))


def game_of(**options: Any) -> Game:
    """The game with these options, made once."""
    return _game(json.dumps(options, sort_keys=True))


def state_at(**changes: Any) -> tuple[Game, Any]:
    """A game and its state at a table of `make_table`."""
    table = make_table(**changes)
    game = game_of(**table["options"])
    return game, game.from_table(table)


class Seat:
    """A position of the kernels, to be played in few words."""

    def __init__(self, **changes: Any) -> None:
        self.game, self.state = state_at(**changes)

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self.game.table(self.state)

    def legal(self) -> set[str]:
        """The legal moves in a few words."""
        return {" ".join(map(str, words(move))) for move in self.game.legal_moves(self.state)}

    def names(self) -> set[str]:
        """The kinds of moves that are legal."""
        return {move["move"] for move in self.game.legal_moves(self.state)}

    def can(self, text: str) -> bool:
        """Whether a move is legal."""
        return parse_move(text) in self.game.legal_moves(self.state)

    def play(self, *texts: str) -> list[float]:
        """Play moves; return the rewards of the last."""
        rewards: list[float] = []
        for text in texts:
            rewards = self.game.play(self.state, parse_move(text)).tolist()
        return rewards

    def melds(self, side: int = 0) -> list[str]:
        """A side's melds in a few words."""
        return [" ".join(meld["cards"]) for meld in self.table["melds"][side]]


def words(move: Table) -> list[Any]:
    """The words of a move but for nulls."""
    return [word for word in move.values() if word is not None]


def at_play(hand: str, **changes: Any) -> Seat:
    """A position in which seat 0 holds this hand in phase `play`."""
    return Seat(phase="play", hands={0: hand} | changes.pop("hands", {}), **changes)


def positions(seed: int, moves: int, script_share: float = 0.8, **options: Any) -> Iterator[Any]:
    """Positions of games played by the script and by lot, as pairs of game and state."""
    chance, game = random.Random(seed), game_of(**options)
    state = game.new(seed)
    for number in range(moves):
        yield game, state
        if game.is_finished(state):
            state = game.new(seed + number)
            continue
        scripted = chance.random() < script_share
        action = game.scripted(state) if scripted else chance.choice(game.legal_actions(state))
        game.play(state, action)
