"""A misheard price over real sockets: taken back before the house hears it, or confirmed."""

from collections.abc import Iterator

import pytest

from tests.support.arena import at_match, starts
from tests.support.people import Line, Visitor
from tests.support.servers import Site

LONG = {"BAZAAR_TAKE_BACK_S": "10"}
"""Nobody here waits for it: a price that is named alone is answered at once."""


@pytest.fixture(scope="module")
def slow_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site that gives people all the time they want."""
    with Site(tmp_path_factory.mktemp("slow"), **LONG) as running:
        yield running


@pytest.fixture
def meera(slow_site: Site) -> Iterator[Visitor]:
    """Meera, who is misheard."""
    visitor = Visitor(slow_site)
    yield visitor
    visitor.close()


async def test_a_line_replaces_the_price_and_the_house_hears_only_the_right_one(
    meera: Visitor, slow_site: Site
) -> None:
    game = meera.opens()
    async with meera.at(game) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        await line.send("say", text="1500 lijiye bhai")
        wrong = await line.hear_event("offer", "seller")
        assert wrong["price"] == 1500
        await line.send("say", text="1800")
        gone = await line.hear_event("withdrawn", "seller")
        assert (gone["price"], gone["of_seq"]) == (1500, 3)
        right = await line.hear_event("offer", "seller")
        assert right["price"] == 1800
        await line.hear_event("offer", "buyer")
    numbers = [frame["seq"] for frame in line.events]
    assert numbers == list(range(1, len(numbers) + 1)) == slow_site.numbers(game)
    # Who comes later reads what was said there, and no price.
    said = meera.reads(game)["frames"][2]["event"]
    assert (said["kind"], said["text"]) == ("message", "1500 lijiye bhai")
    assert "price" not in said


async def test_the_button_gives_the_turn_back_and_an_answer_ends_it(meera: Visitor) -> None:
    game = meera.opens()
    async with meera.at(game) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        await line.send("withdraw")
        await line.hear_error("illegal-move")
        await line.send("say", text="1500 lijiye bhai")
        await line.hear_event("offer", "seller")
        await line.send("withdraw")
        await line.hear_event("withdrawn", "seller")
        note = await line.hear_type("note")
        assert note["code"] == "taken-back"
        assert meera.reads(game)["turn"] == "seller"
        await line.send("say", text="1900")
        await line.hear_event("offer", "buyer")
        await line.send("withdraw")
        await line.hear_error("illegal-move")
        await line.send("say", text="no, I said 1,950")
        error = await line.hear_error("illegal-move")
        assert "answered your ₹1,900 already" in error["detail"]


async def test_a_buyer_takes_a_bid_back(meera: Visitor, slow_site: Site) -> None:
    listing = slow_site.query("select id from negotiation_listing where list_price > 100000")[0][0]
    answer = meera.post("/api/buy/", {"listing": listing})
    assert answer.status_code == 201, answer.text
    game = answer.json()
    ask = game["brief"]["asking_price"]
    most = min(ask, game["brief"]["budget"])
    high, low = int(most * 0.7), int(most * 0.5)
    async with Line(meera, f"/ws/buy/{game['id']}/") as line:
        await line.send("sync")
        await line.send("say", text=f"{high} lijiye bhai")
        assert (await line.hear_event("offer", "buyer"))["price"] == high
        await line.send("say", text=f"{low}")
        await line.hear_event("withdrawn", "buyer")
        assert (await line.hear_event("offer", "buyer"))["price"] == low
        await line.hear_event("offer", "seller")


async def test_a_house_that_has_answered_takes_nothing_back(asha: Visitor) -> None:
    game = asha.opens()
    async with asha.at(game) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        await line.send("say", text="1500 lijiye bhai")
        await line.hear_event("offer", "buyer")
        await line.send("say", text="no, I said 1,800")
        await line.hear_error("illegal-move")
        await line.send("withdraw")
        await line.hear_error("illegal-move")


async def test_yes_takes_the_one_price_that_was_asked_back(asha: Visitor) -> None:
    game = asha.opens_a_zone(reservation_price=0.01)
    async with asha.at(game) as line:
        await line.send("sync")
        bid = await line.hear_event("offer", "buyer")
        await line.send("say", text="theek hai?")
        asked = (await line.hear_error("two-prices"))["candidates"]
        assert [one["price"] for one in asked] == [bid["price"]]
        await line.send("say", text="हाँ जी")
        assert (await line.hear_event("ended"))["price"] == bid["price"]


async def test_a_bare_yes_to_several_prices_is_asked_again(asha: Visitor) -> None:
    async with asha.at(asha.opens()) as line:
        await line.send("sync")
        await line.hear_event("offer", "buyer")
        for said in ("1800 ya 1700?", "haan", "wahi"):
            await line.send("say", text=said)
            asked = (await line.hear_error("two-prices"))["candidates"]
            assert [one["price"] for one in asked] == [1800, 1700]
        await line.send("say", text="1750 final")
        await line.hear_event("offer", "seller")


async def test_a_seat_in_the_arena_hears_yes_too(arena_site: Site) -> None:
    visitor = Visitor(arena_site)
    while not await _confirms_a_bid(visitor):
        pass
    visitor.close()


async def _confirms_a_bid(visitor: Visitor) -> bool:
    """Bid in words in a new match; give False where the seat that was dealt cannot pay the bid."""
    async with at_match(visitor, starts(visitor, "person", "rules:boulware")) as line:
        await line.send("sync")
        await line.hear_type("awaiting")
        opened = line.events[0]["event"]
        ask, thousands = opened["price"], round(opened["price"] * 0.55 / 1000, 1)
        if 1000 * thousands > opened["budget"]:
            return False
        await line.send("say", text=f"{int(ask * 0.5)} ya {int(ask * 0.6)}?")
        assert len((await line.hear_error("two-prices"))["candidates"]) == 2
        await line.send("say", text="yes")
        assert len((await line.hear_error("two-prices"))["candidates"]) == 2
        await line.send("say", text=f"{thousands} bhai")
        asked = (await line.hear_error("two-prices"))["candidates"]
        assert len(asked) == 1
        await line.send("say", text="haan")
        placed = await line.hear_event("placed", "buyer-1")
        # Nobody may see what is in an envelope; whoever sealed it may.
        assert (placed["action"], placed["text"]) == ("offer", "haan")
    return True
