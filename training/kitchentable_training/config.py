"""The settings of a training: TOML, checked, every one of them overridable.

Names follow CleanRL where it has one for the thing.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from kitchentable.engine.game import Game
from kitchentable.games import spec
from kitchentable_training.network import NetworkConfig

Fraction = Annotated[float, Field(ge=0, le=1)]


class ConfigError(ValueError):
    """A setting is unknown, or its value is not allowed."""


class _Model(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True
    )

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_truth_for_numbers(cls, value: Any, info: ValidationInfo) -> Any:
        """True is 1 to Python; here it is a mistake."""
        declared = cls.model_fields[str(info.field_name)].annotation
        if isinstance(value, bool) and declared is not bool:
            raise ValueError("should not be true or false")
        return value


class OpponentConfig(_Model):
    """An opponent that the learner meets in training."""

    name: str
    """`"random"`, `"scripted"`, or the folder of a trained policy."""
    share: Fraction
    """In which share of the games it has all seats but one."""


class TeacherConfig(_Model):
    """An opponent that the learner imitates at first (kickstarting: Schmitt et al., 2018)."""

    name: str
    """Whose move is asked for in every position in which the learner decides."""
    until: Annotated[float, Field(gt=0, le=1)] = 0.2
    """At first the policy learns from the teacher's moves alone; their weight against what PPO
    learns from falls evenly for this share of the budget."""
    final: Fraction = 0.0
    """The weight that is left from then on."""


class PPOConfig(_Model):
    """How samples are turned into a better policy."""

    learning_rate: PositiveFloat = 5e-4
    """Step size of Adam at the beginning."""
    anneal_lr: bool = True
    """Let the learning rate fall to 0 over the budget."""
    gamma: Fraction = 1.0
    """Discount by a seat's own decision."""
    gae_lambda: Fraction = 0.95
    """How far advantages trust what happened rather than the critic: 1 altogether."""
    playouts: NonNegativeInt = 0
    """Measure each decision by so many pairs of playouts of the scripted opponent, after it and
    after the script's own move, instead of by the critic. 0: the critic."""
    playout_lambda: Fraction = 0.0
    """The gains by playouts of a seat's later decisions count by this factor less each."""
    num_minibatches: PositiveInt = 16
    """Parts of a rollout, each of which makes one step of the optimizer an epoch."""
    update_epochs: PositiveInt = 4
    """How often each sample is learnt from."""
    norm_adv: bool = True
    """Normalise advantages in each minibatch."""
    clip_coef: PositiveFloat = 0.2
    """How far from 1 the ratio of new to old probability may pay off."""
    clip_vloss: bool = False
    """Clip the change of the values, too."""
    ent_coef: NonNegativeFloat = 0.05
    """Worth of entropy at the beginning."""
    ent_coef_final: NonNegativeFloat = 0.005
    """Worth of entropy when the budget is used up."""
    vf_coef: NonNegativeFloat = 0.5
    """Weight of the value's loss."""
    privileged_critic: bool = False
    """Let a critic of its own, of the network's shape, that sees everything hidden judge what
    happened; only the policy's own value sees what the policy sees."""
    max_grad_norm: PositiveFloat = 0.5
    """Longer gradients are shortened to this."""
    average_decay: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Evaluate and save an average of the weights that keeps this share of itself at each update
    (Polyak averaging), and less at the beginning of a training; 0: the newest weights."""
    target_kl: PositiveFloat | None = None
    """End an update after an epoch that moved the policy farther than this."""
    kl_magnet_coef: NonNegativeFloat = 0.0
    """Pull, by reverse KL, towards a lagging copy of the policy; 0 for none."""
    kl_magnet_interval: PositiveInt = 100
    """After how many updates the lagging copy is renewed."""


class TrainConfig(PPOConfig):
    """Everything about a training."""

    game: str
    """The game's name: `kitchentable list`."""
    name: Annotated[str, Field(pattern=r"^\w[\w.-]*$")] = "selfplay"
    """Part of the run folder's name."""
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 1
    """Of weights, deals, and draws of actions."""
    reward: Literal["points", "win"] = "points"
    """What is learnt for: points, or 1 for the winner."""
    options: dict[str, Any] = {}
    """The game's options."""
    network: NetworkConfig = NetworkConfig()
    opponents: tuple[OpponentConfig, ...] = ()
    teacher: TeacherConfig | None = None

    total_timesteps: PositiveInt | None = None
    """Budget in the learner's decisions."""
    time_limit: PositiveFloat | None = None
    """Budget in minutes; with both, what is used up first ends the training."""
    num_envs: PositiveInt = 256
    """Games at the same time."""
    num_steps: PositiveInt = 128
    """Decisions in each game between two updates."""
    max_moves: PositiveInt | None = None
    """Cut games off after so many decisions."""
    skip_forced: bool = True
    """Play moves without an alternative at once, unseen by the network."""

    precision: Literal["auto", "float32", "bf16"] = "auto"
    """What the network computes in; auto: bf16 where the processor multiplies it."""
    torch_threads: Annotated[int, Field(ge=1, le=1024)] | None = None
    """Threads of the network; none: as many as processors."""
    env_threads: PositiveInt = 1
    """Threads of the games."""

    greedy: bool = False
    """Evaluate and save a policy that plays its likeliest action instead of drawing one: it wins
    more against players who do not learn, and gives itself away to those who do."""
    eval_interval: PositiveFloat | None = 300.0
    """Seconds between evaluations; none: only at the end."""
    eval_interval_steps: PositiveInt | None = None
    """Decisions between evaluations, beside `eval_interval`."""
    eval_deals: Annotated[int, Field(ge=2)] = 200
    """Different deals in an evaluation, each played once from every seat."""
    eval_opponents: tuple[str, ...] = ("random", "scripted")
    """The last of them decides which policy is the best so far."""
    save_interval: PositiveFloat = 60.0
    """Seconds between two saves of what a resumed training needs."""

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        if self.total_timesteps is None and self.time_limit is None:
            raise ValueError("total_timesteps or time_limit must be given")
        if sum(opponent.share for opponent in self.opponents) > 1:
            raise ValueError("the shares of opponents must not add up to more than 1")
        if self.num_minibatches > self.num_envs * self.num_steps:
            raise ValueError("num_minibatches must not be more than num_envs x num_steps")
        return self

    def make_game(self) -> Game:
        """Return the game that is trained.

        Raises:
            ValueError: there is no such game, or it does not have these options.
        """
        return Game(spec(self.game), reward=self.reward, **self.options)


def read_config(path: Path | None, overrides: Iterable[str] = ()) -> TrainConfig:
    """Return the settings of a TOML file (or none) with `key=value` overrides.

    Raises:
        ConfigError: in one line, what is wrong and what is allowed.
    """
    settings: dict[str, Any] = {}
    if path is not None:
        try:
            settings = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path}: {error}") from None
    for text in overrides:
        override(settings, text)
    return make_config(settings)


def make_config(settings: Mapping[str, Any]) -> TrainConfig:
    """Return checked settings, the game's options among them.

    Raises:
        ConfigError: in one line, what is wrong and what is allowed.
    """
    try:
        config = TrainConfig.model_validate(settings)
    except ValidationError as error:
        raise ConfigError(_one_line(error)) from None
    try:
        config.make_game()
    except ValueError as error:
        raise ConfigError(str(error)) from None
    return config


def override(settings: dict[str, Any], text: str) -> None:
    """Set what `key=value` says; a dotted key reaches into a table.

    Raises:
        ConfigError: it is not of this form.
    """
    key, sign, value = text.partition("=")
    parts = key.strip().split(".")
    if not sign or not all(parts):
        raise ConfigError(f"override {text!r} must be written key=value")
    table = settings
    for part in parts[:-1]:
        below = table.setdefault(part, {})
        if not isinstance(below, dict):
            raise ConfigError(f"override {text!r}: {part!r} has no settings below it")
        table = below
    table[parts[-1]] = _value(text, value.strip())


def _value(override: str, text: str) -> Any:
    """Return a TOML value; a bare word stands for itself, `none` for no value.

    Raises:
        ConfigError: it is neither.
    """
    if text == "none":
        return None
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        if re.fullmatch(r"[\w./\\:~-]+", text):
            return text
        raise ConfigError(f"override {override!r}: {text!r} is no TOML value") from None


def _one_line(error: ValidationError) -> str:
    """Return the first complaint, naming the setting, what was given, what is allowed."""
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return _unknown(name)
    if first["type"] == "missing":
        return f"setting {name!r} must be given"
    message = first["msg"].removeprefix("Value error, ").removeprefix("Input ")
    if not name:
        return message
    return f"setting {name}={first['input']!r} is not allowed: it {message}"


def _unknown(name: str) -> str:
    """Return what to say of an unknown setting, with the one it may be meant for."""
    models: dict[str, type[BaseModel]] = {
        "network": NetworkConfig,
        "opponents": OpponentConfig,
        "teacher": TeacherConfig,
    }
    table, _, wrong = name.rpartition(".")
    known = list(models.get(table.split(".")[0], TrainConfig).model_fields)
    near = get_close_matches(wrong, known, n=1) or [
        name for name in known if wrong == "".join(word[0] for word in name.split("_"))
    ]
    if near:
        return f"unknown setting {name!r}; did you mean {near[0]!r}?"
    return f"unknown setting {name!r}: there are {', '.join(known)}"


def settings_table() -> str:
    """Return the table of settings that the documents show."""
    rows = ["| setting | default | meaning |", "| --- | --- | --- |"]
    models: dict[str, type[BaseModel]] = {
        "": TrainConfig,
        "opponents.": OpponentConfig,
        "teacher.": TeacherConfig,
        "network.": NetworkConfig,
    }
    for prefix, model in models.items():
        for name, declared in model.model_fields.items():
            if f"{name}." in models:
                continue
            default = "" if declared.is_required() else _shown(declared.default)
            meaning = " ".join((declared.description or "").split())
            rows.append(f"| `{prefix}{name}` | {default} | {meaning} |")
    return "\n".join(rows)


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
