"""Addresses of the GPU market's pages."""

from django.urls import path

from arena.gpu_market.web import views

urlpatterns = [
    path("", views.front, name="market"),
    path("tasks/", views.tasks, name="market-tasks"),
    *(
        path(f"{name}/", views.paper, {"name": name}, name=f"market-{name}")
        for name in ("rewards", "judge", "actions", "results", "lab")
    ),
    path("<slug:match_id>/", views.match, name="market-match"),
    path("<slug:match_id>/board/", views.board, name="market-board"),
    path("<slug:match_id>/act/", views.act, name="market-act"),
    path("<slug:match_id>/pace/", views.pace, name="market-pace"),
    path("<slug:match_id>/twin/", views.twin, name="market-twin"),
    path("<slug:match_id>/what-if/", views.what_if, name="market-what-if"),
]
