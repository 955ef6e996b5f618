"""Which seeds are for learning, for choosing and for measuring: they never meet."""

TRAIN_FROM = 1_000_000
"""First seed of games to learn from; evaluations begin at 0."""

HELD_OUT_FROM = 2_000_000
"""First seed of games that choose between checkpoints and measure a stage."""

FRESH_FROM = HELD_OUT_FROM + 50_000
"""First seed of games that measure a checkpoint which others have chosen."""

_OF_STAGES = {
    "base": (0, 1_000),
    "sft": (0, 1_000),
    "grpo": (100_000, 500),
    "dpo": (200_000, 500),
}
"""Where a stage's games begin, and by how much a run's seed moves them."""


def first_seed(stage: str, seed: int) -> int:
    """Give the first seed of the games that a stage learns from.

    Args:
        stage: base, sft, grpo or dpo.
        seed: of the run, 0 or more.
    """
    begin, each = _OF_STAGES[stage]
    return TRAIN_FROM + begin + each * seed
