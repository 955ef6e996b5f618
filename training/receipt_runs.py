"""The run that a receipt stands for: made once, brought up to date, and left where it was put."""

import datetime as dt
from typing import Any

from training import runs
from training.models import Run


def take_in(
    pk: str, receipt: str, amount: int, published_at: dt.datetime, fields: dict[str, Any]
) -> bool:
    """Make the run of a receipt, or bring it up to date.

    A run that an operator has withdrawn stays withdrawn.

    Args:
        pk: the run's id.
        receipt: the receipt's name.
        amount: bargains or steps it consists of.
        published_at: when it was published.
        fields: everything else that the row says.

    Returns:
        False when it was there already as it is.
    """
    said: dict[str, Any] = {
        **fields,
        "status": Run.Status.DONE,
        "done": amount,
        "total": amount,
        "folder": f"{runs.RECEIPT}{receipt}",
        "published_at": published_at,
    }
    known = Run.objects.filter(pk=pk).first()
    if known is not None and known.published_at is None:
        del said["published_at"]
    if known is not None and all(getattr(known, name) == value for name, value in said.items()):
        return False
    Run.objects.update_or_create(pk=pk, defaults=said)
    return True
