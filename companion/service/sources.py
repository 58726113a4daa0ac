"""Fetches a version from a checkout, a folder, an archive, a git bundle or a remote repository."""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import subprocess
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from .errors import ServiceError

Ignore = Callable[[Any, list[str]], Iterable[str]]
"""Returns which of the names in a folder are not copied."""
EXCLUDED = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "*.egg-info")
"""Contents of a folder that are not part of the program."""
RELEASES = "v[0-9]*"
"""Pattern of the tags of released versions."""
DIGITS = 8
"""Length of the digest that distinguishes states with the same version number."""


@dataclass(frozen=True, slots=True)
class FetchedVersion:
    """An unpacked version."""

    folder: Path
    name: str
    """``0.1.0-7ffd4659``: version number, and commit or digest."""


@contextmanager
def fetch(source: str, version: str | None = None) -> Iterator[FetchedVersion]:
    """Returns a context with *source* unpacked into a temporary folder.

    *version* is a tag or commit. The default is the last commit of a checkout, and the newest release of any other
    repository, or its last commit if it has no release.

    :raises ServiceError: if it cannot be fetched, or is not a table companion.
    """
    path = Path(source).expanduser()
    with tempfile.TemporaryDirectory(prefix="table-companion-") as temporary:
        folder = Path(temporary, "version")
        if (path / ".git").exists():
            state = _export_commit(path, version or "HEAD", folder)
        elif (path / "objects").is_dir() and (path / "HEAD").is_file():
            state = _export_commit(path, version or _newest_tag(path), folder)
        elif path.is_dir():
            _reject_version(source, version)
            copy_version(path, folder, ignore=EXCLUDED)
            state = _digest(folder)
        elif path.is_file() and (tarfile.is_tarfile(path) or zipfile.is_zipfile(path)):
            _reject_version(source, version)
            _unpack(path, folder)
            state = _digest(folder)
        elif path.is_file() or _is_repository_address(source):
            repository = Path(temporary, "repository")
            _clone(str(path.absolute()) if path.is_file() else source, repository)
            state = _export_commit(repository, version or _newest_tag(repository), folder)
        else:
            raise ServiceError(
                f"{source} does not exist: name a folder, an archive (.tar.gz, .zip), a git bundle or a git address"
            )
        yield FetchedVersion(folder, f"{_number(folder, source)}-{state}")


def copy_version(folder: Path, target: Path, ignore: Ignore | None = None) -> None:
    """Copies the version in *folder* to *target*, except what *ignore* names.

    :raises ServiceError: if that fails; nothing is left of the copy then.
    """
    try:
        shutil.copytree(folder, target, symlinks=True, ignore=ignore)
    except shutil.Error as error:  # lists every file, each with its error number
        shutil.rmtree(target, ignore_errors=True)
        raise ServiceError(
            f"{folder} could not be copied to {target.parent}: is that disk full, or a file not readable?"
        ) from error


def origin(checkout: Path) -> str:
    """Returns where updates of *checkout* come from: the repository that it was cloned from, or itself."""
    if not (checkout / ".git").exists():
        return str(checkout)
    url = _git(checkout, "remote", "get-url", "origin", check=False).decode().strip()
    return url if _is_repository_address(url) or Path(url).is_absolute() else str(checkout)


def _export_commit(repository: Path, version: str, folder: Path) -> str:
    commit = _git(
        repository, "rev-parse", "--verify", "--quiet", f"{version}^{{commit}}", check=False
    ).decode()
    if not commit:
        raise ServiceError(f"{repository} has no version {version!r}; 'git tag' lists the named ones")
    with tarfile.open(
        fileobj=BytesIO(_git(repository, "archive", "--format=tar", commit.strip()))
    ) as archive:
        _extract(archive, folder)
    return commit[:DIGITS]


def _newest_tag(repository: Path) -> str:
    tags = _git(repository, "tag", "--list", RELEASES, "--sort=-version:refname").decode().split()
    return next(iter(tags), "HEAD")


def _clone(source: str, repository: Path) -> None:
    try:
        _git(repository.parent, "clone", "--quiet", "--bare", source, str(repository))
    except ServiceError as error:
        raise ServiceError(
            f"{error}; is there a network connection? An archive on a USB stick needs none"
        ) from error


def _git(folder: Path, *words: str, check: bool = True) -> bytes:
    """Returns the output of git in *folder*, run as its owner: git rejects folders of others, and root must not write
    there."""
    command = ["git", "-C", str(folder), *words]
    owner = folder.stat().st_uid
    try:
        if os.geteuid() == 0 and owner != 0:
            person = pwd.getpwuid(owner)
            environment = {**os.environ, "HOME": person.pw_dir}
            done = subprocess.run(
                command,
                capture_output=True,
                check=False,
                env=environment,
                user=owner,
                group=person.pw_gid,
                extra_groups=[],
            )
        else:
            done = subprocess.run(command, capture_output=True, check=False)
    except FileNotFoundError as error:
        raise ServiceError("git is not installed; type 'sudo apt install git' and start again") from error
    if check and done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        raise ServiceError(f"git {words[0]} failed: {lines[-1] if lines else 'it gave no reason'}")
    return done.stdout


def _unpack(path: Path, folder: Path) -> None:
    """Unpacks an archive, without the single top-level folder that many archives have."""
    try:
        if tarfile.is_tarfile(path):
            with tarfile.open(path) as archive:
                _extract(archive, folder)
        else:
            shutil.unpack_archive(path, folder, "zip")
    except (OSError, tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        if isinstance(error, OSError) and error.errno is not None:  # of the disk, not of the archive
            raise
        raise ServiceError(f"{path} cannot be unpacked ({error}): copy it to the stick once more") from error
    inside = list(folder.iterdir())
    if len(inside) == 1 and inside[0].is_dir():
        moved = folder.with_name("inside")
        inside[0].rename(moved)
        folder.rmdir()
        moved.rename(folder)
    if (folder / "run").is_file():
        (folder / "run").chmod(0o755)  # zip files do not store permissions


def _extract(archive: tarfile.TarFile, folder: Path) -> None:
    # NOTE: set as an attribute, because Python 3.11 of Debian 12 has no filter argument of extractall() yet.
    archive.extraction_filter = getattr(tarfile, "data_filter", None)
    archive.extractall(folder)


def _number(folder: Path, source: str) -> str:
    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        if project["name"] == "table-companion" and (folder / "run").is_file():
            return str(project["version"])
    except (OSError, ValueError, KeyError):
        pass
    raise ServiceError(f"{source} is not a table companion: its 'run' and pyproject.toml are missing")


def _digest(folder: Path) -> str:
    """Returns a digest of all files."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(folder)}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:DIGITS]


def _is_repository_address(source: str) -> bool:
    """Returns whether *source* looks like an address: ``https://...``, ``ssh://...``, ``name@machine:folder``."""
    head, colon, _ = source.partition(":")
    return bool(colon) and "/" not in head


def _reject_version(source: str, version: str | None) -> None:
    if version is not None:
        raise ServiceError(f"{source} contains only one version: leave out --version")
