"""Addresses of the daily game."""

import datetime as dt

from django.urls import path, register_converter

from replays.daily import views


class Day:
    """A day in an address, as ``2026-11-25``."""

    regex = r"\d{4}-\d{2}-\d{2}"

    to_python = staticmethod(dt.date.fromisoformat)

    def to_url(self, value: object) -> str:
        """Write a date, or a text that is one."""
        return str(value)


register_converter(Day, "day")

urlpatterns = [
    path("", views.daily, name="daily"),
    path("days.json", views.days, name="daily-days"),
    path("<day:day>/", views.past, name="daily-day"),
    path("card/<slug:token>/", views.card, name="daily-card"),
    path("card/<slug:token>.png", views.card_image, name="daily-card-image"),
    path("card/<slug:token>/line/", views.line, name="daily-line"),
    path("card/<slug:token>/line.png", views.line_image, name="daily-line-image"),
    path("strip/<slug:game_id>/", views.strip, name="daily-strip"),
]
