"""A character's record: from finished games of this site, and silent where they are few."""

import pytest
from django.utils import timezone

from negotiation.bargain.web import cast
from negotiation.bargain.web.cast import FEWEST, record_of
from negotiation.models import CHALLENGE, DAILY, Game
from negotiation.ttl_cache import forget

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def uncached() -> None:
    forget()


def ended(policy: str, share: float, n: int = 1, outcome: str = "deal", **more: object) -> None:
    for _ in range(n):
        Game.objects.create(
            title="Lamp",
            owner="",
            policy=policy,
            status=Game.Status.ENDED,
            outcome=outcome,
            buyer_share=share,
            seller_share=1 - share,
            ended_at=timezone.now(),
            **more,
        )


def test_nobody_has_played_yet() -> None:
    assert record_of("sauda") == cast.CharacterRecord(0, 0, None)


def test_a_few_games_tell_no_share() -> None:
    ended("sauda", 0.7, FEWEST - 1)
    assert record_of("sauda") == cast.CharacterRecord(FEWEST - 1, FEWEST - 1, None)


def test_the_mean_is_over_deals_of_all_that_a_character_plays() -> None:
    ended("sauda", 0.5, 6)
    ended("sauda:local", 0.9, 6)
    ended("sauda", 0.0, 3, outcome="walk")
    record = record_of("sauda")
    assert (record.games, record.deals, round(record.share or 0, 6)) == (15, 12, 0.7)


def test_a_seller_keeps_the_other_part() -> None:
    ended("seller:firm", 0.2, FEWEST, kind="buy", seat=Game.Seat.BUYER)
    assert record_of("zarina").share == pytest.approx(0.8)


def test_what_ifs_imports_and_live_games_are_left_out() -> None:
    ended("sauda", 0.9, FEWEST, source=Game.Source.WHAT_IF)
    ended("sauda", 0.9, FEWEST, source=Game.Source.IMPORT)
    Game.objects.create(title="Lamp", owner="", policy="sauda")
    assert record_of("sauda").games == 0


def test_the_same_cards_once_more_are_practice_and_count_nowhere() -> None:
    ended("sauda", 0.5, FEWEST)
    ended("sauda", 0.0, 3, rematch_of=Game.objects.filter(policy="sauda").first())
    assert record_of("sauda") == cast.CharacterRecord(FEWEST, FEWEST, 0.5)


@pytest.mark.parametrize(
    "cards",
    [
        {"suite": f"{DAILY}2026-11-25"},
        {"suite": f"{CHALLENGE}token"},
        {"terms": {"room": "a class of sixty"}},
    ],
    ids=["of a day", "of a friend", "of a room"],
)
def test_cards_that_others_get_too_count_nowhere(cards) -> None:
    ended("sauda", 0.5, FEWEST)
    ended("sauda", 0.0, 3, **cards)
    ended("sauda", 0.0, outcome="walk", **cards)
    assert record_of("sauda") == cast.CharacterRecord(FEWEST, FEWEST, 0.5)
