"""What can go wrong with the hub.

- HubError
    - NotAllowed      the operator's settings forbid it, or it is written wrongly
    - AlreadyAsked    one launch is one job, and this one may run already
    - Refused         the hub knows the question and says no; asking again changes nothing
    - Unreachable     the hub is away, busy or broken; asking again may help

A message never holds a token: the hub may send one back in an error.
"""

from negotiation.secret_values import scrub


class HubError(ValueError):
    """Something about the hub; the message says what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(scrub(" ".join(message.split()))[:600])


class NotAllowed(HubError):
    """A repository, flavor or image that this site may not use."""


class AlreadyAsked(HubError):
    """A job was asked for and nobody knows yet whether it runs."""


class Refused(HubError):
    """The hub refuses: wrong token, no right, no such thing."""


class Unreachable(HubError):
    """The hub does not answer as it should; after ``after_s`` seconds it may."""

    def __init__(self, message: str, after_s: float = 0.0) -> None:
        super().__init__(message)
        self.after_s = after_s
