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
from bazaar_site.operating import serve_lock, start_times
from bazaar_site.operating.preloaded import SITE, WebChild, preload
from bazaar_site.programs import Child, Children

WAITING_CONNECTIONS = 1024


class Command(BaseCommand):
    """Runs Daphne and Celery side by side."""

    help = "Serve the site (Daphne) and its background workers (Celery); Ctrl-C stops all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument(
            "--only",
            choices=("web", "environments", "workers"),
            help="leave the rest to another machine",
        )

        parser.add_argument(
            "--timings", action="store_true", help="log how long each step of the start takes"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Start all; what dies is started again, until that is of no use."""
        start_times.done("checks")
        if settings.METRICS:
            from bazaar_site.operating.metrics import forget_dead

            forget_dead()
        wanted, host, port = options["only"], options["host"], options["port"]
        has_environments = wanted == "environments" or (wanted is None and settings.ENV_PORT)
        serve_lock.take(
            (wanted,)
            if wanted
            else ("web", "workers", *(("environments",) if has_environments else ()))
        )
        # Nobody speaks through a model where programs train; workers ask one now and then, and load
        # it then. For games it has to be there.
        without = contextlib.nullcontext(list[Child]())
        with without if wanted in ("environments", "workers") else model_children() as models:
            kept: list[Child] = []
            if wanted in (None, "web"):
                kept += web_children(host, port)
                self._tell("The site", host, port)
            if has_environments:
                at = port if wanted else settings.ENV_PORT
                kept += environment_children(host, at)
                self._tell("Environments", host, at)
            kept += models
            if wanted in (None, "workers"):
                kept += worker_children()
            if options["timings"]:
                WebChild.tells_times = True
                start_times.tell("serve")
                start_times.tell_imports()
            children = Children(*kept)
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda *_: children.stop())
            raise SystemExit(children.run())

    def _tell(self, what: str, host: str, port: int) -> None:
        if not settings.LOG_JSON:
            shown = f"[{host}]" if ":" in host else host
            self.stdout.write(f"{what}: http://{shown}:{port}/")
            self.stdout.flush()


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
        settings.SAUDA_MODEL_SERVERS = tuple(places)  # and for those that are forked
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
    where = "elsewhere" if settings.ENV_PORT else settings.ENVIRONMENTS
    return _daphnes("site", host, port, settings.WEB_PROCESSES, where)


def environment_children(host: str, port: int) -> list[Child]:
    """Make the process that serves environments alone, on a port of its own; errors as above."""
    return _daphnes("environments", host, port, 1, "only")


def _daphnes(name: str, host: str, port: int, count: int, environments: str) -> list[Child]:
    is_v6 = ":" in host
    if is_v6 and count > 1:
        raise CommandError(
            f"Several web processes share one port of an IPv4 address; {host} is of another family."
        )
    shared = _listen(host, port, socket.AF_INET6 if is_v6 else socket.AF_INET)
    daphne = programs.web_at(host, port) if is_v6 else programs.web_on(shared.fileno())
    command = programs.told(daphne, BAZAAR_ENVIRONMENTS=environments)
    if is_v6:
        # Daphne adopts IPv4 sockets alone; on others it listens itself, now that one can.
        shared.close()
    inherited = None if is_v6 else shared
    names = [name] if count == 1 else [f"{name} {number}" for number in range(1, count + 1)]
    if daphne[-1] == SITE and preload():
        return [WebChild(one, command, environments, inherited) for one in names]
    return [Child(one, command, vital=True, inherited=inherited) for one in names]


def worker_children() -> Iterator[Child]:
    """Make the workers."""
    yield Child("worker", programs.worker())
    yield Child("training", programs.slow_worker())


def _listen(host: str, port: int, family: socket.AddressFamily) -> socket.socket:
    # It outlives every web process: who comes while none is there waits, and is not refused.
    try:
        shared = socket.create_server((host, port), family=family, backlog=WAITING_CONNECTIONS)
    except OSError as wrong:
        raise CommandError(
            f"Cannot listen on port {port} of {host}: {wrong.strerror}. Stop what listens "
            "there, or take another port: --port 8765, or PORT=8765 make play."
        ) from wrong
    # Every process is woken by a new connection, and one gets it; the others must not wait for it.
    shared.setblocking(False)
    return shared
