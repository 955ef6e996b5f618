"""Which lab is kept while it learns by play: the one with the highest return on unseen markets."""

from collections.abc import Sequence
from typing import Any

from arena.gpu_market.trained.cards import LabCard
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
from training.stages.saving import save_model
from training.stages.work import BEST, Work

LEAST_VALID = 0.99
"""A checkpoint that writes less readable actions is never kept."""


class UnseenMarkets:
    """Plays markets that choose: neither learned from nor reported.

    Args:
        work: the run.
        config: how many episodes.
        seat: the model that is being trained.
        model: its weights.
        tokenizer: its tokenizer.
        card: what the kept model says of itself.
    """

    def __init__(
        self,
        work: Work,
        config: MarketGrpoConfig,
        seat: Seat,
        model: Any,
        tokenizer: Any,
        card: LabCard,
    ) -> None:
        self._work, self._config, self._seat = work, config, seat
        self._model, self._tokenizer, self._card = model, tokenizer, card

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
        """Save the model."""
        save_model(self._work, self._model, self._tokenizer, self._card, self._work.folder / BEST)


def summed_up(work: Work, config: MarketGrpoConfig, source: str, choosing: Choosing) -> Figures:
    """Make the best checkpoint the run's model, and let both play markets that measure.

    Returns:
        How it plays, and how the model before did, in markets that had no part in the choice;
        which step was kept, and every check.
    """
    step = choosing.take_best()

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
    return {
        "before": lab_figures(before[1]),
        "held_out": lab_figures(after[1]),
        "kept_step": step,
        "checks": {str(at): found for at, found in sorted(choosing.checks.items())},
    }
