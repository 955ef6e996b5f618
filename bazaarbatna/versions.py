"""Version labels of policies: a table of results never mixes two behaviours under one name."""

import hashlib
import json
from collections.abc import Mapping


def version_label(name: str, number: int, parameters: Mapping[str, object]) -> str:
    """Write ``name@number#hash`` of the parameters, like ``rules:smart@1#0123456789ab``."""
    text = json.dumps(parameters, sort_keys=True, separators=(",", ":"))
    return f"{name}@{number}#{hashlib.sha256(text.encode()).hexdigest()[:12]}"
