import pytest

import kitchentable as kt
from kitchentable.engine.game import IllegalMoveError
from tests.games.testbeds import dealt, every_position, play

GAME = kt.game("leduc_poker")
LEFT = "QS QH KH JH"
"""The public card is the queen of spades."""


def moves(state: object) -> list[str]:
    return [move["move"] for move in GAME.legal_moves(state)]


class TestR1:
    """Two players, a chip each, one card of six each; seat 0 begins both rounds."""

    def test_each_card_comes_to_each_place_about_as_often(self) -> None:
        decks = GAME.new_batch(6000, seed=1)["deck"]
        for card in range(6):
            for place in range(6):
                assert 850 < (decks[:, place] == card).sum() < 1150

    def test_both_pay_a_chip_and_seat_0_begins(self) -> None:
        table = GAME.table(GAME.new())
        assert (table["paid"], table["to_act"], table["phase"]) == ([1, 1], 0, "open")

    @pytest.mark.parametrize("first", ["call call", "raise call", "call raise call"])
    def test_seat_0_begins_the_second_round(self, first: str) -> None:
        state = dealt(GAME, "JS KS", LEFT)
        play(GAME, state, first)
        table = GAME.table(state)
        assert (table["to_act"], table["phase"], table["public"]) == (0, "open", ["QS"])


class TestR2:
    """Without a bet: check or bet."""

    def test_nobody_folds_without_a_bet(self) -> None:
        state = dealt(GAME, "JS KS", LEFT)
        assert moves(state) == ["call", "raise"]
        play(GAME, state, "call")
        assert moves(state) == ["call", "raise"]
        with pytest.raises(IllegalMoveError, match="fold"):
            GAME.play(state, {"move": "fold"})


class TestR3:
    """Against a bet: fold, call or raise; two raises a round."""

    def test_the_second_raise_is_the_last(self) -> None:
        state = dealt(GAME, "JS KS", LEFT)
        play(GAME, state, "raise")
        assert moves(state) == ["fold", "call", "raise"]
        play(GAME, state, "raise")
        assert moves(state) == ["fold", "call"]

    def test_the_second_round_has_raises_of_its_own(self) -> None:
        state = dealt(GAME, "JS KS", LEFT)
        play(GAME, state, "raise raise call raise")
        assert moves(state) == ["fold", "call", "raise"]

    @pytest.mark.parametrize(
        ("line", "paid"),
        [
            ("raise", [3, 1]),
            ("raise raise", [3, 5]),
            ("call raise raise", [5, 3]),
            ("raise raise call", [5, 5]),
            ("call call raise", [5, 1]),
            ("call call raise raise", [5, 9]),
            ("raise raise call raise raise", [9, 13]),
        ],
    )
    def test_a_raise_is_two_chips_then_four(self, line: str, paid: list[int]) -> None:
        state = dealt(GAME, "JS KS", LEFT)
        play(GAME, state, line)
        assert GAME.table(state)["paid"] == paid


@pytest.mark.parametrize(
    ("hands", "left", "line", "chips"),
    [
        # R4, R5: shown after the second round.
        ("JS KS", LEFT, "call call call call", -1),
        ("KS JS", LEFT, "raise call call call", 3),
        ("KS JS", LEFT, "raise raise call raise raise call", 13),
        # R5: a pair beats the higher card; equal cards share.
        ("QH KS", "QS JS JH KH", "call call raise call", 5),
        ("KS QH", "QS JS JH KH", "call call raise call", -5),
        ("JS JH", LEFT, "raise raise call raise call", 0),
        # R5: who folds loses what is paid.
        ("KS JS", LEFT, "raise fold", 1),
        ("KS JS", LEFT, "call raise fold", -1),
        ("KS JS", LEFT, "raise raise fold", -3),
        ("KS JS", LEFT, "raise call call raise fold", -3),
        ("KS JS", LEFT, "call call raise raise fold", -5),
    ],
)
def test_r4_r5_who_wins_how_much(hands: str, left: str, line: str, chips: int) -> None:
    cards = set(hands.split())
    rest = [card for card in left.split() if card not in cards]
    missing = {"JS", "JH", "QS", "QH", "KS", "KH"} - cards - set(rest)
    state = dealt(GAME, hands, " ".join([*rest, *sorted(missing)]))
    assert play(GAME, state, line) == [chips, -chips]
    table = GAME.table(state)
    assert table["winners"] == [0] * (chips >= 0) + [1] * (chips <= 0)
    assert table["scores"] == [chips, -chips]


def test_every_line_of_play_ends() -> None:
    state = dealt(GAME, "JS KS", LEFT)
    ends = [s for s in every_position(GAME, state) if GAME.is_finished(s)]
    # By hand: the first round has 4 folds and 5 ways on, the second 4 folds and 5 showdowns.
    assert len(ends) == 4 + 5 * (4 + 5)


def test_the_script_never_bluffs() -> None:
    for hands, line, word in (
        ("KS JS", "", "raise"),
        ("JS KS", "", "call"),
        ("JS KS", "call raise", "fold"),
        ("QH KS", "call raise", "call"),
        ("QH KS", "call call", "raise"),
        ("KS JS", "call call", "call"),
        ("JS KS", "call call call raise", "fold"),
    ):
        cards = hands.split()
        left = [c for c in ("QS", "JS", "JH", "QH", "KS", "KH") if c not in cards]
        state = dealt(GAME, hands, " ".join(left))
        play(GAME, state, line)
        assert GAME.move(state, GAME.scripted(state)) == {"move": word}, (hands, line)
