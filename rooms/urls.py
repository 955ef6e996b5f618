"""Addresses of rooms; those with a fixed word come first, for a code is six letters."""

from django.urls import include, path

urlpatterns = [
    path("", include("rooms.lti.urls")),
    path("", include("rooms.power.urls")),
    path("", include("rooms.study.urls")),
    path("", include("rooms.export.urls")),
    path("", include("rooms.debrief.urls")),
    path("", include("rooms.web.urls")),
]
