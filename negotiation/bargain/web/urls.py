"""Addresses of the seller's pages."""

from django.urls import path

from negotiation.bargain.web import sale_views, views

urlpatterns = [
    path("", views.sell, name="sell"),
    path("new/", sale_views.sell_new, name="sell-new"),
    path("<slug:game_id>/", sale_views.sale, name="sale"),
    path("<slug:game_id>/move/", sale_views.sale_move, name="sale-move"),
    path("<slug:game_id>/lines/<int:seq>/thumb/", sale_views.sale_thumb, name="sale-thumb"),
]
