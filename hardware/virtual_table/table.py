"""The virtual table: a camera that shows any given scene."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from calibration.board_shape import STANDARD, BoardShape
from vision.sighting import EMPTY

from ..cameras.camera import Camera, CameraLost
from ..scene import Scene, SceneCard, SceneDie
from .canvas import Patch
from .layout import MARKER_DICTIONARY, PlaceGroup, Point, Polygon, TableLayout
from .optics import Lens, Light
from .pieces import DIE_MM, Card, Die, Hand, Piece, Tile, draw
from .studio import Studio

FRAME_SIZE = (2304, 1296)
"""Width and height in pixels: half of the full resolution of Camera Module 3, its fast full-view mode."""
SENSOR_NOISE = 2.2
"""Standard deviation of the sensor noise in grey levels: a well-lit room."""
_OFFSET_MM, _OFFSET_MAX_MM = 0.55, 1.5
"""Offset of tiles from the centre of their place: standard deviation per axis, and maximum."""
_TWIST_DEG = 2.2
"""Standard deviation of the angle of a tile."""
_CARD_OFFSET_MM, _CARD_TWIST_DEG = 2.0, 1.5
"""Maximum offset of cards from the centre of their area, and maximum rotation."""
TURNED_SHARE = 0.2
"""Share of tiles rotated by one or more of their corners."""
DICE_APART_MM = DIE_MM * 2**0.5 + 1.5
"""Minimum distance between the centres of two dice that do not touch at any angle."""
_TRAY_EDGE_MM = 18.0
"""Minimum distance between the centre of a die and the edge of its tray: seen from the side, the top face is displaced
by some mm."""
_DICE_TRIES = 200
_HAND_THROUGH = 20
"""Of 255: a shadow transmits at least a third of the light, the hand itself none."""
_HIDDEN_SHARE = 0.25
"""Share of a place that a hand must cover to hide it."""


class VirtualTable(Camera):
    """A printed table, a lamp and a camera, all rendered.

    ::

        table = VirtualTable(sample_layout(["red", "blue"]), seed=1)
        table.show(Scene(places={"storage:red": ("castle", "empty", "empty")}))
        frame = table.read()

    *seed* determines everything random; *size* is the width and height of the frame in pixels, *noise* the standard
    deviation of the sensor noise in grey levels, *surface* the material of the table (``wood``, ``cloth``), *turned*
    the share of tiles rotated by one or more of their corners, *dice_apart_mm* the minimum distance between the centres
    of two dice (less than the default lets them touch).
    """

    def __init__(
        self,
        layout: TableLayout,
        *,
        seed: int,
        size: tuple[int, int] = FRAME_SIZE,
        light: Light | None = None,
        noise: float = SENSOR_NOISE,
        surface: str = "wood",
        turned: float = TURNED_SHARE,
        dice_apart_mm: float = DICE_APART_MM,
    ) -> None:
        self.layout = layout
        self.name = "virtual table"
        self.live = noise > 0
        self.scene = Scene()
        self._faces = layout.art.faces
        self._turned = turned
        self._dice_apart_mm = dice_apart_mm
        self._rng = np.random.default_rng(seed)
        self._studio: Studio | None = Studio(
            layout, rng=self._rng, size=size, light=light or Light(), noise=noise, surface=surface
        )
        self._stage = self._studio.stage
        self._cards: dict[str, Card] = {}
        self._tiles: dict[str, Tile] = {}
        self._dice: list[Die] = []
        self._hand: Hand | None = None
        self._drawn: dict[Piece, Patch] = {}

    def show(self, scene: Scene) -> None:
        """Shows *scene* on the table; unchanged pieces keep their position.

        Raises ValueError when the scene names a place, card area, label, die or player that this table does not have.
        """
        cards = {area: self._place_card(area, card) for area, card in scene.cards.items()}
        tiles = self._place_tiles(scene, cards)
        dice = self._place_dice(scene.dice)
        hand = self._reach(scene.hand)
        pieces: list[Piece] = [*cards.values(), *tiles.values(), *dice, *([hand] if hand else [])]
        drawn = {piece: self._drawn.get(piece) or draw(self._stage, piece) for piece in pieces}
        self._open_studio().arrange(list(drawn.values()))
        self.scene, self._drawn = scene, drawn
        self._cards, self._tiles, self._dice, self._hand = cards, tiles, dice, hand

    def read(self) -> np.ndarray:
        """Returns a frame of the table: (H, W, 3) uint8 BGR, with fresh noise."""
        return self._open_studio().shoot()

    def clean(self) -> np.ndarray:
        """Returns the frame without sensor noise: (H, W, 3) uint8 BGR."""
        return self._open_studio().clean.copy()

    def close(self) -> None:
        self._studio = None

    def project(self, points_mm: ArrayLike) -> np.ndarray:
        """Returns (N, 2) float64: pixels of (N, 2) points of the table plane."""
        return self._stage.lens.project(points_mm)

    def table_file(self) -> dict[str, Any]:
        """Returns the JSON of the table file, as after calibration."""
        return table_file(self.layout, self._stage.lens)

    def truth(self) -> dict[str, Any]:
        """Returns the content of the frame for tests, in pixels (lens distortion included).

        ``places`` (name -> label, centre, outline, hidden), ``dice`` (value, colour, area, centre and quad of the top
        face, hidden), ``markers`` (id -> corners), ``boards`` (player, anchors), ``hand``.
        """
        lens = self._stage.lens
        return {
            "places": dict(self._place_truths()),
            "dice": [self._die_truth(die, pose) for die, pose in self._posed_dice()],
            "markers": {str(i): _json(lens.project(quad)) for i, quad in self.layout.markers.items()},
            "boards": [
                {"player": board.player, "anchors": _json(lens.project(board.anchors_mm))}
                for board in self.layout.boards
            ],
            "hand": self.scene.hand,
        }

    def _open_studio(self) -> Studio:
        if self._studio is None:
            raise CameraLost("the virtual table is closed; open a new one")
        return self._studio

    def _place_card(self, area: str, face: SceneCard) -> Card:
        """Returns a card in its area; an unchanged one keeps its pose."""
        if area not in self.layout.card_areas:
            known = ", ".join(self.layout.card_areas) or "none"
            raise ValueError(f"no card area is called {area!r}; this table has {known}")
        before = self._cards.get(area)
        if before and before.face == face:
            return before
        where = self.layout.card_areas[area]
        x, y = np.array(where.centre_mm) + self._rng.uniform(-_CARD_OFFSET_MM, _CARD_OFFSET_MM, 2)
        twist = self._rng.uniform(-_CARD_TWIST_DEG, _CARD_TWIST_DEG)
        return Card(face, area, (float(x), float(y)), float(where.turn_deg + twist), self.layout.art)

    def _place_tiles(self, scene: Scene, cards: Mapping[str, Card]) -> dict[str, Tile]:
        on_cards = {card.spaces.name: card.spaces for card in cards.values()}
        exchanged = {card.spaces.name for area, card in cards.items() if card != self._cards.get(area)}
        tiles: dict[str, Tile] = {}
        for name, labels in scene.places.items():
            if not labels:
                continue
            group = self._group(name, labels, on_cards)
            for i, label in enumerate(labels):
                if label == EMPTY:
                    continue
                key = f"{name}:{i}"
                before = self._tiles.get(key)
                if before and before.label == label and name not in exchanged:
                    tiles[key] = before
                else:
                    tiles[key] = self._place_tile(group, i, label)
        return tiles

    def _group(self, name: str, labels: tuple[str, ...], on_cards: Mapping[str, PlaceGroup]) -> PlaceGroup:
        try:
            group = on_cards.get(name) or self.layout.group(name)
        except KeyError as error:
            raise ValueError(error.args[0]) from error
        if len(labels) > len(group.centres_mm):
            raise ValueError(
                f"{name} has {len(group.centres_mm)} places, but the scene has {len(labels)} labels for it"
            )
        return group

    def _place_tile(self, group: PlaceGroup, index: int, label: str) -> Tile:
        if label not in self._faces:
            raise ValueError(f"no tile is called {label!r} (on {group.name}:{index}); see its art")
        offset = self._rng.normal(0, _OFFSET_MM, 2)
        offset *= min(1.0, _OFFSET_MAX_MM / float(np.linalg.norm(offset)))
        corner = self.layout.art.shape(label).corner_deg
        turned = corner * self._rng.integers(1, 360 // corner) if self._rng.random() < self._turned else 0
        angle = group.turn_deg + turned + self._rng.normal(0, _TWIST_DEG)
        x, y = np.array(group.centres_mm[index]) + offset
        return Tile(label, (float(x), float(y)), float(angle), self.layout.art)

    def _place_dice(self, dice: Iterable[SceneDie]) -> list[Die]:
        """Returns the poses of *dice*; a die of the same throw keeps its pose."""
        staying = dict.fromkeys(range(len(self._dice)))
        poses: list[Die | None] = []
        scene_dice = list(dice)
        for die in scene_dice:
            if die.area not in self.layout.dice_areas:
                known = ", ".join(self.layout.dice_areas)
                raise ValueError(f"no dice area is called {die.area!r}; this table has {known}")
            same = next((i for i in staying if die == self.scene.dice[i]), None)
            if same is not None:
                del staying[same]
            poses.append(None if same is None else self._dice[same])
        for i, die in enumerate(scene_dice):
            if poses[i] is None:
                poses[i] = self._throw(die, [pose for pose in poses if pose is not None])
        return [pose for pose in poses if pose is not None]

    def _throw(self, die: SceneDie, others: list[Die]) -> Die:
        """Returns a die at a random position in its area, clear of the other dice if there is room."""
        corners = np.array(self.layout.dice_areas[die.area])
        low, high = corners.min(axis=0) + _TRAY_EDGE_MM, corners.max(axis=0) - _TRAY_EDGE_MM
        taken = np.array([pose.centre_mm for pose in others]).reshape(-1, 2)
        best, clearance = low, -1.0
        for _ in range(_DICE_TRIES):
            spot = self._rng.uniform(low, high)
            gap = float(np.linalg.norm(taken - spot, axis=1).min()) if len(taken) else np.inf
            if gap > clearance:
                best, clearance = spot, gap
            if clearance >= self._dice_apart_mm:
                break
        return Die(die.value, die.colour, (float(best[0]), float(best[1])), float(self._rng.uniform(0, 360)))

    def _reach(self, player: str | None) -> Hand | None:
        if player is None:
            return None
        if player not in self.layout.seats:
            raise ValueError(
                f"{player!r} has no seat at this table; there are {', '.join(self.layout.seats)}"
            )
        seat = self.layout.seats[player]
        width, height = seat.size_mm
        tip = seat.at(self._rng.uniform(0.2, 0.8) * width, self._rng.uniform(0.1, 0.6) * height)
        turn = seat.turn_deg + self._rng.uniform(-18, 18)
        return Hand(tip, float(turn), self.layout.art.seat_colour(player))

    def _posed_dice(self) -> Iterator[tuple[SceneDie, Die]]:
        return zip(self.scene.dice, self._dice, strict=True)

    def _die_truth(self, die: SceneDie, pose: Die) -> dict[str, Any]:
        quad = self._stage.lens.project(pose.top_mm, DIE_MM)
        return {
            "value": die.value,
            "colour": die.colour,
            "area": die.area,
            "centre": _json(quad.mean(axis=0)),
            "quad": _json(quad),
            "hidden": self._hidden(pose.centre_mm, DIE_MM),
        }

    def _place_truths(self) -> Iterator[tuple[str, dict[str, Any]]]:
        lens = self._stage.lens
        for group in (*self.layout.groups, *(card.spaces for card in self._cards.values())):
            centres = lens.project(group.centres_mm)
            for i, centre_mm in enumerate(group.centres_mm):
                key = f"{group.name}:{i}"
                tile = self._tiles.get(key)
                yield (
                    key,
                    {
                        "label": tile.label if tile else EMPTY,
                        "centre": _json(centres[i]),
                        "outline": _json(lens.project(tile.outline_mm)) if tile else None,
                        "hidden": self._hidden(centre_mm, group.size_mm),
                    },
                )

    def _hidden(self, centre_mm: Point, size_mm: float) -> bool:
        """Returns whether the hand covers a place."""
        if self._hand is None:
            return False
        patch = self._drawn[self._hand]
        frame = self._stage.frame
        x, y = (frame.px(np.array([centre_mm]))[0] - patch.rect[:2]).round().astype(int)
        half = round(size_mm * frame.scale / 2)
        through = patch.through[max(0, y - half) : max(0, y + half), max(0, x - half) : max(0, x + half)]
        covered = np.count_nonzero(through[..., 0] < _HAND_THROUGH) if through.size else 0
        return bool(covered > _HIDDEN_SHARE * (2 * half) ** 2)


def table_file(layout: TableLayout, lens: Lens) -> dict[str, Any]:
    """Returns the JSON of the table file for a layout under a camera."""
    boards = {board.group.name for board in layout.boards}
    return {
        "image_size": list(lens.size),
        "camera": {"matrix": lens.matrix.tolist(), "distortion": lens.distortion.tolist()},
        "markers": {
            "dictionary": MARKER_DICTIONARY,
            "corners_mm": {str(i): _json(quad) for i, quad in layout.markers.items()},
        },
        "boards": [
            {
                "player": board.player,
                board.kind: {"spaces": [list(space) for space in board.spaces]},
                "anchors_mm": _json(board.anchors_mm),
                **({} if board.shape == STANDARD else {"shape": _shape_json(board.shape)}),
            }
            for board in layout.boards
        ],
        "places": [
            {
                "name": group.name,
                "shape": group.shape,
                "size_mm": group.size_mm,
                "centres_mm": _json(group.centres_mm),
            }
            for group in layout.groups
            if group.name not in boards
        ],
        "dice_areas_mm": {name: _json(polygon) for name, polygon in layout.dice_areas.items()},
        **(
            {"card_areas_mm": {name: _json(area.corners) for name, area in layout.card_areas.items()}}
            if layout.card_areas
            else {}
        ),
    }


def _shape_json(shape: BoardShape) -> dict[str, Any]:
    return {
        "names": list(shape.names),
        "centres_mm": _json(shape.centres_mm),
        "anchors": [shape.names[anchor] for anchor in shape.anchors],
    }


def _json(points: np.ndarray | Polygon) -> list[Any]:
    rounded: list[Any] = np.round(np.asarray(points, float), 3).tolist()
    return rounded
