"""``companion replay``: replays a journal and prints the final state and the score sheet."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from calibration.documents import MALFORMED, explained
from companion.games.api import Rules
from companion.games.registry import rules_of
from companion.journal import read_records, setup_of
from companion.journal import replay as replay_records
from companion.players.setup import check_existing_setup
from companion.text.translator import Translator

from .errors import fail
from .options import language_option

NUMBER_WIDTH = 9
GROUP = 5
"""Rounds that stand together in the table of points by round."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--draw", "draws", is_flag=True, help="Also draw every player's board.")
@click.option(
    "--why",
    "move",
    metavar="MOVE",
    help="Say whether MOVE, such as 'take 3 bank', is legal now, and if not, why.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@language_option
def replay(file: Path, draws: bool, move: str | None, as_json: bool, language: str) -> None:
    """Replay the journal FILE and print the final state and the score sheet."""
    printed = {"--draw": draws, "--why": move is not None, "--json": as_json}
    given = [option for option, is_given in printed.items() if is_given]
    if len(given) > 1:
        raise click.UsageError(f"{' and '.join(given)} print different things: leave all but one of them out")
    if file.is_dir():
        fail(f"{file} is a folder: name the journal's file")
    if not file.is_file():
        fail(f"there is no journal {file}: check the name (demo and play print the path of theirs)")
    records = read_records(file)
    try:
        setup = setup_of(records) or {}
        rules = rules_of(setup)
        if setup:
            check_existing_setup(rules, setup)
        entries = [(entry, state.copy()) for entry, state in replay_records(rules, records)]
    except MALFORMED as error:
        fail(f"journal {file} contains no game that can be replayed: {explained(error)}")
    if not entries:
        fail(f"journal {file} contains a set-up, but no confirmed move yet")
    state = entries[-1][1]
    translator = Translator(language, rules.name, view=rules.view(state))
    if move is not None:
        click.echo(_verdict(rules, state, move, translator))
    elif as_json:
        click.echo(json.dumps(_result(rules, state, sum(len(entry.moves) for entry, _ in entries))))
    else:
        for line in _sheet(rules, state, translator):
            click.echo(line)
        for colour in rules.ranking(state) if draws else ():
            click.echo(f"\n{translator.player(colour)}\n{rules.text_board(state, colour)}")


def _verdict(rules: Rules, state: Any, text: str, translator: Translator) -> str:
    """Returns a sentence that says whether a move is legal."""
    move = rules.parse_short(state, text)
    reason = rules.validate(state, move)
    described = str(move)
    if reason is None or reason.code != "ruling_unknown":
        with suppress(LookupError):  # a place, thing or number that does not exist has no translation
            strict = Translator(translator.language, rules.name, view=translator.view, strict=True)
            described = strict.move(rules.describe(move))
    verdict = translator("command.legal") if reason is None else translator.reason(reason.code, reason.data)
    return translator("command.verdict", described=described, verdict=verdict)


def _result(rules: Rules, state: Any, moves: int) -> dict[str, Any]:
    return {
        "moves": moves,
        "over": rules.is_over(state),
        "ranking": rules.ranking(state),
        "score_sheet": rules.score_sheet(state),
        "timeline": rules.score_history(state),
        "hash": state.state_hash(),
        "state": state.to_json(),
    }


def _sheet(rules: Rules, state: Any, translator: Translator) -> Iterator[str]:
    """Yields the lines of the score sheet, the winner first, and of the points after each round."""
    sheet, ranking, timeline = rules.score_sheet(state), rules.ranking(state), rules.score_history(state)
    scored = {source for points in sheet.values() for source in points}
    rows = {source: translator(f"source.{source}") for source in rules.score_sources if source in scored}
    total, history = translator("page.total"), translator("command.course")
    width = max(map(len, (*rows.values(), total, *map(translator.player, ranking))))
    yield " " * width + "".join(f"{translator.player(colour):>{NUMBER_WIDTH}}" for colour in ranking)
    for source, name in rows.items():
        yield f"{name:<{width}}" + "".join(f"{sheet[c].get(source, 0):>{NUMBER_WIDTH}}" for c in ranking)
    yield f"{total:<{width}}" + "".join(f"{sum(sheet[c].values()):>{NUMBER_WIDTH}}" for c in ranking)
    yield f"\n{history}"
    for colour in ranking:
        yield f"{translator.player(colour):<{width}}  {_points_by_round(timeline[colour])}"
    if not rules.is_over(state):
        yield translator("command.not_over")


def _points_by_round(points: Sequence[int]) -> str:
    groups = [points[i : i + GROUP] for i in range(0, len(points), GROUP)]
    return " | ".join(" ".join(f"{p:>3}" for p in group) for group in groups)
