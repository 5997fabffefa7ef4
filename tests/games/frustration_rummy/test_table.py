"""Tables, views, moves, sentences, text and picture of Frustration Rummy."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from kitchentable.engine.game import Game
from kitchentable.engine.options import OptionError
from kitchentable.engine.reading import TableError
from kitchentable.games import spec
from kitchentable.games.frustration_rummy.rules import ACTIONS, MAX_MELDS
from tests.games.tampering import changed, check_spoiled, naming, without_first

from .tables import (
    between_groups,
    make_table,
    parse_move,
    run_being_laid,
    run_of,
    set_being_laid,
    set_of,
)

Table = dict[str, Any]


@cache
def game_of(**options: Any) -> Game:
    return Game(spec("frustration_rummy"), **options)


def game_for(table: Table) -> Game:
    return game_of(**table["options"])


def many_melds() -> tuple[Game, Any]:
    """Sets and runs in turn, as many as the cards allow with two cards to lay off."""
    sets = [set_of(0, f"{rank}S {rank}S {rank}H") for rank in "A3456789TJQK"]
    sets += [set_of(1, f"{rank}D {rank}D {rank}C") for rank in "A3456789"]
    runs = [run_of(0, 10, "TC JC QC KC"), run_of(1, 10, "TD JD QD KD")]
    table = make_table(
        num_players=2, contract=1, phase="play", melds=[*sets, *runs], hands={0: "2S JK", 1: "2S"}
    )
    game = game_for(table)
    return game, game.from_table(table)


class TestMoves:
    def test_every_way_to_lay_off_has_a_move(self) -> None:
        game, state = many_melds()
        named = set()
        for meld in range(22):
            for way in range(12):
                action = ACTIONS.encode("lay_off", meld, way)
                move = game.move(state, action)
                if move["card"] is not None:
                    assert game.action(state, move) == action
                    named.add((meld, move["card"], move["end"]))
        sets, runs = 20 * (4 + 5), 2 * 2 * (1 + 5)
        assert len(named) == sets + runs

    @pytest.mark.parametrize(
        ("move", "key"),
        [
            ({}, "move.move"),
            ({"move": "buy"}, "move.move"),
            ({"move": "draw_stock", "card": "5H"}, "move.card"),
            ({"move": "open_set"}, "move.rank"),
            ({"move": "open_set", "rank": "2"}, "move.rank"),
            ({"move": "open_run", "suit": "s", "low": 3}, "move.suit"),
            ({"move": "open_run", "suit": "S", "low": 12}, "move.low"),
            ({"move": "discard", "card": "5X"}, "move.card"),
            ({"move": "lay_off", "card": "7S", "meld": 0}, "move.end"),
            ({"move": "lay_off", "card": "7S", "meld": 0, "end": "low"}, "move.end"),
            ({"move": "lay_off", "card": "8S", "meld": 0, "end": None}, "move.card"),
            ({"move": "lay_off", "card": "7S", "meld": 9, "end": None}, "move.meld"),
            ({"move": "lay_off", "card": "3C", "meld": 1, "end": "low"}, "move.card"),
            ({"move": "lay_off", "card": "JK", "meld": 1, "end": "top"}, "move.end"),
            ({"move": "lay_off", "card": "2S", "meld": 2, "end": "high"}, "move.end"),
        ],
    )
    def test_what_is_no_move_is_refused(self, move: Table, key: str) -> None:
        table = play_table()
        game = game_for(table)
        with pytest.raises(TableError, match=re.escape(f"'{key}'")):
            game.action(game.from_table(table), move)

    def test_lay_off_where_no_meld_is(self) -> None:
        table = draw_table()
        game = game_for(table)
        with pytest.raises(TableError, match=r"'move.meld' .* where there is none"):
            game.action(
                game.from_table(table), {"move": "lay_off", "card": "7S", "meld": 0, "end": None}
            )


def draw_table() -> Table:
    return make_table(known={2: "9H"}, hands={2: "9H ..."})


def play_table() -> Table:
    """Seat 0 is down and has taken the nine of hearts; seat 1 is down, too."""
    return make_table(
        contract=2,
        phase="play",
        melds=[
            set_of(0, "7H 7D JK"),
            run_of(0, 3, "3C 4C 2H 6C"),
            run_of(1, 11, "JD QD KD AD"),
            set_of(1, "KH KD KC"),
        ],
        hands={0: "9H 3S JK", 1: "8S"},
        known={0: "9H"},
        taken="9H",
    )


def set_table() -> Table:
    """Seat 0 lays a set of contract 2, its run laid already."""
    melds, building = [run_of(0, 5, "5C 6C 7C 8C")], set_being_laid("7", "7H JK", 0, 0)
    return make_table(contract=2, melds=melds, building=building, hands={0: "7D ..."})


def run_table() -> Table:
    """Seat 0 lays a run of nine."""
    hand = "8C 9C TC JC QC AS AH AD ..."
    return make_table(
        contract=14, building=run_being_laid("C", 4, "4C 2S 6C JK", 1, 0), hands={0: hand}
    )


def extra_table() -> Table:
    """Seat 0 lays an extra set."""
    melds = [set_of(0, f"{rank}S {rank}H {rank}D") for rank in "345"]
    return make_table(
        contract=1,
        melds=melds,
        building=set_being_laid("9", "9H", 0, 0),
        down=[True, False, False, False],
        hands={0: "9D 2C KS"},
    )


def between_table() -> Table:
    melds = [run_of(0, 5, "5C 6C 7C 8C")]
    return make_table(
        contract=2, melds=melds, building=between_groups(1, 0), hands={0: "7D 7S 7H ..."}
    )


def over_table() -> Table:
    melds = [set_of(0, f"{rank}S {rank}H {rank}D") for rank in "345"]
    table = make_table(contract=1, phase="play", melds=melds, hands={0: "8S"})
    game = game_for(table)
    state = game.from_table(table)
    game.play(state, {"move": "discard", "card": "8S"})
    assert game.is_finished(state)
    return {key: value for key, value in game.table(state).items() if key != "rng"}


TABLES: dict[str, Callable[[], Table]] = {
    "draw": draw_table,
    "play": play_table,
    "set": set_table,
    "run": run_table,
    "extra": extra_table,
    "between": between_table,
    "over": over_table,
}


REFUSED: list[tuple[str, str, Any, str]] = [
    # table, path, value, key in the error
    ("draw", "game", "canasta", "game"),
    ("draw", "options.deal", 3, "options"),
    ("draw", "options.last_contract", 0, "options"),
    ("draw", "deal", 67, "deal"),
    ("play", "deal", 2, "deal"),
    ("draw", "contracts", [1, 1, 1], "contracts"),
    ("draw", "contracts", [1, 1, 1, 15], "contracts"),
    ("play", "contracts", [2, 2, 2, 3], "contracts"),
    ("draw", "dealer", 4, "dealer"),
    ("draw", "to_act", 1, "to_act"),
    ("draw", "phase", "buy", "phase"),
    ("draw", "phase", "over", "phase"),
    ("draw", "turns", 241, "turns"),
    ("draw", "scores", [0, 0, 0, -5], "scores"),
    ("draw", "winners", [0], "winners"),
    ("draw", "stock[3]", "5X", "stock[3]"),
    ("draw", "stock", without_first, "stock"),
    ("draw", "hands[1]", None, "hands[1]"),
    ("draw", "hands[0]", without_first, "stock"),
    ("draw", "known[2]", ["9H", "9H", "9H"], "known[2]"),
    ("draw", "taken", "9H", "taken"),
    ("draw", "down", [False, False, False, 0], "down"),
    ("draw", "building", {"kind": None}, "building"),
    ("play", "taken", "8S", "taken"),
    ("play", "down[0]", False, "down[0]"),
    ("play", "melds[0].owner", 4, "melds[0].owner"),
    ("play", "melds[0].kind", "book", "melds[0].kind"),
    ("play", "melds[0].rank", "8", "melds[0].cards[0]"),
    ("play", "melds[0].rank", "2", "melds[0].rank"),
    ("play", "melds[0].cards", ["7H", "7D"], "melds[0].cards"),
    ("play", "melds[0].cards[1]", "2D", "melds[0].cards"),
    ("play", "melds[1].low", 4, "melds[1].cards[0]"),
    ("play", "melds[1].low", 12, "melds[1].low"),
    ("play", "melds[1].cards", ["3C", "4C", "2H"], "melds[1].cards"),
    ("play", "melds[1].cards", ["3C", "2D", "2H", "JK"], "melds[1].cards"),
    ("play", "melds[2].cards", ["JD", "QD", "KD", "AD", "2D"], "melds[2].cards"),
    ("play", "melds", lambda melds: melds * 10, "melds"),
    ("set", "building", None, "building"),
    ("set", "building.kind", 1, "building.kind"),
    ("set", "building.kind", None, "building.cards"),
    ("set", "building.rank", "9", "building.cards[0]"),
    ("set", "building.low", 7, "building.low"),
    ("set", "building.cards", ["7H", "JK", "JK"], "building.cards"),
    ("set", "building.sets_left", 1, "building.sets_left"),
    ("set", "phase", "play", "building"),
    ("run", "building.low", 7, "building.low"),
    ("run", "building.low", 5, "building.cards[0]"),
    ("run", "building.suit", "D", "building.cards[0]"),
    ("run", "building.sets_left", 0, "building.sets_left"),
    ("extra", "building.sets_left", 1, "building.sets_left"),
    ("extra", "down[0]", False, "building.sets_left"),
    ("between", "building.kind", "set", "building.rank"),
    ("between", "building.sets_left", 0, "building.sets_left"),
    ("over", "to_act", 0, "to_act"),
    ("over", "winners", [0, 1], "winners"),
    ("over", "finished", False, "phase"),
    ("over", "turn", 1, "hands[0]"),
]


class TestRefusals:
    @pytest.mark.parametrize("name", TABLES)
    def test_the_tables_themselves_pass(self, name: str) -> None:
        table = TABLES[name]()
        game = game_for(table)
        assert {**game.table(game.from_table(table)), "rng": 0} == {**table, "rng": 0}

    @pytest.mark.parametrize(("name", "path", "value", "key"), REFUSED)
    def test_the_key_is_named(self, name: str, path: str, value: Any, key: str) -> None:
        table = TABLES[name]()
        with pytest.raises(TableError, match=naming(key)):
            game_for(table).from_table(changed(table, path, value))

    @pytest.mark.parametrize("name", TABLES)
    def test_a_missing_key_is_named(self, name: str) -> None:
        table = TABLES[name]()
        game = game_for(table)
        for key in table:
            with pytest.raises(TableError, match=rf"'{key}' is missing"):
                game.from_table({k: v for k, v in table.items() if k != key})

    def test_sizes_of_hands(self) -> None:
        for name, seat in (("draw", 1), ("set", 0), ("between", 0), ("run", 0), ("extra", 1)):
            table = TABLES[name]()
            card = table["hands"][seat][0]
            wrong = changed(table, f"hands[{seat}]", without_first)
            wrong = changed(wrong, "stock", lambda stock, card=card: [*stock, card])
            with pytest.raises(TableError, match=re.escape(f"'hands[{seat}]'")):
                game_for(table).from_table(wrong)

    def test_a_group_of_a_contract_being_laid_has_its_size(self) -> None:
        table = set_table()
        wrong = changed(table, "melds[0].cards", ["5C", "6C", "7C", "8C", "9C"])
        wrong["stock"].remove("9C")
        with pytest.raises(TableError, match=re.escape("'melds[0].cards' must be 4 cards")):
            game_for(table).from_table(wrong)

    def test_an_extra_meld_leaves_a_card(self) -> None:
        table = extra_table()
        wrong = changed(table, "hands[0]", ["9D", "2C"])
        wrong = changed(wrong, "stock", lambda stock: [*stock, "KS"])
        with pytest.raises(TableError, match=re.escape("'hands[0]'")):
            game_for(table).from_table(wrong)

    def test_a_group_that_cannot_be_completed(self) -> None:
        table = extra_table()
        wrong = changed(table, "hands[0]", ["8D", "2C", "KS"])
        wrong = changed(wrong, "stock", lambda stock: ["9D", *(c for c in stock if c != "8D")])
        wrong["stock"] += ["8D"] * (table["stock"].count("8D") - 1)
        with pytest.raises(TableError, match="'building'"):
            game_for(table).from_table(wrong)

    def test_a_finished_game_was_won_or_reached_its_last_deal(self) -> None:
        table = over_table()
        table["options"] |= {"episode": "game", "deal": None}
        game = game_for(table)
        with pytest.raises(TableError, match="'deal'"):
            game.from_table(table)
        capped = table | {"capped": True, "deal": 66, "contracts": [2, 1, 2, 1]}
        with pytest.raises(TableError, match="'winners'"):
            game.from_table(capped)
        game.from_table(capped | {"winners": [0, 2]})
        game.from_table(table | {"contracts": [14, 1, 1, 1]})


class TestViewRefusals:
    @pytest.mark.parametrize(
        ("path", "value", "key"),
        [
            ("hands[1]", [], "hands"),
            ("hands[1].count", 12, "stock.count"),
            ("hands[2].known", [], "hands[2].known"),
            ("known[1]", ["3S"], "hands[1].known"),
            ("stock.known", ["3S"], "stock.known"),
            ("stock", [], "stock"),
        ],
    )
    def test_the_key_is_named(self, path: str, value: Any, key: str) -> None:
        table = draw_table()
        game = game_for(table)
        view = game.view(game.from_table(table), 0)
        with pytest.raises(TableError, match=naming(key)):
            game.from_view(changed(view, path, value))

    def test_another_seats_hand_can_complete_what_it_lays(self) -> None:
        for name in ("set", "run", "between", "extra"):
            table = TABLES[name]()
            game = game_for(table)
            view = game.view(game.from_table(table), 1)
            for seed in range(5):
                assert game.legal_actions(game.from_view(view, seed))

    def test_a_view_that_no_hand_can_complete(self) -> None:
        table = extra_table()
        game = game_for(table)
        view = game.view(game.from_table(table), 1)
        nines = [f"9{suit}" for suit in "SHDCSDC"]
        view["hands"][1] = [*nines, "KS", "KS", "KD", "KC", "KH", "QS"]
        assert game.legal_actions(game.from_view(game.view(game.from_table(table), 1)))
        with pytest.raises(TableError, match="'building'"):
            game.from_view(view)


class TestSpoiled:
    @pytest.mark.parametrize("name", TABLES)
    def test_it_is_refused_or_can_be_played(self, name: str) -> None:
        table = TABLES[name]()
        check_spoiled(game_for(table), table)


class TestOptions:
    def test_the_last_contract_does_not_come_before_the_first(self) -> None:
        assert game_of(start_contract=14)
        with pytest.raises(OptionError, match=r"option last_contract=3 .* start_contract=5"):
            game_of(start_contract=5, last_contract=3)

    def test_deal_needs_the_episode(self) -> None:
        with pytest.raises(OptionError, match="option deal=3"):
            game_of(deal=3)
        assert game_of(episode="deal", deal=3)

    def test_fr_16_deals_enough_for_every_contract(self) -> None:
        assert game_of().options["deal_cap"] == 14 * 4 + 10
        assert game_of(num_players=2, start_contract=13).options["deal_cap"] == 2 * 2 + 10


class TestSentences:
    @pytest.mark.parametrize(
        ("name", "move", "sentence"),
        [
            ("draw", "draw_stock", "Player 0 draws from the stock."),
            ("play", "lay_off 7S 0", "Player 0 lays off 7♠ on their own set of sevens."),
            ("play", "lay_off JK 3", "Player 0 lays off a joker on player 1's set of kings."),
            (
                "play",
                "lay_off TD 2 low",
                "Player 0 lays off 10♦ on the low end of player 1's run of diamonds (J-A).",
            ),
            ("play", "discard 3S", "Player 0 discards 3♠."),
            ("play", "open_set 6", "Player 0 begins a set of sixes."),
            ("play", "open_run H 1", "Player 0 begins a run of hearts from A♥ up."),
            ("set", "place 7D", "Player 0 adds 7♦ to the set of sevens."),
            ("run", "place 8C", "Player 0 adds 8♣ to the run of clubs."),
            ("run", "place 2D", "Player 0 adds 2♦ as 8♣ to the run of clubs."),
        ],
    )
    def test_a_sentence(self, name: str, move: str, sentence: str) -> None:
        table = TABLES[name]()
        game = game_for(table)
        assert game.describe(game.from_table(table), parse_move(move)) == sentence


class TestText:
    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("draw", "Player 0 is to draw from the stock, or take"),
            ("draw", "deal 1 of 66 at most; out on contract 14 wins"),
            ("draw", "1: 3 sets of 3"),
            ("play", "Player 0 is to lay off or meld, or discard."),
            ("set", "Player 0 lays the contract: set of sevens: 7♥ joker."),
            ("run", "run of clubs from 4♣: 4♣ 2♠ 6♣ joker, next 8♣; then 1 set."),
            ("extra", "Player 0 lays an extra meld: set of nines: 9♥."),
            ("between", "Player 0 lays the contract: 1 set to be laid."),
            ("over", "The game is over: player 0 won."),
        ],
    )
    def test_what_is_due(self, name: str, words: str) -> None:
        table = TABLES[name]()
        game = game_for(table)
        assert words in game.text(game.from_table(table), 2)

    def test_wild_cards_have_a_line_of_their_own(self) -> None:
        table = play_table()
        game = game_for(table)
        text = game.text(game.from_table(table), 0)
        assert text.endswith("Hand of player 0 (3 cards)\n  ♠  3\n  ♥  9\n  wild  joker")


class TestPicture:
    def test_hidden_cards_lie_face_down(self) -> None:
        table = draw_table()
        game = game_for(table)
        state = game.from_table(table)
        backs = game.picture(state, 0).count('fill="url(#back)"')
        assert backs - game.picture(state).count('fill="url(#back)"') == 3 * 13 - 1

    def test_most_melds_of_all(self) -> None:
        melds = [set_of(seat, f"{rank}S {rank}H {rank}D") for seat in (0, 1) for rank in "A34567"]
        assert len(melds) < MAX_MELDS
        table = make_table(contract=6, melds=melds, hands={0: "8S", 1: "8S"})
        game = game_for(table)
        assert "url(#back)" in game.picture(game.from_table(table), 0)
