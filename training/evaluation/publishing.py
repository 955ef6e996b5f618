"""From a finished run to what everybody may see, and to a receipt that ships with the code."""

import gzip
import io
from pathlib import Path

from django.utils import timezone

from training.evaluation.errors import BrokenRun
from training.evaluation.folder import CONFIG, EPISODES, PACKED, RUN, SAMPLES, SUMMARY, Folder
from training.evaluation.journal import write_whole
from training.models import Run
from training.runs import lifecycle

LEVEL = 9


def publish(run: Run) -> None:
    """Show a finished run on the site, with its files to download.

    Raises:
        BrokenRun: it has not finished.
    """
    run.refresh_from_db()
    if run.status != Run.Status.DONE or run.summary is None:
        raise BrokenRun(f"{run.pk} is {run.status}; only a finished run can be published.")
    folder = Folder(lifecycle.folder_of(run))
    if not run.folder.startswith(lifecycle.RECEIPT):
        write_whole(folder.path / PACKED, [pack((folder.path / EPISODES).read_bytes())])
    run.published_at = timezone.now()
    run.save(update_fields=["published_at"])
    if not run.folder.startswith(lifecycle.RECEIPT):
        folder.describe(published_at=run.published_at.isoformat())


def write_receipt(run: Run, target: Path) -> None:
    """Copy what a receipt consists of: config, summary, packed bargains, and how it was made.

    Raises:
        BrokenRun: the run is not published.
    """
    if run.published_at is None:
        raise BrokenRun(f"{run.pk} is not published; publish it first.")
    source = lifecycle.folder_of(run)
    target.mkdir(parents=True, exist_ok=True)
    also = (SAMPLES,) if (source / SAMPLES).is_file() else ()
    for name in (CONFIG, SUMMARY, PACKED, RUN, *also):
        write_whole(target / name, [(source / name).read_bytes()])


def pack(data: bytes) -> bytes:
    """Compress; the same data gives the same bytes (no time and no name inside)."""
    packed = io.BytesIO()
    with gzip.GzipFile(
        fileobj=packed, mode="wb", compresslevel=LEVEL, mtime=0, filename=""
    ) as file:
        file.write(data)
    return packed.getvalue()
