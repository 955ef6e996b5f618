"""Addresses of the pages of sales, purchases, and of guests who look on."""

from django.urls import URLPattern, path

from negotiation.bargain.web import invitations, views


def _games(kind: str, name: str) -> list[URLPattern]:
    said = {"kind": kind}
    line = "<slug:game_id>/lines/<int:seq>/thumb/"
    return [
        path("<slug:game_id>/", views.game, said, name=name),
        path("<slug:game_id>/again/", views.again, said, name=f"{name}-again"),
        path("<slug:game_id>/coach/", views.coached, said, name=f"{name}-coached"),
        path("<slug:game_id>/move/", views.move, said, name=f"{name}-move"),
        path("<slug:game_id>/end/", views.end, said, name=f"{name}-end"),
        path(line, views.thumb, said, name=f"{name}-thumb"),
        path("<slug:game_id>/learn/", views.learn, said, name=f"{name}-learn"),
        path("<slug:game_id>/answers/", views.answer, said, name=f"{name}-answer"),
    ]


sell = [
    path("", views.show_counter, {"counter": views.SELL_COUNTER}, name="sell"),
    path("new/", views.sell_new, name="sell-new"),
    path("photos/<slug:name>.jpg", views.photo, name="photo"),
    *_games("sell", "sale"),
]
buy = [
    path("", views.show_counter, {"counter": views.BUY_COUNTER}, name="buy"),
    path("new/", views.buy_new, name="buy-new"),
    *_games("buy", "purchase"),
]
pairs = [
    path("", invitations.invite, name="invite"),
    path("<slug:key>/", invitations.invitation, name="invitation"),
    path("rematch/<slug:game_id>/", invitations.rematch, name="rematch"),
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
