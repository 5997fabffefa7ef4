import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import kitchentable as kt
from kitchentable.engine.positions import Positions
from kitchentable.opponents.checkpoint import previous_of, read_checkpoint
from kitchentable_training.backend import PolicyOpponent
from kitchentable_training.checkpoint import load_network, save_checkpoint
from kitchentable_training.evaluate import evaluate
from kitchentable_training.exploitability import GameTree
from tests.training.folders import CONFIG, edit, make_checkpoint, make_network

LEDUC = kt.game("leduc_poker")


RESULT = {"deals": 1000, "points": 1.5, "points_interval": [-0.25, 3.25], "deals_won": 0.625}
"""What the card shows of an evaluation."""


def positions_of_leduc(n: int = 50) -> Positions:
    positions = Positions(LEDUC, LEDUC.new_batch(n, seed=3))
    positions.look()
    return positions


def played(opponent: kt.Opponent, times: int = 5) -> list[list[int]]:
    """Return what an opponent plays in the same 50 positions, several times."""
    positions, rows = positions_of_leduc(), []
    for _ in range(times):
        actions = np.full(len(positions), -1, np.int32)
        opponent.act(positions, np.arange(len(positions)), actions)
        rows.append(actions.tolist())
    return rows


class TestSaving:
    def test_the_network_comes_back_bit_for_bit(self, tmp_path: Path) -> None:
        network = make_network(LEDUC)
        save_checkpoint(tmp_path / "policy", network, CONFIG, LEDUC)
        again = load_network(tmp_path / "policy")
        assert again.config == CONFIG
        assert not again.training
        assert network.state_dict().keys() == again.state_dict().keys()
        for name, value in network.state_dict().items():
            assert torch.equal(value, again.state_dict()[name])
        observations = torch.from_numpy(positions_of_leduc().observations)
        with torch.no_grad():
            pairs = zip(network(observations), again(observations), strict=True)
            assert all(torch.equal(first, second) for first, second in pairs)

    def test_what_is_said_of_it_comes_back(self, tmp_path: Path) -> None:
        more: dict[str, Any] = {
            "plays": {"num_players": [2]},
            "training": {"clip_coef": 0.2},
            "seed": 7,
            "steps": 1000,
            "seconds": 2.5,
            "evaluation": {"scripted": RESULT},
        }
        checkpoint = read_checkpoint(make_checkpoint(tmp_path / "policy", **more))
        assert {name: getattr(checkpoint, name) for name in more} == more
        assert (checkpoint.game, checkpoint.game_version) == ("leduc_poker", 0)
        assert checkpoint.options == LEDUC.options
        assert checkpoint.layout_hash == LEDUC.spec.layout_hash
        assert checkpoint.network == CONFIG.model_dump(mode="json")
        assert (
            checkpoint.libraries["torch"] == torch.__version__.split("+")[0]
            or "+" in (checkpoint.libraries["torch"])
        )

    def test_the_card_says_what_it_is(self, tmp_path: Path) -> None:
        folder = make_checkpoint(tmp_path / "policy", steps=12345, evaluation={"random": RESULT})
        card = (folder / "README.md").read_text()
        assert "leduc_poker" in card and "12,345 decisions" in card
        assert "| random | 1,000 | +1.50 | -0.25 .. +3.25 | 62.5% |" in card

    def test_the_one_before_is_kept(self, tmp_path: Path) -> None:
        folder = tmp_path / "policy"
        for steps in (1, 2, 3):
            make_checkpoint(folder, steps=steps)
        assert read_checkpoint(folder).steps == 3
        assert read_checkpoint(previous_of(folder)).steps == 2
        assert sorted(path.name for path in tmp_path.iterdir()) == ["policy", "policy.previous"]

    @pytest.mark.parametrize("call", range(1, 14))
    def test_a_kill_at_any_moment_leaves_a_whole_checkpoint(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: int
    ) -> None:
        folder = tmp_path / "policy"
        for steps in (1, 2):
            make_checkpoint(folder, steps=steps)
        _kill_at(monkeypatch, call)
        with pytest.raises(KeyboardInterrupt):
            make_checkpoint(folder, steps=3)
        monkeypatch.undo()
        place = folder if folder.exists() else previous_of(folder)
        assert read_checkpoint(place).steps in (2, 3)
        make_checkpoint(folder, steps=4)
        assert read_checkpoint(folder).steps == 4

    def test_a_folder_of_something_else_is_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "letters").mkdir()
        (tmp_path / "letters" / "dear.txt").write_text("Dear")
        with pytest.raises(ValueError, match="not a checkpoint and is left as it is"):
            make_checkpoint(tmp_path / "letters")
        assert (tmp_path / "letters" / "dear.txt").read_text() == "Dear"

    def test_an_empty_folder_is_filled(self, tmp_path: Path) -> None:
        (tmp_path / "empty").mkdir()
        assert read_checkpoint(make_checkpoint(tmp_path / "empty")).name == "empty"


def _kill_at(monkeypatch: pytest.MonkeyPatch, call: int) -> None:
    """Interrupt the process at a call, counted over all that touch the disk."""
    import shutil

    calls = [0]

    def counted(function: Any) -> Any:
        def wrapper(*args: Any, **named: Any) -> Any:
            calls[0] += 1
            if calls[0] == call:
                raise KeyboardInterrupt
            return function(*args, **named)

        return wrapper

    monkeypatch.setattr(os, "fsync", counted(os.fsync))
    monkeypatch.setattr(shutil, "rmtree", counted(shutil.rmtree))
    for name in ("rename", "mkdir", "open"):
        monkeypatch.setattr(Path, name, counted(getattr(Path, name)))


class TestPlaying:
    def test_a_folder_becomes_an_opponent(self, tmp_path: Path) -> None:
        folder = make_checkpoint(tmp_path / "policy")
        opponent = kt.opponent(folder, seed=5)
        assert opponent.name == "policy"
        assert played(opponent) == played(kt.opponent(str(folder), seed=5))
        assert played(opponent) != played(kt.opponent(folder, seed=6))

    def test_it_plays_as_the_network_that_was_saved(self, tmp_path: Path) -> None:
        network = make_network(LEDUC)
        save_checkpoint(tmp_path / "policy", network, CONFIG, LEDUC)
        ours = PolicyOpponent(network, seed=5)
        assert played(ours) == played(kt.opponent(tmp_path / "policy", seed=5))

    def test_it_draws_by_its_probabilities(self) -> None:
        network = make_network(LEDUC)
        tree = GameTree(LEDUC)
        expected = PolicyOpponent(network).probabilities(tree.observations, tree.masks)
        assert (expected[tree.masks == 0] == 0).all()
        assert expected.sum(1) == pytest.approx(1)
        state = LEDUC.new(seed=1)
        LEDUC.play(state, {"move": "raise"})
        positions = Positions(LEDUC, np.repeat(state, 20000).view(np.recarray))
        positions.look()
        actions = np.zeros(len(positions), np.int32)
        opponent = PolicyOpponent(network, seed=1)
        opponent.act(positions, np.arange(len(positions)), actions)
        shares = np.bincount(actions, minlength=3) / len(positions)
        chances = opponent.probabilities(positions.observations[:1], positions.masks[:1])[0]
        assert np.abs(shares - chances).max() < 0.015
        assert np.sort(chances)[-2] > 0.05

    def test_it_never_plays_what_is_illegal(self) -> None:
        network = make_network(LEDUC)
        with torch.no_grad():
            network.policy_head.bias[0] = 1e9
        result = evaluate(LEDUC, PolicyOpponent(network), "random", deals=200)
        assert result.games == 400

    def test_greedy_takes_the_likeliest(self) -> None:
        network, positions = make_network(LEDUC), positions_of_leduc()
        chances = PolicyOpponent(network).probabilities(positions.observations, positions.masks)
        greedy = PolicyOpponent(network, greedy=True)
        assert played(greedy, 1)[0] == chances.argmax(1).tolist()
        shown = greedy.probabilities(positions.observations, positions.masks)
        assert shown.argmax(1).tolist() == chances.argmax(1).tolist()
        assert ((shown == 0) | (shown == 1)).all()

    def test_it_plays_as_it_was_saved_to_unless_told_otherwise(self, tmp_path: Path) -> None:
        folder = make_checkpoint(tmp_path / "policy", greedy=True)
        assert played(kt.opponent(folder), 1) == played(kt.opponent(folder, seed=1), 1)
        positions = positions_of_leduc()
        for greedy, shown in ((None, True), (True, True), (False, False)):
            found: Any = kt.opponent(folder, greedy=greedy)
            chances = found.probabilities(positions.observations, positions.masks)
            assert bool(((chances == 0) | (chances == 1)).all()) is shown
        edit(folder, lambda policy: policy.pop("greedy"))
        assert not read_checkpoint(folder).greedy
        edit(folder, lambda policy: policy.update(greedy=1))
        with pytest.raises(kt.OpponentError, match="'greedy' must be true or false"):
            read_checkpoint(folder)

    def test_temperature_sharpens_and_evens(self) -> None:
        network, positions = make_network(LEDUC), positions_of_leduc()
        at = {
            t: PolicyOpponent(network, temperature=t).probabilities(
                positions.observations, positions.masks
            )
            for t in (0.5, 1.0, 2.0)
        }
        highest = {t: chances.max(1) for t, chances in at.items()}
        assert (highest[0.5] > highest[1.0]).all() and (highest[1.0] > highest[2.0]).all()
        with pytest.raises(ValueError, match="temperature"):
            PolicyOpponent(network, temperature=0)

    def test_a_network_without_a_checkpoint_is_held_to_its_sizes(self) -> None:
        with pytest.raises(kt.OpponentError, match=r"\(7, 2\) there and \(26, 3\)"):
            PolicyOpponent(make_network(LEDUC)).check(kt.game("kuhn_poker"))

    def test_it_is_evaluated(self, tmp_path: Path) -> None:
        folder = make_checkpoint(tmp_path / "policy")
        result = evaluate(LEDUC, folder, "random", deals=50)
        again = evaluate(LEDUC, folder, "random", deals=50)
        assert (result.contender, result.others) == ("policy", "random")
        assert result.differences.tolist() == again.differences.tolist()


class TestDamage:
    def test_weights_of_another_network_are_refused(self, tmp_path: Path) -> None:
        folder = make_checkpoint(tmp_path / "policy")
        edit(folder, lambda policy: policy["network"].update(hidden=[8]))
        with pytest.raises(kt.OpponentError, match="weights do not fit the network") as caught:
            load_network(folder)
        assert "\n" not in str(caught.value)

    def test_a_network_that_cannot_be_is_refused(self, tmp_path: Path) -> None:
        folder = make_checkpoint(tmp_path / "policy")
        edit(folder, lambda policy: policy["network"].update(hidden="wide"))
        with pytest.raises(kt.OpponentError, match=r"key 'network.hidden'"):
            load_network(folder)

    def test_weights_that_are_none_are_refused(self, tmp_path: Path) -> None:
        from hashlib import sha256

        folder = make_checkpoint(tmp_path / "policy")
        (folder / "policy.safetensors").write_bytes(b"nothing")
        digest = sha256(b"nothing").hexdigest()
        edit(folder, lambda policy: policy["weights"].update(sha256=digest))
        with pytest.raises(kt.OpponentError, match="weights do not fit"):
            load_network(folder)

    def test_a_checkpoint_is_plain_json_and_safetensors(self, tmp_path: Path) -> None:
        folder = make_checkpoint(tmp_path / "policy")
        names = sorted(path.name for path in folder.iterdir())
        assert names == ["README.md", "policy.json", "policy.safetensors"]
        assert json.loads((folder / "policy.json").read_text())["format"] == "kitchentable-policy"
