"""A game's actions as named blocks: numbering, masks and documents come from here."""

from dataclasses import dataclass
from math import prod


@dataclass(frozen=True)
class Block:
    """Actions of one name, one for each combination of its arguments."""

    name: str
    meaning: str
    arguments: tuple[tuple[str, int], ...] = ()
    """Name and number of values of each argument; the last one varies fastest."""

    @property
    def size(self) -> int:
        """How many actions the block has."""
        return prod(count for _, count in self.arguments)


class Actions:
    """The actions of a game; `actions["discard"]` is the number of the block's first.

    In a kernel an action is `START + first * N_SECOND + second`, with the start taken
    into a module constant: `DISCARD = ACTIONS["discard"]`.
    """

    def __init__(self, *blocks: Block) -> None:
        self.blocks = blocks
        self._starts: dict[str, int] = {}
        self.size = 0
        for block in blocks:
            if block.name in self._starts:
                raise ValueError(f"two blocks are called {block.name!r}")
            self._starts[block.name] = self.size
            self.size += block.size

    def __getitem__(self, name: str) -> int:
        return self._starts[name]

    def slice(self, name: str) -> slice:
        """Return where the block `name` lies."""
        return slice(self[name], self[name] + self._block(name).size)

    def encode(self, name: str, *values: int) -> int:
        """Return the number of the action `name` with these argument values.

        Raises:
            ValueError: a value is out of its argument's range.
        """
        index = 0
        for (argument, count), value in zip(self._block(name).arguments, values, strict=True):
            if not 0 <= value < count:
                raise ValueError(f"{name}: {argument} {value} is not in 0 .. {count - 1}")
            index = index * count + value
        return self[name] + index

    def decode(self, action: int) -> tuple[str, tuple[int, ...]]:
        """Return the name and the argument values of an action number.

        Raises:
            ValueError: there is no such action.
        """
        if not 0 <= action < self.size:
            raise ValueError(f"action {action} is not in 0 .. {self.size - 1}")
        block = next(b for b in reversed(self.blocks) if self[b.name] <= action)
        rest, values = int(action) - self[block.name], []
        for _, count in reversed(block.arguments):
            rest, value = divmod(rest, count)
            values.append(value)
        return block.name, tuple(reversed(values))

    def names(self) -> tuple[str, ...]:
        """Return the blocks with their sizes; what a checkpoint is held to."""
        return tuple(f"{b.name}{[count for _, count in b.arguments]}" for b in self.blocks)

    def markdown(self) -> str:
        """Return the table that the game's page shows."""
        rows = ["| actions | block | arguments | meaning |", "| --- | --- | --- | --- |"]
        for b in self.blocks:
            first, last = self[b.name], self[b.name] + b.size - 1
            span = f"{first}" if first == last else f"{first} - {last}"
            arguments = " x ".join(f"{name} ({count})" for name, count in b.arguments)
            rows.append(f"| {span} | `{b.name}` | {arguments} | {b.meaning} |")
        return "\n".join(rows)

    def _block(self, name: str) -> Block:
        return next(block for block in self.blocks if block.name == name)
