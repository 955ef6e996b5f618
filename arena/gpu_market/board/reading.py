"""From a frame's JSON to the engine's values: credits become hundredths again."""

from typing import Any, TypeVar

import msgspec

from arena.gpu_market.board.parts import Judgement
from arena.gpu_market.engine.blocks import Block
from arena.gpu_market.engine.jobs import Job
from arena.gpu_market.engine.offers import Contract, Offer
from arena.gpu_market.engine.quantities import to_cents

Event = dict[str, Any]
Value = TypeVar("Value")


def read_block(told: Event) -> Block:
    """Read a block."""
    return _read(told, Block, "energy")


def read_job(told: Event) -> Job:
    """Read a job."""
    return _read(told, Job, "base_value")


def read_offer(told: Event) -> Offer:
    """Read an offer."""
    return _read(told, Offer, "payment")


def read_contract(told: Event) -> Contract:
    """Read a contract; its payment may be hidden."""
    return _read(told, Contract, "payment")


def read_judgement(seq: int, told: Event) -> Judgement:
    """Read the hearing that a frame carries."""
    found = msgspec.convert({"seq": seq, **told}, Judgement)
    labs = tuple(
        msgspec.structs.replace(one, parts={name: of for name, of in one.parts.items() if of})
        for one in found.labs
    )
    return msgspec.structs.replace(found, labs=labs)


def _read(told: Event, kind: type[Value], money: str) -> Value:
    amount = told.get(money)
    cents = None if amount is None else to_cents(amount)
    return msgspec.convert({**told, money: cents}, kind)
