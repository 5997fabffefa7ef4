"""The documents: generated parts are up to date, and every code block runs."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("configs/**/*.md"),
        *(ROOT / "envs").rglob("*.md"),
    ]
)
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
TIMEOUT = 1200
"""Seconds for a block or command; the first use of a game compiles it."""
QUICK = {
    "kitchentable train configs": "--time 0.05 eval_deals=8",
    "kitchentable train --resume": "--time 0.5 eval_deals=8",
    "kitchentable evaluate": "--deals 4",
    "kitchentable bench": "--seconds 0.05 --no-starts",
    "kitchentable play": "--watch",
}
"""What a test adds to a command of the documents, so that it takes seconds."""


def blocks(language: str) -> list[Any]:
    """Return the code blocks of a language of every document, in order, as parameters."""
    return [
        pytest.param(path, [code for kind, code in found if kind == language], id=path.name)
        for path in DOCUMENTS
        if (found := BLOCK.findall(path.read_text())) and any(k == language for k, _ in found)
    ]


def test_every_block_says_what_it_is() -> None:
    kinds = {kind for path in DOCUMENTS for kind, _ in BLOCK.findall(path.read_text())}
    assert kinds <= {"python", "sh", "json", "toml", "text"}


def test_generated_parts_are_up_to_date() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "generate.py"))
    for path, parts in made["documents"]():
        text = path.read_text()
        assert made["filled"](text, parts) == text, f"{path}: run make docs"


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("path", "codes"), blocks("python"))
def test_python_blocks_run(path: Path, codes: list[str]) -> None:
    for code in codes:
        done = subprocess.run(
            [sys.executable, "-W", "error::DeprecationWarning:__main__", "-c", code],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
        assert done.returncode == 0, f"{code}\n{done.stderr}"


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("path", "codes"), blocks("sh"))
def test_commands_run(path: Path, codes: list[str], tmp_path: Path) -> None:
    for name in ("configs", "benchmarks"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    for line in "".join(codes).replace("\\\n", " ").splitlines():
        command = line.split("#")[0].strip()
        if command:
            run(command, tmp_path)


def run(command: str, folder: Path) -> None:
    """Run a command of a document, a long one in its quick form."""
    if command.startswith("make "):
        command = f"{command} --dry-run"
    elif command.startswith(("pip install", "git clone", "cd ", ".venv/bin/")):
        return
    for start, addition in QUICK.items():
        if command.startswith(start):
            command = f"{command} {addition}"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
