"""The names under which PettingZoo and Gymnasium know the games."""

import re
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType

NAMESPACE = "kitchentable"
_PATTERN = re.compile(r"(?P<game>[a-z_]+)_v(?P<version>[0-9]+)")


def versions() -> dict[str, int]:
    """Return the version of every game that has a module such as `norwegian_rummy_v0`.

    The names of the modules are read, not the games: those take long to import.
    """
    package = import_module(NAMESPACE)
    found = (_PATTERN.fullmatch(module.name) for module in iter_modules(package.__path__))
    return {match["game"]: int(match["version"]) for match in found if match}


def register() -> None:
    """Make the games known to Gymnasium, and to a PettingZoo that keeps a registry."""
    import gymnasium

    known = versions()
    for game, version in known.items():
        gymnasium.register(
            id=f"{NAMESPACE}/{_camel(game)}-v{version}",
            entry_point="kitchentable.api.single:SingleAgentEnv",
            vector_entry_point="kitchentable.api.vector:SingleAgentVectorEnv",
            kwargs={"game": game},
        )
    if find_spec("pettingzoo.env_registry") is None:
        return
    import pettingzoo

    for game, version in known.items():
        pettingzoo.register(
            "aec",
            f"{NAMESPACE}/{game}-v{version}",
            entry_point=f"{NAMESPACE}.{game}_v{version}:env",
        )


def versioned_module(name: str) -> ModuleType | None:
    """Return the module of a game and version such as `"norwegian_rummy_v0"`.

    Returns None for a name that is not of this form or names no game.

    Raises:
        ImportError: the game has another version.
    """
    match = _PATTERN.fullmatch(name)
    known = versions() if match else {}
    if not match or match["game"] not in known:
        return None
    game, version = match["game"], known[match["game"]]
    if int(match["version"]) != version:
        raise ImportError(f"there is no {name}: this release has {game}_v{version}")
    return import_module(f"{NAMESPACE}.{name}")


def _camel(game: str) -> str:
    return "".join(word.capitalize() for word in game.split("_"))
