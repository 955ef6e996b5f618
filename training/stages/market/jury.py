"""Which lab is kept while it learns by play: the one with the highest return on unseen markets."""

from collections.abc import Sequence

from arena.gpu_market.trained.seat import Seat, seat_of
from training.data.seeds import MARKET_HELD_OUT_FROM
from training.stages.checking import steady
from training.stages.choosing import Choosing, Figures
from training.stages.market.episodes import Episode, play_episodes
from training.stages.market.measuring import in_words, lab_figures, unseen
from training.stages.market.opening import open_lab
from training.stages.market.records import write_records
from training.stages.market.sft import RECORDED
from training.stages.market_config import MarketGrpoConfig
from training.stages.work import Work

LEAST_VALID = 0.99
"""A checkpoint that writes less readable actions is never kept."""


class UnseenMarkets:
    """Plays markets that choose: neither learned from nor reported.

    Args:
        work: the run.
        config: how many episodes.
        seat: the model that is being trained.
    """

    def __init__(self, work: Work, config: MarketGrpoConfig, seat: Seat) -> None:
        self._work, self._config, self._seat = work, config, seat

    def measure(self, step: int) -> Figures:
        """Play them."""
        worlds = unseen(self._config.check_episodes)
        with steady(self._config.seed):
            played = play_episodes(self._seat, worlds, tick=lambda: self._work.beat(step))
        return lab_figures(played)

    def words(self, found: Figures) -> str:
        """Tell what came out."""
        return in_words(found)

    def best(self, checks: dict[int, Figures]) -> int:
        """Choose the highest return among those that keep the format; the first of equals."""
        fit = [step for step, found in checks.items() if found["valid_json"] >= LEAST_VALID]
        return max(fit, key=lambda step: (checks[step]["return"]["mean"], -step), default=0)

    def keep(self) -> None:
        """Keep nothing: episodes are kept of the model before and of the best one."""


def summed_up(work: Work, config: MarketGrpoConfig, source: str, choosing: Choosing) -> Figures:
    """Make the best checkpoint the run's model, and let both play markets that measure.

    Returns:
        How it plays, and how the model before did, in markets that had no part in the choice;
        which step was kept, and every check.
    """
    kept = choosing.take_best()

    def afresh(folder: str) -> tuple[str, Sequence[Episode]]:
        opened = open_lab(folder, config)
        seat = seat_of(opened.model.eval(), opened.tokenizer, opened.card)
        worlds = unseen(config.check_episodes, MARKET_HELD_OUT_FROM)
        with steady(config.seed):
            played = play_episodes(seat, worlds, tick=lambda: work.beat(work.run.done))
        return opened.card.name, played

    before, after = afresh(source), afresh(str(work.model))
    write_records(work.folder, [(name, one) for name, all_ in (before, after)
                                for one in all_[:RECORDED]])  # fmt: skip
    return choosing.summary(kept, lab_figures(before[1]), lab_figures(after[1]))
