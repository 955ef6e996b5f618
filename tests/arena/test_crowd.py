"""The ring around the table: it laughs at silly bids, where it may see them."""

import itertools
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from arena.auction.charts.course import BidMark, Course, course_of
from arena.auction.web import crowd, matches, moments
from arena.auction.web.moments import moments_of, said_with
from arena.auction.web.running import turns_of
from arena.auction.web.visibility import Viewer, frames
from bazaarbatna.auction.events import Bid, Hold, Leave
from bazaarbatna.bargain.quantities import Paise
from negotiation.models import Game
from tests.support.tables import a_match, closes, plays_out

pytestmark = pytest.mark.django_db

OPEN, SEALED, SEAT = Viewer("open"), Viewer("sealed"), Viewer("seat", 0)


def seen(match_id: str, viewer: Viewer) -> Course:
    return course_of(frames(Game.objects.get(pk=match_id), viewer))


def lines(match_id: str, viewer: Viewer) -> Iterator[str]:
    """Everything that the ring says."""
    log = frames(Game.objects.get(pk=match_id), viewer)
    course = course_of(log)
    for frame in log:
        said = said_with(frame, course)
        if said and said.kind == "round":
            yield from (line.text for line in said.lines if line.lane is None)


def a_silly_round(*line_up: str, first: int = 5_000) -> str:
    """A round in which the first seat bids next to nothing and the others sensibly."""
    match = a_match(*line_up)
    state = matches.current(match.pk)[1].state
    closes(match.pk, 0, Bid(Paise(first), "lo"))
    for seat in range(1, len(line_up)):
        sensible = min(state.ask * 6 // 10, state.scenario.sealed.budgets[seat])
        closes(match.pk, seat, Bid(Paise(sensible)))
    return match.pk


def test_a_bid_far_below_the_ask_gets_an_answer_in_words() -> None:
    match_id = a_silly_round("rules:boulware", "rules:micro", "rules:smart")
    [said] = crowd.reactions(seen(match_id, OPEN), 1)
    assert said.text
    assert list(lines(match_id, OPEN)) == [said.text]
    moment = next(
        one
        for one in moments_of(frames(Game.objects.get(pk=match_id), OPEN), seen(match_id, OPEN))
        if one.kind == "round"
    )
    assert moment.crowd == said.text


def test_nobody_laughs_at_a_bid_that_is_sealed_to_them() -> None:
    match_id = a_silly_round("rules:micro", "rules:boulware", "person")
    assert list(lines(match_id, SEALED)) == []
    assert list(lines(match_id, Viewer("seat", 2))) == []
    plays_out(match_id)
    assert crowd.reactions(seen(match_id, Viewer("replay")), 1)


def test_who_made_it_hears_it_and_nobody_else_does() -> None:
    match_id = a_silly_round("person", "rules:boulware", "rules:micro")
    [heard] = lines(match_id, SEAT)
    assert heard
    assert list(lines(match_id, SEALED)) == []
    assert list(lines(match_id, Viewer("seat", 1))) == []


def test_a_sensible_bid_is_left_alone() -> None:
    match_id = a_silly_round("rules:boulware", "rules:micro", first=130_000)
    assert crowd.reactions(seen(match_id, OPEN), 1) == ()


def test_a_bid_above_everything_is_wondered_at() -> None:
    match = a_match("rules:boulware", "rules:micro", "rules:smart")
    state = matches.current(match.pk)[1].state
    rich = max(range(3), key=lambda seat: state.scenario.sealed.budgets[seat])
    for seat in range(3):
        high = min(state.scenario.sealed.budgets[seat], state.ask * 9 // 10)
        closes(match.pk, seat, Bid(Paise(high if seat == rich else state.ask * 45 // 100)))
    course = seen(match.pk, OPEN)
    mark = course.lanes[rich].marks[0]
    assert crowd.silly(course, course.lanes[rich], mark) == "far"
    assert len(crowd.reactions(course, 1)) == 1


def test_whoever_creeps_up_from_below_is_laughed_at_once() -> None:
    match_id = a_silly_round("rules:boulware", "rules:micro", "rules:smart")
    closes(match_id, 0, Bid(Paise(5_500)))
    closes(match_id, 1, Hold())
    closes(match_id, 2, Hold())
    assert crowd.reactions(seen(match_id, OPEN), 2) == ()


def test_the_same_log_is_told_in_the_same_words() -> None:
    match_id = a_silly_round("rules:boulware", "rules:micro", "rules:smart")
    assert list(lines(match_id, OPEN)) == list(lines(match_id, OPEN))


def test_every_laugh_can_be_told_to_whoever_caused_it() -> None:
    told = crowd._lines()
    for by in (told.seller, told.crowd, told.other):
        for kind, pool in by.items():
            assert any("{who}" not in line for line in pool), kind


def plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every line be told without what it fills in: the same line is the same text."""
    bare = msgspec.json.decode(re.sub(r"\{\w+\}", "", msgspec.json.encode(crowd._lines()).decode()))
    monkeypatch.setattr(crowd, "_lines", lambda: msgspec.convert(bare, crowd.Lines))


@pytest.mark.parametrize("you", [False, True])
def test_no_answer_to_a_silly_bid_comes_twice_in_a_row(
    monkeypatch: pytest.MonkeyPatch, you: bool
) -> None:
    if not you:
        # Whoever reads about oneself is told lines without a name: those must stay known.
        plain_lines(monkeypatch)
    match = a_match("rules:boulware", "rules:micro", "rules:smart")
    empty = seen(match.pk, OPEN)
    answers = 0
    for number in range(100):
        chance = Random(number)
        lanes = tuple(
            replace(lane, marks=tuple(_marks(chance, lane.place, empty.ask)), you=you)
            for lane in empty.lanes
        )
        course = replace(empty, title=f"Lamp {number}", lanes=lanes)
        told = [
            _line_of(one.text) if you else one.text
            for round_ in range(1, 13)
            for one in crowd.reactions(course, round_)
        ]
        answers += len(told)
        assert not [line for line, after in itertools.pairwise(told) if line == after]
    assert answers > 1000


def _marks(chance: Random, place: int, ask: float) -> Iterator[BidMark]:
    for number in range(1, 13):
        price = ask * chance.choice((0.05, 0.3, 0.5, 0.95, 1.0))
        yield BidMark(number, number, "offer", price, None, "", closed=False)


def _line_of(text: str) -> str:
    told = crowd._lines()
    pools = [pool for by in (told.seller, told.crowd, told.other) for pool in by.values()]
    return next(
        line
        for pool in pools
        for line in pool
        if re.fullmatch(re.sub(r"\\\{\w+\\\}", ".+", re.escape(line)), text)
    )


ODD, EVEN, ALL = range(1, 13, 2), range(2, 13, 2), range(1, 13)


@pytest.mark.parametrize(
    ("kind", "rounds", "bid"),
    [
        ("threat", ODD, {"action": "offer", "signal": "compete"}),
        ("threat", ODD, {"action": "in", "signal": "bluff"}),
        ("peace", ODD, {"action": "offer", "signal": "cooperate"}),
        ("left", ALL, {"action": "walk"}),
        ("secret", ALL, {"action": "in"}),
        ("secret", EVEN, {"action": "in", "signal": "compete"}),
        ("holds", ALL, {"action": "offer", "best": True}),
        ("holds", EVEN, {"action": "offer", "best": True, "signal": "compete"}),
    ],
)
def test_every_line_about_a_round_has_its_turn(
    kind: str, rounds: range, bid: dict[str, Any]
) -> None:
    match = a_match("rules:boulware", "rules:micro", "rules:smart")
    course = replace(seen(match.pk, OPEN), sealed=True)
    actor = course.lanes[0].actor
    told = [
        moments._round_scene(_round_event(number, actor, bid), None, course, number)
        for number in rounds
    ]
    assert len(set(told)) == len(crowd._lines().scene[kind])
    assert all(one != after for one, after in itertools.pairwise(told))


def _round_event(number: int, actor: str, bid: dict[str, Any]) -> dict[str, Any]:
    rows = [{key: value for key, value in bid.items() if key != "best"} | {"actor": actor}]
    return {"round": number, "bids": rows, "best": actor if bid.get("best") else None}


def test_who_is_waited_for_is_known_by_the_seat_and_not_by_a_name() -> None:
    match = a_match("rules:boulware", "person")
    closes(match.pk, 0)
    log = frames(Game.objects.get(pk=match.pk), SEALED)
    course = course_of(log)
    last = replace(course.lanes[1], called="you")
    words = {}
    for you in (False, True):
        lanes = (course.lanes[0], replace(last, you=you))
        words[you] = moments_of(log, replace(course, lanes=lanes))[-1].words
    assert words[False].endswith("Only you is still thinking.")
    assert words[True].endswith("Only yours is missing.")


def test_the_ring_says_nothing_about_whoever_reads_it() -> None:
    match = a_match("person", "rules:boulware", "rules:micro")
    closes(match.pk, 0, Leave())
    for seat in (1, 2):
        closes(match.pk, seat)
    log = frames(Game.objects.get(pk=match.pk), SEAT)
    told = [moment.crowd for moment in moments_of(log, course_of(log))]
    assert not [words for words in told if "you " in words.lower() or "Visitor" in words]


def test_how_long_the_house_takes_follows_from_public_things_alone() -> None:
    first = turns_of("abc", 3, [0, 1, 2])
    assert first == turns_of("abc", 3, [0, 1, 2])
    assert sorted(seat for seat, _ in first) == [0, 1, 2]
    assert {tuple(s for s, _ in turns_of("abc", n, [0, 1, 2])) for n in range(20)} != {(0, 1, 2)}
    assert all(0 < part < 0.3 for _, part in first)
