"""The command `kitchentable`: every command with examples in its `--help`.

Each module below adds commands by `register(app)`; so do other packages, through the entry
point group `kitchentable.commands`. Whatever takes long to import is imported by the command
that needs it.
"""

import os
import sys
from importlib.metadata import entry_points
from typing import Annotated

import typer

from kitchentable import __version__
from kitchentable.cli import bench, games, play

app = typer.Typer(
    name="kitchentable",
    help="Family games for reinforcement learning, and opponents to play against.",
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"kitchentable {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _top(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show it.")
    ] = False,
) -> None:
    """Family games for reinforcement learning, and opponents to play against."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def build() -> typer.Typer:
    """Return the app with the commands of all packages."""
    for module in (games, play, bench):
        module.register(app)
    for extension in entry_points(group="kitchentable.commands"):
        extension.load()(app)
    return app


def main() -> None:
    """Run the command line; a user's mistake is one line and exit code 2."""
    # Threads that wait by spinning are slower by far as soon as another program runs.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    build()
    try:
        code = app(standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except (typer.TyperException, ValueError, ArithmeticError, OSError, MemoryError) as error:
        print(f"kitchentable: {error}", file=sys.stderr)
        sys.exit(2)
    except ModuleNotFoundError as error:
        print(
            f"kitchentable: {error.name} is needed: pip install kitchentable[all]", file=sys.stderr
        )
        sys.exit(2)
    except (KeyboardInterrupt, typer.Abort):
        print("kitchentable: interrupted", file=sys.stderr)
        sys.exit(130)
