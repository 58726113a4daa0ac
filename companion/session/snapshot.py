"""The snapshot: everything that a page, a voice or a virtual player needs to know of a session, as plain data.

A :class:`Snapshot` is an ordinary dictionary that JSON and templates take as it is; the classes here only name its
keys. What only the game can describe (the position, moves, events) stays in the game's own words.

A snapshot is made for a *viewer*: the colour of a player who looks at their own page, or None for the shared screen.
The position is shown as the viewer may see it; moves, which are everybody's business, without what is secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, TypedDict

from companion.games import capabilities
from companion.games.api import Count, Move, Reason, Rules
from companion.games.stage import Stage
from companion.journal import Entry
from companion.journal.history import Dropped
from companion.referee import Explanation, Mismatch, Question, breaches, notation

from . import confirm, places
from .context import HistoryChange, LastResult, SessionContext
from .roll_doubt import rolled_dice
from .status import DRAFTING, PROPOSAL, UNEXPLAINED

View: TypeAlias = dict[str, Any]
"""A position as the game describes it for drawing (``Rules.view``), with the players' ``names`` by colour."""
MoveView: TypeAlias = dict[str, Any]
"""A move as the game describes it (``Rules.describe``): its ``word``, its notation ``text``, and more; of a secret
one only what everybody may know."""
EventView: TypeAlias = dict[str, Any]
"""An event as the game describes it (``Event.to_json``)."""
Message: TypeAlias = dict[str, Any]
"""The ``code`` of a sentence, and beside it the data that the sentence needs."""


class StageView(TypedDict):
    """Where the game stands (:class:`companion.games.stage.Stage`)."""

    name: str
    actors: list[str]
    is_chance: bool
    order: list[str]
    acted: list[str]
    round: int | None
    rounds: int | None
    due: list[Message]


class MoveChoiceView(TypedDict):
    """One step on the way to a move (:class:`companion.games.choices.MoveChoice`)."""

    key: str
    move: MoveView | None
    code: str
    data: dict[str, Any]


class BreachView(TypedDict):
    """A reading that no legal turn explains, and the move and rule that it most likely breaks."""

    place: str
    expected: str
    read: str
    move: MoveView | None
    reason: Message | None


class ProposalView(TypedDict):
    """The explanation to confirm."""

    player: str | None
    moves: list[MoveView]
    events: list[EventView]
    probability: float
    unexplained: list[str]
    """Places whose reading contradicts it."""
    overlooked: list[str]
    """Places whose reading differs, most likely by mistake."""
    breaches: list[BreachView]
    chosen: int | None
    """Index of this explanation among the alternatives."""
    alternatives: int


class OptionView(TypedDict):
    """A possible answer."""

    value: str
    probability: float


class QuestionView(TypedDict):
    """The open question (:class:`companion.referee.Question`)."""

    kind: str
    about: str
    options: tuple[OptionView, ...]
    box: tuple[int, int, int, int] | None
    reason: str
    seen: bool
    chosen: int | None
    """Index of the option that is marked; ``None`` if there is none."""


class DieView(TypedDict):
    """A die of the last roll of its colour (:class:`.roll_doubt.RolledDie`)."""

    name: str
    """``red:0``"""
    value: int
    doubtful: bool
    fresh: bool
    """Whether nothing was recorded since the roll."""


class LastResultView(TypedDict):
    """The effects of the last confirmation (:class:`.context.LastResult`)."""

    by: str
    player: str | None
    events: list[EventView]


class ActionView(TypedDict):
    """What undo or redo would do."""

    answer_about: str | None
    """What the answer that undo retracts is about; ``None`` if it concerns recorded moves."""
    player: str | None
    moves: list[MoveView]
    by: str
    amends: bool
    """Whether the action corrected an earlier turn."""


class PieceView(TypedDict):
    """A piece to move on the table (:class:`.places.Piece`)."""

    label: str
    origin: str | None
    target: str | None
    done: bool


class CountView(TypedDict):
    """A count of a player that changed."""

    player: str
    what: str
    value: int


class HistoryChangeView(TypedDict):
    """The last undo or redo, and what has to be moved on the table to match it."""

    kind: str
    action: ActionView
    pieces: list[PieceView]
    counts: list[CountView]


class BotStepView(TypedDict):
    """One move of a bot's turn."""

    move: MoveView
    events: list[EventView]
    seen: bool
    """Whether the camera sees that it is done."""


class BotTurnView(TypedDict):
    """The turn that people make for a bot or a virtual player."""

    player: str | None
    steps: list[BotStepView]


class MismatchView(TypedDict):
    """A difference between the table and a bot's turn (:class:`companion.referee.Mismatch`)."""

    code: str
    place: str
    tile: str
    target: str
    instead: str


class UnresolvedTurnView(TypedDict):
    """A turn that was recorded without confirmation although others were possible."""

    seq: int
    player: str | None
    options: list[str]
    assumed: str


class DroppedTurnView(TypedDict):
    """A turn that a correction has removed."""

    player: str | None
    moves: list[MoveView]


class DroppedView(TypedDict):
    """The turns that are no longer legal after a correction, and why the first of them is not."""

    entries: list[DroppedTurnView]
    reason: Message


class Snapshot(TypedDict):
    """Everything that there is to show of a session at one moment."""

    version: int
    """Changes whenever anything else in the snapshot may have changed."""
    sightings: int
    """Number of sightings so far."""
    help: bool
    """Whether help was asked for since the last command."""
    status: str
    """What the session waits for (see :mod:`.status`)."""
    confirmed: int
    """Number of effective entries in the journal."""
    game: str
    view: View
    stage: StageView
    scores: dict[str, int]
    """Points by colour."""
    proposal: ProposalView | None
    reminders: list[Message]
    draft: list[MoveView]
    """Moves entered by taps so far."""
    draft_events: list[list[EventView]]
    """What each of them brings about."""
    draft_of: int | None
    """Number of the entry that is being entered again; ``None`` for the next one."""
    out_of_turn: list[MoveView]
    """What players may do now while it is not their turn, each with its ``player``: on a player's own page, theirs."""
    can_confirm: bool
    """Whether a press on *confirm* would be carried out, or remembered, or lead to a question."""
    can_enter: bool
    """Whether there is a move that somebody can enter now (see :func:`move_choices`)."""
    own_pages: list[str]
    """Players who have a page of their own in this game, with what only they may see and do."""
    unreported: list[str]
    """What this table does not tell, and what is therefore not checked: codes."""
    dice: list[DieView]
    """What was rolled last, as recorded."""
    question: QuestionView | None
    notice: Message | None
    """What the camera still needs to see."""
    looks_again: bool
    """Whether the table, if it stays at rest, is looked at once more before anything is asked."""
    rejection: Message | None
    """Why the last command was rejected."""
    last_result: LastResultView | None
    can_undo: ActionView | None
    can_redo: ActionView | None
    retracted: list[MoveView]
    """The tap that redo would restore; empty if there is none."""
    history_change: HistoryChangeView | None
    opponents: dict[str, str]
    """Colour -> name of the bot that plays it."""
    bot_turn: BotTurnView | None
    mismatches: list[MismatchView]
    overriding: bool
    """Whether a person has already confirmed the bot's turn despite these mismatches."""
    unresolved_turns: list[UnresolvedTurnView]
    dropped: DroppedView | None
    watched: list[str]
    """What the camera reads: parts of :attr:`companion.session.belief.Belief.watchable`."""
    watchable: list[str]
    """What it could read."""
    confirm_when_clear: bool
    """Whether a confirmation waits until the table is still."""
    sighting: dict[str, Any] | None
    """The last sighting (:meth:`vision.sighting.Sighting.to_json`)."""


class IllegalMoveView(TypedDict):
    """A move that the player in turn cannot make, and why."""

    move: MoveView
    code: str
    data: dict[str, Any]


class PreviewView(TypedDict):
    """What a move would bring about now."""

    events: list[EventView]
    moves: list[MoveView]
    """What could be entered after it."""
    view: View
    """The position after it."""


def snapshot(
    context: SessionContext,
    *,
    version: int,
    sightings: int,
    is_help_shown: bool,
    viewer: str | None = None,
) -> Snapshot:
    """Returns everything there is to show to *viewer* of a session now.

    The session itself counts *version* and *sightings*.
    """
    status, shown, turn = context.status, context.shown_state, context.turn
    stage = context.rules.stage(shown)
    verdict, sighting, rejection = turn.verdict, context.belief.sighting, context.rejection
    return {
        "version": version,
        "sightings": sightings,
        "help": is_help_shown,
        "status": status,
        "confirmed": len(context.history.entries),
        "game": context.rules.name,
        "view": {**context.rules.view(shown, viewer), "names": dict(context.history.names)},
        "stage": stage_view(stage),
        "scores": scores_of(context.rules, shown),
        "proposal": _proposal(context) if status in (PROPOSAL, UNEXPLAINED) else None,
        "reminders": _reminders(context, status),
        "draft": _moves(context, turn.draft),
        "draft_events": _draft_events(context),
        "draft_of": turn.draft_of,
        "out_of_turn": _out_of_turn(context, viewer),
        "can_confirm": confirm.can_confirm(context),
        "can_enter": bool(stage.actors),
        "own_pages": [player for player in stage.order if context.secrets.has_secrets(shown, player)],
        "unreported": list(context.partly_reported.unreported(shown)),
        "dice": _dice(context),
        "question": _question(context, context.question),
        "notice": {"code": verdict.notice, **verdict.notice_data} if verdict.notice else None,
        "looks_again": context.belief.looks_again,
        "rejection": None if rejection is None else {"code": rejection.code, **rejection.data},
        "last_result": _last_result(context.last_result),
        "can_undo": _undo(context),
        "can_redo": None if turn.drafting else _optional_action(context, context.history.to_redo),
        "retracted": _moves(context, turn.retracted[-1:]),
        "history_change": _history_change(context, context.history_change),
        "opponents": dict(context.opponents.bots),
        "bot_turn": None if status == DRAFTING else _bot_turn(context),
        "mismatches": [_mismatch(mismatch) for mismatch in verdict.mismatches],
        "overriding": turn.override_confirmed is not None
        and turn.override_confirmed == turn.outstanding_mismatches,
        "unresolved_turns": [_unresolved_turn(entry) for entry in context.history.unresolved_entries],
        "dropped": _dropped(context, context.dropped),
        "watched": sorted(context.belief.watched),
        "watchable": list(context.belief.watchable),
        "confirm_when_clear": turn.confirm_when_clear,
        "sighting": None if sighting is None else sighting.to_json(),
    }


def scores_of(rules: Rules, state: Any) -> dict[str, int]:
    """Returns each player's points by colour."""
    return {colour: sum(points.values()) for colour, points in rules.score_sheet(state).items()}


def stage_view(stage: Stage) -> StageView:
    """Returns a stage as plain data."""
    return {
        "name": stage.name,
        "actors": list(stage.actors),
        "is_chance": stage.is_chance,
        "order": list(stage.order),
        "acted": list(stage.acted),
        "round": stage.round,
        "rounds": stage.rounds,
        "due": [{"code": due.code, **due.data} for due in stage.due],
    }


def move_choices(context: SessionContext, path: Sequence[str], viewer: str | None) -> list[MoveChoiceView]:
    """Returns what *viewer* can choose next on the way to a move, after the *path* of keys chosen so far.

    On the shared screen that are the moves that everybody may see; on a player's own page their secrets and, while
    it is their turn, those moves, too.
    """
    choices = context.guided.move_choices(context.shown_state, path)
    is_allowed = context.allowed_for(viewer)
    return [
        {
            "key": choice.key,
            "move": None if choice.move is None else _describe(context, choice.move, viewer),
            "code": choice.code,
            "data": dict(choice.data),
        }
        for choice in choices
        if choice.move is None or is_allowed(choice.move)
    ]


def legal_moves(context: SessionContext, viewer: str | None = None) -> list[MoveView]:
    """Returns every legal move that *viewer* may enter."""
    legal = context.rules.legal_moves(context.shown_state)
    return [_describe(context, move, viewer) for move in filter(context.allowed_for(viewer), legal)]


def preview(context: SessionContext, text: str) -> PreviewView:
    """Returns what the legal move *text* would bring about, and what could be entered after it."""
    state, move = context.shown_state.copy(), context.parsed(text)
    events = [event.to_json() for event in context.rules.apply(state, move)]
    return {
        "events": events,
        "moves": [_describe(context, then) for then in context.rules.legal_moves(state)],
        "view": context.rules.view(state),
    }


def secret_reports(context: SessionContext, viewer: str) -> list[MoveView]:
    """Returns the secrets that chance may have given to *viewer*, who alone can say which (a drawn card)."""
    reports = context.chance.unobserved_chance_moves(context.state)
    return [_describe(context, move, viewer) for move in reports if context.secrets.owner_of(move) == viewer]


def illegal_moves(context: SessionContext, place: str) -> list[IllegalMoveView]:
    """Returns the moves at *place* that the player in turn cannot make, each with the reason."""
    return [
        {"move": _describe(context, move), "code": reason.code, "data": dict(reason.data)}
        for move, reason in context.rules.illegal_moves_at(context.shown_state, place)
    ]


def _describe(context: SessionContext, move: Move, viewer: str | None = None) -> MoveView:
    return capabilities.description_for(context.rules, move, viewer)


def _moves(context: SessionContext, moves: Iterable[Move]) -> list[MoveView]:
    return [_describe(context, move) for move in moves]


def _out_of_turn(context: SessionContext, viewer: str | None) -> list[MoveView]:
    moves = _moves(context, context.out_of_turn_moves())
    return [move for move in moves if viewer in (None, move["player"])]


def _reason(reason: Reason) -> Message:
    return {"code": reason.code, **reason.data}


def _proposal(context: SessionContext) -> ProposalView:
    explanation, state = context.explanation, context.state.copy()
    events = [event.to_json() for move in explanation.moves for event in context.rules.apply(state, move)]
    return {
        "player": context.rules.to_move(context.state),
        "moves": _moves(context, explanation.moves),
        "events": events,
        "probability": round(explanation.probability, 4),
        "unexplained": list(explanation.unexplained),
        "overlooked": list(explanation.misread),
        "breaches": _breaches(context, explanation),
        "chosen": context.chosen,
        "alternatives": len(context.turn.verdict.explanations),
    }


def _breaches(context: SessionContext, explanation: Explanation) -> list[BreachView]:
    """Returns what breaks which rule; empty if everything is explained."""
    if not explanation.unexplained or context.turn.verdict.mismatches:
        return []
    return [
        {
            "place": breach.contradiction.place,
            "expected": breach.contradiction.expected,
            "read": breach.contradiction.read,
            "move": None if breach.move is None else _describe(context, breach.move),
            "reason": None if breach.reason is None else _reason(breach.reason),
        }
        for breach in breaches(context.rules, context.state, explanation.moves, context.contradictions())
    ]


def _draft_events(context: SessionContext) -> list[list[EventView]]:
    state = context.drafted_from.copy()
    return [[event.to_json() for event in context.rules.apply(state, move)] for move in context.turn.draft]


def _reminders(context: SessionContext, status: str) -> list[Message]:
    """Returns what the player would forget by ending the turn as it is proposed, or entered so far."""
    if status == PROPOSAL and not context.bot_turn:
        before, moves = context.state, context.explanation.moves
    elif status == DRAFTING and context.turn.draft:
        before, moves = context.drafted_from, tuple(context.turn.draft)
    else:
        return []
    return [{"code": one.code, **one.data} for one in context.rules.reminders(before, moves)]


def _dice(context: SessionContext) -> list[DieView]:
    entries = context.history.entries
    return [
        {
            "name": die.name,
            "value": die.value,
            "doubtful": die.is_doubtful,
            "fresh": die.entry is entries[-1],
        }
        for die in rolled_dice(context.rules, entries)
    ]


def _question(context: SessionContext, question: Question | None) -> QuestionView | None:
    if question is None:
        return None
    return {
        "kind": question.kind,
        "about": question.about,
        "options": tuple(
            {"value": option.value, "probability": option.probability} for option in question.options
        ),
        "box": question.box,
        "reason": question.reason,
        "seen": question.seen,
        "chosen": context.chosen,
    }


def _last_result(result: LastResult | None) -> LastResultView | None:
    if result is None:
        return None
    return {"by": result.by, "player": result.player, "events": list(result.events)}


def _bot_turn(context: SessionContext) -> BotTurnView | None:
    """Returns what the companion plays now, or chooses at set-up."""
    moves = context.bot_turn or context.opponents.start(context.state)
    if not moves:
        return None
    state = context.state.copy()
    return {
        "player": context.rules.to_move(context.state),
        "steps": [_bot_step(context, state, move) for move in moves],
    }


def _bot_step(context: SessionContext, state: Any, move: Move) -> BotStepView:
    """Makes *move* in *state*; returns its effects, and whether the camera sees it done."""
    was = context.observable.visible_layout(state)
    events = [event.to_json() for event in context.rules.apply(state, move)]
    is_seen = context.belief.shows_change(was, context.observable.visible_layout(state))
    return {"move": _describe(context, move), "events": events, "seen": is_seen}


def _mismatch(mismatch: Mismatch) -> MismatchView:
    return {
        "code": mismatch.code,
        "place": mismatch.place,
        "tile": mismatch.tile,
        "target": mismatch.target,
        "instead": mismatch.instead,
    }


def _unresolved_turn(entry: Entry) -> UnresolvedTurnView:
    return {
        "seq": entry.seq,
        "player": entry.player,
        "options": list(entry.options),
        "assumed": notation(entry.moves),
    }


def _dropped(context: SessionContext, dropped: Dropped | None) -> DroppedView | None:
    if dropped is None:
        return None
    return {
        "entries": [
            {"player": entry.player, "moves": _moves(context, entry.moves)} for entry in dropped.entries
        ],
        "reason": _reason(dropped.reason),
    }


def _undo(context: SessionContext) -> ActionView | None:
    if context.belief.answers:
        answered = next(reversed(context.belief.answers))
        return {"answer_about": answered, "player": None, "moves": [], "by": "", "amends": False}
    return _optional_action(context, context.history.to_undo)


def _optional_action(context: SessionContext, entry: Entry | None) -> ActionView | None:
    return None if entry is None else _action(context, entry)


def _action(context: SessionContext, entry: Entry) -> ActionView:
    """Returns the user action that began with *entry*."""
    return {
        "answer_about": None,
        "player": entry.player,
        "moves": _moves(context, entry.moves),
        "by": entry.by,
        "amends": entry.amends is not None,
    }


def _history_change(
    context: SessionContext, history_change: HistoryChange | None
) -> HistoryChangeView | None:
    if history_change is None:
        return None
    return {
        "kind": history_change.kind,
        "action": _action(context, history_change.entry),
        "pieces": [_piece(piece) for piece in places.pieces_to_move(context, history_change.before)],
        "counts": [
            {"player": now.player, "what": now.what, "value": now.value}
            for now in _counts_since(context, history_change.before)
        ],
    }


def _piece(piece: places.Piece) -> PieceView:
    return {"label": piece.label, "origin": piece.origin, "target": piece.target, "done": piece.done}


def _counts_since(context: SessionContext, before: Any) -> Iterable[Count]:
    """Returns the counts that differ from those of the position *before*."""
    was = {(count.player, count.what): count.value for count in context.correctable.counts(before)}
    return (
        now
        for now in context.correctable.counts(context.state)
        if was.get((now.player, now.what), now.value) != now.value
    )
