"""What a seat sees, checked against a slow twin that knows only the view; and dealing anew."""

import random
from collections import Counter
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kitchentable.engine.game import Game
from kitchentable.engine.jit import COMPILED
from kitchentable.games import spec
from kitchentable.games.potter_rummy.consistency import validate
from kitchentable.games.potter_rummy.observation import LAYOUT, PRIVILEGED
from kitchentable.games.potter_rummy.rules import ACTIONS, CARDS

from .tables import make_table

Table = dict[str, Any]
Parts = dict[str, NDArray[np.float32]]

STRIDE = 5 if COMPILED else 40
"""One position in so many is looked at."""
CHARACTERS = CARDS[:-1]
OPTIONS: list[Table] = [
    {"num_players": 2, "win_rule": 1, "deal_cap": 3, "turn_cap": 30},
    {"num_players": 4, "takeback_free": True, "signpost_extra": True, "deals": 2},
    {"num_players": 6, "scoring": "counters", "win_rule": 2, "deal_cap": 2},
    {"num_players": 9, "return_discard": False, "episode": "deal"},
    {"num_players": 12, "deals": 3},
]


@cache
def game_of(**options: Any) -> Game:
    return Game(spec("potter_rummy"), **options)


def split(floats: NDArray[np.float32], layout: Any) -> Parts:
    return {part.name: floats[layout.slice(part.name)].reshape(part.shape) for part in layout}


def positions(options: Table, seed: int) -> list[tuple[Game, Any]]:
    """Positions of a game half at random, laying being likelier than drawing."""
    game, chance = game_of(**options), random.Random(seed)
    state, found, n = game.new(seed), [], 0
    while not game.is_finished(state) and n < 1500:
        if n % STRIDE == 0:
            found.append((game, game.copy(state)))
        legal = game.legal_actions(state)
        laying = [a for a in legal if ACTIONS["lay"] <= a < ACTIONS["discard"]]
        action = game.scripted(state) if chance.random() < 0.5 else chance.choice(legal)
        if laying and chance.random() < 0.3:
            action = chance.choice(laying)
        game.play(state, action)
        n += 1
    return [*found, (game, state)]


def counts(cards: list[str], names: tuple[str, ...] = CARDS) -> NDArray[np.float32]:
    """How many of each card, in quarters."""
    found = Counter(cards)
    return np.array([found[name] / 4 for name in names], np.float32)


def seen_by_twin(view: Table) -> Parts:
    """The observation, worked out from the view alone."""
    seats = view["options"]["num_players"]
    viewer = next(seat for seat in range(seats) if isinstance(view["hands"][seat], list))
    order = [(viewer + step) % seats for step in range(seats)]
    parts: Parts = {part.name: np.zeros(part.shape, np.float32) for part in LAYOUT}
    see_own(view, viewer, parts)
    see_piles(view, order, parts)
    see_others(view, order, parts)
    see_seats(view, order, parts)
    see_course(view, order, parts)
    return parts


def see_own(view: Table, viewer: int, parts: Parts) -> None:
    hand, sets, options = view["hands"][viewer], view["sets"][viewer], view["options"]
    own = Counter([*hand, *chain.from_iterable(sets)])
    parts["hand"] = counts(hand)
    for i, name in enumerate(CHARACTERS):
        parts["hand_pairs"][i] = hand.count(name) >= 2
        parts["hand_threes"][i] = hand.count(name) == 3
        parts["own"][i] = own[name] / 4
    for row, cards in zip(parts["own_sets"], sets, strict=False):
        wild, pair = "signpost" in cards, len(cards) == 2
        row[CHARACTERS.index(cards[0])] = 1
        row[14:16] = len(cards) == 3, wild
        row[16:18] = pair and cards[0] in hand, pair and not wild and "signpost" in hand
    cost = sum(1 if card != "signpost" else 5 + options["signpost_extra"] for card in hand)
    parts["hand_cost"][0] = cost / 64
    parts["missing"][0] = cards_missing(hand, sets, options["num_players"]) / 6


def cards_missing(hand: list[str], sets: list[list[str]], seats: int) -> int:
    """Cards lacking when those of hand and pairs are put together in the best way."""
    due = (2 if seats <= 6 else 1) - sum(len(cards) == 3 for cards in sets)
    loose = Counter([*hand, *chain.from_iterable(c for c in sets if len(c) == 2)])
    wild = loose.pop("signpost", 0)
    lacking = sorted([3 - n for n in loose.values()] + [3, 3])[: max(due, 0)]
    return sum(lacking) - min(wild, sum(n > 0 for n in lacking))


def see_piles(view: Table, order: list[int], parts: Parts) -> None:
    pile, viewer = view["discard"], order[0]
    own = [*view["hands"][viewer], *chain.from_iterable(view["sets"][viewer])]
    if pile:
        parts["top"][CARDS.index(pile[-1])] = 1
        had = 0 if pile[-1] == "signpost" else own.count(pile[-1])
        parts["top_own"][min(had, 2)] = 1
    parts["pile"] = counts(pile)
    seen = own + pile
    for seat in order[1:]:
        seen += view["known"][seat] + list(chain.from_iterable(view["sets"][seat]))
    pack = [*CHARACTERS * 3, "signpost", "signpost"]
    parts["unseen"] = counts(pack) - counts(seen)


def see_others(view: Table, order: list[int], parts: Parts) -> None:
    hand = view["hands"][order[0]]
    for row, seat in enumerate(order[1:]):
        parts["known"][row] = counts(view["known"][seat])
        parts["other_cards"][row] = counts(list(chain(*view["sets"][seat])), CHARACTERS)
        for place, cards in enumerate(view["sets"][seat]):
            facts = 1, len(cards) == 3, "signpost" in cards, cards[0] in hand
            parts["other_sets"][row, place] = facts


def see_seats(view: Table, order: list[int], parts: Parts) -> None:
    due, scores = 2 if len(order) <= 6 else 1, view["scores"]
    for step, seat in enumerate(order):
        sizes = [len(cards) for cards in view["sets"][seat]]
        hand = view["hands"][seat]
        parts["pairs"][step] = sizes.count(2) / 3
        parts["threes"][step] = sizes.count(3) / 3
        parts["hand_size"][step] = (len(hand) if step == 0 else hand["count"]) / 8
        parts["threat"][step] = sizes.count(3) == due - 1 and 2 in sizes
        parts["score"][step] = scores[seat] / 32
        if step > 0:
            parts["score_lead"][step - 1] = (scores[order[0]] - scores[seat]) / 32


def see_course(view: Table, order: list[int], parts: Parts) -> None:
    options, seats, own = view["options"], len(order), view["scores"][order[0]]
    if not view["finished"]:
        parts["phase"][("act", "discard").index(view["phase"])] = 1
    parts["turn"][order.index(view["turn"])] = 1
    if options["win_rule"] == 1:
        parts["goal"][0] = (40 - own) / 32
    if options["win_rule"] == 2:
        parts["goal"][1] = own / 32
    parts["sizes"][:] = view["stock"]["count"] / 64, len(view["discard"]) / 64
    parts["rounds_left"][0] = min(1, (options["turn_cap"] - (view["turns"] - 1) / seats) / 64)
    if options["episode"] == "game":
        last = options["deals"] if options["win_rule"] == 3 else options["deal_cap"]
        parts["deals_left"][0] = min(1, (last - view["deal"]) / 8)
    parts["taken"][0] = view["taken"] is not None
    parts["seats"][seats - 2] = 1
    parts["sets_to_win"][1 if seats <= 6 else 0] = 1
    parts["options"][1 + options["win_rule"]] = 1
    parts["options"][[0, 1, 5, 6, 7]] = (
        options["scoring"] == "counters",
        options["signpost_extra"],
        options["takeback_free"],
        options["return_discard"],
        options["episode"] == "deal",
    )


@pytest.mark.parametrize("options", OPTIONS)
def test_every_seat_sees_what_its_view_shows(options: Table) -> None:
    for game, state in positions(options, seed=4):
        for seat in range(game.num_players):
            seen = split(game.observe(state, seat), LAYOUT)
            for name, expected in seen_by_twin(game.view(state, seat)).items():
                assert seen[name] == pytest.approx(expected, abs=1e-6), name


def test_privileged_shows_the_other_hands_and_the_next_cards() -> None:
    table = make_table(turn=1, hands={2: "c1 c1 signpost c4 c5 c6"}, stock="c8 c9")
    game = game_of(**table["options"])
    state = game.from_table(table)
    parts = split(game.privileged(state), PRIVILEGED)
    assert (parts["hand"] == counts(table["hands"][1])).all()
    for row, seat in enumerate((2, 3, 0)):
        assert (parts["other_hands"][row] == counts(table["hands"][seat])).all()
    assert not parts["other_hands"][3:].any()
    assert [CARDS[int(i)] for i in parts["next_cards"].argmax(axis=1)] == ["c9", "c8"]


@pytest.mark.parametrize("options", OPTIONS)
def test_dealing_anew_keeps_what_the_seat_knows(options: Table) -> None:
    for number, (game, state) in enumerate(positions(options, seed=5)[::3]):
        for seat in range(game.num_players):
            again = game.resample(state, seat, seed=number)
            assert game.view(again, seat) == game.view(state, seat)
            assert validate(again[0]) == 0


def test_dealing_anew_is_even() -> None:
    table = make_table(num_players=2, hands={0: "c1 c2 c3 c4 c5 c6", 1: "c7 ..."}, known={1: "c7"})
    game = game_of(**table["options"])
    state = game.from_table(table)
    n, met = 600, Counter[str]()
    for seed in range(n):
        hand = game.table(game.resample(state, 0, seed))["hands"][1]
        assert "c7" in hand
        met.update(hand)
    hidden = Counter([*table["stock"], *table["hands"][1]]) - Counter(["c7"])
    for card, copies in hidden.items():
        expected = 5 * copies / sum(hidden.values()) + (card == "c7")
        assert met[card] / n == pytest.approx(expected, abs=0.12)


def test_the_card_taken_stays_though_a_table_does_not_list_it() -> None:
    table = make_table(turn=1, hands={1: "c9 ..."}, taken="c9")
    table["known"][1] = []
    game = game_of(**table["options"])
    state = game.from_table(table)
    for seed in range(20):
        again = game.table(game.resample(state, 0, seed))
        assert "c9" in again["hands"][1]
        assert again["known"][1] == []
