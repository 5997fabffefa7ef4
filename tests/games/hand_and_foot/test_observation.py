"""What a seat sees, checked against a slow twin that knows only the view; and dealing anew."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kitchentable.engine.jit import COMPILED
from kitchentable.games.hand_and_foot.consistency import Fault, validate
from kitchentable.games.hand_and_foot.deck import COPIES, NAMES, RANKS, VALUES
from kitchentable.games.hand_and_foot.observation import LAYOUT, PRIVILEGED

from .oracle import Oracle, keeps_wild_rule
from .tables import make_table
from .test_rules import NEEDED, WILD_LACKING
from .walks import Seat, game_of, positions, state_at

Table = dict[str, Any]
Parts = dict[str, NDArray[np.float32]]
MELD_RANKS = [*RANKS, "wild"]
KINDS = ["clean", "dirty", "wild"]
MOVES = 2500 if COMPILED else 60
RARE: Table = {"wild_rule": "majority", "one_kind_per_turn": False, "need": [1, 1, 0]}


def split(floats: NDArray[np.float32], layout: Any) -> Parts:
    return {part.name: floats[layout.slice(part.name)].reshape(part.shape) for part in layout}


def counts(cards: list[str]) -> NDArray[np.float64]:
    held = Counter(cards)
    return np.array([held[name] for name in NAMES], float)


def one_hot(size: int, *places: int) -> NDArray[np.float64]:
    return np.array([float(place in places) for place in range(size)])


# --- the slow twin -----------------------------------------------------------------------


def seen_by_twin(view: Table, reach: float) -> Table:
    """The observation but for `reach`, worked out from the view alone."""
    viewer = next(seat for seat, hand in enumerate(view["hands"]) if isinstance(hand, list))
    seats = [(viewer + step) % 4 for step in range(4)]
    sides = [viewer % 2, 1 - viewer % 2]
    hand, options = counts(view["hands"][viewer]), view["options"]
    melds = [view["melds"][side] for side in sides]
    known = [counts(view["known"][seat]) for seat in seats]
    discard = view["discard"]
    seen = hand + counts(discard) + sum(known[1:])
    seen += counts([card for side in melds for meld in side for card in meld["cards"]])
    seen[0] += sum(view["red_threes"])
    canastas = [[kind_of(meld) for meld in side] for side in melds]
    held = np.array([[found.count(kind) for kind in KINDS] for found in canastas])
    lacking = np.maximum(0, np.array(options["need"]) - held)
    laid = np.array([sum(value(meld["cards"]) for meld in side) for side in melds])
    scores = [view["scores"][side] for side in sides]
    top = discard[-1] if discard else None
    return {
        **seen_of_melds(view, melds, sides, hand),
        "hand": hand / 8,
        "pairs": hand[2:13] >= 2,
        "sets": hand[2:13] >= 3,
        "wild": [(hand[13] + hand[14]) / 8],
        "hand_value": [value(view["hands"][viewer]) / 128],
        "aside": counts(view["aside"]) / 4,
        "top": one_hot(15, *([NAMES.index(top)] if top else [])),
        "top_held": [hand[NAMES.index(top)] / 4 if top and top in RANKS else 0],
        "with_top": counts(discard[-7:-1]) / 4,
        "beneath": [
            one_hot(15, *([NAMES.index(discard[-depth])] if len(discard) >= depth else []))
            for depth in range(2, 8)
        ],
        "pile": counts(discard) / 8,
        "unseen": (np.array(COPIES) - seen) / 16,
        "known": np.array(known[1:]) / 4,
        "canastas": held / 4,
        "lacking": lacking / 4,
        "lacking_in_all": lacking.sum(axis=1) / 4,
        "laid": laid / 2048,
        "open": laid >= view["minimum"],
        "minimum": [view["minimum"] / 128],
        "to_minimum": np.maximum(0, view["minimum"] - laid) / 128,
        "reach": [reach],
        "red_threes": [view["red_threes"][side] / 8 for side in sides],
        "hand_size": [size_of(view["hands"][seat]) / 16 for seat in seats],
        "in_foot": [view["feet"][seat] is None for seat in seats],
        "phase": one_hot(3, ["draw", "play", "ask", "over"].index(view["phase"])),
        "turn": one_hot(4, seats.index(view["turn"])),
        "to_act": one_hot(4, *([] if view["finished"] else [seats.index(view["to_act"])])),
        "kind": [view["kind"] == "start", view["kind"] == "add"],
        "permission": [view["permission"] == "allow", view["permission"] == "refuse"],
        "score": [(scores[0] - scores[1]) / 2048, scores[0] / 2048],
        "sizes": [view["stock"]["count"] / 128, len(discard) / 128],
        "deal": one_hot(4, view["deal"] - 1),
        "deals_left": [(4 - view["deal"]) / 4 if options["episode"] == "game" else 0],
        "options": [
            options["wild_rule"] == "majority",
            options["one_kind_per_turn"],
            *(n / 4 for n in options["need"]),
            options["partner_in_foot"],
            options["foot_red_three"] / 128,
            options["episode"] == "deal",
        ],
    }


def seen_of_melds(view: Table, melds: list[Any], sides: list[int], hand: Any) -> Table:
    """The parts that tell of melds by side and rank."""
    unclosed = np.zeros((2, 12, 2))
    parts = {name: np.zeros((2, 11)) for name in ("takes_wild", "fits")}
    closed = np.zeros((2, 12))
    for side, laid in enumerate(melds):
        for meld in laid:
            rank, size = MELD_RANKS.index(meld["rank"]), len(meld["cards"])
            if size == 7:
                closed[side, rank] += 1
                continue
            wild = sum(card in ("2", "JK") for card in meld["cards"]) * (rank < 11)
            unclosed[side, rank] = size, wild
            if rank < 11:
                rule = view["options"]["wild_rule"]
                fits = keeps_wild_rule(size - wild, wild + 1, rule)
                parts["takes_wild"][side, rank] = fits
                parts["fits"][side, rank] = min(7 - size, hand[2 + rank]) / 4
    return {
        **parts,
        "meld_size": unclosed[:, :, 0] / 8,
        "meld_wild": unclosed[:, :, 1] / 4,
        "closed": closed / 4,
        "begun": [rank in view["begun"] for rank in MELD_RANKS],
    }


def kind_of(meld: Table) -> str:
    if len(meld["cards"]) < 7:
        return ""
    if meld["rank"] == "wild":
        return "wild"
    return "clean" if set(meld["cards"]) == {meld["rank"]} else "dirty"


def value(cards: list[str]) -> int:
    return sum(VALUES[NAMES.index(card)] for card in cards)


def size_of(hand: Any) -> int:
    return len(hand) if isinstance(hand, list) else int(hand["count"])


@pytest.mark.parametrize("options", [{}, RARE, {"episode": "deal"}])
def test_the_observation_is_what_the_view_says(options: Table) -> None:
    for number, (game, state) in enumerate(positions(3, MOVES, 0.7, **options)):
        for seat in range(4) if number % 5 == 0 else ():
            parts = split(game.observe(state, seat), LAYOUT)
            twin = seen_by_twin(game.view(state, seat), float(parts["reach"][0]))
            assert set(twin) == set(parts)
            for name, part in parts.items():
                assert part == pytest.approx(np.array(twin[name], float), abs=1e-6), name


def test_reach_tells_when_the_minimum_can_be_laid() -> None:
    for game, state in positions(4, MOVES, 0.3, minimums=[90, 90, 90, 90]):
        seat = game.to_act(state)
        if seat is None or game.view(state, seat)["phase"] != "play":
            continue
        reach = split(game.observe(state, seat), LAYOUT)["reach"][0]
        oracle = Oracle.from_table(game.table(state))
        opens = any(move["move"] in ("open_meld", "open_wild") for move in oracle.legal_moves())
        if not game.table(state)["melds"][seat % 2]:
            assert (reach == 1) == opens
    game, state = state_at(phase="play", hands={0: "K K K 4 5 6 8 9 T J Q A 7 3B"})
    assert split(game.observe(state, 0), LAYOUT)["reach"] == pytest.approx(30 / 50)
    assert split(game.observe(state, 1), LAYOUT)["reach"] <= 1


def test_the_critic_sees_everything() -> None:
    table = make_table(turn=1, phase="play", hands={2: "8 8 ..."}, stock="4 5 6 K 2")
    game = game_of(**table["options"])
    state = game.from_table(table)
    parts = split(game.privileged(state), PRIVILEGED)
    own = split(game.observe(state, 1), LAYOUT)
    assert all((parts[name] == own[name]).all() for name in own)
    hands, feet = table["hands"], table["feet"]
    for step in range(4):
        seat = (1 + step) % 4
        assert parts["feet"][step] == pytest.approx(counts(feet[seat]) / 8)
        if step:
            assert parts["other_hands"][step - 1] == pytest.approx(counts(hands[seat]) / 8)
    tops = [NAMES[int(place)] for place in parts["next_cards"].argmax(axis=1)]
    assert tops == ["2", "K", "6", "5"]


class TestDealingAnew:
    @pytest.mark.parametrize("options", [{}, RARE])
    def test_a_view_stays_and_the_position_is_sound(self, options: Table) -> None:
        for number, (game, state) in enumerate(positions(6, MOVES // 2, 0.8, **options)):
            seat = number % 4
            dealt = game.resample(state, seat, number)
            assert game.view(dealt, seat) == game.view(state, seat)
            assert validate(dealt[0]) == Fault.NONE
            assert game.is_finished(dealt) or game.mask(dealt).any()

    def test_hidden_cards_are_dealt_evenly(self) -> None:
        """A red three is never in a hand, so 13 hidden cards of a hand are of the others."""
        game, state = state_at(hands={0: "4 4 4 4 4 4 4 4 4 4 4 4 4"})
        total, red, rounds = np.zeros(len(NAMES)), 0, 1500 if COMPILED else 60
        for seed in range(rounds):
            table = game.table(game.resample(state, 0, seed))
            total += counts(table["hands"][2])
            red += table["feet"][0].count("3R")
        unseen = np.array(COPIES) - counts([*["4"] * 13, *game.table(state)["discard"]])
        unseen[0] = 0
        expected = 13 * rounds * unseen / unseen.sum()
        assert total[0] == 0
        assert total == pytest.approx(expected, abs=5 * np.sqrt(expected.max()))
        # The hands have no red three, so the feet and the stock share them.
        assert red / rounds == pytest.approx(10 * 13 / (270 - 52 - 1), rel=0.15 if COMPILED else 1)

    @pytest.mark.parametrize("deal", range(1, 5))
    def test_a_seat_that_opens_gets_a_hand_that_reaches(self, deal: int) -> None:
        """With a high minimum hardly any hand dealt at random does."""
        changes: Table = {"minimums": [200, 300, 380, 410], "deal": deal}
        hand = "2 2 2 2 JK JK JK A A A A A K K K K Q Q Q 8"
        seat = Seat(phase="play", hands={0: f"4 4 4 {hand}"}, **changes)
        seat.play("open_meld 4")
        for seed in range(10):
            dealt = seat.game.resample(seat.state, 1, seed)
            assert validate(dealt[0]) == Fault.NONE and seat.game.mask(dealt).any()
            built = seat.game.from_view(seat.game.view(seat.state, 3), seed)
            assert seat.game.mask(built).any()

    def test_a_card_kept_in_a_foot_can_be_added(self) -> None:
        melds = {0: [*WILD_LACKING, "Q Q Q"]}
        seat = Seat(phase="play", hands={0: "Q 2"}, in_foot=[0, 2], melds=melds)
        seat.play("ask_partner", "allow", "add Q")
        hands = set()
        for seed in range(20):
            table = seat.game.table(seat.game.resample(seat.state, 2, seed))
            hands.add(tuple(table["hands"][0]))
        assert hands == {("2",), ("JK",)}
        seat = Seat(phase="play", hands={0: "K 8"}, in_foot=[0, 2], melds={0: [*NEEDED, "K K K"]})
        seat.play("ask_partner", "allow", "add K")
        dealt = [seat.game.resample(seat.state, 2, seed) for seed in range(30)]
        assert len({tuple(seat.game.table(state)["hands"][0]) for state in dealt}) > 5
