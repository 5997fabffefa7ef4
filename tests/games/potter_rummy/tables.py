"""Tables of Beatrix Potter's Rummy in a few words, for tests."""

import random
from collections import Counter
from copy import deepcopy
from typing import Any

from .oracle import (
    FULL_SET,
    PACK,
    SIGNPOST,
    START_SCORE,
    Card,
    Move,
    Options,
    Table,
    assert_position,
    cards_dealt,
    sets_to_win,
    sort_cards,
)

FILL = "..."
"""In a hand's text: more cards, up to the size that is due."""
TRUTHS = {"true": True, "false": False}


def options_of(**given: Any) -> Table:
    """All options, those not given at their defaults."""
    defaults = {
        "num_players": 4,
        "scoring": "points",
        "signpost_extra": False,
        "win_rule": 3,
        "deals": 5,
        "deal_cap": 50,
        "takeback_free": False,
        "turn_cap": 60,
        "return_discard": True,
        "episode": "game",
    }
    return defaults | given


OPTION_NAMES = set(options_of())


def parse_move(text: str) -> Move:
    """A move in a few words: `"discard c5"`, `"lay c3 2 true"`, `"substitute 1 0"`, `"add 1 false"`."""
    name, *words = text.split()
    match name:
        case "lay":
            card, size, signpost = words
            return {"move": name, "card": card, "size": int(size), "signpost": TRUTHS[signpost]}
        case "add":
            number, signpost = words
            return {"move": name, "set": int(number), "signpost": TRUTHS[signpost]}
        case "substitute":
            seat, number = words
            return {"move": name, "seat": int(seat), "set": int(number)}
        case "take_back":
            (number,) = words
            return {"move": name, "set": int(number)}
        case "discard":
            (card,) = words
            return {"move": name, "card": card}
    assert name in ("draw_stock", "take_discard") and not words, f"no move: {text}"
    return {"move": name}


def make_table(**changes: Any) -> Table:
    """A legal, complete table from what a test cares about; all else has a plain default.

    Options go by their names; other names are keys of the table. Texts stand for cards:
    `hands={0: "c1 c1 ..."}`, where `...` fills up with other cards to the size that is due (a seat
    not named is filled so), `sets={0: ["c3 c3", "c8 signpost"]}`, `known={2: "c9"}`,
    `discard="c5 c9"` and `stock="…"` with the top card last. `stock` names only its top cards: all
    cards left over lie beneath, or with `rest="discard"` beneath the discards instead. Cards that
    nothing names are filled in with as few signposts, and as few of the named characters, as can be.

    Defaults: seat 0 moves, phase `act` (`discard` if `taken` is given), the last seat has dealt.
    `taken` is added to `known` if it is not there.

    Raises:
        AssertionError: the table asked for is not legal.
    """
    rest = changes.pop("rest", "stock")
    assert rest in ("stock", "discard"), f"rest is {rest}"
    given = {key: changes.pop(key, default) for key, default in _card_defaults.items()}
    table = _without_cards(changes)
    assert not changes, f"unknown names: {sorted(changes)}"
    _put_cards(table, given, rest)
    assert_position(table)
    return deepcopy(table)


_card_defaults: Table = {"hands": {}, "known": {}, "sets": {}, "discard": None, "stock": ""}


def _without_cards(changes: Table) -> Table:
    """The table but for its cards; takes from `changes` what it uses."""
    options = options_of(**{name: changes.pop(name) for name in OPTION_NAMES & set(changes)})
    Options(**options)
    num_players = options["num_players"]
    turn = changes.get("turn", 0)
    finished = changes.get("finished", False)
    phase = "act" if changes.get("taken") is None else "discard"
    table: Table = {
        "game": "potter_rummy",
        "version": 0,
        "options": options,
        "deal": 1,
        "dealer": (turn - 1) % num_players,
        "turn": turn,
        "to_act": None if finished else turn,
        "phase": "over" if finished else phase,
        "turns": 1,
        "scores": [START_SCORE] * num_players,
        "finished": False,
        "winners": None,
        "capped": False,
        "taken": None,
    }
    return table | {key: changes.pop(key) for key in set(table) & set(changes)}


def _put_cards(table: Table, given: Table, rest: str) -> None:
    """Puts the named cards where they are named, and all others where there is room."""
    seats = range(table["options"]["num_players"])
    texts = [given["hands"].get(seat, FILL) for seat in seats]
    hands = [[card for card in text.split() if card != FILL] for text in texts]
    table["sets"] = [[laid.split() for laid in given["sets"].get(seat, [])] for seat in seats]
    discard = [] if given["discard"] is None else given["discard"].split()
    stock = given["stock"].split()
    used = discard + stock + [card for hand in hands for card in hand]
    used += [card for sets in table["sets"] for laid in sets for card in laid]
    unused = _unused(used)
    for seat, text in enumerate(texts):
        while FILL in text and len(hands[seat]) < _size_due(table, seat):
            hands[seat].append(unused.pop())
    if given["discard"] is None and not (table["phase"] == "discard" and table["taken"]):
        discard = [unused.pop()]
    table["hands"] = [sort_cards(hand) for hand in hands]
    table["known"] = [sort_cards(given["known"].get(seat, "").split()) for seat in seats]
    known = table["known"][table["turn"]]
    if table["taken"] is not None and table["taken"] not in known:
        table["known"][table["turn"]] = sort_cards([*known, table["taken"]])
    table["stock"] = stock if rest == "discard" else unused + stock
    table["discard"] = unused + discard if rest == "discard" else discard


def _unused(used: list[Card]) -> list[Card]:
    """The cards that are not named, scattered but always alike; the plainest lie at the end."""
    left = Counter(PACK)
    left.subtract(used)
    too_many = [card for card, copies in left.items() if copies < 0]
    assert not too_many, f"more than the pack has of {too_many}"
    cards = sort_cards(list(left.elements()))
    random.Random(1).shuffle(cards)
    return sorted(cards, key=lambda card: (card != SIGNPOST, card not in used))


def _size_due(table: Table, seat: int) -> int:
    """Cards that this seat must hold, its sets taken off."""
    has_drawn = seat == table["turn"] and table["phase"] == "discard"
    in_sets = sum(map(len, table["sets"][seat]))
    return cards_dealt(table["options"]["num_players"]) + int(has_drawn) - in_sets


def deal_randomly(generator: random.Random, **given: Any) -> Table:
    """A table just dealt, the first of its game; options by name."""
    table = make_table(**given)
    num_players = table["options"]["num_players"]
    dealer = generator.randrange(num_players)
    first = (dealer + 1) % num_players
    changes = {"dealer": dealer, "turn": first, "to_act": first}
    return table | changes | shuffled_deal(generator, num_players)


def shuffled_deal(generator: random.Random, num_players: int) -> Table:
    """The keys `hands`, `discard` and `stock` of a new deal."""
    cards = list(PACK)
    generator.shuffle(cards)
    size = cards_dealt(num_players)
    hands = [sort_cards(cards[size * seat : size * (seat + 1)]) for seat in range(num_players)]
    turned_up, *stock = cards[size * num_players :]
    return {"hands": hands, "discard": [turned_up], "stock": stock}


def chance_after(generator: random.Random, table: Table, move: Move) -> Table:
    """What chance decides in this move, as the keys of the table after it: `{}` if nothing."""
    if ends_deal(table, move):
        return shuffled_deal(generator, table["options"]["num_players"])
    if table["stock"] or move["move"] != "draw_stock":
        return {}
    shuffled = table["discard"][:-1]
    generator.shuffle(shuffled)
    hands = [list(hand) for hand in table["hands"]]
    hands[table["turn"]] = sort_cards([*hands[table["turn"]], shuffled.pop()])
    return {"hands": hands, "stock": shuffled}


def ends_deal(table: Table, move: Move) -> bool:
    """Whether a legal move ends the deal: it completes the last set, or the cap is reached."""
    options = table["options"]
    full_sets = sum(len(laid) == FULL_SET for laid in table["sets"][table["turn"]])
    if move["move"] == "add" or move.get("size") == FULL_SET:
        full_sets += 1
    is_won = full_sets == sets_to_win(options["num_players"])
    draws = move["move"] in ("draw_stock", "take_discard")
    turn_goes_on = draws or (move["move"] == "take_back" and options["takeback_free"])
    is_last_turn = table["turns"] == options["turn_cap"] * options["num_players"]
    return is_won or (is_last_turn and not turn_goes_on)
