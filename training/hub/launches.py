"""Launches: rows of the kind ``hf_job``, each written before its job is asked for."""

from typing import Any, Literal

import msgspec
from django.utils import timezone

from training.hub.allowed import AlreadyAsked, NotAllowed
from training.hub.client import ENDED, Hub, Job
from training.models import Run
from training.runs import lifecycle

KIND = "hf_job"
FACTS = "hf_job"
"""Where the facts stand in the row's configuration."""

SURELY_LISTED_S = 120.0
"""A job that the hub does not list so long after it was asked for was never started."""

State = Literal["asking", "asked", "over"]


class Launch(msgspec.Struct, frozen=True):
    """What is known of a job.

    ``state`` is "asking" from before the hub is asked until its answer is here: in between, nobody
    knows whether a job runs.
    """

    run: str
    repo: str
    flavor: str
    timeout_s: int
    image: str
    ref: str
    state: State = "asking"
    job: str = ""
    stage: str = ""
    url: str = ""

    @property
    def namespace(self) -> str:
        """Whose jobs and money."""
        return self.repo.partition("/")[0]


def open_launch(name: str, launch: Launch) -> Run:
    """Write a launch down, before anything is asked.

    Raises:
        AlreadyAsked: another launch of this run is under way, or one whose answer was lost.
    """
    for row in Run.objects.filter(kind=KIND, status=Run.Status.RUNNING):
        other = launch_of(row)
        if other.state == "asking" or other.run == launch.run:
            raise AlreadyAsked(
                f"{row.pk} may run already; see with: manage.py hf_job status {row.pk}"
            )
    return lifecycle.open_run(
        f"job-{name}"[:40].rstrip("-"),
        kind=KIND,
        config={FACTS: msgspec.structs.asdict(launch)},
        seeds={},
        total=0,
    )


def find_launch(name: str) -> Run:
    """Find a launch by its id, its run's id, or the hub's id of its job.

    Raises:
        NotAllowed: there is none.
    """
    rows = Run.objects.filter(kind=KIND)
    for found in (
        rows.filter(pk=name),
        rows.filter(**{f"config__{FACTS}__run": name}),
        rows.filter(**{f"config__{FACTS}__job": name}),
    ):
        row = found.order_by("-created_at").first()
        if row is not None:
            return row
    raise NotAllowed(f"There is no launch {name[:120]!r}; manage.py hf_job list shows them.")


def launch_of(row: Run) -> Launch:
    """Read the facts of a launch."""
    facts: dict[str, Any] = row.config[FACTS]
    return msgspec.convert(facts, Launch)


def note(row: Run, job: Job) -> Launch:
    """Write down what the hub says of a job, once and for all when it is over."""
    launch = msgspec.structs.replace(
        launch_of(row),
        state="over" if job.is_over else "asked",
        job=job.id,
        stage=job.stage,
        url=job.url,
    )
    row.config = {FACTS: msgspec.structs.asdict(launch)}
    row.alive_at = timezone.now()
    row.save(update_fields=["config", "alive_at"])
    if job.is_over and row.status == Run.Status.RUNNING:
        status, words = _ENDINGS[job.stage]
        lifecycle.end(row, status, f"{words} {job.message}".strip())
    return launch


def settle(hub: Hub, row: Run) -> Launch:
    """Find out what became of a launch whose answer was lost.

    Raises:
        AlreadyAsked: it cannot be known yet.
    """
    launch = launch_of(row)
    if launch.state != "asking":
        return launch
    job = hub.find_job(launch.namespace, row.pk)
    if job is not None:
        return note(row, job)
    if (timezone.now() - row.created_at).total_seconds() < SURELY_LISTED_S:
        raise AlreadyAsked(f"The hub does not list a job of {row.pk} yet; ask again in a minute.")
    launch = msgspec.structs.replace(launch, state="over")
    row.config = {FACTS: msgspec.structs.asdict(launch)}
    row.save(update_fields=["config"])
    lifecycle.end(row, Run.Status.FAILED, "The hub has no job of it: it was never started.")
    return launch


def look(hub: Hub, row: Run) -> Launch:
    """Ask the hub how a job is, and write it down; ``HubError`` where the hub does not say."""
    launch = settle(hub, row)
    return note(row, hub.job(launch.namespace, launch.job)) if launch.job else launch


def cancel(hub: Hub, row: Run) -> Launch:
    """End a job; one that is over stays as it is."""
    launch = look(hub, row)
    if launch.state != "over":
        hub.cancel_job(launch.namespace, launch.job)
        launch = look(hub, row)
    return launch


_ENDINGS: dict[str, tuple[str, str]] = {
    "COMPLETED": (Run.Status.DONE, ""),
    "CANCELED": (Run.Status.CANCELLED, "Cancelled."),
    "ERROR": (Run.Status.FAILED, "The job failed; launch it again with --resume."),
    "DELETED": (Run.Status.FAILED, "The job was deleted."),
}
assert set(_ENDINGS) == set(ENDED)
