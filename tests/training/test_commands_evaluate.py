import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import kitchentable as kt
from kitchentable_training import commands_evaluate
from kitchentable_training.commands_evaluate import find_game
from tests.training.folders import make_checkpoint


def run(*arguments: str) -> str:
    """Return what the command prints; a user's mistake raises."""
    app = typer.Typer()
    app.callback()(lambda: None)
    commands_evaluate.register(app)
    ran = CliRunner().invoke(app, ["evaluate", *arguments])
    if ran.exception is not None:
        raise ran.exception
    return ran.stdout


def test_a_table_has_a_row_for_each_opponent() -> None:
    shown = run("scripted", "random", "scripted", "--game", "kuhn_poker", "--deals", "50")
    assert "scripted at Kuhn poker: 50 games, each from 2 sides" in shown
    rows = [line.split() for line in shown.splitlines()]
    assert [row[0] for row in rows if row and row[0] in ("random", "scripted")][-2:] == [
        "random",
        "scripted",
    ]


def test_json_is_the_summary_of_each() -> None:
    shown = run(
        "scripted", "random", "scripted", "--game", "leduc_poker", "--deals", "50", "--json"
    )
    first, second = json.loads(shown)
    assert (first["others"], second["others"], second["points"]) == ("random", "scripted", 0)
    assert first["games"] == 100


def test_rows_do_not_depend_on_each_other() -> None:
    both = run("random", "scripted", "random", "--game", "leduc_poker", "--deals", "50", "--json")
    one = run("random", "random", "--game", "leduc_poker", "--deals", "50", "--json")
    assert json.loads(both)[1]["points"] == json.loads(one)[0]["points"]


def test_a_checkpoint_tells_the_game(tmp_path: Path) -> None:
    folder = str(make_checkpoint(tmp_path / "mine"))
    (row,) = json.loads(run("random", folder, "--deals", "50", "-o", "episode=deal", "--json"))
    assert (row["game"], row["others"]) == ("leduc_poker", "mine")
    assert row["options"]["episode"] == "deal"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("scripted", "random"), "which game"),
        (("scripted", "rondom", "--game", "kuhn_poker"), "unknown opponent 'rondom'"),
        (("scripted", "random", "--game", "chess"), "unknown game 'chess'"),
        (("scripted", "random", "--game", "kuhn_poker", "-o", "cards=4"), "unknown option 'cards'"),
        (("scripted", "random", "--game", "kuhn_poker", "-o", "cards"), "KEY=VALUE"),
    ],
)
def test_mistakes_are_told(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        run(*arguments)


def test_a_checkpoint_of_another_game_is_refused(tmp_path: Path) -> None:
    folder = str(make_checkpoint(tmp_path / "mine"))
    with pytest.raises(kt.OpponentError, match="trained for leduc_poker, not kuhn_poker"):
        run("random", folder, "--game", "kuhn_poker")


def test_the_options_are_those_of_the_training(tmp_path: Path) -> None:
    game = kt.game("leduc_poker", episode="deal")
    folder = str(make_checkpoint(tmp_path / "mine", game))
    assert find_game(None, ["random", folder], {}).options == game.options
    assert find_game("leduc_poker", [folder], {"episode": "game"}).options["episode"] == "game"


def test_the_help_has_examples() -> None:
    assert "kitchentable evaluate scripted random --game" in run("--help").replace("\n", " ")


def test_showing_help_is_quick() -> None:
    code = "import kitchentable_training.commands_evaluate, sys; print('torch' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"
