"""`Game`: what it refuses."""

from typing import Any

import pytest

import kitchentable as kt


@pytest.fixture
def game() -> kt.Game:
    return kt.game("norwegian_rummy", num_players=3)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (None, "this is no state of the game"),
        (kt.game("kuhn_poker").new(1), "this is no state of the game"),
        (kt.game("norwegian_rummy", num_players=3).new_batch(2), r"not an array of \(2,\)"),
        (kt.game("norwegian_rummy", num_players=4).new(1), "a state for 4 seats, not 3"),
    ],
    ids=["none", "another game", "two states", "other seats"],
)
def test_what_is_no_state_of_this_game_is_refused(game: kt.Game, state: Any, words: str) -> None:
    for method in (game.mask, game.table, game.scripted, game.privileged):
        with pytest.raises(ValueError, match=words):
            method(state)
    for of_seat in (game.observe, game.view):
        with pytest.raises(ValueError, match=words):
            of_seat(state, 0)
    with pytest.raises(ValueError, match=words):
        game.play(state, 0)


@pytest.mark.parametrize("n", [0, -1, 1.5])
def test_there_must_be_a_game_to_start(game: kt.Game, n: Any) -> None:
    with pytest.raises(ValueError, match="n must be"):
        game.new_batch(n)


def test_only_moves_of_the_game_are_described(game: kt.Game) -> None:
    with pytest.raises(kt.TableError, match=r"key 'move\.move' must be one of draw_stock"):
        game.describe(game.new(1), {"move": "jump"})
    with pytest.raises(kt.TableError, match=r"key 'move\.card' must be a card such as"):
        game.describe(game.new(1), {"move": "discard", "card": "11S"})


def test_bytes_that_were_changed_are_refused(game: kt.Game) -> None:
    """Kernels trust a state: one that was tampered with could crash the process."""
    state = game.new(1)
    saved = game.to_bytes(state)
    assert game.to_bytes(game.from_bytes(saved)) == saved
    changed = bytearray(saved)
    changed[40] ^= 1
    other = kt.game("kuhn_poker").to_bytes(kt.game("kuhn_poker").new(1))
    for data in (b"", saved[:-1], saved[:8], bytes(changed), saved + saved, other):
        with pytest.raises(ValueError, match="no position of norwegian_rummy"):
            game.from_bytes(data)
