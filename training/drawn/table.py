"""One bargain with a drawn seller, who may talk about other things than prices."""

from random import Random

import msgspec

from negotiation.engine.episode import State, advance, show_tells
from negotiation.engine.events import Event
from negotiation.engine.observe import observe_seller
from negotiation.engine.proposals import repair
from training.data.chatter import Chatter
from training.drawn.dealing import deal
from training.drawn.habits import draw
from training.drawn.seller import DrawnSeller
from training.evaluation.one_bargain import OneBargain


class DrawnGame(OneBargain):
    """A buyer's seat opposite a seller that is met this once; a game is one bargain."""

    def __init__(self, seed: int) -> None:
        """Open the bargain.

        Args:
            seed: 0 or more; everything random follows from it.
        """
        scenario = deal(seed)
        super().__init__(scenario, seed)
        dice = Random(f"habits:{scenario.sealed.seed}")
        self._habits = draw(dice)
        self._seller = DrawnSeller(scenario, self._habits, dice)
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
