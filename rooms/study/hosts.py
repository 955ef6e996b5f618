"""What a host does with a study: writes it, lets it begin, stops it, sees how far it is."""

import secrets
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from rooms import hosting
from rooms.models import Member, Room, Study
from rooms.study import flow, promises
from rooms.study.design import Design
from rooms.study.faults import Fault, missing, of_cases
from rooms.study.fields import Field, every
from rooms.study.files import BadDesign

SEEDS = 2**31

LATER = frozenset({"quota", "gone_min", "exits", "debrief", "waiting"})
"""What may change when people have taken part; all else is what they agreed to and were asked."""


NONE = Field("", "", "")


class OrderCount(msgspec.Struct, frozen=True):
    """How many people of an arm play its conditions in one order, and how many came to the end."""

    arm: str
    order: tuple[str, ...]
    drawn: int
    finished: int


class ArmCount(msgspec.Struct, frozen=True):
    """How many people are how far in one arm."""

    name: str
    title: str
    drawn: int
    finished: int
    on_the_way: int
    left: int


def save(room: Room, design: Design) -> Study:
    """Store a design; the rules in it become the room's.

    Raises:
        BadDesign: people have taken part, and something changes that they were told or asked.
    """
    if room.due_at is not None:
        raise BadDesign([Fault("", _("A study is no homework: its people come together."))])
    plan = design.plan.over(hosting.plan_of(room))
    if found := of_cases(design, plan):
        raise BadDesign(found)
    with transaction.atomic():
        study = Study.objects.select_for_update().filter(room=room).first()
        if study is None:
            study = Study(room=room, seed=secrets.randbelow(SEEDS))
        elif has_begun(study):
            _check_same(flow.design_of(study), design)
        study.design = msgspec.to_builtins(design)
        study.save()
        room.plan = msgspec.to_builtins(plan)
        room.save(update_fields=["plan"])
    return study


def mark_of(design: Design | None, names: Sequence[str] = ()) -> str:
    """Sum up some fields of a study as it is stored, or all of them; "" where there is none."""
    if design is None:
        return ""
    told = [getattr(design, name) for name in names or Design.__struct_fields__]
    return sha256(msgspec.json.encode(told)).hexdigest()[:16]


def differences(theirs: Sequence[Field], mine: Sequence[Field]) -> list[tuple[str, ...]]:
    """Return path, label, their value and the own one of each field that two versions fill in."""
    one, two = ({field.path: field for field in every(form)} for form in (theirs, mine))
    pairs = ((path, one.get(path, NONE), two.get(path, NONE)) for path in one | two)
    told = ((path, a.label or b.label, _told(a), _told(b)) for path, a, b in pairs)
    return [line for line in told if line[2] != line[3]]


def _told(field: Field) -> str:
    return " · ".join(pick.words for pick in field.picks if pick.is_chosen) or field.value


def has_begun(study: Study) -> bool:
    """Whether somebody who is no pilot has consented."""
    people = Member.objects.filter(room=study.room_id, is_pilot=False)
    return people.filter(consented_at__isnull=False).exists()


def _check_same(old: Design, new: Design) -> None:
    changed = [
        name
        for name in Design.__struct_fields__
        if name not in LATER and getattr(old, name) != getattr(new, name)
    ]
    if changed:
        words = _("People have taken part in it as it is: this cannot change any more.")
        raise BadDesign([Fault(name, words) for name in changed])


def go_live(study: Study) -> list[Fault]:
    """End the pilot; return what is missing where it cannot."""
    found = missing(flow.design_of(study))
    if not found:
        Study.objects.filter(pk=study.pk).update(is_pilot=False)
    return found


def back_to_pilot(study: Study) -> None:
    """Let a study be a pilot again, as long as nobody has taken part."""
    if not has_begun(study):
        Study.objects.filter(pk=study.pk).update(is_pilot=True)


def stop(study: Study, *, stopped: bool) -> None:
    """Let nobody new come in, or let them come again; who is in goes on either way."""
    at = timezone.now() if stopped else None
    Study.objects.filter(pk=study.pk).update(stopped_at=at)
    promises.hold(study.room)


def set_seed(study: Study, seed: int) -> None:
    """Fix the drawn order; as long as no place of it is taken."""
    if not Member.objects.filter(room=study.room_id, slot__isnull=False).exists():
        Study.objects.filter(pk=study.pk).update(seed=seed)


def counts(study: Study, *, pilot: bool) -> list[ArmCount]:
    """Return how the arms are filled."""
    ended = Q(end=Member.End.FINISHED, withdrawn_at=None)
    going = Q(end="", withdrawn_at=None)
    rows: dict[str, dict[str, Any]] = {
        str(row["arm"]): dict(row)
        for row in Member.objects.filter(room=study.room_id, is_pilot=pilot, slot__isnull=False)
        .order_by()
        .values("arm")
        .annotate(drawn=Count("pk"), finished=Count("pk", ended), on_the_way=Count("pk", going))
    }
    found = []
    for arm in flow.design_of(study).cells:
        row = rows.get(arm.name, {"drawn": 0, "finished": 0, "on_the_way": 0})
        left = row["drawn"] - row["finished"] - row["on_the_way"]
        found.append(
            ArmCount(arm.name, arm.title, row["drawn"], row["finished"], row["on_the_way"], left)
        )
    return found


def orders_drawn(study: Study, *, pilot: bool) -> list[OrderCount]:
    """Return which orders of conditions were drawn, arm by arm."""
    drawn: Counter[tuple[str, tuple[str, ...]]] = Counter()
    finished: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for one in Member.objects.filter(room=study.room_id, is_pilot=pilot, slot__isnull=False):
        if one.conditions:
            drawn[one.arm, one.order] += 1
            finished[one.arm, one.order] += one.end == Member.End.FINISHED
    return [OrderCount(*key, count, finished[key]) for key, count in sorted(drawn.items())]
