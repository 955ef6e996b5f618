"""Which games of people count for the board, and what their players got out of them.

A game counts when nothing about it was the player's choice: suggested goods and prices, hidden
values of the site, rivals that the site set. Everything else could be arranged until it flatters.
"""

import msgspec

from arena.auction.web.game import AUCTION
from arena.auction.web.records import event_from
from arena.models import MatchSeat
from bazaarbatna.auction.events import Ended
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.marking import gettext_noop
from negotiation.bargain.purchases import NewPurchase, purchase_scenario
from negotiation.bargain.scenarios import NewSale, scenario_of, stored_scenario
from negotiation.errors import BadSale
from negotiation.models import EventRow, Game, Listing
from negotiation.policies import UnknownPolicy

ARENA = "arena"

REASONS: dict[str, str] = {
    "own-terms": gettext_noop("with your own goods or prices"),
    "own-match": gettext_noop("in a match that somebody set up"),
    "company": gettext_noop("with another person at the table"),
    "own-table": gettext_noop("at a table with rules of its own"),
    "daily": gettext_noop("of the day, which have a table of their own"),
    "challenge": gettext_noop("with the cards of a friend, who may have told what she held"),
    "no-zone": gettext_noop("where no price suited both sides"),
}
"""Why a game does not count: the code that is stored, and the words for its player."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What the board keeps of a person's game; without a ``why_not`` (of ``REASONS``) it counts.

    ``table`` names task and seat, ``rivals`` who sat opposite, by policy and version, with weights.
    Shares are 0..1 of the zone: the person's, and the site's (None where it is not asked).
    """

    why_not: str = ""
    table: str = ""
    rivals: tuple[tuple[str, float], ...] = ()
    share: float | None = None
    rival_share: float | None = None


def result_of(game: Game, owner: str) -> Result:
    """Judge a game of the session ``owner``.

    One left lying counts as left: nobody got anything, zone or none, as it can still be played on.
    """
    return _match(game, owner) if game.kind == ARENA else _haggle(game)


def seat_of(table: str) -> str:
    """Name the seat of a table, "buyer" or "seller".

    >>> seat_of("sell@1 seller")
    'seller'
    """
    return table.split()[1]


def _haggle(game: Game) -> Result:
    if game.is_daily:
        return Result(why_not="daily")
    if game.is_pair or game.terms:
        return Result(why_not="own-table")
    if game.is_challenge:
        return Result(why_not="challenge")
    scenario, is_over = stored_scenario(game), game.status == Game.Status.ENDED
    if game.listing is None or not _is_as_suggested(game, game.listing, scenario):
        return Result(why_not="own-terms")
    if is_over and scenario.zopa <= 0:
        return Result(why_not="no-zone")
    mine, theirs = game.seller_share or 0.0, game.buyer_share or 0.0
    if game.seat == Game.Seat.BUYER:
        mine, theirs = theirs, mine
    return Result(
        table=f"{game.suite} {game.seat}",
        rivals=((f"{game.policy} {game.policy_version}", 1.0),),
        share=mine,
        # Who left lies with the person alone.
        rival_share=theirs if is_over else None,
    )


def _is_as_suggested(game: Game, listing: Listing, played: Scenario) -> bool:
    seed, has_zone, budget = played.sealed.seed, game.zone_promised, played.sealed.budget
    try:
        if game.seat == Game.Seat.BUYER:
            usual = purchase_scenario(
                NewPurchase(listing=listing, policy=game.policy),
                lambda _: seed,
                has_zone=has_zone,
            )
        else:
            sale = NewSale(listing=listing, policy=game.policy)
            usual = scenario_of(sale, lambda _: seed, has_zone=has_zone)
            # No seller chooses it, and older rules drew another one.
            sealed = msgspec.structs.replace(usual.sealed, budget=budget)
            usual = msgspec.structs.replace(usual, sealed=sealed)
    except (UnknownPolicy, BadSale):
        return False
    return (usual.item, usual.anchor, usual.sealed) == (played.item, played.anchor, played.sealed)


def _match(game: Game, owner: str) -> Result:
    chairs = list(MatchSeat.objects.filter(match=game.pk).select_related("match"))
    people = [chair for chair in chairs if chair.owner]
    if not chairs or not chairs[0].match.exhibition:
        return Result(why_not="own-match")
    if len(people) != 1 or people[0].owner != owner:
        return Result(why_not="company")
    scenario, seat = AUCTION.scenario_of(game.pk), people[0].index
    if scenario.sealed.budgets[seat] <= scenario.sealed.reservation:
        return Result(why_not="no-zone")
    others = [chair for chair in scenario.seats if not chair.person]
    rivals = tuple((f"{chair.policy} {chair.version}", 1 / len(others)) for chair in others)
    return Result(
        table=f"{game.suite} buyer of {len(scenario.seats)}",
        rivals=((scenario.seller, 1.0), *rivals),
        share=_share_in_match(game, seat),
    )


def _share_in_match(game: Game, seat: int) -> float:
    last = EventRow.objects.filter(game=game.pk).order_by("-seq").first()
    ended = event_from(last.payload) if last else None
    return ended.shares[seat] if isinstance(ended, Ended) and ended.shares else 0.0
