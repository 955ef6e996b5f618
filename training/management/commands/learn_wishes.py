"""``manage.py learn_wishes``: fit what estimates the other side of a case (docs/games.md)."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec
import numpy as np
import torch
from django.core.management.base import BaseCommand, CommandParser
from torch.nn.functional import silu

from bazaarbatna.cases.case import Case, Choice, Number, other
from bazaarbatna.cases.packages import Floats, grid_of
from bazaarbatna.players.hearing import Hint
from bazaarbatna.players.package_trials import drawn_case, finished, partner
from bazaarbatna.players.packages import Decision, Habits, Trader
from bazaarbatna.players.views import View, own_of
from bazaarbatna.players.wishes import FAR, FEATURES, WEIGHTS, Table, features, layers, weights

WIDE, BATCH, RATE = 32, 256, 6e-3
LONG, MOST_PACKAGES = 9, 8_000
SPEAKS, TRUE, MIXED = 0.4, 0.7, 0.4
"""How often the other side says something of its wishes, how often that is true, and how often the
points of an issue come in any order."""


class Row(msgspec.Struct, frozen=True):
    """A position: what the network sees, which values exist, and the other's points of them."""

    seen: Table
    real: Table
    truth: Table


class Command(BaseCommand):
    """Plays drawn cases, fits the network, plays with it, and fits again."""

    help = "Fit what estimates the other side of a case, and write its weights (docs/games.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take how many cases, how often each is learnt from, and the first seed."""
        parser.add_argument("--cases", type=int, default=6000, help="drawn cases")
        parser.add_argument("--epochs", type=int, default=24)
        parser.add_argument("--seed", type=int, default=200_000, help="of the first case")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play, fit, write and print the error on cases that were not learnt from."""
        torch.manual_seed(0)
        torch.set_num_threads(1)
        rows: list[Row] = []
        seed, cases = options["seed"], options["cases"]
        _write(Layers())
        for count in (cases // 3, cases):  # first with what knows nothing
            rows += positions(range(seed, seed + count))
            layers_ = fitted(rows, options["epochs"])
            _write(layers_)
            seed += count
            self.stdout.write(f"{count} cases played, {len(rows)} positions learnt from")
            self.stdout.flush()
        fresh = list(positions(range(seed, seed + max(cases // 10, 20))))
        self.stdout.write(f"error on {len(fresh)} others: {error(layers_, fresh):.4f}")


class Watched(Trader):
    """Keeps what it saw; its habits are drawn, so that they may change later."""

    def __init__(self, dice: Random, heard: tuple[Hint, ...] = ()) -> None:
        super().__init__(
            Habits(
                end=dice.uniform(0.75, 0.95),
                bend=dice.uniform(0.35, 0.8),
                gives=dice.uniform(0.08, 0.25),
                together=dice.uniform(0.6, 1.2),
            )
        )
        self.views: list[View] = []
        self.heard = heard

    def decide(self, view: View, dice: Random) -> Decision:
        """Return the move."""
        view = msgspec.structs.replace(view, heard=self.heard)
        self.views.append(view)
        return super().decide(view, dice)


def positions(seeds: Sequence[int]) -> Iterator[Row]:
    """Play each case with a drawn partner and with itself; give positions of one side."""
    for seed in seeds:
        dice = Random(f"{seed}/habits")
        case = varied_case(seed, dice)
        if not grid_of(case).is_better.any():
            continue
        seat = "ab"[seed % 2]
        truth = own_of(case, other(seat)).parts
        for opposite in (partner(seed), Watched(Random(f"{seed}/habits/other"))):
            ours = Watched(dice, said(truth, dice) if dice.random() < SPEAKS else ())
            finished(case, ours, opposite, seat, seed)
            last = len(ours.views) - 1
            for at in sorted({last * part // 4 for part in range(5)}):
                seen, real = features(ours.views[at])
                yield Row(seen, real, _filled(truth, real))


def said(parts: Sequence[Floats], dice: Random) -> tuple[Hint, ...]:
    """Return what somebody says of wishes, mostly truly: up to three things."""
    order = sorted(range(len(parts)), key=lambda at: float(np.ptp(parts[at])))
    if dice.random() > TRUE:
        dice.shuffle(order)
    at = dice.randrange(len(parts))
    worst = int(np.argmin(parts[at])) if dice.random() < TRUE else dice.randrange(len(parts[at]))
    known = Hint("most", order[-1]), Hint("least", order[0]), Hint("never", at, worst)
    return tuple(dice.sample(known, dice.randint(1, 3)))


def varied_case(seed: int, dice: Random) -> Case:
    """Draw a case; in some an issue has many values, as a price has, or points in any order."""
    case = drawn_case(seed)
    if dice.random() < MIXED:
        case = _mixed(case, dice)
    count = dice.randint(LONG, 31)
    sizes = [len(issue.values) for issue in case.issues[1:]]
    if dice.random() > 0.25 or count * int(np.prod(sizes)) > MOST_PACKAGES:
        return case
    first, middle = case.issues[0], dice.randint(1, count - 2)
    knots = []
    for role in "ab":
        low, high = first.points(role)[0], first.points(role)[-1]
        part = min(max(middle / (count - 1) + dice.gauss(0, 0.15), 0.05), 0.95)
        between = round(low + (high - low) * part, 2)
        knots.append(((0, low), (middle, between), (count - 1, high)))
    long = Number(first.key, first.label, 0, count - 1, 1, a=knots[0], b=knots[1])
    return msgspec.structs.replace(case, issues=(long, *case.issues[1:]))


def _mixed(case: Case, dice: Random) -> Case:
    """Give the last issue's options the second role's points in any order."""
    *others, last = case.issues
    if not isinstance(last, Choice):
        return case
    points = list(last.points("b"))
    dice.shuffle(points)
    options = tuple(
        msgspec.structs.replace(option, b=one)
        for option, one in zip(last.options, points, strict=True)
    )
    return msgspec.structs.replace(
        case, issues=(*others, msgspec.structs.replace(last, options=options))
    )


def _filled(parts: Sequence[Floats], real: Table) -> Table:
    table = np.zeros(real.shape, np.float32)
    for at, part in enumerate(parts):
        table[at, : len(part)] = part
    return table


class Layers(torch.nn.ModuleDict):
    """What ``wishes.Network`` computes, with gradients; issues that do not exist are left out."""

    def __init__(self) -> None:
        sizes = layers(WIDE).items()
        super().__init__({name: torch.nn.Linear(*size) for name, size in sizes})

    def forward(self, seen: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
        """Return points, shape (positions, issues, values)."""
        there = (real.sum(dim=2) > 0).float()[..., None]
        value = silu(self["value2"](silu(self["value1"](seen)))) * real[..., None]
        mean = value.sum(dim=2) / real.sum(dim=2).clamp(min=1)[..., None]
        top = (value + (real[..., None] - 1) * FAR).amax(dim=2) * there
        issue = silu(self["issue"](torch.cat([mean, top], dim=-1))) * there
        table = silu(self["table"](issue.sum(dim=1) / there.sum(dim=1)))
        both = torch.cat([issue, table[:, None].expand_as(issue)], dim=-1)
        spread = both[:, :, None].expand(-1, -1, seen.shape[2], -1)
        last = silu(self["out1"](torch.cat([seen, value, spread], dim=-1)))
        raw = self["out3"](silu(self["out2"](last)))[..., 0]
        raw = (raw - (raw + (1 - real) * FAR).amin(dim=2, keepdim=True)) * real
        raw = raw / raw.amax(dim=2, keepdim=True).clamp(min=1e-6)
        weight = torch.softmax(self["weight"](both) + (there - 1) * FAR, dim=1)
        points: torch.Tensor = raw * weight
        return points


def fitted(rows: Sequence[Row], epochs: int) -> Layers:
    """Return layers fitted to positions; those of one size go together."""
    found = Layers()
    tables = _tables(rows)
    batches = [
        (seen[at : at + BATCH], real[at : at + BATCH], truth[at : at + BATCH])
        for seen, real, truth in tables
        for at in range(0, len(seen), BATCH)
    ]
    optimizer = torch.optim.AdamW(found.parameters(), RATE, weight_decay=1e-2)
    steps = epochs * len(batches)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    for _ in range(epochs):
        for at in torch.randperm(len(batches)).tolist():
            seen, real, truth = batches[at]
            optimizer.zero_grad()
            _lost(found(seen, real), truth, real).mean().backward()
            optimizer.step()
            rate.step()
    return found


def _tables(rows: Sequence[Row]) -> list[tuple[torch.Tensor, ...]]:
    """Return positions as tables: one of cases with short issues, one of the others."""
    found = []
    mixed = [rows[at] for at in torch.randperm(len(rows)).tolist()]
    for is_long in (False, True):
        some = [row for row in mixed if (row.real.shape[1] >= LONG) == is_long]
        if not some:
            continue
        issues, values = (max(row.real.shape[axis] for row in some) for axis in (0, 1))
        seen = np.zeros((len(some), issues, values, FEATURES), np.float32)
        real, truth = (np.zeros((len(some), issues, values), np.float32) for _ in range(2))
        for at, row in enumerate(some):
            here = at, slice(row.real.shape[0]), slice(row.real.shape[1])
            seen[here], real[here], truth[here] = row.seen, row.real, row.truth
        found.append(tuple(map(torch.from_numpy, (seen, real, truth))))
    return found


def _lost(found: torch.Tensor, truth: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
    """Return the mean squared error over all packages of each case.

    Points add up over issues: it is the variance of what is missed in each, and the square of the
    sum of their means.
    """
    missed = (found - truth) * real
    count = real.sum(dim=2).clamp(min=1)
    mean = missed.sum(dim=2) / count
    spread = ((missed - mean[..., None]) ** 2 * real).sum(dim=2) / count
    return spread.sum(dim=1) + mean.sum(dim=1) ** 2


def error(found: Layers, rows: Sequence[Row]) -> float:
    """Return the mean over positions of the root of that error, in parts of all points."""
    with torch.no_grad():
        lost = [_lost(found(seen, real), truth, real).sqrt() for seen, real, truth in _tables(rows)]
    return float(torch.cat(lost).mean())


def _write(found: Layers) -> None:
    arrays = {name: one.detach().numpy() for name, one in found.state_dict().items()}
    np.savez(WEIGHTS, **{name: one.astype(np.float16) for name, one in arrays.items()})
    weights.cache_clear()
