"""Thumbs at a real site: the socket brings the line, HTTP takes the thumb, the log stays."""

from tests.support.people import Visitor
from tests.support.servers import Site

HTML = ["bazaar.html.v1"]


async def test_a_line_heard_over_the_socket_is_rated_when_the_game_has_ended(
    site: Site, asha: Visitor, mallory: Visitor
) -> None:
    game_id = asha.opens()
    path = f"/api/sell/{game_id}/thumbs/"
    async with asha.at(game_id, subprotocols=HTML) as line:
        await line.send("sync", after=0)
        bid = await line.hear(lambda frame: frame.get("event", {}).get("kind") == "offer")
        assert f'data-thumbs="{bid["seq"]}"' in bid["html"]
        early = asha.post(path, {"seq": bid["seq"], "thumb": "up"})
        assert (early.status_code, early.json()["error"]["code"]) == (409, "not-over")
        await line.send("walk", text="nahi ji")
        await line.hear_event("ended")
    before = asha.reads(game_id)["frames"]
    stranger = mallory.post(path, {"seq": bid["seq"], "thumb": "down"})
    assert (stranger.status_code, stranger.json()["error"]["code"]) == (404, "unknown-game")
    assert asha.post(path, {"seq": bid["seq"], "thumb": "up"}).status_code == 200

    file = asha.http.get(f"/replays/{game_id}.json").json()
    assert file["thumbs"] == [{"seq": bid["seq"], "thumb": "up"}]
    assert asha.reads(game_id)["frames"] == before
    assert site.numbers(game_id) == [frame["seq"] for frame in before]
