"""People at a match: starting one over HTTP, sitting down, watching and bidding over sockets."""

from typing import Any

import msgspec

from arena.auction.web.records import event_from
from bazaarbatna.auction.events import ArenaEvent
from bazaarbatna.auction.scenario import ArenaScenario
from tests.support.people import Frame, Line, Visitor
from tests.support.servers import Site
from tests.support.services import wait_for

PAUSELESS = {
    "BAZAAR_ARENA_PAUSE_S": "0",
    "BAZAAR_ARENA_GAP_S": "0",
    "BAZAAR_LIMIT_MATCHES": "100000/minute",
}
"""What most tests of matches want of a site."""

RIVALS = ("sauda", "rules:smart", "rules:aggressive")


def any_listing(site: Site) -> int:
    """The number of the first listing."""
    return int(site.query("select min(id) from negotiation_listing")[0][0])


def starts(visitor: Visitor, *line_up: str, **changes: object) -> str:
    """Start a match and give its id."""
    wanted = {"listing": any_listing(visitor.site), "lineup": line_up or RIVALS, **changes}
    answer = visitor.post("/api/arena/", wanted)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def at_match(visitor: Visitor, match_id: str, **options: Any) -> Line:
    """A socket to a match, to be used with ``async with``."""
    return Line(visitor, f"/ws/arena/{match_id}/", **options)


async def hear_all(line: Line, after: int = 0) -> list[Frame]:
    """Follow a match to its end and give its event frames."""
    await line.send("sync", after=after)
    await hear_out(line)
    return line.events


async def hear_out(line: Line) -> None:
    """Listen to the end, however long the match is; only silence is too long."""
    while not any(frame["event"]["kind"] == "ended" for frame in line.events[-1:]):
        await line.hear()


async def bids_along(line: Line, share: float = 1.0) -> Frame:
    """Play a seat: take every ask that the budget allows, else bid ``share`` of the budget."""
    await line.send("sync")
    opened = await line.hear_event("opened")
    budget, ask = opened["budget"], opened["price"]
    while True:
        frame = await line.hear(
            lambda frame: (
                (frame["type"] == "awaiting" and frame["you"])
                or frame.get("event", {}).get("kind") in ("offer", "ended")
            )
        )
        event = frame.get("event", {})
        if event.get("kind") == "ended":
            return dict(event)
        if event.get("kind") == "offer":
            ask = event["price"]
        elif ask <= budget:
            await line.send("accept")
        else:
            await line.send("offer", price=round(share * budget, 2), signal="compete")


async def until_round(line: Line, number: int) -> Frame:
    """Watch until a round has been opened."""
    frame = await line.hear(
        lambda frame: (
            frame.get("event", {}).get("kind") == "round" and frame["event"]["round"] >= number
        )
    )
    return dict(frame["event"])


def stored_match(site: Site, match_id: str) -> tuple[ArenaScenario, list[ArenaEvent]]:
    """A match as it is stored, past the site, with its sealed values."""
    sql = "select scenario from negotiation_sealedrecord where game_id = %s"
    sealed = bytes(site.query(sql, match_id)[0][0])
    sql = "select payload from negotiation_eventrow where game_id = %s order by seq"
    events = [event_from(bytes(row[0])) for row in site.query(sql, match_id)]
    return msgspec.json.decode(sealed, type=ArenaScenario), events


def wait_until_over(site: Site, match_id: str) -> None:
    """Wait until the stored game has ended, past the site: nobody watches."""
    sql = "select status from negotiation_game where id = %s"

    def is_over() -> None:
        assert site.query(sql, match_id) == [("ended",)]

    wait_for(is_over, AssertionError)
