"""A market behind a real Daphne: sockets of a person, of spectators, of Chetan and Mallory."""

import asyncio
import contextlib
import json
import re
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from arena.gpu_market.web.game import MARKET
from bazaarbatna.market import MarketEvent, MarketScenario, State, fold
from bazaarbatna.market.events import OfferMade, Said, TurnTaken
from bazaarbatna.market.making import ARCHETYPES
from tests.support.people import Frame, Line, Visitor
from tests.support.servers import Site

WAIT = {"action": "wait"}

WITHIN_S = 90.0
"""How long a sweep may take on a busy machine."""


def starts(visitor: Visitor, **wanted: object) -> str:
    """Start a market and give its id."""
    answer = visitor.post("/api/market/", {"task": "market_round", "pace": 0.05, **wanted})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def at(visitor: Visitor, match_id: str, **options: Any) -> Line:
    """A socket to a market."""
    return Line(visitor, f"/ws/market/{match_id}/", **options)


def as_stored(site: Site, match_id: str) -> tuple[MarketScenario, tuple[MarketEvent, ...], State]:
    """A market past the site, with its sealed values."""
    sql = "select scenario from negotiation_sealedrecord where game_id = %s"
    scenario = msgspec.json.decode(bytes(site.query(sql, match_id)[0][0]), type=MarketScenario)
    sql = "select payload from negotiation_eventrow where game_id = %s order by seq"
    events = tuple(MARKET.event_from(bytes(row[0])) for row in site.query(sql, match_id))
    return scenario, events, fold(scenario, events)


async def hear_out(line: Line) -> None:
    while not any(frame["event"]["kind"] == "ended" for frame in line.events[-1:]):
        await line.hear()


async def acts(line: Line, action: object, **more: object) -> Frame:
    """Act, and wait for the own lab's new view."""
    await line.send("act", action=action, **more)
    return await line.hear_type("you")


async def test_a_demo_goes_on_by_itself_before_any_number_of_spectators(
    asha: Visitor, chetan: Visitor
) -> None:
    match_id = starts(asha)
    async with at(asha, match_id) as one, at(chetan, match_id) as two:
        await asyncio.gather(one.send("sync"), two.send("sync"))
        await asyncio.gather(hear_out(one), hear_out(two))
        assert one.events == two.events
        assert [frame["seq"] for frame in one.events] == list(range(1, len(one.events) + 1))
        controls = [f["controls"] for f in one.frames if f["type"] == "standing"]
        assert set(controls) == {True}
        last = len(one.events)
        await one.send("sync", after=last)
        assert await one.hear_type("synced") == {"type": "synced", "seq": last}
    async with at(chetan, match_id) as late:
        await late.send("sync", after=last - 2)
        await late.hear_event("ended")
        assert [frame["seq"] for frame in late.events] == [last - 1, last]


async def test_its_starter_pauses_steps_and_lets_it_go_on(asha: Visitor, chetan: Visitor) -> None:
    match_id = starts(asha, pace=30)
    async with at(chetan, match_id) as line:
        for pause in (True, "step", False):
            await line.send("pace", pause=pause)
            await line.hear_error("no-controls")
    async with at(asha, match_id) as line:
        await line.send("sync")
        await line.hear_type("standing")
        for turn in ("lab_1", "lab_2", "lab_0"):
            await line.send("pace", pause="step")
            told = await line.hear(lambda f, t=turn: f["type"] == "standing" and f["turn"] == t)
            assert told["paused"] is True
        await line.send("pace", pause=False, pace=0.02)
        await hear_out(line)
        await line.send("pace", pause=True)
        await line.hear_error("game-over")


async def test_a_person_plays_a_lab_to_the_end_and_is_shown_everything(asha: Visitor) -> None:
    match_id = starts(asha, policy="you", seed=12)
    async with at(asha, match_id) as line:
        await line.send("sync")
        opened = await line.hear_event("opened")
        assert (opened["lab"], len(opened["jobs"])) == ("lab_0", 2)
        you = await line.hear_type("you")
        assert you["your_turn"] is True
        own = [b["id"] for b in you["observation"]["blocks"] if b["owner"] == "lab_0"]
        await line.send("consider", action={"action": "reserve_capacity", "block_ids": own[:1]})
        assert (await line.hear_type("considered"))["ok"] is True
        after = await acts(line, {"action": "reserve_capacity", "block_ids": own[:1]}, round=0)
        assert after["observation"]["last_result"]["ok"] is True
        assert after["observation"]["round"] == 1
        for round_ in range(1, 5):
            await line.send("act", action=WAIT, round=round_)
            await line.hear_type("you")
        ended = next(f["event"] for f in line.events if f["event"]["kind"] == "ended")
        await line.send("act", action=WAIT)
        await line.hear_error("game-over")
    scenario, _, state = as_stored(asha.site, match_id)
    assert state.ended is not None
    assert ended["salt"] == scenario.salt
    assert ended["results"][0]["utility"] == state.ended.results[0].utility / 100
    assert asha.http.get(f"/api/market/{match_id}/").json()["audience"] == "replay"


async def test_of_two_acts_at_once_one_is_refused(asha: Visitor) -> None:
    match_id = starts(asha, policy="you")
    async with at(asha, match_id) as one, at(asha, match_id) as two:
        for line in (one, two):
            await line.send("sync")
            await line.hear_type("you")
        for round_ in range(4):
            await asyncio.gather(
                one.send("act", action=WAIT, round=round_),
                two.send("act", action={"action": "send_message", "message": "Me"}, round=round_),
            )
            answers = await asyncio.gather(
                *(line.hear(lambda f: f["type"] in ("you", "error")) for line in (one, two))
            )
            errors = [a for a in answers if a["type"] == "error"]
            # The loser may be shown the winner's turn before its own refusal.
            if not errors:
                late = await asyncio.wait_for(_first_error(one, two), WITHIN_S)
                errors = [late]
            assert [e["code"] for e in errors] == ["not-your-turn"]
            for line in (one, two):
                await line.send("ping")
                await line.hear_type("pong")
    _, events, state = as_stored(asha.site, match_id)
    assert sum(isinstance(e, TurnTaken) and e.lab == "lab_0" for e in events) == 4
    assert state.round == 4


async def _first_error(*lines: Line) -> Frame:
    tasks = [asyncio.create_task(line.hear_type("error")) for line in lines]
    done, rest = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
    return done.pop().result()


async def test_two_requests_at_once_are_one_turn(asha: Visitor) -> None:
    match_id = starts(asha, policy="you")
    body = {"action": WAIT, "round": 0}
    answers = await asyncio.gather(
        *(asyncio.to_thread(asha.post, f"/api/market/{match_id}/act/", body) for _ in range(6))
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 5
    assert as_stored(asha.site, match_id)[2].round == 1


def names(heard: bytes, cents: int) -> bool:
    """Whether an amount of credits stands in what was heard, as a number of its own."""
    text = f"{cents / 100}".removesuffix(".0")
    return bool(re.search(rf"(?<![\d.]){re.escape(text)}(?:\.0)?(?![\d.])".encode(), heard))


async def until_round(line: Line, round_: int) -> None:
    """Watch until a round has begun; it may have been heard of already."""
    while not any(f["type"] == "standing" and f["round"] >= round_ for f in line.frames):
        await line.hear()


async def plays_secretly(seat: Line) -> None:
    """Make an offer to lab_1, whisper to lab_2, try something wrong and wait: four rounds."""
    view = (await seat.hear_type("you"))["observation"]
    own = next(b["id"] for b in view["blocks"] if b["owner"] == "lab_0")
    offer = {
        "action": "send_offer",
        "target_lab_id": "lab_1",
        "block_ids": [own],
        "payment": 12.34,
        "message": "for your eyes only",
    }
    whisper = {"action": "send_message", "target_lab_id": "lab_2", "message": "psst, lab two"}
    for round_, action in enumerate((offer, whisper, {"action": "allocate_to_job"}, WAIT)):
        await acts(seat, action, round=round_)


def private_numbers_heard(scenario: MarketScenario, lab: int, heard: bytes) -> list[object]:
    """What was heard of a lab's budget and jobs."""
    found: list[object] = [m for m in scenario.sealed.budgets[lab : lab + 1] if names(heard, m)]
    for job in scenario.sealed.jobs[lab]:
        spelt = f'"urgency":{job.urgency},"min_reliability":{job.min_reliability}'.encode()
        if names(heard, job.base_value) or spelt in heard:
            found.append(job.id)
    return found


async def test_chetan_learns_nothing_of_a_persons_market_he_may_watch(
    asha: Visitor, chetan: Visitor
) -> None:
    seed = 424242424242
    match_id = starts(asha, policy="you", public=True, task="coalition_market", seed=seed)
    # The front page tells what archetypes there are.
    asha.heard.clear()
    chetan.heard.clear()
    html = ["bazaar.html.v1"]
    async with (
        at(asha, match_id) as seat,
        at(chetan, match_id) as line,
        at(chetan, match_id, subprotocols=html) as drawn,
    ):
        for one in (seat, line, drawn):
            await one.send("sync")
        await plays_secretly(seat)
        for one in (line, drawn):
            await until_round(one, 4)
            await one.send("act", action=WAIT)
            await one.hear_error("no-seat")
        for path in (f"/api/market/{match_id}/", "/api/market/"):
            for who in (asha, chetan):
                assert who.http.get(path).status_code == 200
    scenario, events, state = as_stored(asha.site, match_id)
    assert any(isinstance(e, OfferMade) and e.offer.message for e in events)
    assert any(isinstance(e, Said) and e.to for e in events)
    spectator, player = bytes(chetan.heard), bytes(asha.heard)
    for words in (b"for your eyes only", b"psst", b'"base_value"', b'"offer_closed"'):
        assert words not in spectator
    assert b"for your eyes only" in player
    labs = range(len(scenario.labs))
    assert [private_numbers_heard(scenario, lab, spectator) for lab in labs] == [[] for _ in labs]
    assert len(private_numbers_heard(scenario, 0, player)) == 4
    assert not [lab for lab in labs[1:] if private_numbers_heard(scenario, lab, player)]
    to_come = {one.kind for one in scenario.sealed.shocks} - {one.shock for one in state.shocks}
    assert to_come
    for heard in (spectator, player):
        for secret in (scenario.salt, str(scenario.sealed.seed), str(seed), *ARCHETYPES, *to_come):
            assert secret.encode() not in heard


async def test_numbers_of_frames_have_no_gap_where_something_was_hidden(
    asha: Visitor, chetan: Visitor
) -> None:
    match_id = starts(asha, policy="you", public=True)
    async with at(asha, match_id) as seat, at(chetan, match_id) as line:
        await seat.send("sync")
        await line.send("sync")
        await seat.hear_type("you")
        await acts(seat, {"action": "send_message", "target_lab_id": "lab_1", "message": "psst"})
        await acts(seat, {"action": "finish"})
        await hear_out(line)
        for one in (seat, line):
            assert [f["seq"] for f in one.events] == list(range(1, len(one.events) + 1))
        assert len(line.events) < len(seat.events) <= len(as_stored(asha.site, match_id)[1])


async def test_a_private_market_is_not_there_for_chetan(asha: Visitor, chetan: Visitor) -> None:
    match_id = starts(asha, policy="you")
    heard = []
    for name in (match_id, "nosuchgame22"):
        async with at(chetan, name) as line:
            heard.append(await line.hear())
            assert await line.hear_end() == 4404
    assert heard[0] == heard[1]
    assert heard[0]["code"] == "unknown-game"


BAD = [
    "",
    "{",
    "[]",
    "17",
    "null",
    "{}",
    '{"type":"dance"}',
    '{"type":"act"}',
    '{"type":"act","action":"wait"}',
    '{"type":"act","action":NaN}',
    '{"type":"act","action":{"action":"wait"},"round":-1}',
    '{"type":"act","action":{"action":"wait"},"round":1.5}',
    '{"type":"pace"}',
    '{"type":"pace","pause":"stop"}',
    '{"type":"pace","pause":true,"pace":"fast"}',
    '{"type":"sync","after":"all"}',
    '{"type":"offer","price":170}',
    "[" * 16000,
    '{"type":"act","action":' + '{"a":' * 3000,
]


async def test_mallorys_frames_are_answered_and_the_market_goes_on(
    asha: Visitor, mallory: Visitor
) -> None:
    match_id = starts(asha, policy="you", public=True)
    async with at(asha, match_id) as seat, at(mallory, match_id) as line:
        for text in BAD:
            for one in (seat, line):
                await one.send_raw(text)
                await one.hear_error("bad-frame")
        await seat.send_raw(b'{"type":"ping"}')
        await seat.hear_error("bad-frame")
        forms = (
            {},
            {"action": "fly"},
            {"action": "wait", "lab": 1},
            {"action": ["wait"]},
            {"action": "wait", "payment": 1e300},
            {"action": "wait", "block_ids": [1]},
        )
        for action in forms:
            await seat.send("act", action=action)
            await seat.hear_error("bad-action")
        await seat.send("sync")
        you = await seat.hear_type("you")
        assert you["observation"]["round"] == 0
        await acts(seat, WAIT, round=0)


async def test_a_frame_of_a_megabyte_closes_the_socket_but_not_the_market(asha: Visitor) -> None:
    match_id = starts(asha, policy="you")
    async with at(asha, match_id) as line:
        await line.send("sync")
        await line.hear_type("you")
        words = {"action": "send_message", "message": "x" * 1_000_000}
        # The server may hang up while the frame is still on its way.
        with contextlib.suppress(ConnectionClosed):
            await line.send_raw(json.dumps({"type": "act", "action": words}))
        assert await line.hear_end() in (1006, 1009)
    async with at(asha, match_id) as again:
        await again.send("sync")
        await again.hear_type("you")
        await acts(again, WAIT, round=0)


async def test_a_page_of_another_site_gets_no_socket(asha: Visitor) -> None:
    match_id = starts(asha, policy="you")
    for origin in ("https://evil.example", "null"):
        with pytest.raises(InvalidStatus) as refused:
            async with at(asha, match_id, origin=origin):
                pass
        assert refused.value.response.status_code == 403


async def test_a_socket_ends_with_its_visit(site: Site, asha: Visitor) -> None:
    match_id = starts(asha, policy="you")
    async with at(asha, match_id) as line:
        await line.send("sync")
        await line.hear_type("you")
        key = asha.http.cookies["sessionid"]
        site.execute("delete from django_session where session_key = %s", key)
        await line.send("act", action=WAIT)
        await line.hear_error("unknown-game")
        assert await line.hear_end() == 4404
    assert as_stored(site, match_id)[2].round == 0


async def test_a_market_that_a_person_left_is_ended_by_the_sweep_of_a_process(
    site: Site, asha: Visitor
) -> None:
    left, played = starts(asha, policy="you"), starts(asha, policy="you")
    for table, key in (("negotiation_game", "id"), ("negotiation_eventrow", "game_id")):
        sql = f"update {table} set created_at = %s where {key} = %s"
        site.execute(sql, "2020-01-01 00:00:00", left)
    asha.http.get("/api/market/")

    def card(match_id: str) -> dict[str, Any]:
        return dict(asha.http.get(f"/api/market/{match_id}/").json())

    async with asyncio.timeout(WITHIN_S):
        while card(left)["phase"] == "live":  # noqa: ASYNC110  another process ends it
            await asyncio.sleep(0.2)
    assert card(left)["abandoned"] is True
    assert card(left)["audience"] == "replay"
    assert card(played)["phase"] == "live"
