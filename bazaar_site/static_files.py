"""Which static files the site collects."""

from django.contrib.staticfiles.apps import StaticFilesConfig


class OwnStaticFiles(StaticFilesConfig):
    """Leaves out htmx extensions that no page uses.

    One of them imports "htmx" by a bare name (django-htmx 1.29), which hashed names cannot resolve.
    """

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "hx-*.js"]
