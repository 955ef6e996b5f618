"""Surfaces of several at one table: a match with sealed envelopes, and a GPU market with labs."""

from collections.abc import Sequence
from typing import Any
from unittest import mock

import msgspec

from arena.auction.web import matches, watching
from arena.auction.web.orders import Order
from arena.gpu_market.web import matches as markets
from arena.gpu_market.web import watching as market_watching
from arena.gpu_market.web.orders import Order as MarketOrder
from bazaarbatna.auction.events import Bid
from bazaarbatna.auction.making import make_match
from bazaarbatna.auction.scenario import ArenaScenario
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.sealed import commitment
from bazaarbatna.market.making import make_market
from bazaarbatna.market.scenario import MarketScenario
from negotiation.models import EventRow
from tests.support.oracle.bargains import goods, visitors
from tests.support.oracle.worlds import World, public_log
from tests.support.tables import closes
from tests.support.visitors import key_of

RIVALS = ("rules:boulware", "rules:micro", "rules:smart")

Sealed = dict[str, Any]


def an_envelope(price: int) -> World:
    """A match with Asha at the table; a rival's envelope of this round is closed, and says this."""
    return _match({}, (Paise(110_000), Paise(price)))


def a_match(sealed: Sealed) -> World:
    """A match with Asha at the table: the others' limits, and the seller's, are sealed from her."""
    return _match(sealed, (Paise(110_000), Paise(118_000)))


def _match(sealed: Sealed, bids: Sequence[Paise]) -> World:
    people = visitors()
    listing = goods()

    def made(*given: Any, **named: Any) -> ArenaScenario:
        scenario = make_match(*given, **named)
        own = scenario.sealed.budgets[0]
        changed = dict(sealed)
        if "budgets" in changed:
            changed["budgets"] = (own, *changed["budgets"])
        plain = {"budgets": (own, 140_000, 150_000, 160_000), "reservation": 130_000}
        sealed_now = msgspec.structs.replace(
            scenario.sealed, **{**plain, "cost": 120_000, **changed}
        )
        return msgspec.structs.replace(scenario, sealed=sealed_now)

    with mock.patch.object(matches, "make_match", made):
        order = Order(listing=listing, line_up=("person", *RIVALS), persona="default", seed=77)
        match = matches.open_match(key_of(people["asha"]), order)
    scenario = matches.current(match.pk)[1].state.scenario
    closes(match.pk, 0, Bid(Paise(100_000), "1000"))
    for index in (1, 2, 3):
        closes(match.pk, index, Bid(Paise(bids[0] + 100 * index)))
    opened = public_log(match.pk)
    # The second round: rivals have closed their envelopes, Asha has not.
    for index in (1, 2):
        if matches.current(match.pk)[1].state.ended is None:
            closes(match.pk, index, Bid(Paise(bids[1] + 100 * index), f"at most {bids[1]}"))
    EventRow.objects.exclude(latency_ms=None).update(latency_ms=5)
    wants = [(place, html) for place in (0, None) for html in ("", "en-in", "hi")]
    told = {}
    for want in wants:
        scene, batches = watching.look(match.pk, [want], {})
        shown = msgspec.structs.replace(scene, viewers={})
        told[f"socket {want}"] = f"{shown} {list(batches.values())}"
    return World(
        people=people,
        things={"match": match.pk},
        public=opened,
        promises=(commitment(scenario.sealed, scenario.salt),),
        extra=told,
    )


LIMITS: tuple[Sealed, ...] = (
    {},
    {"budgets": (140_100, 149_000, 161_000)},
    {"budgets": (199_000, 199_000, 199_000)},
    {"budgets": (131_000, 131_000, 131_000), "cost": 110_000},
)
"""The rivals bid what they bid in all of them; the seller does not know their budgets."""

FLOORS: tuple[Sealed, ...] = tuple(
    {"reservation": price} for price in (130_000, 130_100, 129_900, 131_000, 128_000, 125_000)
)
ENVELOPES = (118_000, 118_100, 112_000, 126_000)


def a_market(change: str) -> World:
    """A market in which Asha plays a lab and is to act: the others' work and money are sealed."""
    people = visitors()
    goods()

    def made(*given: Any, **named: Any) -> MarketScenario:
        return _changed(make_market(*given, **named), change)

    with mock.patch("arena.gpu_market.web.orders.make_market", made):
        order = MarketOrder(task="market_round", seed=8, policy="you", others="rule_expert")
        match = markets.open_match(key_of(people["asha"]), order)
    position = markets.position_of(match.game)
    scenario = position.state.scenario
    told = {}
    for html in ("", "en-in"):
        scene, batches = market_watching.look(match.pk, [(0, html)], {})
        told[f"socket {html}"] = f"{scene.standing} {scene.you} {list(batches.values())}"
    return World(
        people=people,
        things={"market": match.pk},
        public="nobody has acted",
        promises=(commitment(scenario.sealed, scenario.salt),),
        extra=told,
    )


CHANGES = ("", "worth", "budgets", "luck", "shocks", "surge")


def _changed(scenario: MarketScenario, change: str) -> MarketScenario:
    sealed = scenario.sealed
    new: Sealed = {}
    match change:
        case "worth":
            theirs = tuple(
                tuple(_worth(job, 2) for job in jobs) if lab else jobs
                for lab, jobs in enumerate(sealed.jobs)
            )
            new = {"jobs": theirs}
        case "budgets":
            # Within the band that everybody is told.
            new = {"budgets": tuple(b + (1 if lab else 0) for lab, b in enumerate(sealed.budgets))}
        case "luck":
            new = {"seed": sealed.seed + 1}
        case "shocks":
            new = {"shocks": sealed.shocks[:-1]}
        case "surge":
            new = {"surge": tuple(_worth(job, 3) for job in sealed.surge)}
    return msgspec.structs.replace(scenario, sealed=msgspec.structs.replace(sealed, **new))


def _worth(job: Any, times: int) -> Any:
    return msgspec.structs.replace(job, base_value=job.base_value * times)
