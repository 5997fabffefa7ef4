import pytest

import kitchentable as kt
from kitchentable.engine.game import IllegalMoveError
from tests.games.testbeds import dealt, play

GAME = kt.game("kuhn_poker")


class TestR1:
    """Two players, a chip each, one card each; seat 0 begins."""

    def test_all_six_deals_come_up_about_as_often(self) -> None:
        states = GAME.new_batch(6000, seed=1)
        counts: dict[tuple[int, ...], int] = {}
        for deck in states["deck"].tolist():
            counts[tuple(deck)] = counts.get(tuple(deck), 0) + 1
        assert len(counts) == 6
        assert all(850 < count < 1150 for count in counts.values())

    def test_both_pay_a_chip_and_seat_0_begins(self) -> None:
        table = GAME.table(GAME.new())
        assert (table["paid"], table["to_act"], table["phase"]) == ([1, 1], 0, "open")


@pytest.mark.parametrize(
    ("rule", "moves", "winner", "chips"),
    [
        ("R2: two checks show the cards", "pass pass", "higher", 1),
        ("R3: a call shows the cards", "bet bet", "higher", 2),
        ("R3: a call of a bet after a check", "pass bet bet", "higher", 2),
        ("R3: seat 1 folds", "bet pass", 0, 1),
        ("R3: seat 0 folds", "pass bet pass", 1, 1),
    ],
)
@pytest.mark.parametrize("hands", ["J Q", "J K", "Q J", "Q K", "K J", "K Q"])
def test_r2_to_r4_who_wins_how_much(
    rule: str, moves: str, winner: int | str, chips: int, hands: str
) -> None:
    left = ({"J", "Q", "K"} - set(hands.split())).pop()
    state = dealt(GAME, hands, left)
    rewards = play(GAME, state, moves)
    first, second = ("JQK".index(card) for card in hands.split())
    expected = int(second > first) if winner == "higher" else winner
    assert rewards[int(expected)] == chips, rule
    assert rewards[1 - int(expected)] == -chips, rule
    table = GAME.table(state)
    assert table["finished"] and table["winners"] == [expected], rule
    assert table["scores"][int(expected)] == chips, rule


def test_nobody_moves_after_the_end() -> None:
    state = dealt(GAME, "J Q", "K")
    play(GAME, state, "bet pass")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        GAME.play(state, {"move": "pass"})


def test_the_script_never_bluffs() -> None:
    for hands, left, moves, word in (
        ("J Q", "K", "", "pass"),
        ("K Q", "J", "", "bet"),
        ("Q J", "K", "pass", "pass"),
        ("J Q", "K", "bet", "bet"),
        ("Q J", "K", "bet", "pass"),
    ):
        state = dealt(GAME, hands, left)
        play(GAME, state, moves)
        assert GAME.move(state, GAME.scripted(state)) == {"move": word}, (hands, moves)
