"""Leduc poker as JSON, as sentences and as text."""

from collections.abc import Mapping, Sequence
from typing import Any

from kitchentable.engine.reading import Reader
from kitchentable.engine.state import NOBODY
from kitchentable.games.testbeds.leduc_poker.rules import (
    ACTIONS,
    ANTE,
    CALL,
    FOLD,
    MAX_RAISES,
    N_CARDS,
    N_PLAYERS,
    N_ROUNDS,
    NOT_YET,
    PUBLIC,
    RAISE,
    RAISES,
    Phase,
    State,
)

CARDS = ("JS", "JH", "QS", "QH", "KS", "KH")
"""The text of each card, by number."""
MOVES = ("fold", "call", "raise")


def keys(state: State) -> dict[str, Any]:
    """Return `hands`, `public`, `left` (in the order to be dealt), `paid` and `history`."""
    hands = [[CARDS[state.deck[seat]]] for seat in range(N_PLAYERS)]
    left = [CARDS[card] for card in state.deck[N_PLAYERS + _n_public(state) :]]
    return {"hands": hands, **_public_keys(state), "left": left}


def view_keys(state: State, seat: int) -> dict[str, Any]:
    """Return the keys with the other hand and the cards left over hidden."""
    hidden = {"count": 1, "known": []}
    hands = [[CARDS[state.deck[s]]] if s == seat else hidden for s in range(N_PLAYERS)]
    n_left = N_CARDS - N_PLAYERS - _n_public(state)
    return {"hands": hands, **_public_keys(state), "left": {"count": n_left, "known": []}}


def _n_public(state: State) -> int:
    return int(state.betting_round > 0)


def _public_keys(state: State) -> dict[str, Any]:
    rows = [[MOVES[a] for a in row if a != NOT_YET] for row in state.history.tolist()]
    return {
        "public": [CARDS[state.deck[PUBLIC]]] if _n_public(state) else [],
        "paid": [int(state.paid[seat]) for seat in range(N_PLAYERS)],
        "history": rows,
    }


def read(reader: Reader, state: State) -> None:
    """Fill the state from a table's own keys."""
    _read_history(reader, state)
    n_public = _n_public(state)
    hands = reader.items("hands", N_PLAYERS)
    dealt = [_one_card(reader, hand) for hand in hands]
    dealt += _cards(reader, "public", n_public)
    dealt += _cards(reader, "left", N_CARDS - N_PLAYERS - n_public)
    if sorted(dealt) != list(range(N_CARDS)):
        raise reader.error("hands", "six different cards with 'public' and 'left'", hands)
    state.deck[:] = dealt


def read_view(reader: Reader, state: State) -> int:
    """Fill the state from a view, the hidden cards in any order."""
    _read_history(reader, state)
    hands = reader.items("hands", N_PLAYERS)
    shown = [seat for seat in range(N_PLAYERS) if isinstance(hands[seat], list)]
    if len(shown) != 1:
        raise reader.error("hands", "one hand in full", hands)
    viewer = shown[0]
    own = _one_card(reader, hands[viewer])
    public = _cards(reader, "public", _n_public(state))
    if own in public:
        raise reader.error("public", "another card than the viewer's", [CARDS[own]])
    Reader({"hands": hands[1 - viewer]}).hidden("hands", 1)
    reader.hidden("left", N_CARDS - N_PLAYERS - len(public))
    hidden = [card for card in range(N_CARDS) if card not in (own, *public)]
    state.deck[viewer], state.deck[1 - viewer] = own, hidden[0]
    state.deck[PUBLIC:] = [*public, *hidden[1:]]
    return viewer


def _one_card(reader: Reader, hand: object) -> int:
    if not isinstance(hand, list) or len(hand) != 1 or hand[0] not in CARDS:
        raise reader.error("hands", "one card a seat, of " + ", ".join(CARDS), hand)
    return CARDS.index(hand[0])


def _cards(reader: Reader, key: str, length: int) -> list[int]:
    cards = reader.items(key, length)
    if any(card not in CARDS for card in cards):
        raise reader.error(key, "cards of " + ", ".join(CARDS), cards)
    return [CARDS.index(card) for card in cards]


def _read_history(reader: Reader, state: State) -> None:
    """Read the moves made so far, and hold phase, seat and chips to them."""
    rows = reader.items("history", N_ROUNDS)
    if any(not isinstance(row, list) or any(m not in MOVES for m in row) for row in rows):
        raise reader.error("history", "two lists of " + ", ".join(MOVES), rows)
    actions = [[MOVES.index(move) for move in row] for row in rows]
    state.history[:] = NOT_YET
    follow = _follow(actions)
    if follow is None:
        raise reader.error("history", "moves that the rules allow", rows)
    number, phase, to_act, paid = follow
    if (phase, to_act) != (state.phase, state.to_act):
        raise reader.error("history", "moves that lead to 'phase' and 'to_act'", rows)
    if reader.integers("paid", N_PLAYERS, ANTE, 127) != paid:
        raise reader.error("paid", f"{paid} after these moves", reader.value("paid"))
    state.betting_round = number
    state.paid[:] = paid
    state.moves = len(actions[number])
    state.raises = actions[number].count(RAISE)
    for row, made in enumerate(actions):
        state.history[row, : len(made)] = made


def _follow(actions: Sequence[Sequence[int]]) -> tuple[int, int, int, list[int]] | None:
    """Return round, phase, seat to act and chips paid after these moves; None: not legal."""
    paid, number, seat, phase = [ANTE] * N_PLAYERS, 0, 0, Phase.OPEN
    for row, made in enumerate(actions):
        for place, action in enumerate(made):
            if row != number or not _is_allowed(phase, made[:place], action):
                return None
            if action != FOLD:
                paid[seat] = max(paid) + (RAISES[row] if action == RAISE else 0)
            ends_round = action == CALL and place > 0
            if action == FOLD or (ends_round and row == N_ROUNDS - 1):
                phase, seat = Phase.OVER, NOBODY
            elif ends_round:
                phase, number, seat = Phase.OPEN, row + 1, 0
            else:
                phase, seat = Phase.FACE if action == RAISE else phase, 1 - seat
    return number, phase, seat, paid


def _is_allowed(phase: int, made: Sequence[int], action: int) -> bool:
    """Tell whether an action may follow the moves made in this round."""
    if phase == Phase.OVER or (action == FOLD and phase != Phase.FACE):
        return False
    return action != RAISE or made.count(RAISE) < MAX_RAISES


def move(state: State, action: int) -> dict[str, Any]:
    """Return the move of an action."""
    return {"move": ACTIONS.decode(action)[0]}


def action(state: State, move: Reader) -> int:
    """Return the action of a move."""
    return ACTIONS[move.word("move", MOVES)]


def describe(state: State, move: Mapping[str, Any]) -> str:
    """Return a sentence about a move."""
    chips = RAISES[state.betting_round]
    words = {"fold": "folds", "call": "checks", "raise": f"bets {chips} chips"}
    if state.phase == Phase.FACE:
        words |= {"call": "calls", "raise": f"raises by {chips} chips"}
    return f"Player {state.to_act} {words[move['move']]}."


def text(view: Mapping[str, Any]) -> str:
    """Return a view as text."""
    public = view["public"][0] if view["public"] else "-"
    lines = [f"Leduc poker, phase {view['phase']}, public card {public}"]
    for seat, hand in enumerate(view["hands"]):
        shown = hand[0] if isinstance(hand, list) else "?"
        mark = "*" if view["to_act"] == seat else " "
        lines.append(f"{mark} player {seat}: {shown}  paid {view['paid'][seat]}")
    rounds = [", ".join(made) or "-" for made in view["history"]]
    lines.append(f"moves: {rounds[0]}; {rounds[1]}")
    if view["finished"]:
        lines.append(f"over: {view['scores']}")
    return "\n".join(lines)


def check_options(options: Mapping[str, Any]) -> None:
    """All combinations are allowed."""


def store_options(state: State, options: Mapping[str, Any]) -> None:
    """Nothing follows from the options."""
