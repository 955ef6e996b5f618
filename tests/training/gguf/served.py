"""A GGUF file in llama.cpp, beside its source in transformers."""

import json
import urllib.request
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

CONTEXT, NEW_TOKENS = 512, 40


class Served:
    """One file and perhaps an adapter, in full precision and on one thread.

    It is asked over the port that its server opens: Python's side of it hands no tokens out.
    """

    def __init__(self, weights: Path, adapter: Path | None = None) -> None:
        import xllamacpp

        told = xllamacpp.CommonParams()
        told.model.path = str(weights)
        if adapter is not None:
            told.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(adapter), 1.0)]
        told.n_ctx, told.n_parallel, told.verbosity, told.ui = CONTEXT, 1, -1, False
        told.cpuparams.n_threads = told.cpuparams_batch.n_threads = 1
        told.cache_type_k = told.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
        told.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
        self._server = xllamacpp.Server(told)
        # Let go before it has answered once, it waits for ever for its own end.
        self._ask("/completion", prompt="Namaste", n_predict=1)

    def tokens(self, text: str) -> list[int]:
        """Cut a text, marks of turns included."""
        return list(
            self._ask("/tokenize", content=text, add_special=False, parse_special=True)["tokens"]
        )

    def text(self, tokens: Sequence[int]) -> str:
        """Join tokens, marks of turns included."""
        return str(self._ask("/detokenize", tokens=list(tokens))["content"])

    def greedy(self, prompt: Sequence[int], ends: Sequence[int]) -> list[int]:
        """Go on with the likeliest token until one of the ends, which is left out."""
        said: list[int] = []
        while len(said) < NEW_TOKENS:
            # It stops at every mark that some family ends with; what is asked for are ours.
            more = self._complete([*prompt, *said], NEW_TOKENS - len(said))["tokens"]
            said += more
            if said[-1] in ends:
                return said[:-1]
        return said

    def log_probabilities(self, prompt: Sequence[int], vocabulary: int) -> list[float]:
        """Return that of each token to come next, in the order of the vocabulary."""
        # Nothing is told of a token that is part of a letter: another is drawn, from the same odds.
        drawn = [[self.tokens("a")[0], 1e6]]
        said = self._complete(prompt, 1, n_probs=vocabulary, logit_bias=drawn)
        [told] = said["completion_probabilities"]
        by_token = {one["id"]: one["logprob"] for one in told["top_logprobs"]}
        return [by_token[token] for token in range(vocabulary)]

    def _complete(self, prompt: Sequence[int], longest: int, **how: Any) -> Any:
        return self._ask(
            "/completion",
            prompt=list(prompt),
            n_predict=longest,
            temperature=0,
            return_tokens=True,
            cache_prompt=False,
            **how,
        )

    def _ask(self, path: str, **asked: Any) -> Any:
        request = urllib.request.Request(
            self._server.listening_address + path,
            json.dumps(asked).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


def greedy(model: Any, prompt: list[int], ends: list[int]) -> list[int]:
    """Return what transformers says, always the likeliest token."""
    import torch

    said = model.generate(
        torch.tensor([prompt]),
        attention_mask=torch.ones(1, len(prompt), dtype=torch.long),
        do_sample=False,
        max_new_tokens=NEW_TOKENS,
        eos_token_id=ends,
        pad_token_id=0,
    )
    return [token for token in said[0, len(prompt) :].tolist() if token not in ends]


def assert_same(
    model: Any, tokenizer: Any, there: Served, prompts: Iterable[str], apart: float = 1e-4
) -> None:
    """Require the same tokens of each text, and the same likeliest continuation.

    Unless ``apart`` says otherwise, in 32 bits on both sides.
    """
    ends = [tokenizer.eos_token_id]
    lengths = []
    for text in prompts:
        tokens = tokenizer(text)["input_ids"]
        assert there.tokens(text) == tokens
        if tokens:
            said = greedy(model, tokens, ends)
            assert there.greedy(tokens, ends) == said
            assert how_far(model, there, tokens) < apart
            lengths.append(len(said))
            assert there.text(said) == tokenizer.decode(said, clean_up_tokenization_spaces=False)
    assert max(lengths) > 5


def how_far(model: Any, there: Served, prompt: list[int]) -> float:
    """Return how far the next token's log probabilities are apart, by the largest logit."""
    import numpy as np
    import torch

    with torch.inference_mode():
        logits = model(torch.tensor([prompt])).logits[0, -1]
    found = there.log_probabilities(prompt, len(logits))
    return float(np.abs(found - logits.log_softmax(0).numpy()).max() / logits.abs().max())
