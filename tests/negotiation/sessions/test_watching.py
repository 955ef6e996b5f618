"""Viewers that come, go and come back: each log is whole, whatever they missed."""

import contextlib
import datetime as dt
import json

import pytest
import time_machine
from asgiref.sync import async_to_sync
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from pytest_django import DjangoAssertNumQueries

from bazaarbatna.bargain.errors import GameError
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from negotiation.bargain import sessions
from negotiation.bargain.commands import Command, Say
from negotiation.bargain.visibility import Frame, frames
from negotiation.bargain.web.live import SALE_LIVE, Owner, play
from negotiation.errors import SessionError, UnknownGame
from negotiation.games import live
from negotiation.games.event_log import game_row
from negotiation.games.frame_socket import encoded
from negotiation.games.frames_in import Written
from negotiation.games.viewer_socket import ViewerSocket
from tests.support.builders import a_sale, a_started_sale, rupees
from tests.support.viewers import owners_look
from tests.support.visitors import a_visitor, key_of

VIEWERS = st.integers(0, 2)
COMMANDS: tuple[Command, ...] = (
    Say("kal barish hogi kya"),
    Say("1900 final"),
    Offer(rupees(1700)),
    Offer(rupees(9999)),
    Accept(),
    Walk(),
)


def as_heard(sent: list[Frame]) -> list[Frame]:
    """The frames as they come out of a line."""
    return [json.loads(encoded(frame)) for frame in sent]


class Haggle(RuleBasedStateMachine):
    """One game, its moves, and three viewers that look whenever they like."""

    @initialize()
    def open(self) -> None:
        self.owner = key_of(a_visitor())
        self.game = a_sale(self.owner)
        self.seen: list[list[Frame]] = [[], [], []]

    @rule(command=st.sampled_from(COMMANDS))
    def the_seller_tries(self, command: Command) -> None:
        with contextlib.suppress(GameError, SessionError):
            sessions.play(self.game.pk, self.owner, command)

    @rule()
    def the_buyer_answers(self) -> None:
        sessions.opponent_turn(self.game.pk)

    @rule(viewer=VIEWERS)
    def somebody_looks(self, viewer: int) -> None:
        seen = self.seen[viewer]
        view = owners_look(self.game, seen[-1]["seq"] if seen else 0)
        seen += view.frames
        self.game.refresh_from_db()
        assert view.scene.seq == self.game.last_seq

    @rule(viewer=VIEWERS)
    def somebody_reloads(self, viewer: int) -> None:
        self.seen[viewer].clear()

    @invariant()
    def every_viewer_has_a_beginning_of_the_same_log(self) -> None:
        truth = as_heard(frames(self.game, "seller"))
        assert [frame["seq"] for frame in truth] == list(range(1, len(truth) + 1))
        for seen in self.seen:
            assert seen == truth[: len(seen)]


@pytest.mark.django_db
def test_reconnecting_viewers_never_miss_or_double_an_event() -> None:
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Haggle,
        settings=settings(
            max_examples=25,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


class Far(ViewerSocket):
    """A socket that is sent a whole log at once."""

    def __init__(self, texts: list[str]) -> None:
        super().__init__(SALE_LIVE)
        self.place = Owner("", "sell")
        self.texts, self.sent, self.seq, self.drawn_in = texts, list[str](), len(texts), ""

    async def send(self, text_data: str | None = None, *rest: object) -> None:  # type: ignore[override]
        """Keep what is sent."""
        self.sent.append(text_data or "")

    async def heard(self) -> list[Frame]:
        """Send it and return the frames."""
        await self._send_events(self.texts)
        return [json.loads(text) for text in self.sent]


@pytest.mark.django_db
def test_a_viewer_far_behind_is_sent_one_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    game = a_started_sale(key_of(a_visitor()))
    monkeypatch.setattr(live, "TOO_FAR", 1)
    [snapshot] = async_to_sync(Far(owners_look(game, 0).texts).heard)()
    assert snapshot["type"] == "snapshot"
    assert snapshot["seq"] == 2
    assert snapshot["events"] == as_heard(frames(game, "seller"))


@pytest.mark.django_db
def test_who_has_logged_out_sees_nothing_more() -> None:
    visitor = a_visitor()
    owner = key_of(visitor)
    game = a_started_sale(owner)
    assert owners_look(game, 0).frames
    visitor.session.flush()
    with pytest.raises(UnknownGame):
        owners_look(game, 0)
    with pytest.raises(UnknownGame):
        play(game.pk, Owner(owner, "sell"), Walk(), Written())


@pytest.mark.django_db
def test_an_answer_is_awaited_only_from_a_buyer_that_will_give_one() -> None:
    owner = key_of(a_visitor())
    silent = a_started_sale(owner, policy="rules:random")
    talking = a_started_sale(owner)
    for game, answers in ((silent, False), (talking, True)):
        sessions.play(game.pk, owner, Say("kal barish hogi kya"))
        assert owners_look(game, 0).scene.is_thinking is answers


@pytest.mark.django_db(transaction=True)
def test_a_turn_costs_few_queries_however_long_the_game(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    owner = key_of(a_visitor())
    game = a_started_sale(owner)
    for number in range(9):
        game.refresh_from_db()
        after = game.last_seq
        # The visit, the game, and one transaction: begin, claim, insert, commit.
        with django_assert_max_num_queries(6):
            play(game.pk, Owner(owner, "sell"), Offer(rupees(1990 - number)), Written())
        with django_assert_max_num_queries(3):
            owners_look(game, after)
        with django_assert_max_num_queries(5):
            sessions.opponent_turn(game.pk)


@pytest.mark.django_db
@pytest.mark.parametrize(("held_s", "rests_s"), [(None, 3.0), (-5.0, 3.0), (1.5, 1.7), (60.0, 3.0)])
def test_a_game_is_looked_at_when_its_thinker_may_be_dead(
    held_s: float | None, rests_s: float
) -> None:
    owner = key_of(a_visitor())
    game = a_sale(owner)
    with time_machine.travel(dt.datetime(2026, 11, 26, 12, tzinfo=dt.UTC), tick=False):
        if held_s is not None:
            game.thinking_until = timezone.now() + dt.timedelta(seconds=held_s)
            game.save()
        assert SALE_LIVE.rest_s(owners_look(game, 0).scene) == pytest.approx(rests_s)


@pytest.mark.django_db(transaction=True)
def test_what_is_answered_during_a_look_is_looked_at_though_nobody_tells(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    owner = key_of(a_visitor())
    game = a_started_sale(owner)
    sessions.play(game.pk, owner, Offer(rupees(1990)))
    early = game_row(game.pk)
    sessions.opponent_turn(game.pk)
    with monkeypatch.context() as patch:
        patch.setattr("negotiation.bargain.web.live.game_row", lambda game_id: early)
        seen = owners_look(game, 0)
    rests_s = SALE_LIVE.rest_s(seen.scene)
    assert rests_s is not None
    assert rests_s < 1
    after = owners_look(game, seen.frames[-1]["seq"])
    assert [frame["event"]["actor"] for frame in after.frames] == ["buyer"]
    assert SALE_LIVE.rest_s(after.scene) is None
