"""Nothing a client sends closes the socket or the game, but a frame that is far too large."""

import contextlib
import json

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.support.people import Line, Visitor
from tests.support.servers import Site

BAD = [
    "",
    "hello",
    "{",
    "[]",
    '"say"',
    "17",
    "null",
    "{}",
    '{"type":"dance"}',
    '{"type":"offer","price":NaN}',
    '{"type":"offer","price":Infinity}',
    '{"type":"offer","price":"170"}',
    '{"type":"offer","price":[170]}',
    '{"type":"offer"}',
    '{"type":"say","text":{"text":"170"}}',
    '{"type":"say","text":"\\ud800"}',
    '{"type":"sync","after":"all"}',
    "[" * 16000,
    '{"type":"ping","a":' + "[" * 8000,
]


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
async def test_what_cannot_be_read_is_answered_and_the_game_goes_on(
    text: str, asha: Visitor
) -> None:
    async with asha.at(asha.opens()) as line:
        await line.send_raw(text)
        await line.hear_error("bad-frame")
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        await line.send("say", text="1900")
        await line.hear_event("offer", "seller")


async def test_bytes_are_refused(asha: Visitor) -> None:
    async with asha.at(asha.opens()) as line:
        await line.send_raw(b'{"type":"ping"}')
        await line.hear_error("bad-frame")


async def test_prices_that_are_none_are_refused_by_name(asha: Visitor) -> None:
    async with asha.at(asha.opens()) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        for price in (0, -5, 1e12, 1e300, 0.001):
            await line.send("offer", price=price)
            await line.hear_error("invalid-price")
        for price in (2000.01, 1199.99):
            await line.send("offer", price=price)
            await line.hear_error("illegal-move")


async def test_a_long_text_is_refused_and_the_socket_stays(asha: Visitor) -> None:
    async with asha.at(asha.opens()) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        await line.send("say", text="1900 " * 1000)
        await line.hear_error("illegal-move")
        await line.send("ping")
        await line.hear_type("pong")


async def test_a_frame_of_a_megabyte_closes_the_socket_but_not_the_game(
    site: Site, asha: Visitor
) -> None:
    game_id = asha.opens()
    async with asha.at(game_id) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        # The server may hang up while the frame is still on its way.
        with contextlib.suppress(ConnectionClosed):
            await line.send_raw(json.dumps({"type": "say", "text": "x" * 1_000_000}))
        # Daphne may cut the line (1006) before its close frame (1009) can be read.
        assert await line.hear_end() in (1006, 1009)
    async with asha.at(game_id) as again:
        await again.send("sync", after=2)
        assert await again.hear() == {"type": "synced", "seq": 2}
        await again.send("say", text="1900")
        await again.hear_event("offer", "seller")


async def test_a_page_of_another_site_gets_no_socket(asha: Visitor) -> None:
    game_id = asha.opens()
    for origin in ("https://evil.example", "http://127.0.0.1.evil.example", "null"):
        with pytest.raises(InvalidStatus) as refused:
            async with asha.at(game_id, origin=origin):
                pass
        assert refused.value.response.status_code == 403


async def test_our_own_page_gets_one(site: Site, asha: Visitor) -> None:
    async with asha.at(asha.opens(), origin=site.url) as line:
        await line.send("ping")
        await line.hear_type("pong")


async def test_chetan_is_told_that_there_is_no_such_game(asha: Visitor, chetan: Visitor) -> None:
    game_id = asha.opens()
    heard = []
    for path in (f"/ws/sell/{game_id}/", "/ws/sell/nosuchgame22/", "/ws/nothing/"):
        async with Line(chetan, path) as line:
            heard.append(await line.hear())
            assert await line.hear_end() == 4404
    assert heard[0]["code"] == "unknown-game"
    assert heard[0] == heard[1] == heard[2]
    assert game_id.encode() not in chetan.heard


CLOSED_DOORS = [
    ("/ws/nothing/", 4404),
    *((f"/ws/{kind}/nosuchgame22/", 4404) for kind in ("sell", "buy", "arena", "market", "games")),
    ("/ws/watch/nosuchkey22nosuchkey22no/", 4404),
    ("/env/bots/ws", 4401),
]


@pytest.mark.parametrize(("path", "code"), CLOSED_DOORS)
async def test_who_speaks_first_hears_why_the_door_is_closed(
    path: str, code: int, chetan: Visitor
) -> None:
    async with Line(chetan, path) as line:
        await line.send("reset", data={"token": "nobody's"})
        told = await line.hear()
        assert told["type"] == "error"
        assert len(told.get("detail") or told["data"]["message"]) > 20
        assert await line.hear_end() == code


async def test_chetan_cannot_move_before_he_is_shown_out(
    site: Site, asha: Visitor, chetan: Visitor
) -> None:
    game_id = asha.opens()
    async with chetan.at(game_id) as line:
        # The door may close between two of his frames.
        with contextlib.suppress(ConnectionClosed):
            for type_ in ("walk", "accept", "sync"):
                await line.send(type_)
        assert await line.hear_end() == 4404
    assert asha.reads(game_id)["status"] == "live"
    assert site.query(
        "select count(*) from negotiation_eventrow where game_id = %s and kind = 'walk'", game_id
    ) == [(0,)]


async def test_a_socket_ends_with_its_visit(site: Site, asha: Visitor) -> None:
    game_id = asha.opens()
    async with asha.at(game_id) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        key = asha.http.cookies["sessionid"]
        site.execute("delete from django_session where session_key = %s", key)
        await line.send("say", text="1900")
        await line.hear_error("unknown-game")
        assert await line.hear_end() == 4404
    assert site.numbers(game_id) == [1, 2]
