"""Reading a checkpoint: the folder of a trained policy, and which games it may play.

`policy.json` says everything about the policy but its weights; nothing in a checkpoint is
ever executed. Whatever does not fit is refused with one line that names it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any, NoReturn

from kitchentable.engine.game import Game
from kitchentable.engine.reading import Reader, TableError
from kitchentable.engine.spec import GameSpec
from kitchentable.games import GAMES, TESTBEDS, spec
from kitchentable.opponents.base import OpponentError

FORMAT = "kitchentable-policy"
FORMAT_VERSION = 1
"""Raised whenever a reader of the version before could not read `policy.json`."""
POLICY_FILE = "policy.json"
WEIGHTS_FILE = "policy.safetensors"
CARD_FILE = "README.md"
RUN_POLICIES = ("best", "latest")
"""The folders of policies in the folder of a training."""
FREE_OPTIONS = ("episode", "deal")
"""Options that any policy may meet with other values than it was trained with."""


@dataclass(frozen=True)
class Checkpoint:
    """What `policy.json` says.

    Attributes:
        folder: where it lies.
        game: the game's name.
        game_version: the version of its rules, actions and observation.
        options: every option of the game it was trained with.
        plays: other values of options that it was trained for, too; by option.
        layout_hash: `GameSpec.layout_hash` of the game it was trained with.
        actions: the action blocks with their sizes.
        observation: the parts of the observation with their sizes.
        network: the network's configuration.
        greedy: whether it plays its likeliest action rather than drawing one.
        training: the training's configuration.
        seed: of the training.
        steps: decisions it was trained on.
        seconds: how long that took.
        evaluation: results of evaluations.
        libraries: versions of what it was made with.
        weights_file: name of the file with the weights.
        weights_sha256: of that file.
    """

    folder: Path
    game: str
    game_version: int
    options: dict[str, Any]
    plays: dict[str, list[Any]]
    layout_hash: str
    actions: list[str]
    observation: list[str]
    network: dict[str, Any]
    greedy: bool
    training: dict[str, Any]
    seed: int
    steps: int
    seconds: float
    evaluation: dict[str, Any]
    libraries: dict[str, str]
    weights_file: str
    weights_sha256: str

    @property
    def name(self) -> str:
        """The folder's name, for tables of results; of a run's `best` the run's name, too."""
        place = self.folder.resolve()
        return "/".join(place.parts[-2:]) if place.name in RUN_POLICIES else place.name

    @property
    def weights(self) -> Path:
        """The file with the weights."""
        return self.folder / self.weights_file

    @property
    def spec(self) -> GameSpec:
        """Its game as it is here, which must be the game of its training.

        Raises:
            OpponentError: this is another version, or another layout.
        """
        declared = spec(self.game)
        self._check_spec(declared)
        return declared

    def make_game(self, **options: Any) -> Game:
        """Return the game it was trained for, with some options changed.

        Raises:
            OptionError: an option is unknown or not allowed.
            OpponentError: the policy was not trained for these options.
        """
        game = Game(self.spec, **{**self.options, **options})
        self.check(game)
        return game

    def check(self, game: Game) -> None:
        """Refuse a game that the policy was not trained for.

        Raises:
            OpponentError: naming what does not fit, and both values.
        """
        if game.name != self.game:
            self._refuse(f"it was trained for {self.game}, not {game.name}")
        self._check_spec(game.spec)
        for name, value in game.options.items():
            if name not in self.options:
                self._refuse(f"it does not know option {name!r} of {game.name}")
            trained = self.options[name]
            allowed = [trained, *self.plays.get(name, [])]
            if name not in FREE_OPTIONS and value not in allowed:
                words = " or ".join(dict.fromkeys(map(repr, allowed)))
                self._refuse(f"it was trained for {name}={words}, not {name}={value!r}")

    def check_weights(self) -> None:
        """Refuse weights that are missing, cut short or altered.

        Raises:
            OpponentError: saying so.
        """
        try:
            with self.weights.open("rb") as file:
                found = file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise _damaged(
                self.folder, f"cannot read {self.weights_file}: {_words(error)}"
            ) from None
        if found != self.weights_sha256:
            size = self.weights.stat().st_size
            raise _damaged(
                self.folder,
                f"{self.weights_file} ({size} bytes) is not the file that {POLICY_FILE} names: "
                "cut short or altered",
            )

    def _check_spec(self, declared: GameSpec) -> None:
        """Refuse another version or layout of the game."""
        if declared.version != self.game_version:
            self._refuse(
                f"it was trained for version {self.game_version} of {self.game}, "
                f"and this is version {declared.version}"
            )
        pairs = (
            ("action block", self.actions, declared.actions.names()),
            ("part of the observation", self.observation, declared.observation.names()),
        )
        for what, trained, ours in pairs:
            for place in range(max(len(trained), len(ours))):
                theirs = trained[place] if place < len(trained) else "nothing"
                own = ours[place] if place < len(ours) else "nothing"
                if theirs != own:
                    self._refuse(f"{what} {place} was {theirs} in its training and is {own} here")
        if declared.layout_hash != self.layout_hash:
            self._refuse(f"its layout hash {self.layout_hash} is not {declared.layout_hash}")

    def _refuse(self, why: str) -> NoReturn:
        raise OpponentError(f"policy {self.name} cannot play: {why}")


def read_checkpoint(folder: Path) -> Checkpoint:
    """Return what a checkpoint's folder holds, its weights checked but not read.

    Raises:
        OpponentError: it is not a checkpoint, of a foreign format, or damaged; where the
            checkpoint that it replaced is still there, the error names it.
    """
    path = folder / POLICY_FILE
    if not folder.is_dir():
        raise _damaged(folder, "not a folder" if folder.exists() else "there is no such folder")
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        within = [path.parent for path in sorted(folder.glob(f"*/{POLICY_FILE}"))]
        hint = f"; do you mean {' or '.join(map(str, within))}?" if within else ""
        raise _damaged(folder, f"not a checkpoint: it has no {POLICY_FILE}{hint}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise _damaged(folder, f"cannot read {POLICY_FILE}: {_words(error)}") from None
    try:
        checkpoint = _parse(folder, json.loads(text))
    except json.JSONDecodeError as error:
        raise _damaged(folder, f"{POLICY_FILE} is damaged or cut short: {error}") from None
    except TableError as error:
        raise _damaged(folder, f"{POLICY_FILE}: {error}") from None
    checkpoint.check_weights()
    return checkpoint


def previous_of(folder: Path) -> Path:
    """Return where the checkpoint that `folder` replaced is kept."""
    place = folder.resolve()
    return place.with_name(place.name + ".previous")


def _parse(folder: Path, data: object) -> Checkpoint:
    """Return what `policy.json` says.

    Raises:
        OpponentError: it is of another format.
        TableError: naming a key that is missing or wrong.
    """
    if not isinstance(data, Mapping):
        raise TableError(f"it must hold an object, not {type(data).__name__}")
    reader = Reader(data)
    if reader.value("format") != FORMAT:
        raise reader.error("format", repr(FORMAT), reader.value("format"))
    version = reader.integer("format_version", 1, 2**31 - 1)
    if version != FORMAT_VERSION:
        raise OpponentError(
            f"{folder}: {POLICY_FILE} has format version {version}, "
            f"and this kitchentable reads version {FORMAT_VERSION}"
        )
    game = reader.word("game", GAMES + TESTBEDS)
    weights, layout = reader.below("weights"), reader.below("layout")
    return Checkpoint(
        folder=folder,
        game=game,
        game_version=reader.integer("game_version", 0, 2**31 - 1),
        options=_mapping(reader, "options"),
        plays=_lists(reader, "plays"),
        layout_hash=_text(layout, "hash"),
        actions=_texts(layout, "actions"),
        observation=_texts(layout, "observation"),
        network=_mapping(reader, "network"),
        greedy=reader.flag("greedy") if reader.has("greedy") else False,
        training=_mapping(reader, "training"),
        seed=reader.integer("seed", 0, 2**63 - 1),
        steps=reader.integer("steps", 0, 2**63 - 1),
        seconds=_number(reader, "seconds"),
        evaluation=_mapping(reader, "evaluation"),
        libraries=_mapping(reader, "libraries"),
        weights_file=_file_name(weights, "file"),
        weights_sha256=_text(weights, "sha256"),
    )


def _text(reader: Reader, key: str) -> str:
    value = reader.value(key)
    if not isinstance(value, str):
        raise reader.error(key, "a string", value)
    return value


def _texts(reader: Reader, key: str) -> list[str]:
    values = reader.items(key)
    if not all(isinstance(value, str) for value in values):
        raise reader.error(key, "a list of strings", values)
    return values


def _number(reader: Reader, key: str) -> float:
    value = reader.value(key)
    if type(value) not in (int, float):
        raise reader.error(key, "a number", value)
    return float(value)


def _mapping(reader: Reader, key: str) -> dict[str, Any]:
    value = reader.value(key)
    if not isinstance(value, Mapping):
        raise reader.error(key, "an object", value)
    return dict(value)


def _lists(reader: Reader, key: str) -> dict[str, list[Any]]:
    mapping = _mapping(reader, key)
    for name, values in mapping.items():
        if not isinstance(values, list):
            raise reader.error(f"{key}.{name}", "a list", values)
    return mapping


def _file_name(reader: Reader, key: str) -> str:
    """Read the name of a file of the folder itself; a path could point anywhere."""
    value = _text(reader, key)
    if Path(value).name != value or value in ("", ".", ".."):
        raise reader.error(key, "the name of a file beside policy.json", value)
    return value


def _damaged(folder: Path, why: str) -> OpponentError:
    """Return the error, naming the checkpoint before this one if it is still there."""
    previous = previous_of(folder)
    kept = f"; the checkpoint before it is kept in {previous}" if previous.is_dir() else ""
    return OpponentError(f"{folder}: {why}{kept}")


def _words(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
