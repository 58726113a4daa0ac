"""What is kept of people, for how long, and how it is deleted; and all games, to be taken away or brought in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

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

from companion.archive.folder_lock import FolderEmptiedError
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
from companion.journal import JournalError
from companion.privacy.erasure import size_of
from companion.runtime.server import LARGEST_REQUEST
from companion.text.translator import Translator

from .commands import check_token, has_token
from .guard import guarding
from .reader import languages, remembering
from .served import language, served, translator

RETENTIONS = (0, 7, 30, 90, 365, None)
"""Days for which pictures may be kept; None is for ever."""

privacy = Blueprint("privacy", __name__)


@privacy.get("/privacy")
def show() -> Response:
    """What is kept here, and what can be done about it."""
    here = served()
    pictures = here.pictures
    if pictures is None or here.archive is None:
        abort(404)
    data_paths, days = pictures.data_paths, pictures.days
    page = render_template(
        "privacy.html",
        t=translator(),
        language=language(),
        languages=languages(),
        guest=guarding().is_guest(),
        token=here.token,
        games=len(data_paths.journals()),
        backup=data_paths.backup,
        pictured=len(data_paths.picture_stores()),
        megabytes=size_of(data_paths.pictures()) / 1e6,
        days=days,
        retentions=RETENTIONS if days in RETENTIONS else (*RETENTIONS, days),
        can_erase=here.next_game is not None,
    )
    return remembering(make_response(page))


@privacy.get("/games.jsonl")
def export_games() -> ResponseReturnValue:
    """All games with all their records, one a line, for another companion."""
    here = served()
    if here.archive is None:
        abort(404)
    if guarding().is_guest():
        return _for_members()
    lines = stream_with_context(exported_lines(here.archive, here.session.journal))
    headers = {"Content-Disposition": f'attachment; filename="table-companion-{date.today()}.jsonl"'}
    return Response(lines, mimetype="application/jsonl", headers=headers)


@privacy.post("/games.jsonl")
def import_games() -> ResponseReturnValue:
    """Takes games that another companion has written, and tells what became of each line."""
    here = served()
    check_token({})
    if here.archive is None:
        abort(404)
    if guarding().is_guest():
        return _for_members()
    request.max_content_length = LARGEST_REQUEST
    told = translator()
    lines = lines_of(request.stream)
    try:
        count, refused = summarize(
            import_lines(here.archive, here.session.rules, lines, here.session.journal)
        )
    except FolderEmptiedError:
        return jsonify(code="emptied", error=told("transfer.emptied")), 409
    except (JournalError, OSError):
        return jsonify(code="not_written", error=told("transfer.not_written")), 422
    return jsonify(told=list(_told(count, refused, told)))


def may_upload(app: Flask, environ: Mapping[str, Any]) -> bool:
    """Whether a request to *app* brings games from somebody who may, by its *environ* without the body."""
    with app.request_context(dict(environ)):
        is_import = request.endpoint == f"{privacy.name}.{import_games.__name__}"
        return is_import and guarding().knows(request.host) and has_token({}) and not guarding().is_guest()


def _for_members() -> ResponseReturnValue:
    return jsonify(code="pin_needed", error=translator()("page.pin_needed")), 403


def _told(count: Mapping[str, int], refused: Sequence[LineResult], told: Translator) -> Iterator[str]:
    """What became of them, in sentences."""
    yield told("transfer.taken", added=count[ADDED], known=count[KNOWN])
    for one in refused:
        assert one.rejection is not None
        why = told(f"transfer.{one.rejection.code}", **one.rejection.data)
        yield told("transfer.line", number=one.number, why=why)
    if count[UNREAD]:
        yield told("transfer.unread", count=count[UNREAD])
