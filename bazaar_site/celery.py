"""Work that no visitor waits for: the Celery application, and its queue in a folder.

Without Redis jobs travel as files. Kombu 5.7 opens a letter under its final name and writes it
then: a worker that looks in between reads an empty letter, loses it and ends with "Unrecoverable
error" (seen here under load). Here letters appear whole.

It also reads them in a loop of its own, beside which Celery has its children share one pipe and one
lock: a child that is killed while it waits takes the lock along, and no job is begun any more; one
that is killed at work is missed ten seconds later. Here the folder is read in Celery's event loop,
as Redis is, where every child has its own pipe.
"""

import contextlib
import logging
import os
import time
import uuid
from pathlib import Path
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_ready
from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps

from bazaar_site.log_privacy import log_what_nobody_caught

log = logging.getLogger(__name__)

MISS_EVERY_S = 0.5
"""How often a worker looks whether all its children live."""


class Channel(filesystem.Channel):
    """Letters appear in the folder only when they are complete; a job that is done makes room."""

    def _put(  # type: ignore[override]  # Kombu's own classes name it differently
        self, queue: str, payload: dict[str, Any], **kwargs: Any
    ) -> None:
        folder = Path(self.data_folder_out)
        unfinished = folder / f".{uuid.uuid4()}.part"
        try:
            unfinished.write_text(dumps(payload))
            unfinished.replace(folder / f"{time.time_ns() // 1000}_{uuid.uuid4()}.{queue}.msg")
        except OSError:
            unfinished.unlink(missing_ok=True)  # half a letter, on a disk that is full
            raise

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        while True:
            try:
                return super()._get(queue)
            except ValueError:
                log.warning("a letter could not be read and is lost", extra={"queue": queue})

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        """Look for the next letter at once."""
        super().basic_ack(delivery_tag, multiple)
        if isinstance(self.connection, Transport):  # None once the channel is closed
            self.connection.look_soon()


class Transport(filesystem.Transport):
    """The same transport with our channel, for an event loop."""

    Channel = Channel
    implements = filesystem.Transport.implements.extend(asynchronous=True)

    _loop: Any = None

    def register_with_event_loop(self, connection: Any, loop: Any) -> None:
        """Look for letters again and again."""
        self._loop = loop
        loop.call_repeatedly(self.polling_interval, self._look)

    def look_soon(self) -> None:
        """Look before the loop waits again; without a loop somebody else reads."""
        if self._loop is not None:
            self._loop.call_later(0, self._look)

    def _look(self) -> None:
        with contextlib.suppress(TimeoutError):  # no letter, or all children have one
            while True:
                self.drain_events(self.client, timeout=0)  # type: ignore[arg-type]  # unread there


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")

TRANSPORT_ALIASES["filesystem"] = f"{__name__}:Transport"
app = Celery("bazaar_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["bazaar_site"], related_name="worker_beat")
app.autodiscover_tasks(["bazaar_site.operating"], related_name="request_ids")


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Log as the site does: with a receiver here, Celery sets up nothing of its own."""
    log_what_nobody_caught()


@worker_ready.connect
def miss_children_soon(sender: Any, **_: Any) -> None:
    """Let a worker miss a child that was killed, and have another one begin what comes.

    Celery looks when the pipe of a child closes, which is before the child can be seen to have
    ended, and then every five seconds only.
    """
    sender.hub.call_repeatedly(MISS_EVERY_S, sender.pool.maintain_pool)
