"""What a buyer must not learn before a bargain's end, and how to look for it in what came."""

import json
from collections.abc import Collection, Iterator
from typing import Any

from bazaarbatna.bargain import Scenario

HIDDEN_WORDS = ("salt", "opened", "reservation", "rule:")


def numbers_in(value: Any) -> Iterator[float]:
    """Every number anywhere in decoded JSON."""
    if isinstance(value, dict):
        for one in value.values():
            yield from numbers_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from numbers_in(one)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


def leaks(
    text: str,
    scenario: Scenario,
    *,
    persona_is_public: bool = False,
    own_bids: Collection[float] = (),
) -> list[str]:
    """Name the hidden values of a bargain that stand in a text a buyer got.

    A seller that came down to its limit asks exactly that: there the number is no secret; nor is
    one that the buyer happened to bid.
    """
    sealed, whole = scenario.sealed, json.loads(text)
    numbers = set(numbers_in(whole)) - set(own_bids)
    found = [word for word in HIDDEN_WORDS if word in text]
    found += [name for name in ("cost", "seed") if getattr(sealed, name) in numbers]
    if sealed.cost / 100 in numbers:
        found.append("cost in rupees")
    asked = {sealed.reservation / 100} & set(numbers_in(_asks(whole)))
    if sealed.reservation / 100 in numbers and not asked:
        found.append("reservation in rupees")
    if scenario.salt in text or str(sealed.seed) in text:
        found.append("salt or seed")
    if not persona_is_public and sealed.persona != "default" and f'"{sealed.persona}' in text:
        found.append("persona")
    return found


def _asks(whole: Any) -> list[Any]:
    seen = _observation(whole)
    return [seen.get("standing_ask"), [turn.get("price") for turn in seen.get("turns", [])]]


def _observation(whole: Any) -> dict[str, Any]:
    if not isinstance(whole, dict):
        return {}
    if "standing_ask" in whole:
        return whole
    return _observation(whole.get("observation") or whole.get("data"))
