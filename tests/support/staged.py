"""Runs of training for tests, without anything being trained."""

from pathlib import Path
from typing import Any

from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone

from training.models import Run
from training.runs import lifecycle
from training.stages.config import Stage
from training.stages.registry import make_config
from training.stages.running import open_stage

METRICS = (
    '{"step":1,"loss":2.5,"valid_json":0.1,"epoch":0.1}\n'
    '{"step":2,"loss":1.5,"valid_json":0.6,"epoch":0.2}\n'
    '{"step":3,"loss":0.5,"valid_json":0.9,"epoch":0.3}\n'
    '{"step":4,"lo'
)
CARD = (
    '{"format":"sauda@1","name":"sauda-toy:dpo","title":"Sauda toy","dialect":"compact",'
    '"prompt_version":"compact-2","stage":"dpo"}'
)


def a_stage(
    stage: Stage = "sft",
    *,
    name: str = "",
    after: Run | None = None,
    status: str = Run.Status.DONE,
    source: str = str(Path(__file__).parent),
) -> Run:
    """A toy stage as it stands in the database and on disk; done ones have a model."""
    told = "" if stage == "base" or after else source
    run = open_stage(make_config(stage, "toy"), name or stage, source=told, after=after, waits=True)
    folder = lifecycle.folder_of(run)
    folder.mkdir(parents=True)
    if status == Run.Status.DONE:
        leave_model(folder)
        ended: dict[str, Any] = {"summary": {"loss": 0.5, "share": {"mean": 0.4}}, "done": 1}
    else:
        ended = {}
    Run.objects.filter(pk=run.pk).update(status=status, ended_at=timezone.now(), **ended)
    run.refresh_from_db()
    return run


def leave_model(folder: Path) -> None:
    """What a finished stage leaves, with weights that no transformer could load."""
    (folder / "model").mkdir()
    (folder / "model" / "sauda.json").write_text(CARD)
    (folder / "model" / "model.safetensors").write_bytes(b"weights of " + folder.name.encode())
    (folder / "metrics.jsonl").write_text(METRICS)
    (folder / "summary.json").write_text('{"loss": 0.5}')


def signed_in(name: str, *permissions: str, is_staff: bool = True) -> Client:
    """A client of somebody with an account."""
    user = User.objects.create_user(name, is_staff=is_staff)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client
