"""The page of everybody who bargains here: face, temper, record, and what they are in code."""

from collections.abc import Iterator, Sequence

import msgspec
from django.db.models import Avg, Case, Count, F, FloatField, Q, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from negotiation.models import OTHERS_GET_THESE_CARDS, PAIR, Game
from negotiation.portraits.characters import ROOMS, Character, character, characters
from negotiation.ttl_cache import cached

FEWEST = 10
"""Games below which no share is told: a few of them say little of a character."""

COUNTED_EVERY_S = 60.0


class CharacterRecord(msgspec.Struct, frozen=True):
    """What a character did in finished games.

    ``share`` is the mean part of the zone of possible agreement that it kept, 0..1, over its
    deals; None while it has fewer than ``FEWEST`` deals.
    """

    games: int = 0
    deals: int = 0
    share: float | None = None


def record_of(key: str) -> CharacterRecord:
    """Return a character's record; counted once a minute for all of them."""
    return cached("character-records", COUNTED_EVERY_S, _records).get(key, CharacterRecord())


def _records() -> dict[str, CharacterRecord]:
    """Count the games that the house played here, against people and among itself.

    What-ifs and imported games are left out: nobody met the character in them. So are rematches:
    their person knew what the character held, and games whose cards others get too: the record
    would tell them of their own.
    """
    house_buys = ~Q(seat=Game.Seat.BUYER)
    own_share = Case(
        When(house_buys, then=F("buyer_share")),
        default=F("seller_share"),
        output_field=FloatField(),
    )
    rows = (
        Game.objects.filter(
            status=Game.Status.ENDED,
            kind__in=("sell", "buy", "sim"),
            source__in=(Game.Source.PERSON, Game.Source.SIMULATION),
            rematch_of=None,
        )
        .exclude(Q(suite=PAIR) | OTHERS_GET_THESE_CARDS)
        .order_by()
        .values_list("policy")
        .annotate(
            games=Count("pk"),
            deals=Count("pk", filter=Q(outcome="deal")),
            share=Avg(own_share, filter=Q(outcome="deal"), default=Value(0.0)),
        )
    )
    return _by_character(list(rows))


def _by_character(
    rows: Sequence[tuple[str, int, int, float]],
) -> dict[str, CharacterRecord]:
    found: dict[str, CharacterRecord] = {}
    kept: dict[str, float] = {}
    for policy, games, deals, share in rows:
        person = character(policy)
        if not person.is_known:
            continue
        before = found.get(person.key, CharacterRecord())
        kept[person.key] = kept.get(person.key, 0.0) + deals * share
        in_all = before.deals + deals
        mean = kept[person.key] / in_all if in_all >= FEWEST else None
        found[person.key] = CharacterRecord(before.games + games, in_all, mean)
    return found


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
