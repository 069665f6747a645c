"""`dominoref games`: which games there are, and each explained to people who want to play it tonight."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator
from importlib import resources

from table.rules.games import GAMES, Game
from table.rules.options import Option
from table.shell.faults import WRONG_USAGE, Fault

WIDTH = 79


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "games", help="list the games, or explain one", description="List the games, or explain one to people."
    )
    parser.add_argument("game", nargs="?", metavar="GAME", help="which one to explain")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    if options.game is None:
        print("\n".join(_listed()))
        return 0
    if options.game not in GAMES:
        raise Fault(f"there is no game '{options.game}'; there are {', '.join(GAMES)}", WRONG_USAGE)
    print("\n".join(explained(GAMES[options.game])))
    return 0


def guide(key: str) -> str:
    """The text about a game, without its options."""
    return resources.files("table.shell.guide").joinpath(f"{key}.txt").read_text(encoding="utf-8")


def _listed() -> Iterator[str]:
    wide = max(map(len, GAMES))
    for key, game in GAMES.items():
        about = guide(key).partition("\n")[0].partition(": ")[2].rstrip(".")
        yield f"{key:{wide}}  {_players(game):11}  {about}"
    yield ""
    yield "dominoref games GAME explains one: set, deal, play, score and the options."


def _players(game: Game) -> str:
    fewest, most = game.seats[0], game.seats[-1]
    return f"{fewest} player{'s' * (most > 1)}" if fewest == most else f"{fewest}-{most} players"


def explained(game: Game) -> Iterator[str]:
    """The whole explanation, line by line."""
    yield guide(game.key).rstrip()
    yield ""
    if not game.options:
        yield "Options: none"
        return
    yield "Options (--option KEY=VALUE; the first value is what counts if you say nothing)"
    for option in game.options:
        yield from _option(option)


def _option(option: Option) -> Iterator[str]:
    """One option: its default first, then what else it takes."""
    default = option.written()
    if isinstance(option.default, bool):
        values = f"{default} or {'false' if option.default else 'true'}"
    elif option.values:
        values = " or ".join([default, *(value for value in option.values if value != default)])
    elif option.many or isinstance(option.default, str):
        values = default
    else:
        values = f"{default} ({option.least} to {option.most})" if option.least < option.most else default
    head = f"  {option.key}={values}"
    yield from textwrap.wrap(head, WIDTH, subsequent_indent="    ", break_on_hyphens=False)
    yield from textwrap.wrap(option.about, WIDTH, initial_indent="      ", subsequent_indent="      ")
