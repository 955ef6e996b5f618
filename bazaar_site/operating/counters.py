"""What is counted for Prometheus: the one place that knows of it, fed by signals from below.

Each process counts into files of its own under ``metrics/`` in the data folder, and whoever is
asked adds them up (the library's multiprocess mode), so that it is all the same which web process
answers, and workers count too. No label has a value that somebody outside can choose.
"""

import logging
import os
import re
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings

from agents.router import call_settled, gate_refused
from bazaar_site.log_privacy import ROOMS
from bazaar_site.operating.request_ids import job_begun, job_done
from negotiation.games.notify import game_ended, log_grew

# The library reads it when it is imported.
FOLDER = Path(os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(settings.METRICS_DIR)))
FOLDER.mkdir(parents=True, exist_ok=True)

from prometheus_client import Counter, Gauge, Histogram, values  # noqa: E402  as above

HOST = re.sub(r"[^A-Za-z0-9-]", "-", socket.gethostname())[:60]


def process_name() -> str:
    """Name this process for its files: two containers on one folder may have the same number."""
    return f"{HOST}-{os.getpid()}"


values.ValueClass = values.MultiProcessValue(process_name)  # type: ignore[no-untyped-call]

SECONDS = (0.01, 0.03, 0.1, 0.2, 0.4, 0.8, 1.5, 3, 6, 10, 30)
WAITS = (0.1, 0.5, 1, 3, 10, 30, 120, 600, 3600)

MODELS = ("hf", "ollama", "local")
SOCKETS = {"sell", "buy", "watch", "arena", "market", "pair", "games", "rooms"}
CONSEQUENCES = ("opened", "tells", "ended")

TURNS = Histogram(
    "bazaar_turn_seconds", "Turns of the house, by who found the words.", ["source"],
    buckets=SECONDS,
)  # fmt: skip
CALLS = Histogram(
    "bazaar_backend_seconds", "Calls of model backends, as they were settled.",
    ["backend", "result"], buckets=SECONDS,
)  # fmt: skip
REFUSALS = Counter("bazaar_gate_refusals", "Calls that a gate has turned away.", ["gate"])
ENDED = Counter("bazaar_games_ended", "Games that came to an end.")
JOBS = Histogram(
    "bazaar_job_seconds", "Jobs of the background workers.", ["job", "state"], buckets=WAITS
)
WAITED = Histogram(
    "bazaar_job_wait_seconds", "From asking for a job to its beginning.", ["job"], buckets=WAITS
)
ANSWERS = Counter(
    "bazaar_http_answers", "Answers over HTTP, by the class of their status.", ["status"]
)
ERRORS = Counter("bazaar_errors", "Lines of the log at level ERROR or above, by room.", ["room"])
OPEN = Gauge("bazaar_sockets_open", "Sockets that are open.", ["kind"], multiprocess_mode="livesum")
OPENED = Counter("bazaar_sockets_opened", "Sockets that were opened.", ["kind"])


def source_of(backend: str, version: str) -> str:
    """Name who found the words of a turn.

    >>> source_of("local", "mini"), source_of("network", "7+voice#1"), source_of("network", "7")
    ('model', 'model', 'bank')
    >>> source_of("rules", "2")
    'rules'
    """
    if backend in MODELS or "+" in version:
        return "model"
    return "bank" if backend == "network" else "rules"


def _count_turns(rows: Sequence[Any] = (), **_: Any) -> None:
    for row in rows:
        if row.backend and row.kind not in CONSEQUENCES:
            took = (row.latency_ms or 0) / 1000
            TURNS.labels(source_of(row.backend, row.policy_version)).observe(took)


def _count_call(backend: str = "", settlement: Any = None, **_: Any) -> None:
    result = "ok" if settlement.code == "ok" else "failed" if settlement.broken else "passed"
    CALLS.labels(backend, result).observe(settlement.latency_ms / 1000)


def _count_refusal(gate: str = "", **_: Any) -> None:
    REFUSALS.labels(gate).inc()


def _count_end(**_: Any) -> None:
    ENDED.inc()


def _count_wait(job: str = "", waited_s: float | None = None, **_: Any) -> None:
    if waited_s is not None:
        WAITED.labels(job).observe(waited_s)


def _count_job(job: str = "", state: str = "", took_s: float = 0.0, **_: Any) -> None:
    known = state.lower() if state in ("SUCCESS", "FAILURE", "RETRY") else "other"
    JOBS.labels(job, known).observe(took_s)


class CountErrors(logging.Handler):
    """Counts what is logged as an error; it writes nothing."""

    def emit(self, record: logging.LogRecord) -> None:
        """Count one line."""
        room = record.name.partition(".")[0]
        ERRORS.labels(room if room in ROOMS else "other").inc()


class Counted:
    """Counts what comes to an ASGI application: answers, and sockets as long as they are open."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one connection."""
        if scope["type"] == "websocket":
            kind = kind_of(scope["path"])
            OPENED.labels(kind).inc()
            with OPEN.labels(kind).track_inprogress():
                await self.application(scope, receive, send)
            return

        async def answer(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                ANSWERS.labels(f"{message['status'] // 100}xx").inc()
            await send(message)

        await self.application(scope, receive, answer)


def kind_of(path: str) -> str:
    """Name what a socket is for, from its address.

    >>> kind_of("/ws/sell/k3f/"), kind_of("/env/market/ws"), kind_of("/ws"), kind_of("/ws/x/")
    ('sell', 'environment', 'environment', 'other')
    """
    parts = path.strip("/").split("/")
    if parts[0] == "env" or parts == ["ws"]:
        return "environment"
    kind = parts[1] if len(parts) > 1 else ""
    return kind if parts[0] == "ws" and kind in SOCKETS else "other"


def start_counting() -> None:
    """Hang the counters where things happen; asking again does nothing."""
    for signal, receiver in (
        (log_grew, _count_turns),
        (call_settled, _count_call),
        (gate_refused, _count_refusal),
        (game_ended, _count_end),
        (job_begun, _count_wait),
        (job_done, _count_job),
    ):
        signal.connect(receiver, dispatch_uid=f"counters.{receiver.__name__}")
    root = logging.getLogger()
    if not any(isinstance(handler, CountErrors) for handler in root.handlers):
        root.addHandler(CountErrors(logging.ERROR))
