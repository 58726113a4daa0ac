"""What a page may ask for: every command is one entry of :data:`COMMANDS`."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import Blueprint, abort, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import TooManyRequests

from companion.privacy.erasure import GameInUseError, erase_game
from companion.runtime.game_runner import NextGame
from companion.session import CommandRejectedError, TableSession
from companion.session.belief import WATCHABLE
from companion.storage.settings import LONGEST_DAYS

from .guard import guarding
from .page import can_reseat, dice_on_table, likely_labels, read_labels
from .served import Served, served, translator

TOKEN_HEADER = "X-Companion-Token"
LONGEST_TEXT = 2000
"""Characters of a field; the moves of a whole layout are about 500."""
LONGEST_PRESS_MS = 6000
"""A finger on a key of the drawn panel keeps a thread of the server no longer than that, and there is one such finger;
whatever can be held is by then."""

commands = Blueprint("commands", __name__)


class StaleError(ValueError):
    """The page has decided by a state that is no longer the latest."""


class Fields:
    """What a command brought with it; a field that is missing or not readable ends the request with 400."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data

    def text(self, name: str) -> str:
        value = self._data.get(name)
        if not isinstance(value, str) or len(value) > LONGEST_TEXT:
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


Command = Callable[[Served, Fields], None]


def _on_what_is_shown(command: Command) -> Command:
    """A command that is followed only when nothing has changed since the page decided."""

    def follow(here: Served, fields: Fields) -> None:
        version = fields.number("version")

        def now(session: TableSession) -> None:
            if session.version != version:
                raise StaleError
            command(here, fields)

        here.session.read(now)

    return follow


def _confirm(here: Served, fields: Fields) -> None:
    camera = here.camera()
    here.session.confirm(settled=camera is None or bool(camera["settled"]) or bool(camera["error"]))


def _correct(here: Served, fields: Fields) -> None:
    place, label = fields.text("place"), fields.text("label")
    known = likely_labels(here.session, place)
    if not known or (label not in known and label not in read_labels(here.session, place)):
        abort(400)
    here.session.correct(place, label)


def _correct_die(here: Served, fields: Fields) -> None:
    die = fields.text("die")
    if die not in dice_on_table(here.session.snapshot()["view"]):
        abort(400)
    here.session.correct_die(die, fields.number("value"))


def _press(here: Served, fields: Fields) -> None:
    button = fields.text("button")
    if here.panel is None or button not in here.buttons:
        abort(400)
    if "ms" not in fields:
        here.panel(button, None)
        return
    held = min(fields.number("ms"), LONGEST_PRESS_MS) / 1000
    if not here.finger.acquire(blocking=False):
        raise TooManyRequests
    try:
        here.panel(button, held)
    finally:
        here.finger.release()


def _mute(here: Served, fields: Fields) -> None:
    if here.buzzer is None:
        abort(400)
    here.buzzer.mute(bool(fields.number("on")))


def _switch_off(here: Served, fields: Fields) -> None:
    if here.power is None:
        abort(400)
    here.session.check_saved(_given_up(fields), do="switch_off")
    try:
        here.power.switch_off()
    except OSError:
        here.session.decline("no_power_switch")


def _given_up(fields: Fields) -> int:
    """How many records that cannot be saved are left behind, by who was told of them."""
    return fields.number("unsaved") if "unsaved" in fields else 0


def _new_game(here: Served, fields: Fields) -> None:
    if here.next_game is None:
        abort(400)
    here.next_game(NextGame(gives_up=_given_up(fields)))


def _reseat(here: Served, fields: Fields) -> None:
    if here.next_game is None or not can_reseat(here.session.snapshot()["view"]):
        abort(400)
    here.next_game(NextGame(reseats=True, gives_up=_given_up(fields)))


def _go_on(here: Served, fields: Fields) -> None:
    """Leaves this game, which is kept, for another one that was not finished."""
    if here.next_game is None or here.archive is None:
        abort(400)
    name = fields.text("game")
    try:
        record = here.archive.game(name).record
    except LookupError:
        abort(400)
    if record is None or record.over:
        abort(400)
    here.next_game(NextGame(name, gives_up=_given_up(fields)))


def _hold(here: Served, fields: Fields) -> None:
    """Play goes on though what is confirmed cannot be saved for now: the answer to a refusal for that reason."""
    refused = here.session.snapshot()["rejection"]
    if refused is None or refused["code"] != "not_recorded":
        abort(400)
    here.session.play_on_unsaved()


def _adjust(here: Served, fields: Fields) -> None:
    """Counts that differ from what the page showed; a marker may be laid on top of its stack where it is."""
    player = fields.text("player")
    counts = {
        what: (fields.number(f"{what}.was"), fields.number(what))
        for what in (count.what for count in here.session.counts(player))
        if what in fields
    }
    changed = {
        what: (was, now) for what, (was, now) in counts.items() if was != now or f"{what}.again" in fields
    }
    reason = fields.text("reason") if "reason" in fields else fields.text("own")
    here.session.adjust(player, changed, reason)


def _keep_pictures(here: Served, fields: Fields) -> None:
    """For so many days; ``ever`` is for ever."""
    if here.pictures is None:
        abort(400)
    days = None if fields.text("days") == "ever" else fields.number("days")
    if days is not None and days > LONGEST_DAYS:
        abort(400)
    try:
        here.pictures.set_days(days)
    except OSError:
        here.session.decline("not_deleted")


def _delete_pictures(here: Served, fields: Fields) -> None:
    if here.pictures is None:
        abort(400)
    try:
        here.pictures.delete()
    except OSError:
        here.session.decline("not_deleted")


def _delete_game(here: Served, fields: Fields) -> None:
    """Deletes a game that is not on the table."""
    if here.pictures is None or here.archive is None:
        abort(400)
    try:
        erase_game(here.pictures.data_paths, here.archive, fields.text("game"))
    except LookupError:
        abort(400)
    except GameInUseError:
        here.session.decline("game_in_use")
    except OSError:
        here.session.decline("not_deleted")


def _delete_everything(here: Served, fields: Fields) -> None:
    """Leaves this game, and deletes it with all others."""
    if here.next_game is None or here.pictures is None:
        abort(400)
    here.next_game(NextGame(erases=True))


COMMANDS: dict[str, Command] = {
    "confirm": _on_what_is_shown(_confirm),
    "undo": _on_what_is_shown(lambda here, fields: here.session.undo()),
    "redo": _on_what_is_shown(lambda here, fields: here.session.redo()),
    "next": _on_what_is_shown(lambda here, fields: here.session.next_alternative()),
    "answer": _on_what_is_shown(
        lambda here, fields: here.session.answer(fields.text("about"), fields.text("value"))
    ),
    "correct": _correct,
    "correct_die": _correct_die,
    "tap": lambda here, fields: here.session.tap(fields.text("text")),
    "press": _press,
    "adjust": _adjust,
    "rule": _on_what_is_shown(lambda here, fields: here.session.rule()),
    "enter_again": lambda here, fields: here.session.enter_again(fields.number("seq")),
    "watch": lambda here, fields: here.session.watch(
        **{fields.choice("part", WATCHABLE): fields.number("on") > 0}
    ),
    "mute": _mute,
    "hold": _hold,
    "new_game": _new_game,
    "reseat": _reseat,
    "switch_off": _switch_off,
    "go_on": _go_on,
    "keep_pictures": _keep_pictures,
    "delete_pictures": _delete_pictures,
    "delete_game": _delete_game,
    "delete_everything": _delete_everything,
    "call": lambda here, fields: here.session.call(fields.text("player"), fields.text("name")),
}


def check_token(given: Mapping[str, Any]) -> None:
    """Ends the request with 403 unless it comes from this page, by its header or by what was *given*."""
    if not has_token(given):
        abort(403)


def has_token(given: Mapping[str, Any]) -> bool:
    """Whether the request comes from this page, by its header or by what was *given*."""
    token = request.headers.get(TOKEN_HEADER) or given.get("token")
    return isinstance(token, str) and secrets.compare_digest(token.encode(), served().token.encode())


@commands.post("/do")
def do() -> ResponseReturnValue:
    """Follows one command, given as JSON or as a form: ``{"do": "confirm", "version": 12}``."""
    here = served()
    given = request.get_json() if request.is_json else request.form
    if not isinstance(given, Mapping):
        abort(400)
    check_token(given)
    if guarding().is_guest():
        return jsonify(code="pin_needed", error=translator()("page.pin_needed")), 403
    fields = Fields(given)
    command = COMMANDS.get(fields.text("do"))
    if command is None:
        abort(400)
    try:
        command(here, fields)
    except StaleError:
        error = translator()("page.just_changed")
        return jsonify(code="stale", error=error, state=here.session.snapshot()), 409
    except CommandRejectedError as refused:
        view = here.session.snapshot()["view"]
        return jsonify(code=refused.code, error=translator(view).reason(refused.code, refused.data)), 422
    return jsonify(version=here.session.version, status=here.session.status)
