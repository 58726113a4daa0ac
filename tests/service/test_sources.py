"""Where a version can come from."""

from __future__ import annotations

import errno
import io
import shutil
import tarfile
from pathlib import Path

import pytest

from companion.service.errors import ServiceError
from companion.service.sources import fetch, origin
from tests.support.installed import committed, git, version_in


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Returns a checkout of version 1.0 with a release, and one commit after it."""
    folder = version_in(tmp_path / "checkout")
    committed(folder, "v1.0")
    version_in(folder, "1.1")
    committed(folder)
    return folder


def refused(source: str | Path, because: str, version: str | None = None) -> None:
    """Asserts that *source* is rejected with a sentence that matches *because*."""
    with pytest.raises(ServiceError, match=because), fetch(str(source), version):
        pytest.fail("a version was unpacked")


def test_a_checkout_gives_its_last_commit_and_nothing_else(checkout: Path) -> None:
    (checkout / "not-committed").touch()
    with fetch(str(checkout)) as new:
        assert new.name == f"1.1-{git(checkout, 'rev-parse', 'HEAD')[:8]}"
        assert (new.folder / "run").stat().st_mode & 0o111
        assert not (new.folder / "not-committed").exists() and not (new.folder / ".git").exists()


def test_a_tag_of_a_checkout_can_be_asked_for(checkout: Path) -> None:
    with fetch(str(checkout), "v1.0") as new:
        assert new.name.startswith("1.0-")


def test_a_tag_that_there_is_not_is_named(checkout: Path) -> None:
    refused(checkout, "has no version 'v9'", "v9")


@pytest.mark.parametrize("kind", ["repository", "bundle"])
def test_a_bundle_or_bare_repository_gives_the_newest_release(
    checkout: Path, tmp_path: Path, kind: str
) -> None:
    for number in ("1.9", "1.10"):
        version_in(checkout, number)
        committed(checkout, f"v{number}")
    version_in(checkout, "2.0")
    committed(checkout)
    place = tmp_path / "elsewhere"
    if kind == "bundle":
        git(checkout, "bundle", "create", str(place), "--all")
    else:
        git(checkout, "clone", "--quiet", "--bare", ".", str(place))
    with fetch(str(place)) as new:
        assert new.name.startswith("1.10-")


def test_a_repository_without_releases_gives_its_last_commit(tmp_path: Path) -> None:
    folder = version_in(tmp_path / "checkout")
    committed(folder)
    git(folder, "clone", "--quiet", "--bare", ".", str(tmp_path / "elsewhere"))
    with fetch(str(tmp_path / "elsewhere")) as new:
        assert new.name.startswith("1.0-")


@pytest.mark.parametrize("kind", ["gztar", "zip"])
@pytest.mark.parametrize("inside", ["", "table-companion-1.0/"], ids=["as it is", "in a folder"])
def test_an_archive_is_unpacked(tmp_path: Path, kind: str, inside: str) -> None:
    version_in(tmp_path / "packed" / inside)
    archive = shutil.make_archive(str(tmp_path / "stick"), kind, tmp_path / "packed")
    with fetch(archive) as new:
        assert new.name.startswith("1.0-")
        assert (new.folder / "run").stat().st_mode & 0o111


def test_versions_with_the_same_number_are_distinguished_by_their_content(tmp_path: Path) -> None:
    folder = version_in(tmp_path / "folder")
    with fetch(str(folder)) as one, fetch(str(folder)) as same:
        assert one.name == same.name
    version_in(folder, notes="something new")
    with fetch(str(folder)) as other:
        assert other.name != one.name


def test_other_files_of_a_folder_are_not_fetched(tmp_path: Path) -> None:
    folder = version_in(tmp_path / "folder")
    (folder / ".venv").mkdir()
    with fetch(str(folder)) as new:
        assert not (new.folder / ".venv").exists()


def test_an_archive_that_reaches_outside_is_refused(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "bad.tar", "w") as archive:
        archive.addfile(tarfile.TarInfo("../outside"), io.BytesIO())
    with (
        pytest.raises(ServiceError, match=r"bad\.tar cannot be unpacked"),
        fetch(str(tmp_path / "bad.tar")),
    ):
        pass


def test_an_archive_that_is_torn_is_refused(tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "stick"), "gztar", version_in(tmp_path / "packed"))
    torn = tmp_path / "torn.tar.gz"
    with open(archive, "rb") as file:
        torn.write_bytes(file.read()[:-200])
    refused(torn, "copy it to the stick once more")


def test_a_full_disk_is_not_blamed_on_the_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = shutil.make_archive(str(tmp_path / "stick"), "gztar", version_in(tmp_path / "packed"))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tarfile.TarFile, "extractall", full)
    with pytest.raises(OSError, match="No space left"), fetch(archive):
        pytest.fail("a version was unpacked")


def test_something_else_is_no_companion(tmp_path: Path) -> None:
    refused(tmp_path, "is not a table companion")


def test_a_missing_source_is_reported_with_the_possible_ones(tmp_path: Path) -> None:
    refused(tmp_path / "nowhere", "nowhere does not exist: name a folder, an archive")


def test_a_version_of_an_archive_cannot_be_chosen(tmp_path: Path) -> None:
    refused(version_in(tmp_path / "folder"), "leave out --version", "v1.0")


def test_a_clone_is_updated_from_its_origin(checkout: Path, tmp_path: Path) -> None:
    git(checkout, "clone", "--quiet", str(checkout), str(tmp_path / "clone"))
    assert origin(tmp_path / "clone") == str(checkout)


def test_a_checkout_without_an_origin_is_updated_from_itself(checkout: Path) -> None:
    assert origin(checkout) == str(checkout)
