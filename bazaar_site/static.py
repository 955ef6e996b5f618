"""How static files are named and served."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


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
