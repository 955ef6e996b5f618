"""Pretraining: a tokenizer and a Llama from nothing, which reads bargains as prose."""

from collections.abc import Iterable, Sequence
from typing import Any

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, set_seed

from agents.checkpoints import Card
from agents.dialects.compact import SLOTS, dialect
from training.data.corpus import Corpus, Recipe, corpus
from training.stages.config import BaseConfig, MarketSftConfig
from training.stages.games import check
from training.stages.model_files import name_of, save_model, title_of
from training.stages.trainers import (
    common,
    last_loss,
    reading,
    train_whole,
)
from training.stages.work import Work

END, PAD = "<|end_of_text|>", "<|pad|>"

FRAME = ('{"action": "', '", "price": ', ', "message": "', '"}')
"""What stands around action, price and words in every answer."""

BUYER_PIECES: tuple[str, ...] = (*FRAME, *SLOTS)  # What a buyer of the bazaar writes as one token

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
    """Learn byte-level BPE (Sennrich et al. 2016) from texts, so many tokens in all.

    ``context`` is the longest text in tokens; ``pieces`` are frames and slots of an answer, a token
    each, of which ``close`` take the space before them along.
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


def new_llama(shape: BaseConfig | MarketSftConfig, tokenizer: Any) -> Any:
    """Make a Llama for a tokenizer, with weights drawn from torch's random numbers."""
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=shape.hidden,
        # A third of eight times the width, as in LLaMA, in whole 32s.
        intermediate_size=max(32, 32 * round(8 * shape.hidden / 3 / 32)),
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.heads,
        max_position_embeddings=shape.context,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return LlamaForCausalLM(config)


def run_base(work: Work, config: BaseConfig) -> dict[str, Any]:
    """Make tokenizer and model, and let the model read."""
    from datasets import Dataset
    from trl import SFTConfig, SFTTrainer

    set_seed(config.seed)
    work.say("base: teacher games")
    books = corpus(Recipe("compact", config.bargains, config.seed))
    tokenizer = train_tokenizer(_texts(books), config.vocabulary, config.context, BUYER_PIECES)
    model = new_llama(config, tokenizer)
    rows = Dataset.from_dict({"text": [f"{text}{tokenizer.eos_token}" for text in books.prose()]})
    trainer = SFTTrainer(
        model=model,
        processing_class=tokenizer,
        train_dataset=rows,
        args=SFTConfig(
            **common(config, work) | reading(config, config.epochs, config.context),
            dataset_num_proc=None,
        ),
    )
    train_whole(trainer, work, {"loss": "loss"})
    card = Card(
        name=name_of(config),
        title=title_of(config),
        dialect="compact",
        prompt_version=dialect("compact").version,
    )
    save_model(work, trainer.model, tokenizer, card)
    played = check(work, trainer.model, tokenizer, card, config.check_games)
    return {
        "parameters": sum(part.numel() for part in model.parameters()),
        "vocabulary": len(tokenizer),
        "bargains": books.card["bargains"],
        "loss": last_loss(trainer),
        "held_out": played,
    }


def _texts(books: Corpus) -> list[str]:
    lessons = books.lessons("train")
    return [part for one in lessons for part in (one.prompt[-1].content, one.answer)]
