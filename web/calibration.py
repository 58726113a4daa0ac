"""The page on which a person sees what was found on the table, puts it right with a finger, and keeps it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from flask import Flask, Response, jsonify, request
from flask.typing import ResponseReturnValue

from companion.calibrate.table_layout import OWN_DUCHY, LayoutError
from companion.text.catalogue import DEFAULT_LANGUAGE

from .one_page import OnePage

LARGEST_REQUEST = 64 * 1024
"""Bytes; a layout of four boards is some three thousand."""

Layout = Mapping[str, Any]
"""``{"image_size": [w, h], "markers": [id, ...],
"boards": [{"player", "duchy": id, OWN_DUCHY or None, "anchors", "seen"}],
"places": [{"name", "points"}], "goods_width": pitches, "dice": [{"owner" or None, "corners"}],
"cards": [{"name", "corners"}]}``, all positions in px of the picture."""


def create_calibration_app(
    picture: bytes,
    layout: Layout,
    *,
    players: tuple[str, ...],
    duchies: Mapping[str, Sequence[str]],
    groups: Mapping[str, str],
    dice_owners: tuple[str, ...],
    card_areas: tuple[str, ...],
    save: Callable[[Layout], Sequence[str]],
    file: str = "",
    page_language: str = DEFAULT_LANGUAGE,
    hosts: Collection[str] = (),
) -> Flask:
    """Returns the page about *layout*, found in *picture* (a JPEG).

    :param players: colours that a board may belong to.
    :param duchies: ids of the boards that are known, by edition.
    :param groups: names that places off the boards may have (``depot:1``), and their shapes, ``hex`` or ``square``.
    :param dice_owners: colours of dice that may have an area of their own.
    :param card_areas: names of the areas in which cards may lie.
    :param save: keeps a layout and returns the players whose boards' spaces are still unknown; raises
        :exc:`LayoutError`, or :exc:`ValueError` with one sentence, when it cannot be a table.
    :param file: name of the table file, for what is to be done next.
    :param hosts: further names by which browsers may call this machine.
    """
    page = OnePage(page_language, largest_request=LARGEST_REQUEST, hosts=hosts)
    app = page.app

    @app.get("/")
    def show() -> ResponseReturnValue:
        return page.shown(
            "calibration.html",
            layout=layout,
            players=players,
            duchies=duchies,
            groups=groups,
            dice_owners=dice_owners,
            card_areas=card_areas,
            own_duchy=OWN_DUCHY,
        )

    @app.get("/picture.jpg")
    def show_picture() -> ResponseReturnValue:
        return Response(picture, mimetype="image/jpeg")

    @app.post("/layout")
    def keep() -> ResponseReturnValue:
        translator = page.translator()
        try:
            unread = save(request.get_json())
        except LayoutError as error:
            return jsonify(error=translator(f"calibration.refused.{error.code}", **error.data)), 400
        except ValueError as error:
            return jsonify(error=str(error)), 400
        except OSError as error:
            return jsonify(error=translator("calibrate.not_written", why=error.strerror)), 500
        told = (translator("calibration.unread", player=player, code=player, file=file) for player in unread)
        return jsonify(said=" ".join((translator("calibration.kept"), *told)))

    return app
