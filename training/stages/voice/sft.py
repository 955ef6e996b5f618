"""The model in the box learns her words from the exchanges of the corpus."""

from collections.abc import Sequence
from typing import Any

from transformers import set_seed

from agents.speech.box import VoiceCard
from training.stages.arguments import common, reading
from training.stages.batching import Tokens, in_batches
from training.stages.counting import last_loss, trainer_steps
from training.stages.following import Following, named, train
from training.stages.loading import ALL_TARGETS, Opened, adapter_of, load_weights
from training.stages.names import name_of, title_of
from training.stages.voice.finishing import leave
from training.stages.voice.lessons import Lesson, lessons
from training.stages.voice_config import VoiceConfig, VoiceSftConfig
from training.stages.work import Work

LOGGED = {"loss": "loss", "mean_token_accuracy": "accuracy"}
"""What is kept of the trainer's log, by its own names."""


def run_voice_sft(work: Work, config: VoiceSftConfig, source: str) -> dict[str, Any]:
    """Train on the corpus, all but what is held out.

    Args:
        work: the run.
        config: its settings.
        source: the box, a folder or a hub name.

    Returns:
        The summary: lessons and the last loss.
    """
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
    train(trainer, work, Following(work, named(LOGGED)))
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
