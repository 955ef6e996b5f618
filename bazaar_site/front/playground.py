"""State of the playground: the newest published evaluation as the front page tells it.

Everything comes from the evaluation's summary. Addresses of numbers are those of the receipt with
a JSON pointer (RFC 6901) behind, so that each can be looked up where it came from.
"""

import datetime as dt
import logging

import msgspec
from django.urls import NoReverseMatch, reverse

from bazaar_site.front.figures import (
    PERCENT,
    ROUNDS,
    SHARE,
    SMALL_PERCENT,
    Figure,
    Style,
    figure,
    signed,
)
from negotiation.engine.scoring import WIN_SHARE
from training.evaluation.published import Published, newest
from training.evaluation.summary import Difference, PolicyResult

log = logging.getLogger(__name__)

HOUSE = "sauda"
WITHOUT_TELLS = "rules:sauda-without-tells"

FINE = Style(3)

COLUMNS: tuple[tuple[str, Style], ...] = (
    ("share_of_winnable", SHARE),
    ("share_of_deals", SHARE),
    ("win_rate", PERCENT),
    ("mutual_loss_rate", SMALL_PERCENT),
    ("rounds", ROUNDS),
)
"""Numbers of a card that the table shows, and how."""


class Row(msgspec.Struct, frozen=True):
    """One policy's mean over the suites. ``figures`` by the name of the number."""

    name: str
    title: str
    kind: str
    version: str
    is_house: bool
    receipt: str
    figures: dict[str, Figure | None]


class Ablation(msgspec.Struct, frozen=True):
    """What reading tells changed on the same games; ``verdict`` is "costs", "earns" or ""."""

    verdict: str
    text: str
    low: str
    high: str
    receipt: str


class Playground(msgspec.Struct, frozen=True):
    """The section. ``rows`` begin with the largest share over all winnable bargains."""

    published: Published
    rows: tuple[Row, ...]
    summary_url: str
    episodes_url: str
    tells: Ablation | None
    sellers: tuple[str, ...]
    first_seed: int
    last_seed: int
    bargains: int
    win_share: float = WIN_SHARE

    @property
    def best(self) -> Row:
        """The policy on top of the table."""
        return self.rows[0]

    @property
    def house(self) -> Row | None:
        """Sauda's row, if Sauda took part."""
        return next((row for row in self.rows if row.is_house), None)


def playground() -> Playground | None:
    """Give the section, None while no evaluation has been published.

    It is prepared once for each publication.
    """
    try:
        published = newest()
    except msgspec.ValidationError:
        # A database may be older than its code; the rest of the front page does not depend on it.
        log.exception("the newest evaluation cannot be read")
        return None
    if published is None or not published.rows:
        return None
    key = (published.run, published.published_at)
    if not _prepared or _prepared[0][0] != key:
        _prepared[:] = [(key, _told(published))]
    return _prepared[0][1]


_prepared: list[tuple[tuple[str, dt.datetime], Playground]] = []


def _told(published: Published) -> Playground:
    summary_url = _address("receipt-summary", published.run)
    rows = [_row(place, one, summary_url) for place, one in enumerate(published.rows)]
    order = {one.policy: one.mean.share_of_winnable for one in published.rows}
    rows.sort(key=lambda row: -(share.mean if (share := order[row.name]) else -1.0))
    made = published.made
    return Playground(
        published=published,
        rows=tuple(rows),
        summary_url=summary_url,
        episodes_url=_address("receipt-episodes", published.run),
        tells=_tells(published, summary_url),
        sellers=tuple(dict.fromkeys(one.seller for one in made.suites)),
        first_seed=made.seed,
        last_seed=made.seed + max(one.games for one in made.suites) - 1,
        bargains=made.bargains,
    )


def _row(place: int, result: PolicyResult, summary_url: str) -> Row:
    pointer = f"{summary_url}#/policies/{place}" if summary_url else ""
    return Row(
        name=result.policy,
        title=result.title,
        kind=result.kind,
        version=result.version,
        is_house=result.policy == HOUSE,
        receipt=pointer,
        figures={
            name: figure(
                getattr(result.mean, name), style, f"{pointer}/mean/{name}" if pointer else ""
            )
            for name, style in COLUMNS
        },
    )


def _tells(published: Published, summary_url: str) -> Ablation | None:
    pair = {HOUSE, WITHOUT_TELLS}
    for place, one in enumerate(published.differences):
        if one.suite == "mean" and {one.first, one.second} == pair:
            return _ablation(one, f"{summary_url}#/differences/{place}/share_of_winnable")
    return None


def _ablation(one: Difference, receipt: str) -> Ablation | None:
    share = one.share_of_winnable
    if share is None:
        return None
    low, mean, high = (share.low, share.mean, share.high)
    if one.first == WITHOUT_TELLS:
        low, mean, high = -high, -mean, -low
    verdict = "costs" if high < 0 else "earns" if low > 0 else ""
    return Ablation(verdict, signed(mean, FINE), signed(low, FINE), signed(high, FINE), receipt)


def _address(name: str, run: str) -> str:
    try:
        return reverse(name, args=[run])
    except NoReverseMatch:
        return ""
