"""The Modelfile that makes a GGUF file a model of Ollama."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec

from agents.checkpoints import Card
from training.gguf.errors import NotExportable
from training.gguf.loading import Whole
from training.gguf.vocabulary import Vocabulary
from training.gguf.weights import Shape

MOST_TOKENS = 128
"""Longest answer in tokens of a checkpoint that does not say."""

_COMPACT = """\
# It speaks the dialect "compact": prices in thousandths of the opening ask, and <price>, <ask>,
# <item> in its words. Ollama serves those words as they are; what turns them into rupees and
# names is the site's dialect (docs/gguf.md)."""


class Framing(msgspec.Struct, frozen=True):
    """What stands around the words of a chat in one dialect.

    Attributes:
        template: the same for Ollama.
        framed: what a checkpoint's own template makes of ``CHAT``.
    """

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
    """Return the template for Ollama of a checkpoint's dialect.

    Raises:
        NotExportable: there is none, or the checkpoint frames a chat otherwise.
    """
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
    """Write a Modelfile.

    Args:
        whole: the checkpoint.
        shape: of its network.
        words: its vocabulary.
        template: for Ollama.
        gguf: file name of the weights, beside the Modelfile.
    """
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
    """Draw as training and the site do; Ollama's own habits (top_k 40, repeat_penalty) are off."""
    yield f"PARAMETER temperature {card.temperature if card else 1.0}"
    yield f"PARAMETER top_p {card.top_p if card else 1.0}"
    yield "PARAMETER top_k 0"
    yield "PARAMETER min_p 0.0"
    yield "PARAMETER repeat_penalty 1.0"
    yield f"PARAMETER num_predict {card.max_new_tokens if card else MOST_TOKENS}"


def _plain(text: str) -> str:
    return " ".join(text.split())
