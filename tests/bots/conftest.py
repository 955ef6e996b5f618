"""Bots of Asha's that play few games."""

from typing import Any

import pytest

from training.bots import asking, letters, plays
from training.bots.models import Bot
from training.bots.owners import register

KEY = "5e" * 32
"""The same games in every run of the tests."""

SUITES = ["single_deal@sampled-1", "asymmetric_pressure@sampled-1", "read_the_tells@sampled-1"]


@pytest.fixture
def few_games(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One game of three suites: 7 bargains. Bots on this machine, little patience."""
    monkeypatch.setattr(plays, "_suites", lambda: SUITES)
    monkeypatch.setattr(plays, "new_key", lambda: KEY)
    monkeypatch.setattr(asking, "PAUSES_S", (0.01, 0.01))
    settings.BOTS = {"episodes": 1, "answer_s": 1.0, "at_once": 4, "loopback": True}


@pytest.fixture
def posted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Letters to the worker, kept instead of sent."""
    kept: list[str] = []
    monkeypatch.setattr(letters, "post", kept.append)
    return kept


@pytest.fixture
def brought(db: None, few_games: None) -> Any:
    """Registers a bot of Asha's at an address."""

    def bring(url: str = "", name: str = "Haggler") -> Bot:
        return register(name, url, "asha", loopback=True)[0]

    return bring
