"""Kuhn poker as JSON, as sentences and as text."""

from collections.abc import Mapping
from typing import Any

from kitchentable.engine.reading import Reader
from kitchentable.games.testbeds.kuhn_poker.rules import (
    ACTIONS,
    ANTE,
    N_CARDS,
    N_PLAYERS,
    Phase,
    State,
)

CARDS = ("J", "Q", "K")


def keys(state: State) -> dict[str, Any]:
    """Return `hands` (a card each), `left` (the card left over), `paid` and `checked`."""
    return {
        "hands": [[CARDS[state.deck[seat]]] for seat in range(N_PLAYERS)],
        "left": [CARDS[state.deck[N_PLAYERS]]],
        **_public_keys(state),
    }


def view_keys(state: State, seat: int) -> dict[str, Any]:
    """Return the keys with the other hand and the card left over hidden."""
    hidden = {"count": 1, "known": []}
    hands = [[CARDS[state.deck[s]]] if s == seat else hidden for s in range(N_PLAYERS)]
    return {"hands": hands, "left": hidden, **_public_keys(state)}


def _public_keys(state: State) -> dict[str, Any]:
    return {
        "paid": [int(state.paid[seat]) for seat in range(N_PLAYERS)],
        "checked": bool(state.checked),
    }


def read(reader: Reader, state: State) -> None:
    """Fill the state from a table's own keys."""
    hands = reader.items("hands", N_PLAYERS)
    dealt = [*hands, reader.items("left", 1)]
    for place, cards in enumerate(dealt):
        if not isinstance(cards, list) or len(cards) != 1 or cards[0] not in CARDS:
            key = "hands" if place < N_PLAYERS else "left"
            raise reader.error(key, "one card J, Q or K a place", cards)
        state.deck[place] = CARDS.index(cards[0])
    if len(set(state.deck.tolist())) != N_CARDS:
        raise reader.error("hands", "three different cards with 'left'", hands)
    _read_public(reader, state)


def read_view(reader: Reader, state: State) -> int:
    """Fill the state from a view, the hidden cards in any order."""
    hands = reader.items("hands", N_PLAYERS)
    shown = [seat for seat in range(N_PLAYERS) if isinstance(hands[seat], list)]
    if len(shown) != 1 or len(hands[shown[0]]) != 1 or hands[shown[0]][0] not in CARDS:
        raise reader.error("hands", "one hand in full, of one card", hands)
    viewer = shown[0]
    Reader({"hands": hands[1 - viewer]}).hidden("hands", 1)
    reader.hidden("left", 1)
    own = CARDS.index(hands[viewer][0])
    others = [card for card in range(N_CARDS) if card != own]
    state.deck[viewer] = own
    state.deck[1 - viewer], state.deck[N_PLAYERS] = others
    _read_public(reader, state)
    return viewer


def _read_public(reader: Reader, state: State) -> None:
    state.paid[:] = reader.integers("paid", N_PLAYERS, ANTE, ANTE + 1)
    state.checked = reader.flag("checked")
    bets = int(state.paid.sum()) - 2 * ANTE
    if (state.phase == Phase.OPEN and bets != 0) or (state.phase == Phase.FACE and bets != 1):
        raise reader.error("paid", "what the phase says", state.paid.tolist())
    if state.phase == Phase.OPEN and state.to_act != (1 if state.checked else 0):
        raise reader.error("checked", "true if and only if seat 1 is to act", bool(state.checked))
    if state.phase == Phase.FACE and state.paid[state.to_act] != ANTE:
        raise reader.error("paid", "a bet by the other seat", state.paid.tolist())


def move(state: State, action: int) -> dict[str, Any]:
    """Return the move of an action."""
    return {"move": ACTIONS.decode(action)[0]}


def action(state: State, move: Reader) -> int:
    """Return the action of a move."""
    return ACTIONS[move.word("move", ("pass", "bet"))]


def describe(state: State, move: Mapping[str, Any]) -> str:
    """Return a sentence about a move."""
    words = {"pass": "checks", "bet": "bets a chip"}
    if state.phase == Phase.FACE:
        words = {"pass": "folds", "bet": "calls"}
    return f"Player {state.to_act} {words[move['move']]}."


def text(view: Mapping[str, Any]) -> str:
    """Return a view as text."""
    lines = [f"Kuhn poker, phase {view['phase']}"]
    for seat, hand in enumerate(view["hands"]):
        shown = hand[0] if isinstance(hand, list) else "?"
        mark = "*" if view["to_act"] == seat else " "
        lines.append(f"{mark} player {seat}: {shown}  paid {view['paid'][seat]}")
    if view["finished"]:
        lines.append(f"over: {view['scores']}")
    return "\n".join(lines)


def check_options(options: Mapping[str, Any]) -> None:
    """All combinations are allowed."""


def store_options(state: State, options: Mapping[str, Any]) -> None:
    """Nothing follows from the options."""
