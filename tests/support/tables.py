"""Tables for tests of session and page: a true game and a session that observes it, brought to any status."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules.decisions import Roll
from companion.journal import Journal
from companion.players.bots import greedy_bot
from companion.players.opponents import with_opponents
from companion.session import LOOKS, TableSession
from tests.support.present import present
from tests.support.sightings import dice_of, sighting_of
from vision.sighting import DieReading

RULES = burgundy()
CHANCE = ("fill", "roll")


class Table:
    """Represents a table at which bots play; the session sees their moves without errors, or gets them by taps."""

    def __init__(
        self,
        path: Any = ":memory:",
        colours: Sequence[str] = ("red", "blue"),
        seed: int = 3,
        duchies: Sequence[str] = ("se-1", "se-2", "se-3", "se-4"),
        bots: Mapping[str, str] | None = None,
    ) -> None:
        """*bots* are the names of the bots that the companion plays, by colour."""
        players = [{"colour": colour, "duchy": d} for colour, d in zip(colours, duchies, strict=False)]
        setup = with_opponents({"edition": "special", "players": players}, bots or {})
        self.session = TableSession(RULES, Journal(path), setup)
        self.state = RULES.new(self.session.setup)
        self.dice: tuple[DieReading, ...] = ()
        self._rng, self._bot = random.Random(seed), greedy_bot(seed)

    def look(self, looks: int = LOOKS, **wrong: Any) -> None:
        """Lets the session observe the true table; *wrong* is as in :func:`sighting_of`."""
        self.session.observe(sighting_of(RULES, self.state, self.dice, **wrong), looks)

    def set_up(self) -> Table:
        """Enters castles and starting goods by taps."""
        while self.state.stage == "setup":
            self.session.tap(str(self._move()))
        return self

    def deal(self) -> Any:
        """Makes the chance event that is due, a layout or a roll, on the true table."""
        move = present(RULES.sample_chance(self.state, self._rng))
        RULES.apply(self.state, move)
        self.dice = dice_of(move) if isinstance(move, Roll) else self.dice
        return move

    def turn(self) -> list[Any]:
        """Plays the bot's turn on the true table."""
        moves: list[Any] = []
        while not moves or not RULES.ends_turn(moves[-1]):
            moves.append(self._move())
        return moves

    def play(self, turns: int) -> Table:
        """Enters *turns* turns by taps, and the chance events up to the next one."""
        while self.state.stage != "over" and (turns or self.state.stage in CHANCE):
            turns -= self.state.stage == "turn"
            for move in [self.deal()] if self.state.stage in CHANCE else self.turn():
                self.session.tap(str(move))
        return self

    def _move(self) -> Any:
        move = RULES.sample_chance(self.state, self._rng) or self._bot(RULES, self.state)
        RULES.apply(self.state, move)
        return move


def at_set_up(table: Table) -> None:
    table.look()


def at_layout(table: Table) -> None:
    table.set_up().deal()
    table.look(looks=1)


def at_dice(table: Table) -> None:
    table.set_up().session.tap(str(table.deal()))


def watching(table: Table) -> None:
    table.set_up().play(12)
    table.look()


def with_proposal(table: Table) -> None:
    watching(table)
    table.turn()
    table.look()


def asking_for_a_die(table: Table) -> None:
    """Reads a die with doubt at a table whose boards are entered by hand: no turn will tell what it shows."""
    table.session.watch(boards=False)
    at_dice(table)
    table.deal()
    table.dice = (replace(table.dice[0], confidence=0.55), *table.dice[1:])
    table.look()


def with_dice_in_doubt(table: Table) -> None:
    """Reads all dice of a roll with doubt."""
    at_layout(table)
    table.session.confirm()
    table.deal()
    table.dice = tuple(replace(die, confidence=0.55) for die in table.dice)
    table.look()


def asking_for_moves(table: Table) -> None:
    """Confirms although nothing has changed."""
    watching(table)
    table.session.confirm()


def unexplained(table: Table) -> None:
    watching(table)
    player = table.state.player
    space = next(i for i, there in enumerate(player.spaces) if there is None and not player.frontier >> i & 1)
    table.look(wrong={f"duchy:{player.colour}:{space}": {"castle": 0.998}})


def drafting(table: Table) -> None:
    watching(table)
    table.session.tap(f"workers die {table.state.player.dice[0]}")


def over(table: Table) -> None:
    table.set_up().play(1000)


STATUSES: dict[str, Callable[[Table], None]] = {
    "layout": at_layout,
    "set-up": at_set_up,
    "dice": at_dice,
    "watching": watching,
    "proposal": with_proposal,
    "asking for a die": asking_for_a_die,
    "dice in doubt": with_dice_in_doubt,
    "asking for moves": asking_for_moves,
    "unexplained": unexplained,
    "drafting": drafting,
    "over": over,
}
