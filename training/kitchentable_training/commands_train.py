"""`kitchentable train`: self-play from a configuration, or on from where it stopped."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kitchentable.cli.common import examples

if TYPE_CHECKING:
    from kitchentable_training.config import TrainConfig

INTERRUPTED = 130
"""The exit code of a program that Ctrl-C ended."""


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command(
        epilog=examples(
            "kitchentable train configs/norwegian_rummy.toml",
            "kitchentable train configs/luau_rummy.toml --time 20 options.num_players=3",
            "kitchentable train configs/kuhn_poker.toml ent_coef=0.1 --out runs/mine",
            "kitchentable train --resume runs/mine time_limit=120",
        )
    )(train)


def train(
    config: Annotated[
        str | None, typer.Argument(help="A TOML file; configs/ has some.", show_default=False)
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KEY=VALUE]...", help="Settings in place of the file's."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The run's folder; default: a new one in runs/.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with the run in this folder.", show_default=False)
    ] = None,
    time: Annotated[
        float | None, typer.Option(help="Budget in minutes, in all: the setting time_limit.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The setting seed.")] = None,
    overwrite: Annotated[bool, typer.Option(help="Delete what is in --out first.")] = False,
) -> None:
    """Train a policy by self-play.

    The run's folder gets the policies `latest` and `best`, TensorBoard curves, a line for
    each evaluation in progress.jsonl, and training_state/ to go on from. Ctrl-C saves, too.
    """
    given = list(settings or [])
    if resume is not None and config is not None:
        if "=" not in config:
            raise ValueError(f"--resume goes on with the run's own settings: leave out {config}")
        given.insert(0, config)
    if time is not None:
        given.append(f"time_limit={time}")
    if seed is not None:
        given.append(f"seed={seed}")
    if resume is not None:
        _resume(resume, given)
    elif config is None:
        raise ValueError("train needs a CONFIG, or --resume with a run's folder")
    else:
        _start(Path(config), given, out, overwrite)


def _start(path: Path, given: list[str], out: Path | None, overwrite: bool) -> None:
    """Start a new run."""
    import shutil

    from kitchentable_training.config import ConfigError, read_config
    from kitchentable_training.run import is_run, run_folder

    config = read_config(path, given)
    folder = out or run_folder(config)
    if folder.exists() and any(folder.iterdir()):
        if not is_run(folder):
            raise ConfigError(f"{folder} is not empty and no run's folder: choose another --out")
        if not overwrite:
            raise ConfigError(f"{folder} has a run: give --overwrite, or go on with --resume")
        shutil.rmtree(folder)
    _run(config, folder, resumed=False)


def _resume(folder: Path, given: list[str]) -> None:
    """Go on with a run; settings given now hold from now on."""
    from kitchentable_training.run import read_run

    _run(read_run(folder, given), folder, resumed=True)


def _run(config: "TrainConfig", folder: Path, *, resumed: bool) -> None:
    """Train and tell how it ended."""
    from kitchentable_training.progress import Display
    from kitchentable_training.trainer import Trainer

    with Display() as display:
        trainer = Trainer(config, folder, display)
        if resumed:
            note = trainer.restore()
            if note is not None:
                display.say(note)
            display.say(f"going on in {folder} after {trainer.steps:,} samples")
            if trainer.fraction >= 1:
                raise ValueError(
                    f"{folder}: the budget is used up ({trainer.elapsed / 60:.0f} minutes, "
                    f"{trainer.steps:,} samples); give a larger one in all, such as "
                    f"--time {2 * trainer.elapsed / 60:.0f}"
                )
        else:
            display.say(f"training {config.game} in {folder}")
        finished = trainer.run()
    if not finished:
        display.say(
            f"stopped after {trainer.steps:,} samples; "
            f"to go on: kitchentable train --resume {folder}"
        )
        raise typer.Exit(INTERRUPTED)
    display.say(f"trained on {trainer.steps:,} samples; the policy is in {folder / 'latest'}")
