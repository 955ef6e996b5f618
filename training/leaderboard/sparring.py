"""The site's own players in people's chairs: same goods, same terms, same rivals.

That puts people and policies on one scale. All meet the same goods with the same hidden values, and
play as they do on the live site, words and tells included.
"""

import hashlib
from collections.abc import Iterator
from functools import partial
from typing import Literal

import msgspec

from bazaarbatna.bargain.episode import start
from bazaarbatna.bargain.events import Ended
from bazaarbatna.bargain.scenario import SALE, Scenario
from negotiation.bargain import opponent
from negotiation.bargain.purchases import SUITE as BUYING
from negotiation.bargain.purchases import NewPurchase, purchase_scenario
from negotiation.bargain.scenarios import BUDGET_RULE, NewSale, scenario_of
from negotiation.bargain.shops import default_buyer
from negotiation.models import Listing
from negotiation.policies import Entry, policies, policy
from training.evaluation.plan import is_itself
from training.leaderboard.lines import store
from training.leaderboard.models import Standing
from training.leaderboard.rating import Payoff

NAME: Literal["sparring"] = "sparring"
GOODS = 24  # Goods that every pair bargains over
FIRST_SEED = 90_000  # Of the hidden values; the games of people draw theirs unguessably


class Bout(msgspec.Struct, frozen=True):
    """One game of a site's player in a person's chair; shares are 0..1, both 0 without a deal."""

    suite: str
    player: str
    rival: str
    place: int
    share: float
    rival_share: float


class Kept(msgspec.Struct, frozen=True):
    """All bouts between the present versions."""

    bouts: tuple[Bout, ...] = ()


def label(entry: Entry) -> str:
    """Name a player as the ratings of people know it: two versions are two players."""
    return f"{entry.name} {entry.version}"


def source() -> str:
    """Name everything that the bouts follow from; "" where there is nothing to bargain over."""
    goods = [(one.pk, one.list_price, one.street_price) for one in _goods()]
    if not goods:
        return ""
    players = [label(entry) for entry in (*_buyers(), *_keepers())]
    text = repr((goods, players, SALE, BUYING, FIRST_SEED, BUDGET_RULE))
    return hashlib.sha256(text.encode()).hexdigest()


def is_due() -> bool:
    """Whether there are players, or versions of them, that have not played yet."""
    known = Standing.objects.filter(pk=NAME).values_list("made_from", flat=True).first()
    return (known or "") != source()


def refresh() -> bool:
    """Play all bouts, unless that is done; takes some seconds."""
    if not is_due():
        return False
    made_from = source()
    store(NAME, Kept(tuple(_play_all())), made_from)
    return True


def payoffs() -> tuple[str, list[Payoff]]:
    """Return what both sides got in the stored bouts, and from what those were made."""
    row = Standing.objects.filter(pk=NAME).first()
    if row is None:
        return "", []
    kept = msgspec.convert(row.body, Kept)
    return row.made_from, [payoff for bout in kept.bouts for payoff in _payoffs(bout)]


def is_sparring(payoff: Payoff) -> bool:
    """Whether a payoff is of a bout of the site's players, not of a person's game."""
    return payoff.cluster.startswith(f"{NAME} ")


def _payoffs(bout: Bout) -> Iterator[Payoff]:
    mine, theirs = ("seller", "buyer") if bout.suite == SALE else ("buyer", "seller")
    luck = f"{NAME} {bout.suite} {bout.place}"
    yield Payoff(bout.player, ((bout.rival, 1.0),), f"{bout.suite} {mine}", bout.share, luck)
    yield Payoff(
        bout.rival, ((bout.player, 1.0),), f"{bout.suite} {theirs}", bout.rival_share, luck
    )


def _play_all() -> Iterator[Bout]:
    goods, keepers, sauda = _goods(), _keepers(), policy(default_buyer())
    for place, listing in enumerate(goods):
        below = partial(_fixed, FIRST_SEED + place)
        for keeper in keepers:
            sale = scenario_of(NewSale(listing=listing), below)
            yield from _bout(sale, sauda, keeper, place)
            new = NewPurchase(listing=listing, policy=keeper.name)
            purchase = purchase_scenario(new, below)
            for buyer in _buyers():
                yield from _bout(purchase, buyer, keeper, place)


def _fixed(seed: int, limit: int) -> int:
    return seed


def _bout(scenario: Scenario, buyer: Entry, seller: Entry, place: int) -> Iterator[Bout]:
    if scenario.zopa <= 0:
        return
    ended = _played(scenario, buyer, seller)
    shares = (ended.seller_share, ended.buyer_share) if ended.price is not None else (0.0, 0.0)
    names = label(seller), label(buyer)
    if scenario.suite == BUYING:
        shares, names = shares[::-1], names[::-1]
    yield Bout(scenario.suite, *names, place, *shares)


def _played(scenario: Scenario, buyer: Entry, seller: Entry) -> Ended:
    state, events = start(scenario)
    seq = len(events)
    while state.ended is None:
        mover = buyer if state.to_move == "buyer" else seller
        turn = opponent.take(state, mover.name, seq)
        assert turn is not None
        state, seq = turn.state, seq + len(turn.events)
    return state.ended


def _goods() -> list[Listing]:
    numbers = list(Listing.objects.filter(source="catalogue").order_by("pk").values_list("pk"))
    step = max(len(numbers) // GOODS, 1)
    chosen = [number for (number,) in numbers[::step][:GOODS]]
    return list(Listing.objects.filter(pk__in=chosen).order_by("pk"))


def _buyers() -> tuple[Entry, ...]:
    # Nobody is asked here who thinks long: neither "sauda:hf" and its sisters, nor trained models.
    return tuple(one for one in policies("buyer") if one.kind != "model" and is_itself(one))


def _keepers() -> tuple[Entry, ...]:
    # The families of people who answer are met as somebody drawn among them: one by one they would
    # be most of the board.
    return tuple(one for one in policies("seller") if not one.name.startswith("seller:people-"))
