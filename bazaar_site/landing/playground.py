"""State of the playground: the newest published evaluation as the front page tells it.

Everything comes from the evaluation's summary. Addresses of numbers are those of the receipt with
a JSON pointer (RFC 6901) behind, so that each can be looked up where it came from.
"""

import datetime as dt
import logging

import msgspec
from django.urls import reverse

from agents.checkpoints import family_of, shipped_voice
from bazaarbatna.bargain.scoring import WIN_SHARE
from negotiation.ttl_cache import cached
from training.evaluation.measures import PATIENCE, Beside, beside
from training.evaluation.published import Published, newest
from training.evaluation.summary import PolicyResult
from training.pages.public.board import Ablation, ablation, gaps
from training.receipts.figures import (
    PERCENT,
    ROUNDS,
    SHARE,
    SMALL_PERCENT,
    Figure,
    Gap,
    Style,
    figure,
    number_text,
)

log = logging.getLogger(__name__)

HOUSE = "sauda"

TRAINED = "model"

LOOK_EVERY_S = 10.0

WITHOUT_TELLS = "rules:sauda-without-tells"

FINE = Style(3)

COLUMNS: tuple[tuple[str, Style], ...] = (
    ("share_of_winnable", SHARE),
    ("share_of_deals", SHARE),
    ("win_rate", PERCENT),
    ("mutual_loss_rate", SMALL_PERCENT),
    ("rounds", ROUNDS),
)


class Row(msgspec.Struct, frozen=True):
    """One policy's mean over the suites; ``of_best`` is its share over the best response's.

    ``is_bound``: it took no part and is there to be measured against.
    """

    name: str
    title: str
    kind: str
    version: str
    is_house: bool
    receipt: str
    figures: dict[str, Figure | None]
    of_best: str = ""
    is_bound: bool = False

    @property
    def is_trained(self) -> bool:
        """It was trained."""
        return self.kind == TRAINED


class Rival(msgspec.Struct, frozen=True):
    """Whom the best buyer is compared with, and how far behind."""

    row: Row
    gap: Gap | None


class Bounds(msgspec.Struct, frozen=True):
    """Bounds and the waiter, best first, and how close it comes in the tests of patience."""

    rows: tuple[Row, ...]
    patient: int
    suites: int
    within: int = round(100 * (1 - PATIENCE))


class Playground(msgspec.Struct, frozen=True):
    """The section. ``rows`` begin with the largest share over all winnable bargains."""

    published: Published
    rows: tuple[Row, ...]
    summary_url: str
    episodes_url: str
    tells: Gap | None
    rival: Rival | None
    sellers: tuple[str, ...]
    first_seed: int
    last_seed: int
    bargains: int
    bounds: Bounds | None = None
    win_share: float = WIN_SHARE

    @property
    def table(self) -> tuple[Row, ...]:
        """Buyers and bounds by their shares."""
        names = {row.name for row in self.rows}
        bounds = self.bounds.rows if self.bounds else ()
        also = [row for row in bounds if row.name not in names]
        return tuple(sorted((*self.rows, *also), key=_share, reverse=True))

    @property
    def best(self) -> Row:
        """The policy on top of the table."""
        return self.rows[0]

    @property
    def plain(self) -> Row | None:
        """The row of Sauda by rule, if she took part and is not on top."""
        return next((row for row in self.rows[1:] if row.name == HOUSE), None)


def playground() -> Playground | None:
    """Return the section, prepared once for each publication; None while there was none."""
    try:
        published = newest()
    except msgspec.ValidationError:
        # A database may be older than its code; the rest of the front page does not depend on it.
        log.exception("the newest evaluation cannot be read")
        return None
    if published is None or not published.rows:
        return None
    switched = cached("ablation", LOOK_EVERY_S, ablation)
    bounds = cached(f"beside:{published.run}", LOOK_EVERY_S, lambda: beside(published))
    others = (switched.board.run if switched else "", bounds.published.run if bounds else "")
    key = (published.run, published.published_at, *others)
    if not _prepared or _prepared[0][0] != key:
        _prepared[:] = [(key, _told(published, switched, bounds))]
    return _prepared[0][1]


_prepared: list[tuple[tuple[str, dt.datetime, str, str], Playground]] = []


def _told(published: Published, switched: Ablation | None, bounds: Beside | None) -> Playground:
    summary_url = reverse("receipt-summary", args=[published.run])
    rows = _ranked(published, summary_url, bounds)
    made = published.made
    return Playground(
        published=published,
        rows=tuple(rows),
        summary_url=summary_url,
        episodes_url=reverse("receipt-episodes", args=[published.run]),
        tells=_tells(published, switched),
        rival=_rival(published, rows),
        sellers=tuple(dict.fromkeys(one.seller for one in made.suites)),
        first_seed=made.seed,
        last_seed=made.seed + max(one.games for one in made.suites) - 1,
        bargains=made.bargains,
        bounds=_bounds(bounds) if bounds else None,
    )


def _bounds(found: Beside) -> Bounds:
    url = reverse("receipt-summary", args=[found.published.run])
    rows = [_row(place, one, url, "", found) for place, one in found.results()]
    return Bounds(
        rows=tuple(msgspec.structs.replace(row, is_bound=True) for row in rows),
        patient=len(found.patience),
        suites=len(found.published.made.suites),
    )


def _ranked(published: Published, summary_url: str, bounds: Beside | None) -> list[Row]:
    house = _house(published)
    found = enumerate(published.rows)
    rows = [_row(place, one, summary_url, house, bounds) for place, one in found]
    order = {one.policy: one.mean.share_of_winnable for one in published.rows}
    rows.sort(key=lambda row: -(share.mean if (share := order[row.name]) else -1.0))
    return rows


def _share(row: Row) -> float:
    found = row.figures["share_of_winnable"]
    return float(found.mid) if found else -1.0


def _house(published: Published) -> str:
    voice = shipped_voice()
    if voice is not None:
        for name in (family_of(voice), voice.name):
            if any(one.policy == name for one in published.rows):
                return name
    return HOUSE


def _rival(published: Published, rows: list[Row]) -> Rival | None:
    best = rows[0]
    if not any(row.is_trained for row in rows):
        return None
    row = next((one for one in rows if one.is_trained != best.is_trained), None)
    if row is None:
        return None
    return Rival(row, _gap(published, best.name, row.name))


def _row(
    place: int, result: PolicyResult, summary_url: str, house: str, bounds: Beside | None
) -> Row:
    part = bounds.of_best(result.mean) if bounds else None
    pointer = f"{summary_url}#/policies/{place}"
    return Row(
        name=result.policy,
        title=result.title,
        kind=result.kind,
        version=result.version,
        is_house=result.policy == house,
        receipt=pointer,
        figures={
            name: figure(getattr(result.mean, name), style, f"{pointer}/mean/{name}")
            for name, style in COLUMNS
        },
        of_best="" if part is None else number_text(part, 2),
    )


def _tells(published: Published, switched: Ablation | None) -> Gap | None:
    if switched is not None:
        return next((one.gap for one in switched.switched if one.name == "tells"), None)
    return _gap(published, HOUSE, WITHOUT_TELLS, FINE)


def _gap(published: Published, first: str, second: str, style: Style = SHARE) -> Gap | None:
    return next(iter(gaps(published, [(first, second)], style)), None)
