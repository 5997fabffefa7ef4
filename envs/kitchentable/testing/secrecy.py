"""No seat is shown, in any form, what it cannot know."""

from typing import Any
from xml.etree import ElementTree

import numpy as np

from kitchentable.engine.game import Game
from kitchentable.testing.walks import (
    as_json,
    positions,
    restored,
    restored_view,
    viewers,
    without_rng,
)

_RESAMPLES = 3
_WIDEST = 160
"""Letters of a line of text."""


def check_looking_changes_nothing(game: Game) -> None:
    """Whatever is shown, to any seat at any time, the position stays as it is."""
    for state in positions(game, 31, 40):
        before = game.to_bytes(state)
        _look_at_everything(game, state)
        assert game.to_bytes(state) == before, "looking at a position changes it"
        for seat in viewers(game):
            seen = game.observe(state, seat)
            assert seen.dtype == np.float32 and np.isfinite(seen).all(), "no sound observation"
            assert (seen == game.observe(state, seat)).all(), "a second look shows another thing"
            assert seen.any(), f"seat {seat} sees nothing"


def check_shown(game: Game) -> None:
    """Text and picture can be made of the JSON alone, and are what they should be."""
    for number, state in enumerate(positions(game, 34, 40)):
        seat = number % game.num_players
        view = as_json(game.view(state, seat))
        text, picture = game.text(state, seat), game.picture(state, seat)
        assert game.spec.codec.text(view) == text, "the text needs more than the JSON"
        assert game.spec.picture(view) == picture, "the picture needs more than the JSON"
        for shown in (picture, game.picture(state)):
            assert _is_svg(shown), "the picture is no SVG"
        for words in (text, game.text(state)):
            assert max(map(len, words.splitlines())) < _WIDEST, f"lines are too long: {words}"


def check_no_leak(game: Game) -> None:
    """Hidden cards dealt anew change nothing that a seat is shown, nor the script's move."""
    varied = dict.fromkeys(viewers(game), False)
    hidden = dict.fromkeys(viewers(game), False)
    for number, state in enumerate(positions(game, 32, 80)):
        table = without_rng(game.table(state))
        for seat in viewers(game):
            hidden[seat] |= _hides(game.view(state, seat))
            for again in range(_RESAMPLES):
                other = game.resample(state, seat, seed=_RESAMPLES * number + again)
                _check_looks_alike(game, state, other, seat)
                varied[seat] |= without_rng(game.table(other)) != table
    for seat in viewers(game):
        assert varied[seat] or not hidden[seat], f"nothing is dealt anew for seat {seat}"


def check_from_view(game: Game) -> None:
    """A position built from a view has that view, and is sound."""
    for number, state in enumerate(positions(game, 33, 40)):
        for seat in viewers(game):
            view = game.view(state, seat)
            assert as_json(view) == view, "the view is not plain JSON"
            built = restored_view(game, view, number)
            assert game.view(built, seat) == view, f"seat {seat} has another view"
            _check_looks_alike(game, state, built, seat)
            again = restored_view(game, view, number)
            assert game.table(again) == game.table(built), "same view and seed, another position"
            sound = restored(game, game.table(built))
            assert game.table(sound) == game.table(built), "the position is not sound"
            _play_on(game, built)


def _is_svg(shown: str) -> bool:
    try:
        return ElementTree.fromstring(shown).tag.endswith("svg")
    except ElementTree.ParseError:
        return False


def _look_at_everything(game: Game, state: Any) -> None:
    game.mask(state)
    game.privileged(state)
    game.table(state)
    game.text(state)
    game.picture(state)
    for seat in viewers(game):
        game.observe(state, seat)
        game.view(state, seat)
        game.resample(state, seat, 1)
    if not game.is_finished(state):
        game.scripted(state)
        for move in game.legal_moves(state):
            game.describe(state, move)


def _check_looks_alike(game: Game, state: Any, other: Any, seat: int) -> None:
    """Everything that `seat` is shown is the same in both positions."""
    assert game.view(state, seat) == game.view(other, seat), f"the view of seat {seat} leaks"
    same = (game.observe(state, seat) == game.observe(other, seat)).all()
    assert same, f"the observation of seat {seat} leaks {_differing(game, state, other, seat)}"
    assert game.text(state, seat) == game.text(other, seat), f"the text for seat {seat} leaks"
    assert game.picture(state, seat) == game.picture(other, seat), "the picture leaks"
    if game.to_act(state) == seat:
        assert (game.mask(state) == game.mask(other)).all(), f"the mask of seat {seat} leaks"
        assert game.legal_moves(state) == game.legal_moves(other), "the moves leak"
        assert game.scripted(state) == game.scripted(other), "the script knows hidden cards"


def _differing(game: Game, state: Any, other: Any, seat: int) -> list[str]:
    """Return the names of the parts of an observation that differ."""
    differ = game.observe(state, seat) != game.observe(other, seat)
    return [part.name for part in game.layout if differ[game.layout.slice(part.name)].any()]


def _hides(view: Any) -> bool:
    """Tell whether a view has a list that is not shown in full."""
    if isinstance(view, dict):
        if set(view) == {"count", "known"}:
            return bool(view["count"] > len(view["known"]))
        return any(_hides(value) for value in view.values())
    return isinstance(view, list) and any(_hides(value) for value in view)


def _play_on(game: Game, state: Any) -> None:
    """Play a few moves from a position that was built."""
    lots = np.random.default_rng(7)
    for _ in range(10):
        legal = game.legal_actions(state)
        if not legal:
            return
        game.play(state, legal[int(lots.integers(len(legal)))])
