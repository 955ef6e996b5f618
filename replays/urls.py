"""Addresses of the replays."""

from django.urls import path

from replays import grade_views, shelf_views, views

urlpatterns = [
    path("", shelf_views.replay_list, name="replays"),
    path("<slug:game_id>/", views.replay, name="replay"),
    path("<slug:game_id>/grades/", grade_views.grades, name="replay-grades"),
    path("<slug:game_id>/grades.json", grade_views.grades_file, name="replay-grades-json"),
    path("<slug:game_id>.json", views.replay_json, name="replay-json"),
]
