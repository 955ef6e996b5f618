"""The tokens of a byte-level BPE tokenizer as GGUF lists them, and how it cuts text into words."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import gguf
import msgspec

from agents.gguf import NotExportable


class Vocabulary(msgspec.Struct, frozen=True):
    """Tokens by number, what they are, and how they are merged.

    Attributes:
        tokens: as many as the model has rows; ``kinds`` are numbers of ``gguf.TokenType``.
        merges: pairs with a space between, the earliest first.
        cut: llama.cpp's name of the pre-tokenizer.
        begins, pads: the token that begins a text, and the one that fills up; None without one.
        adds_begin: it is put before every text.
        ends: the tokens that end a turn; the first one ends a text.
        sticky: tokens that swallow the blanks before them, of which llama.cpp is not told.
    """

    tokens: list[str]
    kinds: list[int]
    merges: list[str]
    cut: str
    begins: int | None
    adds_begin: bool
    pads: int | None
    ends: tuple[int, ...]
    sticky: tuple[str, ...] = ()


END_MARKS = (
    "<|end_of_text|>",
    "<|eot_id|>",
    "<end_of_turn>",
    "<|im_end|>",
    "</s>",
    "<|endoftext|>",
)
"""What ends a turn in the templates of the families."""


def vocabulary_of(
    described: dict[str, Any], told: Mapping[str, Any], ends: Sequence[int], rows: int
) -> Vocabulary:
    """List the vocabulary of a fast tokenizer; NotExportable when llama.cpp would read otherwise.

    Args:
        described: what its ``tokenizer.json`` holds.
        told: what its ``tokenizer_config.json`` holds.
        ends: the ends of text that the model's own configuration names.
        rows: of the model's embeddings.
    """
    cut = cut_of(described)
    added = {one["content"]: one for one in described.get("added_tokens", [])}
    numbers = {**described["model"]["vocab"], **{text: one["id"] for text, one in added.items()}}
    names = {number: token for token, number in numbers.items()}
    if max(names) >= rows:
        raise NotExportable(f"The tokenizer has token {max(names)}, the model only {rows} rows.")
    kinds = dict.fromkeys(names, gguf.TokenType.NORMAL)
    kinds |= {one["id"]: _kind(one) for one in added.values()}
    begins, pads, closes = (
        numbers.get(_text(told.get(name))) for name in ("bos_token", "pad_token", "eos_token")
    )
    return Vocabulary(
        tokens=[names.get(number, f"[PAD{number}]") for number in range(rows)],
        kinds=[int(kinds.get(number, gguf.TokenType.UNUSED)) for number in range(rows)],
        merges=[_merge(pair) for pair in described["model"]["merges"]],
        cut=cut,
        begins=begins,
        adds_begin=_adds_begin(described.get("post_processor"), begins, numbers),
        pads=pads,
        # llama.cpp takes some token for the end of a text in any case.
        ends=_ends(ends, closes, numbers) or ((pads,) if pads is not None else ()),
        sticky=tuple(text for text, one in added.items() if one.get("lstrip")),
    )


def _text(token: Any) -> str:
    return str(token.get("content", "")) if isinstance(token, dict) else str(token or "")


def _kind(added: dict[str, Any]) -> gguf.TokenType:
    odd = [name for name in ("rstrip", "single_word") if added.get(name)]
    if odd:
        raise NotExportable(f"The token {added['content']!r} is {odd[0]}; llama.cpp ignores that.")
    return gguf.TokenType.CONTROL if added["special"] else gguf.TokenType.USER_DEFINED


def _merge(pair: Any) -> str:
    parts = pair.split(" ") if isinstance(pair, str) else pair
    if len(parts) != 2 or any(" " in part for part in parts):
        raise NotExportable(f"The merge {pair!r} cannot be written with a space between.")
    return " ".join(parts)


def _adds_begin(step: Any, begins: int | None, numbers: Mapping[str, int]) -> bool:
    # What the tokenizer itself puts around a text must be its first token or nothing.
    added = [number for one in _around(step) if (number := numbers.get(one)) is not None]
    if added and added != [begins]:
        raise NotExportable("The tokenizer adds more to a text than its first token.")
    return bool(added)


def _around(step: Any) -> Iterator[str]:
    match step:
        case {"type": "Sequence", "processors": list(inner)}:
            for one in inner:
                yield from _around(one)
        case {"type": "TemplateProcessing", "single": list(parts)}:
            yield from (one["SpecialToken"]["id"] for one in parts if "SpecialToken" in one)
        case _:
            return


def _ends(own: Sequence[int], closes: int | None, numbers: Mapping[str, int]) -> tuple[int, ...]:
    closing = [] if closes is None else [closes]
    marks = {numbers[mark] for mark in END_MARKS if mark in numbers}
    return tuple(dict.fromkeys((*(own or closing), *sorted({*marks, *closing}))))


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
