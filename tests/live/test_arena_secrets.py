"""What a spectator and a rival of a person may never receive before a match is over."""

import json
import re

import pytest

from bazaarbatna.auction.events import AskLowered, Bid, Ended, Opened, Placed
from bazaarbatna.bargain.quantities import Paise
from tests.support.arena import at_match, starts, stored_match, until_round
from tests.support.people import Line, Visitor
from tests.support.servers import Site
from tests.support.spellings import names, where


@pytest.fixture
def site(arena_site: Site) -> Site:
    """The site that the tests of matches share."""
    return arena_site


def stories(line: Line) -> list[list[str]]:
    """What rivals said at each opened round, as it was drawn for a viewer."""
    pieces = [frame.get("html", "") for frame in line.events if frame["event"]["kind"] == "round"]
    return [re.findall(r'class="moment-said of-buyer-[234]">.*?“(.*?)”', html) for html in pieces]


OTHERS = re.compile(
    rb'<article class="on-now">.*?</article>|<figure class="lobby-item">.*?</figure>'
    rb'|<div class="next">.*?</div>|<ol class="results">.*?</ol>',
    re.S,
)
"""What the lobby tells of single matches, under way, to come and over, and of goods to bid for."""


def asks(visitor: Visitor, path: str, match_id: str) -> None:
    """Ask for a page; what a list tells of other matches is forgotten again.

    They are public, and may hold the same number or the same words as what is hidden here.
    """
    before = len(visitor.heard)
    answer = visitor.http.get(path)
    assert answer.status_code == 200
    told = bytes(visitor.heard[before:])
    if path == "/api/arena/":
        ours = [one for one in answer.json()["now"] if one["id"] == match_id]
        assert ours, "the list shows the match"
        told = told.replace(answer.content, json.dumps(ours, ensure_ascii=False).encode())
    if path == "/arena/":
        assert match_id.encode() in told, "the lobby shows the match"
        told = OTHERS.sub(lambda one: one[0] if match_id.encode() in one[0] else b"", told)
    visitor.heard[before:] = told


async def test_nobody_at_or_around_a_persons_table_learns_what_rivals_bid(
    asha: Visitor, chetan: Visitor
) -> None:
    for visitor in (asha, chetan):
        visitor.heard.clear()  # Pages of before the match may show any number.
    match_id = starts(asha, "person", "rules:boulware", "rules:micro", "rules:boulware", seed=12)
    html = ["bazaar.html.v1"]
    async with (
        at_match(asha, match_id) as seat,
        at_match(asha, match_id, subprotocols=html) as page,
        at_match(chetan, match_id) as line,
        at_match(chetan, match_id, subprotocols=html) as drawn,
    ):
        lines = (seat, page, line, drawn)
        for one in lines:
            await one.send("sync")
        own = 137.53
        for number in (1, 2):
            await seat.send("offer", price=own + number)
            for one in lines:
                await until_round(one, number)
        for path in ("/arena/", f"/arena/{match_id}/", f"/api/arena/{match_id}/", "/api/arena/"):
            asks(asha, path, match_id)
            asks(chetan, path, match_id)
    # Rivals say to the seat what they say to a stranger: its own bid is not in it.
    assert stories(drawn) == stories(page) != []
    scenario, events = stored_match(asha.site, match_id)
    assert not any(isinstance(event, Ended) for event in events)
    hidden = [scenario.sealed.reservation, scenario.sealed.cost, *scenario.sealed.budgets[1:]]
    rivals = [
        event.move.price
        for event in events
        if isinstance(event, Placed) and event.buyer > 0 and isinstance(event.move, Bid)
    ]
    assert rivals
    # An ask is told to all, and a rival may happen to bid just that.
    asked = {event.price for event in events if isinstance(event, Opened | AskLowered)}
    secret = [price for price in hidden + rivals if price not in asked]
    for visitor in (asha, chetan):
        heard = bytes(visitor.heard)
        assert [where(heard, price) for price in secret if names(heard, price)] == []
        for word in (scenario.salt, str(scenario.sealed.seed), scenario.seller):
            assert word.encode() not in heard
        texts = [e.move.text for e in events if isinstance(e, Placed) and e.buyer > 0]
        assert [text for text in texts if text and text.encode() in heard] == []
    assert names(bytes(asha.heard), scenario.sealed.budgets[0])
    assert not names(bytes(chetan.heard), scenario.sealed.budgets[0])
    assert not names(bytes(chetan.heard), Paise(13853))


async def test_a_match_of_policies_shows_bids_but_no_sealed_value(chetan: Visitor) -> None:
    # On another seed an ask or a bid may happen to be a limit itself.
    match_id = starts(chetan, "rules:boulware", "rules:micro", seed=11)
    async with at_match(chetan, match_id) as line:
        await line.send("sync")
        opened = await until_round(line, 1)
        assert [bid["action"] for bid in opened["bids"]] == ["offer", "offer"]
        assert all(bid["price"] for bid in opened["bids"])
        live = [frame for frame in line.events if frame["event"]["kind"] != "ended"]
    scenario, _ = stored_match(chetan.site, match_id)
    heard = repr(live).encode()
    sealed = scenario.sealed
    assert [p for p in (sealed.reservation, sealed.cost, *sealed.budgets) if names(heard, p)] == []
    assert all(word not in heard for word in (b"budget", b"reservation", b"persona': '"))


async def test_the_site_writes_no_sealed_value_into_its_log(asha: Visitor) -> None:
    match_id = starts(asha, "person", "sauda", "rules:smart")
    async with at_match(asha, match_id) as line:
        await line.send("sync")
        await line.hear_event("opened")
        await line.send("offer", price=10**10)
        await line.hear_type("error")
        await line.send("walk")
        await line.hear_event("ended")
    scenario, _ = stored_match(asha.site, match_id)
    log = asha.site.log.encode()
    sealed = scenario.sealed
    assert [p for p in (sealed.reservation, *sealed.budgets) if names(log, p)] == []
    assert scenario.salt.encode() not in log
