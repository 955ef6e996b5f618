"""A run's lab put beside the code, or where this site looks for labs: weights and a model card."""

import shutil
from pathlib import Path
from typing import Any

from django.conf import settings

from agents.checkpoints import NoCheckpoint
from arena.gpu_market.engine import TASK_NAMES
from arena.gpu_market.trained.cards import LabCheckpoint, read_lab
from training import runs
from training.artifacts import MODEL
from training.data.files import write_whole
from training.models import Run

README = "README.md"


def ship_lab(run: Run, *, here: bool = False) -> LabCheckpoint:
    """Copy a run's lab to where labs are found.

    Args:
        run: a finished stage of a lab.
        here: for this site only, in its data folder; else beside the code.

    Raises:
        NoCheckpoint: the run is not done, or has left no lab.
    """
    if run.status != Run.Status.DONE:
        raise NoCheckpoint(f"{run.pk} is {run.status}; only a finished stage can be shipped.")
    source = runs.folder_of(run) / MODEL
    name = read_lab(source).card.name.replace(":", "-")
    target = Path(settings.LABS_DIR if here else settings.SHIPPED_LABS_DIR) / name
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    found = read_lab(target)
    write_whole(target / README, lab_model_card(run, found).encode())
    return found


def lab_model_card(run: Run, lab: LabCheckpoint) -> str:
    """Write what there is to know of a lab: every figure is one of its run's summary."""
    card = lab.card
    history = [run] if run.after is None else [run.after, run]
    lines = [
        f"# {card.title}",
        "",
        "A language model that plays a lab of the GPU market: it reads a position in some hundred "
        "tokens and answers with one action as JSON. Trained from nothing by this project; it "
        "knows nothing but the market. Sums over its blocks, jobs and offers are in its prompt.",
        "",
        f"- Policy: `{card.name}`, weights {lab.digest}",
        f"- Prompt: dialect `{card.dialect}`, version `{card.prompt_version}`",
        f"- Sampling: temperature {card.temperature:g}. Teacher: `{card.teacher}`.",
        f"- Code: {card.commit}",
        "",
        "## How it was made",
        "",
    ]
    for one in history:
        told: dict[str, Any] = one.config.get("config", {})
        words = ", ".join(f"{name} {value}" for name, value in told.items())
        lines += [f"**{one.what.title}** (run `{one.pk}`, code {one.code_version}): {words}.", ""]
    lines += ["## Unseen markets of the last stage", "", *_figures(run), ""]
    return "\n".join([*lines, "## Again", "", "    make train-market", ""])


def _figures(run: Run) -> list[str]:
    held: dict[str, Any] = (run.summary or {}).get("held_out") or {}
    rows = ["| | mean return | 95 % interval |", "|---|---:|---|"]
    tasks: dict[str, Any] = held.get("tasks", {})
    rungs = [(str(task), tasks.get(task)) for task in TASK_NAMES]
    for name, found in [*rungs, ("all", held.get("return"))]:
        if found:
            rows.append(f"| {name} | {found['mean']} | {found['low']} to {found['high']} |")
    if "valid_json" in held:
        rows.append(f"| Readable, of {held['answers']} answers | {held['valid_json']:.4f} | |")
    return rows
