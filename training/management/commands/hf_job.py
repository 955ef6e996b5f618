"""``manage.py hf_job``: training as a job of the Hugging Face hub."""

from argparse import ArgumentParser
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from negotiation.code_version import code_version
from training.evaluation.command import INTERRUPTED
from training.hub.allowed import HubError, NotAllowed
from training.hub.launching import KIND, Launch, cancel, find_launch, launch_of, look
from training.jobs.chains import spec_of
from training.models import Run
from training.runs import lifecycle
from training.runs.lifecycle import Busy
from training.stages.config import SIZES, STAGES, BadConfig

if TYPE_CHECKING:
    from training.hub.client import Hub


class Command(BaseCommand):
    """Launch, look, fetch, cancel, list and push; one launch is one job."""

    help = "Train on the Hugging Face hub: launch, status, fetch, cancel, list, push (docs/hub.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        deeds = parser.add_subparsers(dest="deed", required=True, metavar="DEED")
        launch = deeds.add_parser("launch", help="start a job")
        launch.add_argument("stage", nargs="?", help=", ".join(STAGES))
        launch.add_argument("--size", help=f"{', '.join(SIZES)} (mini, or large)")
        launch.add_argument("--name", help="of the run (the stage)")
        launch.add_argument("--from", dest="source", help="run or hub name of a model")
        launch.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
        launch.add_argument("--seed", help="0..999 (0)")
        launch.add_argument("--resume", metavar="RUN", help="a run that stopped, here or there")
        launch.add_argument("--repo", required=True, help="owner/name; what it makes goes there")
        launch.add_argument("--flavor", required=True, help="machine, for example a10g-large")
        launch.add_argument("--timeout", default="4h", help="like 90m, 4h or 1d (4h)")
        launch.add_argument("--ref", default="", help="commit, tag or branch of the code")
        launch.add_argument(
            "--secret", action="append", default=[], metavar="NAME", help="goes along, encrypted"
        )
        for name, words in (
            ("status", "ask the hub how a job is"),
            ("cancel", "end a job"),
        ):
            deeds.add_parser(name, help=words).add_argument("id", help="launch, run or job")
        fetch = deeds.add_parser("fetch", help="bring what a job has made here")
        fetch.add_argument("id", help="launch, run or job; with --repo a run")
        fetch.add_argument("--repo", default="", help="owner/name, for a run launched elsewhere")
        push = deeds.add_parser("push", help="upload a run's folder")
        push.add_argument("id", help="run")
        push.add_argument("--repo", required=True, help="owner/name")
        deeds.add_parser("list", help="show launches")

    def handle(self, *args: Any, **options: Any) -> None:
        deed = getattr(self, f"_{options['deed']}")
        try:
            deed(**options)
        except (HubError, BadConfig, Busy) as wrong:
            raise CommandError(str(wrong)) from wrong
        except KeyboardInterrupt:
            self.stderr.write("Interrupted; the job goes on.")
            raise SystemExit(INTERRUPTED) from None

    def _launch(self, **options: Any) -> None:
        from training.hub.launching import check, launch

        checked = check(
            code_version(),
            repo=options["repo"],
            flavor=options["flavor"],
            timeout=options["timeout"],
            ref=options["ref"],
            secrets=options["secret"],
        )
        row = launch(_hub(), _run_for(options), checked)
        self._tell(row, launch_of(row))
        self.stdout.write(f"See how it is with: manage.py hf_job status {row.pk}")

    def _status(self, **options: Any) -> None:
        row = find_launch(options["id"])
        self._tell(row, look(_hub(), row))

    def _cancel(self, **options: Any) -> None:
        row = find_launch(options["id"])
        self._tell(row, cancel(_hub(), row))

    def _fetch(self, **options: Any) -> None:
        from training.hub.transfer import fetch

        repo, run_id = options["repo"], options["id"]
        if not repo:
            launch = launch_of(find_launch(run_id))
            repo, run_id = launch.repo, launch.run
        run = fetch(_hub(), repo, run_id)
        self.stdout.write(f"{run.pk} is {run.status}. Files: {lifecycle.folder_of(run)}")

    def _push(self, **options: Any) -> None:
        from training.hub.allowed import check_repo
        from training.hub.transfer import Uploader

        run = _known(options["id"])
        pushed = Uploader(_hub(), check_repo(options["repo"]), run).push()
        self.stdout.write(f"{run.pk}: {pushed.files} files, {pushed.bytes / 1e6:.1f} MB uploaded.")

    def _list(self, **options: Any) -> None:
        for row in Run.objects.filter(kind=KIND).order_by("created_at"):
            self._tell(row, launch_of(row))

    def _tell(self, row: Run, launch: Launch) -> None:
        where = f" {launch.url}" if launch.url else ""
        stage = launch.stage.lower() or launch.state
        self.stdout.write(f"{row.pk}: {row.status} ({stage}), run {launch.run}{where}")
        if row.note:
            self.stdout.write(f"  {row.note}")


def _hub() -> "Hub":
    from training.hub.client import Hub

    return Hub()


def _run_for(options: dict[str, Any]) -> Run:
    if options["resume"]:
        return _known(options["resume"])
    spec = spec_of(options)
    if spec.is_chain:
        raise BadConfig(f"A job is one stage: {', '.join(STAGES)}.")
    run = spec.open_first()
    lifecycle.end(run, Run.Status.INTERRUPTED, "For a job of the hub.")
    return run


def _known(name: str) -> Run:
    run = Run.objects.filter(pk=name).exclude(kind=KIND).first()
    if run is None:
        raise NotAllowed(f"There is no run {name[:120]!r}.")
    return run
