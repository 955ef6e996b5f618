"""Which of llama.cpp's ways to cut text into words a tokenizer has."""

import json
from typing import Any

import msgspec

from training.gguf.errors import NotExportable

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
    """Name the way of a ``tokenizer.json``.

    Raises:
        NotExportable: llama.cpp knows none that cuts alike.
    """
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
