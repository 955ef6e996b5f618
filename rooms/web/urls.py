"""Addresses: coming in, the lobby, the desk."""

from django.urls import path, register_converter

from rooms.web import desk, roster, views
from rooms.web.converters import Code

register_converter(Code, "room_code")

urlpatterns = [
    path("", views.rooms, name="rooms"),
    path("new/", desk.new, name="room-new"),
    path("seat/<slug:key>/", views.seat, name="room-seat"),
    path("<room_code:code>/", views.room, name="room"),
    path("<room_code:code>/lobby/", views.lobby, name="room-lobby"),
    path("<room_code:code>/leave/", views.leave, name="room-leave"),
    path("<room_code:code>/away/", views.away, name="room-away"),
    path("<room_code:code>/notice/", views.notice, name="room-notice"),
    path("<room_code:code>/copy/", desk.copied, name="room-copy"),
    path("<room_code:code>/roster/", roster.roster, name="room-roster"),
    path("<room_code:code>/links.csv", roster.roster_file, name="room-links"),
    path("<room_code:code>/wall/", desk.wall, name="room-wall"),
    path("<room_code:code>/desk/", desk.desk, name="room-desk"),
    path("<room_code:code>/desk/now/", desk.now, name="room-desk-now"),
    path("<room_code:code>/desk/<slug:verb>/", desk.do, name="room-do"),
    path("<room_code:code>/desk/<slug:verb>/<slug:member_id>/", desk.do, name="room-do-to"),
]
