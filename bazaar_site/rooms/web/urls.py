"""Stand-in until the rooms' own arrives."""

from django.http import HttpRequest, HttpResponse
from django.urls import path


def room(request: HttpRequest, code: str) -> HttpResponse:
    """Say that this is the lobby."""
    return HttpResponse("lobby")


urlpatterns = [
    path("<slug:code>/", room, name="room"),
    path("<slug:code>/desk/", room, name="room-desk"),
]
