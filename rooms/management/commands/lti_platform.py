"""``manage.py lti_platform``: which course platforms may send people here."""

from argparse import ArgumentParser
from typing import Any
from urllib.parse import urlsplit

import msgspec
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from rooms.lti.keys import key_set, private_keys
from rooms.lti_models import LtiPlatform


class Preset(msgspec.Struct, frozen=True):
    """A kind of platform; ``{at}`` stands for the address of a school's own."""

    name: str
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


PRESETS = {
    one.name: one
    for one in (
        Preset(
            name="moodle",
            title="Moodle",
            issuer="{at}",
            login_url="{at}/mod/lti/auth.php",
            token_url="{at}/mod/lti/token.php",  # noqa: S106  an address
            keys_url="{at}/mod/lti/certs.php",
        ),
        Preset(
            name="canvas",
            title="Canvas",
            issuer="https://canvas.instructure.com",
            login_url="https://sso.canvaslms.com/api/lti/authorize_redirect",
            token_url="https://sso.canvaslms.com/login/oauth2/token",  # noqa: S106  an address
            keys_url="https://sso.canvaslms.com/api/lti/security/jwks",
            also="{origin}",
        ),
    )
}


ADDRESSES = ("issuer", "login_url", "token_url", "keys_url", "also")
OURS = (
    ("Login initiation", "lti-login"),
    ("Redirect, launch", "lti-launch"),
    ("Public keys (JWKS)", "lti-keys"),
    ("Choosing a room (deep linking)", "lti-choose-any"),
)


class Command(BaseCommand):
    """Adds, lists and removes platforms; adding one again under the same name changes it."""

    help = "Connect a Moodle, a Canvas or another platform that speaks LTI 1.3 (docs/lti.md)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Ask what to do, and what the platform's form says."""
        doing = parser.add_subparsers(dest="do", required=True)
        add = doing.add_parser("add", help="connect a platform, or change one")
        add.add_argument("name")
        kind = add.add_mutually_exclusive_group()
        for preset in PRESETS.values():
            kind.add_argument(
                f"--{preset.name}", metavar="ADDRESS", help=f"a {preset.title}, there"
            )
        add.add_argument("--client-id", required=True)
        add.add_argument(
            "--deployment", action="append", required=True, help="as many as there are"
        )
        add.add_argument("--issuer")
        add.add_argument("--login-url")
        add.add_argument("--token-url")
        add.add_argument("--keys-url")
        add.add_argument("--audience", default="")
        add.add_argument("--also", action="append", help="a further origin that marks may go to")
        doing.add_parser("list", help="show the platforms that are connected")
        doing.add_parser("keys", help="name the site's own keys: the first one signs")
        doing.add_parser("new-key", help="sign with a new key; the one of before is told, too")
        remove = doing.add_parser(
            "remove", help="disconnect a platform; its people keep their seats"
        )
        remove.add_argument("name")
        show = doing.add_parser("addresses", help="what a platform's form asks for")
        show.add_argument("site", help="this site, like https://bazaar.example")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it."""
        {
            "add": self._add,
            "list": self._list,
            "keys": self._keys,
            "new-key": self._new_key,
            "remove": self._remove,
            "addresses": self._addresses,
        }[options["do"]](options)

    def _add(self, options: dict[str, Any]) -> None:
        said: dict[str, Any] = {}
        for preset in PRESETS.values():
            if address := options[preset.name]:
                said = preset.fill(address)
        options["also"] = "\n".join(options["also"] or ()) or None
        said |= {field: options[field] for field in ADDRESSES if options[field]}
        platform = LtiPlatform.objects.filter(name=options["name"]).first() or LtiPlatform()
        said |= {
            "name": options["name"],
            "client_id": options["client_id"],
            "deployments": "\n".join(options["deployment"]),
            "audience": options["audience"],
            "is_active": True,
        }
        for field, value in said.items():
            setattr(platform, field, value)
        try:
            platform.full_clean()
        except ValidationError as wrong:
            said_of = wrong.message_dict.items()
            raise CommandError(
                "\n".join(f"{_shown(field)}: {' '.join(texts)}" for field, texts in said_of)
            ) from wrong
        platform.save()
        self.stdout.write(f"{platform.name} is connected.")

    def _list(self, options: dict[str, Any]) -> None:
        for one in LtiPlatform.objects.all():
            deployments = ", ".join(one.deployments.split())
            state = "" if one.is_active else "  (disconnected)"
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
        if not LtiPlatform.objects.filter(name=options["name"]).update(is_active=False):
            raise CommandError(f"There is no platform called {options['name']}.")
        self.stdout.write(f"{options['name']} is disconnected.")

    def _addresses(self, options: dict[str, Any]) -> None:
        site = options["site"].rstrip("/")
        for what, name in OURS:
            self.stdout.write(f"{what:<32}{site}{reverse(name)}")


def _shown(field: str) -> str:
    if field in (*ADDRESSES, "client_id", "audience"):
        return f"--{field.replace('_', '-')}"
    return {"deployments": "--deployment"}.get(field, field)
