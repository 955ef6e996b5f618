"""Reads a checkpoint for export: whole weights, or an adapter merged into its base."""

import json
from pathlib import Path
from typing import Any

import msgspec

from agents.checkpoints import CARD, Card, NoCheckpoint, read_checkpoint
from training.gguf import NotExportable

ADAPTER = "adapter_config.json"
TOKENIZER = "tokenizer.json"


class Whole(msgspec.Struct, frozen=True):
    """A model with all its weights, on the CPU, and the fast tokenizer that belongs to it.

    ``card`` is what ``sauda.json`` says, None without one; ``version`` its label, or the folder's
    name.
    """

    model: Any
    tokenizer: Any
    card: Card | None
    version: str


def load_whole(folder: Path, base: str = "") -> Whole:
    """Load a checkpoint; an adapter is merged into its base. Takes seconds to minutes.

    ``base`` (folder or hub id) stands for the one that an adapter names. NotExportable when it is
    not there, not whole, no Llama, or quantised.
    """
    if not folder.is_dir():
        raise NotExportable(f"There is no folder {folder}.")
    card, version = _card(folder)
    try:
        model = _model(folder, base, card)
    except NotExportable:
        raise
    except (OSError, ImportError, ValueError, KeyError, RuntimeError) as wrong:
        raise NotExportable(f"{folder} cannot be loaded: {_short(wrong)}") from wrong
    return Whole(model, _tokenizer(folder, base), card, version)


def _card(folder: Path) -> tuple[Card | None, str]:
    if not (folder / CARD).is_file():
        return None, folder.name
    try:
        found = read_checkpoint(folder)
    except NoCheckpoint as wrong:
        raise NotExportable(str(wrong)) from wrong
    return found.card, found.version


def _model(folder: Path, base: str, card: Card | None) -> Any:
    if not (folder / ADAPTER).is_file():
        if base:
            raise NotExportable(f"{folder} holds whole weights; leave out --base.")
        return _llama(str(folder))
    adapter = _json(folder / ADAPTER)
    named = base or (card.base if card else "") or str(adapter.get("base_model_name_or_path", ""))
    if not named:
        raise NotExportable(f"{folder / ADAPTER} names no base model; give it with --base.")
    from peft import PeftModel

    adapted: Any = PeftModel.from_pretrained(_llama(named, folder), str(folder))
    return adapted.merge_and_unload()


def _llama(source: str, adapter: Path | None = None) -> Any:
    # In the numbers that the weights are stored in.
    from transformers import AutoConfig, LlamaForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    config: Any = AutoConfig.from_pretrained(source, trust_remote_code=False)
    if config.model_type != "llama":
        raise NotExportable(f"{source} is a {config.model_type} model; only Llama can be exported.")
    if getattr(config, "quantization_config", None):
        whose = "the base of this adapter" if adapter else "this checkpoint"
        raise NotExportable(
            f"{source}, {whose}, has quantised weights, which cannot be exported exactly; "
            "name the model with full weights (an adapter's with --base)."
        )
    model: Any = LlamaForCausalLM.from_pretrained(source, config=config, dtype="auto")
    rows = _rows_wanted(adapter)
    if rows > model.get_input_embeddings().num_embeddings:
        model.resize_token_embeddings(rows)
    return model.eval().requires_grad_(False)


def _rows_wanted(adapter: Path | None) -> int:
    # Tokens of an adapter whose training added some; 0 without any of its own.
    if adapter is None or not (adapter / TOKENIZER).is_file():
        return 0
    return len(_tokenizer(adapter))


def _tokenizer(folder: Path, base: str = "") -> Any:
    from transformers import AutoTokenizer

    home = folder
    if not (folder / TOKENIZER).is_file() and (folder / ADAPTER).is_file():
        home = Path(base or str(_json(folder / ADAPTER).get("base_model_name_or_path", "")))
    if not (home / TOKENIZER).is_file():
        raise NotExportable(f"{home} has no {TOKENIZER}; export needs the fast tokenizer's file.")
    try:
        return AutoTokenizer.from_pretrained(str(home), trust_remote_code=False)
    except (OSError, ValueError, KeyError) as wrong:
        raise NotExportable(f"{home / TOKENIZER} cannot be read: {_short(wrong)}") from wrong


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as wrong:
        raise NotExportable(f"{path} cannot be read: {_short(wrong)}") from wrong
    if not isinstance(found, dict):
        raise NotExportable(f"{path} is no JSON object.")
    return found


def _short(wrong: Exception) -> str:
    return " ".join(str(wrong).split())[:300]
