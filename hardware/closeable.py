"""Resources that must be closed."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self


class Closeable(Protocol):
    """Represents a resource that the end of a ``with`` block closes."""

    def close(self) -> None:
        """Releases the resource; may be called more than once."""
        ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
