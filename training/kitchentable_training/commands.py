"""The commands that training adds to the command line."""

import typer


def register(app: typer.Typer) -> None:
    """Add `train` and `evaluate`."""
    from kitchentable_training import commands_evaluate, commands_train

    commands_train.register(app)
    commands_evaluate.register(app)
