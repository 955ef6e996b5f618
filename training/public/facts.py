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
        yield from _count("Parameters", summary.get("parameters"))
        yield from _count("Pieces of words it knows", summary.get("vocabulary"))
    if kind == "sft":
        yield from _count("Lessons", _part(summary, "lessons").get("train"))
        yield from _rate("Answers that can be read", held_out.get("valid_json"))
    if kind == "dpo":
        yield from _mean("Preferred by the judge", _part(summary, "preference"), "decided")
    if kind in ("sft", "grpo", "dpo"):
        yield from _mean("Share on held-out games, before", before, "share")
        yield from _mean("Share on held-out games", held_out, "share")


def _part(summary: dict[str, Any], name: str) -> dict[str, Any]:
    found = summary.get(name)
    return found if isinstance(found, dict) else {}


def _count(name: str, value: object) -> Iterator[Fact]:
    if isinstance(value, int) and not isinstance(value, bool):
        yield Fact(name, f"{value:,}")


def _rate(name: str, value: object) -> Iterator[Fact]:
    if isinstance(value, int | float) and not isinstance(value, bool):
        text = f"{100 * value:.1f}".removesuffix(".0")
        yield Fact(name, f"{text}{PERCENT}")


def _mean(name: str, part: dict[str, Any], key: str) -> Iterator[Fact]:
    found = _part(part, key)
    ends = [found.get(end) for end in ("mean", "low", "high")]
    if all(isinstance(end, int | float) for end in ends):
        mean, low, high = (f"{end:.2f}" for end in ends)
        yield Fact(name, mean, f"{low} to {high}")
