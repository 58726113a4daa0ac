"""The table page and the sheets that open over it; the parts that change are rendered by :mod:`.view`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, jsonify, make_response, render_template, request

from companion.archive import known_names
from companion.games import capabilities
from companion.games.capabilities import description_for
from companion.games.lesson import LESSON
from companion.games.narration import events_of
from companion.games.player_text import LONGEST_NAME
from companion.games.registry import plugin
from companion.players.coach import can_coach
from companion.session import DRAFTING, LONGEST_REASON, OVER, REASONS, WATCHING, TableSession
from companion.text.turn_log import by_round, notable_events

from .context import language, page_context, translator
from .dice import rolled_dice
from .game_page import part_of
from .guard import current_guard
from .pictures import inline, picture_at
from .preferences import PANELS, languages, panel_choice, shows_clock, shows_coach, store_preferences
from .view import current_view, shown_parts

WAYS_TO_LEAVE: Mapping[str, Callable[[TableSession], bool]] = {
    "new_game": lambda session: True,
    "again": lambda session: session.status == OVER,
    "reseat": lambda session: can_reseat(session),
    "learn": lambda session: plugin(session.rules.name).lesson is not None and not session.setup.get(LESSON),
}
"""Commands that leave the game for the setup form, each with when it is possible."""
BY_HAND = ("boards_by_hand", "entered_by_hand", "partly_watched", "secrets_awaited")
"""Notices by which nothing will be seen that could be confirmed."""
HELP_TOPICS = ("header", "scores", "card", "boards", "log", "menu")
"""What the help explains of every screen: names of texts ``help.what``, from the top to the bottom."""
MAX_PX = 1_000_000
"""Outside any picture: a larger coordinate is a mistake."""

page = Blueprint("page", __name__)


@page.get("/")
def index() -> Response:
    """Shows the table page."""
    page = render_template(
        "page.html",
        t=translator(),
        language=language(),
        languages=languages(),
        guest=current_guard().is_guest(),
        panel=panel_choice(),
        shows_clock=shows_clock(),
        shows_coach=shows_coach(),
        is_lesson=page_context().guide is not None,
        table=current_view().html(),
    )
    return store_preferences(make_response(page))


@page.get("/table")
def table() -> str:
    """Returns the view of the table, without the parts that the page already shows (see :class:`.view.View`)."""
    return current_view().html(shown_parts())


@page.get("/place/<place>")
def place(place: str) -> str:
    """Shows one place of the table, to correct its tile or to enter a move."""
    likely, read, shown = page_context().session.read(
        lambda s: (
            likely_labels(s, place) if _is_read(s, place) or s.choices(place) else [],
            read_labels(s, place),
            shown_label(s, place),
        )
    )
    jpeg = picture_at(place) if likely else None
    return place_sheet(
        place,
        likely=likely,
        shown=shown,
        others=[label for label in read if label not in likely],
        read=read,
        picture=jpeg and inline(jpeg),
    )


@page.get("/die/<die>")
def die(die: str) -> str:
    """Shows the six values of a die, to correct it."""
    session = page_context().session
    if die not in session.read(rolled_dice):
        abort(404)
    return render_template("die.html", t=translator(session.snapshot()["view"]), die=die)


@page.get("/player/<player>")
def player(player: str) -> str:
    """Shows the form for a player's name, which offers names of past games."""
    context = page_context()
    view = context.session.snapshot()["view"]
    if player not in [seat["colour"] for seat in view["players"]]:
        abort(404)
    past = context.archive.records(excluding=context.session.journal.path) if context.archive else []
    taken = view["names"].values()
    return render_template(
        "player.html",
        t=translator(view),
        player=player,
        can_adjust=bool(context.session.counts(player)),
        name=view["names"].get(player, ""),
        names=[name for name in known_names(past) if name not in taken],
        longest=LONGEST_NAME,
    )


@page.get("/adjust/<player>")
def adjust(player: str) -> str:
    """Shows the form that corrects a player's counts."""
    snapshot, counts = page_context().session.read(lambda s: (s.snapshot(), s.counts(player)))
    if not counts:
        abort(404)
    return render_template(
        "adjust.html",
        t=translator(snapshot["view"]),
        player=player,
        counted={kind: list(group) for kind, group in groupby(counts, lambda c: c.what.partition(":")[0])},
        reasons=REASONS,
        longest=LONGEST_REASON,
    )


@page.get("/score/<player>")
def score(player: str) -> str:
    """Shows where a player's points come from: by source, and turn by turn with their rules."""
    context = page_context()
    snapshot, turn_entries, sheet = context.session.read(
        lambda s: (s.snapshot(), context.turn_log.turn_entries(), s.rules.score_sheet(s.state))
    )
    if player not in sheet:
        abort(404)
    t = translator(snapshot["view"])
    rounds = [
        (round_event, scored)
        for round_event, of_round in by_round(turn_entries, t.narration)
        if (
            scored := [e for entry in of_round for e in entry.events if e["player"] == player and e["points"]]
        )
    ]
    return render_template(
        "score.html",
        t=t,
        player=player,
        sheet=sheet[player],
        notes=_score_notes(snapshot["view"], player),
        rounds=rounds,
        kinds=[
            kind
            for kind in dict.fromkeys(event["kind"] for _, scored in rounds for event in scored)
            if t.has(f"counted.{kind}")
        ],
        can_adjust=bool(context.session.counts(player)),
    )


def _score_notes(view: Mapping[str, Any], player: str) -> Mapping[str, str]:
    """Returns what is to be said about lines of a player's score sheet: source -> name of a text ``score_note``."""
    seats: Iterable[Mapping[str, Any]] = view.get("players", ())
    return next(
        (seat["score_notes"] for seat in seats if seat["colour"] == player and "score_notes" in seat), {}
    )


@page.get("/turn/<int:seq>")
def turn(seq: int) -> str:
    """Shows a confirmed turn, to correct it."""
    context = page_context()
    entry = next((entry for entry in context.session.entries() if entry.seq == seq), None)
    if entry is None:
        abort(404)
    owner_of = capabilities.secrets(context.session.rules).owner_of
    return render_template(
        "turn.html",
        t=translator(context.session.snapshot()["view"]),
        entry=entry,
        moves=[description_for(context.session.rules, move) for move in entry.moves],
        is_secret=any(owner_of(move) for move in entry.moves),
        evidence_pictures=context.evidence_pictures.of_entry(entry.evidence_seq)
        if context.evidence_pictures
        else [],
        picture_of=inline,
    )


@page.get("/why")
def why() -> str:
    """Shows the evidence for the proposal, and why a player of the companion makes its moves."""
    context = page_context()
    snapshot = context.session.snapshot()
    bot_turn = events_of(snapshot["bot_turn"]) if snapshot["bot_turn"] else []
    t = translator(snapshot["view"])
    steps = [(event, t.steps(event["steps"])) for event in bot_turn if event.get("steps")]
    if snapshot["proposal"] is None and not steps:
        abort(404)
    return render_template(
        "why.html",
        t=t,
        proposal=snapshot["proposal"],
        steps=steps,
        evidence_pictures=context.evidence_pictures.of_proposal() if context.evidence_pictures else [],
        picture_of=inline,
    )


@page.get("/story")
def turn_log() -> str:
    """Shows all turns, latest first; each can be opened and corrected."""
    context = page_context()
    t = translator(context.session.snapshot()["view"])
    return render_template(
        "turn_log.html",
        t=t,
        rounds=by_round(context.turn_log.turn_entries(), t.narration),
        notable_events=partial(notable_events, narration=t.narration),
    )


@page.get("/moves")
def moves() -> str:
    """Shows what can be entered by hand: every legal move, or the steps that lead to it (``?step=a&step=b``)."""
    return moves_sheet()


@page.get("/menu")
def menu() -> str:
    """Shows the menu."""
    context = page_context()
    has_next_game = context.next_game is not None
    may_reseat = has_next_game and context.session.read(can_reseat)
    return render_template(
        "menu.html",
        t=translator(),
        languages=languages(),
        panel=panel_choice(),
        panels=PANELS if context.panel else (),
        buzzer=context.buzzer,
        can_begin=has_next_game,
        can_reseat=may_reseat,
        can_learn=has_next_game and WAYS_TO_LEAVE["learn"](context.session),
        power=context.power,
        watched=context.session.watched,
        watchable=() if context.camera() is None else context.session.watchable,
        has_health=context.health is not None,
        shows_clock=shows_clock(),
        can_coach=can_coach(context.session.rules),
        shows_coach=shows_coach(),
    )


@page.get("/help")
def help_sheet() -> str:
    """Explains the screen that is shown now: what to do, and what is what."""
    session = page_context().session
    return render_template("help.html", t=translator(), topic=_help_topic(session), topics=HELP_TOPICS)


def _help_topic(session: TableSession) -> str:
    """Returns the name of the text ``help.now`` about what people do now."""
    snapshot = session.snapshot()
    notice = snapshot["notice"]
    if part_of(session.rules.name).page.setup(session, snapshot):
        return "setup"
    if session.status == WATCHING and notice and notice["code"] in BY_HAND:
        return "by_hand"
    return session.status


@page.get("/leave/<how>")
def leave(how: str) -> str:
    """Asks for confirmation before people leave the game for the setup form."""
    context = page_context()
    session = context.session
    view = session.snapshot()["view"]
    if context.next_game is None or how not in WAYS_TO_LEAVE or not session.read(WAYS_TO_LEAVE[how]):
        abort(404)
    return render_template(
        "leave.html",
        t=translator(view),
        how=how,
        players=[seat["colour"] for seat in part_of(session.rules.name).page.seats(view)],
        is_over=session.status == OVER,
        is_drafting=session.status == DRAFTING,
    )


@page.get("/switch-off")
def switch_off() -> str:
    """Asks for confirmation before the machine is switched off."""
    if page_context().power is None:
        abort(404)
    return render_template("switch_off.html", t=translator())


@page.get("/rules")
def rules() -> str:
    """Shows the table rules, which settle what the printed rules leave open, and what is not checked."""
    session = page_context().session
    return render_template(
        "rules.html",
        t=translator(),
        table_rules=session.read(lambda s: s.rules.table_rules(s.state)),
        snapshot=session.snapshot(),
    )


@page.get("/picture")
def picture() -> str:
    """Shows the last camera picture, enlarged."""
    return render_template("picture.html", t=translator(), seen=page_context().session.version)


@page.get("/frame")
def frame() -> Response:
    """Returns the last camera picture."""
    context = page_context()
    jpeg = context.frame and context.frame()
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg")


@page.get("/crop/<int(signed=True):x>,<int(signed=True):y>,<int:width>,<int:height>")
def crop(x: int, y: int, width: int, height: int) -> Response:
    """Returns a part of the last camera picture, for a question about a die."""
    jpeg = (
        page_context().crop((x, y, width, height)) if max(abs(x), abs(y), width, height) <= MAX_PX else None
    )
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg")


@page.get("/seen/<place>")
def seen(place: str) -> Response:
    """Returns the last camera picture of a place."""
    jpeg = picture_at(place)
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg")


@page.get("/snapshot")
def snapshot() -> Response:
    """Returns the session's snapshot as JSON."""
    return jsonify(page_context().session.snapshot())


def place_sheet(place: str, *, viewer: str | None = None, **correction: Any) -> str:
    """Returns what *viewer* sees of one place and can enter there, or that there is nothing to do.

    *correction* is what the page needs to correct what the camera has read.
    """
    session = page_context().session
    part = part_of(session.rules.name)
    snapshot, modules, legal, illegal = session.read(
        lambda s: (
            s.snapshot(viewer),
            s.rules.modules_of(s.state),
            s.legal_moves(viewer),
            s.illegal_moves(place),
        )
    )
    moves = part.page.moves_at(place, snapshot["view"], legal)
    return render_template(
        "place.html",
        t=translator(snapshot["view"]),
        place=place,
        edition=snapshot["view"].get("edition", ""),
        moves=moves,
        illegal_moves=illegal,
        view=snapshot["view"],
        of_modules=partial(part.of_modules, modules),
        **correction,
    )


def moves_sheet(template: str | None = None, viewer: str | None = None, address: str = "/moves") -> str:
    """Returns the sheet with what *viewer* can enter now, after the steps that the request names.

    Its further steps are at *address*; *template* is the game's own unless it is given.
    """
    session = page_context().session
    path, part = request.args.getlist("step"), part_of(session.rules.name)
    snapshot, modules, choices = session.read(
        lambda s: (s.snapshot(viewer), s.rules.modules_of(s.state), s.move_choices(path, viewer))
    )
    return render_template(
        template or part.slot("moves"),
        t=translator(snapshot["view"]),
        view=snapshot["view"],
        legal_moves=lambda: session.legal_moves(viewer),
        preview=session.preview,
        of_modules=partial(part.of_modules, modules),
        path=path,
        choices=choices,
        steps_at=lambda steps: f"{address}?{urlencode({'step': steps}, doseq=True)}" if steps else address,
    )


def can_reseat(session: TableSession) -> bool:
    """Whether the seats can still be changed: until the end of the first round."""
    return not any(session.rules.score_history(session.state).values())


def _is_read(session: TableSession, place: str) -> bool:
    """Whether a camera reads *place*, so that somebody may have to say what lies there."""
    return capabilities.observable(session.rules).part_of(place.rpartition(":")[0]) in session.watched


def likely_labels(session: TableSession, place: str) -> list[str]:
    """Returns the labels that *place* may have after a legal turn or layout; empty if there is no such place."""
    group, _, index = place.rpartition(":")
    labels = capabilities.observable(session.rules).visible_layout(session.state).get(group, ())
    if index not in map(str, range(len(labels))):
        return []
    page_of_game = part_of(session.rules.name).page
    if choices := session.choices(place):
        return page_of_game.in_order(choices)
    return page_of_game.labels_for(place, labels[int(index)], session.rules.view(session.state))


def shown_label(session: TableSession, place: str) -> str | None:
    """Returns the label of *place* in the position that is shown; None if it has no such place."""
    group, _, index = place.rpartition(":")
    labels = capabilities.observable(session.rules).visible_layout(session.shown_state).get(group, ())
    return dict(zip(map(str, range(len(labels))), labels, strict=True)).get(index)


def read_labels(session: TableSession, place: str) -> dict[str, float]:
    """Returns the labels that the camera last read on *place* with their probabilities, most probable first."""
    sighting = session.snapshot()["sighting"]
    reading = sighting and sighting["places"].get(place)
    if not reading or reading["hidden"]:
        return {}
    return dict(sorted(reading["p"].items(), key=lambda item: -item[1]))
