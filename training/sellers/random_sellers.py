"""Sellers drawn at random, to learn from: no two are alike, and none is met in an evaluation."""

import abc
import math
from random import Random

import msgspec

from bazaarbatna.bargain.episode import State, advance, show_tells, start
from bazaarbatna.bargain.errors import GameOver
from bazaarbatna.bargain.events import Event
from bazaarbatna.bargain.goods import GOODS
from bazaarbatna.bargain.log import Log
from bazaarbatna.bargain.observe import (
    BuyerObservation,
    SellerObservation,
    observe_buyer,
    observe_seller,
)
from bazaarbatna.bargain.proposals import repair
from bazaarbatna.bargain.quantities import Paise, clamp_price
from bazaarbatna.bargain.rewards import reward
from bazaarbatna.bargain.scenario import Scenario, SealedValues, SellerRules
from bazaarbatna.bargain.sellers.base import RuleSeller
from bazaarbatna.bargain.sellers.default import DefaultSeller
from bazaarbatna.envs.bargain.suite_game import Stepped
from negotiation.bargain.scenarios import MAX_ROUNDS, SEED_LIMIT, draw_budget
from training.data.teaching import Chatter
from training.evaluation.playing import Source, register_suites


class OneBargain(abc.ABC):
    """A buyer's seat in one bargain; a subclass says how its seller answers.

    An illegal move of the seller raises; a buyer's is repaired, as everywhere.
    """

    games = 1

    def __init__(self, scenario: Scenario, seed: int) -> None:
        self.seed = seed
        self.suite_id = scenario.suite
        self._state, opening = start(scenario)
        self._events: list[Event] = [*opening]

    @property
    def observation(self) -> BuyerObservation | None:
        """What the buyer sees before its next move; None when all is over."""
        return None if self.done else observe_buyer(self._state)

    @property
    def done(self) -> bool:
        """The bargain is over."""
        return self._state.ended is not None

    @property
    def game(self) -> int:
        """Always the first: there is one bargain."""
        return 0

    @property
    def logs(self) -> tuple[Log, ...]:
        """The bargain with its values open, once it is over."""
        return (Log(self._state.scenario, tuple(self._events)),) if self.done else ()

    def step(self, proposal: object) -> Stepped:
        """Make the buyer's move and the seller's answer; GameOver when the bargain is over."""
        if self.done:
            raise GameOver("The bargain is over.")
        before = self._state
        self._state, happened = advance(before, repair(before, "buyer", proposal))
        self._events += happened
        if self._state.ended is None:
            self._state, happened = self._answer(self._state)
            self._events += happened
        log = next(iter(self.logs), None)
        return Stepped(reward(before, proposal, self._state), observe_buyer(self._state), log)

    @abc.abstractmethod
    def _answer(self, before: State) -> tuple[State, tuple[Event, ...]]:
        """Let the seller answer, and the buyer notice what it may."""


SUITE = "drawn@sampled-1"
TITLE = "Sellers drawn at random"
SELLER = "rule:drawn@1"  # Raised when manners or values are drawn in another way
COST = (20_00, 20_000_00)
MARGIN = (1.0, 1.3)  # Reservation price as a multiple of the cost
ANCHOR = (1.15, 3.0)  # Opening ask as a multiple of the reservation price
USUAL_ROUNDS = 0.5
"""How many games last as long as those of the site; the others have six rounds to twelve."""
ROUNDS = (6, 12)
HURRIED = 0.15  # How many buyers have a deadline
WALK_P = 0.1  # Highest base probability of walking from a lowball
STEADY = 0.5  # How many sellers follow a schedule only; the others answer concessions, too
YIELDING = 0.4  # How many come down to their reservation price in the end
EASY = 0.3  # How many take any bid that reaches the reservation price
LAST_CHANCE = 0.6  # How many take such a bid at least in the last round


def deal(seed: int) -> Scenario:
    """Draw a game. Prices in paise."""
    dice = Random(f"drawn:{seed}")
    sealed_seed = dice.randrange(SEED_LIMIT)
    low, high = COST
    cost = clamp_price(low * (high / low) ** dice.random())
    reservation = clamp_price(dice.uniform(*MARGIN) * cost)
    anchor = clamp_price(dice.uniform(*ANCHOR) * reservation)
    rounds = MAX_ROUNDS if dice.random() < USUAL_ROUNDS else dice.randint(*ROUNDS)
    return Scenario(
        suite=SUITE,
        item=dice.choice(GOODS),
        max_rounds=rounds,
        anchor=anchor,
        sealed=SealedValues(
            reservation=reservation,
            cost=cost,
            budget=_budget(dice, sealed_seed, anchor, reservation),
            seed=sealed_seed,
            deadline=dice.randint(3, rounds - 1) if dice.random() < HURRIED else None,
        ),
        salt=f"{dice.getrandbits(128):032x}",
        seller=SELLER,
        rules=SellerRules(batna_walk_p=dice.uniform(0, WALK_P)),
    )


def _budget(dice: Random, sealed_seed: int, anchor: Paise, reservation: Paise) -> Paise:
    # As the site drew at first, or from a wider range: some can pay more than is asked.
    if dice.random() < 0.5:
        return draw_budget(sealed_seed, anchor, reservation, rule=1)
    return clamp_price(dice.uniform(1.05 * reservation, 1.3 * anchor))


class Habits(msgspec.Struct, frozen=True):
    """The numbers of one seller. Shares are 0..1 of the way from anchor to reservation price.

    Attributes:
        shape: beta of a time-dependent tactic; below 1 it holds out, above 1 it yields early.
        reach: how far the schedule has come in the last round.
        mirror: which part of the buyer's last step up is answered by a step down; 0 for none.
        greed: which part of what the ask leaves above the reservation price a bid has to bring.
    """

    shape: float
    reach: float
    mirror: float
    greed: float
    last_greed: float
    blind: bool


def draw_habits(dice: Random) -> Habits:
    """Draw a seller; schedule by Faratin, Sierra and Jennings (1998), time-dependent tactics."""
    greed = 0.0 if dice.random() < EASY else dice.random()
    return Habits(
        shape=10 ** dice.uniform(-0.6, 0.6),
        reach=1.0 if dice.random() < YIELDING else dice.uniform(0.3, 1.0),
        mirror=0.0 if dice.random() < STEADY else dice.uniform(0.3, 1.0),
        greed=greed,
        last_greed=0.0 if dice.random() < LAST_CHANCE else greed,
        blind=dice.random() < STEADY,
    )


class RandomSeller(RuleSeller):
    """Comes down by a curve of its own, in part as the buyer comes up.

    It takes a bid that leaves it enough, and walks from lowballs as pinned sellers do.
    """

    persona = DefaultSeller.persona

    def __init__(self, scenario: Scenario, habits: Habits, rng: Random) -> None:
        super().__init__(scenario, rng)
        self._habits = habits

    def ask(self, seen: SellerObservation, drop: float, pull: float) -> float:
        """Follow the curve, or what the buyer's last step earns; an ask never goes up."""
        habits, standing = self._habits, seen.asks[-1]
        curve = habits.reach * math.pow(seen.round / self.rounds, 1 / habits.shape)
        planned = self.anchor - curve * self._range
        step = seen.bids[-1] - seen.bids[-2] if len(seen.bids) > 1 else 0
        mirrored = standing - habits.mirror * step
        return min((planned + mirrored) / 2 if habits.mirror else planned, standing)

    def taking(self, bid: int, ask: Paise, t: int) -> float:
        """Take for certain what leaves enough, and nothing else."""
        greed = self._habits.last_greed if t == self.rounds else self._habits.greed
        return float(bid >= self.reservation + greed * (ask - self.reservation))


class RandomSellerGame(OneBargain):
    """A buyer's seat opposite a seller that is met this once; a game is one bargain."""

    def __init__(self, seed: int) -> None:
        scenario = deal(seed)
        super().__init__(scenario, seed)
        dice = Random(f"habits:{scenario.sealed.seed}")
        self._habits = draw_habits(dice)
        self._seller = RandomSeller(scenario, self._habits, dice)
        self._chatter = Chatter(seed)

    def _answer(self, before: State) -> tuple[State, tuple[Event, ...]]:
        seen = observe_seller(before)
        shown: tuple[Event, ...] = ()
        tells = self._seller.tells(seen)
        if not self._habits.blind:
            before, shown = show_tells(before, "seller", tells)
        move = repair(before, "seller", self._seller.act(seen))
        if words := self._chatter.words():
            move = msgspec.structs.replace(move, text=words)
        after, happened = advance(before, move)
        return after, (*shown, *happened)


_SUITE_SOURCE = Source(title=TITLE, episodes=1, row=SELLER, deal=deal, open=RandomSellerGame)


def plug_in() -> None:
    """Register the suite; safe to call twice."""
    register_suites("drawn", lambda id_: _SUITE_SOURCE if id_ == SUITE else None)
