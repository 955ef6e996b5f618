"""A buyer's action as JSON, in rupees, and the move that it proposes."""

import math
from typing import Any, Literal

import msgspec

from bazaarbatna import nulls
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import MAX_PRICE, InvalidPrice, Paise, to_paise
from bazaarbatna.envs.bargain.episode import UnreadableAction


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a buyer does in its turn.

    Attributes:
        action: ``offer`` names a price, ``accept`` takes the standing ask, ``walk`` leaves.
        price: the bid in rupees; an offer needs one. Beside other actions it is ignored.
        message: one short line to the seller; what is over 2,000 characters is cut.
        metadata: ignored; OpenEnv's own actions carry it.
    """

    action: Literal["offer", "accept", "walk"]
    price: float | None = None
    message: str = ""
    metadata: dict[str, Any] = {}


def read_action(data: object) -> Action:
    """Read an action from decoded JSON: a mapping, or an ``Action`` that is one already.

    Raises:
        UnreadableAction: it says what is wrong and where.
    """
    if isinstance(data, Action):
        return data
    try:
        return nulls.converted(data, Action)
    except msgspec.ValidationError as wrong:
        raise UnreadableAction(str(wrong)) from wrong


def to_proposal(action: Action) -> Move:
    """Turn an action into the move it proposes.

    A bid that breaks a rule is still a proposal: the game holds it in range and its reward says so.

    Raises:
        UnreadableAction: an offer has no price, or one that is no finite number.
    """
    if action.action == "accept":
        return Accept(action.message)
    if action.action == "walk":
        return Walk(action.message)
    return Offer(_paise(action.price), action.message)


def _paise(rupees: float | None) -> Paise:
    if rupees is None or not math.isfinite(rupees):
        raise UnreadableAction("An offer needs a price: a number of rupees.")
    try:
        return to_paise(rupees)
    except InvalidPrice:
        # Out of range, the reward judges it; an infinity could not be rounded.
        highest = 10.0 * MAX_PRICE
        return Paise(math.floor(min(max(rupees * 100, -highest), highest)))
