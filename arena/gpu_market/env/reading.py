"""A lab's view as it came over a wire, back as the observation that every policy here takes."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from arena.gpu_market.engine import Observation
from arena.gpu_market.engine.agreements import Contract, Offer
from arena.gpu_market.engine.blocks import Block, Job
from arena.gpu_market.engine.events import ShockStruck
from arena.gpu_market.engine.quantities import Cents, to_cents
from arena.gpu_market.env.views import MarketView

Made = TypeVar("Made", bound=msgspec.Struct)


def read_view(data: Mapping[str, Any]) -> Observation:
    """Read the observation of a step.

    Args:
        data: as JSON gave it.

    Raises:
        msgspec.ValidationError: it is no view of a market.
    """
    view = msgspec.convert(dict(data), MarketView)
    own = next((lab for lab in view.labs if lab.id == view.lab), None)
    if own is None:
        raise msgspec.ValidationError("The lab whose view it is, is none of its labs.")
    blocks = {block.id: _made(Block, block, energy=to_cents(block.energy)) for block in view.blocks}
    return Observation(
        task=view.task,  # type: ignore[arg-type]  # a view's task is one of the engine's
        lab=view.lab,
        round=view.round,
        rounds=view.rounds,
        windows=view.windows,
        coalitions_enabled=view.coalitions_enabled,
        budget=to_cents(view.budget),
        jobs=tuple(_made(Job, job, base_value=to_cents(job.base_value)) for job in view.jobs),
        labs=view.labs,
        pressure=view.pressure,
        blocks=tuple(blocks.values()),
        offers=tuple(_made(Offer, one, payment=to_cents(one.payment)) for one in view.offers),
        contracts=tuple(_made(Contract, one, payment=_paid(one.payment)) for one in view.contracts),
        coalitions=view.coalitions,
        messages=view.messages,
        # A view names the blocks that a shock touched: they are shown as they are now, if at all.
        shocks=tuple(
            ShockStruck(
                one.round, one.shock, tuple(blocks[name] for name in one.blocks if name in blocks)
            )
            for one in view.shocks
        ),
        last_result=view.last_action_result,
        done=view.done or own.finished,
    )


def _paid(credits_: float | None) -> Cents | None:
    return None if credits_ is None else to_cents(credits_)


def _made(kind: type[Made], view: msgspec.Struct, **changed: Any) -> Made:
    same = {name: getattr(view, name) for name in kind.__struct_fields__ if name not in changed}
    return kind(**same, **changed)
