"""Taps at the page of a game that no camera watches: everything is entered by a person in a real browser.

The page is that of ``companion play``, in a process of its own on this machine. The person knows what lies on the table
and what the players do, a bot's turns, and touches as few pieces as the page needs to know what is meant; what is made
with no piece is tapped in the list of moves. Whoever is next begins while nothing of the turn before is left to do,
which ends it.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calibration.errors import CompanionError
from companion.games import capabilities
from companion.games.api import Move, Rules
from companion.games.positions import position_after
from companion.games.registry import rules_of
from companion.journal import Record, read_records, replay, setup_of
from companion.players.bots import BOTS, Bot
from companion.service.paths import DATA_VARIABLE
from web.game_page import part_of
from web.ways import Way, fewest_pieces

from ..browser import chromium
from ..game_part import game_part

FORM, LAYOUT, DICE, MOVES = "form", "layout", "dice", "moves"
"""What taps are for: the setup form, what is dealt and laid out, a roll, and the moves of a turn."""
SEATS = (2, 4)
"""Numbers of players for whom the set-up is measured."""
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
TIMEOUT_MS = 20_000
MOST_TAPS = 200
"""For one turn or layout: whoever needs more does not get on."""
SETTLED = """([before, aside]) => {
  const state = document.getElementById("state");
  const sheet = document.getElementById("sheet");
  if (Number(state.dataset.version) <= before || sheet.querySelector(":scope > [inert]")) return false;
  return state.dataset.status !== "drafting" || "touch" in state.dataset || sheet.open || aside;
}"""
"""Whether the page shows what a command has brought about; while moves are entered from a list, that is the list for
the next one, unless the command was tapped beside it."""
SHEET = "dialog[open]"
ASKED = ".item.open"
"""What is asked about the print of the owner's copy before the game begins."""


class StuckError(CompanionError, RuntimeError):
    """The page does not offer what a person has to enter."""


@dataclass
class TapCounts:
    """The taps of one game."""

    players: int
    turns: int = 0
    rolls: int = 0
    phases: int = 0
    """Layouts after the first."""
    before_first_roll: int = 0
    """From the setup form on."""
    taps: Counter[str] = field(default_factory=Counter)
    """After that, by what they are for."""

    @property
    def per_turn(self) -> float:
        """Taps for dice and moves."""
        return (self.taps[DICE] + self.taps[MOVES]) / self.turns

    @property
    def per_turn_rolled(self) -> float:
        """Taps for moves, and one for each roll that the page makes."""
        return (self.taps[MOVES] + self.rolls) / self.turns

    @property
    def per_layout(self) -> float | None:
        """Taps for what is laid out for a later phase; None without one."""
        return self.taps[LAYOUT] / self.phases if self.phases else None

    def end_setup(self) -> None:
        """Counts what was tapped so far as the set-up."""
        self.before_first_roll, self.taps = self.taps.total(), Counter()


@dataclass(frozen=True)
class TapFigures:
    """The taps of a game, and of set-ups by number of players."""

    game: TapCounts
    setups: Mapping[int, int]


def measure(players: int, turns: int, modules: Sequence[str] = (), seed: int = 1) -> TapFigures:
    """Plays *turns* turns of a game of *players* with *modules*, and sets up one for each of :data:`SEATS`.

    :raises companion.devtools.browser.BrowserMissingError: if Playwright or chromium is missing.
    :raises StuckError: if the page does not offer what is to be entered.
    """
    with chromium() as browser:
        game = _play(browser, players, turns, modules, seed)
        setups = {
            seats: game if seats == players else _play(browser, seats, 0, modules, seed) for seats in SEATS
        }
    return TapFigures(game, {seats: counts.before_first_roll for seats, counts in setups.items()})


def _play(browser: Any, players: int, turns: int, modules: Sequence[str], seed: int) -> TapCounts:
    """Sets up a game and plays so many turns; returns what was tapped."""
    counts = TapCounts(players)
    with tempfile.TemporaryDirectory(prefix="table-companion-") as folder, _served(Path(folder)) as address:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(TIMEOUT_MS)
        page.goto(f"{address}/?lang=en")
        hand = Hand(page, counts)
        choose(hand, players, modules)
        person = Person(hand, setup_of(_records(Path(folder))), seed)
        person.set_up()
        counts.end_setup()
        person.play(turns)
        page.close()
        person.check(_records(Path(folder)))
    return counts


def _journal(folder: Path) -> Path:
    return folder / "game.journal"


def _records(folder: Path) -> list[Record]:
    """Returns the records of a game that the companion is playing, from a copy of its journal, which is locked."""
    copied = shutil.copy(_journal(folder), folder / "copied.journal")
    return read_records(copied)


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """Returns a context with the address of a companion that asks who plays, with nothing stored so far."""
    files = ["--journal", str(_journal(folder)), "--print", str(folder / "print.json")]
    command = [
        *(sys.executable, "-m", "companion", "play", "--ask", "--camera", "none"),
        *("--host", "127.0.0.1", "--port", "0", *files),
    ]
    environment = {**os.environ, DATA_VARIABLE: str(folder)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            found = (ADDRESS.search(line) for line in process.stdout)
            yield next(address[0] for address in found if address)
        finally:
            process.terminate()


class Hand:
    """Taps controls of a page and counts."""

    def __init__(self, page: Any, counts: TapCounts) -> None:
        self.page = page
        self.counts = counts

    def tap(self, selector: str, purpose: str) -> None:
        """Taps the first control that is visible."""
        self.page.locator(selector).locator("visible=true").first.click()
        self.counts.taps[purpose] += 1

    def touch(self, piece: str, purpose: str) -> None:
        """Touches a piece and waits for what lights up."""
        self.tap(f"[data-piece='{piece}']", purpose)
        self.page.wait_for_selector(f"[data-piece='{piece}'].touched-piece")

    def command(self, selector: str, purpose: str) -> None:
        """Taps a control and waits for what it brings about."""
        before = int(self.page.locator("#state").get_attribute("data-version"))
        is_aside = self.page.locator(f":is({selector})[data-aside]").count() > 0
        self.tap(selector, purpose)
        self.page.wait_for_function(SETTLED, arg=[before, is_aside])

    def offers(self, selector: str) -> bool:
        """Whether a control is visible."""
        return bool(self.page.locator(selector).locator("visible=true").count())

    def value(self, selector: str, name: str) -> str:
        """Returns an attribute of the first control that is visible."""
        return str(self.page.locator(selector).locator("visible=true").first.get_attribute(name))


def choose(hand: Hand, players: int, modules: Sequence[str]) -> None:
    """Fills in the setup form: as many players, these modules, everything else as it is proposed."""
    page = hand.page
    for seats in range(page.locator(".seat").count() + 1, players + 1):
        hand.tap("[data-more]", FORM)
        page.wait_for_function("n => document.querySelectorAll('.seat').length === n", arg=seats)
    for name in modules:
        chosen = f"label:has(input[name=modules][value={name}])"
        hand.tap(chosen, FORM)
        page.wait_for_selector(f"{chosen} input:checked", state="attached")
    page.wait_for_timeout(300)  # until the form is drawn with the last choice
    hand.tap("#choice [type=submit]", FORM)
    page.wait_for_selector(f"#state, {ASKED}", state="attached")
    while page.locator(ASKED).count():
        _confirm_print(hand)
    page.wait_for_selector("#state", state="attached")


def _confirm_print(hand: Hand) -> None:
    """Confirms what the page proposes for something that is asked about the owner's copy."""
    item = f"[id='{hand.value(ASKED, 'id')}']"
    hand.tap(f"{item} button.primary", FORM)
    hand.page.wait_for_selector(f"{item}{ASKED}", state="detached")


class Person:
    """Represents people who play a game with their own pieces, and enter on the page what happens."""

    def __init__(self, hand: Hand, setup: Mapping[str, Any] | None, seed: int) -> None:
        assert setup is not None
        self._hand = hand
        self._rules: Rules = rules_of(setup)
        self._state: Any = self._rules.new(setup)
        self._rng = random.Random(seed)
        of_game = game_part(self._rules.name, "people")
        self._entered: Any = of_game.entered
        self._bot: Bot = of_game.reporting(BOTS["greedy"](seed), setup, seed)
        self._chance = capabilities.chance(self._rules)
        self._dice = capabilities.dice(self._rules)
        self._ending = ""
        """How the turn before is ended that the next player ends by beginning; empty if there is none."""

    def set_up(self) -> None:
        """Enters everything before the first roll."""
        while not self._dice.expected_dice(self._state):
            self._enter_next(LAYOUT)

    def play(self, turns: int) -> None:
        """Enters *turns* turns with all that happens before and between them.

        What players decide at another stage than their turns, as at the end of a phase, is no turn of its own.
        """
        counts, name = self._hand.counts, None
        while counts.turns < turns and not self._rules.is_over(self._state):
            if self._dice.expected_dice(self._state):
                self._tap_ending()
                self._enter_next(DICE)
                counts.rolls += 1
            elif self._rules.to_move(self._state) is None:
                self._enter_next(LAYOUT)
                counts.phases += 1
            else:
                stage = self._rules.stage(self._state).name
                name = name or stage
                self._turn()
                counts.turns += stage == name
        self._tap_ending()

    def check(self, records: Sequence[Record]) -> None:
        """Checks that what was recorded is what happened.

        :raises StuckError: if it is not.
        """
        *_, (_, recorded) = replay(self._rules, records)
        if recorded.state_hash() != self._state.state_hash():
            raise StuckError("the page has recorded something else than what was entered")

    def _enter_next(self, purpose: str) -> None:
        """Enters what chance brings next, or a decision before the first turn."""
        events = list(self._events())
        if not events:
            move = self._bot(self._rules, self._state)
            self._make(move)
            self._tap_move(str(move), purpose)
            return
        texts = [text for event in events for text in self._entered(event)]
        rolled = self._dice.dice_of(events[0])
        for _ in range(MOST_TAPS):
            if not self._report(rolled, texts, purpose):
                return
        raise StuckError(f"no end of taps for {events[0]}")

    def _events(self) -> Iterator[Move]:
        """Makes and yields what chance brings, up to a roll, which comes alone, or a decision."""
        while (event := self._chance.sample_chance(self._state, self._rng)) is not None:
            self._make(event)
            yield event
            if self._dice.dice_of(event) or self._dice.expected_dice(self._state):
                return

    def _make(self, move: Move) -> None:
        self._state = position_after(self._rules, self._state, (move,))

    def _report(self, rolled: Mapping[str, Sequence[int]], texts: list[str], purpose: str) -> bool:
        """Enters a roll, one thing that lies somewhere, or one of *texts*; returns False if nothing is asked."""
        hand = self._hand
        if rolled and hand.offers("#roll"):
            *faces, last = (
                f"[data-die='{colour}:{i}'][data-face='{value}']"
                for colour, values in rolled.items()
                for i, value in enumerate(values)
            )
            for face in faces:
                hand.tap(face, purpose)
            hand.command(last, purpose)
        elif hand.offers(key := ".keypad [data-place]"):
            place = hand.value(key, "data-place")
            hand.command(f".keypad [data-place='{place}'][data-label='{self._label(place)}']", purpose)
        elif texts:
            hand.command(_control(texts.pop(0)), purpose)
        elif not rolled and hand.offers(confirm := ".card-proposal [data-do=confirm]"):
            hand.command(confirm, purpose)
        else:
            return False
        return True

    def _label(self, place: str) -> str:
        group, _, index = place.rpartition(":")
        return capabilities.observable(self._rules).visible_layout(self._state)[group][int(index)]

    def _turn(self) -> None:
        """Enters the moves of whoever is to act, to the end of the turn."""
        while True:
            before, move = self._state, self._bot(self._rules, self._state)
            self._make(move)
            if self._rules.ends_turn(move) and self._is_ended_by_the_next(before):
                self._ending = str(move)
                return
            if pieces := fewest_pieces(self._ways(before), str(move)):
                self._touch(pieces)
            else:
                self._tap_ending()
                self._tap_move(str(move), MOVES)
            self._ending = ""
            if self._rules.ends_turn(move):
                return

    def _is_ended_by_the_next(self, before: Any) -> bool:
        """Whether nothing pays for a move any more, and the next player's turn follows, which begins with a piece."""
        if any(way.paid_with for way in self._ways(before)) or self._dice.expected_dice(self._state):
            return False
        is_turn = self._rules.stage(self._state).name == self._rules.stage(before).name
        return is_turn and not self._rules.is_over(self._state)

    def _tap_ending(self) -> None:
        """Ends the turn before by its own button, if it has not been ended yet."""
        if self._ending:
            self._tap_move(self._ending, MOVES)
            self._ending = ""

    def _ways(self, state: Any) -> list[Way]:
        view, roles_of = self._rules.view(state), part_of(self._rules.name).page.roles_of
        if roles_of is None:
            return []
        moves = (self._rules.describe(move) for move in self._rules.legal_moves(state))
        return [Way(move, roles_of(move, view)) for move in moves]

    def _touch(self, pieces: Sequence[str]) -> None:
        *before, last = pieces
        for piece in before:
            self._hand.touch(piece, MOVES)
        self._hand.command(f"[data-piece='{last}']", MOVES)

    def _tap_move(self, text: str, purpose: str) -> None:
        hand, control = self._hand, _control(text)
        if not hand.offers(SHEET) and not hand.offers(control):
            hand.tap("[data-open='/moves']", purpose)
            hand.page.wait_for_selector(f"{SHEET} header")
        on_top = f"{SHEET} {control}" if hand.offers(SHEET) else control
        if not hand.offers(on_top):
            raise StuckError(f"the page does not offer {text!r}")
        hand.command(on_top, purpose)


def _control(text: str) -> str:
    """Returns the selector of the controls that enter a move."""
    return f'[data-do=tap][data-text="{text}"]'
