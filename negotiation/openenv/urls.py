"""Addresses of the bazaar: OpenEnv's under its prefix, the first API's at the root.

What OpenEnv's tools ask of a container is at the root too: a client may take the bare host as its
``base_url``.
"""

from django.urls import path

from negotiation.openenv import seed_era
from negotiation.openenv.bazaar import BAZAAR, PREFIX
from negotiation.openenv.views import Endpoints

bazaar = Endpoints(BAZAAR)

urlpatterns = [
    *bazaar.under(PREFIX.lstrip("/")),
    path("tasks", seed_era.tasks),
    path("reset", seed_era.reset),
    path("step", seed_era.step),
    path("state", seed_era.state),
    path("score", seed_era.score),
    *bazaar.asked_of_a_container(),
]
