"""Tables of Hand & Foot in a few words, for tests."""

import random
from collections import Counter
from copy import deepcopy
from typing import Any

from .oracle import (
    CANASTA_SIZE,
    COPIES,
    HAND_SIZE,
    MELD_RANKS,
    MELD_SIZE,
    N_DEALS,
    NATURAL,
    NUM_PLAYERS,
    PACK,
    RED_THREE,
    VALUE,
    WILD,
    WILD_CARDS,
    Card,
    Meld,
    Move,
    Options,
    Oracle,
    Table,
    assert_pack,
    cards_of,
    in_reach,
    keeps_wild_rule,
    left_of,
    partner_of,
    side_of,
    sort_cards,
)

FILL = "..."
"""In a hand's text: more cards, up to the size of a hand."""


def options_of(**given: Any) -> Table:
    """All options, those not given at their defaults."""
    defaults = {
        "num_players": NUM_PLAYERS,
        "wild_rule": "strict",
        "one_kind_per_turn": True,
        "minimums": [50, 90, 120, 150],
        "need": [2, 2, 1],
        "partner_in_foot": True,
        "foot_red_three": 100,
        "deal": None,
        "episode": "game",
    }
    return defaults | given


OPTION_NAMES = set(options_of()) - {"deal"}


def meld_of(cards: str) -> Table:
    """A meld on the table: `meld_of("8 8 8 2")`, `meld_of("2 2 JK")`."""
    laid = sort_cards(cards.split())
    rank = next((card for card in laid if card in NATURAL), WILD)
    return {"rank": rank, "cards": laid}


def parse_move(text: str) -> Move:
    """A move in a few words.

    `"discard 5"`, `"open_meld 8"`, `"open_meld 8 JK"`, `"open_wild 1"` (so many jokers),
    `"add 9"` (to the nines), `"add 2 wild"`, `"add JK K"`, `"draw_two"`.
    """
    name, *words = text.split()
    match name:
        case "open_meld":
            return {"move": name, "rank": words[0], "wild": words[1] if len(words) > 1 else None}
        case "open_wild":
            return {"move": name, "jokers": int(words[0])}
        case "add":
            return {"move": name, "card": words[0], "meld": words[-1]}
        case "discard":
            return {"move": name, "card": words[0]}
    return {"move": name}


def make_table(**changes: Any) -> Table:
    """A legal, complete table from what a test cares about; all else has a plain default.

    Options go by their names; `episode="deal", deal=3` sets the option `deal`, without `episode` it
    is the third deal of a game. Other names are keys of the table. Texts stand for cards:

    - `hands={0: "8 8 A ..."}`: `...` fills up with other cards to thirteen (fourteen for the mover
      in phase `play`); a seat not named is filled so. `known={1: "K K"}` lie in the hand, too.
    - `in_foot=[0, 2]`: the seats that have picked up their feet; `feet={1: "3R 3R ..."}`.
    - `melds={0: ["8 8 8 2", "2 2 JK"]}` by side, `aside="4 5"`.
    - `discard="5 9"` and `stock="…"` with the top card last. `stock` names only its top cards: all
      cards left over lie beneath, the red threes lowest. With `rest="discard"` the cards left over
      lie beneath the discards instead, and red threes left over have been laid out by side 1.

    Hands and feet are never filled with red threes. Defaults: seat 0 moves, phase `draw`, the seat
    to its right has dealt, the discard is a single natural card. A side that is opening (the
    mover's, with melds below the minimum in phase `play`) has `kind` `"start"` and `begun` all its
    unclosed melds, if not given.

    Raises:
        AssertionError: the table asked for is not legal.
    """
    rest = changes.pop("rest", "stock")
    given = {key: changes.pop(key, default) for key, default in _card_defaults.items()}
    table = _without_cards(changes, given)
    assert not changes, f"unknown names: {sorted(changes)}"
    _put_cards(table, given, rest)
    if table["begun"] is None:
        table |= _opening(table)
    assert_legal(table)
    return deepcopy(table)


_card_defaults: Table = {
    "hands": {},
    "feet": {},
    "in_foot": [],
    "known": {},
    "melds": {},
    "discard": None,
    "stock": "",
    "aside": "",
}


def _without_cards(changes: Table, given: Table) -> Table:
    """The table but for cards in hands and piles; takes from `changes` what it uses."""
    deal = changes.pop("deal", None)
    chosen = {name: changes.pop(name) for name in OPTION_NAMES & set(changes)}
    if chosen.get("episode") == "deal":
        chosen["deal"] = deal
    options = options_of(**chosen)
    turn = changes.pop("turn", 0)
    phase = changes.get("phase", "draw")
    table: Table = {
        "game": "hand_and_foot",
        "version": 0,
        "options": options,
        "deal": deal or 1,
        "dealer": (turn - 1) % NUM_PLAYERS,
        "turn": turn,
        "to_act": partner_of(turn) if phase == "ask" else turn,
        "phase": phase,
        "turns": 1,
        "scores": [0, 0],
        "finished": False,
        "winners": None,
        "capped": False,
        "melds": [[meld_of(cards) for cards in given["melds"].get(side, [])] for side in (0, 1)],
        "red_threes": [0, 0],
        "minimum": options["minimums"][(deal or 1) - 1],
        "kind": None,
        "begun": None,
        "aside": sort_cards(given["aside"].split()),
        "permission": None,
    }
    return table | {key: changes.pop(key) for key in set(table) & set(changes)}


def _put_cards(table: Table, given: Table, rest: str) -> None:
    """Puts the named cards where they are named, and all others where there is room."""
    seats = range(NUM_PLAYERS)
    hands = [given["hands"].get(seat, FILL).split() for seat in seats]
    feet = [
        None if seat in given["in_foot"] else given["feet"].get(seat, FILL).split()
        for seat in seats
    ]
    named = {key: (given[key] or "").split() for key in ("discard", "stock")}
    used = [card for cards in [*hands, *feet, *named.values()] for card in cards or []]
    used += [card for melds in table["melds"] for meld in melds for card in meld["cards"]]
    used += [RED_THREE] * sum(table["red_threes"])
    unused = _unused([card for card in used if card != FILL])
    for seat in seats:
        has_drawn = seat == table["turn"] and table["phase"] != "draw"
        _fill(hands[seat], HAND_SIZE + int(has_drawn), unused)
        _fill(feet[seat] or [], HAND_SIZE, unused)
    if given["discard"] is None:
        top = next(place for place in range(len(unused) - 1, -1, -1) if unused[place] in NATURAL)
        named["discard"] = [unused.pop(top)]
    table["hands"] = [sort_cards(hand) for hand in hands]
    table["feet"] = [None if foot is None else sort_cards(foot) for foot in feet]
    table["known"] = [sort_cards(given["known"].get(seat, "").split()) for seat in seats]
    if rest == "discard":
        table["red_threes"][1] += unused.count(RED_THREE)
        unused = [card for card in unused if card != RED_THREE]
    table["stock"] = named["stock"] if rest == "discard" else unused + named["stock"]
    table["discard"] = unused + named["discard"] if rest == "discard" else named["discard"]


def _fill(cards: list[Card], size: int, unused: list[Card]) -> None:
    """Replaces the three dots, if there are any, by cards nobody cares about."""
    if FILL in cards:
        cards.remove(FILL)
        while len(cards) < size:
            cards.append(unused.pop())


def _unused(used: list[Card]) -> list[Card]:
    """The cards of the pack not named: scattered, always alike, red threes at the bottom."""
    left = Counter(COPIES)
    left.subtract(used)
    too_many = [card for card, copies in left.items() if copies < 0]
    assert not too_many, f"more than the pack has of {too_many}"
    cards = sort_cards(list(left.elements()))
    random.Random(1).shuffle(cards)
    return sorted(cards, key=lambda card: card != RED_THREE)


def _opening(table: Table) -> Table:
    """The keys `kind` and `begun` where a test gave no `begun`."""
    melds = table["melds"][side_of(table["turn"])]
    is_opening = 0 < _laid(melds) < table["minimum"] and table["phase"] != "draw"
    if not is_opening or not table["options"]["one_kind_per_turn"]:
        return {"begun": []}
    ranks = [meld["rank"] for meld in melds if len(meld["cards"]) < CANASTA_SIZE]
    return {"kind": "start", "begun": sorted(ranks, key=MELD_RANKS.index)}


def _laid(melds: list[Table]) -> int:
    """The value of the cards in melds."""
    return sum(VALUE[card] for meld in melds for card in meld["cards"])


def assert_legal(table: Table) -> None:
    """The pack is complete, and everything is as the rules file lets it be."""
    assert_pack(table)
    Options(**table["options"])
    for seat, hand in enumerate(table["hands"]):
        assert hand or table["finished"], f"hands: that of seat {seat} is empty"
        assert RED_THREE not in hand, f"hands: seat {seat} holds a red three"
        known = Counter(table["known"][seat])
        assert known <= Counter(hand), f"known: seat {seat} does not hold {known}"
    for foot in table["feet"]:
        assert foot is None or len(foot) == HAND_SIZE, f"feet: {foot} has not 13 cards"
    assert RED_THREE not in table["discard"], "discard: there is a red three"
    known_to_mover = Counter(table["known"][table["turn"]])
    assert Counter(table["aside"]) <= known_to_mover, f"aside: {table['aside']} is not known"
    for side in (0, 1):
        _assert_melds(table, side)


def _assert_melds(table: Table, side: int) -> None:
    """The melds keep the rules, and the minimum unless the side is just opening."""
    melds = [Meld(meld["rank"], tuple(meld["cards"])) for meld in table["melds"][side]]
    unclosed = Counter(meld.rank for meld in melds if not meld.is_closed)
    assert all(copies == 1 for copies in unclosed.values()), f"melds: unclosed are {unclosed}"
    for meld in melds:
        assert MELD_SIZE <= len(meld.cards) <= CANASTA_SIZE, f"melds: {meld} has a wrong size"
        naturals = len(meld.cards) - meld.wilds
        if meld.rank == WILD:
            assert set(meld.cards) <= set(WILD_CARDS), f"melds: {meld} is not of wild cards"
        else:
            assert meld.cards.count(meld.rank) == naturals, f"melds: {meld} has other cards"
            wild_rule = table["options"]["wild_rule"]
            assert keeps_wild_rule(naturals, meld.wilds, wild_rule), f"melds: {meld} is too wild"
    if 0 < _laid(table["melds"][side]) < table["minimum"]:
        is_opening = side == side_of(table["turn"]) and table["phase"] in ("play", "ask")
        assert is_opening, f"melds: those of side {side} are below the minimum"
        oracle = Oracle.from_table(table)
        position, terms = oracle.mover_position(), oracle.terms()
        assert in_reach(position, terms), f"melds: side {side} cannot reach the minimum"


def deal_randomly(generator: random.Random, **given: Any) -> Table:
    """A table just dealt, the first of its game; options by name."""
    options = options_of(**given)
    deal = options["deal"]
    if deal is None:
        deal = generator.randint(1, N_DEALS) if options["episode"] == "deal" else 1
    dealer = generator.randrange(NUM_PLAYERS)
    table = make_table(turn=left_of(dealer), deal=deal)
    minimum = options["minimums"][deal - 1]
    dealt = shuffled_deal(generator, left_of(dealer))
    return table | {"options": options, "minimum": minimum} | dealt


def shuffled_deal(generator: random.Random, first: int) -> Table:
    """The keys of a new deal that chance decides; `first` begins."""
    stock = list(PACK)
    generator.shuffle(stock)
    hands = [[stock.pop() for _ in range(HAND_SIZE)] for _ in range(NUM_PLAYERS)]
    feet = [[stock.pop() for _ in range(HAND_SIZE)] for _ in range(NUM_PLAYERS)]
    turned_up = stock.pop()
    while turned_up not in NATURAL:
        stock.insert(generator.randint(0, len(stock)), turned_up)
        turned_up = stock.pop()
    red_threes = [0, 0]
    for step in range(NUM_PLAYERS):
        seat = (first + step) % NUM_PLAYERS
        while RED_THREE in hands[seat]:
            hands[seat].remove(RED_THREE)
            red_threes[side_of(seat)] += 1
            hands[seat].append(stock.pop())
    return {
        "hands": [sort_cards(hand) for hand in hands],
        "feet": [sort_cards(foot) for foot in feet],
        "discard": [turned_up],
        "stock": stock,
        "red_threes": red_threes,
    }


def chance_after(generator: random.Random, table: Table, move: Move) -> Table:
    """What chance decides in this move, as keys of the table after it: `{}` if nothing."""
    if not ends_deal(table, move):
        return {}
    return shuffled_deal(generator, left_of(left_of(table["dealer"])))


def ends_deal(table: Table, move: Move) -> bool:
    """Whether a legal move ends the deal: `pass` instead of a draw, or the foot's last card."""
    if move["move"] == "pass":
        return bool(table["phase"] == "draw")
    seat = table["turn"]
    cards_left = len(table["hands"][seat]) - len(cards_of(move))
    return cards_left == 0 and table["feet"][seat] is None
