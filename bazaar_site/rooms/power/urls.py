"""Addresses: how many participants a study needs."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
