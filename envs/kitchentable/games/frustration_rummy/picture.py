"""How a table of Frustration Rummy looks; each seat's contract stands in its panel."""

from kitchentable.cards import drawing
from kitchentable.cards.sets_and_runs_picture import contract_picture
from kitchentable.cards.table_picture import (
    GREEN,
    LIGHT,
    PAD,
    Box,
    Mark,
    View,
    facts_and_score,
    marks,
    name_and_marks,
    title,
)
from kitchentable.cards.table_text import count_words, size_of
from kitchentable.games.frustration_rummy.words import contract_words, deal_words, due_words

HEAD = 54.0
"""Height of a panel's lines with name, score and marks, and with the contract."""


def picture(view: View) -> str:
    """Return a view or a whole table as SVG."""
    deal, due = deal_words(view), due_words(view)
    wins = ""
    if view["options"]["episode"] == "game":
        wins = f" · out on contract {view['options']['last_contract']} wins"
    return contract_picture(
        view,
        title=title("Frustration Rummy", deal + wins),
        label=f"Frustration Rummy, {deal}. {due}",
        due=due,
        head=HEAD,
        headline=lambda seat, box: _headline(view, seat, box),
    )


def _headline(view: View, seat: int, box: Box) -> str:
    """Name, marks and, at the right, cards in hand and score; below the contract."""
    down = [Mark("down", GREEN, LIGHT)] if view["down"][seat] else []
    cards = count_words(size_of(view["hands"][seat]), "card")
    contract = view["contracts"][seat]
    words = f"contract {contract}: {contract_words(contract)}"
    return (
        name_and_marks(view, seat, box, marks(view, seat, *down))
        + facts_and_score(box, cards, view["scores"][seat])
        + drawing.text(box.x + PAD, box.y + 43, words, 13.5, color=drawing.MUTED)
    )
