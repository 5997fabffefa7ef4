"""Tables of Luau Rummy in a few words, for tests."""

import random
from collections import Counter
from copy import deepcopy
from typing import Any

from .oracle import (
    ANIMALS,
    HAND_SIZE,
    MELD_SIZE,
    NAMES,
    PIGGIES,
    TRIPLES,
    WOLF,
    Card,
    Move,
    Options,
    Table,
    assert_pack,
    assert_places,
    sort_cards,
)

FILL = "..."
"""In a hand's text: more cards, up to the size that is due."""


def options_of(**given: Any) -> Table:
    """All options, those not given at their defaults."""
    num_players = given.get("num_players", 4)
    defaults = {
        "num_players": num_players,
        "decks": 1 if num_players == 2 else 2,
        "teams": False,
        "piggy_pileup": False,
        "copies": 4,
        "animal_copies": 1,
        "wolves": 2,
        "target": 50,
        "turn_cap": 60,
        "deal_cap": 30,
        "return_discard": True,
        "episode": "game",
    }
    return defaults | given


OPTION_NAMES = set(options_of())


def meld_of(side: int, cards: str) -> Table:
    """A meld on the table, its kind read from its cards: `meld_of(0, "straw wood wolf")`."""
    laid = sort_cards(cards.split())
    naturals = {card for card in laid if card != WOLF}
    if naturals <= set(ANIMALS):
        kind = "animals"
    elif len(naturals) == 1 and naturals <= set(PIGGIES):
        kind = "pileup"
    else:
        kind = next(name for name, own in TRIPLES.items() if naturals <= set(own))
    return {"side": side, "kind": kind, "cards": laid}


def parse_move(text: str) -> Move:
    """A move in a few words.

    `"draw_stock"`, `"take_pile"`, `"lay materials"`, `"lay materials bricks"` (the wolf is the
    bricks), `"lay_animals lion bear wolf"`, `"lay_pileup oinky"`, `"add bear"`, `"discard meat"`.
    """
    name, *words = text.split()
    match name:
        case "lay":
            return {"move": name, "kind": words[0], "wolf": words[1] if len(words) > 1 else None}
        case "lay_animals":
            return {"move": name, "cards": words}
        case "lay_pileup" | "add" | "discard":
            return {"move": name, "card": words[0]}
    return {"move": name}


def make_table(**changes: Any) -> Table:
    """A legal, complete table from what a test cares about; all else has a plain default.

    Options go by their names; other names are keys of the table. Texts stand for cards:
    `hands={0: "straw wood wolf ..."}`, where `...` fills up with other cards to five, for the mover
    in phase `play` to six (a seat not named is filled so), `known={1: "meat"}`,
    `discard="meat fire"` and `stock="…"` with the top card last. `stock` names only its top cards:
    all cards left over lie beneath, with `rest="discard"` beneath the discards instead, with
    `rest=1` in the hand of seat 1. `melds` are made by `meld_of`.

    Defaults: seat 0 moves, phase `draw`, the last seat has dealt, the discard pile is empty; the
    card in `taken` is known.

    Raises:
        AssertionError: the table asked for is not legal.
    """
    rest = changes.pop("rest", "stock")
    table = _without_cards(changes)
    given = {key: changes.pop(key, default) for key, default in _card_defaults.items()}
    assert not changes, f"unknown names: {sorted(changes)}"
    _put_cards(table, given, rest)
    assert_pack(table)
    assert_places(table)
    return deepcopy(table)


_card_defaults: Table = {"hands": {}, "known": {}, "discard": "", "stock": ""}


def _without_cards(changes: Table) -> Table:
    """The table but for its cards; takes from `changes` what it uses."""
    options = options_of(**{name: changes.pop(name) for name in OPTION_NAMES & set(changes)})
    resolved = Options(**options)
    turn = changes.pop("turn", 0)
    finished = changes.pop("finished", False)
    table: Table = {
        "game": "luau_rummy",
        "version": 0,
        "options": options,
        "deal": 1,
        "dealer": (turn - 1) % resolved.num_players,
        "turn": turn,
        "to_act": None if finished else turn,
        "phase": "over" if finished else "draw",
        "turns": 1,
        "scores": [0] * resolved.num_sides,
        "finished": finished,
        "winners": None,
        "capped": False,
        "taken": None,
        "melds": [],
    }
    return table | {key: changes.pop(key) for key in set(table) & set(changes)}


def _put_cards(table: Table, given: Table, rest: str | int) -> None:
    """Puts the named cards where they are named, and all others where there is room."""
    seats = range(table["options"]["num_players"])
    texts = [given["hands"].get(seat, FILL) for seat in seats]
    hands = [[card for card in text.split() if card != FILL] for text in texts]
    discard, stock = given["discard"].split(), given["stock"].split()
    used = discard + stock + [card for hand in hands for card in hand]
    used += [card for meld in table["melds"] for card in meld["cards"]]
    unused = _unused(table["options"], used)
    for seat in seats:
        has_drawn = seat == table["turn"] and table["phase"] == "play"
        while FILL in texts[seat] and len(hands[seat]) < HAND_SIZE + int(has_drawn):
            hands[seat].append(unused.pop())
    if isinstance(rest, int):
        hands[rest] += unused
    table["hands"] = [sort_cards(hand) for hand in hands]
    known = [given["known"].get(seat, "").split() for seat in seats]
    if table["taken"] is not None and table["taken"] not in known[table["turn"]]:
        known[table["turn"]].append(table["taken"])
    table["known"] = [sort_cards(cards) for cards in known]
    table["stock"] = unused + stock if rest == "stock" else stock
    table["discard"] = unused + discard if rest == "discard" else discard


def _unused(options: Table, used: list[Card]) -> list[Card]:
    """The cards of the packs that are not named: scattered, always alike, wolves at the bottom."""
    left = Counter(Options(**options).all_cards())
    left.subtract(used)
    too_many = [card for card, copies in left.items() if copies < 0]
    assert not too_many, f"more than the packs have of {too_many}"
    cards = sorted(left.elements(), key=NAMES.index)
    random.Random(1).shuffle(cards)
    return sorted(cards, key=lambda card: card != WOLF)


def deal_randomly(generator: random.Random, **given: Any) -> Table:
    """A table just dealt, the first of its game; options by name."""
    options = options_of(**given)
    first = generator.randrange(options["num_players"])
    return make_table(**options, turn=first) | shuffled_deal(generator, options)


def shuffled_deal(generator: random.Random, options: Table) -> Table:
    """The keys `hands` and `stock` of a new deal."""
    cards = Options(**options).all_cards()
    generator.shuffle(cards)
    hands: list[list[Card]] = []
    for _ in range(options["num_players"]):
        hands.append(sort_cards(cards[-HAND_SIZE:]))
        del cards[-HAND_SIZE:]
    return {"hands": hands, "stock": cards}


def chance_after(generator: random.Random, table: Table, move: Move) -> Table:
    """What chance decides in this move, as the keys of the table after it: `{}` if nothing."""
    return shuffled_deal(generator, table["options"]) if ends_deal(table, move) else {}


def ends_deal(table: Table, move: Move) -> bool:
    """Whether a legal move ends the deal: out, or a discard with an empty stock or at the cap."""
    cards_left = len(table["hands"][table["turn"]])
    options = table["options"]
    match move["move"]:
        case "lay" | "lay_animals" | "lay_pileup":
            return cards_left == MELD_SIZE
        case "add":
            return cards_left == 1
        case "discard":
            is_last_turn = table["turns"] >= options["turn_cap"] * options["num_players"]
            return cards_left == 1 or not table["stock"] or is_last_turn
    return False
