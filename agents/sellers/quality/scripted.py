"""Scripted buyers against the sellers of ``/buy/``: how much of the zone each takes from each.

A buyer names shares of the opening ask and takes an ask as soon as its next bid would reach it, and
the last one in the last round; one that insists names a last price of its own there instead.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from statistics import fmean

import msgspec
from rich.table import Table

from bazaarbatna.bargain.episode import apply, start
from bazaarbatna.bargain.moves import Accept, Move, Offer
from bazaarbatna.bargain.observe import BuyerObservation, observe_buyer, observe_seller
from bazaarbatna.bargain.quantities import Paise, clamp_price
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues
from bazaarbatna.intervals import Interval, mean_interval
from negotiation.bargain.purchases import SUITE, draw_cost, suggested_budget
from negotiation.bargain.scenarios import MAX_ROUNDS, RESERVATION_MARGIN, whole_rupees
from negotiation.bargain.shops import open_shops
from negotiation.catalogue.stock import read_stock
from negotiation.policies import policy

Bid = Callable[[BuyerObservation], float]
"""Return the next bid as a share of the opening ask."""


class Script(msgspec.Struct, frozen=True):
    """One scripted buyer; ``insists``: it never takes an ask that its own bid does not reach."""

    name: str
    bid: Bid
    insists: bool = False

    def act(self, seen: BuyerObservation) -> Move:
        """Name the next price, or take the ask."""
        ask, anchor = seen.standing_ask, seen.asks[0]
        least = seen.own_last_bid or Paise(1)
        bid = clamp_price(self.bid(seen) * anchor, low=least, high=max(seen.budget, least))
        is_last = seen.round >= seen.max_rounds and not self.insists
        return Accept() if ask <= seen.budget and (bid >= ask or is_last) else Offer(bid)


def _climb(first: float, step: float) -> Bid:
    return lambda seen: first + step * len(seen.bids)


def _rupees(first: float, rupees: int) -> Bid:
    return lambda seen: first + 100 * rupees * len(seen.bids) / seen.asks[0]


def _jump(first: float, last: float, before: int = 0) -> Bid:
    """Stand, and jump so many rounds before the last one."""
    return lambda seen: last if seen.round >= seen.max_rounds - before else first


def _gap(first: float, share: float) -> Bid:
    """Come up by a share of the gap each time."""

    def bid(seen: BuyerObservation) -> float:
        last = seen.own_last_bid
        return first if last is None else (last + share * (seen.standing_ask - last)) / seen.asks[0]

    return bid


def _mirror(first: float) -> Bid:
    """Give the step that the seller gave."""

    def bid(seen: BuyerObservation) -> float:
        last = seen.own_last_bid
        if last is None:
            return first
        return (last + seen.asks[-2] - seen.asks[-1]) / seen.asks[0]

    return bid


FAIR = ("fair: 65 %, then +3 %", "fair: 60 %, then a fifth of the gap")
"""Buyers who bargain as people should; it has to pay."""

SCRIPTS: tuple[Script, ...] = (
    Script("50 % and stand", _climb(0.5, 0)),
    Script("60 % and stand", _climb(0.6, 0)),
    Script("70 % and stand", _climb(0.7, 0)),
    Script("50 %, +1 rupee", _rupees(0.5, 1)),
    Script("60 %, +1 rupee", _rupees(0.6, 1)),
    Script("50 %, +0.4 %", _climb(0.5, 0.004)),
    Script("50 %, +2 %", _climb(0.5, 0.02)),
    Script("40 %, +2.5 %", _climb(0.4, 0.025)),
    Script("60 %, +1 %", _climb(0.6, 0.01)),
    Script("60 %, +2 %", _climb(0.6, 0.02)),
    Script("low: 20 %, +6 %", _climb(0.2, 0.06)),
    Script("half the gap each time", _gap(0.5, 0.5)),
    Script("always the middle", _gap(0.0, 0.5)),
    Script("step for step", _mirror(0.55)),
    Script("65 % in the last round", _jump(0.5, 0.65), insists=True),
    Script("70 % in the last round", _jump(0.5, 0.7), insists=True),
    Script("75 % in the last round", _jump(0.5, 0.75), insists=True),
    Script("70 % one round before the last", _jump(0.5, 0.7, 1)),
    Script("70 % and insists", _climb(0.7, 0), insists=True),
    Script("75 % and insists", _climb(0.75, 0), insists=True),
    Script("62 %, +1 %, insists", _climb(0.62, 0.01), insists=True),
    Script("55 %, +2 %, insists", _climb(0.55, 0.02), insists=True),
    Script("50 %, +3 %, insists", _climb(0.5, 0.03), insists=True),
    Script(FAIR[0], _climb(0.65, 0.03)),
    Script(FAIR[1], _gap(0.6, 0.2)),
)


ABREAST = 5
"""Sellers in one table."""


class Taken(msgspec.Struct, frozen=True):
    """What one script takes from one seller, over games with a zone; no deal counts as nothing."""

    script: str
    seller: str
    share: Interval
    deals: float
    rounds: float


def purchases(persona: str, games: int, seed: int) -> list[Scenario]:
    """Draw games with a zone as ``/buy/`` draws them, with the budget that it suggests."""
    goods = [(shelf.category, entry) for shelf in read_stock() for entry in shelf.listing]
    dice, found = Random(f"scripted:{seed}"), list[Scenario]()
    while len(found) < games:
        (category, entry), sealed_seed = dice.choice(goods), dice.randrange(2**53)
        asking = Paise(100 * entry.list)
        cost, budget = draw_cost(sealed_seed, 100 * entry.street), suggested_budget(asking)
        reservation = min(whole_rupees(RESERVATION_MARGIN * cost), asking)
        if reservation < budget:
            sealed = SealedValues(reservation, min(cost, reservation), budget, sealed_seed, persona)
            item = Item(entry.title, category, entry.text, entry.condition)
            found.append(Scenario(SUITE, item, MAX_ROUNDS, asking, sealed, f"{len(found)}"))
    return found


def sellers_on_site() -> tuple[str, ...]:
    """List the policies that sell on ``/buy/``."""
    return tuple(shop.policy for shop in open_shops())


def measure(
    sellers: Sequence[str], games: int, seed: int, scripts: Sequence[Script] = SCRIPTS
) -> list[Taken]:
    """Let each script buy the same goods from each seller."""
    return [_taken(script, seller, games, seed) for seller in sellers for script in scripts]


def _taken(script: Script, seller: str, games: int, seed: int) -> Taken:
    persona = seller.removeprefix("seller:")
    ends = [_play(one, script, seller) for one in purchases(persona, games, seed)]
    shares = [share for share, _, _ in ends]
    return Taken(
        script.name,
        seller,
        mean_interval(shares, seed),
        fmean(is_deal for _, is_deal, _ in ends),
        fmean(rounds for _, _, rounds in ends),
    )


def _play(scenario: Scenario, script: Script, seller: str) -> tuple[float, bool, int]:
    player = policy(seller).make(scenario.sealed.seed)
    state, _ = start(scenario)
    while state.ended is None:
        if state.to_move == "buyer":
            state, _ = apply(state, "buyer", script.act(observe_buyer(state)))
        else:
            state, _ = apply(state, "seller", player.decide(observe_seller(state)))
    ended = state.ended
    is_deal = ended.price is not None
    return (ended.buyer_share if is_deal else 0.0), is_deal, ended.round


def best_of(taken: Sequence[Taken], seller: str) -> Taken:
    """Return what the best script takes from a seller."""
    return max((one for one in taken if one.seller == seller), key=lambda one: one.share.mean)


def scripts_tables(taken: Sequence[Taken], games: int, seed: int) -> Iterator[Table]:
    """Draw share of the zone with its interval, and deals, by seller and script."""
    sellers = list(dict.fromkeys(one.seller for one in taken))
    title = f"Scripted buyers: {games} games with a zone each, seed {seed}"
    for first in range(0, len(sellers), ABREAST):
        some = sellers[first : first + ABREAST]
        yield _table(title, [one for one in taken if one.seller in some], some)


def _table(title: str, taken: Sequence[Taken], sellers: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("buyer")
    for seller in sellers:
        table.add_column(seller.removeprefix("seller:"), justify="right")
    for script in dict.fromkeys(one.script for one in taken):
        row = [one for one in taken if one.script == script]
        table.add_row(script, *map(_cell, row))
    table.add_section()
    table.add_row("the best", *(_cell(best_of(taken, seller)) for seller in sellers))
    return table


def _cell(one: Taken) -> str:
    share = one.share
    return f"{share.mean:.2f} ({share.low:.2f} to {share.high:.2f}), {one.deals:.0%}"
