"""Every call on picamera2, held against its own source: no camera is attached where the tests run.

picamera2 is found and read, not imported, since it needs libcamera; where it is not installed these tests say so and
skip themselves. Names of controls are libcamera's: they are looked up in its header, where that is installed.
"""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hardware.cameras import pi

REQUEST_METHODS = {"make_array", "get_metadata", "release"}
"""What is called on a picture, however the code names it."""
HEADER = Path("/usr/include/libcamera/libcamera/control_ids.h")
"""Of Debian's package libcamera-dev."""


@dataclass(frozen=True)
class Call:
    """One call on picamera2 in the product's code."""

    owner: str
    method: str
    positional: int
    keywords: tuple[str, ...]


@pytest.fixture(scope="module")
def package() -> Path:
    """Returns the folder of picamera2's source."""
    spec = importlib.util.find_spec("picamera2")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("picamera2 is not installed: pip install --no-deps picamera2 is enough for this test")
    return Path(spec.submodule_search_locations[0])


@pytest.fixture(scope="module")
def header() -> str:
    if not HEADER.exists():
        pytest.skip(f"{HEADER} is not there: apt install libcamera-dev for this test")
    return HEADER.read_text(encoding="utf-8")


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def calls() -> Iterator[Call]:
    """Returns all calls on the device and on its pictures in hardware/cameras/pi.py."""
    for node in ast.walk(tree(Path(pi.__file__))):
        match node:
            case ast.Call(func=ast.Name(id="Picamera2")):
                owner, method = "Picamera2", "__init__"
            case ast.Call(func=ast.Attribute(value=receiver, attr=method)):
                on = ast.unparse(receiver)
                if on in ("self._device", "Picamera2"):
                    owner = "Picamera2"
                elif method in REQUEST_METHODS:
                    owner = "CompletedRequest"
                else:
                    continue
            case _:
                continue
        assert all(keyword.arg for keyword in node.keywords), "arguments that nobody can check"
        yield Call(owner, method, len(node.args), tuple(str(keyword.arg) for keyword in node.keywords))


CALLS = sorted(set(calls()), key=str)


def methods(package: Path, owner: str) -> dict[str, ast.FunctionDef]:
    """Returns the methods of a class of picamera2; of overloads the last, which is the one that runs."""
    for file in ("picamera2.py", "request.py"):
        for node in tree(package / file).body:
            if isinstance(node, ast.ClassDef) and node.name == owner:
                return {method.name: method for method in node.body if isinstance(method, ast.FunctionDef)}
    raise AssertionError(f"picamera2 has no class {owner}")


def is_static(method: ast.FunctionDef) -> bool:
    return any(ast.unparse(decorator) == "staticmethod" for decorator in method.decorator_list)


def part(package: Path, file: str) -> ModuleType:
    """Returns a module of picamera2 that does not need libcamera, executed alone."""
    spec = importlib.util.spec_from_file_location(f"picamera2_{file}", package / f"{file}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def alone(package: Path, owner: str, method: str, **needed: Any) -> Callable[..., Any]:
    """Returns a method of picamera2, executed alone with the names that it *needed* from its module."""
    node = methods(package, owner)[method]
    node.decorator_list, node.returns = [], None
    for argument in node.args.args:
        argument.annotation = None
    scope: dict[str, Any] = {"np": np, "SensorFormat": type(None), **needed}
    exec(compile(ast.Module([node], []), str(package), "exec"), scope)
    return scope[method]  # type: ignore[no-any-return]


def test_the_calls_that_are_checked_are_those_that_matter() -> None:
    """Were the code written otherwise, this test would look at nothing."""
    called = {call.method for call in CALLS}
    assert called > REQUEST_METHODS
    assert {
        "__init__",
        "global_camera_info",
        "create_still_configuration",
        "configure",
        "start",
        "capture_request",
        "set_controls",
        "autofocus_cycle",
        "cancel_all_and_flush",
        "close",
    } < called


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.owner}.{call.method}")
def test_a_call_fits_picamera2(call: Call, package: Path) -> None:
    known = methods(package, call.owner)
    assert call.method in known
    arguments = known[call.method].args
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    names = names if is_static(known[call.method]) else names[1:]
    required = names[: len(names) - len(arguments.defaults)]
    given = (*names[: call.positional], *call.keywords)
    assert call.positional <= len(names)
    assert set(call.keywords) <= set(names) - set(names[: call.positional])
    assert set(required) <= set(given)


def test_attributes_that_are_read_are_properties(package: Path) -> None:
    source = tree(Path(pi.__file__))
    called = {id(node.func) for node in ast.walk(source) if isinstance(node, ast.Call)}
    read = {
        node.attr
        for node in ast.walk(source)
        if isinstance(node, ast.Attribute)
        and id(node) not in called
        and ast.unparse(node.value) == "self._device"
    }
    assert read == {"camera_controls"}
    known = methods(package, "Picamera2")
    for name in read:
        assert ast.unparse(known[name].decorator_list[0]) == "property"
        assert "tuple[Any, Any, Any]" in ast.unparse(known[name].returns or ast.Constant(None))


def test_streams_are_described_by_keys_and_formats_that_picamera2_takes(package: Path) -> None:
    formats = part(package, "formats")
    described = alone(package, "Picamera2", "_make_initial_stream_config")
    for stream in ({"size": (2304, 1296), "format": "RGB888"}, {"size": pi.PREVIEW_SIZE, "format": "YUV420"}):
        assert described({"preserve_ar": True}, stream) == {"preserve_ar": True, **stream}
    assert formats.is_RGB("RGB888") and formats.is_RGB("BGR888") and formats.is_YUV("YUV420")
    check = alone(package, "Picamera2", "check_stream_config", formats=formats)
    check(None, {"size": pi.PREVIEW_SIZE, "format": "YUV420"}, "lores")


def test_rgb888_is_stored_as_blue_green_red(package: Path) -> None:
    """According to the table with which picamera2 writes JPEGs."""
    tables = [
        ast.literal_eval(node.value)
        for node in ast.walk(tree(package / "request.py"))
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "FORMAT_TABLE"
    ]
    assert tables and all(table["RGB888"] == "BGR" and table["BGR888"] == "RGB" for table in tables)


def test_the_small_streams_first_rows_are_its_grey(package: Path) -> None:
    width, height = pi.PREVIEW_SIZE
    stride = width + 64
    shared = alone(package, "Helpers", "_make_array_shared", formats=part(package, "formats"))
    buffer = np.zeros(height * 3 // 2 * stride, np.uint8)
    buffer[: height * stride].reshape(height, stride)[:, :width] = 77
    array = shared(None, buffer, {"format": "YUV420", "size": (width, height), "stride": stride})
    assert np.unique(array[:height, :width]).tolist() == [77]


def test_the_large_stream_is_a_picture(package: Path) -> None:
    shared = alone(package, "Helpers", "_make_array_shared", formats=part(package, "formats"))
    buffer = np.zeros(4 * 32, np.uint8)
    assert shared(None, buffer, {"format": "RGB888", "size": (10, 4), "stride": 32}).shape == (4, 10, 3)


def test_waiting_for_a_picture_ends_with_the_error_that_is_caught(package: Path) -> None:
    """A number of seconds is the timeout of the job, and the job raises the errors that mean a lost camera."""
    dispatch = ast.unparse(methods(package, "Picamera2")["dispatch_functions"])
    assert "job.get_result(timeout=timeout)" in dispatch and "timeout = wait" in dispatch
    job = part(package, "job").Job([lambda: (False, None)])
    with pytest.raises(TimeoutError):
        job.get_result(timeout=0.001)


def test_jobs_that_wait_for_a_picture_that_never_comes_can_be_flushed(package: Path) -> None:
    import threading

    job = part(package, "job").Job([lambda: (False, None)])
    device = SimpleNamespace(lock=threading.Lock(), _job_list=[job])
    alone(package, "Picamera2", "cancel_all_and_flush")(device)
    assert device._job_list == []


CONTROLS = sorted(
    {
        node.value
        for node in ast.walk(tree(Path(pi.__file__)))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"(?:[A-Z][a-z]+){2,}", node.value)
    }
)
"""Capitalised words in the camera's code: names of controls and of metadata."""


def test_the_controls_that_are_checked_are_those_that_matter() -> None:
    assert {
        "AeEnable",
        "AfMode",
        "AnalogueGain",
        "AwbEnable",
        "ColourGains",
        "DigitalGain",
        "ExposureTime",
        "FrameDurationLimits",
        "LensPosition",
    } <= set(CONTROLS)


@pytest.mark.parametrize("name", CONTROLS)
def test_libcamera_has_the_control(name: str, header: str) -> None:
    assert re.search(rf"extern const Control<.*> {name};", header)


def test_manual_focus_is_the_number_that_libcamera_gives_it(header: str) -> None:
    assert re.search(rf"AfModeManual = {pi.AF_MANUAL},", header)
