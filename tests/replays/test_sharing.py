"""A link to a replay opens for those who may see it, and tells other sites what it leads to."""

import re

import pytest
from django.test import Client

from negotiation.models import Game
from replays.finished import replay_frames
from replays.preview.lines import exchange_of
from tests.support.finished import a_haggle, store
from tests.support.visitors import a_visitor, key_of

pytestmark = pytest.mark.django_db


def meta(html: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', html)
    return dict(found)


def shares(client: Client, game: Game, public: str) -> None:
    response = client.post(f"/replays/{game.pk}/share/", {"public": public})
    assert response.status_code == 302


def test_a_shared_replay_tells_other_sites_about_itself(chetan: Client, shared: Game) -> None:
    html = chetan.get(f"/replays/{shared.pk}/").content.decode()
    told, url = meta(html), f"http://testserver/replays/{shared.pk}/"
    assert told["og:url"] == url
    assert told["og:image"] == f"{url}card.png"
    assert told["og:title"] == "Prestige pressure cooker, 5 litre"
    assert told["twitter:card"] == "summary_large_image"
    assert "Sold to Sauda for ₹1,500" in told["og:description"]
    assert f'<link rel="canonical" href="{url}">' in html
    assert f'value="{url}"' in html


def test_a_link_to_a_moment_tells_the_moment(chetan: Client, shared: Game) -> None:
    html = chetan.get(f"/replays/{shared.pk}/?seq=3").content.decode()
    assert meta(html)["og:description"].startswith("Round 1: the seller asks ₹1,800.")
    assert f'value="http://testserver/replays/{shared.pk}/?seq=3"' in html
    assert f'<link rel="canonical" href="http://testserver/replays/{shared.pk}/">' in html


def test_a_private_replay_tells_nobody_anything(asha: Client, kept: Game) -> None:
    html = asha.get(f"/replays/{kept.pk}/").content.decode()
    assert "og:" not in html
    assert 'content="noindex"' in html
    head = html.partition("</header>\n    <nav")[0]
    assert re.search(r"<button[^>]*>Put it on the shelf</button>", head), (
        "at the top, before the game itself"
    )
    assert "everybody sees the talk, the prices and the opened envelope" in head


@pytest.mark.parametrize("page", ["card.png", "share/"])
def test_what_may_not_be_seen_has_no_picture_and_no_switch(
    page: str, chetan: Client, kept: Game
) -> None:
    method = chetan.post if page == "share/" else chetan.get
    hidden = method(f"/replays/{kept.pk}/{page}")
    missing = method(f"/replays/zzzzzzzzzzzz/{page}")
    assert (hidden.status_code, missing.status_code) == (404, 404)


def test_the_picture_is_sent_once(chetan: Client, shared: Game) -> None:
    first = chetan.get(f"/replays/{shared.pk}/card.png")
    assert (first.status_code, first["Content-Type"]) == (200, "image/png")
    assert first.content.startswith(b"\x89PNG")
    again = chetan.get(f"/replays/{shared.pk}/card.png", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "private" in first["Cache-Control"]


def test_the_owner_makes_a_replay_public_and_private_again(
    asha: Client, chetan: Client, kept: Game
) -> None:
    address = f"/replays/{kept.pk}/"
    shares(asha, kept, "1")
    assert chetan.get(address).status_code == 200
    assert kept.pk in chetan.get("/replays/").content.decode()
    shares(asha, kept, "0")
    assert chetan.get(address).status_code == 404
    assert chetan.get(f"{address}card.png").status_code == 404
    assert asha.get(address).status_code == 200


def test_nobody_else_decides(chetan: Client, shared: Game) -> None:
    html = chetan.get(f"/replays/{shared.pk}/").content.decode()
    assert "Take it off" not in html
    shares(chetan, shared, "0")
    shared.refresh_from_db()
    assert shared.share_replay
    assert "Only who played a game decides" in chetan.get("/replays/").content.decode()


@pytest.mark.parametrize("source", ["simulation", "arena"])
def test_what_is_everybodys_stays_public(source: str, asha: Client, shared: Game) -> None:
    Game.objects.filter(pk=shared.pk).update(source=source)
    shares(asha, shared, "0")
    shared.refresh_from_db()
    assert shared.share_replay


def test_the_switch_wants_a_token_and_a_form(shared: Game) -> None:
    mallory = Client(enforce_csrf_checks=True)
    assert mallory.post(f"/replays/{shared.pk}/share/", {"public": "0"}).status_code == 403
    assert mallory.get(f"/replays/{shared.pk}/share/").status_code == 405


def test_what_ifs_of_others_go_private_with_the_game_they_show(
    asha: Client, chetan: Client, shared: Game
) -> None:
    fork = store(a_haggle(), owner=key_of(chetan))
    deeper = store(a_haggle(), owner=key_of(a_visitor()))
    Game.objects.filter(pk=fork.pk).update(source="what-if", parent=shared)
    Game.objects.filter(pk=deeper.pk).update(source="what-if", parent=fork)
    shares(asha, shared, "0")
    assert list(Game.objects.filter(share_replay=True)) == []
    shares(chetan, fork, "1")
    assert list(Game.objects.filter(share_replay=True)) == []
    shares(asha, shared, "1")
    shares(chetan, fork, "1")
    assert set(Game.objects.filter(share_replay=True)) == {shared, fork}


def test_a_line_and_its_answer_make_a_picture(chetan: Client, shared: Game) -> None:
    frames = replay_frames(shared)
    said = [one for one in frames if one["event"].get("text")]
    first, last = said[0], said[-1]
    exchange = exchange_of(shared, frames, last["seq"])
    assert exchange is not None
    assert exchange.lines[-1].text == last["event"]["text"]
    assert len(exchange.lines) == 2
    assert exchange.lines[0].side != exchange.lines[1].side
    alone = exchange_of(shared, frames, first["seq"])
    assert alone is not None
    assert [line.text for line in alone.lines] == [first["event"]["text"]]
    address = f"/replays/{shared.pk}/card.png?seq={last['seq']}"
    answer = chetan.get(address)
    assert answer["Content-Type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")
    assert answer.content != chetan.get(f"/replays/{shared.pk}/card.png").content
    assert address in chetan.get(f"/replays/{shared.pk}/").content.decode()


@pytest.mark.parametrize("seq", ["0", "9999", "-1", "x", "٣", "9" * 40, ""])
def test_where_nothing_was_said_there_is_no_picture(seq: str, chetan: Client, shared: Game) -> None:
    assert chetan.get(f"/replays/{shared.pk}/card.png", {"seq": seq}).status_code == 404


def test_nobody_gets_a_picture_of_somebody_elses_line(
    asha: Client, chetan: Client, kept: Game
) -> None:
    seq = next(one["seq"] for one in replay_frames(kept) if one["event"].get("text"))
    assert asha.get(f"/replays/{kept.pk}/card.png?seq={seq}").status_code == 200
    assert chetan.get(f"/replays/{kept.pk}/card.png?seq={seq}").status_code == 404
