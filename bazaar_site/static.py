"""How static files are named and served."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped package
    """Hashed names, also inside ES modules' imports; unhashed while nothing is collected."""

    support_js_module_import_aggregation = True
    manifest_strict = False
