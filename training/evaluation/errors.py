"""What can be wrong with an evaluation.

EvaluationError
├── BadPlan         asked for something that cannot be played
├── MixedVersions   results of different sellers, suites or policies under one name
├── BrokenRun       the folder of a run is not what it should be
└── BadReceipt      a receipt whose numbers do not follow from its bargains
"""


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
