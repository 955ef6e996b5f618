"""A run's model, lab or voice put where the site finds it: beside the code, with its card."""

import shutil
from pathlib import Path

import msgspec
from django.conf import settings

from agents.buyers.network import WrongNetwork, load_network
from agents.buyers.network_buyer import FOLDER
from agents.checkpoints import VOICE, NoCheckpoint, read_checkpoint
from agents.speech.box import ADAPTER, PACKAGE, read_voice
from agents.speech.box import CARD as VOICE_CARD
from agents.speech.box import FOLDER as VOICE_FOLDER
from agents.text.languages import Register
from arena.gpu_market.trained.cards import LabCheckpoint, read_lab
from training.data.files import write_whole
from training.jobs.model_cards import LEAGUE, lab_card, model_card, network_card, voice_card
from training.models import Run
from training.runs import lifecycle
from training.runs.files import MODEL

README = "README.md"


class Shipped(msgspec.Struct, frozen=True):
    """A model beside the code; ``version`` is what results of it carry."""

    version: str
    folder: Path


def ship(run: Run, *, voice: bool = False) -> Shipped:
    """Copy a run's model, or a league's network, into the folder that comes with the code.

    Args:
        run: a finished stage.
        voice: it speaks for the site from then on.

    Raises:
        NoCheckpoint: the run is not done, has left no model, or shall speak and cannot.
    """
    check(run, voice=voice)
    source, shelf = lifecycle.folder_of(run) / MODEL, Path(settings.SHIPPED_MODELS_DIR)
    if run.kind == LEAGUE:
        target = _copy(source, shelf / FOLDER)
        _, card = load_network(target)
        write_whole(target / README, network_card(run, card).encode())
        return Shipped(f"{card.name}#{card.digest}", target)
    target = _copy(source, shelf / read_checkpoint(source).name.replace(":", "-"))
    checkpoint = read_checkpoint(target)
    write_whole(target / README, model_card(run, checkpoint).encode())
    if voice:
        write_whole(shelf / VOICE, msgspec.json.encode({"voice": target.name}) + b"\n")
    return Shipped(checkpoint.version, target)


def check(run: Run, *, voice: bool = False) -> None:
    """See whether a run's model can be shipped.

    Raises:
        NoCheckpoint: the run is not done, has left no model, or shall speak and cannot.
    """
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
    """Copy a run's lab to where labs are found.

    Args:
        run: a finished stage of a lab.
        here: for this site only, in its data folder; else beside the code.

    Raises:
        NoCheckpoint: the run is not done, or has left no lab.
    """
    _check_done(run)
    source = lifecycle.folder_of(run) / MODEL
    name = read_lab(source).card.name.replace(":", "-")
    target = Path(settings.LABS_DIR if here else settings.SHIPPED_LABS_DIR) / name
    found = read_lab(_copy(source, target))
    write_whole(target / README, lab_card(run, found).encode())
    return found


def ship_voice(run: Run, languages: tuple[Register, ...] = ()) -> Path:
    """Copy a run's adapter to where the site finds it.

    Args:
        run: a finished stage of the voice.
        languages: in which it speaks from then on; elsewhere the bank does.

    Raises:
        NoCheckpoint: the run is not done, or has left no adapter for the model in the box.
    """
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
