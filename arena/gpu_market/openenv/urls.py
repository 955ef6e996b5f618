"""Addresses of the market's environment, and of the arena's first API below it."""

from django.urls import path

from arena.gpu_market.openenv import first
from arena.gpu_market.openenv.market import FIRST, MARKET, PREFIX
from negotiation.openenv.views import Endpoints

named = FIRST.format(name="<str:name>").lstrip("/")

urlpatterns = [
    *Endpoints(MARKET).under(PREFIX.lstrip("/")),
    path(f"{named}/health", first.health),
    path(f"{named}/tasks", first.tasks),
    path(f"{named}/reset", first.reset),
    path(f"{named}/step", first.step),
    path(f"{named}/state", first.state),
]
