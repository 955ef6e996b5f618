"""What a person thought of the lines that were said to them: a thumb up or down, after the end.

Thumbs stand beside the log and never in it: a published log is the same bytes with and without.
"""

from typing import Literal, get_args

import msgspec

from bazaarbatna.bargain.quantities import Side, other
from negotiation.bargain import sessions
from negotiation.errors import NotOver, UnknownGame, UnknownLine, UnknownThumb
from negotiation.games.event_log import from_payload
from negotiation.models import EventRow, Game, LineThumb
from negotiation.sentences import sentences

say = sentences(__file__)

Thumb = Literal["up", "down"]
THUMBS: dict[str, Thumb] = {name: name for name in get_args(Thumb)}

TAKEN_BACK = "none"
"""Asks to forget the thumb of a line."""

SPOKEN = ("offer", "accept", "walk", "message")
"""Kinds of events that carry words of a side."""


class Rating(msgspec.Struct, frozen=True):
    """A thumb as it is asked for; None takes it back."""

    seq: int
    thumb: Thumb | None


def read_rating(seq: int, thumb: str) -> Rating:
    """Read "up", "down" or "none" for the line of event ``seq``, or raise UnknownThumb."""
    if thumb == TAKEN_BACK:
        return Rating(seq, None)
    if thumb not in THUMBS:
        if not thumb:
            raise UnknownThumb(say("a_thumb_is_up_down_or"))
        raise UnknownThumb(say("a_thumb_is_up_down_or_2", said=thumb[:20]))
    return Rating(seq, THUMBS[thumb])


def rate(game_id: str, owner: str, rating: Rating, kind: str = "") -> None:
    """Keep, change or take back the thumb of one line; the same twice is the same once.

    Raises:
        UnknownGame: not a game that this visitor played here.
        NotOver: the game goes on.
        UnknownLine: the other side said nothing under that number.
    """
    game = sessions.owned_game(game_id, owner, kind)
    if game.source != Game.Source.PERSON or game.is_pair:
        raise UnknownGame(say("not_played"))
    if game.status != Game.Status.ENDED:
        raise NotOver
    if not _is_line(game, rating.seq):
        raise UnknownLine
    if rating.thumb is None:
        LineThumb.objects.filter(game=game, seq=rating.seq, rater=owner).delete()
        return
    row = LineThumb(game=game, seq=rating.seq, rater=owner, thumb=rating.thumb)
    # One statement: of two clicks at once the later one counts, and neither fails.
    LineThumb.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["game", "seq", "rater"],
        update_fields=["thumb", "rated_at"],
    )


def thumbs_of(game: Game) -> dict[int, Thumb] | None:
    """Return the player's thumbs by line, none before the end; None where no person played."""
    if game.source != Game.Source.PERSON or game.is_pair:
        return None
    if game.status != Game.Status.ENDED:
        return {}
    rows = LineThumb.objects.filter(game=game.pk, rater=game.owner).order_by("seq")
    return {seq: THUMBS[thumb] for seq, thumb in rows.values_list("seq", "thumb")}


def is_spoken_by(kind: str, actor: str | None, text: str, side: Side) -> bool:
    """Whether an event is a line with words of a side."""
    return kind in SPOKEN and actor == side and bool(text.strip())


def _is_line(game: Game, seq: int) -> bool:
    row = EventRow.objects.filter(game=game.pk, seq=seq, kind__in=SPOKEN).first()
    if row is None:
        return False
    event = from_payload(row.payload)
    actor, text = getattr(event, "actor", None), getattr(event, "text", "")
    return is_spoken_by(row.kind, actor, text, other(sessions.side_of(game)))
