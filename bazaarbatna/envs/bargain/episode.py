"""What every environment's seat keeps of its episode, and what its client may do wrong."""

from typing import Protocol, Self

import msgspec

from bazaarbatna.bargain.errors import GameError, IllegalMove


class UnreadableAction(GameError):
    """An action is ``{"action": "offer|accept|walk", "price": rupees, "message": text}``."""

    code = "unreadable-action"


class NoSuchWorld(GameError):
    """What a reset asks for does not exist; the message says what does."""


class NotReset(IllegalMove):
    """There is no game on the table yet; reset starts one."""

    code = "not-reset"


class Wanted(Protocol):
    """A reset's request: a seed and a name, both only where the client cares."""

    @property
    def seed(self) -> int | None:
        """Seed of the game."""

    @property
    def episode_id(self) -> str | None:
        """Name of the episode."""


class Episode(msgspec.Struct):
    """A seat's account of one episode; ``is_chosen``: the client named the seed."""

    id: str
    seed: int
    is_chosen: bool = False
    steps: int = 0
    total: float = 0.0

    @classmethod
    def of(cls, wanted: Wanted, *, seed: int, episode_id: str) -> Self:
        """Open the account; seed and name are used where the client gives none."""
        chosen = wanted.seed
        is_chosen = chosen is not None
        return cls(wanted.episode_id or episode_id, seed if chosen is None else chosen, is_chosen)

    def pay(self, reward: float) -> None:
        """Count a step and its reward."""
        self.steps += 1
        self.total += reward

    def told_seed(self, *, done: bool) -> int | None:
        """Return the seed as far as the client may know it."""
        # Whoever knows a seed can draw the hidden values again.
        return self.seed if done or self.is_chosen else None
