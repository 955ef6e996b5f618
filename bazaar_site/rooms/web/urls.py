"""Addresses: where people come in, wait and play, and the desk of the host."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
