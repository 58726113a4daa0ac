"""Renders a lit table with the path tracer Cycles of Blender, through its Python module ``bpy``.

Only this module depends on Blender. Lengths are those of :mod:`vision.dice.training.world`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
from mathutils import Matrix

from ...training.colours import linear
from .world import Lamp, Mesh, Solid, Surface, View

BOUNCES = 4
SURFACE_TOLERANCE = 0.15
"""Sides; a point is visible when nothing in front of it is nearer than this: it lies a little above hollows and
edges."""
SENSOR = 36.0
"""Width of Blender's sensor, mm."""


def photograph(
    ground: Surface,
    extent: float,
    solids: Sequence[Solid],
    lamps: Sequence[Lamp],
    sky: np.ndarray,
    view: View,
    samples: int,
    seed: int,
    probes: Sequence[np.ndarray] = (),
) -> tuple[np.ndarray, list[float]]:
    """Returns the radiance that reaches the camera, (H, W, 3) float32 BGR, linear; and of each group of points (N, 3)
    in *probes* the share that is seen.

    *ground* covers a square of side *extent*; *sky* (3,) BGR is the light from all around.
    """
    scene = _empty_scene(view.size, samples, seed)
    _sky(scene, sky)
    _ground(scene, ground, extent)
    for solid in solids:
        _solid(scene, solid)
    for lamp in lamps:
        _lamp(scene, lamp)
    _camera(scene, view)
    with tempfile.TemporaryDirectory() as folder, _silence():
        scene.render.filepath = str(Path(folder) / "picture.hdr")
        bpy.ops.render.render(write_still=True)
        radiance = cv2.imread(scene.render.filepath, cv2.IMREAD_UNCHANGED)
        if radiance is None:
            raise OSError(f"Blender wrote no picture to {scene.render.filepath}")
        seen = [_share_seen(scene, view, points) for points in probes]
    return radiance, seen


def _empty_scene(size: int, samples: int, seed: int) -> Any:
    with _silence():
        bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.resolution_x = scene.render.resolution_y = size
    scene.render.resolution_percentage = 100
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.render.image_settings.file_format = "HDR"
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.seed = "CPU", samples, seed
    cycles.pixel_filter_type = "BOX"  # large dice are halved until they are as sharp; the camera blurs
    cycles.use_adaptive_sampling = False
    # no camera's noise is like that of few samples
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_input_passes, cycles.denoising_prefilter = "RGB_ALBEDO_NORMAL", "FAST"
    cycles.max_bounces = BOUNCES
    cycles.diffuse_bounces = cycles.glossy_bounces = 1
    cycles.use_light_tree = False
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 4.0
    return scene


def _sky(scene: Any, sky: np.ndarray) -> None:
    world = bpy.data.worlds.new("sky")
    scene.world = world
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (*sky[::-1], 1)


def _ground(scene: Any, surface: Surface, extent: float) -> None:
    corners = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], np.float32) * extent / 2
    uv = np.array([[(0, 0), (1, 0), (1, 1), (0, 1)]], np.float32)
    squares = np.array([[0, 1, 2, 3]], np.int32)
    _solid(scene, Solid(Mesh(corners, squares, uv, False), surface, np.eye(3), np.zeros(3)))


def _solid(scene: Any, solid: Solid) -> None:
    mesh = bpy.data.meshes.new("solid")
    points, squares = solid.mesh.points, solid.mesh.squares
    mesh.vertices.add(len(points))
    mesh.vertices.foreach_set("co", points.astype(np.float32).ravel())
    mesh.loops.add(squares.size)
    mesh.loops.foreach_set("vertex_index", squares.astype(np.int32).ravel())
    mesh.polygons.add(len(squares))
    mesh.polygons.foreach_set("loop_start", np.arange(0, squares.size, 4, dtype=np.int32))
    mesh.uv_layers.new().uv.foreach_set("vector", solid.mesh.uv.astype(np.float32).ravel())
    mesh.update(calc_edges=True)
    if solid.mesh.smooth:
        mesh.shade_smooth()
    mesh.materials.append(_material(solid.surface))
    thing = bpy.data.objects.new("solid", mesh)
    thing.matrix_world = _world(solid.pose, solid.place)
    scene.collection.objects.link(thing)


def _material(surface: Surface) -> Any:
    material = bpy.data.materials.new("surface")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = surface.roughness
    shader.inputs["Transmission Weight"].default_value = surface.transmission
    shader.inputs["Metallic"].default_value = surface.metallic
    if surface.colour.ndim == 1:
        shader.inputs["Base Color"].default_value = (*linear(surface.colour)[::-1].tolist(), 1)
    else:
        texture = nodes.new("ShaderNodeTexImage")
        texture.image = _image(surface.colour)
        texture.extension = "EXTEND"
        links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    return material


def _image(picture: np.ndarray) -> Any:
    height, width = picture.shape[:2]
    image = bpy.data.images.new("picture", width, height)
    rgba = np.ones((height, width, 4), np.float32)
    rgba[..., :3] = np.clip(picture[::-1, :, ::-1] / 255, 0, 1)
    image.pixels.foreach_set(rgba.ravel())
    image.pack()
    return image


def _lamp(scene: Any, lamp: Lamp) -> None:
    light = bpy.data.lights.new("lamp", "AREA")
    light.size = lamp.size
    distance = float(np.linalg.norm(lamp.place))
    light.energy = lamp.irradiance * np.pi * distance**2 * distance / max(lamp.place[2], 0.2 * distance)
    light.color = lamp.colour[::-1].tolist()
    thing = bpy.data.objects.new("lamp", light)
    thing.matrix_world = _looking(lamp.place, -lamp.place / distance)
    scene.collection.objects.link(thing)


def _looking(place: np.ndarray, direction: np.ndarray) -> Matrix:
    """Returns the world matrix of an object whose -z points in *direction*."""
    z = -direction
    helper = np.array([0.0, 1.0, 0.0]) if abs(z[1]) < 0.9 else np.array([1.0, 0.0, 0.0])
    x = np.cross(helper, z)
    x /= np.linalg.norm(x)
    return _world(np.stack([x, np.cross(z, x), z], 1), place)


def _world(axes: np.ndarray, place: np.ndarray) -> Matrix:
    world = np.eye(4)
    world[:3, :3], world[:3, 3] = axes, place
    return Matrix(world)


def _camera(scene: Any, view: View) -> None:
    camera = bpy.data.cameras.new("camera")
    distance = float(np.linalg.norm(view.place))
    camera.sensor_width = SENSOR
    camera.lens = SENSOR * view.px_per_side * distance / view.size
    camera.clip_end = 1000.0
    thing = bpy.data.objects.new("camera", camera)
    right, down, depth = view.axes()
    thing.matrix_world = _world(np.stack([right, -down, -depth], 1), view.place)
    scene.collection.objects.link(thing)
    scene.camera = thing


def _share_seen(scene: Any, view: View, points: np.ndarray) -> float:
    graph = bpy.context.evaluated_depsgraph_get()
    seen = 0
    for point in points:
        away = point - view.place
        distance = float(np.linalg.norm(away))
        hit, where, *_ = scene.ray_cast(graph, view.place.tolist(), (away / distance).tolist())
        seen += bool(not hit or np.linalg.norm(np.array(where) - view.place) > distance - SURFACE_TOLERANCE)
    return seen / len(points)


@contextmanager
def _silence() -> Iterator[None]:
    """Suppresses the output that Blender writes directly to the terminal."""
    terminal, nothing = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 1)
        yield
    finally:
        os.dup2(terminal, 1)
        os.close(terminal)
        os.close(nothing)
