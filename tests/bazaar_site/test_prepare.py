"""``manage.py prepare``: what is unchanged since the last time is left as it is."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import call_command

from bazaar_site.management.commands import prepare
from training.models import Run
from training.runs import lifecycle

pytestmark = pytest.mark.django_db


@pytest.fixture
def done(tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which of the slow parts ran; receipts and static files are few and may be changed."""
    settings.DATA_DIR = tmp_path
    settings.STATIC_ROOT = tmp_path / "static"
    receipts = tmp_path / "training" / "receipts"
    shutil.copytree(lifecycle.RECEIPTS / "market-eight", receipts / "market-eight")
    for module in (lifecycle, prepare):
        monkeypatch.setattr(module, "RECEIPTS", receipts)
    own = tmp_path / "own"
    own.mkdir()
    (own / "site.css").write_text("a { color: red }")
    settings.STATICFILES_DIRS = [own]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    ran: list[str] = []

    def run(name: str, *args: Any, **options: Any) -> None:
        if name in ("load_receipts", "collectstatic"):
            ran.append(name)
        if name != "record_games":
            call_command(name, *args, **options)

    monkeypatch.setattr(prepare, "call_command", run)
    return ran


def prepared(done: list[str]) -> list[str]:
    done.clear()
    call_command("prepare")
    return list(done)


BOTH = ["load_receipts", "collectstatic"]


def test_the_slow_parts_run_once(done: list[str], tmp_path: Path) -> None:
    assert prepared(done) == BOTH
    assert (tmp_path / "static" / "site.css").exists()
    assert Run.objects.count() == 1
    assert prepared(done) == []


def test_a_changed_file_is_taken_in_again(done: list[str], tmp_path: Path) -> None:
    prepared(done)
    css = tmp_path / "own" / "site.css"
    css.write_text("a { color: blue }")
    later = css.stat().st_mtime + 10  # Django copies what is newer by a second
    os.utime(css, (later, later))
    assert prepared(done) == ["collectstatic"]
    assert "blue" in (tmp_path / "static" / "site.css").read_text()
    (tmp_path / "training" / "receipts" / "figures.py").write_text("MORE = 1\n")
    assert prepared(done) == ["load_receipts"]
    assert prepared(done) == []


def test_a_database_without_the_receipts_gets_them(done: list[str]) -> None:
    prepared(done)
    Run.objects.all().delete()
    assert prepared(done) == ["load_receipts"]
    assert Run.objects.count() == 1


def test_static_files_that_were_thrown_away_are_collected_again(
    done: list[str], tmp_path: Path
) -> None:
    prepared(done)
    shutil.rmtree(tmp_path / "static")
    assert prepared(done) == ["collectstatic"]
