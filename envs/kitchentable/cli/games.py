"""`kitchentable list` and `kitchentable describe`: what there is."""

import json
from typing import Annotated

import typer

from kitchentable.cli.common import GameOptions, examples, parse_options


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command("list", epilog=examples("kitchentable list", "kitchentable list --json"))(
        list_games
    )
    app.command(
        epilog=examples(
            "kitchentable describe norwegian_rummy",
            "kitchentable describe norwegian_rummy -o num_players=5",
            "kitchentable describe norwegian_rummy --rules",
        )
    )(describe)


def list_games(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the games."""
    from kitchentable.games import GAMES, TESTBEDS, spec

    specs = [spec(name) for name in GAMES + TESTBEDS]
    rows = [
        {
            "game": s.name,
            "version": s.version,
            "seats": list(s.seat_counts),
            "actions": s.actions.size,
            "observation": s.observation.size,
            "testbed": s.testbed,
            "summary": s.summary,
        }
        for s in specs
    ]
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("game", "seats", "actions", "observation", "what it is", box=None)
    for s in specs:
        counts = s.seat_counts
        span = str(counts[0]) if len(counts) == 1 else f"{counts[0]}-{counts[-1]}"
        sizes = str(s.actions.size), str(s.observation.size)
        summary = s.summary + (" (testbed)" if s.testbed else "")
        table.add_row(f"[bold]{s.name}[/]", span, *sizes, summary)
    Console().print(table)


def describe(
    game: Annotated[str, typer.Argument(help="A game's name; `kitchentable list` shows them.")],
    rules: Annotated[bool, typer.Option("--rules", help="Show the rules instead.")] = False,
    option: GameOptions = None,
) -> None:
    """Show a game's options, actions and observation, or with `--rules` how it is played."""
    from rich.console import Console
    from rich.markdown import Markdown

    from kitchentable.engine.game import Game
    from kitchentable.engine.options import markdown
    from kitchentable.games import spec

    made = Game(spec(game), **parse_options(option))
    s = made.spec
    options = "\n".join(f"- {name}: {json.dumps(value)}" for name, value in made.options.items())
    page = (
        s.rules
        if rules
        else (
            f"# {s.title} (`{s.name}`, version {s.version})\n\n{s.summary}\n\n"
            f"How it is played: `kitchentable describe {s.name} --rules`\n\n"
            f"## Options\n\n{markdown(s.options)}\n\nResolved:\n\n{options}\n\n"
            f"## Actions ({s.actions.size})\n\n{s.actions.markdown()}\n\n"
            f"## Observation ({s.observation.size} floats)\n\n{s.observation.markdown()}\n"
        )
    )
    console = Console()
    if console.is_terminal:
        console.print(Markdown(page))
    else:
        typer.echo(page)
