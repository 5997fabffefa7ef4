"""Tables, views, moves, sentences, text and picture of Luau Rummy."""

import copy
import json
import random
from collections.abc import Callable
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

from kitchentable.engine.game import Game
from kitchentable.engine.jit import COMPILED
from kitchentable.engine.reading import TableError
from kitchentable.games.luau_rummy.pack import CARDS
from kitchentable.games.luau_rummy.rules import ACTIONS, Phase

from .tables import make_table, meld_of, parse_move
from .walks import OPTIONS, game_of, play_through

Table = dict[str, Any]

FEW = 60 if COMPILED else 15
"""Positions for what takes long without compiling."""


def state_at(**changes: Any) -> tuple[Game, Any]:
    table = make_table(**changes)
    game = game_of(**table["options"])
    return game, game.from_table(table)


@cache
def sampled_positions() -> list[tuple[Game, Any]]:
    """Positions from games under all rules, all endings among them."""
    chance = random.Random(5)
    positions = []
    for seed, options in enumerate(OPTIONS):
        for game, state in play_through(seed, 6, **options):
            positions.append((game, game.copy(state)))
    chance.shuffle(positions)
    return sorted(positions[:300], key=lambda position: not position[0].is_finished(position[1]))


def test_the_sample_has_everything() -> None:
    positions = sampled_positions()
    assert {int(state[0].phase) for _, state in positions} == set(map(int, Phase))
    kinds = {int(kind) for _, s in positions for kind in s[0].meld_kind[: s[0].n_melds]}
    assert kinds == set(range(6))


class TestTable:
    def test_cards_of_a_hand_may_stand_in_any_order(self) -> None:
        table = make_table()
        table["hands"][2].reverse()
        game = game_of(**table["options"])
        hand = game.table(game.from_table(table))["hands"][2]
        assert hand == table["hands"][2][::-1]


class TestMoves:
    def test_every_action_is_a_move_and_back(self) -> None:
        game, state = state_at(phase="play")
        moves = [game.move(state, action) for action in range(ACTIONS.size)]
        assert [game.action(state, move) for move in moves] == list(range(ACTIONS.size))
        assert len({json.dumps(move) for move in moves}) == ACTIONS.size
        assert all(game.describe(state, move) for move in moves)

    @pytest.mark.parametrize(
        ("move", "key"),
        [
            ({}, "move.move"),
            ({"move": "knock"}, "move.move"),
            ({"move": "draw_stock", "card": "meat"}, "move.card"),
            ({"move": "lay", "kind": "materials"}, "move.wolf"),
            ({"move": "lay", "kind": "materials", "wolf": "meat"}, "move.wolf"),
            ({"move": "lay", "kind": "materials", "wolf": ["wood"]}, "move.wolf"),
            ({"move": "lay", "kind": "animals", "wolf": None}, "move.kind"),
            ({"move": "lay", "kind": "pileup", "wolf": None}, "move.kind"),
            ({"move": "lay_animals", "cards": ["lion", "bear"]}, "move.cards"),
            ({"move": "lay_animals", "cards": ["bear", "lion", "wolf"]}, "move.cards"),
            ({"move": "lay_animals", "cards": ["lion", "wolf", "wolf"]}, "move.cards"),
            ({"move": "lay_animals", "cards": ["lion", "bear", "cat"]}, "move.cards[2]"),
            ({"move": "lay_pileup", "card": "meat"}, "move.card"),
            ({"move": "add", "card": "meat"}, "move.card"),
            ({"move": "discard", "card": "5H"}, "move.card"),
            ({"move": "discard"}, "move.card"),
        ],
    )
    def test_what_is_no_move_is_refused(self, move: Table, key: str) -> None:
        game, state = state_at(phase="play")
        with pytest.raises(TableError) as caught:
            game.play(state, move)
        assert f"'{key}'" in str(caught.value)

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ("draw_stock", "Player 0 draws from the stock."),
            ("take_pile", "Player 0 takes the discard pile (2 cards, meat on top)."),
            ("lay materials", "Player 0 lays materials: straw, wood and bricks."),
            ("lay materials wood", "Player 0 lays materials: straw, a wolf as wood and bricks."),
            ("lay_animals lion bear wolf", "Player 0 lays animals: lion, bear and wolf."),
            ("lay_pileup oinky", "Player 0 lays a pile-up of three oinky."),
            ("add alligator", "Player 0 adds an alligator to the animals."),
            ("add oinky", "Player 0 adds an oinky to the pile-up."),
            ("discard meat", "Player 0 discards meat."),
            ("discard wolf", "Player 0 discards a wolf."),
        ],
    )
    def test_sentences(self, text: str, sentence: str) -> None:
        game, state = state_at(discard="fire meat")
        assert game.describe(state, parse_move(text)) == sentence


Change = Callable[[Table], object]
MELD = {"side": 0, "kind": "animals", "cards": ["lion", "bear", "coyote"]}


def set_to(*path: Any) -> Change:
    """A change of what stands at a path of keys to the last argument."""

    def change(table: Table) -> None:
        *way, last, value = path
        place: Any = table
        for key in way:
            place = place[key]
        place[last] = value

    return change


def emptied(cards: list[str]) -> list[str]:
    """The cards of a list that has none from now on."""
    taken = list(cards)
    cards.clear()
    return taken


class TestRefusedTables:
    """Each with the key that is wrong."""

    BASE = make_table(
        phase="play",
        taken="meat",
        hands={0: "meat fire wolf"},
        melds=[meld_of(0, "lion bear coyote"), meld_of(1, "straw wood wolf")],
    )

    @pytest.mark.parametrize(
        ("change", "key"),
        [
            (set_to("deal", 31), "deal"),
            (set_to("turns", 241), "turns"),
            (set_to("scores", [0, 0, 0]), "scores"),
            (set_to("scores", [0, 0, 0, -1]), "scores"),
            (set_to("to_act", 2), "to_act"),
            (set_to("phase", "meld"), "phase"),
            (set_to("phase", "draw"), "taken"),
            (set_to("taken", "fire"), "taken"),
            (set_to("taken", "ham"), "taken"),
            (set_to("discard", ["ham"]), "discard[0]"),
            (set_to("known", 2, ["wolf"]), "known[2]"),
            (set_to("known", 2, "wolf"), "known[2]"),
            (lambda table: table["stock"].extend(emptied(table["hands"][1])), "hands[1]"),
            (set_to("hands", 1, {"count": 5, "known": []}), "hands[1]"),
            (set_to("stock", []), "stock"),
            (set_to("melds", 0, "side", 4), "melds[0].side"),
            (set_to("melds", 0, "kind", "zoo"), "melds[0].kind"),
            (set_to("melds", 0, "cards", ["lion", "bear"]), "melds[0].cards"),
            (set_to("melds", 0, "cards", ["bear", "lion", "coyote"]), "melds[0].cards"),
            (set_to("melds", 0, "cards", ["lion", "wolf", "wolf"]), "melds[0].cards"),
            (set_to("melds", 0, "cards", ["lion", "bear", "meat"]), "melds[0].cards[2]"),
            (set_to("melds", 1, "cards", ["straw", "straw", "wolf"]), "melds[1].cards"),
            (set_to("melds", 1, "cards", ["straw", "wood", "bricks", "wolf"]), "melds[1].cards"),
            (set_to("melds", 1, MELD | {"kind": "pileup"}), "melds[1].cards[0]"),
            (set_to("melds", 0, MELD | {"owner": 1}), "melds[0].owner"),
            (set_to("options", "wolves", 1), "options.wolves"),
            (set_to("extra", 1), "extra"),
        ],
    )
    def test_refused(self, change: Change, key: str) -> None:
        table = copy.deepcopy(self.BASE)
        game = game_of(**table["options"])
        game.from_table(table)
        change(table)
        with pytest.raises(TableError) as caught:
            game.from_table(table)
        assert f"'{key}'" in str(caught.value)

    def test_pileups_need_the_option_and_one_of_each_will_do(self) -> None:
        pileup = meld_of(0, "oinky oinky oinky")
        table = make_table(piggy_pileup=True, melds=[pileup])
        game_of(**table["options"]).from_table(table)
        table["options"]["piggy_pileup"] = False
        with pytest.raises(TableError, match=r"melds\[0\].kind"):
            game_of().from_table(table)
        twice = make_table(piggy_pileup=True, melds=[pileup])
        twice["melds"].append(pileup)
        for _ in range(3):
            twice["stock"].remove("oinky")
        with pytest.raises(TableError, match=r"melds\[1\].cards"):
            game_of(**twice["options"]).from_table(twice)

    @pytest.mark.parametrize(
        ("changes", "key"),
        [
            ({"winners": [0, 1]}, "winners"),
            ({"scores": [40, 9, 9, 9]}, "finished"),
            ({"hands": [["meat"], *[["fire"]] * 3]}, "hands[0]"),
            ({"taken": "meat"}, "taken"),
            ({"to_act": 0}, "to_act"),
        ],
    )
    def test_ends_that_are_none(self, changes: Table, key: str) -> None:
        table = make_table(
            finished=True,
            winners=[0],
            scores=[55, 9, 9, 9],
            hands={0: "", 1: "fire", 2: "fire", 3: "fire"},
        )
        game_of().from_table(table)
        for name, value in changes.items():
            if name == "hands":
                table["stock"].remove("meat")
            table[name] = value
        with pytest.raises(TableError) as caught:
            game_of().from_table(table)
        assert f"'{key}'" in str(caught.value)


class TestShown:
    def test_text_says_what_there_is(self) -> None:
        game, state = state_at(
            hands={0: "meat meat lion wolf straw", 1: "fire foil"},
            known={1: "fire"},
            discard="sauce oinky",
            melds=[meld_of(2, "lion bear wolf")],
        )
        text = game.text(state, 0)
        for words in (
            "Luau Rummy, deal 1, 50 or more win",
            "Player 0 is to draw from the stock, or take the pile (2 cards, oinky on top).",
            "Pile   2 cards, oinky on top: sauce, oinky",
            "player 2: animals  lion, bear, wolf",
            "gourmet    meat x2",
            "wild       wolf",
        ):
            assert words in text, text
        assert "foil" not in text

    def test_pictures_are_svg_and_show_every_card(self) -> None:
        for game, state in sampled_positions()[:FEW]:
            root = ElementTree.fromstring(game.picture(state, 0))
            assert root.tag.endswith("svg")
            uses = [node.get("href", "") for node in root.iter() if node.tag.endswith("use")]
            shown = {use.removeprefix("#luau-") for use in uses if use.startswith("#luau-")}
            view = game.view(state, 0)
            melds = {card for meld in view["melds"] for card in meld["cards"]}
            assert {*view["hands"][0], *melds} <= shown <= set(CARDS)

    def test_the_end_is_told(self) -> None:
        for game, state in sampled_positions():
            if game.is_finished(state):
                assert "The game is over: player" in game.text(state, 0)


@pytest.mark.parametrize("copies", [128, 130, 136])
def test_more_known_cards_than_a_byte_can_count(copies: int) -> None:
    game = game_of()
    table = game.table(game.new(1))
    table["known"][0] = ["fire"] * copies
    with pytest.raises(TableError, match="known"):
        game.from_table(table)
