"""What a metered call costs at most, and what it has cost: integers of micro-dollars.

Dollars per million tokens are micro-dollars per token, so prices multiply token counts as they
are. Everything is rounded up.
"""

import math
from fractions import Fraction

from django.conf import settings

from agents.backends.base import Chat, Completion

TOKENS_PER_MESSAGE = 64
"""More than any chat template adds around one message."""


def reserve_microusd(chat: Chat) -> int:
    """Bound the cost of a call from above, before it is made.

    No tokenizer in use makes more tokens than there are bytes of UTF-8.
    """
    text_bytes = sum(
        len(message.content.encode(errors="surrogatepass")) for message in chat.messages
    )
    return _cost(text_bytes + TOKENS_PER_MESSAGE * len(chat.messages), chat.max_new_tokens)


def cost_microusd(completion: Completion) -> int | None:
    """Return the cost of an answer; None where the backend did not count its tokens."""
    read, written = completion.prompt_tokens, completion.completion_tokens
    if read is None or written is None or read < 0 or written < 0:
        return None
    return _cost(read, written)


def _cost(read: int, written: int) -> int:
    prices = settings.SAUDA_PRICES
    # As fractions of what the operator wrote: 0.1 is not a float, and a bound may not be short.
    price_in, price_out = Fraction(str(prices["in_usd"])), Fraction(str(prices["out_usd"]))
    return math.ceil(read * price_in + written * price_out)
