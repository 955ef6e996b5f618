"""The honesty certificate of the house in the words of a page."""

from typing import Any

import msgspec

from negotiation.bargain.honesty import Certificate, Check
from negotiation.engine.quantities import Side


class Checked(msgspec.Struct, frozen=True):
    """One promise: how often it was broken among how many things that were looked at."""

    words: str
    kept: bool


WORDS: dict[Side, dict[str, tuple[str, str]]] = {
    "seller": {
        "limit": ("price below her reservation price", "prices below her reservation price"),
        "leaks": ("message gave it away", "messages gave it away"),
        "monotone": ("ask went up again", "asks went up again"),
        "reopened": ("agreed price was reopened", "agreed prices were reopened"),
        "promises": ("promised step was not made", "promised steps were not made"),
        "sealed": ("sealed envelope was tampered with", "sealed envelopes were tampered with"),
    },
    "buyer": {
        "limit": ("price above her budget", "prices above her budget"),
        "leaks": ("message gave it away", "messages gave it away"),
        "monotone": ("bid went down again", "bids went down again"),
        "reopened": ("agreed price was reopened", "agreed prices were reopened"),
        "promises": ("promised step was not made", "promised steps were not made"),
        "sealed": ("sealed envelope was tampered with", "sealed envelopes were tampered with"),
    },
}
"""Side of the house and name of a check -> what is counted, for one and for several."""


def checked(certificate: dict[str, Any] | None) -> tuple[Checked, ...]:
    """List the promises of a stored certificate in words.

    Args:
        certificate: as ``honesty.Certificate.to_json`` wrote it, None where none was made.

    Returns:
        One line for each promise that the game put to the test.

    >>> checked({"side": "seller", "checks": [{"name": "leaks", "checked": 6, "broken": 0}]})
    (Checked(words='0 of 6 messages gave it away', kept=True),)
    """
    if certificate is None:
        return ()
    sheet = Certificate.from_json(certificate)
    words = WORDS[sheet.side]
    return tuple(
        Checked(f"{check.broken} of {check.checked} {_counted(words, check)}", check.kept)
        for check in sheet.checks
        if check.checked
    )


def _counted(words: dict[str, tuple[str, str]], check: Check) -> str:
    one, several = words.get(check.name, (check.name, check.name))
    return one if check.checked == 1 else several
