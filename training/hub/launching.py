"""Jobs: checked, written down before they are asked for, asked for once, and settled."""

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from django.conf import settings
from django.utils import timezone

from negotiation.code_version import CHANGED
from training.hub.allowed import (
    AlreadyAsked,
    HubError,
    NotAllowed,
    Unreachable,
    check_flavor,
    check_id,
    check_image,
    check_ref,
    check_repo,
    seconds_of,
)
from training.hub.client import ENDED, Hub, Job
from training.hub.transfer import Uploader
from training.models import Run
from training.runs import lifecycle
from training.runs.lifecycle import alone

KIND = "hf_job"
ALWAYS = "HF_TOKEN"  # The secret that every job needs, to push what it makes
FACTS = "hf_job"  # Where the facts stand in the row's configuration

SURELY_LISTED_S = 120.0
"""A job that the hub does not list so long after it was asked for was never started."""

State = Literal["asking", "asked", "over"]


class Launch(msgspec.Struct, frozen=True):
    """What is known of a job; ``state`` is "asking" while the hub's answer is not here."""

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
    """Write a launch down before anything is asked; AlreadyAsked when another is not over."""
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
    """Find a launch by its id, its run's id, or the hub's id of its job; NotAllowed."""
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
    row.alive_at = timezone.now()
    _save(row, launch)
    if job.is_over and row.status == Run.Status.RUNNING:
        status, words = _ENDINGS[job.stage]
        lifecycle.end(row, status, f"{words} {job.message}".strip())
    return launch


def settle(hub: Hub, row: Run) -> Launch:
    """Find out what became of a launch whose answer was lost; AlreadyAsked: not known yet."""
    launch = launch_of(row)
    if launch.state != "asking":
        return launch
    job = hub.find_job(launch.namespace, row.pk)
    if job is not None:
        return note(row, job)
    if (timezone.now() - row.created_at).total_seconds() < SURELY_LISTED_S:
        raise AlreadyAsked(f"The hub does not list a job of {row.pk} yet; ask again in a minute.")
    return _fail(row, launch, "The hub has no job of it: it was never started.")


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


SCRIPT = """\
set -eu
source=$1 ref=$2 repo=$3 run=$4
if [ -n "$source" ]; then
    git clone --quiet -- "$source" bazaar
    cd bazaar
    git checkout --quiet --detach "$ref"
    python -m pip install --quiet -c constraints.txt '.[site,train,gpu]'
fi
python manage.py migrate --verbosity 0
python manage.py hf_job fetch "$run" --repo "$repo"
exec python manage.py train --resume "$run" --hub-repo "$repo"
"""
"""Values come as arguments, so that none of them is ever read as a command."""


class Checked(msgspec.Struct, frozen=True):
    """A launch that is allowed; ``secrets`` are values and never shown."""

    facts: Launch
    secrets: dict[str, str]

    def __repr__(self) -> str:
        return f"Checked({self.facts})"


def check(
    code: str,
    *,
    repo: str,
    flavor: str,
    timeout: str,
    ref: str = "",
    secrets: Iterable[str] = (),
) -> Checked:
    """Check a wish against what the operator allows; NotAllowed before anything is written.

    Args:
        code: the version that runs here, and in the job where ``ref`` names no other.
        repo: ``owner/name``, whose owner pays.
        flavor: of machine.
        timeout: like 4h.
        ref: another version of the code.
        secrets: names of variables that go along besides ``HF_TOKEN``.
    """
    return Checked(
        Launch(
            run="",
            repo=check_repo(repo),
            flavor=check_flavor(flavor),
            timeout_s=seconds_of(timeout),
            image=check_image(settings.JOB_IMAGE),
            ref=check_ref(ref or _pushed(code)),
        ),
        {name: _secret(name) for name in dict.fromkeys((ALWAYS, *secrets))},
    )


def launch(hub: Hub, run: Run, wish: Checked) -> Run:
    """Start one job for a run. Whatever happens, it is not asked for twice.

    Raises:
        HubError: no job runs; or, as the message says, nobody knows.
        Busy: somebody works in the run's folder here, or launches it at this moment.
    """
    _check_run(run)
    folder = lifecycle.folder_of(run)
    folder.mkdir(parents=True, exist_ok=True)
    with alone(folder):
        return _launch(hub, run, wish)


def _launch(hub: Hub, run: Run, wish: Checked) -> Run:
    facts = msgspec.structs.replace(wish.facts, run=run.pk)
    row = open_launch(run.name, facts)
    try:
        for one in (run.after, run):
            if one is not None:
                Uploader(hub, facts.repo, one).push()
    except (HubError, OSError) as wrong:
        _fail(row, facts, f"No job was started: {wrong}")
        raise
    asked = {
        "image": facts.image,
        "command": [
            "bash",
            "-c",
            SCRIPT,
            "job",
            settings.JOB_SOURCE,
            facts.ref,
            facts.repo,
            run.pk,
        ],
        "env": {
            "BAZAAR_HUB_REPOS": facts.repo,
            "BAZAAR_COMMIT": facts.ref,
            "BAZAAR_DATA_DIR": "/tmp/bazaar",  # noqa: S108  the container is ours alone
            "PYTHONUNBUFFERED": "1",
            "BAZAAR_TRAINABLE_MODELS": ",".join(sorted(settings.TRAINABLE_MODELS)),
            "HF_ENDPOINT": settings.HUB["url"],
            **_judge(),
        },
        "secrets": wish.secrets,
        "flavor": facts.flavor,
        "timeout": facts.timeout_s,
    }
    try:
        job = hub.run_job(facts.namespace, row.pk, asked)
    except Unreachable:
        # The question may have arrived: the row stays as it is until the hub is asked.
        raise
    except HubError as wrong:
        _fail(row, facts, f"No job was started: {wrong}")
        raise
    note(row, job)
    Run.objects.filter(pk=run.pk).update(
        note=f"At work on the hub; manage.py hf_job fetch {row.pk}"
    )
    return row


def _check_run(run: Run) -> None:
    check_id(run.pk)
    if run.is_at_work or run.status == Run.Status.DONE:
        raise NotAllowed(f"{run.pk} is {run.status}; only a run that stopped can go on elsewhere.")
    source = str(run.config.get("source", ""))
    if run.after is None and source and source not in settings.TRAINABLE_MODELS:
        raise NotAllowed(
            f"A job cannot begin with {source[-80:]!r}: name a run, or a model that "
            "BAZAAR_TRAINABLE_MODELS allows."
        )


def _save(row: Run, launch: Launch) -> None:
    row.config = {FACTS: msgspec.structs.asdict(launch)}
    row.save(update_fields=["config", "alive_at"])


def _fail(row: Run, launch: Launch, why: str) -> Launch:
    launch = msgspec.structs.replace(launch, state="over")
    _save(row, launch)
    lifecycle.end(row, Run.Status.FAILED, why)
    return launch


def _judge() -> dict[str, str]:
    # The key of the judge that is set here is a secret of its own.
    told = settings.JUDGE
    if not told["url"]:
        return {}
    return {
        "BAZAAR_JUDGE_URL": told["url"],
        "BAZAAR_JUDGE_MODEL": told["model"],
        "BAZAAR_JUDGE_CALLS": str(told["calls"]),
    }


def _secret(name: str) -> str:
    if name not in settings.JOB_SECRETS:
        known = ", ".join(settings.JOB_SECRETS) or "none"
        raise NotAllowed(f"{name[:60]!r} is no secret that is set here; there is {known}.")
    value: str = settings.JOB_SECRETS[name]
    return value


def _pushed(code: str) -> str:
    if not code or code.endswith(CHANGED):
        raise NotAllowed("The code here is no commit that a job could get; name one with --ref.")
    return code
