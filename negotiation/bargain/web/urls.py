"""Addresses of the pages of sales, purchases, and of guests who look on."""

from django.urls import path

from negotiation.bargain.web import views

sell = [
    path("", views.sell, name="sell"),
    path("new/", views.sell_new, name="sell-new"),
    path("<slug:game_id>/", views.sale, name="sale"),
    path("<slug:game_id>/move/", views.sale_move, name="sale-move"),
    path("<slug:game_id>/lines/<int:seq>/thumb/", views.sale_thumb, name="sale-thumb"),
]
buy = [
    path("", views.buy, name="buy"),
    path("new/", views.buy_new, name="buy-new"),
    path("<slug:game_id>/", views.purchase, name="purchase"),
    path("<slug:game_id>/move/", views.purchase_move, name="purchase-move"),
    path("<slug:game_id>/lines/<int:seq>/thumb/", views.purchase_thumb, name="purchase-thumb"),
]
guests = [
    path("watch/<slug:key>/", views.watch, name="watch"),
    *(
        path(f"{side}/<slug:game_id>/guests/{end}", view, {"kind": side}, name=f"{game}-{name}")
        for side, game in (("sell", "sale"), ("buy", "purchase"))
        for end, view, name in (
            ("", views.share, "share"),
            ("stop/", views.stop, "unshare"),
        )
    ),
]
