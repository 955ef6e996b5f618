"""What can be wrong around a market. A lab's invalid action is no error: see ``refusals``.

MarketError
├── UnknownTask   no task has that name
├── NotYourTurn   the caller lets the wrong lab act
├── MarketClosed  the episode has ended
└── BrokenLog     events that no episode could have produced
"""


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
