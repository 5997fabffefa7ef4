"""Tables of Norwegian Rummy in a few words, for tests."""

import random
from collections import Counter
from copy import deepcopy
from typing import Any

from .oracle import (
    CONTRACTS,
    HAND_SIZE,
    JOKER,
    PACK,
    Card,
    Move,
    Table,
    assert_pack,
    sort_cards,
)

DEFAULT_DECKS = {2: 2, 3: 2, 4: 2, 5: 3, 6: 3}
FILL = "..."
"""In a hand's text: more cards, up to the size that is due."""


def options_of(**given: Any) -> Table:
    """All options, those not given at their defaults."""
    num_players = given.get("num_players", 4)
    defaults = {
        "num_players": num_players,
        "decks": DEFAULT_DECKS[num_players],
        "max_buys": 3,
        "joker_ratio": True,
        "turn_cap": 60,
        "return_discard": True,
        "deal": None,
        "episode": "game",
    }
    return defaults | given


OPTION_NAMES = set(options_of()) - {"deal"}


def set_of(owner: int, cards: str) -> Table:
    """A set on the table: `set_of(0, "7H 7D JK")`."""
    laid = cards.split()
    rank = next(card[0] for card in laid if card != JOKER)
    return {"owner": owner, "kind": "set", "rank": rank, "cards": laid}


def run_of(owner: int, low: int, cards: str) -> Table:
    """A run on the table: `run_of(1, 6, "6C 7C JK 9C")`; low 1 is the ace."""
    laid = cards.split()
    suit = next(card[1] for card in laid if card != JOKER)
    return {"owner": owner, "kind": "run", "suit": suit, "low": low, "cards": laid}


def run_being_laid(low: int, cards: str, sets_left: int, runs_left: int) -> Table:
    """The key `building` with an open run."""
    run = run_of(0, low, cards)
    return {key: run[key] for key in ("kind", "suit", "low", "cards")} | {
        "sets_left": sets_left,
        "runs_left": runs_left,
    }


def parse_move(text: str) -> Move:
    """A move in a few words: `"discard 5H"`, `"open_run C 6"`, `"lay_off JC 0 high"`."""
    name, *words = text.split()
    match name:
        case "open_set":
            return {"move": name, "rank": words[0]}
        case "open_run":
            return {"move": name, "suit": words[0], "low": int(words[1])}
        case "place" | "discard":
            return {"move": name, "card": words[0]}
        case "lay_off":
            end = words[2] if len(words) > 2 else None
            return {"move": name, "card": words[0], "meld": int(words[1]), "end": end}
        case "move_joker":
            return {"move": name, "card": words[0], "meld": int(words[1]), "end": words[2]}
    return {"move": name}


def make_table(**changes: Any) -> Table:
    """A legal, complete table from what a test cares about; all else has a plain default.

    Options go by their names (`contract=3` is short for `episode="deal", deal=3`); other names are
    keys of the table. Texts stand for cards: `hands={0: "7H 7D JK ..."}`, where `...` fills up with
    other cards to the size that is due (a seat not named is filled so), `discard="5H 9H"` and
    `stock="…"` with the top card last. `stock` names only its top cards: all cards left over lie
    beneath, or with `rest="discard"` beneath the discards instead.

    Defaults: seat 0 moves, `turn` 0, phase `draw`, the last seat has dealt; a seat that owns a meld
    is down (but not while it is building); who is asked in phase `buy` is worked out.

    Raises:
        AssertionError: the table asked for is not legal.
    """
    rest = changes.pop("rest", "stock")
    if "contract" in changes:
        changes |= {"episode": "deal", "deal": changes.pop("contract")}
    table = _without_cards(changes)
    given = {key: changes.pop(key, default) for key, default in _card_defaults.items()}
    assert not changes, f"unknown names: {sorted(changes)}"
    _put_cards(table, given, rest)
    table |= _who_acts(table, given["asked"])
    _assert_legal(table)
    return deepcopy(table)


_card_defaults: Table = {"hands": {}, "known": {}, "discard": None, "stock": "", "asked": None}


def _without_cards(changes: Table) -> Table:
    """The table but for its cards; takes from `changes` what it uses."""
    given = {name: changes.pop(name) for name in OPTION_NAMES & set(changes)}
    deal = changes.pop("deal", None)
    if given.get("episode") == "deal":
        given["deal"] = deal
    options = options_of(**given)
    num_players = options["num_players"]
    deal = deal or 1
    melds = changes.pop("melds", [])
    building = changes.pop("building", None)
    turn = changes.pop("turn", 0)
    laying = {turn} if building else set()
    owners = {meld["owner"] for meld in melds} - laying
    table: Table = {
        "game": "norwegian_rummy",
        "version": 0,
        "options": options,
        "deal": 1 if options["episode"] == "deal" else deal,
        "dealer": (turn - 1) % num_players,
        "turn": turn,
        "phase": "meld" if building else "draw",
        "turns": 1,
        "scores": [0] * num_players,
        "finished": False,
        "winners": None,
        "capped": False,
        "contract": dict(CONTRACTS[deal - 1]),
        "taken": None,
        "down": [seat in owners for seat in range(num_players)],
        "buys_left": [options["max_buys"]] * num_players,
        "melds": melds,
        "building": building,
    }
    return table | {key: changes.pop(key) for key in set(table) & set(changes)}


def _put_cards(table: Table, given: Table, rest: str) -> None:
    """Puts the named cards where they are named, and all others where there is room."""
    num_players = table["options"]["num_players"]
    texts = [given["hands"].get(seat, FILL) for seat in range(num_players)]
    hands = [[card for card in text.split() if card != FILL] for text in texts]
    discard = [] if given["discard"] is None else given["discard"].split()
    stock = given["stock"].split()
    used = discard + stock + [card for hand in hands for card in hand]
    used += [card for meld in table["melds"] for card in meld["cards"]]
    if table["building"]:
        used += table["building"]["cards"]
    unused = _unused(table["options"]["decks"], used)
    for seat, text in enumerate(texts):
        while FILL in text and len(hands[seat]) + _laid_by(table, seat) < _size_due(table, seat):
            hands[seat].append(unused.pop())
    if given["discard"] is None:
        discard = [unused.pop()]
    table["hands"] = [sort_cards(hand) for hand in hands]
    known = [given["known"].get(seat, "").split() for seat in range(num_players)]
    table["known"] = [sort_cards(cards) for cards in known]
    table["stock"] = stock if rest == "discard" else unused + stock
    table["discard"] = unused + discard if rest == "discard" else discard


def _unused(decks: int, used: list[Card]) -> list[Card]:
    """The cards of the packs that are not named: scattered, always alike, jokers at the bottom."""
    left = Counter(PACK * decks)
    left.subtract(used)
    too_many = [card for card, copies in left.items() if copies < 0]
    assert not too_many, f"more than the packs have of {too_many}"
    cards = sort_cards(list(left.elements()))
    random.Random(1).shuffle(cards)
    return sorted(cards, key=lambda card: card != JOKER)


def _size_due(table: Table, seat: int) -> int:
    """Cards of a seat not down, those laid and placed counted; the least after its buys."""
    buys: int = table["options"]["max_buys"] - table["buys_left"][seat]
    has_drawn = seat == table["turn"] and table["phase"] != "draw"
    return HAND_SIZE + buys + int(has_drawn)


def _laid_by(table: Table, seat: int) -> int:
    """Cards that a seat which is not down yet has laid and placed."""
    if table["building"] is None or seat != table["turn"] or table["down"][seat]:
        return 0
    own = [meld["cards"] for meld in table["melds"] if meld["owner"] == seat]
    return sum(map(len, own)) + len(table["building"]["cards"])


def _who_acts(table: Table, asked: list[int] | None) -> Table:
    """The keys `asked` and `to_act`."""
    num_players = table["options"]["num_players"]
    if table["phase"] != "buy":
        return {"asked": [], "to_act": table["turn"]}
    if asked is None:
        seats = [(table["turn"] + step) % num_players for step in range(1, num_players)]
        asked = [seat for seat in seats if not table["down"][seat] and table["buys_left"][seat]]
    return {"asked": asked, "to_act": asked[0]}


def _assert_legal(table: Table) -> None:
    """The packs are complete and hands have sizes that play can give them."""
    assert_pack(table)
    assert table["phase"] != "buy" or table["discard"], "nobody is asked without a discard"
    for seat, hand in enumerate(table["hands"]):
        known = Counter(table["known"][seat])
        assert known <= Counter(hand), f"known: seat {seat} does not hold {known}"
        if table["down"][seat]:
            continue
        least = _size_due(table, seat)
        buys = table["options"]["max_buys"] - table["buys_left"][seat]
        size = len(hand) + _laid_by(table, seat)
        assert least <= size <= least + buys, f"hands: seat {seat} has {size}, {least} are due"


def deal_randomly(generator: random.Random, **given: Any) -> Table:
    """A table just dealt, the first of its game; options by name."""
    options = options_of(**given)
    num_players = options["num_players"]
    contract = options["deal"]
    if contract is None:
        contract = generator.randint(1, 7) if options["episode"] == "deal" else 1
    table = make_table(**(options | {"deal": None}))
    dealer = generator.randrange(num_players)
    first = (dealer + 1) % num_players
    changes = {"options": options, "dealer": dealer, "turn": first, "to_act": first}
    dealt = shuffled_deal(generator, options)
    return table | changes | dealt | {"contract": dict(CONTRACTS[contract - 1])}


def shuffled_deal(generator: random.Random, options: Table) -> Table:
    """The keys `hands`, `discard` and `stock` of a new deal."""
    cards = PACK * options["decks"]
    generator.shuffle(cards)
    hands: list[list[Card]] = []
    for _ in range(options["num_players"]):
        hands.append(sort_cards(cards[-HAND_SIZE:]))
        del cards[-HAND_SIZE:]
    return {"hands": hands, "discard": [cards.pop()], "stock": cards}


def chance_after(generator: random.Random, table: Table, move: Move) -> Table:
    """What chance decides in this move, as the keys of the table after it: `{}` if nothing."""
    if ends_deal(table, move):
        return shuffled_deal(generator, table["options"])
    if table["stock"] or move["move"] not in ("draw_stock", "buy"):
        return {}
    hands = [list(hand) for hand in table["hands"]]
    discard = list(table["discard"])
    if move["move"] == "buy":
        hands[table["to_act"]].append(discard.pop())
    shuffled = discard[:-1]
    generator.shuffle(shuffled)
    if shuffled:
        hands[table["to_act"]].append(shuffled.pop())
    return {"hands": [sort_cards(hand) for hand in hands], "stock": shuffled}


def ends_deal(table: Table, move: Move) -> bool:
    """Whether a legal move ends the deal: the last card leaves the hand, or the cap is reached."""
    cards_left = len(table["hands"][table["turn"]])
    options = table["options"]
    match move["move"]:
        case "discard":
            is_last_turn = table["turns"] == options["turn_cap"] * options["num_players"]
            return cards_left == 1 or is_last_turn
        case "lay_off" | "move_joker":
            return cards_left == 1
        case "close":
            return cards_left == 0
        case "place":
            return cards_left == 1 and table["contract"] != CONTRACTS[6]
    return False
