from collections import Counter
from typing import Any

import pytest

import kitchentable as kt
from kitchentable.engine.reading import TableError
from tests.games.testbeds import dealt, every_position, hidden_orders, play, view_of

GAME = kt.game("leduc_poker")
POSITIONS = [p for seed in range(2) for p in every_position(GAME, GAME.new(seed))]


def test_every_table_round_trips() -> None:
    for state in POSITIONS:
        table = GAME.table(state)
        again = GAME.from_table(table)
        assert GAME.table(again) == table
        assert (GAME.mask(again) == GAME.mask(state)).all()
        for seat in range(2):
            assert (GAME.observe(again, seat) == GAME.observe(state, seat)).all()


def test_a_table_plays_on_as_the_state_does() -> None:
    for state in POSITIONS[::3]:
        again = GAME.from_table(GAME.table(state))
        while not GAME.is_finished(state):
            action = GAME.scripted(state)
            assert GAME.scripted(again) == action
            assert GAME.play(state, action).tolist() == GAME.play(again, action).tolist()
        assert GAME.table(again) == GAME.table(state)


def test_every_view_round_trips() -> None:
    for state in POSITIONS:
        for seat in range(2):
            view = GAME.view(state, seat)
            assert GAME.view(GAME.from_view(view, seed=3), seat) == view


def test_nothing_leaks() -> None:
    for state in POSITIONS[::2]:
        for seat in range(2):
            for other in hidden_orders(GAME, state, seat):
                assert (GAME.observe(other, seat) == GAME.observe(state, seat)).all()
                assert GAME.view(other, seat) == GAME.view(state, seat)
                assert GAME.text(other, seat) == GAME.text(state, seat)
                assert GAME.picture(other, seat) == GAME.picture(state, seat)


@pytest.mark.parametrize(("line", "orders"), [("call", 120), ("call call", 24)])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_hidden_cards_are_dealt_evenly(line: str, orders: int, seat: int) -> None:
    state = dealt(GAME, "QS JS", "KS KH QH JH")
    play(GAME, state, line)
    decks: Counter[tuple[int, ...]] = Counter()
    for seed in range(orders * 20):
        decks[tuple(GAME.resample(state, seat, seed)[0].deck.tolist())] += 1
    known = {seat} | ({2} if orders == 24 else set())
    assert all(deck[place] == state[0].deck[place] for deck in decks for place in known)
    assert len(decks) == orders
    assert max(decks.values()) < 50


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hands": [["JS"], ["JS"]]}, "hands"),
        ({"hands": [["JS"]]}, "hands"),
        ({"hands": [["JS"], ["A"]]}, "hands"),
        ({"public": ["QS", "KS"]}, "public"),
        ({"public": ["A"]}, "public"),
        ({"left": ["KS"]}, "left"),
        ({"paid": [3, 3]}, "paid"),
        ({"phase": "face"}, "history"),
        ({"history": [["call"], []]}, "lead to"),
        ({"history": [["call", "call"], ["fold"]]}, "rules allow"),
        ({"history": [[], ["call"]]}, "rules allow"),
        (
            {"history": [["raise", "raise", "raise"], []], "phase": "face", "to_act": 1},
            "rules allow",
        ),
        ({"history": [["call", "call", "call"], []]}, "rules allow"),
        ({"history": [["raise", "fold", "call"], []]}, "rules allow"),
        ({"history": [["go"], []]}, "history"),
        ({"history": "call"}, "history"),
        ({"more": 1}, "more"),
    ],
)
def test_a_wrong_table_is_refused(change: dict[str, Any], message: str) -> None:
    state = dealt(GAME, "QS JS", "KS KH QH JH")
    play(GAME, state, "call call")
    with pytest.raises(TableError, match=message):
        GAME.from_table({**GAME.table(state), **change})


def test_a_view_must_show_one_hand_and_no_card_twice() -> None:
    state = dealt(GAME, "QS JS", "KS KH QH JH")
    play(GAME, state, "call call")
    view = GAME.view(state, 0)
    with pytest.raises(TableError, match="hands"):
        GAME.from_view({**view, "hands": [["QS"], ["JS"]]})
    with pytest.raises(TableError, match="public"):
        GAME.from_view({**view, "public": ["QS"]})


def test_moves_have_sentences() -> None:
    state = dealt(GAME, "QS JS", "KS KH QH JH")
    assert GAME.describe(state, {"move": "call"}) == "Player 0 checks."
    assert GAME.describe(state, {"move": "raise"}) == "Player 0 bets 2 chips."
    play(GAME, state, "call call raise")
    assert GAME.describe(state, {"move": "raise"}) == "Player 1 raises by 4 chips."
    assert GAME.describe(state, {"move": "call"}) == "Player 1 calls."
    assert GAME.describe(state, {"move": "fold"}) == "Player 1 folds."


def test_the_privileged_view_knows_all_cards() -> None:
    layout = GAME.spec.privileged
    out = GAME.privileged(dealt(GAME, "QS JS", "KS KH QH JH"))
    assert out[layout.slice("card")].tolist() == [0, 1, 0]
    assert out[layout.slice("other_card")].tolist() == [1, 0, 0]
    assert out[layout.slice("coming")].tolist() == [0, 0, 1]
    assert out[layout.slice("public")].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "keys",
    [
        {"left": {"count": 9, "known": []}},
        {"left": {"count": 4, "known": ["K"]}},
        {"left": {"count": 4, "known": [], "cards": 2}},
        {"left": []},
    ],
)
def test_hidden_parts_of_a_view_are_checked(keys: dict[str, Any]) -> None:
    with pytest.raises(TableError, match="left"):
        GAME.from_view(view_of(GAME, **keys))
