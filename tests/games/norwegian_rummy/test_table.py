"""Tables, views, moves, sentences, text and picture of Norwegian Rummy."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from kitchentable.engine.game import Game
from kitchentable.engine.options import OptionError
from kitchentable.engine.reading import TableError
from kitchentable.games import spec
from kitchentable.games.norwegian_rummy.rules import ACTIONS
from tests.games.tampering import (
    changed,
    check_spoiled,
    first_to,
    moved,
    naming,
    without_first,
)

from .tables import make_table, parse_move, run_being_laid, run_of, set_of

Table = dict[str, Any]


@cache
def game_of(**options: Any) -> Game:
    return Game(spec("norwegian_rummy"), **options)


def game_for(table: Table) -> Game:
    return game_of(**table["options"])


def state_at(**changes: Any) -> tuple[Game, Any]:
    """A game and its state at a table of `make_table`."""
    table = make_table(**changes)
    game = game_for(table)
    return game, game.from_table(table)


class TestTable:
    def test_a_hand_may_stand_in_any_order(self) -> None:
        table = make_table()
        table["hands"][2].reverse()
        game = game_for(table)
        hand = game.table(game.from_table(table))["hands"][2]
        assert hand == table["hands"][2][::-1]


class TestViewHides:
    def test_only_counts_and_what_all_have_seen(self) -> None:
        game, state = state_at(known={2: "9H"}, hands={2: "9H ..."})
        view = game.view(state, 0)
        assert view["stock"] == {"count": 108 - 45, "known": []}
        assert view["hands"][2] == {"count": 11, "known": ["9H"]}
        assert view["hands"][1] == {"count": 11, "known": []}
        assert "rng" not in view

    def test_finished_tables_hide_as_well(self) -> None:
        table = over_table()
        game = game_for(table)
        view = game.view(game.from_table(table), 0)
        assert all(isinstance(hand, dict) for hand in view["hands"][1:])


def six_seats_down(contract: int, *kinds: str) -> tuple[Game, Any]:
    """Six seats down, each with groups of these kinds in this order; seat 2 moves."""
    runs = [f"5{suit} 6{suit} 7{suit} 8{suit}" for suit in "SHDC" * 3]
    suits_of_sets = ("S H D", "C S H", "D C S")
    sets = [
        " ".join(rank + suit for suit in suits.split())
        for rank in "A23TJQ"
        for suits in suits_of_sets
    ]
    melds = [
        run_of(seat, 5, runs.pop()) if kind == "run" else set_of(seat, sets.pop())
        for seat in range(6)
        for kind in kinds
    ]
    hands = {seat: f"4{'SHDC'[seat % 4]}" for seat in range(6)}
    return state_at(
        num_players=6, contract=contract, melds=melds, hands=hands, turn=2, phase="play"
    )


class TestMoves:
    def test_every_action_has_a_position(self) -> None:
        """Each number is a move where there is what it names, and comes back from it."""
        start = state_at()
        covered = set()
        for action in range(ACTIONS.size):
            name, values = ACTIONS.decode(action)
            game, state = start
            if name == "lay_off_set":
                game, state = sets_for_all()
            elif name == "lay_off_run":
                game, state = runs_for_all(*(("set", "run") if values[0] % 3 else ("run", "set")))
            elif name == "move_joker":
                game, state = joker_at(values[0], values[1] + 1)
            move = game.move(state, action)
            assert None not in [move.get("meld", 0), move.get("card", 0)], (action, move)
            assert game.action(state, move) == action, move
            covered.add(action)
        assert covered == set(range(ACTIONS.size))

    def test_melds_are_numbered_from_the_seat_that_acts(self) -> None:
        game, state = six_seats_down(4, "set", "set", "set")
        move = {"move": "lay_off", "card": "JK", "meld": 3 * 2 + 1, "end": None}
        assert ACTIONS.decode(game.action(state, move)) == ("lay_off_set", (1, 4))
        move["meld"] = 3 * 1 + 2
        assert ACTIONS.decode(game.action(state, move)) == ("lay_off_set", (5 * 3 + 2, 4))

    @pytest.mark.parametrize(
        ("move", "key"),
        [
            ({}, "move.move"),
            ({"move": "knock"}, "move.move"),
            ({"move": ["draw_stock"]}, "move.move"),
            ({"move": "draw_stock", "card": "5H"}, "move.card"),
            ({"move": "open_set"}, "move.rank"),
            ({"move": "open_set", "rank": "10"}, "move.rank"),
            ({"move": "open_run", "suit": "s", "low": 3}, "move.suit"),
            ({"move": "open_run", "suit": "S", "low": 12}, "move.low"),
            ({"move": "open_run", "suit": "S", "low": "3"}, "move.low"),
            ({"move": "discard", "card": "5X"}, "move.card"),
            ({"move": "discard", "card": {}}, "move.card"),
            ({"move": "lay_off", "card": "7S", "meld": 0}, "move.end"),
            ({"move": "lay_off", "card": "7S", "meld": 0, "end": "low"}, "move.end"),
            ({"move": "lay_off", "card": "8S", "meld": 0, "end": None}, "move.card"),
            ({"move": "lay_off", "card": "7S", "meld": 9, "end": None}, "move.meld"),
            ({"move": "lay_off", "card": "7S", "meld": True, "end": None}, "move.meld"),
            ({"move": "lay_off", "card": "6C", "meld": 1, "end": "high"}, "move.card"),
            ({"move": "lay_off", "card": "JK", "meld": 1, "end": "top"}, "move.end"),
            ({"move": "lay_off", "card": "JK", "meld": 1, "end": "low"}, "move.end"),
            ({"move": "move_joker", "card": "2D", "meld": 0, "end": "low"}, "move.meld"),
            ({"move": "move_joker", "card": "2D", "meld": 1, "end": "low"}, "move.card"),
            ({"move": "move_joker", "card": "JK", "meld": 1, "end": "low"}, "move.card"),
            ({"move": "move_joker", "card": "2C", "meld": 1, "end": None}, "move.end"),
            ({"move": "move_joker", "card": "2C", "meld": 3, "end": "low"}, "move.meld"),
        ],
    )
    def test_what_is_no_move_is_refused(self, move: Table, key: str) -> None:
        game, state = state_at(
            contract=2,
            melds=[
                set_of(0, "7H 7D 7C"),
                run_of(0, 1, "AC 2C JK 4C"),
                set_of(1, "9H 9D 9C"),
                run_of(1, 1, "AH 2H JK 4H"),
            ],
            hands={0: "7S 2S", 1: "3S"},
            phase="play",
        )
        with pytest.raises(TableError, match=re.escape(f"'{key}'")):
            game.action(state, move)

    def test_lay_off_where_no_meld_is(self) -> None:
        game, state = state_at()
        with pytest.raises(TableError, match=r"'move.meld' .* where there is none"):
            game.action(state, {"move": "lay_off", "card": "7S", "meld": 0, "end": None})


@cache
def sets_for_all() -> tuple[Game, Any]:
    return six_seats_down(4, "set", "set", "set")


@cache
def runs_for_all(first: str, last: str) -> tuple[Game, Any]:
    return six_seats_down(6, first, "run", last)


@cache
def joker_at(place: int, position: int) -> tuple[Game, Any]:
    """Seat 0 has two runs and a set; in group number `place`, a run, a joker at a position."""
    low = min(position, 11)
    clubs = ["A23456789TJQKA"[i] + "C" for i in range(low - 1, low + 3)]
    clubs[position - low] = "JK"
    run = run_of(0, low, " ".join(clubs))
    others = [set_of(0, "7H 7D 7S"), run_of(0, 2, "2H 3H 4H 5H")]
    melds = [*others[:place], run, *others[place:]]
    return state_at(contract=6, melds=melds, hands={0: "9S 9D"}, phase="play")


def draw_table() -> Table:
    return make_table(known={2: "9H"}, hands={2: "9H ..."})


def buy_table() -> Table:
    return make_table(phase="buy", discard="5C 9H")


def play_table() -> Table:
    """Seat 0 is down and has taken the nine of hearts; seat 1 is down, too."""
    return make_table(
        contract=2,
        phase="play",
        melds=[
            set_of(0, "7H 7D JK"),
            run_of(0, 6, "6C 7C JK 9C"),
            run_of(1, 11, "JD QD KD AD"),
            set_of(1, "KH KD KC"),
        ],
        hands={0: "9H 3S", 1: "8S"},
        known={0: "9H"},
        taken="9H",
    )


def set_table() -> Table:
    """Seat 0 lays a set, its run laid already."""
    building = {"kind": "set", "rank": "7", "cards": ["7H", "JK"], "sets_left": 0, "runs_left": 0}
    return make_table(
        contract=2, melds=[run_of(0, 5, "5C 6C 7C 8C")], building=building, hands={0: "7D ..."}
    )


def run_table() -> Table:
    """Seat 0 lays a run in contract 7."""
    hand = "TC 2H 3H 4H 5H AD 2D 3D 4D"
    return make_table(contract=7, building=run_being_laid(7, "7C 8C 9C", 0, 2), hands={0: hand})


def between_table() -> Table:
    building: Table = {"kind": None, "cards": [], "sets_left": 1, "runs_left": 0}
    return make_table(
        contract=2,
        melds=[run_of(0, 5, "5C 6C 7C 8C")],
        building=building,
        hands={0: "7D 7S 7H ..."},
    )


def over_table() -> Table:
    game, state = state_at(
        contract=1,
        phase="play",
        melds=[set_of(0, "7H 7D 7C"), set_of(0, "KH KD KC")],
        hands={0: "2S", 1: "3S ..."},
    )
    game.play(state, {"move": "discard", "card": "2S"})
    assert game.is_finished(state)
    return {key: value for key, value in game.table(state).items() if key != "rng"}


TABLES: dict[str, Callable[[], Table]] = {
    "draw": draw_table,
    "buy": buy_table,
    "play": play_table,
    "set": set_table,
    "run": run_table,
    "between": between_table,
    "over": over_table,
}


REFUSED: list[tuple[str, str, Any, str]] = [
    # table, path, value, key in the error
    ("draw", "game", "canasta", "game"),
    ("draw", "version", 99, "version"),
    ("draw", "options.decks", 1, "options.decks"),
    ("draw", "options.deal", 3, "options"),
    ("draw", "deal", 8, "deal"),
    ("draw", "deal", 2, "contract"),
    ("play", "deal", 2, "deal"),
    ("play", "contract", {"sets": 2, "runs": 0}, "contract"),
    ("draw", "contract.sets", 4, "contract.sets"),
    ("draw", "contract", {"sets": 2, "runs": 0, "melds": 2}, "contract.melds"),
    ("draw", "contract", [2, 0], "contract"),
    ("draw", "dealer", 4, "dealer"),
    ("draw", "turn", -1, "turn"),
    ("draw", "to_act", 1, "to_act"),
    ("draw", "to_act", None, "to_act"),
    ("draw", "phase", "knock", "phase"),
    ("draw", "phase", "over", "phase"),
    ("draw", "turns", 241, "turns"),
    ("draw", "turns", 0, "turns"),
    ("draw", "scores", [0, 0, 0], "scores"),
    ("draw", "scores", [0, 0, 0, -5], "scores"),
    ("draw", "finished", True, "phase"),
    ("draw", "winners", [0], "winners"),
    ("draw", "capped", 0, "capped"),
    ("draw", "stock", 63, "stock"),
    ("draw", "stock[3]", "5X", "stock[3]"),
    ("draw", "stock", without_first, "stock"),
    ("draw", "discard", [["5H"]], "discard[0]"),
    ("draw", "hands", lambda hands: hands[:3], "hands"),
    ("draw", "hands[1]", None, "hands[1]"),
    ("draw", "hands[1]", {"count": 11, "known": []}, "hands[1]"),
    ("draw", "known[2]", ["9H", "9H", "9H"], "known[2]"),
    ("draw", "known[2]", ["9"], "known[2][0]"),
    ("draw", "known[2]", "9H", "known[2]"),
    ("draw", "known", [[], [], []], "known"),
    ("draw", "taken", "9H", "taken"),
    ("draw", "down", [False, False, False, 0], "down"),
    ("draw", "down[1]", True, "down[1]"),
    ("draw", "buys_left", [3, 3, 3, 4], "buys_left"),
    ("draw", "buys_left", [3, 3, 3, 2], "hands[3]"),
    ("draw", "asked", [1], "asked"),
    ("draw", "building", {"kind": None}, "building"),
    ("buy", "asked", [1, 2], "asked"),
    ("buy", "asked", [], "asked"),
    ("buy", "asked", [2, 3], "asked"),
    ("buy", "to_act", 0, "to_act"),
    ("buy", "to_act", 2, "asked"),
    ("buy", "taken", "9H", "taken"),
    ("play", "taken", "8S", "taken"),
    ("play", "taken", "9", "taken"),
    ("play", "taken", {"card": "9H"}, "taken"),
    ("play", "asked", [1], "asked"),
    ("play", "down[0]", False, "down[0]"),
    ("play", "melds", {}, "melds"),
    ("play", "melds[0]", None, "melds[0]"),
    ("play", "melds[0].owner", 4, "melds[0].owner"),
    ("play", "melds[0].owner", 1, "melds[3].owner"),
    ("play", "melds[3].owner", 2, "down[1]"),
    ("play", "melds[0].kind", "run", "melds[0].suit"),
    ("play", "melds[0].kind", "book", "melds[0].kind"),
    ("play", "melds[0].rank", "8", "melds[0].cards[0]"),
    ("play", "melds[0].rank", 7, "melds[0].rank"),
    ("play", "melds[0].suit", "C", "melds[0].suit"),
    ("play", "melds[0].cards", ["7H", "7D"], "melds[0].cards"),
    ("play", "melds[0].cards[0]", "8H", "melds[0].cards[0]"),
    ("play", "melds[0].cards[0]", "JK", "melds[0].cards"),
    ("play", "melds[1].low", 7, "melds[1].cards[0]"),
    ("play", "melds[1].low", 12, "melds[1].low"),
    ("play", "melds[1].suit", "H", "melds[1].cards[0]"),
    ("play", "melds[1].cards", ["6C", "7C", "JK"], "melds[1].cards"),
    ("play", "melds[1].cards", ["6C", "7C", "9C", "JK"], "melds[1].cards[2]"),
    ("play", "melds[2].cards", ["JD", "QD", "KD", "AD", "2D"], "melds[2].cards"),
    ("set", "building", None, "building"),
    ("set", "building.kind", 1, "building.kind"),
    ("set", "building.kind", None, "building.cards"),
    ("set", "building.rank", "9", "building.cards[0]"),
    ("set", "building.rank", None, "building.rank"),
    ("set", "building.low", 7, "building.low"),
    ("set", "building.cards", ["7H", "JK", "JK"], "building.cards"),
    ("set", "building.sets_left", 1, "building.sets_left"),
    ("set", "building.runs_left", 1, "building.runs_left"),
    ("set", "building.runs_left", None, "building.runs_left"),
    ("set", "down[0]", True, "down"),
    ("set", "phase", "play", "building"),
    ("run", "building.low", 8, "building.cards[0]"),
    ("run", "building.low", 0, "building.low"),
    ("run", "building.suit", "D", "building.cards[0]"),
    ("run", "building.runs_left", 1, "building.runs_left"),
    ("run", "hands[0]", without_first, "stock"),
    ("between", "building.kind", "set", "building.rank"),
    ("between", "building.sets_left", 0, "building.sets_left"),
    ("between", "building.cards", ["7D"], "building.cards"),
    ("between", "building.rank", "7", "building.rank"),
    ("over", "to_act", 0, "to_act"),
    ("over", "winners", [0, 1], "winners"),
    ("over", "winners", None, "winners"),
    ("over", "winners", [0, 0], "winners"),
    ("over", "finished", False, "phase"),
    ("over", "taken", "7H", "taken"),
    ("over", "turn", 1, "hands[0]"),
]


class TestRefusals:
    @pytest.mark.parametrize("name", TABLES)
    def test_the_tables_themselves_pass(self, name: str) -> None:
        table = TABLES[name]()
        game = game_for(table)
        state = game.from_table(table)
        assert {**game.table(state), "rng": 0} == {**table, "rng": 0}

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

    def test_an_unknown_key_is_named(self) -> None:
        table = draw_table() | {"jokers": 4}
        with pytest.raises(TableError, match="'jokers' is unknown"):
            game_for(table).from_table(table)

    def test_a_surplus_card_is_named_where_it_lies(self) -> None:
        table = changed(draw_table(), "hands[2]", first_to("9S"))
        table = changed(table, "hands[3]", lambda cards: ["9S", "9S", *cards[2:]])
        with pytest.raises(TableError, match=r"'(hands|stock)\S+' must be another card .* 2 of 9S"):
            game_for(table).from_table(table)

    def test_a_missing_card_is_named(self) -> None:
        table = draw_table()
        lost = table["stock"].pop()
        with pytest.raises(TableError, match=f"1 cards lie nowhere, among them {lost}"):
            game_for(table).from_table(table)

    @pytest.mark.parametrize(
        ("buys_left", "size", "good"),
        [
            (3, 11, True),
            (3, 12, False),
            (3, 10, False),
            (1, 13, True),
            (1, 15, True),
            (1, 16, False),
        ],
    )
    def test_sizes_of_hands_not_down(self, buys_left: int, size: int, good: bool) -> None:
        table = changed(make_table(), "buys_left[3]", buys_left)
        while len(table["hands"][3]) < size:
            table["hands"][3].append(table["stock"].pop(0))
        while len(table["hands"][3]) > size:
            table["stock"].append(table["hands"][3].pop())
        game = game_for(table)
        if good:
            game.from_table(table)
        else:
            with pytest.raises(TableError, match=re.escape("'hands[3]'")):
                game.from_table(table)

    def test_a_whole_game_is_finished_with_its_last_deal(self) -> None:
        table = over_table()
        table["options"] |= {"episode": "game", "deal": None}
        with pytest.raises(TableError, match="'deal' must be 7 in a finished game"):
            game_for(table).from_table(table)

    def test_a_finished_deal_was_left_by_somebody_or_capped(self) -> None:
        table = moved(over_table(), "stock", "hands[0]")
        game = game_for(table)
        with pytest.raises(TableError, match=re.escape("'hands[0]' must be empty")):
            game.from_table(table)
        with pytest.raises(TableError, match=re.escape("'hands[0]' must be empty")):
            game.from_table(table | {"capped": True})
        game.from_table(table | {"capped": True, "turns": 240})

    def test_laying_begins_with_a_group(self) -> None:
        building: Table = {"kind": None, "cards": [], "sets_left": 2, "runs_left": 0}
        table = make_table(phase="play") | {"phase": "meld", "building": building}
        with pytest.raises(TableError, match=re.escape("'building.kind'")):
            game_for(table).from_table(table)

    @pytest.mark.parametrize("name", ["draw", "buy"])
    def test_nothing_is_taken_before_the_mover_plays(self, name: str) -> None:
        table = TABLES[name]()
        with pytest.raises(TableError, match="'taken' must be null but in"):
            game_for(table).from_table(table | {"taken": table["hands"][0][0]})

    def test_sizes_count_the_movers_draw_and_what_it_lays(self) -> None:
        for name in ("buy", "set", "run", "between"):
            table = TABLES[name]()
            for wrong in (
                moved(table, "hands[0]", "stock"),
                moved(table, "stock", "hands[0]"),
            ):
                with pytest.raises(TableError, match=re.escape("'hands[0]'")):
                    game_for(table).from_table(wrong)

    def test_a_seat_without_cards_would_be_out(self) -> None:
        table = moved(play_table(), "hands[1]", "stock")
        with pytest.raises(TableError, match=re.escape("'hands[1]'")):
            game_for(table).from_table(table)

    def test_nothing_to_buy(self) -> None:
        table = make_table(phase="buy")
        emptied = {"discard": [], "stock": [*table["stock"], *table["discard"]]}
        with pytest.raises(TableError, match="'discard'"):
            game_for(table).from_table(table | emptied)

    def test_nothing_to_draw(self) -> None:
        """One pack, of which two hands of 17 and three seats' melds leave nothing."""
        melds = [
            run_of(seat, low, " ".join("A23456789TJQKA"[i] + suit for i in range(low - 1, high)))
            for seat, suit, low, high in [(0, "S", 1, 13), (0, "H", 1, 6), (1, "H", 7, 13)]
        ]
        melds.append(run_of(1, 1, "AD 2D 3D 4D"))
        hands = {0: "5D 6D 7D 8D 9D TD JD QD KD JK JK", 1: "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC"}
        table = make_table(
            contract=3, num_players=2, decks=1, melds=melds, hands=hands, discard="KC"
        )
        table["buys_left"] = [0, 0]
        assert table["stock"] == []
        game = game_for(table)
        assert game.legal_moves(game.from_table(table)) == [{"move": "take_discard"}]
        full = [*table["hands"][1], "KC"]
        with pytest.raises(TableError, match="'discard'"):
            game.from_table(changed(table, "hands[1]", full) | {"discard": []})

    def test_a_contract_that_cannot_be_completed(self) -> None:
        table = set_table()
        sevens = [card for card in table["hands"][0] if card[0] == "7"]
        others = [card for card in table["stock"] if card[0] not in "7J"][: len(sevens)]
        for seven, other in zip(sevens, others, strict=True):
            table["hands"][0][table["hands"][0].index(seven)] = other
            table["stock"][table["stock"].index(other)] = seven
        with pytest.raises(TableError, match="'building'"):
            game_for(table).from_table(table)

    def test_contract_7_must_come_out_even(self) -> None:
        table = run_table()
        table["hands"][0][-1], table["stock"][-1] = table["stock"][-1], table["hands"][0][-1]
        with pytest.raises(TableError, match="'building'"):
            game_for(table).from_table(table)

    def test_the_ratio_is_an_option(self) -> None:
        two_jokers = set_of(0, "7H JK JK")
        melds = [two_jokers, set_of(0, "KH KD KC")]
        table = make_table(contract=1, melds=melds, hands={0: "2S"}, joker_ratio=False)
        game_for(table).from_table(table)
        strict = changed(table, "options.joker_ratio", True)
        with pytest.raises(TableError, match=re.escape("'melds[0].cards'")):
            game_for(strict).from_table(strict)


VIEWS_REFUSED: list[tuple[str, str, Any, str]] = [
    ("draw", "rng", "0" * 16, "rng"),
    ("draw", "hands[1]", [], "hands"),
    ("draw", "hands[0]", {"count": 11, "known": []}, "hands"),
    ("draw", "hands[0]", without_first, "stock.count"),
    ("draw", "hands[1]", None, "hands[1]"),
    ("draw", "hands[1].count", 12, "stock.count"),
    ("draw", "hands[1].count", "11", "hands[1].count"),
    ("draw", "hands[1].count", 127, "hands[1].count"),
    ("draw", "hands[2].known", [], "hands[2].known"),
    ("draw", "hands[2].known", ["9X"], "hands[2].known[0]"),
    ("draw", "hands[2].count", 0, "hands[2].count"),
    ("draw", "hands[2].rest", [], "hands[2].rest"),
    ("draw", "known[1]", ["2S"], "hands[1].known"),
    ("draw", "known[0]", ["2S", "2S", "2S"], "known[0]"),
    ("draw", "stock.count", 62, "stock.count"),
    ("draw", "stock.known", ["2S"], "stock.known"),
    ("draw", "stock", [], "stock"),
    ("buy", "asked", [1, 2], "asked"),
    ("over", "winners", [1], "winners"),
]


class TestViewRefusals:
    @pytest.mark.parametrize(("name", "path", "value", "key"), VIEWS_REFUSED)
    def test_the_key_is_named(self, name: str, path: str, value: Any, key: str) -> None:
        table = TABLES[name]()
        game = game_for(table)
        view = game.view(game.from_table(table), 0)
        with pytest.raises(TableError, match=naming(key)):
            game.from_view(changed(view, path, value))

    def test_sizes_are_checked_as_in_tables(self) -> None:
        game, state = state_at()
        view = changed(game.view(state, 0), "hands[1].count", 12)
        view = changed(view, "stock.count", lambda count: count - 1)
        with pytest.raises(TableError, match=re.escape("'hands[1]'")):
            game.from_view(view)

    def test_another_seats_hand_can_complete_what_it_lays(self) -> None:
        for name in ("set", "run", "between"):
            table = TABLES[name]()
            game = game_for(table)
            view = game.view(game.from_table(table), 1)
            for seed in range(5):
                assert game.legal_actions(game.from_view(view, seed))

    def test_a_view_that_no_hand_can_complete(self) -> None:
        table = set_table()
        game = game_for(table)
        view = game.view(game.from_table(table), 1)
        hand = ["7S", "7S", "7D", "7D", "7C", "7H", "JK", "JK", "JK", "2S", "3S"]
        view["hands"][1] = hand
        with pytest.raises(TableError, match="'building'"):
            game.from_view(view)

    def test_the_taken_card_is_in_the_movers_hand(self) -> None:
        table = play_table()
        game = game_for(table)
        view = game.view(game.from_table(table), 2)
        assert view["taken"] == "9H"
        with pytest.raises(TableError, match="'taken'"):
            game.from_view(view | {"taken": "7C", "hands": view["hands"]} | {"discard": ["7C"]})


class TestSpoiled:
    @pytest.mark.parametrize("name", TABLES)
    def test_it_is_refused_or_can_be_played(self, name: str) -> None:
        table = TABLES[name]()
        check_spoiled(game_for(table), table)


class TestOptions:
    def test_eleven_cards_each_and_one_more(self) -> None:
        assert game_of(num_players=4, decks=1)
        with pytest.raises(OptionError, match=r"option decks=1 .* 56 cards"):
            game_of(num_players=5, decks=1)

    def test_deal_needs_the_episode(self) -> None:
        with pytest.raises(OptionError, match="option deal=3"):
            game_of(deal=3)
        assert game_of(episode="deal", deal=3)

    def test_the_contract_drawn_is_in_the_table(self) -> None:
        game = game_of(episode="deal")
        tables = [game.table(game.new(seed)) for seed in range(40)]
        assert {table["options"]["deal"] for table in tables} == {None}
        assert {table["deal"] for table in tables} == {1}
        pairs = {(table["contract"]["sets"], table["contract"]["runs"]) for table in tables}
        assert len(pairs) == 7


class TestSentences:
    @pytest.mark.parametrize(
        ("name", "move", "sentence"),
        [
            ("draw", "draw_stock", "Player 0 draws from the stock."),
            ("buy", "buy", "Player 1 buys 9♥."),
            ("buy", "pass", "Player 1 does not buy 9♥."),
            ("play", "lay_off 7S 0", "Player 0 lays off 7♠ on their own set of sevens."),
            ("play", "lay_off JK 3", "Player 0 lays off a joker on player 1's set of kings."),
            (
                "play",
                "lay_off TD 2 low",
                "Player 0 lays off 10♦ on the low end of player 1's run of diamonds (J-A).",
            ),
            (
                "play",
                "move_joker 8C 1 high",
                "Player 0 puts 8♣ in the joker's place in their own run of clubs (6-9) "
                + "and moves the joker to the high end.",
            ),
            ("play", "discard 3S", "Player 0 discards 3♠."),
            ("set", "place 7D", "Player 0 adds 7♦ to the set of sevens."),
            ("run", "place TC", "Player 0 adds 10♣ to the run of clubs."),
            ("run", "place JK", "Player 0 adds a joker as 10♣ to the run of clubs."),
            ("run", "close", "Player 0 ends the run of clubs (7-9)."),
            ("between", "open_set K", "Player 0 begins a set of kings."),
            ("between", "open_set 6", "Player 0 begins a set of sixes."),
            ("between", "open_run H 1", "Player 0 begins a run of hearts from A♥ up."),
        ],
    )
    def test_a_sentence(self, name: str, move: str, sentence: str) -> None:
        table = TABLES[name]()
        game = game_for(table)
        assert game.describe(game.from_table(table), parse_move(move)) == sentence

    def test_taking_names_the_card(self) -> None:
        game, state = state_at(discard="5C TH")
        take = {"move": "take_discard"}
        assert game.describe(state, take) == "Player 0 takes 10♥ from the discard pile."


class TestText:
    def test_a_view_has_what_a_player_needs(self) -> None:
        table = play_table()
        game = game_for(table)
        text = game.text(game.from_table(table), 0)
        assert "1 set and 1 run" in text
        assert "Player 0 is to lay off, move a joker, or discard." in text
        assert re.search(r"1  player 0: run of clubs \(6-9\) +6♣ 7♣ joker 9♣", text)
        assert re.search(r"Hand of player 0 \(2 cards\)\n  ♠  3\n  ♥  9$", text)
        assert re.search(r"^ +2 +11 +no +3 +0$", text, re.MULTILINE)
        assert f"Stock    {len(table['stock'])} cards" in text

    def test_a_whole_table_shows_every_hand(self) -> None:
        game, state = state_at()
        text = game.text(state)
        assert all(f"Hand of player {seat} (11 cards)" in text for seat in range(4))

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("draw", "Player 0 is to draw from the stock, or take"),
            ("buy", "Player 1 may buy 9♥ or pass (player 0 moves)."),
            ("set", "Player 0 lays the contract: set of sevens: 7♥ joker."),
            ("run", "run of clubs from 7♣: 7♣ 8♣ 9♣, next 10♣; then 2 runs."),
            ("between", "Player 0 lays the contract: 1 set to be laid."),
            ("over", "The game is over: player 0 won."),
        ],
    )
    def test_what_is_due(self, name: str, words: str) -> None:
        table = TABLES[name]()
        game = game_for(table)
        assert words in game.text(game.from_table(table), 2)


class TestPicture:
    def test_hidden_cards_lie_face_down(self) -> None:
        game, state = state_at()
        backs = game.picture(state, 0).count('fill="url(#back)"')
        assert backs - game.picture(state).count('fill="url(#back)"') == 3 * 11
