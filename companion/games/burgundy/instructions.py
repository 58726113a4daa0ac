"""Instructions: what people move on the table for a player who has no hands, in a few short sentences.

    for instruction in instructions(events_of(snapshot["bot_turn"]), words):
        instruction.text                               # "Put the bank from depot 4 on the right card, second space."

What belongs together is told together. When it still takes too many sentences, or more than ten seconds to say, what
concerns the board of all players is told in any case, and the last sentence says that there is more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any

from companion.games.text import MAX_SENTENCES, Text, are_short_enough, capitalised

Happening = Mapping[str, Any]
"""An event as plain data."""


@dataclass(frozen=True, slots=True)
class Errand:
    """What people do when something happens."""

    verb: str
    what: str = ""
    """The thing that is moved, by the name of its text."""
    where: str = ""
    shared: bool = False
    """Whether it changes the board of all players, which has to be kept even where the player's own pieces are not."""


ERRANDS = {
    "card_place": Errand("put", "tile", "card", shared=True),
    "card_place_stored": Errand("put", "stored", "card"),
    "card_place_joker": Errand("put", "joker", "card"),
    "stock": Errand("put", "tile", "inventory", shared=True),
    "buy": Errand("buy", "tile", shared=True),
    "joker": Errand("put", "tile", "jokers", shared=True),
    "load": Errand("take", "goods", shared=True),
    "bonus_tile": Errand("take", "bonus", shared=True),
    "advance": Errand("advance", shared=True),
    "sell": Errand("sell"),
    "to_duchy": Errand("clear"),
    "card_slides": Errand("slide"),
}
"""Kind of event -> errand; nothing is moved for others. Texts: ``hand.<verb>``, ``hand.what.*``, ``hand.where.*``."""
BOX = "box"
"""Where tiles and goods go of a player whose own pieces stay in the box."""
SAID_WITH = {"advance": "take", "slide": "clear"}
"""Verb -> the one in whose sentence it is said."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One sentence, and the events for which it is to be done."""

    text: str
    events: tuple[Happening, ...]


@dataclass(frozen=True, slots=True)
class _Job:
    """An errand on the occasion of an event."""

    errand: Errand
    event: Happening


_Sentence = list[_Job]


def events_of(bot_turn: Mapping[str, Any]) -> list[Happening]:
    """Everything that a planned turn brings about, from ``bot_turn`` in a session's snapshot."""
    return [event for step in bot_turn["steps"] for event in step["events"]]


def instructions(
    events: Iterable[Happening], translator: Text, most: int = MAX_SENTENCES
) -> list[Instruction]:
    """What is to be done for *events*, in at most so many sentences; one says so when there is nothing to do."""
    jobs = list(_jobs(events, translator.view))
    if not jobs:
        return [Instruction(translator("hand.nothing"), ())]
    told: list[Instruction] = []
    for told in _ways_to_tell(jobs, translator, most):
        if len(told) <= most and are_short_enough([each.text for each in told], translator):
            break
    return told


def shortened(told: Sequence[Instruction], translator: Text) -> list[str]:
    """As many of the sentences as can be said in some ten seconds; where others are left out, the last one says so."""
    rest = translator("hand.rest")
    sentences = [each.text for each in told]
    if are_short_enough(sentences, translator):
        return sentences
    for number in range(len(sentences) - 1, 0, -1):
        shorter = [*(text for text in sentences[:number] if text != rest), rest]
        if are_short_enough(shorter, translator):
            return shorter
    return [translator("hand.look")]


def details(events: Iterable[Happening], translator: Text) -> list[Instruction]:
    """The same, one thing after the other, in as many sentences as it takes."""
    return [_told([job], translator) for job in _jobs(events, translator.view)]


def _jobs(events: Iterable[Happening], view: Mapping[str, Any]) -> Iterator[_Job]:
    in_box = {seat["colour"] for seat in view.get("chateauma", ()) if seat["virtual"]}
    for event in events:
        errand = ERRANDS.get(event["kind"])
        if errand is None:
            continue
        if event["player"] not in in_box:
            yield _Job(errand, event)
        elif errand.shared:
            yield _Job(Errand("put", errand.what, BOX, shared=True) if errand.what else errand, event)


# --- what is said together --------------------------------------------------------------------------------


_IsSaidWith = Callable[[_Job, _Sentence, bool], bool]
"""Whether a job is said in a sentence, which may be the last one so far."""


def _grouped(jobs: Iterable[_Job], is_said_with: _IsSaidWith) -> list[_Sentence]:
    """Jobs in the order in which they come up first."""
    sentences: list[_Sentence] = []
    for job in jobs:
        for sentence in sentences:
            if is_said_with(job, sentence, sentence is sentences[-1]):
                sentence.append(job)
                break
        else:
            sentences.append([job])
    return sentences


def _belongs_to_the_last(job: _Job, sentence: _Sentence, is_last: bool) -> bool:
    if job.errand.where == BOX:
        return sentence[0].errand.where == BOX
    return is_last and SAID_WITH.get(job.errand.verb) == sentence[0].errand.verb


def _continues_the_last(job: _Job, sentence: _Sentence, is_last: bool) -> bool:
    return is_last and _is_of_one_kind(job, sentence, is_last)


def _is_of_one_kind(job: _Job, sentence: _Sentence, is_last: bool) -> bool:
    kind, other = job.errand.verb, sentence[0].errand.verb
    return SAID_WITH.get(kind, kind) == SAID_WITH.get(other, other)


def _ways_to_tell(jobs: Sequence[_Job], translator: Text, most: int) -> Iterator[list[Instruction]]:
    """From the most ample to the tersest; all name what is moved on the board of all players."""
    sentences: list[_Sentence] = []
    for is_said_with in (_belongs_to_the_last, _continues_the_last, _is_of_one_kind):
        sentences = _grouped(jobs, is_said_with)
        yield _with_rest(sentences, jobs, translator)
    shared = [sentence for sentence in sentences if any(job.errand.shared for job in sentence)]
    others = [sentence for sentence in sentences if sentence not in shared]
    for number in range(most - 1 - len(shared), 0, -1):
        kept = (*shared, *others[:number])
        yield _with_rest([sentence for sentence in sentences if sentence in kept], jobs, translator)
    essential = [job for job in jobs if job.errand.shared]
    if not essential:
        return
    sentences = _grouped(essential, _is_of_one_kind)
    yield _with_rest(sentences, jobs, translator)
    yield _with_rest([*sentences[: most - 2], list(chain(*sentences[most - 2 :]))], jobs, translator)
    if any(job.errand.where not in ("", BOX) for job in essential):
        bare = _grouped(map(_without_place, essential), _is_of_one_kind)
        yield [*(_told(sentence, translator) for sentence in bare), _rest(jobs, essential, translator)]


def _with_rest(sentences: Sequence[_Sentence], jobs: Sequence[_Job], translator: Text) -> list[Instruction]:
    """Some sentences, and one that says where the rest is to be found, if there is any."""
    told, said = [_told(sentence, translator) for sentence in sentences if sentence], list(chain(*sentences))
    return told if len(said) == len(jobs) else [*told, _rest(jobs, said, translator)]


def _rest(jobs: Iterable[_Job], said: Sequence[_Job], translator: Text) -> Instruction:
    return Instruction(translator("hand.rest"), tuple(job.event for job in jobs if job not in said))


def _without_place(job: _Job) -> _Job:
    return _Job(Errand("take", job.errand.what, shared=True), job.event) if job.errand.what else job


# --- in words ---------------------------------------------------------------------------------------------


def _told(jobs: _Sentence, translator: Text) -> Instruction:
    verbs = dict.fromkeys(job.errand.verb for job in jobs)
    phrases = [_phrase(verb, [job for job in jobs if job.errand.verb == verb], translator) for verb in verbs]
    return Instruction(f"{capitalised(translator.join(phrases))}.", tuple(job.event for job in jobs))


def _phrase(verb: str, jobs: _Sentence, translator: Text) -> str:
    """What one verb says of all that is done so."""
    events = [job.event for job in jobs]
    data = {"count": len(events), "sides": [event.get("side") for event in events]}
    return translator(f"hand.{verb}", **{**events[-1], **data, "things": _things(jobs, translator)})


def _things(jobs: _Sentence, translator: Text) -> str:
    """Things with the places to which they go; those that go to one place are told together."""
    placed = [(_what(job, translator), _where(job, translator)) for job in jobs if job.errand.what]
    told = [
        " ".join((translator.join(what for what, _ in together), where)).strip()
        for where, together in groupby(placed, key=lambda pair: pair[1])
    ]
    return translator("list.then").join(told)


def _what(job: _Job, translator: Text) -> str:
    kinds = sorted(set(job.event.get("goods", ())))
    return translator(f"hand.what.{job.errand.what}", **{**job.event, "kinds": kinds})


def _where(job: _Job, translator: Text) -> str:
    return translator(f"hand.where.{job.errand.where}", **job.event) if job.errand.where else ""
