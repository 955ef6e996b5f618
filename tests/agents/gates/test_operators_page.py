"""The operator's page: today's figures, and switches that act on the next call of any process."""

import shutil
import time
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from agents import checkpoints
from agents.gates.contract import Call, GateClosed, Settlement
from agents.gates.keeper import gatekeeper
from agents.gates.switches import switches
from tests.support.tiny_sauda import make_sauda

PAGE = "/admin/agents/switches/"
HF = Call("hf", "203.0.113.7", 900, metered=True, reserve_microusd=1_250)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def in_the_database(settings: object) -> None:
    settings.REDIS_URL = None  # type: ignore[attr-defined]


@pytest.fixture
def omar() -> Client:
    """Omar, who operates the site."""
    User.objects.create_superuser("omar", password="a long pass phrase")
    client = Client()
    assert client.login(username="omar", password="a long pass phrase")
    return client


@pytest.fixture
def rita() -> Client:
    """Rita, who may look and not touch."""
    user = User.objects.create_user("rita", password="a long pass phrase", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_switches"))
    client = Client()
    assert client.login(username="rita", password="a long pass phrase")
    return client


def call_and_pay(microusd: int) -> None:
    keeper, now = gatekeeper(), time.time()
    ticket = keeper.admit(HF, now)
    keeper.settle(
        ticket, Settlement("ok", broken=False, latency_ms=420, cost_microusd=microusd), now
    )


def page(client: Client) -> str:
    answer = client.get(PAGE)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_day_is_shown_in_figures(omar: Client) -> None:
    call_and_pay(1_250)
    shown = page(omar)
    assert "$0.00125" in shown
    assert "hf" in shown
    assert "420" in shown


def test_closing_metered_models_acts_on_the_next_call(omar: Client) -> None:
    call_and_pay(10)
    omar.post(PAGE + "metered/", {"metered": "closed"})
    with pytest.raises(GateClosed) as closed:
        gatekeeper().admit(HF, time.time())
    assert closed.value.gate == "switched-off"
    omar.post(PAGE + "metered/", {"metered": "open"})
    call_and_pay(10)


def test_a_forced_backend_is_the_routers_choice(omar: Client) -> None:
    omar.post(PAGE + "force/", {"backend": "local"})
    assert switches().forced_backend == "local"
    assert "<b>local</b> alone speaks" in page(omar)
    omar.post(PAGE + "force/", {"backend": ""})
    assert switches().forced_backend == ""


def test_a_backend_that_does_not_exist_cannot_be_forced(omar: Client) -> None:
    answer = omar.post(PAGE + "force/", {"backend": "skynet"}, follow=True)
    assert "There is no backend" in answer.content.decode()
    assert switches().forced_backend == ""


def test_a_breaker_is_closed_by_hand(omar: Client) -> None:
    keeper, now = gatekeeper(), time.time()
    for _ in range(3):
        ticket = keeper.admit(HF, now)
        keeper.settle(ticket, Settlement("http-500", broken=True, latency_ms=5), now)
    with pytest.raises(GateClosed):
        keeper.admit(HF, now)
    omar.post(PAGE + "breaker/", {"backend": "hf"})
    keeper.admit(HF, now)


def test_clients_over_their_share_are_named_to_the_operator(omar: Client, settings: object) -> None:
    settings.SAUDA_GATES = {**settings.SAUDA_GATES, "per_minute": 1}  # type: ignore[attr-defined]
    call_and_pay(10)
    with pytest.raises(GateClosed):
        gatekeeper().admit(HF, time.time())
    assert "203.0.113.7" in page(omar)


def test_who_may_only_look_sees_no_switch_and_has_none(rita: Client) -> None:
    assert "<button" not in page(rita).split('id="content-main"')[1]
    for button, body in (("force/", {"backend": "local"}), ("metered/", {"metered": "closed"})):
        assert rita.post(PAGE + button, body).status_code == 403
    assert switches().forced_backend == ""


def test_strangers_are_sent_to_the_door(client: Client) -> None:
    for path in (PAGE, PAGE + "force/", PAGE + "metered/", PAGE + "breaker/"):
        assert client.post(path).status_code == 302


def test_a_switch_is_no_link(omar: Client) -> None:
    assert omar.get(PAGE + "metered/").status_code == 405


def test_a_button_of_another_site_does_nothing() -> None:
    User.objects.create_superuser("omar", password="a long pass phrase")
    strict = Client(enforce_csrf_checks=True)
    strict.login(username="omar", password="a long pass phrase")
    assert strict.post(PAGE + "metered/", {"metered": "closed"}).status_code == 403
    assert not switches().metered_closed


def test_the_page_holds_nothing_inline(omar: Client) -> None:
    content = page(omar).split('id="content-main"')[1]
    assert " style=" not in content
    assert "<script" not in content


def test_the_ledger_is_read_and_never_written(omar: Client) -> None:
    call_and_pay(10)
    assert omar.get("/admin/agents/modelcall/").status_code == 200
    assert omar.get("/admin/agents/modelcall/add/").status_code == 403


def test_the_operator_chooses_among_the_models_that_are_here(
    omar: Client, settings: object, tmp_path: Path
) -> None:
    settings.MODELS_DIR = tmp_path  # type: ignore[attr-defined]
    make_sauda(tmp_path / "run-3", name="corner-shop")
    checkpoints.forget()
    assert "Tiny corner-shop (corner-shop@1#" in page(omar)
    omar.post(PAGE + "model/", {"model": "corner-shop"})
    assert switches().checkpoint == "corner-shop"
    assert "speaks with <b>corner-shop</b>" in page(omar)
    refused = omar.post(PAGE + "model/", {"model": "skynet"}, follow=True)
    assert "There is no model" in refused.content.decode()
    assert switches().checkpoint == "corner-shop"
    assert "once it is here again" not in page(omar)
    shutil.rmtree(tmp_path / "run-3")
    checkpoints.forget()
    assert "speaks with <b>corner-shop</b>, once it is here again" in page(omar)
    omar.post(PAGE + "model/", {"model": ""})
    assert switches().checkpoint == ""
    checkpoints.forget()


def test_a_model_is_chosen_by_those_alone_who_may_change_switches(rita: Client) -> None:
    assert rita.post(PAGE + "model/", {"model": ""}).status_code == 403
