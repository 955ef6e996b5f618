"""Addresses: what may be taken home, and until when it is kept."""

from django.urls import URLPattern, path

from rooms.export import views

urlpatterns: list[URLPattern] = [
    path("<slug:code>/export/", views.export, name="room-export"),
    path("<slug:code>/data/", views.data, name="room-data"),
    path("<slug:code>/data/delete/", views.forget, name="room-forget"),
    path("<slug:code>/data/forget/<slug:member_id>/", views.forget_one, name="room-forget-one"),
]
