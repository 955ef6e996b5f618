"""Matches in the test's own database, played without a server."""

from arena.auction.web import buyers, matches
from arena.auction.web.orders import PERSON, Order
from arena.models import Match
from bazaarbatna.auction.events import ArenaMove, Hold
from negotiation.models import Listing
from negotiation.policies import policy

SEED = 3


def a_listing(title: str = "Brass lamp") -> Listing:
    """Something to fight over."""
    return Listing.objects.create(
        title=title,
        category="Home",
        list_price=250_000,
        street_price=200_000,
        source="test",
        source_key=title,
    )


def a_match(*line_up: str, owner: str = "asha", seed: int | None = SEED) -> Match:
    """A match that has begun, or waits where several people are wanted."""
    wanted = line_up or ("rules:boulware", "rules:micro", "rules:smart")
    seed = None if wanted.count(PERSON) > 1 else seed
    return matches.open_match(owner, Order(listing=a_listing(), line_up=wanted, seed=seed))


def closes(match_id: str, index: int, move: ArenaMove | None = None) -> None:
    """Close one envelope: with a move, or with what the seat's policy chooses."""
    match, position = matches.current(match_id)
    seat = position.state.scenario.seats[index]
    if move is not None or seat.person:
        matches.write(match, position, index, move or Hold(), None, missed=0)
        return
    asked = buyers.Asked(position.state, index, match_id, "local")
    envelope = buyers.plain(asked, policy(seat.policy))
    matches.write(match, position, index, envelope.move, envelope.served)


def plays_round(match_id: str) -> None:
    """Close all envelopes of a round; people hold."""
    _, position = matches.current(match_id)
    for index in position.state.awaited:
        closes(match_id, index)


def plays_out(match_id: str) -> None:
    """Play to the end; people hold."""
    while matches.current(match_id)[1].state.ended is None:
        plays_round(match_id)
