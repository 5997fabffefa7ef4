"""What a seat sees, checked against a slow twin that knows only the view; and dealing anew."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kitchentable.engine.jit import COMPILED
from kitchentable.games.luau_rummy.consistency import validate
from kitchentable.games.luau_rummy.observation import LAYOUT, PRIVILEGED
from kitchentable.games.luau_rummy.pack import CARDS
from tests.games.dealing_anew import check_hands_change
from tests.games.seats import check_rotation

from .oracle import ANIMALS, LUAU_KINDS, PIGGIES, TRIPLES, WOLF
from .tables import make_table, meld_of
from .walks import OPTIONS, game_of, play_through

Table = dict[str, Any]
Parts = dict[str, NDArray[np.float32]]

STRIDE = 3 if COMPILED else 12
N_GAMES = 6 if COMPILED else 1
MELD_KINDS = [*LUAU_KINDS, "pileup"]


def split(floats: NDArray[np.float32], layout: Any) -> Parts:
    """An observation, part by part, in the part's shape."""
    return {part.name: floats[layout.slice(part.name)].reshape(part.shape) for part in layout}


def look(seat: int, **changes: Any) -> Parts:
    """What a seat sees at a table of `make_table`."""
    table = make_table(**changes)
    game = game_of(**table["options"])
    return split(game.observe(game.from_table(table), seat), LAYOUT)


# --- the slow twin -----------------------------------------------------------------------


def seen_by_twin(view: Table) -> Parts:
    """The observation, worked out from the view alone."""
    seats = view["options"]["num_players"]
    viewer = next(seat for seat in range(seats) if isinstance(view["hands"][seat], list))
    order = [(viewer + step) % seats for step in range(seats)]
    parts: Parts = {part.name: np.zeros(part.shape, np.float32) for part in LAYOUT}
    see_hand(view, viewer, parts)
    see_places(view, order, parts)
    see_sides(view, viewer, parts)
    see_course(view, order, parts)
    return parts


def quarters(cards: Iterable[str]) -> NDArray[np.float32]:
    """How many of each card, in quarters."""
    found = Counter(cards)
    return np.array([found[card] / 4 for card in CARDS], np.float32)


def whole_melds(hand: Counter[str], kind: str) -> int:
    """Melds of a kind without a wolf, one taken out after the other."""
    if kind == "animals":
        return sum(hand[animal] for animal in ANIMALS) // 3
    left, n = Counter(hand), 0
    while all(left[name] for name in TRIPLES[kind]):
        left.subtract(TRIPLES[kind])
        n += 1
    return n


def pairs(hand: Counter[str], kind: str) -> int:
    """Melds of a kind beyond the whole ones that lack one card."""
    left, n = Counter(hand), 0
    for name in TRIPLES[kind]:
        left[name] -= whole_melds(hand, kind)
    while sum(left[name] > 0 for name in TRIPLES[kind]) >= 2:
        two = [name for name in TRIPLES[kind] if left[name] > 0][:2]
        left.subtract(two)
        n += 1
    return n


def own_melds(view: Table, side: int, kind: str) -> list[Table]:
    return [m for m in view["melds"] if m["side"] == side and m["kind"] == kind]


def n_layable(view: Table, side: int, cards: Iterable[str]) -> int:
    """Cards that are laid by a player who spends wolves on melds that lack a card."""
    hand = Counter(cards)
    animals, wolves = sum(hand[animal] for animal in ANIMALS), hand[WOLF]
    n = 3 * sum(whole_melds(hand, kind) for kind in TRIPLES)
    down = own_melds(view, side, "animals")
    free = sum(WOLF not in meld["cards"] for meld in down)
    if view["options"]["piggy_pileup"]:
        piled = {meld["cards"][0] for meld in own_melds(view, side, "pileup")}
        for piggy in PIGGIES:
            left = hand[piggy] - whole_melds(hand, "piggies")
            n += left if left >= 3 or piggy in piled else 0
    if down or animals >= 3:
        n += animals
        free += not down
    elif animals == 2 and wolves:
        n, wolves = n + 3, wolves - 1
    spent = min(wolves, sum(pairs(hand, kind) for kind in TRIPLES))
    return n + 3 * spent + min(wolves - spent, free)


def wanted(view: Table, side: int, hand: Counter[str]) -> list[str]:
    """Cards that complete a meld with the hand, or can be added to one."""
    found, down = [], own_melds(view, side, "animals")
    for kind, names in TRIPLES.items():
        for name in names:
            more = hand + Counter([name])
            if pairs(hand, kind) and whole_melds(more, kind) > whole_melds(hand, kind):
                found.append(name)
    animals = sum(hand[animal] for animal in ANIMALS)
    if down or animals == 2:
        found += ANIMALS
    free = any(WOLF not in meld["cards"] for meld in down)
    if free or animals == 2 or any(pairs(hand, kind) for kind in TRIPLES):
        found.append(WOLF)
    return found


def see_hand(view: Table, viewer: int, parts: Parts) -> None:
    side, cards, pile = viewer % len(view["scores"]), view["hands"][viewer], view["discard"]
    hand, together = Counter(cards), Counter([*cards, *pile])
    parts["hand"] = quarters(cards)
    for row, kind in enumerate(TRIPLES):
        names = sum(hand[name] > 0 for name in TRIPLES[kind])
        parts["hand_kinds"][row] = (
            whole_melds(hand, kind) / 4,
            pairs(hand, kind) / 4,
            names / 4,
        )
    parts["hand_animals"][0] = sum(hand[animal] for animal in ANIMALS) / 4
    lays = n_layable(view, side, cards)
    parts["hand_lays"][:] = lays / 16, (len(cards) - lays) / 16
    parts["wanted"] = np.sign(quarters(wanted(view, side, hand)))
    parts["pile"] = quarters(pile)
    parts["top"] = np.sign(quarters(pile[-1:]))
    for row, kind in enumerate(LUAU_KINDS):
        parts["pile_kinds"][row] = (whole_melds(together, kind) - whole_melds(hand, kind)) / 4
    parts["pile_lays"][0] = (n_layable(view, side, together.elements()) - lays) / 16


def see_places(view: Table, order: list[int], parts: Parts) -> None:
    options, known = view["options"], [view["known"][seat] for seat in order[1:]]
    for row, cards in enumerate(known):
        parts["known"][row] = quarters(cards)
    seen = [*view["hands"][order[0]], *view["discard"], *chain.from_iterable(known)]
    seen += chain.from_iterable(meld["cards"] for meld in view["melds"])
    copies = dict.fromkeys(CARDS, options["copies"]) | {WOLF: options["wolves"]}
    copies |= dict.fromkeys(ANIMALS, options["animal_copies"])
    packs = [card for card in CARDS for _ in range(options["decks"] * copies[card])]
    parts["unseen"] = quarters(packs) - quarters(seen)


def see_sides(view: Table, viewer: int, parts: Parts) -> None:
    options, sides = view["options"], len(view["scores"])
    own = viewer % sides
    for step in range(sides):
        side = (own + step) % sides
        total = view["scores"][side]
        for column, kind in enumerate(MELD_KINDS):
            melds = own_melds(view, side, kind)
            pure = [meld for meld in melds if WOLF not in meld["cards"]]
            parts["laid"][step, column] = len(melds) / 4
            parts["pure"][step, column] = len(pure) / 4
            if kind != "pileup":
                parts["has"][step, :, column] = bool(melds), bool(pure)
        for meld in own_melds(view, side, "pileup"):
            parts["pileups"][step, PIGGIES.index(meld["cards"][0])] = 1
        all_kinds, all_pure = parts["has"][step].all(axis=1)
        luau = 10 if all_pure else 5 if all_kinds else 0
        cards = sum(len(meld["cards"]) for meld in view["melds"] if meld["side"] == side)
        parts["luau"][step] = luau / 10
        parts["points"][step] = (cards + luau) / 32
        if step:
            parts["score"][step - 1] = (total - view["scores"][own]) / 64
        if options["episode"] == "game":
            parts["to_target"][step] = min(1, (options["target"] - total) / 64)


def see_course(view: Table, order: list[int], parts: Parts) -> None:
    options, seats = view["options"], len(order)
    parts["turn"][order.index(view["turn"])] = 1
    if not view["finished"]:
        parts["phase"][["draw", "play"].index(view["phase"])] = 1
    for step, seat in enumerate(order):
        hand = view["hands"][seat]
        parts["hand_size"][step] = (hand["count"] if step else len(hand)) / 16
    stock = view["stock"]["count"]
    parts["sizes"][:] = stock / 64, len(view["discard"]) / 64
    parts["last_cards"][0] = min(1, stock / 16)
    parts["rounds_left"][0] = min(1, (options["turn_cap"] - (view["turns"] - 1) / seats) / 64)
    is_game = options["episode"] == "game"
    parts["deals_left"][0] = min(1, (options["deal_cap"] - view["deal"]) / 64) if is_game else 0
    parts["taken"][0] = view["taken"] is not None
    parts["seats"][seats - 2] = 1
    parts["options"][:] = (
        options["decks"] / 2,
        options["teams"],
        options["piggy_pileup"],
        options["copies"] / 4,
        options["animal_copies"] / 4,
        options["wolves"] / 4,
        options["return_discard"],
        not is_game,
    )


# --- tests -------------------------------------------------------------------------------


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_seat_sees_what_its_view_shows(options: dict[str, Any]) -> None:
    for seed in range(N_GAMES):
        for game, state in play_through(seed, STRIDE, **options):
            for seat in range(game.num_players):
                seen = split(game.observe(state, seat), LAYOUT)
                expected = seen_by_twin(game.view(state, seat))
                for part in LAYOUT:
                    np.testing.assert_array_equal(seen[part.name], expected[part.name], part.name)


def test_a_hand_and_what_it_wants() -> None:
    seen = look(0, phase="play", hands={0: "straw straw wood wood bricks lion bear wolf"})
    assert seen["hand_kinds"][2].tolist() == [0.25, 0.25, 0.75]
    assert {CARDS[i] for i in np.flatnonzero(seen["wanted"])} == {"bricks", WOLF, *ANIMALS}
    assert seen["hand_lays"].tolist() == [6 / 16, 2 / 16], "three materials, two animals and a wolf"


def test_a_wolf_joins_animals_that_are_laid_now() -> None:
    seen = look(0, phase="play", hands={0: "lion bear coyote wolf meat"})
    assert seen["hand_lays"].tolist() == [4 / 16, 1 / 16]


def test_what_the_pile_is_good_for() -> None:
    seen = look(0, hands={0: "fire foil sauce meat meat"}, discard="meat utensils seasoning")
    assert seen["pile_kinds"].tolist() == [0.25, 0.25, 0, 0, 0]
    assert seen["pile_lays"].tolist() == [6 / 16]
    assert CARDS[int(np.argmax(seen["top"]))] == "seasoning"


def test_sides_of_teams_are_the_viewers_and_the_other() -> None:
    melds = [meld_of(1, "lion bear wolf"), meld_of(0, "fire foil utensils")]
    seen = look(3, teams=True, melds=melds, scores=[20, 12])
    assert seen["has"][0, 0].tolist() == [0, 0, 0, 0, 1] and not seen["has"][0, 1].any()
    assert seen["has"][1, 1].tolist() == [1, 0, 0, 0, 0]
    assert not seen["laid"][2:].any()
    assert seen["score"].tolist() == [8 / 64, 0, 0]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_moving_all_seats_on_changes_nothing(options: dict[str, Any]) -> None:
    for game, state in play_through(3, 3, **options):
        check_rotation(game, state, (), "side")


def test_privileged_shows_the_other_hands_and_the_next_card() -> None:
    table = make_table(turn=3, stock="bear coyote", hands={1: "meat meat wolf"})
    game = game_of(**table["options"])
    state = game.from_table(table)
    seen = split(game.privileged(state), PRIVILEGED)
    assert (game.privileged(state)[: LAYOUT.size] == game.observe(state, 3)).all()
    for step in range(1, 4):
        expected = quarters(table["hands"][(3 + step) % 4])
        assert (seen["other_hands"][step - 1] == expected).all()
    assert CARDS[int(np.argmax(seen["next_card"]))] == "coyote"


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_dealing_anew_keeps_what_the_seat_knows_and_changes_the_rest(
    options: dict[str, Any],
) -> None:
    check_hands_change(play_through(4, 6, **options), validate)
