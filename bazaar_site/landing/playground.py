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
from training.pages.public.board import (
    FINE,
    Ablation,
    Board,
    Row,
    ablation,
    board_of,
    gaps,
    row_of,
)
from training.receipts.figures import SHARE, Gap, number_text

log = logging.getLogger(__name__)

HOUSE = "sauda"

LOOK_EVERY_S = 10.0

WITHOUT_TELLS = "rules:sauda-without-tells"


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
    """The section. ``rows`` begin with the largest share; ``house`` is who stands for the site."""

    board: Board
    rows: tuple[Row, ...]
    house: str
    summary_url: str
    episodes_url: str
    tells: Gap | None
    rival: Rival | None
    sellers: tuple[str, ...]
    last_seed: int
    bounds: Bounds | None = None
    win_share: float = WIN_SHARE

    @property
    def table(self) -> tuple[Row, ...]:
        """Buyers and bounds by their shares."""
        names = {row.policy for row in self.rows}
        bounds = self.bounds.rows if self.bounds else ()
        also = [row for row in bounds if row.policy not in names]
        return tuple(sorted((*self.rows, *also), key=lambda row: row.share, reverse=True))

    @property
    def plain(self) -> Row | None:
        """The row of Sauda by rule, if she took part and is not on top."""
        return next((row for row in self.rows[1:] if row.policy == HOUSE), None)


def playground() -> Playground | None:
    """Return the section, prepared once for each publication; None while there was none."""
    try:
        published = newest()
    except msgspec.ValidationError:
        # A database may be older than its code; the rest of the front page does not depend on it.
        log.exception("the newest evaluation cannot be read")
        return None
    if published is None or (board := board_of(published)) is None:
        return None
    switched = cached("ablation", LOOK_EVERY_S, ablation)
    bounds = cached(f"beside:{published.run}", LOOK_EVERY_S, lambda: beside(published))
    others = (switched.board.run if switched else "", bounds.published.run if bounds else "")
    key = (published.run, published.published_at, *others)
    if not _prepared or _prepared[0][0] != key:
        _prepared[:] = [(key, _told(board, switched, bounds))]
    return _prepared[0][1]


_prepared: list[tuple[tuple[str, dt.datetime, str, str], Playground]] = []


def _told(board: Board, switched: Ablation | None, bounds: Beside | None) -> Playground:
    published, made = board.published, board.published.made
    results = {one.policy: one for one in published.rows}
    rows = tuple(_measured(row, results[row.policy], bounds) for row in board.rows)
    return Playground(
        board=board,
        rows=rows,
        house=_house(published),
        summary_url=reverse("receipt-summary", args=[published.run]),
        episodes_url=reverse("receipt-episodes", args=[published.run]),
        tells=_tells(published, switched),
        rival=_rival(published, rows),
        sellers=tuple(dict.fromkeys(one.seller for one in made.suites)),
        last_seed=made.seed + max(one.games for one in made.suites) - 1,
        bounds=_bounds(bounds) if bounds else None,
    )


def _bounds(found: Beside) -> Bounds:
    rows = [
        _measured(row_of(place, one, found.published), one, found) for place, one in found.results()
    ]
    return Bounds(
        rows=tuple(msgspec.structs.replace(row, is_bound=True) for row in rows),
        patient=len(found.patience),
        suites=len(found.published.made.suites),
    )


def _measured(row: Row, result: PolicyResult, bounds: Beside | None) -> Row:
    part = bounds.of_best(result.mean) if bounds else None
    return row if part is None else msgspec.structs.replace(row, of_best=number_text(part, 2))


def _house(published: Published) -> str:
    voice = shipped_voice()
    if voice is not None:
        for name in (family_of(voice), voice.name):
            if any(one.policy == name for one in published.rows):
                return name
    return HOUSE


def _rival(published: Published, rows: tuple[Row, ...]) -> Rival | None:
    best = rows[0]
    if not any(row.is_trained for row in rows):
        return None
    row = next((one for one in rows if one.is_trained != best.is_trained), None)
    if row is None:
        return None
    found = gaps(published, [(best.policy, row.policy)], SHARE)
    return Rival(row, next(iter(found), None))


def _tells(published: Published, switched: Ablation | None) -> Gap | None:
    if switched is not None:
        return next((one.gap for one in switched.switched if one.name == "tells"), None)
    return next(iter(gaps(published, [(HOUSE, WITHOUT_TELLS)], FINE)), None)
