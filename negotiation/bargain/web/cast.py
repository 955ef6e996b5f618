"""The page of everybody who bargains here: face, temper, record, and what they are in code."""

from collections.abc import Iterator

import msgspec
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from negotiation.bargain.records import FEWEST, CharacterRecord, record_of
from negotiation.portraits.characters import ROOMS, Character, characters


class Member(msgspec.Struct, frozen=True):
    """Somebody of the cast."""

    who: Character
    did: CharacterRecord


class Room(msgspec.Struct, frozen=True):
    """Where some of them are met: a key that the page has words for."""

    key: str
    members: tuple[Member, ...]


def rooms() -> Iterator[Room]:
    """List everybody by where they are met, in the order of the file."""
    for key in ROOMS:
        there = [one for one in characters().values() if one.room == key]
        yield Room(key, tuple(Member(one, record_of(one.key)) for one in there))


@require_safe
def cast(request: HttpRequest) -> HttpResponse:
    """Show who bargains here."""
    return render(request, "negotiation/cast.html", {"rooms": list(rooms()), "fewest": FEWEST})
