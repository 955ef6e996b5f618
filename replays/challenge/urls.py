"""Addresses of the challenges."""

from django.urls import path

from replays.challenge import views

urlpatterns = [
    path("new/<slug:game_id>/", views.new, name="challenge-new"),
    path("end/<slug:game_id>/", views.end, name="challenge-end"),
    path("<slug:token>/", views.challenge, name="challenge"),
]
