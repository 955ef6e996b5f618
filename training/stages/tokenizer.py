"""The small model's own tokenizer: digits single, the frame of an answer in few tokens."""

from collections.abc import Iterable, Sequence
from typing import Any

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from agents.dialects.compact import SLOTS

END, PAD = "<|end_of_text|>", "<|pad|>"

FRAME = ('{"action": "', '", "price": ', ', "message": "', '"}')
"""What stands around action, price and words in every answer."""

BUYER_PIECES: tuple[str, ...] = (*FRAME, *SLOTS)
"""What a buyer of the bazaar writes as one token."""

TEMPLATE = (
    "{% for message in messages %}{{ message['content'] }}"
    "{% if message['role'] == 'assistant' %}{{ eos_token }}{% else %}{{ '\\n' }}{% endif %}"
    "{% endfor %}"
)
"""Prompt, line break, answer, end: nothing else stands between them."""


def train_tokenizer(
    texts: Iterable[str],
    vocabulary: int,
    context: int,
    pieces: Sequence[str],
    *,
    close: Sequence[str] = (),
) -> Any:
    """Learn byte-level BPE (Sennrich et al. 2016) from texts.

    Args:
        texts: what the model is going to read and write.
        vocabulary: tokens in all.
        context: longest text of the model in tokens.
        pieces: frames and slots of an answer, a token each.
        close: of the same, those that take the space before them along.

    Returns:
        A transformers tokenizer.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary - len(pieces) - len(close),
        special_tokens=[PAD, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator((_without(text, (*pieces, *close)) for text in texts), trainer)
    tokenizer.add_tokens([AddedToken(piece, normalized=False) for piece in pieces])
    tokenizer.add_tokens([AddedToken(piece, normalized=False, lstrip=True) for piece in close])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token=END,
        pad_token=PAD,
        padding_side="left",
        model_max_length=context,
        chat_template=TEMPLATE,
        clean_up_tokenization_spaces=False,
    )


def _without(text: str, pieces: Iterable[str]) -> str:
    for piece in pieces:
        text = text.replace(piece, "\n")
    return text
