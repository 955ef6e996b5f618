"""The site; tasks of every room belong to its Celery application."""

import gc

# What is imported stays. At Python's 700 the collector looks through all of it a thousand times
# while a process starts, a fifth of what that takes.
gc.set_threshold(10_000, 10, 10)

from bazaar_site.celery import app as celery_app  # noqa: E402  from here on there is much to import

__all__ = ["celery_app"]
