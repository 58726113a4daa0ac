"""Games that have been played: their list, each one's result, its course step by step, and exports."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from flask import Blueprint, Response, abort, make_response, render_template, request, send_file

from companion.archive import (
    ON_TABLE,
    SUFFIX,
    GameRecord,
    LeftOut,
    Listing,
    listing,
    player_records,
    record_of,
    rivalries,
)
from companion.archive.exports import as_csv, as_json, bg_stats_link, seat_name
from companion.archive.standings import AUTOMA
from companion.games.api import Rules
from companion.journal import JournalError, Record, names_of, read_records, replay
from companion.journal.player_text import cleaned
from companion.storage.picture_store import EvidencePicture, PictureStore
from companion.text.translator import Translator
from companion.text.turn_log import TurnEntry, last_changes, turn_entry_of

from .chart import HEIGHT, WIDTH, chart
from .games.burgundy import drawing
from .guard import guarding
from .pictures import inline
from .reader import languages, remembering
from .served import Served, language, served, translator
from .view import drawn

NOW = "now"
"""How the game that is being played is called among the others."""
ESCAPE = "~"
"""Before the name of a file that would be taken for that game, or begins so itself."""

archive = Blueprint("archive", __name__)


@dataclass(frozen=True, slots=True)
class Step:
    """A moment of a game: what was confirmed last, and how the table stood then."""

    number: int
    """0 is the empty table."""
    steps: int
    view: Mapping[str, Any]
    turn_entries: Sequence[TurnEntry]
    """All that was confirmed until then."""
    phases: Mapping[str, int]
    """Letter of each phase that was played -> the moment at which it begins."""
    evidence_pictures: Sequence[EvidencePicture]

    @property
    def latest(self) -> TurnEntry | None:
        """What was confirmed last."""
        return self.turn_entries[-1] if self.turn_entries else None


@archive.get("/games")
def games() -> Response:
    """All games of the folder, the players' records, and who came before whom.

    With ``?all``, those that are not listed as well.
    """
    here = served()
    past = listing(here.archive, here.session.journal) if here.archive else Listing()
    records = past.records
    return _page(
        "games.html",
        translator(),
        now=_record(None),
        past=past.games,
        left_out=past.left_out,
        shows_all="all" in request.args,
        why_left_out=_why_left_out,
        address=_address,
        seat_name=seat_name,
        players=player_records(records),
        rivalries=rivalries(records),
        automa=AUTOMA,
        token=here.token if here.archive and not guarding().is_guest() else None,
        has_privacy=here.pictures is not None,
        can_delete=_can_delete(),
    )


def _why_left_out(one: LeftOut) -> str:
    told = translator()
    if one.same_as is None:
        return told("archive.unplayed")
    return (
        told("archive.same_as_now") if one.same_as == ON_TABLE else told("archive.same_as", name=one.same_as)
    )


@archive.get("/games/<name>")
def game(name: str) -> Response:
    """One game's result."""
    file = _file(name)
    record = _record(file)
    told = _words_of(record)
    link = bg_stats_link(record, told) if record.over else None
    can_go_on = served().next_game is not None and not record.over and file is not None
    now = served().session.snapshot()["view"]
    return _page(
        "game.html",
        told,
        name=file or NOW,
        address=_address(file),
        bg_stats=link,
        token=served().token if can_go_on and not guarding().is_guest() else None,
        leaves=translator(now)("archive.leaves", players=drawing.who_plays(now)),
        can_delete=file is not None and _can_delete(),
        **_about(record),
    )


@archive.get("/games/<name>/delete")
def ask_to_delete(name: str) -> Response:
    """Asks whether one game is to be deleted, which may be one that cannot be read."""
    here, file = served(), _file(name)
    if here.archive is None or file is None or not _can_delete():
        abort(404)
    try:
        found = here.archive.game(file)
    except LookupError:
        abort(404)
    told = _words_of(found.record) if found.record else translator()
    return _page("delete_game.html", told, game=found, token=here.token)


def _can_delete() -> bool:
    """Whether the reader may delete games."""
    return served().pictures is not None and not guarding().is_guest()


def _address(file: str | None) -> str:
    """The page of the game in *file*, which may be called anything; None is the game on the table."""
    if file is None:
        return f"/games/{NOW}"
    return f"/games/{quote(f'{ESCAPE}{file}' if file == NOW or file.startswith(ESCAPE) else file)}"


def _file(name: str) -> str | None:
    """The inverse, of the last part of that address; the game on the table has no other name."""
    here, file = served(), name.removeprefix(ESCAPE)
    is_on_table = here.archive and str(here.archive.folder / f"{file}{SUFFIX}") == here.session.journal.path
    return None if name == NOW or is_on_table else file


@archive.get("/games/<name>/replay/<int:number>")
def step(name: str, number: int) -> Response:
    """One moment of a game."""
    file = _file(name)
    moment = _step(file, number)
    if moment is None:
        abort(404)
    events = moment.latest.events if moment.latest else ()
    changed = {
        f"duchy:{event['player']}:{event['space']}": drawing.Mark("fresh")
        for event in events
        if event["kind"] == "place"
    }
    return _page(
        "replay.html",
        translator(moment.view),
        address=_address(file),
        step=moment,
        events=events,
        latest=moment.latest,
        replaying=True,
        marks=changed,
        mark=lambda place: drawing.NO_MARK,
        changes=last_changes(moment.turn_entries, moment.view["order"]),
        picture_of=inline,
        **drawn(moment.view),
    )


@archive.get("/games/<name>/game.csv")
def export_csv(name: str) -> Response:
    """The score sheet for a spreadsheet; the mark at the beginning tells Excel that it is UTF-8."""
    file = _file(name)
    record = _record(file)
    text = as_csv(record, served().session.rules, _words_of(record))
    return _download(f"\N{ZERO WIDTH NO-BREAK SPACE}{text}", f"{file or NOW}.csv", "text/csv")


@archive.get("/games/<name>/game.json")
def export_json(name: str) -> Response:
    """Everything, for other programs."""
    file = _file(name)
    return _download(as_json(_record(file)), f"{file or NOW}.json", "application/json")


@archive.get("/games/<name>/game.svg")
def export_picture(name: str) -> Response:
    """The result as one picture, which the page can turn into a PNG."""
    record = _record(_file(name))
    picture = render_template("result.svg", t=_words_of(record), **_about(record))
    return Response(picture, mimetype="image/svg+xml")


def _page(template: str, told: Translator, **data: Any) -> Response:
    page = render_template(template, t=told, language=language(), languages=languages(), **data)
    return remembering(make_response(page))


def _words_of(record: GameRecord) -> Translator:
    """Words that call the players of a game by their names."""
    told = translator()
    return translator({"names": {seat.colour: seat_name(seat, told) for seat in record.seats}})


def _about(record: GameRecord) -> dict[str, Any]:
    """What templates show of a game."""
    return {
        "record": record,
        "rules": served().session.rules,
        "chart": chart(record.timeline, drawing.PHASES, drawing.ROUNDS),
        "chart_size": (WIDTH, HEIGHT),
    }


def _download(text: str, filename: str, mimetype: str) -> Response:
    """A file of *text*, by a name that may have any letters (RFC 6266)."""
    content = io.BytesIO(text.encode())
    return send_file(content, mimetype, as_attachment=True, download_name=cleaned(filename))


def _record(file: str | None) -> GameRecord:
    """The game in *file*, None for that on the table; ends the request with 404 where there is none."""
    here = served()
    if file is None:
        return here.session.read(lambda s: record_of(s.rules, s.journal.records()))
    try:
        record = here.archive.game(file).record if here.archive else None
    except LookupError:
        record = None
    if record is None:
        abort(404)
    return record


def _step(file: str | None, number: int) -> Step | None:
    """The moment after *number* confirmations; None when there were not so many."""
    here = served()
    rules = here.session.rules
    if file is None:
        return _moment(rules, here.session.journal.records(), number, lambda seq: _evidence_now(here, seq))
    try:
        path = here.archive.path(file) if here.archive else None
        return path and _moment(rules, read_records(path), number, lambda seq: _evidence_in(path, seq))
    except (LookupError, JournalError):
        return None


def _moment(rules: Rules, records: list[Record], number: int, evidence_pictures: Any) -> Step | None:
    setup = next(record.body for record in records if record.kind == "setup")
    state: Any = rules.new(setup)
    entries = [entry for entry, _ in replay(rules, records)]
    if number > len(entries):
        return None
    turn_entries = [turn_entry_of(rules, state, entry) for entry in entries[:number]]
    view = {**rules.view(state), "names": names_of(records)}
    to_come = [turn_entry_of(rules, state, entry) for entry in entries[number:]]
    return Step(
        number,
        len(entries),
        view,
        turn_entries,
        _beginnings([*turn_entries, *to_come]),
        evidence_pictures(turn_entries[-1].seq) if turn_entries else (),
    )


def _beginnings(turn_entries: Sequence[TurnEntry]) -> dict[str, int]:
    """Letter of each phase -> the number of the chapter that begins it, counted from 1."""
    begun = [
        (event["phase"], number)
        for number, turn_entry in enumerate(turn_entries, 1)
        for event in turn_entry.events
        if event["kind"] == "phase"
    ]
    return dict(begun)


def _evidence_now(here: Served, seq: int) -> Sequence[EvidencePicture]:
    return here.evidence_pictures.of_entry(seq) if here.evidence_pictures else ()


def _evidence_in(journal: Path, seq: int) -> Sequence[EvidencePicture]:
    """Pictures of a past game, where there are any left."""
    path = Path(f"{journal}.album")
    if not path.exists():
        return ()
    picture_store = PictureStore(path)
    try:
        return picture_store.of(seq)
    finally:
        picture_store.close()
