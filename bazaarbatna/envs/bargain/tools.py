"""The bazaar as tools of a language model: TRL's ``environment_factory``, in process or by socket.

```python
GRPOTrainer(..., environment_factory=BazaarEnv)                          # no server at all
GRPOTrainer(..., environment_factory=lambda: BazaarEnv("ws://host/env/bazaar/ws"))
```
"""

import logging
import secrets
from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from bazaarbatna.bargain.errors import GameError
from bazaarbatna.envs.bargain.actions import Action
from bazaarbatna.envs.bargain.episode import UnreadableAction
from bazaarbatna.envs.bargain.remote import LineLost, RemotePlayer
from bazaarbatna.envs.bargain.resets import HIGHEST_SEED, Reset, whole
from bazaarbatna.envs.bargain.seat import Answer, Seat
from bazaarbatna.envs.bargain.views import View
from bazaarbatna.envs.bargain.words import describe

log = logging.getLogger(__name__)

OVER = "The bargain is over."
NO_BID = "There is no bid of yours to stay at: name a price first."
LOST = "The line to the bazaar is lost; this bargain ends here."


def stay(seen: View | None, message: str) -> Action:
    """Return the move of a buyer who stays at its bid and says something.

    Raises:
        UnreadableAction: there is no bid yet.
    """
    if seen is None or seen.own_last_bid is None:
        raise UnreadableAction(NO_BID)
    return Action("offer", seen.own_last_bid, message)


class Player(Protocol):
    """Where a bargain is played. What is refused raises ``GameError`` and changes nothing."""

    def reset(self, wanted: Reset) -> Answer:
        """Start a game."""

    def step(self, action: Action) -> Answer:
        """Move in it."""

    def close(self) -> None:
        """Leave."""


class LocalPlayer:
    """Plays in this process."""

    def __init__(self) -> None:
        self._seat = Seat()

    def reset(self, wanted: Reset) -> Answer:
        """Start a game."""
        return self._seat.reset(wanted, seed=secrets.randbelow(HIGHEST_SEED), episode_id="local")

    def step(self, action: Action) -> Answer:
        """Move in it."""
        return self._seat.step(action)

    def close(self) -> None:
        """Do nothing: there is nothing to give back."""


class BazaarEnv:
    """One bargain after the other. A trainer makes an instance for each rollout.

    Public methods but ``reset`` and ``get_reward`` are the model's tools; what they raise as
    ``ValueError`` is shown to the model, which may then do better. A bargain whose server is gone
    for good is ``truncated``: the reward up to there counts, and the training goes on.
    """

    def __init__(self, url: str | None = None, player: Player | None = None) -> None:
        """Play in this process, or at the server of a socket's address."""
        self.truncated = False
        self.shares: list[float] = []
        """The buyer's share of the zone in each bargain that is over, 0 without a deal."""
        self._player = player or (LocalPlayer() if url is None else RemotePlayer(url))
        self._seen: View | None = None
        self._reward = 0.0

    def reset(self, seed: Any = None, task: str = "people", **others: object) -> str:
        """Start a bargain and return what the buyer sees; it goes into the prompt.

        ``seed`` may be of any kind of whole number; ``variant`` and ``seller`` are as in a reset
        of the environment, other columns of a data set are left alone. Raises ``GameError`` (a
        ``ValueError``) for a task that does not exist.
        """
        chosen = {name: others.get(name) for name in ("variant", "seller")}
        self.truncated, self._reward, self._seen = False, 0.0, None
        self.shares = []
        wanted = msgspec.convert({"seed": whole(seed), "task": task, **chosen}, Reset, strict=False)
        return self._told(lambda: self._player.reset(wanted))

    def offer(self, price: float, message: str = "") -> str:
        """Bid for the item.

        Args:
            price: Your bid in rupees.
            message: One short line to the seller.

        Returns:
            The seller's answer.
        """
        return self._act("offer", price, message)

    def say(self, message: str) -> str:
        """Stay at your bid, and say something to the seller.

        Args:
            message: One short line to the seller.

        Returns:
            The seller's answer.
        """
        if self.is_over:
            return OVER
        return self._act("offer", stay(self._seen, message).price, message)

    def accept(self) -> str:
        """Take the seller's standing price.

        Returns:
            How the bargain ended.
        """
        return self._act("accept")

    def walk(self) -> str:
        """Leave without the item.

        Returns:
            How the bargain ended.
        """
        return self._act("walk")

    def get_reward(self) -> float:
        """Return the sum of the rewards; whoever says nothing more has walked away."""
        try:
            while not self.is_over:
                self._act("walk")
        except GameError as wrong:
            log.warning("a bargain is truncated, no walk is taken: %s", wrong)
            self.truncated = True
        self._player.close()
        return self._reward

    @property
    def is_over(self) -> bool:
        """No bargain is on the table."""
        return self.truncated or self._seen is None or self._seen.done

    def _act(self, action: Any, price: float | None = None, message: str | None = "") -> str:
        if self.is_over:
            return OVER
        # Models write all their fields: a message that is null is none.
        told = {"action": action, "price": price, "message": "" if message is None else message}
        move = msgspec.convert(told, Action, strict=False)
        return self._told(lambda: self._player.step(move))

    def _told(self, play: Callable[[], Answer]) -> str:
        try:
            answer = play()
        except LineLost as lost:
            log.warning("a bargain is truncated: %s", lost)
            self.truncated = True
            return LOST
        self._seen = answer.observation
        self._reward += answer.reward or 0.0
        if self._seen.result is not None:
            self.shares.append(self._seen.result.buyer_share)
        return describe(self._seen)
