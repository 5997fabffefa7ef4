"""The scripted opponent: its advice, its legality, and how it does against random play."""

from typing import Any

import numpy as np
import pytest

from kitchentable.engine.jit import COMPILED
from tests.games.matches import play_out

from .tables import parse_move
from .test_rules import CLEAN, NEEDED, WILD_LACKING
from .walks import game_of, state_at

GAMES = 60 if COMPILED else 1
"""Deals of a match."""
OPEN = ["A A A"]
"""What makes side 0 open."""


def choice(**changes: Any) -> dict[str, Any]:
    """The scripted move at a table of `make_table`, as JSON."""
    game, state = state_at(**changes)
    action = game.scripted(state)
    assert game.mask(state)[action]
    return game.move(state, action)


def play(hand: str, **changes: Any) -> dict[str, Any]:
    """The scripted move of seat 0, to play from a hand."""
    return choice(phase="play", hands={0: hand}, **({"melds": {0: OPEN}} | changes))


class TestDrawing:
    def test_a_pile_with_wild_cards_is_taken(self) -> None:
        move = choice(hands={0: "8 8 4 5"}, discard="2 4 JK 8", melds={0: OPEN})
        assert move == parse_move("take_pile")

    def test_a_pile_that_closes_a_meld_is_taken(self) -> None:
        melds = {0: ["8 8 8 8", *OPEN]}
        assert choice(hands={0: "8 8 4"}, discard="3B 8", melds=melds) == parse_move("take_pile")

    def test_a_poor_pile_is_left_at_the_end(self) -> None:
        position: dict[str, Any] = {"in_foot": [0], "melds": {0: OPEN}, "discard": "4 5 3B 3B 8"}
        near = position | {"in_foot": [0, 1], "hands": {0: "8 8 Q K", 1: "4"}}
        assert choice(**near) == parse_move("draw_two")


class TestMelding:
    def test_it_opens_with_natural_cards(self) -> None:
        hand = "A A A K K 2 JK 4 5 6 8 9 T J"
        assert play(hand, melds={}) == parse_move("open_meld A")

    def test_it_does_what_lays_down_more(self) -> None:
        melds = {0: [*OPEN, "K K K"]}
        assert play("A K 5 5 5 6 6 6 8 9", melds=melds) == parse_move("open_meld 5")
        assert play("A A A K K 5 5 5 8 9", melds=melds)["move"] == "add"

    def test_wild_cards_go_to_the_wild_meld(self) -> None:
        assert play("2 4 5 6 8", melds={0: [*OPEN, "2 2 2 JK"]}) == parse_move("add 2 wild")
        assert play("2 2 JK 4 6 8 9") == parse_move("open_wild 1")

    def test_one_wild_card_is_kept(self) -> None:
        assert play("2 4 6 8 9 K K", melds={0: [*OPEN, "Q Q Q"]})["move"] == "discard"


class TestDiscarding:
    def test_a_black_three_first(self) -> None:
        assert play("3B 4 K K 8 8 2") == parse_move("discard 3B")

    def test_a_lone_card_rather_than_a_pair_or_what_fits(self) -> None:
        assert play("5 K K 8 8 2", melds={0: [*OPEN, "2 2 JK JK"]}) == parse_move("add 2 wild")
        assert play("5 K K 8 8 2") == parse_move("discard 5")

    def test_never_a_wild_card_with_another_at_hand(self) -> None:
        assert play("2 2 JK K K", kind="add", begun=[]) == parse_move("discard K")

    def test_not_what_the_next_player_is_known_to_hold(self) -> None:
        hands = {0: "9 T K K", 1: "T T ..."}
        position: dict[str, Any] = {"melds": {0: OPEN, 1: ["Q Q Q Q Q"]}, "discard": "4 2 5"}
        move = choice(phase="play", hands=hands, known={1: "T T"}, **position)
        assert move == parse_move("discard 9")


class TestGoingOut:
    def test_it_asks_when_all_cards_but_one_can_be_laid(self) -> None:
        melds = {0: [*NEEDED, "K K K K"]}
        assert play("K 4", in_foot=[0, 2], melds=melds) == parse_move("ask_partner")
        assert play("Q 4 6", in_foot=[0, 2], melds=melds)["move"] == "discard"
        assert play("2 4", in_foot=[0, 2], melds={0: WILD_LACKING}) == parse_move("ask_partner")

    def test_allowed_it_goes_out(self) -> None:
        position: dict[str, Any] = {"in_foot": [0, 2], "permission": "allow"}
        melds = {0: [*WILD_LACKING, "Q Q Q"]}
        assert play("Q 2", melds=melds, **position)["move"] == "add"
        melds = {0: [*NEEDED, "K K K K"]}
        assert play("4", melds=melds, **position) == parse_move("discard 4")

    @pytest.mark.parametrize(("hand", "says"), [("4 5", "allow"), ("JK JK A 2", "refuse")])
    def test_the_partner_looks_at_its_hand(self, hand: str, says: str) -> None:
        hands = {0: "K 4", 2: hand}
        melds = {0: [*NEEDED, "K K K K"]}
        move = choice(phase="ask", in_foot=[0, 2], hands=hands, melds=melds)
        assert move == parse_move(says)

    def test_a_single_card_that_must_be_added_is(self) -> None:
        melds = {0: [CLEAN, "Q Q Q Q Q Q", *OPEN]}
        position: dict[str, Any] = {"in_foot": [0, 2], "permission": "allow", "need": [2, 0, 0]}
        assert play("Q", melds=melds, **position) == parse_move("add Q")


@pytest.mark.parametrize("side", range(2))
def test_it_beats_random_play_by_far(side: int) -> None:
    states, _ = play_out(game_of(episode="deal"), range(side, 4, 2), GAMES)
    points = states.points
    assert np.mean(points[:, side] - points[:, 1 - side]) > (4000 if COMPILED else 0)


@pytest.mark.parametrize("deal", range(1, 5))
@pytest.mark.parametrize("rare", [False, True])
def test_its_moves_are_legal_and_it_gets_somewhere(deal: int, rare: bool) -> None:
    options: dict[str, Any] = {"deal": deal}
    if rare:
        options |= {"wild_rule": "majority", "one_kind_per_turn": False, "need": [1, 1, 0]}
    states, _ = play_out(game_of(episode="deal", **options), range(4), GAMES)
    assert np.mean(states.canastas.sum(axis=2)) > (4 if COMPILED else 1)
    if COMPILED:
        assert np.mean(states.hand_size.min(axis=1) == 0) > 0.25, "somebody goes out at times"


def test_wild_cards_are_laid_down_in_the_last_turn() -> None:
    """A joker counts 50, for the side on the table and against it in hand."""
    melds = {0: ["A A A", "4 4 4 4"]}
    late = {"phase": "play", "in_foot": [0], "melds": melds, "stock": "", "rest": "discard"}
    move = choice(hands={0: "7 9 Q JK"}, **late)
    assert (move["move"], move["card"]) == ("add", "JK")
