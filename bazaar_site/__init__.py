"""The site; tasks of every room belong to its Celery application."""

from bazaar_site.celery import app as celery_app

__all__ = ["celery_app"]
