"""How a table of Norwegian Rummy looks; the contract stands in the title."""

from kitchentable.cards.sets_and_runs_picture import contract_picture
from kitchentable.cards.table_picture import (
    GREEN,
    LIGHT,
    Box,
    Mark,
    View,
    facts_and_score,
    marks,
    name_and_marks,
    title,
)
from kitchentable.cards.table_text import count_words, size_of
from kitchentable.games.norwegian_rummy.words import contract_words, deal_words, due_words

HEAD = 34.0
"""Height of a panel's line with name, score and marks."""


def picture(view: View) -> str:
    """Return a view or a whole table as SVG."""
    contract, due = contract_words(view["contract"]), due_words(view)
    return contract_picture(
        view,
        title=title("Norwegian Rummy", f"{deal_words(view)} · contract: {contract}"),
        label=f"Norwegian Rummy, {contract}. {due}",
        due=due,
        head=HEAD,
        headline=lambda seat, box: _headline(view, seat, box),
    )


def _headline(view: View, seat: int, box: Box) -> str:
    """Name, marks and, at the right, cards in hand, buys left and score."""
    down = [Mark("down", GREEN, LIGHT)] if view["down"][seat] else []
    acts = "buy?" if view["phase"] == "buy" else "to act"
    cards = count_words(size_of(view["hands"][seat]), "card")
    facts = f"{cards} · {count_words(view['buys_left'][seat], 'buy')}"
    left = name_and_marks(view, seat, box, marks(view, seat, *down, acts=acts))
    return left + facts_and_score(box, facts, view["scores"][seat])
