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
from companion.games.api import Game
from companion.journal import JournalError, Record, names_of, records_in, replay
from companion.journal.player_text import cleaned
from companion.storage.picture_store import Album, Proof
from companion.text.translator import Words
from companion.text.turn_log import Chapter, chapter_of, last_changes

from .chart import HEIGHT, WIDTH, chart
from .games.burgundy import drawing as burgundy
from .guard import guarding
from .pictures import inline
from .reader import languages, remembering
from .served import Served, language, served, words
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
    picture: Mapping[str, Any]
    chapters: Sequence[Chapter]
    """All that was confirmed until then."""
    phases: Mapping[str, int]
    """Letter of each phase that was played -> the moment at which it begins."""
    proofs: Sequence[Proof]

    @property
    def latest(self) -> Chapter | None:
        """What was confirmed last."""
        return self.chapters[-1] if self.chapters else None


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
        words(),
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
    told = words()
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
    can_go_on = served().wish is not None and not record.over and file is not None
    now = served().session.snapshot()["picture"]
    return _page(
        "game.html",
        told,
        name=file or NOW,
        address=_address(file),
        bg_stats=link,
        token=served().token if can_go_on and not guarding().is_guest() else None,
        leaves=words(now)("archive.leaves", players=burgundy.who_plays(now)),
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
    told = _words_of(found.record) if found.record else words()
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
        f"duchy:{event['player']}:{event['space']}": burgundy.Mark("fresh")
        for event in events
        if event["kind"] == "place"
    }
    return _page(
        "replay.html",
        words(moment.picture),
        address=_address(file),
        step=moment,
        events=events,
        latest=moment.latest,
        replaying=True,
        marks=changed,
        mark=lambda place: burgundy.NO_MARK,
        changes=last_changes(moment.chapters, moment.picture["order"]),
        picture_of=inline,
        **drawn(moment.picture),
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
    picture = render_template("result.svg", words=_words_of(record), **_about(record))
    return Response(picture, mimetype="image/svg+xml")


def _page(template: str, told: Words, **data: Any) -> Response:
    page = render_template(template, words=told, language=language(), languages=languages(), **data)
    return remembering(make_response(page))


def _words_of(record: GameRecord) -> Words:
    """Words that call the players of a game by their names."""
    told = words()
    return words({"names": {seat.colour: seat_name(seat, told) for seat in record.seats}})


def _about(record: GameRecord) -> dict[str, Any]:
    """What templates show of a game."""
    return {
        "record": record,
        "rules": served().session.rules,
        "chart": chart(record.timeline, burgundy.PHASES, burgundy.ROUNDS),
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
        return here.session.read(lambda s: record_of(s.rules, s.journal.records()))  # type: ignore[no-any-return]
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
        return _moment(rules, here.session.journal.records(), number, lambda seq: _proofs_now(here, seq))
    try:
        path = here.archive.path(file) if here.archive else None
        return path and _moment(rules, records_in(path), number, lambda seq: _proofs_in(path, seq))
    except (LookupError, JournalError):
        return None


def _moment(rules: Game, records: list[Record], number: int, proofs: Any) -> Step | None:
    setup = next(record.body for record in records if record.kind == "setup")
    state: Any = rules.new(setup)
    units = [unit for unit, _ in replay(rules, records)]
    if number > len(units):
        return None
    chapters = [chapter_of(rules, state, unit) for unit in units[:number]]
    picture = {**rules.picture(state), "names": names_of(records)}
    to_come = [chapter_of(rules, state, unit) for unit in units[number:]]
    return Step(
        number,
        len(units),
        picture,
        chapters,
        _beginnings([*chapters, *to_come]),
        proofs(chapters[-1].seq) if chapters else (),
    )


def _beginnings(chapters: Sequence[Chapter]) -> dict[str, int]:
    """Letter of each phase -> the number of the chapter that begins it, counted from 1."""
    begun = [
        (event["phase"], number)
        for number, chapter in enumerate(chapters, 1)
        for event in chapter.events
        if event["kind"] == "phase"
    ]
    return dict(begun)


def _proofs_now(here: Served, seq: int) -> Sequence[Proof]:
    return here.proofs.of(seq) if here.proofs else ()


def _proofs_in(journal: Path, seq: int) -> Sequence[Proof]:
    """Pictures of a past game, where there are any left."""
    path = Path(f"{journal}.album")
    if not path.exists():
        return ()
    album = Album(path)
    try:
        return album.of(seq)
    finally:
        album.close()
