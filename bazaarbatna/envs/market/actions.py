"""A lab's action as JSON in credits: read leniently, written exactly."""

from collections.abc import Mapping
from typing import Any

import msgspec

from bazaarbatna.market import Malformed, MarketAction, read_action
from bazaarbatna.market.actions import Wire
from bazaarbatna.market.quantities import to_credits


class ActionForm(Wire, frozen=True, forbid_unknown_fields=True):
    """What a lab does in its turn. Any other object is an invalid action: it uses the turn up.

    Attributes:
        action: one of the fourteen.
        target_lab_id: whom an offer, invitation, message or counter-pitch is for.
        offer_id: which offer is accepted, rejected or countered.
        coalition_id: which coalition; beside accept and reject, which invitation.
        block_ids: own blocks that are offered, reserved, released, committed or used.
        requested_block_ids: blocks of the other side that are asked for.
        job_id: the own job that is run.
        payment: credits paid to the other side.
        message: up to 500 characters.
        conditions: what binds the blocks that change hands.
        metadata: ignored; OpenEnv's own actions carry it.
    """

    metadata: dict[str, Any] | None = None


def to_action(data: Mapping[str, Any]) -> MarketAction | Malformed:
    """Read an action from a decoded object; what is none is one that the rules refuse.

    Its name may stand under ``action_type``, and conditions may be an object of those that hold.

    >>> to_action({"action": "wait", "metadata": {"by": "asha"}}).action
    'wait'
    >>> to_action({"action_type": "wait", "conditions": {"coalition_only": True}}).conditions
    ('coalition_only',)
    """
    told = {name: value for name, value in data.items() if name != "metadata"}
    if "action_type" in told and "action" not in told:
        told["action"] = told.pop("action_type")
    if isinstance(conditions := told.get("conditions"), Mapping):
        told["conditions"] = [name for name, holds in conditions.items() if holds]
    return read_action(told)


class Turn(msgspec.Struct, frozen=True):
    """What a lab does in its turn, in as little as the rules look at.

    ``action`` is None where something was sent that is none; ``why`` says what was wrong with it.
    """

    action: MarketAction | None
    why: str = ""

    @property
    def proposal(self) -> MarketAction | Malformed:
        """The same as the engine takes it."""
        return Malformed(self.why) if self.action is None else self.action


def read_turn(data: Mapping[str, Any]) -> Turn:
    """Read a turn from a decoded object.

    >>> read_turn({"action": "fly"}).why
    "Invalid enum value 'fly' - at `$.action`"
    """
    action = to_action(data)
    return Turn(None, action.why) if isinstance(action, Malformed) else Turn(action)


def write_action(action: MarketAction) -> dict[str, Any]:
    """Write an action as JSON takes it: payments in credits, nothing that says nothing.

    >>> write_action(MarketAction("accept_offer", offer_id="offer_1_0_0"))
    {'action': 'accept_offer', 'offer_id': 'offer_1_0_0'}
    """
    told = {name: value for name, value in msgspec.to_builtins(action).items() if value}
    if action.payment:
        told["payment"] = to_credits(action.payment)
    return told
