"""Addresses of the pages of cases."""

from django.urls import path

from negotiation.cases import views

urlpatterns = [
    path("", views.shelf, name="cases"),
    path("own/", views.own, name="case-own"),
    path("join/<str:token>/", views.join, name="case-join"),
    path("files/<slug:case>.toml", views.file, name="case-file"),
    path("<slug:case>/", views.start, name="case"),
    path("table/<slug:game_id>/", views.table, name="case-table"),
    path("table/<slug:game_id>/move/", views.move, name="case-move"),
]
