"""What a training needs to go on as if it had never stopped: safetensors and JSON.

Two files, the newest state and the one before, each with a checksum. A state is written
beside its place and moved there whole, so that a kill at any moment leaves a sound one.
"""

import json
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

LATEST = "latest.safetensors"
PREVIOUS = "previous.safetensors"

State = tuple[dict[str, Tensor], dict[str, Any]]
"""Arrays by name, and facts as JSON."""


class StateError(ValueError):
    """There is no sound training state."""


def save_state(folder: Path, tensors: Mapping[str, Tensor], facts: Mapping[str, Any]) -> None:
    """Write a state; the one that was the newest is kept as the previous one."""
    folder.mkdir(parents=True, exist_ok=True)
    whole = {name: tensor.detach().contiguous() for name, tensor in tensors.items()}
    text = json.dumps(facts, sort_keys=True)
    metadata = {"facts": text, "sha256": _checksum(whole, text)}
    fresh = folder / (LATEST + ".new")
    with fresh.open("wb") as file:
        file.write(safetensors.torch.save(whole, metadata))
        file.flush()
        os.fsync(file.fileno())
    if (folder / LATEST).exists():
        os.replace(folder / LATEST, folder / PREVIOUS)
    os.replace(fresh, folder / LATEST)
    _sync(folder)


def load_state(folder: Path) -> tuple[State, str | None]:
    """Return the newest sound state, and what to tell the user if it is the previous one.

    Raises:
        StateError: there is none.
    """
    complaints = []
    for name in (LATEST, PREVIOUS):
        try:
            state = _read(folder / name)
        except StateError as error:
            complaints.append(str(error))
            continue
        note = f"{complaints[0]}: going on from {name}" if complaints else None
        return state, note
    raise StateError("; ".join(complaints))


def _read(path: Path) -> State:
    """Return the state of a file.

    Raises:
        StateError: it is missing, cut short, or not what was written.
    """
    if not path.is_file():
        raise StateError(f"{path} is missing")
    try:
        with safe_open(path, framework="pt") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError) as error:
        raise StateError(f"{path} is damaged ({error})") from None
    text = metadata.get("facts", "")
    if metadata.get("sha256") != _checksum(tensors, text):
        raise StateError(f"{path} is damaged (its checksum does not fit)")
    facts: dict[str, Any] = json.loads(text)
    return tensors, facts


def _checksum(tensors: Mapping[str, Tensor], text: str) -> str:
    """Return a hash of everything in a state."""
    digest = sha256(text.encode())
    for name in sorted(tensors):
        tensor = tensors[name]
        digest.update(f"{name} {tensor.dtype} {list(tensor.shape)}".encode())
        digest.update(tensor.reshape(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def _sync(folder: Path) -> None:
    """Make the moves in a folder last; nothing to do where folders cannot be opened."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
