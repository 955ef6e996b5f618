"""Addresses of the puzzles."""

from django.urls import path

from replays.puzzles import views, you

urlpatterns = [
    path("", views.first_page, name="puzzles"),
    path("next/", views.next_one, name="puzzle-next"),
    path("you/", you.you, name="puzzles-you"),
    path("you/<slug:game_id>/", you.own_puzzle, name="puzzle-own"),
    path("<slug:puzzle_id>/", views.one_puzzle, name="puzzle"),
    path("<slug:puzzle_id>/answer/", views.take_answer, name="puzzle-answer"),
    path("<slug:puzzle_id>/game/", views.source_game, name="puzzle-game"),
]
