"""Bargaining: the rules of three games, people who answer, rule buyers, environments.

The package ``verifiers`` finds a taskset by its name, ``bazaarbatna``, and these names in it; they
are imported when it asks for them, and nobody else needs it. Who has Gymnasium, and then imports
this, as ``make("bazaarbatna:Bazaar-v0")`` does, has its environments registered.
"""

import sys
from importlib import import_module

__all__ = ["BazaarHarness", "BazaarTable", "BazaarTaskset"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("bazaarbatna.envs.bargain.taskset"), name)


# Gymnasium 1 has no plug-ins. To import it here would cost whoever plays without it its time.
if "gymnasium" in sys.modules:
    import_module("bazaarbatna.gym")
