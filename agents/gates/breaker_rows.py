"""Breakers in the database."""

from agents.gates.breaker import Breaker
from agents.gates.moments import moment
from agents.models import NAME_LENGTH, BreakerRow


def load(backend: str) -> Breaker:
    """Read a backend's breaker; a new one is closed."""
    row = BreakerRow.objects.filter(pk=backend[:NAME_LENGTH]).first()
    if row is None:
        return Breaker()
    return Breaker(
        failures=row.failures,
        open_until=row.open_until.timestamp() if row.open_until else None,
        probe=row.probe,
        probe_until=row.probe_until.timestamp() if row.probe_until else 0.0,
    )


def save(backend: str, breaker: Breaker) -> None:
    """Write a backend's breaker."""
    until = breaker.open_until
    values = {
        "failures": breaker.failures,
        "open_until": None if until is None else moment(until),
        "probe": breaker.probe,
        "probe_until": moment(breaker.probe_until) if breaker.probe is not None else None,
    }
    BreakerRow.objects.update_or_create(pk=backend[:NAME_LENGTH], defaults=values)
