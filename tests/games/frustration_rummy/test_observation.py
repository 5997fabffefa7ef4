"""What a seat sees, checked against a slow twin that knows only the view; and dealing anew."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kitchentable.cards.french import CARDS, PACK, RANKS, SUITS
from kitchentable.engine.game import Game
from kitchentable.engine.jit import COMPILED
from kitchentable.games import spec
from kitchentable.games.frustration_rummy.consistency import validate
from kitchentable.games.frustration_rummy.observation import LAYOUT, PRIVILEGED
from kitchentable.games.frustration_rummy.rules import ACTIONS, Phase
from tests.games.dealing_anew import check_hands_change, deal_anew, with_hidden_anywhere
from tests.games.seats import check_rotation

from .oracle import is_wild
from .tables import make_table, run_being_laid, run_of, set_of

Table = dict[str, Any]
Parts = dict[str, NDArray[np.float32]]

STRIDE = 4 if COMPILED else 60
"""One position in so many is looked at, of those in which melds are laid ..."""
LAYING_STRIDE = 2 if COMPILED else 20
"""... one in so many."""
LAYING = ("open_set", "open_run", "place", "lay_off")
CONTRACTS = (
    *((0, 3, 0, 4), (3, 3, 0, 4), (1, 3, 1, 4), (2, 3, 1, 4), (2, 4, 0, 4), (0, 3, 2, 4)),
    *((4, 3, 0, 4), (1, 3, 1, 7), (3, 4, 0, 4), (0, 3, 3, 4), (2, 5, 0, 4), (0, 3, 2, 5)),
    *((2, 4, 1, 4), (1, 4, 2, 4), (1, 3, 1, 9)),
)
"""Sets, their size, runs, their length; the first entry is for extra melds."""
WILD = [card for card in CARDS if is_wild(card)]
PLACES = RANKS + "A"


@cache
def game_of(**options: Any) -> Game:
    return Game(spec("frustration_rummy"), **options)


def state_at(**changes: Any) -> tuple[Game, Any]:
    table = make_table(**changes)
    game = game_of(**table["options"])
    return game, game.from_table(table)


def look(game: Game, state: Any, seat: int) -> Parts:
    """An observation, part by part, in the part's shape."""
    return split(game.observe(state, seat), LAYOUT)


def split(floats: NDArray[np.float32], layout: Any) -> Parts:
    return {part.name: floats[layout.slice(part.name)].reshape(part.shape) for part in layout}


# --- the slow twin -----------------------------------------------------------------------


def seen_by_twin(view: Table) -> Parts:
    """The observation, worked out from the view alone."""
    seats = view["options"]["num_players"]
    viewer = next(seat for seat in range(seats) if isinstance(view["hands"][seat], list))
    order = [(viewer + step) % seats for step in range(seats)]
    parts: Parts = {part.name: np.zeros(part.shape, np.float32) for part in LAYOUT}
    see_cards(view, order, parts)
    see_needs(view, viewer, parts)
    see_melds(view, parts)
    see_building(view, parts)
    see_course(view, order, parts)
    return parts


def counts(cards: Iterable[str]) -> NDArray[np.float32]:
    """How many of each card, in halves."""
    found = np.zeros(len(CARDS), np.float32)
    for card in cards:
        found[PACK.numbers[card]] += 0.5
    return found


def joined(lists: Iterable[list[str]]) -> list[str]:
    return list(chain.from_iterable(lists))


def by_rank(cards: list[str]) -> NDArray[np.float32]:
    """How many natural cards of each rank, in quarters."""
    found = Counter(card[0] for card in cards if not is_wild(card))
    return np.array([found[rank] / 4 for rank in RANKS], np.float32)


def see_cards(view: Table, order: list[int], parts: Parts) -> None:
    hand, pile = view["hands"][order[0]], view["discard"]
    parts["hand"] = counts(hand)
    parts["hand_ranks"] = by_rank(hand)
    parts["hand_wild"][0] = sum(map(is_wild, hand)) / 4
    if pile:
        parts["top"][PACK.numbers[pile[-1]]] = 1
    parts["pile"] = counts(pile)
    known = [view["known"][seat] for seat in order[1:]]
    parts["known_left"] = counts(known[0])
    parts["known_others"] = counts(joined(known[1:]))
    for row, cards in enumerate(known[1:]):
        parts["known_ranks"][row] = by_rank(cards)
    laid = joined(meld["cards"] for meld in view["melds"])
    laid += (view["building"] or {"cards": []})["cards"]
    packs = [*CARDS, "JK"] * 2
    parts["unseen"] = counts(packs) - counts(hand + pile + joined(known) + laid)


def due(view: Table, viewer: int) -> tuple[int, int, int, int]:
    """Sets, their size, runs, their length: what the viewer has still to begin."""
    if view["down"][viewer]:
        return CONTRACTS[0]
    sets, size, runs, length = CONTRACTS[view["contracts"][viewer]]
    if view["building"] and view["turn"] == viewer:
        sets, runs = view["building"]["sets_left"], view["building"]["runs_left"]
    return sets, size, runs, length


def see_needs(view: Table, viewer: int, parts: Parts) -> None:
    hand, is_down = view["hands"][viewer], view["down"][viewer]
    sets, size, runs, length = due(view, viewer)
    parts["to_lay"][:] = sets / 4, runs / 4, size / 8, length / 8
    if sets or is_down:
        parts["for_sets"] = by_rank(hand)
    for number, card in enumerate(CARDS[:52]):
        if (runs or is_down) and not is_wild(card):
            parts["for_runs"][number] = best_run_with(hand, card, length) / length
    top = view["discard"][-1] if view["discard"] else "JK"
    if not is_wild(top):
        number = PACK.numbers[top]
        parts["top_for"][0] = parts["for_sets"][RANKS.index(top[0])]
        parts["top_for"][1] = parts["for_runs"][number]
        parts["top_for"][2] = parts["hand"][number]
    lacking = see_way(hand, sets, size, runs, length, parts)
    if view["phase"] == "draw" and view["discard"] and sets + runs:
        after = see_way([*hand, view["discard"][-1]], sets, size, runs, length, None)
        parts["top_helps"][0] = after < lacking


def best_run_with(hand: list[str], card: str, length: int) -> int:
    """The most natural cards held of a run with this card."""
    lows = [
        low
        for low in range(15 - length)
        for place in range(low, low + length)
        if PLACES[place] == card[0]
    ]
    return max((held_of(hand, card[1], low, length) for low in lows), default=0)


def held_of(hand: list[str], suit: str, low: int, length: int) -> int:
    places = PLACES[low : low + length]
    return sum(rank != "2" and rank + suit in hand for rank in places)


def see_way(
    hand: list[str], sets: int, size: int, runs: int, length: int, parts: Parts | None
) -> int:
    """The nearest way: the fullest runs one after the other, then the fullest sets."""
    left, wild = [card for card in hand if not is_wild(card)], sum(map(is_wild, hand))
    in_runs, can_serve = 0, 0
    for _ in range(runs):
        stretches = [(suit, low) for suit in SUITS for low in range(15 - length)]
        suit, low = max(stretches, key=lambda s: held_of(left, s[0], s[1], length))
        missing = length - held_of(left, suit, low, length)
        in_runs, can_serve = in_runs + missing, can_serve + min(missing, length // 2)
        for rank in PLACES[low : low + length]:
            if rank + suit in left:
                left.remove(rank + suit)
    of_rank = Counter(card[0] for card in left)
    groups = [size] * sum(n // size for n in of_rank.values())
    groups += sorted((n % size for n in of_rank.values()), reverse=True)
    groups = [*groups, *[0] * sets][:sets]
    in_sets = sum(size - held for held in groups)
    can_serve += sum(min(size - held, size // 2) for held in groups)
    lacking = in_sets + in_runs - min(wild, can_serve)
    if parts is not None:
        parts["lacking"][:] = (
            in_sets / 8,
            in_runs / 8,
            lacking / 8,
            max(0, wild - can_serve) / 8,
        )
        for card in left:
            is_spare = not sets or of_rank[card[0]] < min(groups)
            parts["spare"][PACK.numbers[card]] = is_spare
    return lacking


def wild_fits(meld: Table) -> bool:
    wild = sum(map(is_wild, meld["cards"]))
    is_full = meld["kind"] == "run" and len(meld["cards"]) == 14
    return not is_full and wild + 1 <= len(meld["cards"]) - wild


def fitting(meld: Table) -> list[str]:
    """The cards that can be laid off on a meld."""
    fits = WILD if wild_fits(meld) else []
    if meld["kind"] == "set":
        return fits + [meld["rank"] + suit for suit in SUITS]
    low, high = meld["low"], meld["low"] + len(meld["cards"]) - 1
    ends = [position for position in (low - 1, high + 1) if 1 <= position <= 14 and position != 2]
    return fits + [PLACES[position - 1] + meld["suit"] for position in ends]


def see_melds(view: Table, parts: Parts) -> None:
    for row, meld in zip(parts["melds"], view["melds"], strict=False):
        if meld["kind"] == "set":
            row[0] = 1
            row[5] = row[6] = (RANKS.index(meld["rank"]) + 1) / 16
        else:
            row[1 + SUITS.index(meld["suit"])] = 1
            row[5], row[6] = meld["low"] / 16, (meld["low"] + len(meld["cards"]) - 1) / 16
        row[7] = wild_fits(meld)
        for card in fitting(meld):
            parts["fits"][PACK.numbers[card]] = 1


def see_building(view: Table, parts: Parts) -> None:
    building = view["building"]
    if not building or building["kind"] is None:
        return
    cards, turn = building["cards"], view["turn"]
    _, size, _, length = CONTRACTS[0 if view["down"][turn] else view["contracts"][turn]]
    full = size if building["kind"] == "set" else length
    parts["open_kind"][["set", "run"].index(building["kind"])] = 1
    wild = sum(map(is_wild, cards))
    parts["open_size"][:] = len(cards) / 8, wild / 8, (full - len(cards)) / 8
    if building["kind"] == "set":
        parts["open_rank"][RANKS.index(building["rank"])] = 1
    else:
        parts["open_suit"][SUITS.index(building["suit"])] = 1
        parts["open_rank"][(building["low"] + len(cards) - 1) % 13] = 1


def see_course(view: Table, order: list[int], parts: Parts) -> None:
    options, seats = view["options"], len(order)
    parts["contract"][view["contracts"][order[0]] - 1] = 1
    parts["turn"][order.index(view["turn"])] = 1
    if not view["finished"]:
        parts["phase"][["draw", "play", "meld"].index(view["phase"])] = 1
        parts["to_act"][order.index(view["to_act"])] = 1
    for step, seat in enumerate(order):
        hand = view["hands"][seat]
        parts["hand_size"][step] = (len(hand) if step == 0 else hand["count"]) / 16
        parts["down"][step] = view["down"][seat]
        if step:
            number = view["contracts"][seat]
            sets, size, runs, length = CONTRACTS[number]
            row = number / 14, sets / 4, size / 8, runs / 4, length / 8
            parts["contracts"][step - 1] = row
            parts["points"][step - 1] = (view["scores"][seat] - view["scores"][order[0]]) / 16
    parts["sizes"][:] = view["stock"]["count"] / 64, len(view["discard"]) / 64
    parts["rounds_left"][0] = min(1, (options["turn_cap"] - (view["turns"] - 1) / seats) / 64)
    is_game = options["episode"] == "game"
    parts["deals_left"][0] = min(1, (options["deal_cap"] - view["deal"]) / 64) if is_game else 0
    parts["taken"][0] = view["taken"] is not None
    parts["seats"][seats - 2] = 1
    parts["options"][:] = (
        options["start_contract"] / 14,
        options["last_contract"] / 14,
        options["return_discard"],
        not is_game,
    )


# --- positions ---------------------------------------------------------------------------


def eager_action(game: Game, state: Any, chance: random.Random) -> int:
    """A scripted or legal action; of legal ones any kind alike, but laying cards far likelier."""
    if chance.random() < 0.6:
        return game.scripted(state)
    kinds: dict[str, list[int]] = {}
    for action in game.legal_actions(state):
        kinds.setdefault(ACTIONS.decode(action)[0], []).append(action)
    laying = [kind for kind in kinds if kind in LAYING]
    eager = laying and chance.random() < 0.8
    return chance.choice(kinds[chance.choice(laying if eager else list(kinds))])


def play_through(seed: int, **options: Any) -> Iterator[tuple[Game, Any]]:
    """Positions of a game, the finished one among them."""
    chance = random.Random(seed)
    game = game_of(**options)
    state = game.new(seed)
    while not game.is_finished(state):
        if chance.randrange(LAYING_STRIDE if state[0].phase == Phase.MELD else STRIDE) == 0:
            yield game, state
        game.play(state, eager_action(game, state, chance))
    yield game, state


def deals() -> Iterator[dict[str, Any]]:
    """Options of every contract and number of seats, and the rarer rules."""
    for deal in range(1, 15):
        yield {"num_players": 2 + deal % 4, "episode": "deal", "deal": deal, "turn_cap": 12}
    yield {"num_players": 3, "last_contract": 4, "deal_cap": 5, "return_discard": False}


OPTIONS = list(deals())


# --- tests -------------------------------------------------------------------------------


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_seat_sees_what_its_view_shows(options: dict[str, Any]) -> None:
    for game, state in play_through(1, **options):
        for seat in range(game.num_players):
            seen, expected = look(game, state, seat), seen_by_twin(game.view(state, seat))
            for part in LAYOUT:
                np.testing.assert_array_equal(seen[part.name], expected[part.name], part.name)


def test_melds_as_in_the_table() -> None:
    game, state = state_at(
        contract=2,
        phase="play",
        melds=[
            run_of(2, 11, "JD QD KD AD"),
            set_of(2, "7H 7D JK"),
            run_of(0, 3, "3C 2D 5C JK"),
            set_of(0, "KS KH KD"),
        ],
        hands={0: "7C 9D", 2: "5S"},
    )
    seen = look(game, state, 0)
    assert seen["melds"][0].tolist() == [0, 0, 0, 1, 0, 11 / 16, 14 / 16, 1]
    assert seen["melds"][1].tolist() == [1, 0, 0, 0, 0, 7 / 16, 7 / 16, 1]
    assert seen["melds"][2].tolist() == [0, 0, 0, 0, 1, 3 / 16, 6 / 16, 0], "two of four are wild"
    assert not seen["melds"][4:].any()
    fits = {CARDS[i] for i in np.flatnonzero(seen["fits"])}
    sets = {rank + suit for rank in "7K" for suit in "SHDC"}
    assert fits == sets | {"7C", "TD"} | set(WILD), "position 2 has no natural card"
    assert seen["to_lay"].tolist() == [0, 0, 3 / 8, 4 / 8]
    assert look(game, state, 1)["to_lay"].tolist() == [1 / 4, 1 / 4, 3 / 8, 4 / 8]


def test_the_way_to_a_contract() -> None:
    hand = "6C 7C 9C KS KH 9H 9D 2S JK 3D 5H QD TS"
    game, state = state_at(contract=3, hands={0: hand}, discard="8C")
    seen = look(game, state, 0)
    assert seen["lacking"].tolist() == [2 / 8, 1 / 8, 1 / 8, 0], (
        "two pairs, three of four, two wild"
    )
    assert seen["top_helps"][0] == 1
    assert seen["top_for"].tolist() == [0, 3 / 4, 0]
    spare = {CARDS[i] for i in np.flatnonzero(seen["spare"])}
    assert spare == {"3D", "5H", "QD", "TS"}
    assert look(game, state, 1)["top_helps"][0] in (0, 1)


def test_a_rank_can_make_more_than_one_set() -> None:
    hand = "7S 7S 7H 7H 7D 7C 3D 5H QD TS JC 9C AH"
    game, state = state_at(contract=4, hands={0: hand}, discard="8C")
    seen = look(game, state, 0)
    assert seen["lacking"].tolist() == [2 / 8, 0, 2 / 8, 0]
    assert not seen["spare"][PACK.numbers["7S"]] and seen["spare"][PACK.numbers["QD"]]


def test_the_run_being_laid() -> None:
    game, state = state_at(
        contract=11,
        turn=1,
        building=run_being_laid("S", 10, "TS JK", 0, 1),
        hands={1: "QS KS AS 3H 4H 5H 6H 7H ..."},
        num_players=3,
    )
    seen = look(game, state, 0)
    assert seen["open_kind"].tolist() == [0, 1]
    assert RANKS[int(np.argmax(seen["open_rank"]))] == "Q"
    assert seen["open_size"].tolist() == [2 / 8, 1 / 8, 3 / 8]
    assert seen["turn"].tolist() == seen["to_act"].tolist() == [0, 1, 0, 0, 0]
    assert look(game, state, 1)["to_lay"].tolist() == [0, 1 / 4, 3 / 8, 5 / 8]


@pytest.mark.parametrize("options", [OPTIONS[0], OPTIONS[4], OPTIONS[14]], ids=str)
def test_moving_all_seats_on_changes_nothing(options: dict[str, Any]) -> None:
    for game, state in play_through(3, **options):
        check_rotation(game, state, ("down", "contracts"), "owner")


def test_privileged_shows_the_other_hands_and_the_next_cards() -> None:
    game, state = state_at(turn=1, discard="9H", stock="4D 7C", hands={2: "KS KH ..."})
    seen, viewer = split(game.privileged(state), PRIVILEGED), int(state[0].to_act)
    assert viewer == 1
    assert (game.privileged(state)[: LAYOUT.size] == game.observe(state, viewer)).all()
    for step in range(1, 4):
        cards = game.table(state)["hands"][(viewer + step) % 4]
        assert (seen["other_hands"][step - 1] == counts(cards)).all()
    assert not seen["other_hands"][3:].any()
    assert [CARDS[int(np.argmax(row))] for row in seen["next_cards"]] == ["7C", "4D"]


# --- dealing anew what is hidden ---------------------------------------------------------


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_dealing_anew_keeps_what_the_seat_knows_and_changes_the_rest(
    options: dict[str, Any],
) -> None:
    check_hands_change(play_through(4, **options), validate)


def test_dealing_anew_is_uniform() -> None:
    game, state = state_at(hands={1: "5H ...", 2: "QS ..."}, known={2: "QS"})
    n, held = 4000 if COMPILED else 300, Counter[str]()
    for seed in range(n):
        hands = game.table(game.resample(state, 0, seed))["hands"]
        assert "QS" in hands[2]
        held.update(set(hands[1]))
    pool = 108 - 13 - 1 - 1
    for card in ("5H", "QS", "2C", "KD"):
        copies = round(2 * float(look(game, state, 0)["unseen"][PACK.numbers[card]]))
        none = np.prod([1 - 13 / (pool - i) for i in range(copies)])
        share = 1 - none
        assert abs(held[card] / n - share) < 4 * np.sqrt(share * (1 - share) / n), card


HANDS_THAT_LAY = {
    1: "7S 7H 7D KS KH JK 9S 9H 9D ...",
    2: "7S 7H JK 4C 5C 6C 2C ...",
    5: "AS 2S 3S JK JH QH KH AH ...",
    6: "5S 5H 2D 9S 9H 9D QS QH JK 4H 4C 2H ...",
    7: "5S 5H 2D 6D 7D 2C 9D JK JD QD ...",
    9: "AS 2S 3S 4S AS JK 3S 4S 5D 6D 7D 8D ...",
    10: "7S 7H 7D JK 2C 9S 9H 9D 9C 2S ...",
    11: "AS JK 3S 4S 5S TH JH 2H KH AH ...",
    13: "5S 5H 2D 2C 6D 7D 8D 9D 3C JK 5C 6C ...",
    14: "AS 2S 3S 4S JK 6S 7S 2D 9S KD KH JK ...",
}


@pytest.mark.parametrize("contract", HANDS_THAT_LAY)
@pytest.mark.parametrize("share_known", [0, 0.5, 1])
def test_who_lays_a_contract_can_complete_it(contract: int, share_known: float) -> None:
    chance = random.Random(contract)
    hand = HANDS_THAT_LAY[contract]
    known = [card for card in hand.split()[:-1] if chance.random() < share_known]
    game, begin = state_at(
        contract=contract,
        phase="play",
        num_players=3,
        hands={0: hand},
        known={0: " ".join(known)},
    )
    for seed in range(4 if COMPILED else 1):
        state = game.copy(begin)
        while not state[0].down[0]:
            legal = game.legal_actions(state)
            laying = [a for a in legal if ACTIONS.decode(a)[0] in LAYING]
            game.play(state, chance.choice(laying))
            for seat in (1, 2):
                moved = with_hidden_anywhere(game, state, seat)
                deal_anew(game, state, seat, seed, validate)
                assert game.mask(game.resample(moved, seat, seed)).any()


def test_who_lays_an_extra_meld_can_complete_it() -> None:
    melds = [set_of(0, f"{rank}S {rank}H {rank}D") for rank in "345"]
    building = run_being_laid("C", 6, "6C JK", 0, 0)
    game, state = state_at(
        contract=1,
        melds=melds,
        building=building,
        down=[True, False, False, False],
        hands={0: "8C 9C KD"},
    )
    for seed in range(20 if COMPILED else 3):
        deal_anew(game, with_hidden_anywhere(game, state, 1), 1, seed, validate)
