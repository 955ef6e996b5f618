"""Work that no visitor waits for: the Celery application, and its queue in a folder.

Without Redis jobs travel as files. Kombu 5.7 opens a letter under its final name and writes it
then: a worker that looks in between reads an empty letter, loses it and ends with "Unrecoverable
error" (seen here under load). Here letters appear whole.
"""

import logging
import os
import time
import uuid
from pathlib import Path
from typing import Any

from celery import Celery
from celery.signals import setup_logging
from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps

log = logging.getLogger(__name__)


class Channel(filesystem.Channel):
    """Letters appear in the folder only when they are complete."""

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


class Transport(filesystem.Transport):
    """The same transport with our channel."""

    Channel = Channel


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
