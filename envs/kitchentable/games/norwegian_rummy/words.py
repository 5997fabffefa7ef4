"""Norwegian Rummy in words: sentences about moves, and a table as text for a terminal."""

from collections.abc import Mapping
from typing import Any

from kitchentable.cards.french import CARDS, JOKER, pretty, pretty_list
from kitchentable.cards.sets_and_runs import (
    NO_MELD,
    Wild,
    a_card,
    building_words,
    group_name,
    groups_words,
    meld_lines,
    meld_words,
    move_words,
    suit_lines,
    top_words,
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
from kitchentable.games.norwegian_rummy.rules import MAX_GROUPS, N_DEALS

WILD_CARDS = Wild((JOKER,), "JK")


def sentence(table: View, seat: int, move: Mapping[str, Any]) -> str:
    """Return a sentence about a move by `seat`; of the table the game's own keys will do."""
    return f"Player {seat} {_what_is_done(table, seat, move)}."


def _what_is_done(table: View, seat: int, move: Mapping[str, Any]) -> str:
    match move["move"]:
        case "buy":
            return f"buys {top_words(table)}"
        case "pass":
            return f"does not buy {top_words(table)}"
        case "close":
            group = table["building"]
            return f"ends the {group_name(group)}" if group else "ends a run"
        case "move_joker":
            return _moving_joker(table, seat, move)
        case _:
            return move_words(table, seat, move, WILD_CARDS)


def _moving_joker(table: View, seat: int, move: Mapping[str, Any]) -> str:
    run = meld_words(table, seat, move)
    if not run:
        return NO_MELD
    card, end = a_card(move["card"]), move["end"]
    return f"puts {card} in the joker's place in {run} and moves the joker to the {end} end"


def contract_words(contract: Mapping[str, Any]) -> str:
    """Return a contract as words, such as `"2 sets and 1 run"`."""
    words = groups_words(contract["sets"], contract["runs"])
    return words + (", with all cards of the hand" if contract["runs"] == MAX_GROUPS else "")


# Text for a terminal


def text(view: View) -> str:
    """Return a view, or a whole table, as lines of text."""
    lines = [*_heading(view), "", *_seat_lines(view), "", *pile_lines(view, pretty)]
    return "\n".join([*lines, *meld_lines(view["melds"]), *open_hands(view, _hand_lines)])


def _heading(view: View) -> list[str]:
    """Which deal it is, what the contract asks for, and what is due."""
    title = f"Norwegian Rummy, {deal_words(view)}: {contract_words(view['contract'])}"
    return [title, f"{turn_words(view).capitalize()}. {due_words(view)}"]


def deal_words(view: View) -> str:
    """Return which deal it is."""
    if view["options"]["episode"] == "deal":
        return "a single deal"
    return f"deal {view['deal']} of {N_DEALS}"


def due_words(view: View) -> str:
    """Return who must do what now, or how the game has ended."""
    if view["finished"]:
        winners = " and ".join(f"player {seat}" for seat in view["winners"])
        return f"The game is over: {winners} won{' at the cap' if view['capped'] else ''}."
    seat, turn = view["to_act"], view["turn"]
    top = pretty(view["discard"][-1]) if view["discard"] else "nothing"
    match view["phase"]:
        case "draw":
            take = f", or take {top}" if view["discard"] else ""
            return f"Player {seat} is to draw from the stock{take}."
        case "buy":
            return f"Player {seat} may buy {top} or pass (player {turn} moves)."
        case "play" if view["down"][seat]:
            return f"Player {seat} is to lay off, move a joker, or discard."
        case "play":
            return f"Player {seat} is to lay the contract, or discard."
        case _:
            return f"Player {seat} lays the contract: {building_words(view['building'])}."


def _seat_lines(view: View) -> list[str]:
    """One line a seat: `>` stands before who must act, `*` before whose turn it is."""
    rows = [("", "player", "cards", "down", "buys left", "score", "known")]
    for seat, hand in enumerate(view["hands"]):
        down = "yes" if view["down"][seat] else "no"
        numbers = (str(view["buys_left"][seat]), str(view["scores"][seat]))
        cells = (seat_name(view, seat), str(size_of(hand)), down, *numbers)
        rows.append((pointer(view, seat), *cells, pretty_list(view["known"][seat])))
    return columns(rows)


def _hand_lines(hand: list[str]) -> list[str]:
    """A hand, one line for each suit in it and one for jokers."""
    jokers = hand.count(CARDS[JOKER])
    return suit_lines(hand) + ([f"  {count_words(jokers, 'joker')}"] if jokers else [])
