"""What is stored of rooms: the room, who is in it, what they play; of studies, what they answer."""

import secrets

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from negotiation.models import ID_ALPHABET, Game, new_game_id
from rooms.lti_models import LtiCourse as LtiCourse
from rooms.lti_models import LtiLaunch as LtiLaunch
from rooms.lti_models import LtiPlatform as LtiPlatform
from rooms.lti_models import LtiSeat as LtiSeat

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Letters that people can read from a wall and say aloud: no I, no O."""

CODE_LENGTH = 6


def new_code() -> str:
    """Draw a code of six letters: 191 million of them, so that few tries find nothing."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def new_key() -> str:
    """Draw an unguessable key of 24 characters, for a personal link."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(24))


class Room(models.Model):
    """People who come together; ``plan`` is a ``plan.Plan`` as JSON.

    Members see only their own games until ``is_open``: then the debrief and every game of the room
    are theirs to look at, by name where ``is_named``. ``desk_session`` is where its host sits now.
    ``notice`` stands on everybody's page; while ``is_paused`` nobody moves and no game begins.
    ``rubric`` names the marks that its host gives beside the figures; each member sees the own ones
    and the comment once ``is_graded``. ``survey`` are up to three questions, each with its kind,
    after the last game, ``sheet`` what each person writes down before the first one, for which no
    clock runs for ``sheet_min`` minutes; ``puzzles`` are the ids of those that a class solves.
    With a ``due_at`` it is homework: open from ``opens_at`` until then, each comes when they like,
    and from ``alone_from`` on whoever has no partner plays the house; ``zone`` is whose clock its
    pages show. ``course_mark`` is what goes to the courses that people came from.
    ``ready`` names the ready-made room that it was opened from. ``version`` grows with every change
    that somebody may want to see.
    """

    class State(models.TextChoices):
        """Where the room is in its life."""

        GATHERING = "gathering"
        PLAYING = "playing"
        OVER = "over"

    class CourseMark(models.TextChoices):
        """What a course gets as the mark of somebody who came from there."""

        SHARE = "share"
        PART = "part"

    id = models.CharField(primary_key=True, max_length=12, default=new_game_id, editable=False)
    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="rooms"
    )
    desk_session = models.CharField(max_length=40, blank=True, default="", db_index=True)
    name = models.CharField(max_length=80)
    plan = models.JSONField()
    state = models.CharField(max_length=10, choices=State, default=State.GATHERING)
    ready = models.CharField(max_length=40, blank=True, default="")
    version = models.PositiveIntegerField(default=0)
    is_open = models.BooleanField(default=False)
    is_named = models.BooleanField(default=False)
    notice = models.CharField(max_length=200, blank=True, default="")
    is_paused = models.BooleanField(default=False)
    rubric = models.JSONField(default=list, blank=True)
    is_graded = models.BooleanField(default=False)
    survey = models.JSONField(default=list, blank=True)
    course_mark = models.CharField(max_length=5, choices=CourseMark, default=CourseMark.SHARE)
    sheet = models.JSONField(default=list, blank=True)
    puzzles = models.JSONField(default=list, blank=True)
    sheet_min = models.PositiveSmallIntegerField(default=10)
    opens_at = models.DateTimeField(null=True, blank=True)
    alone_from = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)
    zone = models.CharField(max_length=40, default="UTC")
    made_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    over_at = models.DateTimeField(null=True, blank=True)
    keep_until = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.code})"

    def get_absolute_url(self) -> str:
        """Address at which people come in."""
        return reverse("room", args=[self.code])


class CoHost(models.Model):
    """Somebody who leads a room beside its host; ``session`` is where that account sits now."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="cohosts")
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="cohosted"
    )
    session = models.CharField(max_length=40, blank=True, default="", db_index=True)

    class Meta:
        ordering = ["room", "id"]
        constraints = [
            models.UniqueConstraint(fields=["room", "account"], name="one_cohost_per_account")
        ]

    def __str__(self) -> str:
        return f"{self.account} in {self.room_id}"


class LastLogin(models.Model):
    """From where an account came in last: a digest of the address, which counts passwords apart."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="last_login_from"
    )
    place = models.CharField(max_length=32)

    def __str__(self) -> str:
        return f"last login of {self.account}"


class Member(models.Model):
    """Somebody in a room: no account, a nickname and a personal link.

    ``session`` is where this person sits now: the session key that owns the games. The link moves
    it to another browser, at ``moved_at``; ``first_session`` is then the browser where it began, as
    long as nobody else sits there. Until ``movable_until`` the host lets it move by the external
    id alone. ``number`` counts from 1 in each room. A study's member also has an
    ``external_id``, an ``arm`` and the ``slot`` in the drawn order of arms; is ``ready_at`` the
    moment when nothing is to be filled in before the games; and comes to an ``end``. ``promise`` is
    what this person agreed to about data and pay (``study.promises``).

    ``name_key`` folds the nickname, so that no two in a room look alike. ``dealt`` counts the games
    that this person was given: whoever raises it by one gives the next. ``left_at`` is set for
    whoever is out, ``is_removed`` where the host said so. ``seen_at`` is the last sign of life in
    the lobby, ``came_at`` when this person came there, ``here_until`` how long that holds unless
    another sign comes (both None: not there since the last game began); ``closed_pages`` are the
    pages of it that were closed last. ``presence`` reads and writes them.

    ``conditions`` names for each game of a study's member the condition that it is played under.

    ``seated_with`` is whom the host put opposite for the next game; it holds while both say so.
    ``comment`` and ``marks``, by the places of the room's ``rubric``, are the host's; ``graded``
    counts how often they were written, so that of two hosts none writes over the other unseen.
    """

    class End(models.TextChoices):
        """How somebody's part in a study came to its end, at ``finished_at``."""

        FINISHED = "finished", "Came to the end"
        SCREENED = "screened", "Sent away after the questions"
        WAITED = "waited", "Nobody came to play with"

    id = models.CharField(primary_key=True, max_length=12, default=new_game_id, editable=False)
    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="members")
    number = models.PositiveIntegerField()
    nickname = models.CharField(max_length=40)
    name_key = models.CharField(max_length=80, blank=True, default="")
    key = models.CharField(max_length=24, unique=True, default=new_key)
    session = models.CharField(max_length=40, db_index=True)
    first_session = models.CharField(max_length=40, blank=True, default="", db_index=True)
    moved_at = models.DateTimeField(null=True, blank=True)
    movable_until = models.DateTimeField(null=True, blank=True)
    joined_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(null=True, blank=True)
    came_at = models.DateTimeField(null=True, blank=True)
    here_until = models.DateTimeField(null=True, blank=True)
    closed_pages = models.CharField(max_length=60, blank=True, default="")
    left_at = models.DateTimeField(null=True, blank=True)
    is_removed = models.BooleanField(default=False)
    dealt = models.PositiveSmallIntegerField(default=0)
    may_quote = models.BooleanField(default=False)
    may_train = models.BooleanField(default=False)
    external_id = models.CharField(max_length=128, blank=True, default="")
    arm = models.CharField(max_length=40, blank=True, default="")
    slot = models.PositiveIntegerField(null=True, blank=True)
    conditions = models.JSONField(default=list, blank=True)
    consented_at = models.DateTimeField(null=True, blank=True)
    ready_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    end = models.CharField(max_length=10, choices=End, blank=True, default="")
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    is_pilot = models.BooleanField(default=False)
    promise = models.JSONField(null=True, blank=True)
    seated_with = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    comment = models.TextField(blank=True, default="")
    marks = models.JSONField(default=list, blank=True)
    graded = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["room", "number"]
        constraints = [
            models.UniqueConstraint(fields=["room", "number"], name="one_member_per_number"),
            models.UniqueConstraint(
                fields=["room", "session"],
                name="one_member_per_browser",
                condition=~models.Q(session=""),
            ),
            models.UniqueConstraint(
                fields=["room", "name_key"],
                name="one_member_per_nickname",
                condition=~models.Q(name_key=""),
            ),
            models.UniqueConstraint(
                fields=["room", "external_id", "is_pilot"],
                name="one_member_per_external_id",
                condition=~models.Q(external_id=""),
            ),
            models.UniqueConstraint(
                fields=["room", "slot", "is_pilot"],
                name="one_member_per_slot",
                condition=models.Q(slot__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.nickname} ({self.number})"

    def condition_in(self, game: int = 0) -> str:
        """Return the condition of a game, of the next one where none is named; "": there is none.

        After the last game it is that of the last.
        """
        at = min(game or self.dealt + 1, len(self.conditions))
        return str(self.conditions[at - 1]) if at else ""

    @property
    def order(self) -> tuple[str, ...]:
        """The conditions in the order in which this person plays them."""
        return tuple(dict.fromkeys(map(str, self.conditions)))

    @property
    def is_movable(self) -> bool:
        """Whether the host lets this seat move to another browser now."""
        return self.movable_until is not None and self.movable_until > timezone.now()


class SeatEvent(models.Model):
    """What happened to a seat beside the games: who reads it learns of tries to take one.

    ``member`` is None where nobody has the id that was tried; neither id nor address is kept.
    """

    class Kind(models.TextChoices):
        """What it was."""

        UNFILLED = "unfilled", gettext_lazy("came by a link without an id filled in")
        REFUSED = "refused", gettext_lazy("an id was tried at another browser, and refused")
        LIMITED = "limited", gettext_lazy("no more ids were heard from one address for a while")
        ALLOWED = "allowed", gettext_lazy("the host let this seat move to another browser")
        BY_HOST = "by-host", gettext_lazy("moved to another browser, as the host let it")
        BY_ID = "by-id", gettext_lazy("moved to another browser by its long id")
        BY_LINK = "by-link", gettext_lazy("moved to another browser by the personal link")
        BY_COURSE = "by-course", gettext_lazy("moved to another browser from the course")
        BACK = "back", gettext_lazy("moved back to the browser where it began")
        TOO_SOON = "too-soon", gettext_lazy("wanted to leave the study too soon after a move")
        WITHDRAWN = "withdrawn", gettext_lazy("left the study")

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="seat_events")
    member = models.ForeignKey(
        Member, null=True, blank=True, on_delete=models.CASCADE, related_name="seat_events"
    )
    kind = models.CharField(max_length=10, choices=Kind)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["room", "-at"], name="seat_events_of_a_room")]

    def __str__(self) -> str:
        return f"{self.room_id} {self.at:%Y-%m-%d %H:%M} {self.kind}"


class RoomGame(models.Model):
    """One game of a room, of its round 1, 2, ...; a seat without a member is the house's.

    ``closed`` says, from its end on, why that was not its own: ``clock``, ``absent`` or ``closed``
    as its log has it, ``deadline-seller`` or ``-buyer`` for who had the turn longer before that,
    ``replaced`` where the house has taken the seat of somebody who went.
    """

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="games")
    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="in_room")
    round = models.PositiveSmallIntegerField()
    seller = models.ForeignKey(
        Member, null=True, blank=True, on_delete=models.SET_NULL, related_name="sales"
    )
    buyer = models.ForeignKey(
        Member, null=True, blank=True, on_delete=models.SET_NULL, related_name="purchases"
    )
    closed = models.CharField(max_length=20, blank=True, default="")
    opened_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["room", "round", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["seller", "round"],
                name="one_sale_per_round",
                condition=models.Q(seller__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["buyer", "round"],
                name="one_purchase_per_round",
                condition=models.Q(buyer__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.room_id}/{self.round}: {self.game_id}"

    def is_played_by(self, member: Member) -> bool:
        """Whether a member sits in this game now: the house may have taken the seat."""
        return self.game.status == Game.Status.LIVE and member.session in (
            self.game.owner,
            self.game.rival,
        )


class Study(models.Model):
    """What a study adds to a room; ``design`` is a ``study.design.Design`` as JSON.

    ``seed`` fixes the drawn order of arms. ``stopped_at``: nobody comes in any more.
    """

    room = models.OneToOneField(Room, on_delete=models.CASCADE, related_name="study")
    design = models.JSONField()
    seed = models.BigIntegerField()
    is_pilot = models.BooleanField(default=True)
    stopped_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "studies"

    def __str__(self) -> str:
        return f"study of {self.room}"


class PromptTurn(models.Model):
    """What a model was asked in a game by the words of a study, and what it answered.

    ``asked`` is the list of messages, ``played`` what came of it after all checks.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="prompt_turns")
    round = models.PositiveSmallIntegerField()
    side = models.CharField(max_length=6)
    asked = models.JSONField()
    temperature = models.FloatField()
    answer = models.TextField(blank=True)
    played = models.JSONField()
    backend = models.CharField(max_length=40, blank=True)
    version = models.CharField(max_length=80, blank=True)
    waited_ms = models.PositiveIntegerField()
    passed_over = models.JSONField(default=list, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["game", "id"]

    def __str__(self) -> str:
        return f"{self.game_id} {self.round} {self.backend}"


class Answer(models.Model):
    """What a member answered to one question of a form, ``tries`` counted from 1."""

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="answers")
    form = models.CharField(max_length=20)
    question = models.CharField(max_length=40)
    value = models.JSONField()
    tries = models.PositiveSmallIntegerField(default=1)
    is_right = models.BooleanField(null=True, blank=True)
    given_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["member", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["member", "form", "question"], name="one_answer_per_question"
            )
        ]

    def __str__(self) -> str:
        return f"{self.member_id} {self.form}.{self.question}"
