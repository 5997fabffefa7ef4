"""The keys that every game's table has (states here are single records)."""

from typing import Any

from kitchentable.engine import options as opt
from kitchentable.engine.reading import Reader, TableError
from kitchentable.engine.spec import GameSpec
from kitchentable.engine.state import NOBODY, OVER

_MOST = 2**31 - 1


def common_keys(spec: GameSpec, state: Any) -> dict[str, Any]:
    """Return the keys that every table begins with."""
    finished = bool(state.to_act == NOBODY)
    sides = range(state.num_sides)
    return {
        "game": spec.name,
        "version": spec.version,
        "options": {option.name: option.load(state) for option in spec.options},
        "deal": int(state.deal),
        "dealer": int(state.dealer),
        "turn": int(state.turn),
        "to_act": None if finished else int(state.to_act),
        "phase": spec.phases(state.phase).name.lower(),
        "turns": int(state.turns),
        "scores": [int(state.scores[side]) for side in sides],
        "finished": finished,
        "winners": [side for side in sides if state.winners[side]] if finished else None,
        "capped": bool(state.capped),
    }


def read_options(spec: GameSpec, reader: Reader) -> dict[str, Any]:
    """Return the options of a table, every one of which must be there.

    Raises:
        TableError: game, version or options are not this game's.
    """
    if reader.value("game") != spec.name:
        raise reader.error("game", spec.name, reader.value("game"))
    if reader.value("version") != spec.version:
        raise reader.error("version", str(spec.version), reader.value("version"))
    given = reader.below("options")
    names = [option.name for option in spec.options]
    values = {name: given.value(name) for name in names}
    given.finish()
    try:
        resolved = opt.resolve(spec.options, values)
        spec.codec.check_options(resolved)
    except opt.OptionError as error:
        raise TableError(f"key 'options': {error}") from None
    return resolved


def read_common(spec: GameSpec, reader: Reader, state: Any) -> None:
    """Fill the common fields; the options stand in the state already.

    Raises:
        TableError: naming the key.
    """
    seats, sides = int(state.num_players), int(state.num_sides)
    phases = tuple(phase.name.lower() for phase in spec.phases)
    state.deal = reader.integer("deal", 1, 32767)
    state.dealer = reader.integer("dealer", 0, seats - 1)
    state.turn = reader.integer("turn", 0, seats - 1)
    state.phase = phases.index(reader.word("phase", phases))
    state.phase = list(spec.phases)[state.phase]
    state.turns = reader.integer("turns", 1, _MOST)
    state.scores[:sides] = reader.integers("scores", sides, -_MOST, _MOST)
    state.capped = reader.flag("capped")
    finished = reader.flag("finished")
    if finished != (state.phase == OVER):
        raise reader.error("phase", "over when finished, and only then", reader.value("phase"))
    if finished:
        for key in ("to_act",):
            if reader.value(key) is not None:
                raise reader.error(key, "null in a finished game", reader.value(key))
        state.to_act = NOBODY
        winners = reader.integers("winners", None, 0, sides - 1)
        if sorted(set(winners)) != winners:
            raise reader.error("winners", "sorted sides, each once", winners)
        for side in winners:
            state.winners[side] = 1
    else:
        state.to_act = reader.integer("to_act", 0, seats - 1)
        if reader.value("winners") is not None:
            raise reader.error("winners", "null while the game runs", reader.value("winners"))


def read_rng(reader: Reader) -> int | None:
    """Return the generator's state, or none if the table has no key `rng`.

    Raises:
        TableError: the key is not a string of 16 hexadecimal digits.
    """
    if not reader.has("rng"):
        return None
    value = reader.value("rng")
    digits = "0123456789abcdef"
    if not isinstance(value, str) or len(value) != 16 or any(c not in digits for c in value):
        raise reader.error("rng", "16 hexadecimal digits in small letters", value)
    return int(value, 16)
