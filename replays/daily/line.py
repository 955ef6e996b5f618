"""One exchange of a game of the day on its card: its player picks it, and prices are blanked."""

import msgspec
from django.utils.formats import date_format

from negotiation.sentences import sentences
from replays.finished import replay_frames
from replays.models import DailyTry
from replays.preview import lines
from replays.preview.lines import Exchange, blanked

say = sentences(__file__)

MOST = 8
"""So many of her last lines are to choose from."""


class Line(msgspec.Struct, frozen=True):
    """What Sauda said, without its numbers; ``seq`` is the number of the event."""

    seq: int
    text: str


def lines_of(own: DailyTry) -> tuple[Line, ...]:
    """List what Sauda said last in a finished game, for its player to choose from."""
    events = ((one["seq"], one["event"]) for one in replay_frames(own.game))
    said = [
        Line(seq, blanked(event["text"]))
        for seq, event in events
        if event.get("actor") == "buyer" and event.get("text")
    ]
    return tuple(said[-MOST:])


def exchange_of(own: DailyTry) -> Exchange | None:
    """Return the exchange that a player put on the card; None where there is none."""
    if own.line is None:
        return None
    title = f"{say('the_daily_haggle')}, {date_format(own.day_id, 'j F Y')}"
    return lines.exchange_of(own.game, replay_frames(own.game), own.line, title=title)
