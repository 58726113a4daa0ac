"""The setup sheet of a game that says step by step what people set up, and draws nothing of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games import capabilities
from companion.session import DRAFTING, Snapshot, TableSession
from companion.text.translator import Translator


@dataclass(frozen=True, slots=True)
class SetupSteps:
    """The steps, as :class:`.game_page.SetupSheet`."""

    steps: Sequence[Mapping[str, Any]]
    by_hand: bool
    stage: str = "start"
    asked: str | None = None

    def title(self, t: Translator) -> str:
        return t("setup.title_setup")


def setup_sheet(session: TableSession, snapshot: Snapshot) -> SetupSteps | None:
    """Returns what people set up now; None if the game waits for nothing of the kind."""
    steps = capabilities.guided_setup(session.rules).setup_steps(session.state)
    if not steps or session.status == DRAFTING:
        return None
    return SetupSteps(steps, by_hand=not session.watched)
