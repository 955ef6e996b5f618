"""GRPO: the model plays whole games and keeps more of what won more than its siblings."""

from collections import Counter
from collections.abc import Sequence
from itertools import cycle
from typing import Any

from transformers import set_seed

from agents.backends.local.player import Player
from agents.checkpoints import Card
from training.data.seeds import first_seed
from training.data.teaching import PEOPLE
from training.drawn.dealing import SUITE as DRAWN
from training.stages.checking import player_of
from training.stages.config import BadConfig, GrpoConfig
from training.stages.games import Deal, Game, play_games, rounds_left
from training.stages.loading import adapter_of, open_model
from training.stages.measuring import answers_in, obeyed
from training.stages.names import renamed
from training.stages.rewards import reward
from training.stages.rounds import Rounds, data_of, learn
from training.stages.selecting import HeldOutGames, summed_up
from training.stages.work import Work


def run_grpo(work: Work, config: GrpoConfig, source: str) -> dict[str, Any]:
    """Train on whole games, and keep the checkpoint that plays held-out games best.

    Args:
        work: the run.
        config: its settings.
        source: folder or hub name of the SFT model.

    Returns:
        The summary: how it played before and after, and which step was kept.
    """
    set_seed(config.seed)
    opened = open_model(source, config)
    if opened.card is None:
        raise BadConfig("GRPO begins with a model of the SFT stage, which knows the protocol.")
    rounds = BuyerRounds(work, config, renamed(opened.card, config))
    choosing = learn(rounds, opened, _deals(config), adapter_of(config, opened))
    return summed_up(work, config, source, rounds.card, choosing)


class BuyerRounds(Rounds[GrpoConfig, Card, Deal, Game]):
    """Bargains of the buyer that is trained."""

    player: Player
    deal = Deal

    def seat(self, model: Any, tokenizer: Any) -> HeldOutGames:
        """Let the model that is trained be the player."""
        self.player = player_of(model, tokenizer, self.card)
        return HeldOutGames(self.work, self.config, self.player, self.card)

    def play(self, deals: Sequence[Deal]) -> list[Game]:
        """Play every deal."""
        return play_games(self.player, deals, self.freely, tick=self.tick)

    def worth(self, game: Game) -> float:
        """Add the weighted terms of the reward up."""
        return reward(game, self.config)

    def figures(self, games: Sequence[Game], rewards: Sequence[float]) -> dict[str, float]:
        """Sum a round up."""
        winnable = [game for game in games if game.winnable]
        return {
            "reward": sum(rewards) / len(rewards),
            "share": sum(game.share for game in winnable) / max(1, len(winnable)),
            "deal_rate": sum(game.is_deal for game in winnable) / max(1, len(winnable)),
            **obeyed(games),
            "rounds": answers_in(games) / len(games),
        }


def _deals(config: GrpoConfig) -> Any:
    """List the deals that are played: people, then suites in turn with drawn sellers between.

    Only what is not with people can begin late: people do not wait for a buyer who stands still,
    and their games are as short as they are long.
    """
    first = first_seed("grpo", config.seed)
    suites = cycle(config.suites)
    played: Counter[str] = Counter()
    deals = []
    for number in range(config.seeds):
        if _is_due(number, config.people):
            suite = PEOPLE
        else:
            is_drawn = _is_due(number - played[PEOPLE], config.drawn)
            suite = DRAWN if is_drawn else next(suites)
        seed = first + played[suite]
        left = None if suite == PEOPLE else rounds_left(suite, seed, config.late)
        deals.append(Deal(suite, seed, left))
        played[suite] += 1
    return data_of(deals)


def _is_due(number: int, part: float) -> bool:
    """Whether the one of that number is of a part (0..1) that is spread evenly over all."""
    return int((number + 1) * part) > int(number * part)
