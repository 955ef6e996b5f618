"""Serve the site with its background workers: what ``make play`` runs."""

import contextlib
import os
import signal
import socket
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from agents.backends.local.backend import chosen
from agents.speech import model as voice
from bazaar_site import programs
from bazaar_site.programs import Child, Children

WAITING_CONNECTIONS = 1024


class Command(BaseCommand):
    """Runs Daphne and Celery side by side."""

    help = "Serve the site (Daphne) and its background workers (Celery); Ctrl-C stops all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Ask where to listen, and what to run."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument(
            "--only", choices=("web", "workers"), help="leave the rest to another machine"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Start all; a worker that dies is started again, the site's end is the end."""
        if settings.METRICS:
            from bazaar_site.operating.metrics import forget_dead

            forget_dead()
        wanted = options["only"]
        with model_children() as models:
            web = [] if wanted == "workers" else web_children(options["host"], options["port"])
            workers = [] if wanted == "web" else worker_children()
            children = Children(*models, *web, *workers)
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda *_: children.stop())
            raise SystemExit(children.run())


@contextlib.contextmanager
def model_children() -> Iterator[list[Child]]:
    """Make the processes of the local models, and let all others know where they listen.

    None where the operator has servers of his own, wants them in the web processes, or has none.
    """
    if settings.SAUDA_MODEL_SERVERS or not settings.MODEL_PROCESSES or not needs_models():
        yield []
        return
    # Short, since a socket's path may have some hundred characters; nobody else may enter.
    with tempfile.TemporaryDirectory(prefix="bazaar-") as folder:
        places = [f"{folder}/models-{number + 1}" for number in range(settings.MODEL_PROCESSES)]
        os.putenv("SAUDA_MODEL_SERVERS", ",".join(places))  # for the children
        yield [
            Child(f"models {number}", programs.model_process(place))
            for number, place in enumerate(places, 1)
        ]


def needs_models() -> bool:
    """Whether the site speaks with models of this machine."""
    has_model = "local" in settings.SAUDA_BACKENDS and chosen() is not None
    return has_model or voice.is_given_a_language()


def web_children(host: str, port: int) -> list[Child]:
    """Make the web processes, on one shared socket; raises CommandError where none can listen."""
    # Its lines are for people, not JSON; where those are read by programs a proxy logs requests.
    options = programs.WITHOUT_ACCESS_LOG if settings.LOG_JSON else ()
    if settings.WEB_PROCESSES == 1:
        return [Child("site", [*programs.web_at(host, port), *options], vital=True)]
    shared = _listen(host, port)
    command = [*programs.web_on(shared.fileno()), *options]
    names = [f"site {number}" for number in range(1, settings.WEB_PROCESSES + 1)]
    return [Child(name, command, inherited=shared) for name in names]


def worker_children() -> Iterator[Child]:
    """Make the workers."""
    yield Child("worker", programs.worker())
    yield Child("training", programs.slow_worker())


def _listen(host: str, port: int) -> socket.socket:
    try:
        shared = socket.create_server((host, port), backlog=WAITING_CONNECTIONS)
    except OSError as wrong:
        raise CommandError(
            f"Cannot listen on port {port} of {host}: {wrong.strerror}. Several web processes need "
            "a free port and an IPv4 address."
        ) from wrong
    # Every process is woken by a new connection, and one gets it; the others must not wait for it.
    shared.setblocking(False)
    return shared
