"""Serve the site with its background worker: what ``make play`` runs."""

import signal
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from bazaar_site.children import Child, Children

LARGEST_FRAME = 16_384
LARGEST_MESSAGE = 262_144
"""Bytes of a socket message in either direction: a finished game's page is the largest."""


class Command(BaseCommand):
    """Runs Daphne and Celery side by side."""

    help = "Serve the site (Daphne) and its background worker (Celery); Ctrl-C stops both."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Ask where to listen."""
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        """Start both; a worker that dies is started again, the site's end is the end."""
        bin_dir = Path(sys.executable).parent
        web = [
            str(bin_dir / "daphne"),
            *("--bind", options["host"], "--port", str(options["port"])),
            *("--websocket-max-frame-size", str(LARGEST_FRAME)),
            *("--websocket-max-message-size", str(LARGEST_MESSAGE)),
            "--no-server-name",
            "bazaar_site.asgi:application",
        ]
        worker = [sys.executable, "-m", "celery", "--quiet", "-A", "bazaar_site", "worker"]
        # Work that takes minutes or hours has a worker of its own: grades never wait for it.
        training = [*worker, "--queues", "training", "--concurrency", "2"]
        children = Children(
            Child("site", web, vital=True), Child("worker", worker), Child("training", training)
        )
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: children.stop())
        raise SystemExit(children.run())
