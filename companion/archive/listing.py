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
"""By what the game that is being played is known here: no file is called that."""


@dataclass(frozen=True, slots=True)
class OmittedGame:
    """A game that is not listed."""

    game: ArchivedGame
    duplicate_of: str | None
    """The name of the game that it is the same as, or the beginning of; ON_TABLE where that is being played; None when
    no turn of it was played."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The games of a folder, the latest first."""

    games: list[ArchivedGame] = field(default_factory=list)
    """Those that were played, and journals that cannot be read."""
    omitted: list[OmittedGame] = field(default_factory=list)

    @property
    def records(self) -> list[GameRecord]:
        """The games that can be read."""
        return [one.record for one in self.games if one.record]


def listing(archive: Archive, playing: Journal | None = None) -> Listing:
    """Lists the games of *archive*; *playing* is the one that this process holds, which is not among them."""
    found = archive.games(None if playing is None else playing.path)
    same = dict(_doubled(archive, found, playing))
    told = Listing()
    for one in found:
        if one.name in same or (one.record and not one.record.turns):
            told.omitted.append(OmittedGame(one, same.get(one.name)))
        else:
            told.games.append(one)
    return told


def _doubled(
    archive: Archive, found: Iterable[ArchivedGame], playing: Journal | None
) -> Iterator[tuple[str, str]]:
    """Names of games that another one repeats and maybe goes on with, each with that one's name."""
    began = [(one.record.began, one.name) for one in found if one.record]
    now = [] if playing is None else playing.lines()
    began += [(line.at, ON_TABLE) for line in now[:1]]
    for _, games in groupby(sorted(began), itemgetter(0)):
        names = [name for _, name in games]
        if len(names) > 1:  # only games that began in the same millisecond can be the same
            yield from _repeated([(name, _digests(archive, name, now)) for name in names])


def _repeated(chains: Sequence[tuple[str, list[str]]]) -> Iterator[tuple[str, str]]:
    kept: dict[str, str] = {}
    """Digest -> the game that it belongs to."""
    for name, digests in sorted(chains, key=lambda chain: (-len(chain[1]), chain[0])):
        if digests and digests[-1] in kept:
            yield name, kept[digests[-1]]
        else:
            kept |= dict.fromkeys(digests, name)


def _digests(archive: Archive, name: str, now: Sequence[Line]) -> list[str]:
    """Those of a game's records, each of which stands for all before it, too; none where it can be read no longer."""
    try:
        return [line.digest for line in (read_lines(archive.path(name)) if name else now)]
    except (JournalError, LookupError):
        return []
