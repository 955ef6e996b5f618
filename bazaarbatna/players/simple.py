"""Rule buyers of one formula each: to measure against, and to mix into a league."""

import re
from collections.abc import Mapping
from functools import cache
from typing import ClassVar

from bazaarbatna.bargain import price_grid
from bazaarbatna.bargain.moves import Accept, Move, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.players.base import RuleBuyer, bid
from bazaarbatna.word_tables import texts_of

TEXTS = texts_of(__file__)

TIT_FOR_TAT_OPEN_OF_ASK = 0.55


class TitForTat(RuleBuyer):
    """Opens at 55 % of the ask and adds what that came down; at last takes what it can pay."""

    name = "rules:tit-for-tat"
    title = "Tit for tat"
    parameters = {"open": TIT_FOR_TAT_OPEN_OF_ASK}

    def propose(self, observation: BuyerObservation) -> Move:
        """Mirror the seller's last concession."""
        last = observation.own_last_bid
        if last is None:
            return bid(TIT_FOR_TAT_OPEN_OF_ASK * observation.standing_ask)
        if observation.rounds_left == 0:
            return Accept()
        return bid(last + max(observation.last_concession, 0))


AGREEABLE_OPEN_OF_ASK = 0.7


class Agreeable(RuleBuyer):
    """Bids 70 % of the ask, then accepts in round two; bids its budget if it cannot."""

    name = "rules:agreeable"
    title = "Agreeable"
    parameters = {"open": AGREEABLE_OPEN_OF_ASK}

    def propose(self, observation: BuyerObservation) -> Move:
        """Say a price once, then yes."""
        if not observation.bids:
            return bid(AGREEABLE_OPEN_OF_ASK * observation.standing_ask)
        if observation.standing_ask <= observation.budget:
            return Accept()
        return bid(observation.budget)


FIRST_OF_ASK, LAST_OF_ASK = 0.5, 0.7


class Climber(RuleBuyer):
    """Bids 50 % of the opening ask and climbs evenly to 70 % in the game's last round.

    Takes an ask that its next bid reaches, and in the last round any ask within the budget.
    Another line is a subclass with its own ``first``, ``last`` and ``parameters``.
    """

    name = "rules:climber"
    title = "Climber"
    first: ClassVar[float] = FIRST_OF_ASK
    last: ClassVar[float] = LAST_OF_ASK
    parameters = {"first": FIRST_OF_ASK, "last": LAST_OF_ASK}

    def propose(self, observation: BuyerObservation) -> Move:
        """Bid what the line says."""
        if observation.rounds_left == 0 and observation.standing_ask <= observation.budget:
            return Accept()
        gone = (observation.round - 1) / max(observation.max_rounds - 1, 1)
        return bid((self.first + gone * (self.last - self.first)) * self._whole(observation))

    def _whole(self, observation: BuyerObservation) -> int:
        return observation.opening_ask


class Line(Climber):
    """Climbs like the climber, in shares of its own budget: it heeds nothing that a seller does."""

    def _whole(self, observation: BuyerObservation) -> int:
        return observation.budget


HALVER_OPEN_OF_ASK = 0.6
HALF = 0.5
MOST_MOVES = 3
HALVER_SMALL_GAP = 0.03


class Halver(RuleBuyer):
    """Opens at 60 % of the ask and goes half the way to the standing ask, at most three times.

    Takes an ask within 3 % of its next bid, and in the last round any ask within the budget.
    """

    name = "rules:halver"
    title = "Halver"
    parameters = {
        "open": HALVER_OPEN_OF_ASK,
        "half": HALF,
        "most_moves": MOST_MOVES,
        "small_gap": HALVER_SMALL_GAP,
    }

    def propose(self, observation: BuyerObservation) -> Move:
        """Halve the gap, or stand."""
        seen = observation
        ask, last, budget = seen.standing_ask, seen.own_last_bid, seen.budget
        if last is None:
            return bid(HALVER_OPEN_OF_ASK * ask)
        has_moves = len(observation.bids) <= MOST_MOVES
        price = last + HALF * (ask - last) if has_moves else last
        is_close = ask - price <= HALVER_SMALL_GAP * ask
        if ask <= budget and (is_close or observation.rounds_left == 0):
            return Accept()
        return bid(price)


LOW_OF_ASK = 0.5


class Micro(RuleBuyer):
    """Makes a new bid only while it has made no more different ones than the seller.

    The bids are an even ladder from half the opening ask to the budget, one rung a round. De
    Jonge (2022): no model of the opponent, no clock.
    """

    name = "rules:micro"
    title = "MiCRO"
    parameters = {"low": LOW_OF_ASK}

    def propose(self, observation: BuyerObservation) -> Move:
        """Take the next rung, or wait on this one."""
        budget = observation.budget
        low = min(LOW_OF_ASK * observation.opening_ask, budget)
        rung = (budget - low) / observation.max_rounds
        own, theirs = len(set(observation.bids)), len(set(observation.asks))
        rungs = own if own <= theirs else own - 1
        return bid(low + rungs * rung)


ACCEPT_P = 0.15
WALK_P = 0.03


class RandomBuyer(RuleBuyer):
    """Accepts with 15 %, walks with 3 %, else bids evenly between its last bid and its budget."""

    name = "rules:random"
    title = "Random"
    parameters = {"accept": ACCEPT_P, "walk": WALK_P}

    def propose(self, observation: BuyerObservation) -> Move:
        """Throw the dice."""
        dice = self.dice(observation)
        chance = dice.random()
        if chance < ACCEPT_P:
            return Accept()
        if chance < ACCEPT_P + WALK_P:
            return Walk()
        return bid(dice.uniform(observation.own_last_bid or 0, observation.budget))


SPLIT_SMALL_GAP = 0.02


class Split(RuleBuyer):
    """Bids the middle of the standing prices, first half the ask; takes an ask within 2 %."""

    name = "rules:split"
    title = "Split the difference"
    parameters = {"small_gap": SPLIT_SMALL_GAP}

    def propose(self, observation: BuyerObservation) -> Move:
        """Bid the middle."""
        ask = observation.standing_ask
        price = ((observation.own_last_bid or 0) + ask) / 2
        return Accept() if ask - price <= SPLIT_SMALL_GAP * ask else bid(price)


ZEUTHEN_OPEN_OF_ASK = 0.55
COST_OF_ASK = 0.5


class Zeuthen(RuleBuyer):
    """Compares both sides' risk limits, with the seller's cost guessed as half the opening ask.

    The side whose limit is lower concedes just enough to turn that round, which is where both
    proposals have the same product of gains: ``(B - p)(p - c) = (B - ask)(ask - c)``, so
    ``p = B + c - ask`` (Harsanyi 1956). While the ask is beyond the budget there is nothing to
    lose, and it waits.
    """

    name = "rules:zeuthen"
    title = "Zeuthen"
    parameters = {"open": ZEUTHEN_OPEN_OF_ASK, "cost": COST_OF_ASK}

    def propose(self, observation: BuyerObservation) -> Move:
        """Concede to equal risk, or wait."""
        ask, budget = observation.standing_ask, observation.budget
        cost = COST_OF_ASK * observation.opening_ask
        opening = ZEUTHEN_OPEN_OF_ASK * observation.opening_ask
        last = observation.own_last_bid
        if last is None or ask > budget:
            return bid(last if last is not None else opening)
        return bid(max(last, budget + cost - ask))


BID_OF_ASK = 0.48
BID_OF_LIST_PRICE = 0.35
"""In suites of real listings, whose opening ask is the list price."""
LISTING_SUITES = ("amazon_realistic",)
BLUFFING_SUITES = ("deceptive_seller", "read_the_tells")
BLUFFER = "deceptive"


class Waiter(RuleBuyer):
    """Bids 48 % of the opening ask in every round and takes the ask once it has stopped falling.

    From a bluffer, whose asks stop and go on, it only takes the last round's. It looks neither at
    the goods nor at what is said: what it reaches is what patience alone is worth.
    """

    name = "rules:waiter"
    title = "Waiter"
    parameters = {
        "bid": BID_OF_ASK,
        "bid_of_list_price": BID_OF_LIST_PRICE,
        "listing_suites": LISTING_SUITES,
        "bluffing_suites": BLUFFING_SUITES,
    }

    def propose(self, observation: BuyerObservation) -> Move:
        """Stand still, or take what there is to take."""
        suite, _, _ = observation.suite.partition("@")
        is_bluffing = observation.persona == BLUFFER or suite in BLUFFING_SUITES
        has_stopped = len(observation.asks) > 1 and observation.last_concession <= 0
        is_over = observation.rounds_left == 0 or (has_stopped and not is_bluffing)
        if is_over and observation.standing_ask <= observation.budget:
            return Accept()
        share = BID_OF_LIST_PRICE if suite in LISTING_SUITES else BID_OF_ASK
        return bid(share * observation.opening_ask)


class Timed(RuleBuyer):
    """Climbs from a share of the opening ask to the budget along ``1 - t**e``.

    Its first bid is one step of the clock above that share (Faratin et al., 1998).
    """

    exponent: ClassVar[float]
    low: ClassVar[float] = LOW_OF_ASK

    def propose(self, observation: BuyerObservation) -> Move:
        """Bid what the clock says."""
        budget = observation.budget
        low = min(self.low * observation.opening_ask, budget)
        t = price_grid.elapsed(observation.round - 1, observation.max_rounds)
        return bid(budget - (budget - low) * price_grid.aspiration(t, self.exponent))


def _parameters(exponent: float, low: float = LOW_OF_ASK) -> Mapping[str, object]:
    return {"low": low, "exponent": exponent}


class Boulware(Timed):
    """Waits long and gives in late (e = 4)."""

    name = "rules:boulware"
    title = "Boulware"
    exponent = price_grid.BOULWARE
    parameters = _parameters(price_grid.BOULWARE)


class Linear(Timed):
    """Climbs evenly (e = 1)."""

    name = "rules:linear"
    title = "Linear"
    exponent = price_grid.LINEAR
    parameters = _parameters(price_grid.LINEAR)


class Conceder(Timed):
    """Gives in early (e = 1/4)."""

    name = "rules:conceder"
    title = "Conceder"
    exponent = price_grid.CONCEDER
    parameters = _parameters(price_grid.CONCEDER)


SCHEDULE = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


class Scheduled(RuleBuyer):
    """Bids 0.5 to 1.0 of its budget over six turns, whatever the seller does (Xia et al. 2024)."""

    name = "rules:schedule"
    title = TEXTS["schedule_of_bids"]
    parameters = {"schedule": SCHEDULE}

    def propose(self, observation: BuyerObservation) -> Move:
        """Bid the next share of the schedule."""
        turn = min(len(observation.bids), len(SCHEDULE) - 1)
        return bid(SCHEDULE[turn] * observation.budget)


THREE_OPEN_OF_ASK = 0.65
THREE_STEP = 0.25


class ThreeRules(RuleBuyer):
    """What a person can keep in mind: the three sentences for buyers on ``/learn/``.

    Opens at 65 % of the ask, then goes a quarter of the way from its bid to the budget; takes an
    ask that its next bid reaches, and in the last round any ask within the budget.
    """

    name = "rules:three"
    title = TEXTS["three_rules_for_you"]
    parameters = {"open": THREE_OPEN_OF_ASK, "step": THREE_STEP}

    def propose(self, observation: BuyerObservation) -> Move:
        """Shrink the steps."""
        last, budget = observation.own_last_bid, observation.budget
        if observation.rounds_left == 0 and observation.standing_ask <= budget:
            return Accept()
        if last is None:
            return bid(THREE_OPEN_OF_ASK * observation.opening_ask)
        return bid(last + THREE_STEP * (budget - last))


OPENINGS = (30, 40, 45, 55, 60, 65, 70, 80)
"""Baselines beside ``rules:conceder``: from where they climb, in percent of the opening ask."""
CONCEDERS = tuple(f"{Conceder.name}-{percent}" for percent in OPENINGS)


@cache
def conceder_from(percent: int) -> type[Conceder]:
    """Make the conceder that climbs from so many percent of the opening ask."""
    low = percent / 100
    told = {
        "name": f"{Conceder.name}-{percent}",
        "title": f"Conceder from {percent} %",
        "low": low,
        "parameters": _parameters(Conceder.exponent, low),
    }
    return type("ConcederFrom", (Conceder,), told)


LINE = "rules:line"
LINES = tuple(f"{LINE}-{ends}" for ends in ("30-70", "30-90", "40-90", "50-90"))
"""The dumbest that there is to beat: from where to where they climb, in percent of the budget."""


@cache
def line_between(first: int, last: int) -> type[Line]:
    """Make the line from so many to so many percent of the budget."""
    ends = {"first": first / 100, "last": last / 100}
    title = f"Line of the budget, {first} to {last} %"
    told = {"name": f"{LINE}-{first}-{last}", "title": title, "parameters": ends, **ends}
    return type("LineBetween", (Line,), told)


RULES: tuple[type[RuleBuyer], ...] = (
    Boulware, Linear, Conceder, TitForTat, Micro, Zeuthen, Split, Waiter, Climber, Halver,
    Agreeable, RandomBuyer,
)  # fmt: skip
"""The rules that play under a name of their own."""


def rule_buyer(name: str) -> type[RuleBuyer]:
    """Look a rule up by its name, also every conceder and line of 10 to 99 %.

    Raises ``LookupError``, which names those there are.
    """
    percent = name.removeprefix(f"{Conceder.name}-")
    if percent != name and re.fullmatch("[1-9][0-9]", percent):
        return conceder_from(int(percent))
    if ends := re.fullmatch(f"{LINE}-([1-9][0-9])-([1-9][0-9])", name):
        return line_between(int(ends[1]), int(ends[2]))
    rules: tuple[type[RuleBuyer], ...] = (*RULES, Scheduled, ThreeRules)
    named = {one.name: one for one in rules}
    if name not in named:
        known = ", ".join((*sorted(named), f"{Conceder.name}-10 to -99", f"{LINE}-10-10 to -99-99"))
        raise LookupError(f"There is no rule {name[:40]!r}. Known: {known}.")
    return named[name]
