"""Where programs reach the environments at this site: no page is there."""

from bazaarbatna.envs.openenv.bazaar import PREFIX

FIRST = PREFIX + "/first/{name}"
"""Where clients of the first API play that can name no game: the address does."""

SEED_ERA = ("/tasks", "/reset", "/step", "/state", "/score", "/health")
"""The bazaar's first API, still answered at the root."""

SEED_ERA_GONE = ("/providers", "/simulate", "/counterfactual", "/leaderboard/best")
"""What it had besides: answered with where that went."""

CONTAINER = ("/schema", "/metadata", "/openapi.json", "/mcp")
"""What OpenEnv's tools ask beside it of a host that is an environment and nothing else."""


def is_environment(path: str) -> bool:
    """Whether a path belongs to the environment."""
    return path.startswith("/env/") or path in (*SEED_ERA, *SEED_ERA_GONE, *CONTAINER)
