"""Tables, views, moves, sentences, text and picture."""

import copy
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

from kitchentable.engine.game import Game
from kitchentable.engine.reading import TableError
from kitchentable.games import spec
from kitchentable.games.potter_rummy.words import sentence
from tests.games.tampering import changed, check_spoiled

from .tables import make_table, parse_move

Table = dict[str, Any]


@cache
def game_of(**options: Any) -> Game:
    return Game(spec("potter_rummy"), **options)


def read(table: Table) -> Any:
    return game_of(**table["options"]).from_table(table)


class TestTable:
    def test_cards_may_stand_in_any_order(self) -> None:
        table = make_table(sets={1: ["c1 signpost"]})
        jumbled = copy.deepcopy(table)
        jumbled["sets"][1][0].reverse()
        jumbled["hands"][0].reverse()
        game = game_of(**table["options"])
        assert game.table(read(jumbled))["sets"] == table["sets"]
        assert game.table(read(jumbled))["hands"] == table["hands"]


class TestView:
    def test_it_hides_all_but_what_all_have_seen(self) -> None:
        table = make_table(hands={2: "c9 ..."}, known={2: "c9"})
        view = game_of(**table["options"]).view(read(table), 0)
        assert view["stock"] == {"count": 44 - 25, "known": []}
        assert view["hands"][2] == {"count": 6, "known": ["c9"]}
        assert view["hands"][1] == {"count": 6, "known": []}

    def test_the_taken_card_is_in_the_movers_hand(self) -> None:
        table = make_table(turn=1, hands={1: "c9 ..."}, taken="c9")
        game = game_of(**table["options"])
        view = game.view(read(table), 0)
        view["known"][1] = view["hands"][1]["known"] = []
        assert "c9" in game.table(game.from_view(view, seed=1))["hands"][1]


class TestMoves:
    @pytest.mark.parametrize(
        ("move", "key"),
        [
            ({"move": "meld"}, "move"),
            ({"move": "lay", "card": "signpost", "size": 2, "signpost": False}, "card"),
            ({"move": "lay", "card": "c15", "size": 2, "signpost": False}, "card"),
            ({"move": "lay", "card": "c1", "size": 4, "signpost": False}, "size"),
            ({"move": "lay", "card": "c1", "size": 2, "signpost": 1}, "signpost"),
            ({"move": "add", "set": 2, "signpost": False}, "set"),
            ({"move": "substitute", "seat": 0, "set": 0}, "seat"),
            ({"move": "substitute", "seat": 4, "set": 0}, "seat"),
            ({"move": "substitute", "seat": 1, "set": 3}, "set"),
            ({"move": "take_back", "set": 3}, "set"),
            ({"move": "discard", "card": "JK"}, "card"),
            ({"move": "draw_stock", "card": "c1"}, "card"),
            ({"move": "discard"}, "card"),
        ],
    )
    def test_what_is_no_move_is_refused(self, move: Table, key: str) -> None:
        table = make_table()
        with pytest.raises(TableError, match=rf"'move\.{key}'"):
            game_of(**table["options"]).action(read(table), move)


SETS = {0: ["c1 c1", "c2 signpost"], 1: ["c5 c5 c5"]}
FINISHED: Table = {
    "finished": True,
    "winners": [0],
    "deal": 5,
    "scores": [30, 20, 20, 20],
    "sets": {0: ["c1 c1 c1", "c2 c2 c2"]},
    "hands": {0: ""},
}


def tables() -> dict[str, Table]:
    return {
        "running": make_table(sets=SETS, known={2: "c9"}, hands={2: "c9 ..."}),
        "taken": make_table(taken="c9", hands={0: "c9 ..."}),
        "finished": make_table(**FINISHED),
        "counters": make_table(scoring="counters"),
        "capped": make_table(
            episode="deal", finished=True, winners=[], capped=True, turns=240, sets=SETS
        ),
        "goal": make_table(win_rule=1, **FINISHED | {"deal": 2, "scores": [41, 3, 4, 5]}),
        "cap": make_table(win_rule=1, capped=True, deal_cap=3, **FINISHED | {"deal": 3}),
    }


@cache
def good_tables() -> dict[str, Table]:
    return tables()


REFUSED = [
    ("running", "to_act", 1, "to_act"),
    ("running", "deal", 6, "deal"),
    ("running", "turns", 241, "turns"),
    ("running", "scores", [1, 2, 3], "scores"),
    ("running", "discard", ["c99"], r"discard\[0\]"),
    ("running", "taken", "c9", "taken"),
    ("running", "sets.0.0", ["c1"], r"sets\[0\]\[0\]"),
    ("running", "sets.0.0", ["c1", "c3"], r"sets\[0\]\[0\]"),
    ("running", "sets.0.1", ["signpost", "signpost"], r"sets\[0\]\[1\]"),
    ("running", "sets.0", [["c1", "c1"]] * 4, r"sets\[0\]"),
    ("running", "sets.0", "c1", r"sets\[0\]"),
    ("running", "sets", [], "sets"),
    ("running", "known.2", ["c9", "c9", "c9"], r"known\[2\]"),
    ("running", "known.2", ["x"], r"known\[2\]\[0\]"),
    ("running", "hands.3", [], "stock"),
    ("running", "stock", [], "stock"),
    ("taken", "taken", "c14", "taken"),
    ("finished", "winners", [1], "winners"),
    ("finished", "winners", [], "winners"),
    ("finished", "deal", 4, "deal"),
    ("counters", "scores", [20, -1, 20, 20], "scores"),
    ("capped", "capped", False, "capped"),
    ("capped", "turns", 239, r"sets\[0\]"),
    ("capped", "winners", [0], "winners"),
    ("goal", "scores", [39, 3, 4, 5], "deal"),
    ("cap", "capped", False, "capped"),
    ("cap", "deal", 2, "deal"),
]


class TestRefusals:
    def test_the_tables_themselves_pass(self) -> None:
        for name, table in good_tables().items():
            game = game_of(**table["options"])
            assert game.table(read(table))["sets"] == table["sets"], name

    @pytest.mark.parametrize(("name", "path", "value", "key"), REFUSED)
    def test_the_key_is_named(self, name: str, path: str, value: Any, key: str) -> None:
        with pytest.raises(TableError, match=f"'{key}'"):
            read(changed(good_tables()[name], path, value))

    def test_missing_and_unknown_keys_are_named(self) -> None:
        table = good_tables()["running"]
        for key in table:
            short = {name: value for name, value in table.items() if name != key}
            if key != "options":
                with pytest.raises(TableError, match=f"'{key}'"):
                    read(short)
        with pytest.raises(TableError, match="'melds'"):
            read({**table, "melds": []})

    def test_the_sets_of_a_winner_are_no_running_deal(self) -> None:
        table = make_table(**FINISHED)
        running = {"finished": False, "winners": None, "phase": "act", "to_act": 0}
        with pytest.raises(TableError, match=r"'sets\[0\]'"):
            read({**table, **running})

    def test_a_turn_begins_with_a_card_on_the_pile(self) -> None:
        table = make_table()
        table["stock"] += table.pop("discard")
        with pytest.raises(TableError, match="'discard'"):
            read({**table, "discard": []})

    def test_six_cards_each(self) -> None:
        table = make_table()
        table["stock"].append(table["hands"][2].pop())
        with pytest.raises(TableError, match=r"'hands\[2\]'"):
            read(table)


class TestSpoiled:
    @pytest.mark.parametrize("name", tables())
    def test_it_is_refused_or_can_be_played(self, name: str) -> None:
        table = good_tables()[name]
        check_spoiled(game_of(**table["options"]), table)


class TestSentences:
    @pytest.mark.parametrize(
        ("move", "words"),
        [
            ("draw_stock", "draws from the stock"),
            ("take_discard", "takes an owl (c11) from the discard pile"),
            ("lay c3 3 true", "lays hedgehog + hedgehog + signpost (c3)"),
            ("lay c3 2 false", "lays hedgehog + hedgehog (c3)"),
            ("add 0 false", "adds the third card to rabbit + rabbit (c1)"),
            ("add 1 true", "adds a signpost to duck + signpost (c2)"),
            ("substitute 1 0", "swaps a card for the signpost in player 1's frog + frog + frog"),
            ("take_back 2", "takes back a set that is not there"),
            ("discard c7", "discards a cat (c7)"),
            ("discard signpost", "discards a signpost"),
        ],
    )
    def test_a_sentence(self, move: str, words: str) -> None:
        table = make_table(sets=SETS, discard="c11")
        assert sentence(table, 0, parse_move(move)).startswith(f"Player 0 {words}")


class TestTextAndPicture:
    def test_a_view_has_what_a_player_needs(self) -> None:
        table = make_table(sets=SETS, discard="c4 c11", hands={0: "c9 c10"}, scores=[7, 8, 9, 10])
        game = game_of(**table["options"])
        text = game.text(read(table), 0)
        for words in ("c11 owl", "beneath: c4 squirrel", "duck + signpost", "c9 badger, c10 pig"):
            assert words in text
        assert "Hand of player 1" not in text
        assert "Hand of player 1" in game.text(read(table))

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"win_rule": 1}, "up to 40 points"),
            ({"win_rule": 2, "scoring": "counters"}, "until a player has no counters left"),
            ({"deals": 3}, "deal 1 of 3"),
            ({"episode": "deal"}, "a single deal"),
        ],
    )
    def test_when_the_game_ends(self, options: Table, words: str) -> None:
        table = make_table(**options)
        assert words in game_of(**table["options"]).text(read(table))

    def test_every_card_has_a_face(self) -> None:
        table = make_table(num_players=12)
        svg = game_of(**table["options"]).picture(read(table))
        root = ElementTree.fromstring(svg)
        defined = {element.get("id") for element in root.iter()}
        used = {element.get("href", "").removeprefix("#") for element in root.iter()} - {""}
        assert used <= defined
        assert {f"face-c{number}" for number in range(1, 15)} | {"face-signpost"} <= defined
