"""Settings: files, overrides, and errors that say in one line what is wrong."""

from pathlib import Path

import pytest

from kitchentable_training.config import ConfigError, TrainConfig, read_config, settings_table
from kitchentable_training.run import read_run, run_folder, write_run

CONFIGS = sorted(Path(__file__).parents[2].glob("configs/*.toml"))
MINIMAL = 'game = "kuhn_poker"\ntotal_timesteps = 1000\n'


@pytest.fixture
def minimal(tmp_path: Path) -> Path:
    path = tmp_path / "minimal.toml"
    path.write_text(MINIMAL)
    return path


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.name)
def test_shipped_configurations_are_sound(path: Path) -> None:
    config = read_config(path)
    assert path.stem in (config.game, "demo")


def test_there_are_shipped_configurations() -> None:
    assert {path.stem for path in CONFIGS} >= {"demo", "norwegian_rummy", "kuhn_poker"}


def test_overrides_of_every_kind(minimal: Path) -> None:
    config = read_config(
        minimal,
        [
            "learning_rate=1e-3",
            "anneal_lr=false",
            "network.hidden=[32, 16]",
            'network.activation="tanh"',
            "name=mine",
            "options.episode=deal",
            "target_kl=0.02",
            "time_limit=2",
            'opponents=[{name="scripted", share=0.1}]',
        ],
    )
    assert config.learning_rate == 1e-3
    assert config.anneal_lr is False
    assert config.network.hidden == (32, 16)
    assert config.network.activation == "tanh"
    assert config.name == "mine"
    assert config.make_game().options["episode"] == "deal"
    assert config.target_kl == 0.02
    assert config.time_limit == 2.0
    assert (config.opponents[0].name, config.opponents[0].share) == ("scripted", 0.1)
    assert config.gamma == 1.0


def test_none_takes_a_value_away(minimal: Path) -> None:
    config = read_config(minimal, ["time_limit=3", "total_timesteps=none", "eval_interval=none"])
    assert config.total_timesteps is None
    assert config.eval_interval is None


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("lr=1", "unknown setting 'lr'; did you mean 'learning_rate'?"),
        ("lerning_rate=1", "unknown setting 'lerning_rate'; did you mean 'learning_rate'?"),
        ("network.hiden=[1]", "unknown setting 'network.hiden'; did you mean 'hidden'?"),
        ("frobnicate=1", "unknown setting 'frobnicate': there are "),
        ("learning_rate=-1", "setting learning_rate=-1 is not allowed: it should be greater than"),
        ("learning_rate=inf", "setting learning_rate=inf is not allowed"),
        ("num_envs=true", "setting num_envs=True is not allowed"),
        ('teacher={nam="x", name="random"}', "'teacher.nam'; did you mean 'name'?"),
        ("num_envs=2.5", "setting num_envs=2.5 is not allowed"),
        ("network.hidden=[8, 0]", "setting network.hidden.1=0 is not allowed"),
        ("precision=half", "it should be 'auto', 'float32' or 'bf16'"),
        ("game=poker", "unknown game 'poker'"),
        ("options.num_players=7", "option num_players=7 is not allowed"),
        ("options.seats=2", "unknown option 'seats'"),
        ("total_timesteps=none", "total_timesteps or time_limit must be given"),
        ('opponents=[{name="random", share=0.7}, {name="scripted", share=0.7}]', "more than 1"),
        ('opponents=[{name="random"}]', "setting 'opponents.0.share' must be given"),
        ("num_minibatches=1000000", "num_minibatches must not be more than"),
        ("learning_rate", "override 'learning_rate' must be written key=value"),
        ("=3", "must be written key=value"),
        ("game.x=3", "'game' has no settings below it"),
        ("hidden=[1, 2", "is no TOML value"),
    ],
)
def test_errors_are_one_line_and_name_the_setting(minimal: Path, override: str, words: str) -> None:
    with pytest.raises(ConfigError) as error:
        read_config(minimal, [override])
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: No such file"):
        read_config(tmp_path / "nowhere.toml")
    (tmp_path / "broken.toml").write_text("game = \n")
    with pytest.raises(ConfigError, match=r"broken\.toml: Invalid value \(at line 1"):
        read_config(tmp_path / "broken.toml")
    (tmp_path / "empty.toml").write_text("")
    with pytest.raises(ConfigError, match="setting 'game' must be given"):
        read_config(tmp_path / "empty.toml")


def test_a_run_keeps_its_settings(tmp_path: Path, minimal: Path) -> None:
    config = read_config(minimal, ["network.hidden=[8]", "seed=9"])
    write_run(tmp_path / "run", config)
    assert read_run(tmp_path / "run") == config
    longer = read_run(tmp_path / "run", ["total_timesteps=2000", "learning_rate=1e-5"])
    assert (longer.total_timesteps, longer.learning_rate) == (2000, 1e-5)


@pytest.mark.parametrize("override", ["num_envs=8", "network.hidden=[9]", "game=leduc_poker"])
def test_a_run_that_goes_on_cannot_change_its_shape(
    tmp_path: Path, minimal: Path, override: str
) -> None:
    write_run(tmp_path / "run", read_config(minimal))
    with pytest.raises(ConfigError, match="cannot be changed"):
        read_run(tmp_path / "run", [override])


def test_a_folder_without_a_run(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is no run's folder"):
        read_run(tmp_path)
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(ConfigError, match="is damaged"):
        read_run(tmp_path)


def test_run_folders_are_named_after_game_name_and_seed(minimal: Path) -> None:
    folder = run_folder(read_config(minimal, ["name=x", "seed=5"]))
    assert folder.parent == Path("runs")
    assert folder.name.startswith("kuhn_poker__x__5__")


def test_the_table_of_settings_has_all_of_them() -> None:
    table = settings_table()
    for name in TrainConfig.model_fields:
        assert f"`{name}`" in table or f"`{name}." in table
    assert "| `network.hidden` |" in table
