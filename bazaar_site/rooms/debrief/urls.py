"""Addresses: the debrief."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
