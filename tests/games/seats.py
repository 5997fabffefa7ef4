"""Moving all seats on around the table changes nothing but who is who."""

from typing import Any

from kitchentable.engine.game import Game

Table = dict[str, Any]


def rotated(table: Table, steps: int, by_seat: tuple[str, ...], owner: str) -> Table:
    """The same table with every seat moved on to the left.

    `by_seat` are the keys with an entry for each seat, beside hands and what is known of
    them; `owner` is whose a meld is: a seat or a side.
    """
    seats, sides = table["options"]["num_players"], len(table["scores"])
    turned = dict(table)
    for key in ("hands", "known", *by_seat):
        turned[key] = [table[key][(seat - steps) % seats] for seat in range(seats)]
    turned["scores"] = [table["scores"][(side - steps) % sides] for side in range(sides)]
    for key in ("turn", "to_act", "dealer"):
        turned[key] = (table[key] + steps) % seats
    if "asked" in table:
        turned["asked"] = [(seat + steps) % seats for seat in table["asked"]]
    turned["melds"] = [m | {owner: (m[owner] + steps) % sides} for m in table["melds"]]
    return turned


def check_rotation(game: Game, state: Any, by_seat: tuple[str, ...], owner: str) -> None:
    """Every seat sees, may do and is advised the same after moving on."""
    if game.is_finished(state):
        return
    seats = game.num_players
    steps = 1 + int(state[0].turns) % (seats - 1)
    moved = game.from_table(rotated(game.table(state), steps, by_seat, owner))
    for seat in range(seats):
        assert (game.observe(state, seat) == game.observe(moved, (seat + steps) % seats)).all()
    assert (game.mask(state) == game.mask(moved)).all()
    assert (game.privileged(state) == game.privileged(moved)).all()
    assert game.scripted(state) == game.scripted(moved)
