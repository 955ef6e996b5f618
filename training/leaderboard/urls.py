"""Addresses under /leaderboard/."""

from django.urls import URLPattern, path

from training.leaderboard import views

urlpatterns: list[URLPattern] = [
    path("", views.leaderboard, name="leaderboard"),
    path("people/", views.everybody, name="board-people"),
    path("suites/", views.suites, name="board-suites"),
    path("name/", views.take_name, name="board-name"),
    path("name/withdraw/", views.withdraw_name, name="board-withdraw"),
    path("board.json", views.board_json, name="board-json"),
    path("board.csv", views.board_csv, name="board-csv"),
]
