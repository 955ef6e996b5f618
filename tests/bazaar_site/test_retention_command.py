"""One command tells what is kept, and deletes what is over its time and nothing else."""

import datetime as dt
import io
import os
import time
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils import timezone

from negotiation.models import LimitWindow
from rooms.models import Room

pytestmark = pytest.mark.django_db


def told(*words: str) -> str:
    out = io.StringIO()
    call_command("retention", *words, stdout=out)
    return out.getvalue()


def line(text: str, name: str) -> list[str]:
    (found,) = [line for line in text.splitlines() if line.startswith(name)]
    return found[32:].split()[:2]


@pytest.fixture
def full(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR = tmp_path
    settings.PHOTOS_DIR = tmp_path / "photos"
    settings.PHOTOS_DIR.mkdir()
    for name, age_s in (("old", 3 * 24 * 3600), ("young", 60)):
        photo = settings.PHOTOS_DIR / f"{name}.jpg"
        photo.write_bytes(b"")
        os.utime(photo, (time.time() - age_s,) * 2)
    host = get_user_model().objects.create(username="asha")
    today = timezone.localdate()
    for name, until in (("over", today - dt.timedelta(days=1)), ("open", today), ("ever", None)):
        Room.objects.create(host=host, name=name, plan={}, keep_until=until)
    for age in (-1, 1):
        key = f"session-{age}"
        SessionStore(key).save(must_create=True)
        when = timezone.now() + dt.timedelta(days=age)
        Session.objects.filter(pk=key).update(expire_date=when)
        LimitWindow.objects.create(key=key, ends_at=time.time() + age * 100)
    return tmp_path


def test_it_counts_and_deletes_nothing(full: Path) -> None:
    text = told()
    assert line(text, "rooms") == ["3", "1"]
    assert line(text, "sessions") == ["2", "1"]
    assert line(text, "limits counted") == ["2", "1"]
    assert line(text, "photos") == ["2", "1"]
    assert "Nothing was deleted" in text
    assert told() == text


def test_with_yes_what_is_due_goes_and_the_rest_stays(full: Path) -> None:
    told("--yes")
    text = told()
    assert line(text, "rooms") == ["2", "0"]
    assert sorted(Room.objects.values_list("name", flat=True)) == ["ever", "open"]
    assert line(text, "sessions") == ["1", "0"]
    assert line(text, "limits counted") == ["1", "0"]
    assert [path.name for path in (full / "photos").iterdir()] == ["young.jpg"]


def test_what_a_restore_put_aside_is_named(full: Path) -> None:
    for name in ("before-restore-20260101T000000Z", ".restore-killed"):
        (full / name).mkdir()
        (full / name / "bazaar.sqlite3").write_bytes(b"")
        assert line(told(), name) == ["1", "-"]
