"""Where programs reach the environment; no page is there, and nobody needs a session."""

PREFIX = "/env/bazaar"
"""What an OpenEnv client takes as the path of its ``base_url``."""

SEED_ERA = ("/tasks", "/reset", "/step", "/state", "/score", "/health")
"""The bazaar's first API, still answered at the root."""

CONTAINER = ("/schema", "/metadata", "/openapi.json", "/mcp")
"""What OpenEnv's tools ask beside it of a host that is an environment and nothing else."""


def is_environment(path: str) -> bool:
    """Tell whether a path belongs to the environment.

    >>> is_environment("/env/bazaar/reset"), is_environment("/reset"), is_environment("/replays/")
    (True, True, False)
    """
    return path.startswith("/env/") or path in (*SEED_ERA, *CONTAINER)
