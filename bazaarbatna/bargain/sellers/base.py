"""What every rule seller does; a persona's own file adds the shape of its concessions."""

import copy
from collections.abc import Iterator
from random import Random
from typing import ClassVar, Literal, NamedTuple, Self

from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.quantities import Paise, clamp_price
from bazaarbatna.bargain.scenario import Scenario, SellerRules
from bazaarbatna.bargain.sellers.persona import HOUSE, Persona, patience
from bazaarbatna.bargain.tells import Tells
from bazaarbatna.bargain.tells_emission import STALLING_BELOW, emit, true_urgency


def inventory_pressure(rules: SellerRules) -> float:
    """Return how much the unsold goods press, 0..1."""
    if rules.inventory_start <= 1:
        return HOUSE.lone_unit_pressure
    return rules.inventory / rules.inventory_start


def concession_rate(persona: Persona, rules: SellerRules) -> float:
    """Return the share of the anchor that the seller concedes per round, 0..0.25."""
    return min(
        HOUSE.highest_rate,
        rules.concession_rate
        * persona.concession_factor
        * (1 + HOUSE.pressure_weight * inventory_pressure(rules))
        * (1 - HOUSE.capitulation_weight * rules.capitulation_rate),
    )


class Chance(NamedTuple):
    """One thing a seller may do: answer "accept", "walk", or a counter ``price`` in paise.

    ``memory`` is what it remembers afterwards of its own game.
    """

    probability: float
    answer: Paise | Literal["accept", "walk"]
    memory: int = 0


class RuleSeller:
    """A pinned opponent: plays one episode, never below its reservation price.

    In each of its turns ``tells`` comes first, then ``act``. A turn always takes the same number
    of draws, so two games on one seed meet the same luck in the same round, whatever was bid.
    """

    persona: ClassVar[Persona]

    def __init__(self, scenario: Scenario, rng: Random) -> None:
        persona, rules = self.persona, scenario.rules
        self.anchor = scenario.anchor
        self.cost = scenario.sealed.cost
        self.reservation = scenario.sealed.reservation
        self.rounds = scenario.max_rounds
        self.rate = concession_rate(persona, rules)
        self._rng = rng
        self._label = scenario.item.condition_label
        self._pressure = inventory_pressure(rules)
        self._patience = patience(persona, scenario.max_rounds)
        self._walk_p = rules.batna_walk_p * persona.walk_factor
        self._range = self.anchor - self.reservation
        self._first_line = scenario.sealed.seed

    def twin(self, rng: Random | None = None) -> Self:
        """Return the same seller at the same point of its game, with the same luck or another."""
        twin = copy.copy(self)
        twin._rng = copy.copy(self._rng) if rng is None else rng
        return twin

    def tells(self, seen: SellerObservation) -> Tells:
        """Show what the state of this turn lets the buyer notice."""
        asks = seen.asks
        ask = asks[-1]
        conceded = (self.anchor - ask) / self._range if self._range else 0.0
        urgency = true_urgency(self._pressure, seen.round / self.rounds, conceded)
        stalled = len(asks) > 1 and abs(asks[-2] - ask) < STALLING_BELOW
        return emit(self.persona.style, urgency, seen.round, stalled, self._label, self._rng)

    def act(self, seen: SellerObservation) -> Move:
        """Answer the standing bid."""
        draw = self._rng.random
        walk, late, drop, pull = draw(), draw(), draw(), draw()
        bids, ask, t = seen.bids, seen.asks[-1], seen.round
        bid = bids[-1] if bids else 0
        if late < self.taking(bid, ask, t):
            return Accept(self._line(self.persona.lines.accept, t))
        if walk < self.leaving(bid, t):
            return Walk(self._line(self.persona.lines.walk, t))
        counter = clamp_price(max(self.ask(seen, drop, pull), self.reservation))
        if counter <= bid:
            return Accept(self._line(self.persona.lines.accept, t))
        return Offer(counter, self._speak(counter, t))

    def ask(self, seen: SellerObservation, drop: float, pull: float) -> float:
        """Plan the next ask in paise, before the reservation price holds it.

        ``drop`` and ``pull`` are draws 0..1 for a persona that drops, or pulls back, by chance.
        """
        raise NotImplementedError

    def chances(self, seen: SellerObservation, memory: int = 0) -> tuple[Chance, ...]:
        """List what ``act`` may answer to the standing bid, with probabilities that add up to 1."""
        bid, t = seen.bids[-1] if seen.bids else 0, seen.round
        taking = min(self.taking(bid, seen.asks[-1], t), 1.0)
        leaving = (1 - taking) * self.leaving(bid, t)
        ends = (Chance(taking, "accept"), Chance(leaving, "walk"))
        rest = 1 - taking - leaving
        found = [one for one in ends if one.probability > 0]
        for likely, planned, after in self.plans(seen, memory) if rest > 0 else ():
            counter = clamp_price(max(planned, self.reservation))
            answer: Paise | Literal["accept"] = "accept" if counter <= bid else counter
            found.append(Chance(rest * likely, answer, after))
        return tuple(found)

    def plans(self, seen: SellerObservation, memory: int) -> Iterator[tuple[float, float, int]]:
        """List the next asks that ``ask`` may plan: probability, paise, and the memory after it."""
        yield 1.0, self.ask(seen, 1.0, 1.0), memory

    def scheduled(self, t: int) -> float:
        """Return the ask in paise after round ``t``: a fixed share of the anchor less per round."""
        return self.anchor * (1 - self.rate * t)

    def taking(self, bid: int, ask: Paise, t: int) -> float:
        """Return the probability, 1 or more for certainty, of taking a bid before any counter."""
        if bid < self.reservation:
            return 0.0
        if bid >= self.persona.closes_at * ask:
            return 1.0
        # Without a range there is no luck to press: a bluffer's ask may still be above the bid.
        if t <= HOUSE.late_from * self.rounds or not self._range:
            return 0.0
        chance = (bid - self.reservation) / self._range * t / self.rounds
        return chance * self.persona.late_factor

    def leaving(self, bid: int, t: int) -> float:
        """Return the probability of leaving a bid that is not taken."""
        if t > self._patience:
            return 1.0
        lowball = bid < HOUSE.lowball * self.reservation
        return self._walk_p * t / self.rounds if lowball else 0.0

    def _speak(self, counter: Paise, t: int) -> str:
        lines = self.persona.lines
        # At the limit no number is spoken; the price-free lines also appear on other turns.
        if counter == self.reservation or t % 3 == 0:
            return self._line(lines.hold, t)
        rupees = f"{counter / 100:.2f}" if counter % 100 else str(counter // 100)
        return self._line(lines.counter, t).replace("{price}", rupees)

    def _line(self, lines: tuple[str, ...], t: int) -> str:
        return lines[(self._first_line + t) % len(lines)]
