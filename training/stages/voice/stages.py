"""The stages of Sauda's words: SFT on exchanges of the corpus, then DPO for lines that may be said.

SFT reads what was written by hand; DPO prefers written lines over drawn ones that fail the checks.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import torch
from transformers import set_seed

from agents.backends.local.model import has_program
from agents.checkpoints import NoCheckpoint
from agents.speech.box import ADAPTER, PACKAGE, VoiceCard, box, read_voice
from agents.speech.cues import planned, prompt_of
from agents.speech.model import Engine, wrongs
from training.disk import write_rows
from training.gguf.adapter import Heads, write_adapter
from training.stages.config import BadConfig, VoiceConfig, VoiceDpoConfig, VoiceSftConfig
from training.stages.games import steady
from training.stages.model_files import (
    adapter_of,
    load_weights,
    name_of,
    save_model,
    title_of,
)
from training.stages.trainers import (
    batches,
    common,
    in_tokens,
    last_loss,
    reading,
    train_whole,
)
from training.stages.voice.lessons import (
    answers,
    cue_of,
    exchanges,
    figures,
    lessons,
    position_of,
)
from training.stages.work import PAIRS, SAMPLES, Work

SFT_LOGGED = {"loss": "loss", "mean_token_accuracy": "accuracy"}
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
    write_rows(work.folder / SAMPLES, made)
    return {"held_out": figures(made)}


def run_voice_sft(work: Work, config: VoiceSftConfig, source: str) -> dict[str, Any]:
    """Train on the corpus, all but what is held out."""
    from trl import SFTConfig as TrlConfig
    from trl import SFTTrainer

    set_seed(config.seed)
    model, tokenizer = load_weights(source, config)
    read = lessons(config.languages, config.epochs, config.seed)
    work.say(f"voice-sft: {len(read)} lessons")
    trainer = SFTTrainer(
        model=model,
        processing_class=tokenizer,
        train_dataset=in_tokens(
            tokenizer, [(one.prompt, one.answer) for one in read], config, config.max_length
        ),
        peft_config=adapter_of(config, model.config.num_hidden_layers, config.layers),
        args=TrlConfig(
            # Each reading of the corpus draws anew, so that all of them are rows of one epoch.
            **common(config, work) | reading(config, 1.0, config.max_length),
            completion_only_loss=True,
            # The order is made beforehand, see in_batches.
            train_sampling_strategy="sequential",
        ),
    )
    train_whole(trainer, work, SFT_LOGGED)
    found = leave(work, config, trainer.model, tokenizer, voice_card(config, source))
    return {"lessons": len(read), "loss": last_loss(trainer), **found}


def voice_card(config: VoiceConfig, source: str) -> VoiceCard:
    """Describe the voice that comes out; it speaks nowhere before it is measured."""
    return VoiceCard(name=name_of(config), title=title_of(config), base=source)


DPO_LOGGED = {"loss": "loss", "rewards/accuracies": "accuracy", "rewards/margins": "margin"}
"""What is kept of the trainer's log, by its own names."""
AT_ONCE = 8  # Exchanges whose lines are drawn together


class Pair(msgspec.Struct, frozen=True):
    """A line that is better than another in the same turn, and what is wrong with that one."""

    prompt: str
    chosen: str
    rejected: str
    faults: tuple[str, ...]


def run_voice_dpo(work: Work, config: VoiceDpoConfig, source: str) -> dict[str, Any]:
    """Draw lines, set those that fail beside the corpus's own, and train on the pairs."""
    from datasets import Dataset
    from peft import PeftModel
    from trl import DPOConfig as TrlConfig
    from trl import DPOTrainer

    set_seed(config.seed)
    card = _card(source, config)
    model, tokenizer = load_weights(card.base, config)
    model = PeftModel.from_pretrained(model, source, is_trainable=True)
    pairs = _pairs(work, config, model, tokenizer)
    if not pairs:
        raise BadConfig("Every line that was drawn may be said; ask for more draws.")
    trainer = DPOTrainer(
        model=model,
        processing_class=tokenizer,
        train_dataset=Dataset.from_list(
            [{"prompt": p.prompt, "chosen": p.chosen, "rejected": p.rejected} for p in pairs]
        ),
        args=TrlConfig(
            **common(config, work) | batches(config),
            num_train_epochs=config.epochs,
            beta=config.beta,
            max_length=config.max_length,
            lr_scheduler_type="cosine",
            warmup_steps=5,
            logging_steps=5,
        ),
    )
    train_whole(trainer, work, DPO_LOGGED)
    better = msgspec.structs.replace(card, name=name_of(config), title=title_of(config))
    return {"pairs": len(pairs), **leave(work, config, trainer.model, tokenizer, better)}


def _card(source: str, config: VoiceDpoConfig) -> VoiceCard:
    try:
        return read_voice(Path(source))
    except NoCheckpoint as wrong:
        raise BadConfig(f"{config.stage} begins with a voice of voice-sft. {wrong}") from wrong


def _pairs(work: Work, config: VoiceDpoConfig, model: Any, tokenizer: Any) -> list[Pair]:
    # Pairs that are written down already stay as they are.
    path = work.folder / PAIRS
    if path.is_file():
        return [msgspec.json.decode(line, type=Pair) for line in path.read_bytes().splitlines()]
    work.say("voice-dpo: lines for every exchange")
    with steady(config.seed):
        pairs = [*_drawn(work, config, model, tokenizer)]
    write_rows(path, pairs)
    return pairs


def _drawn(work: Work, config: VoiceDpoConfig, model: Any, tokenizer: Any) -> Iterator[Pair]:
    learned = exchanges(config.languages)
    for begin in range(0, len(learned), AT_ONCE):
        part = learned[begin : begin + AT_ONCE]
        turns = []
        for number, one in enumerate(part, begin):
            at = position_of(one, config.seed)
            cue = cue_of(one, Random(f"dpo:{config.seed}:{number}"))
            turn = planned(at.seen, at.move, number)
            turns.append(
                msgspec.structs.replace(
                    turn, cue=msgspec.structs.replace(cue, thing=turn.cue.thing)
                )
            )
        prompts = [prompt_of(turn.cue) for turn in turns]
        lines = _lines(model, tokenizer, prompts, config)
        for place, line in enumerate(lines):
            turn, one = turns[place // config.draws], part[place // config.draws]
            faults = tuple(dict.fromkeys(wrongs(line, turn)))
            if faults and line != one.line:
                yield Pair(prompts[place // config.draws], one.line, line, faults)
        work.beat(work.run.done)


def _lines(model: Any, tokenizer: Any, prompts: Sequence[str], config: VoiceDpoConfig) -> list[str]:
    given = tokenizer(list(prompts), return_tensors="pt", padding=True).to(model.device)
    with torch.inference_mode():
        made = model.generate(
            **given,
            do_sample=True,
            temperature=config.temperature,
            top_k=0,
            num_return_sequences=config.draws,
            max_new_tokens=48,
            pad_token_id=tokenizer.pad_token_id,
        )
    return [
        text.strip()
        for text in tokenizer.batch_decode(
            made[:, given["input_ids"].shape[1] :], skip_special_tokens=True
        )
    ]
