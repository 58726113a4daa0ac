"""The view of the table: everything on the page that changes.

It consists of parts, which are elements with an id and can be nested: the card, a player's board, the spaces on it. The
templates mark them. They are rendered once for all pages of a language, and a page is sent only those that it does not
show yet.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from hashlib import blake2b
from typing import Any

from flask import Flask, current_app, render_template, request
from markupsafe import Markup

from companion.archive import record_of
from companion.doctor import Finding
from companion.games import capabilities
from companion.games.narration import events_of
from companion.players.coach import can_coach
from companion.session import DRAFTING, LAYOUT, OVER, PROPOSAL, UNEXPLAINED, WATCHING, Snapshot, TableSession
from companion.session.lesson_guide import GuideView
from companion.session.snapshot import StageView
from companion.text.translator import Translator
from companion.text.turn_log import latest_score_changes, notable_events

from .context import PageContext, language, page_context, translator
from .game_page import GamePage, GamePart, Moment, SetupSheet, part_of
from .plain_table import plain_table
from .ranks import ranks
from .ways import Way, fewest_pieces, turn_by_hand

EXTENSION = "views"
TURNS_SHOWN = 8
LIGHT_OF_STATUS = {"proposal": "proposal", "asking": "question", "unexplained": "error", "over": "idle"}
"""The light for each status if there is no panel; ``watching`` for all others."""
ROOT = "state"
"""Id of the element that contains all parts."""
TAG_BYTES = 6

TemplateData = Callable[[PageContext], Mapping[str, Any]]
"""Returns everything that the template of a view needs."""
ViewKey = tuple[Any, ...]
"""Everything except the language that a view depends on: the session's version, the devices, and the notices."""


@dataclass(frozen=True, slots=True)
class Part:
    """One element of the view."""

    html: str
    """With a placeholder for each nested part."""
    depends_on: tuple[Any, ...]
    """What it was rendered from; empty if it is rendered again for every view."""
    tag: str
    """Its id and a digest of its HTML: ``card:5e1f09a8b2c4``."""

    @property
    def stub(self) -> str:
        """Returns an empty element that replaces the part if the page shows it already."""
        kind = _KIND.findall(self.html)[0]
        return f'<{kind} id="{self.tag.partition(":")[0]}" data-same="{self.tag}"></{kind}>'


@dataclass(frozen=True)
class View:
    """The table at one moment, in one language."""

    key: ViewKey
    parts: Mapping[str, Part]
    """By id."""

    @property
    def version(self) -> int:
        """Returns the session's version that it shows, or an earlier one."""
        return int(self.key[0])

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """Returns the tags of all parts."""
        return tuple(part.tag for name, part in self.parts.items() if name != ROOT)

    def html(self, shown: Collection[str] = ()) -> Markup:
        """Returns the HTML of the view.

        A part whose tag is in *shown*, with all its nested parts, is replaced by an empty element with its id, and its
        tag in ``data-same``.
        """
        return Markup(self._html(ROOT, shown)[0].replace(TAGS, " ".join(self.tags)))

    def _html(self, name: str, shown: Collection[str]) -> tuple[str, bool]:
        """Returns the HTML of a part, and whether it is in *shown* with all its nested parts."""
        part = self.parts[name]
        same = part.tag in shown

        def nested(placeholder: re.Match[str]) -> str:
            nonlocal same
            html, inner_same = self._html(placeholder[1], shown)
            same = same and inner_same
            return html

        html = _PLACEHOLDER.sub(nested, part.html)
        return (part.stub, True) if same else (html, False)


TAGS = "<!--tags-->"
"""Placeholder for the tags of all parts."""
_PLACEHOLDER = re.compile("<!--part ([a-z0-9-]+)-->")
_NAME = re.compile("[a-z0-9-]+")
_KIND = re.compile("<([a-z]+)")


@dataclass
class Rendering:
    """Collects the parts of a view while its template is rendered."""

    previous: Mapping[str, Part] = field(default_factory=dict)
    """Parts of the previous view, which are reused if unchanged."""
    parts: dict[str, Part] = field(default_factory=dict)

    def part(self, name: str, *depends_on: Any, caller: Callable[[], str]) -> Markup:
        """Implements ``{% call part(name, ...) %}``: renders the element with id *name*, and returns its placeholder.

        The element is reused from the previous view if everything that it *depends_on* is unchanged; without
        dependencies, it is always rendered.

        :raises ValueError: when its content is not one element with that id.
        """
        if depends_on and name in self.previous and self.previous[name].depends_on == depends_on:
            self._reuse(name)
        else:
            html = str(caller()).strip()
            _check_element(name, html)
            digest = blake2b(html.encode(), digest_size=TAG_BYTES).hexdigest()
            self.parts[name] = Part(html, depends_on, f"{name}:{digest}")
        return Markup(f"<!--part {name}-->")

    def _reuse(self, name: str) -> None:
        self.parts[name] = self.previous[name]
        for inner in _PLACEHOLDER.findall(self.previous[name].html):
            self._reuse(inner)


def _check_element(name: str, html: str) -> None:
    """Raises ValueError unless *html* is one element with the id *name*, by which a page finds the part again."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"part {name!r}: a name has only small letters, digits and hyphens")
    kind = re.match(rf'<([a-z]+)[^>]*\sid="{name}"', html)
    if kind is None or not html.endswith(f"</{kind[1]}>"):
        raise ValueError(f'part {name!r} must be one element with id="{name}"')


class Views:
    """Caches the latest view for each viewer and language for all pages."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: dict[tuple[str | None, str], View] = {}
        """By the viewer (None for the shared page) and the language."""

    def current(self, template: str, data: TemplateData, viewer: str | None = None) -> View:
        """Returns the current view for *viewer* in the user's language, from *template* with its *data*."""
        page, context = (viewer, language()), page_context()
        with self._lock:
            key, latest = _view_key(context), self._latest.get(page)
            if latest is None or latest.key != key:
                rendering = Rendering(latest.parts if latest else {})
                render_template(template, part=rendering.part, tags=Markup(TAGS), **data(context))
                latest = View(key, rendering.parts)
                self._latest[page] = latest
            return latest


def init_views(app: Flask) -> None:
    """Adds the cache of views to *app*. In all other templates, a part is just its content."""
    app.extensions[EXTENSION] = Views()
    app.jinja_env.globals["part"] = lambda name, *depends_on, caller: caller()


def current_view() -> View:
    """Returns the current view of the table in the user's language."""
    return views().current("table.html", table_data)


def views() -> Views:
    """Returns the cache of views of the current app."""
    cached: Views = current_app.extensions[EXTENSION]
    return cached


def shown_parts() -> list[str]:
    """Returns the tags of the parts that the requesting page already shows."""
    return request.args.get("shown", "").split()


def _view_key(context: PageContext) -> ViewKey:
    camera = dict(context.camera() or {})
    camera.pop("age", None)
    power = context.power and context.power.state
    return (
        context.session.version,
        camera,
        context.light and context.light(),
        context.storage_notices(),
        power,
        health_warnings(context),
    )


def health_warnings(context: PageContext) -> list[Finding]:
    """Returns the doctor's findings that people should know while they play."""
    return context.health.notices() if context.health else []


def table_data(context: PageContext) -> dict[str, Any]:
    """Returns everything that the templates of the view need."""
    part = part_of(context.session.rules.name)
    snapshot, modules, setup, turn_entries, record, announcement, plain, touching = context.session.read(
        lambda s: (
            (snapshot := s.snapshot()),
            s.rules.modules_of(s.state),
            part.page.setup(s, snapshot),
            context.turn_log.turn_entries(),
            record_of(s.rules, s.journal.records()) if s.status == OVER else None,
            context.narrator.latest(),
            plain_table(part, s.rules, s.state),
            turn_by_hand(s, snapshot, part.page),
        )
    )
    guide = context.guide.view() if context.guide else None
    view = snapshot["view"]
    t = translator(view)
    notable = partial(notable_events, narration=t.narration)
    status = snapshot["status"]
    ranking = record.ranking if record else ()
    awaited = _awaited_dice(context.session, snapshot)
    latest = turn_entries[-1] if turn_entries else None
    moment = Moment(view, latest.events if latest else (), t, snapshot, modules)
    return {
        **position_context(part, moment, snapshot["stage"], snapshot["scores"]),
        "ranks": ranks(snapshot["scores"], ranking),
        "t": t,
        "language": language(),
        "token": context.token,
        "announcement": announcement.text(translator(announcement.view)),
        "announced": announcement.number,
        "snapshot": snapshot,
        "awaited": awaited,
        "touching": touching,
        "guide": guide,
        "guided_pieces": _guided_pieces(context.session, part.page, guide),
        "can_ask_coach": _can_ask_coach(context.session, snapshot, setup),
        "opponents": snapshot["opponents"],
        "setup": setup,
        "title": t("rolling.what_was_rolled")
        if sum(awaited.values()) > 1
        else _title(t, snapshot, ranking, setup),
        "bot_turn": events_of(snapshot["bot_turn"]) if snapshot["bot_turn"] else [],
        **plain,
        "changes": latest_score_changes(turn_entries, snapshot["stage"]["order"]),
        "latest": latest,
        "rolled": snapshot["dice"],
        "turn_entries": [e for e in reversed(turn_entries[-TURNS_SHOWN:]) if any(notable(e))],
        "notable_events": notable,
        "ranking": ranking,
        "record": record,
        "rules": context.session.rules,
        "legal_moves": cache(context.session.legal_moves),
        "can_begin": context.next_game is not None,
        "camera": context.camera(),
        "storage_notices": context.storage_notices(),
        "health_warnings": health_warnings(context),
        "power": context.power,
        "has_frame": context.frame is not None and snapshot["sightings"] > 0,
        "sees_places": context.evidence_pictures is not None and snapshot["sightings"] > 0,
        "buttons": context.buttons if context.panel is not None else (),
        "light": context.light() if context.light else LIGHT_OF_STATUS.get(status, "watching"),
    }


def _guided_pieces(session: TableSession, page: GamePage, guide: GuideView | None) -> Sequence[str]:
    """Returns the pieces that a learner touches next, in order; none for what is done with none."""
    if guide is None or guide.move is None or page.roles_of is None:
        return ()
    legal, view = session.read(lambda s: (s.legal_moves(), s.rules.view(s.shown_state)))
    return fewest_pieces([Way(move, page.roles_of(move, view)) for move in legal], guide.move["text"])


def _can_ask_coach(session: TableSession, snapshot: Snapshot, setup: SetupSheet | None) -> bool:
    """Returns whether a person decides now in a game whose positions can be evaluated."""
    player = snapshot["view"]["to_move"]
    by_companion = player in snapshot["opponents"] or snapshot["bot_turn"] is not None
    return player is not None and not by_companion and setup is None and can_coach(session.rules)


def _awaited_dice(session: TableSession, snapshot: Snapshot) -> dict[str, int]:
    """Returns how many dice of each colour people enter all at once, first player first; empty if they enter none, or
    have begun to enter them one by one at a panel."""
    question, undo = snapshot["question"], snapshot["can_undo"]
    is_begun = undo is not None and (undo["answer_about"] or "").startswith("die:")
    if question is None or question["kind"] != "die" or question["reason"] or is_begun:
        return {}
    if question["chosen"] is not None:
        return {}
    awaited = session.read(lambda s: capabilities.dice(s.rules).expected_dice(s.state))
    order = [colour for colour in snapshot["stage"]["order"] if colour in awaited]
    return {colour: awaited[colour] for colour in dict.fromkeys([*order, *awaited])}


def position_context(
    part: GamePart, moment: Moment, stage: StageView, scores: Mapping[str, int]
) -> dict[str, Any]:
    """Returns what templates need to draw a position."""
    seats = part.page.seats(moment.view)
    return {
        **part.context(moment.modules),
        "view": moment.view,
        "stage": stage,
        "scores": scores,
        "ranks": ranks(scores),
        "seats": seats,
        "players": {seat["colour"]: seat for seat in seats},
        "opponents": {},
        **part.page.context(moment),
    }


def _title(t: Translator, snapshot: Snapshot, ranking: Sequence[str], setup: SetupSheet | None) -> str:
    """Returns the heading of the card; setup and layouts are no player's turn."""
    status, player = snapshot["status"], ranking[0] if ranking else snapshot["view"]["to_move"]
    if player is not None and snapshot["bot_turn"]:
        if snapshot["mismatches"] and status in (PROPOSAL, UNEXPLAINED):
            return t("page.bot_turn_mismatch")
        if status in (WATCHING, PROPOSAL):
            is_opponent = player in snapshot["opponents"]
            return t("page.opponent_turn" if is_opponent else "page.automatic_turn", player=player)
    if setup and status == LAYOUT:
        return setup.title(t)
    if player is None and status == PROPOSAL:
        return t("page.layout_title")
    if player is None and status == DRAFTING:
        return t("page.by_hand")
    if player is None and status == WATCHING:
        return t.whose_turn(snapshot["stage"])
    return t(f"status.{status}.title", player=player)
