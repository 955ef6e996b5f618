"""From teacher games to the table, drawn as a garland: what has been run is lit."""

from collections.abc import Iterator

from negotiation.charts.garland import Bead, Garland, Note

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
