"""A shipped model and its README: how it was made, what it came to, how to make it again.

Every figure is one of its run's summary, or of a receipt beside the code.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from agents.buyers.network import WrongNetwork, load_network
from agents.buyers.network_buyer import FOLDER
from agents.checkpoints import VOICE, NoCheckpoint, read_checkpoint
from agents.speech.box import ADAPTER, PACKAGE, read_voice
from agents.speech.box import CARD as VOICE_CARD
from agents.speech.box import FOLDER as VOICE_FOLDER
from agents.text.languages import Register
from arena.gpu_market.trained.cards import LabCheckpoint, read_lab
from bazaarbatna.market import TASK_NAMES
from training.disk import write_json, write_whole
from training.jobs.chains import stages_of
from training.models import Run
from training.receipts.tables import VerdictsTable, VoicesTable
from training.runs import lifecycle
from training.runs.files import MODEL
from training.stages.registry import GONE, defaults
from training.stages.running import HUB_NAME
from training.voices.judging import EVERY, tallies

README = "README.md"
LEAGUE = "league"  # The stage that makes a network of prices and no language model


CARDS = Environment(  # noqa: S701  Markdown of our own figures, and no HTML
    loader=FileSystemLoader(Path(__file__).with_name("cards")),
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    undefined=StrictUndefined,
)
"""The words of a README, a template for each kind of model."""

BEFORE_PEOPLE: dict[str, dict[str, Any]] = {
    "sft": {"people": 0.0, "waiting": 0.0},
    "grpo": {"people": 0.0},
}
"""Settings that older runs did not know yet, and what they did."""


def _write_card(
    target: Path, kind: str, run: Run, history: list[Run], commands: list[str], **facts: Any
) -> None:
    summary: dict[str, Any] = run.summary or {}
    text = CARDS.get_template(f"{kind}.md").render(
        history=history, commands=commands, settings_of=_settings_of, summary=summary,
        held_out=_Held(summary.get("held_out") or {}), **facts,
    )  # fmt: skip
    write_whole(target / README, text.encode())


class _Held(dict[str, Any]):
    """What was measured on held-out games; what was not is None."""

    def __missing__(self, name: str) -> None:
        return None


def _begun(run: Run) -> list[Run]:
    return [run] if run.after is None else [run.after, run]


def _history(run: Run) -> list[Run]:
    found: list[Run] = []
    at: Run | None = run
    while at is not None and at not in found:
        found.insert(0, at)
        at = at.after
    return found


def _settings_of(run: Run) -> str:
    told: dict[str, Any] = run.config.get("config", {})
    return ", ".join(f"{name} {_plain(value)}" for name, value in told.items())


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
    return {
        name: value for name, value in settled.items()
        if value != usual.get(name, GONE.get(name)) and name != "model"  # --from says it
    }  # fmt: skip


def _beside_the_bank() -> dict[str, Any]:
    # What judges thought of the texts that stand beside the code (docs/voices.md).
    texts, verdicts = VoicesTable.shipped(), VerdictsTable.shipped()
    found = tallies(texts, verdicts.rows) if texts and verdicts else ()
    pairs = [
        (tally, pair, {one.voice: one.points for one in tally.voices})
        for tally in found
        for pair in tally.pairs
        if tally.language != EVERY and {pair.voice, pair.than} == {"box", "bank"}
    ]
    return {"texts": texts, "pairs": pairs}


def _plain(value: object, between: str = "/") -> str:
    return between.join(map(str, value)) if isinstance(value, list | tuple) else str(value)


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
        again = [_command(run.config, is_first=True)]
        _write_card(target, "network", run, [run], again, card=card)
        return Shipped(f"{card.name}#{card.digest}", target)
    target = _copy(source, shelf / read_checkpoint(source).name.replace(":", "-"))
    checkpoint = read_checkpoint(target)
    history = _history(run)
    _write_card(
        target, "model", run, history, _commands(history),
        card=checkpoint.card, digest=checkpoint.digest,
    )  # fmt: skip
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
    _write_card(
        target, "lab", run, _begun(run), ["make train-market"],
        card=found.card, digest=found.digest, tasks=TASK_NAMES,
    )  # fmt: skip
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
    write_json(target / VOICE_CARD, card, 2)
    history = _begun(run)
    again = [f"manage.py train {one.kind}{' --from RUN' * (one.after is not None)}"
             for one in history]  # fmt: skip
    _write_card(target, "voice", run, history, again, card=card, **_beside_the_bank())
    return target


def run_to_ship(key: str) -> Run:
    """Find a run; NoCheckpoint where there is none of that id."""
    run = Run.objects.filter(pk=key).first()
    if run is None:
        raise NoCheckpoint(f"There is no run {key[:80]!r}.")
    return run


def _check_done(run: Run) -> None:
    if run.status != Run.Status.DONE:
        raise NoCheckpoint(f"{run.pk} is {run.status}; only a finished stage can be shipped.")


def _copy(source: Path, target: Path) -> Path:
    shutil.rmtree(target, ignore_errors=True)
    return Path(shutil.copytree(source, target))
