"""The stages of the shipped model: what each is for, its curves, and a game it changed."""

import msgspec

from training.evaluation.samples import Sample
from training.pages.curves import Chart, charts
from training.pages.public.chain import Step
from training.pages.public.examples import Example, example_of
from training.pages.public.facts import Fact, facts_of
from training.pages.public.stories import STORIES, Story
from training.runs import lifecycle
from training.runs.metrics import METRICS, read_series

DRAWN: dict[str, tuple[tuple[str, str], ...]] = {
    "base": (("loss", "loss"),),
    "sft": (("loss", "loss"), ("accuracy", "pieces_of_words_guessed_right"),
            ("valid_json", "valid_json")),
    "grpo": (("reward", "reward"), ("share", "share"), ("valid_json", "valid_json"), ("kl", "kl")),
    "dpo": (("loss", "loss"), ("accuracy", "accuracy"), ("margin", "margin")),
}  # fmt: skip
"""What is drawn of each stage, and under which name: SFT's accuracy is not that of DPO."""

SIDE_BY_SIDE = 2
"""Curves in a row."""


class Stage(msgspec.Struct, frozen=True):
    """One stage as the page tells it; ``step`` is None while no run of it is published."""

    story: Story
    step: Step | None
    curves: tuple[Chart, ...]
    example: Example | None
    facts: tuple[Fact, ...]

    @property
    def has_room(self) -> bool:
        """There is room for the example beside the words, below the curves."""
        return 0 < len(self.curves) <= SIDE_BY_SIDE


def stages_of(steps: tuple[Step, ...], samples: tuple[Sample, ...]) -> tuple[Stage, ...]:
    """Tell every stage, run or not.

    Args:
        steps: of the shipped model.
        samples: games its models have played.
    """
    by_kind = {step.kind: step for step in steps}
    told = list[Stage]()
    before = ""
    for story in STORIES:
        step = by_kind.get(story.kind)
        key = f"example-{story.kind}"
        example = example_of(samples, before, story.kind, key) if before else None
        curves = curves_of(step) if step is not None else ()
        facts = facts_of(story.kind, step.run.summary or {}) if step is not None else ()
        told.append(Stage(story, step, curves, example, facts))
        before = story.kind
    return tuple(told)


def curves_of(step: Step) -> tuple[Chart, ...]:
    """Draw what a run has measured of what matters in its stage."""
    series = read_series(lifecycle.folder_of(step.run) / METRICS)
    shown = {words: series[name] for name, words in DRAWN[step.kind] if name in series}
    return charts(shown, step.kind)
