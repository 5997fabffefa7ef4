import pytest

from kitchentable.engine.options import (
    BoolOption,
    ChoiceOption,
    IntOption,
    ListOption,
    OptionError,
    num_players_option,
    resolve,
)

OPTIONS = (
    num_players_option(4, (2, 4, 6, 8)),
    IntOption("decks", lambda o: 1 if o["num_players"] == 2 else 2, "packs", high=3),
    BoolOption("jokers", True, "jokers"),
    ChoiceOption("scoring", "points", "scoring", choices=("points", "counters")),
    IntOption("deal", None, "deal", high=7, nullable=True),
    ListOption("need", [2, 2, 1], "need", length=3, high=9),
)


def test_defaults_depend_on_earlier_options() -> None:
    assert resolve(OPTIONS, {"num_players": 2})["decks"] == 1
    assert resolve(OPTIONS, {}) == {
        "num_players": 4,
        "decks": 2,
        "jokers": True,
        "scoring": "points",
        "deal": None,
        "need": [2, 2, 1],
    }


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("num_players", 3, "2, 4, 6 or 8"),
        ("num_players", 10, "2, 4, 6 or 8"),
        ("decks", 0, "1 .. 3"),
        ("decks", True, "whole number"),
        ("decks", 2.0, "whole number"),
        ("decks", "2", "whole number"),
        ("decks", None, "whole number"),
        ("jokers", 1, "true or false"),
        ("scoring", "chips", '"points" or "counters"'),
        ("scoring", 0, '"points" or "counters"'),
        ("deal", 8, "1 .. 7, or none"),
        ("need", [1, 2], "3 whole numbers"),
        ("need", [1, 2, 10], "0 .. 9"),
        ("need", 3, "3 whole numbers"),
    ],
)
def test_a_bad_value_is_refused_by_name(name: str, value: object, words: str) -> None:
    with pytest.raises(OptionError) as caught:
        resolve(OPTIONS, {name: value})
    assert f"option {name}={value!r}" in str(caught.value)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_option_is_refused_with_a_hint() -> None:
    with pytest.raises(
        OptionError, match=r"unknown option 'num_player'.*did you mean 'num_players'"
    ):
        resolve(OPTIONS, {"num_player": 3})
