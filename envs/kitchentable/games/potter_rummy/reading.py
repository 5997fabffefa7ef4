"""Tables and views read back into a state; every key is checked.

A position that play could not have led to may pass, a contradiction does not. Order:
deal and scores, the cards that all see, the hands and the stock, then what must agree.
"""

from kitchentable.cards.pack import Tally
from kitchentable.cards.reading import (
    check_taken,
    read_all_cards,
    read_discard,
    read_known,
    read_seen_cards,
    read_taken,
)
from kitchentable.engine.reading import Reader
from kitchentable.engine.state import Episode
from kitchentable.games.potter_rummy.rules import (
    GOAL,
    MAX_SETS,
    PACK,
    PAIR,
    SIGNPOST,
    THREE,
    Phase,
    Scoring,
    State,
    WinRule,
    cards_each,
    full_pack,
    has_won,
)

MAX_SCORE = 10_000_000
"""More than any game can bring, and little enough for the sums to fit."""


def read(reader: Reader, state: State) -> None:
    """Fill the state from a table's own keys.

    Raises:
        TableError: naming the key that is wrong.
    """
    read_all_cards(reader, state, _read_open_cards(reader, state))
    _check(reader, state)


def read_view(reader: Reader, state: State) -> int:
    """Fill the state from a view, the hidden cards in any order, and return the viewer.

    Raises:
        TableError: naming the key that is wrong.
    """
    viewer = read_seen_cards(reader, state, _read_open_cards(reader, state))
    _check(reader, state)
    return viewer


def _read_open_cards(reader: Reader, state: State) -> Tally:
    """Read everything but hands and stock; return what cards that leaves."""
    _read_deal(reader, state)
    read_known(reader, state, PACK)
    tally = full_pack()
    read_discard(reader, state, tally)
    for seat, sets in enumerate(reader.items("sets", int(state.num_players))):
        _read_sets(reader, state, seat, sets, tally)
    read_taken(reader, state, PACK)
    return tally


def _read_deal(reader: Reader, state: State) -> None:
    """Which deal it is, and what turns and scores there can be."""
    last = int(state.deals if state.win_rule == WinRule.DEALS else state.deal_cap)
    reader.integer("deal", 1, 1 if state.episode == Episode.DEAL else last)
    reader.integer("turns", 1, int(state.turn_cap) * int(state.num_players))
    least = 0 if state.scoring == Scoring.COUNTERS else -MAX_SCORE
    reader.integers("scores", int(state.num_players), least, MAX_SCORE)


def _read_sets(reader: Reader, state: State, seat: int, sets: object, tally: Tally) -> None:
    """The sets of a seat, as many as its cards can make."""
    key = f"sets[{seat}]"
    if not isinstance(sets, list) or len(sets) > MAX_SETS:
        raise reader.error(key, f"a list of {MAX_SETS} sets at most", sets)
    for place, cards in enumerate(sets):
        _read_set(reader, state, seat, f"{key}[{place}]", cards, tally)


def _read_set(
    reader: Reader, state: State, seat: int, key: str, cards: object, tally: Tally
) -> None:
    """BP-6: two or three cards of one character, one of them a signpost at most."""
    if not isinstance(cards, list) or not PAIR <= len(cards) <= THREE:
        raise reader.error(key, "a list of two or three cards", cards)
    numbers = tally.take_all(reader, key, cards)
    characters = {number for number in numbers if number != SIGNPOST}
    signposts = numbers.count(SIGNPOST)
    if len(characters) != 1 or signposts > 1:
        raise reader.error(key, "cards of one character, and one signpost at most", cards)
    place = int(state.n_sets[seat])
    state.set_card[seat][place] = characters.pop()
    state.set_size[seat][place] = len(cards)
    state.set_signpost[seat][place] = signposts
    state.n_sets[seat] = place + 1


# What must agree


def _check(reader: Reader, state: State) -> None:
    """The position is one that the rules know."""
    if state.phase != Phase.OVER and state.to_act != state.turn:
        raise reader.error("to_act", f"{state.turn}, whose turn it is", int(state.to_act))
    if state.phase == Phase.ACT and not state.discard_size:
        raise reader.error("discard", "a card at least at the start of a turn", [])
    check_taken(reader, state, Phase.DISCARD)
    for seat in range(state.num_players):
        _check_share(reader, state, seat)
        if has_won(state, seat) and not (state.phase == Phase.OVER and seat == state.turn):
            expected = "sets that do not win the deal, but of the mover who ended it"
            raise reader.error(f"sets[{seat}]", expected, reader.value("sets")[seat])
    if state.phase == Phase.OVER:
        _check_end(reader, state)


def _check_share(reader: Reader, state: State, seat: int) -> None:
    """BP-3: hand and sets are six (three) cards together, one more before the discard."""
    laid = sum(int(size) for size in state.set_size[seat])
    drawn = int(seat == state.turn and state.phase == Phase.DISCARD)
    due, size = cards_each(state) + drawn - laid, int(state.hand_size[seat])
    if size != due:
        expected = f"{due} cards beside {laid} on the table"
        raise reader.error(f"hands[{seat}]", expected, f"{size} cards")


def _check_end(reader: Reader, state: State) -> None:
    """R9, R11: the last deal was won or is void, and the game ends with it."""
    mover, is_won = int(state.turn), has_won(state, int(state.turn))
    last_turn = int(state.turn_cap) * int(state.num_players)
    if not is_won and state.turns != last_turn:
        expected = "the sets that win the deal, unless the cap ended it"
        raise reader.error(f"sets[{mover}]", expected, reader.value("sets")[mover])
    if not is_won and not state.capped:
        raise reader.error("capped", "true after a void deal", False)
    if state.episode == Episode.DEAL:
        if is_won and state.capped:
            raise reader.error("capped", "false in a deal that was won", True)
        winners = [mover] if is_won else []
    else:
        _check_last_deal(reader, state)
        scores = [int(score) for score in state.scores[: state.num_players]]
        winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
    if reader.value("winners") != winners:
        raise reader.error("winners", str(winners), reader.value("winners"))


def _check_last_deal(reader: Reader, state: State) -> None:
    """R11, BP-14, BP-16: the win rule or the cap ends the game with this deal."""
    scores = [int(score) for score in state.scores[: state.num_players]]
    if state.win_rule == WinRule.DEALS:
        last, is_decided = int(state.deals), False
    else:
        last = int(state.deal_cap)
        is_goal = state.win_rule == WinRule.GOAL
        is_decided = max(scores) >= GOAL if is_goal else min(scores) <= 0
    if not is_decided and state.deal != last:
        raise reader.error("deal", f"{last} in a finished game with these scores", int(state.deal))
    if not is_decided and state.win_rule != WinRule.DEALS and not state.capped:
        raise reader.error("capped", "true where deal_cap ended the game", False)
