"""Tables and views of Hand & Foot Canasta read back into a state; every key is checked.

A position that play could not have led to may pass, a contradiction does not. Order:
deal, melds and piles, the hands, feet and the stock, then what must agree.
"""

from typing import Any

import numpy as np

from kitchentable.cards.pack import Tally
from kitchentable.cards.piles import NONE
from kitchentable.cards.reading import (
    MAX_COUNT,
    dealt_anew,
    place_hidden,
    read_discard,
    read_hands,
    read_hidden_stock,
    read_known,
    read_seen_hands,
    read_stock,
)
from kitchentable.engine.reading import Reader
from kitchentable.engine.state import Episode
from kitchentable.games import spec
from kitchentable.games.hand_and_foot.deck import (
    COPIES,
    FIRST_NATURAL,
    JOKER,
    PACK,
    RANKS,
    RED_THREE,
    TWO,
    VALUES,
    tally_of_packs,
)
from kitchentable.games.hand_and_foot.opening import CANASTA, MIN_MELD, wild_fits
from kitchentable.games.hand_and_foot.reach import (
    can_reach,
    canastas_lacking,
    feet_are_up,
    is_open,
    minimum,
)
from kitchentable.games.hand_and_foot.state import (
    ALL_WILD,
    CLEAN,
    DIRTY,
    HAND_SIZE,
    MAX_ASKED_LACK,
    N_DEALS,
    N_SIDES,
    PARTNER,
    PILE_TAKEN,
    WILD,
    Kind,
    Permission,
    Phase,
    State,
    WildRule,
)

WILD_NAME = "wild"
"""How a wild meld's rank is called."""
MELD_RANKS = (*RANKS, WILD_NAME)
KINDS = (None, "start", "add")
"""By `Kind`."""
PERMISSIONS = (None, "allow", "refuse")
"""By `Permission`."""
MAX_TURNS = 173
"""Every turn takes two cards from the stock, 82 times at most, or lays three on the table, 90
times; and one more is in progress."""
MAX_SCORE = 1_000_000_000
"""More than any game can bring, and little enough for the sums to fit."""


def read(reader: Reader, state: State) -> None:
    """Fill the state from a table's own keys.

    Raises:
        TableError: naming the key that is wrong.
    """
    tally = _read_open_cards(reader, state)
    read_hands(reader, state, tally)
    for seat, foot in enumerate(reader.items("feet", state.num_players)):
        _read_foot(reader, state, seat, foot, tally)
    read_stock(reader, state, tally)
    _check(reader, state)
    if _is_opening(state) and not can_reach(state, int(state.turn)):
        raise _out_of_reach(reader)


def read_view(reader: Reader, state: State) -> int:
    """Fill the state from a view, the hidden cards in any order, and return the viewer.

    Raises:
        TableError: naming the key that is wrong.
    """
    tally = _read_open_cards(reader, state)
    viewer = read_seen_hands(reader, state, tally)
    hidden = tally.remaining()
    place_hidden(reader, state, viewer, hidden)
    for seat, foot in enumerate(reader.items("feet", state.num_players)):
        _read_hidden_foot(reader, state, seat, foot, hidden)
    read_hidden_stock(reader, state, hidden)
    _check(reader, state)
    if _is_opening(state) and not _can_be_in_reach(state, viewer):
        raise _out_of_reach(reader)
    return viewer


def _read_open_cards(reader: Reader, state: State) -> Tally:
    """Read everything but hands, feet and stock; return what cards that leaves."""
    state.unclosed[:] = NONE
    _read_deal(reader, state)
    tally = tally_of_packs()
    _read_red_threes(reader, state, tally)
    for side, melds in enumerate(reader.items("melds", N_SIDES)):
        if not isinstance(melds, list):
            raise reader.error(f"melds[{side}]", "a list", melds)
        for number, meld in enumerate(melds):
            _read_meld(Reader(meld, f"melds[{side}][{number}]"), state, side, tally)
    read_discard(reader, state, tally)
    if RED_THREE in state.discard[: state.discard_size]:
        raise reader.error("discard", "cards but red threes", reader.value("discard"))
    for card in state.discard[: state.discard_size]:
        state.pile[card] += 1
    read_known(reader, state, PACK)
    state.shown[:] += state.pile + state.known.sum(axis=0, dtype=np.int8)
    state.shown[RED_THREE] += state.red_threes.sum()
    _read_turn(reader, state)
    return tally


def _read_deal(reader: Reader, state: State) -> None:
    """Which deal it is and its minimum, and what turns and scores there can be."""
    is_game = state.episode == Episode.GAME
    deal = reader.integer("deal", 1, N_DEALS)
    if not is_game and state.chosen_deal and deal != state.chosen_deal:
        raise reader.error("deal", f"{state.chosen_deal}, as the option says", deal)
    if is_game and state.phase == Phase.OVER and deal < N_DEALS:
        raise reader.error("deal", f"{N_DEALS} in a finished game", deal)
    due = int(minimum(state))
    if reader.integer("minimum", 0, 32767) != due:
        raise reader.error("minimum", f"{due} in deal {deal}", reader.value("minimum"))
    reader.integer("turns", 1, MAX_TURNS)
    reader.integers("scores", N_SIDES, -MAX_SCORE, MAX_SCORE)
    if state.capped:
        raise reader.error("capped", "false: no deal has a cap", True)


def _read_red_threes(reader: Reader, state: State, tally: Tally) -> None:
    """Red threes laid out by each side."""
    numbers = reader.integers("red_threes", N_SIDES, 0, COPIES[RED_THREE])
    tally.left[RED_THREE] -= sum(numbers)
    if tally.left[RED_THREE] < 0:
        expected = f"{COPIES[RED_THREE]} red threes at most"
        raise reader.error("red_threes", expected, numbers)
    state.red_threes[:] = numbers


def _read_meld(meld: Reader, state: State, side: int, tally: Tally) -> None:
    """One meld, legal by itself; a rank has one unclosed meld at most (HF-8)."""
    rank = MELD_RANKS.index(meld.word("rank", MELD_RANKS))
    values = meld.items("cards")
    if not MIN_MELD <= len(values) <= CANASTA:
        raise meld.error("cards", f"a list of {MIN_MELD} to {CANASTA}", values)
    cards = tally.take_all(meld, "cards", values)
    natural = FIRST_NATURAL + rank if rank != WILD else JOKER
    for i, card in enumerate(cards):
        if card not in (natural, TWO, JOKER):
            expected = "2 or JK" if rank == WILD else f"{RANKS[rank]}, 2 or JK"
            raise meld.error(f"cards[{i}]", expected, values[i])
    meld.finish()
    twos, jokers = cards.count(TWO), cards.count(JOKER)
    naturals, majority = len(cards) - twos - jokers, state.wild_rule == WildRule.MAJORITY
    if rank != WILD and (naturals < 2 or not wild_fits(majority, naturals, twos + jokers)):
        raise meld.error("cards", "with no more wild cards than the rule allows", values)
    if state.unclosed[side][rank] != NONE and len(cards) < CANASTA:
        expected = f"the only meld of rank {MELD_RANKS[rank]} that is not closed"
        raise meld.error("cards", expected, values)
    _store_meld(state, side, rank, (naturals, twos, jokers))


def _store_meld(state: State, side: int, rank: int, numbers: tuple[int, int, int]) -> None:
    """Put a meld of so many naturals, twos and jokers on the table."""
    number = int(state.n_melds[side])
    state.meld_rank[side][number] = rank
    state.meld_naturals[side][number] = numbers[0]
    state.meld_twos[side][number] = numbers[1]
    state.meld_jokers[side][number] = numbers[2]
    cards = (FIRST_NATURAL + rank, TWO, JOKER)  # a wild meld has no natural ones
    for n, card in zip(numbers, cards, strict=True):
        state.meld_value[side] += n * VALUES[card]
        state.shown[card] += n
    state.n_melds[side] += 1
    if sum(numbers) < CANASTA:
        state.unclosed[side][rank] = number
        state.unclosed_size[side][rank] = sum(numbers)
        state.unclosed_wild[side][rank] = 0 if rank == WILD else sum(numbers[1:])
        return
    kind = ALL_WILD if rank == WILD else CLEAN if numbers[0] == CANASTA else DIRTY
    state.closed[side][rank] += 1
    state.canastas[side][kind] += 1


def _read_turn(reader: Reader, state: State) -> None:
    """What holds for one turn."""
    state.kind = _read_choice(reader, "kind", KINDS)
    state.permission = _read_choice(reader, "permission", PERMISSIONS)
    names = reader.items("begun")
    if any(name not in MELD_RANKS for name in names) or len(set(names)) != len(names):
        raise reader.error("begun", "ranks of melds, each once", names)
    state.begun = sum(1 << MELD_RANKS.index(name) for name in names)
    cards = reader.items("aside")
    if len(cards) >= PILE_TAKEN:
        raise reader.error("aside", f"{PILE_TAKEN - 1} cards at most", cards)
    for i, card in enumerate(cards):
        state.aside[PACK.number(reader, f"aside[{i}]", card)] += 1


def _read_choice(reader: Reader, key: str, choices: tuple[str | None, ...]) -> int:
    """Return the number of a word, or of null."""
    value = reader.value(key)
    if not isinstance(value, str | None) or value not in choices:
        words = ", ".join(choice for choice in choices if choice)
        raise reader.error(key, f"null or one of {words}", value)
    return choices.index(value)


def _read_foot(reader: Reader, state: State, seat: int, cards: Any, tally: Tally) -> None:
    """A foot that lies face down, or null."""
    key = f"feet[{seat}]"
    if cards is None:
        state.in_foot[seat] = 1
        return
    if not isinstance(cards, list) or len(cards) != HAND_SIZE:
        raise reader.error(key, f"a list of {HAND_SIZE} cards, or null", cards)
    for card in tally.take_all(reader, key, cards):
        state.feet[seat][card] += 1


def _read_hidden_foot(
    reader: Reader, state: State, seat: int, foot: Any, hidden: list[int]
) -> None:
    """A foot in a view: a count only; it gets cards off the front of `hidden`."""
    if foot is None:
        state.in_foot[seat] = 1
        return
    given = Reader(foot, f"feet[{seat}]")
    given.integer("count", HAND_SIZE, HAND_SIZE)
    if given.items("known"):
        raise given.error("known", "[]", given.value("known"))
    given.finish()
    if len(hidden) < HAND_SIZE:
        raise reader.error(f"feet[{seat}]", "null, for want of cards", foot)
    for card in hidden[:HAND_SIZE]:
        state.feet[seat][card] += 1
    del hidden[:HAND_SIZE]


# What must agree


def _check(reader: Reader, state: State) -> None:
    """The position is one that the rules know."""
    _check_seats_to_act(reader, state)
    _check_hands(reader, state)
    _check_turn(reader, state)
    _check_aside(reader, state)
    _check_permission(reader, state)
    for side in range(N_SIDES):
        _check_open(reader, state, side)
    if state.phase == Phase.OVER:
        _check_end(reader, state)


def _check_seats_to_act(reader: Reader, state: State) -> None:
    """HF-20: the mover acts, but in phase ask its partner."""
    if state.phase == Phase.OVER:
        return
    due = int(state.turn)
    if state.phase == Phase.ASK:
        due = (due + PARTNER) % int(state.num_players)
    if state.to_act != due:
        raise reader.error("to_act", f"{due} in this phase", int(state.to_act))


def _check_hands(reader: Reader, state: State) -> None:
    """HF-5: no hand has a red three; none is empty but at the end that of who went out."""
    for seat in range(state.num_players):
        key = f"hands[{seat}]"
        if state.hands[seat][RED_THREE]:
            raise reader.error(key, "cards but red threes", reader.value("hands")[seat])
        may_be_empty = state.phase == Phase.OVER and seat == state.turn and state.in_foot[seat]
        if not state.hand_size[seat] and not may_be_empty:
            raise reader.error(key, "a card at least", reader.value("hands")[seat])
        if state.hand_size[seat] >= MAX_COUNT:
            raise reader.error(key, f"{MAX_COUNT - 1} cards at most", int(state.hand_size[seat]))


def _check_turn(reader: Reader, state: State) -> None:
    """HF-9: the kind of the turn, and the melds begun in it."""
    side = int(state.turn) % N_SIDES
    melding = state.phase in (Phase.PLAY, Phase.ASK)
    if state.kind != Kind.NONE and not (melding and state.one_kind_per_turn):
        expected = "null in this phase" if state.one_kind_per_turn else "null with both kinds"
        raise reader.error("kind", expected, reader.value("kind"))
    for rank, name in enumerate(MELD_RANKS):
        if int(state.begun) >> rank & 1 and state.unclosed[side][rank] == NONE:
            raise reader.error("begun", f"without {name}, of which no meld is unclosed", name)
    if state.begun and state.kind != Kind.START:
        raise reader.error("begun", "[] but in a turn that starts melds", reader.value("begun"))


def _check_aside(reader: Reader, state: State) -> None:
    """HF-13: cards of the pile, in the mover's hand while it opens."""
    if not state.aside.any():
        return
    if not _is_opening(state):
        raise reader.error("aside", "[] but while a side opens", reader.value("aside"))
    if (state.aside > state.known[state.turn]).any():
        expected = f"cards of 'known[{state.turn}]'"
        raise reader.error("aside", expected, reader.value("aside"))


def _check_permission(reader: Reader, state: State) -> None:
    """HF-20: who may be asked in this turn."""
    given = reader.value("permission")
    if state.permission != Permission.NONE and state.phase != Phase.PLAY:
        raise reader.error("permission", "null but in phase play", given)
    if state.permission == Permission.NONE and state.phase != Phase.ASK:
        return
    key = "phase" if state.phase == Phase.ASK else "permission"
    if not feet_are_up(state):
        raise reader.error(key, "of a seat that can go out", reader.value(key))
    lacking = canastas_lacking(state, int(state.turn) % N_SIDES, NONE, NONE)
    if lacking > MAX_ASKED_LACK:
        expected = f"of a side that lacks one canasta at most, not {lacking}"
        raise reader.error(key, expected, reader.value(key))


def _is_opening(state: State) -> bool:
    """Whether the mover's side has melds below the minimum, and is to lay more."""
    side = int(state.turn) % N_SIDES
    laying = state.phase in (Phase.PLAY, Phase.ASK)
    return bool(laying and state.n_melds[side] and not is_open(state, side))


def _check_open(reader: Reader, state: State, side: int) -> None:
    """HF-14: melds below the minimum are those of this turn."""
    if not state.n_melds[side] or is_open(state, side):
        return
    key = f"melds[{side}]"
    if side != int(state.turn) % N_SIDES or not _is_opening(state):
        expected = f"worth {minimum(state)} at least"
        raise reader.error(key, expected, reader.value("melds")[side])
    unclosed = sum(1 << rank for rank in range(WILD + 1) if state.unclosed[side][rank] != NONE)
    if state.one_kind_per_turn and (state.kind != Kind.START or state.begun != unclosed):
        raise reader.error(
            "begun", "the unclosed melds of a side that opens", reader.value("begun")
        )


def _check_end(reader: Reader, state: State) -> None:
    """R13: the higher total wins; the deal ended by going out or for want of cards."""
    scores = [int(score) for score in state.scores[:N_SIDES]]
    winners = [side for side, score in enumerate(scores) if score == max(scores)]
    if reader.value("winners") != winners:
        raise reader.error("winners", str(winners), reader.value("winners"))
    if state.hand_size[state.turn] and state.stock_size >= 2:
        seat = int(state.turn)
        expected = "empty, unless the stock has fewer than two cards"
        raise reader.error(f"hands[{seat}]", expected, f"{state.hand_size[seat]} cards")


def _out_of_reach(reader: Reader) -> Exception:
    return reader.error(
        "melds", "melds whose minimum is in the mover's reach", reader.value("melds")
    )


def _can_be_in_reach(state: State, viewer: int) -> bool:
    """Whether the seat that opens can hold a hand with which it reaches the minimum."""
    if state.turn == viewer:
        return bool(can_reach(state, viewer))
    dealt = dealt_anew(spec("hand_and_foot"), state, viewer)
    return any(can_reach(other, int(state.turn)) for other in dealt)
