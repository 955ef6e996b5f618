"""What a stage's summary says of it, in two or three numbers."""

from collections.abc import Iterator
from typing import Any

import msgspec

PERCENT = "\N{NO-BREAK SPACE}%"


class Fact(msgspec.Struct, frozen=True):
    """A number with its name; ``span`` is its 95 % interval, "" without one."""

    name: str
    value: str
    span: str = ""


def facts_of(kind: str, summary: dict[str, Any]) -> tuple[Fact, ...]:
    """Read what matters of a stage; what is not there, or has another shape, is left out.

    Args:
        kind: of the run.
        summary: as the stage wrote it.
    """
    return tuple(_facts(kind, summary))


def _facts(kind: str, summary: dict[str, Any]) -> Iterator[Fact]:
    held_out, before = _part(summary, "held_out"), _part(summary, "before")
    if kind == "base":
        yield from count_fact("Parameters", summary.get("parameters"))
        yield from count_fact("Pieces of words it knows", summary.get("vocabulary"))
    if kind == "sft":
        yield from count_fact("Lessons", _part(summary, "lessons").get("train"))
        yield from rate_fact("Answers that can be read", held_out.get("valid_json"))
    if kind == "dpo":
        yield from mean_fact("Preferred by the judge", _part(summary, "preference"), "decided")
    if kind in ("sft", "grpo", "dpo"):
        yield from mean_fact("Share on held-out games, before", before, "share")
        yield from mean_fact("Share on held-out games", held_out, "share")


def _part(summary: dict[str, Any], name: str) -> dict[str, Any]:
    found = summary.get(name)
    return found if isinstance(found, dict) else {}


def count_fact(name: str, value: object) -> Iterator[Fact]:
    """Write a whole number; nothing where it is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield Fact(name, f"{value:,}")


def rate_fact(name: str, value: object) -> Iterator[Fact]:
    """Write a share of 0..1 in percent; nothing where it is none."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        text = f"{100 * value:.1f}".removesuffix(".0")
        yield Fact(name, f"{text}{PERCENT}")


def mean_fact(name: str, part: dict[str, Any], key: str) -> Iterator[Fact]:
    """Write the mean under a key of a summary, with its interval; nothing where it is none."""
    found = _part(part, key)
    ends = [found.get(end) for end in ("mean", "low", "high")]
    if all(isinstance(end, int | float) for end in ends):
        mean, low, high = (f"{end:.2f}" for end in ends)
        yield Fact(name, mean, f"{low} to {high}")
