"""The odds that everybody is shown: made of public things, and better than the simplest guesses."""

import statistics
from functools import cache

import pytest

from arena.auction.charts.course import course_of
from arena.auction.web import matches
from arena.auction.web.moments import moments_of, public_table, said_with
from arena.auction.web.odds import Shown, Table, odds, percents, weights
from arena.auction.web.orders import PERSON, QUICK_RIVALS
from arena.auction.web.visibility import Viewer, frames
from bazaarbatna.auction.events import Bid, Hold
from bazaarbatna.auction.observe import claimed
from bazaarbatna.bargain.quantities import Paise
from negotiation.models import Game, Listing
from tests.benchmarks import match_odds
from tests.support.tables import a_match, closes

PEOPLE = ("person", "rules:smart", "rules:aggressive", "sauda")
FRESH = 1_000_000
"""Matches from this number on were neither fitted nor measured on."""


def a_table(*bids: float | None, sealed: bool = False, round_: int = 4) -> Table:
    names = ("sauda", "rules:smart", "rules:aggressive", "rules:og")
    buyers = tuple(Shown(name, bid=bid) for name, bid in zip(names, bids, strict=False))
    return Table(round_, 12, 1000.0, buyers, sealed)


@pytest.mark.parametrize("sealed", [True, False])
def test_chances_add_to_one_and_who_left_has_none(sealed: bool) -> None:
    gone = Shown("rules:og", present=False)
    table = Table(5, 12, 1000.0, (Shown("sauda"), gone, Shown("nobody:knows")), sealed)
    chances = odds(table)
    assert sum(chances) == pytest.approx(1)
    assert chances[1] == 0
    assert min(chances[0], chances[2]) > 0
    assert sum(percents(chances)) == 100


def test_the_last_one_left_is_certain_and_an_empty_table_is_not() -> None:
    left, gone = Shown("sauda"), Shown("rules:smart", present=False)
    assert odds(Table(3, 12, 100.0, (left, gone), True)) == (1, 0)
    assert odds(Table(3, 12, 100.0, (gone, gone), True)) == (0, 0)


def test_a_higher_bid_is_a_better_chance() -> None:
    low, high = odds(a_table(500.0, 600.0)), odds(a_table(700.0, 600.0))
    assert high[0] > low[0]


def test_where_bids_are_sealed_they_cannot_matter() -> None:
    """Even if somebody handed them in."""
    assert odds(a_table(100.0, 900.0, sealed=True)) == odds(a_table(900.0, 100.0, sealed=True))


@pytest.mark.django_db
@pytest.mark.parametrize("own", [Bid(Paise(10_000)), Bid(Paise(150_000), signal="bluff"), Hold()])
def test_a_seat_is_shown_the_odds_of_a_stranger(own: Bid | Hold) -> None:
    match = a_match(*PEOPLE)
    closes(match.pk, 0, own)
    for seat in (1, 2, 3):
        closes(match.pk, seat)
    game = Game.objects.get(pk=match.pk)
    seen = []
    for viewer in (Viewer("seat", 0), Viewer("sealed")):
        log = frames(game, viewer)
        course = course_of(log)
        seen.append([[one.chance for one in m.envelopes] for m in moments_of(log, course)])
        table = public_table(course, 1)
        assert [shown.bid for shown in table.buyers] == [None] * 4
        assert all(shown.sign != "bluff" for shown in table.buyers)
    assert seen[0] == seen[1]


@pytest.mark.django_db
@pytest.mark.parametrize("prices", [(20_000, 50_000), (80_000, 110_000)])
@pytest.mark.parametrize("viewer", [Viewer("sealed"), Viewer("seat", 0)])
def test_rivals_sealed_bids_change_nothing_that_others_are_shown(
    prices: tuple[int, int], viewer: Viewer
) -> None:
    """The same envelopes closed with other bids in them: the same story, to the letter.

    A seat is told whether somebody offered more, so the bids stay on one side of its own.
    """
    stories = []
    for price in prices:
        match = a_match(*PEOPLE, seed=77)
        Listing.objects.filter(source_key="Brass lamp").update(source_key=f"once {price}")
        for seat in (1, 2, 3):
            closes(match.pk, seat, Bid(Paise(price + seat), f"I say {price}", "compete"))
        assert matches.current(match.pk)[1].state.round == 1
        log = frames(Game.objects.get(pk=match.pk), viewer)
        story = list(moments_of(log, course_of(log)))
        closes(match.pk, 0, Bid(Paise(70_000), "Seven hundred"))
        assert matches.current(match.pk)[1].state.round == 2
        log = frames(Game.objects.get(pk=match.pk), viewer)
        course = course_of(log)
        opened = next(one for one in log if one["event"]["kind"] == "round")
        story += [one for one in moments_of(log, course) if one.seq <= opened["seq"]]
        assert [one.kind for one in story] == ["opened", *["placed"] * 3, "opened", "round"]
        moods = [[(one.words, one.mood) for one in m.envelopes] for m in story]
        stories.append((story, moods, said_with(opened, course)))
    assert stories[0] == stories[1]


@cache
def fresh() -> tuple[match_odds.Row, ...]:
    goods = match_odds.our_goods()
    return tuple(
        row for number in range(FRESH, FRESH + 300) for row in match_odds.a_match(number, goods)
    )


@pytest.mark.parametrize("sealed", [True, False])
def test_matches_it_never_saw_go_better_with_it_than_with_the_simplest_guesses(
    sealed: bool,
) -> None:
    rows = [row for row in fresh() if row[0].sealed == sealed]
    model = statistics.fmean(match_odds.brier(odds(table), winner) for table, winner in rows)
    everybody = statistics.fmean(
        match_odds.brier([1 / len(table.buyers)] * len(table.buyers), winner)
        for table, winner in rows
    )
    shipped = weights().brier_sealed if sealed else weights().brier_open
    assert model < everybody - 0.05
    assert model == pytest.approx(shipped.model, abs=0.08)
    assert shipped.model < min(shipped.everybody, shipped.still_there, shipped.favourite)


def test_odds_of_matches_begun_at_once_are_as_good_as_the_page_says() -> None:
    """Their luck is drawn again until the person has a chance, and everybody may know that."""
    rows = [row for row in fresh() if row[0].at_once]
    model = statistics.fmean(match_odds.brier(odds(table), winner) for table, winner in rows)
    shipped = weights().brier_at_once
    assert model < 0.75 - 0.05
    assert model == pytest.approx(shipped.model, abs=0.08)
    assert shipped.model < min(shipped.everybody, shipped.still_there, shipped.favourite)
    first = [(odds(table)[0], winner == 0) for table, winner in rows if not table.round]
    told, came = (statistics.fmean(one[at] for one in first) for at in (0, 1))
    assert told == pytest.approx(came, abs=0.12)


@pytest.mark.django_db
def test_a_match_begun_at_once_is_known_by_who_sits_there() -> None:
    """A page reads the same table from a match as the benchmark that measures the odds."""
    rivals = list(QUICK_RIVALS)
    for line_up, at_once in (([PERSON, *rivals], True), ([*rivals, PERSON], False)):
        match = a_match(*line_up, seed=None)
        Listing.objects.filter(source_key="Brass lamp").update(source_key=f"once {at_once}")
        events = matches.current(match.pk)[1].events
        [table] = match_odds.tables_of(events, line_up, sealed=True)
        course = course_of(frames(Game.objects.get(pk=match.pk), Viewer("sealed")))
        shown = public_table(course, 0)
        assert shown.at_once is table.at_once is at_once
        assert shown.buyers == table.buyers
        assert weights().measured(shown) == getattr(
            weights(), "brier_at_once" if at_once else "brier_sealed"
        )


def test_a_bluff_counts_as_what_it_claims() -> None:
    assert claimed("bluff") == "compete"
