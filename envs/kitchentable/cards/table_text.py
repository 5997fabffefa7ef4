"""A table of cards as text: what the words of all card games have in common.

Functions take a view or a whole table, as JSON has them.
"""

from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap
from typing import Any

View = Mapping[str, Any]

WIDTH = 100
"""Columns that a terminal is taken to have."""


def count_words(number: int, word: str) -> str:
    """Return a number of things, such as `"3 cards"`."""
    return f"{number} {word}" + ("" if number == 1 else "s")


def size_of(cards: Any) -> int:
    """Return how many cards a hand or a stock has, be they shown or hidden."""
    return len(cards) if isinstance(cards, list) else int(cards["count"])


def turn_words(view: View) -> str:
    """Return how far the deal is from its cap: `"turn 3 of 400 at most"`."""
    cap = view["options"]["turn_cap"] * view["options"]["num_players"]
    return f"turn {view['turns']} of {cap} at most"


def pointer(view: View, seat: int) -> str:
    """Return `>` for the seat that must act, `*` for one whose turn it is while others act."""
    return ">" if seat == view["to_act"] else "*" if seat == view["turn"] else ""


def seat_name(view: View, seat: int) -> str:
    """Return a seat in a list: `"2"`, `"3 (dealer)"`."""
    return f"{seat} (dealer)" if seat == view["dealer"] else str(seat)


def columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return rows with their cells below each other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def wrapped(words: str, begin: str) -> list[str]:
    """Return words as lines, the first one after `begin` and the others below it."""
    return wrap(words, WIDTH, initial_indent=begin, subsequent_indent=" " * len(begin))


def pile_lines(view: View, pretty: Callable[[str], str], between: str = " ") -> list[str]:
    """Return the stock's count, and the discards from the top down with `between` between them."""
    discard = view["discard"]
    top = pretty(discard[-1]) if discard else "none"
    lines = [f"Stock    {count_words(size_of(view['stock']), 'card')}", f"Discard  {top}"]
    if len(discard) > 1:
        beneath = between.join(map(pretty, reversed(discard[:-1])))
        lines += wrapped(f"beneath: {beneath}", " " * len("Discard  "))
    return lines


def open_hands(view: View, hand_lines: Callable[[list[str]], list[str]]) -> list[str]:
    """Return the hands that are shown, each with a title and the lines made of it."""
    lines = []
    for seat, hand in enumerate(view["hands"]):
        if isinstance(hand, list):
            title = f"Hand of player {seat} ({count_words(len(hand), 'card')})"
            lines += ["", title, *hand_lines(hand)]
    return lines
