"""The stages of the shipped model: curves of each, and what it came to in a few numbers."""

from collections.abc import Iterator
from typing import Any

import msgspec

from training.pages.curves import Chart, charts
from training.pages.public.chain import TITLES, Step
from training.runs import lifecycle
from training.runs.metrics import METRICS, read_series

PERCENT = "\N{NO-BREAK SPACE}%"

DRAWN: dict[str, tuple[tuple[str, str], ...]] = {
    "base": (("loss", "loss"),),
    "sft": (("loss", "loss"), ("accuracy", "pieces_of_words_guessed_right"),
            ("valid_json", "valid_json")),
    "grpo": (("reward", "reward"), ("share", "share"), ("valid_json", "valid_json"), ("kl", "kl")),
    "dpo": (("loss", "loss"), ("accuracy", "accuracy"), ("margin", "margin")),
}  # fmt: skip
"""What is drawn of each stage, and under which name: SFT's accuracy is not that of DPO."""


class Fact(msgspec.Struct, frozen=True):
    """A number with its name; ``span`` is its 95 % interval, "" without one."""

    name: str
    value: str
    span: str = ""


class Stage(msgspec.Struct, frozen=True):
    """One stage as the page tells it; ``step`` is None while no run of it is published."""

    step: Step | None
    curves: tuple[Chart, ...] = ()
    facts: tuple[Fact, ...] = ()


def stages_of(steps: tuple[Step, ...]) -> dict[str, Stage]:
    """Gather every stage by its kind, run or not."""
    found = {kind: Stage(None) for kind in TITLES}
    for step in steps:
        facts = tuple(_facts(step.kind, step.run.summary or {}))
        found[step.kind] = Stage(step, curves_of(step), facts)
    return found


def curves_of(step: Step) -> tuple[Chart, ...]:
    """Draw what a run has measured of what matters in its stage."""
    series = read_series(lifecycle.folder_of(step.run) / METRICS)
    shown = {words: series[name] for name, words in DRAWN[step.kind] if name in series}
    return charts(shown, step.kind)


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
