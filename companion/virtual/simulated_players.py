"""People at a virtual table: a hidden true game, played by bots whose hands move real pieces.

The players know what they did and look at what the page shows, as people do. What the companion learns of the
true game it learns from frames, presses at the pins, and answers and taps that the page offers.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from calibration.errors import CompanionError
from companion.games import capabilities
from companion.games.api import Card, Move, Rules
from companion.journal import Entry, Journal, replay
from companion.players.bots import Bot
from companion.session.belief import DIE_AWAITED
from companion.session.snapshot import ProposalView, QuestionView, Snapshot
from hardware.scene import Scene, SceneCard, SceneDie
from vision.sighting import EMPTY

PATIENCE = 400
"""Looks at the page before a player gives up waiting for it to change."""
TRIES = 40
"""Presses and answers before a player gives up making the companion understand one turn."""


class StuckError(CompanionError, RuntimeError):
    """The simulated players could not make the companion understand what they did."""


class VirtualTable(Protocol):
    """A table whose pieces can be moved (``hardware.virtual_table.VirtualTable``)."""

    def show(self, scene: Scene) -> None: ...

    def truth(self) -> dict[str, Any]: ...


class Page(Protocol):
    """What the players can see and tap (a ``TableSession``, as the page shows it)."""

    def snapshot(self) -> Snapshot: ...

    def entries(self) -> Sequence[Entry]: ...

    def answer(self, about: str, value: str) -> None: ...

    def correct(self, place: str, label: str) -> None: ...

    def correct_die(self, die: str, value: int) -> None: ...

    def tap(self, text: str) -> None: ...


@dataclass
class PressCounts:
    """What the players had to do until the end of the game."""

    turns: int = 0
    presses: int = 0
    questions: int = 0
    corrections: int = 0
    first_proposals_right: int = 0
    """Turns whose first proposal was right, without a question."""


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
        self._chance, self._dice_rules = capabilities.chance(self.rules), capabilities.dice(self.rules)
        self._observable = capabilities.observable(self.rules)
        self._rng = random.Random(self.seed)
        self._room = Counter(name.rpartition(":")[0] for name in self.table.truth().get("places", ()))
        """Number of drawn places by group; what does not fit there lies out of sight."""
        self._places: dict[str, tuple[str, ...]] = {}
        self._cards: dict[str, SceneCard] = {}
        """By the area in which they lie."""
        self._dice: tuple[SceneDie, ...] = ()
        self._throws = 0
        self._rolled: Mapping[str, Sequence[int]] = {}
        """What the last roll showed, by colour."""

    def play(self) -> Iterator[str]:
        """Plays to the end of the game. Yields whenever the companion should look at the table.

        It yields what the players are doing: a ``hand`` is over the table, they ``wait`` for the page, ``look`` at it
        before they press or tap, or end a ``turn``.
        """
        self._arrange_table()
        self._show()
        while not self.rules.is_over(self.truth):
            before = self.truth.copy()
            if self._dice_rules.expected_dice(self.truth):
                yield from self._roll(before)
            else:
                player = self.rules.to_move(self.truth)
                if self.page.snapshot()["bot_turn"]:
                    yield "look"
                moves = self._moves()
                yield from self._reach(player)
                yield from self._confirm_moves(before, moves)
                self.counts.turns += player is not None
            yield "turn"

    # --- the true game ---

    def _moves(self) -> list[Move]:
        """Makes and returns the next moves of the true game: a complete turn, or everything that is set up now.

        A move that no camera sees comes alone, after all those that can be seen.
        """
        stage = self.rules.to_move(self.truth)
        moves: list[Move] = []
        requested = self._requested_moves()
        while not self.rules.is_over(self.truth) and not self._dice_rules.expected_dice(self.truth):
            move = next(requested, None) or self._chance.sample_chance(self.truth, self._rng)
            unobserved = move is not None and move in self._chance.unobserved_chance_moves(self.truth)
            if unobserved and self._observable.expected_layouts(self.truth):
                move, unobserved = None, False
            if unobserved and moves:
                break
            move = move or self.bot(self.rules, self.truth)
            self._happen(move)
            moves.append(move)
            if unobserved or (stage is not None and self.rules.ends_turn(move)):
                break
            if stage is None and not self.rules.legal_moves(self.truth):
                break
        return moves

    def _requested_moves(self) -> Iterator[Move]:
        """Yields the moves that the page asks people to make for a bot."""
        bot_turn = self.page.snapshot()["bot_turn"]
        for step in bot_turn["steps"] if bot_turn else ():
            yield self.rules.parse_move(step["move"]["text"])

    def _happen(self, move: Move) -> None:
        self.rules.apply(self.truth, move)
        self.true_hashes.add(self.truth.state_hash())

    # --- at the table ---

    def _reach(self, player: str | None) -> Iterator[str]:
        """Shows a hand over the table, then the table as the true game now is."""
        people = [str(one["colour"]) for one in self.setup["players"]]
        self._show(hand=player if player in people else people[0])
        yield "hand"
        self._arrange_table()
        self._show()

    def _roll(self, before: Any) -> Iterator[str]:
        roll: Any = self._chance.sample_chance(self.truth, self._rng)
        self._happen(roll)
        self._throws += 1
        self._rolled = self._dice_rules.dice_of(roll)
        if self._dice_rules.rolls_on_table(before):
            values = [(colour, value) for colour, dice in self._rolled.items() for value in dice]
            others = (die for die in self._dice if die.colour not in self._rolled)
            thrown = (SceneDie(value, colour, colour, self._throws) for colour, value in values)
            self._dice = (*others, *thrown)
        # Whoever rolled also moves what the dice decide about.
        yield from self._reach(None)
        yield from self._confirm_moves(before, [roll], recorded_automatically=True)
        if self._dice_rules.rolls_on_table(before):
            self._check_roll()

    def _check_roll(self) -> None:
        """Looks at the dice on the page, and taps those that are wrong; which of a colour is which nobody can tell."""
        shown = self._dice_rules.dice_of(self.page.entries()[-1].moves[0])
        for colour, rolled in self._rolled.items():
            if sorted(shown[colour]) == sorted(rolled):
                continue
            for index, value in enumerate(rolled):
                if shown[colour][index] != value:
                    self.counts.corrections += 1
                    self.page.correct_die(f"{colour}:{index}", value)

    @property
    def scene(self) -> Scene:
        """What is on the table."""
        places = {group: labels[: self._room.get(group)] for group, labels in self._places.items()}
        return Scene(places, self._dice, cards=self._cards)

    def _show(self, hand: str | None = None) -> None:
        self.table.show(replace(self.scene, hand=hand))

    def _arrange_table(self) -> None:
        """Arranges the table like the true game; in groups without an order, what stays keeps its place."""
        self._cards = scene_cards(self.rules, self.truth)
        for group, labels in self._observable.visible_layout(self.truth).items():
            if self._observable.is_unordered(group) and group in self._places:
                labels = rearranged(self._places[group], labels)
            self._places[group] = labels

    # --- on the page ---

    def _confirm_moves(
        self, before: Any, moves: Sequence[Move], recorded_automatically: bool = False
    ) -> Iterator[str]:
        """Answers and corrects on the page until it proposes *moves*, and confirms them."""
        page = self.page.snapshot()
        seen, confirmed = page["sightings"], page["confirmed"]
        if not recorded_automatically or page["status"] == "dice":
            yield from self._until(lambda p: p["sightings"] > seen or p["confirmed"] > confirmed)
        was_asked = corrected = False
        rejected: set[str] = set()
        for _ in range(TRIES):
            if self.page.snapshot()["confirmed"] == confirmed:
                yield "look"
            yield from self._until(lambda p: not p["looks_again"])
            page = self.page.snapshot()
            if page["confirmed"] > confirmed:
                self.counts.first_proposals_right += not (
                    was_asked or corrected or rejected or recorded_automatically
                )
                return
            version, question = page["version"], page["question"]
            proposal = page["proposal"] if page["status"] == "proposal" else None
            if (
                page["status"] == "asking"
                and question is not None
                and (value := self._answer(question, before, moves)) is not None
            ):
                was_asked = True
                self.counts.questions += 1
                self.page.answer(question["about"], value)
            elif proposal is not None and self._is_right(proposal, before):
                self._press("confirm")
            elif proposal is not None and (text := str(proposal["moves"])) not in rejected:
                rejected.add(text)
                self._press("next_alternative" if proposal["alternatives"] > 1 else "help")
            elif self._needs_press(page, before):
                self._press("confirm")
            else:
                corrected = True
                self._correct(page, moves)
            yield from self._until(lambda p, v=version: p["version"] != v)  # type: ignore[misc]
        raise StuckError(
            f"the companion is {page['status']!r} after {TRIES} tries; what was done: "
            f"{'; '.join(map(str, moves))}; notice {page['notice']}, question {page['question']}"
        )

    def _needs_press(self, page: Snapshot, before: Any) -> bool:
        """Whether the moves changed nothing visible, so that only a press can confirm them."""
        looks_alike = self._observable.visible_layout(self.truth) == self._observable.visible_layout(before)
        unobservable = page["status"] == "watching" and looks_alike
        return unobservable or (page["notice"] or {}).get("code") == DIE_AWAITED

    def _until(self, done: Callable[[Snapshot], bool]) -> Iterator[str]:
        for _ in range(PATIENCE):
            if done(self.page.snapshot()):
                return
            yield "wait"
        page = self.page.snapshot()
        raise StuckError(f"the page does not change any more: it shows {page['status']!r}, {page['notice']}")

    def _press(self, button: str) -> None:
        self.counts.presses += 1
        self.press(button)

    def _is_right(self, proposal: ProposalView, before: Any) -> bool:
        outcome = self._outcome(before, [move["text"] for move in proposal["moves"]])
        return outcome == str(self.truth.state_hash())

    def _outcome(self, before: Any, texts: Sequence[str]) -> str | None:
        """Returns the hash of the state after the moves; None if they cannot be made."""
        state = before.copy()
        try:
            for text in texts:
                self.rules.play(state, self.rules.parse_move(text))
        except CompanionError:
            return None
        return str(state.state_hash())

    def _answer(self, question: QuestionView, before: Any, moves: Sequence[Move]) -> str | None:
        """Returns the true answer; None if it is not among those offered."""
        about, values = question["about"], [option["value"] for option in question["options"]]
        if question["kind"] == "place":
            group, _, index = about.rpartition(":")
            true = [self._places[group][int(index)]]
        elif question["kind"] == "die":
            true = [self._value_of_die(about, question["box"])]
        elif question["kind"] == "extra":
            true = [max(values, key=lambda value: self._away_from_dice(about, value))]
        elif about == "turn":
            hash_ = self.truth.state_hash()
            true = [v for v in values if self._outcome(before, v.split("; ")) == hash_]
        else:
            made = {str(move) for move in moves}
            true = [value for value in values if made.issuperset(value.split("; "))]
        return next((value for value in true if value in values), None)

    def _value_of_die(self, about: str, box: Sequence[int] | None) -> str:
        """Returns the value of the die in question: the page shows where it is, or that it was not found."""
        _, colour, index = about.split(":")
        true = self._dice_of(colour)
        if not true:
            return str(self._rolled[colour][int(index)])
        if box is not None:
            return str(min(true, key=lambda die: _apart(die["centre"], box))["value"])
        sighting = self.page.snapshot()["sighting"]
        assert sighting is not None
        seen = [die["box"] for die in sighting["dice"] if die["colour"] == colour]
        for box_seen in seen[: len(true) - 1]:
            nearest = [_apart(die["centre"], box_seen) for die in true]
            true.pop(nearest.index(min(nearest)))
        return str(true[max(0, int(index) - len(seen))]["value"])

    def _away_from_dice(self, about: str, value: str) -> float:
        """Returns the distance of something that was taken for a die from the nearest die of its colour, px."""
        box = [int(number) for number in value.split(",")]
        return min(_apart(die["centre"], box) for die in self._dice_of(about.partition(":")[2]))

    def _dice_of(self, colour: str) -> list[Any]:
        return [die for die in self.table.truth()["dice"] if die["colour"] == colour]

    def _correct(self, page: Snapshot, moves: Sequence[Move]) -> None:
        """Corrects a misread place if there is one, else enters the moves."""
        self.counts.corrections += 1
        proposal, sighting = page["proposal"], page["sighting"]
        for place in proposal["unexplained"] if proposal else ():
            group, _, index = place.rpartition(":")
            assert sighting is not None
            if sighting["places"][place]["p"].get(self._places[group][int(index)], 0.0) < 0.5:
                self.page.correct(place, self._places[group][int(index)])
                return
        for move in moves:
            self.page.tap(str(move))


def scene_cards(rules: Rules, state: Any) -> dict[str, SceneCard]:
    """Returns the cards on the table of *state*, by their area."""
    return {
        group.partition(":")[2]: _scene_card(card)
        for group, card in capabilities.cards(rules).cards_on_table(state).items()
    }


def _scene_card(card: Card) -> SceneCard:
    symbols = (i for i, space in enumerate(card.spaces) if space.symbol is not None)
    return SceneCard(card.number, tuple(str(space.tile_type) for space in card.spaces), tuple(symbols))


def _apart(centre: Sequence[float], box: Sequence[int]) -> float:
    """Returns the distance of a point from the middle of a box."""
    x, y, width, height = box
    return math.hypot(centre[0] - x - width / 2, centre[1] - y - height / 2)


def rearranged(before: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
    """Returns *labels* in an order that leaves those that were there before in their places.

    The group may have got more places, or lost the last ones.
    """
    remaining = list(labels)
    result: list[str | None] = []
    for label in before[: len(labels)]:
        result.append(label if label != EMPTY and label in remaining else None)
        if result[-1] is not None:
            remaining.remove(label)
    result += [None] * (len(labels) - len(result))
    arriving = iter(sorted(remaining, key=lambda label: label == EMPTY))
    return tuple(next(arriving) if label is None else label for label in result)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The journal compared with the true game."""

    wrong: int
    """Confirmed moves that led to a state which the true game never had."""
    differences: tuple[str, ...]
    """Components of the final state that differ."""


def compare(rules: Rules, journal: Journal, simulated: SimulatedPlayers) -> Comparison:
    """Replays the journal, and compares every state with those of the true game and the last one by components."""
    wrong = 0
    final: Any = rules.new(simulated.setup)
    for entry, state in replay(rules, journal.records()):
        final = state
        if entry.state_hash not in simulated.true_hashes:
            wrong += len(entry.moves)
    mine, true = final.to_json(), simulated.truth.to_json()
    return Comparison(wrong, tuple(key for key in true if mine[key] != true[key]))
