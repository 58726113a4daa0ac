"""Announcements: what has just happened, and what is awaited now, as a person at the table would say it.

    announcer = Announcer(session, Story(session))
    announcement = announcer.latest()                      # looks whether there is something new to say
    announcement.text(Words("en"))                         # "Red placed the watchtower: 4 points. Blue's turn."

An announcement is a few short sentences. Points always come through; of what does not fit, their sum is said. Numbers
stay digits, for every voice knows how its language reads them.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from companion.games.api import Rules
from companion.games.burgundy.instructions import (
    MOST_SENTENCES,
    are_soon_said,
    events_of,
    instructions,
    soon_said,
)
from companion.session import (
    ASKING,
    DICE,
    DRAFTING,
    LAYOUT,
    OVER,
    PROPOSAL,
    UNEXPLAINED,
    WATCHING,
    Snapshot,
    TableSession,
)
from companion.session.snapshot import BotStepView, BotTurnView, QuestionView

from .translator import Translator, capitalised
from .turn_log import Step, TurnEntry, TurnLog, worth_telling

TOGETHER = 2
"""Moves told in one sentence."""
OF_ALL_PLAYERS = ("start_goods", "mines", "final")
"""Events that come for everybody at once, after what the player did: one sentence tells those of a kind."""
WITHOUT_WORDS = (
    "livestock",
    "watchtower",
    "advance",
    "start_castle",
    "phase",
    "round",
    "goods_arrive",
    "own_roll",
    "game_over",
)
"""Events that are nothing a player does: their points are added to the move's, or other sentences tell them."""
AWAITED = {
    DICE: "status.dice.title",
    LAYOUT: "status.layout.title",
    UNEXPLAINED: "status.unexplained.hint",
    OVER: "said.over",
    **dict.fromkeys((WATCHING, PROPOSAL, DRAFTING), "status.watching.title"),
}
"""Status -> text that says what is awaited; a question is told by itself."""
TOLD_APART_BY = {
    frozenset({"workers"}): "workers",
    frozenset({"die"}): "die",
    frozenset({"die", "workers"}): "die",
    frozenset({"kinds"}): "kinds",
    frozenset({"depots", "kinds"}): "kinds",
    frozenset({"goods"}): "goods",
}
"""Fields in which the turns of a question differ -> what is asked for."""
TELL_THEIR_POINTS = ("adjust",)
"""Events whose words tell the points, too."""
LOOK_S = 1.0
"""How often a thread that speaks looks whether it shall end."""


@dataclass(frozen=True, slots=True)
class News:
    """What is new since the last look, in no language yet."""

    undone: Sequence[TurnEntry]
    """Chapters that were taken back, the latest first."""
    turn_entries: Sequence[TurnEntry]
    """Those that were added, the latest last."""
    snapshot: Snapshot
    is_awaited_new: bool
    is_refusal_new: bool
    winner: tuple[str, int] | None
    """Who has won, with how many points."""
    told_apart_by: str
    """What would settle the question about a turn (see :data:`TOLD_APART_BY`), empty when that is the whole turn."""
    instructed: str | None = None
    """The player for whom people were told what to do."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """What is to be said, and its *number* in the order of announcements."""

    number: int
    news: News

    @property
    def view(self) -> Mapping[str, Any]:
        """The table of which it speaks, for its :class:`.Translator`."""
        return self.news.snapshot["view"]

    def text(self, translator: Translator) -> str:
        """All sentences; empty when nothing of the news is worth saying."""
        return " ".join(sentences(self.news, translator))


class Narrator:
    """Represents somebody who watches a session and says each thing once.

    Whoever asks for the latest announcement makes it look; those who ask without anything having changed hear the same.
    The first look says only what is awaited: what happened before is old news.
    """

    def __init__(self, session: TableSession, turn_log: TurnLog) -> None:
        self._session = session
        self._story = turn_log
        self._version: int | None = None
        self._known: Sequence[TurnEntry] = ()
        self._awaited: tuple[Any, ...] = ()
        self._told: set[tuple[Any, ...]] = set()
        """What has been awaited since the last confirmation, for a reading that wavers is no news."""
        self._refused: Any = None
        self._instructed: str | None = None
        self._latest: Announcement | None = None

    def latest(self) -> Announcement:
        """The latest announcement, made now if anything has changed."""
        return self._session.read(self._look)

    def _look(self, session: TableSession) -> Announcement:
        if self._latest is None or session.version != self._version:
            self._version = session.version
            news = self._news(session)
            if self._latest is None:
                self._latest = Announcement(1, news)
            elif news.undone or news.turn_entries or news.is_awaited_new or news.is_refusal_new:
                self._latest = Announcement(self._latest.number + 1, news)
        return self._latest

    def _news(self, session: TableSession) -> News:
        snapshot, turn_entries = session.snapshot(), self._story.turn_entries()
        known = turn_entries if self._latest is None else self._known
        same = _common(
            [turn_entry.seq for turn_entry in known], [turn_entry.seq for turn_entry in turn_entries]
        )
        undone, added = known[same:][::-1], turn_entries[same:]
        awaited, refused = _awaited(snapshot), snapshot["rejection"]
        if undone or added:
            self._told &= {self._awaited}
        is_awaited_new = bool(awaited) and awaited not in self._told
        is_refusal_new = refused is not None and refused != self._refused
        self._known, self._awaited, self._refused = turn_entries, awaited, refused
        self._told.add(awaited)
        instructed, self._instructed = (
            self._instructed,
            snapshot["bot_turn"] and snapshot["bot_turn"]["player"],
        )
        return News(
            undone,
            added,
            snapshot,
            is_awaited_new,
            is_refusal_new,
            _winner(session) if snapshot["status"] == OVER else None,
            told_apart_by(session.rules, snapshot["question"]) if snapshot["question"] else "",
            instructed,
        )


def _winner(session: TableSession) -> tuple[str, int]:
    colour = session.rules.ranking(session.state)[0]
    return colour, sum(session.rules.score_sheet(session.state)[colour].values())


def _common(before: Sequence[int], after: Sequence[int]) -> int:
    """How many records two journals begin with alike."""
    pairs = zip(before, after, strict=False)
    return next((i for i, (old, new) in enumerate(pairs) if old != new), min(len(before), len(after)))


def _awaited(snapshot: Snapshot) -> tuple[Any, ...]:
    """What the companion waits for, as far as it matters to those who listen; empty when it is only to be confirmed."""
    status, question, player = snapshot["status"], snapshot["question"], snapshot["view"]["to_move"]
    if status in (PROPOSAL, DRAFTING) and player is None:
        return ()
    mismatches = [tuple(mismatch.values()) for mismatch in snapshot["mismatches"]]
    return AWAITED.get(status), question and question["about"], player, *mismatches


def told_apart_by(rules: Rules, question: QuestionView) -> str:
    """What tells the turns of a question apart, when that is one thing."""
    if question["about"] != "turn" or question["reason"]:
        return ""
    turns = [
        [rules.describe(rules.parse_move(text)) for text in option["value"].split("; ")]
        for option in question["options"]
    ]
    first = turns[0]
    if any([move["word"] for move in turn] != [move["word"] for move in first] for turn in turns):
        return ""
    fields = frozenset(
        field
        for turn in turns
        for move, other in zip(turn, first, strict=True)
        for field in move
        if field != "text" and move[field] != other[field]
    )
    return TOLD_APART_BY.get(fields, "")


# --- in words ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Deed:
    """What a player did in one move."""

    phrases: tuple[str, ...]
    points: int


@dataclass(frozen=True, slots=True)
class _Told:
    """A sentence, and the points that it tells of."""

    text: str
    player: str | None = None
    points: int = 0


def sentences(news: News, translator: Translator) -> list[str]:
    """The news in at most :data:`MOST_SENTENCES` sentences, in the order in which they happened."""
    now = [*_refusal(news, translator), *_what_is_awaited(news, translator)]
    room = MOST_SENTENCES - len(now)
    told: list[_Told] = []
    for most in range(max(1, room), 0, -1):
        told = [
            *_undone(news, translator),
            *(
                t
                for turn_entry in news.turn_entries
                for t in _turn_entry(turn_entry, translator, most, news.instructed)
            ),
        ]
        if len(told) <= room:
            break
    return [_sentence(text) for text in (*_latest_of(told, room, translator), *now)]


def _sentence(text: str) -> str:
    return capitalised(text) + ("" if text[-1] in ".?!" else ".")


def _latest_of(told: Sequence[_Told], room: int, translator: Translator) -> list[str]:
    """As many of the latest sentences as there is room for; the points of those before are summed up in one more."""
    if len(told) <= room:
        return [t.text for t in told]
    split = len(told) - room + 1
    earlier: Counter[str] = Counter()
    for t in told[:split]:
        if t.player is not None:
            earlier[t.player] += t.points
    sums = [translator("said.each.final", player=p, points=points) for p, points in earlier.items() if points]
    if not sums:
        return [t.text for t in told[len(told) - room :]]
    return [translator("said.before", told=", ".join(sums)), *(t.text for t in told[split:])]


def _undone(news: News, translator: Translator) -> Iterator[_Told]:
    """A turn takes along the roll that came after it; a roll that was put right is told anew, and not taken back."""
    turns = [turn_entry for turn_entry in news.undone if turn_entry.player]
    for turn_entry in turns:
        yield _Told(translator("said.undone_turn", player=turn_entry.player))
    if news.undone and not turns and not news.turn_entries:
        yield _Told(translator("said.undone", move=news.undone[-1].steps[0].move["word"]))


def _turn_entry(
    turn_entry: TurnEntry, translator: Translator, most: int, instructed: str | None
) -> Iterator[_Told]:
    """What a player did in at most so many sentences, then what happened to all.

    Of a turn that people were told to do only the points are news.
    """
    deeds = [_deed(step, translator) for step in turn_entry.steps]
    points = sum(deed.points for deed in deeds)
    if turn_entry.player is not None and turn_entry.player == instructed:
        if points:
            yield _Told(
                translator("said.each.final", player=turn_entry.player, points=points),
                turn_entry.player,
                points,
            )
    else:
        yield from _deeds(turn_entry.player, [deed for deed in deeds if deed.phrases], translator, most)
    kinds = {event["kind"] for event in turn_entry.events}
    # What mines pay in the last phase is counted at once.
    for kind in OF_ALL_PLAYERS if "final" not in kinds else ("final",):
        if kind in kinds:
            yield _of_all_players(kind, turn_entry, translator)
    for step in turn_entry.steps:
        by_kind = {event["kind"]: event for event in step.events}
        if "phase" in by_kind:
            yield _Told(translator.aloud(by_kind["phase"]))
        if "round" in by_kind:
            data = {**step.move, **by_kind["goods_arrive"], "told": translator.aloud(by_kind["round"])}
            yield _Told(translator("said.roll", **data))


def _deed(step: Step, translator: Translator) -> _Deed:
    own = list(takewhile(lambda event: event["kind"] not in OF_ALL_PLAYERS, worth_telling(step)))
    phrases = tuple(translator.aloud(event) for event in own if event["kind"] not in WITHOUT_WORDS)
    points = (event["points"] for event in own if event["kind"] not in TELL_THEIR_POINTS)
    return _Deed(phrases, sum(max(0, number) for number in points))


def _deeds(player: str | None, deeds: Sequence[_Deed], translator: Translator, most: int) -> Iterator[_Told]:
    """Sentences of a few moves each; one that scores ends its sentence, which tells the points."""
    groups: list[list[_Deed]] = []
    for deed in deeds:
        if groups and len(groups[-1]) < TOGETHER and not groups[-1][-1].points:
            groups[-1].append(deed)
        else:
            groups.append([deed])
    left = [deed for group in groups[most:] for deed in group]
    for i, group in enumerate(groups[:most], 1):
        points = sum(deed.points for deed in group)
        told = translator.both(p for deed in group for p in deed.phrases)
        # What chance brought is nobody's deed.
        told = told if player is None else translator("said.deeds", player=player, told=told)
        told = translator("said.points", told=told, points=points) if points else told
        if i == most and left:
            more = sum(deed.points for deed in left)
            key = "said.more_points" if more else "said.more"
            told = translator(key, told=told, points=more, count=len(left))
            points += more
        yield _Told(told, player, points)


def _of_all_players(kind: str, turn_entry: TurnEntry, translator: Translator) -> _Told:
    """``The mines pay Blue 2 silver, Green 1 silver``; what one player has of a kind is added up."""
    events = [event for event in turn_entry.events if event["kind"] == kind]
    points: Counter[str] = Counter()
    for event in events:
        points[event["player"]] += event["points"]
    of_player = {event["player"]: {**event, "points": points[event["player"]]} for event in events}
    each = (translator(f"said.each.{kind}", **event) for event in of_player.values())
    return _Told(translator(f"said.all.{kind}", told=", ".join(each)))


def _refusal(news: News, translator: Translator) -> Iterator[str]:
    refused = news.snapshot["rejection"]
    if news.is_refusal_new and refused is not None:
        yield translator.reason(refused["code"], refused)


def _what_is_awaited(news: News, translator: Translator) -> Iterator[str]:
    """Nothing when it follows from what was taken back."""
    snapshot, player = news.snapshot, news.snapshot["view"]["to_move"]
    status = snapshot["status"]
    if not news.is_awaited_new or (news.undone and status not in (ASKING, UNEXPLAINED)):
        return
    if status == ASKING:
        yield _question(news, translator)
    elif snapshot["mismatches"]:
        yield translator.mismatches(snapshot["mismatches"])
    elif player and (bot_turn := snapshot["bot_turn"]) and status in (WATCHING, PROPOSAL):
        yield from _bot_turn_text(bot_turn, snapshot["opponents"], translator)
    elif status == OVER:
        assert news.winner is not None
        winner, points = news.winner
        yield translator(AWAITED[status], player=winner, points=points)
    else:
        yield translator(AWAITED[status], player=player)


def _bot_turn_text(
    bot_turn: BotTurnView, opponents: Mapping[str, str], translator: Translator
) -> Iterator[str]:
    """What people are to do for a player whom the companion plays."""
    if bot_turn["player"] in opponents:
        yield translator(
            "said.planned", player=bot_turn["player"], told=_first_moves(bot_turn["steps"], translator)
        )
        return
    told = soon_said(instructions(events_of(bot_turn), translator), translator)
    yield from told
    last = translator("hand.confirm")
    if len(told) < MOST_SENTENCES and are_soon_said((*told, last), translator):
        yield last


def _first_moves(steps: Sequence[BotStepView], translator: Translator) -> str:
    """The moves with which a turn begins; the page tells all."""
    told = [translator.move_aloud(step["move"]) for step in steps if step["move"]["word"] != "end"]
    more = len(told) - TOGETHER
    first = translator.both(told[:TOGETHER])
    return translator("said.more", told=first, count=more) if more > 0 else first


def _question(news: News, translator: Translator) -> str:
    question, player = news.snapshot["question"], news.snapshot["view"]["to_move"]
    assert question is not None
    group, *owner = question["about"].split(":")
    if news.told_apart_by:
        asked = translator(f"said.asked.{news.told_apart_by}", player=player)
    elif group == "duchy":
        asked = translator("said.asked.duchy", player=owner[0])
    else:
        asked = translator.question(question)
    return translator("said.question", asked=asked[:1].lower() + asked[1:])


# --- aloud ------------------------------------------------------------------------------------------------


@contextmanager
def announced_aloud(
    session: TableSession, narrator: Narrator, language: str, say: Callable[[str], None]
) -> Iterator[None]:
    """Has every announcement said by *say* from a thread of its own, while the block runs."""
    stop = threading.Event()
    arguments = (session, narrator, language, say, stop)
    thread = threading.Thread(target=_say_all, args=arguments, name="announcer", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _say_all(
    session: TableSession,
    narrator: Narrator,
    language: str,
    say: Callable[[str], None],
    stop: threading.Event,
) -> None:
    said = 0
    while not stop.is_set():
        version = session.version
        announcement = narrator.latest()
        if announcement.number != said:
            said = announcement.number
            if text := announcement.text(Translator(language, view=announcement.view)):
                say(text)
        session.wait_for_change(version, LOOK_S)
