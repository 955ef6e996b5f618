"""The site; tasks of every room belong to its Celery application."""

import gc

from bazaar_site.operating import start_times  # its clock runs from here on

# What is imported stays: looking through it again and again was a quarter of what a start takes.
# ``SiteConfig`` sets the collector to work when all apps are ready.
gc.set_threshold(1_000_000, 10, 10)

from bazaar_site.celery import app as celery_app  # noqa: E402  from here on there is much to import

start_times.done("Celery")

__all__ = ["celery_app"]
