"""Simulated players at a virtual table: a hidden true game, played by bots who move drawn pieces.

The players know what they did and look at the page, as people do. The companion learns of the true game only from
frames, presses at the pins, and the answers and taps that the page offers.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from companion.games.api import Card, Move, Rules
from companion.journal import Journal, replay
from companion.players.bots import Bot
from companion.session.belief import DIE_AWAITED
from hardware.scene import Scene, SceneCard, SceneDie
from vision.sighting import EMPTY

WHITE = "white"
PATIENCE = 400
"""How often players look at the page before they give up waiting for a change."""
TRIES = 40
"""Presses and answers for one turn before the players give up."""


class StuckError(RuntimeError):
    """The simulated players could not make the companion understand what they did."""


class VirtualTable(Protocol):
    """A table whose pieces can be moved (``hardware.virtual_table.VirtualTable``)."""

    def show(self, scene: Scene) -> None: ...

    def truth(self) -> dict[str, Any]: ...


class Page(Protocol):
    """What players can see and tap (a ``TableSession``, as the page shows it)."""

    def snapshot(self) -> dict[str, Any]: ...

    def answer(self, about: str, value: str) -> None: ...

    def correct(self, place: str, label: str) -> None: ...

    def correct_die(self, die: str, value: int) -> None: ...

    def tap(self, text: str) -> None: ...


@dataclass
class PressCounts:
    """How much the players had to do."""

    turns: int = 0
    presses: int = 0
    questions: int = 0
    corrections: int = 0
    first_right: int = 0
    """Turns whose first proposal was correct, without a question."""


@dataclass
class SimulatedPlayers:
    """Represents one game played at a virtual table by players who look before they press.

    *press* presses a button of the panel at its pin.
    """

    rules: Rules
    setup: Mapping[str, Any]
    table: VirtualTable
    page: Page
    press: Callable[[str], None]
    bot: Bot
    seed: int
    counts: PressCounts = field(default_factory=PressCounts)
    true_hashes: set[str] = field(default_factory=set)
    """Hash of every state that the true game went through."""

    def __post_init__(self) -> None:
        self.truth = self.rules.new(self.setup)
        self._rng = random.Random(self.seed)
        self._places: dict[str, tuple[str, ...]] = {}
        self._cards: dict[str, SceneCard] = {}
        """By the area in which they lie."""
        self._dice: tuple[SceneDie, ...] = ()
        self._throws = 0
        self._rolled: Mapping[str, Sequence[int]] = {}
        """What the last roll showed, by colour."""

    def play(self) -> Iterator[str]:
        """Plays to the end of the game. Yields whenever the companion should look at the table.

        What is yielded says what the players are doing: a ``hand`` is over the table, they ``wait`` for the page,
        ``look`` at what it shows before they do what it asks, press or tap, or end a ``turn``.
        """
        self._place_pieces()
        self._show()
        while not self.rules.is_over(self.truth):
            before = self.truth.copy()
            if self.rules.dice_awaited(self.truth):
                yield from self._roll(before)
            else:
                player = self.rules.to_move(self.truth)
                if self.page.snapshot()["bot_turn"]:
                    yield "look"
                moves = self._moves()
                yield from self._reach(player)
                yield from self._confirm_on_page(before, moves)
                self.counts.turns += player is not None
            yield "turn"

    # --- the true game ---

    def _moves(self) -> list[Move]:
        """Plays on in the true game and returns the moves: a turn, or all that is set up now.

        A move that the camera cannot see and a person reports comes alone, after all that can be seen.
        """
        stage = self.rules.to_move(self.truth)
        moves: list[Move] = []
        asked = self._bot_turn_moves()
        while not self.rules.is_over(self.truth) and not self.rules.dice_awaited(self.truth):
            move = next(asked, None) or self.rules.deal(self.truth, self._rng)
            reported = move is not None and move in self.rules.reports(self.truth)
            if reported and self.rules.awaited(self.truth):
                move, reported = None, False
            if reported and moves:
                break
            move = move or self.bot(self.rules, self.truth)
            self._apply(move)
            moves.append(move)
            if reported or (stage is not None and self.rules.ends_turn(move)):
                break
            if stage is None and not self.rules.legal_moves(self.truth):
                break
        return moves

    def _bot_turn_moves(self) -> Iterator[Move]:
        """Yields the moves that the page asks people to make for a player whom the companion plays."""
        bot_turn = self.page.snapshot()["bot_turn"]
        for step in bot_turn["steps"] if bot_turn else ():
            yield self.rules.parse_move(step["move"]["text"])

    def _apply(self, move: Move) -> None:
        self.rules.apply(self.truth, move)
        self.true_hashes.add(self.truth.state_hash())

    # --- hands and eyes ---

    def _reach(self, player: str | None) -> Iterator[str]:
        """Moves a hand over the table and leaves the table as the true game now is."""
        people = [str(one["colour"]) for one in self.setup["players"]]
        self._show(hand=player if player in people else people[0])
        yield "hand"
        self._place_pieces()
        self._show()

    def _roll(self, before: Any) -> Iterator[str]:
        roll: Any = self.rules.deal(self.truth, self._rng)
        self._apply(roll)
        self._throws += 1
        self._rolled = self.rules.dice_of(roll)
        if self.rules.dice_are_seen(before):
            values = [(colour, value) for colour, dice in self._rolled.items() for value in dice]
            others = (die for die in self._dice if die.colour not in self._rolled)
            thrown = (SceneDie(value, colour, colour, self._throws) for colour, value in values)
            self._dice = (*others, *thrown)
        # The white die's owner moves the round's goods to the depot it shows.
        yield from self._reach(None)
        yield from self._confirm_on_page(before, [roll], recorded_automatically=True)
        if self.rules.dice_are_seen(before):
            self._check_roll(roll)

    def _check_roll(self, roll: Move) -> None:
        """Corrects the dice that the page shows wrong."""
        view = self.page.snapshot()["view"]
        shown = {p["colour"]: p["dice"] for p in view["players"]} | {WHITE: [view["white"]]}
        shown |= {automa["colour"]: [automa["die"]] for automa in view.get("chateauma", ())}
        true = {colour: sorted(dice) for colour, dice in self.rules.dice_of(roll).items()}
        if all(sorted(shown[colour]) == dice for colour, dice in true.items()):
            return
        for colour, values in self.rules.dice_of(roll).items():
            for index, value in enumerate(values):
                if shown[colour][index] != value:
                    self.counts.corrections += 1
                    self.page.correct_die(f"{colour}:{index}", value)

    @property
    def scene(self) -> Scene:
        """The pieces on the table."""
        return Scene(self._places, self._dice, cards=self._cards)

    def _show(self, hand: str | None = None) -> None:
        self.table.show(replace(self.scene, hand=hand))

    def _place_pieces(self) -> None:
        """Places all pieces as in the true game; in unordered groups, pieces that stay keep their places."""
        self._cards = scene_cards(self.rules, self.truth)
        for group, labels in self.rules.visible(self.truth).items():
            if self.rules.is_unordered(group) and group in self._places:
                labels = _keep_positions(self._places[group], labels)
            self._places[group] = labels

    # --- at the page ---

    def _confirm_on_page(
        self, before: Any, moves: Sequence[Move], recorded_automatically: bool = False
    ) -> Iterator[str]:
        """Looks at the page until it shows what was done, corrects and answers, and confirms."""
        page = self.page.snapshot()
        seen, confirmed = page["seen"], page["confirmed"]
        if not recorded_automatically or page["status"] == "dice":
            yield from self._until(lambda p: p["seen"] > seen or p["confirmed"] > confirmed)
        asked = corrected = False
        rejected: set[str] = set()
        for _ in range(TRIES):
            if self.page.snapshot()["confirmed"] == confirmed:
                yield "look"
            page = self.page.snapshot()
            if page["confirmed"] > confirmed:
                self.counts.first_right += not (asked or corrected or rejected or recorded_automatically)
                return
            version = page["version"]
            if (
                page["status"] == "asking"
                and (value := self._answer(page["question"], before, moves)) is not None
            ):
                asked = True
                self.counts.questions += 1
                self.page.answer(page["question"]["about"], value)
            elif page["status"] == "proposal" and self._is_right(page["proposal"], before):
                self._press("confirm")
            elif page["status"] == "proposal" and (text := str(page["proposal"]["moves"])) not in rejected:
                rejected.add(text)
                self._press("next_alternative" if page["proposal"]["alternatives"] > 1 else "help")
            elif self._needs_only_a_press(page, before):
                self._press("confirm")
            else:
                corrected = True
                self._correct(page, moves)
            yield from self._until(lambda p, v=version: p["version"] != v)  # type: ignore[misc]
        raise StuckError(
            f"the companion is {page['status']!r} after {TRIES} tries; what was done: "
            f"{'; '.join(map(str, moves))}; notice {page['notice']}, question {page['question']}"
        )

    def _needs_only_a_press(self, page: Mapping[str, Any], before: Any) -> bool:
        """Whether what was done cannot be seen on the table, so that it takes a press to record it."""
        unobservable = page["status"] == "watching" and self.rules.visible(self.truth) == self.rules.visible(
            before
        )
        return unobservable or (page["notice"] or {}).get("code") == DIE_AWAITED

    def _until(self, done: Callable[[Mapping[str, Any]], bool]) -> Iterator[str]:
        for _ in range(PATIENCE):
            if done(self.page.snapshot()):
                return
            yield "wait"
        page = self.page.snapshot()
        raise StuckError(f"the page does not change any more: it shows {page['status']!r}, {page['notice']}")

    def _press(self, button: str) -> None:
        self.counts.presses += 1
        self.press(button)

    def _is_right(self, proposal: Mapping[str, Any], before: Any) -> bool:
        return self._outcome(before, [move["text"] for move in proposal["moves"]]) == self.truth.state_hash()

    def _outcome(self, before: Any, texts: Sequence[str]) -> str | None:
        """Returns the hash of the state that moves lead to; ``None`` if they cannot be made."""
        state = before.copy()
        try:
            for text in texts:
                self.rules.play(state, self.rules.parse_move(text))
        except ValueError:
            return None
        return str(state.state_hash())

    def _answer(self, question: Mapping[str, Any], before: Any, moves: Sequence[Move]) -> str | None:
        """Returns the true answer; ``None`` if it is not offered."""
        about, values = question["about"], [option["value"] for option in question["options"]]
        if question["kind"] == "place":
            group, _, index = about.rpartition(":")
            true = [self._places[group][int(index)]]
        elif question["kind"] == "die":
            true = [self._die_shown(about, question["box"])]
        elif question["kind"] == "extra":
            true = [max(values, key=lambda value: self._away_from_dice(about, value))]
        elif about == "report":
            true = [str(move) for move in moves]
        elif about == "turn":
            hash_ = self.truth.state_hash()
            true = [v for v in values if self._outcome(before, v.split("; ")) == hash_]
        else:
            state = before.copy()
            true = [v for v in values if self._matches_truth(state, v.split("; "))]
        return next((value for value in true if value in values), None)

    def _matches_truth(self, state: Any, texts: Sequence[str]) -> bool:
        """Whether moves of the set-up give their player what the player has in the true game."""
        trial = state.copy()
        for text in texts:
            self.rules.apply(trial, self.rules.parse_move(text))
        now = {p["colour"]: p for p in trial.to_json()["players"]}
        true = {p["colour"]: p for p in self.truth.to_json()["players"]}
        changed = [c for p in state.to_json()["players"] if p != now[(c := p["colour"])]]
        return all(
            now[c]["spaces"] == true[c]["spaces"] and now[c]["goods"] == true[c]["goods"] for c in changed
        )

    def _die_shown(self, about: str, box: Sequence[int] | None) -> str:
        """Returns the value of the die in question: the page shows where it lies, or that it was not found."""
        colour, _, index = about.partition(":")
        true = self._dice_of(colour)
        if not true:
            return str(self._rolled[colour][int(index)])
        if box is not None:
            return str(min(true, key=lambda die: _distance(die["centre"], box))["value"])
        seen = [die["box"] for die in self.page.snapshot()["sighting"]["dice"] if die["colour"] == colour]
        for box_seen in seen[: len(true) - 1]:
            nearest = [_distance(die["centre"], box_seen) for die in true]
            true.pop(nearest.index(min(nearest)))
        return str(true[0]["value"])

    def _away_from_dice(self, about: str, value: str) -> float:
        """Returns how far from any die of its colour a supposed die lies, px."""
        box = [int(number) for number in value.split(",")]
        return min(_distance(die["centre"], box) for die in self._dice_of(about.partition(":")[0]))

    def _dice_of(self, colour: str) -> list[Any]:
        return [die for die in self.table.truth()["dice"] if die["colour"] == colour]

    def _correct(self, page: Mapping[str, Any], moves: Sequence[Move]) -> None:
        """Corrects a place that was misread, or else enters the moves by hand."""
        self.counts.corrections += 1
        proposal = page["proposal"]
        for place in proposal["unexplained"] if proposal else ():
            group, _, index = place.rpartition(":")
            if page["sighting"]["places"][place]["p"].get(self._places[group][int(index)], 0.0) < 0.5:
                self.page.correct(place, self._places[group][int(index)])
                return
        for move in moves:
            self.page.tap(str(move))


def scene_cards(rules: Rules, state: Any) -> dict[str, SceneCard]:
    """Returns the cards on the table of *state*, by the area in which they lie."""
    return {group.partition(":")[2]: _scene_card(card) for group, card in rules.cards(state).items()}


def _scene_card(card: Card) -> SceneCard:
    symbols = (i for i, space in enumerate(card.spaces) if space.symbol is not None)
    return SceneCard(card.number, tuple(space.colour for space in card.spaces), tuple(symbols))


def _distance(centre: Sequence[float], box: Sequence[int]) -> float:
    """Returns the distance of a point from the middle of a box."""
    x, y, width, height = box
    return math.hypot(centre[0] - x - width / 2, centre[1] - y - height / 2)


def _keep_positions(before: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
    """Returns *labels* in an order in which those that were there before keep their positions."""
    remaining = list(labels)
    result = []
    for label in before:
        result.append(label if label != EMPTY and label in remaining else None)
        if result[-1] is not None:
            remaining.remove(label)
    rest = iter(sorted(remaining, key=lambda label: label == EMPTY))
    return tuple(next(rest) if label is None else label for label in result)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Comparison of the journal with the true game."""

    wrong: int
    """Confirmed moves that led to a state that the true game never had."""
    differences: tuple[str, ...]
    """Components of the final state that differ."""


def compare(rules: Rules, journal: Journal, simulated: SimulatedPlayers) -> Comparison:
    """Replays the journal and compares its states with those of the true game, the last one by its components."""
    wrong = 0
    final: Any = rules.new(simulated.setup)
    for entry, state in replay(rules, journal.records()):
        final = state
        if entry.state_hash not in simulated.true_hashes:
            wrong += len(entry.moves)
    recorded, true = final.to_json(), simulated.truth.to_json()
    return Comparison(wrong, tuple(key for key in true if recorded[key] != true[key]))
