"""From teacher games to this page: the training pipeline as a diagram, with what has been run."""

from collections.abc import Iterable

from bazaar_site.front.garland import Bead, Garland, Note
from negotiation.short_memory import kept
from training.models import Run

LOOK_EVERY_S = 10.0
TRAINED = ("sft", "grpo", "dpo")
"""Kinds of runs that change a model."""

STAGES: tuple[tuple[str, str, str], ...] = (
    ("teach", "Teacher games", "Rule buyers of every temper play all suites, words included."),
    ("sft", "SFT", "The model learns the protocol: one legal move, one line that fits it."),
    ("grpo", "GRPO", "Whole games against pinned sellers; the share it keeps is the reward."),
    ("dpo", "DPO", "A judge compares two games of one seed: how it closes, what it says."),
    ("evaluate", "Evaluation", "Held-out seeds, pinned sellers, intervals, receipts."),
)
"""Kind of the runs, name and what happens. Teacher games have no run of their own: whatever was
trained was trained on them."""


def done_kinds() -> frozenset[str]:
    """Name the kinds of runs that this site has brought to an end."""
    return kept("run-kinds", LOOK_EVERY_S, _done_kinds)


def is_trained(done: Iterable[str]) -> bool:
    """Tell whether any stage has trained a model here."""
    return not set(TRAINED).isdisjoint(done)


def stages_garland(done: frozenset[str]) -> Garland:
    """Draw the pipeline; stages without a finished run are hollow."""
    return Garland(
        key="stages",
        title="The training pipeline, and how far this site has come",
        beads=tuple(_bead(kind, label, words, done) for kind, label, words in STAGES),
    )


def _bead(kind: str, label: str, words: str, done: frozenset[str]) -> Bead:
    if kind in done:
        return Bead(label, words, "lit", (Note("done", lit=True),))
    return Bead(label, words, "later", (Note("not yet"),))


def _done_kinds() -> frozenset[str]:
    finished = Run.objects.filter(status=Run.Status.DONE).order_by()
    kinds = frozenset(finished.values_list("kind", flat=True).distinct())
    return kinds | {"teach"} if is_trained(kinds) else kinds
