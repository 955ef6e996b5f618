"""What the ledger says a day has used, for counters that have to start from it."""

from datetime import date, timedelta

import msgspec
from django.db.models import Q

from agents.gates.moments import moment, utc_day
from agents.gates.rules import WINDOWS
from agents.models import ModelCall

Row = tuple[str, str, str, str, int, bool, bool]
"""Number, client ("": in no window), admitted at, lease until, reserved, open today, under way."""


class Tally(msgspec.Struct, frozen=True):
    """Metered calls and micro-dollars of a UTC day, and the rows that windows and leases need."""

    calls: int
    microusd: int
    rows: list[Row]


def tally(now: float) -> Tally:
    """Count from the ledger.

    In one query, hence at one moment: a call that is settled meanwhile is either open with its
    reservation in sum and list, or settled with its cost in the sum and not in the list.
    """
    today = utc_day(now)
    day_ago = moment(now) - timedelta(seconds=WINDOWS["day"])
    wanted = Q(day=today) | Q(admitted_at__gt=day_ago)
    wanted &= Q(metered=True) | Q(state=ModelCall.State.OPEN)
    calls = list(ModelCall.objects.filter(wanted).order_by())
    charged = [call for call in calls if call.metered and call.day == today]
    return Tally(
        calls=len(charged), microusd=sum(map(_spent, charged)), rows=[_row(c, today) for c in calls]
    )


def _spent(call: ModelCall) -> int:
    return call.reserved_microusd if call.cost_microusd is None else call.cost_microusd


def _row(call: ModelCall, today: date) -> Row:
    is_open = call.state == ModelCall.State.OPEN
    return (
        str(call.number),
        call.client if call.metered else "",
        f"{call.admitted_at.timestamp():.6f}",
        f"{call.lease_until.timestamp():.6f}",
        call.reserved_microusd,
        is_open and call.day == today,
        is_open and call.metered,
    )
