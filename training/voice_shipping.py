"""A run's voice put beside the code: the adapter, its card, and what it can and cannot do."""

import shutil
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings

from agents.checkpoints import NoCheckpoint
from agents.lines.register import Register
from agents.speaking.box import ADAPTER, CARD, FOLDER, PACKAGE, VoiceCard, read_voice
from negotiation.statistics import Interval
from training import runs
from training.artifacts import MODEL
from training.data.files import write_whole
from training.models import Run
from training.tables import VerdictsTable, VoicesTable
from training.voices.tally import EVERY, tallies

README = "README.md"


def ship_voice(run: Run, languages: tuple[Register, ...] = ()) -> Path:
    """Copy a run's adapter to where the site finds it.

    Args:
        run: a finished stage of the voice.
        languages: in which it speaks from then on; elsewhere the bank does.

    Raises:
        NoCheckpoint: the run is not done, or has left no adapter for the model in the box.
    """
    if run.status != Run.Status.DONE:
        raise NoCheckpoint(f"{run.pk} is {run.status}; only a finished stage can be shipped.")
    source = runs.folder_of(run) / MODEL
    card = msgspec.structs.replace(read_voice(source), languages=languages)
    if card.base != PACKAGE or not (source / ADAPTER).is_file():
        raise NoCheckpoint(f"{run.pk} has left no adapter for {PACKAGE}.")
    target = Path(settings.SHIPPED_MODELS_DIR) / FOLDER
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    shutil.copyfile(source / ADAPTER, target / ADAPTER)
    write_whole(target / CARD, msgspec.json.format(msgspec.json.encode(card), indent=2) + b"\n")
    write_whole(target / README, voice_model_card(run, card).encode())
    return target


def voice_model_card(run: Run, card: VoiceCard) -> str:
    """Write what there is to know of a voice: every figure is of its run's summary."""
    history = [run] if run.after is None else [run.after, run]
    spoken = ", ".join(card.languages) or "none: the bank says everything"
    lines = [
        f"# {card.title}",
        "",
        f"A LoRA adapter of the model in `{card.base}` (SmolLM2-135M-Instruct, Q4_1), which "
        "llama.cpp applies while it loads. It puts a planned turn of Sauda's into words; prices "
        "are slots that code fills, and code checks every line before it is said.",
        "",
        f"- Voice: `{card.name}`; turns are written as of `{card.prompt_version}`",
        f"- Sampling: temperature {card.temperature:g}, top-p {card.top_p:g}",
        f"- Speaks: {spoken}",
        f"- Code: {card.commit}",
        "",
        "## How it was made",
        "",
    ]
    for one in history:
        told: dict[str, Any] = one.config.get("config", {})
        words = ", ".join(f"{name} {value}" for name, value in told.items())
        lines += [f"**{one.what.title}** (run `{one.pk}`, code {one.code_version}): {words}.", ""]
    lines += ["## Held-out exchanges", "", *_figures(run.summary or {}), ""]
    lines += ["## Beside the bank, blind", "", *_beside_the_bank(), ""]
    again = [f"    manage.py train {one.kind}{' --from RUN' * (one.after is not None)}"
             for one in history]  # fmt: skip
    return "\n".join([*lines, "## Again", "", *again, ""])


def _figures(summary: dict[str, Any]) -> list[str]:
    rows = [
        "Of the tenth of the corpus that nothing learned from. A turn counts as answered when one "
        "of four drawn lines passes every check; what answers well is for a person to judge.",
        "",
        "| language | turns | answered | bank answers | lines that fail a check | of these | "
        "lines of the corpus, word for word |",
        "|---|---:|---:|---:|---:|---|---:|",
    ]
    for language, one in summary.get("held_out", {}).items():
        why = ", ".join(f"{name} {share:.1%}" for name, share in one["faults"].items())
        rows.append(
            f"| {language} | {one['turns']} | {one['answered']:.1%} | {one['bank_answered']:.1%} "
            f"| {one['faulty']:.1%} | {why} | {one['by_heart']:.1%} |"
        )
    return rows


def _beside_the_bank() -> list[str]:
    """Write what judges thought of the texts that stand beside the code (docs/voices.md)."""
    texts, verdicts = VoicesTable.shipped(), VerdictsTable.shipped()
    found = tallies(texts, verdicts.rows) if texts and verdicts else ()
    pairs = [
        (tally, pair)
        for tally in found
        for pair in tally.pairs
        if tally.language != EVERY and {pair.voice, pair.than} == {"box", "bank"}
    ]
    if not texts or not pairs:
        return ["Nobody has judged it yet."]
    rows = [
        "Held-out lines of sellers in played positions, judged without names (`manage.py voices`, "
        f"texts of {texts.commit}). Points are the yeses among five marks; better in a position is "
        "who has more.",
        "",
        "| language | positions | points of the model | points of the bank | the model is better |",
        "|---|---:|---:|---:|---:|",
    ]
    for tally, pair in pairs:
        points = {one.voice: one.points for one in tally.voices}
        rows.append(
            f"| {tally.language} | {pair.positions} | {_interval(points['box'])} "
            f"| {_interval(points['bank'])} | {_interval(pair.better)} |"
        )
    return rows


def _interval(one: Interval) -> str:
    return f"{one.mean:.2f} [{one.low:.2f}, {one.high:.2f}]"
