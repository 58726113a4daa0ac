"""Where a version comes from: a checkout, a folder, an archive or a bundle on a stick, or a repository elsewhere."""

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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from .errors import ServiceError

EXCLUDED = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "*.egg-info")
"""What a folder holds besides the program."""
RELEASES = "v[0-9]*"
"""How tags of released versions are called."""
DIGITS = 8
"""Of the digest that tells two versions of one number apart."""


@dataclass(frozen=True, slots=True)
class FetchedVersion:
    """A version that has been unpacked."""

    folder: Path
    name: str
    """``0.1.0-7ffd4659``: its number, and which state of it."""


@contextmanager
def fetch(source: str, version: str | None = None) -> Iterator[FetchedVersion]:
    """Unpacks *source* into a folder that lasts as long as the block.

    *version* is a tag or commit. Without it a checkout gives what was committed last, and a repository elsewhere its
    newest release, or what was committed last where nothing has been released.

    :raises ServiceError: when it cannot be had, or is no table companion.
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
            shutil.copytree(path, folder, ignore=EXCLUDED, symlinks=True)
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
                f"{source} is not there: name a folder, an archive (.tar.gz, .zip), a git bundle or a git address"
            )
        yield FetchedVersion(folder, f"{_number(folder, source)}-{state}")


def origin(checkout: Path) -> str:
    """From where the checkout *checkout* is brought up to date: the repository that it was cloned from, or itself."""
    if not (checkout / ".git").exists():
        return str(checkout)
    told = _git(checkout, "remote", "get-url", "origin", check=False).decode().strip()
    return told if _is_repository_address(told) or Path(told).is_absolute() else str(checkout)


def _export_commit(repository: Path, version: str, folder: Path) -> str:
    commit = _git(
        repository, "rev-parse", "--verify", "--quiet", f"{version}^{{commit}}", check=False
    ).decode()
    if not commit:
        raise ServiceError(f"{repository} has no version {version!r}; 'git tag' lists those that have a name")
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
        raise ServiceError(f"{error}; is the network there? An archive on a USB stick needs none") from error


def _git(folder: Path, *words: str, check: bool = True) -> bytes:
    """What git says about *folder*, asked as its owner: git trusts nobody else's folder, and writes none as root."""
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
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise ServiceError(f"git {words[0]} failed: {said[-1] if said else 'it does not say why'}")
    return done.stdout


def _unpack(path: Path, folder: Path) -> None:
    """Unpacks an archive; one folder in which all lies, as archives often have it, is left out."""
    try:
        if tarfile.is_tarfile(path):
            with tarfile.open(path) as archive:
                _extract(archive, folder)
        else:
            shutil.unpack_archive(path, folder, "zip")
    except (OSError, tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        raise ServiceError(f"{path} cannot be unpacked ({error}): copy it to the stick once more") from error
    inside = list(folder.iterdir())
    if len(inside) == 1 and inside[0].is_dir():
        moved = folder.with_name("inside")
        inside[0].rename(moved)
        folder.rmdir()
        moved.rename(folder)
    if (folder / "run").is_file():
        (folder / "run").chmod(0o755)  # a zip file does not know it


def _extract(archive: tarfile.TarFile, folder: Path) -> None:
    # NOTE: by its attribute, for Debian 12 has a Python 3.11 from before extractall() knew filters.
    archive.extraction_filter = getattr(tarfile, "data_filter", None)
    archive.extractall(folder)


def _number(folder: Path, source: str) -> str:
    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        if project["name"] == "table-companion" and (folder / "run").is_file():
            return str(project["version"])
    except (OSError, ValueError, KeyError):
        pass
    raise ServiceError(f"{source} holds no table companion: there is no 'run' with its pyproject.toml")


def _digest(folder: Path) -> str:
    """Tells by what all files hold."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(folder)}\0".encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:DIGITS]


def _is_repository_address(source: str) -> bool:
    """Whether it looks like an address: ``https://...``, ``ssh://...``, ``name@machine:folder``."""
    head, colon, _ = source.partition(":")
    return bool(colon) and "/" not in head


def _reject_version(source: str, version: str | None) -> None:
    if version is not None:
        raise ServiceError(f"{source} holds one version only: leave --version out")
