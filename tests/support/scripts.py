"""The scripts of continuous integration, which are no package."""

from __future__ import annotations

import importlib.util
from types import ModuleType

from tests.support.paths import CHECKOUT


def script(name: str) -> ModuleType:
    """Returns the script of that name as a module; it does nothing when it is only loaded."""
    spec = importlib.util.spec_from_file_location(name, CHECKOUT / ".ci" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
