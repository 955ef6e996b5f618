"""A stage's model: loaded from nothing, an earlier stage, a folder or the hub, and saved whole."""

import copy
import importlib.util
import shutil
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, BitsAndBytesConfig

from agents.checkpoints import Card, NoCheckpoint, read_checkpoint
from agents.speech.box import VoiceCard, box
from arena.gpu_market.trained.cards import LabCard
from negotiation.code_version import code_version
from negotiation.sentences import sentences
from training.disk import write_json
from training.stages.config import (
    BOX,
    LARGE_STAGES,
    MARKET_STAGES,
    OF_THE_HUB,
    VOICE_STAGES,
    BadConfig,
    Stage,
    StageConfig,
    VoiceConfig,
)
from training.stages.work import Work

say = sentences(__file__)

TARGETS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
"""Where an adapter sits that teaches more than a protocol."""


AnyCard = TypeVar("AnyCard", Card, LabCard)


class Opened(msgspec.Struct, Generic[AnyCard], frozen=True):
    """A model of ours, ready to be trained."""

    model: Any
    tokenizer: Any
    card: AnyCard


def open_model(source: str, config: StageConfig) -> Opened[Card]:
    """Load a model for a stage; BadConfig when it is not there, or not one that we have made."""
    try:
        card = read_checkpoint(Path(source)).card
    except NoCheckpoint:
        card = None
    if card is None or card.dialect == OF_THE_HUB:
        raise BadConfig(
            f"{config.stage} begins with a model that was made from nothing here. "
            f"{source[-120:]!r} is none; a model of the hub is for large-{config.stage}."
        )
    return Opened(*load_weights(source, config), card)


def load_weights(source: str, config: StageConfig) -> tuple[Any, Any]:
    """Load a model and its tokenizer in a stage's numbers; BadConfig."""
    numbers = _numbers(config)
    try:
        tokenizer = AutoTokenizer.from_pretrained(
            **_file_of(source), padding_side="left", trust_remote_code=False
        )
        model: Any = AutoModelForCausalLM.from_pretrained(
            **_file_of(source), trust_remote_code=False, **numbers
        )
    except (OSError, ValueError) as wrong:
        raise BadConfig(f"The model {source[-120:]!r} cannot be loaded: {wrong}") from wrong
    if source == BOX:
        # Read, its numbers are whole again; transformers still takes it for one it cannot train.
        model.hf_quantizer, model.is_quantized = None, False
        del model.config.quantization_config
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return model, tokenizer


def adapter_of(config: VoiceConfig, layers: int, upper: int) -> Any:
    """Describe the adapter that TRL puts on a model of ``layers``; None where all is trained.

    It sits in ``upper`` layers, from the last one down; 0 for all.
    """
    if not config.lora_rank:
        return None
    from peft import LoraConfig

    return LoraConfig(
        r=config.lora_rank,
        lora_alpha=config.lora_alpha,
        lora_dropout=config.lora_dropout,
        target_modules=list(TARGETS),
        layers_to_transform=list(range(max(0, layers - upper), layers)) if upper else None,
        task_type="CAUSAL_LM",
    )


def is_half(config: StageConfig) -> bool:
    """Whether to compute in bfloat16."""
    if config.precision == "auto":
        return torch.cuda.is_available() or torch.cpu._is_avx512_bf16_supported()
    return config.precision != "float32"


def _file_of(name: str) -> dict[str, Any]:
    # A folder, the hub, or a single file of the package in the box.
    if name != BOX:
        return {"pretrained_model_name_or_path": name}
    file = box()
    if file is None:
        raise BadConfig(f"The package {BOX} is not installed; `make install` brings it.")
    return {"pretrained_model_name_or_path": str(file.parent), "gguf_file": file.name}


def _numbers(config: StageConfig) -> dict[str, Any]:
    if not config.is_four_bit and not torch.cuda.is_available():
        # A processor trains on prompts as short as ours 1.4 times as fast the plain way.
        return {"dtype": torch.float32, "attn_implementation": "eager"}
    if not config.is_four_bit:
        is_adapted = isinstance(config, VoiceConfig) and config.lora_rank
        return {"dtype": torch.bfloat16 if is_adapted else torch.float32}
    check_four_bits()
    quantized = BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_compute_dtype=torch.bfloat16,
        bnb_4bit_use_double_quant=True,
    )
    return {"quantization_config": quantized, "device_map": "cuda", "dtype": torch.bfloat16}


def check_four_bits() -> None:
    """Check that this machine can compute with weights of 4 bits; BadConfig."""
    if not torch.cuda.is_available():
        raise BadConfig("4-bit weights need a CUDA GPU; set another precision.")
    if importlib.util.find_spec("bitsandbytes") is None:
        raise BadConfig(
            "4-bit weights need the bitsandbytes package; install it, or set another precision."
        )


TITLES: dict[Stage, str] = {
    "league": "policy search and a league",
    "base": say.text("pretrained_only"),
    "sft": "SFT",
    "grpo": "SFT + GRPO",
    "dpo": "SFT + GRPO + DPO",
    "large-sft": "SFT",
    "large-grpo": "GRPO",
    "large-dpo": "DPO",
    "market-sft": "SFT",
    "market-grpo": "SFT + GRPO",
    "voice-sft": "SFT",
    "voice-dpo": "SFT + DPO",
}

PEOPLE_NAMES: dict[Stage, str] = {"sft": "people-sft", "grpo": "people"}
"""What stages that met people call their models; those before them keep their own names."""

ADAPTER = "default"  # PEFT's name for the adapter that is trained


def title_of(config: StageConfig) -> str:
    """Name a stage's model for people."""
    who = "Lab" if config.stage in MARKET_STAGES else "Sauda"
    who = "Sauda's voice" if config.stage in VOICE_STAGES else who
    return f"{who} {config.size}, {TITLES[config.stage]}{' with people' * _met_people(config)}"


def name_of(config: StageConfig) -> str:
    """Name a stage's model as a policy; a lab that learned by play is the lab itself."""
    if config.stage in MARKET_STAGES:
        name = f"lab-{config.size}"
        return name if config.stage == MARKET_STAGES[-1] else f"{name}:sft"
    if config.stage in VOICE_STAGES:
        return f"sauda-voice:{config.stage.removeprefix('voice-')}"
    if config.stage in LARGE_STAGES:
        return f"sauda-{config.stage.replace('-', ':')}"
    stage = PEOPLE_NAMES[config.stage] if _met_people(config) else config.stage
    return f"sauda-{config.size}:{stage}"


def _met_people(config: StageConfig) -> bool:
    return config.stage in PEOPLE_NAMES and bool(getattr(config, "people", 0.0))


def renamed(card: AnyCard, config: StageConfig) -> AnyCard:
    """Write the card of what comes out of a stage that goes on with a model."""
    return msgspec.structs.replace(card, name=name_of(config), title=title_of(config))


def save_model(
    work: Work,
    model: Any,
    tokenizer: Any,
    card: Card | LabCard | VoiceCard,
    folder: Path | None = None,
) -> Path:
    """Write the model of a run in one piece: it is whole, or it is not there.

    Of weights with an adapter only that is kept. The card gets run, stage and commit.
    """
    there = work.model if folder is None else folder
    beside = there.with_name(f".{there.name}")
    shutil.rmtree(beside, ignore_errors=True)
    if card.base:
        # Beside the one that is trained, TRL keeps the adapter that it began with.
        model.save_pretrained(beside, selected_adapters=[ADAPTER])
    else:
        _halved(model).save_pretrained(beside)
    tokenizer.save_pretrained(beside)
    return put_in_place(work, beside, card, there)


def put_in_place(work: Work, beside: Path, card: Card | LabCard | VoiceCard, there: Path) -> Path:
    """Write the card of a model that lies beside its place, and move it there."""
    full = msgspec.structs.replace(
        card, stage=work.config.stage, made_by=work.run.pk, commit=code_version()
    )
    write_json(beside / card.file, full, 2)
    shutil.rmtree(there, ignore_errors=True)
    beside.replace(there)
    return there


def _halved(model: Any) -> Any:
    # Training goes on with the full one.
    return copy.deepcopy(model).to(torch.float16)
