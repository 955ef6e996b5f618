"""Addresses: what may be taken home."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
