"""Trained buyers and their runs for tests: real games by rule, played under a model's name.

What stands in plays by rule and answers many positions at once, as a model does. Its runs are
written as the stages write theirs: files in a folder, a row, published.
"""

import io
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from bazaarbatna.bargain.moves import Move
from bazaarbatna.bargain.observe import BuyerObservation
from negotiation import policies
from negotiation.policies import Entry, policy
from training.evaluation.plan import Plan
from training.evaluation.published import publish
from training.evaluation.running import evaluate, open_evaluation
from training.evaluation.samples import play_samples, write_samples
from training.models import Run
from training.runs import lifecycle

STANDS_IN = {
    "sauda-mini:base": "rules:agreeable",
    "sauda-mini:sft": "rules:conceder",
    "sauda-mini:grpo": "rules:boulware",
    "sauda-mini:dpo": "rules:linear",
}
"""Names of trained buyers, and who plays for them here."""

CHAIN = ("base", "sft", "grpo", "dpo")


class InStep:
    """Plays many games at once, each as a rule buyer of the first game's seed would."""

    def __init__(self, name: str, seed: int) -> None:
        self._player = policy(name).make(seed)

    def act(self, observation: BuyerObservation) -> Move:
        """Choose one move."""
        return self.act_many([observation])[0]

    def act_many(self, observations: Sequence[BuyerObservation]) -> list[Move]:
        """Choose one move per position."""
        return [self._player.act(one) for one in observations]


def enrol(monkeypatch: pytest.MonkeyPatch, named: dict[str, str] | None = None) -> list[str]:
    """Register the stand-ins for one test.

    Returns:
        Their names.
    """
    for name, rule in (named or STANDS_IN).items():
        title = f"Sauda mini, {name.rpartition(':')[2].upper()}"
        monkeypatch.setitem(policies._entries, name, _entry(name, rule, title))
    return list(named or STANDS_IN)


def _entry(name: str, rule: str, title: str) -> Entry:
    return Entry(
        name=name,
        version=f"{name}@1#01234567",
        kind="model",
        title=title,
        backend="local",
        make=lambda seed: InStep(rule, seed),
    )


def played_run(plan: Plan, kind: str, name: str) -> Run:
    """Play and publish an evaluation of a kind."""
    run = open_evaluation(plan, name, kind=kind)
    evaluate(run, workers=1, out=io.StringIO())
    publish(run)
    run.refresh_from_db()
    return run


def metrics(kind: str, steps: int = 12) -> list[dict[str, float]]:
    """What a stage would have measured."""
    falling = [round(2 * math.exp(-step / 4) + 0.2, 4) for step in range(1, steps + 1)]
    named = "reward" if kind == "grpo" else "loss"
    return [{"step": step, named: value} for step, value in enumerate(falling, start=1)]


def stage_run(kind: str, after: Run | None = None, **summary: Any) -> Run:
    """A finished stage with its files, not published."""
    run = lifecycle.open_run(
        f"mini-{kind}",
        kind=kind,
        config={"stage": kind, "config": {"size": "mini", "seed": 0}, "source": ""},
        seeds={"seed": 0},
        total=12,
        after=after,
    )
    folder = lifecycle.folder_of(run)
    folder.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{json.dumps(row)}\n" for row in metrics(kind))
    (folder / "metrics.jsonl").write_text(lines)
    told = {"stage": kind, **summary}
    (folder / "summary.json").write_text(json.dumps(told))
    lifecycle.begin(run)
    run.done = 12
    lifecycle.end(run, Run.Status.DONE, summary=told)
    return run


def published(run: Run) -> Run:
    """Show a run."""
    run.published_at = timezone.now()
    run.save(update_fields=["published_at"])
    return run


def schooled() -> list[Run]:
    """The published stages of a model, each after the one before."""
    found: list[Run] = []
    for kind in CHAIN:
        found.append(published(stage_run(kind, found[-1] if found else None)))
    return found


def keep_samples(run: Run, names: Sequence[str], suite: str, seeds: Sequence[int]) -> Path:
    """Let buyers play the same games into a run's folder."""
    path = lifecycle.folder_of(run) / "samples.jsonl"
    write_samples(path, [one for name in names for one in play_samples(policy(name), suite, seeds)])
    return path
