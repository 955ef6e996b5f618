"""What-ifs of a match on its page: the form at each envelope, the answer, and the branches."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.utils.safestring import SafeString

from arena.auction.charts.course import Course, Lane
from negotiation.bargain.web.bubbles import Frame
from negotiation.engine.quantities import to_paise
from negotiation.games.game import Difference
from negotiation.models import EventRow, Game
from negotiation.money import rupees_text
from replays.browse.shelf import visible
from replays.fork.chart import whisker
from replays.fork.text import (
    Deed,
    certainty,
    deed_of,
    done,
    ending,
    no_verdict,
    points,
    question,
)
from replays.fork.tree import branch_of, tree_of


class Envelope(msgspec.Struct, frozen=True):
    """One buyer's envelope of a round, which somebody may want to fill otherwise.

    ``may`` says what could have been bid: not less than the own standing bid, nor above the budget.
    """

    seq: int
    lane: Lane
    made: str
    may: str


class Answer(msgspec.Struct, frozen=True):
    """What a what-if of a match shows above its replay."""

    question: str
    before: str
    before_url: str
    after: str
    verdict: str
    certainty: str
    chart: SafeString


def envelopes_of(placed: Sequence[Frame], course: Course) -> tuple[Envelope, ...]:
    """List the envelopes of one round from its ``placed`` frames as a replay shows them."""
    return tuple(
        Envelope(
            frame["seq"],
            course.lane(frame["event"]["actor"]),
            done(_deed(frame["event"]), course.currency),
            _range_words(course.lane(frame["event"]["actor"]), frame["event"]["round"], course),
        )
        for frame in placed
    )


def what_if_of(game: Game, owner: str, course: Course) -> dict[str, Any]:
    """Gather the answer that a what-if of a match gives its reader ``owner``, and its tree."""

    def named(deed: Deed) -> str:
        return f"Round {deed.round}: {_name(course, deed)}, {done(deed, course.currency)}"

    tree = tree_of(game, owner)
    return {
        "answer": _answer(game, owner, course),
        "branches": branch_of(tree, game, course.currency, named) if tree.children else None,
        "branch_count": tree.size - 1,
    }


def _range_words(lane: Lane, number: int, course: Course) -> str:
    low = lane.bid_after(number - 1)
    high = rupees_text(lane.budget or 0.0, course.currency)
    if low is None:
        return f"up to {high}"
    return f"{rupees_text(low, course.currency)} to {high}"


def _answer(game: Game, owner: str, course: Course) -> Answer | None:
    if game.source != Game.Source.WHAT_IF or game.forked_at_seq is None or not game.difference:
        return None
    parent = visible(owner).filter(pk=game.parent_id).first()
    row = EventRow.objects.filter(game=game, seq=game.forked_at_seq).first()
    if parent is None or row is None:
        return None
    deed = deed_of(bytes(row.payload))
    found = msgspec.convert(game.difference, Difference)
    return Answer(
        question=question(deed, course.currency, _name(course, deed)),
        before=ending(parent, course.currency),
        before_url=f"/replays/{parent.pk}/?seq={game.forked_at_seq}",
        after=ending(game, course.currency),
        verdict=_verdict(found, course.lane(deed.side)),
        certainty=certainty(found),
        chart=whisker(found),
    )


def _verdict(found: Difference, lane: Lane) -> str:
    who = "you" if lane.you else lane.name
    gains = ("gain" if lane.you else "gains") if found.mean > 0 else "lose" if lane.you else "loses"
    return no_verdict(found, who) or (
        f"On average {who} {gains} {points(abs(found.mean)).lstrip('+')} points of share by it."
    )


def _name(course: Course, deed: Deed) -> str:
    lane = course.lane(deed.side)
    return "you" if lane.you else lane.name


def _deed(event: dict[str, Any]) -> Deed:
    price = event["price"]
    move = {"action": event["action"], "price": None if price is None else to_paise(price)}
    return Deed("placed", event["round"], move=move)
