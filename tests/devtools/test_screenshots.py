"""The pictures of every view for the documentation: how they are arranged, and that its page shows all of them."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli.screens import screens
from companion.devtools.games.burgundy.screenshots.scenarios import PARTS, scenarios
from companion.devtools.screenshots.document import document
from companion.devtools.screenshots.pictures import GAP, Screen, Shot, file_name, screens_of, sheet
from companion.devtools.screenshots.view import screenplay, views, views_by_scenario
from tests.support.browsing import SIZES
from tests.support.paths import DOCS

SMALL = Screen(40, 20, "a stamp", shown=20, columns=2, most_screens=2.0)


def shot(grey: int, height: int = 20) -> Shot:
    png = cv2.imencode(".png", np.full((height, 40, 3), grey, np.uint8))[1].tobytes()
    return Shot("view", SMALL, "en", "light", png)


def test_the_pictures_of_a_view_stand_beside_and_below_each_other() -> None:
    image = sheet([shot(10), shot(20), shot(30), shot(40)])
    assert image.shape == (2 * 10 + GAP, 2 * 20 + GAP, 3)
    assert [int(image[y, x, 0]) for y, x in ((0, 0), (0, -1), (-1, 0), (-1, -1))] == [10, 20, 30, 40]


def test_a_longer_page_makes_room_for_itself() -> None:
    assert sheet([shot(10), shot(20, height=32)]).shape == (16, 2 * 20 + GAP, 3)


def test_every_stage_is_played_by_one_part() -> None:
    assert sorted(stage for played in PARTS for stage in played) == sorted(views_by_scenario())


@pytest.mark.parametrize("played", PARTS, ids=lambda played: min(played))
def test_a_part_reaches_all_its_stages(played: frozenset[str]) -> None:
    assert {stage for stage, _ in scenarios(played)} == played


def test_no_two_views_share_a_name() -> None:
    names = [view.name for view in views()]
    assert len(names) == len(set(names))


def test_the_page_in_the_documentation_is_the_one_that_the_command_writes() -> None:
    assert (DOCS / "screens.md").read_text(encoding="utf-8") == document("screens")


def test_the_page_shows_every_view_on_its_screens_and_other_files_are_removed() -> None:
    shown = re.findall(r"\(screens/(.+?)\)", document("screens"))
    assert sorted(shown) == sorted(
        file_name(view.name, screen) for view in views() for screen in screens_of(view)
    )
    assert sorted(path.name for path in (DOCS / "screens").iterdir()) == sorted(shown)


def test_the_main_views_are_shown_on_every_size_that_the_browser_tests_check() -> None:
    main = [view for view in views() if view.name in screenplay().MAIN]
    assert len(main) == len(screenplay().MAIN) > 0
    for view in main:
        assert {(screen.width, screen.height) for screen in screens_of(view)} == set(SIZES)


def test_the_pictures_stay_small() -> None:
    assert sum(path.stat().st_size for path in (DOCS / "screens").iterdir()) < 9_000_000


def test_a_view_that_is_not_known_is_refused_with_those_that_are(tmp_path: Path) -> None:
    result = CliRunner().invoke(screens, ["--only", "nonsense", "--out", str(tmp_path)])
    assert result.exit_code == 2 and "'nonsense'" in result.output and "proposal" in result.output


def test_every_view_is_described_in_one_line() -> None:
    assert [
        view.name for view in views() if not view.description.endswith(".") or len(view.description) > 120
    ] == []
