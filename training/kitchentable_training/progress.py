"""What a training tells its user: a bar on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

LINE_INTERVAL = 15.0
"""Seconds between plain lines."""
BAR_INTERVAL = 0.25
"""Seconds between changes of the bar."""


class Display:
    """Shows how far a training is. Use it in a `with` statement."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(file=sys.stderr)
        self._bar: Progress | None = None
        self._evaluated = ""
        self._shown_at = time.monotonic()

    def __enter__(self) -> Self:
        if self.console.is_terminal:
            self._bar = Progress(
                TextColumn("[bold]training[/]"),
                BarColumn(),
                TextColumn("{task.fields[status]}"),
                console=self.console,
                refresh_per_second=4,
            )
            self._task = self._bar.add_task("training", total=1.0, status="")
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        self.console.print(text, highlight=False, markup=False, soft_wrap=True)

    def show(self, fraction: float, steps: int, speed: float, seconds_left: float) -> None:
        """Show the share of the budget used, and speed in samples a second."""
        now = time.monotonic()
        interval = LINE_INTERVAL if self._bar is None else BAR_INTERVAL
        if now - self._shown_at < interval:
            return
        self._shown_at = now
        status = f"{fraction:4.0%}  {steps:,} samples  {speed:,.0f}/s  {_time(seconds_left)} left"
        if self._bar is None:
            self.say(f"training {status}")
        else:
            shown = f"{status}  {self._evaluated}".rstrip()
            self._bar.update(self._task, completed=fraction, status=shown)

    def show_evaluation(self, steps: int, results: Mapping[str, Any]) -> None:
        """Tell the results of an evaluation, by opponent."""
        parts = []
        for name, result in results.items():
            margin = (result["points_interval"][1] - result["points_interval"][0]) / 2
            parts.append(f"{name} {result['points']:+.2f} ± {margin:.2f}")
        self._evaluated = "  ".join(f"vs {part}" for part in parts)
        self.say(f"after {steps:,} samples: points a deal against {', '.join(parts)}")


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
