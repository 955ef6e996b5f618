"""Brings torch and transformers into this process, one thread at a time.

Transformers puts its names together while it is imported, and tells a thread that asks for one of
them meanwhile that there is none. The site's voice and a lab may both be needed first at once.
"""

import importlib
import threading

_importing = threading.Lock()


def import_libraries() -> None:
    """Import what models need, or wait until another thread has."""
    with _importing:
        for module in ("loading", "decoder", "player"):
            importlib.import_module(f"agents.backends.local.{module}")
