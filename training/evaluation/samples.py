"""Whole games to be read by people: the same seed played before and after training.

``samples.jsonl`` has one game a line, hidden values open: nobody else was at the table.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from bazaarbatna.bargain.episode import Turn
from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.quantities import Side
from bazaarbatna.intervals import DECIMALS
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
