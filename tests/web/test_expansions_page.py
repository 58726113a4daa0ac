"""The expansions of the box on the page: what each adds to panels, depots and sheets, and nothing without it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from html import unescape as html_unescape
from pathlib import Path

import pytest

from companion.games import capabilities
from companion.games.burgundy.modules.shields.state import castles, held_by, shields
from companion.games.burgundy.plugin import burgundy
from companion.games.burgundy.rules.board import bits
from companion.games.burgundy.rules.state import Pending
from companion.games.burgundy.rules.tiles import tile
from companion.journal import OUT_OF_TURN
from companion.session import DRAFTING, OVER, TableSession
from companion.text.catalogue import LANGUAGES
from companion.text.translator import Translator
from tests.support.expansions import NAMES, by_hand, new_game, tap_at_random
from tests.support.pages import create_app
from tests.support.paths import CHECKOUT
from tests.support.positions import RULES, cover, own, play
from tests.support.shields import at_depots, hold, without_shields
from tests.support.sightings import sighting_of
from web.games.burgundy import modules as module_pages
from web.page import likely_labels

DRAWN_BY_MODULES = (
    "inn-stack",
    "for-inn",
    "border-posts",
    "trade-route",
    "shield-here",
    "own-buttons",
    'class="upkeep"',
)
"""What only modules draw."""


@pytest.fixture
def first_turn(tmp_path: Path) -> Callable[..., TableSession]:
    """Returns a function that begins a game with modules, entered by taps: red's first turn."""

    def begin(*names: str, people: int = 2) -> TableSession:
        return by_hand(tmp_path, *names, people=people)

    return begin


@pytest.fixture
def shieldless(first_turn: Callable[..., TableSession]) -> TableSession:
    """A game with shields in its first turn, with all of them in the box."""
    session = first_turn("shields")
    without_shields(session.state)
    return session


def page(session: TableSession, path: str = "/", language: str = "en") -> str:
    app = create_app(session)
    app.testing = True  # a missing text would raise
    answer = app.test_client().get(f"{path}?lang={language}")
    assert answer.status_code == 200, path
    return str(answer.get_data(as_text=True))


def panel(html: str, colour: str) -> str:
    """Returns a player's panel."""
    return html.partition(f'id="player-{colour}"')[2].partition("</article>")[0]


def texts(html: str) -> str:
    """Returns the words of a page."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_without_modules_nothing_of_them_is_on_the_page(first_turn: Callable[..., TableSession]) -> None:
    html = page(first_turn())
    assert [drawn for drawn in DRAWN_BY_MODULES if drawn in html] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sheet_opens_throughout_a_game_with_all_modules(
    first_turn: Callable[..., TableSession], language: str
) -> None:
    session = first_turn(*NAMES, people=3)
    rng = random.Random(11)
    for number in range(90):
        if session.status == OVER:
            break
        if number % 9 == 0:
            layout = capabilities.observable(session.rules).visible_layout(session.state)
            places = [f"{group}:{i}" for group, labels in layout.items() for i in range(len(labels))]
            for path in ("/", "/moves", "/tiles", *(f"/place/{place}" for place in rng.sample(places, 5))):
                page(session, path, language)
        tap_at_random(session, rng)
    for step in range(0, len(session.entries()), 7):
        page(session, f"/games/now/replay/{step}", language)


@pytest.mark.parametrize("path", ["/border-posts/red", "/shields/red", "/trade-route/red/1", "/areas/green"])
def test_there_is_no_sheet_about_what_nobody_has(first_turn: Callable[..., TableSession], path: str) -> None:
    assert create_app(first_turn()).test_client().get(path).status_code == 404


def test_the_page_of_a_module_belongs_to_a_module_of_the_box() -> None:
    templates = [path.name for path in (CHECKOUT / "web/games/burgundy/templates/modules").iterdir()]
    assert {*templates, *module_pages.pages()} <= burgundy().modules.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_score_sheet_explains_each_line_that_modules_add(
    first_turn: Callable[..., TableSession], language: str
) -> None:
    session = first_turn(*NAMES)
    (red,) = (player for player in session.state.players if player.colour == "red")
    added = [source for module in session.state.ruleset.modules for source in module.sources]
    red.points.update(dict.fromkeys(added, 4))
    sheet = page(session, "/score/red", language).partition("</table>")[0]
    translator = Translator(language, "burgundy", strict=True)
    for source in added:
        assert (
            f"{translator(f'source.{source}')}<small>{translator(f'source_help.{source}')}</small>" in sheet
        )


@pytest.mark.parametrize(
    ("language", "note"),
    [
        ("en", "The crane counts here as one of the buildings."),
        ("fr", "La grue compte ici comme l’un des bâtiments."),
    ],
)
def test_the_score_sheet_says_for_which_monastery_the_crane_counts(
    first_turn: Callable[..., TableSession], language: str, note: str
) -> None:
    """S725-727: four points of the line are the crane's."""
    session = first_turn("extra_tiles")
    (red,) = (player for player in session.state.players if player.colour == "red")
    own(red, 22, 25)
    red.points.update({"monastery_22": 4, "monastery_25": 3})
    before = page(session, "/score/red", language)
    red.put(next(bits(red.duchy.of_type["building"])), tile("building/crane"))
    lines = page(session, "/score/red", language).partition("</table>")[0].split("</tr>")
    assert note not in before
    assert [("22" in line, "25" in line) for line in lines if note in line] == [(True, False)]


# --- extra tiles ---


def test_whoever_has_monastery_28_hires_in_their_own_panel_whoever_is_in_turn(
    first_turn: Callable[..., TableSession],
) -> None:
    session = first_turn("extra_tiles")
    for player in session.state.players:
        own(player, 28)
        player.silver = 1
    html = page(session)
    assert 'data-text="hire"' in panel(html, session.state.player.colour)
    (other,) = (player.colour for player in session.state.players if player is not session.state.player)
    assert f'data-text="hire {other}"' in panel(html, other)
    session.state.players[0].silver = session.state.players[1].silver = 0
    assert "hire" not in page(session)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_choice_of_the_crane_says_what_each_building_does(
    first_turn: Callable[..., TableSession], language: str
) -> None:
    session = first_turn("extra_tiles")
    session.state.pending.append(Pending("crane"))
    sheet = page(session, "/moves", language)
    bank, watchtower, church = (
        texts(sheet.partition(f'data-text="use {name}"')[2].partition("</button>")[0])
        for name in ("bank", "watchtower", "church")
    )
    assert "2" in bank.partition({"en": "Now:", "fr": "Maintenant"}[language])[2]
    assert "4" in watchtower.partition({"en": "Now:", "fr": "Maintenant"}[language])[2]
    assert re.search(r"\d+ possibilit", church)


def test_a_tile_that_is_being_entered_is_explained_where_it_is_placed(
    first_turn: Callable[..., TableSession],
) -> None:
    session = first_turn("extra_tiles")
    player = session.state.player
    player.storage[:], player.workers = map(tile, ("building/crane", "livestock/geese_2", "monastery/28")), 6
    move = next(move for move in session.legal_moves() if move["word"] == "place")
    place, explained = (
        f"/place/duchy:{player.colour}:{move['space']}",
        Translator("en", "burgundy").help(move["tile"]),
    )
    assert explained not in page(session, place)
    session.tap(move["text"])
    assert explained in page(session, place)


# --- white castles ---


@pytest.mark.parametrize(("language", "words"), [("en", "use the white {}"), ("fr", "utilisez le {} blanc")])
def test_a_white_castle_says_by_which_die_it_acts(
    first_turn: Callable[..., TableSession], language: str, words: str
) -> None:
    session = first_turn("white_castles")
    assert words.format(session.state.white) not in page(session, "/moves", language)
    session.state.pending.append(Pending("white_castle"))
    assert words.format(session.state.white) in page(session, "/moves", language)


# --- inns ---


def test_the_inn_for_sale_lies_beside_the_black_depot_and_is_bought_there(
    first_turn: Callable[..., TableSession],
) -> None:
    session = first_turn("inns")
    session.state.player.silver = 2
    depot = page(session).partition('id="depot-black"')[2].partition("rounds")[0]
    assert 'data-open="/place/inns:0"' in depot and "×1" in depot
    bought = re.findall(r'data-text="(buy inn [^"]+)"', page(session, "/place/inns:0"))
    assert len(bought) == 1
    session.tap(bought[0])
    assert "tile-inn" in panel(page(session), session.state.player.colour)


def test_an_inn_for_sale_may_be_seen_in_a_storage_and_on_any_space(
    first_turn: Callable[..., TableSession],
) -> None:
    session = first_turn("inns")
    player = session.state.player
    empty = next(space for space, there in enumerate(player.spaces) if there is None)
    for place in (f"storage:{player.colour}:0", f"duchy:{player.colour}:{empty}"):
        assert "inn" in likely_labels(session, place), place


def test_a_stored_inn_marks_the_spaces_on_which_it_may_lie(first_turn: Callable[..., TableSession]) -> None:
    session = first_turn("inns")
    player = session.state.player
    assert "for-inn" not in page(session)
    player.storage[:] = [tile("inn")]
    open_ = session.state.hooks.open_spaces(session.state, player, "inn").bit_count()
    assert panel(page(session), player.colour).count('class="for-inn"') == open_ > 3


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "completes the area: {} instead of {} points"),
        ("fr", "complète le secteur : {} points au lieu de {}"),
    ],
)
def test_a_space_says_what_an_inn_brings_that_completes_its_area(
    first_turn: Callable[..., TableSession], language: str, words: str
) -> None:
    session = first_turn("inns")
    player = session.state.player
    player.storage[:] = [tile("inn")]
    nearby = session.state.hooks.open_spaces(session.state, player, "inn")
    area_spaces = next(area.spaces for area in player.duchy.areas if area.spaces & nearby and area.size > 2)
    last = next(bits(area_spaces & nearby))
    cover(player, *(space for space in bits(area_spaces) if space != last))
    seat = next(p for p in session.snapshot()["view"]["players"] if p["colour"] == player.colour)
    area = next(a for a in seat["areas"] if a["left"] == [last])
    usual = area["size_points"] + area["phase_points"] + area["bonus_points"]
    sheet = texts(page(session, f"/place/duchy:{player.colour}:{last}", language))
    assert words.format(area["points_with_inn"], usual) in sheet.replace("\N{NO-BREAK SPACE}", " ")


# --- border posts ---


def test_three_flags_stand_at_the_edge_of_each_duchy(first_turn: Callable[..., TableSession]) -> None:
    session = first_turn("border_posts")
    html = page(session)
    for player in session.state.players:
        assert panel(html, player.colour).count('class="flag') == 3
    assert 'class="flag linked"' not in html


@pytest.mark.parametrize(
    ("language", "pairs"),
    [
        (
            "en",
            [
                "top left and top right: 2 tiles still missing",
                "top left and bottom: 5 tiles still missing",
                "top right and bottom: 5 tiles still missing",
            ],
        ),
        (
            "fr",
            [
                "en haut à gauche et en haut à droite : il manque encore 2 tuiles",
                "en haut à gauche et en bas : il manque encore 5 tuiles",
                "en haut à droite et en bas : il manque encore 5 tuiles",
            ],
        ),
    ],
)
def test_on_request_it_says_how_many_tiles_are_missing_between_each_two_posts(
    first_turn: Callable[..., TableSession], language: str, pairs: list[str]
) -> None:
    """Three of the five spaces from left to right are covered, and nothing else."""
    session = first_turn("border_posts")
    player = session.state.player
    (castle,) = bits(player.occupied)
    player.replace(castle, None)
    cover(player, 4, 5, 6)
    sheet = texts(page(session, f"/border-posts/{player.colour}", language))
    assert [pair for pair in pairs if pair not in sheet.replace("\N{NO-BREAK SPACE}", " ")] == []


# --- trade routes ---


def test_the_route_shows_its_squares_its_goods_and_the_next_square(
    first_turn: Callable[..., TableSession],
) -> None:
    session = first_turn("trade_routes")
    strip = panel(page(session), "red").partition('class="trade-route"')[2].partition("</ol>")[0]
    assert strip.count('class="square') == 15 and strip.count('next"') == 1 and "filled" not in strip
    assert strip.count('data-open="/trade-route/red/') == 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tile_of_the_route_is_named_by_one_tap_if_it_is_known(
    first_turn: Callable[..., TableSession], language: str
) -> None:
    """Six tiles were seen in print; one that lies elsewhere is not offered."""
    session = first_turn("trade_routes")
    sheet = page(session, "/trade-route/red/2", language)
    offered = re.findall(r'data-aside="1" data-text="(route red 2 [^"]*)"', sheet)
    assert len(offered) == 6
    session.tap(offered[0])
    assert session.entries()[-1].by == OUT_OF_TURN and session.status != DRAFTING
    assert "data-text" not in page(session, "/trade-route/red/2", language)
    assert page(session, "/trade-route/blue/1", language).count('data-text="route blue 1') == 5


def test_an_unknown_tile_is_entered_square_by_square(first_turn: Callable[..., TableSession]) -> None:
    """Numbers and bonuses in turn; squares that are known already are left out."""
    session = first_turn("trade_routes")
    sale(session, 1)
    number = session.snapshot()["draft"][0]["goods"]
    session.tap(f"square 1 {number} points_4")
    session.tap("end")
    path = "/trade-route/red/1"
    for chosen in ("1", "silver_2", "2"):
        html = page_with(session, path)
        path = re.findall(rf'data-open="([^"]*chosen={chosen})"', html)[0].replace("&amp;", "&")
    text = re.findall(r'data-text="(route red 1 [^"]*sell_goods)"', page_with(session, path))[0]
    assert text == f"route red 1 {number}:points_4,1:silver_2,2:sell_goods"
    session.tap(text)
    assert [square["known"] for square in session.snapshot()["view"]["players"][0]["route"][:3]] == [True] * 3


@pytest.mark.parametrize(
    "path",
    [
        "/trade-route/green/1",
        "/trade-route/red/0",
        "/trade-route/red/6",
        "/trade-route/red/1?chosen=7",
        "/trade-route/red/1?chosen=1&chosen=gold",
        f"/trade-route/red/1?{'&'.join(['chosen=1', 'chosen=silver_2'] * 4)}",
    ],
)
def test_there_is_no_sheet_for_what_is_not_offered(
    first_turn: Callable[..., TableSession], path: str
) -> None:
    app = create_app(first_turn("trade_routes"))
    assert app.test_client().get(path).status_code == 404


def page_with(session: TableSession, path: str) -> str:
    """Returns a sheet whose address has a query."""
    app = create_app(session)
    app.testing = True
    return str(app.test_client().get(path).get_data(as_text=True))


@pytest.mark.parametrize(
    ("language", "words"), [("en", "No, another number"), ("fr", "Non, un autre numéro")]
)
def test_an_unknown_square_is_asked_in_one_sheet(
    first_turn: Callable[..., TableSession], language: str, words: str
) -> None:
    session = first_turn("trade_routes")
    state = session.state
    state.player.goods = [0] * 7
    state.player.goods[state.player.dice[0]] = 1
    sell = next(move for move in session.legal_moves() if move["word"] == "sell" and not move["workers"])
    assert re.search(r"asked about square 1|interrogera sur la case 1", page(session, "/moves", language))
    session.tap(sell["text"])
    sheet = page(session, "/moves", language)
    assert sheet.count('data-text="square') == 11 and words in sheet
    assert re.search(rf"(Square|Case) 1, \w+ {state.player.dice[0]}\b", sheet)


@pytest.mark.parametrize("language", LANGUAGES)
def test_several_unknown_squares_are_answered_by_one_tap_if_none_pays(
    first_turn: Callable[..., TableSession], language: str
) -> None:
    session = first_turn("trade_routes")
    sale(session, 3)
    sheet = page(session, "/moves", language)
    assert 'data-text="square 1,2,3 -"' in sheet and sheet.count('class="list route-answers"') == 3
    session.tap("square 1,2,3 -")
    assert 'data-text="square' not in page(session, "/moves", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_seen_sale_brought_is_answered_square_by_square(
    first_turn: Callable[..., TableSession], language: str
) -> None:
    session = first_turn("trade_routes")
    session.watch(boards=True)
    state = session.state
    state.player.goods = [0, 2, 0, 0, 0, 0, 0]
    state.player.dice = [1]
    after = state.copy()
    play(after, "sell 1 die 1", "square 1,2 -")
    session.observe(sighting_of(RULES, after))
    card = page(session, language=language).partition('id="card"')[2].partition("</section>")[0]
    assert card.count('data-about="report"') == 21 and 'data-value="square 1,2 -"' in card
    assert len(re.findall(r"(?:Square|Case) [12], \w+ 1", card)) == 2


def sale(session: TableSession, count: int) -> None:
    """Makes the current player sell so many goods of a kind, as their only ones."""
    player = session.state.player
    player.goods = [0] * 7
    player.goods[player.dice[0]] = count
    session.tap(f"sell {player.dice[0]} die {player.dice[0]}")


# --- shields ---


def test_the_shields_of_a_depot_lie_beside_its_goods(first_turn: Callable[..., TableSession]) -> None:
    session = first_turn("shields", people=4)
    html = page(session)
    for depot, numbers in session.snapshot()["view"]["shields"].items():
        drawn = html.partition(f'id="depot-{depot}"')[2].partition('id="depot-')[0]
        assert drawn.count("shield-here") == len(numbers) == 2
        assert all(f"hield {number}" in drawn for number in numbers)


def test_a_pair_of_dice_offers_a_shield_with_what_it_does(first_turn: Callable[..., TableSession]) -> None:
    session = first_turn("shields")
    player = session.state.player
    player.dice[:] = [1, 2]
    player.workers = 0
    assert "Take a shield" not in panel(page(session), player.colour)
    player.dice[:] = [3, 3]
    assert "Take a shield" in panel(page(session), player.colour)
    (number,) = session.snapshot()["view"]["shields"]["3"]
    sheet = page(session, f"/shields/{player.colour}")
    takes = re.findall(r'data-text="(shield [^"]+)"', sheet)
    assert takes and {int(take.split()[1]) for take in takes} == {number}
    session.tap(takes[0])
    html = panel(page(session), player.colour)
    assert f'<text class="count" x="0" y="13.5">{number}</text>' in html and "shield-row" in html


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_upkeep_is_paid_or_declined_on_the_card(
    first_turn: Callable[..., TableSession], language: str
) -> None:
    session = first_turn("shields")
    player = session.state.player
    without_shields(session.state)
    hold(session.state, player, 9)
    session.state.stage = "upkeep"
    player.silver = 1
    card = page(session, language=language).partition('class="upkeep"')[2].partition('class="actions"')[0]
    assert card.count('data-text="forgo') == 1 and 'aria-checked="true"' in card
    assert 'data-text="upkeep"' in card
    player.silver = 0
    card = page(session, language=language).partition('class="upkeep"')[2].partition('class="actions"')[0]
    assert 'data-text="upkeep"' not in card and 'class="short"' in card


@pytest.mark.parametrize(
    ("shields_held", "unpaid"), [((7, 8, 9), 2), ((3, 7, 8), 1)], ids=["silver", "workers"]
)
def test_the_card_says_how_many_shields_cannot_be_paid_for(
    first_turn: Callable[..., TableSession], shields_held: tuple[int, ...], unpaid: int
) -> None:
    session = first_turn("shields")
    player = session.state.player
    without_shields(session.state)
    hold(session.state, player, *shields_held)
    session.state.stage, player.silver, player.workers = "upkeep", 1, 1
    assert f"Not enough for all: give up {unpaid}." in page(session)


def test_paying_stands_above_the_shields_so_that_many_of_them_do_not_hide_it(
    shieldless: TableSession,
) -> None:
    session, player = shieldless, shieldless.state.player
    hold(session.state, player, 7, 8, 9)
    session.state.stage, player.silver = "upkeep", 3
    card = page(session).partition('class="upkeep"')[2]
    assert -1 < card.index('data-text="upkeep"') < card.index('data-text="forgo')


def test_a_castle_with_a_shield_says_what_the_shield_does(shieldless: TableSession) -> None:
    session, player = shieldless, shieldless.state.player
    hold(session.state, player, 9)
    (space,) = held_by(session.state, player)
    assert "A sale brings 1 silver for each goods tile." in page(
        session, f"/place/duchy:{player.colour}:{space}"
    )


def test_the_sheet_of_shields_names_points_once_and_what_doubles_them(shieldless: TableSession) -> None:
    session, player = shieldless, shieldless.state.player
    hold(session.state, player, 9)
    before = texts(page(session, f"/shields/{player.colour}"))
    hold(session.state, player, 13)
    after = texts(page(session, f"/shields/{player.colour}"))
    assert before.count("points") == 2 and "Doubled" not in before  # the heading's sentence, and the shield's
    assert "Doubled by shield 13: 16 points." in after and "Doubled by shield 13: 8 points." in after


def test_the_sheet_of_shields_says_whom_shield_6_copies(shieldless: TableSession) -> None:
    session, player = shieldless, shieldless.state.player
    hold(session.state, player, 6, 9)
    assert "It copies" not in page(session, f"/shields/{player.colour}")
    shields(session.state).copied = "blue"
    assert texts(page(session, f"/shields/{player.colour}")).count("It copies those of Blue.") == 1


def test_a_shield_to_take_says_which_one_it_replaces(shieldless: TableSession) -> None:
    session, player = shieldless, shieldless.state.player
    player.dice[:] = [3, 3]
    at_depots(session.state, {3: [12]})
    assert "leaves the game" not in page(session, f"/shields/{player.colour}")
    hold(session.state, player, 7)
    assert "Shield 7, which lies there, leaves the game." in page(session, f"/shields/{player.colour}")


def test_a_shield_by_a_castles_action_is_not_said_to_need_a_pair(shieldless: TableSession) -> None:
    session, player = shieldless, shieldless.state.player
    at_depots(session.state, {3: [12]})
    hold(session.state, player, 11)
    session.state.pending.append(Pending("castle"))
    sheet = page(session, f"/shields/{player.colour}")
    assert "With the castle's action and shield 11" in html_unescape(sheet) and "pair of dice" not in sheet


def test_a_castle_may_be_seen_with_each_shield_of_the_depots_and_without_one(
    first_turn: Callable[..., TableSession],
) -> None:
    session = first_turn("shields")
    player = session.state.player
    (castle,) = castles(player)
    place = f"duchy:{player.colour}:{castle}"
    without_shields(session.state)
    at_depots(session.state, {3: [12], 5: [2]})
    assert likely_labels(session, place) == ["castle", "castle/shield_2", "castle/shield_12"]
    hold(session.state, player, 7)
    assert likely_labels(session, place) == [
        "castle/shield_7",
        "castle",
        "castle/shield_2",
        "castle/shield_12",
    ]


def test_all_tiles_are_drawn_that_shield_4_lets_a_player_store(
    first_turn: Callable[..., TableSession],
) -> None:
    session = first_turn("shields")
    player = session.state.player
    player.storage[:] = []
    assert panel(page(session), player.colour).count(f'"/place/storage:{player.colour}:') == 3
    without_shields(session.state)
    hold(session.state, player, 4)
    player.storage[:] = [tile("ship")] * 5
    assert panel(page(session), player.colour).count(f'"/place/storage:{player.colour}:') == 6


def test_a_free_placement_is_no_longer_offered_while_an_effect_waits(shieldless: TableSession) -> None:
    session, player = shieldless, shieldless.state.player
    hold(session.state, player, 15)
    session.state.stage = "free_placement"
    assert "A tile placed freely" in page(session)
    session.state.pending.append(Pending("ship"))
    assert "A tile placed freely" not in page(session)


def test_a_tile_that_is_placed_freely_is_explained_and_declined_on_the_card(shieldless: TableSession) -> None:
    session, player = shieldless, shieldless.state.player
    hold(session.state, player, 15)
    assert "A tile placed freely" not in page(session)
    session.state.stage = "free_placement"
    card = page(session).partition('id="card"')[2].partition('class="actions"')[0]
    assert "A tile placed freely" in card and 'data-text="done"' in card


def test_shields_are_laid_out_by_taps_before_what_players_get(tmp_path: Path) -> None:
    session = new_game(tmp_path, "shields")
    for _ in range(6):
        html = page(session)
        keys = re.findall(r'data-place="(shields:\d:0)" data-label="(shield/\d+)"', html)
        numbers = [int(label.partition("/")[2]) for _, label in keys]
        assert numbers == sorted(numbers) != [] and "player-setup-red" not in html
        session.correct(*keys[0])
    assert "player-setup-red" in page(session)


def test_shields_laid_out_by_taps_stay_while_castles_and_goods_are_tapped(tmp_path: Path) -> None:
    session = new_game(tmp_path, "shields")
    laid = {f"shields:{depot}:0": f"shield/{19 - depot}" for depot in range(1, 7)}
    for place, label in laid.items():
        session.correct(place, label)
    while not all(player.occupied and sum(player.goods) == 3 for player in session.state.players):
        taps = re.findall(r'data-do="tap" data-text="([^"]+)"', page(session))
        session.tap(next(text for text in taps if text.startswith(("castle", "start-goods"))))
    assert "Everything is in place. Confirm.</p>" in page(
        session
    )  # what fills the depots comes before the dice
    session.confirm()
    assert shields(session.state).depots == tuple((19 - depot,) for depot in range(1, 7))


def test_what_ends_a_turn_stands_below_all_other_moves(
    first_turn: Callable[..., TableSession],
) -> None:
    session = first_turn("shields", "trade_routes", "extra_tiles")
    without_shields(session.state)
    hold(session.state, session.state.player, 16)
    headings = re.findall(r"<h3>([^<]*)</h3>", page(session, "/moves"))
    assert "More" in headings and headings[-1] == "Finish"


@pytest.mark.parametrize(
    ("language", "paid"),
    [("en", "with the dice 2 and 5 and 3 workers"), ("fr", "avec les dés 2 et 5 et 3 ouvriers")],
)
def test_a_shield_for_a_pair_says_which_dice_it_takes(
    first_turn: Callable[..., TableSession], language: str, paid: str
) -> None:
    session = first_turn("shields")
    player = session.state.player
    player.dice[:], player.workers = [2, 5], 3
    assert paid in page(session, "/moves", language)


def test_whoever_takes_shield_6_names_a_player_in_their_own_panel_at_any_time(
    first_turn: Callable[..., TableSession],
) -> None:
    session = first_turn("shields", people=3)
    holder, *others = session.state.players
    without_shields(session.state)
    hold(session.state, holder, 6)
    for player in session.state.players:
        session.state.turn = session.state.index(player.colour)
        html = page(session)
        offered = re.findall(r'data-text="(copy [^"]+)"', panel(html, holder.colour))
        assert offered == [f"copy {holder.colour} {other.colour}" for other in others]
        assert html.count('data-text="copy') == len(others)
