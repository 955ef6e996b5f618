"""What can be wrong with a model's answer, for a caller who will go on without it.

BackendError
├── Unreachable      nobody was asked: no connection, wrong address
├── TooSlow          asked, but no complete answer in time
├── Refused          asked, and answered with an error (429, 500, ...)
└── BadAnswer        answered with something that is no answer (half a body, 5 MB, not JSON)
"""


class BackendError(Exception):
    """A backend gave no answer.

    Args:
        code: stable and kebab-case: what the log and the health page say.
        retryable: the same call may succeed later without anybody repairing something.
        retry_after_s: seconds the backend asked to be left alone, None if it did not say.
        asked: the request may have reached the model, so that it may have cost money.
    """

    def __init__(
        self,
        code: str,
        *,
        retryable: bool = True,
        retry_after_s: float | None = None,
        asked: bool = True,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.retryable = retryable
        self.retry_after_s = retry_after_s
        self.asked = asked


class Unreachable(BackendError):
    """Nobody was asked: the connection was refused, or the address is wrong."""

    def __init__(self, code: str = "unreachable") -> None:
        super().__init__(code, asked=False)


class TooSlow(BackendError):
    """No complete answer came in time."""

    def __init__(self, code: str = "too-slow", *, asked: bool = True) -> None:
        super().__init__(code, asked=asked)


class Refused(BackendError):
    """The server answered with an error."""

    def __init__(self, status: int, retry_after_s: float | None = None) -> None:
        retryable = status in (408, 425, 429) or status >= 500
        super().__init__(f"http-{status}", retryable=retryable, retry_after_s=retry_after_s)
        self.status = status


class BadAnswer(BackendError):
    """What came back is no answer: half a body, far too much, or not the protocol."""
