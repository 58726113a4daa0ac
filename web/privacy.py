"""The privacy page: what is stored about people, for how long, and its deletion; also export and import of games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any, BinaryIO, cast

from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    jsonify,
    make_response,
    render_template,
    request,
    stream_with_context,
)
from flask.typing import ResponseReturnValue

from companion.archive import Archive
from companion.archive.folder_lock import FolderBusyError, FolderEmptiedError
from companion.archive.transfer import (
    ADDED,
    KNOWN,
    UNREAD,
    LineResult,
    exported_lines,
    import_lines,
    lines_of,
    summarize,
)
from companion.games import capabilities
from companion.games.api import Rules
from companion.games.registry import plugin
from companion.journal import JournalError
from companion.privacy.erasure import size_of
from companion.session import OVER, TableSession
from companion.text.translator import Translator

from .commands import check_token, has_token
from .context import language, page_context, translator
from .guard import current_guard
from .limits import MAX_UPLOAD_BYTES
from .preferences import languages, store_preferences

RETENTIONS = (0, 7, 30, 90, 365, None)
"""Days for which pictures may be stored; None is for ever."""

privacy = Blueprint("privacy", __name__)


@privacy.get("/privacy")
def show() -> Response:
    """Shows what is stored, with forms to delete it."""
    context = page_context()
    pictures = context.pictures
    if pictures is None or context.archive is None:
        abort(404)
    data_paths, days = pictures.data_paths, pictures.days
    page = render_template(
        "privacy.html",
        t=translator(),
        language=language(),
        languages=languages(),
        guest=current_guard().is_guest(),
        token=context.token,
        games=len(data_paths.journals()),
        backup=data_paths.backup,
        games_with_pictures=len(data_paths.picture_stores()),
        megabytes=size_of(data_paths.pictures()) / 1e6,
        days=days,
        retentions=RETENTIONS if days in RETENTIONS else (*RETENTIONS, days),
        can_erase=context.next_game is not None,
    )
    return store_preferences(make_response(page))


@privacy.get("/games.jsonl")
def export_games() -> ResponseReturnValue:
    """Returns all games with all their records for another companion, one game per line.

    Unfinished games in which players have secrets are left out: their records hold them.
    """
    context = page_context()
    if context.archive is None:
        abort(404)
    if current_guard().is_guest():
        return _pin_needed()
    hidden = partial(_has_open_secrets, context.archive, context.session)
    exported = exported_lines(context.archive, context.session.journal, is_hidden=hidden)
    lines = stream_with_context(exported)
    headers = {"Content-Disposition": f'attachment; filename="table-companion-{date.today()}.jsonl"'}
    return Response(lines, mimetype="application/jsonl", headers=headers)


def _has_open_secrets(archive: Archive, session: TableSession, name: str) -> bool:
    """Whether the records of a game hold secrets that its players do not know of each other yet."""
    if str(archive.path(name)) == session.journal.path:
        return session.status != OVER and _has_secrets(session.rules)
    try:
        record = archive.game(name).record
    except LookupError:
        return False  # it is no game
    return record is not None and not record.over and _has_secrets(plugin(record.game).rules())


def _has_secrets(rules: Rules) -> bool:
    return isinstance(rules, capabilities.Secrets)


@privacy.post("/games.jsonl")
def import_games() -> ResponseReturnValue:
    """Imports games that another companion has written, and reports the result of each line."""
    context = page_context()
    check_token({})
    if context.archive is None:
        abort(404)
    if current_guard().is_guest():
        return _pin_needed()
    request.max_content_length = MAX_UPLOAD_BYTES
    t = translator()
    lines = lines_of(cast(BinaryIO, request.stream))
    try:
        count, refused = summarize(import_lines(context.archive, lines, context.session.journal))
    except FolderEmptiedError:
        return jsonify(code="emptied", error=t("transfer.emptied")), 409
    except FolderBusyError:
        return jsonify(code="busy", error=t("transfer.busy")), 409
    except (JournalError, OSError):
        return jsonify(code="not_written", error=t("transfer.not_written")), 422
    return jsonify(messages=list(_import_report(count, refused, t)))


def may_upload(app: Flask, environ: Mapping[str, Any]) -> bool:
    """Whether a request to *app* is an import by somebody who may import; *environ* has no body yet."""
    with app.request_context(dict(environ)):
        is_import = request.endpoint == f"{privacy.name}.{import_games.__name__}"
        return (
            is_import
            and current_guard().knows(request.host)
            and has_token({})
            and not current_guard().is_guest()
        )


def _pin_needed() -> ResponseReturnValue:
    return jsonify(code="pin_needed", error=translator()("page.pin_needed")), 403


def _import_report(count: Mapping[str, int], refused: Sequence[LineResult], t: Translator) -> Iterator[str]:
    """Yields the result of an import in sentences."""
    yield t("transfer.imported", added=count[ADDED], known=count[KNOWN])
    for line in refused:
        assert line.rejection is not None
        why = t(f"transfer.{line.rejection.code}", **line.rejection.data)
        yield t("transfer.line", number=line.number, why=why)
    if count[UNREAD]:
        yield t("transfer.unread", count=count[UNREAD])
