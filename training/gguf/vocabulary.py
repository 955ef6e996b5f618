"""The tokens of a byte-level BPE tokenizer as GGUF lists them, and how it cuts text into words."""

import json
from typing import Any

import gguf
import msgspec

from agents.backends.local.loading import end_ids
from training.gguf import NotExportable


class Vocabulary(msgspec.Struct, frozen=True):
    """Tokens by number, what they are, and how they are merged.

    Attributes:
        tokens: as many as the model has rows; ``kinds`` are numbers of ``gguf.TokenType``.
        merges: pairs with a space between, the earliest first.
        cut: llama.cpp's name of the pre-tokenizer.
        begins, pads: the token that begins a text, and the one that fills up; None without one.
        adds_begin: it is put before every text.
        ends: the tokens that end a turn; the first one ends a text.
    """

    tokens: list[str]
    kinds: list[int]
    merges: list[str]
    cut: str
    begins: int | None
    adds_begin: bool
    pads: int | None
    ends: tuple[int, ...]


def vocabulary_of(tokenizer: Any, generation_config: Any, rows: int) -> Vocabulary:
    """List the vocabulary of a fast tokenizer; NotExportable when llama.cpp would read otherwise.

    ``rows`` are those of the model's embeddings; ends of text in its generation config count too.
    """
    described = json.loads(tokenizer.backend_tokenizer.to_str())
    cut = cut_of(described)
    names = {number: token for token, number in tokenizer.get_vocab().items()}
    if max(names) >= rows:
        raise NotExportable(f"The tokenizer has token {max(names)}, the model only {rows} rows.")
    kinds = dict.fromkeys(names, gguf.TokenType.NORMAL)
    for added in described.get("added_tokens", []):
        kinds[added["id"]] = _kind(added)
    return Vocabulary(
        tokens=[names.get(number, f"[PAD{number}]") for number in range(rows)],
        kinds=[int(kinds.get(number, gguf.TokenType.UNUSED)) for number in range(rows)],
        merges=[_merge(pair) for pair in described["model"]["merges"]],
        cut=cut,
        begins=tokenizer.bos_token_id,
        adds_begin=_adds_begin(tokenizer),
        pads=tokenizer.pad_token_id,
        ends=_ends(tokenizer, generation_config),
    )


def _kind(added: dict[str, Any]) -> gguf.TokenType:
    odd = [name for name in ("lstrip", "rstrip", "single_word") if added.get(name)]
    if odd:
        raise NotExportable(f"The token {added['content']!r} is {odd[0]}; llama.cpp ignores that.")
    return gguf.TokenType.CONTROL if added["special"] else gguf.TokenType.USER_DEFINED


def _merge(pair: Any) -> str:
    parts = pair.split(" ") if isinstance(pair, str) else pair
    if len(parts) != 2 or any(" " in part for part in parts):
        raise NotExportable(f"The merge {pair!r} cannot be written with a space between.")
    return " ".join(parts)


def _adds_begin(tokenizer: Any) -> bool:
    # What the tokenizer itself puts around a text must be its first token or nothing.
    bare: list[int] = tokenizer("a", add_special_tokens=False)["input_ids"]
    whole: list[int] = tokenizer("a")["input_ids"]
    if whole == bare:
        return False
    if whole != [tokenizer.bos_token_id, *bare]:
        raise NotExportable("The tokenizer adds more to a text than its first token.")
    return True


def _ends(tokenizer: Any, generation_config: Any) -> tuple[int, ...]:
    own = getattr(generation_config, "eos_token_id", None)
    first = [own] if isinstance(own, int) else list(own or [])
    if tokenizer.eos_token_id is not None and not first:
        first = [tokenizer.eos_token_id]
    rest = sorted(end_ids(tokenizer, generation_config) - set(first))
    ends = (*first, *rest)
    if not ends:
        raise NotExportable("No token ends a turn; name an eos_token in the tokenizer.")
    return ends


_LLAMA_3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|"
    r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_QWEN_2 = _LLAMA_3.replace(r"\p{N}{1,3}", r"\p{N}")


class Cut(msgspec.Struct, frozen=True):
    """A way to cut: llama.cpp's name, and what stands in ``tokenizer.json``.

    With ``whole_words_first`` a word that is a token as it stands is not put together by merges.
    """

    name: str
    steps: tuple[str, ...]
    whole_words_first: bool = False


CUTS = (
    Cut("gpt-2", ("words",)),
    Cut("smollm", ("digits", "words")),
    Cut("llama-bpe", (_LLAMA_3, "bytes"), whole_words_first=True),
    Cut("qwen2", (_QWEN_2, "bytes")),
)


def cut_of(tokenizer: dict[str, Any]) -> str:
    """Name the way of a ``tokenizer.json``; NotExportable when llama.cpp knows none alike."""
    model = tokenizer["model"]
    if model.get("type") != "BPE" or model.get("byte_fallback"):
        raise NotExportable(f"The tokenizer is {model.get('type')}; byte-level BPE is needed.")
    odd = [name for name in _ODD if model.get(name)]
    if odd or tokenizer.get("normalizer"):
        raise NotExportable(
            f"The tokenizer has {', '.join(odd) or 'a normalizer'}, which llama.cpp has not."
        )
    steps = tuple(_steps(tokenizer.get("pre_tokenizer")))
    whole = bool(model.get("ignore_merges"))
    for cut in CUTS:
        if (cut.steps, cut.whole_words_first) == (steps, whole):
            return cut.name
    raise NotExportable(
        f"llama.cpp knows no pre-tokenizer like {json.dumps(tokenizer.get('pre_tokenizer'))[:300]}"
        f"{' that takes whole words first' if whole else ''}."
    )


_ODD = ("unk_token", "continuing_subword_prefix", "end_of_word_suffix", "dropout")


def _steps(step: dict[str, Any] | None) -> list[str]:
    match step:
        case {"type": "Sequence", "pretokenizers": list(inner)}:
            return [name for one in inner for name in _steps(one)]
        case {"type": "ByteLevel", "add_prefix_space": False, "use_regex": bool(cuts)}:
            return ["words" if cuts else "bytes"]
        case {"type": "Digits", "individual_digits": True}:
            return ["digits"]
        case {
            "type": "Split",
            "pattern": {"Regex": str(pattern)},
            "behavior": "Isolated",
            "invert": False,
        }:
            return [pattern]
        case _:
            return [f"unknown: {step}"]
