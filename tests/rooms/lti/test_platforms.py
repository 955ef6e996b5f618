"""Staff connects a platform: by a command, or in the admin; the site has a key of its own."""

from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pydantic import SecretStr
from pylti1p3.service_connector import ServiceConnector

from bazaar_site.env import Env
from bazaar_site.env_secrets import OF_THE_SITE, lti_keys
from rooms.lti.launching import Outside, registration_of
from rooms.models import LtiPlatform
from tests.support.course_platform import SCOPES, CoursePlatform
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
    (first,) = lti_keys(None, None, tmp_path)
    assert lti_keys(None, None, tmp_path) == (first,)
    assert (tmp_path / "lti_key").stat().st_mode & 0o077 == 0
    assert lti_keys(SecretStr("given"), None, tmp_path, anew=True) == ("given",)
    assert Env(BAZAAR_LTI_KEY=first, BAZAAR_LTI_KEY_BEFORE=first).lti_key is not None
    assert {"lti_key", "lti_key_before"} < set(OF_THE_SITE), "no training job gets it"
    for wrong in ("", "abc", first[:200]):
        for name in ("BAZAAR_LTI_KEY", "BAZAAR_LTI_KEY_BEFORE"):
            with pytest.raises(ValueError, match="private RSA key"):
                Env(**{name: wrong})


def test_another_key_signs_and_the_one_of_before_is_told(tmp_path: Path) -> None:
    (first,) = lti_keys(None, None, tmp_path)
    second, old = lti_keys(None, None, tmp_path, anew=True)
    assert (old, second == first) == (first, False)
    assert lti_keys(None, None, tmp_path) == (second, first)
    assert (tmp_path / "lti_key_before").stat().st_mode & 0o077 == 0
    assert lti_keys(None, None, tmp_path, anew=True)[1] == second, "two at most"
    assert lti_keys(SecretStr("given"), SecretStr("old"), tmp_path) == ("given", "old")
    assert lti_keys(SecretStr("given"), None, tmp_path) == ("given",)
    (tmp_path / "lti_key_before").unlink()
    assert len(lti_keys(None, None, tmp_path)) == 1


@pytest.fixture
def own_folder(settings: Any, tmp_path: Path) -> None:
    settings.FIND_LTI_KEYS = partial(lti_keys, None, None)
    settings.DATA_DIR = tmp_path


@pytest.mark.usefixtures("own_folder")
def test_platforms_take_a_mark_under_either_key(platform: CoursePlatform) -> None:
    """What was signed a moment before the change still counts; what comes after has the new key."""
    (before,) = Client().get("/rooms/lti/keys.json").json()["keys"]
    earlier = registration_of(LtiPlatform.objects.get())
    named = told("new-key")
    new, old = Client().get("/rooms/lti/keys.json").json()["keys"]
    assert old == before != new
    assert named == f"{new['kid']}  signs\n{old['kid']}  signed before\n" == told("keys")
    for known, kid in ((earlier, old["kid"]), (None, new["kid"])):
        row = LtiPlatform.objects.get()
        with Outside(row.origins()) as outside:
            connector = ServiceConnector(known or registration_of(row), outside)
            assert connector.get_access_token([f"{SCOPES}score"]) in platform.tokens
        assert platform.signed_by[-1] == kid


def test_a_key_of_the_environment_is_changed_there(settings: Any, tmp_path: Path) -> None:
    given = SecretStr(lti_keys(None, None, tmp_path)[0])
    settings.FIND_LTI_KEYS = partial(lti_keys, given, None)
    with pytest.raises(CommandError, match="into BAZAAR_LTI_KEY_BEFORE"):
        told("new-key")
    assert not (tmp_path / "lti_key_before").exists()
