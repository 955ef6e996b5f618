"""The map of the site's addresses."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from bazaar_site.views import landing

urlpatterns: list[URLPattern | URLResolver] = [
    path("", landing, name="landing"),
    path("sell/", include("negotiation.urls")),
    path("admin/", admin.site.urls),
]
