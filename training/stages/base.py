"""Pretraining: a Llama from nothing reads bargains as prose."""

from typing import Any

from transformers import set_seed

from agents.checkpoints import Card
from agents.dialects.table import dialect
from training.data.corpus import Corpus, Recipe, corpus
from training.stages.arguments import common, reading
from training.stages.checking import check
from training.stages.config import BaseConfig
from training.stages.counting import last_loss, trainer_steps
from training.stages.following import Following, named, train
from training.stages.names import name_of, title_of
from training.stages.saving import save_model
from training.stages.shaping import new_llama
from training.stages.tokenizer import BUYER_PIECES, train_tokenizer
from training.stages.work import Work


def run_base(work: Work, config: BaseConfig) -> dict[str, Any]:
    """Make tokenizer and model, and let the model read.

    Returns:
        The summary: sizes and the last loss.
    """
    from datasets import Dataset
    from trl import SFTConfig, SFTTrainer

    set_seed(config.seed)
    work.say("base: teacher games")
    books = corpus(Recipe("compact", config.bargains, config.seed))
    tokenizer = train_tokenizer(_texts(books), config.vocabulary, config.context, BUYER_PIECES)
    model = new_llama(config, tokenizer)
    rows = Dataset.from_dict({"text": [f"{text}{tokenizer.eos_token}" for text in books.prose()]})
    trainer = SFTTrainer(
        model=model,
        processing_class=tokenizer,
        train_dataset=rows,
        args=SFTConfig(
            **common(config, work) | reading(config, config.epochs, config.context),
            dataset_num_proc=None,
        ),
    )
    work.run.total = trainer_steps(trainer)
    work.run.save(update_fields=["total"])
    train(trainer, work, Following(work, named({"loss": "loss"})))
    card = Card(
        name=name_of(config),
        title=title_of(config),
        dialect="compact",
        prompt_version=dialect("compact").version,
    )
    save_model(work, trainer.model, tokenizer, card)
    played = check(work, trainer.model, tokenizer, card, config.check_games)
    return {
        "parameters": sum(part.numel() for part in model.parameters()),
        "vocabulary": len(tokenizer),
        "bargains": books.card["bargains"],
        "loss": last_loss(trainer),
        "held_out": played,
    }


def _texts(books: Corpus) -> list[str]:
    lessons = books.lessons("train")
    return [part for one in lessons for part in (one.prompt[-1].content, one.answer)]
