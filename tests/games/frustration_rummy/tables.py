"""Tables of Frustration Rummy in a few words, for tests."""

import random
from collections import Counter
from typing import Any

from .oracle import (
    CARDS,
    CONTRACTS,
    HAND_SIZE,
    SET_RANKS,
    SUITS,
    Card,
    Move,
    Table,
    assert_pack,
    copy_json,
    default_deal_cap,
    is_wild,
    natural_card,
    sort_cards,
)

FILL = "..."
"""In a hand's text: more cards, up to the size that is due."""


def options_of(**given: Any) -> Table:
    """All options, those not given at their defaults."""
    options = {
        "num_players": 4,
        "start_contract": 1,
        "last_contract": 14,
        "turn_cap": 60,
        "deal_cap": None,
        "return_discard": True,
        "deal": None,
        "episode": "game",
    } | given
    if options["deal_cap"] is None:
        options["deal_cap"] = default_deal_cap(
            options["num_players"], options["start_contract"], options["last_contract"]
        )
    return options


OPTION_NAMES = set(options_of()) - {"deal"}


def set_of(owner: int, cards: str) -> Table:
    """A set on the table: `set_of(0, "7H 7D 2C")`."""
    laid = cards.split()
    rank = next(card[0] for card in laid if not is_wild(card))
    return {"owner": owner, "kind": "set", "rank": rank, "cards": laid}


def run_of(owner: int, low: int, cards: str) -> Table:
    """A run on the table: `run_of(1, 6, "6C 7C JK 9C")`; low 1 is the ace."""
    laid = cards.split()
    suit = next(card[1] for card in laid if not is_wild(card))
    return {"owner": owner, "kind": "run", "suit": suit, "low": low, "cards": laid}


def set_being_laid(rank: str, cards: str, sets_left: int, runs_left: int) -> Table:
    """The key `building` with an open set."""
    opened = {"kind": "set", "rank": rank, "cards": cards.split()}
    return opened | {"sets_left": sets_left, "runs_left": runs_left}


def run_being_laid(suit: str, low: int, cards: str, sets_left: int, runs_left: int) -> Table:
    """The key `building` with an open run."""
    opened = {"kind": "run", "suit": suit, "low": low, "cards": cards.split()}
    return opened | {"sets_left": sets_left, "runs_left": runs_left}


def between_groups(sets_left: int, runs_left: int) -> Table:
    """The key `building` between two groups of the contract."""
    return {"kind": None, "cards": [], "sets_left": sets_left, "runs_left": runs_left}


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
    return {"move": name}


def make_table(**changes: Any) -> Table:
    """A legal, complete table from what a test cares about; all else has a plain default.

    Options go by their names (`contract=3` is short for `episode="deal", deal=3`; in a whole game
    `contracts=[4, 6, 2, 1]` gives every seat its own and `deal=3` is the number of the deal); other
    names are keys of the table. Texts stand for cards: `hands={0: "7H 7D JK ..."}`, where `...`
    fills up with other cards to the size that is due (a seat not named is filled so),
    `discard="5H 9H"` and `stock="…"` with the top card last. `stock` names only its top cards: all
    cards left over lie beneath, or with `rest="discard"` beneath the discards instead.

    Defaults: seat 0 moves, `turn` 0, phase `draw` (`meld` with `building`), the last seat has
    dealt. A seat that owns a meld is down, but not the mover while it is building: for an extra
    meld give `down`.

    Raises:
        AssertionError: the table asked for is not legal.
    """
    rest = changes.pop("rest", "stock")
    if "contract" in changes:
        changes |= {"episode": "deal", "deal": changes.pop("contract")}
    table = _without_cards(changes)
    given = {key: changes.pop(key, default) for key, default in _CARD_DEFAULTS.items()}
    assert not changes, f"unknown names: {sorted(changes)}"
    _put_cards(table, given, rest)
    _assert_legal(table)
    copied: Table = copy_json(table)
    return copied


_CARD_DEFAULTS: Table = {"hands": {}, "known": {}, "discard": None, "stock": ""}


def _without_cards(changes: Table) -> Table:
    """The table but for its cards; takes from `changes` what it uses."""
    given = {name: changes.pop(name) for name in OPTION_NAMES & set(changes)}
    deal = changes.pop("deal", None)
    if given.get("episode") == "deal":
        given["deal"], deal = deal, 1
    options = options_of(**given)
    num_players = options["num_players"]
    contract = options["deal"] or options["start_contract"]
    melds = changes.pop("melds", [])
    building = changes.pop("building", None)
    turn = changes.pop("turn", 0)
    laying = {turn} if building else set()
    owners = {meld["owner"] for meld in melds} - laying
    table: Table = {
        "game": "frustration_rummy",
        "version": 0,
        "options": options,
        "deal": deal or 1,
        "dealer": (turn - 1) % num_players,
        "turn": turn,
        "to_act": turn,
        "phase": "meld" if building else "draw",
        "turns": 1,
        "scores": [0] * num_players,
        "finished": False,
        "winners": None,
        "capped": False,
        "contracts": [contract] * num_players,
        "down": [seat in owners for seat in range(num_players)],
        "taken": None,
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
    unused = _unused(used)
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


def _unused(used: list[Card]) -> list[Card]:
    """The cards of the packs that are not named: scattered, always alike, the wild at the bottom."""
    left = Counter(CARDS)
    left.subtract(used)
    too_many = [card for card, copies in left.items() if copies < 0]
    assert not too_many, f"more than the packs have of {too_many}"
    cards = sort_cards(list(left.elements()))
    random.Random(1).shuffle(cards)
    return sorted(cards, key=is_wild, reverse=True)


def _size_due(table: Table, seat: int) -> int:
    """Cards of a seat that is not down, those laid and placed counted."""
    has_drawn = seat == table["turn"] and table["phase"] not in ("draw", "over")
    return HAND_SIZE + int(has_drawn)


def _laid_by(table: Table, seat: int) -> int:
    """Cards that a seat which is not down yet has laid and placed."""
    if table["building"] is None or seat != table["turn"] or table["down"][seat]:
        return 0
    own = [meld["cards"] for meld in table["melds"] if meld["owner"] == seat]
    return sum(map(len, own)) + len(table["building"]["cards"])


def _assert_legal(table: Table) -> None:
    """The packs are complete and hands have sizes that play can give them."""
    assert_pack(table)
    can_draw = table["phase"] != "draw" or table["stock"] or table["discard"]
    assert can_draw, "stock and discard: no card to draw"
    for seat, hand in enumerate(table["hands"]):
        known = Counter(table["known"][seat])
        assert known <= Counter(hand), f"known: seat {seat} does not hold {known}"
        if table["down"][seat]:
            assert hand or table["finished"], f"hands: that of seat {seat} is empty"
        else:
            size, due = len(hand) + _laid_by(table, seat), _size_due(table, seat)
            assert size == due, f"hands: seat {seat} has {size} cards, {due} are due"


def deal_randomly(generator: random.Random, generous: float = 0, **given: Any) -> Table:
    """A table just dealt, the first of its game; options by name.

    A share `generous` of the seats gets a hand that is close to its contract.
    """
    options = options_of(**given)
    num_players = options["num_players"]
    contract = options["deal"] or options["start_contract"]
    if options["episode"] == "deal" and options["deal"] is None:
        contract = generator.randint(options["start_contract"], options["last_contract"])
    table = make_table(**(options | {"deal": None}))
    dealer = generator.randrange(num_players)
    first = (dealer + 1) % num_players
    contracts = [contract] * num_players
    changes = {"options": options, "dealer": dealer, "turn": first, "to_act": first}
    dealt = shuffled_deal(generator, contracts, generous)
    return table | changes | dealt | {"contracts": contracts}


def shuffled_deal(generator: random.Random, contracts: list[int], generous: float = 0) -> Table:
    """The keys `hands`, `discard` and `stock` of a new deal."""
    cards = list(CARDS)
    generator.shuffle(cards)
    hands: list[list[Card]] = [[] for _ in contracts]
    for hand, contract in zip(hands, contracts, strict=True):
        if generator.random() < generous:
            hand += _cards_for_contract(generator, contract, cards)
    for hand in hands:
        while len(hand) < HAND_SIZE:
            hand.append(cards.pop())
    return {"hands": [sort_cards(hand) for hand in hands], "discard": [cards.pop()], "stock": cards}


def _cards_for_contract(generator: random.Random, contract: int, cards: list[Card]) -> list[Card]:
    """Most cards of one way to lay a contract, taken out of `cards` as far as they are there."""
    groups = CONTRACTS[contract]
    wanted: list[Card] = []
    for _ in range(groups.sets):
        rank = generator.choice(SET_RANKS)
        wanted += [rank + suit for suit in generator.choices(SUITS, k=groups.set_size)]
    for _ in range(groups.runs):
        suit, low = generator.choice(SUITS), generator.randint(1, 15 - groups.run_size)
        wanted += [natural_card(suit, low + step) for step in range(groups.run_size)]
    wilds = [card for card in CARDS if is_wild(card)]
    taken = []
    for card in wanted:
        named = generator.choice(wilds) if generator.random() < 0.2 else card
        if named in cards and generator.random() < 0.95:
            cards.remove(named)
            taken.append(named)
    return taken


def chance_after(generator: random.Random, table: Table, move: Move, generous: float = 0) -> Table:
    """What chance decides in this move, as the keys of the table after it: `{}` if nothing."""
    if ends_deal(table, move):
        return shuffled_deal(generator, table["contracts"], generous)
    if table["stock"] or move["move"] != "draw_stock":
        return {}
    hands = [list(hand) for hand in table["hands"]]
    shuffled = table["discard"][:-1]
    generator.shuffle(shuffled)
    hands[table["turn"]].append(shuffled.pop())
    return {"hands": [sort_cards(hand) for hand in hands], "stock": shuffled}


def ends_deal(table: Table, move: Move) -> bool:
    """Whether a legal move ends the deal: the last card leaves the hand, or the cap is reached."""
    if move["move"] != "discard":
        return False
    options = table["options"]
    is_last_turn = table["turns"] == options["turn_cap"] * options["num_players"]
    return is_last_turn or len(table["hands"][table["turn"]]) == 1
