"""People on the board: joining under a name, leaving, and collecting the games that count."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from arena.models import MatchSeat
from negotiation.limits import spend
from negotiation.models import Game
from training.bots.names import Name, NameTaken, checked_name, name_key, tidy_name
from training.leaderboard.counting import ARENA, result_of
from training.leaderboard.models import BoardName, PersonalGame

LEFT_LYING = timedelta(hours=24)
"""A haggle that was begun and not finished within this time counts as one that came to nothing:
else a player could walk out of every game that goes badly."""

PLAYED_HERE = (Game.Source.PERSON, Game.Source.ARENA)
"""What-ifs and files from elsewhere are nobody's games."""


def is_taken(key: str) -> bool:
    """Tell whether somebody on the board has a name with this key."""
    return BoardName.objects.filter(key=key).exists()


def on_board(owner: str) -> BoardName | None:
    """Give a visitor's entry; None for whoever has no name."""
    return BoardName.objects.filter(owner=owner).exclude(name="").first() if owner else None


def join(owner: str, text: str, client: str) -> BoardName:
    """Put a visitor on the board, or give the visitor another name.

    Args:
        owner: session key of the visitor.
        text: the name as it was typed.
        client: key of the address, for those who count.

    Raises:
        BadName, NameTaken: the name cannot be used.
        RateLimited: too many names from this address.
    """
    own = BoardName.objects.filter(owner=owner).first()
    name = _checked(text, own)
    if own is not None and own.name == name.text:
        return own
    spend("names", client)
    try:
        with transaction.atomic():
            entry, _ = BoardName.objects.update_or_create(
                owner=owner, defaults={"name": name.text, "key": name.key}
            )
    except IntegrityError:
        # Somebody took the name between the look and the writing.
        raise NameTaken from None
    return entry


def withdraw(owner: str) -> bool:
    """Take a visitor's name off the board; False where there was none."""
    if not owner:
        return False
    named = BoardName.objects.filter(owner=owner).exclude(name="")
    return bool(named.update(name="", key=""))


def collect(person: BoardName) -> int:
    """Judge a person's games that have not been judged yet, and give how many there were."""
    missing = list(_unjudged(person))
    PersonalGame.objects.bulk_create(
        [_judged(person, game) for game in missing], ignore_conflicts=True
    )
    return len(missing)


def collect_all() -> int:
    """Judge the games of everybody on the board."""
    return sum(collect(person) for person in BoardName.objects.exclude(name=""))


def _checked(text: str, own: BoardName | None) -> Name:
    try:
        return checked_name(text)
    except NameTaken:
        name = tidy_name(text)
        if own is not None and own.key == name_key(name):
            return Name(name, own.key)  # the same name, written in another way
        raise


def _unjudged(person: BoardName) -> QuerySet[Game]:
    seats = MatchSeat.objects.filter(owner=person.owner).values("match_id")
    ended = Q(status=Game.Status.ENDED)
    left = Q(status=Game.Status.LIVE, created_at__lt=timezone.now() - LEFT_LYING)
    return (
        Game.objects.filter(
            Q(owner=person.owner) & ~Q(kind=ARENA) & (ended | left) | Q(pk__in=seats) & ended,
            source__in=PLAYED_HERE,
            created_at__gte=person.since,
        )
        .exclude(pk__in=person.games.values("game_id"))
        .select_related("listing")
    )


def _judged(person: BoardName, game: Game) -> PersonalGame:
    result = result_of(game, person.owner)
    return PersonalGame(
        person=person,
        game=game,
        why_not=result.why_not,
        table=result.table,
        rivals=[list(rival) for rival in result.rivals],
        share=result.share,
        rival_share=result.rival_share,
    )
