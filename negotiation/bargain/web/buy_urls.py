"""Addresses of the buyer's pages."""

from django.urls import path

from negotiation.bargain.web import buy_views

urlpatterns = [
    path("", buy_views.buy, name="buy"),
    path("new/", buy_views.buy_new, name="buy-new"),
    path("<slug:game_id>/", buy_views.purchase, name="purchase"),
    path("<slug:game_id>/move/", buy_views.purchase_move, name="purchase-move"),
    path("<slug:game_id>/lines/<int:seq>/thumb/", buy_views.purchase_thumb, name="purchase-thumb"),
]
