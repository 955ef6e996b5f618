"""What a host sees of an export before it is made: who is in it, and who is left out."""

import msgspec

from negotiation.models import Game
from rooms.export.rows import Promises, games_of, members_of
from rooms.models import Member, Room, Study


class Summary(msgspec.Struct, frozen=True):
    """Counts of a room; ``has_study`` False: nobody was asked, so nothing leaves as data.

    Trial runs are counted apart: ``pilots`` and ``pilot_games`` are in no other number here.
    """

    has_study: bool
    people: int = 0
    finished: int = 0
    pilots: int = 0
    unasked: int = 0
    withdrawn: int = 0
    games: int = 0
    pilot_games: int = 0
    left_out: int = 0
    unfinished: int = 0


def summary_of(room: Room) -> Summary:
    """Count what an export would hold."""
    study = Study.objects.filter(room=room).first()
    if study is None:
        return Summary(has_study=False)
    promises = Promises(study)
    everybody = room.members.filter(consented_at__isnull=False)
    asked = everybody.filter(is_pilot=False)
    games = pilot_games = left_out = unfinished = 0
    for in_room in games_of(room).iterator(chunk_size=1000):
        if in_room.game.status != Game.Status.ENDED:
            unfinished += 1
        elif promises.has_game(in_room):
            is_pilot = any(member.is_pilot for member in members_of(in_room))
            pilot_games += is_pilot
            games += not is_pilot
        else:
            left_out += 1
    return Summary(
        has_study=True,
        people=asked.count(),
        finished=asked.filter(
            finished_at__isnull=False, end__in=("", Member.End.FINISHED), withdrawn_at=None
        ).count(),
        pilots=everybody.filter(is_pilot=True).count(),
        unasked=room.members.filter(consented_at__isnull=True).count(),
        withdrawn=asked.filter(withdrawn_at__isnull=False).count(),
        games=games,
        pilot_games=pilot_games,
        left_out=left_out,
        unfinished=unfinished,
    )
