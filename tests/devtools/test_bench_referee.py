"""The benchmark of the referee: games with and without misreadings, and its figures as JSON and text."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import numpy as np
from click.testing import CliRunner

from companion.cli.main import main
from companion.devtools.benchmarks.referee import SightingTable, play_game
from companion.virtual.misreadings import (
    NO_MISREADINGS,
    TYPICAL_MISREADINGS,
    MisreadingRates,
    MisreadingReader,
    MisreadingSimulator,
)
from hardware.scene import Scene, SceneDie
from vision.sighting import DieReading, PlaceReading, Sighting

TILES = ("building/bank", "building/church", "ship", "goods/1", "goods/2")


def tiles_at(place: str) -> tuple[str, ...]:
    are_goods = place.startswith("depot_goods")
    return tuple(label for label in TILES if label.startswith("goods/") == are_goods)


def sightings(scene: Scene, noise: Any, looks: int) -> list[Any]:
    table = SightingTable(tiles_at, noise, random.Random(1))
    table.show(scene)
    return [table.sighting() for _ in range(looks)]


def test_a_game_without_misreadings_ends_as_it_was_played() -> None:
    game = play_game(2, 3, NO_MISREADINGS)
    assert (game.turns, game.wrong, game.differences, game.stuck) == (50, 0, (), "")
    assert game.corrections == 0
    assert game.first >= 0.97 * game.turns and game.first_three == game.turns == len(game.ms)


def test_a_game_with_misreadings_ends_as_it_was_played() -> None:
    game = play_game(2, 3, TYPICAL_MISREADINGS)
    assert (game.turns, game.wrong, game.differences, game.stuck) == (50, 0, (), "")
    assert game.presses < 1.3 * game.turns and game.questions < 0.3 * game.turns


def test_misreadings_have_the_given_rates() -> None:
    scene = Scene({"depot:1": ("building/bank",) * 50, "goods:red": ("empty",) * 50})
    places = [p for sighting in sightings(scene, TYPICAL_MISREADINGS, 100) for p in sighting.places.values()]
    counted = Counter(
        "hidden" if p.hidden else "sure" if max(p.probabilities.values()) > 0.99 else "wrong" for p in places
    )
    assert abs(counted["hidden"] / len(places) - 0.05) < 0.01
    assert abs(counted["wrong"] / len(places) - 0.02) < 0.006


def test_only_what_can_lie_at_a_place_is_confused() -> None:
    scene = Scene({"depot:1": ("building/bank", "empty"), "depot_goods:1": ("goods/1", "empty")})
    for sighting in sightings(scene, TYPICAL_MISREADINGS, 2000):
        for name, place in sighting.places.items():
            read = {label.startswith("goods") for label in place.probabilities if label != "empty"}
            assert read <= {name.startswith("depot_goods")}


def test_dice_are_apart_and_elsewhere_after_each_throw() -> None:
    dice = [tuple(SceneDie(3, colour, colour, throw) for colour in ("red", "white")) for throw in (1, 2)]
    boxes = [die.box for pair in dice for die in sightings(Scene({}, pair), NO_MISREADINGS, 1)[0].dice]
    assert len(set(boxes)) == 4


def test_the_figures_are_reported_as_json_and_as_text() -> None:
    result = CliRunner().invoke(main, ["bench", "referee", "--games", "1", "--json"])
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert set(figures) == {"clean", "noisy"}
    for kind in figures.values():
        assert (kind["games"], kind["wrong"], kind["equal_to_truth"]) == (1, 0, 1)
        assert kind["presses_per_turn"] >= 1 or kind["corrections_per_turn"] > 0
        assert kind["turns"] == 75 and kind["ms_95th"] >= kind["ms_median"] > 0


FRAME = np.zeros((1, 1, 3), np.uint8)


class StillReader:
    """Reads the same each time."""

    def read(self, frame: Any, only: Any = None, dice: Any = None) -> Sighting:
        dice = (DieReading(4, "red", (0, 0, 9, 9), 0.99),)
        return Sighting({"depot:1:0": PlaceReading({"ship": 0.9}, hidden=True)}, dice)

    def pictures(self, frame: Any, places: Any) -> dict[str, Any]:
        return {}


def test_a_readers_own_sightings_are_spoilt_and_what_is_hidden_stays_hidden() -> None:
    reader = MisreadingReader(
        StillReader(),
        MisreadingSimulator(MisreadingRates(misread=1.0, unread=1.0), tiles_at, random.Random(1)),
    )
    sighting = reader.read(FRAME)
    assert sighting.places["depot:1:0"].hidden
    assert (sighting.dice[0].value, sighting.dice[0].reason) == (None, "unclear")


def test_without_noise_a_readers_sightings_stay_as_they_are() -> None:
    reader = MisreadingReader(StillReader(), MisreadingSimulator(NO_MISREADINGS, tiles_at, random.Random(1)))
    assert reader.read(FRAME) == StillReader().read(FRAME)
