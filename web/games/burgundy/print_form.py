"""The page on which owners say what their copy prints for the Châteauma."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from flask import Flask, abort, jsonify, request
from flask.typing import ResponseReturnValue

from companion.calibrate.county_card import CardReading, CardReadingError
from companion.games.burgundy.owner_print import OwnersPrint, PrintFileError
from companion.games.burgundy.rules.modules.chateauma import AnswerError, CountyCard
from companion.games.burgundy.rules.modules.chateauma.cards import MARKED
from companion.games.burgundy.rules.tiles import TYPES
from companion.text.catalogue import DEFAULT_LANGUAGE
from companion.text.translator import Translator

from ...one_page import OnePage
from ...pictures import inline

LARGEST_REQUEST = 16 * 1024
"""Bytes; all that can be said is some three thousand."""


class Row(NamedTuple):
    """A space of a card that is put right."""

    colour: str | None
    sell_goods: bool
    doubt: str = ""
    """What speaks against the colour."""


def create_print_app(
    own: OwnersPrint,
    modifiers: Sequence[str],
    done: Callable[[], None],
    *,
    read_card: Callable[[], CardReading] | None = None,
    for_game: bool = False,
    page_language: str = DEFAULT_LANGUAGE,
    pin: str | None = None,
    key: bytes | None = None,
    hosts: Collection[str] = (),
) -> Flask:
    """Returns the page about what *own* prints.

    :param modifiers: of the games for which it asks what is missing.
    :param done: called when the owner has nothing more to say.
    :param read_card: reads the card before the camera; raises :exc:`.CardReadingError` when there is none. None, the
        default, where there is no camera.
    :param for_game: whether a game waits. Then nothing else is shown than what it needs, and *done* is called as soon
        as that is answered; the page goes to the game as soon as that has this one's address.
    :param pin: without it nobody may answer, where there is one; *key* signs who knows it.
    :param hosts: further names by which browsers may call this machine.
    """
    page = OnePage(
        page_language,
        largest_request=LARGEST_REQUEST,
        own_path="/asking",
        pin=pin,
        key=key,
        hosts=hosts,
    )
    app = page.app
    needed = _names(own, modifiers)

    def view() -> dict[str, Any]:
        return {
            "printed": own.print,
            "open": _names(own, modifiers),
            "said": set(_said(own.answers)),
            "for_game": for_game,
            "has_camera": read_card is not None,
            "types": TYPES,
            "answer": _answer,
        }

    @app.get("/")
    def show() -> ResponseReturnValue:
        open_ = _names(own, modifiers)
        asked = needed if for_game else open_
        others = [] if for_game else [name for name in _everything(own) if name not in open_]
        return page.shown("owners_print.html", asked=asked, others=others, **view())

    @app.get("/card/<int:number>")
    def card(number: int) -> ResponseReturnValue:
        if number not in own.print.cards:
            abort(404)
        rows = [Row(space.colour, space.symbol is not None) for space in own.print.cards[number].spaces]
        return page.part("print_card_form.html", number=number, rows=rows, **view())

    @app.post("/reading")
    def reading() -> ResponseReturnValue:
        if read_card is None:
            abort(404)
        try:
            seen = read_card()
        except CardReadingError as error:
            return jsonify(error=page.translator()(f"card.{error.code}", **error.data)), 409
        return page.part(
            "print_card_form.html",
            number=seen.number,
            rows=_rows(seen, page.translator()),
            picture=inline(seen.picture),
            numbers=seen.candidates(own.known),
            **view(),
        )

    @app.post("/answers")
    def keep() -> ResponseReturnValue:
        answers, translator = request.get_json(), page.translator()
        try:
            own.keep(answers)
        except AnswerError as error:
            return jsonify(error=translator(f"print.refused.{error.code}", **error.data)), 400
        except PrintFileError as error:
            return jsonify(error=str(error)), 409
        except ValueError:
            return jsonify(error=translator("page.bad_request")), 400
        begins = for_game and not own.missing(modifiers)
        if begins:
            done()
        shown = view()
        parts = {name: page.part("print_item.html", name=name, **shown) for name in _said(answers)}
        return jsonify(
            said=translator("print.begins" if begins else "print.kept"),
            parts={**parts, "summary": page.part("print_summary.html", **shown)},
        )

    @app.post("/done")
    def end() -> ResponseReturnValue:
        done()
        return jsonify(said=page.translator()("print.closed"))

    return app


def _names(own: OwnersPrint, modifiers: Sequence[str]) -> list[str]:
    """What is missing: ``card:8``, ``inventory_order``, ``marks:D``."""
    return list(dict.fromkeys(unknown.what for unknown in own.missing(modifiers)))


def _everything(own: OwnersPrint) -> Iterator[str]:
    """All that is printed, named the same way."""
    yield from (f"card:{number}" for number in own.print.cards)
    yield "inventory_order"
    yield from (f"marks:{modifier}" for modifier in MARKED)


def _said(answers: Mapping[str, Any]) -> Iterator[str]:
    """What *answers* are about, named the same way."""
    yield from (f"card:{number}" for number in answers.get("cards", ()))
    yield from ("inventory_order",) if "inventory_order" in answers else ()
    yield from (f"marks:{modifier}" for modifier in answers.get("marks", ()))


def _answer(card: CountyCard, index: int, tile_type: str) -> dict[str, Any]:
    """The answer that a space of a card is of a type; its symbol and the other spaces stay as they are."""
    spaces: list[dict[str, Any] | None] = [None] * len(card.spaces)
    spaces[index] = {"colour": tile_type, "sell_goods": card.spaces[index].symbol is not None}
    return {"cards": {str(card.number): spaces}}


def _rows(seen: CardReading, translator: Translator) -> list[Row]:
    """The spaces as they were read; nothing is chosen already that was not read surely."""
    return [
        Row(
            guess.tile_type if guess.certain else None,
            guess.sell_goods,
            translator("print.unsure")
            if not guess.certain
            else translator("print.read_as", type=guess.read_type, colour=guess.read_type)
            if guess.read_type != guess.tile_type
            else "",
        )
        for guess in seen.spaces
    ]
