"""Where a participant is, and where to go next: the only place that decides it.

consent -> questions -> before -> games -> after -> done; what is asked or told between two games
comes there. Every page asks here first, so nobody jumps ahead; what has been handed in is not asked
again, so a second tab or a second press of a button finds the step taken.
"""

import datetime as dt
import functools
from collections.abc import Sequence
from typing import Literal

import msgspec
from django.db import transaction
from django.db.models import Max, Q
from django.urls import reverse
from django.utils import timezone

from agents.prompted import BUYER, SELLER
from negotiation.models import Game
from rooms import hosting, presence
from rooms.models import Answer, Member, Room, RoomGame, Study
from rooms.plan import NEVER_S, Plan
from rooms.study.assignment import arm_at, orders, place_in_arm
from rooms.study.design import Arm, Design, Question, asked, checks, under

Step = Literal["consent", "questions", "before", "play", "between", "after", "done"]

READ = "_read"
"""The answer that says: instructions and comprehension questions are behind this member."""


def study_of(room: Room) -> Study | None:
    """Return what a study adds to a room, if anything does."""
    return Study.objects.filter(room=room).first()


@functools.lru_cache(maxsize=64)
def _design(text: bytes) -> Design:
    return msgspec.json.decode(text, type=Design)


def design_of(study: Study) -> Design:
    """Return the design of a study."""
    return _design(msgspec.json.encode(study.design))


def arm_of(design: Design, member: Member, game: int = 0) -> Arm | None:
    """Return the arm of a member as a game is played in it (0: the next one); None: none drawn."""
    arm = design.arm(member.arm) if member.arm else None
    condition = design.condition(member.condition_in(game))
    return under(arm, [condition]) if arm and condition else arm


def next_step(member: Member) -> str | None:
    """Return the address that a member must visit now; None: the lobby and the games.

    Safe to call from anywhere, any number of times. It also notes that somebody is ready for the
    games, has come to the end, or has waited for longer than the study says.
    """
    study = getattr(member.room, "study", None)
    if study is None:
        return None
    step = where(member, design_of(study), study)
    return None if step == "play" else address(step, member.room)


def address(step: Step, room: Room) -> str:
    """Return where a step is done."""
    return (
        reverse("room", args=[room.code])
        if step == "play"
        else reverse(f"study-{step}", args=[room.code])
    )


def where(member: Member, design: Design, study: Study) -> Step:
    """Return the step at which a member is."""
    if member.withdrawn_at or member.finished_at:
        return "done"
    if not member.consented_at:
        return "consent"
    early = _early(member, design)
    if early:
        return early
    if not member.ready_at:
        _ready(member, design, study)
    games = games_of(member)
    live = [one for one in games if one.game.status == Game.Status.LIVE]
    if any(one.is_played_by(member) for one in live):
        return "play"
    # A seat that the house keeps is given back in the lobby: nothing comes before that.
    if not live and due_between(member, design) is not None:
        return "between"
    if not _is_over(member, design, len(games)):
        return "done" if member.finished_at else "play"
    if not _is_answered(member, "after", asked(design.after, member.arm)):
        return "after"
    end(member, Member.End.FINISHED)
    return "done"


def where_is(member: Member) -> Step:
    """Return the step at which a member of a study is."""
    study = member.room.study
    return where(member, design_of(study), study)


def is_ready(member: Member) -> bool:
    """Whether somebody may be seated at a table: nothing to fill in before, and not at the end."""
    if not member.ready_at or member.finished_at or member.withdrawn_at:
        return False
    return due_between(member, design_of(member.room.study)) is None


class Due(msgspec.Struct, frozen=True):
    """What comes before the next game: ``questions`` about the last one, or ``words`` to read."""

    form: str
    questions: tuple[Question, ...] = ()
    words: str = ""

    @property
    def form_and_part(self) -> str:
        """Name this page, so that an older one is known."""
        return f"{self.form}{'-read' if self.words else ''}"


BETWEEN = "between-"
"""Begins the form of what is answered between two games; the number of the first one follows."""


def due_between(member: Member, design: Design) -> Due | None:
    """Return what somebody who plays no game now has to fill in or to read; None: nothing."""
    played = member.dealt
    form = f"{BETWEEN}{played}"
    questions = asked(design.between, member.arm, played) if played else ()
    if questions and not _is_answered(member, form, questions):
        return Due(form, questions)
    if played >= len(member.conditions) or member.room.state == Room.State.OVER:
        return None
    condition = design.condition(member.condition_in())
    is_new = not played or member.condition_in(played) != member.condition_in()
    if condition is None or not is_new or not condition.instructions:
        return None
    is_read = Answer.objects.filter(member=member, form=form, question=READ).exists()
    return None if is_read else Due(form, words=condition.instructions)


def end(member: Member, how: Member.End) -> None:
    """Note how somebody's part came to its end; the first end stands."""
    now = timezone.now()
    Member.objects.filter(pk=member.pk, finished_at=None).update(finished_at=now, end=how)
    member.refresh_from_db(fields=["finished_at", "end"])


def assign(member: Member, design: Design, study: Study) -> None:
    """Give a member the next place of the drawn order, and with it an arm.

    Places are counted apart for a pilot. Whoever has a place keeps it, whatever becomes of him.
    """
    if member.slot is not None:
        return
    with transaction.atomic():
        # One at a time: two who come at once never get the same place.
        Study.objects.select_for_update().get(pk=study.pk)
        member.refresh_from_db(fields=["slot", "arm", "conditions"])
        if member.slot is not None:
            return
        mode = Member.objects.filter(room=member.room_id, is_pilot=member.is_pilot)
        last = mode.aggregate(last=Max("slot"))["last"]
        member.slot = 0 if last is None else last + 1
        names = [arm.name for arm in design.cells]
        stream = "pilot" if member.is_pilot else ""
        member.arm = arm_at(member.slot, names, design.block, study.seed, stream)
        member.conditions = _conditions(member, design, study.seed, stream)
        member.save(update_fields=["slot", "arm", "conditions"])


def _conditions(member: Member, design: Design, seed: int, stream: str) -> list[str]:
    """Return the condition of each game of a member who has a place, in an order that is drawn."""
    arm = design.arm(member.arm)
    if not design.conditions or arm is None or member.slot is None:
        return []
    plan = hosting.plan_of(member.room)
    plans = {one.name: under(arm, [one]).plan.over(plan) for one in design.conditions}
    names = [arm.name for arm in design.cells]
    place = place_in_arm(member.slot, names, design.block, seed, stream)
    if any(one.meeting == "people" for one in plans.values()):
        place //= 2  # two who come one after the other can meet in all conditions
    order = arm_at(place, orders(list(plans), design.order), 0, seed, f"{stream}order:{arm.name}")
    return [name for name in order for _ in range(plans[name].games)]


def games_of(member: Member) -> list[RoomGame]:
    """Return the games of a member, first to last."""
    rows = RoomGame.objects.filter(Q(seller=member) | Q(buyer=member))
    return list(rows.select_related("game").order_by("round", "pk"))


def plan_in_arm(member: Member, plan: Plan, game: int = 0) -> Plan:
    """Return what a member plays in a game (0: the next): the room's plan as the arm changes it.

    How long somebody waits for a partner is the study's to say; for a new one, never longer.
    """
    study = getattr(member.room, "study", None)
    if study is None:
        return plan
    design = design_of(study)
    waiting = design.waiting
    arm = arm_of(design, member, game)
    plan = in_arm(arm, plan) if arm else plan
    if member.conditions:
        plan = msgspec.structs.replace(plan, games=len(member.conditions))
    if waiting.then == "policy":
        unmet_s = min(plan.unmet_s, waiting.most_s)
        return msgspec.structs.replace(plan, odd_s=waiting.most_s, unmet_s=unmet_s)
    # Who waits to the end for somebody new comes to that end, not to the old partner.
    unmet_s = plan.unmet_s if plan.unmet_s < waiting.most_s else NEVER_S
    return msgspec.structs.replace(plan, odd_s=NEVER_S, unmet_s=unmet_s)


def in_arm(arm: Arm, plan: Plan) -> Plan:
    """Return a plan as an arm changes it: by a prompt, who sits for the house speaks by it."""
    plan = arm.plan.over(plan)
    if arm.prompt is None:
        return plan
    return msgspec.structs.replace(plan, buyer=BUYER, seller=SELLER)


def _early(member: Member, design: Design) -> Step | None:
    """Return what is to be filled in before the games."""
    if member.ready_at:
        return None
    arm = arm_of(design, member)
    has_words = design.instructions or (arm and arm.instructions)
    if (has_words or checks(design, member.arm)) and not Answer.objects.filter(
        member=member, form="questions", question=READ
    ).exists():
        return "questions"
    is_answered = _is_answered(member, "before", asked(design.before, member.arm))
    return None if is_answered else "before"


def _is_answered(member: Member, form: str, questions: Sequence[Question]) -> bool:
    wanted = {one.name for one in questions}
    if not wanted:
        return True
    known = Answer.objects.filter(member=member, form=form)
    return wanted <= set(known.values_list("question", flat=True))


def _ready(member: Member, design: Design, study: Study) -> None:
    assign(member, design, study)
    Member.objects.filter(pk=member.pk, ready_at=None).update(ready_at=timezone.now())
    member.refresh_from_db(fields=["ready_at"])
    if hosting.plan_for(member).starts_itself:
        hosting.start(member.room)


def _is_over(member: Member, design: Design, played: int) -> bool:
    """Whether a member has played; who has waited too long comes to an end here."""
    if played >= hosting.plan_for(member).games or member.room.state == Room.State.OVER:
        return True
    if design.waiting.then == "end" and _waits_too_long(member, design):
        end(member, Member.End.WAITED)
    return False


def _waits_too_long(member: Member, design: Design) -> bool:
    since = presence.waits_since(member)
    most = dt.timedelta(seconds=design.waiting.most_s)
    return since is not None and timezone.now() - since > most
