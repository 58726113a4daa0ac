"""The page on which a person checks, corrects and saves what was found on the table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from flask import Flask, Response, jsonify, request
from flask.typing import ResponseReturnValue

from calibration.board_shape import PITCH_MM, STANDARD, BoardShape
from calibration.errors import CompanionError
from companion.calibrate.game_table import GameTable
from companion.calibrate.table_layout import OWN_BOARD, LayoutError, LayoutFormError
from companion.journal.disk_errors import problem_of
from companion.text.catalogue import DEFAULT_LANGUAGE

from .single_page import SinglePage

MAX_REQUEST_BYTES = 64 * 1024
"""A layout of four boards has about 3,000."""

Layout = Mapping[str, Any]
"""``{"image_size": [w, h], "markers": [id, ...],
"boards": [{"player", "printed": id, OWN_BOARD or None, "doubtful", "anchors", "seen"}],
"places": [{"name", "points"}], "goods_width": pitches, "dice": [{"owner" or None, "corners"}],
"cards": [{"name", "corners"}]}``, all positions in pixels of the picture."""


def create_calibration_app(
    picture: bytes,
    layout: Layout,
    table: GameTable,
    *,
    save: Callable[[Layout], Sequence[str]],
    file: str = "",
    page_language: str = DEFAULT_LANGUAGE,
    hosts: Collection[str] = (),
) -> Flask:
    """Returns the app that shows *layout*, found in *picture* (a JPEG), for the *table* of a game.

    :param save: saves a layout and returns the players whose boards' spaces are still unknown; raises
        :exc:`LayoutError`, or another :exc:`CompanionError`, if it is not a valid table.
    :param file: name of the table file, for the command that reads unknown boards.
    :param hosts: further names by which browsers may reach this machine.
    """
    page = SinglePage(page_language, max_request=MAX_REQUEST_BYTES, hosts=hosts)
    app = page.app

    @app.get("/")
    def show() -> ResponseReturnValue:
        return page.render(
            "calibration.html",
            layout=layout,
            shape=_shape_json(STANDARD),
            table=table,
            own_board=OWN_BOARD,
        )

    @app.get("/picture.jpg")
    def show_picture() -> ResponseReturnValue:
        return Response(picture, mimetype="image/jpeg")

    @app.post("/layout")
    def save_layout() -> ResponseReturnValue:
        t = page.translator()
        try:
            unread = save(request.get_json())
        except LayoutError as error:
            return jsonify(error=t(f"calibration.refused.{error.code}", **error.data)), 400
        except LayoutFormError:
            return jsonify(error=t("page.bad_request")), 400
        except (CompanionError, OSError) as error:
            return jsonify(error=t("calibration.not_saved", problem=problem_of(error))), 422
        further = (t("calibration.unread", player=player, code=player, file=file) for player in unread)
        return jsonify(message=" ".join((t("calibration.saved"), *further)))

    return app


def _shape_json(shape: BoardShape) -> dict[str, Any]:
    """Returns the centres of all spaces and of the anchor spaces of a board, in hex pitches."""
    spaces = [[x / PITCH_MM, y / PITCH_MM] for x, y in shape.centres_mm]
    return {"spaces": spaces, "anchors": [spaces[anchor] for anchor in shape.anchors]}
