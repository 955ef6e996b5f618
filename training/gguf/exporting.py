"""The export: a checkpoint in, ``<name>.gguf`` and ``Modelfile`` out, or nothing at all."""

import json
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from agents.checkpoints import CARD, Card, NoCheckpoint, read_checkpoint
from agents.gguf import BadTarget, ExportError, NotExportable
from agents.gguf.vocabulary import Vocabulary
from agents.gguf.weights import Numbers
from agents.gguf.writing import TOKENIZER, Whole, read_json, read_whole, short, write_whole
from bazaarbatna.word_tables import read_table

ADAPTER = "adapter_config.json"


@contextmanager
def whole_of(folder: Path, base: str = "") -> Iterator[Path]:
    """Give the folder of a whole model: this one, or one where an adapter is merged.

    ``base`` (folder or hub id) stands for the one that an adapter names; NotExportable.
    """
    if not (folder / ADAPTER).is_file():
        if base:
            raise NotExportable(f"{folder} holds whole weights; leave out --base.")
        yield folder
        return
    with tempfile.TemporaryDirectory() as merged:
        _merge(folder, base, Path(merged))
        yield Path(merged)


def _card(folder: Path) -> tuple[Card | None, str]:
    if not (folder / CARD).is_file():
        return None, folder.name
    try:
        found = read_checkpoint(folder)
    except NoCheckpoint as wrong:
        raise NotExportable(str(wrong)) from wrong
    return found.card, found.version


def _merge(folder: Path, base: str, into: Path) -> None:
    from peft import PeftModel
    from transformers import AutoConfig, AutoTokenizer, LlamaForCausalLM

    card, _ = _card(folder)
    told = read_json(folder / ADAPTER)
    named = base or (card.base if card else "") or str(told.get("base_model_name_or_path", ""))
    if not named:
        raise NotExportable(f"{folder / ADAPTER} names no base model; give it with --base.")
    try:
        config: Any = AutoConfig.from_pretrained(named, trust_remote_code=False)
        if getattr(config, "quantization_config", None):
            raise NotExportable(
                f"{named}, the base of this adapter, has quantised weights, which cannot be "
                "exported exactly; name the model with full weights with --base."
            )
        words = AutoTokenizer.from_pretrained(
            str(folder) if (folder / TOKENIZER).is_file() else named, trust_remote_code=False
        )
        # In the numbers that the weights are stored in.
        model: Any = LlamaForCausalLM.from_pretrained(named, config=config, dtype="auto")
        if len(words) > model.get_input_embeddings().num_embeddings:
            model.resize_token_embeddings(len(words))
        adapted: Any = PeftModel.from_pretrained(model, str(folder))
        adapted.merge_and_unload().save_pretrained(into)
        words.save_pretrained(into)
    except (OSError, ImportError, ValueError, KeyError, RuntimeError) as wrong:
        if isinstance(wrong, NotExportable):
            raise
        raise NotExportable(f"{folder} cannot be loaded: {short(wrong)}") from wrong


MOST_TOKENS = 128  # Longest answer in tokens of a checkpoint that does not say

_COMPACT = """\
# It speaks the dialect "compact": prices in thousandths of the opening ask, and <price>, <ask>,
# <item> in its words. Ollama serves those words as they are; what turns them into rupees and
# names is the site's dialect (docs/gguf.md)."""


class Framing(msgspec.Struct, frozen=True):
    """What stands around the words of a chat: for Ollama, and ``framed`` by the checkpoint."""

    template: str
    framed: str


CHAT = (("system", "One."), ("user", "Two."), ("assistant", "Three."), ("user", "Four."))

FRAMINGS = read_table(Path(__file__).with_suffix(".toml"), dict[str, Framing])
"""By the dialect of ``sauda.json``; a checkpoint without one is taken to speak ``chat``."""


def template_of(folder: Path, card: Card | None, words: Vocabulary) -> str:
    """Return Ollama's template of a dialect; NotExportable when the checkpoint frames otherwise."""
    name = card.dialect if card else "chat"
    framing = FRAMINGS.get(name)
    if framing is None or _framed(folder) != framing.framed:
        raise NotExportable(
            f"There is no template for Ollama that frames a chat as this model (dialect {name!r}) "
            "was taught. Write one (https://github.com/ollama/ollama/blob/main/docs/template.md) "
            "and give its file with --template; '{{ .Prompt }}' alone takes whole prompts."
        )
    begins = words.tokens[words.begins] if words.adds_begin and words.begins is not None else ""
    # What the runner puts before every text by itself must not stand there twice.
    return framing.template.removeprefix(f'{{{{ "{begins}" }}}}')


def _framed(folder: Path) -> str | None:
    from transformers import AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(str(folder), trust_remote_code=False)
    messages = [{"role": role, "content": text} for role, text in CHAT]
    try:
        text: str = tokenizer.apply_chat_template(
            messages, tokenize=False, add_generation_prompt=True
        )
    except Exception:  # noqa: BLE001  a template is a program: it may raise anything, on purpose too
        return None
    return text


def modelfile(
    whole: Whole, card: Card | None, version: str, template: str, gguf: str
) -> Iterator[str]:
    """Write the lines of a Modelfile; ``gguf`` is the file name of the weights beside it."""
    yield f"# {_plain(card.title if card else version)}, made by manage.py export_gguf"
    yield f"# from {_plain(version)}."
    if card and card.dialect == "compact":
        yield _COMPACT
    yield f"FROM ./{gguf}"
    yield f'TEMPLATE """{template}"""'
    yield f"PARAMETER num_ctx {whole.shape.context}"
    yield from _drawing(card)
    for end in whole.words.ends:
        yield f"PARAMETER stop {json.dumps(whole.words.tokens[end], ensure_ascii=False)}"


def _drawing(card: Card | None) -> Iterator[str]:
    # As training and the site draw; Ollama's own habits (top_k 40, repeat_penalty) are off.
    yield f"PARAMETER temperature {card.temperature if card else 1.0}"
    yield f"PARAMETER top_p {card.top_p if card else 1.0}"
    yield "PARAMETER top_k 0"
    yield "PARAMETER min_p 0.0"
    yield "PARAMETER repeat_penalty 1.0"
    yield f"PARAMETER num_predict {card.max_new_tokens if card else MOST_TOKENS}"


def _plain(text: str) -> str:
    return " ".join(text.split())


NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
MODELFILE = "Modelfile"


class Exported(msgspec.Struct, frozen=True):
    """What an export wrote."""

    weights: Path
    modelfile: Path
    bytes: int
    tensors: int


def export(
    checkpoint: Path,
    out: Path,
    *,
    name: str,
    numbers: Numbers = "f16",
    base: str = "",
    template: str = "",
    force: bool = False,
) -> Exported:
    """Write a checkpoint for llama.cpp and Ollama.

    Args:
        checkpoint: folder of a Llama, or of a LoRA adapter of one.
        out: folder of the two files; made if need be.
        name: of the file and of the model.
        numbers: what weights are written in; norms are always 32 bits.
        base: of an adapter, instead of the one it names.
        template: for Ollama, of a checkpoint that none of ours fits.
        force: replace files that are there.

    Raises:
        ExportError: nothing was written; the message says why.
    """
    if not NAME.fullmatch(name):
        raise BadTarget(f"A model's name is of a-z, 0-9, dots and hyphens, not {name[:80]!r}.")
    weights, beside = out / f"{name}.gguf", out / MODELFILE
    _check_target(out, [weights, beside], force=force)
    with whole_of(checkpoint, base) as folder:
        whole, (card, version) = read_whole(folder), _card(checkpoint)
        if whole.words.sticky:
            raise NotExportable(
                f"The token {whole.words.sticky[0]!r} is lstrip; llama.cpp ignores that."
            )
        template = template or template_of(folder, card, whole.words)
    title = card.title if card else name
    with _whole_or_nothing(weights) as part:
        tensors = write_whole(whole, part, name=title, numbers=numbers)
    lines = modelfile(whole, card, version, template, weights.name)
    with _whole_or_nothing(beside) as part:
        part.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return Exported(weights, beside, weights.stat().st_size, tensors)


def _check_target(out: Path, files: list[Path], *, force: bool) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise BadTarget(f"{out} cannot be made: {wrong.strerror}.") from wrong
    there = [str(path) for path in files if path.exists()]
    if there and not force:
        raise BadTarget(f"{' and '.join(there)} exists; --force replaces it.")


@contextmanager
def _whole_or_nothing(path: Path) -> Iterator[Path]:
    # Written beside the place and moved there at the end; nothing stays behind on failure.
    part = path.with_name(f"{path.name}.part")
    try:
        yield part
        part.replace(path)
    except OSError as wrong:
        # numpy tells of a short write without its cause.
        why = wrong.strerror or "the disk is full"
        raise BadTarget(f"{path} cannot be written: {why}.") from wrong
    except ExportError:
        raise
    finally:
        part.unlink(missing_ok=True)
