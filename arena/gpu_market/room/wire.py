"""The engine's values as JSON: its own field names, and money in credits."""

from typing import Any

import msgspec

from arena.gpu_market.engine.actions import MarketAction
from arena.gpu_market.engine.agreements import Contract, Offer
from arena.gpu_market.engine.blocks import Block, Job
from arena.gpu_market.engine.events import JobRun, Settled
from arena.gpu_market.engine.observe import Observation
from arena.gpu_market.engine.quantities import to_credits
from arena.gpu_market.engine.scenario import MarketSealed
from arena.gpu_market.engine.state import Tally

MONEY: dict[type[msgspec.Struct], frozenset[str]] = {
    Block: frozenset({"energy"}),
    Job: frozenset({"base_value"}),
    Offer: frozenset({"payment"}),
    Contract: frozenset({"payment"}),
    MarketAction: frozenset({"payment"}),
    JobRun: frozenset({"value", "energy"}),
    Settled: frozenset({"utility", "budget"}),
    MarketSealed: frozenset({"budgets"}),
    Observation: frozenset({"budget"}),
    Tally: frozenset({"value", "energy", "paid", "received"}),
}
"""Which fields hold hundredths of a credit; a test holds this against the engine's types."""

_NONE: frozenset[str] = frozenset()


def to_wire(value: Any) -> Any:
    """Turn a value of the engine into what JSON can say; hundredths become credits.

    What a scenario leaves unset, as its commitment does, is not there.

    >>> to_wire(MarketAction("wait"))["payment"]
    0.0
    """
    if isinstance(value, msgspec.Struct):
        money = MONEY.get(type(value), _NONE)
        held = {name: getattr(value, name) for name in value.__struct_fields__}
        return {
            name: _credits(one) if name in money else to_wire(one)
            for name, one in held.items()
            if one is not msgspec.UNSET
        }
    if isinstance(value, (list, tuple)):
        return [to_wire(one) for one in value]
    return value


def _credits(cents: Any) -> Any:
    if cents is None:
        return None
    if isinstance(cents, tuple):
        return [to_credits(one) for one in cents]
    return to_credits(cents)
