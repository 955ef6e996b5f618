"""Sauda's rule policy: the buyer where no model speaks."""

from random import Random
from typing import ClassVar

import msgspec

from agents.buyers import steering
from agents.buyers.steering import Judgement
from agents.speech.promises import keep
from agents.speech.speaker import tongue_of
from agents.speech.voice import PARAMETERS as VOICE_PARAMETERS
from agents.text.rounding import STEPS, in_round_numbers, people_price
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.players.base import RuleBuyer
from bazaarbatna.players.guard import guard


class Plan(msgspec.Struct, frozen=True):
    """The numbers of Sauda's temper; shares 0..1 unless said. Pairs are drawn from evenly."""

    open_of_ask: tuple[float, float] = (0.53, 0.62)
    open_of_threshold: tuple[float, float] = (0.74, 0.83)
    pace: tuple[float, float] = (0.11, 0.23)
    """Share of the way to the threshold that one concession goes."""
    calm_pace: float = 1.25
    urgency_pace: float = -0.50
    """The pace is multiplied by ``calm_pace + urgency_pace * believed urgency``."""
    closing_pace: tuple[tuple[float, float], ...] = ((0.75, 1.0), (0.30, 0.45))
    """The same in the last round and the one before, for a seller who conceded fairly."""
    first_pace: float = 1.5
    first_answer: float = 0.05
    """The first concession goes this much further, and this share of the ask is allowed for it
    whatever the seller did: it shows that talking pays."""
    answer_at_most: float = 2.2
    """A concession is at most this many times the seller's own last one ..."""
    answer_at_least: tuple[float, float] = (0.012, 0.045)
    """... but this share of the ask is always allowed: at the start, and at the end."""
    stall_of_ask: float = 0.006
    """A seller who came down by less than this share of the ask has not moved."""
    hold_p: float = 0.55
    """Chance to stand still before a seller who has not moved."""
    small_gap: tuple[float, float] = (0.025, 0.07)
    """A gap below this share of the ask is not worth arguing about: at the start, at the end."""
    late: float = 0.85
    """From this share of the rounds on, an ask under the threshold is taken."""
    bargain_p: float = 0.2
    """Chance to take an ask under the hoped-for price at once."""
    fair_concession: float = 0.06
    last_accept: tuple[float, float] = (0.90, 0.97)
    """Share of the budget Sauda pays in the last round to a seller who conceded fairly."""
    nothing_new: float = 1.03
    """A last bid within this factor of the one before was refused already."""
    hopeless_last: float = 1.30
    hopeless_early: float = 1.45
    """Asks above these multiples of the budget make the last round, or the one before, hopeless."""


PLAN = Plan()


def propose(observation: BuyerObservation, judgement: Judgement, dice: Random) -> Move:
    """Choose a move without words; steering and guards still follow."""
    bid = _next_bid(observation, judgement, dice)
    if _wants_it(observation, judgement, bid, dice):
        return Accept()
    if _is_hopeless(observation, bid):
        return Walk()
    return Offer(bid)


def _rounds_to_go(observation: BuyerObservation) -> int:
    last = observation.max_rounds
    if observation.deadline is not None and observation.deadline >= observation.round:
        last = min(last, observation.deadline)
    return last - observation.round


def _next_bid(observation: BuyerObservation, judgement: Judgement, dice: Random) -> Paise:
    ask, last = observation.standing_ask, observation.own_last_bid
    if last is None:
        of_ask = ask * dice.uniform(*PLAN.open_of_ask)
        of_threshold = judgement.threshold * dice.uniform(*PLAN.open_of_threshold)
        return people_price(min(of_ask, of_threshold), ask)
    change = _concession(observation, judgement, dice)
    bid = people_price(last + change, ask, change=change)
    return Paise(max(bid, last))


def _wants_it(
    observation: BuyerObservation,
    judgement: Judgement,
    bid: Paise,
    dice: Random,
) -> bool:
    ask, budget = observation.standing_ask, observation.budget
    if _rounds_to_go(observation) == 0 and ask > judgement.threshold:
        share = dice.uniform(*PLAN.last_accept)
        return _was_fair(observation) and ask <= share * budget
    if ask > judgement.threshold:
        return False
    progress = _progress(observation)
    if ask - bid <= _between(PLAN.small_gap, progress) * ask or progress >= PLAN.late:
        return True
    return bool(observation.bids) and ask <= judgement.target and dice.random() < PLAN.bargain_p


def _is_hopeless(observation: BuyerObservation, bid: Paise) -> bool:
    ask, budget = observation.standing_ask, observation.budget
    left = observation.rounds_left
    if left == 0:
        return bid <= PLAN.nothing_new * (observation.own_last_bid or 0) and (
            ask > PLAN.hopeless_last * budget
        )
    return left == 1 and ask > PLAN.hopeless_early * budget and _stalls(observation)


def _concession(observation: BuyerObservation, judgement: Judgement, dice: Random) -> float:
    left = _rounds_to_go(observation)
    room = max(judgement.threshold - observation.bids[-1], 0.0)
    if left < len(PLAN.closing_pace) and _was_fair(observation):
        return room * dice.uniform(*PLAN.closing_pace[left])
    if _may_stand_still(observation) and dice.random() < PLAN.hold_p:
        return 0.0
    pace = dice.uniform(*PLAN.pace)
    pace *= PLAN.calm_pace + PLAN.urgency_pace * judgement.belief.urgency
    if len(observation.bids) == 1:
        pace *= PLAN.first_pace
    return min(room * pace, _answer(observation))


def _answer(observation: BuyerObservation) -> float:
    share = _between(PLAN.answer_at_least, _progress(observation) ** 2)
    if len(observation.bids) == 1:
        share = max(share, PLAN.first_answer)
    return max(share * observation.standing_ask, PLAN.answer_at_most * observation.last_concession)


def _progress(observation: BuyerObservation) -> float:
    return observation.round / (observation.round + _rounds_to_go(observation))


def _between(ends: tuple[float, float], share: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * share


def _may_stand_still(observation: BuyerObservation) -> bool:
    bids = observation.bids
    stood_still = len(bids) > 1 and bids[-1] == bids[-2]
    return _stalls(observation) and not stood_still and _rounds_to_go(observation) > 1


def _stalls(observation: BuyerObservation) -> bool:
    return observation.last_concession < PLAN.stall_of_ask * observation.standing_ask


def _was_fair(observation: BuyerObservation) -> bool:
    came_down = observation.opening_ask - observation.standing_ask
    return came_down >= PLAN.fair_concession * observation.opening_ask


class Sauda(RuleBuyer):
    """Opens low, concedes in shrinking steps, reads the seller, and talks."""

    name = "sauda"
    title = "Sauda"
    use_tells: ClassVar[bool] = True
    """The switch of the published ablation; it is part of the name."""
    parameters = {
        "plan": msgspec.to_builtins(PLAN),
        "steering": steering.PARAMETERS,
        "steps": STEPS,
        "words": VOICE_PARAMETERS,
    }

    def act(self, observation: BuyerObservation) -> Move:
        """Choose a legal move and the words for it."""
        move = self.decide(observation)
        words = tongue_of(observation, self.seed).line(observation, move)
        return msgspec.structs.replace(move, text=words)

    def decide(self, observation: BuyerObservation) -> Move:
        """Choose a legal move without words."""
        judgement = steering.judge(observation, use_tells=self.use_tells)
        wish = propose(observation, judgement, self.dice(observation))
        steered = steering.steer(observation, wish, judgement)
        return keep(observation, guard(observation, in_round_numbers(observation, steered)))

    def propose(self, observation: BuyerObservation) -> Move:
        """Choose a move that is not steered yet."""
        judgement = steering.judge(observation, use_tells=self.use_tells)
        return propose(observation, judgement, self.dice(observation))

    def reply(self, observation: BuyerObservation) -> str:
        """Answer words that named no price."""
        return tongue_of(observation, self.seed).reply(observation)


class SaudaWithoutTells(Sauda):
    """The other arm of the ablation: the same buyer, blind to what the seller lets it notice."""

    name = "rules:sauda-without-tells"
    title = "Sauda without tells"
    use_tells = False
