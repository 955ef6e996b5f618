"""Addresses: how many participants a study needs."""

from django.urls import URLPattern, path

from rooms.power.views import power

urlpatterns: list[URLPattern] = [path("power/", power, name="power")]
