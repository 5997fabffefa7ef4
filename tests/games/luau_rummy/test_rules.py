"""The rules of Luau Rummy on the kernels: the worked examples by number, then rule by rule."""

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from kitchentable.engine.game import Game, IllegalMoveError
from kitchentable.engine.jit import COMPILED
from kitchentable.engine.options import OptionError
from kitchentable.engine.record import new_states
from kitchentable.games import spec
from kitchentable.games.luau_rummy.consistency import Fault, validate
from kitchentable.games.luau_rummy.pack import ANIMALS, CARDS, PILEUP, WOLF
from kitchentable.games.luau_rummy.rules import (
    ACTIONS,
    MAX_CARDS,
    MAX_MELDS,
    STATE,
    TRIOS,
    WOLF_PLACE,
    new_game,
)

from .tables import make_table, meld_of, parse_move

Table = dict[str, Any]

N_WALKS = 40 if COMPILED else 1
FIVE_KINDS = (
    "fire foil utensils",
    "seasoning sauce meat",
    "straw wood bricks",
    "oinky pinky stinky",
    "lion bear coyote",
)


@cache
def game_of(**options: Any) -> Game:
    return Game(spec("luau_rummy"), **options)


class Position:
    """A game in a position, played in words."""

    def __init__(self, **changes: Any) -> None:
        table = make_table(**({"episode": "deal"} | changes))
        self.game = game_of(**table["options"])
        self.state = self.game.from_table(table)
        self.rewards: list[float] = []

    @classmethod
    def playing(cls, hand: str, **changes: Any) -> "Position":
        """Seat 0 to play from a hand."""
        hands = {0: hand} | changes.pop("hands", {})
        return cls(**({"phase": "play", "hands": hands} | changes))

    def play(self, *texts: str) -> "Position":
        for text in texts:
            self.rewards = self.game.play(self.state, parse_move(text)).tolist()
            assert validate(self.state[0]) == Fault.NONE
        return self

    def is_legal(self, text: str) -> bool:
        return parse_move(text) in self.game.legal_moves(self.state)

    def legal(self, name: str) -> list[Table]:
        return [move for move in self.game.legal_moves(self.state) if move["move"] == name]

    def __getitem__(self, key: str) -> Any:
        return self.game.table(self.state)[key]


def melds_of(side: int, *cards: str) -> list[Table]:
    return [meld_of(side, text) for text in cards]


class TestWorkedExamples:
    def test_1_a_meld_with_one_wolf_but_not_two(self) -> None:
        position = Position.playing("straw wood wolf meat foil bear")
        position.play("lay materials bricks")
        assert position["melds"] == [meld_of(0, "straw wood wolf")]
        assert not Position.playing("straw wolf wolf meat foil bear").legal("lay")

    def test_2_a_wolf_for_any_of_the_three(self) -> None:
        lays = Position.playing("fire foil utensils wolf meat bear").legal("lay")
        wolves = [move["wolf"] for move in lays if move["kind"] == "supplies"]
        assert wolves == [None, "fire", "foil", "utensils"]
        assert not Position.playing("fire fire foil meat bear lion").legal("lay")

    def test_3_animals_grow_and_have_one_wolf(self) -> None:
        position = Position.playing("lion bear coyote wolf wolf meat")
        position.play("lay_animals lion bear wolf", "add coyote")
        assert position["melds"] == [meld_of(0, "lion bear coyote wolf")]
        assert not position.is_legal("add wolf")

    def test_4_equal_animals_and_what_is_no_meld(self) -> None:
        assert Position.playing("lion lion bear meat foil fire").is_legal(
            "lay_animals lion lion bear"
        )
        two_wolves = Position.playing("lion wolf wolf meat foil fire")
        assert not two_wolves.legal("lay_animals")
        assert not Position.playing("lion bear meat foil fire sauce").legal("lay_animals")
        gourmet = Position.playing("meat foil fire lion", melds=melds_of(0, "seasoning sauce meat"))
        assert not gourmet.legal("add")

    def test_5_additions_go_to_the_first_that_can_have_them(self) -> None:
        melds = melds_of(0, "lion bear wolf", "alligator coyote lion")
        position = Position.playing("bear wolf meat meat", melds=melds).play("add bear")
        assert position["melds"][0] == meld_of(0, "lion bear bear wolf")
        position.play("add wolf")
        assert position["melds"][1] == meld_of(0, "lion alligator coyote wolf")
        others = Position.playing("bear wolf meat", melds=melds_of(1, "alligator coyote lion"))
        assert not others.legal("add")

    def test_6_nothing_to_take_at_first(self) -> None:
        game = game_of()
        assert game.legal_moves(game.new(1)) == [{"move": "draw_stock"}]

    def test_7_going_out_by_laying(self) -> None:
        position = Position.playing(
            "fire foil utensils seasoning sauce meat",
            num_players=2,
            hands={1: "lion bear wood straw oinky"},
            melds=melds_of(1, "oinky pinky stinky"),
        ).play("lay supplies", "lay gourmet")
        assert (position["scores"], position["winners"]) == ([11, 3], [0])
        assert position.rewards == pytest.approx([8 / 20, -8 / 20])

    def test_8_going_out_by_the_discard_or_not(self) -> None:
        hand, others = "straw wood bricks meat", dict.fromkeys((1, 2, 3), "wood")
        out = Position.playing(hand, hands=others).play("lay materials", "discard meat")
        assert out["finished"] and out["scores"] == [3 + 3, 0, 0, 0]
        goes_on = Position.playing(hand, hands=others).play("discard meat")
        assert (goes_on["turn"], len(goes_on["hands"][0])) == (1, 3)

    def test_9_the_luau(self) -> None:
        melds = melds_of(
            0,
            "fire foil utensils",
            "seasoning meat wolf",
            "seasoning sauce meat",
            "straw wood bricks",
            "oinky pinky stinky",
            "lion alligator bear coyote",
        )
        for laid, score in ((melds, 19 + 10), ([melds[0], melds[1], *melds[3:]], 16 + 5)):
            position = Position.playing("foil foil", melds=laid, stock="", rest="discard")
            assert position.play("discard foil")["scores"][0] == score

    def test_10_the_last_card_of_the_stock(self) -> None:
        changes = {"num_players": 2, "stock": "meat", "rest": "discard"}
        hands = {0: "straw wood bricks foil foil", 1: "lion bear fire fire"}
        position = Position(hands=hands, **changes).play("draw_stock", "lay materials")
        assert position.play("discard foil")["scores"] == [3, 0]
        hands[0] = "straw wood bricks"
        out = Position(hands=hands, **changes).play("draw_stock", "lay materials", "discard meat")
        assert out["scores"] == [3 + 4, 0]

    def test_11_taking_the_pile_keeps_the_last_card_of_the_stock(self) -> None:
        position = Position(
            num_players=2, stock="meat", rest="discard", hands={0: "foil foil", 1: "lion bear"}
        ).play("take_pile", "discard foil")
        assert position.is_legal("draw_stock") and position.is_legal("take_pile")
        assert not position.play("take_pile", "discard lion")["finished"]

    def test_12_gifts_in_teams(self) -> None:
        hands = {1: "lion bear meat", 2: "fire fire", 3: "straw"}
        teams = Position.playing("foil", hands=hands, teams=True).play("discard foil")
        assert (teams["scores"], teams["winners"]) == ([4, 2], [0])
        assert teams.rewards == pytest.approx([0.1, -0.1, 0.1, -0.1])
        alone = Position.playing("foil", hands=hands).play("discard foil")
        assert alone["scores"] == [6, 0, 0, 0]

    def test_13_partners_share_their_melds(self) -> None:
        melds = melds_of(0, *FIVE_KINDS[:3], "lion bear coyote")
        position = Position(
            teams=True,
            phase="play",
            turn=2,
            melds=melds,
            hands={2: "alligator oinky pinky stinky foil fire"},
            stock="",
            rest="discard",
        ).play("add alligator", "lay piggies", "discard foil")
        assert position["scores"] == [16 + 10, 0]

    @pytest.mark.parametrize(
        ("totals", "winners"),
        [((52, 52, 47), None), ((60, 58, 61), [2]), ((50, 49, 12), [0]), ((49, 30, 12), None)],
    )
    def test_14_one_side_alone_in_the_lead(
        self, totals: tuple[int, ...], winners: list[int] | None
    ) -> None:
        position = Position.playing(
            "foil foil",
            num_players=3,
            episode="game",
            scores=list(totals),
            stock="",
            rest="discard",
        ).play("discard foil")
        assert position["winners"] == winners
        assert position["deal"] == (1 if winners else 2)

    def test_15_pileups(self) -> None:
        hand = "oinky oinky oinky oinky oinky wolf meat"
        plain = Position.playing(hand)
        assert not plain.legal("lay_pileup") and not plain.legal("add")
        position = Position.playing(hand, piggy_pileup=True)
        position.play("lay_pileup oinky", "add oinky", "add oinky")
        assert position["melds"] == [meld_of(0, " ".join(["oinky"] * 5))]
        assert not position.is_legal("add wolf")
        two = Position.playing("oinky oinky wolf meat", piggy_pileup=True)
        assert not two.legal("lay_pileup")
        again = Position.playing(
            "oinky oinky oinky meat", piggy_pileup=True, melds=melds_of(0, "oinky oinky oinky")
        )
        assert not again.legal("lay_pileup") and again.is_legal("add oinky")

    def test_16_the_card_just_taken(self) -> None:
        hands = {0: "foil foil fire lion bear"}
        free = Position(hands=hands, discard="meat").play("take_pile")
        assert free.is_legal("discard meat")
        changes: Table = {"discard": "meat", "return_discard": False}
        barred = Position(hands=hands, **changes).play("take_pile")
        assert not barred.is_legal("discard meat") and barred.is_legal("discard foil")
        assert Position(hands={0: "meat"}, **changes).play("take_pile").is_legal("discard meat")
        laid = Position(hands={0: "seasoning sauce meat lion"}, **changes)
        assert laid.play("take_pile", "lay gourmet").is_legal("discard meat")

    def test_17_what_all_know(self) -> None:
        position = Position(
            turn=1, discard="meat fire", hands={1: "lion bear coyote straw wood"}
        ).play("take_pile")
        view = position.game.view(position.state, 0)
        assert view["hands"][1] == {"count": 7, "known": ["fire", "meat"]}
        assert view["taken"] == "fire"
        position.play("discard fire")
        view = position.game.view(position.state, 0)
        assert view["hands"][1] == {"count": 6, "known": ["meat"]} and view["taken"] is None


class TestTheDeal:
    def test_five_cards_each_and_nothing_turned_up(self) -> None:
        for seats, cards in ((2, 54), (3, 108), (4, 108)):
            game = game_of(num_players=seats)
            table = game.table(game.new(seats))
            assert [len(hand) for hand in table["hands"]] == [5] * seats
            assert len(table["stock"]) == cards - 5 * seats and table["discard"] == []
            assert table["turn"] == (table["dealer"] + 1) % seats and table["turns"] == 1

    def test_the_packs(self) -> None:
        options = {"copies": 3, "animal_copies": 2, "wolves": 0}
        game = game_of(num_players=2, decks=2, **options)
        table = game.table(game.new(1))
        counts = Counter([*table["stock"], *table["hands"][0], *table["hands"][1]])
        assert counts == {card: 4 if card in CARDS[12:] else 6 for card in CARDS[:WOLF]}

    def test_a_record_full_of_rubbish_starts_afresh(self) -> None:
        states = new_states(STATE, 1)
        states.view(np.uint8)[:] = 77
        for option in spec("luau_rummy").options:
            option.store(states[0], game_of().options[option.name])
        game_of().spec.codec.store_options(states[0], game_of().options)
        states[0].reward_form, states[0].reward[:] = 0, 0
        states["rng"] = np.uint64(5)
        new_game(states[0])
        assert validate(states[0]) == Fault.NONE
        for name in ("scores", "points", "winners", "meld_side", "meld_kind", "meld_cards"):
            assert not states[0][name].any(), name

    def test_the_next_dealer_sits_to_the_left(self) -> None:
        position = Position.playing("foil", episode="game", dealer=3).play("discard foil")
        assert (position["deal"], position["dealer"], position["turn"]) == (2, 0, 1)
        assert (position["turns"], position["melds"], position["taken"]) == (1, [], None)


class TestEnds:
    def test_the_cap_of_a_deal(self) -> None:
        last = {"turn": 3, "turns": 240, "phase": "play"}
        position = Position(**last, hands={3: "foil fire"}).play("discard foil")
        assert position["finished"] and position["capped"]
        assert position["scores"] == [0, 0, 0, 0], "nobody is the ender"
        out = Position(**last, hands={3: "foil"}).play("discard foil")
        assert out["scores"][3] == 15 and not out["capped"]
        no_stock = Position(**last, hands={3: "foil fire"}, stock="", rest="discard")
        assert not no_stock.play("discard foil")["capped"]

    def test_the_cap_of_a_game(self) -> None:
        changes: Table = {"episode": "game", "deal": 30, "stock": "", "rest": "discard"}
        tied = Position.playing("foil foil", scores=[60, 60, 3, 4], **changes).play("discard foil")
        assert (tied["winners"], tied["capped"]) == ([0, 1], True)
        won = Position.playing("foil foil", scores=[60, 59, 3, 4], **changes).play("discard foil")
        assert (won["winners"], won["capped"]) == ([0], False)

    def test_a_wolf_added_later_spoils_the_better_luau(self) -> None:
        changes: Table = {"stock": "", "rest": "discard", "melds": melds_of(0, *FIVE_KINDS)}
        spoilt = Position.playing("wolf foil foil", **changes).play("add wolf", "discard foil")
        assert spoilt["scores"][0] == 16 + 5
        kept = Position.playing("wolf foil foil", **changes).play("discard foil")
        assert kept["scores"][0] == 15 + 10

    def test_a_pileup_is_not_piggies(self) -> None:
        melds = melds_of(0, *FIVE_KINDS[:3], FIVE_KINDS[4], "oinky oinky oinky")
        position = Position.playing(
            "foil foil", melds=melds, piggy_pileup=True, stock="", rest="discard"
        ).play("discard foil")
        assert position["scores"][0] == 15

    def test_winning_is_paid_at_the_end(self) -> None:
        table = make_table(phase="play", hands={0: "foil"}, episode="deal")
        game = Game(spec("luau_rummy"), reward="win", **table["options"])
        rewards = game.play(game.from_table(table), {"move": "discard", "card": "foil"})
        assert rewards.tolist() == pytest.approx([1, -1 / 3, -1 / 3, -1 / 3])


class TestOptions:
    @pytest.mark.parametrize(
        ("options", "name"),
        [
            ({"num_players": 3, "decks": 1}, "decks"),
            ({"num_players": 4, "decks": 1}, "decks"),
            ({"num_players": 2, "decks": 3}, "decks"),
            ({"num_players": 2, "teams": True}, "teams"),
            ({"num_players": 2, "piggy_pileup": True}, "piggy_pileup"),
            ({"num_players": 5}, "num_players"),
            ({"copies": 0}, "copies"),
            ({"wolves": 5}, "wolves"),
            ({"target": 0}, "target"),
        ],
    )
    def test_what_is_not_allowed_is_named(self, options: Table, name: str) -> None:
        with pytest.raises(OptionError, match=name):
            Game(spec("luau_rummy"), **options)

    def test_two_seats_have_one_pack_if_nothing_is_said(self) -> None:
        assert [game_of(num_players=n).options["decks"] for n in (2, 3, 4)] == [1, 2, 2]


def test_there_are_76_actions_and_30_trios() -> None:
    assert (ACTIONS.size, len(TRIOS), len(set(TRIOS))) == (76, 30, 30)
    assert [block.size for block in ACTIONS.blocks] == [1, 1, 16, 30, 3, 8, 17]


def test_an_illegal_move_is_refused() -> None:
    position = Position.playing("foil fire")
    with pytest.raises(IllegalMoveError, match="seat 0 may not play"):
        position.play("discard meat")


def test_a_hand_may_have_more_cards_than_a_byte_counts() -> None:
    """Two seats and the largest packs: nearly all cards can come into one hand."""
    most: Table = {"num_players": 2, "decks": 2, "animal_copies": 4, "wolves": 4}
    position = Position(
        **most, hands={1: "foil foil"}, discard="meat meat", stock="lion bear", rest=0
    )
    assert len(position["hands"][0]) == MAX_CARDS - 6
    position.play("take_pile")
    view = position.game.view(position.state, 1)
    assert view["hands"][0]["count"] == MAX_CARDS - 4
    assert position.game.view(position.game.from_view(view), 1) == view


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_stay_sound(seats: int) -> None:
    game = game_of(num_players=seats, teams=seats == 4, piggy_pileup=seats > 2, deal_cap=2)
    lots = np.random.default_rng(seats)
    for seed in range(N_WALKS):
        state = game.new(seed)
        while not game.is_finished(state):
            game.play(state, int(lots.choice(game.legal_actions(state))))
            assert validate(state[0]) == Fault.NONE
            assert state[0].n_melds <= MAX_MELDS


class TestValidate:
    """Each fault is found."""

    @pytest.mark.parametrize(
        ("field", "place", "value", "fault"),
        [
            ("decks", None, 1, Fault.OPTIONS),
            ("num_sides", None, 3, Fault.OPTIONS),
            ("deal", None, 31, Fault.OPTIONS),
            ("turns", None, 241, Fault.SEATS),
            ("to_act", None, 1, Fault.SEATS),
            ("n_melds", None, 46, Fault.SIZES),
            ("hand_size", 1, 7, Fault.HANDS),
            ("on_table", WOLF, 5, Fault.CARDS),
            ("known", (1, 0), 8, Fault.KNOWN),
            ("taken", None, WOLF, Fault.TAKEN),
            ("meld_cards", (0, WOLF_PLACE), 2, Fault.MELDS),
            ("meld_kind", 0, PILEUP, Fault.MELDS),
            ("laid", (0, ANIMALS), 2, Fault.LAID),
            ("pure", (0, ANIMALS), 2, Fault.LAID),
            ("pileups", (0, 1), 1, Fault.LAID),
            ("cards_laid", 0, 4, Fault.LAID),
        ],
    )
    def test_fault(self, field: str, place: Any, value: int, fault: Fault) -> None:
        position = Position.playing("foil fire", melds=melds_of(0, "lion bear coyote"))
        state = position.state[0]
        assert validate(state) == Fault.NONE
        if place is None:
            setattr(state, field, value)
        else:
            getattr(state, field)[place] = value
        assert validate(state) == fault
