"""A whole sale over a real socket."""

import asyncio

import pytest

from tests.support.people import LAMP, Visitor
from tests.support.servers import Site


async def test_a_haggle_from_the_first_bid_to_the_end(site: Site, asha: Visitor) -> None:
    game_id = asha.opens()
    async with asha.at(game_id) as line:
        await line.send("sync", after=0)
        opened = await line.hear_event("opened")
        assert opened["price"] == 2000
        bid = await line.hear_event("offer", "buyer")
        assert bid["backend"] == "rules"
        await line.send("say", text="im sorry 1900 and im making a loss", typing_s=4.2)
        ask = await line.hear_event("offer", "seller")
        assert ask["price"] == 1900
        tells = await line.hear_event("tells")
        assert tells["of_seq"] == 3
        assert tells["spans"]
        await line.hear_type("thinking")
        second = await line.hear_event("offer", "buyer")
        assert second["price"] >= bid["price"]
        await line.send("walk", text="nahi ji")
        ended = await line.hear_event("ended")
    assert (ended["outcome"], ended["by"]) == ("walk", "seller")
    assert ended["replay"] == f"/replays/{game_id}/"
    numbers = [frame["seq"] for frame in line.events]
    assert numbers == list(range(1, len(numbers) + 1)) == site.numbers(game_id)


async def test_an_offer_with_a_price_closes_when_it_meets_the_bid(asha: Visitor) -> None:
    game_id = asha.opens_a_zone(reservation_price=0.01)
    async with asha.at(game_id) as line:
        await line.send("sync", after=0)
        bid = await line.hear_event("offer", "buyer")
        await line.send("offer", price=bid["price"], text="theek hai")
        ended = await line.hear_event("ended")
    assert (ended["outcome"], ended["price"]) == ("deal", bid["price"])
    assert ended["buyer_share"] + ended["seller_share"] == pytest.approx(1)


async def test_accept_takes_the_standing_bid(asha: Visitor) -> None:
    game_id = asha.opens_a_zone(reservation_price=0.01)
    async with asha.at(game_id) as line:
        await line.send("sync")
        bid = await line.hear_event("offer", "buyer")
        await line.send("accept")
        ended = await line.hear_event("ended")
    assert ended["price"] == bid["price"]
    assert asha.reads(game_id)["turn"] == "over"


async def test_whoever_only_listens_gets_the_log_from_its_beginning(asha: Visitor) -> None:
    game_id = asha.opens()
    async with asha.at(game_id) as line:
        await line.hear_event("opened")
        await line.hear_event("offer", "buyer")


async def test_sync_gives_what_is_missing_and_says_that_nothing_is_any_more(asha: Visitor) -> None:
    game_id = asha.opens()
    async with asha.at(game_id) as line:
        await line.hear_event("offer", "buyer")
        await line.send("sync", after=0)
        await line.hear_type("synced")
        await line.send("sync", after=1)
        assert (await line.hear())["seq"] == 2
        assert await line.hear() == {"type": "synced", "seq": 2}
        await line.send("sync", after=2)
        assert await line.hear() == {"type": "synced", "seq": 2}
        await line.send("sync", after=999)
        assert await line.hear() == {"type": "synced", "seq": 2}
        await line.send("ping")
        assert await line.hear() == {"type": "pong"}


async def test_words_without_a_price_are_answered_and_the_turn_stays(asha: Visitor) -> None:
    game_id = asha.opens()
    async with asha.at(game_id) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        await line.send("say", text="kal barish hogi kya")
        await line.hear_event("message", "seller")
        note = await line.hear_type("note")
        assert note["code"] == "no-price"
        assert "₹2,000" in note["detail"]
        reply = await line.hear_event("message", "buyer")
        assert reply["text"]
        await line.send("say", text="1950")
        await line.hear_event("offer", "seller")


async def test_two_prices_are_asked_back_with_both(site: Site, asha: Visitor) -> None:
    game_id = asha.opens()
    async with asha.at(game_id) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        await line.send("say", text="1700 ya 1800")
        asked = await line.hear_error("two-prices")
        assert {one["price"] for one in asked["candidates"]} == {1700, 1800}
        assert {one["text"] for one in asked["candidates"]} == {"₹1,700", "₹1,800"}
    assert site.numbers(game_id) == [1, 2]


async def test_a_field_that_contradicts_the_words_wins_with_a_note(asha: Visitor) -> None:
    game_id = asha.opens()
    async with asha.at(game_id) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        await line.send("offer", price=1900, text="1800 le lo")
        assert (await line.hear_event("offer", "seller"))["price"] == 1900
        assert (await line.hear_type("note"))["code"] == "field-wins"


async def test_two_tabs_show_the_same_game(asha: Visitor) -> None:
    game_id = asha.opens()
    async with asha.at(game_id) as first, asha.at(game_id) as second:
        # Neither asks for the log: who asks a moment late is sent it twice.
        for tab in (first, second):
            await tab.hear_event("offer", "buyer")
        await first.send("say", text="1900")
        for tab in (first, second):
            await tab.hear_event("offer", "seller")
            await tab.hear_event("offer", "buyer")
        await second.send("walk")
        for tab in (first, second):
            await tab.hear_event("ended")
    assert first.events == second.events


async def test_a_double_click_is_one_move_however_fast_sauda_is(asha: Visitor) -> None:
    game_id = asha.opens()
    async with asha.at(game_id) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        for _ in range(2):
            await line.send("offer", price=1900, text="1900", seen=2)
        await line.hear_error("not-your-turn")
        await line.sync(after=0)
    asks = [event["event"] for event in line.events if event["event"].get("actor") == "seller"]
    assert [ask["price"] for ask in asks if ask["kind"] == "offer" and ask["round"] == 2] == []


async def test_the_same_click_in_two_tabs_is_one_move(site: Site, asha: Visitor) -> None:
    game_id = asha.opens()
    async with asha.at(game_id) as first, asha.at(game_id) as second:
        for tab in (first, second):
            await tab.send("sync")
            await tab.hear_event("offer", "buyer")
        await asyncio.gather(*(tab.send("walk") for tab in (first, second)))
        for tab in (first, second):
            await tab.hear_event("ended")
        await first.send("ping")
        await second.send("ping")
        await first.hear_type("pong")
        await second.hear_type("pong")
    walked = [event for event in first.events if event["event"]["kind"] == "walk"]
    assert len(walked) == 1
    assert site.numbers(game_id) == list(range(1, len(site.numbers(game_id)) + 1))


async def test_after_the_end_nobody_moves(asha: Visitor) -> None:
    game_id = asha.opens()
    async with asha.at(game_id) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        await line.send("walk")
        await line.hear_event("ended")
        for frame in ({"text": "1800"}, {"text": "hello"}):
            await line.send("say", **frame)
            await line.hear_error("game-over")
        await line.send("offer", price=1800)
        await line.hear_error("game-over")
        await line.send("accept")
        await line.hear_error("game-over")


async def test_a_page_gets_what_to_draw(asha: Visitor) -> None:
    game_id = asha.opens()
    async with asha.at(game_id, subprotocols=["bazaar.html.v1"]) as line:
        assert line.socket.subprotocol == "bazaar.html.v1"
        await line.send("sync")
        opened = await line.hear_type("event")
        assert 'id="event-1"' in opened["html"]
        panels = await line.hear_type("panels")
        assert "sale-standing" in panels["panels"]


async def test_the_panel_at_the_end_says_what_was_missed_and_nothing_before_it_does(
    site: Site, asha: Visitor
) -> None:
    game_id = asha.opens()
    sealed = site.scenario(game_id).sealed
    assert sealed.budget > sealed.reservation, "a first game has a zone"
    async with asha.at(game_id, subprotocols=["bazaar.html.v1"]) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        asha.http.get(f"/sell/{game_id}/")
        asha.reads(game_id)
        live = bytes(asha.heard)
        for form in (str(sealed.budget), f"{sealed.budget / 100:,.2f}", "A deal was possible"):
            assert form.encode() not in live
        await line.send("walk")
        panels = await line.hear(
            lambda frame: (
                frame["type"] == "panels" and "outcome-title" in frame["panels"]["sale-outcome"]
            )
        )
    told = panels["panels"]["sale-outcome"]
    assert "A deal was possible: every price from your ₹1,200 to her ₹" in told


async def test_games_opened_at_once_are_each_what_their_brief_says(
    site: Site, asha: Visitor
) -> None:
    asked = [asyncio.to_thread(asha.post, "/api/sell/", LAMP) for _ in range(6)]
    answers = [answer.json() for answer in await asyncio.gather(*asked)]
    sure = [answer for answer in answers if "first two" in answer["brief"]["walking_away"]]
    assert len(sure) >= 2
    assert all(site.scenario(answer["id"]).zopa > 0 for answer in sure)
    assert "first two" not in asha.post("/api/sell/", LAMP).json()["brief"]["walking_away"]


async def test_a_program_that_offers_no_subprotocol_gets_none(asha: Visitor) -> None:
    async with asha.at(asha.opens()) as line:
        assert line.socket.subprotocol is None
        await line.send("sync")
        assert "html" not in await line.hear_type("event")
