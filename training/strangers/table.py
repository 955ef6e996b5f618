"""One bargain with a talking seller: words on both sides, tells read from the seller's words."""

from negotiation.bargain.noticing import context_of, notice_move
from negotiation.engine.episode import State, apply
from negotiation.engine.events import Event
from negotiation.engine.observe import observe_seller
from training.evaluation.one_bargain import OneBargain
from training.strangers.dealing import deal, seller_of


class StrangerGame(OneBargain):
    """A buyer's seat opposite one of the house's talking sellers; a game is one bargain.

    What the buyer may notice is what the site's own reader finds in the seller's words, as it is
    in live games.
    """

    def __init__(self, persona: str, seed: int) -> None:
        """Open the bargain.

        Args:
            persona: who sells, for example "firm".
            seed: 0 or more; everything random follows from it.
        """
        scenario = deal(persona, seed)
        super().__init__(scenario, seed)
        self._seller = seller_of(persona).make(scenario.sealed.seed)

    def _answer(self, before: State) -> tuple[State, tuple[Event, ...]]:
        move = self._seller.act(observe_seller(before))
        after, happened = apply(before, "seller", move)
        context = context_of(before, "seller")
        return notice_move(before, after, happened, len(self._events), move, context)
