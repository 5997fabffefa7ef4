"""Write the generated parts of the documents anew: `make docs`; a test compares them.

A generated part stands between `<!-- name -->` and `<!-- /name -->`.
"""

import re
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import kitchentable as kt
from kitchentable.engine.options import markdown as options_markdown
from kitchentable.engine.spec import GameSpec
from kitchentable.games import GAMES, TESTBEDS, spec
from kitchentable_training.config import settings_table

ROOT = Path(__file__).parents[1]
GAMES_FOLDER = ROOT / "envs" / "kitchentable" / "games"


def list_of_games() -> str:
    """Return the table of the README."""
    rows = ["| game | seats | actions | observation |", "| --- | --- | --: | --: |"]
    for name in GAMES:
        s = spec(name)
        page = f"envs/kitchentable/games/{name}/README.md"
        span = f"{s.min_seats}-{s.max_seats}"
        sizes = f"{s.actions.size} | {s.observation.size}"
        rows.append(f"| [{s.title}]({page}) `{name}` | {span} | {sizes} |")
    return "\n".join(rows)


def parts_of(game: GameSpec) -> dict[str, str]:
    """Return the generated parts of a game's README."""
    return {
        "options": options_markdown(game.options),
        "actions": game.actions.markdown(),
        "observation": game.observation.markdown(),
    }


def picture_of_a_deal() -> str:
    """Return the picture of the README: a deal between scripted players, well under way."""
    game = kt.game("norwegian_rummy", episode="deal", deal=5)
    for seed in count():
        state = game.new(seed)
        while not game.is_finished(state):
            if shows_much(game.table(state)):
                return game.picture(state, seat=0)
            game.play(state, game.scripted(state))
    raise AssertionError("some deal shows much")


def shows_much(table: dict[str, Any]) -> bool:
    """Tell whether player 0 is down and about to play, and a good deal lies on the table."""
    own, cards = table["to_act"] == 0 and table["phase"] == "play", len(table["hands"][0])
    return bool(own and table["down"][0] and cards >= 4 and len(table["melds"]) >= 9)


def documents() -> Iterator[tuple[Path, dict[str, str]]]:
    """Yield every document that has generated parts."""
    yield ROOT / "README.md", {"games": list_of_games()}
    yield ROOT / "docs" / "training.md", {"settings": settings_table()}
    for name in GAMES:
        yield GAMES_FOLDER / name / "README.md", parts_of(spec(name))
    for name in TESTBEDS:
        yield GAMES_FOLDER / "testbeds" / name / "README.md", parts_of(spec(name))


def filled(text: str, parts: dict[str, str]) -> str:
    """Return the text with its generated parts written anew.

    Raises:
        ValueError: a part has no place in the text.
    """
    for name, part in parts.items():
        pattern = rf"<!-- {name} -->\n.*?<!-- /{name} -->"
        new = f"<!-- {name} -->\n{part}\n<!-- /{name} -->"
        text, n = re.subn(pattern, new.replace("\\", r"\\"), text, flags=re.DOTALL)
        if n != 1:
            raise ValueError(f"the part {name!r} must have one place, it has {n}")
    return text


def main() -> int:
    """Write all documents; with `--check` only tell which are out of date."""
    stale = []
    for path, parts in documents():
        text = path.read_text()
        new = filled(text, parts)
        if new != text:
            stale.append(path)
            if "--check" not in sys.argv:
                path.write_text(new)
    picture = ROOT / "docs" / "norwegian_rummy.svg"
    drawn = picture_of_a_deal()
    if not picture.exists() or picture.read_text() != drawn:
        stale.append(picture)
        if "--check" not in sys.argv:
            picture.write_text(drawn)
    for path in stale:
        print(path.relative_to(ROOT))
    return len(stale) if "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
