"""What the gates remember: calls of models, refusals, broken backends, the operator's hand."""

from django.db import models

NAME_LENGTH = 20

CHECKPOINT_LENGTH = 80

CLIENT_LENGTH = 50


class ModelCall(models.Model):
    """The ledger: one row for every admitted call, written before the model is asked.

    A call has spent ``cost_microusd`` (millionths of a dollar) or, while that is unknown, its
    ``reserved_microusd``. ``client`` is forgotten after a month.
    """

    class State(models.TextChoices):
        """Where a call is in its life."""

        OPEN = "open"
        SETTLED = "settled"

    number = models.BigIntegerField(primary_key=True, editable=False)
    backend = models.CharField(max_length=NAME_LENGTH)
    client = models.CharField(max_length=CLIENT_LENGTH, blank=True)
    metered = models.BooleanField()
    probe = models.BooleanField(default=False)
    day = models.DateField()
    admitted_at = models.DateTimeField()
    lease_until = models.DateTimeField()
    reserved_microusd = models.BigIntegerField(default=0)
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    settled_at = models.DateTimeField(null=True, blank=True)
    code = models.CharField(max_length=40, blank=True)
    failed = models.BooleanField(default=False)
    cost_microusd = models.BigIntegerField(null=True, blank=True)
    latency_ms = models.PositiveIntegerField(null=True, blank=True)
    prompt_tokens = models.PositiveIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["-admitted_at"]
        indexes = [
            models.Index(
                fields=["day"], condition=models.Q(metered=True), name="metered_calls_of_a_day"
            ),
            models.Index(fields=["day", "backend"], name="calls_of_a_day"),
            models.Index(fields=["backend", "-admitted_at"], name="calls_of_a_backend"),
            models.Index(
                fields=["client", "admitted_at"],
                condition=models.Q(metered=True),
                name="metered_calls_of_a_client",
            ),
            models.Index(
                fields=["lease_until"],
                condition=models.Q(state="open", metered=True),
                name="metered_calls_under_way",
            ),
            models.Index(
                fields=["backend", "-admitted_at"],
                condition=models.Q(failed=True),
                name="failed_calls_of_a_backend",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.backend} call {self.number}"


class Switches(models.Model):
    """The operator's hand: one row, read and locked at every admission."""

    forced_backend = models.CharField(max_length=NAME_LENGTH, blank=True)
    checkpoint = models.CharField(max_length=CHECKPOINT_LENGTH, blank=True)
    metered_closed = models.BooleanField(default=False)
    changed_at = models.DateTimeField(null=True, blank=True)
    swept_on = models.DateField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = "Sauda today"
        verbose_name_plural = "Sauda today"

    def __str__(self) -> str:
        return "switches"


class BreakerRow(models.Model):
    """Whether a backend is left alone; see ``agents.gates.rules``."""

    backend = models.CharField(primary_key=True, max_length=NAME_LENGTH)
    failures = models.PositiveIntegerField(default=0)
    open_until = models.DateTimeField(null=True, blank=True)
    probe = models.BigIntegerField(null=True, blank=True)
    probe_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"breaker of {self.backend}"


class Trip(models.Model):
    """How often a gate was closed on a UTC day; ``client`` only where the gate is a client's."""

    day = models.DateField()
    gate = models.CharField(max_length=NAME_LENGTH)
    backend = models.CharField(max_length=NAME_LENGTH)
    client = models.CharField(max_length=CLIENT_LENGTH, blank=True)
    count = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        ordering = ["-day", "gate"]
        constraints = [
            models.UniqueConstraint(
                fields=["day", "gate", "backend", "client"], name="one_trip_row_per_day_and_gate"
            )
        ]

    def __str__(self) -> str:
        return f"{self.gate} closed to {self.backend} on {self.day}"
