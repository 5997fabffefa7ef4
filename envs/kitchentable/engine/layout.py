"""The observation as named parts, so that nobody counts offsets by hand."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod


@dataclass(frozen=True)
class Part:
    """Consecutive floats of an observation, and what they mean."""

    name: str
    shape: int | tuple[int, ...]
    meaning: str
    scale: float = 1.0
    """What a count or number of points is divided by."""

    @property
    def size(self) -> int:
        """How many floats the part takes."""
        return self.shape if isinstance(self.shape, int) else prod(self.shape)


class Layout:
    """Where each part starts; `layout["hand"]` is the index of its first float."""

    def __init__(self, *parts: Part) -> None:
        self.parts = parts
        self._starts: dict[str, int] = {}
        self.size = 0
        for part in parts:
            if part.name in self._starts:
                raise ValueError(f"two parts are called {part.name!r}")
            self._starts[part.name] = self.size
            self.size += part.size

    def __getitem__(self, name: str) -> int:
        return self._starts[name]

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def slice(self, name: str) -> slice:
        """Return where the part `name` lies."""
        part = next(part for part in self.parts if part.name == name)
        return slice(self[name], self[name] + part.size)

    def names(self) -> tuple[str, ...]:
        """Return a name for every float, such as `"hand[3]"`; what a checkpoint is held to."""
        return tuple(f"{p.name}{list(_shape(p))}" for p in self.parts)

    def markdown(self) -> str:
        """Return the table that the game's page shows."""
        rows = ["| floats | part | shape | meaning |", "| --- | --- | --- | --- |"]
        for p in self.parts:
            first, shape = self[p.name], " x ".join(map(str, _shape(p)))
            last = first + p.size - 1
            span = f"{first}" if p.size == 1 else f"{first} - {last}"
            scale = f", divided by {p.scale:g}" if p.scale != 1 else ""
            rows.append(f"| {span} | `{p.name}` | {shape} | {p.meaning}{scale} |")
        return "\n".join(rows)


def _shape(part: Part) -> tuple[int, ...]:
    return (part.shape,) if isinstance(part.shape, int) else part.shape
