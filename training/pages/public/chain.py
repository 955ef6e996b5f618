"""The runs that made the shipped model, in the order of the pipeline."""

from collections.abc import Iterable, Iterator

import msgspec

from agents.checkpoints import shipped_voice
from negotiation.charts.garland import Bead, Garland, Note
from training.models import Run

STAGES: tuple[tuple[str, str], ...] = (
    ("base", "Base"),
    ("sft", "SFT"),
    ("grpo", "GRPO"),
    ("dpo", "DPO"),
)
"""Kinds of runs that make a model, with their names, in order."""

TITLES = dict(STAGES)

BEADS: tuple[tuple[str, str, str], ...] = (
    ("data", "Teacher games", "Rule buyers of every temper play all suites, words included."),
    ("base", "Base", "A small network from nothing learns how such games sound."),
    ("sft", "SFT", "It learns to answer: one legal move, one line that fits it."),
    (
        "grpo",
        "GRPO",
        "Whole games with pinned sellers and drawn ones; the share it keeps is the reward.",
    ),
    ("dpo", "DPO", "A judge compares two games of one seed: how it closes, what it says."),
    ("evaluate", "Evaluation", "Held-out seeds, pinned sellers, intervals, receipts."),
)
"""Kind of the runs, name and what happens."""

MODELS = frozenset({"base", "sft", "grpo", "dpo"})


class Step(msgspec.Struct, frozen=True):
    """One stage of the shipped model and its published run.

    ``is_shipped`` is False for a stage that was tried on top of it, and left out.
    """

    kind: str
    title: str
    run: Run
    is_shipped: bool = True


def shipped_chain() -> tuple[Step, ...]:
    """Return the published runs that the shipped model came from, and what was tried after them.

    Where the model names no run that is published, the newest published run of each stage stands
    for it.
    """
    published = published_stages()
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


def published_stages() -> dict[str, Run]:
    """List the published runs of all stages by id, oldest first."""
    runs = Run.objects.filter(
        kind__in=TITLES, status=Run.Status.DONE, published_at__isnull=False
    ).order_by("published_at", "pk")
    return {run.pk: run for run in runs}


def _ancestors(run: Run, published: dict[str, Run]) -> dict[str, Run]:
    found: dict[str, Run] = {}
    at: Run | None = run
    # A run that claims to come after itself must not hang the page.
    while at is not None and at.kind not in found:
        found[at.kind] = at
        at = published.get(at.after_id or "")
    return found


def _tried(last: Run, published: dict[str, Run]) -> dict[str, Run]:
    """Find what went on from the shipped model, the newest of each later stage."""
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


def flow(done: frozenset[str], key: str, title: str) -> Garland:
    """Draw the pipeline; steps without a finished run are hollow.

    Args:
        done: kinds of runs that were brought to an end. Whatever was trained was trained on
            teacher games, with or without a run of their own.
        key: names the drawing on its page.
        title: of the drawing.
    """
    lit = done | {"data"} if done & MODELS else done
    return Garland(key=key, title=title, beads=tuple(_beads(lit)))


def _beads(done: frozenset[str]) -> Iterator[Bead]:
    for kind, label, words in BEADS:
        if kind in done:
            yield Bead(label, words, "lit", (Note("done", lit=True),))
        else:
            yield Bead(label, words, "later", (Note("not yet"),))
