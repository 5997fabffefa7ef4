"""The compile cache: never stale, safe for several processes, found again by loops."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import kitchentable
from kitchentable.engine import jit

pytestmark = pytest.mark.compiled

PACKAGE = Path(kitchentable.__file__).parent

PLAY = """
import sys, time, numpy as np, kitchentable as kt
begun = time.perf_counter()
batch = kt.Batch(sys.argv[1], games=64, seed=5, illegal="random")
total = np.zeros(2)
for _ in range(100):
    batch.step(np.full(64, 1))
    total += batch.rewards.sum(0)
hits = sum(sum(d.stats.cache_hits.values()) for d in [batch.game.spec.loops.step])
print(total[0], hits)
"""


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the package whose sources a test may edit."""
    shutil.copytree(
        PACKAGE, tmp_path / "kitchentable", ignore=shutil.ignore_patterns("__pycache__")
    )
    return tmp_path


def start(folder: Path, game: str = "kuhn_poker") -> "subprocess.Popen[str]":
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder),
        "NUMBA_CACHE_DIR": str(folder / "cache"),
    }
    command = [sys.executable, "-c", PLAY, game]
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def result(process: "subprocess.Popen[str]") -> tuple[float, int]:
    """Return what the process printed: seat 0's rewards, and cache hits of the loop."""
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    total, hits = out.split()
    return float(total), int(hits)


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_a_second_process_finds_the_loop_in_the_cache(copied: Path) -> None:
    first, hits = result(start(copied))
    assert hits == 0
    assert result(start(copied)) == (first, 1)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("games/testbeds/kuhn_poker/rules.py", "REWARD_SCALE = 1.0", "REWARD_SCALE = 0.5"),
        ("engine/state.py", "state.reward[seat] += (own", "state.reward[seat] -= (own"),
    ],
    ids=["the game", "the engine"],
)
def test_an_edit_in_any_file_is_noticed(copied: Path, file: str, old: str, new: str) -> None:
    before, _ = result(start(copied))
    edit(copied / "kitchentable" / file, old, new)
    after, hits = result(start(copied))
    assert hits == 0
    assert after != before


def test_an_edit_of_another_game_costs_no_compiling(copied: Path) -> None:
    before = result(start(copied))
    edit(copied / "kitchentable/games/norwegian_rummy/rules.py", "N_DEALS = 7", "N_DEALS = 6")
    assert result(start(copied)) == (before[0], 1)


def test_four_processes_at_once_on_an_empty_cache(copied: Path) -> None:
    results = [result(process) for process in [start(copied) for _ in range(4)]]
    assert len({total for total, _ in results}) == 1
    assert result(start(copied)) == (results[0][0], 1)


def test_games_keep_their_loops_beside_each_other(copied: Path) -> None:
    games = ["kuhn_poker", "leduc_poker", "kuhn_poker", "leduc_poker"]
    hits = [result(start(copied, game))[1] for game in games]
    assert hits == [0, 0, 1, 1]


@pytest.mark.parametrize("late", ["index", "data"])
def test_two_processes_that_save_at_once_never_mix_up_their_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: str
) -> None:
    """The second process saves everything while the first is between two of its steps."""
    first, second = (jit._File(str(tmp_path), "loop", "stamp") for _ in range(2))
    step = {"index": "_save_index", "data": "_save_data"}[late]
    original = getattr(first, step)

    def interrupted(*arguments: object) -> None:
        second.save("its key", "its code")
        original(*arguments)

    monkeypatch.setattr(first, step, interrupted)
    first.save("my key", "my code")
    reader = jit._File(str(tmp_path), "loop", "stamp")
    assert reader.load("my key") in (None, "my code")
    assert reader.load("its key") in (None, "its code")


def test_code_of_older_sources_is_removed(tmp_path: Path) -> None:
    for stamp in ("old", "new"):
        for key in ("one", "other"):
            jit._File(str(tmp_path), "loop", stamp).save(key, stamp)
    assert len(list(tmp_path.glob("*.nbc"))) == 2
    assert jit._File(str(tmp_path), "loop", "new").load("one") == "new"
    assert jit._File(str(tmp_path), "loop", "old").load("one") is None
