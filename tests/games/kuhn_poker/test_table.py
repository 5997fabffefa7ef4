from typing import Any

import pytest

import kitchentable as kt
from kitchentable.engine.reading import TableError
from tests.games.testbeds import dealt, every_position, hidden_orders, play, view_of

GAME = kt.game("kuhn_poker")
POSITIONS = [p for seed in range(12) for p in every_position(GAME, GAME.new(seed))]


def test_every_table_round_trips() -> None:
    for state in POSITIONS:
        table = GAME.table(state)
        again = GAME.from_table(table)
        assert GAME.table(again) == table
        assert (GAME.mask(again) == GAME.mask(state)).all()


def test_every_view_round_trips() -> None:
    for state in POSITIONS:
        for seat in range(2):
            view = GAME.view(state, seat)
            assert GAME.view(GAME.from_view(view, seed=3), seat) == view


def test_nothing_leaks() -> None:
    for state in POSITIONS:
        for seat in range(2):
            for other in hidden_orders(GAME, state, seat):
                assert (GAME.observe(other, seat) == GAME.observe(state, seat)).all()
                assert GAME.view(other, seat) == GAME.view(state, seat)
                assert GAME.text(other, seat) == GAME.text(state, seat)
                assert GAME.picture(other, seat) == GAME.picture(state, seat)


def test_the_hidden_cards_are_dealt_evenly() -> None:
    state = dealt(GAME, "Q J", "K")
    hands = [GAME.table(GAME.resample(state, 0, seed))["hands"] for seed in range(400)]
    assert {tuple(map(tuple, hand)) for hand in hands} == {(("Q",), ("J",)), (("Q",), ("K",))}
    assert 150 < sum(hand[1] == ["J"] for hand in hands) < 250


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hands": [["J"], ["J"]]}, "hands"),
        ({"hands": [["J"]]}, "hands"),
        ({"hands": [["J"], ["A"]]}, "hands"),
        ({"paid": [2, 1]}, "paid"),
        ({"checked": True}, "checked"),
        ({"phase": "face"}, "paid"),
        ({"more": 1}, "more"),
    ],
)
def test_a_wrong_table_is_refused(change: dict[str, Any], message: str) -> None:
    table = GAME.table(dealt(GAME, "Q J", "K"))
    with pytest.raises(TableError, match=message):
        GAME.from_table({**table, **change})


def test_moves_have_sentences() -> None:
    state = dealt(GAME, "Q J", "K")
    assert GAME.describe(state, {"move": "pass"}) == "Player 0 checks."
    play(GAME, state, "bet")
    assert GAME.describe(state, {"move": "pass"}) == "Player 1 folds."
    assert GAME.describe(state, {"move": "bet"}) == "Player 1 calls."


def test_the_privileged_view_knows_both_cards() -> None:
    layout = GAME.spec.privileged
    for hands, left, other in (("Q J", "K", 0), ("Q K", "J", 2)):
        out = GAME.privileged(dealt(GAME, hands, left))
        assert out[layout.slice("card")].tolist() == [0, 1, 0]
        assert out[layout.slice("other_card")].argmax() == other


@pytest.mark.parametrize(
    "keys",
    [
        {"left": {"count": 9, "known": []}},
        {"left": {"count": 1, "known": ["K"]}},
        {"left": {"count": 1, "known": [], "cards": 2}},
        {"left": []},
    ],
)
def test_hidden_parts_of_a_view_are_checked(keys: dict[str, Any]) -> None:
    with pytest.raises(TableError, match="left"):
        GAME.from_view(view_of(GAME, **keys))
