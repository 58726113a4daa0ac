"""Past games: their list, and the result, replay and exports of each."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

from flask import Blueprint, Response, abort, make_response, render_template, request, send_file

from companion.archive import (
    ON_TABLE,
    SUFFIX,
    GameRecord,
    Listing,
    OmittedGame,
    listing,
    player_records,
    player_statistics,
    record_of,
    rivalries,
)
from companion.archive.exports import as_csv, as_json, bg_stats_link, export_name, seat_name
from companion.archive.standings import AUTOMA
from companion.games import capabilities
from companion.games.api import Rules
from companion.games.player_text import cleaned
from companion.games.registry import UnknownGameError, plugin, rules_of
from companion.journal import JournalError, Record, names_of, read_records, replay, setup_of
from companion.players.coach import can_coach
from companion.session.snapshot import StageView, scores_of, stage_view
from companion.storage.picture_store import EvidencePicture, PictureStore
from companion.text.translator import Translator
from companion.text.turn_log import TurnEntry, latest_score_changes, turn_entry_of

from .chart import HEIGHT, WIDTH, chart
from .context import PageContext, language, page_context, translator
from .game_page import GamePage, Moment, part_of
from .guard import current_guard
from .pictures import inline
from .plain_table import plain_table
from .preferences import languages, store_preferences
from .view import position_context

FAIR = 3.5
"""The average of a die over very many rolls."""
NOW = "now"
"""Name of the game on the table."""
ESCAPE = "~"
"""Prefix for a file that is called NOW or begins with this prefix itself."""

archive = Blueprint("archive", __name__)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a replay: the table after a number of confirmed turns."""

    number: int
    """Confirmed turns; 0 is the empty table."""
    steps: int
    view: Mapping[str, Any]
    turn_entries: Sequence[TurnEntry]
    """All turns that were confirmed until then."""
    game: str
    """The game's name."""
    modules: Sequence[str]
    """Those that are played with."""
    stage: StageView
    scores: Mapping[str, int]
    plain: Mapping[str, Any]
    """What the common templates draw of it (:func:`.plain_table.plain_table`)."""
    sections: Mapping[str, int]
    """Sign of each section that was played (:attr:`.GamePage.section`) -> number of its first step."""
    changed: Sequence[str]
    """The places that look otherwise than one step before."""
    evidence_pictures: Sequence[EvidencePicture]

    @property
    def latest(self) -> TurnEntry | None:
        """Returns the last confirmed turn."""
        return self.turn_entries[-1] if self.turn_entries else None


@archive.get("/games")
def games() -> Response:
    """Lists all games, the players' records and their rivalries; with ``?all`` also the games that are left out."""
    context = page_context()
    past = listing(context.archive, context.session.journal) if context.archive else Listing()
    now = _record(None)
    records = [now, *past.records]
    return _page(
        "games.html",
        translator(),
        now=now,
        past=past.games,
        omitted=past.omitted,
        shows_all="all" in request.args,
        why_omitted=_why_omitted,
        address=_address,
        seat_name=seat_name,
        players=player_records(records),
        rivalries=rivalries(records),
        automa=AUTOMA,
        token=context.token if context.archive and not current_guard().is_guest() else None,
        has_privacy=context.pictures is not None,
        can_delete=_can_delete(),
    )


@archive.get("/players")
def players() -> Response:
    """Shows what players with a name have done over all finished games, for each kind of game."""
    context = page_context()
    past = listing(context.archive, context.session.journal) if context.archive else Listing()
    records = [_record(None), *past.records]
    by_game = {game: player_statistics(records, game) for game in dict.fromkeys(r.game for r in records)}
    return _page(
        "players.html",
        translator(),
        statistics={game: found for game, found in by_game.items() if found},
        rules={game: plugin(game).rules() for game in by_game},
        fair=FAIR,
    )


def _why_omitted(game: OmittedGame) -> str:
    t = translator()
    if game.duplicate_of is None:
        return t("archive.unplayed")
    return (
        t("archive.same_as_now")
        if game.duplicate_of == ON_TABLE
        else t("archive.same_as", name=game.duplicate_of)
    )


@archive.get("/games/<name>")
def game(name: str) -> Response:
    """Shows the result of a game."""
    file = _file(name)
    record = _record(file)
    t = translator_for(record)
    link = bg_stats_link(record, t) if record.over else None
    can_leave = page_context().next_game is not None and not current_guard().is_guest()
    now = page_context().session.snapshot()["view"]
    seats = part_of(page_context().session.rules.name).page.seats(now)
    return _page(
        "game.html",
        t,
        name=file or NOW,
        address=_address(file),
        bg_stats=link,
        picture_name=f"{export_name(record, t)}.png",
        token=page_context().token if can_leave else None,
        can_begin=can_leave and record.over and file is None,
        can_resume=can_leave and not record.over and file is not None,
        leaves=translator(now)("archive.leaves", players=[seat["colour"] for seat in seats]),
        can_delete=file is not None and _can_delete(),
        **_game_context(record),
    )


@archive.get("/games/<name>/delete")
def ask_to_delete(name: str) -> Response:
    """Asks for confirmation to delete a game, which may be unreadable."""
    context, file = page_context(), _file(name)
    if context.archive is None or file is None or not _can_delete():
        abort(404)
    try:
        found = context.archive.game(file)
    except LookupError:
        abort(404)
    t = translator_for(found.record) if found.record else translator()
    omitted = listing(context.archive, context.session.journal).omitted
    copy = next((one for one in omitted if one.game.name == file and one.duplicate_of is not None), None)
    return _page(
        "delete_game.html",
        t,
        game=found,
        stays=copy and t("archive.delete_copy", same=_why_omitted(copy)),
        back_to="/games?all" if "all" in request.args else "/games",
        token=context.token,
    )


def _can_delete() -> bool:
    """Whether the user may delete games."""
    return page_context().pictures is not None and not current_guard().is_guest()


def _address(file: str | None) -> str:
    """Returns the path of the page of the game in *file*, which may have any name; None is the game on the table."""
    if file is None:
        return f"/games/{NOW}"
    return f"/games/{quote(f'{ESCAPE}{file}' if file == NOW or file.startswith(ESCAPE) else file)}"


def _file(name: str) -> str | None:
    """Inverts :func:`_address`: returns the file for the last part of that path, None for the game on the table."""
    context, file = page_context(), name.removeprefix(ESCAPE)
    past = context.archive
    is_on_table = past and str(past.folder / f"{file}{SUFFIX}") == context.session.journal.path
    return None if name == NOW or is_on_table else file


@archive.get("/games/<name>/replay/<int:number>")
def step(name: str, number: int) -> Response:
    """Shows one step of a replay."""
    file = _file(name)
    current = _step(file, number)
    if current is None:
        abort(404)
    events = current.latest.events if current.latest else ()
    part = part_of(current.game)
    t = translator(current.view, current.game)
    moment = Moment(current.view, events, t, modules=current.modules, changed=current.changed)
    return _page(
        "replay.html",
        t,
        address=_address(file),
        step=current,
        events=events,
        latest=current.latest,
        replaying=True,
        place_address=None,
        **current.plain,
        changes=latest_score_changes(current.turn_entries, current.stage["order"]),
        picture_of=inline,
        **position_context(part, moment, current.stage, current.scores),
    )


@archive.get("/games/<name>/game.csv")
def export_csv(name: str) -> Response:
    """Returns the score sheet for spreadsheets; the byte order mark makes Excel read it as UTF-8."""
    record = _record(_file(name))
    t = translator_for(record)
    text = as_csv(record, plugin(record.game).rules(), t)
    return _download(f"\N{ZERO WIDTH NO-BREAK SPACE}{text}", f"{export_name(record, t)}.csv", "text/csv")


@archive.get("/games/<name>/game.json")
def export_json(name: str) -> Response:
    """Returns the whole record for other programs."""
    record = _record(_file(name))
    file_name = f"{export_name(record, translator_for(record))}.json"
    return _download(as_json(record), file_name, "application/json")


@archive.get("/games/<name>/game.svg")
def export_svg(name: str) -> Response:
    """Returns the result as one drawing, which the page can convert to PNG."""
    file = _file(name)
    record = _record(file)
    t = translator_for(record)
    drawn = render_template(
        "result.svg", t=t, boards=_boards(record, _records(file)), **_game_context(record)
    )
    return Response(drawn, mimetype="image/svg+xml")


def _boards(record: GameRecord, records: Sequence[Record]) -> list[Mapping[str, Any]]:
    """Returns what each player's board shows at the end of *records*, the winner's first; none if the game's page
    does not draw boards."""
    if part_of(record.game).is_plain:
        return []
    rules = rules_of(setup_of(records) or {})
    state: Any = rules.new(setup_of(records) or {})
    for _, after in replay(rules, records):
        state = after
    players = {player["colour"]: player for player in rules.view(state)["players"]}
    return [players[colour] for colour in record.ranking if colour in players]


def _page(template: str, t: Translator, **data: Any) -> Response:
    page = render_template(template, t=t, language=language(), languages=languages(), **data)
    return store_preferences(make_response(page))


def game_records(name: str) -> tuple[GameRecord, list[Record]]:
    """Returns a game and its journal's records; aborts with 404 if there is no such game that can be read."""
    file = _file(name)
    record = _record(file)
    try:
        return record, _records(file)
    except (LookupError, JournalError):
        abort(404)


def translator_for(record: GameRecord, view: Mapping[str, Any] | None = None) -> Translator:
    """Returns a translator that knows the players' names in a game, and the boards of a *view* of it."""
    t = translator(game=record.game)
    names = {seat.colour: seat_name(seat, t) for seat in record.seats}
    return translator({**(view or {}), "names": names}, record.game)


def _game_context(record: GameRecord) -> dict[str, Any]:
    """Returns what templates need to show a game."""
    part = part_of(record.game)
    return {
        **part.context(),
        "record": record,
        "rules": plugin(record.game).rules(),
        "can_coach": can_coach(plugin(record.game).rules()),
        "chart": chart(record.timeline, part.page.sections, part.page.rounds),
        "chart_size": (WIDTH, HEIGHT),
    }


def _download(text: str, filename: str, mimetype: str) -> Response:
    """Returns a download of *text*; *filename* may contain any letters (RFC 6266)."""
    content = io.BytesIO(text.encode())
    return send_file(content, mimetype, as_attachment=True, download_name=cleaned(filename))


def _record(file: str | None) -> GameRecord:
    """Returns the game in *file*, None for the one on the table; aborts with 404 if there is none."""
    context = page_context()
    if file is None:
        return context.session.read(lambda s: record_of(s.rules, s.journal.records()))
    try:
        record = context.archive.game(file).record if context.archive else None
    except LookupError:
        record = None
    if record is None:
        abort(404)
    return record


def _path(file: str) -> Path:
    """Returns the journal of a past game. Raises LookupError if there is none."""
    archive = page_context().archive
    if archive is None:
        raise LookupError(file)
    return archive.path(file)


def _records(file: str | None) -> list[Record]:
    """Returns the records of the game in *file*, None for the one on the table.

    :raises LookupError: if there is none.
    :raises JournalError: if it cannot be read.
    """
    return page_context().session.journal.records() if file is None else read_records(_path(file))


def _step(file: str | None, number: int) -> Step | None:
    """Returns the step after *number* confirmed turns; None if there are fewer. Aborts with 404 if there is no such
    game that can be read."""
    context = page_context()
    if file is None:
        return _replayed(_records(None), number, partial(_current_pictures, context))
    _record(file)
    try:
        pictures = partial(_stored_pictures, _path(file))
        return _replayed(_records(file), number, pictures)
    except (LookupError, JournalError, UnknownGameError):
        return None


def _replayed(
    records: list[Record],
    number: int,
    evidence_pictures: Callable[[int], Sequence[EvidencePicture]],
) -> Step | None:
    setup = next(record.body for record in records if record.kind == "setup")
    rules = rules_of(setup)
    state: Any = rules.new(setup)
    entries = [entry for entry, _ in replay(rules, records)]
    if number > len(entries):
        return None
    earlier = [turn_entry_of(rules, state, entry) for entry in entries[: max(0, number - 1)]]
    before = _labels(rules, state)
    turn_entries = [
        *earlier,
        *(turn_entry_of(rules, state, entry) for entry in entries[len(earlier) : number]),
    ]
    after = _labels(rules, state)
    view = {**rules.view(state), "names": names_of(records)}
    part = part_of(rules.name)
    stage, scores = stage_view(rules.stage(state)), scores_of(rules, state)
    plain = plain_table(part, rules, state)
    later = [turn_entry_of(rules, state, entry) for entry in entries[number:]]
    return Step(
        number,
        len(entries),
        view,
        turn_entries,
        rules.name,
        rules.modules_of(state),
        stage,
        scores,
        plain,
        _first_steps([*turn_entries, *later], part.page),
        [place for place, label in after.items() if before.get(place, label) != label],
        evidence_pictures(entries[number - 1].evidence_seq) if number else (),
    )


def _labels(rules: Rules, state: Any) -> dict[str, str]:
    """Returns what lies on each place that a camera could watch."""
    groups = capabilities.observable(rules).visible_layout(state)
    return {f"{group}:{at}": label for group, labels in groups.items() for at, label in enumerate(labels)}


def _first_steps(turn_entries: Sequence[TurnEntry], page: GamePage) -> dict[str, int]:
    """Returns the number of the turn that begins each section, counted from 1, by the section's sign."""
    return {
        sign: number
        for number, turn_entry in enumerate(turn_entries, 1)
        for event in turn_entry.events
        if (sign := page.section(event)) is not None
    }


def _current_pictures(context: PageContext, seq: int) -> Sequence[EvidencePicture]:
    return context.evidence_pictures.of_entry(seq) if context.evidence_pictures else ()


def _stored_pictures(journal: Path, seq: int) -> Sequence[EvidencePicture]:
    """Returns the pictures of a past game's turn that are still stored."""
    path = Path(f"{journal}.album")
    if not path.exists():
        return ()
    picture_store = PictureStore(path)
    try:
        return picture_store.for_entry(seq)
    finally:
        picture_store.close()
