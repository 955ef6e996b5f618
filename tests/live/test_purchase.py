"""A purchase over a real socket: what reaches whom, byte by byte."""

from collections.abc import Iterator

import pytest

from tests.support.people import Line, Visitor
from tests.support.servers import Site

BUDGET = 1713.37


@pytest.fixture
def bilal(site: Site) -> Iterator[Visitor]:
    """Bilal, who buys."""
    visitor = Visitor(site)
    yield visitor
    visitor.close()


@pytest.fixture(scope="module")
def lamp(site: Site) -> int:
    """A lamp on the shelf at 2,000 rupees; its seller keeps it below 1,171.80 in any game."""
    site.execute(
        "insert into negotiation_listing (title, category, description, condition_label, city,"
        " list_price, street_price, currency, source, source_key, search_text) values"
        " ('Brass lamp', 'Home', 'Heavy', 'good', '', 200000, 180000, 'INR', 'test', 'lamp', '')"
    )
    sql = "select id from negotiation_listing where source_key = 'lamp'"
    return int(site.query(sql)[0][0])


def opens(bilal: Visitor, lamp: int) -> str:
    answer = bilal.post("/api/buy/", {"listing": lamp, "budget": BUDGET, "policy": "seller:firm"})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def forms_of(paise: int) -> list[bytes]:
    rupees = paise / 100
    return [form.encode() for form in (str(paise), f"{rupees:.2f}", f"{rupees:,.2f}")]


def around(secret: bytes, heard: bytes) -> bytes:
    """Give what stands around a number that was heard: by that it is seen who told it."""
    at = heard.index(secret)
    return heard[max(0, at - 80) : at + len(secret) + 40]


async def test_bilal_hears_no_byte_of_her_secret_before_the_end(
    bilal: Visitor, lamp: int, site: Site
) -> None:
    # The front page opens an envelope of its own, whose 1450000 paise hold a price of hers.
    del bilal.heard[:]
    game = opens(bilal, lamp)
    scenario = site.scenario(game)
    secrets = [scenario.salt.encode(), str(scenario.sealed.seed).encode()]
    secrets += forms_of(scenario.sealed.reservation) + forms_of(scenario.sealed.cost)
    async with Line(bilal, f"/ws/buy/{game}/", subprotocols=["bazaar.html.v1"]) as line:
        for words in ("1010 dunga bhai", "1030, cash abhi", "kya last price hai?", "1050 bas"):
            await line.send("say", text=words)
            await line.hear(
                lambda frame: (
                    frame["type"] == "event"
                    and frame["event"].get("actor") == "seller"
                    and frame["event"]["kind"] in ("offer", "message")
                )
            )
            bilal.http.get(f"/buy/{game}/")
            bilal.http.get(f"/api/buy/{game}/")
        live = bytes(bilal.heard)
        assert [around(secret, live) for secret in secrets if secret in live] == []
        await line.send("walk")
        ended = await line.hear_event("ended")
    assert ended["opened"]["reservation"] == scenario.sealed.reservation / 100
    assert ended["certificate"]["side"] == "seller"
    assert ended["certificate"]["honest"]


async def test_thinking_names_the_seller_and_the_log_is_numbered_without_gaps(
    bilal: Visitor, lamp: int
) -> None:
    game = opens(bilal, lamp)
    async with Line(bilal, f"/ws/buy/{game}/") as line:
        # An answer may be there before anybody could be told that it is thought about.
        for price in range(1010, 1100, 10):
            await line.send("offer", price=price, text="cash")
            await line.hear_event("offer", "seller")
            thinking = [frame for frame in line.frames if frame["type"] == "thinking"]
            if thinking:
                break
        assert [frame["actor"] for frame in thinking] == ["seller"]
        seqs = [frame["seq"] for frame in line.events]
        assert seqs == list(range(1, len(seqs) + 1))
        await line.send("offer", price=1005, text="nahi, kam")
        assert "never goes down" in (await line.hear_error("illegal-move"))["detail"]


async def test_chetan_hears_nothing_of_a_purchase(
    bilal: Visitor, chetan: Visitor, lamp: int, site: Site
) -> None:
    del chetan.heard[:]  # the shelf on the front page is for everybody
    game = opens(bilal, lamp)
    for path in (f"/ws/buy/{game}/", f"/ws/sell/{game}/"):
        async with Line(chetan, path) as line:
            await line.hear_error("unknown-game")
    for address in (f"/buy/{game}/", f"/api/buy/{game}/", f"/sell/{game}/", f"/replays/{game}/"):
        assert chetan.http.get(address).status_code == 404
    assert b"Brass lamp" not in chetan.heard
    assert [form for form in forms_of(round(BUDGET * 100)) if form in chetan.heard] == []
    assert "1713.37" not in site.log
    assert "171337" not in site.log
