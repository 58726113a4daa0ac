"""What Python has to know to draw the modules: one file each, found by the module's name, with a ``PAGE``.

A module that needs no more than templates (``templates/modules/MODULE/``) has no file here.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from .page import ModulePage


@cache
def pages() -> Mapping[str, ModulePage]:
    """Returns the page of each module that has one here, by the module's name."""
    found = (
        (info.name, importlib.import_module(f"{__name__}.{info.name}"))
        for info in pkgutil.iter_modules(__path__)
    )
    return {name: module.PAGE for name, module in found if hasattr(module, "PAGE")}
