"""Malformed requests to every route of the page."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from companion.archive import Archive
from companion.games import capabilities
from companion.games.registry import rules_of
from companion.journal import Journal
from companion.session import TableSession
from companion.virtual.demo import demo_setup

WORDS = (
    "",
    "red",
    "pink",
    "red:0",
    "white:9",
    "..%2f..%2fetc%2fpasswd",
    "%00",
    "é" * 40,
    "0",
    "-1",
    "1e9",
    "999999999999999999999",
    "' OR 1=1 --",
    "<script>alert(1)</script>",
    "{{7*7}}",
    "a" * 3000,
    "roll x",
    "now",
)
"""Values for addresses and fields; those of the game come in addition."""
NO_WORDS: tuple[Any, ...] = (None, True, 0, -1, 1.5, 10**15, [], {}, [[]], {"a": {"b": []}})
"""Values for fields that are no text."""
BODIES = (
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe\x00",
    b'{"do": ',
    b"a=1&b=2",
    b"[" * 2000,
    b"[" * 400 + b"]" * 400,
    b'{"do": "tap", "text": "\\ud800"}',
    b'{"do": "tap", "text": 1e30}',
    b'"' + b"x" * 20000 + b'"',
)
TYPES = ("application/json", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "")
METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD")
HEADERS = ("Accept-Language", "Cookie", "X-Companion-Token", "X-Forwarded-For", "Range", "If-None-Match")
STREAM = "live.events"
"""This route never ends its answer, and is left out."""
COMMANDS_ROUTE = "commands.do"
RENAME = "call"
"""The command that gives a player a name."""


@dataclass(frozen=True, slots=True)
class FuzzFigures:
    """The results."""

    requests: int
    by_status: dict[int, int]
    failures: tuple[str, ...]
    """Requests that caused a server error, one line each."""
    changed: bool
    """Whether the game was changed."""

    @property
    def server_errors(self) -> int:
        return sum(count for status, count in self.by_status.items() if status >= 500)


def fuzz(count: int, seed: int = 1) -> FuzzFigures:
    """Sends *count* malformed requests to the page of a game in progress."""
    from web.app import create_app
    from web.context import EXTENSION, PageContext

    setup, rng = demo_setup(2, seed), random.Random(seed)
    journal = Journal(":memory:")
    session = TableSession(rules_of(setup), journal, setup)
    _begin(session, rng)
    games = tempfile.TemporaryDirectory(prefix="table-companion-")
    archive = Archive(games.name)
    app = create_app(PageContext(session, panel=lambda button, seconds: None, archive=archive))
    client, token = app.test_client(), app.extensions[EXTENSION].token
    words = (*WORDS, *_words_of(session))
    before = len(journal.records()), session.state.state_hash()
    by_status: dict[int, int] = {}
    failures: list[str] = []
    for _ in range(count):
        request = _request(app, rng, token, words)
        answer = client.open(**request)
        answer.close()
        by_status[answer.status_code] = by_status.get(answer.status_code, 0) + 1
        if answer.status_code >= 500:
            failures.append(f"{request['method']} {request['path']}: {answer.status_code}")
    changed = before != (len(journal.records()), session.state.state_hash())
    journal.close()
    games.cleanup()
    return FuzzFigures(count, by_status, tuple(failures), changed)


def _begin(session: TableSession, rng: random.Random) -> None:
    """Plays until the first turn, so that there is a game to change."""
    while session.rules.to_move(session.state) is None:
        move = (
            capabilities.chance(session.rules).sample_chance(session.state, rng)
            or session.rules.legal_moves(session.state)[0]
        )
        session.tap(str(move))


def _words_of(session: TableSession) -> Iterator[str]:
    """Yields places of the game, some that it does not have, and moves that are no longer legal."""
    groups = list(capabilities.observable(session.rules).visible_layout(session.state))
    for group in (*groups[:1], *groups[-1:]):
        yield f"{group}:0"
        yield f"{group}:-1"
    for entry in session.entries()[:2]:
        yield str(entry.moves[0])


def _request(app: Any, rng: random.Random, token: str, words: Sequence[str]) -> dict[str, Any]:
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint != STREAM]
    # Half of the requests go to routes that change something, half of these to that of the commands, most of them with
    # a body that can be parsed.
    changing = [rule for rule in rules if "POST" in (rule.methods or ())]
    commands = [rule for rule in changing if rule.endpoint == COMMANDS_ROUTE]
    rule = rng.choice(rng.choice((changing, commands)) if rng.random() < 0.5 else rules)
    readable = rng.random() < 0.5
    headers = {rng.choice(HEADERS): rng.choice(words).encode("ascii", "ignore").decode() for _ in range(2)}
    if readable:
        headers["X-Companion-Token"] = token
    usual = rng.choice(sorted(rule.methods or METHODS))
    if readable and rule in changing:
        usual = "POST"
    return {
        "path": _path(rule, rng, words) if rng.random() < 0.8 else "/" + rng.choice(words),
        "method": usual if rng.random() < 0.9 else rng.choice(METHODS),
        "query_string": {"lang": rng.choice(words)} if rng.random() < 0.3 else None,
        "headers": headers,
        "content_type": TYPES[0] if readable else rng.choice(TYPES),
        "data": _body(rng, words),
    }


def _path(rule: Any, rng: random.Random, words: Sequence[str]) -> str:
    """Returns the rule's path with random values for its arguments."""
    path = str(rule.rule)
    for argument in rule.arguments:
        start = path.index("<", 0)
        end = path.index(">", start)
        assert argument in rule.arguments
        path = path[:start] + rng.choice(words) + path[end + 1 :]
    return path


def _body(rng: random.Random, words: Sequence[str]) -> bytes:
    """Returns the body of an invalid command: random fields, or no command at all."""
    if rng.random() < 0.4:
        return rng.choice(BODIES)
    fields = dict(_fields(rng, words))
    if fields["do"] == RENAME:
        # Any text is a valid name, and one of the words may be a player.
        fields["name"] = rng.choice(NO_WORDS)
    return json.dumps(fields).encode()


def _fields(rng: random.Random, words: Sequence[str]) -> Iterator[tuple[str, Any]]:
    from web.commands import COMMANDS

    junk = (*NO_WORDS, *words)
    yield "do", rng.choice((*COMMANDS, *junk))
    yield "version", rng.choice(junk)
    for name in (
        "place",
        "label",
        "text",
        "about",
        "value",
        "die",
        "button",
        "seq",
        "part",
        "on",
        "player",
        "name",
        "pin",
        "days",
    ):
        if rng.random() < 0.6:
            yield name, rng.choice(junk)
