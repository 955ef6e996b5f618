"""What a person agreed to: written down with the consent, and what holds for that person.

A design may still change after its pilot. Whoever has consented keeps the promise as it was read:
the kinds of data that are kept, what leaving deletes, for how long, and what is paid.
"""

import calendar
import datetime as dt
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from django.db.models import Max, Q
from django.utils import timezone

from rooms.models import Member, Room, Study
from rooms.study.design import Belief, Bonus, Consent, Design

PLAIN = Consent()


class Promise(msgspec.Struct, frozen=True):
    """What holds of one person's data: kinds that are kept, what leaving deletes, for how long.

    ``text`` is the fingerprint of all that was read with it; "" where nobody noted it.
    """

    keeps: tuple[str, ...] = PLAIN.keeps
    withdrawal: tuple[str, ...] = PLAIN.withdrawal
    months: int = PLAIN.months
    text: str = ""


def promise_in(design: Design) -> dict[str, Any]:
    """Return what is stored with a consent that is given now."""
    consent = design.consent
    pay = {"": design.bonus} | {arm.name: arm.bonus for arm in design.cells if arm.bonus}
    return {
        "keeps": list(consent.keeps),
        "withdrawal": list(consent.withdrawal),
        "months": consent.months,
        "text": fingerprint(design),
        "pay": msgspec.to_builtins(pay),
        "beliefs": msgspec.to_builtins(design.paid_beliefs),
    }


def promise_to(member: Member, study: Study) -> Promise:
    """Return what holds for a member: what was agreed to, else what the study says now."""
    return promise_now(study) if member.promise is None else _read(member.promise)


def promise_now(study: Study) -> Promise:
    """Return what a study says to whoever comes next."""
    return _read(study.design.get("consent", {}))


def pay_to(member: Member, design: Design) -> Bonus:
    """Return the rule by which a member is paid: the one that was read with the consent."""
    pay = (member.promise or {}).get("pay")
    if pay:
        return msgspec.convert(pay.get(member.arm) or pay[""], Bonus)
    own = design.arm(member.arm)
    return own.bonus if own and own.bonus else design.bonus


def beliefs_paid_to(member: Member, design: Design) -> tuple[Belief, ...]:
    """Return the questions beside a game that pay a member, as ``pay_to``."""
    paid = (member.promise or {}).get("beliefs")
    return design.paid_beliefs if paid is None else msgspec.convert(paid, tuple[Belief, ...])


def fingerprint(design: Design) -> str:
    """Return what names all that somebody reads before the consent: 16 hexadecimal digits."""
    more = (design.paid_beliefs,) if design.paid_beliefs else ()
    read = (design.title, design.minutes, design.information, design.consent, design.bonus, *more)
    return hashlib.sha256(msgspec.json.encode(read)).hexdigest()[:16]


def last_day(room: Room, *, without: str = "") -> dt.date | None:
    """Return the last day that anybody's data may be kept; None: nobody was promised one.

    ``without`` leaves a member out, as if that one had not come.
    """
    study = Study.objects.filter(room=room).first()
    if study is None:
        return None
    rows = Member.objects.filter(room=room, consented_at__isnull=False).exclude(pk=without)
    found = rows.values_list("is_pilot", "consented_at", "promise")
    ends: dict[bool, list[dt.date]] = {}
    months: dict[bool, int] = {}
    for is_pilot, at, told in found:
        assert at is not None
        ends.setdefault(is_pilot, []).append(timezone.localdate(at))
        own = promise_now(study) if told is None else _read(told)
        months[is_pilot] = max(months.get(is_pilot, 0), own.months)
    return max((after(max(days), months[mode]) for mode, days in ends.items()), default=None)


def keep(room: Room, newcomer: Member) -> None:
    """Note until when a room is kept, now that somebody has consented.

    A host who has chosen an earlier day than was promised keeps it.
    """
    before = last_day(room, without=newcomer.pk)
    chosen = Room.objects.values_list("keep_until", flat=True).get(pk=room.pk)
    if before is None or chosen is None or chosen >= before:
        Room.objects.filter(pk=room.pk).update(keep_until=last_day(room))


def hold(room: Room) -> None:
    """Keep a room no longer than its people were promised."""
    if (day := last_day(room)) is not None:
        later = Q(keep_until=None) | Q(keep_until__gt=day)
        Room.objects.filter(later, pk=room.pk).update(keep_until=day)


def over(today: dt.date) -> Iterator[Member]:
    """Yield the people whose own promise has run out, also where their room is kept on."""
    studies = Member.objects.filter(consented_at__isnull=False, room__study__isnull=False)
    groups = studies.order_by().values("room", "is_pilot").annotate(last=Max("consented_at"))
    for group in groups:
        last = timezone.localdate(group["last"])
        if after(last, 1) >= today:
            continue  # the shortest promise of all still holds
        people = studies.filter(room=group["room"], is_pilot=group["is_pilot"])
        for member in people.select_related("room__study"):
            if after(last, promise_to(member, member.room.study).months) < today:
                yield member


def after(day: dt.date, months: int) -> dt.date:
    """Return the same day so many months later, or the last one of a shorter month.

    >>> after(dt.date(2026, 1, 31), 1)
    datetime.date(2026, 2, 28)
    """
    years, month = divmod(day.month - 1 + months, 12)
    year = day.year + years
    return dt.date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _read(told: Mapping[str, Any]) -> Promise:
    def kinds(name: str, usual: Iterable[str]) -> tuple[str, ...]:
        return tuple(told.get(name, usual))

    return Promise(
        kinds("keeps", PLAIN.keeps),
        kinds("withdrawal", PLAIN.withdrawal),
        int(told.get("months", PLAIN.months)),
        str(told.get("text", "")),
    )
