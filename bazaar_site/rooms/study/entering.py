"""Coming in by the study's link: who somebody is, whether there is a place, and the consent."""

import datetime as dt
from collections.abc import Mapping

import msgspec
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from bazaar_site.rooms import joining
from bazaar_site.rooms.errors import RoomError, RoomFull
from bazaar_site.rooms.models import Answer, Member, Room, RoomGame, Study, new_key
from bazaar_site.rooms.study import flow, promises
from bazaar_site.rooms.study.design import Design
from bazaar_site.rooms.study.forgetting import gone_id
from negotiation.models import EventRow

MOST_ID = 128


class Closed(Exception):
    """Nobody comes in: ``full``, ``stopped``, ``missing`` (no id), ``taken`` (by this browser).

    ``changed``: the texts are others than those that were read.
    """

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Entry(msgspec.Struct, frozen=True):
    """Who comes in, and whether the data is a pilot's."""

    external_id: str
    is_pilot: bool


def entry_of(study: Study, design: Design, query: Mapping[str, str]) -> Entry:
    """Read who comes from an address or a form, or raise Closed where that must be known."""
    external_id = "".join(query.get(design.link.parameter, "").split())
    if len(external_id) > MOST_ID or not external_id.isprintable():
        raise Closed("missing")
    if design.link.required and not external_id:
        raise Closed("missing")
    return Entry(external_id, study.is_pilot or is_test(design, external_id))


def is_test(design: Design, external_id: str) -> bool:
    """Whether an id is one of those whose data is always a pilot's."""
    return external_id.lower().startswith(design.link.test.lower())


def known(room: Room, entry: Entry) -> Member | None:
    """Return who came with this id before."""
    if not entry.external_id:
        return None
    mine = Member.objects.filter(room=room, is_pilot=entry.is_pilot)
    ids = (entry.external_id, gone_id(room, entry.external_id))
    return mine.filter(external_id__in=ids).first()


def check_open(study: Study, design: Design, entry: Entry) -> None:
    """Raise Closed where nobody may come in any more; tests always may."""
    if is_test(design, entry.external_id):
        return
    if study.stopped_at:
        raise Closed("stopped")
    if design.quota and places_taken(study, design) >= design.quota:
        raise Closed("full")


def places_taken(study: Study, design: Design) -> int:
    """Count who has come to the end or is still on the way, of the study's present mode.

    Who withdrew, was sent away, found no partner, or was away for longer than the design says
    leaves the place to the next; the drawn place of the arms stays taken.
    """
    since = timezone.now() - dt.timedelta(minutes=design.gone_min)
    # Nothing ends a game against the house whose person has gone: its last event is the sign.
    moved = EventRow.objects.filter(game=OuterRef("game"), created_at__gte=since)
    games = RoomGame.objects.filter(Exists(moved), room=study.room_id)
    answers = Answer.objects.filter(member__room=study.room_id, given_at__gte=since)
    here = (
        Q(seen_at__gte=since)
        | Q(consented_at__gte=since)
        | Q(pk__in=answers.values("member"))
        | Q(pk__in=games.filter(seller__isnull=False).values("seller"))
        | Q(pk__in=games.filter(buyer__isnull=False).values("buyer"))
    )
    members = Member.objects.filter(
        room=study.room_id, is_pilot=study.is_pilot, consented_at__isnull=False, withdrawn_at=None
    )
    taken = members.filter(Q(end=Member.End.FINISHED) | (Q(end="") & here))
    # Tests take no place, in the pilot neither.
    return taken.exclude(external_id__istartswith=design.link.test).count()


def consent(
    room: Room,
    entry: Entry,
    session: str,
    *,
    may_quote: bool,
    may_train: bool,
    read: str,
) -> Member:
    """Let somebody in who has consented; the same id, or the same browser, is let in once.

    ``read`` is the fingerprint of the texts on the page that was sent.

    Raises:
        Closed: the study is over or full, its texts are not those that were read, or somebody else
            sits in this browser.
    """
    with transaction.atomic():
        # One at a time: the last place is given once, and so is each place of the drawn order.
        study = Study.objects.select_for_update().get(room=room)
        design = flow.design_of(study)
        member = known(room, entry)
        if member is None:
            member = _seat(room, study, design, entry, session)
        elif member.session != session:
            _leave_seat(room, session, entry)
            joining.move(member, session)
        if member.consented_at or member.withdrawn_at:
            return member
        if read != promises.fingerprint(design):
            raise Closed("changed")
        member.consented_at = timezone.now()
        # Where the consent keeps no words, there is nothing to quote or to learn from.
        keeps_words = "words" in design.consent.keeps
        member.may_quote = design.consent.quote and keeps_words and may_quote
        member.may_train = design.consent.train and keeps_words and may_train
        # What was read now holds for this person, whatever the study says later.
        member.promise = promises.promise_in(design)
        member.save()
        if design.assigned == "consent":
            flow.assign(member, design, study)
        promises.keep(room, member)
        return member


def _seat(room: Room, study: Study, design: Design, entry: Entry, session: str) -> Member:
    member = joining.member_of(room, session)
    if member is not None and not member.consented_at and not member.external_id:
        # Came in by the room's code, and reads the consent now.
        check_open(study, design, entry)
        member.external_id, member.is_pilot = entry.external_id, entry.is_pilot
        return member
    if member is not None and not entry.external_id and member.is_pilot == entry.is_pilot:
        return member
    _leave_seat(room, session, entry)
    check_open(study, design, entry)
    try:
        return joining.join(
            room, "", session, external_id=entry.external_id, is_pilot=entry.is_pilot
        )
    except RoomFull:
        raise Closed("full") from None
    except RoomError:
        raise Closed("stopped") from None


def _leave_seat(room: Room, session: str, entry: Entry) -> None:
    """Free a browser whose last participant is through, as in a lab; else raise Closed."""
    sitting = joining.member_of(room, session)
    if sitting is None:
        return
    is_through = sitting.finished_at or sitting.withdrawn_at or sitting.is_pilot != entry.is_pilot
    if not is_through and not is_test(flow.design_of(room.study), sitting.external_id):
        raise Closed("taken")
    # The games go along: whoever sits down next in this browser owns nothing of them.
    joining.move(sitting, f"left-{new_key()}")
