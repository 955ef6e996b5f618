"""Policies against pinned sellers on the same seeds, and what may be said about the result."""


class EvaluationError(ValueError):
    """The evaluation was refused; the message says what to do."""


class BadPlan(EvaluationError):
    """The arguments ask for something that cannot be played."""


class MixedVersions(EvaluationError):
    """Results of different versions would stand in one table."""


class BrokenRun(EvaluationError):
    """The files of a run cannot be continued."""


class BadReceipt(EvaluationError):
    """A receipt says what its bargains do not."""
