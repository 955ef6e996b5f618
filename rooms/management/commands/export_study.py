"""``manage.py export_study``: a study's data in a folder, or a check of such a folder."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from rooms.export.checking import CheckResult, check
from rooms.export.writing import TIMES, NoStudy, Times, export_to
from rooms.models import Room


class Command(BaseCommand):
    """Writes what the host of a study gets with one click."""

    help = "Write the data of a study (docs/exports.md), or check what was written."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", nargs="?", help="the room's code of six letters")
        parser.add_argument("--out", type=Path, help="folder to write into; new or empty")
        parser.add_argument(
            "--times", choices=TIMES, default="exact", help="how much of each moment is written"
        )
        parser.add_argument(
            "--check",
            type=Path,
            metavar="DIR",
            help="play all games of an export (a folder or a zip) again and compare every byte",
        )

        parser.add_argument(
            "--ask",
            action="store_true",
            help="with --check: policies of the same version also move again",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["check"]:
            self._check(options["check"], options["ask"])
        elif options["code"] and options["out"]:
            self._export(options["code"].upper(), options["out"], options["times"])
        else:
            raise CommandError("Say which: export_study CODE --out DIR, or --check DIR.")

    def _export(self, code: str, folder: Path, times: Times) -> None:
        room = Room.objects.filter(code=code).first()
        if room is None:
            raise CommandError(f"There is no room {code!r}.")
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise CommandError(f"{folder} is not empty: an export goes into a folder of its own.")
        try:
            told = export_to(room, folder, times=times)
        except NoStudy:
            raise CommandError(f"{NoStudy.__doc__}") from None
        counts = ", ".join(f"{count} {name}" for name, count in told["rows"].items())
        self.stdout.write(f"{folder}: {counts}.")
        left = ", ".join(f"{name} {count}" for name, count in told["left_out"].items() if count)
        self.stdout.write(f"Left out: {left or 'nothing'}.")

    def _check(self, path: Path, ask: bool) -> None:
        found = check(path, ask=ask)
        for fault in found.faults:
            self.stderr.write(fault)
        if found.faults:
            raise CommandError(f"{path}: {len(found.faults)} faults.")
        self.stdout.write(
            f"{path}: sums right, {found.rows} rows, {found.games} games played again, "
            f"{found.events} events the same to the byte."
        )
        self.stdout.write(_whose(found))
        if ask:
            self.stdout.write(
                f"{found.asked} moves were asked of the same policies again, "
                f"{found.same} came out the same."
            )


def _whose(found: CheckResult) -> str:
    if not found.signer:
        return "Not signed: whoever changed a file could have changed its sum, too."
    if found.is_ours:
        return f"Every file is signed by this house, key {found.signer}."
    return f"Signed by another house, key {found.signer}."
