"""The commands that pages can send: each is one entry of :data:`COMMANDS`."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import Blueprint, abort, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import TooManyRequests

from calibration.errors import CompanionError
from companion.games import capabilities
from companion.games.registry import plugin
from companion.privacy.erasure import ErasureError, GameInUseError, erase_game
from companion.session import OVER, CommandRejectedError, TableSession
from companion.session.lesson_guide import LessonGuide
from companion.session.next_game import NextGame
from companion.storage.settings import LONGEST_DAYS

from .context import PageContext, page_context, translator
from .dice import rolled_dice
from .guard import current_guard
from .page import can_reseat, likely_labels, read_labels

TOKEN_HEADER = "X-Companion-Token"
MAX_TEXT = 2000
"""Characters of a field; the moves of a whole layout have about 500."""
MAX_PRESS_MS = 6000
"""Limit of a press on the drawn panel, because a press occupies a thread of the server; every long press is shorter."""

commands = Blueprint("commands", __name__)


class StaleError(CompanionError, ValueError):
    """The command refers to a state that is no longer current."""


class Fields:
    """The fields of a command; a missing or invalid field aborts the request with 400."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data

    def text(self, name: str) -> str:
        value = self._data.get(name)
        if not isinstance(value, str) or len(value) > MAX_TEXT:
            abort(400)
        return value

    def number(self, name: str) -> int:
        text = str(self._data.get(name))
        if not re.fullmatch(r"[0-9]{1,9}", text, re.ASCII):
            abort(400)
        return int(text)

    def choice(self, name: str, choices: Sequence[str]) -> str:
        text = self.text(name)
        if text not in choices:
            abort(400)
        return text

    def __contains__(self, name: str) -> bool:
        return name in self._data


Command = Callable[[PageContext, Fields], None]


def _requires_current_version(command: Command) -> Command:
    """Wraps *command* so that it raises StaleError if the session has changed since the page was rendered."""

    def run(context: PageContext, fields: Fields) -> None:
        version = fields.number("version")

        def locked(session: TableSession) -> None:
            if session.version != version:
                raise StaleError
            command(context, fields)

        context.session.read(locked)

    return run


def _confirm(context: PageContext, fields: Fields) -> None:
    camera = context.camera()
    context.session.confirm(settled=camera is None or bool(camera["settled"]) or bool(camera["error"]))


def _correct(context: PageContext, fields: Fields) -> None:
    place, label = fields.text("place"), fields.text("label")
    known = likely_labels(context.session, place)
    if not known or (label not in known and label not in read_labels(context.session, place)):
        abort(400)
    context.session.correct(place, label)


def _correct_die(context: PageContext, fields: Fields) -> None:
    die = fields.text("die")
    if die not in context.session.read(rolled_dice):
        abort(400)
    context.session.correct_die(die, fields.number("value"))


def _press(context: PageContext, fields: Fields) -> None:
    button = fields.text("button")
    if context.panel is None or button not in context.buttons:
        abort(400)
    if "ms" not in fields:
        context.panel(button, None)
        return
    seconds = min(fields.number("ms"), MAX_PRESS_MS) / 1000
    if not context.press_lock.acquire(blocking=False):
        raise TooManyRequests
    try:
        context.panel(button, seconds)
    finally:
        context.press_lock.release()


def _mute(context: PageContext, fields: Fields) -> None:
    if context.buzzer is None:
        abort(400)
    context.buzzer.mute(bool(fields.number("on")))


def _switch_off(context: PageContext, fields: Fields) -> None:
    if context.power is None:
        abort(400)
    context.session.check_saved(_discarded_records(fields), do="switch_off")
    try:
        context.power.switch_off()
    except OSError:
        context.session.reject("no_power_switch")


def _discarded_records(fields: Fields) -> int:
    """Returns how many unsaved records the user has agreed to lose."""
    return fields.number("unsaved") if "unsaved" in fields else 0


def _new_game(context: PageContext, fields: Fields) -> None:
    if context.next_game is None:
        abort(400)
    context.next_game(NextGame(discarded_records=_discarded_records(fields)))


def _play_again(context: PageContext, fields: Fields) -> None:
    """Begins to set up a game like this one, which is over."""
    if context.next_game is None or context.session.status != OVER:
        abort(400)
    context.next_game(NextGame(repeats=True, discarded_records=_discarded_records(fields)))


def _learn(context: PageContext, fields: Fields) -> None:
    """Begins the lesson of the game on the table, which is kept."""
    if context.next_game is None or plugin(context.session.rules.name).lesson is None:
        abort(400)
    context.next_game(NextGame(learns=True, discarded_records=_discarded_records(fields)))


def _with_guide(step: Callable[[LessonGuide], None]) -> Command:
    """Returns the command that has the guide of a lesson make a *step*."""

    def command(context: PageContext, fields: Fields) -> None:
        if context.guide is None:
            abort(400)
        step(context.guide)

    return command


def _reseat(context: PageContext, fields: Fields) -> None:
    if context.next_game is None or not context.session.read(can_reseat):
        abort(400)
    context.next_game(NextGame(reseats=True, discarded_records=_discarded_records(fields)))


def _resume_game(context: PageContext, fields: Fields) -> None:
    """Switches to another unfinished game; this one stays in the archive."""
    if context.next_game is None or context.archive is None:
        abort(400)
    name = fields.text("game")
    try:
        record = context.archive.game(name).record
    except LookupError:
        abort(400)
    if record is None or record.over:
        abort(400)
    context.next_game(NextGame(name, discarded_records=_discarded_records(fields)))


def _play_on_unsaved(context: PageContext, fields: Fields) -> None:
    """Continues although confirmed turns cannot be saved now; only allowed after a rejection for that reason."""
    rejection = context.session.snapshot()["rejection"]
    if rejection is None or rejection["code"] != "not_recorded":
        abort(400)
    context.session.continue_unsaved()


def _adjust(context: PageContext, fields: Fields) -> None:
    """Corrects the counts that differ from those on the page; a marker can also be put on top of its own stack."""
    player = fields.text("player")
    counts = {
        what: (fields.number(f"{what}.was"), fields.number(what))
        for what in (count.what for count in context.session.counts(player))
        if what in fields
    }
    changed = {
        what: (was, now) for what, (was, now) in counts.items() if was != now or f"{what}.again" in fields
    }
    reason = fields.text("reason") if "reason" in fields else fields.text("own")
    context.session.adjust(player, changed, reason)


def _set_picture_retention(context: PageContext, fields: Fields) -> None:
    """Sets for how many days pictures are stored; ``ever`` is for ever."""
    if context.pictures is None:
        abort(400)
    days = None if fields.text("days") == "ever" else fields.number("days")
    if days is not None and days > LONGEST_DAYS:
        abort(400)
    try:
        context.pictures.set_days(days)
    except ErasureError:
        context.session.reject("not_deleted")
    except OSError:
        context.session.reject("choice_not_saved")


def _delete_pictures(context: PageContext, fields: Fields) -> None:
    if context.pictures is None:
        abort(400)
    try:
        context.pictures.delete()
    except OSError:
        context.session.reject("not_deleted")


def _delete_game(context: PageContext, fields: Fields) -> None:
    """Deletes a game that is not on the table."""
    if context.pictures is None or context.archive is None:
        abort(400)
    try:
        erase_game(context.pictures.data_paths, context.archive, fields.text("game"))
    except LookupError:
        abort(400)
    except GameInUseError:
        context.session.reject("game_in_use")
    except OSError:
        context.session.reject("not_deleted")


def _delete_everything(context: PageContext, fields: Fields) -> None:
    """Leaves this game and deletes all games."""
    if context.next_game is None or context.pictures is None:
        abort(400)
    context.next_game(NextGame(erases=True))


def _new_code(context: PageContext, fields: Fields) -> None:
    """Lets another phone join a player's own page, and shuts out the one before."""
    player = fields.choice("player", context.session.snapshot()["own_pages"])
    context.own_phones.renew(player)


def _tap(context: PageContext, fields: Fields) -> None:
    """Enters moves one after the other, up to one that is refused: ``end; take ship 4.0 die 4``."""

    def locked(session: TableSession) -> None:
        for text in fields.text("text").split("; "):
            session.tap(text)

    context.session.read(locked)


def _enter_roll(context: PageContext, fields: Fields) -> None:
    """Enters all dice of a roll: a field for each, named ``red:0``."""
    awaited = capabilities.dice(context.session.rules).expected_dice(context.session.state)
    values = {
        colour: [fields.number(f"{colour}:{i}") for i in range(count)] for colour, count in awaited.items()
    }
    context.session.enter_roll(values)


COMMANDS: dict[str, Command] = {
    "confirm": _requires_current_version(_confirm),
    "undo": _requires_current_version(lambda context, fields: context.session.undo()),
    "redo": _requires_current_version(lambda context, fields: context.session.redo()),
    "next": _requires_current_version(lambda context, fields: context.session.next_alternative()),
    "answer": _requires_current_version(
        lambda context, fields: context.session.answer(fields.text("about"), fields.text("value"))
    ),
    "correct": _correct,
    "correct_die": _correct_die,
    "tap": _tap,
    "roll": _requires_current_version(_enter_roll),
    "draw": _requires_current_version(lambda context, fields: context.session.draw()),
    "press": _press,
    "adjust": _adjust,
    "rule": _requires_current_version(lambda context, fields: context.session.override()),
    "enter_again": lambda context, fields: context.session.reenter(fields.number("seq")),
    "watch": lambda context, fields: context.session.watch(
        **{fields.choice("part", context.session.watchable): fields.number("on") > 0}
    ),
    "mute": _mute,
    "new_code": _new_code,
    "hold": _play_on_unsaved,
    "new_game": _new_game,
    "again": _play_again,
    "reseat": _reseat,
    "learn": _learn,
    "lesson_next": _with_guide(LessonGuide.go_on),
    "lesson_stop": _with_guide(LessonGuide.stop),
    "switch_off": _switch_off,
    "go_on": _resume_game,
    "keep_pictures": _set_picture_retention,
    "delete_pictures": _delete_pictures,
    "delete_game": _delete_game,
    "delete_everything": _delete_everything,
    "call": lambda context, fields: context.session.rename_player(fields.text("player"), fields.text("name")),
}


def _in_lesson(command: Command, context: PageContext, fields: Fields, guide: LessonGuide) -> None:
    """Runs a command, and rolls and draws before anybody sees its effect."""

    def locked(session: TableSession) -> None:
        command(context, fields)
        guide.draw()

    context.session.read(locked)


def check_token(given: Mapping[str, Any]) -> None:
    """Aborts the request with 403 unless its header or its *given* fields contain the page's token."""
    if not has_token(given):
        abort(403)


def has_token(given: Mapping[str, Any]) -> bool:
    """Whether the header of the request or its *given* fields contain the page's token."""
    token = request.headers.get(TOKEN_HEADER) or given.get("token")
    return isinstance(token, str) and secrets.compare_digest(token.encode(), page_context().token.encode())


@commands.post("/do")
def do() -> ResponseReturnValue:
    """Runs one command, given as JSON or as a form: ``{"do": "confirm", "version": 12}``."""
    context = page_context()
    given = request.get_json() if request.is_json else request.form
    if not isinstance(given, Mapping):
        abort(400)
    check_token(given)
    if current_guard().is_guest():
        return jsonify(code="pin_needed", error=translator()("page.pin_needed")), 403
    fields = Fields(given)
    command = COMMANDS.get(fields.text("do"))
    if command is None:
        abort(400)
    try:
        if context.guide is None:
            command(context, fields)
        else:
            _in_lesson(command, context, fields, context.guide)
    except StaleError:
        error = translator()("page.just_changed")
        return jsonify(code="stale", error=error, state=context.session.snapshot()), 409
    except CommandRejectedError as rejected:
        view = context.session.snapshot()["view"]
        return jsonify(code=rejected.code, error=translator(view).reason(rejected.code, rejected.data)), 422
    return jsonify(version=context.session.version, status=context.session.status)
