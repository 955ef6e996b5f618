"""``/metrics``: what Prometheus reads, for the operator alone."""

import ipaddress
import os
import secrets
import time
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import redis
from django.conf import settings
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from agents.health import glance
from bazaar_site.operating.counters import FOLDER, HOST
from bazaar_site.operating.queues import queues
from negotiation.models import Game
from rooms.models import Member, Room

RUNNING = timedelta(hours=2)
"""A game that was opened longer ago and has not ended was left."""

KEPT_S = 24 * 3600

BREAKERS = {"closed": 0, "half-open": 1, "open": 2}


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer the operator; to anybody else there is nothing here."""
    if not may_read(request):
        raise Http404
    registry = CollectorRegistry()
    registry.register(SoFar())
    registry.register(Now())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def may_read(request: HttpRequest) -> bool:
    """Whether a request brings the token, or comes from this machine where that is enough."""
    if settings.METRICS_TOKEN:
        said = request.headers.get("Authorization", "")
        return secrets.compare_digest(said.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
    return bool(settings.METRICS_LOCAL) and _is_this_machine(request)


def _is_this_machine(request: HttpRequest) -> bool:
    # A proxy on this machine speaks for others, and says so.
    if any(name in request.headers for name in ("X-Forwarded-For", "Forwarded", "Via")):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


class SoFar(Collector):
    """What all processes with this data folder have counted; sockets are those of this machine."""

    def collect(self) -> Iterator[Metric]:
        """Add the files up."""
        files = [str(path) for path in FOLDER.glob("*.db") if _counts(path)]
        yield from MultiProcessCollector.merge(files)  # type: ignore[no-untyped-call]


def _counts(path: Path) -> bool:
    return not path.name.startswith("gauge_live") or _is_over(path) is False


def _is_over(path: Path) -> bool | None:
    """Whether the process that counts into a file has ended; None: it is another machine's."""
    host, _, number = path.stem.rpartition("_")[2].rpartition("-")
    return not _lives(int(number)) if host == HOST else None


def _lives(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def forget_dead() -> None:
    """Remove what processes counted that have ended; done when the site starts."""
    for path in FOLDER.glob("*.db"):
        is_over = _is_over(path)
        if is_over is None:  # nobody here knows: who counts writes
            is_over = time.time() - path.stat().st_mtime > KEPT_S
        if is_over:
            path.unlink(missing_ok=True)


class Now(Collector):
    """What stands at this moment, asked of database and broker; what cannot be had is left out."""

    def collect(self) -> Iterator[Metric]:
        """Look."""
        yield from _queues()
        running = Game.objects.filter(
            status=Game.Status.LIVE, created_at__gt=timezone.now() - RUNNING
        )
        yield _gauge(
            "bazaar_games_running", "Games opened within two hours that go on.", "kind",
            _counted(running, "kind"),
        )  # fmt: skip
        unfinished = [str(Room.State.GATHERING), str(Room.State.PLAYING)]
        yield _gauge(
            "bazaar_rooms", "Rooms that are not over.", "state",
            dict.fromkeys(unfinished, 0)
            | _counted(Room.objects.filter(state__in=unfinished), "state"),
        )  # fmt: skip
        there = Member.objects.filter(room__state__in=unfinished, left_at=None)
        yield _gauge(
            "bazaar_room_people", "People in rooms that are not over.", "state",
            dict.fromkeys(unfinished, 0) | _counted(there, "room__state"),
        )  # fmt: skip
        breakers = {
            backend["name"]: BREAKERS[backend["breaker"]["state"]]
            for backend in glance()["backends"]
            if backend.get("breaker", {}).get("state") in BREAKERS
        }
        yield _gauge(
            "bazaar_backend_breaker", "0: closed, 1: tried again, 2: open.", "backend", breakers
        )


def _queues() -> Iterator[Metric]:
    try:
        found = queues()
    except redis.RedisError:
        return
    waiting = {queue.name: queue.waiting for queue in found}
    oldest = {queue.name: queue.oldest_s for queue in found}
    yield _gauge("bazaar_queue_jobs", "Jobs that nobody has begun.", "queue", waiting)
    yield _gauge("bazaar_queue_oldest_seconds", "Age of the oldest of them.", "queue", oldest)


def _counted(rows: QuerySet[Any], by: str) -> dict[str, int]:
    return dict(rows.order_by().values_list(by).annotate(Count("pk")))


def _gauge(name: str, help_: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, help_, labels=[label])
    for key, value in values.items():
        family.add_metric([str(key)], value)
    return family
