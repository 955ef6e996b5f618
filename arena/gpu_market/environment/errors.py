"""What can be wrong with what a client asks of a market. A lab's invalid action is no error.

NoSuchWorld
└── UnknownMarket   the task, lab, shock or policy that was asked for does not exist
"""

from negotiation.environment.errors import NoSuchWorld


class UnknownMarket(NoSuchWorld):
    """There is no such market; the message says what there is."""

    code = "unknown-market"
