"""Offers: which one to accept, and which to make at what price."""

import msgspec

from arena.gpu_market.engine.actions import MarketAction
from arena.gpu_market.engine.agreements import Offer
from arena.gpu_market.engine.archetypes import MONEY, PRICE_OF_BLOCK, WORTH_OF_BLOCK
from arena.gpu_market.engine.quantities import Cents
from arena.gpu_market.policies.belief import (
    CASTS,
    WORDS,
    Belief,
    chance,
    expected_pressure,
    normal,
    places_of,
    prices,
)
from arena.gpu_market.policies.table import Table
from arena.gpu_market.policies.views import own_lab

WORTH_A_TRY = 200
"""An offer must promise more than this, in hundredths of a credit: our guesses are no better."""
MOST_GIVEN = 4
MOST_TRIED = 6
"""So many of the most useful foreign blocks (or pairs) are priced exactly."""


class Idea(msgspec.Struct, frozen=True):
    """Something to do in this turn, and what it promises over doing nothing.

    ``gain`` in hundredths of a credit, ``action`` the move itself.
    """

    gain: float
    action: MarketAction


def best_answer(table: Table) -> Idea | None:
    """Accept the offer that adds most to plan and purse, if one adds anything."""
    best: Idea | None = None
    for offer in table.seen.offers_to_me:
        gain = _gain_of(table, offer)
        if gain > (best.gain if best else 0.0):
            best = Idea(gain, MarketAction("accept_offer", offer_id=offer.id))
    return best


def _gain_of(table: Table, offer: Offer) -> float:
    coming, going = table.bits_of(offer.offered), table.bits_of(offer.requested)
    theirs = sum(1 << place for place in table.foreign.get(offer.sender, ()))
    mine = sum(table.may_give)
    kept = (
        coming.bit_count() == len(offer.offered)
        and going.bit_count() == len(offer.requested)
        and not coming & ~theirs
        and not going & ~mine
    )
    if not kept or offer.conditions:
        return -1.0
    after = table.best(table.own & ~going | coming)
    return after.value + offer.payment - table.later.value


def best_offer(table: Table, belief: Belief) -> Idea | None:
    """Find the offer that promises most: what it wins if accepted, times how likely that is."""
    seen = table.seen
    if seen.round + 1 >= seen.rounds:
        return None
    waiting = {one.target for one in seen.offers if one.sender == seen.lab and one.status == "open"}
    wishes = []
    for lab, places in table.foreign.items():
        if lab in waiting:
            continue
        bits = [1 << place for place in places]
        for wanted in [
            *bits,
            *(one | two for at, one in enumerate(bits) for two in bits[at + 1 :]),
        ]:
            gain = table.gain(wanted)
            if gain > WORTH_A_TRY:
                wishes.append((gain, lab, wanted))
    wishes.sort(key=lambda wish: -wish[0])
    ideas = [_priced(table, belief, *wish) for wish in wishes[:MOST_TRIED]]
    return max((idea for idea in ideas if idea), key=lambda idea: idea.gain, default=None)


def _priced(table: Table, belief: Belief, gain: float, lab: str, wanted: int) -> Idea | None:
    """Choose price and gifts for what is wanted of a lab."""
    seen, number = table.seen, places_of(table.seen)[lab]
    trust = own_lab(seen).reputation
    press = expected_pressure(seen, seen.round)
    gifts = table.gifts(wanted, MOST_GIVEN)
    lost = gain - max(table.gain(wanted, seen.round + 2), 0)
    ladder = []
    for value in prices(seen):
        odds = [chance(cast[number], value, press, trust) for cast in CASTS]
        for count, (given, worth) in enumerate(gifts):
            ask = value + PRICE_OF_BLOCK * wanted.bit_count() - WORTH_OF_BLOCK * count
            payment = max(int(ask * MONEY + 0.999), 0)
            if payment <= seen.budget:
                ladder.append((worth - table.later.value - payment, given, payment, odds))
            if not payment:
                break
    best: Idea | None = None
    for wins, given, payment, odds in ladder:
        likely = sum(weight * one for weight, one in zip(belief, odds, strict=True))
        promise = likely * wins
        if lost < gain:
            # Who is turned down may ask once more, knowing better whom it has before it.
            left = normal([w * max(1 - o, 1e-9) for w, o in zip(belief, odds, strict=True)])
            second = max(
                sum(w * o for w, o in zip(left, row[3], strict=True)) * (row[0] - lost)
                for row in ladder
            )
            promise += (1 - likely) * max(second, 0.0)
        if promise > (best.gain if best else WORTH_A_TRY):
            best = Idea(promise, _offer(table, lab, wanted, given, payment))
    return best


def _offer(table: Table, lab: str, wanted: int, gifts: int, payment: int) -> MarketAction:
    return MarketAction(
        "send_offer",
        target_lab_id=lab,
        block_ids=table.names(gifts),
        requested_block_ids=table.names(wanted),
        payment=Cents(payment),
        message=WORDS,
    )
