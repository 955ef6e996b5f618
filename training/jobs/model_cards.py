"""A shipped model and its README: how it was made, what it came to, how to make it again.

Every figure is one of its run's summary, or of a receipt beside the code.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings

from agents.buyers.network import Card as NetworkCard
from agents.buyers.network import WrongNetwork, load_network
from agents.buyers.network_buyer import FOLDER
from agents.checkpoints import VOICE, Checkpoint, NoCheckpoint, read_checkpoint
from agents.speech.box import ADAPTER, PACKAGE, VoiceCard, read_voice
from agents.speech.box import CARD as VOICE_CARD
from agents.speech.box import FOLDER as VOICE_FOLDER
from agents.text.languages import Register
from arena.gpu_market.engine import TASK_NAMES
from arena.gpu_market.trained.cards import LabCheckpoint, read_lab
from negotiation.statistics import Interval
from training.data.files import write_whole
from training.jobs.chains import stages_of
from training.models import Run
from training.receipts.tables import VerdictsTable, VoicesTable
from training.runs import lifecycle
from training.runs.files import MODEL
from training.stages.registry import defaults
from training.stages.running import HUB_NAME
from training.voices.judging import EVERY, tallies

README = "README.md"
LEAGUE = "league"  # The stage that makes a network of prices and no language model

FROM_NOTHING = (
    "It was trained from nothing by this project and knows nothing but the bazaar. The seller's "
    "words reach it only as language and topic; prices only as thousandths of the opening ask."
)

FROM_A_BASE = "It is an adapter of `{}`, which has to be loaded with it."

BEFORE_PEOPLE: dict[str, dict[str, Any]] = {
    "sft": {"people": 0.0, "waiting": 0.0},
    "grpo": {"people": 0.0},
}
"""Settings that older runs did not know yet, and what they did."""

FIGURES = (
    ("share", "Share of the zone, winnable games"),
    ("deal_rate", "Deals, winnable games"),
    ("rounds", "Rounds"),
)


def _model_card(run: Run, checkpoint: Checkpoint) -> str:
    card, history = checkpoint.card, [*_history(run)]
    lines = [
        f"# {card.title}",
        "",
        "A language model that bargains as the buyer over one item, in Hinglish, Hindi in Latin "
        f"script and English. {FROM_A_BASE.format(card.base) if card.base else FROM_NOTHING} "
        "Guards in code stand behind every move.",
        "",
        f"- Policy: `{card.name}`, weights {checkpoint.digest}",
        f"- Prompt: dialect `{card.dialect}`, version `{card.prompt_version}`",
        f"- Sampling: temperature {card.temperature:g}, top-p {card.top_p:g}",
        f"- Steered by the tells: {_yes(card.steer)}. Told of the tells: {_yes(card.tells)}.",
        f"- Code: {card.commit}",
        "",
        "## How it was made",
        "",
        *(line for one in history for line in _stage_lines(one)),
        "## Held-out games of the last stage",
        "",
        *_buyer_figures(run),
        "",
        "The ladder with all suites, rule buyers and intervals is on `/leaderboard/` and "
        "`/training/` of a running site, with receipts.",
        "",
        "## Again",
        "",
        *(f"    {command}" for command in _commands(history)),
        "",
    ]
    return "\n".join(lines)


def _network_card(run: Run, card: NetworkCard) -> str:
    told: dict[str, Any] = run.summary or {}
    found, taken = told["held_out"], [f"{one['takes']:.3f}" for one in told["exploiters"]]
    kinds = {name: told["checks"][-1][name] for name in told["lines"]}
    return "\n".join(
        [
            f"# {card.title}",
            "",
            "A small network that decides what the buyer bids, from prices, rounds and what the "
            "seller lets slip; another voice finds the words. Trained from nothing by this "
            "project, by playing with a population of sellers who answer.",
            "",
            f"- Policy: `{card.name}`, weights {card.digest}, {told['parameters']:,} numbers",
            f"- Sees: `{card.features}`; no words, no seller's secret, no name of a family",
            f"- Code: {card.commit}",
            "",
            "## How it was made",
            "",
            *_stage_lines(run),
            "## Sellers of the training families that it never met",
            "",
            f"Share of the zone {found['share']:.3f}, deals {found['deal_rate']:.3f}, median "
            f"rounds {found['rounds']:g}. By kind, beside the best straight line of that kind:",
            "",
            "| kind | network | line |",
            "|---|---:|---:|",
            *(f"| {name} | {kinds[name]:.3f} | {told['lines'][name]:.3f} |" for name in kinds),
            "",
            f"What the seller found against each round's network takes: {', '.join(taken)}.",
            "",
            "Families that no training met, rules, bounds and what a searched seller takes from "
            "other buyers are on `/training/` of a running site, with receipts.",
            "",
            "## Again",
            "",
            f"    {_command(run.config, is_first=True)}",
            "",
        ]
    )


def _lab_card(run: Run, lab: LabCheckpoint) -> str:
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
    lines += [line for one in history for line in _stage_lines(one)]
    lines += ["## Unseen markets of the last stage", "", *_lab_figures(run), ""]
    return "\n".join([*lines, "## Again", "", "    make train-market", ""])


def voice_card(run: Run, card: VoiceCard) -> str:
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
    lines += [line for one in history for line in _stage_lines(one)]
    lines += ["## Held-out exchanges", "", *_voice_figures(run.summary or {}), ""]
    lines += ["## Beside the bank, blind", "", *_beside_the_bank(), ""]
    again = [f"    manage.py train {one.kind}{' --from RUN' * (one.after is not None)}"
             for one in history]  # fmt: skip
    return "\n".join([*lines, "## Again", "", *again, ""])


def _history(run: Run) -> list[Run]:
    found: list[Run] = []
    at: Run | None = run
    while at is not None and at not in found:
        found.insert(0, at)
        at = at.after
    return found


def _stage_lines(run: Run) -> list[str]:
    told: dict[str, Any] = run.config.get("config", {})
    settings_ = ", ".join(f"{name} {_plain(value)}" for name, value in told.items())
    return [f"**{run.what.title}** (run `{run.pk}`, code {run.code_version}): {settings_}.", ""]


def _commands(history: list[Run]) -> list[str]:
    # Each stage begins with the run of the one before.
    told: list[dict[str, Any]] = [one.config for one in history]
    size = told[0]["config"]["size"]
    whole = stages_of(size, begins_with_model=False)
    if size == "mini" and _stages(told) == list(whole) and not any(map(_changes, told)):
        return ["make train-mini"]
    return [_command(one, is_first=place == 0) for place, one in enumerate(told)]


def _stages(told: list[dict[str, Any]]) -> list[str]:
    return [one["stage"] for one in told]


def _command(told: dict[str, Any], *, is_first: bool) -> str:
    begin = told.get("source", "") if is_first else "RUN"
    if begin and is_first and not HUB_NAME.fullmatch(begin):
        begin = "FOLDER"
    changes = [f"--set {name}={_plain(value, ',')}" for name, value in _changes(told).items()]
    size = f"--size {told['config']['size']}"
    words = ["manage.py train", told["stage"], size, f"--from {begin}" if begin else "", *changes]
    return " ".join(word for word in words if word)


def _changes(told: dict[str, Any]) -> dict[str, Any]:
    # As they would lie in the database.
    usual = json.loads(json.dumps(defaults(told["stage"], told["config"]["size"])))
    settled = BEFORE_PEOPLE.get(told["stage"], {}) | told["config"]
    return {name: value for name, value in settled.items() if value != usual.get(name)}


def _buyer_figures(run: Run) -> list[str]:
    held: dict[str, Any] = (run.summary or {}).get("held_out") or {}
    rows = ["| | mean | 95 % interval |", "|---|---:|---|"]
    for name, words in FIGURES:
        if found := held.get(name):
            rows.append(f"| {words} | {found['mean']} | {found['low']} to {found['high']} |")
    if "valid_json" in held:
        rows.append(f"| Valid JSON, of {held['answers']} answers | {held['valid_json']:.4f} | |")
    return rows


def _lab_figures(run: Run) -> list[str]:
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


def _voice_figures(summary: dict[str, Any]) -> list[str]:
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
    # What judges thought of the texts that stand beside the code (docs/voices.md).
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


def _plain(value: object, between: str = "/") -> str:
    return between.join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"


class Shipped(msgspec.Struct, frozen=True):
    """A model beside the code; ``version`` is what results of it carry."""

    version: str
    folder: Path


def ship(run: Run, *, voice: bool = False) -> Shipped:
    """Copy a finished stage's model, or a league's network, beside the code; as ``check``.

    With ``voice`` it speaks for the site from then on.
    """
    check(run, voice=voice)
    source, shelf = lifecycle.folder_of(run) / MODEL, Path(settings.SHIPPED_MODELS_DIR)
    if run.kind == LEAGUE:
        target = _copy(source, shelf / FOLDER)
        _, card = load_network(target)
        write_whole(target / README, _network_card(run, card).encode())
        return Shipped(f"{card.name}#{card.digest}", target)
    target = _copy(source, shelf / read_checkpoint(source).name.replace(":", "-"))
    checkpoint = read_checkpoint(target)
    write_whole(target / README, _model_card(run, checkpoint).encode())
    if voice:
        write_whole(shelf / VOICE, msgspec.json.encode({"voice": target.name}) + b"\n")
    return Shipped(checkpoint.version, target)


def check(run: Run, *, voice: bool = False) -> None:
    """Raise NoCheckpoint when a run is not done, has left no model, or shall speak and cannot."""
    _check_done(run)
    source = lifecycle.folder_of(run) / MODEL
    if run.kind == LEAGUE:
        if voice:
            raise NoCheckpoint(f"{run.pk} made a network: it finds prices and no words.")
        try:
            load_network(source)
        except WrongNetwork as wrong:
            raise NoCheckpoint(str(wrong)) from wrong
    elif read_checkpoint(source).card.base.startswith("/"):
        raise NoCheckpoint(
            f"{run.pk} is an adapter of weights in a folder here; train it from a model of the hub."
        )


def ship_lab(run: Run, *, here: bool = False) -> LabCheckpoint:
    """Copy a run's lab beside the code, or ``here`` for this site only; NoCheckpoint."""
    _check_done(run)
    source = lifecycle.folder_of(run) / MODEL
    name = read_lab(source).card.name.replace(":", "-")
    target = Path(settings.LABS_DIR if here else settings.SHIPPED_LABS_DIR) / name
    found = read_lab(_copy(source, target))
    write_whole(target / README, _lab_card(run, found).encode())
    return found


def ship_voice(run: Run, languages: tuple[Register, ...] = ()) -> Path:
    """Copy a run's adapter to where the site finds it, to speak in ``languages``; NoCheckpoint."""
    _check_done(run)
    source = lifecycle.folder_of(run) / MODEL
    card = msgspec.structs.replace(read_voice(source), languages=languages)
    if card.base != PACKAGE or not (source / ADAPTER).is_file():
        raise NoCheckpoint(f"{run.pk} has left no adapter for {PACKAGE}.")
    target = Path(settings.SHIPPED_MODELS_DIR) / VOICE_FOLDER
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    shutil.copyfile(source / ADAPTER, target / ADAPTER)
    write_whole(
        target / VOICE_CARD, msgspec.json.format(msgspec.json.encode(card), indent=2) + b"\n"
    )
    write_whole(target / README, voice_card(run, card).encode())
    return target


def _check_done(run: Run) -> None:
    if run.status != Run.Status.DONE:
        raise NoCheckpoint(f"{run.pk} is {run.status}; only a finished stage can be shipped.")


def _copy(source: Path, target: Path) -> Path:
    shutil.rmtree(target, ignore_errors=True)
    return Path(shutil.copytree(source, target))
