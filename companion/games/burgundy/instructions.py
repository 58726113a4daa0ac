"""Instructions: what people move on the table for a bot or the Châteauma, in a few short sentences.

    for instruction in instructions(events_of(snapshot["bot_turn"]), words):
        instruction.text                               # "Put the bank from depot 4 on the right card, second space."

Related steps share a sentence. If there are still too many sentences, or they take more than ten seconds to say, what
concerns the main board is always included, and the last sentence says that there is more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any

from companion.games.text import MAX_SENTENCES, Text, are_short_enough, capitalised

EventData = Mapping[str, Any]
"""An event as plain data."""


@dataclass(frozen=True, slots=True)
class Template:
    """What people do for one kind of event."""

    verb: str
    what: str = ""
    """Text name of the thing that is moved."""
    where: str = ""
    shared: bool = False
    """Whether it changes the main board, which is on the table even if the player's own pieces are not."""


TEMPLATES = {
    "card_place": Template("put", "tile", "card", shared=True),
    "card_place_stored": Template("put", "stored", "card"),
    "card_place_joker": Template("put", "joker", "card"),
    "stock": Template("put", "tile", "inventory", shared=True),
    "buy": Template("buy", "tile", shared=True),
    "joker": Template("put", "tile", "jokers", shared=True),
    "load": Template("take", "goods", shared=True),
    "bonus_tile": Template("take", "bonus", shared=True),
    "advance": Template("advance", shared=True),
    "sell": Template("sell"),
    "to_duchy": Template("clear"),
    "card_slides": Template("slide"),
}
"""Kind of event -> template; nothing is moved for others.

Texts: ``instruction.<verb>``, ``instruction.what.*``, ``instruction.where.*``.
"""
TAKEN = "takes"
"""Field of other events that names what is taken from the main board (``instruction.what.*``)."""
BOX = "box"
"""Destination of tiles and goods of a player whose own pieces stay in the box."""
JOINED_TO = {"advance": "take", "slide": "clear"}
"""Verb -> verb whose sentence it joins."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One sentence, and the events that it is for."""

    text: str
    events: tuple[EventData, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    """A template filled with one event."""

    template: Template
    event: EventData


_Sentence = list[_Step]


def instructions(
    events: Iterable[EventData], translator: Text, most: int = MAX_SENTENCES
) -> list[Instruction]:
    """Returns what to do for *events* in at most *most* sentences; if there is nothing to do, one that says so."""
    steps = list(_steps(events, translator.view))
    if not steps:
        return [Instruction(translator("instruction.nothing"), ())]
    result: list[Instruction] = []
    for result in _wordings(steps, translator, most):
        if len(result) <= most and are_short_enough([each.text for each in result], translator):
            break
    return result


def shortened(spoken: Sequence[Instruction], translator: Text) -> list[str]:
    """Returns as many sentences as take about ten seconds to say; if others are left out, the last one says so."""
    rest = translator("instruction.rest")
    sentences = [each.text for each in spoken]
    if are_short_enough(sentences, translator):
        return sentences
    for number in range(len(sentences) - 1, 0, -1):
        shorter = [*(text for text in sentences[:number] if text != rest), rest]
        if are_short_enough(shorter, translator):
            return shorter
    return [translator("instruction.look")]


def details(events: Iterable[EventData], translator: Text) -> list[Instruction]:
    """Returns what to do for *events*, one sentence per step."""
    return [_instruction([step], translator) for step in _steps(events, translator.view)]


def _steps(events: Iterable[EventData], view: Mapping[str, Any]) -> Iterator[_Step]:
    in_box = {seat["colour"] for seat in view.get("chateauma", ()) if seat["virtual"]}
    for event in events:
        template = TEMPLATES.get(event["kind"]) or _template_of_module(event)
        if template is None:
            continue
        if event["player"] not in in_box:
            yield _Step(template, event)
        elif template.shared:
            yield _Step(
                Template("put", template.what, BOX, shared=True) if template.what else template, event
            )


def _template_of_module(event: EventData) -> Template | None:
    """Returns the template of an event that a module adds; None if nothing is moved for it."""
    return Template("take", event[TAKEN], shared=True) if TAKEN in event else None


# --- joining steps into sentences -------------------------------------------------------------------------


_Joins = Callable[[_Step, _Sentence, bool], bool]
"""Function: whether a step joins a sentence, which may be the last one so far."""


def _grouped(steps: Iterable[_Step], joins: _Joins) -> list[_Sentence]:
    """Returns the steps grouped into sentences, in the order in which each sentence gets its first step."""
    sentences: list[_Sentence] = []
    for step in steps:
        for sentence in sentences:
            if joins(step, sentence, sentence is sentences[-1]):
                sentence.append(step)
                break
        else:
            sentences.append([step])
    return sentences


def _joins_related(step: _Step, sentence: _Sentence, is_last: bool) -> bool:
    if step.template.where == BOX:
        return sentence[0].template.where == BOX
    return is_last and JOINED_TO.get(step.template.verb) == sentence[0].template.verb


def _joins_last_of_kind(step: _Step, sentence: _Sentence, is_last: bool) -> bool:
    return is_last and _joins_same_kind(step, sentence, is_last)


def _joins_same_kind(step: _Step, sentence: _Sentence, is_last: bool) -> bool:
    kind, other = step.template.verb, sentence[0].template.verb
    return JOINED_TO.get(kind, kind) == JOINED_TO.get(other, other)


def _wordings(steps: Sequence[_Step], translator: Text, most: int) -> Iterator[list[Instruction]]:
    """Yields wordings from the longest to the shortest; all name what is moved on the main board."""
    sentences: list[_Sentence] = []
    for joins in (_joins_related, _joins_last_of_kind, _joins_same_kind):
        sentences = _grouped(steps, joins)
        yield _with_remainder(sentences, steps, translator)
    shared = [sentence for sentence in sentences if any(step.template.shared for step in sentence)]
    others = [sentence for sentence in sentences if sentence not in shared]
    for number in range(most - 1 - len(shared), 0, -1):
        included = (*shared, *others[:number])
        yield _with_remainder([sentence for sentence in sentences if sentence in included], steps, translator)
    essential = [step for step in steps if step.template.shared]
    if not essential:
        return
    sentences = _grouped(essential, _joins_same_kind)
    yield _with_remainder(sentences, steps, translator)
    yield _with_remainder([*sentences[: most - 2], list(chain(*sentences[most - 2 :]))], steps, translator)
    if any(step.template.where not in ("", BOX) for step in essential):
        bare = _grouped(map(_without_place, essential), _joins_same_kind)
        yield [
            *(_instruction(sentence, translator) for sentence in bare),
            _remainder(steps, essential, translator),
        ]


def _with_remainder(
    sentences: Sequence[_Sentence], steps: Sequence[_Step], translator: Text
) -> list[Instruction]:
    """Returns the sentences, and one that refers to the rest if there is any."""
    result, stated = (
        [_instruction(sentence, translator) for sentence in sentences if sentence],
        list(chain(*sentences)),
    )
    return result if len(stated) == len(steps) else [*result, _remainder(steps, stated, translator)]


def _remainder(steps: Iterable[_Step], stated: Sequence[_Step], translator: Text) -> Instruction:
    return Instruction(
        translator("instruction.rest"), tuple(step.event for step in steps if step not in stated)
    )


def _without_place(step: _Step) -> _Step:
    return (
        _Step(Template("take", step.template.what, shared=True), step.event) if step.template.what else step
    )


# --- in words ---------------------------------------------------------------------------------------------


def _instruction(steps: _Sentence, translator: Text) -> Instruction:
    verbs = dict.fromkeys(step.template.verb for step in steps)
    phrases = [
        _phrase(verb, [step for step in steps if step.template.verb == verb], translator) for verb in verbs
    ]
    return Instruction(f"{capitalised(translator.join(phrases))}.", tuple(step.event for step in steps))


def _phrase(verb: str, steps: _Sentence, translator: Text) -> str:
    """Returns what one verb says for all its steps."""
    events = [step.event for step in steps]
    data = {"count": len(events), "sides": [event.get("side") for event in events]}
    return translator(f"instruction.{verb}", **{**events[-1], **data, "pieces": _pieces(steps, translator)})


def _pieces(steps: _Sentence, translator: Text) -> str:
    """Returns pieces with their destinations; those with the same destination are joined."""
    placed = [(_what(step, translator), _where(step, translator)) for step in steps if step.template.what]
    result = [
        " ".join((translator.join(what for what, _ in together), where)).strip()
        for where, together in groupby(placed, key=lambda pair: pair[1])
    ]
    return translator("list.then").join(result)


def _what(step: _Step, translator: Text) -> str:
    kinds = sorted(set(step.event.get("goods", ())))
    return translator(f"instruction.what.{step.template.what}", **{**step.event, "kinds": kinds})


def _where(step: _Step, translator: Text) -> str:
    return translator(f"instruction.where.{step.template.where}", **step.event) if step.template.where else ""
