"""``companion replay``: a journal to its final state and score sheet."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ..journal import Journal, JournalError
from ..journal import replay as replay_records
from ..shelf import burgundy
from .errors import fail


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def replay(file: Path, as_json: bool) -> None:
    """Replay the journal FILE and print the final state and the score sheet."""
    if not file.is_file():
        fail(f"there is no journal {file}: check the name (the demo and play print where theirs lies)")
    rules = burgundy()
    try:
        journal = Journal(file)
        units = [(unit, state.copy()) for unit, state in replay_records(rules, journal.records())]
        journal.close()
    except (JournalError, ValueError) as error:
        fail(str(error))
    if not units:
        fail(f"journal {file} holds a set-up but nothing that was confirmed yet")
    state = units[-1][1]
    sheet = rules.score_sheet(state)
    ranking = rules.ranking(state)
    if as_json:
        result = {
            "moves": sum(len(unit.moves) for unit, _ in units),
            "over": rules.is_over(state),
            "ranking": ranking,
            "score_sheet": sheet,
            "hash": state.state_hash(),
            "state": state.to_json(),
        }
        click.echo(json.dumps(result))
        return
    sources = [source for player in sheet.values() for source in player]
    width = max([len(source) for source in sources], default=6)
    click.echo(" " * width + "".join(f"{colour:>9}" for colour in ranking))
    for source in dict.fromkeys(sources):
        click.echo(f"{source:<{width}}" + "".join(f"{sheet[c].get(source, 0):>9}" for c in ranking))
    click.echo(f"{'total':<{width}}" + "".join(f"{sum(sheet[c].values()):>9}" for c in ranking))
    if not rules.is_over(state):
        click.echo("the game is not over yet")
