"""``manage.py signing_key``: with which key the house signs, and another one in its place."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from bazaar_site.env import env
from bazaar_site.env_secrets import (
    make_signing_key,
    replace_key,
    signed_before_file,
    signing_file,
)
from replays.transfer.signing import key_id, public_keys, public_of


class Command(BaseCommand):
    """Shows public keys alone; a private one is printed only when a new one is asked for."""

    help = "Show the public keys of this site, or take a new one (docs/sealed.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--new", action="store_true", help="sign with a new key from now on")
        what.add_argument(
            "--make", action="store_true", help="print a private key for BAZAAR_SIGNING_KEY"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["make"]:
            self.stdout.write(make_signing_key())
            return
        if options["new"]:
            self._replace()
            return
        for key in public_keys():
            use = "signs now" if key.in_use else "signed before"
            self.stdout.write(f"{key.id}  {key.public_key}  {use}")

    def _replace(self) -> None:
        old = public_of(settings.SIGNING_KEY)
        if env.signing_key is not None:
            raise CommandError(
                "The key stands in BAZAAR_SIGNING_KEY. Put the line that signing_key --make prints "
                f"there, and add {old} to BAZAAR_SIGNING_KEYS_BEFORE."
            )
        file = signing_file(settings.DATA_DIR)
        with signed_before_file(settings.DATA_DIR).open("a") as kept:
            kept.write(f"{old}\n")
        replace_key(file, key := make_signing_key())
        self.stdout.write(
            f"From the next start on this site signs with {key_id(public_of(key))}; files under "
            f"{key_id(old)} still count. Restart it now."
        )
