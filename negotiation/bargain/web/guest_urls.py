"""Addresses of guests, and of what lets them in."""

from django.urls import path

from negotiation.bargain.web import guest_views

urlpatterns = [
    path("watch/<slug:key>/", guest_views.watch, name="watch"),
    path("sell/<slug:game_id>/guests/", guest_views.share, {"kind": "sell"}, name="sale-share"),
    path(
        "sell/<slug:game_id>/guests/stop/", guest_views.stop, {"kind": "sell"}, name="sale-unshare"
    ),
    path("buy/<slug:game_id>/guests/", guest_views.share, {"kind": "buy"}, name="purchase-share"),
    path(
        "buy/<slug:game_id>/guests/stop/",
        guest_views.stop,
        {"kind": "buy"},
        name="purchase-unshare",
    ),
]
