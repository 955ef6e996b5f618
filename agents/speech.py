"""The reader of a seller's free text that this room installs."""

from agents.coherence import names_budget
from agents.hearing.hear import is_mere_talk, is_order
from agents.intent import read_buyer_intent, read_intent
from agents.sellers.speaking import listens
from agents.speaking.plan import plan_of
from agents.speaking.promises import is_promise
from agents.steering import believe
from agents.tells_reader.reader import read_tells
from negotiation.engine.moves import Move
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import Paise
from negotiation.engine.tells import Tells
from negotiation.plans import Plan
from negotiation.readers import Belief, Intent, Observation, Reading, SaleContext


class Speech:
    """Reads a seller's words with tables of phrases."""

    def intent(self, text: str, context: SaleContext) -> Intent:
        """Read what the text asks for; never raises on any text."""
        ask = context.asks[-1] if context.asks else None
        bid = context.bids[-1] if context.bids else None
        if is_order(text):
            return Intent("none")
        if context.side == "buyer" and ask is not None:
            intent = read_buyer_intent(text, ask, bid, context.currency)
        else:
            intent = read_intent(text, ask, bid, context.currency)
        # Talk is answered, not asked back: "namaste ji" is no "yes".
        return (
            Intent("none")
            if intent.kind == "ambiguous" and is_mere_talk(text, context.side)
            else intent
        )

    def tells(self, text: str, context: SaleContext, ask: Paise | None) -> Reading:
        """Read the signals of the text, the time it took and the path of asks."""
        return read_tells(text, context, ask)

    def belief(self, tells: Tells | None, asks: tuple[Paise, ...], persona: str | None) -> Belief:
        """Estimate the seller's state from its last tells and the path of its asks."""
        last_concession = asks[-2] - asks[-1] if len(asks) > 1 else 0
        return believe(tells, persona, last_concession, asks[-1] if asks else 1)

    def plan(self, seen: Observation, answer: Move | str) -> Plan | None:
        """Tell why the house answers a position as it does; sellers who do not listen have none."""
        if isinstance(seen, BuyerObservation) or listens(seen):
            return plan_of(seen, answer)
        return None

    def promises(self, text: str) -> bool:
        """Tell whether a text promises a step for a step."""
        return is_promise(text)

    def names_secret(self, text: str, secret: Paise) -> bool:
        """Tell whether a text gives a price away."""
        return names_budget(text, secret)
