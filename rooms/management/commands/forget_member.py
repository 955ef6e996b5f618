"""``manage.py forget_member``: one person of a room, with all that is kept of her."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q

from rooms.export.forgetting import forget_member, weigh_member
from rooms.models import Member


class Command(BaseCommand):
    """Says what it would delete, and deletes it when it is told to."""

    help = "Delete a person of a room with her games and answers; without --yes only say what."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id", help="the member's id, or CODE-NUMBER as in an export: ABCDEF-12")
        parser.add_argument("--yes", action="store_true", help="delete, for good")

    def handle(self, *args: Any, **options: Any) -> None:
        member = self._member(options["id"])
        gone = forget_member(member) if options["yes"] else weigh_member(member)
        told = f"number {member.number} of {member.room.code}: {gone.games} games, "
        told += f"{gone.answers} answers"
        if options["yes"]:
            self.stdout.write(f"Deleted {told}.")
        else:
            self.stdout.write(f"Would delete {told}. With --yes it is done, for good.")

    def _member(self, told: str) -> Member:
        code, _, number = told.upper().partition("-")
        known = Q(pk=told.lower())
        if number.isdecimal():
            known |= Q(room__code=code, number=int(number))
        member = Member.objects.select_related("room").filter(known).first()
        if member is None:
            raise CommandError(f"Nobody is known as {told!r}.")
        return member
