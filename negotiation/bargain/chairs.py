"""The chairs of a table: who has them when one of two people goes, comes back, or never does.

It is the same whatever is played; ``Chairs`` is told what differs. A seat whose person stays away
is taken by the house, or the game is closed: whoever was to move walks, and the row of that event
says why (``clocks.Why``).
"""

import logging
from collections.abc import Callable
from datetime import timedelta

import msgspec
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from bazaarbatna.bargain.quantities import Side
from negotiation.bargain.clocks import Clocks, Why, seconds_left
from negotiation.bargain.terms import PERSON, terms_of
from negotiation.games import notify
from negotiation.games.event_log import ClaimLost, until_claimed
from negotiation.models import EventRow, Game
from negotiation.policies import UnknownPolicy

VERSION = "table@1"

FORSAKEN_S = 3600
"""Whoever stays when the other one has gone may think for so long, then has gone, too."""

DESERTED_S = 7 * 24 * 3600
"""A table without limits waits for so long for whoever is to move; then it has been left by all."""

log = logging.getLogger(__name__)


class Chairs(msgspec.Struct, frozen=True):
    """What becomes of a game's chairs; a game between two people has the policy ``PERSON``.

    ``hand_over`` lets the house take a side's seat, and ``close`` ends the game without a deal if
    its log still ends with an event; both say False where the game has gone on since.
    """

    hand_over: Callable[[Game, Side], bool]
    close: Callable[[str, Why, int | None], bool]
    clocks: Callable[[Game], Clocks | None]

    def give_up(self, game: Game, side: Side, why: Why) -> bool:
        """Do what a table's terms say when a person on a side is gone; False: it went on already.

        Where the policy that should take the seat is on this site no more, the table is closed:
        nobody sits opposite an empty chair for ever.
        """
        terms = terms_of(game)
        if why != "deadline" and game.policy == PERSON and terms.absence == "policy":
            try:
                return self.hand_over(game, side)
            except UnknownPolicy:
                log.exception("nobody takes a seat", extra={"game": game.pk})
        return self.close(game.pk, why, game.last_seq)

    def look_after(self, game: Game, clocks: Clocks) -> bool:
        """Let the time of whoever is to move run out, if it has; whether anything was done."""
        if seconds_left(clocks) == 0:
            return self.give_up(game, clocks.running, clocks.why)
        # The house has the seat of one of two people, and the other one does not come back either.
        is_forsaken = was_for_two(game) and game.policy != PERSON and clocks.why != "deadline"
        if is_forsaken and timezone.now() - clocks.heard > timedelta(seconds=FORSAKEN_S):
            return self.close(game.pk, "absent", game.last_seq)
        return False

    def replace(self, game_id: str, side: Side) -> bool:
        """Let the house take the seat of one of two people, as often as they move meanwhile.

        False: no two people sit there (any more), or the policy is on this site no more.
        """

        def attempt() -> bool:
            game = Game.objects.filter(pk=game_id, status=Game.Status.LIVE, policy=PERSON).first()
            if game is None:
                return False
            if not self.hand_over(game, side):
                raise ClaimLost  # somebody has moved meanwhile
            return True

        try:
            return until_claimed(attempt)
        except UnknownPolicy:
            log.exception("nobody takes a seat", extra={"game": game_id})
            return False

    def give_back(self, game_id: str, session: str) -> bool:
        """Give somebody who is back the seat that the house keeps; False: none, or time is up."""
        kept = Game.objects.filter(pk=game_id, gone=session, status=Game.Status.LIVE)
        if not session or not kept.exists():
            return False
        return until_claimed(lambda: self._seat(kept, session))

    def _seat(self, kept: QuerySet[Game], session: str) -> bool:
        game = kept.first()
        if game is None:
            return False
        game.policy, game.rival, now = PERSON, session, timezone.now()
        game.seller_seen_at = game.buyer_seen_at = now
        if seconds_left(self.clocks(game)) == 0:
            return False
        with transaction.atomic():
            same = kept.filter(last_seq=game.last_seq)
            # Both are there: the one who stayed has played on, the other one is here now.
            if not same.update(
                policy=PERSON, policy_version="", rival=session, gone="", thinking_until=None,
                seller_seen_at=now, buyer_seen_at=now,
            ):  # fmt: skip
                raise ClaimLost  # the house has moved meanwhile
            transaction.on_commit(lambda: notify.ring(game.pk, 0), robust=True)
        return True

    def leave(self, game_id: str, side: Side) -> None:
        """Let a person go who will not come back: the house plays on, or the game ends."""
        live = Game.objects.filter(pk=game_id, status=Game.Status.LIVE)
        if self.replace(game_id, side):
            live.update(gone="")
        elif live.exists():
            self.close(game_id, "closed", None)


def sit_down(game: Game, seat: str, policy: str, version: str = "") -> bool:
    """Let a policy take a seat of two people; False: the game has gone on since.

    The other one goes on where the game stands, alone until who is gone comes back.
    """
    stays = game.turned() if game.seat == seat else game
    same = Game.objects.filter(
        pk=game.pk, last_seq=game.last_seq, status=Game.Status.LIVE, policy=PERSON
    )
    with transaction.atomic():
        # Nothing got updated: whoever was thought gone has moved, or the seat is taken already.
        taken = same.update(
            owner=stays.owner,
            rival="",
            seat=stays.seat,
            kind=stays.kind,
            policy=policy,
            policy_version=version,
            thinking_until=None,
            gone=stays.rival,
            # Where it names no seat a pause that has just begun is not to be undone.
            **({} if stays.terms == game.terms else {"terms": stays.terms}),
        )
        transaction.on_commit(lambda: notify.ring(game.pk, 0), robust=True)
    return bool(taken)


def goes_on(look: Callable[..., bool], game: Game, *told: object) -> bool:
    """Look after a table; one that cannot go on is seen in the log, and keeps no other waiting."""
    # A policy is foreign code, and what stands in a log may be from another time.
    try:
        return look(game, *told)
    except Exception:
        log.exception("a table cannot go on", extra={"game": game.pk})
        return False


def was_for_two(game: Game) -> bool:
    """Whether two people sat down to it; the house may have taken a seat since."""
    return game.is_pair or "rival_seat" in game.terms


def is_deserted(game: Game) -> bool:
    """Whether two people have left a table that sets no limit to anybody."""
    return was_for_two(game) and not terms_of(game).is_timed and is_quiet(game, DESERTED_S)


def is_quiet(game: Game, seconds: float) -> bool:
    """Whether nothing has happened at a table for so long."""
    since = timezone.now() - timedelta(seconds=seconds)
    if game.created_at >= since:
        return False
    return not EventRow.objects.filter(game=game.pk, created_at__gte=since).exists()
