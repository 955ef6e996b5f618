"""The second factor of the staff: enrolled by a command, asked for by the admin, good for once."""

import re
import sys
from pathlib import Path

import pytest

from tests.support.commands import ROOT, inherited, manage

pytest.importorskip("django_otp")

VISIT = """
import django; django.setup()
from base64 import b32decode
from django.test import Client
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

device = TOTPDevice.objects.get()
code = f"{TOTP(device.bin_key).token():06d}"
wrong = f"{(int(code) + 1) % 1_000_000:06d}"
name = {"username": "boss", "password": "a-long-secret"}


def got(client, **fields):
    client.post("/admin/login/?next=/admin/", {**name, **fields})
    return client.get("/admin/").status_code


half = ({"code": code}, {"username": "boss", "code": code}, {"username": "boss"})
print("half", *(Client().post("/admin/login/", fields).status_code for fields in half))
print("without", got(Client()))
print("wrong", got(Client(), code=wrong))
host = Client()
host.post("/account/login/", name)
print("as-host", host.get("/admin/").status_code, host.get("/rooms/new/").status_code)
print("told-more", b"calls_today" in host.get("/sauda/health").content)
TOTPDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
boss = Client()
print("right", got(boss, code=code))
print("told-more-now", b"calls_today" in boss.get("/sauda/health").content)
print("keys", boss.get("/admin/otp_totp/totpdevice/").status_code)
print("again", got(Client(), code=code))
"""


def test_the_admin_asks_for_a_code(tmp_path: Path) -> None:
    environment = {
        **inherited(),
        "PYTHONPATH": ":".join(sys.path),
        "BAZAAR_DATA_DIR": str(tmp_path),
        "BAZAAR_STAFF_CODES": "true",
        "BAZAAR_ALLOWED_HOSTS": "testserver",
        "DJANGO_SUPERUSER_PASSWORD": "a-long-secret",
        "DJANGO_SETTINGS_MODULE": "bazaar_site.settings",
    }
    manage(environment, "migrate", "--verbosity", "0")
    manage(environment, "createsuperuser", "--no-input", "--username", "boss", "--email", "b@b.in")
    told = manage(environment, "staff_code", "boss")
    assert re.match(r"otpauth://totp/.*boss\?secret=[A-Z2-7]{32}&", told)
    assert "issuer=BazaarBATNA" in told
    assert len(told.splitlines()) > 10  # the square
    import subprocess

    seen = subprocess.run(
        [sys.executable, "-c", VISIT],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    said = dict(line.split(" ", 1) for line in seen.splitlines() if " " in line)
    assert said["half"] == "200 200 200"
    assert said["without"] == said["wrong"] == said["again"] == "302"
    assert said["as-host"] == "302 200"
    assert said["right"] == "200"
    assert (said["told-more"], said["told-more-now"]) == ("False", "True")
    assert said["keys"] == "404", "no page shows the key of a code"
