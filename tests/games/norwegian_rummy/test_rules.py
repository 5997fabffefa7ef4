"""The rules of Norwegian Rummy, rule by rule; positions are built field by field."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from kitchentable.cards.french import CARDS, JOKER, N_CARDS, PACK, PACK_SIZE, RANKS, SUITS
from kitchentable.cards.piles import NONE
from kitchentable.engine import rng
from kitchentable.engine.record import new_states
from kitchentable.games.norwegian_rummy.consistency import Fault, validate
from kitchentable.games.norwegian_rummy.rules import (
    ACTIONS,
    LAST_CONTRACT,
    MAX_GROUPS,
    MAX_PLAYERS,
    RUNS,
    SETS,
    STATE,
    Kind,
    Phase,
    apply,
    hand_value,
    legal,
    new_game,
)

ENDS = ("low", "high")
FACES = (*SUITS, "JK")
DEFAULTS = {
    "num_players": 4,
    "decks": 2,
    "max_buys": 3,
    "joker_ratio": 1,
    "turn_cap": 60,
    "return_discard": 1,
    "episode": 0,
    "chosen_contract": 0,
}


def numbers(text: str) -> list[int]:
    return [PACK.numbers[word] for word in text.split()]


def fresh(seed: int = 0, **options: int) -> Any:
    """A record with its options set, full of an old game's rubbish otherwise."""
    states = new_states(STATE, 1)
    states.view(np.uint8)[:] = 77
    states["rng"] = rng.seeds(seed, 1)
    state = states[0]
    state.reward[:] = 0
    state.reward_form = 0
    for name, value in (DEFAULTS | options).items():
        setattr(state, name, value)
    state.num_sides = state.num_players
    return state


def started(seed: int = 0, **options: int) -> Any:
    state = fresh(seed, **options)
    new_game(state)
    return state


def add_meld(state: Any, owner: int, kind: Kind, of: str, cards: str, low: int = 0) -> None:
    """Lay a meld for a seat: a set of a rank, or a run of a suit from its lowest position."""
    meld, laid = int(state.n_melds), numbers(cards)
    state.n_melds += 1
    state.meld_owner[meld] = owner
    state.meld_kind[meld] = kind
    if kind == Kind.SET:
        state.meld_rank[meld] = RANKS.index(of)
    else:
        state.meld_suit[meld] = SUITS.index(of)
        state.meld_low[meld] = low
    state.meld_size[meld] = len(laid)
    state.meld_jokers[meld] = laid.count(JOKER)
    state.meld_cards[meld, : len(laid)] = laid
    own = int(np.flatnonzero(state.own_melds[owner] == NONE)[0])
    state.own_melds[owner, own] = meld


def position(
    hands: Sequence[str],
    contract: int = 1,
    *,
    phase: Phase = Phase.PLAY,
    discard: str = "2C",
    down: Sequence[int] = (),
    sets: Sequence[tuple[int, str, str]] = (),
    runs: Sequence[tuple[int, str, int, str]] = (),
    turn: int = 0,
    **options: Any,
) -> Any:
    """Seat `turn` to move, with these hands (others empty); the rest of the pack is the stock.

    A set is (owner, rank, cards), a run (owner, suit, low, cards).
    """
    state = started(**{"num_players": max(len(hands), 2), **options})
    state.deal = state.contract = contract
    state.dealer = (turn - 1) % state.num_players
    state.hands[:] = 0
    state.discard[:] = 0
    for seat, hand in enumerate(hands):
        for card in numbers(hand):
            state.hands[seat, card] += 1
    state.hand_size[:MAX_PLAYERS] = state.hands.sum(axis=1)
    state.discard_size = len(numbers(discard))
    state.discard[: state.discard_size] = numbers(discard)
    for seat in down:
        state.down[seat] = 1
    for owner, rank, cards in sets:
        add_meld(state, owner, Kind.SET, rank, cards)
    for owner, suit, low, cards in runs:
        add_meld(state, owner, Kind.RUN, suit, cards, low)
    fill_stock(state)
    state.turn = state.to_act = turn
    state.phase = phase
    return state


def fill_stock(state: Any) -> None:
    """Make a stock of the cards that lie nowhere else."""
    pack = Counter({card: int(state.decks) for card in range(N_CARDS)})
    pack[JOKER] *= 2
    for cards in where_cards_lie(state):
        pack.subtract(cards)
    stock = sorted(pack.elements())
    state.stock[:] = 0
    state.stock_size = len(stock)
    state.stock[: len(stock)] = stock


def where_cards_lie(state: Any) -> list[list[int]]:
    """All cards outside the stock."""
    hands = [int(c) for seat in state.hands for c in range(N_CARDS) for _ in range(seat[c])]
    melds = [state.meld_cards[m, : state.meld_size[m]].tolist() for m in range(state.n_melds)]
    return [hands, state.discard[: state.discard_size].tolist(), *melds]


def put_on_stock(state: Any, cards: str) -> None:
    """Bring cards of the stock to its top; the last one is drawn first."""
    stock = state.stock[: state.stock_size].tolist()
    for card in numbers(cards):
        stock.remove(card)
        stock.append(card)
    state.stock[: len(stock)] = stock


def name_of(action: int) -> str:
    """An action in a few words: `open_run S 4`, `lay_off_run 0 high JK`, `move_joker 0 8 low`."""
    name, values = ACTIONS.decode(action)
    match name:
        case "open_set":
            return f"{name} {RANKS[values[0]]}"
        case "open_run":
            return f"{name} {SUITS[values[0]]} {values[1] + 1}"
        case "place" | "discard":
            return f"{name} {CARDS[values[0]]}"
        case "lay_off_set":
            return f"{name} {values[0]} {FACES[values[1]]}"
        case "lay_off_run":
            return f"{name} {values[0]} {ENDS[values[1]]} {('natural', 'JK')[values[2]]}"
        case "move_joker":
            return f"{name} {values[0]} {values[1] + 1} {ENDS[values[2]]}"
    return name


ACTION = {name_of(action): action for action in range(ACTIONS.size)}


def moves(state: Any, *names: str) -> set[str]:
    """What is legal, of the blocks named or of all."""
    mask = np.zeros(ACTIONS.size, np.int8)
    legal(state, mask)
    legal_moves = {name_of(int(action)) for action in np.flatnonzero(mask)}
    return {move for move in legal_moves if not names or move.split()[0] in names}


def play(state: Any, *named: str) -> None:
    for move in named:
        assert move in moves(state), (move, moves(state))
        apply(state, ACTION[move])


def hand(state: Any, seat: int) -> list[str]:
    return PACK.sorted(state.hands[seat])


def meld(state: Any, number: int) -> list[str]:
    return [CARDS[card] for card in state.meld_cards[number, : state.meld_size[number]]]


def top_discard(state: Any) -> str:
    return CARDS[int(state.discard[state.discard_size - 1])]


DEAL_2_SET = (1, "9", "9S 9H 9C")
DEAL_2_RUN = (1, "C", 6, "6C 7C JK 9C")


class TestR1Deal:
    @pytest.mark.parametrize("num_players", range(2, 7))
    def test_eleven_cards_each_and_one_turned_up(self, num_players: int) -> None:
        state = started(num_players=num_players, decks=3)
        assert state.hand_size[:num_players].tolist() == [11] * num_players
        assert state.discard_size == 1
        assert state.stock_size == 3 * PACK_SIZE - 11 * num_players - 1
        assert validate(state) == Fault.NONE

    def test_an_old_game_leaves_no_trace(self) -> None:
        state = started(3)
        assert not state.winners.any() and not state.scores.any() and not state.points.any()
        assert state.n_melds == 0 and (state.own_melds == NONE).all()
        assert not state.known.any() and not state.down.any() and not state.capped
        assert state.taken == NONE and state.buys_left.tolist() == [3, 3, 3, 3, 0, 0]
        assert not state.hands[4:].any() and not state.stock[state.stock_size :].any()

    def test_two_games_from_one_seed_are_equal(self) -> None:
        assert started(5).tobytes() == started(5).tobytes()

    def test_the_seat_left_of_the_dealer_begins(self) -> None:
        state = started(1)
        assert state.turn == state.to_act == (state.dealer + 1) % 4
        assert (state.deal, state.turns, state.phase) == (1, 1, Phase.DRAW)

    def test_g1_every_seat_deals_first_at_times(self) -> None:
        assert {int(started(seed).dealer) for seed in range(60)} == {0, 1, 2, 3}

    def test_the_pack_is_shuffled(self) -> None:
        assert started(1).stock.tolist() != started(2).stock.tolist()

    def test_max_buys_0(self) -> None:
        assert not started(max_buys=0).buys_left.any()

    def test_contracts_in_order(self) -> None:
        wanted = [(2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3)]
        assert list(zip(SETS, RUNS, strict=True))[1:] == wanted

    def test_a_deal_alone_has_the_contract_chosen(self) -> None:
        state = started(episode=1, chosen_contract=5)
        assert (state.deal, state.contract) == (1, 5)

    def test_a_deal_alone_draws_its_contract_evenly(self) -> None:
        drawn = Counter(int(started(seed, episode=1).contract) for seed in range(210))
        assert sorted(drawn) == [1, 2, 3, 4, 5, 6, 7]
        assert min(drawn.values()) > 15


class TestR2Draw:
    def test_both_ways(self) -> None:
        assert moves(started()) == {"draw_stock", "take_discard"}

    def test_example_6_after_the_discard_nobody_is_asked(self) -> None:
        state = position(["2H 3H", "5S"], phase=Phase.DRAW, discard="4C 9H")
        play(state, "take_discard")
        assert (state.phase, state.to_act, state.taken) == (Phase.PLAY, 0, PACK.numbers["9H"])
        assert hand(state, 0) == ["2H", "3H", "9H"] and top_discard(state) == "4C"
        assert PACK.sorted(state.known[0]) == ["9H"]

    def test_the_top_of_the_stock_is_drawn_unseen(self) -> None:
        state = position(["2H", "5S"], phase=Phase.DRAW)
        put_on_stock(state, "7D KC")
        play(state, "draw_stock")
        assert hand(state, 0) == ["2H", "KC"]
        assert not state.known.any() and state.taken == NONE
        assert (state.phase, state.to_act) == (Phase.BUY, 1)

    def test_a_seat_that_is_down_may_take_the_discard(self) -> None:
        state = position(["2H", "5S"], phase=Phase.DRAW, down=[0])
        assert "take_discard" in moves(state)

    def test_nr20_an_empty_stock_is_made_of_all_discards_but_the_top_one(self) -> None:
        state = position(["2H", "5S"], phase=Phase.DRAW, discard="3C 4C 5C 6C", max_buys=0)
        state.stock_size = 0
        play(state, "draw_stock")
        assert (state.stock_size, state.discard_size) == (2, 1)
        assert top_discard(state) == "6C" and state.discard[1:].sum() == 0
        drawn = [card for card in hand(state, 0) if card != "2H"]
        left = [CARDS[card] for card in state.stock[:2]]
        assert sorted(drawn + left) == ["3C", "4C", "5C"]

    def test_nr20_one_discard_makes_no_stock(self) -> None:
        state = position(["2H", "5S"], phase=Phase.DRAW)
        state.stock_size = 0
        assert moves(state) == {"take_discard"}

    def test_no_discard(self) -> None:
        state = position(["2H", "5S"], phase=Phase.DRAW, discard="")
        assert moves(state) == {"draw_stock"}
        play(state, "draw_stock")
        assert (state.phase, state.to_act) == (Phase.PLAY, 0)


class TestR3Buy:
    def asked(self, **options: Any) -> Any:
        hands = ["2H", "3H", "4H", "5H"]
        return position(hands, phase=Phase.DRAW, discard="4C 9H", turn=1, **options)

    def test_example_5_asked_clockwise_from_the_mover(self) -> None:
        state = self.asked()
        put_on_stock(state, "KD QC")
        play(state, "draw_stock")
        assert (state.phase, state.to_act) == (Phase.BUY, 2)
        assert moves(state) == {"buy", "pass"}
        play(state, "pass")
        assert state.to_act == 3
        play(state, "buy")
        assert hand(state, 3) == ["5H", "9H", "KD"] and state.hand_size[3] == 3
        assert PACK.sorted(state.known[3]) == ["9H"]
        assert state.buys_left.tolist()[:4] == [3, 3, 3, 2]
        assert (state.phase, state.to_act, state.turn) == (Phase.PLAY, 1, 1)
        assert top_discard(state) == "4C" and state.taken == NONE
        assert hand(state, 1) == ["3H", "QC"]

    def test_all_pass(self) -> None:
        state = self.asked()
        play(state, "draw_stock", "pass", "pass")
        assert state.to_act == 0
        play(state, "pass")
        assert (state.phase, state.to_act, top_discard(state)) == (Phase.PLAY, 1, "9H")

    def test_example_7_who_is_down_or_has_no_buys_left_is_not_asked(self) -> None:
        state = self.asked()
        state.down[2] = 1
        state.buys_left[3] = 0
        play(state, "draw_stock")
        assert state.to_act == 0
        play(state, "pass")
        assert state.phase == Phase.PLAY

    def test_nobody_to_ask(self) -> None:
        state = self.asked(max_buys=0)
        play(state, "draw_stock")
        assert (state.phase, state.to_act) == (Phase.PLAY, 1)

    def test_a_buyer_may_get_the_discard_alone(self) -> None:
        state = position(["2H", "5S"], phase=Phase.DRAW, discard="9H")
        state.stock[0] = PACK.numbers["KC"]
        state.stock_size = 1
        play(state, "draw_stock", "buy")
        assert hand(state, 1) == ["9H", "5S"][::-1] and state.buys_left[1] == 2
        assert (state.stock_size, state.discard_size) == (0, 0)

    def test_a_buyer_takes_the_discard_before_the_rest_is_reshuffled(self) -> None:
        state = position(["2H", "5S"], phase=Phase.DRAW, discard="4C 6C 9H")
        state.stock[0] = PACK.numbers["KC"]
        state.stock_size = 1
        play(state, "draw_stock", "buy")
        assert hand(state, 1) == ["5S", "9H", "4C"]
        assert (state.stock_size, state.discard_size, top_discard(state)) == (0, 1, "6C")

    def test_nr15_buying_in_deal_7(self) -> None:
        state = position(["2H", "5S"], 7, phase=Phase.DRAW)
        play(state, "draw_stock")
        assert state.phase == Phase.BUY


class TestR4LayingTheContract:
    def test_example_1_a_fourth_card_is_laid_off(self) -> None:
        state = position(["7S 7H 7D KS KH KD KC 2H", "5S"])
        assert moves(state, "open_set", "open_run") == {"open_set 7", "open_set K"}
        play(state, "open_set 7")
        assert (state.phase, state.sets_left, state.runs_left) == (Phase.MELD, 1, 0)
        assert moves(state) == {"place 7S", "place 7H", "place 7D"}
        play(state, "place 7H", "place 7S", "place 7D")
        assert meld(state, 0) == ["7H", "7S", "7D"] and not state.down[0]
        assert (state.phase, state.open_kind, state.open_size) == (Phase.MELD, NONE, 0)
        assert moves(state) == {"open_set K"}
        play(state, "open_set K", "place KS", "place KH", "place KD")
        assert (state.phase, state.down[0], state.to_act) == (Phase.PLAY, 1, 0)
        assert (state.sets_left, state.runs_left) == (0, 0)
        assert state.own_melds[0].tolist() == [0, 1, NONE]
        play(state, "lay_off_set 1 C")
        assert meld(state, 1) == ["KS", "KH", "KD", "KC"] and moves(state) == {"discard 2H"}

    def test_example_1_no_run_in_deal_1(self) -> None:
        state = position(["7S 7H 7D 4C 5C 6C 7C 8C", "5S"])
        assert moves(state, "open_set", "open_run") == set()

    def test_example_1_nr4_no_further_set_later(self) -> None:
        sets = [(0, "7", "7S 7H 7D"), (0, "K", "KS KH KD")]
        state = position(["9S 9H 9D", "5S"], down=[0], sets=sets)
        assert moves(state) == {"discard 9S", "discard 9H", "discard 9D"}

    def test_example_2_two_naturals_and_a_joker(self) -> None:
        state = position(["7S 7H JK KS KH KD 2H", "5S"])
        play(state, "open_set 7")
        assert moves(state) == {"place 7S", "place 7H", "place JK"}
        play(state, "place JK")
        assert moves(state) == {"place 7S", "place 7H"}
        play(state, "place 7H", "place 7S")
        assert meld(state, 0) == ["JK", "7H", "7S"] and state.meld_jokers[0] == 1

    def test_example_2_one_natural_and_two_jokers(self) -> None:
        hands = ["7S JK JK KS KH KD 2H", "5S"]
        assert moves(position(hands), "open_set") == set()
        state = position(hands, joker_ratio=0)
        assert moves(state, "open_set") == {"open_set 7", "open_set K", "open_set 2"}
        play(state, "open_set 7", "place JK", "place JK")
        assert moves(state) == {"place 7S"}

    def test_one_natural_at_least_without_the_ratio(self) -> None:
        state = position(["JK JK JK KS KH KD KC", "5S"], joker_ratio=0)
        assert moves(state, "open_set") == {"open_set K"}
        play(state, "open_set K", "place KS")
        assert moves(state) == {"place KH", "place KD", "place KC", "place JK"}
        play(state, "place KH")
        assert moves(state) == {"place JK", "place KD", "place KC"}

    def test_example_2_a_run_of_two_and_two(self) -> None:
        state = position(["5C 7C JK JK 9S 9H 9D 2H", "5S"], 2)
        assert "open_run C 5" in moves(state)
        play(state, "open_run C 5", "place 5C", "place JK", "place 7C")
        assert moves(state) == {"place JK"}
        play(state, "place JK")
        assert meld(state, 0) == ["5C", "JK", "7C", "JK"] and state.meld_low[0] == 5

    def test_example_3_the_ace_high(self) -> None:
        state = position(["JD QD KD AD 9S 9H 9D 2H", "5S"], 2)
        assert moves(state, "open_run") == {"open_run D 11"}
        play(state, "open_run D 11", "place JD", "place QD", "place KD", "place AD")
        assert meld(state, 0) == ["JD", "QD", "KD", "AD"]

    def test_example_3_the_ace_low(self) -> None:
        state = position(["AD 2D 3D 4D 9S 9H 9D 2H", "5S"], 2)
        assert moves(state, "open_run") == {"open_run D 1"}

    def test_example_3_not_round_the_corner(self) -> None:
        assert "open_run D 12" not in ACTION
        state = position(["QD KD AD 2D 9S 9H 9D 2H", "5S"], 2)
        assert moves(state, "open_run", "open_set") == set()

    def test_example_3_three_cards_are_no_run(self) -> None:
        state = position(["5C 6C 7C 9S 9H 9D 2H", "5S"], 2)
        assert moves(state, "open_run", "open_set") == set()

    def test_example_12_adjoining_runs_of_a_suit(self) -> None:
        state = position(["4S 5S 6S 7S 8S 9S TS JS 2H", "5H"], 3)
        assert moves(state, "open_run") == {"open_run S 4", "open_run S 8"}
        play(state, "open_run S 8", "place 8S", "place 9S", "place TS", "place JS")
        play(state, "open_run S 4", "place 4S", "place 5S", "place 6S", "place 7S")
        assert state.n_melds == 2 and state.down[0]
        assert [meld(state, m)[0] for m in (0, 1)] == ["8S", "4S"]

    def test_example_13_a_card_that_the_run_needs(self) -> None:
        state = position(["7H 7D 7C 7S 8S 9S TS 2H", "5H"], 2)
        play(state, "open_set 7")
        assert moves(state) == {"place 7H", "place 7D", "place 7C"}

    def test_example_13_unless_a_joker_can_stand_in(self) -> None:
        state = position(["7H 7D 7C 7S 8S 9S TS JK", "5H"], 2)
        play(state, "open_set 7", "place 7S")
        assert moves(state) == {"place 7H", "place 7D", "place 7C"}
        play(state, "place 7H", "place 7D", "open_run S 7")
        assert moves(state) == {"place JK"}

    def test_a_joker_may_stand_in_for_a_card_in_hand(self) -> None:
        state = position(["7H 7D 9C 7S 8S 9S TS JK", "5H"], 2)
        assert moves(state, "open_run") == {"open_run S 7", "open_run S 8"}
        play(state, "open_run S 7")
        assert moves(state) == {"place 7S", "place JK"}
        play(state, "place JK", "place 8S", "place 9S", "place TS", "open_set 7")
        assert moves(state) == {"place 7S", "place 7H", "place 7D"}

    def test_two_sets_of_one_rank(self) -> None:
        state = position(["7S 7S 7H 7H 7D JK 2H", "5H"])
        play(state, "open_set 7", "place 7S", "place 7S")
        assert moves(state) == {"place 7H", "place 7D", "place JK"}

    def test_nothing_but_melding_once_begun(self) -> None:
        state = position(["7S 7H 7D KS KH KD 2H", "5S"])
        play(state, "open_set 7", "place 7S", "place 7H", "place 7D")
        assert moves(state) == {"open_set K"}

    def test_the_contract_needs_no_haste(self) -> None:
        state = position(["7S 7H 7D KS KH KD 2H", "5S"])
        assert {"discard 7S", "discard 2H"} <= moves(state)

    def test_cards_taken_may_be_laid(self) -> None:
        state = position(["7S 7H KS KH KD 2H", "5S"], phase=Phase.DRAW, discard="4C 7D")
        play(state, "take_discard", "open_set 7", "place 7D")
        assert state.taken == NONE and not state.known.any()


class TestR5TheLastContract:
    TWELVE = "4S 5S 6S 7S TH JH QH KH 2C 3C 4C 5C"

    def lay(self, state: Any, suit: str, low: int, cards: str) -> None:
        play(state, f"open_run {suit} {low}", *(f"place {card}" for card in cards.split()), "close")

    def test_example_8_twelve_cards(self) -> None:
        state = position([self.TWELVE, "5H 9S"], LAST_CONTRACT)
        assert moves(state, "open_run") == {"open_run S 4", "open_run H 10", "open_run C 2"}
        self.lay(state, "H", 10, "TH JH QH KH")
        assert state.phase == Phase.MELD and moves(state) == {"open_run S 4", "open_run C 2"}
        self.lay(state, "S", 4, "4S 5S 6S 7S")
        self.lay(state, "C", 2, "2C 3C 4C 5C")
        assert state.phase == Phase.OVER and state.winners[:2].tolist() == [1, 0]
        assert state.scores[:2].tolist() == [0, 10] and state.down[0]
        assert (state.sets_left, state.runs_left, state.open_kind) == (0, 0, NONE)

    def test_example_8_a_joker_standing_in(self) -> None:
        state = position([self.TWELVE.replace("JH", "JK"), "5H"], LAST_CONTRACT)
        assert "open_run H 10" in moves(state)
        play(state, "open_run H 10", "place TH")
        assert moves(state) == {"place JK"}

    def test_example_8_eleven_of_twelve(self) -> None:
        state = position([self.TWELVE.replace("JH", "2S"), "5H"], LAST_CONTRACT)
        assert moves(state) == {f"discard {card}" for card in hand(state, 0)}

    def test_no_card_may_be_left_over(self) -> None:
        state = position([self.TWELVE + " 9D", "5H"], LAST_CONTRACT)
        assert moves(state, "open_run") == set()

    def test_a_run_goes_on_or_is_closed(self) -> None:
        hands = ["4S 5S 6S 7S 8S 9S TS JS 2C 3C 4C 5C 6C", "5H"]
        state = position(hands, LAST_CONTRACT)
        play(state, "open_run S 4", "place 4S", "place 5S", "place 6S", "place 7S")
        assert moves(state) == {"close"}
        play(state, "close", "open_run C 2", "place 2C", "place 3C", "place 4C", "place 5C")
        assert moves(state) == {"place 6C"}

    def test_closing_or_going_on(self) -> None:
        state = position(["4S 5S 6S 7S 8S TH JH QH KH 2C 3C 4C 5C JK", "5H"], LAST_CONTRACT)
        play(state, "open_run S 4", "place 4S", "place 5S", "place 6S", "place 7S", "place 8S")
        assert moves(state) == {"close", "place JK"}

    def test_a_joker_below(self) -> None:
        state = position(["5S 6S 7S TH JH QH KH 2C 3C 4C 5C JK", "5H"], LAST_CONTRACT)
        lows = {"open_run S 4", "open_run S 5"}
        assert moves(state, "open_run") == lows | {"open_run H 10", "open_run C 2"}

    def test_the_ratio_is_asked_when_a_run_is_closed(self) -> None:
        hands = ["5S 6S TH JH QH KH 2C 3C 4C 5C JK JK", "5H"]
        state = position(hands, LAST_CONTRACT)
        play(state, "open_run S 3", "place JK", "place JK", "place 5S", "place 6S")
        assert moves(state) == {"close"}
        hands = ["5S TH JH QH KH 2C 3C 4C 5C JK JK JK", "5H"]
        assert moves(position(hands, LAST_CONTRACT), "open_run") == set()
        assert moves(position(hands, LAST_CONTRACT, joker_ratio=0), "open_run")

    def test_three_runs_of_one_suit(self) -> None:
        hands = ["4S 5S 6S 7S 4S 5S 6S 7S 8S 9S TS JS", "5H"]
        state = position(hands, LAST_CONTRACT)
        assert moves(state, "open_run") == {"open_run S 4", "open_run S 8"}
        play(state, "open_run S 4", "place 4S", "place 5S", "place 6S", "place 7S")
        assert moves(state) == {"close", "place 8S"} - {"place 8S"}

    def test_a_run_up_to_the_ace(self) -> None:
        state = position([self.TWELVE + " AH", "5H"], LAST_CONTRACT)
        play(state, "open_run H 10", "place TH", "place JH", "place QH", "place KH", "place AH")
        assert moves(state) == {"close"}

    @pytest.mark.parametrize("ratio", [0, 1])
    def test_whatever_is_legal_leads_to_the_end(self, ratio: int) -> None:
        hands = [
            "4S 5S 6S 7S 8S JK 2C 3C 4C 5C JK TH JH QH KH",
            "4S 5S 6S 7S JK 5S 6S 7S 8S 9S AS 2S 3S JK JK",
            "AD 2D 3D JK QD KD AD JK 5D 6D JK 8D 9D TD",
        ]
        for chance, cards in ((np.random.default_rng(n), hands[n % 3]) for n in range(9)):
            state = position([cards, "5H"], LAST_CONTRACT, joker_ratio=ratio)
            while state.phase != Phase.OVER:
                options = sorted(moves(state, "open_run", "place", "close"))
                play(state, options[chance.integers(len(options))])
            assert state.hand_size[0] == 0 and state.scores[0] == 0
            laid = [state.meld_size[m] for m in range(3)]
            assert sum(laid) == len(cards.split()) and min(laid) >= 4


class TestR6LayingOff:
    def test_example_10_only_who_is_down(self) -> None:
        sets = [
            (0, "7", "7S 7H 7D"),
            (0, "K", "KS KH KD"),
            (2, "9", "9S 9H 9D"),
            (2, "4", "4S 4H 4D"),
        ]
        hands = ["9C 2H", "9C 3H", "3S", "9C"]
        state = position(hands, down=[0, 2], sets=sets, decks=3)
        assert moves(state, "lay_off_set") == {"lay_off_set 6 C"}
        play(state, "lay_off_set 6 C")
        assert meld(state, 2) == ["9S", "9H", "9D", "9C"] and hand(state, 0) == ["2H"]
        state = position(hands, down=[0, 2], sets=sets, decks=3, turn=3)
        assert moves(state) == {"discard 9C"}

    def test_melds_are_numbered_from_the_mover(self) -> None:
        sets = [
            (0, "7", "7S 7H 7D"),
            (2, "9", "9S 9H 9D"),
            (0, "K", "KS KH KD"),
            (2, "4", "4S 4H 4D"),
        ]
        state = position(["3H", "3C", "KC 4C 2H", "3D"], down=[0, 2], sets=sets, turn=2)
        assert moves(state, "lay_off_set") == {"lay_off_set 1 C", "lay_off_set 7 C"}
        play(state, "lay_off_set 7 C")
        assert meld(state, 2) == ["KS", "KH", "KD", "KC"]

    def test_both_ends_of_a_run(self) -> None:
        state = position(
            ["5C TC 6C 2H", "3S"], 2, down=[0, 1], sets=[DEAL_2_SET], runs=[DEAL_2_RUN]
        )
        ends = {"lay_off_run 4 low natural", "lay_off_run 4 high natural"}
        assert moves(state, "lay_off_run") == ends
        play(state, "lay_off_run 4 low natural")
        assert meld(state, 1) == ["5C", "6C", "7C", "JK", "9C"] and state.meld_low[1] == 5
        play(state, "lay_off_run 4 high natural")
        assert meld(state, 1) == ["5C", "6C", "7C", "JK", "9C", "TC"] and state.meld_low[1] == 5

    def test_a_run_ends_at_the_aces(self) -> None:
        runs = [(1, "C", 1, "AC 2C 3C 4C"), (1, "D", 11, "JD QD KD AD")]
        state = position(["KC 2D JK 5C TD", "3S"], 3, down=[0, 1], runs=runs)
        assert moves(state, "lay_off_run") == {
            "lay_off_run 3 high natural",
            "lay_off_run 3 high JK",
            "lay_off_run 4 low natural",
            "lay_off_run 4 low JK",
        }

    def test_an_ace_at_either_end(self) -> None:
        runs = [(1, "C", 2, "2C 3C 4C 5C"), (1, "D", 10, "TD JD QD KD")]
        state = position(["AC AD 2H", "3S"], 3, down=[0, 1], runs=runs)
        play(state, "lay_off_run 3 low natural", "lay_off_run 4 high natural")
        assert meld(state, 0)[0] == "AC" and meld(state, 1)[-1] == "AD"

    def test_nr6_a_joker_only_within_the_ratio(self) -> None:
        sets = [(1, "9", "9S 9H JK"), (1, "4", "4S 4H 4D")]
        hands = ["JK JK JK 9C 2H", "3S"]
        state = position(hands, down=[0, 1], sets=sets)
        jokers = {"lay_off_set 3 JK", "lay_off_set 4 JK"}
        assert moves(state, "lay_off_set") & jokers == jokers
        play(state, "lay_off_set 3 JK")
        assert meld(state, 0) == ["9S", "9H", "JK", "JK"] and state.meld_jokers[0] == 2
        assert moves(state, "lay_off_set") & jokers == {"lay_off_set 4 JK"}
        play(state, "lay_off_set 3 C")
        assert moves(state, "lay_off_set") == jokers
        state = position(hands, down=[0, 1], sets=sets, joker_ratio=0)
        assert moves(state, "lay_off_set") & jokers == jokers

    def test_nr6_a_joker_on_a_run(self) -> None:
        runs = [(1, "C", 2, "2C JK 4C JK"), (1, "D", 8, "8D 9D TD JK")]
        state = position(["JK 2H", "3S"], 3, down=[0, 1], runs=runs)
        assert moves(state, "lay_off_run") == {"lay_off_run 4 low JK", "lay_off_run 4 high JK"}
        play(state, "lay_off_run 4 low JK")
        assert meld(state, 1) == ["JK", "8D", "9D", "TD", "JK"] and state.meld_low[1] == 7

    def test_a_set_takes_every_card_there_is(self) -> None:
        nines = " ".join(f"9{suit}" for suit in "SHDC" * 3)
        sets = [(1, "9", nines + " JK JK JK JK JK"), (1, "4", "4S 4H 4D")]
        state = position(["JK 2H", "3S"], down=[0, 1], sets=sets, decks=3, joker_ratio=0)
        play(state, "lay_off_set 3 JK")
        assert state.meld_size[0] == 18 and meld(state, 0).count("JK") == 6

    def test_going_out_by_laying_off(self) -> None:
        sets = [(0, "9", "9S 9H 9D"), (0, "4", "4S 4H 4D")]
        state = position(["9C", "3S"], down=[0], sets=sets)
        play(state, "lay_off_set 0 C")
        assert state.deal == 2 and state.scores[:2].tolist() == [0, 5]

    def test_taken_and_known_leave_with_the_card(self) -> None:
        sets = [(0, "9", "9S 9H 9D"), (0, "4", "4S 4H 4D")]
        state = position(["9C 2H", "3S"], down=[0], sets=sets, phase=Phase.DRAW, discard="9C")
        play(state, "take_discard", "lay_off_set 0 C")
        assert state.taken == NONE and not state.known.any() and hand(state, 0) == ["2H", "9C"]


class TestR7MovingAJoker:
    def example(self, cards: str, turn: int = 0) -> Any:
        sets = [(0, "9", "9S 9H 9D"), (1, "4", "4S 4H 4D")]
        runs = [(0, "C", 6, "6C 7C JK 9C"), (1, "H", 9, "9H TH JH QH")]
        hands = [cards, "3S"] if turn == 0 else ["3S", cards]
        return position(hands, 2, down=[0, 1], sets=sets, runs=runs, turn=turn)

    def test_example_4_to_the_high_end(self) -> None:
        state = self.example("8C JC 2H")
        assert moves(state, "move_joker") == {"move_joker 1 8 low", "move_joker 1 8 high"}
        play(state, "move_joker 1 8 high", "lay_off_run 1 high natural")
        assert meld(state, 2) == ["6C", "7C", "8C", "9C", "JK", "JC"]
        assert (state.meld_low[2], state.meld_jokers[2]) == (6, 1)

    def test_example_4_to_the_low_end(self) -> None:
        state = self.example("8C 2H")
        play(state, "move_joker 1 8 low")
        assert meld(state, 2) == ["JK", "6C", "7C", "8C", "9C"]
        assert (state.meld_low[2], state.meld_jokers[2], hand(state, 0)) == (5, 1, ["2H"])

    def test_example_4_nobody_else(self) -> None:
        assert moves(self.example("8C 2H", turn=1), "move_joker") == set()

    def test_only_with_the_natural_card(self) -> None:
        assert moves(self.example("8S 2H"), "move_joker") == set()

    def test_only_to_an_end_inside_the_positions(self) -> None:
        runs = [(0, "C", 1, "AC JK 3C 4C"), (0, "D", 11, "JD QD JK AD")]
        state = position(["2C KD 2H", "3S"], 3, down=[0], runs=runs)
        assert moves(state, "move_joker") == {"move_joker 0 2 high", "move_joker 1 13 low"}

    def test_an_ace_for_a_joker_at_either_place(self) -> None:
        runs = [(0, "C", 1, "JK 2C 3C 4C"), (0, "D", 11, "JD QD KD JK")]
        state = position(["AC AD 2H", "3S"], 3, down=[0], runs=runs)
        assert moves(state, "move_joker") == {"move_joker 0 1 high", "move_joker 1 14 low"}
        play(state, "move_joker 1 14 low")
        assert meld(state, 1) == ["JK", "JD", "QD", "KD", "AD"]

    def test_a_joker_at_an_end(self) -> None:
        runs = [(0, "C", 6, "JK 7C 8C 9C"), (0, "D", 2, "2D 3D 4D 5D")]
        state = position(["6C 2H", "3S"], 3, down=[0], runs=runs)
        play(state, "move_joker 0 6 low")
        assert meld(state, 0) == ["JK", "6C", "7C", "8C", "9C"] and state.meld_low[0] == 5

    def test_going_out_by_moving_a_joker(self) -> None:
        state = self.example("8C")
        play(state, "move_joker 1 8 low")
        assert state.deal == 3 and state.scores[:2].tolist() == [0, 5]


class TestR8Discard:
    def test_any_card_and_the_turn_passes_left(self) -> None:
        state = position(["2H 3H 3H", "5S", "6S"])
        assert moves(state) == {"discard 2H", "discard 3H"}
        play(state, "discard 3H")
        assert hand(state, 0) == ["2H", "3H"] and top_discard(state) == "3H"
        assert (state.turn, state.to_act, state.turns, state.phase) == (1, 1, 2, Phase.DRAW)

    def test_the_last_seat_passes_to_the_first(self) -> None:
        state = position(["2H", "5S", "6S 7S"], turn=2)
        play(state, "discard 6S")
        assert state.turn == 0

    def test_g3_the_card_just_taken(self) -> None:
        hands = ["2H 9C", "5S"]
        state = position(hands, phase=Phase.DRAW, discard="4C 9C")
        play(state, "take_discard")
        assert moves(state, "discard") == {"discard 2H", "discard 9C"}
        state = position(hands, phase=Phase.DRAW, discard="4C 9C", return_discard=0)
        play(state, "take_discard")
        assert moves(state, "discard") == {"discard 2H"}
        play(state, "discard 2H")
        assert state.taken == NONE and PACK.sorted(state.known[0]) == ["9C"]

    def test_g3_no_other_card(self) -> None:
        state = position(["9C", "5S"], phase=Phase.DRAW, discard="4C 9C", return_discard=0)
        play(state, "take_discard")
        assert moves(state) == {"discard 9C"}

    def test_g7_a_known_card_that_leaves_is_not_known_any_more(self) -> None:
        state = position(["2H 9C 9C", "5S"], phase=Phase.DRAW, discard="4C 9C", decks=3)
        play(state, "take_discard", "discard 9C")
        assert hand(state, 0) == ["2H", "9C", "9C"] and not state.known.any()


class TestR9TheEndOfADeal:
    def test_nr16_out_by_a_discard(self) -> None:
        sets = [(0, "9", "9S 9H 9D"), (0, "4", "4S 4H 4D")]
        state = position(["7C", "3S AH", "JK"], down=[0], sets=sets)
        play(state, "discard 7C")
        assert (state.deal, state.contract, state.dealer, state.turn) == (2, 2, 0, 1)
        assert (state.phase, state.turns, state.capped) == (Phase.DRAW, 1, 0)
        assert state.scores[:3].tolist() == [0, 20, 50]
        assert state.points[:3].tolist() == [0, -20, -50]
        assert validate(state) == Fault.NONE

    def test_example_11_out_without_a_discard(self) -> None:
        runs = [(1, "H", 9, "9H TH JH QH")]
        sets = [(1, "2", "2S 2D 2C")]
        cards = "7S 7H 7D 4C 5C 6C 7C 7C 8C 8H KH"
        state = position([cards, "3S"], 2, down=[1], sets=sets, runs=runs)
        play(state, "open_set 7", "place 7S", "place 7H", "place 7D")
        play(state, "open_run C 4", "place 4C", "place 5C", "place 6C", "place 7C")
        play(state, "lay_off_set 0 C", "lay_off_run 1 high natural", "lay_off_run 4 high natural")
        assert state.deal == 2
        play(state, "lay_off_run 4 low natural")
        assert state.deal == 3 and state.scores[:2].tolist() == [0, 5]

    def at_the_cap(self, cards: str = "7C 8C") -> Any:
        sets = [(1, "9", "9S 9H 9D"), (1, "4", "4S 4H 4D")]
        state = position(["3S", cards], down=[1], sets=sets, turn=1, turn_cap=5)
        state.turns = 10
        return state

    def test_nr23_the_turn_cap(self) -> None:
        state = self.at_the_cap()
        play(state, "discard 8C")
        assert (state.deal, state.capped, state.turns) == (2, 1, 1)
        assert state.scores[:2].tolist() == [5, 5]

    def test_nr23_one_turn_before_the_cap(self) -> None:
        state = self.at_the_cap()
        state.turns = 9
        play(state, "discard 8C")
        assert (state.deal, state.capped, state.turns) == (1, 0, 10)

    def test_nr23_going_out_comes_before_the_cap(self) -> None:
        state = self.at_the_cap("9C")
        play(state, "discard 9C")
        assert (state.deal, state.capped) == (2, 0)
        assert state.scores[:2].tolist() == [5, 0]

    def test_nr23_capped_stays_to_the_end_of_the_game(self) -> None:
        state = self.at_the_cap()
        play(state, "discard 8C")
        while state.phase != Phase.OVER:
            mask = np.zeros(ACTIONS.size, np.int8)
            legal(state, mask)
            apply(state, int(np.flatnonzero(mask)[-1]))
            assert state.capped

    def test_nr23_capped_stays_when_a_later_deal_is_won(self) -> None:
        state = self.at_the_cap("9C")
        state.capped = 1
        play(state, "discard 9C")
        assert (state.deal, state.capped) == (2, 1)

    def test_a_new_deal_clears_the_table(self) -> None:
        state = self.at_the_cap()
        state.buys_left[:2] = 1
        play(state, "discard 8C")
        assert state.n_melds == 0 and not state.down.any() and (state.own_melds == NONE).all()
        assert state.buys_left[:2].tolist() == [3, 3] and not state.meld_cards.any()


class TestR10Scoring:
    def test_example_9(self) -> None:
        counts = np.zeros(N_CARDS, np.int8)
        counts[numbers("2H 9C TD KS AD JK")] = 1
        assert hand_value(counts) == 95

    @pytest.mark.parametrize(
        ("card", "value"), [("AS", 15), ("2S", 5), ("9S", 5), ("TS", 10), ("KS", 10), ("JK", 50)]
    )
    def test_values(self, card: str, value: int) -> None:
        counts = np.zeros(N_CARDS, np.int8)
        counts[PACK.numbers[card]] = 2
        assert hand_value(counts) == 2 * value

    def test_rewards_are_the_points_against_the_mean_of_the_others(self) -> None:
        sets = [(0, "9", "9S 9H 9D"), (0, "4", "4S 4H 4D")]
        state = position(["7C", "3S AH", "JK"], down=[0], sets=sets)
        state.reward[:] = 0.5
        play(state, "discard 7C")
        wanted = [0.5 + 35 / 100, 0.5 + (-20 + 25) / 100, 0.5 + (-50 + 10) / 100]
        assert state.reward[:3].tolist() == pytest.approx(wanted)
        assert state.reward[3:].tolist() == [0.5] * 9

    def test_scores_add_up(self) -> None:
        sets = [(0, "9", "9S 9H 9D"), (0, "4", "4S 4H 4D")]
        state = position(["7C", "3S AH", "JK"], down=[0], sets=sets)
        state.scores[:3] = (30, 40, 5)
        play(state, "discard 7C")
        assert state.scores[:3].tolist() == [30, 60, 55]


class TestR11Winning:
    def last_discard(self, scores: Sequence[int], **options: Any) -> Any:
        """Seat 1 caps the last deal with its discard; nobody has cards left but seat 2, a five."""
        state = position(["", "7C 8C", "3S"], LAST_CONTRACT, turn=1, turn_cap=1, **options)
        state.turns = 3
        state.scores[:3] = scores
        play(state, "discard 8C")
        return state

    def test_the_lowest_total_wins(self) -> None:
        state = self.last_discard((30, 20, 40))
        assert state.winners[:3].tolist() == [0, 1, 0] and state.scores[:3].tolist() == [30, 25, 45]

    def test_equal_totals_share(self) -> None:
        state = self.last_discard((30, 25, 40), reward_form=1)
        assert state.winners[:3].tolist() == [1, 1, 0]
        assert state.reward[:3].tolist() == pytest.approx([0.25, 0.25, -0.5])

    def test_what_stays_when_finished(self) -> None:
        state = self.last_discard((30, 20, 40))
        assert (state.phase, state.to_act, state.taken) == (Phase.OVER, -1, NONE)
        assert (state.turn, state.turns, state.deal, state.dealer) == (1, 3, 7, 0)
        assert top_discard(state) == "8C" and hand(state, 1) == ["7C"]
        assert moves(state) == set() and state.capped == 1

    def test_taken_is_forgotten_when_finished(self) -> None:
        state = position(["", "9S 8C"], LAST_CONTRACT, turn=1, turn_cap=1, phase=Phase.DRAW)
        state.turns = 2
        play(state, "take_discard", "discard 8C")
        assert state.taken == NONE and PACK.sorted(state.known[1]) == ["2C"]

    @pytest.mark.parametrize("contract", range(1, 8))
    def test_a_deal_alone_is_the_game(self, contract: int) -> None:
        state = position(["AC", "7C 8C"], turn=1, episode=1, chosen_contract=contract, turn_cap=1)
        state.deal, state.contract, state.turns = 1, contract, 2
        play(state, "discard 8C")
        assert state.phase == Phase.OVER and state.winners[:2].tolist() == [0, 1]
        assert (state.deal, state.contract) == (1, contract)

    def test_a_game_has_seven_deals(self) -> None:
        state = started(4, num_players=2, turn_cap=1)
        chance, deals = np.random.default_rng(0), [1]
        while state.phase != Phase.OVER:
            options = sorted(moves(state))
            play(state, options[chance.integers(len(options))])
            deals.append(int(state.deal))
        assert sorted(set(deals)) == [1, 2, 3, 4, 5, 6, 7]
        assert state.contract == 7


class TestRandomGames:
    """Whatever is legal leads to a state that agrees with itself, and to an end."""

    GAMES = (
        {"num_players": 2, "decks": 1, "turn_cap": 8},
        {"num_players": 3, "joker_ratio": 0, "return_discard": 0, "turn_cap": 4},
        {"num_players": 4, "max_buys": 1, "turn_cap": 3, "return_discard": 0},
        {"num_players": 5, "decks": 3, "max_buys": 0, "turn_cap": 2},
        {"num_players": 6, "decks": 2, "turn_cap": 2, "joker_ratio": 0},
        {"num_players": 4, "episode": 1, "turn_cap": 15},
        {"num_players": 2, "episode": 1, "chosen_contract": 6, "turn_cap": 30},
    )

    @pytest.mark.parametrize("options", GAMES)
    def test_every_move(self, options: dict[str, int]) -> None:
        state = started(9, **options)
        assert validate(state) == Fault.NONE
        chance = np.random.default_rng(9)
        while state.phase != Phase.OVER:
            mask = np.zeros(ACTIONS.size, np.int8)
            legal(state, mask)
            actions = np.flatnonzero(mask)
            melding = actions[(actions >= ACTIONS["open_set"]) & (actions < ACTIONS["discard"])]
            chosen = melding if len(melding) else actions
            apply(state, int(chosen[chance.integers(len(chosen))]))
            assert validate(state) == Fault.NONE
            assert state.turn == (state.dealer + state.turns) % state.num_players
            self.unused_is_zero(state)
        assert state.winners.any()

    def unused_is_zero(self, state: Any) -> None:
        assert not state.stock[state.stock_size :].any()
        assert not state.discard[state.discard_size :].any()
        assert not state.open_cards[state.open_size :].any()
        assert not state.meld_size[state.n_melds :].any()
        for number in range(state.n_melds):
            assert not state.meld_cards[number, state.meld_size[number] :].any()


class TestValidate:
    """Each fault is found."""

    def laid(self) -> Any:
        """Seat 0 has laid contract 2 and two cards off; all fields agree."""
        state = position(
            ["2H 2D 3D", "3S 4S 5S 6D 8D TD QD KH AS 2S 4D"],
            2,
            down=[0],
            sets=[(0, "9", "9S 9H 9D 9C")],
            runs=[(0, "C", 6, "6C 7C JK 9C TC")],
        )
        assert validate(state) == Fault.NONE
        return state

    @pytest.mark.parametrize(
        ("field", "value", "fault"),
        [
            ("contract", 3, Fault.OPTIONS),
            ("chosen_contract", 2, Fault.OPTIONS),
            ("decks", 4, Fault.OPTIONS),
            ("num_sides", 1, Fault.OPTIONS),
            ("turn_cap", 0, Fault.OPTIONS),
            ("dealer", 2, Fault.SEATS),
            ("to_act", 1, Fault.SEATS),
            ("turns", 0, Fault.SEATS),
            ("phase", Phase.OVER, Fault.SEATS),
            ("phase", Phase.BUY, Fault.SEATS),
            ("discard_size", 200, Fault.SIZES),
            ("n_melds", 19, Fault.SIZES),
            ("stock_size", 5, Fault.CARDS),
            ("taken", 0, Fault.TAKEN),
            ("sets_left", 1, Fault.BUILDING),
            ("open_kind", Kind.SET, Fault.BUILDING),
            ("phase", Phase.MELD, Fault.CONTRACT),
        ],
    )
    def test_fields(self, field: str, value: int, fault: Fault) -> None:
        state = self.laid()
        setattr(state, field, value)
        assert validate(state) == fault

    @pytest.mark.parametrize(
        ("field", "index", "value", "fault"),
        [
            ("hand_size", 0, 4, Fault.HANDS),
            ("hands", (1, 2), 0, Fault.HANDS),
            ("hands", (3, 0), -1, Fault.HANDS),
            ("discard", 0, 3, Fault.CARDS),
            ("known", (0, 0), 1, Fault.KNOWN),
            ("meld_jokers", 1, 0, Fault.MELDS),
            ("meld_low", 1, 7, Fault.MELDS),
            ("meld_rank", 0, 3, Fault.MELDS),
            ("meld_kind", 0, Kind.RUN, Fault.MELDS),
            ("own_melds", (0, 1), NONE, Fault.OWNERS),
            ("own_melds", (1, 0), 1, Fault.OWNERS),
            ("meld_owner", 1, 1, Fault.OWNERS),
            ("down", 0, 0, Fault.CONTRACT),
            ("down", 1, 1, Fault.CONTRACT),
            ("buys_left", 1, 2, Fault.BUYS),
            ("buys_left", 1, 4, Fault.BUYS),
        ],
    )
    def test_entries(self, field: str, index: Any, value: int, fault: Fault) -> None:
        state = self.laid()
        getattr(state, field)[index] = value
        assert validate(state) == fault

    def test_an_open_group(self) -> None:
        state = position(
            ["7S 7H 7D KS KH KD 2H 3H 4H 5H 8H 9S", "3S 3D 3C 4S 4D 4C 5D 6D JS JH JD"]
        )
        play(state, "open_set 7", "place 7S")
        assert validate(state) == Fault.NONE
        state.open_rank = 3
        assert validate(state) == Fault.BUILDING
        state.open_rank, state.sets_left = 6, 0
        assert validate(state) == Fault.CONTRACT


def test_melds_fit() -> None:
    assert max(s + r for s, r in zip(SETS, RUNS, strict=True)) == MAX_GROUPS
