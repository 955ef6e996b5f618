"""A policy's move in a match: live where it can be, legal always, plain when all else fails."""

import asyncio

import msgspec
import pytest
from pytest_django import Settings

from arena.auction.engine.events import Bid, Hold, Leave
from arena.auction.engine.making import make_match
from arena.auction.engine.match import ArenaState, start
from arena.auction.engine.scenario import Seat
from arena.auction.web import buyers
from negotiation import policies
from negotiation.engine.goods import SAMPLE_LISTINGS
from negotiation.engine.moves import Move, Offer, Walk
from negotiation.engine.observe import BuyerObservation
from negotiation.engine.quantities import Paise
from negotiation.policies import Played, Request, ShowPartialText


class Plain:
    """Bids a tenth of the ask."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def act(self, observation: BuyerObservation) -> Move:
        return Offer(Paise(observation.standing_ask // 10), "a tenth")


class Broken(Plain):
    """Fails at every move."""

    def act(self, observation: BuyerObservation) -> Move:
        raise RuntimeError("broken on purpose")


class Live:
    """Answers what it is told to, or fails, or never comes back."""

    def __init__(self, answer: Move | str | Exception | None, awake: bool = True) -> None:
        self.answer = answer
        self.is_awake = awake
        self.asked: list[Request] = []

    def awake(self) -> bool:
        return self.is_awake

    async def turn(self, request: Request, show: ShowPartialText) -> Played:
        self.asked.append(request)
        show("some words")
        if self.answer is None:
            await asyncio.Event().wait()
        if isinstance(self.answer, Exception):
            raise self.answer
        assert self.answer is not None
        return Played(self.answer, "somewhere", "model@1")


@pytest.fixture(autouse=True)
def hurry(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SAUDA_TURN_BUDGET_S = 0.05
    monkeypatch.setattr(buyers, "LATE_S", 0.0)


def a_table(monkeypatch: pytest.MonkeyPatch, live: Live | None, plain: type = Plain) -> ArenaState:
    """A match in which a policy of the test meets itself."""
    entry = policies.Entry("test:one", "one@1", "rules", "One", "rules", plain, "buyer", live)
    monkeypatch.setitem(policies._entries, "test:one", entry)
    seats = (Seat("One", "test:one", "one@1"), Seat("Two", "test:one", "one@1"))
    return start(make_match(SAMPLE_LISTINGS[0], seats, "default", 7))[0]


async def asked(state: ArenaState) -> buyers.Envelope:
    return await buyers.envelope_of(buyers.Asked(state, 0, "match2345", "127.0.0.1"))


async def test_an_awake_model_plays_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    live = Live(Offer(Paise(100_000), "a thousand"))
    envelope = await asked(a_table(monkeypatch, live))
    assert isinstance(envelope.move, Bid)
    assert envelope.served.backend == "somewhere"
    assert envelope.served.policy_version == "model@1"
    request = live.asked[0]
    assert (request.game, request.client, request.speak_only) == ("match2345", "127.0.0.1", False)
    assert isinstance(request.observation, BuyerObservation)


async def test_a_sleeping_model_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    live = Live(Offer(Paise(100_000)), awake=False)
    envelope = await asked(a_table(monkeypatch, live))
    assert envelope.served.backend == "rules"
    assert live.asked == []


@pytest.mark.parametrize("answer", [None, RuntimeError("no"), "only words"])
async def test_whatever_a_model_does_the_plain_form_plays(
    monkeypatch: pytest.MonkeyPatch, answer: Move | str | Exception | None
) -> None:
    envelope = await asked(a_table(monkeypatch, Live(answer)))
    assert isinstance(envelope.move, Bid)
    assert envelope.served.backend == "rules"


async def test_a_model_never_bids_more_than_its_seat_has(monkeypatch: pytest.MonkeyPatch) -> None:
    state = a_table(monkeypatch, Live(Offer(Paise(90_000_000_00), "everything")))
    envelope = await asked(state)
    assert isinstance(envelope.move, Bid)
    assert envelope.move.price <= state.scenario.sealed.budgets[0]


async def test_a_model_may_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    envelope = await asked(a_table(monkeypatch, Live(Walk("no"))))
    assert isinstance(envelope.move, Leave)


async def test_a_broken_policy_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    envelope = await asked(a_table(monkeypatch, None, Broken))
    assert isinstance(envelope.move, Hold)


async def test_a_policy_that_is_gone_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    state = a_table(monkeypatch, None)
    scenario = msgspec.structs.replace(
        state.scenario, seats=(Seat("Gone", "test:gone", "gone@1"), state.scenario.seats[1])
    )
    envelope = await asked(msgspec.structs.replace(state, scenario=scenario))
    assert envelope.move == Hold()
    assert envelope.served.backend == buyers.LAST_RESORT
