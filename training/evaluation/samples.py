"""Whole games to be read by people: the same seed played before and after training.

``samples.jsonl`` has one game a line, hidden values open: nobody else was at the table.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from typing import Literal

import msgspec

from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.quantities import Side
from bazaarbatna.intervals import DECIMALS, Interval, mean_interval
from negotiation.policies import Entry, policy
from training.disk import read_rows, write_rows
from training.evaluation.plan import Plan
from training.evaluation.playing import ActMany, Recording
from training.models import Run

log = logging.getLogger(__name__)

MOST_BYTES = 4_000_000  # Of a file of samples that is read for a page


class Line(msgspec.Struct, frozen=True):
    """One turn; ``price`` in paise: of the offer, or of the deal for an acceptance."""

    side: Side
    move: Literal["offer", "accept", "walk", "message"]
    price: int | None = None
    text: str = ""


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game of one policy. Prices in paise.

    Attributes:
        policy: registered name of the buyer, for example "sauda-mini:sft".
        seed: of the game; samples of one suite and seed are the same game.
        seller: label of the seller.
        anchor: opening ask.
        budget: the buyer's reservation price; ``reservation`` is the seller's.
        outcome: "deal", "walk" or "expired"; ``by`` is who accepted or walked.
        share: 0..1, the buyer's part of the zone; 0 without a deal, None without a zone.
        lines: everything that was done and said, in order, without the opening ask.
        invalid: answers of the model that could not be read.
    """

    policy: str
    title: str
    version: str
    suite: str
    seed: int
    seller: str
    item: str
    currency: str = "INR"
    anchor: int
    budget: int
    reservation: int
    outcome: Literal["deal", "walk", "expired"]
    by: str | None
    price: int | None
    share: float | None
    rounds: int
    lines: tuple[Line, ...]
    invalid: int = 0


def play_samples(entry: Entry, suite_id: str, seeds: Sequence[int]) -> Iterator[Sample]:
    """Play one game of a suite per seed to be read; of several bargains the first is kept."""
    tables = [Recording(suite_id, seed) for seed in seeds]
    if not tables:
        return
    player = entry.make(seeds[0])
    live = list(tables)
    while live:
        seen = [one for table in live if (one := table.game.observation) is not None]
        if isinstance(player, ActMany):
            moves = player.act_many(seen)
        else:
            moves = [entry.make(t.game.seed).act(o) for t, o in zip(live, seen, strict=True)]
        for table, move in zip(live, moves, strict=True):
            table.move(move)
        live = [table for table in live if not table.game.logs]
    for table in tables:
        yield sample_of(table.game.logs[0], entry, table.game.seed)


def sample_of(log: Log, entry: Entry, seed: int) -> Sample:
    """Write a finished game down for people; ``ValueError`` where the game has not ended."""
    ended, scenario = log.ended, log.scenario
    if ended is None:
        raise ValueError("Only a finished game is a sample.")
    zone = scenario.zopa
    share = None if zone <= 0 else round(ended.buyer_share if ended.price else 0.0, DECIMALS)
    return Sample(
        policy=entry.name,
        title=entry.title,
        version=entry.version,
        suite=scenario.suite,
        seed=seed,
        seller=scenario.seller,
        item=scenario.item.title,
        currency=scenario.item.currency,
        anchor=scenario.anchor,
        budget=scenario.sealed.budget,
        reservation=scenario.sealed.reservation,
        outcome=ended.outcome,
        by=ended.by,
        price=ended.price,
        share=share,
        rounds=ended.round,
        lines=tuple(_line(turn) for turn in log.state().turns),
    )


def _line(turn: Turn) -> Line:
    # The engine's kinds of turns are these four.
    return msgspec.convert(
        {"side": turn.actor, "move": turn.kind, "price": turn.price, "text": turn.text}, Line
    )


def contradiction(sample: Sample) -> str | None:
    """Name what of a sample does not follow from its prices; None when all does."""
    zone, price = sample.budget - sample.reservation, sample.price
    if (sample.outcome == "deal") != (price is not None):
        return "outcome"
    if price is not None and not sample.reservation <= price <= sample.budget:
        return "price"
    share = None
    if zone > 0:
        share = 0.0 if price is None else round((sample.budget - price) / zone, DECIMALS)
    return None if sample.share == share else "share"


def write_samples(path: Path, samples: Iterable[Sample]) -> None:
    """Write samples, one a line."""
    write_rows(path, samples)


def read_samples(path: Path) -> tuple[Sample, ...]:
    """Read samples, none without a file; DecodeError for a bad line, ValueError for a huge file."""
    if not path.is_file():
        return ()
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"{path.name} has more than {MOST_BYTES:,} bytes.")
    return tuple(read_rows(path, Sample))


def try_samples(path: Path) -> tuple[Sample, ...]:
    """Read what a page can show of samples; ``load_receipts`` is where a broken file is refused."""
    try:
        return read_samples(path)
    except (OSError, ValueError):
        log.exception("samples cannot be read", extra={"file": path.name})
        return ()


def samples_of(run: Run, games: int, kind: str = "") -> Iterator[Sample]:
    """Play the first games of every suite of an evaluation again, to keep their words."""
    plan = msgspec.convert(run.config, Plan)
    seeds = range(plan.seed, plan.seed + min(games, plan.episodes))
    for suite in plan.suites:
        for buyer in plan.policies:
            if not kind or buyer.kind == kind:
                yield from play_samples(policy(buyer.name), suite.id, seeds)


INSULT = 0.5
LEAP = 0.5
STUBBORN = 3
"""A bid below this part of the opening ask is an insult, a step up by more than this part of the
bid before it a leap, so many equal bids in a row are stubborn. Of the buyers in the dialogues of
``bazaarbatna.bargain.people.paths`` nine in ten do none of it."""

NEAR = 0.01
"""Shares no further apart are equal: of two such buyers the one with fewer slights ships."""


class Manners(msgspec.Struct, frozen=True, kw_only=True):
    """A buyer's manners in one game: how it goes about it, which its share does not tell.

    Nobody is asked here. The bargaining bot that earned most was not the one that people liked
    (Journal of Marketing Research 2025, 10.1177/00222437251375323), so these counts stand beside
    shares, as they are: nobody knows weights between them. ``has_slight`` only counts games.

    Attributes:
        share, seller_share: of the zone, 0..1; 0 without a deal, None without a zone.
        jump: largest step up, as part of the bid before it; 0: there was none.
        equal: most bids in a row at one price; 0: no bid was made.
        rounds: in which the game ended, from 1.
        insults: bids below ``INSULT`` of the opening ask.
    """

    share: float | None
    seller_share: float | None
    jump: float
    equal: int
    rounds: int
    insults: int

    @property
    def has_slight(self) -> bool:
        """Whether a person may have minded: an insult, a leap, or the same bid again and again."""
        return self.insults > 0 or self.jump > LEAP or self.equal >= STUBBORN


class MannersRow(msgspec.Struct, frozen=True, kw_only=True):
    """The manners of one buyer over many games.

    Shares are means over games with a zone. ``smooth`` is the part of games without a slight; the
    others are means over all games.
    """

    policy: str
    version: str
    title: str
    share: Interval
    seller_share: Interval
    smooth: Interval
    jump: float
    equal: float
    rounds: float
    insults: float


def manners_of(game: Sample) -> Manners:
    """Count a finished game.

    >>> row = {"policy": "", "title": "", "version": "", "suite": "", "seed": 0, "seller": "",
    ...        "item": "", "anchor": 100, "budget": 90, "reservation": 50, "outcome": "deal",
    ...        "by": "seller", "price": 60, "share": 0.75, "rounds": 3}
    >>> bids = [{"side": "buyer", "move": "offer", "price": bid} for bid in (40, 40, 60)]
    >>> game = msgspec.convert({**row, "lines": bids}, Sample)
    >>> manners_of(game)
    Manners(share=0.75, seller_share=0.25, jump=0.5, equal=2, rounds=3, insults=2)
    """
    bids = [
        line.price
        for line in game.lines
        if line.side == "buyer" and line.move == "offer" and line.price is not None
    ]
    is_deal = game.price is not None
    return Manners(
        share=game.share,
        seller_share=None if game.share is None else (1 - game.share) * is_deal,
        jump=max([0.0, *((after - bid) / bid for bid, after in pairwise(bids))]),
        equal=max((len(list(same)) for _, same in groupby(bids)), default=0),
        rounds=game.rounds,
        insults=sum(bid < INSULT * game.anchor for bid in bids),
    )


def measure(entry: Entry, suite: str, seeds: Sequence[int]) -> MannersRow:
    """Play one game of a suite per seed and sum a buyer's manners up; at least one has a zone."""
    games = [manners_of(game) for game in play_samples(entry, suite, seeds)]
    pairs = [(one.share, one.seller_share) for one in games]
    shares = [(own, theirs) for own, theirs in pairs if own is not None and theirs is not None]

    def mean(name: str) -> float:
        return round(sum(float(getattr(one, name)) for one in games) / len(games), 4)

    return MannersRow(
        policy=entry.name,
        version=entry.version,
        title=entry.title,
        share=mean_interval([own for own, _ in shares]),
        seller_share=mean_interval([theirs for _, theirs in shares]),
        smooth=mean_interval([float(not one.has_slight) for one in games]),
        jump=mean("jump"),
        equal=mean("equal"),
        rounds=mean("rounds"),
        insults=mean("insults"),
    )


def shipped_of(rows: Sequence[MannersRow]) -> MannersRow:
    """Choose who ships: the largest share, or of those ``NEAR`` to it the fewest slights."""
    best = max(row.share.mean for row in rows)
    # Shares have four decimals; what is written as 0.01 apart is 0.01 apart.
    near = [row for row in rows if round(best - row.share.mean, 4) <= NEAR]
    return max(near, key=lambda row: (row.smooth.mean, row.share.mean))
