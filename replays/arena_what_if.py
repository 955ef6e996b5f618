"""What-ifs of a match on its page: the form at each envelope, the answer, and the branches."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.utils.safestring import SafeString

from arena.charts.course import Course, Lane
from negotiation.bubbles import Frame
from negotiation.models import EventRow, Game
from negotiation.money import rupees_text
from replays.fork_chart import whisker
from replays.fork_difference import Difference
from replays.fork_page import Branch
from replays.fork_words import Deed, certainty, deed_of, ending, points
from replays.shelf import visible
from replays.tree import Node, tree_of

CLEAR = 0.0005
"""A mean difference below this share is told as none."""


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
    """List the envelopes of one round.

    Args:
        placed: its ``placed`` frames as a replay shows them.
        course: the match.
    """
    return tuple(
        Envelope(
            frame["seq"],
            course.lane(frame["event"]["actor"]),
            _deed_words(frame["event"]["action"], frame["event"]["price"], course.currency),
            _range_words(course.lane(frame["event"]["actor"]), frame["event"]["round"], course),
        )
        for frame in placed
    )


def what_if_of(game: Game, owner: str, course: Course) -> dict[str, Any]:
    """Gather the answer that a what-if gives, and the tree it belongs to.

    Args:
        game: a finished match.
        owner: session key of whoever reads.
        course: the match.
    """
    tree = tree_of(game, owner)
    return {
        "answer": _answer(game, owner, course),
        "branches": _branch(tree, game, course) if tree.children else None,
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
        question=f"What if {_name(course, deed)} had {_done(deed, course)} in round {deed.round}?",
        before=ending(parent, course.currency),
        before_url=f"/replays/{parent.pk}/?seq={game.forked_at_seq}",
        after=ending(game, course.currency),
        verdict=_verdict(found, course.lane(deed.side)),
        certainty=certainty(found),
        chart=whisker(found),
    )


def _verdict(found: Difference, lane: Lane) -> str:
    who = "you" if lane.you else lane.name
    if abs(found.mean) < CLEAR and found.low == found.high:
        return f"It changes nothing for {who}."
    if found.low <= 0.0 <= found.high:
        return f"On average it makes no clear difference for {who}."
    gains = ("gain" if lane.you else "gains") if found.mean > 0 else "lose" if lane.you else "loses"
    return f"On average {who} {gains} {points(abs(found.mean)).lstrip('+')} points of share by it."


def _branch(node: Node, here: Game, course: Course) -> Branch:
    game = node.game
    name, gained, query = "As it was played", "", ""
    if node.move is not None:
        deed = deed_of(node.move)
        name = f"Round {deed.round}: {_name(course, deed)}, {_done(deed, course)}"
        query = f"?seq={game.forked_at_seq}"
        if game.difference:
            gained = points(msgspec.convert(game.difference, Difference).mean)
    return Branch(
        name=name,
        url=f"/replays/{game.pk}/{query}",
        ending=ending(game, course.currency),
        points=gained,
        here=game.pk == here.pk,
        children=tuple(_branch(child, here, course) for child in node.children),
    )


def _name(course: Course, deed: Deed) -> str:
    lane = course.lane(deed.side)
    return "you" if lane.you else lane.name


def _done(deed: Deed, course: Course) -> str:
    price = None if deed.paise is None else deed.paise / 100
    return _deed_words(deed.action, price, course.currency)


def _deed_words(action: str, price: float | None, currency: str) -> str:
    match action:
        case "offer":
            return f"bid {rupees_text(price or 0.0, currency)}"
        case "accept":
            return "taken the ask"
        case "walk":
            return "left"
        case _:
            return "held"
