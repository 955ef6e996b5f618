"""``manage.py export_training``: what people agreed that models learn from, ready to be read."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from agents.dialects.compact import DIALECTS, dialect
from training.data.consented import LEAST_GAMES, TooFewGames, consented, write_consented


class Command(BaseCommand):
    """Reads games with ``may_train`` alone, and writes a folder that stages and the fit read."""

    help = "Write games whose people agreed to it as lessons and dialogues (docs/training.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dialect", choices=list(DIALECTS), default="compact")
        parser.add_argument(
            "--name", default="from-people", help="of the folder in corpora/ (from-people)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"]
        if Path(name).name != name or name.startswith("."):
            raise CommandError("A name is one word, without folders.")
        folder = Path(settings.CORPORA_DIR) / name
        try:
            write_consented(folder, dialect(options["dialect"]), self.stdout.write)
        except TooFewGames:
            raise CommandError(
                f"{consented().count()} games may be learned from; "
                f"below {LEAST_GAMES} nothing is written."
            ) from None
