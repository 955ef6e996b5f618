"""Seconds since 1970 as the ledger writes them: UTC moments and UTC days."""

from datetime import UTC, date, datetime


def moment(now: float) -> datetime:
    """Give the moment.

    >>> moment(86_400.5).isoformat()
    '1970-01-02T00:00:00.500000+00:00'
    """
    return datetime.fromtimestamp(now, UTC)


def utc_day(now: float) -> date:
    """Give the day that caps count by.

    >>> utc_day(86_399.999).isoformat()
    '1970-01-01'
    """
    return moment(now).date()
