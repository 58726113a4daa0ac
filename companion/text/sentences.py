"""An update in a few short sentences, as a person at the table would say it.

Points are always included: for sentences that do not fit, as a sum. Numbers stay digits, which every voice reads in
its own language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from companion.games.text import MAX_SENTENCES, are_short_enough, capitalised
from companion.journal import OUT_OF_TURN
from companion.session import ASKING, OVER, PROPOSAL, UNEXPLAINED, WATCHING

from .translator import Translator
from .turn_log import LoggedMove, TurnEntry, notable_events
from .update import AWAITED, Snapshot, Update

MOVES_PER_SENTENCE = 2


@dataclass(frozen=True, slots=True)
class _SpokenMove:
    """What a player did in one move."""

    phrases: tuple[str, ...]
    points: int


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence, and the points that it mentions."""

    text: str
    player: str | None = None
    points: int = 0


def sentences(update: Update, translator: Translator) -> list[str]:
    """Returns the update in at most :data:`.MAX_SENTENCES` sentences, in the order in which things happened."""
    now = [*_rejection(update, translator), *_awaited(update, translator)]
    room = MAX_SENTENCES - len(now)
    before: list[_Sentence] = []
    for most in range(max(1, room), 0, -1):
        before = [*_undone(update, translator)]
        for entry in update.turn_entries:
            before += _turn_entry(entry, translator, most, update.instructed)
        if len(before) <= room:
            break
    return [_finished(text) for text in (*_latest_of(before, room, translator), *now)]


def _finished(text: str) -> str:
    return capitalised(text) + ("" if text[-1] in ".?!" else ".")


def _latest_of(spoken: Sequence[_Sentence], room: int, translator: Translator) -> list[str]:
    """Returns as many of the latest sentences as there is room for, one of them with the points of those before."""
    if len(spoken) <= room:
        return [sentence.text for sentence in spoken]
    split = len(spoken) - room + 1
    earlier: Counter[str] = Counter()
    for sentence in spoken[:split]:
        if sentence.player is not None:
            earlier[sentence.player] += sentence.points
    sums = [
        translator("spoken.each.final", player=player, points=points)
        for player, points in earlier.items()
        if points
    ]
    if not sums:
        return [sentence.text for sentence in spoken[len(spoken) - room :]]
    return [
        translator("spoken.before", sums=", ".join(sums)),
        *(sentence.text for sentence in spoken[split:]),
    ]


# --- what happened ----------------------------------------------------------------------------------------


def _undone(update: Update, translator: Translator) -> Iterator[_Sentence]:
    """Yields turns that were undone; the roll after one goes with it, and a corrected roll is announced again."""
    turns = [entry for entry in update.undone if entry.player and entry.by != OUT_OF_TURN]
    for entry in turns:
        yield _Sentence(translator("spoken.undone_turn", player=entry.player))
    if update.undone and not turns and not update.turn_entries:
        yield _Sentence(translator("spoken.undone", move=update.undone[-1].steps[0].move["word"]))


def _turn_entry(
    entry: TurnEntry, translator: Translator, most: int, instructed: str | None
) -> Iterator[_Sentence]:
    """Yields what a player did in at most so many sentences, then what happened to all.

    Of a turn for which people were instructed only the points are new.
    """
    narration = translator.narration
    moves = [_spoken_move(step, entry.player, translator) for step in entry.steps]
    points = sum(move.points for move in moves)
    if entry.player is not None and entry.player == instructed:
        if points:
            sentence = translator("spoken.each.final", player=entry.player, points=points)
            yield _Sentence(sentence, entry.player, points)
    else:
        yield from _moves(entry.player, [move for move in moves if move.phrases], translator, most)
    yield from _others(entry, translator)
    kinds = {event["kind"] for event in entry.events}
    for kind in narration.shared_kinds if narration.final_kind not in kinds else (narration.final_kind,):
        if kind in kinds:
            yield _of_all_players(kind, entry, translator)
    for step in entry.steps:
        for milestone in narration.milestones(translator, step.move, step.events):
            yield _Sentence(milestone)


def _spoken_move(step: LoggedMove, player: str | None, translator: Translator) -> _SpokenMove:
    own = [event for event in _events_before_shared(step, translator) if not _is_of_another(event, player)]
    return _spoken(own, translator)


def _others(entry: TurnEntry, translator: Translator) -> Iterator[_Sentence]:
    """Yields what others got by a player's moves, a sentence each."""
    by_player: dict[str, list[Mapping[str, Any]]] = {}
    for step in entry.steps:
        for event in _events_before_shared(step, translator):
            if _is_of_another(event, entry.player):
                by_player.setdefault(event["player"], []).append(event)
    for player, events in by_player.items():
        got = _spoken(events, translator)
        if got.phrases:
            text = translator(
                "spoken.actions", player=player, actions=translator.join(dict.fromkeys(got.phrases))
            )
            text = translator("spoken.points", sentence=text, points=got.points) if got.points else text
            yield _Sentence(text, player, got.points)


def _is_of_another(event: Mapping[str, Any], player: str | None) -> bool:
    """Whether somebody else than the *player* whose move it was got something; nobody moves what chance brings."""
    return player is not None and event["player"] not in (None, player)


def _events_before_shared(step: LoggedMove, translator: Translator) -> Iterator[Mapping[str, Any]]:
    """Yields the notable events of a move, up to those that are said of all players together."""
    narration = translator.narration
    return takewhile(
        lambda event: event["kind"] not in narration.shared_kinds, notable_events(step, narration)
    )


def _spoken(events: Sequence[Mapping[str, Any]], translator: Translator) -> _SpokenMove:
    narration = translator.narration
    spoken = (event for event in events if event["kind"] not in narration.unspoken_kinds)
    points = (event["points"] for event in events if event["kind"] not in narration.kinds_with_points)
    return _SpokenMove(tuple(map(translator.spoken_event, spoken)), sum(max(0, number) for number in points))


def _moves(
    player: str | None, moves: Sequence[_SpokenMove], translator: Translator, most: int
) -> Iterator[_Sentence]:
    """Yields sentences of a few moves each; a move that scores ends its sentence, which names the points."""
    groups: list[list[_SpokenMove]] = []
    for move in moves:
        if groups and len(groups[-1]) < MOVES_PER_SENTENCE and not groups[-1][-1].points:
            groups[-1].append(move)
        else:
            groups.append([move])
    remaining = [move for group in groups[most:] for move in group]
    for i, group in enumerate(groups[:most], 1):
        points = sum(move.points for move in group)
        text = translator.join(phrase for move in group for phrase in move.phrases)
        # What chance brought is nobody's move.
        text = text if player is None else translator("spoken.actions", player=player, actions=text)
        text = translator("spoken.points", sentence=text, points=points) if points else text
        if i == most and remaining:
            more = sum(move.points for move in remaining)
            key = "spoken.more_points" if more else "spoken.more"
            text = translator(key, sentence=text, points=more, count=len(remaining))
            points += more
        yield _Sentence(text, player, points)


def _of_all_players(kind: str, entry: TurnEntry, translator: Translator) -> _Sentence:
    """Returns ``Both get a pebble: Blue 2, Green 1``; what one player has of a kind is added up."""
    events = [event for event in entry.events if event["kind"] == kind]
    points: Counter[str] = Counter()
    for event in events:
        points[event["player"]] += event["points"]
    of_player = {event["player"]: {**event, "points": points[event["player"]]} for event in events}
    each = (translator(f"spoken.each.{kind}", **event) for event in of_player.values())
    return _Sentence(translator(f"spoken.all.{kind}", amounts=", ".join(each)))


# --- what is awaited --------------------------------------------------------------------------------------


def _rejection(update: Update, translator: Translator) -> Iterator[str]:
    if update.is_rejection_new:
        rejection = update.snapshot["rejection"]
        yield translator.reason(rejection["code"], rejection)


def _awaited(update: Update, translator: Translator) -> Iterator[str]:
    """Yields nothing when it follows from what was taken back."""
    snapshot, player = update.snapshot, update.snapshot["view"]["to_move"]
    status = snapshot["status"]
    if not update.is_awaited_new or (update.undone and status not in (ASKING, UNEXPLAINED)):
        return
    if status == ASKING:
        yield _question(update, translator)
    elif snapshot["mismatches"]:
        yield translator.mismatches(snapshot["mismatches"])
    elif player and snapshot["bot_turn"] and status in (WATCHING, PROPOSAL):
        yield from _bot_turn(snapshot, translator)
    elif status == OVER:
        assert update.winner is not None
        winner, points = update.winner
        yield translator(AWAITED[status], player=winner, points=points)
    elif status == WATCHING and player is None:
        yield translator.whose_turn(snapshot["stage"])
    else:
        yield translator(AWAITED[status], player=player)


def _bot_turn(snapshot: Snapshot, translator: Translator) -> Iterator[str]:
    """Yields what people are to do for a player whom the companion plays."""
    bot_turn = snapshot["bot_turn"]
    if bot_turn["player"] in snapshot["opponents"]:
        first = _first_moves(bot_turn["steps"], translator)
        yield translator("spoken.bot_turn", player=bot_turn["player"], moves=first)
        return
    instructions = translator.narration.bot_turn(translator, bot_turn)
    yield from instructions
    last = translator("instruction.confirm")
    if len(instructions) < MAX_SENTENCES and are_short_enough((*instructions, last), translator):
        yield last


def _first_moves(steps: Sequence[Mapping[str, Any]], translator: Translator) -> str:
    """Returns the moves with which a turn begins; the page shows all. Its end is named if nothing comes before it."""
    named = [step for step in steps if step["move"]["word"] != "end"] or steps
    moves = [translator.spoken_move(step["move"]) for step in named]
    more = len(moves) - MOVES_PER_SENTENCE
    first = translator.join(moves[:MOVES_PER_SENTENCE])
    return translator("spoken.more", sentence=first, count=more) if more > 0 else first


def _question(update: Update, translator: Translator) -> str:
    question, player = update.snapshot["question"], update.snapshot["view"]["to_move"]
    detail = translator.narration.distinguishing_fields.get(update.differing_fields)
    if detail is not None:
        question_text = translator(f"spoken.asked.{detail}", player=player)
    else:
        spoken = translator.narration.spoken_question(translator, question["about"])
        question_text = spoken or translator.question(question)
    return translator("spoken.question", question=question_text[:1].lower() + question_text[1:])
