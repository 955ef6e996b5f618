"""The Modelfile that makes a GGUF file a model of Ollama."""

import json
from collections.abc import Iterator

from agents.checkpoints import Card
from training.gguf.chat_template import Blocks
from training.gguf.loading import Whole
from training.gguf.shape import Shape
from training.gguf.vocabulary import Vocabulary

MOST_TOKENS = 128
"""Longest answer in tokens of a checkpoint that does not say."""

_COMPACT = """\
# It speaks the dialect "compact": prices in thousandths of the opening ask, and <price>, <ask>,
# <item> in its words. Ollama serves those words as they are; what turns them into rupees and
# names is the site's dialect (docs/gguf.md)."""

_NO_TEMPLATE = """\
# Its chat template does more than put words between marks, and is not translated: send whole
# prompts with "raw": true."""


def modelfile(
    whole: Whole, shape: Shape, words: Vocabulary, blocks: Blocks | None, gguf: str
) -> str:
    """Write a Modelfile.

    Args:
        whole: the checkpoint.
        shape: of its network.
        words: its vocabulary.
        blocks: of its chat template; None when it cannot be translated.
        gguf: file name of the weights, beside the Modelfile.
    """
    return "\n".join(_lines(whole, shape, words, blocks, gguf)) + "\n"


def _lines(
    whole: Whole, shape: Shape, words: Vocabulary, blocks: Blocks | None, gguf: str
) -> Iterator[str]:
    card = whole.card
    yield f"# {_plain(card.title if card else whole.version)}, made by manage.py export_gguf"
    yield f"# from {_plain(whole.version)}."
    if card and card.dialect == "compact":
        yield _COMPACT
    yield f"FROM ./{gguf}"
    if blocks is None:
        yield _NO_TEMPLATE
        yield 'TEMPLATE """{{ .Prompt }}"""'
    else:
        begins = words.tokens[words.begins] if words.adds_begin and words.begins is not None else ""
        yield f'TEMPLATE """{blocks.to_go(already=begins)}"""'
    yield f"PARAMETER num_ctx {shape.context}"
    yield from _drawing(card)
    for end in words.ends:
        yield f"PARAMETER stop {json.dumps(words.tokens[end], ensure_ascii=False)}"


def _drawing(card: Card | None) -> Iterator[str]:
    """Draw as training and the site do; Ollama's own habits (top_k 40, repeat_penalty) are off."""
    yield f"PARAMETER temperature {card.temperature if card else 1.0}"
    yield f"PARAMETER top_p {card.top_p if card else 1.0}"
    yield "PARAMETER top_k 0"
    yield "PARAMETER min_p 0.0"
    yield "PARAMETER repeat_penalty 1.0"
    yield f"PARAMETER num_predict {card.max_new_tokens if card else MOST_TOKENS}"


def _plain(text: str) -> str:
    return " ".join(text.split())
