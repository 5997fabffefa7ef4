"""Frustration Rummy in words: sentences about moves, and a table as text for a terminal."""

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
from kitchentable.games.frustration_rummy.rules import RUN_LENGTHS, RUNS, SET_SIZES, SETS
from kitchentable.games.frustration_rummy.wild import TWO, is_wild

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
SET_RANKS = tuple(rank for number, rank in enumerate(RANKS) if number != TWO)
"""The ranks of which there are sets."""


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
        case "open_set":
            return f"begins a set of {plural(move['rank'])}"
        case "open_run":
            suit = move["suit"]
            low = rank_at(move["low"]) + SYMBOLS[suit]
            return f"begins a run of {SUIT_WORDS[suit]} from {low} up"
        case "place":
            return _placing(table["building"], move["card"])
        case "discard":
            return f"discards {_pretty(move['card'])}"
        case _:
            return _laying_off(table["melds"], seat, move)


def _placing(building: Mapping[str, Any] | None, card: str) -> str:
    """Say what is added to the open group, and what a wild card in a run stands for."""
    if not building or not building["kind"]:
        return f"lays {_pretty(card)}"
    shown = _pretty(card)
    if building["kind"] == "run" and is_wild(CARDS.index(card)):
        position = building["low"] + len(building["cards"])
        stands_for = rank_at(position) + SYMBOLS[building["suit"]]
        own_place = stands_for == pretty(card)
        shown += f" as {stands_for}" if position <= N_POSITIONS and not own_place else ""
    return f"adds {shown} to the {building['kind']} of {_what_of(building)}"


def _laying_off(melds: list[Mapping[str, Any]], seat: int, move: Mapping[str, Any]) -> str:
    """Say what is laid off where."""
    if move["meld"] is None:
        return "names a meld that is not there"
    meld = melds[move["meld"]]
    whose = "their own" if meld["owner"] == seat else f"player {meld['owner']}'s"
    card, name = _pretty(move["card"]), f"{whose} {group_name(meld)}"
    if meld["kind"] == "set":
        return f"lays off {card} on {name}"
    return f"lays off {card} on the {move['end']} end of {name}"


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


def contract_words(contract: int) -> str:
    """Return what a contract asks for: `"1 set of 3 and 1 run of 4"`."""
    groups = [
        (SETS[contract], "set", SET_SIZES[contract]),
        (RUNS[contract], "run", RUN_LENGTHS[contract]),
    ]
    return " and ".join(f"{count_words(n, word)} of {size}" for n, word, size in groups if n)


def count_words(number: int, word: str) -> str:
    """Return a number of things, such as `"3 cards"`."""
    return f"{number} {word}" + ("" if number == 1 else "s")


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


def deal_words(view: Mapping[str, Any]) -> str:
    """Return which deal it is."""
    if view["options"]["episode"] == "deal":
        return "a single deal"
    return f"deal {view['deal']} of {view['options']['deal_cap']} at most"


def _heading(view: Mapping[str, Any]) -> list[str]:
    """Which deal it is, on what contract the game is won, and what is due."""
    title = f"Frustration Rummy, {deal_words(view)}"
    if view["options"]["episode"] == "game":
        title += f"; out on contract {view['options']['last_contract']} wins"
    cap = view["options"]["turn_cap"] * view["options"]["num_players"]
    return [title, f"Turn {view['turns']} of {cap} at most. {due_words(view)}"]


def due_words(view: Mapping[str, Any]) -> str:
    """Return who must do what now, or how the game has ended."""
    if view["finished"]:
        winners = " and ".join(f"player {seat}" for seat in view["winners"])
        return f"The game is over: {winners} won."
    seat = view["to_act"]
    match view["phase"]:
        case "draw":
            top = pretty(view["discard"][-1]) if view["discard"] else ""
            take = f", or take {top}" if top else ""
            return f"Player {seat} is to draw from the stock{take}."
        case "play" if view["down"][seat]:
            return f"Player {seat} is to lay off or meld, or discard."
        case "play":
            return f"Player {seat} is to lay the contract, or discard."
        case _:
            what = "an extra meld" if view["down"][seat] else "the contract"
            return f"Player {seat} lays {what}: {building_words(view)}."


def building_words(view: Mapping[str, Any]) -> str:
    """Return the open group and what is left to be laid, in words."""
    building = view["building"]
    counts = [(building["sets_left"], "set"), (building["runs_left"], "run")]
    left = " and ".join(count_words(number, word) for number, word in counts if number)
    if building["kind"] is None:
        return f"{left} to be laid"
    cards = pretty_list(building["cards"]) or "no card yet"
    what = f"{building['kind']} of {_what_of(building)}"
    then = f"; then {left}" if left else ""
    if building["kind"] == "set":
        return f"{what}: {cards}{then}"
    symbol, low = SYMBOLS[building["suit"]], building["low"]
    position = low + len(building["cards"])
    wanted = f", next {rank_at(position)}{symbol}"
    return f"{what} from {rank_at(low)}{symbol}: {cards}{wanted}{then}"


def _seat_lines(view: Mapping[str, Any]) -> list[str]:
    """One line a seat: `>` stands before who must act, `*` before whose turn it is."""
    rows = [("", "player", "cards", "contract", "down", "score", "known")]
    for seat, hand in enumerate(view["hands"]):
        mark = ">" if seat == view["to_act"] else "*" if seat == view["turn"] else ""
        count = len(hand) if isinstance(hand, list) else hand["count"]
        down = "yes" if view["down"][seat] else "no"
        contract = view["contracts"][seat]
        asked = f"{contract}: {contract_words(contract)}"
        dealer = " (dealer)" if seat == view["dealer"] else ""
        known = pretty_list(view["known"][seat])
        facts = (f"{seat}{dealer}", str(count), asked, down, str(view["scores"][seat]), known)
        rows.append((mark, *facts))
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
    """A hand, one line for each suit in it and one for the wild cards."""
    natural = [card for card in hand if not is_wild(CARDS.index(card))]
    wild = [card for card in hand if is_wild(CARDS.index(card))]
    lines = []
    for suit in SUITS:
        ranks = [pretty(card)[:-1] for card in natural if card[1] == suit]
        if ranks:
            lines.append(f"  {SYMBOLS[suit]}  {' '.join(ranks)}")
    return lines + ([f"  wild  {pretty_list(wild)}"] if wild else [])
