"""Transcripts of whole games: every move in notation, the scores after every round, the score sheets at the end.

``python -m tests.support.golden_games`` in the checkout plays the games again with bots and writes their transcripts.
Do so after an intended change of the rules or the notation, and read the difference before you commit it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

from companion.games.burgundy.modules.chateauma.assumed_print import ASSUMED, answers
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules import GameState, Move
from companion.players.bots import greedy_bot
from tests.support.paths import GOLDEN

SETUPS: dict[str, dict[str, Any]] = {
    "two_players": {
        "edition": "special",
        "players": [{"colour": "red", "duchy": "se-1"}, {"colour": "blue", "duchy": "se-4"}],
    },
    "three_players_2011": {
        "edition": "2011",
        "players": [
            {"colour": "green", "duchy": "2011-1"},
            {"colour": "red", "duchy": "2011-4"},
            {"colour": "black", "duchy": "2011-8"},
        ],
    },
    "four_players_linked_castles": {
        "edition": "special",
        "rules": {"castle_links": "on", "tie_break": "most_empty"},
        "players": [
            {"colour": "black", "duchy": "se-11"},
            {"colour": "blue", "duchy": "se-14"},
            {"colour": "green", "duchy": "se-18"},
            {"colour": "red", "duchy": "se-3"},
        ],
    },
    "two_players_and_the_chateauma": {
        "edition": "special",
        "players": [{"colour": "red", "duchy": "se-2"}, {"colour": "blue", "duchy": "se-9"}],
        "chateauma": {
            "colour": "green",
            "level": "hard",
            "modifiers": ["A", "B", "D"],
            **answers(ASSUMED),
        },
    },
    "two_players_2011": {
        "edition": "2011",
        "rules": {"purchase": "between_actions", "castle_links": "off"},
        "players": [{"colour": "yellow", "duchy": "2011-2"}, {"colour": "black", "duchy": "2011-9"}],
    },
    "four_players_2011": {
        "edition": "2011",
        "rules": {"full_storage_effect": "lose", "monastery_5": "one_by_one"},
        "players": [
            {"colour": "red", "duchy": "2011-3"},
            {"colour": "yellow", "duchy": "2011-5"},
            {"colour": "blue", "duchy": "2011-6"},
            {"colour": "green", "duchy": "2011-7"},
        ],
    },
    "three_players": {
        "edition": "special",
        "rules": {"monastery_8": "line", "full_storage_purchase": "forbidden"},
        "players": [
            {"colour": "blue", "duchy": "se-6"},
            {"colour": "yellow", "duchy": "se-8"},
            {"colour": "red", "duchy": "se-13"},
        ],
    },
    "four_players": {
        "edition": "special",
        "rules": {"castle_action": "mandatory", "purchase": "between_actions"},
        "players": [
            {"colour": "green", "duchy": "se-12"},
            {"colour": "black", "duchy": "se-15"},
            {"colour": "red", "duchy": "se-16"},
            {"colour": "yellow", "duchy": "se-17"},
        ],
    },
    "one_player_and_the_easy_chateauma": {
        "edition": "special",
        "players": [{"colour": "red", "duchy": "se-5"}],
        "chateauma": {"colour": "blue", "level": "easy", "modifiers": [], **answers(ASSUMED)},
    },
    "one_player_and_the_intermediate_chateauma": {
        "edition": "special",
        "rules": {"castle_links": "on"},
        "players": [{"colour": "yellow", "duchy": "se-14"}],
        "chateauma": {
            "colour": "black",
            "level": "intermediate",
            "modifiers": ["C"],
            **answers(ASSUMED),
        },
    },
    "one_player_and_the_hard_chateauma": {
        "edition": "special",
        "players": [{"colour": "blue", "duchy": "se-10"}],
        "chateauma": {
            "colour": "red",
            "level": "hard",
            "modifiers": ["A", "B", "C", "D"],
            **answers(ASSUMED),
        },
    },
    "three_players_and_the_chateauma": {
        "edition": "special",
        "rules": {"full_storage_effect": "lose", "tie_break": "most_empty"},
        "players": [
            {"colour": "green", "duchy": "se-7"},
            {"colour": "red", "duchy": "se-3"},
            {"colour": "black", "duchy": "se-18"},
        ],
        "chateauma": {
            "colour": "yellow",
            "level": "intermediate",
            "modifiers": ["A", "D"],
            **answers(ASSUMED),
        },
    },
}
"""Set-up by name of the transcript."""
SEED = 1
NOTE = "# "
"""Begins lines that are not moves."""


def transcript(setup: dict[str, Any], moves: Iterable[Move]) -> Iterator[str]:
    """Plays *moves* and yields the lines of their transcript.

    :raises ValueError: when a move is not legal.
    """
    rules = burgundy()
    game = rules.new(setup)
    seats = [f"{player['colour']} on {player['duchy']}" for player in setup["players"]]
    if automa := setup.get("chateauma"):
        modifiers = "".join(automa["modifiers"]) or "no modifiers"
        seats.append(f"{automa['colour']} the Châteauma, {automa['level']}, {modifiers}")
    yield f"{NOTE}{setup['edition']} edition: {', '.join(seats)}"
    for move in moves:
        at, before = f"{game.phase_letter}{game.round + 1}", (game.phase, game.round)
        rules.play(game, move)
        yield str(move)
        if (game.phase, game.round) != before:
            yield f"{NOTE}after {at}: " + ", ".join(f"{p.colour} {p.score}" for p in game.seats)
    for colour in rules.ranking(game):
        sheet = rules.score_sheet(game)[colour]
        yield f"{NOTE}{colour} {sum(sheet.values())}: " + ", ".join(
            f"{source} {points}" for source, points in sheet.items()
        )


def moves_of(text: str) -> list[Move]:
    """Returns the moves of a transcript."""
    return [burgundy().parse_move(line) for line in text.splitlines() if not line.startswith(NOTE)]


def bot_game(setup: dict[str, Any], seed: int) -> Iterator[Move]:
    """Returns the moves of a game between greedy bots."""
    rules, rng, bot = burgundy(), random.Random(seed), greedy_bot(seed)
    game: GameState = rules.new(setup)
    while not rules.is_over(game):
        move = rules.sample_chance(game, rng) or bot(rules, game)
        rules.apply(game, move)
        yield move


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, setup in SETUPS.items():
        lines = transcript(setup, bot_game(setup, SEED))
        (GOLDEN / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
