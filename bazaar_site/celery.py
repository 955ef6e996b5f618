"""Work that no visitor waits for: the Celery application and how its worker is started."""

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging

from bazaar_site import queue_folder

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")

queue_folder.install()
app = Celery("bazaar_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["bazaar_site"], related_name="worker_beat")


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Log as the site does: with a receiver here, Celery sets up nothing of its own."""
