"""What all tests of agents share."""

import pytest

from agents.buyers import live


@pytest.fixture(autouse=True)
def _every_piece_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show parts of an answer at once: models of tests are done before anybody would see them."""
    monkeypatch.setattr(live, "SHOWN_AFTER_S", 0)
