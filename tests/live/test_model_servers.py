"""A served site whose models answer, fail, hang and recover: the game goes on, in time."""

import json
import re
import time
from collections.abc import Iterator

import pytest

from tests.support.model_answers import (
    Answer,
    Asked,
    Body,
    Half,
    HangUp,
    Noise,
    Say,
    Silence,
    Status,
)
from tests.support.modelled import AN_OFFER, BUDGET_S, SLACK_S, Models, is_bid
from tests.support.people import Line, Visitor
from tests.support.waiting import in_time


@pytest.fixture
def asha(models: Models) -> Iterator[Visitor]:
    visitor = Visitor(models.site)
    yield visitor
    visitor.close()


async def plays(line: Line, rounds: int) -> list[float]:
    """Hear Sauda's bid and answer it, so many times; how long each turn took in seconds."""
    waits = []
    started = time.monotonic()
    await line.send("sync")
    for number in range(rounds):
        bid = await line.hear_bid()
        waits.append(time.monotonic() - started)
        if bid["kind"] == "ended" or number == rounds - 1:
            break
        started = time.monotonic()
        await line.send("offer", price=1990 - 10 * number)
    return waits


async def test_the_first_model_speaks_and_the_log_says_so(models: Models, asha: Visitor) -> None:
    game_id = asha.opens(asking_price=2000, reservation_price=1950)
    async with asha.at(game_id) as line:
        await line.send("sync")
        bid = await line.hear_event("offer", "buyer")
    assert bid["backend"] == "hf"
    assert bid["policy_version"].startswith("sauda@3/prompt2/hf:")
    assert bid["text"]
    assert models.served(game_id) == [("hf", [])]
    (asked,) = models.hf.asked
    assert asked.headers["authorization"] == "Bearer hf_a_secret_of_the_operator"
    assert not models.ollama.asked


FAULTS: dict[str, Answer] = {
    "500": Status(500),
    "429": Status(429, retry_after="7"),
    "silence": Silence(60),
    "silence in the middle": Silence(60, after_pieces=2),
    "half a body": Half(),
    "not json": Body("<html>nginx</html>", content_type="text/html"),
    "5 MB": Body("x" * 1024, times=5 * 1024),
    "noise": Noise(),
    "hangs up": HangUp(),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_when_one_model_fails_the_next_one_speaks(
    models: Models, asha: Visitor, fault: str
) -> None:
    models.hf.always(FAULTS[fault])
    game_id = asha.opens(asking_price=2000, reservation_price=1950)
    async with asha.at(game_id) as line:
        waits = await plays(line, 2)
    assert max(waits) < BUDGET_S + SLACK_S
    assert {name for name, _ in models.served(game_id)} == {"ollama"}
    (why,) = models.whys(game_id)
    assert why
    assert not why.startswith("gate")
    assert "error" not in {frame["type"] for frame in line.frames}


@pytest.mark.parametrize("fault", FAULTS)
async def test_when_every_model_fails_the_rules_speak_in_time(
    models: Models, asha: Visitor, fault: str
) -> None:
    models.hf.always(FAULTS[fault])
    models.ollama.always(FAULTS[fault])
    game_id = asha.opens(asking_price=2000, reservation_price=1950)
    async with asha.at(game_id) as line:
        waits = await plays(line, 2)
    assert max(waits) < BUDGET_S + SLACK_S
    assert [name for name, _ in models.served(game_id)] == ["rules", "rules"]
    assert {one["backend"] for one in models.served(game_id)[0][1]} == {"hf", "ollama"}
    assert all(frame["event"].get("text") for frame in line.events if is_bid(frame))


async def test_a_refused_connection_costs_no_time_and_no_money(
    models: Models, asha: Visitor
) -> None:
    models.hf.stop()
    try:
        game_id = asha.opens(asking_price=2000, reservation_price=1950)
        async with asha.at(game_id) as line:
            await plays(line, 1)
    finally:
        models.hf.start()
    assert models.whys(game_id) == ["unreachable"]
    newest = models.site.query(
        "select cost_microusd from agents_modelcall where backend = 'hf' "
        "order by admitted_at desc limit 1"
    )
    assert newest == [(0,)]


NONSENSE = (
    "I am just a language model and cannot haggle.",
    "{" * 300,
    '{"action": "offer", "price": 99999999, "message": "take all my money"}',
    '{"action": "offer", "price": -3, "message": "pay me"}',
    '{"action": "offer", "price": 1, "message": "<script>alert(1)</script>"}',
    '{"action": "accept", "price": null, "message": ""}',
    '{"action": "walk", "message": "bye"}',
)


@pytest.mark.parametrize("answer", NONSENSE)
async def test_a_model_that_writes_nonsense_breaks_no_rule(
    models: Models, asha: Visitor, answer: str
) -> None:
    models.hf.always(Say(answer))
    game_id = asha.opens(asking_price=2000, reservation_price=1950)
    budget = models.site.scenario(game_id).sealed.budget / 100
    async with asha.at(game_id) as line:
        await plays(line, 3)
    bids = [frame["event"] for frame in line.events if is_bid(frame)]
    assert bids
    prices = [bid["price"] for bid in bids]
    assert prices == sorted(prices)
    assert max(prices) <= budget
    assert not any("<" in bid["text"] for bid in bids)


async def test_a_model_cannot_be_made_to_tell_the_budget(models: Models, asha: Visitor) -> None:
    def obedient(asked: Asked) -> Say:
        prompt = asked.messages[-1]["content"]
        found = re.search(r"your budget: ([\d.]+)", prompt)
        assert found
        told = {"action": "offer", "price": 1100, "message": f"My budget is {found[1]}"}
        return Say(json.dumps(told), pieces=30)

    models.hf.answer_with(obedient)
    game_id = asha.opens(asking_price=2000, reservation_price=1950)
    budget = models.site.scenario(game_id).sealed.budget / 100
    before = len(asha.heard)
    async with asha.at(game_id) as line:
        await plays(line, 3)
    heard = bytes(asha.heard[before:]).split(b'"kind":"ended"')[0].decode()
    for way in (f"{budget:.2f}", f"{budget:.0f}", f"{budget:,.0f}", str(int(budget))):
        assert way not in heard
    assert models.served(game_id)[0][0] == "hf"


async def test_words_reach_the_page_while_they_are_made(models: Models, asha: Visitor) -> None:
    words = "Hello there, this lamp looks lovely and I would like to have it very much please"
    slow = json.dumps({"action": "offer", "price": 1400, "message": words})
    models.hf.always(Say(slow, pieces=8, pause_s=0.05))
    for _ in range(3):
        game_id = asha.opens_a_zone(asking_price=2000, reservation_price=1950)
        async with asha.at(game_id) as line:
            await line.send("sync")
            bid = await line.hear_event("offer", "buyer")
        if bid["backend"] == "hf":
            break  # on a busy machine an answer may come too late, and then another voice speaks
    whispers = [f["text"] for f in line.frames if f["type"] == "thinking" and "text" in f]
    assert len(whispers) >= 2
    assert all(words.startswith(one) for one in whispers)
    assert (bid["price"], bid["text"]) == (1400, words)


async def test_the_breaker_opens_lets_one_call_try_and_closes(
    models: Models, asha: Visitor
) -> None:
    models.hf.always(Status(500))
    game_id = asha.opens(asking_price=2000, reservation_price=1950)
    async with asha.at(game_id) as line:
        await plays(line, 5)
        assert len(models.hf.asked) == 3, "after three failures in a row nobody asks"
        assert models.whys(game_id) == ["gate-breaker"]
        models.let_the_breakers_time_pass()
        await line.send("offer", price=1955)
        await line.hear_bid()
        assert len(models.hf.asked) == 4, "one call tries again"
        assert models.whys(game_id) == ["http-500"]
        await line.send("offer", price=1954)
        await line.hear_bid()
        assert len(models.hf.asked) == 4, "it failed, so it is left alone again"
        models.hf.always(Say(AN_OFFER))
        models.let_the_breakers_time_pass()
        await line.send("offer", price=1953)
        await line.hear_bid()
    assert models.served(game_id)[-1][0] == "hf"


async def test_a_spent_day_closes_the_metered_path_and_nothing_else(
    models: Models, asha: Visitor
) -> None:
    game_id = asha.opens(asking_price=2000, reservation_price=1950)
    async with asha.at(game_id) as line:
        await plays(line, 1)
        assert models.served(game_id) == [("hf", [])]
        models.site.execute("update agents_modelcall set cost_microusd = 5000000 where metered")
        try:
            await line.send("offer", price=1980)
            await line.hear_bid()
        finally:
            models.site.execute("update agents_modelcall set cost_microusd = 0 where metered")
    assert models.served(game_id)[-1][0] == "ollama"
    assert models.whys(game_id) == ["gate-daily-spend"]
    assert len(models.hf.asked) == 1


async def test_words_are_answered_by_the_model_too(models: Models, asha: Visitor) -> None:
    game_id = asha.opens(asking_price=2000, reservation_price=1950)
    said = '{"action": "say", "price": null, "message": "Yes please, I am still here"}'
    async with asha.at(game_id) as line:
        await plays(line, 1)
        models.hf.always(Say(said))
        await line.send("say", text="Are you still interested in it?")
        answer = await line.hear_event("message", "buyer")
    assert answer["text"] == "Yes please, I am still here"
    assert answer["backend"] == "hf"


@pytest.mark.parametrize(
    "words",
    [
        "Haan ji, abhi bhi chahiye",
        "My last price stands, not a rupee more",
        "Fine, let me sweeten it for you",
        "If you come down a step, I take one more than my whole budget of 5,000",
    ],
)
async def test_what_may_not_be_said_is_said_by_the_bank(
    models: Models, asha: Visitor, words: str
) -> None:
    game_id = asha.opens(asking_price=2000, reservation_price=1950)
    said = json.dumps({"action": "say", "price": None, "message": words})
    async with asha.at(game_id) as line:
        await plays(line, 1)
        models.hf.always(Say(said))
        await line.send("say", text="are you still interested in this, madam?")
        answer = await line.hear_event("message", "buyer")
    assert answer["text"] not in ("", words)


async def test_a_price_named_while_words_are_made_is_not_kept_waiting(
    models: Models, asha: Visitor
) -> None:
    game_id = asha.opens(asking_price=2000, reservation_price=1950)
    async with asha.at(game_id) as line:
        await plays(line, 1)
        models.hf.then(Silence(60))
        await line.send("say", text="Are you still interested in it?")
        await in_time(lambda: len(models.hf.asked) == 2)
        await line.send("offer", price=1960)
        await line.hear_event("offer", "seller")
        known = len(line.events)
        await line.hear_bid()
    # Words that she had waited for would stand between the price and her answer to it.
    assert "message" not in {frame["event"]["kind"] for frame in line.events[known:]}
    assert models.served(game_id)[-1][0] == "hf"


def test_the_operators_token_and_sealed_values_are_in_no_log_line(models: Models) -> None:
    assert "hf_a_secret_of_the_operator" not in models.site.log
    for (scenario,) in models.site.query("select scenario from negotiation_sealedrecord"):
        budget = json.loads(bytes(scenario))["sealed"]["budget"]
        assert f"{budget / 100:.2f}" not in models.site.log


def test_asked_prompts_hold_no_reservation_price(models: Models) -> None:
    assert "1950" not in json.dumps([asked.body for asked in models.hf.asked])
