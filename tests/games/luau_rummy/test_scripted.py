"""The scripted opponent: its advice, its legality, and how it does against random play."""

from typing import Any

import pytest

from kitchentable.engine.jit import COMPILED
from tests.games.matches import mean_pay, play_out

from .tables import make_table, meld_of, parse_move
from .walks import OPTIONS, game_of

GAMES = 100 if COMPILED else 2
"""Deals of a match, each played once from every seat."""


def choice(**changes: Any) -> dict[str, Any]:
    """The scripted move at a table of `make_table`, as JSON."""
    table = make_table(**({"episode": "deal"} | changes))
    game = game_of(**table["options"])
    state = game.from_table(table)
    action = game.scripted(state)
    assert game.mask(state)[action]
    return game.move(state, action)


def play(hand: str, **changes: Any) -> dict[str, Any]:
    """The scripted move of seat 0, to play from a hand."""
    hands = {0: hand} | changes.pop("hands", {})
    return choice(**({"phase": "play", "hands": hands} | changes))


class TestDrawing:
    def test_a_pile_that_completes_a_meld_is_taken(self) -> None:
        move = choice(hands={0: "fire foil meat straw lion"}, discard="oinky utensils")
        assert move == parse_move("take_pile")

    def test_a_pile_without_use_is_left(self) -> None:
        hand = "fire foil meat straw oinky"
        assert choice(hands={0: hand}, discard="fire meat") == parse_move("draw_stock")

    def test_useless_cards_are_left_when_somebody_is_near_to_going_out(self) -> None:
        changes: dict[str, Any] = {"discard": "oinky straw lion", "hands": {0: "fire foil meat"}}
        far = dict.fromkeys((1, 2, 3), "...")
        near = far | {2: "wood"}
        assert choice(**changes | {"hands": changes["hands"] | far}) == parse_move("take_pile")
        assert choice(**changes | {"hands": changes["hands"] | near}) == parse_move("draw_stock")


class TestLaying:
    def test_melds_without_a_wolf_come_first(self) -> None:
        hand = "fire foil utensils wolf meat sauce bear"
        assert play(hand) == parse_move("lay supplies")

    def test_the_wolf_goes_to_the_kind_that_is_missing(self) -> None:
        hand = "fire foil meat sauce wolf bear"
        supplies, gourmet = (meld_of(0, cards) for cards in ("fire foil wolf", "meat sauce wolf"))
        assert play(hand, melds=[supplies]) == parse_move("lay gourmet seasoning")
        assert play(hand, melds=[gourmet]) == parse_move("lay supplies utensils")

    def test_three_animals_without_the_wolf(self) -> None:
        assert play("lion bear coyote wolf meat") == parse_move("lay_animals lion bear coyote")

    def test_animals_are_added(self) -> None:
        own = [meld_of(0, "lion bear coyote")]
        assert play("alligator meat foil", melds=own) == parse_move("add alligator")

    def test_the_only_animals_meld_stays_free_of_wolves_but_in_the_last_turn(self) -> None:
        own = [meld_of(0, "lion bear coyote")]
        hand = "wolf meat foil"
        assert play(hand, melds=own)["move"] == "discard"
        last = play(hand, melds=own, stock="", rest="discard")
        assert last == parse_move("add wolf")

    def test_a_pileup_beside_the_piggies(self) -> None:
        hand = "oinky oinky oinky oinky pinky stinky meat foil"
        table = make_table(phase="play", hands={0: hand}, piggy_pileup=True, episode="deal")
        game = game_of(**table["options"])
        state = game.from_table(table)
        for text in ("lay piggies", "lay_pileup oinky"):
            move = game.move(state, game.scripted(state))
            assert move == parse_move(text)
            game.play(state, move)


class TestTheEnd:
    HAND = "fire foil utensils meat"

    def test_it_goes_out_when_it_can(self) -> None:
        assert play(self.HAND) == parse_move("lay supplies")

    def test_it_does_not_let_another_win(self) -> None:
        whole: dict[str, Any] = {"episode": "game", "num_players": 2}
        held = play(self.HAND, scores=[10, 70], **whole)
        assert held["move"] == "discard", "three cards in hand would end the deal, and the game"
        wins = play(self.HAND, scores=[70, 10], **whole)
        assert wins == parse_move("lay supplies")


class TestDiscarding:
    def test_what_melds_need_stays(self) -> None:
        assert play("fire foil meat sauce sauce") == parse_move("discard sauce")

    def test_a_wolf_stays_while_there_is_another_card(self) -> None:
        assert play("wolf meat") == parse_move("discard meat")
        assert play("wolf") == parse_move("discard wolf")

    def test_the_next_player_does_not_get_what_he_collects(self) -> None:
        changes: dict[str, Any] = {"hands": {1: "seasoning sauce ..."}}
        hand = "meat straw"
        assert play(hand, **changes, known={1: "seasoning sauce"}) == parse_move("discard straw")
        assert play(hand, **changes) == parse_move("discard meat")

    def test_the_card_just_taken_does_not_go_back_where_that_is_forbidden(self) -> None:
        hand = "meat fire foil"
        assert play(hand, taken="meat") == parse_move("discard meat")
        assert play(hand, taken="meat", return_discard=False) != parse_move("discard meat")


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_its_moves_are_legal_under_all_rules(options: dict[str, Any]) -> None:
    game = game_of(**options)
    play_out(game, range(game.num_players), GAMES)
    play_out(game_of(**options), [0], GAMES)


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_it_beats_random_play_by_far(num_players: int) -> None:
    options = {"num_players": num_players, "episode": "deal"}
    assert mean_pay(game_of(**options), GAMES) > 0.4, "eight points a deal"
