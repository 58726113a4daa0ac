"""What the companion is built on: every package is bounded where it is asked for, and pinned where it is installed."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from itertools import chain
from types import ModuleType
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.paths import CHECKOUT
from tests.support.scripts import script

PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
ASKED = [Requirement(text) for text in (*PROJECT["dependencies"], *chain(*EXTRAS.values()))]
INSTALLED = [*PROJECT["dependencies"], *EXTRAS["test"], *EXTRAS["dev"], *EXTRAS["bench"]]
"""What ``./run test`` installs."""
CONSTRAINTS = [
    Requirement(line)
    for line in (CHECKOUT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def tree(texts: list[str], known: set[str]) -> Iterator[str]:
    """Returns the names of the packages in *texts* and of their dependencies here, from their metadata."""
    for requirement in map(Requirement, texts):
        extras = requirement.extras or {""}
        if requirement.marker and not any(requirement.marker.evaluate({"extra": one}) for one in extras):
            continue
        name = canonicalize_name(requirement.name)
        if name in known:
            continue
        known.add(name)
        yield name
        try:
            needed = requires(name) or []
        except PackageNotFoundError:
            continue  # OpenCV's build with windows, which gave way to the one without
        yield from tree([text for text in needed if "extra ==" not in text], known)


def test_every_package_that_is_installed_is_pinned() -> None:
    pinned = {canonicalize_name(one.name) for one in CONSTRAINTS}
    found = set(tree(INSTALLED, set()))
    assert len(found) > 30  # it has really looked
    assert found - pinned == set()


def test_a_pin_is_one_version() -> None:
    assert [str(one) for one in CONSTRAINTS if [part.operator for part in one.specifier] != ["=="]] == []


@pytest.mark.parametrize("requirement", ASKED, ids=str)
def test_a_requirement_has_a_lowest_version_and_ends_before_the_next_great_one(
    requirement: Requirement,
) -> None:
    operators = {part.operator for part in requirement.specifier}
    assert ">=" in operators and "<" in operators


def test_every_pin_of_a_requirement_is_within_its_bounds() -> None:
    pins = {canonicalize_name(one.name): next(iter(one.specifier)).version for one in CONSTRAINTS}
    outside = [
        str(one)
        for one in ASKED
        if (pin := pins.get(canonicalize_name(one.name))) and not one.specifier.contains(pin)
    ]
    assert outside == []


HASHED = {
    canonicalize_name(requirement.name): (
        requirement,
        line.partition(" # ")[2].split(),
        line.count("--hash=sha256:"),
    )
    for line in (CHECKOUT / "hashes.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
    for requirement in [Requirement(line.partition(" --hash")[0])]
}
"""Name -> what is pinned, what it is needed for, and how many hashes there are."""
LOCK = "; run .ci/lock.py"


@pytest.mark.parametrize("group", ["core", "test", "dev", "bench"])
def test_every_package_that_is_installed_has_hashes(group: str) -> None:
    asked = PROJECT["dependencies"] if group == "core" else EXTRAS[group]
    here = {name for name, (_, groups, _) in HASHED.items() if {"core", group} & set(groups)}
    assert set(tree(asked, set())) - here == set(), LOCK


def test_the_hashes_are_of_the_versions_that_are_pinned() -> None:
    pins = {canonicalize_name(one.name): one.specifier for one in CONSTRAINTS}
    other = [
        str(one)
        for name, (one, _, count) in HASHED.items()
        if not count or one.marker or one.specifier != pins[name]
    ]
    assert other == [], LOCK


# --- the audit --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def audit() -> ModuleType:
    """Returns the module of the audit script; loading it runs nothing."""
    return script("audit")


def package(name: str, *known: str) -> dict[str, Any]:
    vulns = [{"id": one, "fix_versions": ["9.9"]} for one in known]
    return {"name": name, "version": "1.0", "vulns": vulns}


SKIPPED = {"name": "flask", "skip_reason": "not found"}


class Reached:
    """Represents what can be asked: pip-audit's list, and the registry's versions, by name."""

    def __init__(
        self,
        listed: list[dict[str, Any]] | None,
        pinned: dict[str, tuple[str, bool]] | None = None,
        newest: dict[str, str] | None = None,
    ) -> None:
        self._listed = listed
        self._pinned = pinned
        self._newest = newest or {}

    def list_of_vulnerabilities(self) -> dict[str, Any] | None:
        return None if self._listed is None else {"dependencies": self._listed}

    def registry(self, requirements: list[str]) -> list[dict[str, Any]] | None:
        if self._pinned is None:
            return None
        pins = all("*" not in one for one in requirements)
        versions = self._pinned if pins else {name: (one, False) for name, one in self._newest.items()}
        return [
            {"metadata": {"name": name, "version": version}, "is_yanked": withdrawn}
            for name, (version, withdrawn) in versions.items()
        ]


@pytest.mark.parametrize(
    ("reached", "in_order", "sentence"),
    [
        (
            Reached([package("flask"), SKIPPED]),
            True,
            "1 packages, 0 known vulnerabilities, 1 not on the list",
        ),
        (Reached([package("flask", "CVE-1")]), False, "flask 1.0: CVE-1, fixed in 9.9"),
        (Reached([SKIPPED], {"a": ("1.0", True)}), False, "a 1.0 was withdrawn by its makers"),
        (Reached(None, {"a": ("1.0", False)}, {"a": "1.1"}), True, "a 1.0 has been fixed since: 1.1"),
        (Reached(None, {"a": ("1.0", False)}, {"a": "1.0"}), True, "0 were withdrawn, 0 fixed since"),
        (Reached([SKIPPED]), True, "skipped"),
    ],
)
def test_the_audit_uses_the_best_reachable_source(
    audit: ModuleType, reached: Reached, in_order: bool, sentence: str
) -> None:
    verdict, lines = audit.audit(reached, ["a==1.0"])
    assert verdict == in_order and sentence in "\n".join(lines)


@pytest.mark.parametrize(
    ("pin", "allowed"),
    [
        ("Flask==3.1.3", "Flask>=3.1.3,==3.1.*"),
        ("colorzero==2.0", "colorzero>=2.0,==2.*"),
        ("gpiozero==2.0.1.post3", "gpiozero>=2.0.1.post3,==2.0.*"),
    ],
)
def test_a_series_is_all_but_the_last_number_of_a_version(audit: ModuleType, pin: str, allowed: str) -> None:
    assert audit.series(pin) == allowed


def test_the_page_s_one_foreign_script_is_the_version_that_its_licence_names() -> None:
    script = (CHECKOUT / "web/static/idiomorph.min.js").read_bytes()
    notice = (CHECKOUT / "web/static/idiomorph.LICENSE.txt").read_text(encoding="utf-8")
    assert notice.startswith("idiomorph 0.8.0:")
    assert f"SHA-256: {hashlib.sha256(script).hexdigest()}" in notice
