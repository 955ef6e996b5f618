"""A live exhibition match on the front page: Chetan learns nothing there that is sealed."""

import random
import re
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from arena import exhibition, matches
from arena.auction_game import AUCTION
from arena.engine.moves import Bid
from arena.models import Match
from negotiation import short_memory
from negotiation.engine.quantities import Paise, to_rupees
from negotiation.money import rupees_text
from tests.support.tables import a_listing, closes, plays_out, plays_round

pytestmark = pytest.mark.django_db


def front(client: Client) -> str:
    short_memory.forget()
    return unescape(client.get("/").content.decode())


def goes_on() -> str:
    """An exhibition match that somebody's visit to the arena has begun; gives its id."""
    a_listing()
    return exhibition.look(random.Random(5)).current


def hidden_in(html: str, match_id: str) -> list[str]:
    """Name the sealed values of a match that stand on a page."""
    scenario = AUCTION.scenario_of(match_id)
    sealed = scenario.sealed
    prices = (*sealed.budgets, sealed.reservation, sealed.cost)
    secrets = [rupees_text(to_rupees(price)) for price in prices]
    return [one for one in (*secrets, scenario.salt, str(sealed.seed)) if one in html]


def test_nobody_begins_a_match_by_looking_at_the_front_page(client: Client) -> None:
    a_listing()
    html = front(client)
    assert Match.objects.count() == 0
    assert 'data-behaviour="play-haggle"' in html


def test_a_match_that_is_on_takes_the_stage(client: Client) -> None:
    match_id = goes_on()
    plays_round(match_id)
    html = front(client)
    assert f'data-socket="/ws/arena/{match_id}/"' in html
    assert f'href="/arena/{match_id}/"' in html
    assert 'data-behaviour="play-haggle"' not in html
    seen = re.search(r'data-socket="[^"]*" data-seq="(\d+)"', html)
    assert seen is not None
    game = Match.objects.get(pk=match_id).game
    assert int(seen[1]) == game.last_seq


def test_a_match_that_has_ended_leaves_the_stage(client: Client) -> None:
    match_id = goes_on()
    plays_out(match_id)
    assert match_id not in front(client)


def test_chetan_finds_no_sealed_value_of_a_live_match_but_all_of_them_afterwards(
    client: Client,
) -> None:
    match_id = goes_on()
    for _ in range(3):
        html = front(client)
        assert match_id in html
        assert hidden_in(html, match_id) == []
        plays_round(match_id)
    plays_out(match_id)
    replay = unescape(client.get(f"/replays/{match_id}/").content.decode())
    assert len(hidden_in(replay, match_id)) >= 4


def test_while_a_person_plays_the_rivals_bids_stay_in_their_envelopes(client: Client) -> None:
    a_listing()
    bill = exhibition.look(random.Random(5))
    matches.take_seat(bill.following, 0, "asha")
    plays_out(bill.current)
    Match.objects.filter(pk=bill.following).update(starts_at=timezone.now())
    match_id = exhibition.look(random.Random(6)).current
    assert match_id == bill.following
    before = front(client)
    assert match_id in before
    seats = matches.current(match_id)[1].state.scenario.seats
    for index, seat in enumerate(seats):
        if not seat.person:
            closes(match_id, index, Bid(Paise(123_457 + index)))
    assert "₹1,234.5" not in front(client)
    closes(match_id, 0)
    opened = front(client)
    assert "Round 1" in opened
    assert "₹1,234.5" not in opened
    assert hidden_in(opened, match_id) == []
    plays_out(match_id)
    assert "₹1,234.5" in unescape(client.get(f"/replays/{match_id}/").content.decode())
