"""The voice leans to lines that may be said: written ones over its own that fail the checks."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import torch
from transformers import set_seed

from agents.checkpoints import NoCheckpoint
from agents.speech.box import VoiceCard, read_voice
from agents.speech.cues import planned, prompt_of
from agents.speech.model import wrongs
from training.data.files import write_whole
from training.stages.config import VoiceDpoConfig
from training.stages.games import steady
from training.stages.model_files import load_weights, name_of, title_of
from training.stages.settings import BadConfig
from training.stages.trainers import RunCallback, batches, common, named, train, trainer_steps
from training.stages.voice.lessons import cue_of, exchanges, position_of
from training.stages.voice.sft import leave
from training.stages.work import PAIRS, Work

LOGGED = {"loss": "loss", "rewards/accuracies": "accuracy", "rewards/margins": "margin"}
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
    model, tokenizer = load_weights(card.base, card.base, config)
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
    work.run.total = trainer_steps(trainer)
    work.run.save(update_fields=["total"])
    train(trainer, work, RunCallback(work, named(LOGGED)))
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
    write_whole(path, b"".join(msgspec.json.encode(one) + b"\n" for one in pairs))
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
