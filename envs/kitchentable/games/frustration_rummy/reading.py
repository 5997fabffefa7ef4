"""Tables and views of Frustration Rummy read back into a state; every key is checked.

A position that play could not have led to may pass, a contradiction does not. Order:
deal and seats, the cards that all see, the hands and the stock, then what must agree.
"""

from kitchentable.cards.french import N_POSITIONS, PACK, tally_of_packs
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
from kitchentable.games.frustration_rummy.rules import (
    DECKS,
    HAND_SIZE,
    MIN_RUN,
    MIN_SET,
    RUN_LENGTHS,
    RUNS,
    SET_SIZES,
    SETS,
    Kind,
    Phase,
    State,
)
from kitchentable.games.frustration_rummy.words import WILD_CARDS

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
    state.open_kind = NONE
    _read_deal(reader, state)
    _read_contracts(reader, state)
    seats = int(state.num_players)
    state.down[:seats] = reader.flags("down", seats)
    read_known(reader, state, PACK)
    tally = tally_of_packs(DECKS)
    read_discard(reader, state, tally)
    for meld in melds_of_table(reader, state):
        _read_meld(meld, state, tally)
    _read_building(reader, state, tally)
    read_taken(reader, state, PACK)
    return tally


def _read_deal(reader: Reader, state: State) -> None:
    """Which deal it is, and what turns and scores there can be."""
    is_game = state.episode == Episode.GAME
    reader.integer("deal", 1, int(state.deal_cap) if is_game else 1)
    reader.integer("turns", 1, int(state.turn_cap) * int(state.num_players))
    reader.integers("scores", int(state.num_players), 0, MAX_SCORE)


def _read_contracts(reader: Reader, state: State) -> None:
    """Each seat's contract: in a single deal the one that was chosen or drawn for all."""
    seats = int(state.num_players)
    chosen = int(state.chosen_contract)
    first, last = int(state.start_contract), int(state.last_contract)
    if chosen:
        first = last = chosen
    contracts = reader.integers("contracts", seats, first, last)
    if state.episode == Episode.DEAL and len(set(contracts)) > 1:
        raise reader.error("contracts", "the same for all in a single deal", contracts)
    state.contracts[:seats] = contracts


# Melds


def _read_meld(meld: Reader, state: State, tally: Tally) -> None:
    """One meld, legal by itself."""
    number = int(state.n_melds)
    cards = read_meld(meld, state, WILD_CARDS, tally, (MIN_SET, MIN_RUN))
    wild = sum(card in WILD_CARDS for card in cards)
    if 2 * wild > len(cards):
        expected = "no more wild cards than natural ones"
        raise meld.error("cards", expected, meld.value("cards"))
    state.meld_wild[number] = wild


def _read_building(reader: Reader, state: State, tally: Tally) -> None:
    """The open group and what is left to be laid; with its last card a group is in `melds`."""
    building = building_of(reader, state.phase == Phase.MELD)
    if building is None:
        return
    size, length = _set_size(state), _run_length(state)
    most, last_low = (size - 1, length - 1), N_POSITIONS + 1 - length
    read_open_group(building, state, WILD_CARDS, tally, most=most, last_low=last_low)
    state.sets_left = building.integer("sets_left", 0, max(SETS))
    state.runs_left = building.integer("runs_left", 0, max(RUNS))
    building.finish()
    if state.down[state.turn]:
        _check_extra(building, state)
    else:
        contract = state.contracts[state.turn]
        check_groups_left(building, state, (SETS[contract], RUNS[contract]))


def _check_extra(building: Reader, state: State) -> None:
    """An extra meld is alone."""
    for key in ("sets_left", "runs_left"):
        if building.value(key):
            raise building.error(key, "0 for an extra meld", building.value(key))
    if state.open_kind == NONE:
        raise building.error("kind", "set or run for an extra meld", None)


def _set_size(state: State) -> int:
    """Return how many cards the mover's sets have: of the contract, or extra ones."""
    return MIN_SET if state.down[state.turn] else SET_SIZES[state.contracts[state.turn]]


def _run_length(state: State) -> int:
    """Return how many cards the mover's runs have."""
    return MIN_RUN if state.down[state.turn] else RUN_LENGTHS[state.contracts[state.turn]]


# What must agree


def _check(reader: Reader, state: State, viewer: int) -> None:
    """The position is one that the rules know, with some cards where the viewer sees none."""
    if state.phase != Phase.OVER and state.to_act != state.turn:
        raise reader.error("to_act", f"{state.turn}, whose turn it is", int(state.to_act))
    if state.phase == Phase.DRAW and not (state.stock_size or state.discard_size):
        raise reader.error("discard", "a card at least, or one in the stock, to be drawn", [])
    check_taken(reader, state, Phase.PLAY, Phase.MELD)
    for seat in range(state.num_players):
        _check_owner(reader, state, seat)
    for seat in range(state.num_players):
        _check_hand_size(reader, state, seat)
    if state.phase == Phase.OVER:
        _check_end(reader, state)
    if state.phase == Phase.MELD:
        check_goes_on(reader, state, viewer, spec("frustration_rummy"))


def _check_owner(reader: Reader, state: State, seat: int) -> None:
    """Who owns melds is down, or is laying its contract, each group at exactly its size."""
    own = melds_of(state, seat)
    if state.down[seat] or not own:
        return
    if seat != state.turn or state.phase != Phase.MELD:
        raise reader.error(f"down[{seat}]", "true for a seat that owns melds", False)
    for number in own:
        size = _set_size(state) if state.meld_kind[number] == Kind.SET else _run_length(state)
        if state.meld_size[number] != size:
            cards = reader.value("melds")[number]["cards"]
            expected = f"{size} cards, as the contract that is being laid says"
            raise reader.error(f"melds[{number}].cards", expected, cards)


def _check_hand_size(reader: Reader, state: State, seat: int) -> None:
    """Who is not down has 13 cards, one more after its draw; who is down has one to discard."""
    size, is_mover = int(state.hand_size[seat]), seat == state.turn
    if state.down[seat]:
        least = 0 if is_mover and state.phase == Phase.OVER else 1
        if is_mover and state.phase == Phase.MELD:
            missing = _set_size(state) if state.open_kind == Kind.SET else _run_length(state)
            least = missing - int(state.open_size) + 1
        if size < least:
            raise reader.error(f"hands[{seat}]", f"{least} cards at least", size)
        return
    due = HAND_SIZE + int(is_mover and state.phase in (Phase.PLAY, Phase.MELD))
    if is_mover and state.phase == Phase.MELD:
        own = melds_of(state, seat)
        due -= int(state.open_size) + sum(int(state.meld_size[number]) for number in own)
    if size != due:
        raise reader.error(f"hands[{seat}]", f"{due} cards", size)


def _check_end(reader: Reader, state: State) -> None:
    """The deal ended by going out or at the cap, and whoever has most has won."""
    seats, turn = range(state.num_players), int(state.turn)
    out = not state.hand_size[turn]
    at_cap = state.capped and state.turns == int(state.turn_cap) * int(state.num_players)
    if not out and not at_cap:
        size = int(state.hand_size[turn])
        expected = "empty, unless the cap ended the deal"
        raise reader.error(f"hands[{turn}]", expected, f"{size} cards")
    wins_at_once = out and state.contracts[turn] == state.last_contract
    allowed = []
    if state.episode == Episode.DEAL:
        if out and state.capped:
            raise reader.error("capped", "false in a deal that was won", True)
        allowed = [_best([int(state.down[s]) + (out and s == turn) for s in seats])]
    else:
        if state.capped and state.deal == state.deal_cap:
            allowed.append(_best([int(state.contracts[seat]) for seat in seats]))
        if wins_at_once:
            allowed.append([turn])
    if not allowed:
        expected = f"{int(state.deal_cap)} in a finished game that nobody has won by going out"
        raise reader.error("deal", expected, int(state.deal))
    winners = reader.value("winners")
    if winners not in allowed:
        raise reader.error("winners", " or ".join(map(str, allowed)), winners)


def _best(values: list[int]) -> list[int]:
    """Return the seats that have most."""
    return [seat for seat, value in enumerate(values) if value == max(values)]
