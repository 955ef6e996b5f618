"""``manage.py forget_rooms``: which rooms are over their time; with ``--yes``, delete them."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from rooms.export.forgetting import due, due_people, forget_member, forget_room, weigh, weigh_member


class Command(BaseCommand):
    """Says what it would delete, and deletes it when it is told to."""

    help = (
        "Delete rooms whose last day (keep_until) is over, and people who were promised a shorter "
        "time; without --yes only say which."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--yes", action="store_true", help="delete what was listed")

    def handle(self, *args: Any, **options: Any) -> None:
        rooms = list(due())
        for room in rooms:
            gone = forget_room(room) if options["yes"] else weigh(room)
            self.stdout.write(
                f"{'deleted' if options['yes'] else 'would delete'} {room.code} "
                f"“{room.name}”, kept until {room.keep_until}: {gone.members} people, "
                f"{gone.games} games, {gone.answers} answers"
            )
        people = [member for member in due_people() if member.room not in rooms]
        for member in people:
            code, number = member.room.code, member.number
            gone = forget_member(member) if options["yes"] else weigh_member(member)
            self.stdout.write(
                f"{'deleted' if options['yes'] else 'would delete'} number {number} of {code}, "
                f"who was promised a shorter time: {gone.games} games, {gone.answers} answers"
            )
        if not rooms and not people:
            self.stdout.write("No room is over its time.")
        elif not options["yes"]:
            self.stdout.write("Nothing was deleted. With --yes it is, for good.")
