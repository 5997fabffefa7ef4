"""Tables and views of Norwegian Rummy read back into a state; every key is checked.

A position that play could not have led to may pass, a contradiction does not. Order:
deal and seats, the cards that all see, the hands and the stock, then what must agree.
"""

from kitchentable.cards.french import JOKER, N_POSITIONS, PACK, tally_of_packs
from kitchentable.cards.pack import Tally
from kitchentable.cards.piles import NONE
from kitchentable.cards.reading import (
    check_taken,
    read_all_cards,
    read_discard,
    read_known,
    read_seen_cards,
    read_taken,
)
from kitchentable.cards.sets_and_runs import (
    building_of,
    check_goes_on,
    check_groups_left,
    melds_of,
    melds_of_table,
    read_meld,
    read_open_group,
)
from kitchentable.engine.reading import Reader
from kitchentable.engine.state import Episode
from kitchentable.games import spec
from kitchentable.games.norwegian_rummy.rules import (
    HAND_SIZE,
    LAST_CONTRACT,
    MIN_RUN,
    MIN_SET,
    N_DEALS,
    N_LOWS,
    RUNS,
    SETS,
    Kind,
    Phase,
    State,
)
from kitchentable.games.norwegian_rummy.words import WILD_CARDS

MAX_SCORE = 1_000_000
"""More than any game can bring, and little enough for the sums to fit."""


def read(reader: Reader, state: State) -> None:
    """Fill the state from a table's own keys.

    Raises:
        TableError: naming the key that is wrong.
    """
    read_all_cards(reader, state, _read_open_cards(reader, state))
    _check(reader, state, int(state.turn))


def read_view(reader: Reader, state: State) -> int:
    """Fill the state from a view, the hidden cards in any order, and return the viewer.

    Raises:
        TableError: naming the key that is wrong.
    """
    viewer = read_seen_cards(reader, state, _read_open_cards(reader, state))
    _check(reader, state, viewer)
    return viewer


def _read_open_cards(reader: Reader, state: State) -> Tally:
    """Read everything but hands and stock; return what cards that leaves."""
    state.own_melds[:] = NONE
    state.open_kind = NONE
    _read_deal(reader, state)
    _read_seats(reader, state)
    tally = tally_of_packs(int(state.decks))
    read_discard(reader, state, tally)
    for meld in melds_of_table(reader, state):
        _read_meld(meld, state, tally)
    _read_building(reader, state, tally)
    read_taken(reader, state, PACK)
    return tally


def _read_deal(reader: Reader, state: State) -> None:
    """Which deal it is and its contract, and what turns and scores there can be."""
    is_game = state.episode == Episode.GAME
    reader.integer("deal", 1, N_DEALS if is_game else 1)
    finished_early = is_game and state.phase == Phase.OVER and state.deal < N_DEALS
    if finished_early:
        raise reader.error("deal", f"{N_DEALS} in a finished game", int(state.deal))
    given = reader.below("contract")
    pair = given.integer("sets", 0, max(SETS)), given.integer("runs", 0, max(RUNS))
    given.finish()
    due = int(state.deal) if is_game else int(state.chosen_contract)
    contracts = [due] if due else list(range(1, N_DEALS + 1))
    for contract in contracts:
        if pair == (SETS[contract], RUNS[contract]):
            state.contract = contract
    if not state.contract:
        expected = f"the contract of deal {due}" if due else "one of the seven contracts"
        raise reader.error("contract", expected, reader.value("contract"))
    reader.integer("turns", 1, int(state.turn_cap) * int(state.num_players))
    reader.integers("scores", int(state.num_players), 0, MAX_SCORE)


def _read_seats(reader: Reader, state: State) -> None:
    """Who is down, the buys left, and the cards that all know to be in each hand."""
    seats = int(state.num_players)
    state.down[:seats] = reader.flags("down", seats)
    state.buys_left[:seats] = reader.integers("buys_left", seats, 0, int(state.max_buys))
    read_known(reader, state, PACK)


# Melds


def _read_meld(meld: Reader, state: State, tally: Tally) -> None:
    """One meld, legal by itself, with an owner who may have it."""
    number = int(state.n_melds)
    cards = read_meld(meld, state, WILD_CARDS, tally, (MIN_SET, MIN_RUN))
    _register_owner(meld, state, number)
    jokers = cards.count(JOKER)
    if len(cards) - jokers < (jokers if state.joker_ratio else 1):
        expected = "no more jokers than natural cards" if state.joker_ratio else "not jokers alone"
        raise meld.error("cards", expected, meld.value("cards"))
    state.meld_jokers[number] = jokers


def _register_owner(meld: Reader, state: State, number: int) -> None:
    """NR-4: a seat owns no more groups of a kind than the contract has."""
    owner, kind = int(state.meld_owner[number]), Kind(state.meld_kind[number])
    own = melds_of(state, owner)
    allowed = (SETS if kind == Kind.SET else RUNS)[state.contract]
    if sum(state.meld_kind[other] == kind for other in own) > allowed:
        expected = f"a seat with no more than {allowed} {kind.name.lower()}s, as its contract has"
        raise meld.error("owner", expected, owner)
    state.own_melds[owner][len(own) - 1] = number


def _read_building(reader: Reader, state: State, tally: Tally) -> None:
    """The open group and what is left of the contract.

    With its last card a group is complete, and in `melds`; but in contract 7 a run goes on
    until it is closed.
    """
    building = building_of(reader, state.phase == Phase.MELD)
    if building is None:
        return
    most = MIN_SET - 1, N_POSITIONS if state.contract == LAST_CONTRACT else MIN_RUN - 1
    read_open_group(building, state, WILD_CARDS, tally, most=most, last_low=N_LOWS)
    contract = SETS[state.contract], RUNS[state.contract]
    state.sets_left = building.integer("sets_left", 0, contract[Kind.SET])
    state.runs_left = building.integer("runs_left", 0, contract[Kind.RUN])
    building.finish()
    check_groups_left(building, state, contract)


# What must agree


def _check(reader: Reader, state: State, viewer: int) -> None:
    """The position is one that the rules know, with some cards where the viewer sees none."""
    _check_seats_to_act(reader, state)
    _check_phase(reader, state)
    check_taken(reader, state, Phase.PLAY, Phase.MELD)
    for seat in range(state.num_players):
        _check_groups(reader, state, seat)
    for seat in range(state.num_players):
        _check_hand_size(reader, state, seat)
    if state.phase == Phase.OVER:
        _check_end(reader, state)
    if state.phase == Phase.MELD:
        check_goes_on(reader, state, viewer, spec("norwegian_rummy"))


def _check_seats_to_act(reader: Reader, state: State) -> None:
    """NR-12: who is asked is the rest of those who can buy, clockwise from the mover."""
    asked = reader.integers("asked", None, 0, int(state.num_players) - 1)
    acts = state.to_act
    if state.phase == Phase.BUY:
        seats = [(state.turn + step) % state.num_players for step in range(1, state.num_players)]
        buyers = [int(s) for s in seats if not state.down[s] and state.buys_left[s]]
        if acts not in buyers:
            raise reader.error("to_act", "a seat that can buy", int(acts))
        due = buyers[buyers.index(acts) :]
    else:
        due = []
        if state.phase != Phase.OVER and acts != state.turn:
            raise reader.error("to_act", f"{state.turn}, whose turn it is", int(acts))
    if asked != due:
        raise reader.error("asked", str(due), asked)


def _check_phase(reader: Reader, state: State) -> None:
    """There is something to draw, to buy, to lay."""
    if state.phase == Phase.DRAW and not (state.stock_size or state.discard_size):
        raise reader.error("discard", "a card at least, or one in the stock, to be drawn", [])
    if state.phase == Phase.BUY and not state.discard_size:
        raise reader.error("discard", "a card at least, to be bought", [])
    if state.phase == Phase.MELD and state.down[state.turn]:
        raise reader.error("down", "false for the seat that lays its contract", True)


def _check_hand_size(reader: Reader, state: State, seat: int) -> None:
    """NR-13, NR-14: eleven cards, one or two more for each buy, one more for the mover's draw."""
    buys = int(state.max_buys) - int(state.buys_left[seat])
    is_mover = seat == state.turn
    drawn = int(is_mover and state.phase in (Phase.BUY, Phase.PLAY, Phase.MELD))
    least, most = HAND_SIZE + buys + drawn, HAND_SIZE + 2 * buys + drawn
    size = int(state.hand_size[seat])
    if state.down[seat]:
        least = 0 if is_mover and state.phase == Phase.OVER else 1
    elif is_mover and state.phase == Phase.MELD:
        own = melds_of(state, seat)
        laid = int(state.open_size) + sum(int(state.meld_size[number]) for number in own)
        least, most = least - laid, most - laid
    if not least <= size <= most:
        raise reader.error(f"hands[{seat}]", f"{least} .. {most} cards", size)


def _check_groups(reader: Reader, state: State, seat: int) -> None:
    """NR-4: who is down owns exactly the groups of the contract, and who is not owns none."""
    own = len(melds_of(state, seat))
    if state.down[seat]:
        due = SETS[state.contract] + RUNS[state.contract]
        if own != due:
            expected = f"false for a seat with {own} of {due} groups"
            raise reader.error(f"down[{seat}]", expected, True)
    elif own and not (seat == state.turn and state.phase == Phase.MELD):
        raise reader.error(f"down[{seat}]", "true for a seat that owns melds", False)


def _check_end(reader: Reader, state: State) -> None:
    """The lowest total wins; the deal ended by going out or at the cap."""
    scores = [int(score) for score in state.scores[: state.num_players]]
    winners = [seat for seat, score in enumerate(scores) if score == min(scores)]
    if reader.value("winners") != winners:
        raise reader.error("winners", str(winners), reader.value("winners"))
    at_cap = state.capped and state.turns == int(state.turn_cap) * int(state.num_players)
    if state.hand_size[state.turn] and not at_cap:
        seat = int(state.turn)
        size = int(state.hand_size[seat])
        raise reader.error(
            f"hands[{seat}]", "empty, unless the cap ended the deal", f"{size} cards"
        )
