"""The folder of a run, and the settings kept in it."""

import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kitchentable_training.config import ConfigError, TrainConfig, make_config, override

CONFIG_FILE = "config.json"
STATE_FOLDER = "training_state"
LATEST = "latest"
"""The folder of the policy when it was saved last."""
BEST = "best"
"""The folder of the policy that did best in evaluations."""

_FIXED = (
    "game",
    "options",
    "reward",
    "seed",
    "network",
    "opponents",
    "num_envs",
    "num_steps",
    "max_moves",
    "precision",
)
"""Settings that a resumed run cannot change: its state depends on them."""


def run_folder(config: TrainConfig, parent: Path = Path("runs")) -> Path:
    """Return the default place of a new run."""
    now = time.strftime("%Y%m%d-%H%M%S")
    return parent / f"{config.game}__{config.name}__{config.seed}__{now}"


def is_run(folder: Path) -> bool:
    """Tell whether this is the folder of a run."""
    return (folder / CONFIG_FILE).is_file()


def write_run(folder: Path, config: TrainConfig) -> None:
    """Make the folder, and keep the settings in it."""
    folder.mkdir(parents=True, exist_ok=True)
    text = config.model_dump_json(indent=2) + "\n"
    (folder / CONFIG_FILE).write_text(text, encoding="utf-8")


def read_run(folder: Path, overrides: Iterable[str] = ()) -> TrainConfig:
    """Return the settings of a run, with `key=value` overrides to go on with.

    Raises:
        ConfigError: there is no run, or a setting cannot be changed or is not allowed.
    """
    file = folder / CONFIG_FILE
    try:
        settings: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{folder} is no run's folder: {CONFIG_FILE}: {error.strerror}") from None
    except ValueError as error:
        raise ConfigError(f"{file} is damaged: {error}") from None
    before = make_config(settings)
    for text in overrides:
        override(settings, text)
    config = make_config(settings)
    for name in _FIXED:
        if getattr(config, name) != getattr(before, name):
            raise ConfigError(f"setting {name!r} cannot be changed in a run that goes on")
    return config
