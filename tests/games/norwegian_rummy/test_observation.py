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

from kitchentable.cards.contracts import Holding, hold
from kitchentable.cards.french import CARDS, PACK, RANKS, SUITS
from kitchentable.engine.game import Game
from kitchentable.engine.jit import COMPILED
from kitchentable.games import spec
from kitchentable.games.norwegian_rummy.consistency import validate
from kitchentable.games.norwegian_rummy.observation import LAYOUT, PRIVILEGED
from kitchentable.games.norwegian_rummy.prospects import BACKUP, cost_of_contract
from kitchentable.games.norwegian_rummy.rules import ACTIONS, Phase
from tests.games.dealing_anew import check_hands_change, deal_anew, with_hidden_anywhere
from tests.games.seats import check_rotation

from .tables import make_table, run_being_laid, run_of, set_of

Table = dict[str, Any]
Parts = dict[str, NDArray[np.float32]]

STRIDE = 4 if COMPILED else 40
"""One position in so many is looked at, of those in which a contract is laid ..."""
LAYING_STRIDE = 1 if COMPILED else 10
"""... one in so many."""
N_SEEDS = 8 if COMPILED else 1
LAYING = ("open_set", "open_run", "place", "close", "lay_off_set", "lay_off_run", "move_joker")


@cache
def game_of(**options: Any) -> Game:
    return Game(spec("norwegian_rummy"), **options)


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
    see_melds(view, order, parts)
    see_building(view, parts)
    see_course(view, order, parts)
    see_needs(view["hands"][viewer], view["discard"], parts)
    see_prospects(view, viewer, parts)
    return parts


def counts(cards: list[str]) -> NDArray[np.float32]:
    """How many of each card, in quarters."""
    found = np.zeros(len(CARDS), np.float32)
    for card in cards:
        found[PACK.numbers[card]] += 0.25
    return found


def joined(lists: Iterable[list[str]]) -> list[str]:
    return list(chain.from_iterable(lists))


def by_rank(cards: list[str]) -> NDArray[np.float32]:
    """How many natural cards of each rank, in quarters."""
    found = Counter(card[0] for card in cards if card != "JK")
    return np.array([found[rank] / 4 for rank in RANKS], np.float32)


def value(card: str) -> int:
    if card == "JK":
        return 50
    return 15 if card[0] == "A" else 10 if card[0] in "TJQK" else 5


def see_cards(view: Table, order: list[int], parts: Parts) -> None:
    hand, pile = view["hands"][order[0]], view["discard"]
    parts["hand"] = counts(hand)
    parts["hand_ranks"] = by_rank(hand)
    parts["hand_value"][0] = sum(map(value, hand)) / 128
    if pile:
        parts["top"][PACK.numbers[pile[-1]]] = 1
    parts["pile"] = counts(pile)
    known = [view["known"][seat] for seat in order[1:]]
    assert all(view["hands"][seat]["known"] == view["known"][seat] for seat in order[1:])
    parts["known_left"] = counts(known[0])
    parts["known_others"] = counts(joined(known[1:]))
    for row, cards in enumerate(known[1:]):
        parts["known_ranks"][row] = by_rank(cards)
    laid = joined(meld["cards"] for meld in view["melds"])
    laid += (view["building"] or {"cards": []})["cards"]
    packs = [*CARDS, "JK"] * view["options"]["decks"]
    parts["unseen"] = counts(packs) - counts(hand + pile + joined(known) + laid)


def best_run(hand: list[str], card: str) -> int:
    """How many cards the hand has of a run of four with this card, of the best such run."""
    rank, suit = card[0], card[1]
    runs = [(RANKS + "A")[low : low + 4] for low in range(11)]
    return max(sum(r + suit in hand for r in run) for run in runs if rank in run)


def see_needs(hand: list[str], pile: list[str], parts: Parts) -> None:
    """What goes together for the groups that are still to be laid."""
    sets, runs = parts["to_lay"] > 0
    if sets:
        parts["for_sets"] = by_rank(hand)
    if runs:
        for row, suit in enumerate(SUITS):
            parts["for_runs"][row] = [best_run(hand, rank + suit) / 4 for rank in RANKS]
    if pile and pile[-1] != "JK" and (sets or runs):
        number = PACK.numbers[pile[-1]]
        of_set, of_run = parts["for_sets"][number % 13], parts["for_runs"].flat[number]
        parts["top_for"][:] = of_set, of_run, parts["hand"][number]


def see_prospects(view: Table, viewer: int, parts: Parts) -> None:
    """What the contract costs, counted anew for every hand that the viewer may come to."""
    if view["finished"] or view["down"][viewer] or view["to_act"] != viewer:
        return
    hand, pile, decks = view["hands"][viewer], view["discard"], view["options"]["decks"]
    gone = packed(pile + joined(meld["cards"] for meld in view["melds"]))
    contract = view["contract"]["sets"], view["contract"]["runs"]

    def cost(cards: list[str]) -> int:
        return cost_of_contract(packed(cards), gone, decks, *contract) // BACKUP

    if view["phase"] != "meld":
        parts["cost"][0] = cost(hand) / 16
    if view["phase"] == "play":
        for card in {card for card in hand if card != "JK"}:
            rest = hand.copy()
            rest.remove(card)
            relief = value(card) * (3 if any(view["down"]) else 1)
            loss = cost(rest) - cost(hand) - relief + help_to_next(view, viewer, card)
            parts["losses"][PACK.numbers[card]] = loss / 16
    if view["phase"] in ("draw", "buy") and pile:
        parts["gain"][0] = (cost(hand) - cost([*hand, pile[-1]])) / 16


def help_to_next(view: Table, viewer: int, card: str) -> int:
    """What the next seat could do with a card: lay it off, or put it to those it is known to have."""
    follower = (viewer + 1) % view["options"]["num_players"]
    if view["down"][follower]:
        return 20 * any(card in fitting(view, meld) for meld in view["melds"])
    near = 0
    sets, runs = view["contract"]["sets"], view["contract"]["runs"]
    for other in view["known"][follower]:
        if other == "JK":
            continue
        if sets and other[0] == card[0]:
            near += 1
        if runs and other[1] == card[1]:
            mine = RANKS.index(card[0]) + 1
            near += sum(
                abs(place - mine) <= 2
                for place in ({1, 14} if other[0] == "A" else {RANKS.index(other[0]) + 1})
            )
    return 12 * near


def packed(cards: list[str]) -> Holding:
    return hold((4 * counts(cards)).astype(np.int8))


def joker_fits(view: Table, meld: Table) -> bool:
    jokers = meld["cards"].count("JK")
    is_full = meld["kind"] == "run" and len(meld["cards"]) == 14
    ratio = view["options"]["joker_ratio"]
    return not is_full and (not ratio or jokers + 1 <= len(meld["cards"]) - jokers)


def fitting(view: Table, meld: Table) -> list[str]:
    """The cards that can be laid off on a meld."""
    fits = ["JK"] if joker_fits(view, meld) else []
    if meld["kind"] == "set":
        return fits + [meld["rank"] + suit for suit in SUITS]
    low, high = meld["low"], meld["low"] + len(meld["cards"]) - 1
    ends = [position for position in (low - 1, high + 1) if 1 <= position <= 14]
    return fits + [(RANKS + "A")[position - 1] + meld["suit"] for position in ends]


def see_melds(view: Table, order: list[int], parts: Parts) -> None:
    places = Counter[int]()
    for meld in view["melds"]:
        step, place = order.index(meld["owner"]), places[meld["owner"]]
        places[meld["owner"]] += 1
        row = parts["melds"][3 * step + place]
        if meld["kind"] == "set":
            row[0] = 1
            row[5] = row[6] = (RANKS.index(meld["rank"]) + 1) / 16
        else:
            row[1 + SUITS.index(meld["suit"])] = 1
            row[5], row[6] = meld["low"] / 16, (meld["low"] + len(meld["cards"]) - 1) / 16
            for i, card in enumerate(meld["cards"]):
                if step == 0 and card == "JK":
                    parts["own_jokers"][place, meld["low"] - 1 + i] = 1
        row[7] = joker_fits(view, meld)
        for card in fitting(view, meld):
            parts["fits"][PACK.numbers[card]] = 1


def see_building(view: Table, parts: Parts) -> None:
    building = view["building"]
    if not building or building["kind"] is None:
        return
    cards = building["cards"]
    parts["open_kind"][["set", "run"].index(building["kind"])] = 1
    parts["open_size"][:] = len(cards) / 16, cards.count("JK") / 16
    if building["kind"] == "set":
        parts["open_rank"][RANKS.index(building["rank"])] = 1
    else:
        parts["open_suit"][SUITS.index(building["suit"])] = 1
        position = building["low"] + len(cards)
        if position <= 14:
            parts["open_rank"][RANKS.index((RANKS + "A")[position - 1])] = 1


def see_course(view: Table, order: list[int], parts: Parts) -> None:
    options, viewer, seats = view["options"], order[0], len(order)
    contract = view["contract"]
    all_contracts = [(2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3)]
    parts["contract"][all_contracts.index((contract["sets"], contract["runs"]))] = 1
    parts["turn"][order.index(view["turn"])] = 1
    if not view["finished"]:
        parts["phase"][["draw", "buy", "play", "meld"].index(view["phase"])] = 1
        parts["to_act"][order.index(view["to_act"])] = 1
    if view["building"] and view["turn"] == viewer:
        left = view["building"]
        parts["to_lay"][:] = left["sets_left"] / 3, left["runs_left"] / 3
    elif not view["down"][viewer]:
        parts["to_lay"][:] = contract["sets"] / 3, contract["runs"] / 3
    for step, seat in enumerate(order):
        hand = view["hands"][seat]
        size = len(hand) if seat == viewer else hand["count"]
        parts["hand_size"][step] = size / 16
        parts["down"][step] = view["down"][seat]
        parts["buys_left"][step] = view["buys_left"][seat] / 4
        if step:
            parts["score"][step - 1] = (view["scores"][seat] - view["scores"][viewer]) / 128
    parts["sizes"][:] = view["stock"]["count"] / 64, len(view["discard"]) / 64
    parts["rounds_left"][0] = min(1, (options["turn_cap"] - (view["turns"] - 1) / seats) / 64)
    is_game = options["episode"] == "game"
    parts["deals_left"][0] = (7 - view["deal"]) / 7 if is_game else 0
    parts["taken"][0] = view["taken"] is not None
    parts["seats"][seats - 2] = 1
    parts["options"][:] = (
        options["decks"] / 4,
        options["max_buys"] / 4,
        options["joker_ratio"],
        options["return_discard"],
        not is_game,
    )


# --- positions ---------------------------------------------------------------------------


def eager_action(game: Game, state: Any, chance: random.Random) -> int:
    """A legal action, any kind as likely as another, but laying cards far likelier."""
    kinds: dict[str, list[int]] = {}
    for action in game.legal_actions(state):
        kinds.setdefault(ACTIONS.decode(action)[0], []).append(action)
    laying = [kind for kind in kinds if kind in LAYING]
    eager = laying and chance.random() < 0.8
    return chance.choice(kinds[chance.choice(laying if eager else list(kinds))])


def play_through(seed: int, **options: Any) -> Iterator[tuple[Game, Any]]:
    """Positions of a game played at random, the finished one among them."""
    chance = random.Random(seed)
    game = game_of(**options)
    state = game.new(seed)
    while not game.is_finished(state):
        if chance.randrange(LAYING_STRIDE if state[0].phase == Phase.MELD else STRIDE) == 0:
            yield game, state
        game.play(state, eager_action(game, state, chance))
    yield game, state


def deals() -> Iterator[dict[str, Any]]:
    """Options of every contract, every number of seats, and the rarer rules."""
    for deal in range(1, 8):
        yield {"num_players": 2 + deal % 5, "episode": "deal", "deal": deal, "turn_cap": 12}
    rare = {"joker_ratio": False, "return_discard": False, "max_buys": 1, "turn_cap": 70}
    yield {"num_players": 2, "decks": 3, "episode": "deal", "deal": 2, **rare}
    yield {"num_players": 3, "decks": 1, "episode": "game", "turn_cap": 6}


OPTIONS = list(deals())


# --- tests -------------------------------------------------------------------------------


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_seat_sees_what_its_view_shows(options: dict[str, Any]) -> None:
    for game, state in play_through(1, **options):
        for seat in range(game.num_players):
            seen, expected = look(game, state, seat), seen_by_twin(game.view(state, seat))
            for part in LAYOUT:
                np.testing.assert_array_equal(seen[part.name], expected[part.name], part.name)


def test_melds_of_owners_and_own_jokers() -> None:
    game, state = state_at(
        contract=2,
        phase="play",
        melds=[
            run_of(2, 11, "JD QD KD AD"),
            set_of(2, "7H 7D JK"),
            run_of(0, 6, "6C JK 8C 9C"),
            set_of(0, "KS KH KD"),
        ],
        hands={0: "7C 2D", 2: "5S"},
    )
    seen = look(game, state, 0)
    assert seen["melds"][0].tolist() == [0, 0, 0, 0, 1, 6 / 16, 9 / 16, 1]
    assert seen["melds"][1].tolist() == [1, 0, 0, 0, 0, 13 / 16, 13 / 16, 1]
    assert not seen["melds"][2:6].any(), "seat 1 and the third places have none"
    assert seen["melds"][6].tolist() == [0, 0, 0, 1, 0, 11 / 16, 14 / 16, 1]
    assert seen["melds"][7].tolist() == [1, 0, 0, 0, 0, 7 / 16, 7 / 16, 1]
    assert np.argwhere(seen["own_jokers"]).tolist() == [[0, 6]]
    assert not look(game, state, 2)["own_jokers"].any(), "a joker in a set stands nowhere"
    fits = {CARDS[i] for i in np.flatnonzero(seen["fits"])}
    sevens_and_kings = {rank + suit for rank in "7K" for suit in "SHDC"}
    assert fits == sevens_and_kings | {"5C", "TC", "TD", "JK"}
    assert seen["down"].tolist() == [1, 0, 1, 0, 0, 0]
    assert seen["to_lay"].tolist() == [0, 0]
    assert look(game, state, 1)["to_lay"].tolist() == [np.float32(1 / 3)] * 2


def test_the_run_being_laid() -> None:
    game, state = state_at(
        contract=3,
        turn=1,
        building=run_being_laid(10, "TS JK", 0, 1),
        hands={1: "QS KS 2H 3H 4H 5H ..."},
        num_players=3,
    )
    seen = look(game, state, 0)
    assert seen["open_kind"].tolist() == [0, 1]
    assert RANKS[int(np.argmax(seen["open_rank"]))] == "Q"
    assert SUITS[int(np.argmax(seen["open_suit"]))] == "S"
    assert seen["open_size"].tolist() == [2 / 16, 1 / 16]
    assert seen["turn"].tolist() == seen["to_act"].tolist() == [0, 1, 0, 0, 0, 0]
    assert look(game, state, 1)["to_lay"].tolist() == [0, np.float32(1 / 3)]
    assert seen["to_lay"].tolist() == [0, np.float32(2 / 3)], "seat 0 has laid nothing"


def test_cards_that_all_saw_go_into_a_hand() -> None:
    game, state = state_at(
        phase="draw",
        discard="2S 9H",
        hands={1: "5H JK ...", 3: "5H KD ..."},
        known={1: "5H JK", 3: "5H KD"},
    )
    seen = look(game, state, 0)
    assert [CARDS[i] for i in np.flatnonzero(seen["known_left"])] == ["5H", "JK"]
    assert [CARDS[i] for i in np.flatnonzero(seen["known_others"])] == ["5H", "KD"]
    assert [RANKS[i] for i in np.flatnonzero(seen["known_ranks"][1])] == ["5", "K"]
    assert seen["unseen"][PACK.numbers["5H"]] == 0, "both fives of hearts are known"
    assert seen["unseen"][PACK.numbers["9H"]] == seen["unseen"][PACK.numbers["2S"]] == 0.25
    assert seen["unseen"][PACK.numbers["JK"]] == 0.75
    assert CARDS[int(np.argmax(seen["top"]))] == "9H"


@pytest.mark.parametrize("options", [OPTIONS[0], OPTIONS[4], OPTIONS[8]], ids=str)
def test_moving_all_seats_on_changes_nothing(options: dict[str, Any]) -> None:
    for game, state in play_through(3, **options):
        check_rotation(game, state, ("down", "buys_left"), "owner")


def test_privileged_shows_the_other_hands_and_the_next_cards() -> None:
    game, state = state_at(
        phase="buy",
        turn=3,
        discard="9H",
        stock="2D 7C",
        hands={1: "KS KH ..."},
        down=[True, False, False, False],
        melds=[set_of(0, "3S 3H 3D"), set_of(0, "4S 4H 4D")],
    )
    seen, viewer = split(game.privileged(state), PRIVILEGED), int(state[0].to_act)
    assert viewer == 1
    own = game.observe(state, viewer)
    assert (game.privileged(state)[: LAYOUT.size] == own).all()
    for step in range(1, 4):
        cards = game.table(state)["hands"][(viewer + step) % 4]
        assert (seen["other_hands"][step - 1] == counts(cards)).all()
    assert not seen["other_hands"][3:].any()
    assert [CARDS[int(np.argmax(row))] for row in seen["next_cards"]] == ["7C", "2D"]


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
    pool = 108 - 11 - 1 - 1
    for card in ("5H", "QS", "2C", "KD"):
        copies = round(4 * float(look(game, state, 0)["unseen"][PACK.numbers[card]]))
        none = np.prod([1 - 11 / (pool - i) for i in range(copies)])
        share = 1 - none
        assert abs(held[card] / n - share) < 4 * np.sqrt(share * (1 - share) / n), card


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_dealing_anew_works_from_any_arrangement(options: dict[str, Any]) -> None:
    for number, (game, state) in enumerate(play_through(5, **options)):
        seat = number % game.num_players
        moved = with_hidden_anywhere(game, state, seat)
        anew = game.resample(moved, seat, number)
        assert validate(anew[0]) == 0
        assert game.view(anew, seat) == game.view(state, seat)
        assert game.is_finished(state) or game.mask(anew).any()


HANDS_THAT_LAY = {
    1: "7S 7H 7D KS KH JK ...",
    2: "7S 7H JK 4C 5C 6C 7C ...",
    3: "AS 2S 3S JK JH QH KH AH ...",
    4: "2S 2H 2D 9S 9H 9D QS QH JK ...",
    5: "2S 2H 2D 9S 9H JK 6D 7D 8D 9D ...",
    6: "2S 2H 2D 6D 7D 8D 9D 3C JK 5C 6C ...",
    7: "AS 2S 3S 4S 5D 6D JK 8D 9D JC QC KC AC",
}


@pytest.mark.parametrize("contract", HANDS_THAT_LAY)
@pytest.mark.parametrize("share_known", [0, 0.5, 1])
def test_who_lays_a_contract_can_complete_it(contract: int, share_known: float) -> None:
    chance = random.Random(contract)
    hand = HANDS_THAT_LAY[contract]
    buys = 1 if contract == 7 else 0
    known = [card for card in hand.split()[:-1] if chance.random() < share_known]
    table: Table = {
        "contract": contract,
        "phase": "play",
        "num_players": 3,
        "hands": {0: hand},
        "known": {0: " ".join(known)},
        "buys_left": [3 - buys, 3, 3],
    }
    game, begin = state_at(**table)
    for seed in range(N_SEEDS):
        state = game.copy(begin)
        while True:
            legal = game.legal_actions(state)
            laying = [a for a in legal if ACTIONS.decode(a)[0] in LAYING]
            game.play(state, chance.choice(laying))
            if state[0].phase != Phase.MELD:
                break
            for seat in (1, 2):
                moved = with_hidden_anywhere(game, state, seat)
                deal_anew(game, state, seat, seed, validate)
                assert game.mask(game.resample(moved, seat, seed)).any()
