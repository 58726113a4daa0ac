"""What is opened and must be closed."""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self


class Closeable(Protocol):
    """Represents something that the end of a ``with`` block closes."""

    def close(self) -> None:
        """Lets go of everything; closing twice does no harm."""
        ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
