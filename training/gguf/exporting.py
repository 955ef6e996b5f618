"""The export: a checkpoint in, ``<name>.gguf`` and ``Modelfile`` out, or nothing at all."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gguf
import msgspec
import numpy as np

from agents.checkpoints import CARD, Card, NoCheckpoint, read_checkpoint
from training.gguf import BadTarget, ExportError, NotExportable
from training.gguf.vocabulary import Vocabulary, vocabulary_of
from training.gguf.weights import FILE_TYPES, Numbers, Shape, Tensor, shape_of, tensors_of

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
_OPENS, _CLOSES = "<|start_header_id|>", "<|end_header_id|>"

FRAMINGS = {
    "compact": Framing(
        '{{ range .Messages }}{{ if eq .Role "system" }}{{ .Content }}{{ "\\n" }}'
        '{{ else if eq .Role "user" }}{{ .Content }}{{ "\\n" }}'
        '{{ else if eq .Role "assistant" }}{{ .Content }}{{ "<|end_of_text|>" }}{{ end }}{{ end }}',
        "One.\nTwo.\nThree.<|end_of_text|>Four.\n",
    ),
    # A large model keeps the frame of its base: that of Llama 3.
    "chat": Framing(
        '{{ "<|begin_of_text|>" }}{{ range .Messages }}{{ if eq .Role "system" }}'
        r'{{ "<|start_header_id|>system<|end_header_id|>\n\n" }}{{ .Content }}{{ "<|eot_id|>" }}'
        '{{ else if eq .Role "user" }}'
        r'{{ "<|start_header_id|>user<|end_header_id|>\n\n" }}{{ .Content }}{{ "<|eot_id|>" }}'
        '{{ else if eq .Role "assistant" }}'
        r'{{ "<|start_header_id|>assistant<|end_header_id|>\n\n" }}{{ .Content }}{{ "<|eot_id|>" }}'
        r'{{ end }}{{ end }}{{ "<|start_header_id|>assistant<|end_header_id|>\n\n" }}',
        "<|begin_of_text|>"
        + "".join(f"{_OPENS}{role}{_CLOSES}\n\n{text}<|eot_id|>" for role, text in CHAT)
        + f"{_OPENS}assistant{_CLOSES}\n\n",
    ),
}
"""By the dialect of ``sauda.json``; a checkpoint without one is taken to speak ``chat``."""


def template_of(whole: Whole, words: Vocabulary) -> str:
    """Return Ollama's template of a dialect; NotExportable when the checkpoint frames otherwise."""
    name = whole.card.dialect if whole.card else "chat"
    framing = FRAMINGS.get(name)
    if framing is None or _framed(whole.tokenizer) != framing.framed:
        raise NotExportable(
            f"There is no template for Ollama that frames a chat as this model (dialect {name!r}) "
            "was taught. Write one (https://github.com/ollama/ollama/blob/main/docs/template.md) "
            "and give its file with --template; '{{ .Prompt }}' alone takes whole prompts."
        )
    begins = words.tokens[words.begins] if words.adds_begin and words.begins is not None else ""
    # What the runner puts before every text by itself must not stand there twice.
    return framing.template.removeprefix(f'{{{{ "{begins}" }}}}')


def _framed(tokenizer: Any) -> str | None:
    messages = [{"role": role, "content": text} for role, text in CHAT]
    try:
        text: str = tokenizer.apply_chat_template(
            messages, tokenize=False, add_generation_prompt=True
        )
    except Exception:  # noqa: BLE001  a template is a program: it may raise anything, on purpose too
        return None
    return text


def modelfile(whole: Whole, shape: Shape, words: Vocabulary, template: str, gguf: str) -> str:
    """Write a Modelfile; ``gguf`` is the file name of the weights beside it."""
    return "\n".join(_lines(whole, shape, words, template, gguf)) + "\n"


def _lines(
    whole: Whole, shape: Shape, words: Vocabulary, template: str, gguf: str
) -> Iterator[str]:
    card = whole.card
    yield f"# {_plain(card.title if card else whole.version)}, made by manage.py export_gguf"
    yield f"# from {_plain(whole.version)}."
    if card and card.dialect == "compact":
        yield _COMPACT
    yield f"FROM ./{gguf}"
    yield f'TEMPLATE """{template}"""'
    yield f"PARAMETER num_ctx {shape.context}"
    yield from _drawing(card)
    for end in words.ends:
        yield f"PARAMETER stop {json.dumps(words.tokens[end], ensure_ascii=False)}"


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
    whole = load_whole(checkpoint, base)
    shape = shape_of(whole.model.config)
    words = vocabulary_of(whole.tokenizer, whole.model.generation_config, shape.rows)
    template = template or template_of(whole, words)
    tensors = list(tensors_of(whole.model.state_dict(), shape, numbers))
    with _whole_or_nothing(weights) as part:
        _write(
            part,
            name=whole.card.title if whole.card else name,
            shape=shape,
            words=words,
            template=whole.tokenizer.chat_template,
            tensors=tensors,
            numbers=numbers,
        )
    with _whole_or_nothing(beside) as part:
        part.write_text(modelfile(whole, shape, words, template, weights.name), encoding="utf-8")
    return Exported(weights, beside, weights.stat().st_size, len(tensors))


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


def _write(
    path: Path,
    *,
    name: str,
    shape: Shape,
    words: Vocabulary,
    template: str | None,
    tensors: Sequence[Tensor],
    numbers: Numbers,
) -> None:
    # One tensor at a time is in memory besides the model.
    writer = gguf.GGUFWriter(str(path), "llama")
    try:
        _describe(writer, name, shape, numbers)
        _list_words(writer, words)
        if template:
            writer.add_chat_template(template)
        for tensor in tensors:
            writer.add_tensor_info(
                tensor.name, _written_shape(tensor), _dtype(tensor), tensor.bytes, tensor.kind
            )
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_ti_data_to_file()
        for tensor in tensors:
            writer.write_tensor_data(tensor.data())
    finally:
        writer.close()


def _describe(writer: gguf.GGUFWriter, name: str, shape: Shape, numbers: Numbers) -> None:
    writer.add_type("model")
    writer.add_name(name)
    writer.add_file_type(FILE_TYPES[numbers])
    if numbers == "q8_0":
        writer.add_quantization_version(gguf.GGML_QUANT_VERSION)
    writer.add_block_count(shape.blocks)
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.width)
    writer.add_feed_forward_length(shape.inner)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.kv_heads)
    writer.add_key_length(shape.head_size)
    writer.add_value_length(shape.head_size)
    writer.add_vocab_size(shape.rows)
    writer.add_layer_norm_rms_eps(shape.epsilon)
    writer.add_rope_dimension_count(shape.head_size)
    writer.add_rope_freq_base(shape.rope_base)
    if shape.rope_scale != 1.0:
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(shape.rope_scale)


def _list_words(writer: gguf.GGUFWriter, words: Vocabulary) -> None:
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(words.cut)
    writer.add_token_list(words.tokens)
    writer.add_token_types(words.kinds)
    writer.add_token_merges(words.merges)
    writer.add_add_bos_token(words.adds_begin)
    writer.add_add_eos_token(False)
    writer.add_add_space_prefix(False)
    named = (writer.add_eos_token_id, writer.add_eot_token_id, writer.add_eom_token_id)
    for add, end in zip(named, words.ends, strict=False):
        add(end)
    if words.begins is not None:
        writer.add_bos_token_id(words.begins)
    if words.pads is not None:
        writer.add_pad_token_id(words.pads)


def _written_shape(tensor: Tensor) -> tuple[int, ...]:
    # In numbers, or in bytes where they are packed.
    if tensor.kind is not gguf.GGMLQuantizationType.Q8_0:
        return tensor.shape
    return gguf.quant_shape_to_byte_shape(tensor.shape, tensor.kind)


def _dtype(tensor: Tensor) -> np.dtype[Any]:
    kinds = gguf.GGMLQuantizationType
    return np.dtype({kinds.F32: np.float32, kinds.F16: np.float16}.get(tensor.kind, np.uint8))
