"""Addresses of rooms; those with a fixed word come first, for a code is six letters."""

from django.urls import include, path

urlpatterns = [
    path("", include("bazaar_site.rooms.lti.urls")),
    path("", include("bazaar_site.rooms.power.urls")),
    path("", include("bazaar_site.rooms.study.urls")),
    path("", include("bazaar_site.rooms.export.urls")),
    path("", include("bazaar_site.rooms.debrief.urls")),
    path("", include("bazaar_site.rooms.web.urls")),
]
