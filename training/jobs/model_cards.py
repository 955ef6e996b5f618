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
from arena.gpu_market.trained.cards import LabCheckpoint, read_lab
from bazaarbatna.intervals import Interval
from bazaarbatna.market import TASK_NAMES
from bazaarbatna.word_tables import read_table
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


class Texts(msgspec.Struct, frozen=True):
    """What stands in ``model_cards.toml``."""

    from_nothing: str
    from_a_base: str
    yes: str
    no: str
    about: dict[str, str]
    heads: dict[str, str]
    facts: dict[str, str]
    figures: dict[str, str]


TEXT = read_table(Path(__file__).with_suffix(".toml"), Texts)
HEADS, FACTS, FIGURE_WORDS = TEXT.heads, TEXT.facts, TEXT.figures

BEFORE_PEOPLE: dict[str, dict[str, Any]] = {
    "sft": {"people": 0.0, "waiting": 0.0},
    "grpo": {"people": 0.0},
}
"""Settings that older runs did not know yet, and what they did."""

FIGURES = ("share", "deal_rate", "rounds")


def _model_card(run: Run, checkpoint: Checkpoint) -> str:
    card, history = checkpoint.card, [*_history(run)]
    origin = TEXT.from_a_base.format(base=card.base) if card.base else TEXT.from_nothing
    steer, tells = _yes(card.steer), _yes(card.tells)
    lines = [
        f"# {card.title}",
        "",
        TEXT.about["model"].format(origin=origin),
        "",
        FACTS["policy"].format(name=card.name, digest=checkpoint.digest),
        FACTS["prompt"].format(dialect=card.dialect, version=card.prompt_version),
        FACTS["sampling"].format(temperature=card.temperature, top_p=card.top_p),
        FACTS["switches"].format(steer=steer, tells=tells),
        FACTS["code"].format(commit=card.commit),
        "",
        HEADS["made"],
        "",
        *(line for one in history for line in _stage_lines(one)),
        HEADS["held_out"],
        "",
        *_buyer_figures(run),
        "",
        FIGURE_WORDS["ladder"],
        "",
        HEADS["again"],
        "",
        *(f"    {command}" for command in _commands(history)),
        "",
    ]
    return "\n".join(lines)


def _network_card(run: Run, card: NetworkCard) -> str:
    told: dict[str, Any] = run.summary or {}
    found, taken = told["held_out"], [f"{one['takes']:.3f}" for one in told["exploiters"]]
    kinds = {name: told["checks"][-1][name] for name in told["rules"]}
    return "\n".join(
        [
            f"# {card.title}",
            "",
            TEXT.about["network"],
            "",
            FACTS["weights"].format(
                name=card.name, digest=card.digest, parameters=told["parameters"]
            ),
            FACTS["sees"].format(features=card.features),
            FACTS["code"].format(commit=card.commit),
            "",
            HEADS["made"],
            "",
            *_stage_lines(run),
            HEADS["never_met"],
            "",
            FIGURE_WORDS["network"].format(
                share=found["share"], deals=found["deal_rate"], rounds=found["rounds"]
            ),
            "",
            FIGURE_WORDS["kinds"],
            "|---|---:|---:|",
            *(f"| {name} | {kinds[name]:.3f} | {told['rules'][name]:.3f} |" for name in kinds),
            "",
            FIGURE_WORDS["taken"].format(taken=", ".join(taken)),
            "",
            FIGURE_WORDS["families"],
            "",
            HEADS["again"],
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
        TEXT.about["lab"],
        "",
        FACTS["policy"].format(name=card.name, digest=lab.digest),
        FACTS["prompt"].format(dialect=card.dialect, version=card.prompt_version),
        FACTS["taught"].format(temperature=card.temperature, teacher=card.teacher),
        FACTS["code"].format(commit=card.commit),
        "",
        HEADS["made"],
        "",
    ]
    lines += [line for one in history for line in _stage_lines(one)]
    lines += [HEADS["unseen"], "", *_lab_figures(run), ""]
    return "\n".join([*lines, HEADS["again"], "", "    make train-market", ""])


def voice_card(run: Run, card: VoiceCard) -> str:
    """Write what there is to know of a voice: every figure is of its run's summary."""
    history = [run] if run.after is None else [run.after, run]
    spoken = ", ".join(card.languages) or FACTS["silent"]
    lines = [
        f"# {card.title}",
        "",
        TEXT.about["voice"].format(base=card.base),
        "",
        FACTS["voice"].format(name=card.name, version=card.prompt_version),
        FACTS["sampling"].format(temperature=card.temperature, top_p=card.top_p),
        FACTS["speaks"].format(languages=spoken),
        FACTS["code"].format(commit=card.commit),
        "",
        HEADS["made"],
        "",
    ]
    lines += [line for one in history for line in _stage_lines(one)]
    lines += [HEADS["exchanges"], "", *_voice_figures(run.summary or {}), ""]
    lines += [HEADS["beside"], "", *_beside_the_bank(), ""]
    again = [f"    manage.py train {one.kind}{' --from RUN' * (one.after is not None)}"
             for one in history]  # fmt: skip
    return "\n".join([*lines, HEADS["again"], "", *again, ""])


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
    facts = {"title": run.what.title, "run": run.pk, "version": run.code_version}
    return [FACTS["stage"].format(**facts, settings=settings_), ""]


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
    rows = [FIGURE_WORDS["mean"], "|---|---:|---|"]
    known = [(name, held[name]) for name in FIGURES if held.get(name)]
    rows += [_figure_row(FIGURE_WORDS[name], found) for name, found in known]
    if "valid_json" in held:
        rows.append(_answered(held, "valid"))
    return rows


def _lab_figures(run: Run) -> list[str]:
    held: dict[str, Any] = (run.summary or {}).get("held_out") or {}
    rows = [FIGURE_WORDS["mean_return"], "|---|---:|---|"]
    tasks: dict[str, Any] = held.get("tasks", {})
    rungs = [(str(task), tasks.get(task)) for task in TASK_NAMES]
    for name, found in [*rungs, (FIGURE_WORDS["all"], held.get("return"))]:
        if found:
            rows.append(_figure_row(name, found))
    if "valid_json" in held:
        rows.append(_answered(held, "readable"))
    return rows


def _figure_row(words: str, found: dict[str, Any]) -> str:
    ends = {end: found[end] for end in ("mean", "low", "high")}
    return FIGURE_WORDS["row"].format(words=words, **ends)


def _answered(held: dict[str, Any], words: str) -> str:
    return FIGURE_WORDS[words].format(answers=held["answers"], share=held["valid_json"])


def _voice_figures(summary: dict[str, Any]) -> list[str]:
    rows = [
        FIGURE_WORDS["exchanges"],
        "",
        FIGURE_WORDS["languages"],
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
        return [FIGURE_WORDS["unjudged"]]
    rows = [
        FIGURE_WORDS["judged"].format(commit=texts.commit),
        "",
        FIGURE_WORDS["beside"],
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
    return TEXT.yes if flag else TEXT.no


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
