"""The seller's remark to a person at the table who talks without a price.

It is said to that person alone and closes no envelope, so it stands in no log: the same words give
the same match. It comes from the sellers' ear and bank (``agents.sellers.speaking``).
"""

from collections import OrderedDict

from agents.sellers.speaking import SellerSpeaker
from arena.engine.match import ArenaState
from arena.engine.observe import observe
from negotiation.bargain.purchases import SUITE
from negotiation.engine.episode import Turn
from negotiation.engine.observe import REMEMBERED_TURNS, SellerObservation
from negotiation.engine.scenario import SellerRules

SEATS = 2_000
"""Latest seats whose remarks are remembered; after a restart one may come again."""

_said: OrderedDict[tuple[int, int], tuple[str, ...]] = OrderedDict()


def remark_to(state: ArenaState, index: int, text: str) -> str:
    """Answer a person's words; "" where nothing new may be said.

    Args:
        state: the position.
        index: the person's seat.
        text: what was said.
    """
    seat = (state.scenario.sealed.seed, index)
    said = _said.get(seat, ())
    remark = SellerSpeaker(sum(seat), lambda *_: ()).reply(_as_seller(state, index, text, said))
    if remark:
        _said[seat] = (*said, remark)
        _said.move_to_end(seat)
        if len(_said) > SEATS:
            _said.popitem(last=False)
    return remark


def _as_seller(
    state: ArenaState, index: int, text: str, said: tuple[str, ...]
) -> SellerObservation:
    """See the match as a seller does who speaks with one buyer; other buyers' bids are left out."""
    own, sealed = observe(state, index), state.scenario.sealed
    turn = Turn("buyer", own.round, "message", None, text)
    return SellerObservation(
        suite=SUITE,
        item=own.item,
        round=own.round,
        max_rounds=own.max_rounds,
        asks=own.asks,
        bids=own.bids,
        reservation=sealed.reservation,
        cost=sealed.cost,
        persona="",
        rules=SellerRules(),
        turns=(*own.turns, turn)[-REMEMBERED_TURNS:],
        done=False,
        outcome=None,
        earlier=said,
    )
