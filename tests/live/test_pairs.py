"""Two people at one table, over real pages and sockets."""

import re
from collections.abc import Iterator

import pytest

from tests.support.dear_goods import may_be_told, put_on_sale
from tests.support.people import Line, Visitor
from tests.support.servers import Site
from tests.support.spellings import names

OFFERS = (9_000_000_000, 45_000_000_000, 9_500_000_000)
"""What is said at the table below, in paise."""


@pytest.fixture
def ravi(site: Site) -> Iterator[Visitor]:
    visitor = Visitor(site)
    yield visitor
    visitor.close()


@pytest.fixture(scope="module")
def palace(site: Site) -> int:
    return put_on_sale(site)


@pytest.fixture
def table(asha: Visitor, ravi: Visitor, palace: int) -> str:
    link = asha.presses("/pair/", listing=palace, name="Asha", seat="seller", clock_s=300)
    place = ravi.presses(link, name="Ravi")
    game = re.fullmatch(r"/buy/(\w+)/", place)
    assert game
    assert asha.http.get(link).headers["Location"] == f"/sell/{game[1]}/"
    return game[1]


async def test_a_move_reaches_the_other_side_and_no_secret_with_it(
    site: Site, asha: Visitor, ravi: Visitor, table: str
) -> None:
    sealed = site.scenario(table).sealed
    html = ["bazaar.html.v1"]
    async with (
        Line(asha, f"/ws/sell/{table}/", subprotocols=html) as sells,
        Line(ravi, f"/ws/buy/{table}/", subprotocols=html) as buys,
    ):
        await sells.send("sync", after=0)
        await buys.send("sync", after=0)
        clock = await buys.hear_type("clock")
        assert (clock["running"], clock["why"]) == ("buyer", "clock")
        assert clock["left_s"]["seller"] == 300
        await buys.send("say", text="Namaste, 90000000 dunga")
        bid = await sells.hear_event("offer", "buyer")
        assert (bid["price"], bid["text"]) == (90_000_000, "Namaste, 90000000 dunga")
        await buys.send("say", text="100000000")
        await buys.hear_error("not-your-turn")
        await sells.send("say", text="450000000, heavy hai")
        ask = await buys.hear_event("offer", "seller")
        assert ask["price"] == 450_000_000
        await buys.send("say", text="95000000 aakhri")
        await sells.hear_event("offer", "buyer")
        for line, own, secret in (
            (sells, sealed.reservation, sealed.budget),
            (buys, sealed.budget, sealed.reservation),
        ):
            kind = "sell" if line is sells else "buy"
            page = line.visitor.http.get(f"/{kind}/{table}/").text
            heard = str(line.frames) + page
            assert names(heard, own), "a search that cannot find the own number finds nothing"
            assert may_be_told(secret, own, OFFERS) or not names(heard, secret)
        await sells.send("walk")
        ended = await buys.hear_event("ended")
        assert (ended["outcome"], ended["by"]) == ("walk", "seller")


async def test_what_a_person_has_heard_stays_and_yes_is_asked_which(
    asha: Visitor, ravi: Visitor, table: str
) -> None:
    async with (
        Line(asha, f"/ws/sell/{table}/") as sells,
        Line(ravi, f"/ws/buy/{table}/") as buys,
    ):
        await sells.send("sync", after=0)
        await buys.send("sync", after=0)
        for said in ("90000000 ya 80000000?", "haan"):
            await buys.send("writes")
            await buys.send("say", text=said)
            assert len((await buys.hear_error("two-prices"))["candidates"]) == 2
        await buys.send("say", text="90000000 dunga bhai")
        await sells.hear_event("offer", "buyer")
        await buys.send("withdraw")
        await buys.hear_error("illegal-move")
        await buys.send("say", text="nahi, 80000000 bola")
        await buys.hear_error("not-your-turn")


async def test_a_third_person_finds_no_chair_and_no_game(
    asha: Visitor, ravi: Visitor, chetan: Visitor, palace: int
) -> None:
    link = asha.presses("/pair/", listing=palace, name="Asha", seat="buyer", clock_s=0)
    game = ravi.presses(link, name="Ravi").split("/")[2]
    assert chetan.http.get(link).status_code == 410
    for place in (f"/sell/{game}/", f"/buy/{game}/", f"/api/buy/{game}/", f"/replays/{game}/"):
        assert chetan.http.get(place).status_code == 404
    # Each has one side: Asha came to buy.
    assert asha.http.get(f"/sell/{game}/").status_code == 404
    async with Line(chetan, f"/ws/buy/{game}/") as line:
        await line.hear_error("unknown-game")


async def test_who_is_away_is_told_to_the_one_who_waits_and_who_may_write_meanwhile(
    site: Site, asha: Visitor, ravi: Visitor, table: str
) -> None:
    sealed = site.scenario(table).sealed
    long_ago = "update negotiation_eventrow set created_at = datetime(created_at, '-60 seconds')"
    async with Line(asha, f"/ws/sell/{table}/") as sells, Line(ravi, f"/ws/buy/{table}/") as buys:
        await sells.send("sync", after=0)
        await buys.send("sync", after=0)
        assert (await sells.hear_type("clock"))["why"] == "clock"
        await sells.send("say", text="Take your time.")
        assert (await buys.hear_event("message", "seller"))["text"] == "Take your time."
        await sells.send("say", text="440000000 for you")
        await sells.hear_error("not-your-turn")

        asha.presses(f"/sell/{table}/end/")
        assert site.query("select status from negotiation_game where id = %s", table) == [("live",)]
        site.execute(f"{long_ago} where game_id = %s", table)
        site.execute("update negotiation_game set buyer_seen_at = null where id = %s", table)
        await sells.send("ping", here=True)
        told = await sells.hear_type("clock")
        assert (told["running"], told["why"]) == ("buyer", "absent")
        await buys.send("ping", here=True)
        told = await sells.hear_type("clock")
        assert (told["running"], told["why"]) == ("buyer", "clock")

        site.execute("update negotiation_game set buyer_seen_at = null where id = %s", table)
        asha.presses(f"/sell/{table}/end/")
        heard = str(sells.frames)
        assert not names(heard, sealed.budget)
        ended = await buys.hear_event("ended")
        assert (ended["outcome"], ended["by"]) == ("walk", "buyer")


async def test_a_line_being_written_is_told_of_between_friends_and_at_no_rooms_table(
    site: Site, asha: Visitor, ravi: Visitor, table: str
) -> None:
    async with Line(asha, f"/ws/sell/{table}/") as sells, Line(ravi, f"/ws/buy/{table}/") as buys:
        await sells.send("sync", after=0)
        await buys.send("sync", after=0)
        await sells.hear_type("synced")
        await buys.send("writes")
        assert (await sells.hear_type("writes"))["actor"] == "buyer"
        in_a_room = "update negotiation_game set terms = json_set(terms, '$.back', '/rooms/x/')"
        site.execute(f"{in_a_room} where id = %s", table)
        await buys.send("writes")
        await buys.hear_type("pong")
        await buys.send("say", text="Namaste")
        await sells.hear_event("message", "buyer")
        heard = [[frame["type"] for frame in line.frames].count("writes") for line in (sells, buys)]
        assert heard == [1, 0]


async def test_who_gets_the_seat_back_from_the_house_is_called_by_name(
    site: Site, asha: Visitor, ravi: Visitor, table: str
) -> None:
    kept = "update negotiation_game set policy = 'sauda', gone = rival, rival = '' where id = %s"
    drawn = ["bazaar.html.v1"]
    async with Line(asha, f"/ws/sell/{table}/", subprotocols=drawn) as sells:
        await sells.send("sync", after=0)
        await sells.hear_type("synced")
        site.execute(kept, table)
        await sells.send("ping", here=True)
        await sells.hear_event("offer", "buyer")
        standing = (await sells.hear_type("panels"))["panels"]["sale-standing"]
        assert "for Ravi" in standing
        assert ravi.http.get(f"/buy/{table}/").status_code == 200
        standing = (await sells.hear_type("panels"))["panels"]["sale-standing"]
        assert "Ravi" in standing
        assert "for Ravi" not in standing
        assert (await sells.hear_type("clock"))["running"] == "seller"
