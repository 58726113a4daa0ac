"""The health page: the findings of the doctor, with the cure if something is wrong."""

from __future__ import annotations

from flask import Blueprint, Response, abort, jsonify, make_response, render_template

from companion.doctor import FAULT, OK, SKIPPED, STATES, WARNING, Finding

from .context import language, page_context, translator
from .preferences import languages, store_preferences

ICONS = {OK: "check", WARNING: "warning", FAULT: "fault", SKIPPED: "dot"}
"""State of a finding -> the icon beside its word."""

health = Blueprint("health", __name__)


@health.get("/health")
def page() -> Response:
    """Shows all findings, worst first."""
    findings = sorted(_findings(), key=lambda one: STATES.index(one.state))
    counts = {state: sum(one.state == state for one in findings) for state in (FAULT, WARNING)}
    t = translator()
    return store_preferences(
        make_response(
            render_template(
                "health.html",
                t=t,
                language=language(),
                languages=languages(),
                findings=findings,
                problems=[t(f"doctor.{state}s", count=count) for state, count in counts.items() if count],
                worst=next((state for state, count in counts.items() if count), OK),
                state_icons=ICONS,
            )
        )
    )


@health.get("/health.json")
def data() -> Response:
    """Returns the same JSON as ``companion doctor --json``."""
    return jsonify([one.to_json(translator()) for one in _findings()])


def _findings() -> list[Finding]:
    health = page_context().health
    if health is None:
        abort(404)
    return health.findings()
