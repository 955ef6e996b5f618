"""Which seeds are for learning, for choosing and for measuring: they never meet."""

TRAIN_FROM = 1_000_000  # First seed of games to learn from; evaluations begin at 0
HELD_OUT_FROM = 2_000_000  # First seed of games that choose between checkpoints and measure a stage

FRESH_FROM = HELD_OUT_FROM + 50_000
"""First seed of games that measure a checkpoint which others have chosen."""

MARKET_HELD_OUT_FROM = 50_000
"""First seed of markets that measure; no lab learns from it or from any after it."""

MARKET_CHOOSE_FROM = 45_000
"""First seed of markets that choose between checkpoints: neither learned from nor reported."""

_OF_STAGES = {
    "market-sft": (0, 10),
    "market-grpo": (20_000, 10),
    # Its games are drawn from streams of its own, not by number.
    "league": (0, 0),
    # They play none: the corpus is what they learn from.
    "voice-sft": (0, 0),
    "voice-dpo": (0, 0),
    "base": (0, 1_000),
    "sft": (0, 1_000),
    # Of the sft stage, too: there are more of these games than of any pinned suite.
    "people": (600_000, 300),
    "grpo": (100_000, 500),
    "dpo": (200_000, 500),
}
"""Where a stage's games begin, and by how much a run's seed moves them."""


def first_seed(stage: str, seed: int) -> int:
    """Return the first seed of the games that a stage learns from."""
    begin, each = _OF_STAGES[stage.removeprefix("large-")]
    return (0 if stage.startswith("market-") else TRAIN_FROM) + begin + each * seed


def ring_of(stage: str) -> int:
    """Return the first seed that a stage may not learn from."""
    return MARKET_CHOOSE_FROM if stage.startswith("market-") else HELD_OUT_FROM
