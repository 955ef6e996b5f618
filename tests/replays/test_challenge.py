"""The cards of a finished game, dealt to a friend: Asha sends them, Bilal plays, Chetan looks."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from bazaarbatna.bargain.moves import Walk
from bazaarbatna.bargain.quantities import to_rupees
from negotiation.bargain import practice, sessions
from negotiation.bargain.house import others_of
from negotiation.bargain.scenarios import stored_scenario
from negotiation.models import Game
from negotiation.ttl_cache import forget
from replays.daily.days import today
from replays.models import Challenge, ChallengeTry
from replays.preview.views import publish
from tests.support.finished import a_haggle, store
from tests.support.spellings import names
from tests.support.visitors import a_visitor, key_of
from training.leaderboard.people import result_of

pytestmark = pytest.mark.django_db

HTMX: Any = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def bilal(db: None) -> Client:
    """A friend."""
    return a_visitor()


@pytest.fixture
def game(asha: Client) -> Game:
    """Asha's finished game."""
    return store(a_haggle(), owner=key_of(asha), shared=False)


@pytest.fixture
def link(asha: Client, game: Game) -> str:
    """The address of Asha's challenge."""
    shown = asha.post(f"/challenge/new/{game.pk}/", **HTMX).content.decode()
    found = re.search(r'value="http://testserver(/challenge/[a-z0-9]{12}/)"', shown)
    assert found is not None
    return found[1]


def plays(friend: Client, link: str) -> Game:
    """Take the cards and leave at once."""
    place = friend.post(link)["Location"]
    game = Game.objects.get(pk=place.strip("/").split("/")[-1])
    sessions.opponent_turn(game.pk)
    sessions.play(game.pk, key_of(friend), Walk())
    game.refresh_from_db()
    return game


def test_a_friend_gets_the_same_cards_under_a_seal_of_its_own(
    bilal: Client, game: Game, link: str
) -> None:
    assert bilal.get(link).status_code == 200
    place = bilal.post(link)["Location"]
    dealt = Game.objects.get(challenge_try__visitor=key_of(bilal))
    assert place == f"/sell/{dealt.pk}/"
    first, second = stored_scenario(game), stored_scenario(dealt)
    assert (first.item, first.sealed, first.anchor) == (second.item, second.sealed, second.anchor)
    assert first.salt != second.salt
    assert (dealt.policy, dealt.seat, dealt.kind) == (game.policy, game.seat, game.kind)
    assert dealt.rematch_of is None


def test_there_is_one_game_for_a_friend(bilal: Client, link: str) -> None:
    first = bilal.post(link)["Location"]
    assert bilal.post(link)["Location"] == first
    assert ChallengeTry.objects.count() == 1
    plays(bilal, link)
    assert bilal.post(link)["Location"] == first


def test_nothing_of_the_first_game_is_told_before_the_friend_s_end(
    bilal: Client, game: Game, link: str
) -> None:
    sealed = stored_scenario(game).sealed
    assert game.deal_price is not None
    before = bilal.get(link).content.decode()
    place = bilal.post(link)["Location"]
    dealt = place.strip("/").split("/")[-1]
    pages = [
        before,
        bilal.get(link).content.decode(),
        bilal.get(place).content.decode(),
        json.dumps(bilal.get(f"/api/sell/{dealt}/").json()),
    ]
    for page in pages:
        body = page.partition("<main")[2].partition("</main>")[0] or page
        assert game.pk not in body
        assert not names(body, sealed.budget)
        assert not names(body, game.deal_price)
    assert names(pages[2], sealed.reservation), "the search finds the friend's own number"
    end = bilal.get(f"/challenge/end/{dealt}/", **HTMX).content.decode()
    assert "challenge-result" not in end


def test_both_see_both_results_when_both_are_done(
    asha: Client, bilal: Client, chetan: Client, game: Game, link: str
) -> None:
    assert "Nobody has played them yet" in asha.get(link).content.decode()
    bilal.post(link)
    assert "Your friend is at the table right now" in asha.get(link).content.decode()
    dealt = plays(bilal, link)
    zone = to_rupees(stored_scenario(game).zopa)
    kept = f"₹{round(zone * (game.seller_share or 0.0)):,} kept"
    for page in (
        asha.get(link),
        bilal.get(link),
        bilal.get(f"/challenge/end/{dealt.pk}/", **HTMX),
        asha.get(f"/challenge/end/{game.pk}/", **HTMX),
    ):
        shown = re.sub(r"\s+", " ", page.content.decode())
        assert shown.count("challenge-result is-") == 2
        assert kept in shown
        assert "No deal: somebody left in round 1" in shown
    assert "challenge-result" not in chetan.get(link).content.decode()
    assert chetan.get(f"/challenge/end/{dealt.pk}/", **HTMX).status_code == 404


def test_a_friend_does_not_see_other_friends(bilal: Client, chetan: Client, link: str) -> None:
    plays(bilal, link)
    plays(chetan, link)
    assert chetan.get(link).content.decode().count("challenge-result is-") == 2


def test_only_a_finished_game_of_one_s_own_is_sent(asha: Client, bilal: Client, game: Game) -> None:
    assert bilal.post(f"/challenge/new/{game.pk}/", **HTMX).status_code == 404
    live = sessions.open_dealt(key_of(asha), stored_scenario(game), "sauda")
    assert asha.post(f"/challenge/new/{live.pk}/", **HTMX).status_code == 404
    assert asha.post("/challenge/new/nothing/", **HTMX).status_code == 404
    assert not Challenge.objects.exists()


def test_a_game_of_the_day_has_a_card_and_no_challenge(asha: Client, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(suite=f"daily@1:{today().day.isoformat()}")
    assert asha.post(f"/challenge/new/{game.pk}/", **HTMX).status_code == 404


def test_a_rematch_sends_the_game_that_was_played_blind(asha: Client, game: Game) -> None:
    again = practice.open_rematch(key_of(asha), game)
    sessions.opponent_turn(again.pk)
    sessions.play(again.pk, key_of(asha), Walk())
    asha.post(f"/challenge/new/{again.pk}/", **HTMX)
    assert Challenge.objects.get().game == game


def test_whoever_knows_the_cards_gets_no_game_with_them(
    asha: Client, bilal: Client, link: str
) -> None:
    assert asha.post(link).status_code == 409
    dealt = plays(bilal, link)
    bilal.post(f"/challenge/new/{dealt.pk}/", **HTMX)
    second = Challenge.objects.get(game=dealt)
    refused = asha.post(f"/challenge/{second.pk}/")
    assert refused.status_code == 409
    assert ChallengeTry.objects.count() == 1


def test_cards_that_lie_open_are_dealt_to_nobody(
    asha: Client, bilal: Client, chetan: Client, game: Game, link: str
) -> None:
    dealt = plays(bilal, link)
    publish(dealt, key_of(bilal))
    assert chetan.post(link).status_code == 409
    assert "These cards lie open" in chetan.get(link).content.decode()
    Game.objects.filter(pk=dealt.pk).update(share_replay=False)
    again = practice.open_rematch(key_of(asha), game)
    Game.objects.filter(pk=again.pk).update(share_replay=True)
    assert chetan.post(link).status_code == 409


def test_a_public_replay_is_made_private_before_its_cards_are_sent(asha: Client) -> None:
    public = store(a_haggle(), owner=key_of(asha), shared=True)
    shown = asha.post(f"/challenge/new/{public.pk}/", **HTMX).content.decode()
    assert "This replay is public" in shown
    assert not Challenge.objects.exists()


def test_a_game_with_a_friend_s_cards_counts_nowhere(
    asha: Client, bilal: Client, game: Game, link: str
) -> None:
    dealt = plays(bilal, link)
    assert dealt.is_challenge
    assert result_of(dealt, key_of(bilal)).why_not == "challenge"
    Game.objects.filter(pk=dealt.pk).update(outcome="deal", seller_share=0.1)
    forget()
    assert others_of(game, 0.5).people == 0


def test_nobody_looks_on_at_such_a_game(bilal: Client, link: str) -> None:
    place = bilal.post(link)["Location"]
    bilal.post(f"{place}guests/")
    assert Game.objects.get(challenge_try__visitor=key_of(bilal)).watch_key is None
