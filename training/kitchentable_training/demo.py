"""`make demo`: from nothing to a trained opponent, in a few minutes, on the terminal."""

import sys
from pathlib import Path

from rich.console import Console
from rich.rule import Rule

import kitchentable as kt
from kitchentable.cli import main as kitchentable_main

FOLDER = Path("runs/demo")
CONFIG = Path("configs/demo.toml")
DEALS = 300
"""Deals that the policy is evaluated on, each played once from every seat."""


def run(*arguments: str) -> None:
    """Show and run one command of `kitchentable`."""
    Console().print(f"\n[bold]$ kitchentable {' '.join(arguments)}[/]", highlight=False)
    sys.argv = ["kitchentable", *arguments]
    try:
        kitchentable_main()
    except SystemExit as end:
        if end.code:
            raise


def show_deal(policy: Path) -> None:
    """Play one deal, the policy in seat 0 against three scripted opponents, and show it."""
    console = Console()
    console.print(Rule(f"a deal: player 0 is {policy}, the others are scripted"))
    game = kt.game("norwegian_rummy", episode="deal", deal=1)
    trained, scripted = kt.opponent(policy), kt.opponent("scripted")
    trained.check(game)
    state = game.new(seed=7)
    while not game.is_finished(state):
        player = trained if game.to_act(state) == 0 else scripted
        move = player.move(game, state)
        console.print(game.describe(state, move), highlight=False)
        game.play(state, move)
    console.print(game.text(state), highlight=False)


def main() -> None:
    """Train, evaluate, load, play."""
    run("train", str(CONFIG), "--out", str(FOLDER), "--overwrite")
    policy = FOLDER / "latest"
    for rival in ("random", "scripted"):
        run("evaluate", str(policy), rival, "--deals", str(DEALS))
    show_deal(policy)
    Console().print(
        f"\nThe policy is in {policy}. Play against it: "
        f"[bold].venv/bin/kitchentable play norwegian_rummy --against {policy}[/]"
    )


if __name__ == "__main__":
    main()
