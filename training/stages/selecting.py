"""Choosing a checkpoint: games on held-out seeds every few steps, and the best is kept."""

import shutil
from typing import Any

import msgspec
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from agents.backends.local.player import Player
from agents.checkpoints import Card
from training.data.seeds import FRESH_FROM
from training.stages.checking import held_out, keep_samples, player_of, steady
from training.stages.config import GrpoConfig
from training.stages.games import play_games
from training.stages.loading import open_model
from training.stages.measuring import figures
from training.stages.saving import save_model
from training.stages.work import BEST, Work

LEAST_VALID = 0.99
"""A checkpoint that writes less valid JSON is never kept."""

LEAST_DEALS = 0.95
"""Nor one that closes fewer than this part of the deals that the first one closed."""

CHECKS = "checks.json"

Figures = dict[str, Any]


class Selecting(TrainerCallback):
    """Plays held-out games and keeps what plays them best.

    Args:
        work: the run.
        config: how often, and how many games.
        source: folder of the model to begin with.
        player: plays with the model that is being trained.
        model: the weights.
        tokenizer: its tokenizer.
        card: what the kept model says of itself.
    """

    def __init__(
        self,
        work: Work,
        config: GrpoConfig,
        source: str,
        player: Player,
        model: Any,
        tokenizer: Any,
        card: Card,
    ) -> None:
        self._work, self._config, self._source, self._player = work, config, source, player
        self._model, self._tokenizer, self._card = model, tokenizer, card
        self._checks: dict[int, Figures] = {}

    def on_train_begin(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any
    ) -> None:
        """Measure the model as it comes, or take up what was measured before."""
        path = self._work.folder / CHECKS
        if path.is_file() and (self._work.folder / BEST).is_dir():
            # Also those of steps that are made again: the best of them is kept in BEST.
            self._checks = msgspec.json.decode(path.read_bytes(), type=dict[int, Figures])
        if not self._checks:
            self._check(0)

    def on_step_end(
        self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any
    ) -> None:
        """Measure every few steps, and at the end."""
        step = state.global_step
        if step % self._config.select_every == 0 or step == self._config.steps:
            self._check(step)

    def finish(self) -> Figures:
        """Make the best checkpoint the run's model.

        Returns:
            How it plays, and how the model before did, in games that had no part in the choice;
            which step was kept, and every check.
        """
        step = best_step(self._checks)
        # Copied, so that a run that is killed now can come here again.
        shutil.copytree(self._work.folder / BEST, self._work.model, dirs_exist_ok=True)
        return {
            "before": self._afresh(self._source),
            "held_out": self._afresh(str(self._work.model)),
            "kept_step": step,
            "checks": {str(at): found for at, found in sorted(self._checks.items())},
        }

    def _afresh(self, source: str) -> Figures:
        opened = open_model(source, self._config)
        player = player_of(opened.model.eval(), opened.tokenizer, self._card)
        deals = held_out(self._config.check_games, FRESH_FROM)
        with steady(self._config.seed):
            return figures(play_games(player, deals, tick=self._tick))

    def _tick(self) -> None:
        self._work.beat(self._work.run.done)

    def _check(self, step: int) -> None:
        if step in self._checks:
            return
        deals = held_out(self._config.check_games)
        with steady(self._config.seed):
            games = play_games(self._player, deals, tick=lambda: self._work.beat(step))
        self._checks[step] = found = figures(games)
        share = found["share"]["mean"] if found["share"] else 0.0
        self._work.say(
            f"grpo step {step}, held-out games: share {share:.3f}, "
            f"deals {found['deal_rate']['mean'] if found['deal_rate'] else 0:.3f}, "
            f"valid {found['valid_json']:.4f}, rounds {found['rounds']['mean']:.2f}"
        )
        if best_step(self._checks) == step:
            keep_samples(self._work, games, self._card.name, self._card.title)
            save_model(
                self._work, self._model, self._tokenizer, self._card, self._work.folder / BEST
            )
        self._work.keep(CHECKS, {str(at): one for at, one in self._checks.items()})


def best_step(checks: dict[int, Figures]) -> int:
    """Choose the step with the highest share among those that keep format and deals.

    The first check stands when nothing after it may be kept.
    """
    first = checks[0]
    deals = _mean(first, "deal_rate")
    fit = [
        step
        for step, found in checks.items()
        if found["valid_json"] >= LEAST_VALID and _mean(found, "deal_rate") >= LEAST_DEALS * deals
    ]
    return max(fit, key=lambda step: (_mean(checks[step], "share"), -step), default=0)


def _mean(found: Figures, name: str) -> float:
    return float(found[name]["mean"]) if found[name] else 0.0
