"""The scenario of a finished game, read back from its own log, where the sealed values are now."""

from collections.abc import Sequence
from typing import Any

import msgspec

from negotiation.engine.quantities import to_paise
from negotiation.engine.scenario import Item, Scenario, SealedValues
from negotiation.engine.theory import reference_lines


class NotFinished(ValueError):
    """The log has no end yet, so its sealed values are not open."""

    code = "not-finished"


def scenario_of(frames: Sequence[dict[str, Any]]) -> Scenario:
    """Return the scenario that a finished log was played on; ``NotFinished`` without an end."""
    opened, ended = frames[0]["event"], frames[-1]["event"]
    if ended["kind"] != "ended":
        raise NotFinished("This game has not ended; its sealed values are not open.")
    item = opened["item"]
    return Scenario(
        suite=opened["suite"],
        item=Item(
            title=item["title"],
            category=item["category"],
            condition=item["condition"],
            condition_label=item["condition_label"],
            currency=item["currency"],
        ),
        max_rounds=opened["max_rounds"],
        anchor=to_paise(opened["price"]),
        sealed=_sealed(ended),
        salt=ended["salt"],
        seller=opened["seller"],
    )


def _sealed(ended: dict[str, Any]) -> SealedValues:
    values = ended["opened"]
    prices = {name: to_paise(values[name]) for name in ("reservation", "cost", "budget")}
    return msgspec.convert(
        {**prices, **{name: values[name] for name in ("seed", "persona", "deadline")}},
        SealedValues,
    )


def theory_lines(frames: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return the prices in rupees that theory gives for a finished log; empty without a ZOPA."""
    return reference_lines(scenario_of(frames))
