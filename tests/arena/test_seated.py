"""A policy's move in a match: live where it can be, legal always, plain when all else fails."""

import asyncio

import msgspec
import pytest
from pytest_django import Settings

from arena.auction.web import buyers, running
from arena.auction.web.game import Position
from arena.models import Match
from bazaarbatna.auction.events import Bid, Hold, Leave
from bazaarbatna.auction.making import make_match
from bazaarbatna.auction.match import ArenaState, start
from bazaarbatna.auction.scenario import Seat
from bazaarbatna.bargain.goods import SAMPLE_LISTINGS
from bazaarbatna.bargain.moves import Move, Offer, Walk
from bazaarbatna.bargain.observe import BuyerObservation
from bazaarbatna.bargain.quantities import Paise
from negotiation import policies
from negotiation.models import Game
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


MATCH = "match2345"


class Slow(Live):
    """Thinks until it may answer; ``stopped`` once nobody waits for it any more."""

    def __init__(self, slow_seed: int) -> None:
        super().__init__(Offer(Paise(100_000), "a thousand"))
        self.slow_seed = slow_seed
        self.may_answer = asyncio.Event()
        self.stopped = False

    async def turn(self, request: Request, show: ShowPartialText) -> Played:
        played = await super().turn(request, show)
        if request.seed == self.slow_seed:
            try:
                await self.may_answer.wait()
            except asyncio.CancelledError:
                self.stopped = True
                raise
        return played


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seats whose envelopes were closed, in that order; nothing is stored."""
    seats: list[int] = []

    async def close(match_id: str, round_: int, index: int, envelope: buyers.Envelope) -> None:
        seats.append(index)

    async def nobody(match_id: str, round_: int) -> None:
        """There are no people here."""

    monkeypatch.setattr(running, "_close", close)
    monkeypatch.setattr(running, "_wait_for_people", nobody)
    return seats


def a_round(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, pause_s: float
) -> tuple[Slow, asyncio.Task[None], list[int]]:
    """A round of four buyers with a model each; the last one to close is slow."""
    settings.SAUDA_TURN_BUDGET_S = 60.0
    order = [seat for seat, _ in running.turns_of(MATCH, 1, range(4))]
    state = a_table(monkeypatch, None)
    seats = tuple(Seat(name, "test:one", "one@1") for name in ("One", "Two", "Three", "Four"))
    state = start(make_match(SAMPLE_LISTINGS[0], seats, "default", 7))[0]
    assert state.round == 1
    slow = Slow(buyers.seed_of(state.scenario.sealed.seed, order[-1]))
    a_table(monkeypatch, slow)
    match = Match(pk=MATCH, pause_s=pause_s, game=Game(pk=MATCH, client="127.0.0.1"))
    step = running._step(match, Position(1, (), state))
    return slow, asyncio.create_task(step), order


async def a_while() -> None:
    for _ in range(200):
        await asyncio.sleep(0)


async def test_no_envelope_closes_before_all_are_ready(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, closed: list[int]
) -> None:
    """Else the gap before one would tell how long its model took."""
    slow, step, order = a_round(monkeypatch, settings, pause_s=0.0)
    await a_while()
    assert len(slow.asked) == 4
    assert closed == []
    slow.may_answer.set()
    await step
    assert closed == order


async def test_models_think_while_the_table_rests_and_stop_when_nobody_waits(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, closed: list[int]
) -> None:
    slow, step, _ = a_round(monkeypatch, settings, pause_s=3600.0)
    await a_while()
    assert len(slow.asked) == 4
    step.cancel()
    await asyncio.gather(step, return_exceptions=True)
    await a_while()
    assert slow.stopped
    assert closed == []
