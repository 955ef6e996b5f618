"""Where the platforms that most schools have keep their addresses."""

from typing import Any
from urllib.parse import urlsplit

import msgspec


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
