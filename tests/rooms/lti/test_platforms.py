"""Staff connects a platform: by a command, or in the admin; the site has a key of its own."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pydantic import SecretStr

from bazaar_site.env import Env
from bazaar_site.env_secrets import OF_THE_SITE, lti_key
from rooms.models import LtiPlatform
from tests.support.rooms import a_host, at_desk


def told(*arguments: str) -> str:
    out = StringIO()
    call_command("lti_platform", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_a_moodle_and_a_canvas_need_their_address_alone() -> None:
    told(
        "add", "Moodle", "--moodle", "moodle.school.example/", "--client-id", "a", "--deployment=1"
    )
    moodle = LtiPlatform.objects.get()
    assert moodle.issuer == "https://moodle.school.example"
    assert moodle.keys_url == "https://moodle.school.example/mod/lti/certs.php"
    assert moodle.origins() == ("https://moodle.school.example",)
    told(
        *("add", "Canvas", "--canvas", "https://school.instructure.com/courses/1"),
        *("--client-id", "10", "--deployment", "4:a", "--deployment", "5:b"),
    )
    canvas = LtiPlatform.objects.get(name="Canvas")
    assert "https://school.instructure.com" in canvas.origins()
    assert canvas.has_deployment("5:b")
    listed = told("list")
    assert "Moodle  https://moodle.school.example  a  [1]" in listed
    told("add", "Moodle", "--moodle", "moodle.school.example", "--client-id", "b", "--deployment=2")
    assert LtiPlatform.objects.get(name="Moodle").client_id == "b"
    told("remove", "Moodle")
    assert "(disconnected)" in told("list")
    with pytest.raises(CommandError, match="no platform called"):
        told("remove", "Blackboard")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["http://moodle.example", "ftp://moodle.example", "https://a b"]
)
def test_a_platform_without_tls_is_refused(address: str) -> None:
    with pytest.raises(CommandError, match="--login-url: Write a whole address"):
        told("add", "Moodle", "--moodle", address, "--client-id", "a", "--deployment", "1")
    assert not LtiPlatform.objects.exists()


@pytest.mark.django_db
def test_what_is_missing_is_named_as_it_is_said() -> None:
    with pytest.raises(CommandError, match=r"--issuer: .*\n--login-url: "):
        told("add", "Another", "--client-id", "a", "--deployment", "1")


@pytest.mark.django_db
def test_a_host_reads_the_addresses_and_nobody_else_does() -> None:
    told("add", "Our Moodle", "--moodle", "m.example", "--client-id", "a", "--deployment", "1")
    page = at_desk(a_host()).get("/rooms/lti/").content.decode()
    for path in ("login/", "launch/", "keys.json", "choose/"):
        assert f"http://testserver/rooms/lti/{path}" in page
        assert path in told("addresses", "https://bazaar.example")
    assert "Our Moodle" in page
    assert Client().get("/rooms/lti/").status_code == 302


@pytest.mark.django_db
def test_the_admin_connects_a_platform_too() -> None:
    staff = a_host("staff")
    staff.is_staff = staff.is_superuser = True
    staff.save()
    client = Client()
    client.force_login(staff)
    form = {
        "name": "Moodle", "issuer": "https://m.example", "client_id": "a", "deployments": "1",
        "login_url": "https://m.example/a", "token_url": "https://m.example/b",
        "keys_url": "https://m.example/c", "is_active": "on",
    }  # fmt: skip
    assert client.post("/admin/rooms/ltiplatform/add/", form).status_code == 302
    assert LtiPlatform.objects.get().is_active
    wrong = client.post("/admin/rooms/ltiplatform/add/", {**form, "client_id": "b", "also": "x"})
    assert "Write a whole address" in wrong.content.decode()


@pytest.mark.django_db
def test_the_public_key_is_told_and_the_private_one_is_not() -> None:
    (key,) = Client().get("/rooms/lti/keys.json").json()["keys"]
    assert set(key) == {"kty", "n", "e", "kid", "alg", "use"}


def test_the_key_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    first = lti_key(None, tmp_path)
    assert lti_key(None, tmp_path) == first
    assert (tmp_path / "lti_key").stat().st_mode & 0o077 == 0
    assert lti_key(SecretStr("given"), tmp_path) == "given"
    assert Env(BAZAAR_LTI_KEY=first).lti_key is not None
    assert "lti_key" in OF_THE_SITE, "no training job gets it"
    for wrong in ("", "abc", first[:200]):
        with pytest.raises(ValueError, match="private RSA key"):
            Env(BAZAAR_LTI_KEY=wrong)
