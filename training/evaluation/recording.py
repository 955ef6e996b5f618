"""A game of a suite under way, and the rows that come of it."""

from negotiation.environment.suite_game import Stepped
from training.evaluation.rows import EpisodeRow, row_of
from training.evaluation.sources import SeatedGame, source_of


class Recording:
    """Keeps the rewards of every bargain, which the game tells only step by step.

    Attributes:
        game: ask it what is seen; moves go through ``move``.
    """

    def __init__(self, suite_id: str, seed: int) -> None:
        self.game: SeatedGame = source_of(suite_id).open(seed)
        self._rewards = [0.0]

    def move(self, proposal: object) -> Stepped:
        """Make a move.

        Raises:
            GameOver: all bargains are over.
        """
        stepped = self.game.step(proposal)
        self._rewards[-1] += stepped.reward.total
        if stepped.log is not None:
            self._rewards.append(0.0)
        return stepped

    def rows(self, policy: str, version: str) -> tuple[EpisodeRow, ...]:
        """Sum up the bargains that are over.

        Args:
            policy: the name that the rows carry.
            version: and its version label.
        """
        return tuple(
            row_of(
                log,
                seed=self.game.seed,
                game=place,
                policy=policy,
                policy_version=version,
                reward=self._rewards[place],
            )
            for place, log in enumerate(self.game.logs)
        )
