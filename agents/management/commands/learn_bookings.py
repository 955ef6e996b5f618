"""``manage.py learn_bookings``: fit the judge of prices on lines that may be looked at."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import msgspec
import numpy as np
from django.core.management.base import BaseCommand, CommandParser

from agents.scoring.labelled import (
    BookingLine,
    booking_lines,
    booking_lines_to_learn,
    fresh_lines,
    next_booking_lines,
    only,
)
from agents.scoring.report import booking_numbers
from agents.scoring.scores import BookingScore, read_booking, score_bookings
from agents.text.reading import judge as judging
from agents.text.reading.answer import Standing
from agents.text.reading.judge import Judge, Option, options, save
from agents.text.reading.pieces import to_text
from agents.text.reading.roles import roles
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.lazily import lazily
from negotiation.readers import Intent

LEAST = 2
PENALTY = 1.0
FAINT = 0.02
"""Features that weigh less are left out: half of all, and no count of any set moves."""
MAY_ASK = 0.4
"""What a line counts whose writer would not mind a question."""


class Row(msgspec.Struct, frozen=True):
    """A line to learn from: what it can do, and which of that it does."""

    options: list[Option]
    meant: int
    weight: float


class Command(BaseCommand):
    """Fits and writes the weights."""

    help = "Fit the judge of prices (docs/reading.md); the held-out half is not touched."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--folds",
            type=int,
            default=0,
            help="write nothing: count what is booked of parts that a judge has not seen",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        more = booking_lines_to_learn()
        lines = [
            *only(booking_lines(), "open"),
            *only(next_booking_lines(), "open"),
            *fresh_lines(BookingLine),
        ]
        if options["folds"] > 1:
            self.stdout.write(json.dumps(booking_numbers(_unseen(lines, more, options["folds"]))))
            return
        lines += more
        rows = to_rows(lines)
        judge = fitted(rows)
        save(judge)
        self.stdout.write(f"{len(rows)} of {len(lines)} lines, {len(judge.names)} features")


def _unseen(known: Sequence[BookingLine], lines: Sequence[BookingLine], folds: int) -> BookingScore:
    """Score lines, those of a hand by a judge that learned from others: they stand together."""
    read: list[Intent] = []
    shipped = judging.judge
    try:
        for at in range(folds):
            first, end = (number * len(lines) // folds for number in (at, at + 1))
            rest = [*known, *lines[:first], *lines[end:]]
            judging.judge = lazily(partial(fitted, to_rows(rest)))
            read += map(read_booking, lines[first:end])
    finally:
        judging.judge = shipped
    readings = iter(read)
    return score_bookings(lines, lambda line: next(readings))


def to_rows(lines: Iterable[BookingLine]) -> list[Row]:
    """Prepare lines; one that means what none of its options is (a step, a sum) is left out."""
    rows = []
    for line in lines:
        text = to_text(line.text)
        bid = None if line.bid is None else Paise(100 * line.bid)
        standing = Standing(Paise(100 * line.ask), bid, "INR")
        found = options(text, roles(text), standing, line.seat)
        meant = [at for at, option in enumerate(found) if _is_meant(option, line)]
        if meant:
            rows.append(Row(found, meant[0], MAY_ASK if line.may_ask else 1.0))
    return rows


def _is_meant(option: Option, line: BookingLine) -> bool:
    other = line.bid if line.seat == "seller" else line.ask
    if line.kind == "price" and line.price != other:
        return option.deed == "price" and option.paise == 100 * (line.price or 0)
    return option.deed == ("accept" if line.kind == "price" else line.kind)


def fitted(rows: Sequence[Row]) -> Judge:
    """Fit the weights: the log likelihood of what is meant, with a penalty on their squares."""
    import torch

    count = Counter(name for row in rows for one in row.options for name in one.found)
    names = {name: at for at, name in enumerate(sorted(n for n in count if count[n] >= LEAST))}
    offered = [(at, one) for at, row in enumerate(rows) for one in row.options]
    places = [
        (at, names[name])
        for at, (_, one) in enumerate(offered)
        for name in sorted(one.found & names.keys())
    ]
    there = torch.sparse_coo_tensor(
        torch.tensor(places).T,
        torch.ones(len(places)),
        (len(offered), len(names)),
        check_invariants=True,
    ).coalesce()
    line_of = torch.tensor([at for at, _ in offered])
    starts = np.cumsum([0, *(len(row.options) for row in rows)])[:-1]
    meant = torch.tensor([int(start) + row.meant for start, row in zip(starts, rows, strict=True)])
    counts = torch.tensor([row.weight for row in rows])
    weights = torch.zeros(len(names), 1, requires_grad=True)
    fitting = torch.optim.LBFGS(
        [weights], max_iter=80, history_size=8, line_search_fn="strong_wolfe"
    )

    def step() -> Any:
        fitting.zero_grad()
        scores = torch.sparse.mm(there, weights)[:, 0]
        most = torch.full((len(rows),), -1e9).scatter_reduce(0, line_of, scores.detach(), "amax")
        sums = torch.zeros(len(rows)).scatter_add(0, line_of, torch.exp(scores - most[line_of]))
        missed = (torch.log(sums) + most - scores[meant]) * counts
        loss = missed.sum() + PENALTY / 2 * (weights * weights).sum()
        loss.backward()
        return loss

    fitting.step(step)
    fit = weights.detach().numpy()[:, 0]
    told = [name for name, at in names.items() if abs(fit[at]) >= FAINT]
    kept = np.array([fit[names[name]] for name in told], dtype=np.float32)
    return Judge({name: at for at, name in enumerate(told)}, kept)
