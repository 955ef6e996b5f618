"""The rows of the ledger: written before a model is asked, settled once, counted by everybody.

Costs are integers of micro-dollars, rounded up. Dollars per million tokens are micro-dollars per
token, so prices multiply token counts as they are.
"""

import logging
import math
import secrets
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction

import msgspec
from django.conf import settings
from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Coalesce

from agents.backends.base import Chat, Completion
from agents.gates.contract import Call, GateName, Settlement, Ticket
from agents.gates.rules import WINDOWS, ClientGate, Rules, Use, reservation
from agents.models import CLIENT_LENGTH, NAME_LENGTH, ModelCall, Trip


def moment(now: float) -> datetime:
    """Return the moment.

    >>> moment(86_400.5).isoformat()
    '1970-01-02T00:00:00.500000+00:00'
    """
    return datetime.fromtimestamp(now, UTC)


def utc_day(now: float) -> date:
    """Return the day that caps count by.

    >>> utc_day(86_399.999).isoformat()
    '1970-01-01'
    """
    return moment(now).date()


log = logging.getLogger(__name__)

NUMBER_BITS = 62

SPENT = Coalesce(F("cost_microusd"), F("reserved_microusd"))
"""What a call takes from its day: its cost, or all of its reservation while that is unknown."""


def new_number() -> int:
    """Draw the number of a call."""
    return secrets.randbits(NUMBER_BITS)


def write_down(ticket: Ticket, rules: Rules, now: float) -> None:
    """Add the row of a call that is about to be made."""
    call = ticket.call
    ModelCall.objects.create(
        number=ticket.number,
        backend=call.backend,
        client=call.client[:CLIENT_LENGTH],
        metered=call.metered,
        probe=ticket.probe,
        day=utc_day(now),
        admitted_at=moment(now),
        lease_until=moment(now + rules.lease_s),
        reserved_microusd=reservation(call),
    )


def close(ticket: Ticket, settlement: Settlement, now: float) -> bool:
    """Settle a row on the day it was admitted; False: it was settled before, or is not there."""
    still_open = ModelCall.objects.filter(number=ticket.number, state=ModelCall.State.OPEN)
    is_closed = still_open.update(
        state=ModelCall.State.SETTLED,
        settled_at=moment(now),
        code=settlement.code[:40],
        failed=settlement.code != "ok",
        latency_ms=max(0, settlement.latency_ms),
        cost_microusd=_believed(ticket, settlement),
        prompt_tokens=settlement.prompt_tokens,
        completion_tokens=settlement.completion_tokens,
    )
    if not is_closed:
        log.warning("a call that is not open was settled again")
    return bool(is_closed)


def _believed(ticket: Ticket, settlement: Settlement) -> int | None:
    """Return what a call cost as far as it was reserved; None while that is unknown."""
    cost, reserved = settlement.cost_microusd, reservation(ticket.call)
    if cost is None or 0 <= cost <= reserved:
        return cost
    log.warning(
        "a call of %s is said to cost %d microusd, but %d were reserved: not believed",
        ticket.call.backend,
        cost,
        reserved,
    )
    return reserved


def counts_in_windows(now: float) -> dict[ClientGate, Count]:
    """Return what counts a client's calls in each window."""
    return {
        gate: Count("number", filter=Q(admitted_at__gt=moment(now) - timedelta(seconds=seconds)))
        for gate, seconds in WINDOWS.items()
    }


def use_of(call: Call, now: float) -> Use:
    """Count what stands against a metered call of this client."""
    day_ago = moment(now) - timedelta(seconds=WINDOWS["day"])
    mine = ModelCall.objects.filter(
        metered=True, client=call.client[:CLIENT_LENGTH], admitted_at__gt=day_ago
    )
    today = ModelCall.objects.filter(metered=True, day=utc_day(now))
    used = mine.aggregate(**counts_in_windows(now))
    total = today.aggregate(calls=Count("number"), microusd=Sum(SPENT))
    return Use(
        windows={gate: used[gate] for gate in WINDOWS},
        under_way=under_way(now),
        calls=total["calls"],
        microusd=total["microusd"] or 0,
    )


def under_way(now: float) -> int:
    """Count the metered calls that are open and not given up for crashed."""
    return ModelCall.objects.filter(
        metered=True, state=ModelCall.State.OPEN, lease_until__gt=moment(now)
    ).count()


Row = tuple[str, str, str, str, int, bool, bool]
"""Number, client ("": in no window), admitted at, lease until, reserved, open today, under way."""


class Tally(msgspec.Struct, frozen=True):
    """Metered calls and micro-dollars of a UTC day, and the rows that windows and leases need."""

    calls: int
    microusd: int
    rows: list[Row]


def tally(now: float) -> Tally:
    """Count in one query: a call that is settled meanwhile is either open or paid, never both."""
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


def note(gate: GateName, call: Call, now: float) -> None:
    """Count a refusal; of clients at their own gates only, or a crowd leaves a row a head."""
    who = call.client[:CLIENT_LENGTH] if gate in WINDOWS else ""
    trip, _ = Trip.objects.get_or_create(
        day=utc_day(now),
        gate=gate,
        backend=call.backend[:NAME_LENGTH],
        client=who,
        defaults={"last_at": moment(now)},
    )
    Trip.objects.filter(pk=trip.pk).update(count=F("count") + 1, last_at=moment(now))


MOST_SHOWN = 50


def blocked_clients(now: float) -> list[Trip]:
    """List the clients that were refused at their own gates today, the latest first."""
    refused = Trip.objects.filter(day=utc_day(now), gate__in=list(WINDOWS))
    return list(refused.order_by("-last_at")[:MOST_SHOWN])


TOKENS_PER_MESSAGE = 64


def reserve_microusd(chat: Chat) -> int:
    """Bound the cost of a call from above: no tokenizer makes more tokens than bytes of UTF-8."""
    text_bytes = sum(
        len(message.content.encode(errors="surrogatepass")) for message in chat.messages
    )
    return _cost(text_bytes + TOKENS_PER_MESSAGE * len(chat.messages), chat.max_new_tokens)


def cost_microusd(completion: Completion) -> int | None:
    """Return the cost of an answer; None where the backend did not count its tokens."""
    read, written = completion.prompt_tokens, completion.completion_tokens
    if read is None or written is None or read < 0 or written < 0:
        return None
    return _cost(read, written)


def _cost(read: int, written: int) -> int:
    prices = settings.SAUDA_PRICES
    # As fractions of what the operator wrote: 0.1 is not a float, and a bound may not be short.
    price_in, price_out = Fraction(str(prices["in_usd"])), Fraction(str(prices["out_usd"]))
    return math.ceil(read * price_in + written * price_out)
