"""The print form: owners enter what their copy of the game prints."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from flask import Flask, abort, jsonify, request
from flask.typing import ResponseReturnValue

from companion.calibrate.games.burgundy.county_card import CardReading, CardReadingError
from companion.games.burgundy.black_depot import SLOTS
from companion.games.burgundy.modules.chateauma import AnswerError, CountyCard
from companion.games.burgundy.modules.chateauma.cards import MARKED
from companion.games.burgundy.owner_print import AnswerFormError, OwnersPrint, PrintFileError
from companion.games.burgundy.plugin import black_depot, burgundy
from companion.games.burgundy.rules import MOST_BLACK_SLOTS
from companion.games.burgundy.rules.tiles import TYPES
from companion.journal import JournalError
from companion.journal.disk_errors import problem_of
from companion.text.catalogue import DEFAULT_LANGUAGE
from companion.text.translator import Translator

from ...pictures import inline
from ...single_page import SinglePage
from . import modules

MAX_REQUEST_BYTES = 16 * 1024
"""All answers together have about 3,000."""
LIKELY_SLOTS = range(4, MOST_BLACK_SLOTS + 1)
"""Numbers of spaces of a black depot that are offered."""


class Row(NamedTuple):
    """A space in the form of a card."""

    tile_type: str | None
    sell_goods: bool
    doubt: str = ""
    """Why the type is uncertain."""


def create_print_form_app(
    own: OwnersPrint,
    modifiers: Sequence[str] | None,
    done: Callable[[], None],
    *,
    questions: Sequence[str] = (),
    read_card: Callable[[], CardReading] | None = None,
    for_game: bool = False,
    go_back: Callable[[], None] | None = None,
    check_can_begin: Callable[[], None] = lambda: None,
    page_language: str = DEFAULT_LANGUAGE,
    pin: str | None = None,
    key: bytes | None = None,
    hosts: Collection[str] = (),
) -> Flask:
    """Returns the app of the print form of *own*.

    :param modifiers: modifiers of the games for which missing answers are asked; None without the Châteauma.
    :param done: called when the owner has finished.
    :param questions: what else such games ask (:func:`.owner_print.questions_before`).
    :param read_card: reads the card in front of the camera; raises :exc:`.CardReadingError` if there is
        none. None without a camera.
    :param for_game: whether a game waits for the answers. Then only the questions of that game are shown, and *done* is
        called as soon as they are answered; the page follows to the game once that has taken over the address.
    :param go_back: returns to the setup form, which then takes over the address; None if people have come from none.
    :param check_can_begin: raises :exc:`.JournalError` while the game that waits could not be saved; then the answers
        are not saved either, and the page stays open.
    :param pin: needed to use the form; None if there is no PIN.
    :param key: signs the session cookies.
    :param hosts: further names by which browsers may reach this machine.
    """
    page = SinglePage(
        page_language,
        max_request=MAX_REQUEST_BYTES,
        own_path="/asking",
        pin=pin,
        key=key,
        hosts=hosts,
    )
    app = page.app

    def missing() -> list[str]:
        """Returns the names of the missing answers: ``card:8``, ``inventory_order``, ``marks:D``, ``black_slots:3``,
        ``border_posts``."""
        return list(dict.fromkeys(unknown.what for unknown in own.missing(modifiers, questions)))

    required = missing()

    def view() -> dict[str, Any]:
        return {
            "printed": own.print,
            "open": missing(),
            "answered": set(_answered(own.answers)),
            "for_game": for_game,
            "can_go_back": go_back is not None,
            "has_camera": read_card is not None,
            "types": TYPES,
            "answer": _answer,
            "black_slots": _black_slots(own.answers),
            "of_module": {name: form(own.answers) for name, form in _module_forms().items()},
        }

    @app.get("/")
    def show() -> ResponseReturnValue:
        open_ = missing()
        asked = required if for_game else open_
        others = [] if for_game else [name for name in _all_names(own) if name not in open_]
        return page.render("burgundy/print_form.html", asked=asked, others=others, **view())

    @app.get("/card/<int:number>")
    def card(number: int) -> ResponseReturnValue:
        if number not in own.print.cards:
            abort(404)
        rows = [Row(space.tile_type, space.symbol is not None) for space in own.print.cards[number].spaces]
        return page.render_part("burgundy/print_card_form.html", number=number, rows=rows, **view())

    @app.post("/reading")
    def read() -> ResponseReturnValue:
        if read_card is None:
            abort(404)
        try:
            seen = read_card()
        except CardReadingError as error:
            return jsonify(error=page.translator()(f"card.{error.code}", **error.data)), 409
        return page.render_part(
            "burgundy/print_card_form.html",
            number=seen.number,
            rows=_rows(seen, page.translator()),
            picture=inline(seen.picture),
            numbers=seen.candidates(own.known),
            **view(),
        )

    @app.post("/answers")
    def save() -> ResponseReturnValue:
        answers, t = request.get_json(), page.translator()
        try:
            check_can_begin()
            own.save(answers)
        except JournalError as error:
            return jsonify(error=t("print.game_not_saved", problem=error.problem)), 503
        except AnswerError as error:
            return jsonify(error=t(f"print.refused.{error.code}", **error.data)), 400
        except PrintFileError as error:
            return jsonify(error=t("print.not_saved", problem=error.problem)), 409
        except OSError as error:
            return jsonify(error=t("print.not_saved", problem=problem_of(error))), 503
        except AnswerFormError:
            return jsonify(error=t("page.bad_request")), 400
        begins = for_game and not missing()
        if begins:
            done()
        context = view()
        parts = {
            name: page.render_part("burgundy/print_item.html", name=name, **context)
            for name in _answered(answers)
        }
        return jsonify(
            message=t("print.begins" if begins else "print.saved"),
            parts={**parts, "summary": page.render_part("burgundy/print_summary.html", **context)},
        )

    @app.post("/back")
    def return_to_setup_form() -> ResponseReturnValue:
        if go_back is None:
            abort(404)
        go_back()
        return jsonify(message=page.translator()("print.back"))

    @app.post("/done")
    def finish() -> ResponseReturnValue:
        if for_game:  # which needs the answers
            abort(404)
        done()
        return jsonify(message=page.translator()("print.closed"))

    return app


def _all_names(own: OwnersPrint) -> Iterator[str]:
    """Yields the names of everything that is printed."""
    yield from (f"card:{number}" for number in own.print.cards)
    yield "inventory_order"
    yield from (f"marks:{modifier}" for modifier in MARKED)
    yield from (f"{SLOTS}:{players}" for players in black_depot().candidates)
    yield from _module_forms()


def _module_forms() -> dict[str, Callable[[Mapping[str, Any]], Mapping[str, Any]]]:
    """Returns by module of the box how the form about its print is filled."""
    forms = (
        (name, modules.pages()[name].print_form) for name in burgundy().modules if name in modules.pages()
    )
    return {name: form for name, form in forms if form is not None}


def _black_slots(answers: Mapping[str, Any]) -> dict[str, list[int]]:
    """Returns by number of players how many spaces the black depot may have, the answer or the likeliest first."""
    chosen = answers.get(SLOTS, {})
    return {
        players: list(dict.fromkeys((chosen.get(players, candidates[0]), *candidates, *LIKELY_SLOTS)))
        for players, candidates in black_depot().candidates.items()
    }


def _answered(answers: Mapping[str, Any]) -> Iterator[str]:
    """Yields the names of what *answers* are about."""
    yield from (f"card:{number}" for number in answers.get("cards", ()))
    yield from ("inventory_order",) if "inventory_order" in answers else ()
    yield from (f"marks:{modifier}" for modifier in answers.get("marks", ()))
    yield from (f"{SLOTS}:{players}" for players in answers.get(SLOTS, ()))
    yield from (name for name in _module_forms() if name in answers)


def _answer(card: CountyCard, index: int, tile_type: str) -> dict[str, Any]:
    """Returns the answer that a space of a card has a type; its symbol and the other spaces are unchanged."""
    spaces: list[dict[str, Any] | None] = [None] * len(card.spaces)
    spaces[index] = {"colour": tile_type, "sell_goods": card.spaces[index].symbol is not None}
    return {"cards": {str(card.number): spaces}}


def _rows(seen: CardReading, t: Translator) -> list[Row]:
    """Returns the spaces as they were read; uncertain types are not preselected."""
    return [
        Row(
            guess.tile_type if guess.certain else None,
            guess.sell_goods,
            t("print.uncertain")
            if not guess.certain
            else t("print.read_as", type=guess.read_type, colour=guess.read_type)
            if guess.read_type != guess.tile_type
            else "",
        )
        for guess in seen.spaces
    ]
