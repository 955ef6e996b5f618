"""Sauda's rule policy: the house buyer when no model speaks."""

from agents import steering
from agents.buyers.base import RuleBuyer
from agents.guards import guard
from agents.lines.voice import choose
from agents.rounding import people_price
from negotiation.engine.moves import Accept, Move, Offer, Walk
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import clamp_price, to_rupees
from negotiation.money import rupees_text

REGISTERS = ("english", "hinglish", "hinglish", "english", "hindi")


class Sauda(RuleBuyer):
    """Opens low, concedes in shrinking steps, reads the seller, and talks."""

    name = "sauda"
    title = "Sauda"

    def act(self, observation: BuyerObservation) -> Move:
        """Propose, steer, guard, then find the words."""
        move = guard(observation, steering.steer(observation, self.propose(observation)))
        return _with_text(move, self._speak(observation, move))

    def propose(self, observation: BuyerObservation) -> Move:
        """Choose a price without words."""
        judgement = steering.judge(observation)
        dice = self.dice(observation)
        ask, last = observation.standing_ask, observation.own_last_bid
        if last is None:
            price = ask * dice.uniform(0.52, 0.62)
        else:
            price = last + (judgement.threshold - last) * dice.uniform(0.25, 0.45)
        bid = people_price(price, ask)
        if ask <= judgement.threshold and ask - bid <= 0.03 * ask:
            return Accept()
        return Offer(clamp_price(bid))

    def reply(self, observation: BuyerObservation) -> str:
        """Answer words that named no price."""
        return choose(self._register(), "reply", self.seed, len(observation.turns))

    def _speak(self, observation: BuyerObservation, move: Move) -> str:
        number = len(observation.bids)
        match move:
            case Accept():
                strategy, price = "accepting", observation.standing_ask
            case Walk():
                strategy, price = "walking", observation.standing_ask
            case Offer(price):
                strategy = "closing" if observation.rounds_left < 2 else "concession"
                if number == 0:
                    strategy = "opening"
                elif price == observation.own_last_bid:
                    strategy = "holding"
        currency = observation.item.currency
        return choose(self._register(), strategy, self.seed, number).format(
            price=rupees_text(to_rupees(price), currency),
            ask=rupees_text(to_rupees(observation.standing_ask), currency),
            item=observation.item.title,
        )

    def _register(self) -> str:
        return REGISTERS[self.seed % len(REGISTERS)]


def _with_text(move: Move, text: str) -> Move:
    match move:
        case Offer(price):
            return Offer(price, text)
        case Accept():
            return Accept(text)
        case Walk():
            return Walk(text)
