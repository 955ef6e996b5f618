"""The small model's own tokenizer: digits single, the frame of an answer in few tokens."""

from collections.abc import Iterable
from typing import Any

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from agents.dialects.slots import SLOTS

END, PAD = "<|end_of_text|>", "<|pad|>"

FRAME = ('{"action": "', '", "price": ', ', "message": "', '"}')
"""What stands around action, price and words in every answer."""

TEMPLATE = (
    "{% for message in messages %}{{ message['content'] }}"
    "{% if message['role'] == 'assistant' %}{{ eos_token }}{% else %}{{ '\\n' }}{% endif %}"
    "{% endfor %}"
)
"""Prompt, line break, answer, end: nothing else stands between them."""


def train_tokenizer(texts: Iterable[str], vocabulary: int, context: int) -> Any:
    """Learn byte-level BPE (Sennrich et al. 2016) from texts.

    Args:
        texts: what the model is going to read and write.
        vocabulary: tokens in all.
        context: longest text of the model in tokens.

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
    pieces = (*FRAME, *SLOTS)
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary - len(pieces),
        special_tokens=[PAD, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator((_without(text, pieces) for text in texts), trainer)
    tokenizer.add_tokens([AddedToken(piece, normalized=False) for piece in pieces])
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
