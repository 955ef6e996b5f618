"""What is kept of work that takes long: one row for every run."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from django.db import models

from negotiation.sentences import sentences

say = sentences(__file__)

EVALUATE = "evaluate"


class Kind(msgspec.Struct, frozen=True):
    """A kind of run that the worker plays; ``unit`` is what its progress counts."""

    name: str
    title: str
    unit: str
    is_stage: bool = True


def _kind(name: str, unit: str, *, is_stage: bool = True) -> Kind:
    return Kind(name, say.texts("titles")[name], say.text(unit), is_stage)


ALL: tuple[Kind, ...] = (
    *(_kind(name, "steps")
      for name in ("league", "base", "sft", "grpo", "dpo", "large-sft", "large-grpo", "large-dpo",
                   "market-sft", "market-grpo", "voice-sft", "voice-dpo")),
    *(_kind(name, "bargains", is_stage=False)
      for name in (EVALUATE, "strangers", "ablation", "ceilings", "people")),
    _kind("market", "markets", is_stage=False),
)  # fmt: skip
"""In the order of the pipeline."""

KINDS: Mapping[str, Kind] = MappingProxyType({kind.name: kind for kind in ALL})


def kind_of(name: str) -> Kind:
    """Describe a kind, also one that another room plays (bots)."""
    return KINDS.get(name) or Kind(name, name.capitalize(), "bargains", is_stage=False)


def command_of(config: Mapping[str, Any]) -> str:
    """Name the management command that plays a run of this configuration.

    ``stage`` means ``train``: also the evaluation at a chain's end, whose plan needs its model.
    """
    return "train" if "stage" in config else "evaluate"


class Run(models.Model):
    """One run of a kind (``training.models``): what was asked, how far it is, what came out.

    Big things lie in files under ``folder``; ``summary`` is small enough for pages. ``seeds`` names
    the first seed and the number of games of each suite. ``alive_at`` is the last sign of its
    process. A run starts when the one it comes ``after`` is done; ``chain`` is the id of the first
    of a row of runs.
    """

    class Status(models.TextChoices):
        """Where the work is."""

        QUEUED = "queued", say.lazy("queued")
        RUNNING = "running", say.lazy("running")
        INTERRUPTED = "interrupted", say.lazy("interrupted")
        DONE = "done", say.lazy("done")
        FAILED = "failed", say.lazy("failed")
        CANCELLED = "cancelled", say.lazy("cancelled")

    id = models.SlugField(primary_key=True, max_length=100)
    kind = models.CharField(max_length=20, default="evaluate", db_index=True)
    name = models.CharField(max_length=60)
    after = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="followers"
    )
    chain = models.CharField(max_length=100, blank=True, db_index=True)
    config = models.JSONField(default=dict)
    code_version = models.CharField(max_length=60, blank=True)
    seeds = models.JSONField(default=dict, blank=True)
    machine = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=12, choices=Status, default=Status.QUEUED)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    folder = models.CharField(max_length=400, blank=True)
    summary = models.JSONField(null=True, blank=True)
    note = models.CharField(max_length=400, blank=True)
    cancel_asked = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    alive_at = models.DateTimeField(null=True, blank=True)
    published_at = models.DateTimeField(null=True, blank=True, db_index=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.id} ({self.kind}, {self.status})"

    @property
    def progress(self) -> float:
        """How much of it is done, 0..1."""
        return min(self.done / self.total, 1.0) if self.total else 0.0

    @property
    def is_at_work(self) -> bool:
        """Somebody works on it, or soon will."""
        return self.status in (self.Status.QUEUED, self.Status.RUNNING)

    @property
    def what(self) -> Kind:
        """Its kind, in words."""
        return kind_of(self.kind)

    @property
    def blocked_by(self) -> "Run | None":
        """The run before it that stopped without coming to its end, while this one waits."""
        before = self.after if self.status == self.Status.QUEUED else None
        while before is not None and before.status == self.Status.QUEUED:
            before = before.after
        stopped = (self.Status.INTERRUPTED, self.Status.FAILED, self.Status.CANCELLED)
        return before if before is not None and before.status in stopped else None

    def machine_words(self) -> str:
        """Name the machine in a few words."""
        facts: dict[str, Any] = self.machine
        return ", ".join(str(value) for value in facts.values())


class Order(models.Model):
    """Work that any worker may do: ``errand`` says how, ``asked`` and ``answer`` hold it.

    ``run`` is a run's id, or the name of something else that is spread; ``version`` says who may do
    it, ``failed`` what it raised. It is there only while whoever asked waits.
    """

    run = models.CharField(max_length=100)
    number = models.PositiveIntegerField()
    errand = models.CharField(max_length=20)
    version = models.TextField()
    asked = models.BinaryField()
    answer = models.BinaryField(null=True)
    failed = models.TextField(blank=True, default="")
    claimed_until = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["run", "number"]
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="one_order_a_number")]

    def __str__(self) -> str:
        return f"{self.run}#{self.number}"


def published_runs(kinds: Iterable[str]) -> models.QuerySet[Run]:
    """Return the finished runs of these kinds that everybody may see, oldest first."""
    runs = Run.objects.filter(kind__in=kinds, status=Run.Status.DONE, published_at__isnull=False)
    return runs.order_by("published_at", "pk")
