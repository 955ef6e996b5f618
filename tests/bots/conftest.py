"""Bots of Asha's that play few games."""

from typing import Any

import pytest

from training.bots import plays, tasks
from training.bots.models import Bot
from training.bots.owners import register

KEY = "5e" * 32
"""The same games in every run of the tests."""

SUITES = ["single_deal@sampled-1", "asymmetric_pressure@sampled-1", "read_the_tells@sampled-1"]


@pytest.fixture
def few_games(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One game of three suites: 7 bargains."""
    monkeypatch.setattr(plays, "_suites", lambda: SUITES)
    monkeypatch.setattr(plays, "new_key", lambda: KEY)
    settings.BOT_EPISODES = 1


@pytest.fixture
def posted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Tasks for the worker, kept instead of sent."""
    kept: list[str] = []
    monkeypatch.setattr(tasks, "enqueue", kept.append)
    return kept


@pytest.fixture
def brought(db: None, few_games: None) -> Any:
    """Registers a bot of Asha's."""

    def bring(name: str = "Haggler") -> Bot:
        return register(name, "asha")[0]

    return bring
