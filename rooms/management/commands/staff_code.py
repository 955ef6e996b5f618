"""Give somebody of the staff a second factor, and show the square by which a telephone takes it."""

import io
from argparse import ArgumentParser
from typing import Any

import segno
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    """Enrols an account for codes."""

    help = "Make the key of an account's codes; an earlier key is void. Needs BAZAAR_STAFF_CODES."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--no-square", action="store_true", help="print the address alone")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.STAFF_CODES:
            raise CommandError("Set BAZAAR_STAFF_CODES=true first: no code is asked for.")
        from django_otp.plugins.otp_totp.models import TOTPDevice

        staff = User.objects.filter(username=options["name"], is_staff=True).first()
        if staff is None:
            raise CommandError(f"Nobody of the staff is called {options['name']}.")
        TOTPDevice.objects.filter(user=staff).delete()
        device = TOTPDevice.objects.create(user=staff, name="telephone")
        self.stdout.write(device.config_url)
        if not options["no_square"]:
            square = io.StringIO()
            segno.make(device.config_url, error="m").terminal(out=square, compact=True)
            self.stdout.write(square.getvalue())
