from django.urls import path

from arena.auction.web import views

urlpatterns = [
    path("", views.lobby, name="arena"),
    path("now/", views.now, name="match-now"),
    path("table/", views.table, name="match-table"),
    path("<slug:match_id>/", views.match, name="match"),
    path("<slug:match_id>/seat/", views.seat, name="match-seat"),
    path("<slug:match_id>/begin/", views.begin, name="match-begin"),
    path("<slug:match_id>/move/", views.move, name="match-move"),
]
