"""``manage.py retention``: what is kept, how long, and with ``--yes`` delete what is due."""

import functools
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management.base import BaseCommand
from django.utils import timezone

from agents.gates.switches import KEEP as LEDGER_KEEP
from agents.models import ModelCall
from bazaar_site.operating.copies import BEFORE, WORKING
from negotiation.models import Game, LimitWindow
from rooms.export.forgetting import due, forget_due
from rooms.lti.browser import KEPT_S, forget_old
from rooms.models import LtiLaunch, Room

DAY_S = 24 * 3600
YOUNG_S = DAY_S
"""A photo is stored before its game: one as young as this may be about to get one."""


class Kept(msgspec.Struct, frozen=True):
    """One kind of things: how many there are, how many of them are over their time.

    ``rule`` says how long they are kept and what deletes them; ``forget`` deletes what is due.
    """

    name: str
    count: int
    rule: str
    due: int = 0
    forget: Callable[[], object] | None = None


def kept() -> Iterator[Kept]:
    """Look at everything; the oldest promise first."""
    now = timezone.now()
    rooms = Room.objects.count()
    yield Kept(
        "rooms", rooms, "to their last day; the worker deletes them every hour",
        due().count(), forget_due,
    )  # fmt: skip
    sessions = Session.objects.filter(expire_date__lt=now)
    lasts = settings.SESSION_COOKIE_AGE // DAY_S
    yield Kept(
        "sessions", Session.objects.count(), f"{lasts} days after the last visit",
        sessions.count(), sessions.delete,
    )  # fmt: skip
    over = LtiLaunch.objects.filter(at__lt=now - timedelta(seconds=KEPT_S))
    yield Kept(
        "launches from courses", LtiLaunch.objects.count(), "an hour; the worker deletes them",
        over.count(), forget_old,
    )  # fmt: skip
    windows = LimitWindow.objects.filter(ends_at__lt=time.time())
    yield Kept(
        "limits counted", LimitWindow.objects.count(), "to the end of their window",
        windows.count(), windows.delete,
    )  # fmt: skip
    orphans = list(_orphaned_photos())
    yield Kept(
        "photos", sum(1 for _ in _photos()), "as long as their game",
        len(orphans), functools.partial(_remove, orphans),
    )  # fmt: skip
    live = Game.objects.filter(status=Game.Status.LIVE).count()
    yield Kept("games", Game.objects.count(), f"for good ({live} are not over)")
    days = LEDGER_KEEP.days
    yield Kept(
        "calls of models", ModelCall.objects.count(), f"{days} days; those that cost money for "
        "good, then without a client; the site sweeps daily",
    )  # fmt: skip
    data = Path(settings.DATA_DIR)
    # The second kind is there only where a restore was killed.
    for folder in sorted([*data.glob(f"{BEFORE}*"), *data.glob(f"{WORKING}*")]):
        yield Kept(folder.name, _files(folder), "until you remove the folder")


def _remove(paths: Iterable[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def _photos() -> Iterator[Path]:
    yield from (path for path in Path(settings.PHOTOS_DIR).glob("*") if path.is_file())


def _orphaned_photos() -> Iterator[Path]:
    had = set(Game.objects.exclude(photo="").values_list("photo", flat=True))
    for path in _photos():
        is_young = time.time() - path.stat().st_mtime < YOUNG_S
        if path.stem not in had and not is_young:
            yield path


def _files(folder: Path) -> int:
    return sum(path.is_file() for path in folder.rglob("*"))


class Command(BaseCommand):
    """Says what is over its time, and deletes it when it is told to."""

    help = "List what the site keeps and how long; with --yes delete what is over its time."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--yes", action="store_true", help="delete what is due, for good")

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{'what':<32}{'kept':>10}{'due':>8}  how long")
        for one in kept():
            due = str(one.due) if one.forget is not None else "-"
            self.stdout.write(f"{one.name:<32}{one.count:>10,}{due:>8}  {one.rule}")
            if options["yes"] and one.forget is not None and one.due:
                one.forget()
        if not options["yes"]:
            self.stdout.write("Nothing was deleted. With --yes what is due goes, for good.")
