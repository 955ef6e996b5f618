"""Show a finished run of any kind to everybody, or hide it again."""

from django.utils import timezone

from training import runs
from training.artifacts import MODEL, pack_model
from training.evaluation import published
from training.evaluation.errors import BrokenRun
from training.models import Run


def publish(run: Run) -> None:
    """Show a finished run, with its files to download.

    Raises:
        BrokenRun: it has not finished.
    """
    if not run.what.is_stage:
        published.publish(run)
        return
    run.refresh_from_db()
    if run.status != Run.Status.DONE or run.summary is None:
        raise BrokenRun(f"{run.pk} is {run.status}; only a finished run can be published.")
    folder = runs.folder_of(run)
    if (folder / MODEL).is_dir():
        pack_model(folder)
    Run.objects.filter(pk=run.pk).update(published_at=timezone.now())


def withdraw(run: Run) -> None:
    """Show it to staff only."""
    Run.objects.filter(pk=run.pk).update(published_at=None)
