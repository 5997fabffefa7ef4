"""`kitchentable play`: a person against opponents, in the terminal."""

import secrets
from collections import Counter
from typing import Annotated, Any

import typer

from kitchentable.cli.common import GameOptions, examples, parse_options


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command(
        epilog=examples(
            "kitchentable play norwegian_rummy",
            "kitchentable play luau_rummy -o num_players=3 --against runs/mine/best",
            "kitchentable play norwegian_rummy --watch --against scripted",
        )
    )(play)


def play(
    game: Annotated[str, typer.Argument(help="A game's name; `kitchentable list` shows them.")],
    against: Annotated[
        str, typer.Option(help="Who plays the other seats: random, scripted, or a folder.")
    ] = "scripted",
    seat: Annotated[int, typer.Option(help="Your seat.")] = 0,
    seed: Annotated[int | None, typer.Option(help="For the same deal again.")] = None,
    watch: Annotated[bool, typer.Option(help="Only watch; opponents play all seats.")] = False,
    option: GameOptions = None,
) -> None:
    """Play a game in the terminal against opponents.

    Moves are offered as sentences: answer with a number, or with a part of the sentence, such
    as a card. `?` lists the moves again, `q` ends the game.
    """
    from kitchentable.engine.game import Game
    from kitchentable.games import spec
    from kitchentable.opponents import opponent

    rival = opponent(against)
    trained = getattr(rival, "checkpoint", None)
    known = trained.options if trained is not None and trained.game == game else {}
    made = Game(spec(game), **{**known, **parse_options(option)})
    if not watch and not 0 <= seat < made.num_players:
        raise ValueError(f"seat {seat} is not in 0 .. {made.num_players - 1}")
    rival.check(made)
    chosen = secrets.randbelow(2**31) if seed is None else seed
    typer.echo(f"{made.spec.title}, seed {chosen}")
    state = made.new(chosen)
    shown: int | None = None if watch else seat
    totals = [0.0] * made.num_players
    while not made.is_finished(state):
        acting = made.to_act(state)
        if acting == shown:
            action = _ask(made, state, acting or 0)
            if action is None:
                typer.echo("The game was left.")
                return
        else:
            action = rival.action(made, state)
        sentence = _sentence(made, state, action, acting == shown)
        held = _hand(made, state, shown)
        rewards = made.play(state, action)
        if sentence:
            typer.echo(sentence)
        gained = list((_hand(made, state, shown) - held).elements())
        if gained and not any(rewards):
            typer.echo(f"You get {', '.join(gained)}.")
        totals = [total + float(reward) for total, reward in zip(totals, rewards, strict=True)]
        if any(rewards):
            _show_scores(made, state)
    typer.echo(made.text(state, shown))
    typer.echo(_outcome(made, state, totals))


def _ask(game: Any, state: Any, seat: int) -> int | None:
    """Return the action a person chooses, or none to leave the game."""
    actions = game.legal_actions(state)
    sentences = [_without_name(game.describe(state, action), seat) for action in actions]
    names = [game.move(state, action)["move"] for action in actions]
    if len(actions) == 1:
        typer.echo(f"You are player {seat}, whose only move it is: {sentences[0]}")
        return int(actions[0])
    typer.echo("\n" + game.text(state, seat))
    _offer(sentences, seat)
    while True:
        try:
            answer = input("Your move: ").strip()
        except EOFError:
            return None
        if answer in ("q", "quit", "exit"):
            return None
        if answer == "?":
            typer.echo("\n" + game.text(state, seat))
            _offer(sentences, seat)
            continue
        named = [i for i, name in enumerate(names) if name == answer.lower().replace(" ", "_")]
        found = named or _matching(answer, sentences)
        if len(found) == 1:
            return int(actions[found[0]])
        if found:
            _list(sentences, found)
            typer.echo("Which of these? Give its number.")
        else:
            typer.echo(f"Give a number 1 .. {len(actions)}, words of a move, ? or q.")


def _matching(answer: str, sentences: list[str]) -> list[int]:
    """Return which sentences are meant by a number or by words of theirs."""
    if answer.isdecimal():
        number = int(answer) - 1
        return [number] if 0 <= number < len(sentences) else []
    words = answer.lower().split()
    if not words:
        return []
    plain = [_plain(sentence) for sentence in sentences]
    asked = [_plain(word) for word in words]
    return [i for i, text in enumerate(plain) if all(word in text for word in asked)]


def _plain(text: str) -> str:
    """Return text in small letters with suits as letters, so that 9h finds 9♥."""
    for symbol, letter in zip("♠♥♦♣", "shdc", strict=True):
        text = text.replace(symbol, letter)
    return text.lower()


def _list(sentences: list[str], which: list[int] | None = None) -> None:
    for i in which if which is not None else range(len(sentences)):
        typer.echo(f"{i + 1:4}. {sentences[i]}")


def _offer(sentences: list[str], seat: int) -> None:
    """List the moves, each the rest of a sentence about the seat."""
    typer.echo(f"You are player {seat}, who")
    _list(sentences)


def _without_name(sentence: str, seat: int) -> str:
    """Return a sentence without the name of the seat it is about."""
    return sentence.removeprefix(f"Player {seat} ")


def _sentence(game: Any, state: Any, action: int, own: bool) -> str:
    return "" if own else str(game.describe(state, action))


def _hand(game: Any, state: Any, seat: int | None) -> Counter[str]:
    """Return the cards that a person holds, in games with hands of cards."""
    hands = game.view(state, seat).get("hands", []) if seat is not None else []
    shown = hands[seat] if seat is not None and len(hands) > seat else []
    return Counter(shown if isinstance(shown, list) else [])


def _show_scores(game: Any, state: Any) -> None:
    table = game.table(state)
    typer.echo(f"--- scores: {', '.join(map(str, table['scores']))} ---")


def _outcome(game: Any, state: Any, totals: list[float]) -> str:
    table = game.table(state)
    winners = " and ".join(str(side) for side in table["winners"]) or "nobody"
    noun = "Side" if state[0].num_sides != game.num_players else "Player"
    return f"{noun} {winners} won. Rewards: {', '.join(f'{total:+.2f}' for total in totals)}"
