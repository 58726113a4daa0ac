"""What a player reads when a move is not legal: every reason of the rules, word for word, in English and French.

That none is left out is checked beside the other texts, in test_translator.py.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from typing import Any

import pytest

from companion.games.burgundy.modules.linked_castles.outpost import Outpost
from companion.games.burgundy.rules import GameState
from companion.games.burgundy.rules.decisions import Adjust, Buy, Fill, Override, Take
from companion.games.burgundy.rules.state import Pending
from companion.games.burgundy.rules.validation import validate
from companion.text.catalogue import texts
from companion.text.translator import Translator
from tests.support.automa_positions import automa_turn, new_automa_game, rolled_automa
from tests.support.module_positions import module_turn
from tests.support.modules import first_turn, more_modules, setup_of
from tests.support.positions import (
    COLOURS,
    RULES,
    build,
    dealt,
    fill_depot,
    filled,
    follow_rules,
    new_game,
    on_turn,
    own,
    play,
    set_up,
    store,
)
from tests.support.shields import at_depots, end_phase, hold, shield_turn
from tests.support.trade_positions import on_route

LINKED = {"castle_links": "on"}
Position = Callable[[], tuple[GameState, Any]]


def turn(
    *dice: int,
    edition: str = "special",
    rules: Mapping[str, str] | None = None,
    stored: tuple[str, ...] = (),
    built: Mapping[str, str] | None = None,
    depots: Mapping[int, tuple[str, ...]] | None = None,
    goods: Mapping[int, tuple[int, ...]] | None = None,
    monasteries: tuple[int, ...] = (),
    pending: str = "",
    workers: int = 0,
    silver: int = 0,
    score: int = 0,
    players: int = 2,
    duchy: str = "",
) -> GameState:
    """Red's turn with just these dice and things; with linked castles on duchy 11 unless another is named."""
    linked = rules == LINKED and not duchy
    duchy, castle = ("se-11", 6) if linked else (duchy or "se-1", None)
    game = on_turn(players=players, edition=edition, duchy=duchy, castle=castle, rules=rules or {})
    player = game.player
    player.dice, player.workers, player.silver, player.score = list(dice), workers, silver, score
    build(player, **(built or {}))
    own(player, *monasteries)
    store(game, *stored)
    for depot, labels in (depots or {}).items():
        fill_depot(game, depot, *labels)
    for depot, kinds in (goods or {}).items():
        for kind in kinds:
            game.depot_goods[depot - 1][kind] += 1
    if pending:
        game.pending.append(Pending(pending))
    return game


def after(game: GameState, *moves: str) -> GameState:
    """The game once *moves* have been played."""
    play(game, *moves)
    return game


def dealt_goods(*goods: str) -> GameState:
    """A game at its set-up, hands of goods dealt to the first players."""
    deals = (
        f"start-goods {colour} {goods_of_player}"
        for colour, goods_of_player in zip(COLOURS, goods, strict=False)
    )
    return after(new_game(3), *deals)


def with_layout(change: Callable[[Fill], dict[str, Any]]) -> tuple[GameState, Fill]:
    """A game that waits for its first tiles, and tiles that are right but for a change."""
    game = set_up()
    fill = dealt(game)
    assert isinstance(fill, Fill)
    return game, dataclasses.replace(fill, **change(fill))


def in_depot(number: int, *labels: str | None) -> Callable[[Fill], dict[str, Any]]:
    """Other tiles in one numbered depot."""
    return lambda fill: {"depots": (*fill.depots[: number - 1], labels, *fill.depots[number:])}


def french(text: str) -> str:
    """French has a space that does not break before its double signs."""
    return re.sub(" ([:;!?])", "\N{NO-BREAK SPACE}\\1", text)


def full_of_cargo() -> GameState:
    """A turn in which a ship waits for two of three key spaces, of which another ship and a mine use all."""
    with more_modules() as box:
        game = first_turn(box, "cargo")
    store(game, "mine", "ship")
    game.pending.append(Pending("discard", "ship"))
    return game


def own_die() -> GameState:
    """A game that waits for the Châteauma's die."""
    return after(rolled_automa(), "end")


def _with_crane_to_use() -> GameState:
    game = module_turn(["extra_tiles"], (3, 1))
    store(game, "building/crane")
    return after(game, "place building/crane 25 die 3")


def shielded(
    *numbers: int,
    depots: Mapping[int, Sequence[int]] | None = None,
    workers: int = 0,
    after: Sequence[str] = (),
) -> GameState:
    """Red's turn with a 1 and a 2, with these shields on castles and at depots, once moves have been played."""
    game = shield_turn()
    hold(game, game.player, *numbers)
    at_depots(game, depots or {})
    game.player.workers = workers
    play(game, *after)
    return game


def paying(*numbers: int, workers: int = 0) -> GameState:
    """Red's decision about the upkeep of these shields, without silver."""
    game = shielded(*numbers, workers=workers)
    end_phase(game)
    return game


def laying(after: Sequence[str] = ()) -> GameState:
    """Red's decision what shield 14 lays: mines are at depots 1 and 2."""
    game = shielded(14)
    build(game.player, s25="building/bank")
    fill_depot(game, 1, "mine")
    fill_depot(game, 2, "mine")
    end_phase(game)
    play(game, *after)
    return game


def with_more_goods(*more: int, stored: Sequence[int] = ()) -> GameState:
    """The choice of what shield 5 adds to a ship's goods: goods 3 lie at the depots, and those of the kinds *more*."""
    game = shielded(5)
    game.player.goods = [int(kind in stored) for kind in range(7)]
    game.player.dice = [5]
    store(game, "ship")
    for kind in (3, *more):
        game.depot_goods[0][kind] = 1
    play(game, "place ship 19 die 5")
    return game


def with_shields_laid() -> GameState:
    """A set-up after its shields have been laid out."""
    game = RULES.new(setup_of(modules=["shields"]))
    RULES.play(game, RULES.parse_move("shields 1 2 3 4 5 6"))
    return game


def _with_corner_in_question() -> GameState:
    game = automa_turn(
        2,
        modules=["border_posts"],
        on_left=("building/bank", "building/church", "livestock/cow_2"),
        depots={1: ["monastery/1"]},
    )
    follow_rules(game)
    return game


def _with_inn_in_city() -> GameState:
    game = module_turn(["inns"], (6, 6))
    build(game.player, s31="inn", s25="building/bank")
    store(game, "inn")
    return game


CASES: list[tuple[str, Position, str, str]] = [
    (
        "already_bought",
        lambda: (after(turn(depots={0: ("ship", "mine")}, silver=4), "buy ship 0.0"), "buy mine 0.1"),
        "You have already bought a tile with silver this turn; that is possible only once a turn.",
        "Vous avez déjà acheté une tuile avec de l’argent ce tour-ci ; ce n’est possible qu’une fois par tour.",
    ),
    (
        "building_does_nothing",
        lambda: (_with_crane_to_use(), "use market"),
        "The crane is of no use as that now: the market would do nothing.",
        "La grue ne sert à rien ainsi : le marché n’aurait aucun effet.",
    ),
    (
        "building_twice",
        lambda: (
            turn(3, built={"s13": "building/bank"}, stored=("building/bank",)),
            "place building/bank 14 die 3",
        ),
        "That town already has the bank; a second one needs monastery 1.",
        "Il y a déjà la banque dans cette ville ; pour un second bâtiment identique, il faut le monastère 1.",
    ),
    (
        "castle_already_placed",
        lambda: (after(new_game(), "castle red 18"), "castle red 1"),
        "Red has already placed a first castle.",
        "Rouge a déjà placé son premier château.",
    ),
    (
        "card_not_asked",
        lambda: (_with_corner_in_question(), "tell symbols:9 border"),
        "Nothing is asked about county card 9 now; the one in question is card 2.",
        "On ne demande rien sur la carte Comté 9 ; celle dont il s’agit est la carte 2.",
    ),
    (
        "card_not_left",
        lambda: (after(new_automa_game(), "county 7"), "county 7"),
        "County card 7 is not among those left: 1, 2, 3, 4, 5, 6, 8 and 9.",
        "La carte Comté 7 n’est plus parmi celles qui restent : 1, 2, 3, 4, 5, 6, 8 et 9.",
    ),
    (
        "card_without_castle",
        lambda: (new_automa_game(), "county 1"),
        "The first county card needs a space for a castle; card 1 has none.",
        "La première carte Comté doit avoir une case Château ; la carte 1 n’en a pas.",
    ),
    (
        "cards_lie",
        lambda: (after(new_automa_game(), "county 7", "county 1"), "county 2"),
        "Both county cards are already there.",
        "Les deux cartes Comté sont déjà en place.",
    ),
    (
        "effect_lost",
        lambda: (
            turn(
                rules={"full_storage_effect": "lose"},
                stored=("mine", "mine", "ship"),
                depots={4: ("ship",)},
                pending="market",
            ),
            "take ship 4.0",
        ),
        "Your storage is full; at this table the market then gives nothing, so decline it.",
        "Votre stockage est plein ; à cette table, le marché n’apporte alors rien : renoncez à l’effet.",
    ),
    (
        "goods_already_dealt",
        lambda: (dealt_goods("1,2,3"), "start-goods red 1,2,3"),
        "Red has already been dealt starting goods.",
        "Rouge a déjà reçu ses marchandises de départ.",
    ),
    (
        "goods_do_not_fit",
        lambda: (turn(goods={3: (1, 4)}, pending="ship"), "goods 3 1"),
        "A ship takes all goods that fit from one depot (with monastery 5 from two neighbouring ones); "
        "3 kinds at most can be stored.",
        "Un navire prend dans un seul dépôt (deux dépôts voisins avec le monastère 5) toutes les marchandises "
        "qui tiennent ; on peut en stocker 3 sortes au plus.",
    ),
    (
        "goods_not_in_supply",
        lambda: (dealt_goods("4,4,4", "4,4,4"), "start-goods green 4,4,1"),
        "The supply holds 1 of this, not 2: goods 4.",
        "La réserve en contient 1, pas 2 : marchandise 4.",
    ),
    (
        "goods_not_in_supply",
        lambda: (dealt_goods(), "start-goods red 1,2,7"),
        "The supply holds 0 of this, not 1: goods 7.",
        "La réserve en contient 0, pas 1 : marchandise 7.",
    ),
    (
        "goods_not_in_supply",
        lambda: with_layout(lambda fill: {"goods": (1, 1, 1, 1, 8)}),
        "The supply holds 0 of this, not 1: goods 8.",
        "La réserve en contient 0, pas 1 : marchandise 8.",
    ),
    (
        "hire_who",
        lambda: (module_turn(["extra_tiles"]), "hire red"),
        "In your own turn, hire without saying who you are; at any other time, say who hires.",
        "Pendant votre tour, achetez des ouvriers sans dire qui vous êtes ; à tout autre moment, dites qui achète.",
    ),
    (
        "inn_in_area",
        lambda: (_with_inn_in_city(), "place inn 32 die 6"),
        "There is already an inn in that area; each area has room for one.",
        "Il y a déjà une auberge dans ce secteur ; chaque secteur n’a de place que pour une.",
    ),
    (
        "is_adjacent",
        lambda: (
            turn(1, 2, edition="2011", rules=LINKED, built={"s24": "mine"}, stored=("castle",), score=5),
            "outpost 30",
        ),
        "That space touches a tile of your duchy; a castle placed apart must touch none.",
        "Cette case touche une tuile de votre duché ; un château placé à l’écart ne doit en toucher aucune.",
    ),
    (
        "monastery_6_used",
        lambda: (
            after(
                turn(monasteries=(6,), depots={5: ("building/bank", "building/market")}, workers=4),
                "buy building/bank 5.0",
            ),
            "buy building/market 5.1",
        ),
        "Monastery 6 has already bought a building this turn; that is possible only once a turn.",
        "Le monastère 6 a déjà servi à acheter un bâtiment ce tour-ci ; ce n’est possible qu’une fois par tour.",
    ),
    (
        "must_be_used",
        lambda: (turn(rules={"castle_action": "mandatory"}, pending="castle"), "skip"),
        "At this table the castle's extra action must be used.",
        "À cette table, l’action du château est obligatoire.",
    ),
    (
        "needs_both_dice",
        lambda: (turn(3, rules=LINKED, score=5), "recover"),
        "That takes both of your dice; still unused: 3.",
        "Il faut vos deux dés ; encore disponibles : 3.",
    ),
    (
        "needs_both_dice",
        lambda: (turn(rules=LINKED, score=5), "recover"),
        "That takes both of your dice; still unused: none.",
        "Il faut vos deux dés ; encore disponibles : aucun.",
    ),
    (
        "needs_die",
        lambda: (turn(3, depots={3: ("mine",)}), "take mine 3.0"),
        "Use a die: no effect is waiting that allows taking a tile without one.",
        "Utilisez un dé : aucun effet ne permet maintenant de prendre une tuile sans dé.",
    ),
    (
        "needs_monastery_28",
        lambda: (module_turn(["extra_tiles"]), "hire"),
        "Only the owner of monastery 28 hires workers for silver.",
        "Seul le propriétaire du monastère 28 achète des ouvriers.",
    ),
    (
        "needs_monastery_6",
        lambda: (turn(depots={3: ("building/bank",)}, workers=4, silver=4), "buy building/bank 3.0"),
        "Buying from a numbered depot needs monastery 6.",
        "Pour acheter dans un dépôt numéroté, il faut le monastère 6.",
    ),
    (
        "no_automa",
        lambda: (new_game(), "county 4"),
        "The Châteauma does not play in this game, so revealing a county card is not possible.",
        "Le Châteauma ne joue pas dans cette partie, donc on ne peut pas révéler une carte Comté.",
    ),
    (
        "no_automa",
        lambda: (new_game(), "start-tiles building/bank,mine,castle"),
        "The Châteauma does not play in this game, so laying out the Châteauma's tiles is not possible.",
        "Le Châteauma ne joue pas dans cette partie, donc on ne peut pas poser les tuiles du Châteauma.",
    ),
    (
        "no_castle_set_aside",
        lambda: (turn(3, 4, rules=LINKED, score=5), "recover"),
        "There is no castle to take back: this is possible only for those left on the main "
        "board at the end of a phase.",
        "Il n’y a pas de château à reprendre : ce n’est possible que pour ceux restés sur le plateau principal "
        "à la fin d’une phase.",
    ),
    (
        "no_effect",
        lambda: (turn(3, stored=("ship",)), "discard ship"),
        "No effect is waiting to be decided, so discarding a tile is not possible.",
        "Aucun effet n’attend de décision, donc on ne peut pas défausser une tuile.",
    ),
    (
        "no_effect",
        lambda: (turn(3), "skip"),
        "No effect is waiting to be decided, so declining an effect is not possible.",
        "Aucun effet n’attend de décision, donc on ne peut pas renoncer à un effet.",
    ),
    (
        "no_passing",
        lambda: (turn(goods={3: (1,)}, pending="ship"), "skip"),
        "You have to decide about the ship's goods; it cannot be declined.",
        "Il faut décider pour les marchandises du navire ; on ne peut pas y renoncer.",
    ),
    (
        "no_passing",
        lambda: (turn(stored=("mine",) * 4, pending="discard"), "skip"),
        "You have to decide about the full storage; it cannot be declined.",
        "Il faut décider pour le stockage plein ; on ne peut pas y renoncer.",
    ),
    (
        "skip_which",
        lambda: (turn(pending="castle"), "skip castle"),
        "Name the effect to decline where several wait, and only there.",
        "Nommez l’effet auquel vous renoncez si plusieurs attendent, et seulement alors.",
    ),
    (
        "discard_not_needed",
        lambda: (full_of_cargo(), "discard mine"),
        "Discard only tiles that are needed to make room; the mine is not one of them.",
        "Défaussez seulement les tuiles nécessaires pour faire de la place ; la mine n’en est pas une.",
    ),
    *[
        (
            "no_such_depot",
            position,
            "There is no such depot; they are numbered 1 to 6.",
            "Ce dépôt n’existe pas ; ils portent les numéros 1 à 6.",
        )
        for position in (
            lambda: (turn(3), "take mine 7.0 die 3"),
            lambda: (turn(3), "take mine 0.0 die 3"),
            lambda: (turn(silver=2), "buy mine 7.0"),
            lambda: (turn(goods={3: (1,)}, pending="ship"), "goods 3,7 1"),
        )
    ],
    (
        "no_such_die",
        lambda: (turn(3, 5, depots={4: ("mine",)}), "take mine 4.0 die 4"),
        "You have no die left that shows 4; still unused: 3 and 5.",
        "Vous n’avez plus de dé qui montre 4 ; encore disponibles : 3 et 5.",
    ),
    (
        "no_such_die",
        lambda: (turn(), "workers die 4"),
        "You have no die left that shows 4; still unused: none.",
        "Vous n’avez plus de dé qui montre 4 ; encore disponibles : aucun.",
    ),
    (
        "no_such_goods",
        lambda: (turn(4), "sell 4 die 4"),
        "You store no goods 4.",
        "Vous n’avez pas en stock : marchandise 4.",
    ),
    *[
        (
            "no_such_player",
            position,
            "Nobody plays that colour; in this game there are Red and Blue.",
            "Personne ne joue cette couleur ; dans cette partie, il y a Rouge et Bleu.",
        )
        for position in (
            lambda: (new_game(), "castle pink 18"),
            lambda: (new_game(), "start-goods pink 1,2,3"),
        )
    ],
    *[
        (
            "no_such_space",
            position,
            "The duchy has no such space.",
            "Le duché n’a pas cette case.",
        )
        for position in (
            lambda: (turn(3, stored=("mine",)), "place mine 37 die 3"),
            lambda: (turn(3, stored=("mine",)), "place mine -1 die 3"),
            lambda: (new_game(), "castle red 37"),
            lambda: (new_game(), "castle red -1"),
            lambda: (turn(3, 4, edition="2011", rules=LINKED, stored=("castle",), score=5), "outpost 37"),
        )
    ],
    (
        "no_such_symbols",
        lambda: (_with_corner_in_question(), "tell symbols:2 shield"),
        "The corner of that card is asked only about: a border post.",
        "Pour le coin de cette carte, on demande seulement : un poste frontalier.",
    ),
    (
        "no_such_tile",
        lambda: (turn(3), Take("palace", 3, 0, 3)),
        "There is no tile called palace.",
        "Aucune tuile ne s’appelle palace.",
    ),
    (
        "ruling_unknown",
        lambda: (turn(3), Override((("depot:9:0", "mine"),))),
        "A ruling cannot set “depot:9:0” to “mine”: there is no such place or value.",
        "Une décision ne peut pas donner à «\u00a0depot:9:0\u00a0» la valeur «\u00a0mine\u00a0»\u00a0: "
        "cette case ou cette valeur n’existe pas.",
    ),
    (
        "goods_needed",
        lambda: (turn(3, players=4), Adjust("red", (("sold:4", 4), ("sold:5", 4)), "misread")),
        "Later phases need the goods that are left: at most 5 more can be added, not 8.",
        "Les phases suivantes ont besoin des marchandises qui restent\u00a0: on peut en ajouter 5 au plus, pas 8.",
    ),
    (
        "goods_needed",
        lambda: (turn(3, players=4), Override((("depot_goods:1", "1,2,3,4,5,6"),))),
        "Later phases need the goods that are left: at most 5 more can be added, not 6.",
        "Les phases suivantes ont besoin des marchandises qui restent\u00a0: on peut en ajouter 5 au plus, pas 6.",
    ),
    (
        "tiles_needed",
        lambda: (turn(3, players=4), Override((("duchy:red:0", "mine"),))),
        "Later phases need every grey tile of the supply: the new one must come from another place on the table.",
        "Les phases suivantes ont besoin de toute la réserve grise\u00a0: la nouvelle tuile doit venir d’un autre "
        "endroit de la table.",
    ),
    (
        "ruling_none_left",
        lambda: (
            turn(3),
            Override((("duchy:red:0", "monastery/1"), ("duchy:red:1", "monastery/1"))),
        ),
        "There is no other one in the box or the supply: monastery 1.",
        "Il n’y en a plus d’autre dans la boîte ni dans la réserve\u00a0: le monastère 1.",
    ),
    (
        "adjust_nothing",
        lambda: (turn(3, 4), Adjust("red", (), "misread")),
        "Nothing has been changed yet.",
        "Rien n’a encore été changé.",
    ),
    (
        "adjust_unknown",
        lambda: (turn(3, 4), Adjust("red", (("horses", 1),), "misread")),
        "There is nothing here called “horses” that can be corrected by hand.",
        "Il n’y a rien ici qui s’appelle «\u00a0horses\u00a0» et que l’on puisse corriger à la main.",
    ),
    (
        "adjust_beyond",
        lambda: (turn(3), Override((("score:red", "9999999999"),))),
        "Red cannot have 9999999999 points: the possible range is 0 to 999.",
        "Rouge ne peut pas avoir 9999999999 points\u00a0: les valeurs possibles vont de 0 à 999.",
    ),
    (
        "adjust_beyond",
        lambda: (turn(3, 4, workers=1), Adjust("red", (("workers", -3),), "misread")),
        "Red cannot have -2 workers: the possible range is 0 to 999.",
        "Rouge ne peut pas avoir -2 ouvriers\u00a0: les valeurs possibles vont de 0 à 999.",
    ),
    (
        "adjust_no_room",
        lambda: (turn(3, 4), Adjust("red", tuple((f"goods:{kind}", 1) for kind in range(1, 5)), "misread")),
        "Red would store more than 3 kinds of goods: take another kind away first.",
        "Rouge stockerait plus de 3 sortes de marchandises\u00a0: retirez d’abord une autre sorte.",
    ),
    (
        "adjust_turn_begun",
        lambda: (turn(3), Adjust("blue", (("track", 1),), "misread")),
        "Red is in the middle of a turn: correct the turn order after it.",
        "Rouge est au milieu d’un tour\u00a0: corrigez l’ordre du tour ensuite.",
    ),
    (
        "no_start_tiles",
        lambda: (new_automa_game(), "start-tiles building/bank,mine,castle"),
        "There are no tiles to put in the Châteauma's duchy.",
        "Il n’y a pas de tuiles à poser dans le duché du Châteauma.",
    ),
    (
        "no_such_value",
        lambda: (own_die(), "own-roll black=7"),
        "A die cannot show 7.",
        "Un dé ne peut pas montrer 7.",
    ),
    (
        "no_such_value",
        lambda: (filled(), "roll red=1,2 blue=3,4 white=7"),
        "A die cannot show 7.",
        "Un dé ne peut pas montrer 7.",
    ),
    (
        "no_such_value",
        lambda: (filled(), "roll red=1,2 blue=0,4 white=5"),
        "A die cannot show 0.",
        "Un dé ne peut pas montrer 0.",
    ),
    *[
        (
            "not_a_move",
            position,
            "That is not a move of this game.",
            "Ce n’est pas un coup de ce jeu.",
        )
        for position in (lambda: (turn(3), None), lambda: (turn(3, rules=LINKED), Outpost("two")))  # type: ignore[arg-type]
    ],
    (
        "not_adjacent",
        lambda: (turn(5, stored=("monastery/15",)), "place monastery/15 7 die 5"),
        "That space touches no tile of your duchy; a new tile must be next to another one.",
        "Cette case ne touche aucune tuile de votre duché ; une nouvelle tuile doit en toucher une.",
    ),
    (
        "not_adjacent",
        lambda: (turn(6, stored=("livestock/cow_2",)), "place livestock/cow_2 0 die 6"),
        "That space touches no tile of your duchy; a new tile must be next to another one.",
        "Cette case ne touche aucune tuile de votre duché ; une nouvelle tuile doit en toucher une.",
    ),
    (
        "not_enough_points",
        lambda: (turn(3, 4, rules=LINKED, score=4), "recover"),
        "That costs 5 points; you have 4.",
        "Cela coûte 5 points ; vous en avez 4.",
    ),
    (
        "not_enough_silver",
        lambda: (turn(depots={0: ("ship",)}, silver=1), "buy ship 0.0"),
        "That costs 2 silver; you have 1.",
        "Il faut 2 pièces d’argent ; vous en avez 1.",
    ),
    (
        "not_enough_workers",
        lambda: (turn(3, depots={5: ("mine",)}, workers=1), "take mine 5.0 die 3 workers 2"),
        "That takes a 5 and the die shows 3: you need 2 workers and have 1.",
        "Il faut un 5 et le dé montre 3 : cela demande 2 ouvriers, et vous en avez 1.",
    ),
    (
        "not_enough_workers",
        lambda: (turn(3, depots={4: ("mine",)}), "take mine 4.0 die 3 workers 1"),
        "That takes a 4 and the die shows 3: you need 1 worker and have 0.",
        "Il faut un 4 et le dé montre 3 : cela demande 1 ouvrier, et vous en avez 0.",
    ),
    (
        "not_enough_workers_to_buy",
        lambda: (
            turn(monasteries=(6,), depots={5: ("building/bank",)}, workers=1),
            "buy building/bank 5.0",
        ),
        "Buying a building with monastery 6 takes 2 workers; you have 1.",
        "Acheter un bâtiment grâce au monastère 6 coûte 2 ouvriers ; vous en avez 1.",
    ),
    (
        "not_for_this_building",
        lambda: (turn(depots={5: ("livestock/cow_3", "mine")}, pending="market"), "take mine 5.1"),
        "The market does not let you take the mine.",
        "Le marché ne permet pas de prendre la mine.",
    ),
    (
        "not_for_this_building",
        lambda: (
            turn(monasteries=(6,), depots={5: ("livestock/cow_3",)}, workers=2),
            "buy livestock/cow_3 5.0",
        ),
        "Monastery 6 does not let you take the 3 cows.",
        "Le monastère 6 ne permet pas de prendre les 3 vaches.",
    ),
    (
        "not_linked",
        lambda: (
            turn(
                4,
                rules=LINKED,
                built={"s2": "building/bank", "s3": "building/church"},
                stored=("livestock/cow_2",),
            ),
            "place livestock/cow_2 8 die 4",
        ),
        "At this table tiles stay linked to castles: next to that space there must be a castle or a green tile.",
        "Ici, les tuiles restent reliées aux châteaux : à côté de cette case, il faut un château ou une tuile "
        "verte.",
    ),
    (
        "other_square_asked",
        lambda: (after(on_route(None, goods={3: 1}, dice=(3, 1)), "sell 3 die 3"), "square 2 -"),
        "The question is about square 1 of the trade route: say which is the first with the number of its goods, "
        "and its bonus, or that there is none.",
        "La question porte sur la case 1 de la route commerciale : dites laquelle est la première à avoir le numéro "
        "de sa marchandise, et son bonus, ou qu’il n’y en a aucune.",
    ),
    (
        "no_such_trade_tile",
        lambda: (on_route(goods={}), "route red 6 2:silver_2,4:silver_2,1:silver_2"),
        "A trade route has the tiles 1 to 5 in this game.",
        "Dans cette partie, une route commerciale a les tuiles 1 à 5.",
    ),
    (
        "no_trade_tile",
        lambda: (on_route(goods={}), "route red 1 2:silver_2,4:silver_2"),
        "A trade route tile has 3 squares with numbers from 1 to 6.",
        "Une tuile Route commerciale a 3 cases, avec des numéros de 1 à 6.",
    ),
    (
        "trade_tile_elsewhere",
        lambda: (
            on_route((2, "silver_2"), (4, "silver_2"), (1, "silver_2"), goods={}),
            "route blue 1 2:silver_2,4:silver_2,1:silver_2",
        ),
        "That tile already lies elsewhere; a box has each only once.",
        "Cette tuile se trouve déjà ailleurs ; une boîte n’a chacune qu’une fois.",
    ),
    (
        "square_was_other",
        lambda: (
            after(on_route(None, goods={3: 1}, dice=(3, 1)), "sell 3 die 3", "square 1 -"),
            "route red 1 3:silver_2,4:silver_2,1:silver_2",
        ),
        "By that tile, the goods 3 on square 1 would have brought something else. Undo that sale, or look at the tile "
        "again.",
        "Selon cette tuile, la marchandise 3 sur la case 1 aurait rapporté autre chose. Annulez cette vente, ou "
        "regardez la tuile de nouveau.",
    ),
    (
        "other_choice_first",
        lambda: (turn(3, pending="market"), "workers die 3"),
        "First decide about the market; using a die comes afterwards.",
        "Décidez d’abord pour le marché ; vous pourrez ensuite utiliser un dé.",
    ),
    (
        "other_choice_first",
        lambda: (turn(3, pending="ship"), "sell 1"),
        "First decide about the ship's goods; selling goods comes afterwards.",
        "Décidez d’abord pour les marchandises du navire ; vous pourrez ensuite vendre des marchandises.",
    ),
    (
        "other_choice_first",
        lambda: (turn(3, 4, rules=LINKED, pending="church"), "recover"),
        "First decide about the church; taking back a castle comes afterwards.",
        "Décidez d’abord pour l’église ; vous pourrez ensuite reprendre un château.",
    ),
    (
        "other_choice_first",
        lambda: (turn(3, 4, rules=LINKED, pending="carpenter"), "outpost 30"),
        "First decide about the carpenter's workshop; placing a castle apart comes afterwards.",
        "Décidez d’abord pour l’atelier de charpentier ; vous pourrez ensuite placer un château à l’écart.",
    ),
    (
        "other_choice_first",
        lambda: (turn(3, pending="town_hall"), "end"),
        "First decide about the town hall; ending the turn comes afterwards.",
        "Décidez d’abord pour l’hôtel de ville ; vous pourrez ensuite finir le tour.",
    ),
    (
        "other_choice_first",
        lambda: (
            turn(stored=("mine",) * 4, depots={0: ("ship",)}, silver=2, pending="discard"),
            "buy ship 0.0",
        ),
        "First decide about the full storage; buying a tile comes afterwards.",
        "Décidez d’abord pour le stockage plein ; vous pourrez ensuite acheter une tuile.",
    ),
    (
        "other_edition",
        lambda: (turn(3, 4, rules=LINKED, stored=("castle",), score=5), "outpost 30"),
        "In this edition both dice and 5 points pay for something else: taking back a castle.",
        "Dans cette édition, les deux dés et 5 points servent à autre chose : reprendre un château.",
    ),
    (
        "other_edition",
        lambda: (turn(3, 4, edition="2011", rules=LINKED, score=5), "recover"),
        "In this edition both dice and 5 points pay for something else: placing a castle apart.",
        "Dans cette édition, les deux dés et 5 points servent à autre chose : placer un château à l’écart.",
    ),
    (
        "module_not_in_play",
        lambda: (turn(3, 4, score=5), "recover"),
        "That belongs to a part of the box that this game is played without: linked castles.",
        "Cela relève d’un élément de la boîte avec lequel on ne joue pas cette partie : châteaux reliés.",
    ),
    (
        "rule_not_in_play",
        lambda: (turn(3, 4, rules=LINKED, duchy="se-1", score=5), "recover"),
        "That belongs to a rule that is not played here: Tiles linked to castles (duchies 11 to 18).",
        "Cela relève d’une règle qui n’est pas jouée ici : Tuiles reliées aux châteaux (duchés 11 à 18).",
    ),
    (
        "slot_empty",
        lambda: with_layout(in_depot(3, None, "building/bank")),
        "A green space of depot 3 is empty although there are green tiles left.",
        "Une case verte du dépôt 3 est vide alors qu’il reste des tuiles de cette couleur.",
    ),
    (
        "slot_empty",
        lambda: with_layout(lambda fill: {"black": (*fill.black[:3], None)}),
        "A black space of the black depot is empty although there are black tiles left.",
        "Une case noire du dépôt noir est vide alors qu’il reste des tuiles de cette couleur.",
    ),
    *[
        (
            "space_taken",
            position,
            "There is already a tile on that space.",
            "Il y a déjà une tuile sur cette case.",
        )
        for position in (
            lambda: (turn(6, stored=("castle",)), "place castle 18 die 6"),
            lambda: (turn(3, 4, edition="2011", rules=LINKED, stored=("castle",), score=5), "outpost 6"),
        )
    ],
    (
        "storage_full",
        lambda: (
            turn(
                rules={"full_storage_purchase": "forbidden"},
                stored=("mine",) * 3,
                depots={0: ("ship",)},
                silver=2,
            ),
            "buy ship 0.0",
        ),
        "Your storage is full; at this table a tile can be bought only when there is room for it.",
        "Votre stockage est plein ; à cette table, on n’achète une tuile que s’il y a de la place pour elle.",
    ),
    (
        "tile_not_in_supply",
        lambda: with_layout(in_depot(2, "monastery/7", "castle")),
        "The yellow supply holds 0 of this, not 1: monastery 7.",
        "La réserve jaune en contient 0, pas 1 : le monastère 7.",
    ),
    (
        "tile_not_in_supply",
        lambda: with_layout(lambda fill: {"black": ("castle",) * 4}),
        "The black supply holds 2 of this, not 4: the castle.",
        "La réserve noire en contient 2, pas 4 : le château.",
    ),
    (
        "tile_not_stored",
        lambda: (turn(5), "place ship 19 die 5"),
        "You do not have the ship in storage.",
        "Vous n’avez pas le navire dans votre stockage.",
    ),
    (
        "tile_not_stored",
        lambda: (turn(stored=("mine",) * 4, pending="discard"), "discard livestock/pig_2"),
        "You do not have the 2 pigs in storage.",
        "Vous n’avez pas les 2 cochons dans votre stockage.",
    ),
    (
        "tile_not_stored",
        lambda: (turn(3, 4, edition="2011", rules=LINKED, stored=("mine",), score=5), "outpost 30"),
        "You do not have the castle in storage.",
        "Vous n’avez pas le château dans votre stockage.",
    ),
    (
        "tile_not_there",
        lambda: (turn(3, depots={3: ("mine", "ship")}), "take mine 3.1 die 3"),
        "Space 2 of depot 3 does not hold the mine.",
        "L’emplacement 2 du dépôt 3 ne contient pas la mine.",
    ),
    (
        "tile_not_there",
        lambda: (turn(3, depots={3: ("mine", "ship")}), "take ship 3.2 die 3"),
        "Space 3 of depot 3 does not hold the ship.",
        "L’emplacement 3 du dépôt 3 ne contient pas le navire.",
    ),
    (
        "tile_not_there",
        lambda: (turn(silver=2), Buy("building/town_hall", 0, 9)),
        "Space 10 of the black depot does not hold the town hall.",
        "L’emplacement 10 du dépôt noir ne contient pas l’hôtel de ville.",
    ),
    (
        "workers_without_die",
        lambda: (
            turn(depots={3: ("mine",)}, workers=1, pending="castle"),
            "take mine 3.0 workers 1",
        ),
        "Workers change a die; this action uses none.",
        "Les ouvriers modifient un dé ; cette action n’en utilise pas.",
    ),
    (
        "wrong_colour",
        lambda: (turn(3, stored=("mine",)), "place mine 25 die 3"),
        "That space is not for the mine: it is beige.",
        "Cette case n’est pas faite pour la mine : elle est beige.",
    ),
    (
        "wrong_colour",
        lambda: (new_game(), "castle red 17"),
        "That space is not for the castle: it is blue.",
        "Cette case n’est pas faite pour le château : elle est bleue.",
    ),
    (
        "wrong_colour",
        lambda: (turn(3, 4, edition="2011", rules=LINKED, stored=("castle",), score=5), "outpost 31"),
        "That space is not for the castle: it is grey.",
        "Cette case n’est pas faite pour le château : elle est grise.",
    ),
    (
        "wrong_depot_count",
        lambda: with_layout(lambda fill: {"depots": fill.depots[:5]}),
        "There are 6 numbered depots, not 5.",
        "Il y a 6 dépôts numérotés, pas 5.",
    ),
    (
        "wrong_goods_count",
        lambda: (new_game(), "start-goods red 1,2,3,4"),
        "3 goods are needed here, not 4.",
        "Il faut ici 3 marchandises, pas 4.",
    ),
    (
        "wrong_goods_count",
        lambda: with_layout(lambda fill: {"goods": fill.goods[:4]}),
        "5 goods are needed here, not 4.",
        "Il faut ici 5 marchandises, pas 4.",
    ),
    (
        "wrong_payment",
        lambda: (turn(3, depots={4: ("mine",)}, workers=3), "take mine 4.0 die 3 workers 2"),
        "Reading the 3 as a 4 takes 1 worker, not 2.",
        "Lire le 3 comme un 4 demande 1 ouvrier, pas 2.",
    ),
    *[
        (
            "wrong_players",
            position,
            "These dice are expected, in this order: Red and Blue.",
            "Dés attendus, dans cet ordre : Rouge et Bleu.",
        )
        for position in (
            lambda: (filled(), "roll blue=1,2 red=3,4 white=5"),
            lambda: (filled(), "roll pink=1,2 blue=3,4 white=5"),
        )
    ],
    (
        "wrong_players",
        lambda: (own_die(), "own-roll red=1"),
        "These dice are expected, in this order: Châteauma.",
        "Dés attendus, dans cet ordre : Châteauma.",
    ),
    (
        "wrong_slot_colour",
        lambda: with_layout(in_depot(3, "mine", "building/bank")),
        "A green space of depot 3 cannot hold the mine.",
        "Une case verte du dépôt 3 ne peut pas recevoir la mine.",
    ),
    (
        "wrong_space_count",
        lambda: with_layout(in_depot(3, "livestock/cow_2")),
        "There are 2 spaces in depot 3, not 1.",
        "Il y a 2 emplacements dans le dépôt 3, pas 1.",
    ),
    (
        "wrong_space_count",
        lambda: with_layout(lambda fill: {"black": (*fill.black, "ship")}),
        "There are 4 spaces in the black depot, not 5.",
        "Il y a 4 emplacements dans le dépôt noir, pas 5.",
    ),
    (
        "wrong_stage",
        lambda: (turn(3), "castle red 1"),
        "Placing the first castle is not possible now: a turn is being played.",
        "Placer le premier château n’est pas possible maintenant : un tour est en cours.",
    ),
    (
        "wrong_stage",
        lambda: (own_die(), "chateauma"),
        "Playing the Châteauma's turn is not possible now: waiting for the Châteauma's die.",
        "Jouer le tour du Châteauma n’est pas possible maintenant : il faut lancer le dé du Châteauma.",
    ),
    (
        "wrong_stage",
        lambda: (filled(), "end"),
        "Ending the turn is not possible now: waiting for the dice.",
        "Finir le tour n’est pas possible maintenant : il faut lancer les dés.",
    ),
    (
        "wrong_start_tiles",
        lambda: (new_automa_game(modifiers="B"), "start-tiles mine,castle,building/bank"),
        "These tiles are expected, in this order: building, mine and castle.",
        "On pose celles-ci, dans cet ordre : bâtiment, mine et château.",
    ),
    (
        "copied_already",
        lambda: (shielded(6, after=("copy red blue",)), "copy red blue"),
        "Shield 6 makes the monasteries of Blue count already, for as long as you have it.",
        "Le bouclier 6 fait déjà compter les monastères de Bleu, tant que vous l’avez.",
    ),
    (
        "copies_another",
        lambda: (shielded(6), "copy red red"),
        "Shield 6 names a player other than its owner: Blue.",
        "Le bouclier 6 désigne un autre joueur que son propriétaire : Bleu.",
    ),
    (
        "needs_shield",
        lambda: (shielded(9), "any 1"),
        "That needs shield 16, and you do not have it.",
        "Il faut pour cela le bouclier 16, et vous ne l’avez pas.",
    ),
    (
        "no_castle_there",
        lambda: (shielded(depots={1: [7]}), "shield 7 1 24 dice 1,2"),
        "A shield lies on a castle of your own, and there is none on that space.",
        "Un bouclier se pose sur un de vos châteaux, et il n’y en a pas sur cette case.",
    ),
    (
        "no_goods_there",
        lambda: (with_more_goods(), "more 4"),
        "No goods 4 lie at the depots.",
        "Il n’y a pas de marchandise 4 dans les dépôts.",
    ),
    (
        "no_room_for_goods",
        lambda: (with_more_goods(5, stored=(1, 2, 3)), "more 5"),
        "There is no room for goods 5: at most 3 kinds can be stored.",
        "Il n’y a pas de place pour la marchandise 5 : on peut stocker 3 sortes au plus.",
    ),
    (
        "no_such_pair",
        lambda: (shielded(depots={1: [7]}), "shield 7 1 18 dice 1"),
        "A shield is taken with all dice that are left: 1 and 2.",
        "Un bouclier se prend avec tous les dés qui restent : 1 et 2.",
    ),
    (
        "not_enough_workers_for_pair",
        lambda: (shielded(depots={1: [7]}), "shield 7 1 18 dice 1,2 workers 1"),
        "A pair of 1 takes 1 worker; you have 0.",
        "Une paire de 1 demande 1 ouvrier ; vous en avez 0.",
    ),
    (
        "pair_needs_both_dice",
        lambda: (shielded(depots={1: [7]}, after=("workers die 1",)), "shield 7 1 18 dice 2"),
        "A shield takes a pair of dice instead of both actions; still unused: 2.",
        "Un bouclier se prend avec une paire, à la place des deux actions ; dés encore disponibles : 2.",
    ),
    (
        "shield_16_used",
        lambda: (shielded(16, after=("any 1", "workers")), "any 2"),
        "Shield 16 has turned a die this turn already; that is possible only once a turn.",
        "Le bouclier 16 a déjà servi ce tour-ci ; ce n’est possible qu’une fois par tour.",
    ),
    (
        "shield_has_placed",
        lambda: (laying(after=("free mine 1.0 24",)), "free mine 2.0 24"),
        "Shield 14 has placed a tile already at the end of this phase.",
        "Le bouclier 14 a déjà placé une tuile à la fin de cette phase.",
    ),
    (
        "shield_not_left",
        lambda: (RULES.new(setup_of(modules=["shields"])), "shields 1 2 3 4 5 5"),
        "Shield 5 is not among those that can be laid out, or is named twice.",
        "Le bouclier 5 n’est plus à poser, ou est nommé deux fois.",
    ),
    (
        "shield_not_there",
        lambda: (shielded(depots={1: [7]}), "shield 8 1 18 dice 1,2"),
        "Shield 8 is not at depot 1.",
        "Le bouclier 8 n’est pas au dépôt 1.",
    ),
    (
        "shields_lie",
        lambda: (with_shields_laid(), "shields 1 2 3 4 5 6"),
        "The shields have been laid out already.",
        "Les boucliers sont déjà posés.",
    ),
    (
        "upkeep_short",
        lambda: (paying(9), "upkeep"),
        "Your shields cost 1 silver, and you have 0: give up a shield first.",
        "Vos boucliers coûtent 1 pièce d’argent et vous en avez 0 : renoncez d’abord à un bouclier.",
    ),
    (
        "upkeep_short_with_workers",
        lambda: (paying(3, 9, workers=1), "upkeep workers 1"),
        "With 1 worker your shields still cost 1 silver, and you have 0: pay more in workers, or give up a shield.",
        "Avec 1 ouvrier, vos boucliers coûtent encore 1 pièce d’argent et vous en avez 0 : payez davantage en "
        "ouvriers, ou renoncez à un bouclier.",
    ),
    (
        "upkeep_workers",
        lambda: (paying(3, 9), "upkeep workers 1"),
        "At most 0 workers can take the place of silver here, not 1.",
        "Au plus 0 ouvrier peut remplacer l’argent ici, pas 1.",
    ),
    (
        "wrong_pair_payment",
        lambda: (shielded(depots={1: [7]}, workers=2), "shield 7 1 18 dice 1,2 workers 2"),
        "A pair of 1 takes 1 worker, not 2.",
        "Une paire de 1 demande 1 ouvrier, pas 2.",
    ),
    (
        "wrong_shield_count",
        lambda: (RULES.new(setup_of(modules=["shields"])), "shields 1 2 3 4 5 6,7"),
        "There is 1 shield at depot 6, not 2.",
        "Il y a 1 bouclier au dépôt 6, pas 2.",
    ),
]
"""Code of a reason, a position with a move that has it, and how a player reads it in English and in French."""


@pytest.mark.parametrize(
    ("code", "position", "in_english", "in_french"),
    CASES,
    ids=[f"{case[0]}-{i}" for i, case in enumerate(CASES)],
)
def test_a_reason_is_written_word_for_word(
    code: str, position: Position, in_english: str, in_french: str
) -> None:
    game, move = position()
    reason = validate(game, RULES.parse_move(move) if isinstance(move, str) else move)
    assert reason is not None and reason.code == code
    needed = {name for _, name, _, _ in Formatter().parse(texts("en")[f"reason.{code}"]) if name}
    assert set(reason.data) == needed
    sentences = [
        Translator(language, strict=True, view=RULES.view(game)).reason(reason.code, reason.data)
        for language in ("en", "fr")
    ]
    assert sentences == [in_english, french(in_french)]
