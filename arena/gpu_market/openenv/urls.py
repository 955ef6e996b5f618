"""Addresses of the market's environment, and of the arena's first API below it."""

from django.urls import path

from arena.gpu_market.openenv import first
from bazaarbatna.envs.openenv.market import MARKET, PREFIX
from negotiation.openenv.views import Endpoints

named = first.FIRST.format(name="<str:name>").lstrip("/")

urlpatterns = [
    *Endpoints(MARKET).under(PREFIX.lstrip("/")),
    path(f"{named}/health", first.health),
    path(f"{named}/tasks", first.tasks),
    path(f"{named}/reset", first.reset),
    path(f"{named}/step", first.step),
    path(f"{named}/state", first.state),
]
