"""The table's view: what changes on the page.

It consists of parts, each an element with an id, some within others: the card, a player's board, the duchy on it. They
are marked in the templates, and rendered once for all pages of a language. A page is sent those that it does not show.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any

from flask import Flask, current_app, render_template, request
from markupsafe import Markup

from companion.archive import record_of
from companion.doctor import Finding
from companion.games.burgundy.instructions import details, events_of, instructions
from companion.session import DRAFTING, LAYOUT, OVER, PROPOSAL, UNEXPLAINED, WATCHING, Snapshot
from companion.text.translator import Translator
from companion.text.turn_log import last_changes, worth_telling

from .games.burgundy import drawing, instruction_drawing
from .games.burgundy.setup_view import Laying, laying_out
from .served import Served, language, served, translator

EXTENSION = "views"
TURNS_SHOWN = 8
LIGHT_OF_STATUS = {"proposal": "proposal", "asking": "question", "unexplained": "error", "over": "idle"}
"""The panel's light where nobody tells; ``watching`` in all other states."""
WHOLE = "state"
"""Id of the element that all parts are in."""
TAG_BYTES = 6

Showing = tuple[Any, ...]
"""All that a view depends on, languages apart: the session's version, the devices, and how the game is kept."""


@dataclass(frozen=True, slots=True)
class Part:
    """An element of the view."""

    html: str
    """With the place of each part in it marked."""
    depends_on: tuple[Any, ...]
    """What it was rendered from; empty when it is rendered anew for every view."""
    tag: str
    """Its id, and a digest of what it looks like: ``card:5e1f09a8b2c4``."""

    @property
    def same(self) -> str:
        """What stands for it where it is shown already: an empty element of its kind."""
        kind = _ELEMENT.findall(self.html)[0]
        return f'<{kind} id="{self.tag.partition(":")[0]}" data-same="{self.tag}"></{kind}>'


@dataclass(frozen=True)
class View:
    """The table at one moment, in one language."""

    showing: Showing
    parts: Mapping[str, Part]
    """By id."""

    @property
    def version(self) -> int:
        """The session's version that it shows, or an earlier one."""
        return int(self.showing[0])

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """Those of all parts."""
        return tuple(part.tag for name, part in self.parts.items() if name != WHOLE)

    def html(self, shown: Collection[str] = ()) -> Markup:
        """The whole. Of a part that is shown already with all that is in it, as the tags in *shown* tell, there is but
        an empty element with its id, and ``data-same`` with its tag."""
        return Markup(self._html(WHOLE, shown)[0].replace(TAGS, " ".join(self.tags)))

    def _html(self, name: str, shown: Collection[str]) -> tuple[str, bool]:
        """The element of a part, and whether it is as shown."""
        part = self.parts[name]
        same = part.tag in shown

        def filled(place: re.Match[str]) -> str:
            nonlocal same
            html, inner_same = self._html(place[1], shown)
            same = same and inner_same
            return html

        html = _PLACE.sub(filled, part.html)
        return (part.same, True) if same else (html, False)


TAGS = "<!--tags-->"
"""Where in the whole the tags of its parts are told."""
_PLACE = re.compile("<!--part ([a-z0-9-]+)-->")
_ELEMENT = re.compile("<([a-z]+)")


@dataclass
class Rendering:
    """A view that is being rendered."""

    before: Mapping[str, Part] = field(default_factory=dict)
    """Parts of the view before, some of which still look the same."""
    parts: dict[str, Part] = field(default_factory=dict)

    def part(self, name: str, *depends_on: Any, caller: Callable[[], str]) -> Markup:
        """What ``{% call part(name, ...) %}`` puts in the place of the element in it, whose id is *name*.

        The element is taken from the view before if all that it *depends_on* is the same; without anything told, it
        is always rendered.
        """
        if depends_on and name in self.before and self.before[name].depends_on == depends_on:
            self._keep(name)
        else:
            html = str(caller()).strip()
            digest = blake2b(html.encode(), digest_size=TAG_BYTES).hexdigest()
            self.parts[name] = Part(html, depends_on, f"{name}:{digest}")
        return Markup(f"<!--part {name}-->")

    def _keep(self, name: str) -> None:
        self.parts[name] = self.before[name]
        for inner in _PLACE.findall(self.before[name].html):
            self._keep(inner)


class Views:
    """Keeps the latest view of each language, for all who look until something changes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: dict[str, View] = {}

    def current(self) -> View:
        """The view as it is now, in the reader's language."""
        reader, here = language(), served()
        with self._lock:
            showing, latest = _showing(here), self._latest.get(reader)
            if latest is None or latest.showing != showing:
                rendering = Rendering(latest.parts if latest else {})
                render_template("table.html", part=rendering.part, tags=Markup(TAGS), **_data(here))
                latest = View(showing, rendering.parts)
                self._latest[reader] = latest
            return latest


def keep_views(app: Flask) -> None:
    """Has *app* keep its views. Outside of views, a part is what is in it."""
    app.extensions[EXTENSION] = Views()
    app.jinja_env.globals["part"] = lambda name, *depends_on, caller: caller()


def current_view() -> View:
    """The table as it is now, in the reader's language."""
    views: Views = current_app.extensions[EXTENSION]
    return views.current()


def shown_parts() -> list[str]:
    """Tags of the parts that the page which asks shows already."""
    return request.args.get("shown", "").split()


def _showing(here: Served) -> Showing:
    camera = dict(here.camera() or {})
    camera.pop("age", None)
    muted = here.buzzer is not None and here.buzzer.muted
    power = here.power and here.power.state
    return (
        here.session.version,
        camera,
        here.light and here.light(),
        muted,
        here.storage_notices(),
        power,
        unwell(here),
    )


def unwell(here: Served) -> list[Finding]:
    """What the doctor wants people to know while they play."""
    return here.health.notices() if here.health else []


def _data(here: Served) -> dict[str, Any]:
    """All that the templates need."""
    snapshot, laying, turn_entries, record, announcement = here.session.read(
        lambda s: (
            (snapshot := s.snapshot()),
            laying_out(s, snapshot),
            here.turn_log.turn_entries(),
            record_of(s.rules, s.journal.records()) if s.status == OVER else None,
            here.narrator.latest(),
        )
    )
    view = snapshot["view"]
    told = translator(view)
    status = snapshot["status"]
    ranking = record.ranking if record else ()
    marks = drawing.marks(snapshot, turn_entries[-1].events if turn_entries else ())
    planned = snapshot["bot_turn"]
    bot_turn = events_of(planned) if planned else []
    is_fixed = (
        planned is not None and bool(bot_turn) and planned["player"] not in (None, *snapshot["opponents"])
    )
    instructed = instructions(bot_turn, told) if is_fixed else []
    return {
        **drawn(view, snapshot["opponents"]),
        "t": told,
        "language": language(),
        "token": here.token,
        "announcement": announcement.text(translator(announcement.view)),
        "announced": announcement.number,
        "snapshot": snapshot,
        "laying": laying,
        "title": _title(told, snapshot, ranking, laying),
        "bot_turn": bot_turn,
        "told": instructed,
        "detailed": details(bot_turn, told) if is_fixed else [],
        "drawing": instruction_drawing.draw(instructed, view),
        "marks": marks,
        "mark": lambda place: marks.get(place, drawing.NO_MARK),
        "changes": last_changes(turn_entries, view["order"]),
        "latest": turn_entries[-1] if turn_entries else None,
        "dice_fresh": bool(turn_entries) and any(e["kind"] == "round" for e in turn_entries[-1].events),
        "turn_entries": [c for c in reversed(turn_entries[-TURNS_SHOWN:]) if any(worth_telling(c))],
        "worth_telling": worth_telling,
        "ranking": ranking,
        "record": record,
        "rules": here.session.rules,
        "can_begin": here.next_game is not None,
        "camera": here.camera(),
        "storage_notices": here.storage_notices(),
        "unwell": unwell(here),
        "power": here.power,
        "has_frame": here.frame is not None and snapshot["sightings"] > 0,
        "sees_places": here.evidence_pictures is not None and snapshot["sightings"] > 0,
        "buttons": here.buttons if here.panel is not None else (),
        "buzzer": here.buzzer,
        "light": here.light() if here.light else LIGHT_OF_STATUS.get(status, "watching"),
    }


def drawn(view: Mapping[str, Any], opponents: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What the templates that draw a position need; *opponents* are those whom the companion plays, each by a bot."""
    return {
        "view": view,
        "players": {seat["colour"]: seat for seat in (*view["players"], *view.get("chateauma", ()))},
        "opponents": opponents or {},
    }


def _title(told: Translator, snapshot: Snapshot, ranking: Sequence[str], laying: Laying | None) -> str:
    """The card's heading; a layout and the set-up are nobody's turn."""
    status, player = snapshot["status"], ranking[0] if ranking else snapshot["view"]["to_move"]
    if player is not None and snapshot["bot_turn"]:
        if snapshot["mismatches"] and status in (PROPOSAL, UNEXPLAINED):
            return told("page.slipped")
        if status in (WATCHING, PROPOSAL):
            is_opponent = player in snapshot["opponents"]
            return told("page.opponent_turn" if is_opponent else "page.chateauma_turn", player=player)
    if laying and status == LAYOUT:
        step = "title_setup" if laying.starts else "title_fill"
        return told(f"laying.{step}", phase=snapshot["view"]["phase"])
    if player is None and status == PROPOSAL:
        return told("page.layout_title")
    if player is None and status == DRAFTING:
        return told("page.by_hand")
    return told(f"status.{status}.title", player=player)
