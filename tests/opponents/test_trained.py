import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

import kitchentable as kt
from kitchentable.opponents import trained
from kitchentable.opponents.checkpoint import Checkpoint
from kitchentable.opponents.simple import RandomOpponent
from tests.training.folders import make_checkpoint


class OtherBackend:
    """Another way to run a network."""

    def load(self, checkpoint: Checkpoint, seed: int) -> kt.Opponent:
        made = RandomOpponent(seed)
        made.name = f"other {checkpoint.name}"
        return made


def install(monkeypatch: pytest.MonkeyPatch, **backends: str) -> None:
    """Let these be all the backends there are."""
    points = [EntryPoint(name, value, trained.BACKENDS) for name, value in backends.items()]

    def entry_points(group: str) -> Any:
        assert group == trained.BACKENDS
        return points

    monkeypatch.setattr(trained, "entry_points", entry_points)


def test_a_backend_of_anybody_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, a="not_installed:Backend", b=f"{__name__}:OtherBackend")
    monkeypatch.setitem(sys.modules, __name__, sys.modules[OtherBackend.__module__])
    assert kt.opponent(make_checkpoint(tmp_path / "policy")).name == "other policy"


def test_without_a_backend_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_checkpoint(tmp_path / "policy")
    install(monkeypatch)
    with pytest.raises(kt.OpponentError, match=r'pip install "kitchentable\[train\]"'):
        kt.opponent(folder)
    install(monkeypatch, torch="not_installed:Backend")
    with pytest.raises(kt.OpponentError, match=r"torch: No module named 'not_installed'"):
        kt.opponent(folder)


def test_reading_a_checkpoint_needs_no_torch(tmp_path: Path) -> None:
    folder = make_checkpoint(tmp_path / "policy")
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "import kitchentable as kt\n"
        "from kitchentable.opponents.checkpoint import read_checkpoint\n"
        "from pathlib import Path\n"
        f"print(read_checkpoint(Path({str(folder)!r})).game)\n"
        f"try: kt.opponent({str(folder)!r})\n"
        "except kt.OpponentError as error: print(error)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("leduc_poker\nnothing is installed that runs trained opponents")


@pytest.mark.compiled
def test_a_policy_can_be_loaded_after_a_fork(tmp_path: Path) -> None:
    """As worker processes do on Linux; a thread pool of the parent does not survive it."""
    folder = make_checkpoint(tmp_path / "policy")
    code = (
        "import os, sys\n"
        "import numpy as np\n"
        "import kitchentable as kt\n"
        f"kt.opponent({str(folder)!r})\n"
        "batch = kt.Batch('leduc_poker', 8, threads=2)\n"
        "if os.fork() == 0:\n"
        f"    policy = kt.opponent({str(folder)!r})\n"
        "    actions = np.zeros(8, np.int32)\n"
        "    policy.act(batch, np.arange(8), actions)\n"
        "    batch.step(actions)\n"
        "    os._exit(7)\n"
        "print(os.waitstatus_to_exitcode(os.wait()[1]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.strip() == "7"
