"""Addresses of the pages of cases."""

from django.urls import path

from negotiation.cases import own_views, views

urlpatterns = [
    path("", views.shelf, name="cases"),
    path("own/", own_views.own, name="case-own"),
    path("own/<slug:own_id>/", own_views.own, name="case-own-one"),
    path("join/<str:token>/", views.join, name="case-join"),
    path("files/<slug:case>.toml", views.file, name="case-file"),
    path("<slug:case>/", views.start, name="case"),
    path("table/<slug:game_id>/", views.table, name="case-table"),
    path("table/<slug:game_id>/move/", views.move, name="case-move"),
    path("table/<slug:game_id>/answers/", views.answer, name="case-table-answer"),
]
