"""Frustration Rummy in words: sentences about moves, and a table as text for a terminal."""

from collections.abc import Mapping
from typing import Any

from kitchentable.cards import sets_and_runs
from kitchentable.cards.french import CARDS, pretty, pretty_list
from kitchentable.cards.sets_and_runs import (
    building_words,
    meld_lines,
    move_words,
    suit_lines,
)
from kitchentable.cards.table_text import (
    View,
    columns,
    count_words,
    open_hands,
    pile_lines,
    pointer,
    seat_name,
    size_of,
    turn_words,
)
from kitchentable.games.frustration_rummy import wild
from kitchentable.games.frustration_rummy.rules import RUN_LENGTHS, RUNS, SET_SIZES, SETS

WILD_CARDS = sets_and_runs.Wild(wild.WILD, "wild")


def sentence(table: View, seat: int, move: Mapping[str, Any]) -> str:
    """Return a sentence about a move by `seat`; of the table the game's own keys will do."""
    return f"Player {seat} {move_words(table, seat, move, WILD_CARDS)}."


def contract_words(contract: int) -> str:
    """Return what a contract asks for: `"1 set of 3 and 1 run of 4"`."""
    groups = [
        (SETS[contract], "set", SET_SIZES[contract]),
        (RUNS[contract], "run", RUN_LENGTHS[contract]),
    ]
    return " and ".join(f"{count_words(n, word)} of {size}" for n, word, size in groups if n)


# Text for a terminal


def text(view: View) -> str:
    """Return a view, or a whole table, as lines of text."""
    lines = [*_heading(view), "", *_seat_lines(view), "", *pile_lines(view, pretty)]
    return "\n".join([*lines, *meld_lines(view["melds"]), *open_hands(view, _hand_lines)])


def deal_words(view: View) -> str:
    """Return which deal it is."""
    if view["options"]["episode"] == "deal":
        return "a single deal"
    return f"deal {view['deal']} of {view['options']['deal_cap']} at most"


def _heading(view: View) -> list[str]:
    """Which deal it is, on what contract the game is won, and what is due."""
    title = f"Frustration Rummy, {deal_words(view)}"
    if view["options"]["episode"] == "game":
        title += f"; out on contract {view['options']['last_contract']} wins"
    return [title, f"{turn_words(view).capitalize()}. {due_words(view)}"]


def due_words(view: View) -> str:
    """Return who must do what now, or how the game has ended."""
    if view["finished"]:
        winners = " and ".join(f"player {seat}" for seat in view["winners"])
        return f"The game is over: {winners} won."
    seat = view["to_act"]
    match view["phase"]:
        case "draw":
            take = f", or take {pretty(view['discard'][-1])}" if view["discard"] else ""
            return f"Player {seat} is to draw from the stock{take}."
        case "play" if view["down"][seat]:
            return f"Player {seat} is to lay off or meld, or discard."
        case "play":
            return f"Player {seat} is to lay the contract, or discard."
        case _:
            what = "an extra meld" if view["down"][seat] else "the contract"
            return f"Player {seat} lays {what}: {building_words(view['building'])}."


def _seat_lines(view: View) -> list[str]:
    """One line a seat: `>` stands before who must act."""
    rows = [("", "player", "cards", "contract", "down", "score", "known")]
    for seat, hand in enumerate(view["hands"]):
        down = "yes" if view["down"][seat] else "no"
        contract = view["contracts"][seat]
        asked = f"{contract}: {contract_words(contract)}"
        cells = (seat_name(view, seat), str(size_of(hand)), asked, down, str(view["scores"][seat]))
        rows.append((pointer(view, seat), *cells, pretty_list(view["known"][seat])))
    return columns(rows)


def _hand_lines(hand: list[str]) -> list[str]:
    """A hand, one line for each suit in it and one for the wild cards."""
    wild_cards = [card for card in hand if CARDS.index(card) in WILD_CARDS]
    lines = suit_lines(card for card in hand if card not in wild_cards)
    return lines + ([f"  wild  {pretty_list(wild_cards)}"] if wild_cards else [])
