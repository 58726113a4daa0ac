"""The page about the companion's health: what the doctor finds, with the cure where something is wrong."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify, make_response, render_template

from companion.doctor import FAULT, OK, SKIPPED, STATES, WARNING, Finding

from .context import language, page_context, translator
from .preferences import languages, remembering

ICONS = {OK: "check", WARNING: "warning", FAULT: "fault", SKIPPED: "dot"}
"""State of a finding -> the icon that tells it beside the word."""

health = Blueprint("health", __name__)


@health.get("/health")
def page() -> Response:
    """All findings, the worst first."""
    found = sorted(_findings(), key=lambda one: STATES.index(one.state))
    counts = {state: sum(one.state == state for one in found) for state in (FAULT, WARNING)}
    told = translator()
    return remembering(
        make_response(
            render_template(
                "health.html",
                t=told,
                language=language(),
                languages=languages(),
                findings=found,
                amiss=[told(f"doctor.{state}s", count=count) for state, count in counts.items() if count],
                worst=next((state for state, count in counts.items() if count), OK),
                state_icons=ICONS,
            )
        )
    )


@health.get("/health.json")
def data() -> Response:
    """The same as ``companion doctor --json`` tells."""
    return jsonify([one.to_json(translator()) for one in _findings()])


def _findings() -> list[Finding]:
    here = page_context()
    if here.health is None:
        abort(404)
    return here.health.findings()
