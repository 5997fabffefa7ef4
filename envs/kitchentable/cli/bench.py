"""`kitchentable bench`: how fast the games are on this machine."""

import json
import os
from typing import Annotated, Any

import typer

from kitchentable.cli.common import GameOptions, examples, parse_options


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command(
        epilog=examples(
            "kitchentable bench",
            "kitchentable bench --game norwegian_rummy --json",
            "kitchentable bench --game norwegian_rummy --training",
        )
    )(bench)


def bench(
    game: Annotated[list[str] | None, typer.Option(help="A game; default: all.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    seconds: Annotated[float, typer.Option(min=0.01, help="Length of each measurement.")] = 2.0,
    training: Annotated[
        bool, typer.Option(help="Measure PPO against the network alone, too.")
    ] = False,
    starts: Annotated[bool, typer.Option(help="Measure warm and cold start, too.")] = True,
    option: GameOptions = None,
) -> None:
    """Measure decisions a second, the floor, the AEC loop, and start-up times.

    The floor is a kernel that only writes a mask and an observation of the same size, timed in
    turn with the game. Decisions are counted at random play with masks and observations; the
    choosing of random actions is not timed.
    """
    from rich.console import Console

    from kitchentable.api import benchmark
    from kitchentable.games import GAMES

    console = Console(stderr=True)
    rows: list[dict[str, Any]] = []
    for name in game or GAMES:
        with console.status(f"measuring {name} ..."):
            row = benchmark.measure(name, seconds=seconds, **parse_options(option))
            if starts:
                row |= benchmark.measure_starts(name)
            if training:
                row |= _measure_training(name, parse_options(option))
        rows.append(row)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    if as_json:
        typer.echo(json.dumps({"load": load, "games": rows}, indent=2))
    else:
        _print(rows, load)


def _measure_training(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Ask the training package, which may not be installed."""
    from importlib.metadata import entry_points

    (found,) = entry_points(group="kitchentable.benchmarks", name="training")
    measured: dict[str, Any] = found.load()(name, **options)
    return measured


def _print(rows: list[dict[str, Any]], load: float) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"{os.cpu_count()} processors, load {load:.2f}", box=None)
    table.add_column("what")
    for row in rows:
        table.add_column(row["game"].replace("_", "\n"), justify="right")
    for key in rows[0]:
        if key != "game":
            table.add_row(key.replace("_", " "), *(_shown(row.get(key)) for row in rows))
    Console().print(table)


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 1000 else f"{value:.3f}"
    return str(value)
