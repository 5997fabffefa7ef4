"""Hand & Foot Canasta in words: sentences about moves, and a table as text for a terminal."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kitchentable.cards.table_text import (
    View,
    columns,
    count_words,
    open_hands,
    pile_lines,
    pointer,
    seat_name,
    size_of,
    wrapped,
)
from kitchentable.games.hand_and_foot.opening import CANASTA
from kitchentable.games.hand_and_foot.state import N_DEALS, N_SIDES, PILE_TAKEN

CARD_WORDS = {
    "3R": "red three",
    "3B": "black three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
    "2": "two",
    "JK": "joker",
    "wild": "wild card",
}
KIND_WORDS = ("clean", "dirty", "wild")


def sentence(table: View, seat: int, move: Mapping[str, Any]) -> str:
    """Return a sentence about a move by `seat`; of the table the game's own keys will do."""
    return f"Player {seat} {_what_is_done(table, move)}."


def _what_is_done(table: View, move: Mapping[str, Any]) -> str:
    match move["move"]:
        case "draw_two":
            return "draws two cards"
        case "take_pile":
            return _taking(table["discard"])
        case "pass":
            return "passes"
        case "ask_partner":
            return "asks whether to go out"
        case "allow":
            return "says yes"
        case "refuse":
            return "says no"
        case "open_meld":
            rank, wild = move["rank"], move["wild"]
            return f"begins a meld of {plural(rank)}" + (f" with {article(wild)}" if wild else "")
        case "open_wild":
            return f"begins a wild meld with {count_words(move['jokers'], 'joker')}"
        case "add":
            return f"adds {article(move['card'])} to the {plural(move['meld'])}"
        case _:
            return f"discards {article(move['card'])}"


def _taking(discard: Sequence[str]) -> str:
    """Say how much of the pile is taken, and which cards are melded."""
    n = min(len(discard), PILE_TAKEN)
    what = "the discard pile" if n == len(discard) else f"{n} cards off the discard pile"
    return f"takes {what}" + (f" and melds {plural(discard[-1])}" if discard else "")


def article(card: str) -> str:
    """Return a card in a sentence: `"an ace"`."""
    word = CARD_WORDS[card]
    return f"{'an' if word[0] in 'ae' else 'a'} {word}"


def plural(rank: str) -> str:
    """Return cards of a rank in words: `"kings"`, `"sixes"`, `"wild cards"`."""
    word = CARD_WORDS[rank]
    return word + ("es" if word.endswith("x") else "s")


def pretty(card: str) -> str:
    """Return a card for a list."""
    return card.replace("T", "10")


def pretty_list(cards: Iterable[str]) -> str:
    """Return cards for people, separated by spaces."""
    return " ".join(pretty(card) for card in cards)


def side_words(side: int) -> str:
    """Return a side in words."""
    return f"players {side} and {side + N_SIDES}"


# Text for a terminal


def text(view: View) -> str:
    """Return a view, or a whole table, as lines of text."""
    lines = [*_heading(view), "", *_seat_lines(view), "", *pile_lines(view, pretty)]
    for side in range(N_SIDES):
        lines += ["", *_side_lines(view, side)]
    lines += open_hands(view, lambda hand: wrapped(pretty_list(hand), "  "))
    return "\n".join(lines)


def _heading(view: View) -> list[str]:
    """Which deal it is, its minimum, and what is due."""
    title = f"Hand & Foot Canasta, {deal_words(view)}: minimum {view['minimum']}"
    lines = [title, f"Turn {view['turns']}. {due_words(view)}"]
    notes = turn_words(view)
    return [*lines, notes] if notes else lines


def deal_words(view: View) -> str:
    """Return which deal it is."""
    if view["options"]["episode"] == "deal":
        return f"deal {view['deal']} alone"
    return f"deal {view['deal']} of {N_DEALS}"


def turn_words(view: View) -> str:
    """Return what this turn is for, what lies aside, and the partner's answer; maybe nothing."""
    words = []
    if view["kind"] == "start":
        begun = ", ".join(plural(rank) for rank in view["begun"])
        words.append("This turn begins melds" + (f" ({begun})." if begun else "."))
    if view["kind"] == "add":
        words.append("This turn adds to melds.")
    if view["aside"]:
        words.append(f"Aside until the minimum is reached: {pretty_list(view['aside'])}.")
    if view["permission"]:
        words.append(f"The partner said {'yes' if view['permission'] == 'allow' else 'no'}.")
    return " ".join(words)


def due_words(view: View) -> str:
    """Return who must do what now, or how the game has ended."""
    if view["finished"]:
        winners = " and ".join(side_words(side) for side in view["winners"])
        return f"The game is over: {winners} won."
    seat, turn = view["to_act"], view["turn"]
    match view["phase"]:
        case "draw":
            take = f", or take {pretty(view['discard'][-1])}" if view["discard"] else ""
            return f"Player {seat} is to draw from the stock{take}."
        case "ask":
            return f"Player {seat} is asked whether player {turn} may go out."
        case _:
            return f"Player {seat} is to meld or discard."


def _seat_lines(view: View) -> list[str]:
    """One line a seat: `>` stands before who must act, `*` before whose turn it is."""
    rows = [("", "player", "cards", "plays", "known")]
    for seat, hand in enumerate(view["hands"]):
        plays = "the hand" if view["feet"][seat] is not None else "the foot"
        cells = (seat_name(view, seat), str(size_of(hand)), plays)
        rows.append((pointer(view, seat), *cells, pretty_list(view["known"][seat])))
    return columns(rows)


def _side_lines(view: View, side: int) -> list[str]:
    """The melds of a side, its score and red threes."""
    melds, red = view["melds"][side], view["red_threes"][side]
    facts = f"{view['scores'][side]} points, {count_words(red, 'red three')}"
    title = f"{side_words(side).capitalize()}: {facts}, {canasta_words(melds)}"
    rows = [
        (f"  {plural(meld['rank'])}", pretty_list(meld["cards"]), meld_kind(meld)) for meld in melds
    ]
    return [title, *(columns(rows) if rows else [])]


def meld_kind(meld: Mapping[str, Any]) -> str:
    """Return `"clean"`, `"dirty"` or `"wild"` for a canasta, nothing for an unclosed meld."""
    if len(meld["cards"]) < CANASTA:
        return ""
    if meld["rank"] == "wild":
        return "wild"
    return "clean" if all(card == meld["rank"] for card in meld["cards"]) else "dirty"


def canasta_words(melds: Sequence[Mapping[str, Any]]) -> str:
    """Return the canastas among melds, such as `"1 clean and 2 dirty canastas"`."""
    kinds = [meld_kind(meld) for meld in melds]
    counts = [(kinds.count(kind), kind) for kind in KIND_WORDS]
    words = " and ".join(f"{n} {kind}" for n, kind in counts if n)
    total = sum(n for n, _ in counts)
    return f"{words or 'no'} canasta{'' if total == 1 else 's'}"
