"""The sheet after the end: what came out, what was sealed, what theory would say."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.urls import reverse
from django.utils.safestring import SafeString

from negotiation.bargain.honesty import Certificate, Check
from negotiation.bargain.web.brief import bonus, largest_bonus
from negotiation.bargain.web.bubbles import Frame, currency_of
from negotiation.bargain.web.moved import Moved, moved_by
from negotiation.bargain.web.seats import Seat
from negotiation.charts.price_path import price_path
from negotiation.charts.share_bar import share_bar, whole_percents
from negotiation.engine.quantities import Paise, Side, to_paise, to_rupees
from negotiation.engine.scenario import Scenario
from negotiation.engine.theory import NASH, reference_lines
from negotiation.money import rupees_text
from negotiation.policies import drawn_by


class Checked(msgspec.Struct, frozen=True):
    """One promise: how often it was broken among how many things that were looked at."""

    words: str
    kept: bool


WORDS: dict[Side, dict[str, tuple[str, str]]] = {
    "seller": {
        "limit": ("price below her reservation price", "prices below her reservation price"),
        "leaks": ("message gave it away", "messages gave it away"),
        "monotone": ("ask went up again", "asks went up again"),
        "reopened": ("agreed price was reopened", "agreed prices were reopened"),
        "promises": ("promised step was not made", "promised steps were not made"),
        "sealed": ("sealed envelope was tampered with", "sealed envelopes were tampered with"),
    },
    "buyer": {
        "limit": ("price above her budget", "prices above her budget"),
        "leaks": ("message gave it away", "messages gave it away"),
        "monotone": ("bid went down again", "bids went down again"),
        "reopened": ("agreed price was reopened", "agreed prices were reopened"),
        "promises": ("promised step was not made", "promised steps were not made"),
        "sealed": ("sealed envelope was tampered with", "sealed envelopes were tampered with"),
    },
}
"""Side of the opponent and name of a check -> what is counted, for one and for several."""


def checked(certificate: dict[str, Any] | None) -> tuple[Checked, ...]:
    """List the promises of a stored certificate that the game put to the test, in words.

    >>> checked({"side": "seller", "checks": [{"name": "leaks", "checked": 6, "broken": 0}]})
    (Checked(words='0 of 6 messages gave it away', kept=True),)
    """
    if certificate is None:
        return ()
    sheet = Certificate.from_json(certificate)
    words = WORDS[sheet.side]
    return tuple(
        Checked(f"{check.broken} of {check.checked} {_counted(words, check)}", check.kept)
        for check in sheet.checks
        if check.checked
    )


def _counted(words: dict[str, tuple[str, str]], check: Check) -> str:
    one, several = words.get(check.name, (check.name, check.name))
    return one if check.checked == 1 else several


class Fact(msgspec.Struct, frozen=True):
    """A line of the sheet: a name and its value; ``tone`` colours it, ``rest`` stays plain."""

    name: str
    value: str
    tone: str = ""
    rest: str = ""


class Outcome(msgspec.Struct, frozen=True):
    """Everything the sheet shows; ``zone`` is the width of the ZOPA, "" where nothing is shared."""

    tone: str
    headline: str
    verdict: str
    currency: str
    zone: str
    bar: SafeString
    chart: SafeString
    facts: tuple[Fact, ...]
    theory: tuple[tuple[str, float], ...]
    moved: tuple[Moved, ...]
    certificate: tuple[Checked, ...]
    commitment: str
    committed_text: str
    replay: str
    again: str


def outcome_of(
    frames: Sequence[Frame], scenario: Scenario, listing_id: int | None, seat: Seat
) -> Outcome:
    """Write the sheet of a finished game from all its owner's frames."""
    ended = frames[-1]["event"]
    deal = ended["price"] is not None
    currency = currency_of(frames)
    lines = reference_lines(scenario)
    return Outcome(
        tone="deal" if deal else "walk",
        headline=_headline(ended, seat, currency),
        verdict=_verdict(ended, scenario, seat, currency),
        currency=currency,
        zone=_money(scenario.zopa, currency) if deal and scenario.zopa > 0 else "",
        bar=share_bar(ended["seller_share"], ended["buyer_share"]),
        chart=price_path(
            frames, references={"Nash": lines[NASH]} if lines else None, place="outcome"
        ),
        facts=_facts(ended, scenario, seat, currency),
        theory=tuple(lines.items()),
        moved=moved_by(frames),
        certificate=checked(ended.get("certificate")),
        commitment=ended["commitment"],
        committed_text=ended["committed_text"],
        replay=ended["replay"],
        again=f"{reverse(seat.start)}?listing={listing_id}"
        if listing_id
        else reverse(seat.counter),
    )


def zone_amounts(reservation: Paise, budget: Paise, currency: str) -> dict[str, str]:
    """Write what a game without a deal is told with: limits (in paise), zone and its middle."""
    middle = (reservation + budget) // 2
    whole = round(middle / 100) * 100
    within = min(reservation, budget) <= whole <= max(reservation, budget)
    amounts = {
        "reservation": reservation,
        "budget": budget,
        "width": abs(budget - reservation),
        "middle": whole if within else middle,
    }
    return {name: _money(paise, currency) for name, paise in amounts.items()}


def _headline(ended: Frame, seat: Seat, currency: str) -> str:
    match ended["outcome"]:
        case "deal":
            return seat.deal.format(price=rupees_text(ended["price"], currency))
        case "walk":
            return f"{'You' if ended['by'] == seat.side else seat.rival} walked away"
        case _:
            return "The rounds ran out"


def _verdict(ended: Frame, scenario: Scenario, seat: Seat, currency: str) -> str:
    sealed, zopa = scenario.sealed, scenario.zopa
    amounts = zone_amounts(sealed.reservation, sealed.budget, currency)
    if ended["price"] is None:
        return _without_deal(ended, zopa, seat).format(**amounts)
    if zopa <= 0:
        return seat.at_limits
    share = ended[f"{seat.side}_share"]
    percent = f"{round(share * 100)} %"
    return f"{percent} of the {amounts['width']} between you is yours. {_praise(share, seat)}"


def _without_deal(ended: Frame, zopa: int, seat: Seat) -> str:
    if zopa > 0:
        return seat.missed
    if zopa == 0:
        return seat.missed_point
    if ended["by"] is None:
        return seat.rightly_expired
    return seat.rightly_walked if ended["by"] == seat.side else seat.rightly_left


def _praise(share: float, seat: Seat) -> str:
    for bound, words in seat.praise:
        if share >= bound:
            return words
    return seat.praise[-1][1]


def _facts(ended: Frame, scenario: Scenario, seat: Seat, currency: str) -> tuple[Fact, ...]:
    sealed = scenario.sealed
    reservation, budget = _money(sealed.reservation, currency), _money(sealed.budget, currency)
    own, rival = (reservation, budget) if seat.is_seller else (budget, reservation)
    facts = [
        Fact(seat.own_limit, own, seat.own_kind),
        Fact(seat.rival_limit, rival, seat.rival_kind),
    ]
    if ended["price"] is not None:
        facts.append(Fact("Price", rupees_text(ended["price"], currency)))
        if scenario.zopa > 0:
            shares = whole_percents(ended["seller_share"])
            mine, hers = shares if seat.is_seller else shares[::-1]
            facts += [Fact("Your share", _percent(mine)), Fact(seat.rival_share, _percent(hers))]
    return (*facts, *_gain(ended, scenario, seat, currency), *_who(scenario, seat))


def _who(scenario: Scenario, seat: Seat) -> tuple[Fact, ...]:
    if seat.is_seller:
        return ()
    sealed = scenario.sealed
    character = drawn_by(f"seller:{sealed.persona}", sealed.seed)
    return (Fact("Who that was", character),) if character else ()


def _gain(ended: Frame, scenario: Scenario, seat: Seat, currency: str) -> tuple[Fact, ...]:
    """What the person has of it: a seller's bonus, a buyer's rest of the budget."""
    sealed = scenario.sealed
    price = None if ended["price"] is None else to_paise(ended["price"])
    if not seat.is_seller:
        if price is None:
            return ()
        return (Fact("Left in your pocket", _money(sealed.budget - price, currency), "deal"),)
    earned = bonus(price, scenario.anchor, sealed.reservation) if price is not None else 0
    largest = largest_bonus(scenario.anchor, sealed.reservation)
    bonus_of = f"of {_money(largest, currency)}"
    return (Fact("Your bonus", _money(earned, currency), "deal", bonus_of),)


def _percent(share: int) -> str:
    return f"{share}\N{NO-BREAK SPACE}%"


def _money(paise: int, currency: str) -> str:
    return rupees_text(to_rupees(paise), currency)
