"""A match over real sockets: everybody sees the same, in order; who sits at the table plays."""

import asyncio
from collections.abc import Iterator

import pytest

from bazaarbatna.auction.match import fold
from tests.support.arena import (
    at_match,
    bids_along,
    hear_all,
    starts,
    stored_match,
    until_round,
    wait_until_over,
)
from tests.support.people import Visitor
from tests.support.servers import Site

HTML = ["bazaar.html.v1"]


@pytest.fixture
def site(arena_site: Site) -> Site:
    """The site that the tests of matches share."""
    return arena_site


@pytest.fixture
def bilal(site: Site) -> Iterator[Visitor]:
    """Bilal, who spectates."""
    visitor = Visitor(site)
    yield visitor
    visitor.close()


async def test_whoever_comes_late_is_sent_the_whole_match(asha: Visitor, bilal: Visitor) -> None:
    match_id = starts(asha, "rules:boulware", "rules:micro", seed=3)
    async with at_match(asha, match_id) as early:
        await early.send("sync")
        await until_round(early, 2)
        async with at_match(bilal, match_id) as late:
            seen_late = await hear_all(late)
        seen_early = await hear_all(early, after=early.events[-1]["seq"])
    assert [frame["seq"] for frame in seen_early] == list(range(1, len(seen_early) + 1))
    assert seen_late == seen_early
    scenario, events = stored_match(asha.site, match_id)
    assert fold(scenario, events).ended is not None


async def test_a_reload_is_sent_only_what_it_misses(asha: Visitor) -> None:
    match_id = starts(asha, "rules:boulware", "rules:micro")
    async with at_match(asha, match_id) as line:
        await line.send("sync")
        await until_round(line, 1)
    known = line.events[-1]["seq"]
    async with at_match(asha, match_id) as again:
        seen = await hear_all(again, after=known)
        await again.send("sync", after=seen[-1]["seq"])
        assert (await again.hear_type("synced"))["seq"] == seen[-1]["seq"]
    assert [frame["seq"] for frame in seen] == list(range(known + 1, seen[-1]["seq"] + 1))


async def test_a_silent_client_is_sent_the_log_by_itself(asha: Visitor, bilal: Visitor) -> None:
    match_id = starts(asha)
    async with at_match(bilal, match_id) as line:
        opened = await line.hear_event("opened")
    assert opened["sealed"] is False
    assert [buyer["actor"] for buyer in opened["buyers"]] == ["buyer-1", "buyer-2", "buyer-3"]
    assert opened["seller"] is None


async def test_a_page_is_sent_what_to_draw(asha: Visitor) -> None:
    match_id = starts(asha)
    async with at_match(asha, match_id, subprotocols=HTML) as line:
        await line.send("sync")
        panels = await line.hear_type("panels")
    assert {"html" in frame for frame in line.events} == {True}
    assert panels["panels"]


async def test_a_person_takes_a_seat_and_wins(asha: Visitor) -> None:
    match_id = starts(asha, "person", "rules:micro", "rules:boulware", seed=11)
    async with at_match(asha, match_id) as line:
        ended = await bids_along(line, 0.96)
    assert ended["winner"] == "buyer-1"
    assert ended["shares"]["buyer-1"] > 0
    assert ended["opened"]["budgets"]["buyer-1"] >= ended["price"]


async def test_words_are_read_like_in_a_sale(asha: Visitor) -> None:
    match_id = starts(asha, "person", "rules:micro", seed=11)
    async with at_match(asha, match_id) as line:
        await line.send("sync")
        budget = (await line.hear_event("opened"))["budget"]
        await line.hear_type("awaiting")
        await line.send("say", text="kitne saal purana hai?")
        await line.hear_error("no-price")
        price = int(budget / 2)
        await line.send("say", text=f"{price} de dunga")
        own = await line.hear_event("placed", "buyer-1")
        assert (own["action"], own["price"]) == ("offer", price)
        await line.send("offer", price=price + 1, seen=1)
        error = await line.hear_type("error")
        assert error["code"] == "not-your-turn"


async def test_rules_hold_for_people(asha: Visitor, bilal: Visitor) -> None:
    match_id = starts(asha, "person", "rules:micro", seed=11)
    async with at_match(asha, match_id) as line, at_match(bilal, match_id) as other:
        await line.send("sync")
        budget = (await line.hear_event("opened"))["budget"]
        await line.send("offer", price=budget + 1)
        await line.hear_error("illegal-move")
        await line.send("offer", price=0)
        await line.hear_error("invalid-price")
        await other.send("offer", price=10)
        await other.hear_error("no-seat")
        await line.send("walk")
        await line.hear_event("placed", "buyer-1")
        await line.send("hold")
        await line.hear(lambda frame: frame.get("code") in ("not-your-turn", "game-over"))


async def test_wrong_frames_get_an_answer_and_the_socket_stays_open(mallory: Visitor) -> None:
    match_id = starts(mallory, "person", "rules:micro")
    async with at_match(mallory, match_id) as line:
        for text in ("", "[]", "NaN", '{"type":"shout"}', '{"type":"offer"}', "{" * 9000):
            await line.send_raw(text)
            await line.hear_error("bad-frame")
        for text in ('{"type":"offer","price":"1"}', '{"type":"hold","signal":"wave"}'):
            await line.send_raw(text)
            await line.hear_error("bad-frame")
        await line.send_raw(b"\xff\x00")
        await line.hear_error("bad-frame")
        await line.send("ping")
        await line.hear_type("pong")


async def test_a_match_that_is_not_there_says_so(mallory: Visitor) -> None:
    async with at_match(mallory, "nosuchmatch2") as line:
        await line.hear_error("unknown-game")
        assert await line.hear_end() == 4404


async def test_a_sale_is_no_match(asha: Visitor) -> None:
    game_id = asha.opens()
    async with at_match(asha, game_id) as line:
        await line.hear_error("unknown-game")


async def test_people_who_meet_sit_down_one_by_one(asha: Visitor, bilal: Visitor) -> None:
    match_id = starts(asha, "person", "person", "rules:micro")
    async with at_match(asha, match_id) as line:
        await line.send("sync")
        waiting = await line.hear_type("waiting")
        assert [seat.get("you", False) for seat in waiting["seats"]] == [True, False, False]
        assert bilal.post(f"/api/arena/{match_id}/seat/", {"index": 0}).status_code == 409
        assert bilal.post(f"/api/arena/{match_id}/seat/", {"index": 2}).status_code == 409
        assert bilal.post(f"/api/arena/{match_id}/seat/", {"index": 1}).status_code == 200
        opened = await line.hear_event("opened")
        assert [buyer["person"] for buyer in opened["buyers"]] == [True, True, False]
        async with at_match(bilal, match_id) as other:
            ended, _ = await asyncio.gather(bids_along(line), bids_along(other))
    assert ended["outcome"] in ("deal", "expired")


async def test_nobody_sits_on_two_chairs(asha: Visitor, bilal: Visitor) -> None:
    match_id = starts(asha, "person", "person", "person")
    assert bilal.post(f"/api/arena/{match_id}/seat/", {"index": 1}).status_code == 200
    answer = bilal.post(f"/api/arena/{match_id}/seat/", {"index": 2})
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "seat-taken"


def test_a_match_goes_on_to_its_end_when_nobody_looks(asha: Visitor) -> None:
    match_id = starts(asha)
    wait_until_over(asha.site, match_id)
    view = asha.http.get(f"/api/arena/{match_id}/").json()
    assert view["phase"] == "ended"
    assert view["frames"][-1]["event"]["kind"] == "ended"
    placed = next(frame for frame in view["frames"] if frame["event"]["kind"] == "placed")
    assert placed["event"]["action"]


async def test_bad_orders_say_what_is_wrong(mallory: Visitor) -> None:
    bad = (
        ({"lineup": ["sauda"]}, 422, "bad-sale"),
        ({"lineup": ["sauda", "nobody"]}, 422, "unknown-policy"),
        ({"lineup": ["sauda", "seller:firm"]}, 422, "unknown-policy"),
        ({"lineup": ["sauda", "sauda"], "persona": "kind"}, 422, "bad-sale"),
        ({"lineup": ["sauda", "sauda"], "listing": 999999}, 404, "unknown-listing"),
        ({"lineup": ["person", "person"], "seed": 1}, 422, "bad-sale"),
        ({"lineup": ["sauda", "sauda"], "budget": 1}, 422, "bad-request"),
    )
    for change, status, code in bad:
        answer = mallory.post("/api/arena/", {"listing": 1, **change})
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text
