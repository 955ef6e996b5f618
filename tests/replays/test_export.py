"""The exported file proves itself and can be played again without this site."""

import hashlib
import json
from typing import Any

import pytest
from django.test import Client

from bazaarbatna.bargain.episode import apply, say, start
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import to_paise
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues
from negotiation.models import Game
from tests.support.finished import a_haggle, a_scenario, a_walk, store
from tests.support.visitors import key_of

pytestmark = pytest.mark.django_db


def exported(client: Client, game: Game) -> dict[str, Any]:
    response = client.get(f"/replays/{game.pk}.json")
    assert response.status_code == 200
    return json.loads(response.content)


def play_again(file: dict[str, Any]) -> dict[str, Any]:
    """Rebuild a game from nothing but its file; give the events of the engine."""
    sealed = SealedValues(**json.loads(file["committed_text"].partition(":")[2]))
    opened = file["events"][0]
    scenario = Scenario(
        suite=opened["suite"],
        item=Item(**opened["item"]),
        max_rounds=opened["max_rounds"],
        anchor=to_paise(opened["price"]),
        sealed=sealed,
        salt=file["salt"],
    )
    state, events = start(scenario)
    assert events[0].commitment == opened["commitment"]  # type: ignore[union-attr]
    moves = {"accept": Accept, "walk": Walk}
    for event in file["events"][1:-1]:
        kind, actor = event["kind"], event["actor"]
        if kind == "message":
            state, _ = say(state, actor, event["text"])
        elif kind == "offer":
            state, _ = apply(state, actor, Offer(to_paise(event["price"]), event["text"]))
        elif kind in moves:
            state, _ = apply(state, actor, moves[kind](event["text"]))
    ended = state.ended
    assert ended is not None
    return {
        "outcome": ended.outcome, "by": ended.by, "rounds": ended.round,
        "price": None if ended.price is None else ended.price / 100,
        "buyer_share": ended.buyer_share, "seller_share": ended.seller_share,
    }  # fmt: skip


def test_the_promise_can_be_checked_from_the_file_alone(asha: Client, shared: Game) -> None:
    file = exported(asha, shared)
    text = file["committed_text"]
    promised = file["events"][0]["commitment"]
    assert hashlib.sha256(text.encode()).hexdigest() == promised == file["commitment"]
    salt, _, sealed = text.partition(":")
    assert salt == file["salt"]
    opened = json.loads(sealed)
    for price in ("reservation", "cost", "budget"):
        assert opened[price] == round(file["opened"][price] * 100)
    assert (opened["seed"], opened["persona"]) == (file["opened"]["seed"], "default")


@pytest.mark.parametrize("haggle", [a_haggle, a_walk])
def test_the_moves_in_the_file_lead_to_the_outcome_in_the_file(asha: Client, haggle: Any) -> None:
    file = exported(asha, store(haggle(), owner=key_of(asha)))
    again = play_again(file)
    assert {name: file["game"][name] for name in again} == pytest.approx(again)
    last = file["events"][-1]
    assert (last["outcome"], last["price"]) == (again["outcome"], again["price"])


def test_the_events_are_numbered_from_one_without_gaps(asha: Client, shared: Game) -> None:
    file = exported(asha, shared)
    assert [event["seq"] for event in file["events"]] == list(range(1, 13))
    assert file["events"][0]["kind"] == "opened"
    assert file["events"][-1]["kind"] == "ended"


def test_the_keys_stand_in_the_documented_order(asha: Client, shared: Game) -> None:
    assert list(exported(asha, shared)) == [
        "format", "game", "versions", "events", "opened",
        "salt", "commitment", "committed_text", "theory", "signature",
    ]  # fmt: skip


def test_odd_prices_and_odd_characters_survive(asha: Client) -> None:
    title = 'Bag "Ünïcode" <i>😀</i> \u2028'
    scenario = a_scenario(item=Item(title, currency="USD"))
    file = exported(asha, store(a_haggle(item=scenario.item), owner=key_of(asha)))
    assert file["game"]["item"]["title"] == title
    assert file["events"][5]["text"] == "aur log bhi dekh rahe hain 😀 <b>sach</b>"


def test_the_same_game_is_the_same_file_and_is_not_sent_twice(asha: Client, shared: Game) -> None:
    first = asha.get(f"/replays/{shared.pk}.json")
    again = asha.get(f"/replays/{shared.pk}.json")
    assert first.content == again.content
    known = asha.get(f"/replays/{shared.pk}.json", headers={"If-None-Match": first["ETag"]})
    assert (known.status_code, known.content) == (304, b"")


def test_it_arrives_as_a_file_that_no_shared_cache_keeps(asha: Client, shared: Game) -> None:
    response = asha.get(f"/replays/{shared.pk}.json")
    assert response["Content-Disposition"] == f'attachment; filename="bazaarbatna-{shared.pk}.json"'
    assert "private" in response["Cache-Control"]
    assert "Cookie" in response["Vary"]


def test_theory_names_prices_between_the_two_limits(asha: Client, shared: Game) -> None:
    theory = exported(asha, shared)["theory"]
    assert theory
    assert all(1200 <= price <= 1700 for price in theory.values())


def test_without_common_ground_theory_has_no_price(asha: Client) -> None:
    from bazaarbatna.bargain.quantities import Paise

    poor = SealedValues(Paise(120000), Paise(114285), Paise(100000), 7)
    assert exported(asha, store(a_walk(sealed=poor), owner=key_of(asha)))["theory"] == {}
