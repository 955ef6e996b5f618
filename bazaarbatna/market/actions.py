"""What a lab may do in its turn, and how it is read from JSON."""

import math
from typing import Literal, get_args

import msgspec

from bazaarbatna.market.blocks import CONDITIONS, Condition
from bazaarbatna.market.errors import Refused
from bazaarbatna.market.quantities import Cents, to_cents

ActionName = Literal[
    "send_offer",
    "accept_offer",
    "reject_offer",
    "counter_offer",
    "make_pitch",
    "counter_pitch",
    "reserve_capacity",
    "release_capacity",
    "form_coalition",
    "commit_to_coalition",
    "allocate_to_job",
    "send_message",
    "wait",
    "finish",
]
ACTION_NAMES: tuple[ActionName, ...] = get_args(ActionName)

MAX_MESSAGE = 500  # characters
MAX_BLOCKS = 32
MAX_PAYMENT = 1e9
"""Largest payment, in credits, that is read at all."""
LONGEST_ID = 40


class MarketAction(msgspec.Struct, frozen=True, gc=False):
    """One action; the fields that an action does not use are ignored.

    ``payment`` is in hundredths of a credit, from the lab that acts to the target. ``accept_offer``
    and ``reject_offer`` with a ``coalition_id`` and no ``offer_id`` answer an invitation;
    ``form_coalition`` with a ``coalition_id`` invites one more lab, with ``block_ids`` it commits
    them at once.
    """

    action: ActionName
    target_lab_id: str = ""
    offer_id: str = ""
    coalition_id: str = ""
    block_ids: tuple[str, ...] = ()
    requested_block_ids: tuple[str, ...] = ()
    job_id: str = ""
    payment: Cents = Cents(0)
    message: str = ""
    conditions: tuple[Condition, ...] = ()


class Malformed(msgspec.Struct, frozen=True, gc=False):
    """Something that is no action; ``why`` in words."""

    why: str


class Wire(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action as JSON has it, its payment in credits."""

    action: ActionName
    target_lab_id: str | None = None
    offer_id: str | None = None
    coalition_id: str | None = None
    block_ids: list[str] | None = None
    requested_block_ids: list[str] | None = None
    job_id: str | None = None
    payment: float | None = None
    message: str | None = None
    conditions: list[Condition] | None = None


WAIT = MarketAction("wait")
FINISH = MarketAction("finish")


def read_action(data: bytes | str | dict[str, object]) -> MarketAction | Malformed:
    """Read an action from JSON or from a decoded object; payments are in credits.

    >>> read_action('{"action": "wait"}').action
    'wait'
    >>> read_action('{"action": "fly"}')
    Malformed(why="Invalid enum value 'fly' - at `$.action`")
    """
    try:
        if isinstance(data, dict):
            wire = msgspec.convert(data, Wire)
        else:
            wire = msgspec.json.decode(data, type=Wire)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        return Malformed(str(error)[:200])
    payment = wire.payment or 0.0
    if not math.isfinite(payment) or abs(payment) > MAX_PAYMENT:
        return Malformed("A payment is a finite number of credits.")
    action = MarketAction(
        action=wire.action,
        target_lab_id=wire.target_lab_id or "",
        offer_id=wire.offer_id or "",
        coalition_id=wire.coalition_id or "",
        block_ids=tuple(wire.block_ids or ()),
        requested_block_ids=tuple(wire.requested_block_ids or ()),
        job_id=wire.job_id or "",
        payment=to_cents(payment),
        message=wire.message or "",
        conditions=tuple(wire.conditions or ()),
    )
    try:
        check_form(action)
    except Refused as error:
        return Malformed(str(error))
    return action


def check_form(action: object) -> None:
    """Refuse what is no well-formed action, whoever made it."""
    if not isinstance(action, MarketAction):
        raise _malformed(action.why if isinstance(action, Malformed) else "That is no action.")
    if action.action not in ACTION_NAMES:
        raise _malformed("An action is one of " + ", ".join(ACTION_NAMES) + ".")
    _check_texts(action)
    # A bool is an int to isinstance, and no amount of money.
    if type(action.payment) is not int or abs(action.payment) > MAX_PAYMENT * 100:
        raise _malformed("A payment is a whole number of hundredths of a credit.")
    if action.conditions:
        known = set(CONDITIONS)
        if type(action.conditions) is not tuple or not all(
            type(one) is str and one in known for one in action.conditions
        ):
            raise _malformed("Conditions are some of " + ", ".join(CONDITIONS) + ".")


def _check_texts(action: MarketAction) -> None:
    for name in (action.target_lab_id, action.offer_id, action.coalition_id, action.job_id):
        if type(name) is not str or len(name) > LONGEST_ID:
            raise _malformed(f"An id is a text of at most {LONGEST_ID} characters.")
    if type(action.message) is not str or len(action.message) > MAX_MESSAGE:
        raise _malformed(f"A message is a text of at most {MAX_MESSAGE} characters.")
    for blocks in (action.block_ids, action.requested_block_ids):
        if not blocks and type(blocks) is tuple:
            continue
        if type(blocks) is not tuple or len(blocks) > MAX_BLOCKS:
            raise _malformed(f"Block ids are a list of at most {MAX_BLOCKS}.")
        if not all(type(name) is str and len(name) <= LONGEST_ID for name in blocks):
            raise _malformed("A block id is a text.")


def _malformed(why: str) -> Refused:
    return Refused("malformed_action", why)
