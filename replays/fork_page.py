"""What the replay page shows of what-ifs: the form at each move, the answer, and the tree."""

from typing import Any

import msgspec
from django.utils.safestring import SafeString

from negotiation.engine.errors import BrokenLog
from negotiation.engine.quantities import to_rupees
from negotiation.models import EventRow, Game
from negotiation.seats import Cast, replay_cast
from negotiation.templatetags.money import share
from negotiation.visibility import frames as wire_frames
from replays.fork_chart import whisker
from replays.fork_difference import Difference
from replays.fork_form import questions_of
from replays.fork_words import (
    branch,
    certainty,
    deed_of,
    ending,
    played_on_by,
    points,
    question,
    verdict,
)
from replays.forking import KINDS
from replays.recorded import Record, record_of
from replays.shelf import visible
from replays.tree import Node, tree_of

Frame = dict[str, Any]


NESTED = 5
"""Levels of the tree that are drawn as levels; what lies deeper stands side by side."""


class Outcome(msgspec.Struct, frozen=True):
    """One of two games side by side; ``price`` in rupees, ``share`` is the mover's as text."""

    title: str
    url: str
    ending: str
    price: float | None
    share: str
    here: bool = False


class Answer(msgspec.Struct, frozen=True):
    """What a what-if shows above its replay."""

    question: str
    who: str
    outcomes: tuple[Outcome, ...]
    players: str
    verdict: str
    certainty: str
    chart: SafeString


class Branch(msgspec.Struct, frozen=True):
    """One line of the tree; ``points`` is the mean change for the mover, "" at the root."""

    name: str
    url: str
    ending: str
    points: str
    here: bool
    children: tuple["Branch", ...]


def what_if_context(
    game: Game, owner: str, attempt: tuple[int, str] | None = None
) -> dict[str, Any]:
    """Give the replay page what it shows of what-ifs.

    Args:
        game: a finished game of two sides.
        owner: session key of whoever reads.
        attempt: number of a move and the price to try there.
    """
    if game.kind not in KINDS:
        return {"questions": {}}
    record, cast = record_of(game), replay_cast(game)
    try:
        questions = questions_of(record, cast, attempt)
    except BrokenLog:
        # Played by rules that are gone: it can be looked at, not played on.
        return {"questions": {}}
    currency = record.setting.item.currency
    tree = tree_of(game, owner)
    parent = _parent(game, owner)
    answer = None
    if parent is not None:
        answer = _answer(game, record, parent, tree.game, owner)
    return {
        "questions": questions,
        "answer": answer,
        "ghost": wire_frames(parent, "replay") if parent is not None else None,
        "branches": _branch(tree, game, cast, currency) if tree.children else None,
        "branch_count": tree.size - 1,
    }


def _parent(game: Game, owner: str) -> Game | None:
    if game.source != Game.Source.WHAT_IF or game.parent_id is None:
        return None
    return visible(owner).filter(pk=game.parent_id).first()


def _answer(game: Game, record: Record, parent: Game, root: Game, owner: str) -> Answer:
    currency = record.setting.item.currency
    cast, seq = replay_cast(game), game.forked_at_seq or 1
    deed = deed_of(bytes(EventRow.objects.get(game=game, seq=seq).payload))
    found = msgspec.convert(game.difference, Difference)
    is_you = bool(owner) and root.owner == owner and _seat_of_person(root) == deed.side
    return Answer(
        question=question(deed, currency, cast, you=is_you),
        who=cast.name(found.side),
        outcomes=(
            _outcome("As it was", parent, f"?seq={seq}", found.side, currency),
            _outcome("What if", game, f"?seq={seq}", found.side, currency, here=True),
        ),
        players=played_on_by(record, cast),
        verdict=verdict(found, cast, record.setting.zopa, currency),
        certainty=certainty(found),
        chart=whisker(found),
    )


def _seat_of_person(game: Game) -> str:
    return str(game.seat) if game.source == Game.Source.PERSON else ""


def _outcome(
    title: str, game: Game, query: str, side: str, currency: str, *, here: bool = False
) -> Outcome:
    part = game.seller_share if side == "seller" else game.buyer_share
    return Outcome(
        title=title,
        url=f"/replays/{game.pk}/{query}",
        ending=ending(game, currency),
        price=None if game.deal_price is None else to_rupees(game.deal_price),
        share=share(part or 0.0),
        here=here,
    )


def _branch(node: Node, here: Game, cast: Cast, currency: str, level: int = 0) -> Branch:
    game = node.game
    name, gained, query = "As it was played", "", ""
    if node.move is not None:
        name = branch(deed_of(node.move), currency, cast)
        gained = points(msgspec.convert(game.difference, Difference).mean)
        query = f"?seq={game.forked_at_seq}"
    below = node.children if level < NESTED else ()
    if level == NESTED - 1:
        below = tuple(one for child in node.children for one in child.flat())
    return Branch(
        name=name,
        url=f"/replays/{game.pk}/{query}",
        ending=ending(game, currency),
        points=gained,
        here=game.pk == here.pk,
        children=tuple(_branch(child, here, cast, currency, level + 1) for child in below),
    )
