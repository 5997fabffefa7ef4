"""Tables and views of Luau Rummy read back into a state; every key is checked.

A position that play could not have led to may pass, a contradiction does not. Order: the
deal, the cards that all see, the hands and the stock, then what must agree.
"""

from kitchentable.cards.pack import Tally
from kitchentable.cards.piles import NONE
from kitchentable.cards.reading import (
    read_all_cards,
    read_discard,
    read_known,
    read_seen_cards,
    read_taken,
)
from kitchentable.engine.reading import Reader
from kitchentable.engine.state import Episode
from kitchentable.games.luau_rummy.pack import (
    CARDS,
    FIRST_CARDS,
    LENGTHS,
    PACK,
    TRIPLE,
    WOLF,
    Kind,
    tally_of_packs,
)
from kitchentable.games.luau_rummy.rules import (
    MAX_CARDS,
    MIN_MELD,
    WOLF_PLACE,
    Phase,
    State,
)

MAX_SCORE = 1_000_000
"""More than any game can bring within its deals, and little enough for the sums to fit."""
KIND_NAMES = tuple(kind.name.lower() for kind in Kind)


def read(reader: Reader, state: State) -> None:
    """Fill the state from a table's own keys.

    Raises:
        TableError: naming the key that is wrong.
    """
    read_all_cards(reader, state, _read_open_cards(reader, state), MAX_CARDS)
    _check(reader, state)


def read_view(reader: Reader, state: State) -> int:
    """Fill the state from a view, the hidden cards in any order, and return the viewer.

    Raises:
        TableError: naming the key that is wrong.
    """
    viewer = read_seen_cards(reader, state, _read_open_cards(reader, state), MAX_CARDS)
    _check(reader, state)
    return viewer


def _read_open_cards(reader: Reader, state: State) -> Tally:
    """Read everything but hands and stock; return what cards that leaves."""
    _read_deal(reader, state)
    counts = (state.decks, state.copies, state.animal_copies, state.wolves)
    tally = tally_of_packs(*map(int, counts))
    read_discard(reader, state, tally)
    for card in state.discard[: state.discard_size]:
        state.in_pile[card] += 1
    for meld in reader.objects("melds"):
        _read_meld(meld, state, tally)
    read_known(reader, state, PACK, MAX_CARDS)
    read_taken(reader, state, PACK)
    return tally


def _read_deal(reader: Reader, state: State) -> None:
    """What deals, turns and scores there can be."""
    is_game = state.episode == Episode.GAME
    reader.integer("deal", 1, int(state.deal_cap) if is_game else 1)
    reader.integer("turns", 1, int(state.turn_cap) * int(state.num_players))
    reader.integers("scores", int(state.num_sides), 0, MAX_SCORE)


# Melds


def _read_meld(meld: Reader, state: State, tally: Tally) -> None:
    """One meld, legal by itself, of a side that may have it."""
    number = int(state.n_melds)
    side = meld.integer("side", 0, int(state.num_sides) - 1)
    kind = Kind[meld.word("kind", KIND_NAMES).upper()]
    cards = tally.take_all(meld, "cards", meld.items("cards"))
    _check_cards(meld, kind, cards)
    if kind == Kind.PILEUP:
        _register_pileup(meld, state, side, cards[0])
    meld.finish()
    state.meld_side[number], state.meld_kind[number] = side, kind
    for card in cards:
        place = WOLF_PLACE if card == WOLF else card - FIRST_CARDS[kind]
        state.meld_cards[number][place] += 1
        state.on_table[card] += 1
    state.cards_laid[side] += len(cards)
    state.laid[side][kind] += 1
    state.pure[side][kind] += WOLF not in cards
    state.n_melds = number + 1


def _check_cards(meld: Reader, kind: Kind, cards: list[int]) -> None:
    """LR-7, LR-8, LR-18: the cards of a meld, in card order."""
    shown = meld.value("cards")
    first = FIRST_CARDS[kind]
    names = range(first, first + LENGTHS[kind])
    for i, card in enumerate(cards):
        if card not in names and (card != WOLF or kind == Kind.PILEUP):
            expected = "one of " + ", ".join(CARDS[name] for name in names)
            raise meld.error(f"cards[{i}]", expected, shown[i])
    if cards != sorted(cards):
        raise meld.error("cards", "in card order", shown)
    if len(cards) < MIN_MELD or (kind < Kind.ANIMALS and len(cards) > TRIPLE):
        many = f"{MIN_MELD} cards" if kind < Kind.ANIMALS else f"{MIN_MELD} cards at least"
        raise meld.error("cards", many, shown)
    if cards.count(WOLF) > 1:
        raise meld.error("cards", "a list with one wolf at most", shown)
    if kind < Kind.ANIMALS and len(set(cards)) < TRIPLE:
        raise meld.error("cards", "different cards", shown)
    if kind == Kind.PILEUP and len(set(cards)) > 1:
        raise meld.error("cards", "equal cards", shown)


def _register_pileup(meld: Reader, state: State, side: int, piggy: int) -> None:
    """LR-18: pile-ups are an option, and a side has one of a piggy at most."""
    if not state.piggy_pileup:
        raise meld.error("kind", "another (there are no pile-ups in this game)", "pileup")
    place = piggy - FIRST_CARDS[Kind.PILEUP]
    if state.pileups[side][place]:
        expected = "of another piggy than the side's other pile-up"
        raise meld.error("cards", expected, meld.value("cards"))
    state.pileups[side][place] = 1


# What must agree


def _check(reader: Reader, state: State) -> None:
    """The position is one that the rules know."""
    is_over = state.phase == Phase.OVER
    if not is_over and state.to_act != state.turn:
        raise reader.error("to_act", f"{state.turn}, whose turn it is", int(state.to_act))
    if state.phase == Phase.DRAW and not state.stock_size:
        raise reader.error("stock", "a card at least in phase draw", reader.value("stock"))
    _check_taken(reader, state)
    for seat in range(state.num_players):
        if not state.hand_size[seat] and not (is_over and seat == state.turn):
            raise reader.error(f"hands[{seat}]", "a card at least", reader.value("hands")[seat])
    if is_over:
        _check_end(reader, state)


def _check_taken(reader: Reader, state: State) -> None:
    """A card taken in this turn is known to lie in the mover's hand."""
    if state.taken == NONE:
        return
    if state.phase != Phase.PLAY:
        raise reader.error("taken", "null but in phase play", reader.value("taken"))
    if not state.known[state.turn][state.taken]:
        expected = f"a card of 'known[{state.turn}]', the mover's"
        raise reader.error("taken", expected, reader.value("taken"))


def _check_end(reader: Reader, state: State) -> None:
    """The deal has ended by going out, with the stock or at the cap, and so has the game."""
    seat, at_cap = int(state.turn), int(state.turn_cap) * int(state.num_players)
    capped = bool(state.capped) and state.turns == at_cap
    if state.hand_size[seat] and state.stock_size and not capped:
        expected = "empty, unless the stock or the cap ended the deal"
        raise reader.error(f"hands[{seat}]", expected, reader.value("hands")[seat])
    if state.episode == Episode.DEAL and state.capped and not capped:
        raise reader.error("capped", "false in a deal that the cap has not ended", True)
    winners = reader.integers("winners", None, 0, int(state.num_sides) - 1)
    if state.episode == Episode.DEAL:
        if not winners:
            raise reader.error("winners", "a side at least", winners)
        return
    scores = [int(score) for score in state.scores[: state.num_sides]]
    due = [side for side, score in enumerate(scores) if score == max(scores)]
    if winners != due:
        raise reader.error("winners", str(due), winners)
    won = len(due) == 1 and max(scores) >= state.target
    if not won and not (state.deal == state.deal_cap and state.capped):
        expected = f"false while no side leads alone with {int(state.target)} or more"
        raise reader.error("finished", expected, True)
