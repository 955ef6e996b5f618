"""``manage.py lti_platform``: which course platforms may send people here."""

from argparse import ArgumentParser
from collections.abc import Collection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from bazaarbatna.word_tables import read_table
from rooms.lti.outside import key_set, private_keys
from rooms.lti.registering import invite
from rooms.lti_models import LtiPlatform


class Preset(msgspec.Struct, frozen=True):
    """A kind of platform; ``{at}`` stands for the address of a school's own."""

    title: str
    issuer: str
    login_url: str
    token_url: str
    keys_url: str
    also: str = ""

    def fill(self, address: str) -> dict[str, Any]:
        """Return the fields of a platform at an address."""
        at = address.rstrip("/")
        if "://" not in at:
            at = f"https://{at}"
        own = urlsplit(at)
        fields = {
            field: getattr(self, field).format(at=at, origin=f"{own.scheme}://{own.netloc}")
            for field in ("issuer", "login_url", "token_url", "keys_url", "also")
        }
        return {field: value for field, value in fields.items() if value}


PRESETS = read_table(Path(__file__).with_name("lti_presets.toml"), dict[str, Preset])


ADDRESSES = ("issuer", "login_url", "token_url", "keys_url", "also")


class Command(BaseCommand):
    """Adds, lists and removes platforms; adding one again under the same name changes it."""

    help = "Connect a Moodle, a Canvas or another platform that speaks LTI 1.3 (docs/lti.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        doing = parser.add_subparsers(dest="do", required=True)
        add = doing.add_parser("add", help="connect a platform, or change one")
        asked = doing.add_parser("invite", help="let a platform register itself, by a link")
        yes = doing.add_parser("confirm", help="let people come from one that registered itself")
        for one in (add, asked, yes):
            one.add_argument("name")
        add.add_argument("--client-id", required=True)
        add.add_argument("--audience", default="")
        asked.add_argument("site", help="this site, like https://bazaar.example")
        for one in (add, yes):
            one.add_argument(
                "--deployment", action="append", required=one is add, help="as many as there are"
            )
        for one in (add, asked):
            kind = one.add_mutually_exclusive_group()
            for name, preset in PRESETS.items():
                about = f"a {preset.title}, there"
                kind.add_argument(f"--{name}", metavar="ADDRESS", help=about)
            for address in ("--issuer", "--login-url", "--token-url", "--keys-url"):
                one.add_argument(address)
            one.add_argument(
                "--also", action="append", help="a further origin that marks may go to"
            )
        doing.add_parser("list", help="show the platforms that are connected")
        doing.add_parser("keys", help="name the site's own keys: the first one signs")
        doing.add_parser("new-key", help="sign with a new key; the one of before is told, too")
        remove = doing.add_parser(
            "remove", help="disconnect a platform; its people keep their seats"
        )
        remove.add_argument("name")

    def handle(self, *args: Any, **options: Any) -> None:
        do: str = options["do"]
        getattr(self, f"_{do.replace('-', '_')}")(options)

    def _add(self, options: dict[str, Any]) -> None:
        platform = LtiPlatform.objects.filter(name=options["name"]).first() or LtiPlatform()
        said = _addresses(options) | {
            "name": options["name"],
            "client_id": options["client_id"],
            "deployments": "\n".join(options["deployment"]),
            "audience": options["audience"],
            "is_active": True,
        }
        for field, value in said.items():
            setattr(platform, field, value)
        _check(platform)
        platform.save()
        self.stdout.write(f"{platform.name} is connected.")

    def _invite(self, options: dict[str, Any]) -> None:
        name, known = options["name"], _addresses(options)
        if LtiPlatform.objects.filter(name=name).exclude(client_id="").exists():
            raise CommandError(f"There is a platform called {name}: choose another name.")
        issuer = known.setdefault("issuer", "")
        for address in ("login_url", "token_url", "keys_url"):
            known.setdefault(address, issuer)
        _check(LtiPlatform(name=name, **known), exclude=["client_id", "deployments"])
        link = reverse("lti-register", args=[invite(name, known)])
        self.stdout.write(f"{options['site'].rstrip('/')}{link}")
        self.stdout.write("The platform's form takes it, once, within a day. Then: confirm.")

    def _confirm(self, options: dict[str, Any]) -> None:
        waiting = LtiPlatform.objects.filter(is_active=False, invited_at__isnull=False)
        platform = waiting.filter(name=options["name"]).exclude(client_id="").first()
        if platform is None:
            raise CommandError(f"No platform called {options['name']} waits for that.")
        if options["deployment"]:
            platform.deployments = "\n".join(options["deployment"])
        platform.is_active, platform.invited_at = True, None
        _check(platform)
        platform.save()
        self.stdout.write(f"{platform.name} is connected.")

    def _list(self, options: dict[str, Any]) -> None:
        for one in LtiPlatform.objects.all():
            deployments = ", ".join(one.deployments.split())
            waits = "waits for you" if one.client_id else "invited"
            state = "" if one.is_active else f"  ({waits if one.invited_at else 'disconnected'})"
            self.stdout.write(f"{one.name}  {one.issuer}  {one.client_id}  [{deployments}]{state}")

    def _keys(self, options: dict[str, Any]) -> None:
        for one, use in zip(key_set()["keys"], ("signs", "signed before"), strict=False):
            self.stdout.write(f"{one['kid']}  {use}")

    def _new_key(self, options: dict[str, Any]) -> None:
        before = private_keys()
        if settings.FIND_LTI_KEYS(settings.DATA_DIR, anew=True)[0] == before[0]:
            raise CommandError(
                "The key stands in BAZAAR_LTI_KEY. Put it into BAZAAR_LTI_KEY_BEFORE, a new one "
                "(openssl genrsa 2048) into BAZAAR_LTI_KEY, and restart the site."
            )
        self._keys(options)

    def _remove(self, options: dict[str, Any]) -> None:
        named = LtiPlatform.objects.filter(name=options["name"])
        if not named.update(is_active=False, invite="", invited_at=None):
            raise CommandError(f"There is no platform called {options['name']}.")
        named.filter(client_id="").delete()
        self.stdout.write(f"{options['name']} is disconnected.")


def _addresses(options: dict[str, Any]) -> dict[str, Any]:
    said: dict[str, Any] = {}
    for name, preset in PRESETS.items():
        if address := options[name]:
            said = preset.fill(address)
    options["also"] = "\n".join(options["also"] or ()) or None
    return said | {field: options[field] for field in ADDRESSES if options[field]}


def _check(platform: LtiPlatform, *, exclude: Collection[str] = ()) -> None:
    try:
        platform.full_clean(exclude=exclude)
    except ValidationError as wrong:
        said_of = wrong.message_dict.items()
        raise CommandError(
            "\n".join(f"{_shown(field)}: {' '.join(texts)}" for field, texts in said_of)
        ) from wrong


def _shown(field: str) -> str:
    if field in (*ADDRESSES, "client_id", "audience"):
        return f"--{field.replace('_', '-')}"
    return {"deployments": "--deployment"}.get(field, field)
