"""What is stored of courses elsewhere: their platforms, who came from one, which marks are owed."""

from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.db import models

from negotiation.models import new_game_id
from negotiation.sentences import sentences

say = sentences(__file__)

AT_HOME = ("localhost", "127.0.0.1", "::1")
"""Hosts that are this machine: only they may be spoken to without TLS."""


def origin_of(address: str) -> str:
    """Return scheme, host and port of an address; "" where it is none that we would ask.

    >>> origin_of("https://school.example/mod/lti/auth.php?a=1")
    'https://school.example'
    >>> origin_of("http://school.example/"), origin_of("javascript:alert(1)")
    ('', '')
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    # What stands here goes into a header: nothing that could end a directive.
    if not host or not all(c.isalnum() or c in ".-:" for c in host):
        return ""
    if parts.scheme != "https" and not (parts.scheme == "http" and host in AT_HOME):
        return ""
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}{f':{port}' if port else ''}"


def _is_an_address(value: str) -> None:
    if not origin_of(value):
        raise ValidationError(say("write_a_whole_address_with_https"))


class LtiPlatform(models.Model):
    """A Moodle, Canvas or other platform whose courses may send people here.

    ``deployments`` and ``also`` have one on each line: the deployments that count, and origins,
    besides those of the addresses, that marks may be sent to. ``invite`` is the digest of the link
    by which a platform may register itself once, for a while after ``invited_at``: of such a row
    the name and the issuer alone are known, and it is not active until staff says so.
    """

    name = models.CharField(max_length=80)
    issuer = models.CharField(max_length=255)
    client_id = models.CharField(say.lazy("client_id"), max_length=255)
    deployments = models.TextField(help_text=say.lazy("deployment_ids_one_on_each_line"))
    login_url = models.CharField(
        say.lazy("address_of_the_login"), max_length=500, validators=[_is_an_address]
    )
    token_url = models.CharField(
        say.lazy("address_of_tokens"), max_length=500, validators=[_is_an_address]
    )
    keys_url = models.CharField(
        say.lazy("address_of_the_public_keys"), max_length=500, validators=[_is_an_address]
    )
    audience = models.CharField(
        max_length=500, blank=True, default="", help_text=say.lazy("whom_tokens_are_asked_of_where")
    )
    also = models.TextField(
        say.lazy("further_origins"),
        blank=True,
        default="",
        help_text=say.lazy("origins_that_marks_may_go_to"),
    )
    is_active = models.BooleanField(default=True)
    invite = models.CharField(max_length=64, blank=True, default="", editable=False)
    invited_at = models.DateTimeField(null=True, blank=True, editable=False)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        verbose_name = "LTI platform"
        constraints = [
            models.UniqueConstraint(fields=["issuer", "client_id"], name="one_platform_per_client")
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Refuse origins that are none."""
        for line in self.also.split():
            _is_an_address(line)

    def has_deployment(self, deployment: str) -> bool:
        """Whether staff has named this deployment."""
        return deployment in (line.strip() for line in self.deployments.splitlines())

    def origins(self) -> tuple[str, ...]:
        """Return whom the site speaks with for this platform, and who may frame it."""
        said = (self.login_url, self.token_url, self.keys_url, self.issuer, *self.also.split())
        return tuple(dict.fromkeys(filter(None, map(origin_of, said))))


class LtiLaunch(models.Model):
    """Somebody whom a platform has sent, as its signed message says; kept for an hour.

    ``nonce`` makes each message count once, in however many processes. ``state`` is the cookie of
    the browser that came. ``told`` is a ``launching.Told`` as JSON; ``room`` what a teacher chose.
    """

    id = models.CharField(primary_key=True, max_length=12, default=new_game_id, editable=False)
    platform = models.ForeignKey(LtiPlatform, on_delete=models.CASCADE)
    nonce = models.CharField(max_length=64, unique=True)
    state = models.CharField(max_length=80)
    told = models.JSONField()
    room = models.ForeignKey("rooms.Room", null=True, blank=True, on_delete=models.CASCADE)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = "LTI launch"
        verbose_name_plural = "LTI launches"

    def __str__(self) -> str:
        return f"{self.platform}: {self.id}"


class LtiCourse(models.Model):
    """A course with a link to a room; at ``people_url`` its platform tells who is in it.

    That is asked when a host wants to know, and kept nowhere.
    """

    platform = models.ForeignKey(LtiPlatform, on_delete=models.CASCADE)
    room = models.ForeignKey("rooms.Room", on_delete=models.CASCADE, related_name="lti_courses")
    people_url = models.CharField(max_length=500)

    class Meta:
        verbose_name = "LTI course"
        constraints = (
            models.UniqueConstraint(
                fields=("platform", "room", "people_url"), name="one_lti_course"
            ),
        )

    def __str__(self) -> str:
        return f"{self.platform}: {self.room}"


class LtiSeat(models.Model):
    """A member who came from a course, known there as ``sub``; and the mark that is owed.

    ``marks`` is where they go, as the platform has told it: ``lineitem``, ``lineitems``, ``scope``.
    ``mark`` is owed since ``mark_at``, ``sent`` is what the platform has. ``try_at`` is the moment
    of the next try, None: nothing is to be done; ``problem`` says why the last one failed.
    """

    class Problem(models.TextChoices):
        """Why a mark is not there."""

        AWAY = "away", say.lazy("the_platform_does_not_answer")
        REFUSED = "refused", say.lazy("the_platform_refuses_it")
        NO_PLACE = "no-place", say.lazy("the_course_has_no_place_for")
        ELSEWHERE = "elsewhere", say.lazy("its_address_is_not_one_of")
        UNREADABLE = "unreadable", say.lazy("the_platforms_answer_makes_no_sense")

    platform = models.ForeignKey(LtiPlatform, on_delete=models.CASCADE)
    room = models.ForeignKey("rooms.Room", on_delete=models.CASCADE, related_name="lti_seats")
    member = models.OneToOneField("rooms.Member", on_delete=models.CASCADE, related_name="lti_seat")
    sub = models.CharField(max_length=255)
    link = models.CharField(max_length=255, blank=True, default="")
    marks = models.JSONField(default=dict, blank=True)
    mark = models.FloatField(null=True, blank=True)
    mark_at = models.DateTimeField(null=True, blank=True)
    sent = models.FloatField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    try_at = models.DateTimeField(null=True, blank=True, db_index=True)
    problem = models.CharField(max_length=10, choices=Problem, blank=True, default="")

    class Meta:
        verbose_name = "LTI seat"
        constraints = [
            models.UniqueConstraint(fields=["platform", "room", "sub"], name="one_seat_per_sub")
        ]

    def __str__(self) -> str:
        return f"{self.platform}: {self.member}"
