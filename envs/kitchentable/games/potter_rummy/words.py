"""The game in words: sentences about moves, and a table as text for a terminal."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kitchentable.cards.table_text import (
    View,
    columns,
    open_hands,
    pile_lines,
    seat_name,
    size_of,
    turn_words,
    wrapped,
)
from kitchentable.games.potter_rummy.rules import CARDS, SIGNPOST, WinRule

TITLE = "Beatrix Potter's Rummy"
CHARACTERS = (
    "rabbit",
    "duck",
    "hedgehog",
    "squirrel",
    "frog",
    "mouse",
    "cat",
    "fox",
    "badger",
    "pig",
    "owl",
    "dog",
    "hen",
    "robin",
)
"""What the characters are called; the rules give them numbers only."""
NAMES = dict(zip(CARDS, (*CHARACTERS, CARDS[SIGNPOST]), strict=True))
"""What each card is called."""


def sentence(table: View, seat: int, move: Mapping[str, Any]) -> str:
    """Return a sentence about a move by `seat`; of the table the game's own keys will do."""
    return f"Player {seat} {_what_is_done(table, seat, move)}."


def _what_is_done(table: View, seat: int, move: Mapping[str, Any]) -> str:
    match move["move"]:
        case "draw_stock":
            return "draws from the stock"
        case "take_discard":
            top = table["discard"][-1] if table["discard"] else None
            return f"takes {a_card(top)} from the discard pile"
        case "lay":
            cards = [move["card"]] * (move["size"] - move["signpost"])
            return f"lays {set_words([*cards, *[CARDS[SIGNPOST]] * move['signpost']])}"
        case "discard":
            return f"discards {a_card(move['card'])}"
        case "substitute":
            return _substituting(table, move)
        case "take_back":
            return f"takes back {_set_at(table, seat, move['set'])}"
        case _:
            added = "a signpost" if move["signpost"] else "the third card"
            return f"adds {added} to {_set_at(table, seat, move['set'])}"


def _substituting(table: View, move: Mapping[str, Any]) -> str:
    owner = move["seat"]
    if owner is None:
        return "names a seat that nobody has"
    return f"swaps a card for the signpost in player {owner}'s {_set_at(table, owner, move['set'])}"


def _set_at(table: View, seat: int, place: int) -> str:
    sets = table["sets"][seat]
    return set_words(sets[place]) if place < len(sets) else "a set that is not there"


def pretty(card: str) -> str:
    """Return a card in text: `"c3 hedgehog"`, `"signpost"`."""
    return card if card == CARDS[SIGNPOST] else f"{card} {NAMES[card]}"


def a_card(card: str | None) -> str:
    """Return a card in a sentence: `"a hedgehog (c3)"`, `"a signpost"`."""
    if card is None:
        return "a card"
    name = NAMES[card]
    article = "an" if name[0] in "aeiou" else "a"
    return f"{article} {name}" + ("" if card == CARDS[SIGNPOST] else f" ({card})")


def set_words(cards: Sequence[str]) -> str:
    """Return a set in words: `"hedgehog + hedgehog + signpost"`."""
    natural = next((card for card in cards if card != CARDS[SIGNPOST]), cards[0])
    return f"{' + '.join(NAMES[card] for card in cards)} ({natural})"


# Text for a terminal


def text(view: View) -> str:
    """Return a view, or a whole table, as lines of text."""
    lines = [*_heading(view), "", *_seat_lines(view), "", *pile_lines(view, pretty, ", ")]
    lines += open_hands(view, lambda hand: wrapped(cards_words(hand), "  "))
    return "\n".join(lines)


def _heading(view: View) -> list[str]:
    """Which deal it is, and what is due."""
    turn = turn_words(view).capitalize()
    return [f"{TITLE}, {deal_words(view)}", f"{turn}. {due_words(view)}"]


def deal_words(view: View) -> str:
    """Return which deal it is, and when the game ends."""
    options = view["options"]
    if options["episode"] == "deal":
        return "a single deal"
    match options["win_rule"]:
        case WinRule.GOAL:
            return f"deal {view['deal']}, up to 40 {options['scoring']}"
        case WinRule.NOTHING_LEFT:
            return f"deal {view['deal']}, until a player has no {options['scoring']} left"
        case _:
            return f"deal {view['deal']} of {options['deals']}"


def due_words(view: View) -> str:
    """Return who must do what now, or how the game has ended."""
    if view["finished"]:
        winners = " and ".join(f"player {seat}" for seat in view["winners"])
        cap = " at the cap" if view["capped"] else ""
        return f"The game is over: {winners or 'nobody'} won{cap}."
    seat = view["to_act"]
    if view["phase"] == "discard":
        return f"Player {seat} is to discard."
    top = a_card(view["discard"][-1])
    return f"Player {seat} is to draw, take {top}, or change the sets."


def _seat_lines(view: View) -> list[str]:
    """One line a seat: `>` stands before who must act."""
    rows = [("", "player", "cards", "score", "sets", "known")]
    for seat, hand in enumerate(view["hands"]):
        mark = ">" if seat == view["to_act"] else ""
        sets = "; ".join(set_words(cards) for cards in view["sets"][seat])
        cells = (seat_name(view, seat), str(size_of(hand)), str(view["scores"][seat]), sets)
        rows.append((mark, *cells, cards_words(view["known"][seat])))
    return columns(rows)


def cards_words(cards: Iterable[str]) -> str:
    """Return cards in text, separated by commas."""
    return ", ".join(pretty(card) for card in cards)
