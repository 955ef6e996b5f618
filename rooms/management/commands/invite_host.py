"""Make an account without a password, and print the link by which its owner chooses one."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from rooms.accounts import INVITED_S, invitation_for, invite


class Command(BaseCommand):
    """Invites a host."""

    help = "Print a link by which a host chooses a password; it works once, for seven days."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--site", default="", help="e.g. https://bazaar.example")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            User.username_validator(options["name"])
        except ValidationError as wrong:
            raise CommandError(" ".join(wrong.messages)) from None
        host = invite(options["name"])
        path = reverse("account-join", args=[invitation_for(host)])
        days = INVITED_S // 86400
        self.stdout.write(f"{options['site'].rstrip('/')}{path}\nWorks once, for {days} days.")
