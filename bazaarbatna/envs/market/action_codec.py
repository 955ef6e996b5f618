"""What an agent does, as an action: numbers of the action space, or JSON."""

import math
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
from gymnasium.error import InvalidAction

from bazaarbatna.envs.bargain.gymnasium_spaces import price_share, whole_number
from bazaarbatna.envs.market.actions import to_action
from bazaarbatna.envs.market.spaces import (
    COALITION_PLACES,
    MOST_BLOCKS,
    MOST_JOBS,
    OFFER_PLACES,
    PHRASES,
    TARGETS,
    coalitions_shown,
    offers_shown,
)
from bazaarbatna.market import ACTION_NAMES, ActionName, Malformed, MarketAction, Observation
from bazaarbatna.market.blocks import CONDITIONS
from bazaarbatna.market.quantities import BLOCK_IDS, Cents

TRADE = ("block_ids", "requested_block_ids", "payment", "message", "conditions")
USES: dict[ActionName, tuple[str, ...]] = {
    "send_offer": ("target_lab_id", *TRADE),
    "accept_offer": ("offer_id", "coalition_id"),
    "reject_offer": ("offer_id", "coalition_id"),
    "counter_offer": ("offer_id", *TRADE),
    "make_pitch": ("message",),
    "counter_pitch": ("target_lab_id", "message"),
    "reserve_capacity": ("block_ids",),
    "release_capacity": ("block_ids",),
    "form_coalition": ("target_lab_id", "coalition_id", "block_ids", "message"),
    "commit_to_coalition": ("coalition_id", "block_ids"),
    "allocate_to_job": ("job_id", "block_ids"),
    "send_message": ("target_lab_id", "message"),
    "wait": (),
    "finish": (),
}


def choose(action: Any, seen: Observation) -> MarketAction | Malformed:
    """Read an action of the space, in JSON (text or decoded) or of the engine, decided on ``seen``.

    JSON that is no action is ``Malformed``; what is neither raises ``InvalidAction``.
    """
    if isinstance(action, MarketAction | Malformed):
        return action
    if isinstance(action, str | bytes):
        return _of_text(action)
    if not isinstance(action, Mapping):
        raise InvalidAction("An action is a mapping of the action space, or JSON.")
    return to_action(action) if isinstance(action.get("action"), str) else _of_space(action, seen)


def _of_text(text: str | bytes) -> MarketAction | Malformed:
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        return Malformed(str(wrong)[:200])
    return to_action(data) if isinstance(data, dict) else Malformed("An action is a JSON object.")


def _of_space(action: Mapping[str, Any], seen: Observation) -> MarketAction:
    name = ACTION_NAMES[_place(action, "action", len(ACTION_NAMES))]
    offers, coalitions, jobs = offers_shown(seen), coalitions_shown(seen), seen.jobs
    offer = _place(action, "offer", OFFER_PLACES)
    coalition = _place(action, "coalition", COALITION_PLACES + 1)
    job = _place(action, "job", MOST_JOBS)
    fields: dict[str, Any] = {
        "target_lab_id": TARGETS[_place(action, "target", len(TARGETS))],
        "offer_id": offers[offer].id if offer < len(offers) else "",
        "coalition_id": coalitions[coalition].id if coalition < len(coalitions) else "",
        "block_ids": _named(action, "blocks", BLOCK_IDS[:MOST_BLOCKS]),
        "requested_block_ids": _named(action, "requested", BLOCK_IDS[:MOST_BLOCKS]),
        "job_id": jobs[job].id if job < len(jobs) else "",
        "payment": _payment(action, seen),
        "message": PHRASES[_place(action, "phrase", len(PHRASES))],
        "conditions": _named(action, "conditions", CONDITIONS),
    }
    if name in ("accept_offer", "reject_offer") and fields["coalition_id"]:
        # An answer to an invitation; without a coalition it is one to an offer.
        fields["offer_id"] = ""
    return MarketAction(name, **{field: fields[field] for field in USES[name]})


def _place(action: Mapping[str, Any], key: str, count: int) -> int:
    number = whole_number(action.get(key))
    if not 0 <= number < count:
        raise InvalidAction(f"{key!r} is 0..{count - 1}, not {number}.")
    return number


def _named(action: Mapping[str, Any], key: str, names: tuple[Any, ...]) -> tuple[Any, ...]:
    flags = np.asarray(action.get(key))
    if flags.shape != (len(names),) or not np.isin(flags, (0, 1)).all():
        raise InvalidAction(f"{key!r} is {len(names)} times 0 or 1.")
    return tuple(name for name, is_set in zip(names, flags, strict=True) if is_set)


def _payment(action: Mapping[str, Any], seen: Observation) -> Cents:
    share = price_share(action.get("payment", ()))
    if not math.isfinite(share):
        raise InvalidAction("'payment' is a share of the budget, 0 to 1.")
    # Out of 0..1 the rules judge it: a negative payment, or one above the budget.
    return Cents(math.floor(min(max(share, -1.0), 2.0) * seen.budget + 0.5))
