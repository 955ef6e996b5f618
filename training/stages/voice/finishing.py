"""What a stage of the voice leaves: the adapter for llama.cpp beside the model, and its figures."""

from typing import Any

import msgspec

from agents.speech.box import ADAPTER, PACKAGE, VoiceCard, box
from agents.speech.model import Engine, has_program
from training.gguf.adapter import Heads, write_adapter
from training.stages.saving import save_model
from training.stages.voice.measuring import answers, figures
from training.stages.voice_config import VoiceConfig
from training.stages.work import SAMPLES, Work, write_whole


def leave(
    work: Work, config: VoiceConfig, model: Any, tokenizer: Any, card: VoiceCard
) -> dict[str, Any]:
    """Save the model, and let it answer what nobody learned from.

    Returns:
        The figures for the summary; none for a model that is not the one in the box, or where the
        program that runs it is not installed.
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
