"""What is fixed before the first move."""

import hashlib

import msgspec
import pytest

from bazaarbatna.bargain.episode import Turn, start
from bazaarbatna.bargain.quantities import InvalidPrice, Paise
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.bargain.sealed import committed_text, is_kept
from negotiation.bargain import opponent, sessions
from negotiation.bargain.purchases import NewPurchase, draw_cost
from negotiation.bargain.scenarios import NewSale, default_reservation
from negotiation.errors import BadSale
from negotiation.models import EventRow, Game, Listing
from negotiation.policies import UnknownPolicy
from tests.support.builders import ASHA, CHETAN, a_sale, a_started_sale, rupees, told
from tests.support.finished import a_scenario


def a_listing() -> Listing:
    return Listing.objects.create(
        title="Hero cycle",
        category="cycles",
        description="Chain new, bell loud.",
        condition_label="very_good",
        list_price=500000,
        street_price=400000,
        source_key="cycle-1",
    )


def sealed(game: Game) -> Scenario:
    return msgspec.json.decode(bytes(game.sealed.scenario), type=Scenario)


@pytest.mark.django_db
def test_a_sale_begins_with_one_event_that_commits_to_the_sealed_values() -> None:
    game = a_sale()
    [opened] = told(game)
    scenario = sealed(game)
    assert opened["price"] == 2000
    assert is_kept(opened["commitment"], scenario.sealed, scenario.salt)
    text = committed_text(scenario.sealed, scenario.salt)
    assert hashlib.sha256(text.encode()).hexdigest() == opened["commitment"]
    assert len(scenario.salt) == 32


@pytest.mark.django_db
def test_a_listing_gives_every_number_of_its_sale() -> None:
    game = sessions.open_sale(ASHA, NewSale(listing=a_listing()))
    scenario = sealed(game)
    assert scenario.suite == "sell@1"
    assert scenario.max_rounds == 10
    assert scenario.anchor == 500000
    assert scenario.sealed.cost == 280000  # 0.7 x street price
    assert scenario.sealed.reservation == 294000  # 1.05 x that
    assert scenario.item.condition == "Chain new, bell loud."
    assert scenario.item.condition_label == "very_good"
    assert default_reservation(400000) == 294000


@pytest.mark.django_db
def test_an_own_item_costs_its_seller_a_little_less_than_the_reservation_price() -> None:
    assert sealed(a_sale()).sealed.cost == round(120000 / 1.05)


@pytest.mark.django_db
def test_two_sales_of_the_same_thing_do_not_share_secrets() -> None:
    first, second = sealed(a_sale(seed=None)), sealed(a_sale(seed=None))
    assert first.sealed.seed != second.sealed.seed
    assert first.salt != second.salt


FROM = 0x5EED
"""Thousands of seeds follow this one."""


@pytest.mark.parametrize("part", [0.05, 0.3, 0.7, 0.92, 1.0])
def test_a_purchase_with_a_promised_zone_has_one_for_every_seed_and_budget(part: float) -> None:
    asking, street = rupees(2000), 150_000
    budget = Paise(round(part * asking))
    for seed in range(FROM, FROM + 2000):
        plain, sure = draw_cost(seed, street), draw_cost(seed, street, budget)
        assert 1.05 * sure < 0.93 * budget
        assert sure == plain or 1.05 * plain > 0.92 * budget


@pytest.mark.django_db
def test_sales_and_purchases_make_a_visitor_known_and_what_ifs_do_not() -> None:
    listing = a_listing()
    assert sessions.is_newcomer(ASHA)
    what_if = sessions.open_sale(ASHA, NewSale(listing=listing))
    Game.objects.filter(pk=what_if.pk).update(source=Game.Source.WHAT_IF)
    sessions.open_sale(ASHA, NewSale(listing=listing))
    assert sessions.is_newcomer(ASHA)
    sessions.open_purchase(ASHA, NewPurchase(listing=listing))
    assert not sessions.is_newcomer(ASHA)
    assert sessions.is_newcomer(CHETAN)
    assert not sessions.is_newcomer(""), "games of nobody are nobody's first"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"title": " \u202e "}, "title"),
        ({"title": "x" * 201}, "title"),
        ({"category": "x" * 81}, "category"),
        ({"description": "x" * 1001}, "description"),
        ({"condition_label": "shiny"}, "condition_label"),
        ({"currency": "XAU"}, "currency"),
        ({"asking_price": None}, "asking_price"),
        ({"reservation_price": None}, "reservation_price"),
    ],
)
def test_a_sale_that_cannot_be_is_refused_with_the_field(
    changes: dict[str, object], field: str
) -> None:
    with pytest.raises(BadSale) as refused:
        a_sale(**changes)
    assert refused.value.field == field
    assert not Game.objects.exists()
    assert not EventRow.objects.exists()


@pytest.mark.django_db
def test_an_asking_price_below_the_reservation_price_is_refused() -> None:
    with pytest.raises(InvalidPrice):
        a_sale(asking_price=rupees(1000))
    assert not Game.objects.exists()


@pytest.mark.django_db
def test_an_unknown_buyer_is_refused() -> None:
    with pytest.raises(UnknownPolicy, match="sauda"):
        a_sale(policy="nobody")


@pytest.mark.django_db
def test_what_a_seller_types_loses_what_is_no_text() -> None:
    game = a_sale(title=" Brass\u202e\n lamp\x00 ", description="Old.\x07\nHeavy.")
    [opened] = told(game)
    assert opened["item"]["title"] == game.title == "Brass lamp"
    assert opened["item"]["condition"] == "Old.\nHeavy."


@pytest.mark.django_db
def test_the_house_knows_what_it_said_in_a_sellers_last_games_and_to_nobody_else() -> None:
    earlier = [a_started_sale(ASHA) for _ in range(sessions.REMEMBERED_GAMES + 1)]
    others = a_started_sale(CHETAN)
    said = [[event["text"] for event in told(game) if event.get("text")] for game in earlier]
    now = a_sale(ASHA)
    heard = sessions.guest_of(now).heard
    assert sorted(heard) == sorted(line for lines in said[1:] for line in lines)
    assert len(set(heard)) == sessions.REMEMBERED_GAMES
    assert sessions.guest_of(others).heard == ()
    assert sessions.guest_of(a_sale(CHETAN)).heard != heard


def test_only_how_a_game_begins_depends_on_the_games_before_it() -> None:
    """What follows comes again as it was in a what-if, which knows no other games."""
    state, _ = start(a_scenario())
    guest = opponent.Guest(heard=("An opening of another day.",))
    assert opponent.seen_from(state, "buyer", guest).before == guest.heard
    asked = Turn("seller", 1, "message", None, "What would you give?")
    said = Turn("buyer", 1, "message", None, "Namaste.")
    turned = msgspec.structs.replace(state, turns=(asked,))
    assert opponent.seen_from(turned, "buyer", guest).before == guest.heard
    turned = msgspec.structs.replace(state, turns=(asked, said))
    assert opponent.seen_from(turned, "buyer", guest).before == ()
