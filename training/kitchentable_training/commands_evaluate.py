"""`kitchentable evaluate`: what a policy wins against others, on the same deals."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from kitchentable.cli.common import GameOptions, examples, parse_options

if TYPE_CHECKING:
    from kitchentable.engine.game import Game
    from kitchentable_training.evaluate import Result

_UNTRAINED = ("random", "scripted")
"""Opponents that play any game, so that their names do not tell which."""


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command(
        epilog=examples(
            "kitchentable evaluate scripted random --game norwegian_rummy",
            "kitchentable evaluate runs/mine/best scripted random --deals 5000",
            "kitchentable evaluate new_policy old_policy -o episode=deal --json",
        )
    )(evaluate)


def evaluate(
    contender: Annotated[str, typer.Argument(help="random, scripted, or a checkpoint's folder.")],
    others: Annotated[list[str], typer.Argument(help="Each is played against in turn.")],
    game: Annotated[str | None, typer.Option(help="Needed where no checkpoint tells it.")] = None,
    deals: Annotated[int, typer.Option(min=2, help="Different deals.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="What deals and lots follow from.")] = 0,
    batch: Annotated[int, typer.Option(min=1, help="Games at the same time.")] = 1024,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    option: GameOptions = None,
) -> None:
    """Play the same deals from every side: mean points above the others, with their error.

    The contender has each side (seat or team) in turn, and the other policy all other seats.
    An interval holds the true mean in 95 of 100 cases. With `-o episode=deal` single deals are
    played instead of whole games.
    """
    from kitchentable.opponents import opponent
    from kitchentable_training.evaluate import evaluate as play_duplicate

    chosen = find_game(game, [contender, *others], parse_options(option))
    for name in (contender, *others):
        opponent(name).check(chosen)
    results = []
    with _Bar(hidden=as_json) as bar:
        for other in others:
            bar.name(f"{contender} against {other}")
            results.append(
                play_duplicate(
                    chosen, contender, other, deals=deals, seed=seed, batch=batch, on_progress=bar
                )
            )
    if as_json:
        typer.echo(json.dumps([result.summary() for result in results], indent=2))
    else:
        _print(chosen, results)


def find_game(name: str | None, players: list[str], options: dict[str, Any]) -> "Game":
    """Return the game to be played: the one named, or that of the first checkpoint.

    Options that are not given are those of the checkpoint's training.

    Raises:
        ValueError: nothing tells which game, or there is no such game.
        OpponentError: a checkpoint is damaged, or made for another game or other options.
    """
    from kitchentable.engine.game import Game
    from kitchentable.games import spec
    from kitchentable.opponents.trained import find_checkpoint

    trained = [find_checkpoint(Path(p)) for p in players if p not in _UNTRAINED]
    if trained and name in (None, trained[0].game):
        return trained[0].make_game(**options)
    if name is None:
        raise ValueError("which game? Name it with --game, or give the folder of a checkpoint")
    return Game(spec(name), **options)


class _Bar:
    """A progress bar on the standard error output; called with games done and of all."""

    def __init__(self, hidden: bool) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

        self._progress = Progress(
            "{task.description}",
            BarColumn(),
            MofNCompleteColumn(),
            "games",
            TimeRemainingColumn(),
            console=Console(stderr=True),
            disable=hidden,
            transient=True,
        )

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def name(self, name: str) -> None:
        """Begin a new bar."""
        self._task = self._progress.add_task(name, total=None)

    def __call__(self, done: int, of: int) -> None:
        self._progress.update(self._task, completed=done, total=of)


def _print(game: "Game", results: list["Result"]) -> None:
    from rich.console import Console
    from rich.table import Table

    unit = "deal" if game.options["episode"] == "deal" else "game"
    first = results[0]
    sides = first.games // first.deals
    title = (
        f"{first.contender} at {game.spec.title}: {first.deals} {unit}s, each from {sides} sides"
    )
    table = Table(title=title, box=None)
    table.add_column("against")
    for heading in (f"points a {unit}", "95 % interval", "wins", "ahead", "games/s"):
        table.add_column(heading, justify="right")
    for result in results:
        low, high = result.interval
        table.add_row(
            result.others,
            f"{result.points:+.2f}",
            f"{low:+.2f} .. {high:+.2f}",
            f"{result.wins:.1%}",
            f"{result.deals_won:.1%}",
            f"{result.games / result.seconds:,.0f}",
        )
    console = Console()
    console.print(table)
    console.print(
        f"points: above the mean of the other sides; wins: {1 / sides:.1%} between equals; "
        f"ahead: {unit}s with more points, all sides together",
        style="dim",
    )
