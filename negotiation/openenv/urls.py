"""Addresses of the environment: OpenEnv's under its prefix, the first API's at the root.

What OpenEnv's tools ask of a container is at the root too: a client may take the bare host as its
``base_url``.
"""

from django.urls import path

from negotiation.openenv import seed_era, views
from negotiation.openenv.paths import PREFIX

prefix = PREFIX.lstrip("/")

urlpatterns = [
    path(f"{prefix}/reset", views.reset),
    path(f"{prefix}/step", views.step),
    path(f"{prefix}/state", views.state),
    path(f"{prefix}/schema", views.schema),
    path(f"{prefix}/metadata", views.metadata),
    path(f"{prefix}/health", views.health),
    path(f"{prefix}/openapi.json", views.api),
    path(f"{prefix}/mcp", views.mcp),
    path(f"{prefix}", views.metadata),
    path(f"{prefix}/", views.metadata),
    path("tasks", seed_era.tasks),
    path("reset", seed_era.reset),
    path("step", seed_era.step),
    path("state", seed_era.state),
    path("score", seed_era.score),
    path("health", views.health),
    path("schema", views.schema),
    path("metadata", views.metadata),
    path("openapi.json", views.api),
    path("mcp", views.mcp),
]
