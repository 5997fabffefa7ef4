"""Hidden cards dealt anew, in rummies whose hidden cards are in hands and stock."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from kitchentable.engine.game import Game

Validate = Callable[[Any], int]


def deal_anew(game: Game, state: Any, seat: int, seed: int, validate: Validate) -> Any:
    """Deal anew what a seat cannot know, and check all that must stay; return the new state."""
    anew = game.resample(state, seat, seed)
    assert validate(anew[0]) == 0
    assert game.view(anew, seat) == game.view(state, seat)
    assert (game.observe(anew, seat) == game.observe(state, seat)).all()
    if game.to_act(state) == seat:
        assert (game.mask(anew) == game.mask(state)).all()
        assert game.scripted(anew) == game.scripted(state)
    if not game.is_finished(state):
        assert game.mask(anew).any(), "whoever must move can move"
    return anew


def check_hands_change(positions: Iterable[tuple[Game, Any]], validate: Validate) -> None:
    """Every seat's knowledge stays, and the other hands hardly ever stay as they are."""
    changed = Counter[bool]()
    for number, (game, state) in enumerate(positions):
        for seat in range(game.num_players):
            anew = deal_anew(game, state, seat, number, validate)
            hidden = (state[0].hands - state[0].known).sum() - state[0].hands[seat].sum()
            if hidden > 2:
                changed[bool((anew["hands"] != state["hands"]).any())] += 1
    assert changed[True] > 9 * changed[False]


def with_hidden_anywhere(game: Game, state: Any, seat: int) -> Any:
    """The state with its hidden cards in order, however little sense that makes."""
    changed = game.copy(state)
    record = changed[0]
    others = [other for other in range(game.num_players) if other != seat]
    pool = list(record.stock[: record.stock_size])
    for other in others:
        for card in range(record.hands.shape[1]):
            hidden = int(record.hands[other, card] - record.known[other, card])
            pool += [card] * hidden
            record.hands[other, card] -= hidden
    pool.sort()
    for other in others:
        while record.hands[other].sum() < record.hand_size[other]:
            record.hands[other, pool.pop()] += 1
    record.stock[: len(pool)] = pool
    return changed
