"""Sets and runs of the French pack with wild cards: as JSON, read back, and in words.

For contract rummies, whose states have the fields of `cards.piles` and these:

- `n_melds`, and by meld `meld_owner`, `meld_kind` (0 for a set, 1 for a run), `meld_size`,
  `meld_cards` in order, `meld_rank` of a set, `meld_suit` and `meld_low` of a run.
- the group that the mover is laying card by card, which is no meld before it is complete:
  `open_kind` (NONE for none), `open_size`, `open_cards`, `open_rank`, `open_suit`, `open_low`.
- `sets_left`, `runs_left`: what is to be laid after it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kitchentable.cards.french import (
    CARDS,
    JOKER,
    N_POSITIONS,
    N_RANKS,
    RANKS,
    SUITS,
    SYMBOLS,
    card_at,
    pretty,
    pretty_list,
    rank_of,
)
from kitchentable.cards.pack import Tally
from kitchentable.cards.piles import NONE
from kitchentable.cards.reading import dealt_anew, has_legal_move
from kitchentable.cards.table_text import View, columns, count_words
from kitchentable.engine.reading import Reader
from kitchentable.engine.spec import GameSpec

Group = Mapping[str, Any]
"""A meld or an open group as JSON."""

SET, RUN = 0, 1
KINDS = ("set", "run")
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


class Wild:
    """The wild cards of a game.

    Args:
        cards: their numbers.
        name: what error messages call them.
    """

    def __init__(self, cards: Sequence[int], name: str) -> None:
        self.cards = frozenset(cards)
        self.name = name
        self.set_ranks = tuple(rank for spade, rank in enumerate(RANKS) if spade not in self.cards)
        """The ranks of which there are sets."""

    def __contains__(self, card: int) -> bool:
        return card in self.cards


# As JSON


def meld_keys(state: Any, number: int) -> dict[str, Any]:
    """Return a meld as JSON."""
    cards = [CARDS[card] for card in state.meld_cards[number][: state.meld_size[number]]]
    owner = int(state.meld_owner[number])
    if state.meld_kind[number] == SET:
        rank = RANKS[state.meld_rank[number]]
        return {"owner": owner, "kind": "set", "rank": rank, "cards": cards}
    suit, low = SUITS[state.meld_suit[number]], int(state.meld_low[number])
    return {"owner": owner, "kind": "run", "suit": suit, "low": low, "cards": cards}


def building_keys(state: Any) -> dict[str, Any]:
    """Return the open group, and what is to be laid after it, as JSON."""
    group: dict[str, Any] = {"kind": None}
    if state.open_kind == SET:
        group = {"kind": "set", "rank": RANKS[state.open_rank]}
    elif state.open_kind == RUN:
        group = {"kind": "run", "suit": SUITS[state.open_suit], "low": int(state.open_low)}
    return {
        **group,
        "cards": [CARDS[card] for card in state.open_cards[: state.open_size]],
        "sets_left": int(state.sets_left),
        "runs_left": int(state.runs_left),
    }


def melds_of(state: Any, seat: int) -> list[int]:
    """Return the numbers of the melds that a seat owns."""
    return [number for number in range(state.n_melds) if state.meld_owner[number] == seat]


# Read back


def melds_of_table(reader: Reader, state: Any) -> list[Reader]:
    """Return the melds under the key `melds`, to be read in turn; no more than have room."""
    melds, most = reader.objects("melds"), len(state.meld_owner)
    if len(melds) > most:
        raise reader.error("melds", f"a list of {most} at most", reader.value("melds"))
    return melds


def read_meld(
    meld: Reader, state: Any, wild: Wild, tally: Tally, least: tuple[int, int]
) -> list[int]:
    """Read a meld, legal but for how many wild cards it has; return its cards.

    Args:
        meld: the meld as JSON.
        state: gets it.
        wild: the game's wild cards.
        tally: the cards that lie nowhere yet.
        least: the fewest cards of a meld, by kind.

    Raises:
        TableError: naming the key that is wrong.
    """
    number = int(state.n_melds)
    state.meld_owner[number] = meld.integer("owner", 0, int(state.num_players) - 1)
    kind = KINDS.index(meld.word("kind", KINDS))
    if kind == SET:
        rank = RANKS.index(meld.word("rank", wild.set_ranks))
        cards = _set_cards(meld, rank, len(state.meld_cards[number]), wild, tally)
        state.meld_rank[number] = rank
    else:
        suit = SUITS.index(meld.word("suit", tuple(SUITS)))
        low = meld.integer("low", 1, N_POSITIONS + 1 - least[RUN])
        cards = _run_cards(meld, suit, low, N_POSITIONS, wild, tally)
        state.meld_suit[number], state.meld_low[number] = suit, low
    meld.finish()
    if len(cards) < least[kind]:
        raise meld.error("cards", f"{least[kind]} cards at least", meld.value("cards"))
    state.meld_kind[number], state.meld_size[number] = kind, len(cards)
    state.meld_cards[number][: len(cards)] = cards
    state.n_melds = number + 1
    return cards


def _set_cards(group: Reader, rank: int, most: int, wild: Wild, tally: Tally) -> list[int]:
    """The cards of a set, in the order laid."""
    values = _list_of_at_most(group, most)
    cards = tally.take_all(group, "cards", values)
    for i, card in enumerate(cards):
        if card not in wild and rank_of(card) != rank:
            raise group.error(f"cards[{i}]", f"of rank {RANKS[rank]}, or {wild.name}", values[i])
    return cards


def _run_cards(
    group: Reader, suit: int, low: int, most: int, wild: Wild, tally: Tally
) -> list[int]:
    """The cards of a run from position `low` up, inside 1 .. 14 (G-4)."""
    values = _list_of_at_most(group, min(most, N_POSITIONS + 1 - low))
    cards = tally.take_all(group, "cards", values)
    for i, card in enumerate(cards):
        wanted = card_at(suit, low + i)
        if card not in wild and card != wanted:
            expected = wild.name if wanted in wild else f"{CARDS[wanted]} or {wild.name}"
            raise group.error(f"cards[{i}]", expected, values[i])
    return cards


def _list_of_at_most(group: Reader, most: int) -> list[Any]:
    values = group.items("cards")
    if len(values) > most:
        raise group.error("cards", f"a list of {most} at most", values)
    return values


def building_of(reader: Reader, is_laying: bool) -> Reader | None:
    """Return the key `building`, which is an object in phase meld and only then."""
    given = reader.value("building")
    if is_laying and given is None:
        raise reader.error("building", "an object in phase meld", None)
    if not is_laying and given is not None:
        raise reader.error("building", "null but in phase meld", given)
    return reader.below("building") if is_laying else None


def read_open_group(
    building: Reader,
    state: Any,
    wild: Wild,
    tally: Tally,
    *,
    most: tuple[int, int],
    last_low: int,
) -> None:
    """Read the group that is being laid, if there is one; `open_kind` says NONE before.

    Args:
        building: the key `building`.
        state: gets the group.
        wild: the game's wild cards.
        tally: the cards that lie nowhere yet.
        most: how many cards it can have while it is open, by kind.
        last_low: the highest position that a run can start from.

    Raises:
        TableError: naming the key that is wrong.
    """
    kind = building.value("kind")
    cards: list[int] = []
    if kind is None:
        if building.items("cards"):
            raise building.error("cards", "[] between two groups", building.value("cards"))
    elif kind == "set":
        state.open_kind = SET
        state.open_rank = RANKS.index(building.word("rank", wild.set_ranks))
        cards = _set_cards(building, int(state.open_rank), most[SET], wild, tally)
    elif kind == "run":
        state.open_kind = RUN
        state.open_suit = SUITS.index(building.word("suit", tuple(SUITS)))
        state.open_low = building.integer("low", 1, last_low)
        suit, low = int(state.open_suit), int(state.open_low)
        cards = _run_cards(building, suit, low, most[RUN], wild, tally)
    else:
        raise building.error("kind", "set, run or null", kind)
    state.open_size = len(cards)
    state.open_cards[: len(cards)] = cards


def check_groups_left(building: Reader, state: Any, contract: tuple[int, int]) -> None:
    """Groups laid, the open one and those left are the sets and runs of the mover's contract."""
    own = melds_of(state, int(state.turn))
    for kind, total in enumerate(contract):
        key = f"{KINDS[kind]}s_left"
        laid = sum(state.meld_kind[number] == kind for number in own)
        due = total - int(laid) - int(state.open_kind == kind)
        if building.value(key) != due:
            expected = f"{due}, as the contract has {total}"
            raise building.error(key, expected, building.value(key))
    if state.open_kind == NONE and not (own and state.sets_left + state.runs_left):
        raise building.error("kind", "null only between two groups of a contract", None)


def check_goes_on(reader: Reader, state: Any, viewer: int, game: GameSpec) -> None:
    """Ask the rules: only who can hold the cards to complete what it lays may be laying it."""
    if state.turn == viewer:
        goes_on = has_legal_move(game, state)
    else:
        goes_on = any(has_legal_move(game, dealt) for dealt in dealt_anew(game, state, viewer))
    if not goes_on:
        expected = "a group with which the mover's hand can complete what it lays"
        raise reader.error("building", expected, reader.value("building"))


# In words


def move_words(table: View, seat: int, move: Mapping[str, Any], wild: Wild) -> str:
    """Say what a move does: to draw, to take, to begin a group or add to it, to lay off."""
    match move["move"]:
        case "draw_stock":
            return "draws from the stock"
        case "take_discard":
            return f"takes {top_words(table)} from the discard pile"
        case "open_set":
            return f"begins a set of {plural(move['rank'])}"
        case "open_run":
            suit = move["suit"]
            low = rank_at(move["low"]) + SYMBOLS[suit]
            return f"begins a run of {SUIT_WORDS[suit]} from {low} up"
        case "place":
            return _placing(table["building"], move["card"], wild)
        case "discard":
            return f"discards {a_card(move['card'])}"
        case _:
            where = meld_words(table, seat, move)
            end = f"the {move['end']} end of " if move["end"] else ""
            return f"lays off {a_card(move['card'])} on {end}{where}" if where else NO_MELD


NO_MELD = "names a meld that is not there"


def top_words(table: View) -> str:
    """Return the top discard in a sentence."""
    return a_card(table["discard"][-1] if table["discard"] else None)


def _placing(building: Group | None, card: str, wild: Wild) -> str:
    """Say what is added to the open group, and what a wild card in a run stands for."""
    if not building or not building["kind"]:
        return f"lays {a_card(card)}"
    shown = a_card(card)
    if building["kind"] == "run" and CARDS.index(card) in wild:
        position = building["low"] + len(building["cards"])
        stands_for = rank_at(position) + SYMBOLS[building["suit"]]
        own_place = stands_for == pretty(card)
        shown += f" as {stands_for}" if position <= N_POSITIONS and not own_place else ""
    return f"adds {shown} to the {building['kind']} of {what_of(building)}"


def meld_words(table: View, seat: int, move: Mapping[str, Any]) -> str:
    """Return whose meld it is that a move of `seat` names, and what; nothing if there is none."""
    if move["meld"] is None:
        return ""
    meld = table["melds"][move["meld"]]
    whose = "their own" if meld["owner"] == seat else f"player {meld['owner']}'s"
    return f"{whose} {group_name(meld)}"


def a_card(card: str | None) -> str:
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


def what_of(group: Group) -> str:
    """Return of what a group is: `"kings"`, `"hearts"`."""
    return plural(group["rank"]) if group["kind"] == "set" else SUIT_WORDS[group["suit"]]


def group_name(group: Group) -> str:
    """Return a meld or open group in words: `"set of kings"`, `"run of hearts (5-8)"`."""
    name = f"{group['kind']} of {what_of(group)}"
    if group["kind"] == "set" or not group["cards"]:
        return name
    last = group["low"] + len(group["cards"]) - 1
    return f"{name} ({rank_at(group['low'])}-{rank_at(last)})"


def groups_words(sets: int, runs: int) -> str:
    """Return numbers of groups: `"2 sets and 1 run"`."""
    counts = [(sets, "set"), (runs, "run")]
    return " and ".join(count_words(number, word) for number, word in counts if number)


def building_words(building: Group) -> str:
    """Return the open group and what is to be laid after it, in words."""
    left = groups_words(building["sets_left"], building["runs_left"])
    if building["kind"] is None:
        return f"{left} to be laid"
    cards = pretty_list(building["cards"]) or "no card yet"
    what = f"{building['kind']} of {what_of(building)}"
    then = f"; then {left}" if left else ""
    if building["kind"] == "set":
        return f"{what}: {cards}{then}"
    symbol, low = SYMBOLS[building["suit"]], building["low"]
    position = low + len(building["cards"])
    wanted = f", next {rank_at(position)}{symbol}" if position <= N_POSITIONS else ""
    return f"{what} from {rank_at(low)}{symbol}: {cards}{wanted}{then}"


def meld_lines(melds: Iterable[Group]) -> list[str]:
    """Return the melds as lines under a title, each with its number; nothing without any."""
    rows = []
    for number, meld in enumerate(melds):
        name = f"player {meld['owner']}: {group_name(meld)}"
        rows.append((f"  {number}", name, pretty_list(meld["cards"])))
    return ["", "On the table", *columns(rows)] if rows else []


def suit_lines(cards: Iterable[str]) -> list[str]:
    """Return natural cards, one line for each suit among them."""
    lines = []
    held = list(cards)
    for suit in SUITS:
        ranks = [pretty(card)[:-1] for card in held if card[1] == suit]
        if ranks:
            lines.append(f"  {SYMBOLS[suit]}  {' '.join(ranks)}")
    return lines
