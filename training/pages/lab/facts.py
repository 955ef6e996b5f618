"""What the summaries of the lab's runs say of it, in a few numbers."""

from collections.abc import Iterator
from typing import Any

from training.pages.lab.chain import Made
from training.pages.public.facts import Fact, count_fact, mean_fact, rate_fact


def facts_of_lab(made: Made) -> tuple[Fact, ...]:
    """Read what matters; what is not there, or has another shape, is left out."""
    return tuple(_facts(made))


def _facts(made: Made) -> Iterator[Fact]:
    copied: dict[str, Any] = (made.sft.summary or {}) if made.sft else {}
    practised: dict[str, Any] = (made.grpo.summary or {}) if made.grpo else {}
    yield from count_fact("Parameters", copied.get("parameters"))
    yield from count_fact("Pieces of words it knows", copied.get("vocabulary"))
    yield from count_fact("Lessons", copied.get("lessons"))
    yield from count_fact("Kept step of GRPO", practised.get("kept_step"))
    before = practised.get("before") or copied.get("held_out")
    after = practised.get("held_out")
    if isinstance(before, dict):
        yield from mean_fact("Return after SFT, unseen markets", before, "return")
    if isinstance(after, dict):
        yield from mean_fact("Return after GRPO, unseen markets", after, "return")
        yield from rate_fact("Answers that can be read", after.get("valid_json"))
        yield from rate_fact("Answers within the rules", after.get("legal"))
