"""The same cards once more: practice for who has played them, and it counts nowhere."""

import secrets

import msgspec
from django.db import transaction

from negotiation.bargain.continuation import Crossroads
from negotiation.bargain.recorded import record_of_rows
from negotiation.bargain.scenarios import stored_scenario
from negotiation.bargain.sessions import open_dealt, side_of
from negotiation.bargain.terms import terms_of
from negotiation.errors import NoMoveHere, UnknownGame
from negotiation.models import EventRow, Game
from negotiation.sentences import sentences

say = sentences(__file__)


def open_rematch(owner: str, first: Game, *, client: str = "", before: int = 0) -> Game:
    """Open a finished game of this visitor again: same goods, sealed values and luck, a new seal.

    With ``before``, the number of an own move in its log, the game goes on there: all that came
    before that move has happened.

    Raises:
        UnknownGame: the game is somebody else's or goes on; it would be an oracle.
        NoMoveHere: event ``before`` is no move of this visitor.
    """
    if not owner or first.owner != owner or first.source != Game.Source.PERSON:
        raise UnknownGame
    if first.is_pair or (first.terms and not first.is_daily):
        raise UnknownGame
    if first.status != Game.Status.ENDED:
        raise UnknownGame(say("this_game_goes_on_the_same"))
    scenario = msgspec.structs.replace(stored_scenario(first), salt=secrets.token_hex(16))
    rows = _log_before(first, before) if before else []
    with transaction.atomic():
        again = open_dealt(
            owner,
            scenario,
            first.policy,
            client=client,
            kind=first.kind,
            seat=first.seat,
            # Of a game of the day: nobody looks on at its cards in a second game either.
            suite=first.suite,
            listing=first.listing,
            zone_promised=first.zone_promised,
            terms=terms_of(first),
            rematch_of=first.rematch_of or first,
        )
        if rows:
            begun = again.last_seq
            for row in rows[begun:]:
                row.pk, row.game = None, again
            EventRow.objects.bulk_create(rows[begun:])
            again.last_seq, again.forked_at_seq = max(len(rows), begun), before
            again.save(update_fields=["last_seq", "forked_at_seq"])
    return again


def _log_before(game: Game, seq: int) -> list[EventRow]:
    """Return the events before one's own move, or raise NoMoveHere."""
    rows = list(EventRow.objects.filter(game=game.pk).order_by("seq"))
    if Crossroads(record_of_rows(game, rows), seq).side != side_of(game):
        raise NoMoveHere
    return rows[: seq - 1]
