"""The oracle of Luau Rummy against the worked examples of the rules and against itself."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from .oracle import (
    ANIMALS,
    NAMES,
    TRIPLES,
    WOLF,
    Card,
    Meld,
    Move,
    Options,
    Oracle,
    Table,
    assert_pack,
    new_deal_is_valid,
    sort_cards,
    view,
)
from .tables import (
    chance_after,
    deal_randomly,
    ends_deal,
    make_table,
    meld_of,
    options_of,
    parse_move,
    shuffled_deal,
)

NO_CHANCE: Table = {}
FOUR_KINDS = ["fire foil utensils", "seasoning sauce meat", "straw wood bricks", "lion bear coyote"]
"""The cards of a meld of every kind but piggies."""
PIGGIES_MELD = "oinky pinky stinky"


def oracle_at(**changes: Any) -> Oracle:
    """An oracle at a table of `make_table`; a deal unless said otherwise."""
    return Oracle.from_table(make_table(**({"episode": "deal"} | changes)))


def playing(hand: str, **changes: Any) -> Oracle:
    """An oracle where seat 0 is to play from a hand."""
    return oracle_at(
        **({"phase": "play"} | changes | {"hands": {0: hand} | changes.get("hands", {})})
    )


def play_all(oracle: Oracle, *texts: str) -> list[float]:
    """Plays moves without chance; the rewards of the last."""
    rewards: list[float] = []
    for text in texts:
        rewards = oracle.play(parse_move(text), NO_CHANCE)
    return rewards


def is_legal(oracle: Oracle, text: str) -> bool:
    """Whether a move in a few words is legal."""
    return parse_move(text) in oracle.legal_moves()


def legal(oracle: Oracle, name: str) -> list[Move]:
    """The legal moves of this name."""
    return [move for move in oracle.legal_moves() if move["move"] == name]


def melds_of(side: int, *cards: str) -> list[Table]:
    """Several melds of one side."""
    return [meld_of(side, text) for text in cards]


class TestWorkedExamples:
    def test_1_one_wolf(self) -> None:
        oracle = playing("straw wood wolf meat lion")
        assert legal(oracle, "lay") == [parse_move("lay materials bricks")]
        play_all(oracle, "lay materials bricks")
        assert oracle.table()["melds"] == [
            {"side": 0, "kind": "materials", "cards": ["straw", "wood", "wolf"]}
        ]
        assert oracle.hands[0] == ["meat", "lion"] and oracle.phase == "play"

    def test_1_two_wolves(self) -> None:
        assert legal(playing("straw wolf wolf meat lion"), "lay") == []

    def test_2_four_ways_to_lay(self) -> None:
        oracle = playing("fire foil utensils wolf")
        wolves = [move["wolf"] for move in legal(oracle, "lay")]
        assert wolves == [None, "fire", "foil", "utensils"]
        assert len(oracle.legal_moves()) == 4 + 4
        play_all(oracle, "lay supplies foil")
        assert oracle.hands[0] == ["foil"]
        assert [move["move"] for move in oracle.legal_moves()] == ["discard"]

    def test_2_three_different_cards(self) -> None:
        assert legal(playing("fire fire foil"), "lay") == []

    def test_3_additions_to_an_animals_meld(self) -> None:
        oracle = playing("lion bear coyote wolf wolf meat")
        play_all(oracle, "lay_animals lion bear wolf", "add coyote")
        assert oracle.melds[0].cards == ["lion", "bear", "coyote", "wolf"]
        assert oracle.hands[0] == ["meat", "wolf"] and not is_legal(oracle, "add wolf")

    def test_3_addition_on_a_later_turn(self) -> None:
        oracle = playing("coyote wolf meat", melds=melds_of(0, "lion bear wolf"))
        assert legal(oracle, "add") == [parse_move("add coyote")]

    def test_4_equal_animals(self) -> None:
        oracle = playing("lion lion bear meat")
        assert legal(oracle, "lay_animals") == [parse_move("lay_animals lion lion bear")]

    @pytest.mark.parametrize("hand", ["lion wolf wolf meat", "lion bear meat meat"])
    def test_4_no_animals_meld(self, hand: str) -> None:
        assert {move["move"] for move in playing(hand).legal_moves()} == {"discard"}

    def test_4_gourmet_never_grows(self) -> None:
        oracle = playing("meat wolf fire", melds=melds_of(0, "seasoning sauce meat"))
        assert legal(oracle, "add") == []

    def test_5_which_meld_gets_the_addition(self) -> None:
        melds = melds_of(0, "lion bear wolf", "alligator coyote lion")
        oracle = playing("bear wolf meat", melds=melds)
        play_all(oracle, "add bear", "add wolf")
        assert [meld.cards for meld in oracle.melds] == [
            ["lion", "bear", "bear", "wolf"],
            ["lion", "alligator", "coyote", "wolf"],
        ]

    def test_5_only_melds_of_the_own_side(self) -> None:
        oracle = playing("bear wolf meat", melds=melds_of(1, "lion alligator coyote"))
        assert legal(oracle, "add") == []

    def test_6_no_pile_on_the_first_turn(self) -> None:
        assert oracle_at().legal_moves() == [{"move": "draw_stock"}]

    def test_7_out_by_laying(self) -> None:
        oracle = playing(
            "fire foil utensils seasoning sauce meat",
            num_players=2,
            melds=melds_of(1, "straw wood bricks"),
        )
        play_all(oracle, "lay supplies")
        assert not oracle.finished
        rewards = play_all(oracle, "lay gourmet")
        assert oracle.scores == [11, 3] and rewards == [8 / 20, -8 / 20]
        assert oracle.winners == [0] and oracle.win_rewards == [1.0, -1.0]
        assert (oracle.phase, oracle.to_act, oracle.turn) == ("over", None, 0)
        assert oracle.legal_moves() == [] and not oracle.capped and oracle.discard == []

    def test_8_out_by_the_discard(self) -> None:
        oracle = playing("straw wood bricks meat", num_players=2)
        play_all(oracle, "lay materials", "discard meat")
        assert oracle.finished and oracle.scores == [3 + 5, 0] and oracle.discard == ["meat"]

    def test_8_discard_first(self) -> None:
        oracle = playing("straw wood bricks meat", num_players=2)
        play_all(oracle, "discard meat")
        assert (oracle.turn, oracle.to_act, oracle.phase, oracle.turns) == (1, 1, "draw", 2)
        assert oracle.hands[0] == ["straw", "wood", "bricks"]

    @pytest.mark.parametrize(("pure", "score"), [(True, 29), (False, 21)])
    def test_9_luau(self, pure: bool, score: int) -> None:
        cards = ["fire foil utensils", "sauce meat wolf", "straw wood bricks", PIGGIES_MELD]
        cards += ["lion alligator bear coyote"] + ["seasoning sauce meat"] * pure
        oracle = playing("fire meat", num_players=2, melds=melds_of(0, *cards), rest="discard")
        play_all(oracle, "discard fire")
        assert oracle.finished and oracle.scores == [score, 0]

    def test_10_the_stock_runs_out(self) -> None:
        oracle = oracle_at(
            num_players=2,
            stock="meat",
            rest="discard",
            hands={0: "straw wood bricks fire fire", 1: "fire foil foil utensils"},
            melds=[*melds_of(0, *FOUR_KINDS), *melds_of(1, "straw wood bricks")],
        )
        play_all(oracle, "draw_stock", "lay materials", "discard meat")
        assert oracle.finished and oracle.scores == [15, 3] and not oracle.capped

    def test_10_out_in_the_turn_of_the_last_card(self) -> None:
        oracle = oracle_at(
            num_players=2,
            stock="meat",
            rest="discard",
            hands={0: "straw wood bricks", 1: "fire foil foil utensils"},
            melds=melds_of(0, PIGGIES_MELD),
        )
        play_all(oracle, "draw_stock", "lay materials", "discard meat")
        assert oracle.finished and oracle.scores == [6 + 4, 0]

    def test_11_the_last_card_of_the_stock_stays(self) -> None:
        oracle = oracle_at(
            num_players=2, stock="meat", rest="discard", hands={0: "fire", 1: "foil"}
        )
        play_all(oracle, "take_pile", "discard fire")
        assert [move["move"] for move in oracle.legal_moves()] == ["draw_stock", "take_pile"]
        play_all(oracle, "take_pile", "discard foil")
        assert oracle.turn == 0 and oracle.stock == ["meat"] and not oracle.finished

    @pytest.mark.parametrize(
        ("teams", "scores"), [(True, [3 + 4, 3 + 2]), (False, [3 + 6, 3, 0, 0])]
    )
    def test_12_gifts_of_teams(self, teams: bool, scores: list[int]) -> None:
        melds = [*melds_of(0, PIGGIES_MELD), *melds_of(1, "straw wood bricks")]
        hands = {1: "fire foil lion", 2: "meat meat", 3: "bear"}
        oracle = playing("sauce", teams=teams, melds=melds, hands=hands)
        rewards = play_all(oracle, "discard sauce")
        assert oracle.scores == scores and oracle.winners == [0]
        if teams:
            assert rewards == [0.1, -0.1, 0.1, -0.1]
            assert oracle.win_rewards == [1.0, -1.0, 1.0, -1.0]

    def test_13_partners_share_melds(self) -> None:
        changes: Table = {"teams": True, "phase": "play", "melds": melds_of(0, "lion bear coyote")}
        oracle = oracle_at(**changes, turn=2, hands={2: "alligator meat"})
        play_all(oracle, "add alligator")
        assert oracle.melds[0].cards == ["lion", "alligator", "bear", "coyote"]
        assert legal(oracle_at(**changes, turn=1, hands={1: "alligator meat"}), "add") == []

    def test_13_luau_of_a_side(self) -> None:
        oracle = oracle_at(
            teams=True,
            turn=2,
            phase="play",
            stock="",
            rest="discard",
            melds=melds_of(0, *FOUR_KINDS),
            hands={2: "oinky pinky stinky meat fire"},
        )
        play_all(oracle, "lay piggies", "discard fire")
        assert oracle.scores == [15 + 10, 0]

    def test_14_equal_highest_totals(self) -> None:
        oracle = three_scores([47, 49, 44], [PIGGIES_MELD], [PIGGIES_MELD], [PIGGIES_MELD])
        assert oracle.scores == [52, 52, 47] and oracle.winners is None and oracle.deal == 8
        fourteen = [*FOUR_KINDS[:3], "lion lion alligator bear coyote"]
        oracle = three_scores([52, 52, 47], FOUR_KINDS[:2], FOUR_KINDS[:2], fourteen)
        assert oracle.scores == [60, 58, 61] and oracle.winners == [2]
        assert oracle.win_rewards == [-0.5, -0.5, 1.0] and not oracle.capped

    def test_14_just_fifty(self) -> None:
        oracle = three_scores([48, 49, 12])
        assert oracle.scores == [50, 49, 12] and oracle.winners == [0]
        oracle = three_scores([47, 30, 12])
        assert oracle.scores == [49, 30, 12] and oracle.winners is None and oracle.deal == 8

    def test_15_no_pile_up_without_the_option(self) -> None:
        oracle = playing("oinky oinky oinky meat")
        assert {move["move"] for move in oracle.legal_moves()} == {"discard"}

    def test_15_pile_up(self) -> None:
        hand = "oinky oinky oinky oinky oinky meat fire"
        oracle = playing(hand, piggy_pileup=True, stock="", rest="discard")
        assert legal(oracle, "add") == []
        play_all(oracle, "lay_pileup oinky")
        assert legal(oracle, "lay_pileup") == []
        play_all(oracle, "add oinky", "add oinky", "discard fire")
        assert oracle.table()["melds"] == [meld_of(0, "oinky oinky oinky oinky oinky")]
        assert oracle.melds[0].kind == "pileup" and oracle.scores[0] == 5

    def test_15_no_wolf_in_a_pile_up(self) -> None:
        oracle = playing("oinky oinky wolf meat", piggy_pileup=True)
        assert {move["move"] for move in oracle.legal_moves()} == {"discard"}
        oracle = playing("wolf pinky", piggy_pileup=True, melds=melds_of(0, "oinky oinky oinky"))
        assert legal(oracle, "add") == []

    def test_15_three_more_of_the_piggy(self) -> None:
        oracle = playing(
            "oinky oinky oinky meat", piggy_pileup=True, melds=melds_of(0, "oinky oinky oinky")
        )
        assert not is_legal(oracle, "lay_pileup oinky") and is_legal(oracle, "add oinky")

    def test_16_the_card_just_taken(self) -> None:
        changes: Table = {"turn": 1, "discard": "meat", "hands": {1: "fire foil meat sauce oinky"}}
        oracle = oracle_at(**changes)
        play_all(oracle, "take_pile", "discard meat")
        assert oracle.discard == ["meat"] and oracle.turn == 2 and oracle.taken is None
        oracle = oracle_at(**changes, return_discard=False)
        play_all(oracle, "take_pile")
        assert not is_legal(oracle, "discard meat") and len(legal(oracle, "discard")) == 4

    def test_16_nothing_but_meat(self) -> None:
        oracle = oracle_at(discard="meat", hands={0: "meat meat"}, return_discard=False)
        play_all(oracle, "take_pile")
        assert oracle.taken == "meat" and is_legal(oracle, "discard meat")

    def test_16_a_second_meat(self) -> None:
        oracle = oracle_at(
            discard="meat", hands={0: "seasoning sauce meat fire oinky"}, return_discard=False
        )
        play_all(oracle, "take_pile", "lay gourmet")
        assert oracle.taken is None and is_legal(oracle, "discard meat")

    def test_17_known_and_taken(self) -> None:
        oracle = oracle_at(turn=1, discard="meat fire")
        play_all(oracle, "take_pile")
        assert view(oracle.table(), 0)["hands"][1] == {"count": 7, "known": ["fire", "meat"]}
        assert oracle.taken == "fire" and oracle.discard == []
        play_all(oracle, "discard fire")
        assert view(oracle.table(), 0)["hands"][1] == {"count": 6, "known": ["meat"]}
        assert oracle.taken is None and view(oracle.table(), 0)["discard"] == ["fire"]


def three_scores(before: list[int], *laid: list[str]) -> Oracle:
    """Deal 7 of three players ends: seat 0 goes out by a discard, with two gifts; melds by side."""
    melds = [meld for side, texts in enumerate(laid) for meld in melds_of(side, *texts)]
    hands = {0: "sauce", 1: "fire", 2: "meat"}
    table = make_table(num_players=3, phase="play", deal=7, scores=before, melds=melds, hands=hands)
    oracle = Oracle.from_table(table)
    oracle.play(parse_move("discard sauce"), shuffled_deal(random.Random(3), table["options"]))
    return oracle


class TestDrawing:
    def test_top_of_the_stock_is_drawn_unseen(self) -> None:
        oracle = oracle_at(stock="fire meat", hands={0: "fire lion"})
        assert play_all(oracle, "draw_stock") == [0.0] * 4
        assert oracle.hands[0] == ["fire", "meat", "lion"] and oracle.stock[-1] == "fire"
        assert oracle.known[0] == [] and oracle.taken is None
        assert (oracle.phase, oracle.to_act, oracle.turns) == ("play", 0, 1)

    def test_lr_5_whole_pile_and_no_duty_to_lay(self) -> None:
        oracle = oracle_at(discard="wood straw bricks", hands={0: "wood"}, known={0: "wood"})
        play_all(oracle, "take_pile")
        assert oracle.known[0] == oracle.hands[0] == ["straw", "wood", "wood", "bricks"]
        assert oracle.taken == "bricks"
        play_all(oracle, "discard wood")
        assert oracle.known[0] == ["straw", "wood", "bricks"] and oracle.taken is None

    def test_lr_21_an_equal_card_laid_frees_the_name(self) -> None:
        oracle = oracle_at(discard="fire bear", hands={0: "lion coyote wolf meat"})
        play_all(oracle, "take_pile", "lay_animals lion coyote wolf")
        assert oracle.taken == "bear"
        play_all(oracle, "add bear")
        assert oracle.taken is None and oracle.known[0] == ["fire"]

    def test_unknown_cards_leave_known_alone(self) -> None:
        oracle = playing("fire meat meat lion", known={0: "meat lion"})
        play_all(oracle, "discard fire")
        assert oracle.known[0] == ["meat", "lion"]


class TestMoves:
    def test_seventy_six_moves(self) -> None:
        """One hand with three of everything, with and without melds to add to."""
        everything = " ".join(NAMES * 3)
        changes: Table = {"animal_copies": 4, "piggy_pileup": True, "discard": "meat"}
        pileups = [" ".join([card] * 3) for card in TRIPLES["piggies"]]
        found = Counter[str]()
        for melds in (melds_of(0, "lion lion lion", *pileups), []):
            oracle = playing(everything, **changes, melds=melds)
            assert len(oracle.legal_moves()) == len({repr(move) for move in oracle.legal_moves()})
            found |= Counter(move["move"] for move in oracle.legal_moves())
        found += Counter(move["move"] for move in oracle_at(**changes).legal_moves())
        assert found == {
            "draw_stock": 1,
            "take_pile": 1,
            "lay": 16,
            "lay_animals": 30,
            "lay_pileup": 3,
            "add": 8,
            "discard": 17,
        }
        assert found.total() == 76

    def test_no_discard_and_no_laying_before_drawing(self) -> None:
        oracle = oracle_at(hands={0: "straw wood bricks"}, discard="meat")
        assert {move["move"] for move in oracle.legal_moves()} == {"draw_stock", "take_pile"}
        with pytest.raises(AssertionError, match="not legal"):
            play_all(oracle, "discard wood")

    def test_lr_10_several_melds_of_a_kind(self) -> None:
        oracle = playing("straw wood bricks straw wood bricks meat", num_players=2)
        play_all(oracle, "lay materials", "lay materials")
        assert [meld.kind for meld in oracle.melds] == ["materials", "materials"]

    def test_lr_18_a_pile_up_of_each_piggy_and_side(self) -> None:
        melds = [*melds_of(0, "oinky oinky oinky"), *melds_of(1, "pinky pinky pinky")]
        hand = "pinky pinky pinky oinky oinky oinky meat"
        oracle = playing(hand, piggy_pileup=True, melds=melds)
        assert legal(oracle, "lay_pileup") == [parse_move("lay_pileup pinky")]
        assert legal(oracle, "add") == [parse_move("add oinky")]

    def test_lr_18_the_first_meld_is_no_pile_up(self) -> None:
        melds = melds_of(0, PIGGIES_MELD, "lion bear coyote", "stinky stinky stinky")
        oracle = playing("oinky stinky meat", piggy_pileup=True, melds=melds)
        play_all(oracle, "add stinky")
        assert [len(meld.cards) for meld in oracle.melds] == [3, 3, 4]
        assert legal(oracle, "add") == []


class TestEndOfDeal:
    def test_lr_11_out_by_an_addition(self) -> None:
        oracle = playing("wolf", num_players=2, melds=melds_of(0, "lion bear coyote"))
        play_all(oracle, "add wolf")
        assert oracle.finished and oracle.scores == [4 + 5, 0]

    def test_lr_12_laying_with_an_empty_stock_ends_nothing(self) -> None:
        oracle = playing("straw wood bricks meat", stock="", rest="discard")
        play_all(oracle, "lay materials")
        assert oracle.phase == "play" and not oracle.finished

    def test_lr_12_a_luau_without_an_ender(self) -> None:
        melds = [*melds_of(0, *FOUR_KINDS, PIGGIES_MELD), *melds_of(1, *FOUR_KINDS)]
        oracle = playing("fire meat", stock="", rest="discard", melds=melds, animal_copies=2)
        rewards = play_all(oracle, "discard fire")
        assert oracle.scores == [25, 12, 0, 0] and rewards[0] == pytest.approx((25 - 4) / 20)
        assert rewards[3] == pytest.approx((0 - 37 / 3) / 20) and not oracle.capped

    @pytest.mark.parametrize(("cards", "bonus"), [("wood bricks wolf", 5), ("pinky", 0)])
    def test_lr_15_and_lr_18_what_a_luau_wants(self, cards: str, bonus: int) -> None:
        """A kind with a wolf only; three pile-ups in place of the piggies."""
        if bonus:
            laid = ["fire foil utensils", "seasoning sauce meat", cards, PIGGIES_MELD]
        else:
            laid = [*FOUR_KINDS[:3], "oinky oinky oinky", "pinky pinky pinky"]
        laid.append("lion bear bear alligator")
        oracle = playing(
            "fire meat", stock="", rest="discard", piggy_pileup=True, melds=melds_of(0, *laid)
        )
        play_all(oracle, "discard fire")
        assert oracle.scores[0] == sum(len(text.split()) for text in laid) + bonus

    @pytest.mark.parametrize(("turns", "ends"), [(7, False), (8, True)])
    def test_lr_19_turn_cap(self, turns: int, ends: bool) -> None:
        melds = melds_of(1, "straw wood bricks")
        oracle = playing("fire meat", turns=turns, turn_cap=2, melds=melds)
        play_all(oracle, "discard fire")
        assert oracle.finished == oracle.capped == ends
        assert oracle.turns == 8 and oracle.turn == (0 if ends else 1)
        assert oracle.scores == ([0, 3, 0, 0] if ends else [0, 0, 0, 0])

    @pytest.mark.parametrize("changes", [{"hands": {0: "fire"}}, {"rest": "discard"}])
    def test_lr_19_other_ends_come_before_the_cap(self, changes: Table) -> None:
        oracle = oracle_at(
            **({"phase": "play", "turns": 4, "turn_cap": 1, "hands": {0: "fire meat"}} | changes)
        )
        play_all(oracle, "discard fire")
        assert oracle.finished and not oracle.capped

    def test_a_tie_in_a_single_deal(self) -> None:
        melds = [*melds_of(1, "straw wood bricks"), *melds_of(2, "straw wood bricks")]
        oracle = playing("fire meat", rest="discard", melds=melds)
        play_all(oracle, "discard fire")
        assert oracle.winners == [1, 2]
        assert oracle.win_rewards == pytest.approx([-1 / 3, 1 / 3, 1 / 3, -1 / 3])


class TestEndOfGame:
    def test_g_1_next_deal(self) -> None:
        table = make_table(phase="play", turn=2, deal=2, scores=[1, 2, 3, 4], capped=True, turns=9)
        table["hands"][2], table["stock"] = ["fire"], [*table["hands"][2], *table["stock"]]
        table["stock"].remove("fire")
        oracle = Oracle.from_table(table)
        after = shuffled_deal(random.Random(1), table["options"])
        rewards = oracle.play(parse_move("discard fire"), after)
        assert oracle.scores == [1, 2, 18, 4] and rewards[2] == 15 / 20
        assert oracle.win_rewards == [0.0] * 4
        assert (oracle.deal, oracle.dealer, oracle.turn, oracle.turns) == (3, 2, 3, 1)
        assert oracle.hands == after["hands"] and oracle.stock == after["stock"]
        assert oracle.discard == [] and oracle.melds == [] and oracle.capped
        new_deal_is_valid(oracle.table())

    def test_impossible_deals_are_refused(self) -> None:
        table = make_table(phase="play", hands={0: "fire"})
        move = parse_move("discard fire")
        after = shuffled_deal(random.Random(1), table["options"])
        six = [after["hands"][0] + after["stock"][:1], *after["hands"][1:]]
        for wrong, message in [
            ({"hands": six, "stock": after["stock"][1:]}, "cards are dealt"),
            ({"stock": after["stock"][1:]}, "missing"),
            ({"hands": [hand[::-1] for hand in after["hands"]]}, "not sorted"),
        ]:
            with pytest.raises(AssertionError, match=message):
                Oracle.from_table(table).play(move, after | wrong)

    @pytest.mark.parametrize(
        ("scores", "winners"), [([9, 9, 3], [0]), ([6, 9, 8], [1]), ([6, 8, 7], [0, 1])]
    )
    def test_lr_19_deal_cap(self, scores: list[int], winners: list[int]) -> None:
        oracle = oracle_at(
            episode="game",
            num_players=3,
            phase="play",
            deal=3,
            deal_cap=3,
            scores=scores,
            hands={0: "fire", 1: "meat", 2: "meat"},
        )
        play_all(oracle, "discard fire")
        assert oracle.finished and oracle.winners == winners and oracle.capped
        assert sum(oracle.win_rewards) == pytest.approx(0)

    def test_lr_17_a_winner_in_the_last_deal_is_not_capped(self) -> None:
        oracle = oracle_at(
            episode="game",
            num_players=2,
            phase="play",
            deal=3,
            deal_cap=3,
            scores=[45, 49],
            hands={0: "fire"},
        )
        play_all(oracle, "discard fire")
        assert oracle.scores == [50, 49] and oracle.winners == [0] and not oracle.capped

    def test_a_single_deal_looks_neither_at_target_nor_at_cap(self) -> None:
        oracle = playing("fire", num_players=2, target=1, deal_cap=1)
        play_all(oracle, "discard fire")
        assert oracle.finished and not oracle.capped

    def test_a_single_deal_is_won_by_its_own_score(self) -> None:
        oracle = playing("fire", num_players=2, scores=[0, 30])
        play_all(oracle, "discard fire")
        assert oracle.scores == [5, 30] and oracle.winners == [0]


class TestOptions:
    @pytest.mark.parametrize(
        "wrong",
        [
            {"num_players": 5},
            {"decks": 1, "num_players": 3},
            {"decks": 3},
            {"teams": True, "num_players": 3},
            {"piggy_pileup": True, "num_players": 2},
            {"copies": 0},
            {"animal_copies": 5},
            {"wolves": -1},
            {"target": 0},
            {"turn_cap": True},
            {"deal_cap": 0},
            {"return_discard": 1},
            {"episode": "round"},
        ],
    )
    def test_wrong_options(self, wrong: Table) -> None:
        with pytest.raises(AssertionError, match=next(iter(wrong))):
            Options(**options_of(**wrong))

    def test_lr_1_pack(self) -> None:
        assert len(Options(**options_of(num_players=2)).all_cards()) == 54
        cards = Options(**options_of(copies=1, animal_copies=3, wolves=0)).all_cards()
        assert Counter(cards)["lion"] == 6 and Counter(cards)["meat"] == 2 and WOLF not in cards


class TestNewDealIsValid:
    def test_random_deals_are_valid(self) -> None:
        generator = random.Random(1)
        for num_players in (2, 3, 4):
            new_deal_is_valid(deal_randomly(generator, num_players=num_players))

    @pytest.mark.parametrize(
        "changes",
        [
            {"game": "rummy"},
            {"turn": 1},
            {"to_act": None},
            {"phase": "play"},
            {"turns": 0},
            {"scores": [0, 0, 0, 5]},
            {"capped": True},
            {"deal": 31},
            {"known": [[], [], [], ["fire"]]},
            {"melds": melds_of(0, PIGGIES_MELD)},
            {"dealer": 4},
            {"taken": "fire"},
            {"winners": []},
            {"version": None},
            {"discard": ["fire"]},
            {"hands": [[], [], [], []]},
            {"secret": 1},
        ],
    )
    def test_wrong_keys_are_named(self, changes: Table) -> None:
        table = make_table()
        new_deal_is_valid(table)
        with pytest.raises((AssertionError, KeyError), match=next(iter(changes))):
            new_deal_is_valid(table | changes)

    def test_a_game_that_is_won_has_no_further_deal(self) -> None:
        new_deal_is_valid(make_table(deal=2, scores=[52, 52, 0, 0]))
        with pytest.raises(AssertionError, match="won"):
            new_deal_is_valid(make_table(deal=2, scores=[52, 51, 0, 0]))


class TestFromTable:
    @pytest.mark.parametrize(
        "changes",
        [
            {"hands": {1: ""}},
            {"stock": "", "rest": "discard"},
            {"known": {0: "fire"}, "hands": {0: "meat"}},
            {"taken": "fire", "hands": {0: "fire"}},
            {"melds": melds_of(0, "oinky oinky oinky")},
            {"melds": [{"side": 0, "kind": "animals", "cards": ["lion", "wolf", "wolf"]}]},
            {"melds": [{"side": 0, "kind": "gourmet", "cards": ["meat", "sauce", "wolf"]}]},
            {"melds": melds_of(0, *["oinky oinky oinky"] * 2), "piggy_pileup": True},
        ],
    )
    def test_impossible_tables_are_refused(self, changes: Table) -> None:
        key = next(key for key in changes if key not in ("hands", "phase") or len(changes) == 1)
        with pytest.raises(AssertionError, match=key):
            oracle_at(**changes)


class TestView:
    def test_g_7_hidden_cards(self) -> None:
        table = make_table(teams=True, known={2: "meat"}, hands={2: "meat ..."}, discard="fire")
        seen = view(table | {"rng": "0" * 16}, 0)
        assert seen["stock"] == {"count": 108 - 21, "known": []}
        assert seen["hands"][0] == table["hands"][0]
        assert seen["hands"][1] == {"count": 5, "known": []}
        assert seen["hands"][2] == {"count": 5, "known": ["meat"]}
        assert seen["discard"] == ["fire"] and seen["known"] == table["known"]
        assert "rng" not in seen and isinstance(table["stock"], list)

    def test_finished_table_and_empty_hands(self) -> None:
        oracle = playing("fire", known={0: "fire"})
        play_all(oracle, "discard fire")
        assert view(oracle.table(), 0)["hands"][0] == []
        assert view(oracle.table(), 1)["hands"][0] == {"count": 0, "known": []}
        assert view(oracle.table(), 0)["hands"][1] == {"count": 5, "known": []}


Outcome = tuple[tuple[Card, ...], tuple[tuple[str, bool, str], ...]]
"""A hand left, and of every meld all that counts: its kind, whether it has a wolf, its piggy."""


def outcome_of(hand: list[Card], melds: list[Meld]) -> Outcome:
    """The outcome of laying, without regard to which animals meld holds which animals."""
    kinds = [
        (meld.kind, WOLF in meld.cards, meld.cards[0] if meld.kind == "pileup" else "")
        for meld in melds
    ]
    return tuple(hand), tuple(sorted(kinds))


def outcomes_by_moves(oracle: Oracle) -> set[Outcome]:
    """What laying moves lead to, in any number and order, where a card is left."""
    found: set[Outcome] = set()
    waiting = [oracle]
    while waiting:
        here = waiting.pop()
        outcome = outcome_of(here.hands[0], here.melds)
        if outcome in found:
            continue
        found.add(outcome)
        for move in here.legal_moves():
            if move["move"] != "discard" and not ends_deal(here.table(), move):
                after = Oracle.from_table(here.table())
                after.play(move, NO_CHANCE)
                waiting.append(after)
    return found


def outcomes_naively(hand: list[Card], melds: list[Meld], kinds: list[str]) -> set[Outcome]:
    """The same from the definition of melds: of any size at once, additions to any meld."""
    found: set[Outcome] = set()
    waiting = [(hand, melds)]
    while waiting:
        here, laid = waiting.pop()
        outcome = outcome_of(here, laid)
        if not here or outcome in found:
            continue
        found.add(outcome)
        for chosen, melds_then in naive_steps(here, laid, kinds):
            waiting.append(
                (sort_cards(list((Counter(here) - Counter(chosen)).elements())), melds_then)
            )
    return found


def naive_steps(
    hand: list[Card], laid: list[Meld], kinds: list[str]
) -> Iterator[tuple[tuple[Card, ...], list[Meld]]]:
    """Every new meld and every addition of one card: the cards, and the melds after it."""
    piled = {meld.cards[0] for meld in laid if meld.kind == "pileup"}
    for size in range(3, len(hand) + 1):
        for cards in set(combinations(hand, size)):
            for kind in kinds:
                if is_meld(kind, cards) and not (kind == "pileup" and cards[0] in piled):
                    yield cards, [*laid, Meld(0, kind, list(cards))]
    for card in set(hand):
        for place, meld in enumerate(laid):
            larger = (*meld.cards, card)
            if meld.kind in ("animals", "pileup") and is_meld(meld.kind, larger):
                grown = Meld(0, meld.kind, sort_cards(list(larger)))
                yield (card,), [*laid[:place], grown, *laid[place + 1 :]]


def is_meld(kind: str, cards: tuple[Card, ...]) -> bool:
    """Whether these cards are a meld of this kind, said another way than in the oracle."""
    if kind == "pileup":
        return any(set(cards) == {piggy} for piggy in TRIPLES["piggies"])
    allowed = ANIMALS * len(cards) if kind == "animals" else TRIPLES[kind]
    missing = Counter(cards) - Counter(allowed)
    size_fits = len(cards) == 3 or (kind == "animals" and len(cards) > 3)
    return size_fits and missing in (Counter(), Counter([WOLF]))


class TestEveryMeldCanBeLaid:
    """The moves lead to every way of laying that the definition of melds allows, and no other."""

    @pytest.mark.parametrize("laid", [[], ["lion bear wolf", "lion alligator coyote"]])
    @pytest.mark.parametrize("piggy_pileup", [True, False])
    def test_random_hands(self, piggy_pileup: bool, laid: list[str]) -> None:
        generator = random.Random(5)
        kinds = [*TRIPLES, "animals", "pileup"][: 6 if piggy_pileup else 5]
        counts = []
        for _ in range(12):
            names = generator.choice([[*ANIMALS, WOLF], [*NAMES[9:12], "bear"], NAMES])
            hand = sort_cards([*generator.sample(names * 3, 7), WOLF])
            oracle = playing(
                " ".join(hand),
                piggy_pileup=piggy_pileup,
                melds=melds_of(0, *laid),
                animal_copies=4,
                wolves=4,
            )
            expected = outcomes_naively(hand, oracle.melds, kinds)
            assert outcomes_by_moves(oracle) == expected
            counts.append(len(expected))
        assert max(counts) > 20


def naive_points(table: Table, side: int) -> int:
    """A side's points in a single deal that is over, counted from the table it left."""
    own = [meld for meld in table["melds"] if meld["side"] == side]
    points = sum(len(meld["cards"]) for meld in own)
    pure = {meld["kind"] for meld in own if WOLF not in meld["cards"]} - {"pileup"}
    kinds = {meld["kind"] for meld in own} - {"pileup"}
    points += 10 if len(pure) == 5 else 5 if len(kinds) == 5 else 0
    sizes = [len(hand) for hand in table["hands"]]
    if 0 in sizes and table["options"]["teams"]:
        points += sizes[1 - side] + sizes[3 - side]
    elif 0 in sizes and side == sizes.index(0):
        points += sum(sizes)
    return points


def play_itself(generator: random.Random, start: Table, eager: float) -> Oracle:
    """Random moves to the end, the table checked after every one; `eager` is how often it lays."""
    oracle = Oracle.from_table(start)
    while not oracle.finished:
        moves = oracle.legal_moves()
        assert moves, oracle.table()
        move = choose(generator, moves, eager)
        table = oracle.table()
        rewards = oracle.play(move, chance_after(generator, table, move))
        after = oracle.table()
        assert_pack(after)
        assert Oracle.from_table(after).table() == after
        assert sum(rewards) == pytest.approx(0) == pytest.approx(sum(oracle.win_rewards))
        has_ended = oracle.deal != table["deal"] or oracle.finished
        assert has_ended == ends_deal(table, move)
        assert has_ended or (oracle.scores == table["scores"] and not any(rewards))
        if oracle.deal != table["deal"]:
            new_deal_is_valid(after)
    return oracle


def choose(generator: random.Random, moves: list[Move], eager: float) -> Move:
    """A random move, or one that lays cards, if there is one."""
    laying = [move for move in moves if move["move"].startswith(("lay", "add"))]
    return generator.choice(laying if laying and generator.random() < eager else moves)


def random_options(generator: random.Random, num_players: int) -> Table:
    """Options at random, without those that say how long a game is."""
    decks = 2 if num_players > 2 else generator.randint(1, 2)
    return {
        "num_players": num_players,
        "decks": decks,
        "teams": num_players == 4 and generator.random() < 0.5,
        "piggy_pileup": decks == 2 and generator.random() < 0.5,
        "copies": generator.randint(1, 4),
        "animal_copies": generator.randint(1, 4),
        "wolves": generator.randint(0, 4),
        "return_discard": generator.random() < 0.5,
    }


class TestSelfPlay:
    @pytest.mark.parametrize("num_players", [2, 3, 4])
    def test_single_deals(self, num_players: int) -> None:
        generator = random.Random(num_players)
        for number in range(40):
            options = random_options(generator, num_players)
            start = deal_randomly(
                generator, **options, episode="deal", turn_cap=generator.choice([1, 5, 60])
            )
            new_deal_is_valid(start)
            oracle = play_itself(generator, start, eager=number % 4 / 3)
            table = oracle.table()
            sides = range(len(oracle.scores))
            assert oracle.scores == [naive_points(table, side) for side in sides]
            best = max(oracle.scores)
            assert oracle.winners == [side for side in sides if oracle.scores[side] == best]
            assert oracle.deal == 1

    @pytest.mark.parametrize("num_players", [2, 3, 4])
    def test_games(self, num_players: int) -> None:
        generator = random.Random(10 + num_players)
        for number in range(6):
            options = random_options(generator, num_players)
            start = deal_randomly(
                generator, **options, deal_cap=generator.choice([1, 2, 30]), turn_cap=20
            )
            oracle = play_itself(generator, start, eager=number % 2)
            assert oracle.winners and (max(oracle.scores) >= 50 or oracle.capped)

    def test_deals_end_in_all_ways(self) -> None:
        generator = random.Random(0)
        ends = Counter[str]()
        for number in range(12):
            start = deal_randomly(generator, episode="deal", turn_cap=[4, 60][number % 2])
            oracle = play_itself(generator, start, eager=1)
            is_out = not all(oracle.hands)
            ends["out" if is_out else "capped" if oracle.capped else "stock"] += 1
        assert set(ends) == {"out", "capped", "stock"}
