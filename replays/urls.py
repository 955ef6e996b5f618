"""Addresses of the replays."""

from django.urls import path

from replays import grade_views, importing_views, sharing_views, shelf_views, views

urlpatterns = [
    path("", shelf_views.replay_list, name="replays"),
    path("import/", importing_views.import_page, name="replay-import"),
    path("<slug:game_id>/", views.replay, name="replay"),
    path("<slug:game_id>/share/", sharing_views.share, name="replay-share"),
    path("<slug:game_id>/card.png", sharing_views.card_image, name="replay-card"),
    path("<slug:game_id>/fork/", views.what_if, name="replay-fork"),
    path("<slug:game_id>/grades/", grade_views.grades, name="replay-grades"),
    path("<slug:game_id>/grades.json", grade_views.grades_file, name="replay-grades-json"),
    path("<slug:game_id>.json", views.replay_json, name="replay-json"),
]
