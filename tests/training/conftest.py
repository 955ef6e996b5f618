"""What tests of runs share."""

from pathlib import Path

import pytest
from pytest_django import Settings

from negotiation import ttl_cache


@pytest.fixture
def runs_here(settings: Settings, tmp_path: Path) -> None:
    """Runs and the models they make lie in a folder of the test."""
    settings.RUNS_DIR = tmp_path / "runs"
    settings.MODELS_DIR = tmp_path / "models"
    ttl_cache.forget()
