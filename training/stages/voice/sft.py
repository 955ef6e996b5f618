"""The model in the box learns her words from the exchanges of the corpus."""

from collections.abc import Sequence
from typing import Any

import msgspec
from transformers import set_seed

from agents.speech.box import ADAPTER, PACKAGE, VoiceCard, box
from agents.speech.model import Engine, has_program
from training.data.files import write_whole
from training.gguf.weights import Heads, write_adapter
from training.stages.config import VoiceConfig, VoiceSftConfig
from training.stages.model_files import (
    ALL_TARGETS,
    Opened,
    adapter_of,
    load_weights,
    name_of,
    save_model,
    title_of,
)
from training.stages.trainers import (
    RunCallback,
    Tokens,
    common,
    in_batches,
    last_loss,
    named,
    reading,
    train,
    trainer_steps,
)
from training.stages.voice.lessons import Lesson, answers, figures, lessons
from training.stages.work import SAMPLES, Work

LOGGED = {"loss": "loss", "mean_token_accuracy": "accuracy"}
"""What is kept of the trainer's log, by its own names."""


def leave(
    work: Work, config: VoiceConfig, model: Any, tokenizer: Any, card: VoiceCard
) -> dict[str, Any]:
    """Save the model, and let it answer what nobody learned from.

    No figures of a model that is not the one in the box, or without the program that runs it.
    """
    folder = save_model(work, model, tokenizer, card)
    weights = box()
    if card.base != PACKAGE or weights is None:
        return {}
    shape = model.config
    heads = Heads(shape.num_attention_heads, shape.num_key_value_heads)
    write_adapter(folder, folder / ADAPTER, name=card.name, heads=heads)
    if not has_program():
        return {}
    work.say(f"{config.stage}: held-out exchanges")
    engine = Engine(weights, folder / ADAPTER, card)
    engine.load()
    made = answers(engine, config.languages, tick=lambda: work.beat(work.run.done))
    write_whole(work.folder / SAMPLES, b"\n".join(map(msgspec.json.encode, made)) + b"\n")
    return {"held_out": figures(made)}


def run_voice_sft(work: Work, config: VoiceSftConfig, source: str) -> dict[str, Any]:
    """Train on the corpus, all but what is held out."""
    from datasets import Dataset
    from trl import SFTConfig as TrlConfig
    from trl import SFTTrainer

    set_seed(config.seed)
    opened = Opened(*load_weights(source, source, config), None, source)
    read = lessons(config.languages, config.epochs, config.seed)
    work.say(f"voice-sft: {len(read)} lessons")
    trainer = SFTTrainer(
        model=opened.model,
        processing_class=opened.tokenizer,
        train_dataset=Dataset.from_dict(_tokens(opened.tokenizer, read, config)),
        peft_config=adapter_of(config, opened, ALL_TARGETS, config.layers),
        args=TrlConfig(
            # Each reading of the corpus draws anew, so that all of them are rows of one epoch.
            **common(config, work) | reading(config, 1.0, config.max_length),
            completion_only_loss=True,
            # The order is made beforehand, see in_batches.
            train_sampling_strategy="sequential",
        ),
    )
    work.run.total = trainer_steps(trainer)
    work.run.save(update_fields=["total"])
    train(trainer, work, RunCallback(work, named(LOGGED)))
    found = leave(work, config, trainer.model, opened.tokenizer, voice_card(config, source))
    return {"lessons": len(read), "loss": last_loss(trainer), **found}


def voice_card(config: VoiceConfig, source: str) -> VoiceCard:
    """Describe the voice that comes out; it speaks nowhere before it is measured."""
    return VoiceCard(name=name_of(config), title=title_of(config), base=source)


def _tokens(tokenizer: Any, read: Sequence[Lesson], config: VoiceConfig) -> dict[str, Any]:
    prompts = tokenizer([one.prompt for one in read]).input_ids
    answers = tokenizer([f"{one.answer}{tokenizer.eos_token}" for one in read]).input_ids
    pairs: list[Tokens] = [
        (prompt, answer)
        for prompt, answer in zip(prompts, answers, strict=True)
        if len(prompt) + len(answer) <= config.max_length
    ]
    pairs = in_batches(pairs, config)
    return {
        "input_ids": [prompt + answer for prompt, answer in pairs],
        "completion_mask": [[0] * len(prompt) + [1] * len(answer) for prompt, answer in pairs],
    }
