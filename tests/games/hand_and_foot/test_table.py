"""Tables, views, moves, sentences, text and picture of Hand & Foot Canasta."""

import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from kitchentable.engine.jit import COMPILED
from kitchentable.engine.reading import TableError
from kitchentable.games.hand_and_foot.state import ACTIONS
from tests.games.tampering import changed, check_spoiled

from .tables import make_table, parse_move
from .test_rules import NEEDED
from .walks import Seat, game_of, positions, state_at

Table = dict[str, Any]
MOVES = 1200 if COMPILED else 60


def opening_table() -> Table:
    """A seat about to open with the pile, other cards aside."""
    seat = Seat(hands={0: "8 8 A A A 4"}, discard="5 6 7 9 T J Q K A 8")
    seat.play("take_pile")
    return seat.table


def asking_table() -> Table:
    """A partner who is asked."""
    return make_table(phase="ask", in_foot=[0, 2], melds={0: NEEDED}, hands={0: "4 5"})


def test_every_action_is_a_move_and_back() -> None:
    game, state = state_at()
    moves = [game.move(state, action) for action in range(ACTIONS.size)]
    assert len({json.dumps(move) for move in moves}) == ACTIONS.size
    assert [game.action(state, move) for move in moves] == list(range(ACTIONS.size))


@pytest.mark.parametrize(
    "move",
    [
        {"move": "draw_stock"},
        {"move": "open_meld", "rank": "2", "wild": None},
        {"move": "open_meld", "rank": "8", "wild": "8"},
        {"move": "open_meld", "rank": "8"},
        {"move": "open_wild", "jokers": 4},
        {"move": "add", "card": "8", "meld": "9"},
        {"move": "add", "card": "8", "meld": "wild"},
        {"move": "add", "card": "2", "meld": "2"},
        {"move": "discard", "card": "3R"},
        {"move": "discard", "card": "8", "suit": "S"},
    ],
)
def test_a_move_that_does_not_exist_is_refused(move: Table) -> None:
    game, state = state_at()
    with pytest.raises(TableError):
        game.action(state, move)


WRONG: list[tuple[Callable[[], Table], str, Any, str]] = [
    (make_table, "minimum", 90, "minimum"),
    (make_table, "deal", 5, "deal"),
    (make_table, "capped", True, "capped"),
    (make_table, "turns", 0, "turns"),
    (make_table, "to_act", 1, "to_act"),
    (make_table, "kind", "start", "kind"),
    (make_table, "kind", "open", "kind"),
    (make_table, "begun", ["8"], "begun"),
    (make_table, "permission", "allow", "permission"),
    (make_table, "aside", ["8"], "aside"),
    (make_table, "red_threes", [11, 0], "red_threes"),
    (make_table, "red_threes", [0], "red_threes"),
    (make_table, "feet.0", [], "feet"),
    (make_table, "feet.1", ["4"], "feet"),
    (make_table, "known.0", ["3R"], "known"),
    (make_table, "discard", ["3R"], "discard"),
    (make_table, "stock", [], "stock"),
    (make_table, "melds", [[]], "melds"),
    (make_table, "melds.0", [{"rank": "8", "cards": ["8", "8"]}], "melds"),
    (make_table, "melds.0", [{"rank": "8", "cards": ["8", "8", "9"]}], "melds"),
    (make_table, "melds.0", [{"rank": "8", "cards": ["8", "2", "2"]}], "melds"),
    (make_table, "melds.0", [{"rank": "wild", "cards": ["2", "2", "8"]}], "melds"),
    (make_table, "phase", "ask", "to_act"),
    (opening_table, "aside", ["9", "9"], "aside"),
    (opening_table, "begun", [], "begun"),
    (opening_table, "kind", "add", "begun"),
    (opening_table, "phase", "draw", "kind"),
    (opening_table, "known.0", [], "aside"),
    (asking_table, "to_act", 0, "to_act"),
    (asking_table, "permission", "allow", "permission"),
]


@pytest.mark.parametrize(("make", "path", "value", "named"), WRONG)
def test_what_is_wrong_is_named(
    make: Callable[[], Table], path: str, value: Any, named: str
) -> None:
    table = make()
    game = game_of(**table["options"])
    game.from_table(table)
    with pytest.raises(TableError, match=named):
        game.from_table(changed(table, path, value))


def test_no_hand_has_a_red_three_and_none_is_empty() -> None:
    table = make_table()
    game, hands, stock = game_of(), table["hands"], table["stock"]
    swapped = {"hands": [["3R", *hands[0][1:]], *hands[1:]], "stock": [hands[0][0], *stock[1:]]}
    assert stock[0] == "3R"
    with pytest.raises(TableError, match=r"hands\[0\]"):
        game.from_table(table | swapped)
    with pytest.raises(TableError, match=r"hands\[0\]"):
        game.from_table(table | {"hands": [[], *hands[1:]], "stock": [*stock, *hands[0]]})


def test_melds_below_the_minimum_need_it_in_reach() -> None:
    least = {"minimums": [90, 90, 90, 90]}
    table = make_table(phase="play", hands={0: "A A A 4 5"}, melds={0: ["K K K"]}, **least)
    game = game_of(**table["options"])
    game.from_table(table)
    four = {"hands": [["4", "4", "5", "6", "8"], *table["hands"][1:]]}
    stock = [*table["stock"], "A", "A", "A", "5"]
    for card in ("4", "6", "8", "5"):
        stock.remove(card)
    with pytest.raises(TableError, match="reach"):
        game.from_table(table | four | {"stock": stock})
    view = game.view(game.from_table(table), 1)
    hands = [{"count": 1, "known": []}, *view["hands"][1:]]
    fuller = {"count": view["stock"]["count"] + 4, "known": []}
    with pytest.raises(TableError, match="reach"):
        game.from_view(view | {"hands": hands, "stock": fuller}, 0)


@pytest.mark.parametrize("make", [opening_table, asking_table])
def test_what_is_spoiled_is_refused_or_can_be_played(make: Callable[[], Table]) -> None:
    table = make()
    check_spoiled(game_of(**table["options"]), table)


SENTENCES = [
    ("draw_two", "Player 0 draws two cards."),
    ("take_pile", "Player 0 takes the discard pile and melds queens."),
    ("pass", "Player 0 passes."),
    ("ask_partner", "Player 0 asks whether to go out."),
    ("allow", "Player 0 says yes."),
    ("refuse", "Player 0 says no."),
    ("open_meld 6", "Player 0 begins a meld of sixes."),
    ("open_meld 8 JK", "Player 0 begins a meld of eights with a joker."),
    ("open_wild 1", "Player 0 begins a wild meld with 1 joker."),
    ("add A", "Player 0 adds an ace to the aces."),
    ("add 2 wild", "Player 0 adds a two to the wild cards."),
    ("discard 3B", "Player 0 discards a black three."),
]


@pytest.mark.parametrize(("text", "sentence"), SENTENCES)
def test_sentences(text: str, sentence: str) -> None:
    game, state = state_at(discard="4 Q")
    assert game.describe(state, parse_move(text)) == sentence


def test_text_and_picture_show_the_table_and_nothing_hidden() -> None:
    for number, (game, state) in enumerate(positions(8, MOVES // 2, 0.9)):
        if number % 10:
            continue
        seat = number % 4
        text, view = game.text(state, seat), game.view(state, seat)
        assert f"Hand of player {seat} " in text
        assert all(f"Hand of player {other} " not in text for other in range(4) if other != seat)
        root = ElementTree.fromstring(game.picture(state, seat))
        assert root.tag.endswith("svg") and "Hand & Foot" in root.attrib["aria-label"]
        assert str(view["minimum"]) in text and text.count("\n") > 8
        assert game.text(state) and game.picture(state)


def test_text_tells_of_the_turn() -> None:
    table = opening_table()
    game = game_of(**table["options"])
    text = game.text(game.from_table(table))
    assert "This turn begins melds (eights)." in text
    assert "Aside until the minimum is reached: 9 10 J Q K A." in text
