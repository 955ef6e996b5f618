"""Supervised fine-tuning: the model learns to answer a position as the teachers did."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from transformers import set_seed

from agents.buyers.network import WrongNetwork
from agents.buyers.network_buyer import network_in, shipped_network
from agents.checkpoints import Card
from agents.dialects.base import Dialect
from agents.dialects.compact import dialect
from training.data.corpus import Corpus, Recipe, corpus
from training.data.teaching import Lesson
from training.models import Run
from training.runs import lifecycle
from training.stages.config import BadConfig, LeagueConfig, SftConfig
from training.stages.games import check
from training.stages.model_files import name_of, open_model, save_model, title_of
from training.stages.trainers import common, last_loss, reading, train_whole
from training.stages.work import MODEL, Work

LOGGED = {"loss": "loss", "mean_token_accuracy": "accuracy"}
"""What is kept of the trainer's log, by its own names."""


def run_sft(work: Work, config: SftConfig, source: str) -> dict[str, Any]:
    """Train on teacher games and measure on held-out ones."""
    from trl import SFTConfig as TrlConfig
    from trl import SFTTrainer

    set_seed(config.seed)
    opened = open_model(source, config)
    way = dialect(opened.card.dialect)
    work.say("sft: teacher games")
    books = _books(work, config, way.name)
    lessons = books.lessons("train") + _of_people(work, config, way)
    trainer = SFTTrainer(
        model=opened.model,
        processing_class=opened.tokenizer,
        train_dataset=_rows(_weighed(lessons, config.last_rounds)),
        args=TrlConfig(
            **common(config, work) | reading(config, config.epochs, config.max_length),
            completion_only_loss=True,
        ),
    )
    train_whole(trainer, work, LOGGED)
    card = _card(config, way)
    save_model(work, trainer.model, opened.tokenizer, card)
    played = check(
        work, trainer.model, opened.tokenizer, card, config.check_games, people=config.people
    )
    return {
        "lessons": books.card["lessons"],
        "loss": last_loss(trainer),
        "held_out": played,
    }


def _books(work: Work, config: SftConfig, dialect_name: str) -> Corpus:
    # With people the network of this run's league plays.
    recipe = Recipe(
        dialect_name, config.bargains, config.seed, config.people, waiting=config.waiting
    )
    if not config.people:
        return corpus(recipe)
    folder = teacher_in(work.run)
    try:
        network, card = network_in(folder)
    except WrongNetwork as wrong:
        raise BadConfig(str(wrong)) from wrong
    work.say(f"sft: with people plays {card.name}#{card.digest}")
    return corpus(msgspec.structs.replace(recipe, network=card.digest), network)


def _of_people(work: Work, config: SftConfig, way: Dialect) -> list[Lesson]:
    """Read the lessons of people who agreed to it (``manage.py export_training``)."""
    if not config.consented:
        return []
    found = Corpus(Path(settings.CORPORA_DIR) / config.consented)
    try:
        prompt = found.card.get("prompt")
    except OSError as wrong:
        raise BadConfig(f"There is no corpus {config.consented!r}.") from wrong
    if prompt != way.version:
        raise BadConfig(
            f"{config.consented!r} was written for {prompt!r}, the model reads {way.version!r}: "
            f"export_training --dialect {way.name}."
        )
    lessons = found.lessons("train")
    work.say(f"sft: and {len(lessons)} lessons of people who agreed to it")
    return lessons


def teacher_in(run: Run) -> Path:
    """Find the network that a run learns from: that of its chain's league, or the shipped one."""
    at = run.after
    while at is not None:
        folder = lifecycle.folder_of(at) / MODEL
        if at.kind == LeagueConfig.stage and folder.is_dir():
            return folder
        at = at.after
    return shipped_network()


def _card(config: SftConfig, way: Dialect) -> Card:
    return Card(
        name=name_of(config),
        title=title_of(config),
        dialect=way.name,
        prompt_version=way.version,
    )


def _weighed(lessons: Sequence[Lesson], last_rounds: int) -> list[Lesson]:
    # Few games get to a last round, and there all is won or lost.
    return [one for one in lessons for _ in range(last_rounds if one.last else 1)]


def _rows(lessons: Sequence[Lesson]) -> Any:
    from datasets import Dataset

    return Dataset.from_dict(
        {
            "prompt": [
                [{"role": m.role, "content": m.content} for m in one.prompt] for one in lessons
            ],
            "completion": [[{"role": "assistant", "content": one.answer}] for one in lessons],
        }
    )
