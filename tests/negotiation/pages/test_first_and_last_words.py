"""What the house says first and last on the pages: in their language, never twice alike, no log."""

import re
from html import unescape
from itertools import pairwise

import pytest
from django.conf import LazySettings
from django.test import Client

from agents.speech.checks import is_in, opening_of
from negotiation.bargain.visibility import frames
from negotiation.models import EventRow, Game

pytestmark = pytest.mark.django_db

OWN = {"title": "Brass lamp", "asking_price": "1800", "reservation_price": "1000"}
SAID = re.compile(r'is-goodbye.*?<p class="words"[^>]*>(.*?)</p>', re.DOTALL)
PAGES = pytest.mark.parametrize(
    ("page", "language"), [("hi", "hindi"), ("en-in", "english")], ids=["hi", "en"]
)


@pytest.fixture(autouse=True)
def _unhurried(settings: LazySettings) -> None:
    # Who types ten prices in a second would be asked to wait.
    settings.LIMITS = {**settings.LIMITS, "messages": "900/minute", "games": "900/minute"}


def visitor(page: str = "en-in") -> Client:
    client = Client(headers={"accept-language": page})
    client.get("/sell/")
    return client


def sale(client: Client, **changes: str) -> Game:
    return _opened(client.post("/sell/new/", OWN | changes)["Location"])


def _opened(address: str) -> Game:
    return Game.objects.get(pk=address.split("/")[2])


def act(client: Client, game: Game, action: str, price: str = "") -> None:
    answer = client.post(f"/sell/{game.pk}/move/", {"action": action, "price": price})
    assert answer.status_code == 302, answer.content.decode()


def first_words(game: Game) -> str:
    row = EventRow.objects.filter(game=game).exclude(backend="").order_by("seq")[0]
    return next(
        frame["event"]["text"] for frame in frames(game, "seller") if frame["seq"] == row.seq
    )


def goodbyes(client: Client, address: str) -> list[str]:
    return [unescape(found) for found in SAID.findall(client.get(address).content.decode())]


@PAGES
def test_she_begins_and_ends_in_the_language_of_the_page(page: str, language: str) -> None:
    asha = visitor(page)
    game = sale(asha)
    assert is_in(first_words(game), language)
    act(asha, game, "walk")
    (said,) = goodbyes(asha, f"/sell/{game.pk}/")
    assert is_in(said, language)


@pytest.mark.parametrize("action", ["accept", "walk"])
def test_the_goodbye_stands_on_the_page_and_in_the_replay_and_in_no_log(action: str) -> None:
    asha, bilal = visitor(), visitor("hi")
    game = sale(asha, share_replay="on", reservation_price="1")
    act(asha, game, action)
    (said,) = goodbyes(asha, f"/sell/{game.pk}/")
    assert said
    # Whoever shows the end again hears the same, in whatever language they read.
    assert goodbyes(bilal, f"/replays/{game.pk}/") == [said]
    assert goodbyes(asha, f"/sell/{game.pk}/") == [said]
    game.refresh_from_db()
    assert all(said not in str(frame) for frame in frames(game, "seller"))
    assert all(said.encode() not in bytes(row.payload) for row in EventRow.objects.all())
    assert frames(game, "seller")[-1]["event"]["kind"] == "ended"


def test_when_the_rounds_are_over_she_says_so() -> None:
    asha = visitor()
    game = sale(asha)
    for number in range(10):
        act(asha, game, "say", f"{1790 - number}")
    game.refresh_from_db()
    assert game.outcome == "expired"
    (said,) = goodbyes(asha, f"/sell/{game.pk}/")
    assert said


def test_silent_tables_and_silent_buyers_hear_no_goodbye() -> None:
    asha = visitor()
    silent = sale(asha)
    Game.objects.filter(pk=silent.pk).update(policy="rules:boulware")
    act(asha, silent, "walk")
    assert goodbyes(asha, f"/sell/{silent.pk}/") == []
    game = sale(asha)
    Game.objects.filter(pk=game.pk).update(terms={"chat": False})
    act(asha, game, "walk")
    assert goodbyes(asha, f"/sell/{game.pk}/") == []


@PAGES
def test_no_two_games_in_a_row_begin_alike_for_one_visitor(page: str, language: str) -> None:
    asha = visitor(page)
    games = [sale(asha)]
    for _ in range(5):
        # The same cards give the same luck, and another first line all the same.
        act(asha, games[-1], "walk")
        games.append(_opened(asha.post(f"/sell/{games[-1].pk}/again/")["Location"]))
        games.append(sale(asha))
    begun = [first_words(game) for game in games]
    openings = [opening_of(line) for line in begun]
    assert all(a != b for a, b in pairwise(openings)), begun
    assert all(is_in(line, language) for line in begun)


def test_only_the_own_game_before_counts() -> None:
    asha = visitor()
    game = sale(asha)
    act(asha, game, "walk")
    again = _opened(asha.post(f"/sell/{game.pk}/again/")["Location"])
    act(asha, again, "walk")
    Game.objects.filter(pk=game.pk).update(owner="somebody-else")
    third = _opened(asha.post(f"/sell/{again.pk}/again/")["Location"])
    assert first_words(game) == first_words(third) != first_words(again)
