"""The games of the days, made ahead; and a visitor's one try at each.

One row for a day, whoever makes it: several processes may try, the first one's stays.
"""

import datetime as dt
import secrets

import msgspec
from django.db import IntegrityError, transaction
from django.utils import timezone

from bazaarbatna.bargain.scenario import Scenario
from negotiation.bargain import sessions
from negotiation.bargain.shops import default_buyer
from negotiation.bargain.terms import USUAL
from negotiation.catalogue.shelving import SOURCE
from negotiation.limits import spend
from negotiation.models import Game, Listing
from replays.daily.drawing import catalogue_digest, commitment_of, deal
from replays.daily.twists import TWISTS, twist_of
from replays.models import DailyGame, DailyTry
from replays.sealed_days import day_of, suite_of

AHEAD = 30
"""So many days are made and promised ahead; more are made when half of them are gone."""

DAY = dt.timedelta(days=1)


def today() -> DailyGame:
    """Return the game of the day; makes it, and those of the coming days, where none is yet."""
    day = day_of(timezone.now())
    if DailyGame.objects.filter(day__gte=day).count() <= AHEAD // 2:
        make_ahead(day)
    row = made_today()
    if row is None:
        make_ahead(day)
        row = DailyGame.objects.get(pk=day)
    return row


def made_today() -> DailyGame | None:
    """Return the game of the day; None where nobody has had it made yet."""
    return DailyGame.objects.filter(pk=day_of(timezone.now())).first()


def make_ahead(first: dt.date, days: int = AHEAD) -> int:
    """Make the games of so many days from ``first`` on that have none, and return how many."""
    wanted = [first + n * DAY for n in range(days)]
    known = set(DailyGame.objects.filter(day__in=wanted).values_list("day", flat=True))
    rows = [_made(day) for day in wanted if day not in known]
    # Another process may be faster: its rows stay.
    DailyGame.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def rotate(first: dt.date) -> int:
    """Make the games from ``first`` on anew, where nobody has begun them, and return how many."""
    with transaction.atomic():
        gone = DailyGame.objects.filter(day__gte=first, tries=None)
        gone = gone.filter(day__gt=day_of(timezone.now()))
        days = list(gone.values_list("day", flat=True))
        DailyGame.objects.filter(pk__in=days).delete()
        DailyGame.objects.bulk_create([_made(day) for day in days])
    return len(days)


def scenario_of(row: DailyGame) -> Scenario:
    """Read a day's game, sealed values included."""
    return msgspec.json.decode(bytes(row.scenario), type=Scenario)


def try_of(day: dt.date, visitor: str) -> DailyTry | None:
    """Return a visitor's try at a day's game."""
    if not visitor:
        return None
    tries = DailyTry.objects.filter(day=day, visitor=visitor)
    return tries.select_related("game", "day").first()


def begin(visitor: str, client: str) -> Game:
    """Deal a visitor today's game; who began it before gets that one back. RateLimited."""
    row = today()
    own = try_of(row.day, visitor)
    if own is not None:
        return own.game
    spend("games", client)
    try:
        with transaction.atomic():
            game = _dealt(row, visitor, client)
            DailyTry.objects.create(day=row, visitor=visitor, game=game)
    except IntegrityError:
        # Another tab was faster: there is one try, and that is its game.
        own = try_of(row.day, visitor)
        if own is None:
            raise
        return own.game
    return game


def _dealt(row: DailyGame, visitor: str, client: str) -> Game:
    listing = Listing.objects.filter(source=SOURCE, source_key=row.source_key).first()
    return sessions.open_dealt(
        visitor,
        scenario_of(row),
        default_buyer(),
        client=client,
        listing=listing,
        suite=suite_of(row.day),
        zone_promised=True,
        terms=TWISTS[row.twist].terms if row.twist else USUAL,
    )


def _made(day: dt.date) -> DailyGame:
    secret = secrets.token_hex(32)
    twist = twist_of(day)
    dealt = deal(secret, twist=twist)
    return DailyGame(
        day=day,
        secret=secret,
        commitment=commitment_of(secret),
        scenario=msgspec.json.encode(dealt.scenario),
        source_key=dealt.source_key,
        goods=catalogue_digest(),
        twist=twist,
        made_at=timezone.now(),
    )
