"""How often each gate was closed, for the operator's page; bounded in every direction."""

from django.db.models import F

from agents.gates.contract import Call, GateName
from agents.gates.moments import moment, utc_day
from agents.gates.rules import WINDOWS
from agents.models import CLIENT_LENGTH, NAME_LENGTH, Trip


def note(gate: GateName, call: Call, now: float) -> None:
    """Count a refusal.

    Clients are told apart at their own gates only. There each has been let through before, so that
    a day has no more of them than calls; at the other gates a crowd would leave a row a head.
    """
    who = call.client[:CLIENT_LENGTH] if gate in WINDOWS else ""
    trip, _ = Trip.objects.get_or_create(
        day=utc_day(now),
        gate=gate,
        backend=call.backend[:NAME_LENGTH],
        client=who,
        defaults={"last_at": moment(now)},
    )
    Trip.objects.filter(pk=trip.pk).update(count=F("count") + 1, last_at=moment(now))


def blocked_clients(now: float, most: int = 50) -> list[Trip]:
    """List the clients that were refused at their own gates today, the latest first."""
    refused = Trip.objects.filter(day=utc_day(now), gate__in=list(WINDOWS))
    return list(refused.order_by("-last_at")[:most])
