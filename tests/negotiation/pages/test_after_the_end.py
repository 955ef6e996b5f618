"""The sheet after a game: one verdict, stars, what she held, and what to do next."""

import re
import time
from typing import Any

import msgspec
import pytest
from django.test import Client

from bazaarbatna.bargain.events import OfferMade
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import SealedValues
from bazaarbatna.bargain.theory import reference_lines
from negotiation.bargain import commands, house, practice, sessions
from negotiation.bargain.house import HOUSE, Others, house_shares
from negotiation.bargain.scenarios import NewSale, stored_scenario
from negotiation.bargain.visibility import frames
from negotiation.bargain.web.outcome import PROMISES, THEORY, Outcome, outcome_of
from negotiation.bargain.web.seats import seat_of
from negotiation.errors import UnknownGame
from negotiation.games.event_log import from_payload
from negotiation.models import CHALLENGE, DAILY, Game, Listing
from negotiation.ttl_cache import forget
from tests.support.finished import Playing, a_haggle, a_scenario, a_walk, store
from tests.support.visitors import a_visitor, key_of
from training.leaderboard import people

pytestmark = pytest.mark.django_db


def sold(price: int, budget: int = 1700) -> Game:
    """A cooker with a floor of 1,200, sold at a price."""
    sealed = SealedValues(Paise(120_000), Paise(114_285), Paise(100 * budget), 42)
    playing = Playing(a_scenario(sealed=sealed)).move("buyer", Offer(Paise(100 * price)))
    return store(playing.move("seller", Accept()))


def sheet(game: Game, others: Others = Others()) -> Outcome:  # noqa: B008
    seat = seat_of(game)
    return outcome_of(frames(game, "seller"), stored_scenario(game), seat, others)


def page(client: Client, game: Game) -> str:
    return re.sub(r"\s+", " ", client.get(f"/sell/{game.pk}/").content.decode())


def test_the_verdict_is_one_plain_sentence() -> None:
    asha = a_visitor()
    game = store(a_haggle(), owner=key_of(asha))
    shown = page(asha, game)
    assert re.search(r"60&nbsp;%</b> .*?★★★☆☆</span>", shown)
    assert "Close to an even split." in shown
    assert re.search(
        r"Your bonus</dt><dd[^>]*><strong>₹30</strong> of ₹50, the most that the", shown
    )
    assert f"of {HOUSE} house sellers with your cards" in shown
    for button in ("Same cards, once more", "Put it on the shelf", "Open the replay"):
        assert button in shown
    assert "Served by rules" not in shown.split("<details")[0]


@pytest.mark.parametrize(
    ("price", "percent", "stars", "tone"),
    [(1200, 0, 0, "plain"), (1300, 20, 1, "plain"), (1310, 22, 2, "plain"), (1400, 40, 2, "plain"),
     (1410, 42, 3, "deal"), (1500, 60, 3, "deal"), (1600, 80, 4, "deal"), (1700, 100, 5, "deal")],
)  # fmt: skip
@pytest.mark.parametrize("house", [(-1.0,) * 40, (1.0,) * 40])
def test_number_stars_sentence_and_colour_follow_the_share_alone(
    price: int, percent: int, stars: int, tone: str, house: tuple[float, ...]
) -> None:
    shown, seat = sheet(sold(price), Others(house=house)), seat_of(Game())
    verdict = shown.verdict
    assert (verdict.percent, verdict.stars, shown.tone) == (percent, stars, tone)
    assert verdict.sentence == seat.praise[5 - max(stars, 1)]


def test_whoever_was_right_to_walk_has_no_stars_to_lose() -> None:
    sealed = SealedValues(Paise(120_000), Paise(114_285), Paise(100_000), 42)
    right = sheet(store(a_walk(sealed=sealed)))
    assert (right.tone, right.standing, right.verdict.percent) == ("right", None, None)
    missed = sheet(store(a_walk()))
    assert (missed.tone, missed.verdict.percent, missed.verdict.stars) == ("walk", 0, 0)


def sold_by(owner: str, share: float, **more: Any) -> Game:
    """A deal that leaves its seller this part of the zone."""
    return Game.objects.create(
        owner=owner, status="ended", outcome="deal", seller_share=share, **more
    )


def test_people_are_measured_by_their_first_games_over_the_same_thing(lamp: Listing) -> None:
    mine = Game.objects.create(owner="asha", listing=lamp)
    first = [sold_by(who, 0.4, listing=lamp) for who in ("bilal", "chetan", "mallory")]
    sold_by("asha", 0.9, listing=lamp)
    Game.objects.create(owner="bilal", listing=lamp, status="ended", outcome="walk")
    sold_by("bilal", 1.0, listing=lamp, rematch_of=first[0])
    for apart in (DAILY, CHALLENGE):
        sold_by("chetan", 0.2, listing=lamp, suite=f"{apart}2026-11-25")
    equal, better = house._people(mine, 0.404), house._people(mine, 0.41)
    assert (equal.people, equal.worse) == (3, 0), "equal within a rounding"
    assert (better.people, better.worse, better.over) == (3, 3, "thing")


def test_where_few_sold_the_same_thing_all_things_are_looked_at(lamp: Listing) -> None:
    forget()
    mine = Game.objects.create(owner="asha", listing=lamp)
    sold_by("bilal", 0.4, listing=lamp)
    sold_by("chetan", 0.2)
    assert house._people(mine, 0.3) == Others(), "two people say nothing"
    forget()
    sold_by("mallory", 0.6)
    sold_by("asha", 0.9)
    found = house._people(mine, 0.3)
    assert (found.people, found.worse, found.over) == (3, 1, "all")


def test_the_house_plays_the_same_cards_alike_and_quickly_enough() -> None:
    game = store(a_haggle())
    shares = house_shares(game)
    assert len(shares) == HOUSE
    assert all(0 <= share <= 1 for share in shares)
    assert len(set(shares)) > 5, "not one player forty times"
    assert house._house(store(a_haggle())) == shares
    began = time.process_time()
    house._house(game)
    assert time.process_time() - began < 30, "a runaway"


def test_a_broken_policy_leaves_the_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> float:
        raise RuntimeError

    monkeypatch.setattr(house, "_share", breaks)
    assert house._house(store(a_haggle())) == ()


def test_no_promise_that_was_kept_is_told_by_counting_to_nought() -> None:
    for side in ("seller", "buyer"):
        for words in PROMISES[side].values():
            kept = [told for form, told in words.items() if form.startswith("kept")]
            assert not any(re.search(r"\b(0|not|no|never|broken)\b", told) for told in kept)


def test_each_price_of_theory_has_its_line() -> None:
    for name in reference_lines(a_scenario()):
        assert sum(name.startswith(start) for start in THEORY) == 1


# The same cards once more.


@pytest.fixture
def lamp() -> Listing:
    lamp = Listing(title="Lamp", list_price=200_000, street_price=150_000, source_key="lamp")
    lamp.save()
    return lamp


def finished(client: Client, lamp: Listing) -> Game:
    client.post("/sell/new/", {"listing": lamp.pk})
    game = Game.objects.get(owner=key_of(client))
    client.post(f"/sell/{game.pk}/move/", {"action": "walk"})
    game.refresh_from_db()
    return game


def test_the_same_cards_come_out_again_under_a_new_seal(lamp: Listing) -> None:
    asha = a_visitor()
    first = finished(asha, lamp)
    answer = asha.post(f"/sell/{first.pk}/again/")
    again = Game.objects.get(pk=answer["Location"].split("/")[2])
    assert again.rematch_of == first
    before, now = stored_scenario(first), stored_scenario(again)
    assert now.salt != before.salt
    assert msgspec.structs.replace(now, salt=before.salt) == before
    shown = page(asha, again)
    assert f"₹{now.sealed.budget // 100:,}" in shown, "she has seen it"
    assert "practice" in shown
    opening = [from_payload(game.events.get(seq=2).payload) for game in (first, again)]
    assert all(isinstance(one, OfferMade) for one in opening)
    assert opening[0].price == opening[1].price, "the same luck"  # type: ignore[union-attr]
    assert opening[0].text != opening[1].text, "no two games begin alike"  # type: ignore[union-attr]


def played(client: Client, lamp: Listing) -> Game:
    """Three asks to Sauda, and a walk."""
    new = NewSale(listing=lamp, policy="sauda-network")
    game = sessions.open_sale(key_of(client), new, lambda most: most // 2)
    for price in (1990, 1980, 1970):
        sessions.opponent_turn(game.pk)
        sessions.play(game.pk, key_of(client), commands.Say(f"{price} please"))
    sessions.opponent_turn(game.pk)
    sessions.play(game.pk, key_of(client), Walk())
    game.refresh_from_db()
    return game


def own_moves(game: Game) -> list[int]:
    rows = game.events.order_by("seq")
    kinds = ("offer", "accept", "walk")
    return [row.seq for row in rows if row.kind in kinds and b'"actor":"seller"' in row.payload]


def test_a_person_plays_on_from_any_own_move_with_all_that_came_before(lamp: Listing) -> None:
    asha = a_visitor()
    first = played(asha, lamp)
    budget = f"₹{stored_scenario(first).sealed.budget // 100:,}"
    for seq in own_moves(first):
        answer = asha.post(f"/sell/{first.pk}/again/", {"seq": seq})
        again = Game.objects.get(pk=answer["Location"].split("/")[2])
        assert (again.rematch_of, again.last_seq, again.status) == (first, seq - 1, "live")
        before, now = (
            [bytes(row.payload) for row in game.events.filter(seq__gt=1, seq__lt=seq)]
            for game in (first, again)
        )
        assert now == before
        assert not sessions.awaits_opponent(again)
        shown = page(asha, again)
        assert "practice" in shown
        assert budget not in shown, "sealed until its end"
        sessions.play(again.pk, key_of(asha), Walk())
        again.refresh_from_db()
        assert again.status == "ended"
        over = page(asha, again)
        assert budget in over
        assert "Played on: practice" in over
        assert "house sellers" not in over, "nobody is measured by a game in its middle"
    assert sessions.is_newcomer(key_of(asha)), "none of it counts"


def test_nobody_plays_on_from_what_is_no_own_move(lamp: Listing) -> None:
    asha, chetan = a_visitor(), a_visitor()
    first = played(asha, lamp)
    count = Game.objects.count()
    for seq in {*range(1, first.last_seq + 2), 99_999_999} - set(own_moves(first)):
        assert asha.post(f"/sell/{first.pk}/again/", {"seq": seq}).status_code == 422
    assert chetan.post(f"/sell/{first.pk}/again/", {"seq": own_moves(first)[0]}).status_code == 404
    assert Game.objects.count() == count


def test_nobody_tries_out_the_cards_of_a_game_that_goes_on(lamp: Listing) -> None:
    asha, chetan = a_visitor(), a_visitor()
    asha.post("/sell/new/", {"listing": lamp.pk})
    game = Game.objects.get()
    assert asha.post(f"/sell/{game.pk}/again/").status_code == 404
    assert chetan.post(f"/sell/{game.pk}/again/").status_code == 404
    with pytest.raises(UnknownGame):
        practice.open_rematch(key_of(asha), game)
    assert Game.objects.count() == 1


def test_a_game_with_known_cards_counts_nowhere(lamp: Listing) -> None:
    asha = a_visitor()
    person = people.join(key_of(asha), "Asha of Pune", "an address")
    first = finished(asha, lamp)
    again = practice.open_rematch(key_of(asha), first)
    sessions.opponent_turn(again.pk)
    sessions.play(again.pk, key_of(asha), Walk())
    people.collect(person)
    assert list(person.games.values_list("game_id", flat=True)) == [first.pk]
    assert sessions.is_newcomer(key_of(asha)), "one first game is still to come"


def test_the_next_game_is_another_thing_without_a_form(lamp: Listing) -> None:
    asha = a_visitor()
    other = Listing(title="Fan", list_price=90_000, street_price=80_000, source_key="fan")
    other.save()
    shown = page(asha, finished(asha, lamp))
    assert re.findall(r"button-primary[^>]*>([^<]*)<", shown.split("outcome-next")[1])[0] == (
        "Next game"
    )
    found = re.search(r'formaction="/sell/new/" name="listing" value="(\d+)"', shown)
    assert found is not None
    assert int(found[1]) == other.pk
    answer = asha.post("/sell/new/", {"listing": found[1]})
    assert re.fullmatch(r"/sell/\w+/", answer["Location"])


def test_a_sale_needs_no_listing_to_be_played_again() -> None:
    game = sessions.open_sale(
        "asha",
        NewSale(title="Own", asking_price=Paise(200_000), reservation_price=Paise(120_000)),
    )
    sessions.opponent_turn(game.pk)
    sessions.play(game.pk, "asha", Walk())
    game.refresh_from_db()
    assert practice.open_rematch("asha", game).title == "Own"
