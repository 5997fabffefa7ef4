"""The command line: what it prints, and that a user's mistake is one line."""

import json
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.compiled]


def kitchentable(*arguments: str, answers: str = "") -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", "from kitchentable.cli import main; main()", *arguments]
    return subprocess.run(
        command, input=answers, capture_output=True, text=True, timeout=300, check=False
    )


def test_list_names_the_games() -> None:
    rows = json.loads(kitchentable("list", "--json").stdout)
    assert "norwegian_rummy" in [row["game"] for row in rows]


def test_describe_shows_actions_and_resolved_options() -> None:
    out = kitchentable("describe", "norwegian_rummy", "-o", "num_players=5").stdout
    assert "`lay_off_run`" in out
    assert "- decks: 3" in out


def test_describe_shows_the_rules() -> None:
    out = kitchentable("describe", "luau_rummy", "--rules").stdout
    assert out.startswith("# Luau Rummy")
    assert "**R4, animals.**" in out


def test_every_command_has_help_with_examples_one_a_line() -> None:
    commands = ["list", "describe", "play", "bench", "train", "evaluate"]
    for command in commands:
        done = kitchentable(command, "--help")
        assert done.returncode == 0
        _, _, examples = done.stdout.partition("Examples:")
        lines = [line.strip() for line in examples.splitlines() if line.strip()]
        assert len(lines) > 1, command
        assert all(line.startswith("kitchentable ") for line in lines), lines


def test_a_person_plays_with_words_and_numbers() -> None:
    done = kitchentable("play", "kuhn_poker", "--seed", "3", answers="bet\nbet\nbet\n")
    assert done.returncode == 0
    assert "won. Rewards:" in done.stdout


def test_a_person_may_leave() -> None:
    done = kitchentable("play", "norwegian_rummy", "--seed", "3", answers="?\nnonsense\nq\n")
    assert done.returncode == 0
    assert "The game was left." in done.stdout


def test_one_may_watch() -> None:
    done = kitchentable("play", "norwegian_rummy", "-o", "episode=deal", "--watch", "--seed", "5")
    assert done.returncode == 0
    assert "won. Rewards:" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["describe", "rummy"], "unknown game 'rummy'"),
        (["play", "norwegian_rummy", "-o", "num_players=9"], "num_players=9"),
        (["play", "norwegian_rummy", "-o", "players=3"], "unknown option 'players'"),
        (["play", "norwegian_rummy", "-o", "max_buys=yes"], "max_buys='yes'"),
        (["play", "norwegian_rummy", "-o", "max_buys"], "KEY=VALUE"),
        (["play", "norwegian_rummy", "--seat", "4"], "seat 4"),
        (["play", "norwegian_rummy", "--against", "nobody"], "nobody"),
        (["evaluate", "nobody", "scripted"], "nobody"),
        (["train", "nothing.toml"], "nothing.toml"),
        (["train", "--fast"], "No such option: --fast"),
        (["play"], "Missing parameter: game"),
        (["win"], "No such command 'win'"),
    ],
)
def test_a_mistake_is_one_line_that_names_the_culprit(arguments: list[str], words: str) -> None:
    done = kitchentable(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr
