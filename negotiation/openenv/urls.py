"""Addresses of the bazaar: OpenEnv's under its prefix, the first API's at the root.

What OpenEnv's tools ask of a container is at the root too: a client may take the bare host as its
``base_url``.
"""

from django.urls import path

from bazaarbatna.envs.openenv.bazaar import BAZAAR, PREFIX
from negotiation.openenv import seed_era
from negotiation.openenv.addresses import FIRST
from negotiation.openenv.views import Endpoints

bazaar = Endpoints(BAZAAR)
first = {
    "tasks": seed_era.tasks,
    "reset": seed_era.reset,
    "step": seed_era.step,
    "state": seed_era.state,
    "score": seed_era.score,
}
named = FIRST.format(name="<str:name>").lstrip("/")

urlpatterns = [
    *bazaar.under(PREFIX.lstrip("/")),
    *(path(name, view) for name, view in first.items()),
    *(path(f"{named}/{name}", view) for name, view in first.items()),
    path(f"{named}/health", seed_era.health),
    *(path(name, seed_era.gone(where)) for name, where in seed_era.GONE.items()),
    *bazaar.asked_of_a_container(),
]
