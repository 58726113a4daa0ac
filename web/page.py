"""The page itself, and the sheets that open over it; what changes on it is the table's :mod:`.view`."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from flask import Blueprint, Response, abort, jsonify, make_response, render_template

from companion.archive import known_names
from companion.games.burgundy.instructions import events_of
from companion.games.text import capitalised
from companion.session import LONGEST_NAME, LONGEST_REASON, OVER, REASONS, TableSession
from companion.text.turn_log import notable_events

from .games.burgundy import drawing
from .guard import guarding
from .pictures import inline, picture_at
from .reader import languages, remembering
from .served import language, served, translator
from .view import current_view, shown_parts

WAYS_TO_LEAVE = ("new_game", "reseat")
"""Commands by which people leave the game for "Who plays?"."""
LARGEST_PX = 1_000_000
"""Beyond any picture: a place so far off is a mistake."""

page = Blueprint("page", __name__)


@page.get("/")
def index() -> Response:
    """The page, and the reader's choice of language kept in a cookie."""
    page = render_template(
        "page.html",
        t=translator(),
        language=language(),
        languages=languages(),
        guest=guarding().is_guest(),
        table=current_view().html(),
    )
    return remembering(make_response(page))


@page.get("/table")
def table() -> str:
    """What changes on the page, without the parts that it shows already (see :class:`.view.View`)."""
    return current_view().html(shown_parts())


@page.get("/place/<place>")
def place(place: str) -> str:
    """What can be said about one place: what lies there, or a move that concerns it."""
    snapshot, likely, read, objections = served().session.read(
        lambda s: (
            s.snapshot(),
            (likely := likely_labels(s, place)),
            read_labels(s, place),
            s.objections(place) if likely else [],
        )
    )
    if not likely:
        abort(404)
    jpeg = picture_at(place)
    return render_template(
        "place.html",
        t=translator(snapshot["view"]),
        place=place,
        edition=snapshot["view"]["edition"],
        likely=likely,
        others=[label for label in read if label not in likely],
        read=read,
        picture=jpeg and inline(jpeg),
        moves=drawing.moves_at(place, snapshot["view"], snapshot["legal"]),
        objections=objections,
    )


@page.get("/die/<die>")
def die(die: str) -> str:
    """The six values that a die may show."""
    snapshot = served().session.snapshot()
    if die not in dice_on_table(snapshot["view"]):
        abort(404)
    return render_template("die.html", t=translator(snapshot["view"]), die=die, draw=drawing)


@page.get("/player/<player>")
def player(player: str) -> str:
    """What a player is called, to be changed; names from past games are offered."""
    here = served()
    view = here.session.snapshot()["view"]
    if player not in [seat["colour"] for seat in view["players"]]:
        abort(404)
    past = here.archive.records(excluding=here.session.journal.path) if here.archive else []
    taken = view["names"].values()
    return render_template(
        "player.html",
        t=translator(view),
        player=player,
        can_adjust=bool(here.session.counts(player)),
        name=view["names"].get(player, ""),
        names=[name for name in known_names(past) if name not in taken],
        longest=LONGEST_NAME,
    )


@page.get("/adjust/<player>")
def adjust(player: str) -> str:
    """What a player has that is counted, to be put right by hand."""
    snapshot, counts = served().session.read(lambda s: (s.snapshot(), s.counts(player)))
    if not counts:
        abort(404)
    return render_template(
        "adjust.html",
        t=translator(snapshot["view"]),
        player=player,
        counted={kind: list(group) for kind, group in groupby(counts, lambda c: c.what.partition(":")[0])},
        draw=drawing,
        reasons=REASONS,
        longest=LONGEST_REASON,
    )


@page.get("/score/<player>")
def score(player: str) -> str:
    """Where a player's points come from: by source, and turn by turn with the rules behind them."""
    here = served()
    snapshot, turn_entries, sheet = here.session.read(
        lambda s: (s.snapshot(), here.turn_log.turn_entries(), s.rules.score_sheet(s.state))
    )
    if player not in sheet:
        abort(404)
    rounds = [
        (begun, brought)
        for begun, told in drawing.by_round(turn_entries)
        if (
            brought := [
                e for turn_entry in told for e in turn_entry.events if e["player"] == player and e["points"]
            ]
        )
    ]
    return render_template(
        "score.html",
        t=translator(snapshot["view"]),
        player=player,
        sheet=sheet[player],
        rounds=rounds,
        kinds=list(dict.fromkeys(event["kind"] for _, brought in rounds for event in brought)),
        rules_of=drawing.RULES_OF,
        can_adjust=bool(here.session.counts(player)),
    )


@page.get("/areas/<player>")
def areas(player: str) -> str:
    """How far a player's areas are."""
    view = served().session.snapshot()["view"]
    drawn_player = next((seat for seat in view["players"] if seat["colour"] == player), None)
    if drawn_player is None:
        abort(404)
    return render_template(
        "areas.html",
        t=translator(view),
        player=drawn_player,
        areas=sorted(drawn_player["areas"], key=drawing.nearness),
        phase=view["phase"],
        capitalised=capitalised,
    )


@page.get("/turn/<int:seq>")
def turn(seq: int) -> str:
    """What was confirmed together, to be put right."""
    here = served()
    entry = next((entry for entry in here.session.entries() if entry.seq == seq), None)
    if entry is None:
        abort(404)
    return render_template(
        "turn.html",
        t=translator(here.session.snapshot()["view"]),
        entry=entry,
        moves=[here.session.rules.describe(move) for move in entry.moves],
        evidence_pictures=here.evidence_pictures.for_entry(seq) if here.evidence_pictures else [],
        picture_of=inline,
    )


@page.get("/why")
def why() -> str:
    """What the open proposal rests on, and why a player does what is fixed."""
    here = served()
    snapshot = here.session.snapshot()
    bot_turn = events_of(snapshot["bot_turn"]) if snapshot["bot_turn"] else []
    told = translator(snapshot["view"])
    steps = [(event, told.steps(event["steps"])) for event in bot_turn if event.get("steps")]
    if snapshot["proposal"] is None and not steps:
        abort(404)
    return render_template(
        "why.html",
        t=told,
        proposal=snapshot["proposal"],
        steps=steps,
        evidence_pictures=here.evidence_pictures.now() if here.evidence_pictures else [],
        picture_of=inline,
    )


@page.get("/story")
def turn_log() -> str:
    """All turns, the latest first, each to be opened and put right."""
    here = served()
    return render_template(
        "turn_log.html",
        t=translator(here.session.snapshot()["view"]),
        rounds=drawing.by_round(here.turn_log.turn_entries()),
        notable_events=notable_events,
    )


@page.get("/moves")
def moves() -> str:
    """Every legal move, to enter one by hand."""
    snapshot = served().session.snapshot()
    return render_template(
        "moves.html",
        t=translator(snapshot["view"]),
        groups=drawing.grouped(snapshot["legal"]),
        unused=drawing.unused_dice(snapshot["view"]),
    )


@page.get("/menu")
def menu() -> str:
    """What is not needed in every turn."""
    here = served()
    can_begin = here.next_game is not None
    can_seat = can_begin and can_reseat(here.session.snapshot()["view"])
    return render_template(
        "menu.html",
        t=translator(),
        can_begin=can_begin,
        can_reseat=can_seat,
        power=here.power,
        watched=None if here.camera() is None else here.session.watched,
        has_health=here.health is not None,
    )


@page.get("/leave/<how>")
def leave(how: str) -> str:
    """What becomes of this game when people go on to "Who plays?", before they do."""
    here = served()
    view = here.session.snapshot()["view"]
    if here.next_game is None or how not in WAYS_TO_LEAVE or (how == "reseat" and not can_reseat(view)):
        abort(404)
    return render_template(
        "leave.html",
        t=translator(view),
        how=how,
        players=drawing.who_plays(view),
        is_over=here.session.status == OVER,
    )


@page.get("/switch-off")
def switch_off() -> str:
    """What becomes of the game when the machine is switched off, and when it can be unplugged."""
    if served().power is None:
        abort(404)
    return render_template("switch_off.html", t=translator())


@page.get("/tiles")
def tiles() -> str:
    """What every tile does."""
    view = served().session.snapshot()["view"]
    return render_template("tiles.html", t=translator(view), edition=view["edition"])


@page.get("/rules")
def rules() -> str:
    """What is played by where the print leaves it open."""
    return render_template(
        "rules.html",
        t=translator(),
        table_rules=served().session.read(lambda s: s.rules.table_rules(s.state)),
    )


@page.get("/picture")
def picture() -> str:
    """What the camera last read, large."""
    return render_template("picture.html", t=translator(), seen=served().session.version)


@page.get("/frame")
def frame() -> Response:
    """What the camera last read."""
    here = served()
    jpeg = here.frame and here.frame()
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg")


@page.get("/crop/<int(signed=True):x>,<int(signed=True):y>,<int:width>,<int:height>")
def crop(x: int, y: int, width: int, height: int) -> Response:
    """A die that is asked about, as the camera last read it."""
    jpeg = served().crop((x, y, width, height)) if max(abs(x), abs(y), width, height) <= LARGEST_PX else None
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg")


@page.get("/seen/<place>")
def seen(place: str) -> Response:
    """A place as the camera saw it last."""
    jpeg = picture_at(place)
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg")


@page.get("/snapshot")
def snapshot() -> Response:
    """Everything the page shows, as data."""
    return jsonify(served().session.snapshot())


def can_reseat(view: Mapping[str, Any]) -> bool:
    """Whether seats may still be put right: up to the end of the first round."""
    return not view["timeline"]


def dice_on_table(view: Mapping[str, Any]) -> list[str]:
    """Names of the dice that have been rolled (``red:0``, ``white:0``)."""
    dice = [f"{p['colour']}:{i}" for p in view["players"] for i in range(len(p["dice"]))]
    return [*dice, "white:0"] if view["white"] is not None else dice


def likely_labels(session: TableSession, place: str) -> list[str]:
    """What may lie on *place* after a legal turn or layout; nothing when there is no such place."""
    group, _, index = place.rpartition(":")
    lying = session.rules.visible(session.state).get(group, ())
    if index not in map(str, range(len(lying))):
        return []
    if laid_out := session.choices(place):
        return drawing.in_order(laid_out)
    return drawing.labels_for(place, lying[int(index)], session.rules.view(session.state))


def read_labels(session: TableSession, place: str) -> dict[str, float]:
    """What the camera last read on *place*, with probabilities, most probable first."""
    sighting = session.snapshot()["sighting"]
    reading = sighting and sighting["places"].get(place)
    if not reading or reading["hidden"]:
        return {}
    return dict(sorted(reading["p"].items(), key=lambda item: -item[1]))
