"""The commands that training adds to the command line."""

import typer

from kitchentable_training import commands_evaluate, commands_train


def register(app: typer.Typer) -> None:
    """Add `train` and `evaluate`."""
    for module in (commands_train, commands_evaluate):
        module.register(app)
