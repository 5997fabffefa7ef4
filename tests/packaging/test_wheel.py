"""The wheel: both packages, all their files, and it plays outside of the checkout."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLAY = """
import sys
import kitchentable as kt
assert "torch" not in sys.modules and "tensorboard" not in sys.modules
from kitchentable import norwegian_rummy_v0
env = norwegian_rummy_v0.env(num_players=3, render_mode="rgb_array")
env.reset(seed=1)
for agent in env.agent_iter(max_iter=50):
    observation, _, over, _, _ = env.last()
    env.step(None if over else int(observation["action_mask"].argmax()))
assert env.render().ndim == 3
assert not {"torch", "tensorboard", "kitchentable_training"} & set(sys.modules)
print(kt.__file__)
"""

pytestmark = [pytest.mark.slow, pytest.mark.compiled]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT))
    (built,) = folder.glob("kitchentable-*.whl")
    return built


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--no-input", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


def test_it_holds_both_packages_and_their_files(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for root in ("envs/kitchentable", "training/kitchentable_training"):
        for path in (ROOT / root).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert str(path.relative_to(ROOT / root.split("/")[0])) in names


def test_it_plays_outside_of_the_checkout(wheel: Path, tmp_path: Path) -> None:
    pip("install", "--no-deps", "--no-index", "--target", str(tmp_path / "site"), str(wheel))
    done = subprocess.run(
        [sys.executable, "-c", PLAY],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(tmp_path / "site" / "kitchentable" / "__init__.py")
