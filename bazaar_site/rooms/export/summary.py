"""What a host sees of an export before it is made: who is in it, and who is left out."""

import msgspec

from bazaar_site.rooms.export.rows import games_of, promise_of
from bazaar_site.rooms.models import Room, Study
from negotiation.models import Game


class Summary(msgspec.Struct, frozen=True):
    """Counts of a room; ``has_study`` False: nobody was asked, so nothing leaves as data."""

    has_study: bool
    people: int = 0
    finished: int = 0
    pilots: int = 0
    unasked: int = 0
    withdrawn: int = 0
    games: int = 0
    left_out: int = 0
    unfinished: int = 0


def summary_of(room: Room) -> Summary:
    """Count what an export would hold."""
    study = Study.objects.filter(room=room).first()
    if study is None:
        return Summary(has_study=False)
    promise = promise_of(study)
    asked = room.members.filter(consented_at__isnull=False)
    games = left_out = unfinished = 0
    for in_room in games_of(room).iterator(chunk_size=1000):
        if in_room.game.status != Game.Status.ENDED:
            unfinished += 1
        elif promise.has_game(in_room):
            games += 1
        else:
            left_out += 1
    return Summary(
        has_study=True,
        people=asked.count(),
        finished=asked.filter(finished_at__isnull=False).count(),
        pilots=asked.filter(is_pilot=True).count(),
        unasked=room.members.filter(consented_at__isnull=True).count(),
        withdrawn=asked.filter(withdrawn_at__isnull=False).count(),
        games=games,
        left_out=left_out,
        unfinished=unfinished,
    )
