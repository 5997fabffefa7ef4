import pytest

from kitchentable.engine.actions import Actions, Block
from kitchentable.engine.layout import Layout, Part

ACTIONS = Actions(
    Block("draw", "draw"),
    Block("open", "open", (("suit", 4), ("low", 11))),
    Block("discard", "discard", (("card", 53),)),
)


def test_every_action_decodes_to_what_encodes_to_it() -> None:
    seen = set()
    for action in range(ACTIONS.size):
        name, values = ACTIONS.decode(action)
        assert ACTIONS.encode(name, *values) == action
        seen.add((name, values))
    assert len(seen) == 1 + 44 + 53


def test_the_last_argument_varies_fastest() -> None:
    assert ACTIONS.encode("open", 2, 3) == ACTIONS["open"] + 2 * 11 + 3


@pytest.mark.parametrize("values", [(4, 0), (0, 11), (-1, 0)])
def test_a_value_out_of_range_is_refused(values: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="open"):
        ACTIONS.encode("open", *values)


def test_an_action_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="98"):
        ACTIONS.decode(98)


def test_two_blocks_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="draw"):
        Actions(Block("draw", ""), Block("draw", ""))


def test_parts_follow_each_other() -> None:
    layout = Layout(Part("hand", 53, "cards"), Part("known", (5, 53), "cards"), Part("x", 1, "x"))
    assert layout["known"] == 53
    assert layout.slice("x") == slice(53 * 6, 53 * 6 + 1)
    assert layout.size == 53 * 6 + 1
    assert "| 53 - 317 | `known` | 5 x 53 | cards |" in layout.markdown()
