"""One position as the bound network sees it, without arrays: a continuation spends its time here.

Number for number what ``bound.features``, ``bound.prices`` and ``bound.allowed`` give for one row.
"""

import math
from itertools import pairwise
from typing import NamedTuple, Self

from agents.buyers import bound
from agents.buyers.positions import ENDLESS, PATH, ROUNDS, STOOD_STILL, levels_of, luck_of
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.people.manner import price_unit

CROSSED = 1e-9


class Row(NamedTuple):
    """A buyer's view in shares of the opening ask, with what is counted of it."""

    seen: BuyerObservation
    asks: list[float]
    bids: list[float]
    budget: float
    unit: float
    down: list[float]
    up: list[float]
    silence: int
    raises: int

    @classmethod
    def of(cls, seen: BuyerObservation) -> Self:
        """Count what has happened."""
        anchor = seen.opening_ask
        asks, bids = [one / anchor for one in seen.asks], [one / anchor for one in seen.bids]
        down = [before - after for before, after in pairwise(asks)]
        up = [after - before for before, after in pairwise(bids)]
        silence = _still(down)
        raises = sum(step >= STOOD_STILL for step in up[len(up) + 1 - silence :]) if silence else 0
        return cls(
            seen, asks, bids, seen.budget / anchor, price_unit(anchor) / anchor, down, up,
            silence, raises,
        )  # fmt: skip

    @property
    def last(self) -> float:
        """The own standing bid; 0 before the first."""
        return self.bids[-1] if self.bids else 0.0

    def features(self) -> list[float]:
        """Write the position as numbers."""
        seen, ask, last = self.seen, self.asks[-1], self.last
        deadline = ENDLESS if seen.deadline is None else seen.deadline
        due = min(max((deadline - seen.round) / ROUNDS, -0.5), 1.0)
        down, up = [0.0] * PATH + self.down, [0.0] * PATH + self.up
        levels = levels_of(seen)
        return [
            seen.round / ROUNDS,
            seen.max_rounds / ROUNDS,
            (seen.max_rounds - seen.round) / ROUNDS,
            float(seen.max_rounds == seen.round),
            float(seen.max_rounds == seen.round + 1),
            float(seen.round == 1),
            float(deadline <= ROUNDS),
            due if deadline <= ROUNDS else 1.0,
            float(seen.round > deadline),
            ask,
            last,
            ask - last,
            last / ask,
            1 - ask,
            self.unit * 20,
            self.bids[0] if self.bids else 0.0,
            self.silence / 4,
            float(self.raises),
            _still(self.up) / 4,
            sum(step > STOOD_STILL for step in self.down) / 4,
            max(0.0, *down) * 4,
            max(0.0, *up) * 4,
            *(5 * down[-place] for place in range(1, PATH + 1)),
            *(5 * up[-place] for place in range(1, PATH + 1)),
            *(0.0 if level is None else level - 0.5 for level in levels),
            *(float(level is not None) for level in levels),
        ]

    def worth_features(self) -> list[float]:
        """Write it as the tower of worth sees it."""
        ask, budget = self.asks[-1], self.budget
        more = [budget, min(max(budget - ask, -1.0), 1.0), float(ask <= budget), budget - self.last]
        return self.features() + more

    def prices(self, seed: int) -> list[float]:
        """Return the price of every choice, with the luck of a seed."""
        unit, last, ask = self.unit, self.last, self.asks[-1]
        luck = luck_of(seed, self.seen.round)
        if self.seen.round == 1:
            named = max(math.floor(self._opening(luck) / unit + 0.5), 1) * unit
            return [min(named, self.budget, ask)] * bound.CHOICES
        ceiling = max(bound.CEILING * self._shown_budget(luck), last)
        least = 0.0 if self.seen.round <= bound.EARLY else bound.STOPPED_LATER
        part = least + (1 - least) * luck[0]
        stopped = max(math.floor((last + part * (ceiling - last)) / unit) * unit, last)
        said = []
        for share in bound.STEPS:
            wanted = last + max(ask - last, 0.0) * share
            price = min(max(math.floor(wanted / unit + 0.5) * unit, last), max(ask, last))
            said.append(price if price <= ceiling else stopped)
        return [*said, ask]

    def _shown_budget(self, luck: list[float]) -> float:
        part, (low, high) = luck[1] / bound.FEINT, bound.FEINT_BUDGET
        if self.seen.round not in bound.FEINTS or part >= 1:
            return self.budget
        return min(self.budget, low + (high - low) * part)

    def _opening(self, luck: list[float]) -> float:
        (low, high), (least, most) = bound.OPENING, bound.LOW_OPENING
        wanted, fits = low + (high - low) * luck[0], bound.FITS * self.budget
        if wanted <= fits:
            return wanted
        if fits > low:
            return low + (fits - low) * luck[1]
        return self.budget * (least + (most - least) * luck[1])

    def allowed(self, prices: list[float]) -> list[bool]:
        """Return which of the choices with these prices there are."""
        seen, last, ask = self.seen, self.last, self.asks[-1]
        if seen.round == 1:
            return [True] + [False] * bound.TAKE
        longest = self._longest_step()
        waits = self.silence > 0 and self.raises >= bound.RAISES_IN_SILENCE
        found = [price - last <= longest and not waits for price in prices[: bound.TAKE]]
        found[0] = True
        is_far = seen.round == seen.max_rounds and ask - last > bound.LAST_JUMP * last + STOOD_STILL
        return [*found, ask <= self.budget + CROSSED and not is_far]

    def _longest_step(self) -> float:
        before = next((step for step in reversed(self.up) if step >= STOOD_STILL), 0.0)
        leap = self.down[-1] if self.down else 0.0
        longest = bound.GROWTH * before if before else math.inf
        if leap > before:
            longest = max(longest, leap)
        if self.seen.round == self.seen.max_rounds:
            longest = min(longest, bound.LAST_JUMP * self.last)
        return longest + self.unit / 2 + CROSSED


def _still(steps: list[float]) -> int:
    """Count the last steps that were none."""
    count = 0
    for step in reversed(steps):
        if not abs(step) < STOOD_STILL:
            break
        count += 1
    return count
