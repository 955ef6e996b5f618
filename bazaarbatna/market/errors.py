"""What can be wrong around a market. A lab's invalid action is no error: see ``Refused``."""

from typing import Literal, get_args

Code = Literal[
    "malformed_action",
    "unknown_lab",
    "self_trade",
    "negative_payment",
    "budget_overspend",
    "unknown_block",
    "unowned_block",
    "unavailable_block",
    "target_does_not_own_block",
    "unknown_offer",
    "inactive_offer",
    "expired_offer",
    "not_offer_recipient",
    "coalitions_disabled",
    "invalid_coalition_target",
    "unknown_coalition",
    "not_coalition_member",
    "failed_block",
    "unknown_job",
    "job_completed",
    "empty_block_list",
    "duplicate_allocation",
    "low_reliability",
    "insufficient_capacity",
    "empty_pitch",
    "episode_done",
]
CODES: tuple[Code, ...] = get_args(Code)


class Refused(Exception):
    """An action breaks a rule; raised inside the engine before anything has changed.

    The message says what would be right and never holds what its reader may not know.
    """

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code: Code = code


class MarketError(ValueError):
    """The call was refused; nothing changed."""


class UnknownTask(MarketError):
    """No task has that name; the message lists those that exist."""


class NotYourTurn(MarketError):
    """Another lab is to act."""


class MarketClosed(MarketError):
    """The episode has ended; nobody acts any more."""


class BrokenLog(MarketError):
    """The events are not an episode of this scenario."""
