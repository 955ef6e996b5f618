"""The sheet after the end: what came out, what was sealed, what theory would say."""

from collections.abc import Sequence

import msgspec
from django.urls import reverse
from django.utils.safestring import SafeString

from negotiation.bonus import bonus, largest_bonus
from negotiation.bubbles import Frame, currency_of
from negotiation.charts.price_path import price_path
from negotiation.charts.share_bar import share_bar
from negotiation.engine.quantities import to_paise, to_rupees
from negotiation.engine.scenario import Scenario
from negotiation.engine.theory import NASH, reference_lines
from negotiation.money import rupees_text
from negotiation.moved import Moved, moved_by

PRAISE: tuple[tuple[float, str], ...] = (
    (0.8, "She will tell her friends to avoid your stall."),
    (0.6, "You read her better than she read you."),
    (0.4, "Close to an even split: a fair day in the bazaar."),
    (0.2, "She had more to give."),
    (0.0, "She had much more to give. Look where your words moved her."),
)
"""Least share of the seller, 0..1, and what is said of it; the first that fits."""


class Outcome(msgspec.Struct, frozen=True):
    """Everything the sheet shows. Prices in rupees, shares 0..1; ``zone`` is the ZOPA's width."""

    tone: str
    headline: str
    verdict: str
    currency: str
    price: float | None
    zone: float
    seller_share: float
    buyer_share: float
    reservation: float
    budget: float
    bonus: float
    max_bonus: float
    bar: SafeString
    chart: SafeString
    theory: tuple[tuple[str, float], ...]
    moved: tuple[Moved, ...]
    commitment: str
    committed_text: str
    replay: str
    again: str

    @property
    def has_zone(self) -> bool:
        """There was a price that suits both sides."""
        return self.zone > 0


def outcome_of(frames: Sequence[Frame], scenario: Scenario, listing_id: int | None) -> Outcome:
    """Write the sheet of a finished game.

    Args:
        frames: all wire frames for the owner, the last one ``ended``.
        scenario: the game's scenario, open now.
        listing_id: the listing that was sold, None for an own item.
    """
    ended = frames[-1]["event"]
    price: float | None = ended["price"]
    sealed = scenario.sealed
    lines = reference_lines(scenario)
    earned = bonus(to_paise(price), scenario.anchor, sealed.reservation) if price else 0
    again = f"{reverse('sell')}?listing={listing_id}" if listing_id else reverse("sell")
    return Outcome(
        tone="deal" if price is not None else "walk",
        headline=_headline(ended, currency_of(frames)),
        verdict=_verdict(ended, scenario.zopa, currency_of(frames)),
        currency=currency_of(frames),
        price=price,
        zone=to_rupees(scenario.zopa),
        seller_share=ended["seller_share"],
        buyer_share=ended["buyer_share"],
        reservation=to_rupees(sealed.reservation),
        budget=to_rupees(sealed.budget),
        bonus=to_rupees(earned),
        max_bonus=to_rupees(largest_bonus(scenario.anchor, sealed.reservation)),
        bar=share_bar(ended["seller_share"], ended["buyer_share"]),
        chart=price_path(
            frames, references={"Nash": lines[NASH]} if lines else None, place="outcome"
        ),
        theory=tuple(lines.items()),
        moved=moved_by(frames),
        commitment=ended["commitment"],
        committed_text=ended["committed_text"],
        replay=ended["replay"],
        again=again,
    )


def _headline(ended: Frame, currency: str) -> str:
    match ended["outcome"], ended["by"]:
        case "deal", _:
            return f"Sold for {rupees_text(ended['price'], currency)}"
        case "walk", "buyer":
            return "Sauda walked away"
        case "walk", _:
            return "You walked away"
        case _:
            return "The rounds ran out"


def _verdict(ended: Frame, zopa: int, currency: str) -> str:
    width = rupees_text(abs(to_rupees(zopa)), currency)
    if ended["price"] is None:
        if zopa > 0:
            return f"Both of you lost: {width} lay between your reservation price and her budget."
        return f"Rightly so: her budget was {width} below your reservation price."
    if zopa <= 0 or ended["seller_share"] < 0:
        return "That is below your reservation price: keeping it was worth more to you."
    percent = f"{round(ended['seller_share'] * 100)} %"
    return f"{percent} of the {width} between you is yours. {_praise(ended['seller_share'])}"


def _praise(share: float) -> str:
    for bound, words in PRAISE:
        if share >= bound:
            return words
    return PRAISE[-1][1]
