"""Make an account for a host, and say its password once."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from rooms.hosting import new_password


class Command(BaseCommand):
    """Makes an account that may open rooms."""

    help = "Make an account that may open rooms; its password is printed once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--new-password", action="store_true", help="for an account that is")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["name"]
        host = User.objects.filter(username=name).first()
        if host is not None and not options["new_password"]:
            raise CommandError(f"{name} has an account; --new-password draws another password.")
        host = host or User(username=name)
        password = new_password()
        host.set_password(password)
        host.full_clean()
        host.save()
        self.stdout.write(f"Name:     {name}\nPassword: {password}\nLog in at /account/login/")
