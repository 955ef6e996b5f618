"""What an episode is worth in GRPO: its return, less what unreadable answers cost beyond it."""

from training.stages.market.episodes import Episode
from training.stages.market_config import MarketGrpoConfig


def worth(episode: Episode, config: MarketGrpoConfig) -> float:
    """Give the return, in which what the rules refuse has cost already, less a format term.

    Args:
        episode: a finished one.
        config: ``format_weight`` is the cost of an episode in which nothing could be read.
    """
    faults = episode.invalid / max(1, len(episode.turns))
    return episode.total - config.format_weight * faults
