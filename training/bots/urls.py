"""Addresses of the bots' pages."""

from django.urls import path

from training.bots import views

urlpatterns = [
    path("", views.bots, name="bots"),
    path("<slug:bot_id>/", views.bot, name="bot"),
    path("<slug:bot_id>/standing/", views.standing, name="bot-standing"),
    path("<slug:bot_id>/start/", views.start, name="bot-start"),
    path("<slug:bot_id>/stop/", views.stop, name="bot-stop"),
    path("<slug:bot_id>/token/", views.new_token, name="bot-token"),
    path("<slug:bot_id>/withdraw/", views.withdraw, name="bot-withdraw"),
    path("<slug:bot_id>/<slug:run_id>/episodes.jsonl.gz", views.bargains, name="bot-bargains"),
    path("<slug:bot_id>/<slug:run_id>/moves.jsonl.gz", views.moves, name="bot-moves"),
]
