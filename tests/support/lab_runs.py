"""Stages of a lab that were played elsewhere, as rows of this test's database."""

import json

from django.utils import timezone

from tests.support.small_stages import Left
from training.models import Run
from training.runs import lifecycle


def adopt(left: Left, name: str, after: Run | None = None) -> Run:
    """Write a finished stage down, with the files it has left."""
    config = json.loads((left.folder / "config.json").read_text())
    run = lifecycle.open_run(
        name,
        kind=config["stage"],
        config=config,
        seeds={},
        total=1,
        folder=left.folder,
        after=after,
    )
    now = timezone.now()
    Run.objects.filter(pk=run.pk).update(
        status=Run.Status.DONE, summary=left.summary, started_at=now, ended_at=now
    )
    run.refresh_from_db()
    return run
