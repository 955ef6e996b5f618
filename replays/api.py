"""Finished games over HTTP: pages of them, and what-ifs."""

from typing import Annotated, Any, Self

from django.http import Http404, HttpRequest, HttpResponse
from ninja import Query, Router, Schema, Status
from pydantic import Field, model_validator

from bazaarbatna.bargain.quantities import to_paise, to_rupees
from negotiation.errors import UnknownGame
from negotiation.games.bodies import Body
from negotiation.games.fork import fork
from negotiation.games.game import Choice, Told
from negotiation.games.visitors import visitor
from negotiation.limits import request_key, spend
from negotiation.models import Game
from replays.browse.shelf import Filters, Shelf, browse
from replays.finished import finished
from replays.fork.forms import Action
from replays.vouching import vouched

router = Router()

Price = Annotated[float, Field(allow_inf_nan=False)]
Words = Annotated[str, Field(max_length=200)]


class ForkIn(Body):
    """Another move at event ``seq``.

    An ``action``, with a ``price`` in rupees for an offer; or the ``move`` of a game of turns.
    """

    seq: Annotated[int, Field(ge=1, lt=2**31)]
    action: Action | None = None
    price: Price | None = None
    move: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _says_what(self) -> Self:
        if (self.action is None) == (self.move is None):
            raise ValueError("Say either the action or, in a game of turns, the move.")
        return self

    def choice(self) -> Choice:
        """Turn the request into a choice; raises ``InvalidPrice``."""
        if self.move is not None:
            return Told("move", move=self.move)
        assert self.action is not None
        return Choice(self.action, None if self.price is None else to_paise(self.price))


class ReplayQuery(Schema):
    """Which replays to list; ``after`` and ``before`` are cursors."""

    q: Words = ""
    outcome: Words = ""
    suite: Words = ""
    policy: Words = ""
    persona: Words = ""
    source: Words = ""
    sort: Words = "newest"
    mine: bool = False
    after: Annotated[str, Field(max_length=1000)] = ""
    before: Annotated[str, Field(max_length=1000)] = ""

    def filters(self) -> Filters:
        """Turn the request into filters."""
        return Filters(self.q.strip(), **self.dict(exclude={"q", "after", "before"}))


@router.get("replays/")
def list_replays(request: HttpRequest, wanted: Query[ReplayQuery]) -> dict[str, Any]:
    """List finished games that the visitor may open, a page at a time."""
    shelf = browse(visitor(request), wanted.filters(), older=wanted.after, newer=wanted.before)
    return _page(shelf)


@router.post("replays/{game_id}/fork/", response={201: dict[str, Any]})
def fork_replay(
    request: HttpRequest, response: HttpResponse, game_id: str, wanted: ForkIn
) -> Status[dict[str, Any]]:
    """Put another move into a finished game; the same question has the same answer."""
    client = request_key(request)
    spend("forks", client)
    try:
        game = finished(request, game_id)
    except Http404:
        raise UnknownGame from None
    child = fork(game, wanted.seq, wanted.choice(), visitor(request), client=client)
    response["Location"] = f"/replays/{child.pk}/"
    return Status(201, _forked(child))


def _forked(child: Game) -> dict[str, Any]:
    return {
        "id": child.pk,
        "url": f"/replays/{child.pk}/?seq={child.forked_at_seq}",
        "parent": child.parent_id,
        "seq": child.forked_at_seq,
        "outcome": child.outcome,
        "price": None if child.deal_price is None else to_rupees(child.deal_price),
        "difference": child.difference,
    }


def _page(shelf: Shelf) -> dict[str, Any]:
    return {
        "results": [_row(game) for game in shelf.games],
        "total": shelf.total,
        "counted": shelf.is_counted,
        "next": shelf.older,
        "previous": shelf.newer,
    }


def _row(game: Game) -> dict[str, Any]:
    return {
        "id": game.pk,
        "url": f"/replays/{game.pk}/",
        "title": game.title,
        "category": game.category,
        "kind": game.kind,
        "source": game.source,
        "words": vouched(game).told,
        "suite": game.suite,
        "policy": game.policy,
        "persona": game.persona,
        "outcome": game.outcome,
        "price": None if game.deal_price is None else to_rupees(game.deal_price),
        "buyer_share": game.buyer_share,
        "seller_share": game.seller_share,
        "rounds": game.rounds_used,
        "parent": game.parent_id,
        "ended_at": game.ended_at.isoformat() if game.ended_at else None,
    }
