"""Addresses of the replays."""

from django.urls import path

from replays import views

urlpatterns = [
    path("", views.replay_list, name="replays"),
    path("<slug:game_id>/", views.replay, name="replay"),
    path("<slug:game_id>.json", views.replay_json, name="replay-json"),
]
