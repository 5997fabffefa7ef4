"""Norwegian Rummy in words: sentences about moves, and a table as text for a terminal."""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Any

from kitchentable.cards.french import (
    CARDS,
    JOKER,
    N_POSITIONS,
    N_RANKS,
    RANKS,
    SUITS,
    SYMBOLS,
    pretty,
    pretty_list,
)
from kitchentable.games.norwegian_rummy.rules import MAX_GROUPS, N_DEALS

WIDTH = 100
"""Columns that a terminal is taken to have."""
RANK_WORDS = (
    "ace",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
)
SUIT_WORDS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def sentence(table: Mapping[str, Any], seat: int, move: Mapping[str, Any]) -> str:
    """Return a sentence about a move by `seat`; of the table the game's own keys will do."""
    return f"Player {seat} {_what_is_done(table, seat, move)}."


def _what_is_done(table: Mapping[str, Any], seat: int, move: Mapping[str, Any]) -> str:
    top = table["discard"][-1] if table["discard"] else None
    match move["move"]:
        case "draw_stock":
            return "draws from the stock"
        case "take_discard":
            return f"takes {_pretty(top)} from the discard pile"
        case "buy":
            return f"buys {_pretty(top)}"
        case "pass":
            return f"does not buy {_pretty(top)}"
        case "open_set":
            return f"begins a set of {plural(move['rank'])}"
        case "open_run":
            suit = move["suit"]
            low = rank_at(move["low"]) + SYMBOLS[suit]
            return f"begins a run of {SUIT_WORDS[suit]} from {low} up"
        case "place":
            return _placing(table["building"], move["card"])
        case "close":
            return (
                f"ends the {group_name(table['building'])}" if table["building"] else "ends a run"
            )
        case "discard":
            return f"discards {_pretty(move['card'])}"
        case _:
            return _changing_meld(table["melds"], seat, move)


def _placing(building: Mapping[str, Any] | None, card: str) -> str:
    """Say what is added to the open group, and what a joker in a run stands for."""
    if not building or not building["kind"]:
        return f"lays {_pretty(card)}"
    shown = _pretty(card)
    if building["kind"] == "run" and card == CARDS[JOKER]:
        position = building["low"] + len(building["cards"])
        stands_for = rank_at(position) + SYMBOLS[building["suit"]]
        shown += f" as {stands_for}" if position <= N_POSITIONS else ""
    return f"adds {shown} to the {building['kind']} of {_what_of(building)}"


def _changing_meld(melds: list[Mapping[str, Any]], seat: int, move: Mapping[str, Any]) -> str:
    """Say what is laid off where, or which joker moves."""
    if move["meld"] is None:
        return "names a meld that is not there"
    meld = melds[move["meld"]]
    whose = "their own" if meld["owner"] == seat else f"player {meld['owner']}'s"
    card, name, end = _pretty(move["card"]), f"{whose} {group_name(meld)}", move["end"]
    if move["move"] == "move_joker":
        return f"puts {card} in the joker's place in {name} and moves the joker to the {end} end"
    if meld["kind"] == "set":
        return f"lays off {card} on {name}"
    return f"lays off {card} on the {end} end of {name}"


def _pretty(card: str | None) -> str:
    """Return a card in a sentence."""
    if card is None:
        return "a card"
    return "a joker" if card == CARDS[JOKER] else pretty(card)


def plural(rank: str) -> str:
    """Return cards of a rank in words: `"kings"`, `"sixes"`."""
    word = RANK_WORDS[RANKS.index(rank)]
    return word + ("es" if word.endswith("x") else "s")


def rank_at(position: int) -> str:
    """Return the rank at a position 1 .. 14 of a run: `"A"`, `"10"`."""
    return RANKS[(position - 1) % N_RANKS].replace("T", "10")


def _what_of(group: Mapping[str, Any]) -> str:
    return plural(group["rank"]) if group["kind"] == "set" else SUIT_WORDS[group["suit"]]


def group_name(group: Mapping[str, Any]) -> str:
    """Return a meld or open group in words: `"set of kings"`, `"run of hearts (5-8)"`."""
    name = f"{group['kind']} of {_what_of(group)}"
    if group["kind"] == "set" or not group["cards"]:
        return name
    last = group["low"] + len(group["cards"]) - 1
    return f"{name} ({rank_at(group['low'])}-{rank_at(last)})"


# Text for a terminal


def text(view: Mapping[str, Any]) -> str:
    """Return a view, or a whole table, as lines of text."""
    lines = [*_heading(view), "", *_seat_lines(view), "", *_pile_lines(view)]
    if view["melds"]:
        lines += ["", "On the table", *_meld_lines(view["melds"])]
    for seat, hand in enumerate(view["hands"]):
        if isinstance(hand, list):
            lines += ["", f"Hand of player {seat} ({count_words(len(hand), 'card')})"]
            lines += _hand_lines(hand)
    return "\n".join(lines)


def _heading(view: Mapping[str, Any]) -> list[str]:
    """Which deal it is, what the contract asks for, and what is due."""
    deal = f"deal {view['deal']} of {N_DEALS}"
    if view["options"]["episode"] == "deal":
        deal = "a single deal"
    title = f"Norwegian Rummy, {deal}: {contract_words(view['contract'])}"
    cap = view["options"]["turn_cap"] * view["options"]["num_players"]
    return [title, f"Turn {view['turns']} of {cap} at most. {due_words(view)}"]


def contract_words(contract: Mapping[str, Any]) -> str:
    """Return a contract as words, such as `"2 sets and 1 run"`."""
    words = _groups_words(contract["sets"], contract["runs"])
    return words + (", with all cards of the hand" if contract["runs"] == MAX_GROUPS else "")


def _groups_words(sets: int, runs: int) -> str:
    counts = [(sets, "set"), (runs, "run")]
    return " and ".join(count_words(number, word) for number, word in counts if number)


def count_words(number: int, word: str) -> str:
    """Return a number of things, such as `"3 buys"`."""
    return f"{number} {word}" + ("" if number == 1 else "s")


def due_words(view: Mapping[str, Any]) -> str:
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
            return f"Player {seat} lays the contract: {building_words(view)}."


def building_words(view: Mapping[str, Any]) -> str:
    """Return the open group and what is left of the contract, in words."""
    building = view["building"]
    left = _groups_words(building["sets_left"], building["runs_left"])
    if building["kind"] is None:
        return f"{left} to be laid"
    cards = pretty_list(building["cards"]) or "no card yet"
    what = f"{building['kind']} of {_what_of(building)}"
    then = f"; then {left}" if left else ""
    if building["kind"] == "set":
        return f"{what}: {cards}{then}"
    symbol, low = SYMBOLS[building["suit"]], building["low"]
    position = low + len(building["cards"])
    wanted = f", next {rank_at(position)}{symbol}" if position <= N_POSITIONS else ""
    return f"{what} from {rank_at(low)}{symbol}: {cards}{wanted}{then}"


def _seat_lines(view: Mapping[str, Any]) -> list[str]:
    """One line a seat: `>` stands before who must act, `*` before whose turn it is."""
    rows = [("", "player", "cards", "down", "buys left", "score", "known")]
    for seat, hand in enumerate(view["hands"]):
        mark = ">" if seat == view["to_act"] else "*" if seat == view["turn"] else ""
        count = len(hand) if isinstance(hand, list) else hand["count"]
        down = "yes" if view["down"][seat] else "no"
        numbers = (str(count), down, str(view["buys_left"][seat]), str(view["scores"][seat]))
        dealer = " (dealer)" if seat == view["dealer"] else ""
        rows.append((mark, f"{seat}{dealer}", *numbers, pretty_list(view["known"][seat])))
    return _columns(rows)


def _columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _pile_lines(view: Mapping[str, Any]) -> list[str]:
    """The stock's count, and the discards from the top down."""
    stock, discard = view["stock"], view["discard"]
    count = len(stock) if isinstance(stock, list) else stock["count"]
    if not discard:
        return [f"Stock    {count_words(count, 'card')}", "Discard  none"]
    lines = [f"Stock    {count_words(count, 'card')}", f"Discard  {pretty(discard[-1])}"]
    if len(discard) > 1:
        beneath = f"beneath: {pretty_list(reversed(discard[:-1]))}"
        indent = " " * len("Discard  ")
        lines += wrap(beneath, WIDTH, initial_indent=indent, subsequent_indent=indent)
    return lines


def _meld_lines(melds: list[Mapping[str, Any]]) -> list[str]:
    rows = []
    for number, meld in enumerate(melds):
        name = f"player {meld['owner']}: {group_name(meld)}"
        rows.append((f"  {number}", name, pretty_list(meld["cards"])))
    return _columns(rows)


def _hand_lines(hand: Iterable[str]) -> list[str]:
    """A hand, one line for each suit in it."""
    cards = list(hand)
    lines = []
    for suit in SUITS:
        ranks = [pretty(card)[:-1] for card in cards if card[1] == suit]
        if ranks:
            lines.append(f"  {SYMBOLS[suit]}  {' '.join(ranks)}")
    jokers = cards.count(CARDS[JOKER])
    return lines + ([f"  {count_words(jokers, 'joker')}"] if jokers else [])
