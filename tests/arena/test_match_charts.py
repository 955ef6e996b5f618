"""Strips, prices and attention tell the log's numbers, and nothing of what comes later."""

import re
from xml.etree import ElementTree as Xml

import pytest
from msgspec.structs import replace

from arena.auction.charts.course import LEFT, STAYED, WON, bids_table, course_of, lane_words
from arena.auction.charts.lanes import attention_strip, attention_words, lane_strip, rounds_axis
from arena.auction.charts.match_path import match_path, sheet_of
from arena.auction.web.matches import current
from arena.auction.web.moments import moments_of
from arena.auction.web.outcome import pocket_words
from arena.auction.web.visibility import Viewer, frames
from bazaarbatna.auction.events import Bid, Hold, Leave, Take
from bazaarbatna.bargain.quantities import Paise
from negotiation.bargain.web.bubbles import Frame
from negotiation.charts.svg import until
from negotiation.models import Game
from replays.player.steps import step_at
from tests.support.tables import a_match, closes, plays_out, plays_round

pytestmark = pytest.mark.django_db

SCRIPT = (
    (Bid(Paise(120_000), "1200", "compete"), Bid(Paise(150_000), "1500", "cooperate"), Hold()),
    (Hold("abhi yahi"), Bid(Paise(160_000), "1600", "bluff"), Leave("chalta hoon")),
)


def a_log(*, over: bool = False) -> list[Frame]:
    """Two rounds by hand: one holds, one bluffs, one leaves; then one takes the ask."""
    match = a_match("rules:boulware", "rules:micro", "rules:smart")
    for envelopes in SCRIPT:
        for index, move in enumerate(envelopes):
            if current(match.pk)[1].state.awaits(index):
                closes(match.pk, index, move)
    if over:
        _, position = current(match.pk)
        rich = max(position.state.awaited, key=lambda i: position.state.scenario.sealed.budgets[i])
        for index in position.state.awaited:
            closes(match.pk, index, Take("le liya") if index == rich else Hold())
        plays_out(match.pk)
    match.refresh_from_db()
    return frames(match.game, Viewer("replay" if over else "open"))


def numbers(picture: str) -> list[int]:
    return [int(number) for number in re.findall(r'data-seq="(\d+)"', picture)]


def test_a_lane_ends_in_the_round_in_which_its_buyer_left() -> None:
    course = course_of(a_log())
    assert [lane.fate for lane in course.lanes] == [STAYED, STAYED, LEFT]
    gone, stays = course.lanes[2], course.lanes[1]
    assert [mark.action for mark in gone.marks] == ["hold", "walk"]
    strips = [lane_strip(course, lane) for lane in (gone, stays)]
    # The third round is asked for: an empty cell for whoever is still there.
    assert [strip.count('class="lane-empty"') for strip in strips] == [2, 3]
    assert [strip.count("chart-walk") for strip in strips] == [1, 0]
    assert "Left in round 2." in lane_words(course, gone)


def test_strips_say_in_words_what_they_draw() -> None:
    course = course_of(a_log())
    strip = lane_strip(course, course.lanes[1])
    words = Xml.fromstring(strip).findtext("desc")
    assert words == (
        "Round 1: bids ₹1,500, signals cooperate. Round 2: bids ₹1,600, signals bluff."
    )
    table = bids_table(course)
    for cell in ("bids ₹1,200, signals compete", "holds ₹1,200", "waits without a bid", "leaves"):
        assert f"<td>{cell}</td>" in table


def test_every_picture_is_well_formed_and_carries_its_events() -> None:
    log = a_log(over=True)
    course = course_of(log)
    pictures = [
        match_path(course),
        attention_strip(course),
        rounds_axis(course),
        bids_table(course),
        *(lane_strip(course, lane) for lane in course.lanes),
    ]
    for picture in pictures:
        Xml.fromstring(picture)
    assert max(numbers("".join(pictures))) == log[-1]["seq"]


def test_budgets_are_drawn_when_the_match_has_ended_and_never_before() -> None:
    log = a_log(over=True)
    over, live = course_of(log), course_of(log[:-1])
    assert live.reservation is None
    assert [lane.budget for lane in live.lanes] == [None] * 3
    assert "budget" not in "".join(lane_strip(live, lane) for lane in live.lanes)
    drawn = "".join([match_path(over), *(lane_strip(over, lane) for lane in over.lanes)])
    assert "budget was" in drawn
    assert "Floor" in drawn
    winner = over.winner
    assert winner is not None
    assert winner.fate == WON
    assert "lane-stamp" in lane_strip(over, winner)


def test_attention_adds_up_and_is_told_in_words() -> None:
    course = course_of(a_log())
    shares = course.attention[0].shares
    assert shares is not None
    assert sum(shares.values()) == pytest.approx(1, abs=0.001)
    words = attention_words(course)
    assert words.startswith("Round 1: Harpreet ")
    assert "Arundhati" not in words.partition("Round 2")[0]


def test_a_picture_of_an_earlier_moment_hides_what_came_later() -> None:
    log = a_log(over=True)
    course = course_of(log)
    reveal = course.reveals[1]
    for picture in (match_path(course), lane_strip(course, course.lanes[0])):
        early = until(picture, reveal)
        later = re.findall(r'<[^>]*is-later"[^>]*? data-seq="(\d+)"', early)
        assert sorted(map(int, later)) == sorted(n for n in numbers(picture) if n > reveal)
        assert until(picture, log[-1]["seq"]) == picture


def test_moments_cover_the_whole_log_once() -> None:
    log = a_log(over=True)
    course = course_of(log)
    moments = moments_of(log, course, envelopes=False)
    covered = [n for moment in moments for n in range(moment.seq, moment.last_seq + 1)]
    assert covered == [frame["seq"] for frame in log]
    assert [step_at(moments, frame["seq"]).index for frame in log] == sorted(
        step_at(moments, frame["seq"]).index for frame in log
    )


def test_moments_say_who_is_in_front_and_who_leaves() -> None:
    log = a_log()
    words = [moment.words for moment in moments_of(log, course_of(log))]
    assert "Round 1: Nandini is in front with ₹1,500" in words
    assert "Round 2: Nandini is in front with ₹1,600; Arundhati leaves" in words
    assert words[-1].startswith("The seller now asks ₹")


def test_envelopes_of_the_newest_round_are_moments_of_their_own() -> None:
    match = a_match("rules:boulware", "rules:micro")
    closes(match.pk, 1)
    match.refresh_from_db()
    log = frames(match.game, Viewer("open"))
    course = course_of(log)
    newest = moments_of(log, course)[-1]
    assert newest.words == "Nandini has sealed. Only Harpreet is still thinking."
    assert [envelope.state for envelope in newest.envelopes] == ["writing", "closed"]


def test_the_axis_of_prices_holds_every_round_that_may_come() -> None:
    match = a_match("person", "rules:boulware", "rules:micro")
    plays_round(match.pk)
    course = course_of(frames(Game.objects.get(pk=match.pk), Viewer("seat", 0)))
    assert sheet_of(course).last_at == course.max_rounds > course.rounds


def test_a_sealed_bid_above_a_budget_is_not_called_a_price_that_passed_it() -> None:
    match = a_match("person", "rules:boulware", "rules:micro")
    budgets = current(match.pk)[1].state.scenario.sealed.budgets
    plays_out(match.pk)
    course = course_of(frames(Game.objects.get(pk=match.pk), Viewer("replay")))
    lane = replace(course.lanes[1], won=None)
    for paid, words in ((1, "the winner paid as much as this budget, or more"), (-1, "could have")):
        sold = replace(course, price=budgets[1] / 100 + paid)
        assert pocket_words(sold, lane).startswith(words)
