"""Which games of the folder are listed: each that was played, once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from companion.journal import Journal, JournalError
from companion.journal.reading import read_lines
from companion.journal.record import Line

from .folder import Archive, ArchivedGame
from .record import GameRecord

ON_TABLE = ""
"""Name of the game that is being played; no file has it."""


@dataclass(frozen=True, slots=True)
class OmittedGame:
    """A game that is not listed."""

    game: ArchivedGame
    duplicate_of: str | None
    """The name of the game that it equals or is the beginning of, ON_TABLE for the one being played; ``None`` if no
    turn was played."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The games of a folder, newest first."""

    games: list[ArchivedGame] = field(default_factory=list)
    """Those that were played, and journals that cannot be read."""
    omitted: list[OmittedGame] = field(default_factory=list)

    @property
    def records(self) -> list[GameRecord]:
        """The games that can be read."""
        return [one.record for one in self.games if one.record]


def listing(archive: Archive, playing: Journal | None = None) -> Listing:
    """Returns the games of *archive* without *playing*, the one that this process plays."""
    found = archive.games(None if playing is None else playing.path)
    duplicates = dict(_duplicates(archive, found, playing))
    result = Listing()
    for one in found:
        if one.name in duplicates or (one.record and not one.record.turns):
            result.omitted.append(OmittedGame(one, duplicates.get(one.name)))
        else:
            result.games.append(one)
    return result


def _duplicates(
    archive: Archive, found: Iterable[ArchivedGame], playing: Journal | None
) -> Iterator[tuple[str, str]]:
    """Yields names of games that another game contains, each with that game's name."""
    began = [(one.record.began, one.name) for one in found if one.record]
    now = [] if playing is None else playing.lines()
    began += [(line.at, ON_TABLE) for line in now[:1]]
    for _, games in groupby(sorted(began), itemgetter(0)):
        names = [name for _, name in games]
        if len(names) > 1:  # only games that began in the same millisecond can be the same
            yield from _contained([(name, _digests(archive, name, now)) for name in names])


def _contained(chains: Sequence[tuple[str, list[str]]]) -> Iterator[tuple[str, str]]:
    owners: dict[str, str] = {}
    """Digest -> the game that it belongs to."""
    for name, digests in sorted(chains, key=lambda chain: (-len(chain[1]), chain[0])):
        if digests and digests[-1] in owners:
            yield name, owners[digests[-1]]
        else:
            owners |= dict.fromkeys(digests, name)


def _digests(archive: Archive, name: str, now: Sequence[Line]) -> list[str]:
    """Returns the digests of a game's records, each covering all records before it; none if it cannot be read."""
    try:
        return [line.digest for line in (read_lines(archive.path(name)) if name else now)]
    except (JournalError, LookupError):
        return []
