"""What the sheet after a game loads from the replays: the costly move, the link to share."""

import functools
import re
from typing import Any

import pytest
from django.test import Client

from negotiation.bargain.scenarios import stored_scenario
from negotiation.models import Game
from replays.grade import ahead, jobs
from tests.support.finished import a_cheap_sale, a_haggle, store
from tests.support.visitors import key_of

pytestmark = pytest.mark.django_db

HTMX: Any = {"HTTP_HX_REQUEST": "true"}


def test_the_costly_move_comes_with_a_better_one_to_try(
    asha: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No time for a look at the end, however fast the machine is.
    monkeypatch.setattr(ahead, "look", functools.partial(ahead.look, box_s=0.0))
    game = store(a_cheap_sale(), owner=key_of(asha))
    waiting = asha.get(f"/replays/{game.pk}/costly/", **HTMX)
    assert waiting.status_code == 200
    assert "hx-get" in waiting.content.decode(), "it asks again"
    assert jobs.run(game.pk)
    answer = asha.get(f"/replays/{game.pk}/costly/", **HTMX)
    assert answer.status_code == 286
    shown = re.sub(r"\s+", " ", answer.content.decode())
    assert "The move that mattered most" in shown
    assert re.search(r"Round \d+</a>: you (asked|took) ₹[\d,]+\.", shown)
    assert f'formaction="/sell/{game.pk}/again/"' in shown
    sent = dict(re.findall(r'name="(seq|price)" value="([^"]*)"', shown))
    action = re.search(r'name="action" value="(\w+)"', shown)
    assert action is not None
    tried = asha.post(f"/replays/{game.pk}/fork/", {**sent, "action": action[1]})
    child = Game.objects.get(parent=game)
    assert tried["Location"].startswith(f"/replays/{child.pk}/")
    gain = re.search(r"leaves you ₹([\d,]+) more (?:on average )?than you got", shown)
    assert gain is not None
    page = re.sub(r"\s+", " ", asha.get(f"/replays/{child.pk}/").content.decode())
    both = re.search(r"As you played: <b>(\d+)</b>.*?(?:about|exactly) <b>(\d+)</b>", page)
    assert both is not None
    sealed = stored_scenario(game).sealed
    points = int(gain[1].replace(",", "")) * 10_000 / (sealed.budget - sealed.reservation)
    assert abs(int(both[2]) - int(both[1]) - points) <= 1.5, "one number for one move"


def test_without_scripts_the_costly_move_is_on_the_page_of_the_grades(asha: Client) -> None:
    game = store(a_haggle(), owner=key_of(asha))
    assert asha.get(f"/replays/{game.pk}/costly/")["Location"] == f"/replays/{game.pk}/grades/"


def test_nobody_else_sees_the_costly_move_of_a_private_game(asha: Client, chetan: Client) -> None:
    game = store(a_haggle(), owner=key_of(asha), shared=False)
    assert chetan.get(f"/replays/{game.pk}/costly/", **HTMX).status_code == 404


def test_sharing_at_the_end_gives_the_link_in_place(asha: Client, chetan: Client) -> None:
    game = store(a_haggle(), owner=key_of(asha), shared=False)
    shown = asha.post(f"/replays/{game.pk}/share/", {"public": "1"}, **HTMX).content.decode()
    assert f'value="http://testserver/replays/{game.pk}/"' in shown
    assert f"/replays/{game.pk}/card.png" in shown
    assert chetan.get(f"/replays/{game.pk}/").status_code == 200
    refused = chetan.post(f"/replays/{game.pk}/share/", {"public": "0"}, **HTMX)
    assert "Only who played a game" in refused.content.decode()
    again = asha.post(f"/replays/{game.pk}/share/", {"public": "0"}, **HTMX).content.decode()
    assert "Only you see this game now." in again
    assert chetan.get(f"/replays/{game.pk}/").status_code == 404
