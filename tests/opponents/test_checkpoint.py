"""What is refused, and in which words; all in one line."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kitchentable as kt
from kitchentable.opponents.checkpoint import POLICY_FILE, read_checkpoint
from tests.training.folders import edit, make_checkpoint

LEDUC = kt.game("leduc_poker")


def refusal(folder: Path, action: Callable[[], Any] | None = None) -> str:
    """Return the words of the error, which must be one line."""
    with pytest.raises(kt.OpponentError) as caught:
        if action is None:
            kt.opponent(folder)
        else:
            action()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_checkpoint(tmp_path / "policy")


class TestDamage:
    def test_no_folder(self, tmp_path: Path) -> None:
        assert "there is no such folder" in refusal(tmp_path / "nowhere")

    def test_a_file(self, folder: Path) -> None:
        assert "not a folder" in refusal(folder / "policy.json")

    def test_another_folder(self, tmp_path: Path) -> None:
        assert "not a checkpoint: it has no policy.json" in refusal(tmp_path)

    @pytest.mark.parametrize("share", [0, 0.1, 0.5, 0.99])
    def test_policy_json_cut_short(self, folder: Path, share: float) -> None:
        text = (folder / "policy.json").read_text().rstrip()
        (folder / "policy.json").write_text(text[: int(len(text) * share)])
        assert "policy.json is damaged or cut short" in refusal(folder)

    def test_policy_json_is_no_text(self, folder: Path) -> None:
        (folder / "policy.json").write_bytes(b"\xff\xfe\x00")
        assert "cannot read policy.json" in refusal(folder)

    @pytest.mark.parametrize("share", [0, 0.5, 0.999])
    def test_weights_cut_short(self, folder: Path, share: float) -> None:
        path = folder / "policy.safetensors"
        path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
        assert "cut short or altered" in refusal(folder)

    def test_weights_altered(self, folder: Path) -> None:
        path = folder / "policy.safetensors"
        data = bytearray(path.read_bytes())
        data[-1] ^= 1
        path.write_bytes(data)
        assert "cut short or altered" in refusal(folder)

    def test_weights_missing(self, folder: Path) -> None:
        (folder / "policy.safetensors").unlink()
        assert "cannot read policy.safetensors: No such file" in refusal(folder)

    def test_the_one_before_is_named(self, folder: Path) -> None:
        make_checkpoint(folder)
        (folder / "policy.json").write_text("{")
        words = refusal(folder)
        assert words.endswith(f"the checkpoint before it is kept in {folder}.previous")
        assert kt.opponent(f"{folder}.previous").name == "policy.previous"


@pytest.mark.parametrize("key", ["format", "game", "options", "layout", "weights", "steps"])
def test_a_missing_key_is_named(folder: Path, key: str) -> None:
    edit(folder, lambda policy: policy.pop(key))
    assert f"key '{key}' is missing" in refusal(folder)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda p: p.update(format="other"), "key 'format' must be 'kitchentable-policy'"),
        (lambda p: p.update(format_version=2), "has format version 2, and this kitchentable"),
        (lambda p: p.update(game="chess"), "key 'game' must be one of norwegian_rummy"),
        (lambda p: p.update(options=[]), "key 'options' must be an object"),
        (lambda p: p.update(plays={"num_players": 3}), "key 'plays.num_players' must be a list"),
        (lambda p: p.clear(), "key 'format' is missing"),
        (lambda p: p.update(steps=-1), "key 'steps' must be a whole number"),
        (lambda p: p.update(seconds="long"), "key 'seconds' must be a number"),
        (lambda p: p["layout"].update(actions=[1]), "key 'layout.actions' must be a list of"),
        (lambda p: p["weights"].update(file="../x"), "key 'weights.file' must be the name of"),
        (lambda p: p["weights"].update(sha256=1), "key 'weights.sha256' must be a string"),
    ],
)
def test_a_foreign_policy_json_is_refused(
    folder: Path, change: Callable[[Any], None], words: str
) -> None:
    edit(folder, change)
    assert words in refusal(folder)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda p: p.update(game_version=9), "version 9 of leduc_poker, and this is version 0"),
        (
            lambda p: p["layout"]["observation"].__setitem__(1, "public[4]"),
            "part of the observation 1 was public[4] in its training and is public[3] here",
        ),
        (
            lambda p: p["layout"]["actions"].append("bluff[]"),
            "action block 3 was bluff[] in its training and is nothing here",
        ),
        (lambda p: p["layout"].update(hash="0123"), "layout hash 0123 is not"),
    ],
)
def test_another_version_of_the_game_is_refused(
    folder: Path, change: Callable[[Any], None], words: str
) -> None:
    edit(folder, change)
    assert words in refusal(folder)


class TestGames:
    """Which games a sound checkpoint may play."""

    def test_another_game(self, folder: Path) -> None:
        kuhn = kt.game("kuhn_poker")
        words = refusal(folder, lambda: kt.opponent(folder).check(kuhn))
        assert words == (
            "policy policy cannot play: it was trained for leduc_poker, not kuhn_poker"
        )

    def test_other_options(self, folder: Path) -> None:
        edit(folder, lambda policy: policy["options"].update(num_players=3))
        words = refusal(folder, lambda: read_checkpoint(folder).check(LEDUC))
        assert "it was trained for num_players=3, not num_players=2" in words

    def test_options_it_was_trained_for_too(self, folder: Path) -> None:
        edit(folder, lambda policy: policy["options"].update(num_players=3))
        edit(folder, lambda policy: policy["plays"].update(num_players=[4, 5]))
        words = refusal(folder, lambda: read_checkpoint(folder).check(LEDUC))
        assert "num_players=3 or 4 or 5, not num_players=2" in words
        edit(folder, lambda policy: policy["plays"].update(num_players=[2]))
        read_checkpoint(folder).check(LEDUC)

    def test_an_option_it_does_not_know(self, folder: Path) -> None:
        edit(folder, lambda policy: policy["options"].pop("num_players"))
        words = refusal(folder, lambda: read_checkpoint(folder).check(LEDUC))
        assert "does not know option 'num_players'" in words

    def test_single_deals_are_free(self, folder: Path) -> None:
        read_checkpoint(folder).check(kt.game("leduc_poker", episode="deal"))
        game = read_checkpoint(folder).make_game(episode="deal")
        assert game.options == {"num_players": 2, "episode": "deal"}


def test_a_policy_json_that_is_no_object_is_refused(folder: Path) -> None:
    (folder / POLICY_FILE).write_text("[]")
    assert "policy.json: it must hold an object, not list" in refusal(folder)


def test_odd_options_are_refused_by_name(folder: Path) -> None:
    edit(folder, lambda p: p["options"].update(num_players={"two": []}))
    checkpoint = read_checkpoint(folder)
    words = "num_players={'two': []}, not num_players=2"
    with pytest.raises(kt.OpponentError, match=re.escape(words)):
        checkpoint.check(kt.game("leduc_poker"))
