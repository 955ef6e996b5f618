"""The runs that made the shipped model, in the order of the pipeline."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from django.utils.translation import gettext

from agents.checkpoints import shipped_voice
from negotiation.charts.garland import Bead, Garland, Note
from negotiation.sentences import sentences
from training.models import Run, published_runs
from training.pages.curves import Chart, charts
from training.runs import lifecycle
from training.runs.metrics import METRICS, read_series

say = sentences(__file__)

STAGES: tuple[tuple[str, str], ...] = (
    ("base", "Base"),
    ("sft", "SFT"),
    ("grpo", "GRPO"),
    ("dpo", "DPO"),
)
"""Kinds of runs that make a model, with their names, in order."""

TITLES = dict(STAGES)

_BEADS = say.texts("beads")
BEADS: tuple[tuple[str, str, str], ...] = (
    ("data", say.text("teacher_games"), _BEADS["data"]),
    ("base", say.text("base"), _BEADS["base"]),
    *((kind, TITLES[kind], _BEADS[kind]) for kind in ("sft", "grpo", "dpo")),
    ("evaluate", say.text("evaluation"), _BEADS["evaluate"]),
)
"""Kind of the runs, name and what happens."""

MODELS = frozenset({"base", "sft", "grpo", "dpo"})
PERCENT = "\N{NO-BREAK SPACE}%"

DRAWN: dict[str, tuple[tuple[str, str], ...]] = {
    "base": (("loss", "loss"),),
    "sft": (("loss", "loss"), ("accuracy", "pieces_of_words_guessed_right"),
            ("valid_json", "valid_json")),
    "grpo": (("reward", "reward"), ("share", "share"), ("valid_json", "valid_json"), ("kl", "kl")),
    "dpo": (("loss", "loss"), ("accuracy", "accuracy"), ("margin", "margin")),
}  # fmt: skip
"""What is drawn of each stage, and under which name: SFT's accuracy is not that of DPO."""


class Step(msgspec.Struct, frozen=True):
    """One stage of the shipped model and its run; not ``is_shipped``: tried on top and left out."""

    kind: str
    title: str
    run: Run
    is_shipped: bool = True


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


def shipped_chain() -> tuple[Step, ...]:
    """Return the published runs that the shipped model came from, and what was tried after them.

    Where it names no published run, the newest of each stage stands for it.
    """
    published = {run.pk: run for run in published_runs(TITLES)}
    voice = shipped_voice()
    last = published.get(voice.card.made_by) if voice is not None else None
    found = _ancestors(last, published) if last is not None else _newest(published.values())
    shipped = {run.pk for run in found.values()}
    if last is not None:
        found |= _tried(last, published)
    return tuple(
        Step(kind, title, found[kind], found[kind].pk in shipped)
        for kind, title in STAGES
        if kind in found
    )


def _ancestors(run: Run, published: dict[str, Run]) -> dict[str, Run]:
    found: dict[str, Run] = {}
    at: Run | None = run
    # A run that claims to come after itself must not hang the page.
    while at is not None and at.kind not in found:
        found[at.kind] = at
        at = published.get(at.after_id or "")
    return found


def _tried(last: Run, published: dict[str, Run]) -> dict[str, Run]:
    # What went on from the shipped model, the newest of each later stage.
    order = [kind for kind, _ in STAGES]
    later = order[order.index(last.kind) + 1 :]
    found: dict[str, Run] = {}
    for run in published.values():
        before = [last.pk, *(one.pk for one in found.values())]
        if run.kind in later and run.after_id in before:
            found[run.kind] = run
    return found


def _newest(published: Iterable[Run]) -> dict[str, Run]:
    return {run.kind: run for run in published}


def stages_of(steps: tuple[Step, ...]) -> dict[str, Stage]:
    """Gather every stage by its kind, run or not."""
    found = {kind: Stage(None) for kind in TITLES}
    for step in steps:
        facts = tuple(_facts(step.kind, step.run.summary or {}))
        found[step.kind] = Stage(step, _curves_of(step), facts)
    return found


def _curves_of(step: Step) -> tuple[Chart, ...]:
    series = read_series(lifecycle.folder_of(step.run) / METRICS)
    shown = {words: series[name] for name, words in DRAWN[step.kind] if name in series}
    return charts(shown, step.kind)


def flow(done: frozenset[str], key: str, title: str) -> Garland:
    """Draw the pipeline; steps without a finished run of a kind in ``done`` are hollow.

    Whatever was trained was trained on teacher games, with or without a run of their own.
    """
    lit = done | {"data"} if done & MODELS else done
    return Garland(key=key, title=title, beads=tuple(_beads(lit)))


def _beads(done: frozenset[str]) -> Iterator[Bead]:
    for kind, label, words in BEADS:
        if kind in done:
            yield Bead(gettext(label), gettext(words), "lit", (Note(say("done"), lit=True),))
        else:
            yield Bead(gettext(label), gettext(words), "later", (Note(say("not_yet")),))


def _facts(kind: str, summary: dict[str, Any]) -> Iterator[Fact]:
    held_out, before = _part(summary, "held_out"), _part(summary, "before")
    if kind == "base":
        yield from count_fact(say("numbers_in_the_network"), summary.get("parameters"))
        yield from count_fact(say("pieces_of_words_it_knows"), summary.get("vocabulary"))
    if kind == "sft":
        yield from count_fact(say("lessons"), _part(summary, "lessons").get("train"))
        yield from rate_fact(say("answers_that_can_be_read"), held_out.get("valid_json"))
    if kind == "dpo":
        yield from mean_fact(
            say("games_the_judge_prefers"), _part(summary, "preference"), "decided"
        )
    if kind in ("sft", "grpo", "dpo"):
        yield from mean_fact(say("share_on_new_games_before"), before, "share")
        yield from mean_fact(say("share_on_new_games_after"), held_out, "share")


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
        span = say("low_to_high", low=low, high=high)
        yield Fact(name, mean, span)
