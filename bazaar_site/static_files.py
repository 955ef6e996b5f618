"""Which static files the site collects, how they are named and served."""

from django.contrib.staticfiles.apps import StaticFilesConfig
from whitenoise.storage import CompressedManifestStaticFilesStorage


class OwnStaticFiles(StaticFilesConfig):
    """Leaves out htmx extensions that no page uses.

    One of them imports "htmx" by a bare name (django-htmx 1.29), which hashed names cannot resolve.
    """

    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "hx-*.js"]


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped package
    """Hashed names, also inside ES modules' imports; unhashed while nothing is collected."""

    support_js_module_import_aggregation = True
    manifest_strict = False

    def stored_name(self, name: str) -> str:
        """Name a collected file by its hash, any other as it is (tests, a fresh checkout)."""
        try:
            return str(super().stored_name(name))
        except ValueError:
            return name
