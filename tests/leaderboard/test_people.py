"""People on the board: whose games count, and what a name can and cannot do."""

import datetime as dt
from functools import partial

import pytest
import time_machine
from django.utils import timezone

from arena.auction.web import matches
from arena.auction.web.orders import PERSON, Order
from bazaarbatna.auction.making import SUITE
from bazaarbatna.bargain.moves import Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from negotiation.bargain import sessions
from negotiation.bargain.scenarios import BUDGET_RULE, NewSale, scenario_of
from negotiation.errors import RateLimited
from negotiation.models import DAILY, Game
from negotiation.names import BadName, NameTaken
from tests.support.board import NO_ROOM, SEED, a_lamp, begins_a_sale, buys, sells
from tests.support.tables import plays_out
from training.leaderboard import people
from training.leaderboard.lines import Place, stored
from training.leaderboard.models import BoardName, PersonalGame

pytestmark = pytest.mark.django_db


def joins(owner: str = "asha", name: str = "Asha of Pune") -> BoardName:
    return people.join(owner, name, f"address of {owner}")


def counted(person: BoardName) -> list[PersonalGame]:
    people.collect(person)
    return list(person.games.filter(why_not="").order_by("pk"))


def reasons(person: BoardName) -> list[str]:
    people.collect(person)
    return list(person.games.values_list("why_not", flat=True))


def test_a_sale_and_a_purchase_on_the_houses_terms_count_for_the_seat_that_was_played() -> None:
    asha = joins()
    sale, purchase = sells("asha"), buys("asha")
    rows = {row.game_id: row for row in counted(asha)}
    assert rows[sale.pk].table == "sell@1 seller"
    assert rows[sale.pk].share == sale.seller_share
    assert rows[sale.pk].rival_share == sale.buyer_share
    assert rows[sale.pk].rivals == [[f"sauda {sale.policy_version}", 1.0]]
    assert rows[purchase.pk].table == "buy@3 buyer"
    assert (rows[purchase.pk].share, rows[purchase.pk].rival_share) == (0.0, 0.0)


def test_a_sale_counts_whatever_the_rule_of_budgets_was_when_it_was_opened() -> None:
    asha = joins()
    sale = NewSale(listing=a_lamp())
    for rule in range(1, BUDGET_RULE + 1):
        scenario = scenario_of(sale, lambda _: SEED, rule=rule)
        game = sessions.open_dealt("asha", scenario, "sauda", listing=sale.listing)
        while game.status == Game.Status.LIVE:
            if not sessions.opponent_turn(game.pk):
                sessions.play(game.pk, "asha", Offer(scenario.sealed.reservation))
            game.refresh_from_db()
    assert reasons(asha) == [""] * BUDGET_RULE


def test_games_from_before_the_name_never_count() -> None:
    sells("asha")
    asha = joins()
    sells("asha")
    assert len(counted(asha)) == 1


def test_games_of_others_never_count() -> None:
    asha = joins()
    sells("bilal")
    assert counted(asha) == []


@pytest.mark.parametrize(
    "terms",
    [
        {"reservation_price": Paise(1_000)},
        {"asking_price": Paise(900_000)},
        {"title": "A lamp that Sauda cannot resist"},
        {"listing": None, "title": "Own", "asking_price": Paise(90), "reservation_price": Paise(9)},
    ],
    ids=["reservation price", "asking price", "words", "own goods"],
)
def test_terms_of_ones_own_do_not_count(terms: dict[str, object]) -> None:
    asha = joins()
    sells("asha", **terms)
    assert reasons(asha) == ["own-terms"]


def test_a_budget_of_ones_own_does_not_count() -> None:
    asha = joins()
    buys("asha", budget=Paise(250_000))
    assert reasons(asha) == ["own-terms"]


def test_a_game_without_room_counts_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    asha = joins()
    # A listing at its own floor has had a zone since the third rule: such games are older.
    monkeypatch.setattr(sessions, "scenario_of", partial(scenario_of, rule=2))
    sells("asha", seed=NO_ROOM, end=Walk("jaane do"))
    assert reasons(asha) == ["no-zone"]


def test_a_first_game_with_its_promised_zone_counts_like_any_other() -> None:
    asha = joins()
    for seed in (SEED, NO_ROOM):
        sells("asha", seed=seed, has_zone=True)
    buys("asha", has_zone=True)
    assert reasons(asha) == ["", "", ""]


def test_the_game_of_a_day_whose_values_a_second_browser_knows_does_not_count() -> None:
    asha = joins()
    Game.objects.filter(pk=sells("asha").pk).update(suite=f"{DAILY}2026-11-25")
    assert reasons(asha) == ["daily"]


@pytest.mark.parametrize("source", [Game.Source.WHAT_IF, Game.Source.IMPORT])
def test_what_ifs_and_imports_are_not_even_looked_at(source: str) -> None:
    asha = joins()
    Game.objects.filter(pk=sells("asha").pk).update(source=source)
    assert reasons(asha) == []


def test_a_match_that_somebody_set_up_does_not_count_whatever_its_seed() -> None:
    asha = joins()
    for seed in (7, None):
        order = Order(listing=a_lamp(), line_up=(PERSON, "rules:micro"), seed=seed)
        plays_out(matches.open_match("asha", order).pk)
    assert reasons(asha) == ["own-match", "own-match"]


def exhibits(*people_in_it: str) -> str:
    order = Order(listing=a_lamp(), line_up=("rules:micro", "rules:linear", "rules:smart"))
    match = matches.set_up("", order, lambda _: 11, exhibition=True)
    for seat, owner in enumerate(people_in_it):
        matches.take_seat(match.pk, seat, owner)
    matches.begin(match.pk)
    plays_out(match.pk)
    return match.pk


def test_a_lone_person_in_an_exhibition_match_is_rated_against_the_whole_table() -> None:
    asha = joins()
    exhibits("asha")
    (row,) = counted(asha)
    assert row.table == f"{SUITE} buyer of 3"
    assert row.share == 0.0  # she held all the time
    assert row.rival_share is None
    assert len(row.rivals) == 3  # the seller and two rivals
    assert row.rivals[0][0].startswith("rule:")


def test_two_windows_at_one_table_count_for_neither() -> None:
    asha, mallory = joins(), joins("mallory", "Mallory")
    exhibits("asha", "mallory")
    assert reasons(asha) == reasons(mallory) == ["company"]


def test_walking_out_of_the_browser_is_no_way_out_of_a_bad_game() -> None:
    asha = joins()
    game = begins_a_sale("asha")
    assert reasons(asha) == []
    later = timezone.now() + people.LEFT_LYING + dt.timedelta(minutes=1)
    with time_machine.travel(later):
        (row,) = counted(asha)
    assert (row.game_id, row.share, row.rival_share) == (game.pk, 0.0, None)


def test_a_game_left_lying_does_not_tell_whether_there_was_anything_to_win() -> None:
    asha = joins()
    begins_a_sale("asha")
    begins_a_sale("asha", seed=NO_ROOM)
    with time_machine.travel(timezone.now() + people.LEFT_LYING + dt.timedelta(minutes=1)):
        people.collect(asha)
    one, other = asha.games.values("why_not", "table", "rivals", "share", "rival_share")
    assert one == other
    assert (one["why_not"], one["share"]) == ("", 0.0)


def test_a_game_is_judged_once() -> None:
    asha = joins()
    sells("asha")
    assert people.collect(asha) == 1
    assert people.collect(asha) == 0


def places(seat: str) -> dict[str, Place]:
    known = stored("people")
    assert known is not None
    return {one.player.key: one for one in known[0].places if one.player.seat == seat}


def test_more_of_the_same_goods_earns_more_points_and_few_games_are_provisional() -> None:
    asha, bilal = joins(), joins("bilal", "Bilal")
    for _ in range(3):
        sells("asha")
        sells("bilal", end=Walk("nahi"))
    assert people.refresh_people()
    found = places("seller")
    assert found[f"{asha.pk} seller"].points > found[f"{bilal.pk} seller"].points
    assert found[f"{asha.pk} seller"].is_provisional
    assert found[f"{asha.pk} seller"].ranks is None
    house = [one for one in places("buyer").values() if one.player.kind == "house"]
    assert [one.player.title for one in house] == ["Sauda"]
    assert not people.refresh_people(), "nothing has changed since"


def test_a_withdrawn_name_is_gone_and_coming_back_is_no_fresh_start() -> None:
    asha = joins()
    sells("asha", end=Walk("nahi"))
    people.refresh_people()
    assert people.withdraw("asha")
    assert not people.withdraw("asha")
    assert people.on_board("asha") is None
    people.refresh_people()
    assert places("seller") == {}
    sells("asha")
    back = joins(name="Somebody else")
    assert back.pk == asha.pk
    assert back.since == asha.since
    assert len(counted(back)) == 2


def test_a_name_that_looks_like_another_is_taken() -> None:
    joins()
    for lookalike in ("ASHA OF  PUNE", "asha-of-pune", "Ásha of Pune"):
        with pytest.raises(NameTaken):
            joins("mallory", lookalike)
    assert people.on_board("mallory") is None


@pytest.mark.parametrize("name", ["Sauda", "rules:smart", "Smart heuristic", "‮ahsA", "a", "A" * 25])
def test_names_of_the_house_and_tricks_are_refused(name: str) -> None:
    with pytest.raises(BadName):
        joins("mallory", name)


def test_a_withdrawn_name_is_free_for_others() -> None:
    joins()
    people.withdraw("asha")
    assert joins("bilal").name == "Asha of Pune"


def test_the_own_name_can_be_written_otherwise() -> None:
    joins()
    assert joins(name="ASHA of Pune").name == "ASHA of Pune"
    assert BoardName.objects.count() == 1


def test_an_address_cannot_take_names_without_end() -> None:
    for number, name in enumerate(("Amar", "Akbar", "Anthony")):
        people.join(f"session {number}", name, "one address")
    with pytest.raises(RateLimited):
        people.join("session 4", "Mallory", "one address")
    assert people.join("session 5", "Chetan", "another address").name == "Chetan"
