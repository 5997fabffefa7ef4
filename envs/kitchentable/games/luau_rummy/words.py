"""Luau Rummy in words: sentences about moves, and a table as text for a terminal."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kitchentable.cards.table_text import (
    View,
    columns,
    count_words,
    open_hands,
    seat_name,
    size_of,
    turn_words,
    wrapped,
)
from kitchentable.games.luau_rummy.pack import (
    CARDS,
    FIRST_CARDS,
    LENGTHS,
    N_KINDS,
    PACK,
    WOLF,
    Kind,
    kind_of,
)

_WOLF = CARDS[WOLF]
_KINDS = tuple(kind.name.lower() for kind in Kind)


def sentence(table: View, seat: int, move: Mapping[str, Any]) -> str:
    """Return a sentence about a move by `seat`; of the table the game's own keys will do."""
    return f"Player {seat} {_what_is_done(table, move)}."


def _what_is_done(table: View, move: Mapping[str, Any]) -> str:
    match move["move"]:
        case "draw_stock":
            return "draws from the stock"
        case "take_pile":
            return f"takes the discard pile ({pile_words(table['discard'])})"
        case "lay":
            return _laying(move["kind"], move["wolf"])
        case "lay_animals":
            return f"lays animals: {listed(move['cards'])}"
        case "lay_pileup":
            return f"lays a pile-up of three {move['card']}"
        case "add":
            where = "the pile-up" if move["card"] in _names(Kind.PILEUP) else "the animals"
            return f"adds {with_article(move['card'])} to {where}"
        case _:
            return f"discards {with_article(move['card'])}"


def _names(kind: Kind) -> tuple[str, ...]:
    """Return the cards that a meld of a kind can have, wolves apart."""
    return CARDS[FIRST_CARDS[kind] : FIRST_CARDS[kind] + LENGTHS[kind]]


def _laying(kind: str, wolf: str | None) -> str:
    """Say which three cards are laid, and what a wolf stands in for."""
    names = _names(Kind[kind.upper()])
    cards = [f"a wolf as {name}" if name == wolf else name for name in names]
    return f"lays {kind}: {listed(cards)}"


def listed(words: Sequence[str]) -> str:
    """Return words as a list: `"straw, wood and bricks"`."""
    return f"{', '.join(words[:-1])} and {words[-1]}"


def with_article(card: str) -> str:
    """Return a card in a sentence: animals and piggies are some of several."""
    if kind_of(PACK.numbers[card]) in (Kind.ANIMALS, Kind.PIGGIES, None):
        return f"{'an' if card[0] in 'aeiou' else 'a'} {card}"
    return card


def pile_words(pile: Sequence[str]) -> str:
    """Return how many cards a pile has and what lies on top."""
    if not pile:
        return "no card"
    return f"{count_words(len(pile), 'card')}, {pile[-1]} on top"


def counted(cards: Iterable[str]) -> str:
    """Return cards in card order, those that are several with their number: `"meat x2"`."""
    counts = Counter(cards)
    names = [name for name in CARDS if counts[name]]
    return ", ".join(name if counts[name] == 1 else f"{name} x{counts[name]}" for name in names)


# Text for a terminal


def text(view: View) -> str:
    """Return a view, or a whole table, as lines of text."""
    lines = [*_heading(view), "", *_seat_lines(view), "", *_pile_lines(view)]
    if view["melds"]:
        lines += ["", "On the table", *_meld_lines(view)]
    return "\n".join([*lines, *open_hands(view, _hand_lines)])


def deal_words(view: View) -> str:
    """Return which deal it is and what wins."""
    if view["options"]["episode"] == "deal":
        return "a single deal"
    return f"deal {view['deal']}, {view['options']['target']} or more win"


def _heading(view: View) -> list[str]:
    """Which deal it is, and what is due."""
    turn = turn_words(view).capitalize()
    return [f"Luau Rummy, {deal_words(view)}", f"{turn}. {due_words(view)}"]


def side_name(view: View, side: int) -> str:
    """Return a side in words: `"player 2"`, or with teams `"players 0 and 2"`."""
    return f"players {side} and {side + 2}" if view["options"]["teams"] else f"player {side}"


def due_words(view: View) -> str:
    """Return who must do what now, or how the game has ended."""
    if view["finished"]:
        winners = " and ".join(side_name(view, side) for side in view["winners"])
        return f"The game is over: {winners} won{' at the cap' if view['capped'] else ''}."
    seat = view["to_act"]
    if view["phase"] == "draw":
        take = f", or take the pile ({pile_words(view['discard'])})" if view["discard"] else ""
        return f"Player {seat} is to draw from the stock{take}."
    return f"Player {seat} is to lay melds, or discard."


def luau_words(view: View, side: int) -> str:
    """Return how near a side is to a Luau, such as `"Luau 3/5"`; a star says without wolves."""
    own = [meld for meld in view["melds"] if meld["side"] == side]
    kinds = {meld["kind"] for meld in own} - {"pileup"}
    pure = {meld["kind"] for meld in own if _WOLF not in meld["cards"]} - {"pileup"}
    return f"Luau {len(kinds)}/{N_KINDS}{'*' if len(pure) == N_KINDS else ''}"


def points_laid(view: View, side: int) -> int:
    """Return how many cards a side has on the table."""
    return sum(len(meld["cards"]) for meld in view["melds"] if meld["side"] == side)


def side_of(view: View, seat: int) -> int:
    """Return the side of a seat."""
    return seat % len(view["scores"])


def _seat_lines(view: View) -> list[str]:
    """One line a seat: `>` stands before who must act."""
    rows = [("", "player", "cards", "laid", "Luau", "score", "known")]
    for seat, hand in enumerate(view["hands"]):
        side = side_of(view, seat)
        mark = ">" if seat == view["to_act"] else ""
        name, count = seat_name(view, seat), str(size_of(hand))
        laid = str(points_laid(view, side))
        luau = luau_words(view, side).removeprefix("Luau ")
        score, known = str(view["scores"][side]), counted(view["known"][seat])
        rows.append((mark, name, count, laid, luau, score, known))
    return columns(rows)


def _pile_lines(view: View) -> list[str]:
    """The stock's count, and what the pile has."""
    discard = view["discard"]
    lines = [f"Stock  {count_words(size_of(view['stock']), 'card')}"]
    if not discard:
        return [*lines, "Pile   none"]
    return lines + wrapped(f"{pile_words(discard)}: {counted(discard)}", "Pile   ")


def _meld_lines(view: View) -> list[str]:
    rows = [
        (f"  {number}", f"{side_name(view, meld['side'])}: {meld['kind']}", counted(meld["cards"]))
        for number, meld in enumerate(view["melds"])
    ]
    return columns(rows)


def _hand_lines(hand: Sequence[str]) -> list[str]:
    """A hand, one line for each kind in it; wolves last."""
    rows = []
    for kind in (*map(Kind, range(N_KINDS)), None):
        cards = [card for card in hand if kind_of(PACK.numbers[card]) == kind]
        if cards:
            name = "wild" if kind is None else _KINDS[kind]
            rows.append((f"  {name}", counted(cards)))
    return columns(rows)
