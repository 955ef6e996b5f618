"""Addresses of the replays."""

from django.urls import path

from replays import views
from replays.browse.views import replay_list
from replays.grade.views import costly, grades, grades_file
from replays.preview.views import card_image, share
from replays.transfer.views import import_page

urlpatterns = [
    path("", replay_list, name="replays"),
    path("import/", import_page, name="replay-import"),
    path("<slug:game_id>/", views.replay, name="replay"),
    path("<slug:game_id>/share/", share, name="replay-share"),
    path("<slug:game_id>/card.png", card_image, name="replay-card"),
    path("<slug:game_id>/fork/", views.what_if, name="replay-fork"),
    path("<slug:game_id>/costly/", costly, name="replay-costly"),
    path("<slug:game_id>/grades/", grades, name="replay-grades"),
    path("<slug:game_id>/grades.json", grades_file, name="replay-grades-json"),
    path("<slug:game_id>.json", views.replay_json, name="replay-json"),
]
