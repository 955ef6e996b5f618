"""Registering a bot, owning it, and what others can do with it: nothing."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from training.bots import plays
from training.bots.models import Bot, Play
from training.bots.owners import bot_with_token, hash_of
from training.models import Run

pytestmark = pytest.mark.usefixtures("few_games")


@pytest.fixture
def asha(db: None) -> Client:
    client = Client()
    client.get("/bots/")
    return client


@pytest.fixture
def mallory(db: None) -> Client:
    client = Client()
    client.get("/bots/")
    return client


def register(client: Client, **wanted: str) -> Any:
    return client.post("/api/bots/", json.dumps(wanted), content_type="application/json")


def test_a_program_registers_a_bot_and_is_told_its_token_once(db: None) -> None:
    answer = register(Client(), name="Haggler")
    assert answer.status_code == 201
    told = answer.json()
    assert told["token"].startswith("bzr_")
    assert len(told["token"]) > 40
    assert answer["Cache-Control"] == "no-store"
    assert answer["Location"] == told["page"] == f"/bots/{told['id']}/"
    bot = Bot.objects.get()
    assert bot.token_hash == hash_of(told["token"])
    assert told["token"] not in str(vars(bot))
    again = Client().get(f"/api/bots/{told['id']}/").json()
    assert "token" not in again


@pytest.mark.parametrize(
    ("wanted", "status", "code", "field"),
    [
        ({"name": "Sauda"}, 422, "bad-name", "name"),
        ({"name": "x"}, 422, "bad-name", "name"),
        ({"name": "Haggler", "colour": "red"}, 422, "bad-request", None),
        ({"name": "Haggler", "url": "https://bot.asha.in/"}, 422, "bad-request", None),
        ({}, 422, "bad-request", None),
    ],
    ids=lambda value: json.dumps(value)[:40] if isinstance(value, dict) else None,
)
def test_what_cannot_be_registered_is_refused_by_field(
    db: None, wanted: dict[str, str], status: int, code: str, field: str | None
) -> None:
    answer = register(Client(), **wanted)
    assert answer.status_code == status
    error = answer.json()["error"]
    assert error["code"] == code
    assert error.get("field") == field
    assert not Bot.objects.exists()


def test_a_browser_needs_its_csrf_token_and_a_program_none(asha: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = asha.cookies
    assert register(strict, name="Haggler").status_code == 403
    mallorys_page = Client(enforce_csrf_checks=True, headers={"Origin": "https://mallory.in"})
    assert register(mallorys_page, name="Haggler").status_code == 403
    assert register(Client(enforce_csrf_checks=True), name="Haggler").status_code == 201


def test_two_bots_never_have_names_that_look_alike(db: None) -> None:
    assert register(Client(), name="Haggler 1").status_code == 201
    answer = register(Client(), name="hagg1er l")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "name-taken")


def test_only_its_owner_starts_stops_renews_or_withdraws_a_bot(
    asha: Client, mallory: Client, posted: list[str]
) -> None:
    told = register(asha, name="Haggler").json()
    base = f"/api/bots/{told['id']}/"
    for method, path in (
        ("POST", "plays/"), ("DELETE", "plays/current/"), ("POST", "token/"), ("DELETE", ""),
    ):  # fmt: skip
        for stranger in (
            mallory.generic(method, base + path),
            Client().generic(method, base + path, HTTP_AUTHORIZATION="Bearer bzr_wrong"),
            asha.generic(method, base + path, HTTP_AUTHORIZATION="Bearer bzr_wrong"),
        ):
            assert stranger.status_code == 404
            assert stranger.json()["error"]["code"] == "unknown-bot"
    for page in ("start", "stop", "token", "withdraw"):
        assert mallory.post(f"/bots/{told['id']}/{page}/").status_code == 404
    assert not Play.objects.exists()
    assert asha.generic("POST", base + "plays/").status_code == 202
    assert Play.objects.count() == 1


def test_a_token_is_as_good_as_the_session_until_it_is_replaced(
    asha: Client, posted: list[str]
) -> None:
    told = register(asha, name="Haggler").json()
    base, old = f"/api/bots/{told['id']}/", told["token"]
    with_old = {"HTTP_AUTHORIZATION": f"Bearer {old}"}
    started = Client().generic("POST", base + "plays/", **with_old)
    assert started.status_code == 202
    assert (
        Client().generic("POST", base + "plays/", **with_old).json()["error"]["code"] == "bot-busy"
    )
    new = Client().generic("POST", base + "token/", **with_old).json()["token"]
    assert Client().generic("POST", base + "token/", **with_old).status_code == 404
    assert bot_with_token(new).pk == told["id"]
    stopped = Client().delete(base + "plays/current/", HTTP_AUTHORIZATION=f"Bearer {new}")
    assert stopped.status_code == 202
    assert stopped.json()["plays"][0]["state"] == "was stopped by its owner"


def test_a_withdrawn_bot_is_gone_and_its_name_is_free(asha: Client, posted: list[str]) -> None:
    told = register(asha, name="Haggler").json()
    asha.generic("POST", f"/api/bots/{told['id']}/plays/")
    assert asha.delete(f"/api/bots/{told['id']}/").status_code == 204
    assert asha.get(f"/bots/{told['id']}/").status_code == 404
    assert asha.get(f"/api/bots/{told['id']}/").status_code == 404
    assert Run.objects.get().status == Run.Status.CANCELLED
    with pytest.raises(Exception, match="No bot has this token"):
        bot_with_token(told["token"])
    assert register(Client(), name="Haggler").status_code == 201


def test_registrations_and_starts_are_limited(
    asha: Client, settings: Any, posted: list[str]
) -> None:
    from negotiation import limits

    settings.LIMITS = {**settings.LIMITS, "bots": "2/hour", "bot_plays": "1/hour"}
    limits.forget_settings()
    first = register(asha, name="One").json()
    second = register(asha, name="Two").json()
    third = register(asha, name="Three")
    assert (third.status_code, third.json()["error"]["code"]) == (429, "rate-limited")
    assert int(third["Retry-After"]) > 0
    assert asha.generic("POST", f"/api/bots/{first['id']}/plays/").status_code == 202
    assert asha.generic("POST", f"/api/bots/{second['id']}/plays/").status_code == 429
    assert Play.objects.count() == 1


def test_the_form_registers_shows_the_token_once_and_keeps_what_was_typed(asha: Client) -> None:
    wrong = asha.post("/bots/", {"name": "Sauda"})
    assert wrong.status_code == 422
    page = wrong.content.decode()
    assert 'value="Sauda"' in page
    assert 'aria-errormessage="bot-name-problem"' in page
    right = asha.post("/bots/", {"name": "Haggler"})
    token = re.search(r"bzr_[\w-]{43}", right.content.decode())
    assert token is not None
    assert "no-store" in right["Cache-Control"]
    bot = bot_with_token(token[0])
    assert token[0] not in asha.get(f"/bots/{bot.pk}/").content.decode()


def test_a_name_with_markup_never_becomes_markup(asha: Client) -> None:
    page = asha.post("/bots/", {"name": "<script>alert(1)</script>"})
    assert page.status_code == 422
    assert "<script>alert" not in page.content.decode()


def test_the_page_says_where_a_play_stands_and_stops_asking_when_it_is_over(
    asha: Client, posted: list[str]
) -> None:
    told = register(asha, name="Haggler").json()
    base = f"/bots/{told['id']}/"
    assert "has yet to connect" in asha.get(base).content.decode()
    assert asha.get(base + "standing/").status_code == 286
    assert asha.post(base + "start/").status_code == 302
    waiting = asha.get(base + "standing/")
    assert waiting.status_code == 200
    assert "waits for its turn" in waiting.content.decode()
    again = asha.post(base + "start/")
    assert again.status_code == 409
    assert "already" in again.content.decode()
    assert asha.post(base + "stop/").status_code == 302
    over = asha.get(base + "standing/")
    assert over.status_code == 286
    assert "Stopped by its owner" in over.content.decode()


def test_a_play_that_nobody_works_on_is_asked_for_again_by_whoever_looks(
    asha: Client, posted: list[str]
) -> None:
    told = register(asha, name="Haggler").json()
    play = plays.begin_play(Bot.objects.get(), 1)
    asha.get(f"/bots/{told['id']}/")
    assert posted == []
    play.tables.update(done=True)
    asha.get(f"/bots/{told['id']}/")
    assert posted == [Play.objects.get().pk]


def test_bargains_are_sent_only_when_their_seeds_are_open(asha: Client) -> None:
    told = register(asha, name="Haggler").json()
    play = plays.begin_play(Bot.objects.get(), 1)
    play.rows = b"packed"
    play.save()
    address = f"/bots/{told['id']}/{play.pk}/episodes.jsonl.gz"
    answers = f"/bots/{told['id']}/{play.pk}/moves.jsonl.gz"
    assert asha.get(address).status_code == asha.get(answers).status_code == 404
    Play.objects.update(opened_at="2026-01-01T00:00:00Z")
    sent = asha.get(address)
    assert sent.status_code == 200
    assert sent.content == b"packed"
    assert "attachment" in sent["Content-Disposition"]
    assert asha.get(answers).status_code == 200


@pytest.mark.parametrize(
    "path", ["", "nobody/", "nobody/standing/", "nobody/run/episodes.jsonl.gz"]
)
def test_bots_that_do_not_exist_are_not_found(db: None, path: str) -> None:
    assert Client().get(f"/bots/{path}").status_code == (404 if path else 200)
