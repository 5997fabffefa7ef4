"""Writing checkpoints, and reading their networks: safetensors and JSON, nothing executable.

A folder is written beside its place and then moved there whole, so that a kill at any
moment leaves a whole checkpoint: the new one, the old one, or the old one as
`<folder>.previous`.
"""

import json
import os
import platform
import shutil
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from pydantic import ValidationError
from safetensors import SafetensorError

from kitchentable.engine.game import Game
from kitchentable.opponents import OpponentError
from kitchentable.opponents.checkpoint import (
    CARD_FILE,
    FORMAT,
    FORMAT_VERSION,
    POLICY_FILE,
    WEIGHTS_FILE,
    Checkpoint,
    previous_of,
    read_checkpoint,
)
from kitchentable_training.network import NetworkConfig, PolicyNetwork

_LIBRARIES = ("kitchentable", "torch", "numpy", "numba", "safetensors")


def save_checkpoint(
    folder: Path,
    network: PolicyNetwork,
    network_config: NetworkConfig,
    game: Game,
    *,
    greedy: bool = False,
    plays: Mapping[str, Sequence[Any]] | None = None,
    training: Mapping[str, Any] | None = None,
    seed: int = 0,
    steps: int = 0,
    seconds: float = 0.0,
    evaluation: Mapping[str, Any] | None = None,
) -> None:
    """Write a checkpoint; one that is there already becomes `<folder>.previous`.

    Args:
        folder: where to.
        network: its weights.
        network_config: its shape.
        game: the game with the options it was trained with.
        greedy: whether it shall play its likeliest action rather than draw one.
        plays: further values of options that it was trained for, by option.
        training: the training's configuration, as JSON.
        seed: of the training.
        steps: decisions it was trained on.
        seconds: how long that took.
        evaluation: by the other side's name, what `evaluate.Result.summary` returned.

    Raises:
        ValueError: something else than a checkpoint lies at `folder`.
    """
    weights = _weights(network)
    policy = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "game": game.name,
        "game_version": game.spec.version,
        "options": dict(game.options),
        "plays": {name: list(values) for name, values in (plays or {}).items()},
        "layout": _layout(game),
        "network": network_config.model_dump(mode="json"),
        "greedy": greedy,
        "training": dict(training or {}),
        "seed": seed,
        "steps": steps,
        "seconds": round(seconds, 3),
        "evaluation": dict(evaluation or {}),
        "libraries": _versions(),
        "weights": {"file": WEIGHTS_FILE, "sha256": sha256(weights).hexdigest()},
    }
    files = {
        WEIGHTS_FILE: weights,
        POLICY_FILE: (json.dumps(policy, indent=2) + "\n").encode(),
        CARD_FILE: model_card(policy).encode(),
    }
    _replace(folder.absolute(), files)


def load_network(checkpoint: Checkpoint | Path) -> PolicyNetwork:
    """Return the network of a checkpoint, on the CPU and ready to play.

    Raises:
        OpponentError: the checkpoint is damaged, or made for another version of its game.
    """
    found = checkpoint if isinstance(checkpoint, Checkpoint) else read_checkpoint(checkpoint)
    declared = found.spec
    try:
        config = NetworkConfig.model_validate(found.network)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, ("network", *first["loc"])))
        raise OpponentError(f"{found.folder}: {POLICY_FILE}: key {key!r}: {first['msg']}") from None
    with torch.device("meta"):
        # Nothing is computed for weights that are replaced at once; it could not be after a fork.
        network = PolicyNetwork(config, declared.observation.size, declared.actions.size)
    network = network.to_empty(device="cpu")
    try:
        network.load_state_dict(safetensors.torch.load_file(found.weights, device="cpu"))
    except (SafetensorError, RuntimeError) as error:
        lines = " ".join(str(error).split())
        raise OpponentError(
            f"{found.folder}: the weights do not fit the network: {lines}"
        ) from None
    return network.eval()


def model_card(policy: Mapping[str, Any]) -> str:
    """Return the text of a checkpoint's `README.md`, from its `policy.json`."""
    options = ", ".join(f"{name}={value}" for name, value in policy["options"].items())
    plays = ", ".join(f"{name}: {values}" for name, values in policy["plays"].items())
    trained = f"{policy['steps']:,} decisions in {policy['seconds']:,.0f} s, seed {policy['seed']}"
    lines = [
        f"# A policy for {policy['game']}",
        "",
        f"Trained by self-play: {trained}.",
        "",
        f"- Game: `{policy['game']}`, version {policy['game_version']}; {options}",
        f"- Plays: {plays or 'these options only'}; `episode` and `deal` as you like",
        f"- Plays its {'likeliest action' if policy['greedy'] else 'actions by their probability'}",
        f"- Network: {', '.join(f'{k} {v}' for k, v in policy['network'].items())}",
        f"- Made with: {', '.join(f'{k} {v}' for k, v in policy['libraries'].items())}",
        "",
        "```python",
        "import kitchentable as kt",
        'policy = kt.opponent("path/of/this/folder")',
        "```",
        "",
        "## Evaluation",
        "",
        *(_evaluation_table(policy["evaluation"]) or ["None yet."]),
        "",
    ]
    return "\n".join(lines)


def _evaluation_table(evaluation: Mapping[str, Any]) -> list[str]:
    """Return the lines of a table of results, one a row."""
    if not evaluation:
        return []
    rows = [
        "Duplicate deals, the policy in each seat in turn; points above the mean of the others,",
        "with a 95 % interval.",
        "",
        "| against | deals | points a deal | interval | deals won |",
        "| --- | --: | --: | --: | --: |",
    ]
    for name, result in evaluation.items():
        low, high = result["points_interval"]
        rows.append(
            f"| {name} | {result['deals']:,} | {result['points']:+.2f} | {low:+.2f} .. {high:+.2f} "
            f"| {result['deals_won']:.1%} |"
        )
    return rows


def _layout(game: Game) -> dict[str, Any]:
    return {
        "hash": game.spec.layout_hash,
        "actions": list(game.actions.names()),
        "observation": list(game.layout.names()),
    }


def _weights(network: PolicyNetwork) -> bytes:
    tensors = {name: value.contiguous().cpu() for name, value in network.state_dict().items()}
    return bytes(safetensors.torch.save(tensors))


def _versions() -> dict[str, str]:
    return {"python": platform.python_version(), **{name: version(name) for name in _LIBRARIES}}


def _replace(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files as a new folder and move it into place."""
    for place in (folder, previous_of(folder)):
        _require_replaceable(place)
    fresh = folder.with_name(folder.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    for name, data in files.items():
        with (fresh / name).open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    _sync_folder(fresh)
    if folder.exists():
        shutil.rmtree(previous_of(folder), ignore_errors=True)
        folder.rename(previous_of(folder))
    fresh.rename(folder)
    _sync_folder(folder.parent)


def _require_replaceable(folder: Path) -> None:
    """Refuse to move away what is not a checkpoint."""
    if folder.is_dir() and ((folder / POLICY_FILE).exists() or not any(folder.iterdir())):
        return
    if folder.exists():
        raise ValueError(f"{folder} is not a checkpoint and is left as it is")


def _sync_folder(folder: Path) -> None:
    """Make the names in a folder last; nothing to do where folders cannot be opened."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
