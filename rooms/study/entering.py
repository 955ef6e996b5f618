"""Coming in by the study's link: who somebody is, whether there is a place, and the consent."""

import datetime as dt
import re
import unicodedata
from collections.abc import Mapping

import msgspec
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from negotiation.limits import check
from negotiation.models import EventRow
from rooms import joining, seats
from rooms.errors import RoomError, RoomFull
from rooms.models import Answer, Member, Room, RoomGame, Study
from rooms.study import flow, promises
from rooms.study.design import Design
from rooms.study.forgetting import gone_id

MOST_ID = 128


MARKS = frozenset("{}<>[]()%$|*#&;")
"""Signs that no id has, and marks have that a panel replaces by one: ``{{%PID%}}``, ``${id}``,
``[ID]``, the same encoded once more."""

NAMES = re.compile(
    "(?:prolific|participant|respondent|subject|worker|user|panel|external|survey|study|your|my)*"
    "(?:p?id|token|code)|x{3,}|null|none|nil|nan|na|undefined|unknown|anonymous"
)
"""What stands where an id should be, and where a program knows of none."""


class Closed(Exception):
    """Nobody comes in: ``full``, ``stopped``, ``missing`` (no id), ``taken`` (by this browser).

    ``changed``: the texts are others than those that were read; ``unfilled``: where an id should
    be stands the mark for one; ``elsewhere``: who has this id sits at another browser.
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
    if is_placeholder(external_id, design.link.parameter):
        raise Closed("unfilled")
    return Entry(external_id, study.is_pilot or is_test(design, external_id))


def is_test(design: Design, external_id: str) -> bool:
    """Whether an id is one of those whose data is always a pilot's."""
    return external_id.lower().startswith(design.link.test.lower())


def is_placeholder(external_id: str, parameter: str) -> bool:
    """Whether an id is a mark that nobody filled in: all who come by it would be one person.

    >>> [is_placeholder(one, "who") for one in ("{{%PID%}}", "%7Bwho%7D", "__who__", "p01")]
    [True, True, True, False]
    """
    plain = unicodedata.normalize("NFKC", external_id).casefold()
    bare = "".join(filter(str.isalnum, plain))
    is_name = NAMES.fullmatch(bare) or bare == "".join(filter(str.isalnum, parameter.casefold()))
    return not MARKS.isdisjoint(plain) or bool(bare and is_name)


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


def come_back(room: Room, entry: Entry, session: str) -> Member | None:
    """Let somebody sit at this browser who began at another; None: nothing shows that it is so.

    Closed: somebody else sits in this browser.
    """
    with transaction.atomic():
        Study.objects.select_for_update().get(room=room)
        member = known(room, entry)
        how = seats.way_to(member, session, entry.external_id) if member else None
        if member is None or how is None:
            return None
        _leave_seat(room, session, entry)
        return seats.move(member, session, how)


def consent(
    room: Room,
    entry: Entry,
    session: str,
    *,
    may_quote: bool,
    may_train: bool,
    read: str,
    client: str,
) -> Member:
    """Let somebody in who has consented; the same id, or the same browser, is let in once.

    ``read`` is the fingerprint of the texts on the page that was sent, ``client`` the key of the
    address that it came from.

    Raises:
        RateLimited: many ids were tried from there, and this one sits at another browser.
        Closed: the study is over or full, its texts are not those that were read, somebody else
            sits in this browser, or whoever has the id sits at another one.
    """
    with transaction.atomic():
        # One at a time: the last place is given once, and so is each place of the drawn order.
        study = Study.objects.select_for_update().get(room=room)
        design = flow.design_of(study)
        is_read = read == promises.fingerprint(design)
        member = known(room, entry)
        is_elsewhere = member is not None and member.session != session
        if is_elsewhere and is_read:
            check("ids", client)
            member = come_back(room, entry, session)
        elif is_elsewhere:
            member = None  # ids could be tried for nothing, where a right one costs a seat
        is_elsewhere = is_elsewhere and member is None
        if member is None:
            # Who has no right to a known id goes the way of a new one up to the last step, and is
            # refused there: before, no answer tells whether an id takes part.
            external_id = "" if is_elsewhere else entry.external_id
            member = _seat(room, study, design, entry, session, external_id)
        if member.consented_at or member.withdrawn_at:
            return member
        if not is_read:
            raise Closed("changed")
        if is_elsewhere:
            raise Closed("elsewhere")
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


def _seat(
    room: Room, study: Study, design: Design, entry: Entry, session: str, external_id: str
) -> Member:
    member = joining.member_of(room, session)
    if member is not None and not member.consented_at and not member.external_id:
        # Came in by the room's code, and reads the consent now.
        check_open(study, design, entry)
        member.external_id, member.is_pilot = external_id, entry.is_pilot
        return member
    if member is not None and not entry.external_id and member.is_pilot == entry.is_pilot:
        return member
    _leave_seat(room, session, entry)
    check_open(study, design, entry)
    try:
        return joining.join(room, "", session, external_id=external_id, is_pilot=entry.is_pilot)
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
    seats.free_browser(sitting)
