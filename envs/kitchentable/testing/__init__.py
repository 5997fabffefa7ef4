"""The contract that every game keeps, as functions to call on any game and options.

>>> from kitchentable.testing import contract
>>> contract("kuhn_poker")  # doctest: +SKIP

Each check takes a `Game` and raises AssertionError where the game breaks its promise.
"""

from collections.abc import Callable
from typing import Any

from kitchentable.engine.game import Game
from kitchentable.games import spec
from kitchentable.testing.batches import (
    check_batch_is_single_games,
    check_illegal_in_batches,
    check_restarts,
    check_skip_forced,
    check_threads,
    check_truncation,
)
from kitchentable.testing.environments import (
    check_copies_of_environments,
    check_gymnasium,
    check_illegal_in_environments,
    check_pettingzoo,
    check_protocol,
    check_vector_environment,
)
from kitchentable.testing.garbage import check_garbage
from kitchentable.testing.options import check_options
from kitchentable.testing.play import (
    check_apply,
    check_ends,
    check_illegal_actions,
    check_masks,
    check_reward_forms,
    check_rewards,
)
from kitchentable.testing.saving import check_bytes, check_seeds, check_tables
from kitchentable.testing.secrecy import (
    check_from_view,
    check_looking_changes_nothing,
    check_no_leak,
    check_shown,
)
from kitchentable.testing.signatures import check_signatures
from kitchentable.testing.walks import trajectory_hash

Check = Callable[[Game], None]

CHECKS: tuple[Check, ...] = (
    check_masks,
    check_apply,
    check_illegal_actions,
    check_rewards,
    check_reward_forms,
    check_ends,
    check_options,
    check_bytes,
    check_tables,
    check_seeds,
    check_looking_changes_nothing,
    check_no_leak,
    check_from_view,
    check_shown,
    check_garbage,
    check_batch_is_single_games,
    check_threads,
    check_restarts,
    check_skip_forced,
    check_truncation,
    check_illegal_in_batches,
    check_protocol,
    check_pettingzoo,
    check_illegal_in_environments,
    check_copies_of_environments,
    check_gymnasium,
    check_vector_environment,
    check_signatures,
)
"""All checks, the one that looks at what the others compiled last."""

__all__ = [
    "CHECKS",
    "Check",
    "check_apply",
    "check_batch_is_single_games",
    "check_bytes",
    "check_copies_of_environments",
    "check_ends",
    "check_from_view",
    "check_garbage",
    "check_gymnasium",
    "check_illegal_actions",
    "check_illegal_in_batches",
    "check_illegal_in_environments",
    "check_looking_changes_nothing",
    "check_masks",
    "check_no_leak",
    "check_options",
    "check_pettingzoo",
    "check_protocol",
    "check_restarts",
    "check_reward_forms",
    "check_rewards",
    "check_seeds",
    "check_shown",
    "check_signatures",
    "check_skip_forced",
    "check_tables",
    "check_threads",
    "check_truncation",
    "check_vector_environment",
    "contract",
    "trajectory_hash",
]


def contract(name: str, **options: Any) -> None:
    """Run every check on a game: with these options, for every number of seats.

    Args:
        name: the game's name.
        options: its options; with `num_players` for that number of seats alone.

    Raises:
        AssertionError: the game breaks the contract; the message names the check.
        OptionError: an option is unknown or not allowed.
    """
    given = options.pop("num_players", None)
    for num_players in (given,) if given is not None else spec(name).seat_counts:
        game = Game(spec(name), num_players=num_players, **options)
        for check in CHECKS:
            try:
                check(game)
            except AssertionError as error:
                where = f"{check.__name__} ({name}, num_players={num_players})"
                raise AssertionError(f"{where}: {error}") from error
