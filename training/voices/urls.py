"""Addresses under /voices/."""

from django.urls import URLPattern, path

from training.voices.views import voices

urlpatterns: list[URLPattern] = [path("", voices, name="voices")]
