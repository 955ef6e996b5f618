"""A real Llama checkpoint, small enough to be made in a test: weights, tokenizer, chat template.

``make_tiny_llama(folder)`` babbles at random. ``make_tiny_llama(folder, says=("theek ", "hai"))``
answers every chat with exactly these pieces and then ends its turn. ``make_adapter`` writes a PEFT
adapter for either. Everything is made on the spot from this repository's own text and a seed.
"""

import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BEGIN, PAD = "<|begin_of_text|>", "<|pad|>"
HEAD_OPEN, HEAD_CLOSE = "<|start_header_id|>", "<|end_header_id|>"
ENDS = (
    "<|end_of_text|>",
    "<|eot_id|>",
    "<end_of_turn>",
    "<|im_end|>",
    "</s>",
    "<|endoftext|>",
)
"""Every end-of-turn mark that families of models use; the tokenizer knows all of them."""

TEMPLATE = (
    "{{ '" + BEGIN + "' }}{% for message in messages %}"
    "{{ '" + HEAD_OPEN + "' + message['role'] + '" + HEAD_CLOSE + "\n\n' }}"
    "{{ message['content'] + '<|eot_id|>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '" + HEAD_OPEN + "assistant" + HEAD_CLOSE + "\n\n' }}"
    "{% endif %}"
)
PEFT_LAGS = pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing`:FutureWarning")
"""For tests that read an adapter: peft 0.21.2 asks transformers 5.23 for a name on its way out."""

CERTAIN = 20.0
"""Logit of a scripted token per unit of the state: no draw at temperature 1 picks another."""


def make_tiny_llama(
    folder: Path,
    *,
    hidden: int = 64,
    layers: int = 2,
    heads: int = 4,
    kv_heads: int = 2,
    vocabulary: int = 1000,
    context: int = 2048,
    template: bool = True,
    pad: bool = True,
    says: Sequence[str] = (),
    end: str = "<|eot_id|>",
    eos: str = "<|eot_id|>",
    endless: bool = False,
    seed: int = 0,
) -> Path:
    """Write a checkpoint that ``AutoModelForCausalLM`` loads, with random weights.

    Args:
        folder: where to; it is made.
        hidden: width of the model; ``says`` may have at most ``hidden - 2`` pieces.
        layers: how many blocks.
        heads: attention heads; they share ``hidden``.
        kv_heads: key-value heads.
        vocabulary: tokens besides the pieces of ``says``.
        context: longest prompt and answer in tokens.
        template: write a chat template.
        pad: name a token for padding.
        says: the pieces of the answer to everything, each a token, all different.
        end: the mark after the last piece, one of ``ENDS``; "" starts over.
        eos: the mark that the tokenizer and the generation config call end of sequence.
        endless: know no end marks at all, so that every answer is as long as it may be.
        seed: of the weights.

    Returns:
        The folder.
    """
    import torch
    from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    tokenizer = make_tokenizer(
        vocabulary, template=template, pad=pad, says=says, eos=eos, endless=endless
    )
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=hidden,
        intermediate_size=hidden * 8 // 3,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        max_position_embeddings=context,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        tie_word_embeddings=False,
        initializer_range=0.2,
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = LlamaForCausalLM(config)
    if says:
        _script(model, tokenizer, says, end)
    model.generation_config = GenerationConfig(
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def teach_tools(folder: Path) -> Any:
    """Give a checkpoint a chat template that knows tools, as TRL reads it; return the tokenizer."""
    import trl
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    template = Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja"
    tokenizer.chat_template = template.read_text()
    tokenizer.save_pretrained(folder)
    return tokenizer


def make_tokenizer(
    vocabulary: int = 1000,
    *,
    template: bool = True,
    pad: bool = True,
    says: Sequence[str] = (),
    eos: str = "<|eot_id|>",
    endless: bool = False,
) -> Any:
    """Train a byte-level tokenizer of at most ``vocabulary`` tokens on the docs and the lines."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    bare = Tokenizer(models.BPE())
    bare.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bare.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        show_progress=False,
        special_tokens=[PAD, BEGIN, HEAD_OPEN, HEAD_CLOSE, *(() if endless else ENDS)],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    bare.train_from_iterator(_corpus(), trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=bare,
        bos_token=BEGIN,
        eos_token=None if endless else eos,
        padding_side="left",
    )
    if pad:
        tokenizer.pad_token = PAD
    tokenizer.add_tokens([AddedToken(piece, normalized=False) for piece in says])
    if template:
        tokenizer.chat_template = TEMPLATE
    return tokenizer


def make_adapter(
    model: Path,
    folder: Path,
    *,
    seed: int = 0,
    targets: Sequence[str] = ("q_proj", "v_proj", "down_proj"),
) -> Path:
    """Write a LoRA adapter with random weights, large enough to change what the model says."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    with torch.random.fork_rng():
        torch.manual_seed(seed)
        config = LoraConfig(
            r=4,
            lora_alpha=64,
            target_modules=list(targets),
            init_lora_weights=False,
            task_type="CAUSAL_LM",
        )
        with warnings.catch_warnings():
            # peft 0.21 asks transformers 5.23 for a name that is on its way out
            warnings.simplefilter("ignore", FutureWarning)
            adapted = get_peft_model(AutoModelForCausalLM.from_pretrained(model), config)
    adapted.save_pretrained(str(folder))
    return folder


def _corpus() -> Iterable[str]:
    # Golden files: what a tiny model says must not change with a page of the documentation.
    for pattern in ("tests/playthroughs/*.txt", "tests/playthroughs/arena/*.txt"):
        for path in sorted(ROOT.glob(pattern)):
            # The games with people came later: tokens, and so words, stay what they were.
            if not path.name.startswith("people"):
                yield path.read_text(encoding="utf-8")


def _script(model: Any, tokenizer: Any, says: Sequence[str], end: str) -> None:
    """Turn the model into a chain: any token, then the pieces in order, then the end.

    The blocks add nothing to the residual stream, so that the last token alone decides; each
    piece has a dimension of its own, dimension 0 belongs to all other tokens.
    """
    import torch

    ids = [tokenizer.convert_tokens_to_ids(piece) for piece in says]
    assert len(set(ids)) == len(ids), "pieces must differ"
    assert len(ids) < model.config.hidden_size - 1, "too many pieces for this width"
    last = tokenizer.convert_tokens_to_ids(end) if end else ids[0]
    with torch.no_grad():
        for block in model.model.layers:
            block.self_attn.o_proj.weight.zero_()
            block.mlp.down_proj.weight.zero_()
        embeddings, head = model.model.embed_tokens.weight, model.lm_head.weight
        embeddings.zero_()
        head.zero_()
        embeddings[:, 0] = 1.0
        for dimension, (piece, after) in enumerate(
            zip(ids, [*ids[1:], last], strict=True), start=1
        ):
            embeddings[piece] = 0.0
            embeddings[piece, dimension] = 1.0
            head[after, dimension] = CERTAIN
        head[ids[0], 0] = CERTAIN
