"""The buyer's pages without JavaScript: shelf, stalls and budget, live purchase, sheet."""

import re
from typing import Any

import pytest
from django.test import Client

from agents.sellers import rule_seller
from agents.sellers.people import SOMEBODY
from bazaarbatna.bargain import OfferAccepted, OfferMade, WalkedAway
from bazaarbatna.bargain.people.families import family_names, family_of
from bazaarbatna.bargain.quantities import Paise
from negotiation import policies
from negotiation.bargain import sessions
from negotiation.bargain.purchases import DEALT, NewPurchase, suggested_budget
from negotiation.bargain.scenarios import stored_scenario
from negotiation.bargain.shops import PEOPLE, open_shops
from negotiation.bargain.web import forms
from negotiation.bargain.web.game_page import IN_SIGHT
from negotiation.games.event_log import from_payload
from negotiation.limits import forget_uses
from negotiation.models import EventRow, Game, Listing
from replays.templatetags.replays import untrue_lines
from tests.support.recorded import a_finished_purchase
from tests.support.visitors import a_visitor, key_of

pytestmark = pytest.mark.django_db

ASKED = 2000_00
SELLERS = ("seller:default", "seller:firm", "seller:flexible", "seller:deceptive")


@pytest.fixture(autouse=True)
def sellers() -> None:
    for row in rule_seller.sellers():
        if row.name not in policies._entries:
            policies.register(
                row.name, row.make, version=row.version, title=row.title, side="seller"
            )


@pytest.fixture
def bilal() -> Client:
    """Bilal, who buys."""
    return a_visitor()


@pytest.fixture
def chetan() -> Client:
    return a_visitor()


@pytest.fixture
def lamp() -> Listing:
    lamp = Listing(
        title="Brass lamp, five wicks",
        category="Home",
        description="Polished every Diwali <b>by hand</b>.",
        list_price=ASKED,
        street_price=1500_00,
        city="Madurai",
        source_key="lamp",
    )
    lamp.save()
    return lamp


def start(client: Client, lamp: Listing, **changes: str) -> Game:
    answer = client.post("/buy/new/", {"listing": str(lamp.pk), **changes})
    assert answer.status_code == 302, answer.content.decode()
    return Game.objects.get(pk=answer["Location"].split("/")[2])


def opened(
    client: Client,
    lamp: Listing,
    seed: int = 8_713_540_127,
    budget: int = 1800_00,
    policy: str = "seller:default",
) -> Game:
    """A purchase whose sealed values are the same in every run."""
    new = NewPurchase(listing=lamp, budget=Paise(budget), policy=policy)
    return sessions.open_purchase(key_of(client), new, below=lambda limit: seed)


def moves(client: Client, game: Game, **fields: str) -> Any:
    return client.post(f"/buy/{game.pk}/move/", fields, follow=True)


def text(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


def words(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def forms_of(paise: int) -> list[str]:
    rupees = paise / 100
    return [str(paise), f"{rupees:.2f}", f"{rupees:,.2f}"]


def test_the_shelf_leads_to_purchases(bilal: Client, lamp: Listing) -> None:
    page = text(bilal.get("/buy/?q=lamp"))
    assert "What will you buy?" in page
    assert f'href="/buy/new/?listing={lamp.pk}"' in page
    assert "/sell/new/" not in page
    fragment = bilal.get("/buy/?q=lamp", headers={"HX-Request": "true"})
    assert text(fragment).lstrip().startswith('<section id="stall"')
    assert f"/buy/new/?listing={lamp.pk}" in text(fragment)


def test_the_shelf_of_sellers_stays_theirs(bilal: Client, lamp: Listing) -> None:
    page = text(bilal.get("/sell/?q=lamp"))
    assert f'href="/sell/new/?listing={lamp.pk}"' in page
    assert "/buy/new/" not in page


def test_before_the_start_there_are_sellers_in_groups_and_a_budget(
    bilal: Client, lamp: Listing
) -> None:
    page = text(bilal.get(f"/buy/new/?listing={lamp.pk}"))
    people = [shop.policy for shop in open_shops() if shop.group == PEOPLE]
    assert len(people) == 14
    offered = re.findall(r'name="policy" value="([^"]+)"', page)
    assert offered == ["seller:people", *SELLERS, *people]
    assert f"{len(offered) - IN_SIGHT} more stalls" in page
    assert page.count(" checked") == 1
    assert re.search(r'value="seller:default" checked', page), "she stays, whoever is new"
    dealt = re.search(r'name="budget"[^>]* value="(\d+)"', page)
    assert dealt
    assert DEALT[0] * 2000 - 1 <= int(dealt[1]) <= DEALT[1] * 2000
    assert f"₹{int(dealt[1]):,}" in page
    assert "the seller never does" in page
    assert "<b>by hand</b>" not in page
    assert Game.objects.count() == 0


def test_nothing_before_the_start_follows_from_the_secret_street_price(
    bilal: Client, lamp: Listing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forms, "deal_budget", lambda asking, seed: suggested_budget(asking))
    before = bilal.get(f"/buy/new/?listing={lamp.pk}").content
    lamp.street_price = 900_00
    lamp.save()
    token = rb'(csrfmiddlewaretoken" value="|X-CSRFToken": ")[^"]+'
    after = bilal.get(f"/buy/new/?listing={lamp.pk}").content
    assert re.sub(token, b"", after) == re.sub(token, b"", before)


@pytest.mark.parametrize("number", ["", "0", "99999999", "-1", "x", "1e3", "٣", "9" * 40])
def test_an_unknown_listing_is_not_found(bilal: Client, number: str) -> None:
    assert bilal.get(f"/buy/new/?listing={number}").status_code == 404
    assert bilal.post("/buy/new/", {"listing": number}).status_code == 404


def test_whoever_names_no_budget_plays_the_one_that_was_shown(bilal: Client, lamp: Listing) -> None:
    """However often the page is opened before; the next game over the thing is dealt another."""
    budgets = []
    for policy in (*["seller:default"] * sessions.SURE_GAMES, "seller:people", "seller:people"):
        shown = {
            re.search(r'name="budget"[^>]* value="(\d+)"', text(bilal.get(page)))[1]  # type: ignore[index]
            for page in [f"/buy/new/?listing={lamp.pk}"] * 3
        }
        game = start(bilal, lamp, budget="")
        assert game.policy == policy
        budgets.append(stored_scenario(game).sealed.budget)
        assert shown == {str(budgets[-1] // 100)}
    assert len(set(budgets)) > 1
    assert all(DEALT[0] * 2000_00 - 100 <= one <= DEALT[1] * 2000_00 for one in budgets)


def test_starting_opens_a_purchase_in_which_the_buyer_moves_first(
    bilal: Client, lamp: Listing
) -> None:
    game = start(bilal, lamp, policy="seller:firm", budget="₹1,700", share_replay="on")
    assert (game.kind, game.seat, game.policy) == ("buy", "buyer", "seller:firm")
    assert game.share_replay
    assert stored_scenario(game).sealed.budget == 1700_00
    page = text(bilal.get(f"/buy/{game.pk}/"))
    assert 'data-turn="buyer"' in page
    assert 'data-socket="/ws/buy/' in page
    assert "Zarina asks ₹2,000. Round 1 of 10. You move first." in page
    assert "Sauda is thinking" not in page


@pytest.mark.parametrize("policy", ["seller:people", "seller:people-proud"])
def test_people_who_answer_can_be_bought_from(bilal: Client, lamp: Listing, policy: str) -> None:
    """Seed 8,713,540,127: words, bids, and a certificate; nothing is known before the end."""
    new = NewPurchase(listing=lamp, budget=Paise(1900_00), policy=policy)
    game = sessions.open_purchase(key_of(bilal), new, below=lambda limit: 8_713_540_127)
    sealed = stored_scenario(game).sealed
    for said in ("hello, still there?", "900", "1200", "1400"):
        page = text(moves(bilal, game, text=said))
        game.refresh_from_db()
        if game.status == Game.Status.ENDED:
            break
        assert not [form for form in forms_of(sealed.reservation) if form in page]
    else:
        moves(bilal, game, action="walk")
    game.refresh_from_db()
    assert game.status == Game.Status.ENDED
    assert game.certificate["honest"]
    spoken = [
        row
        for row in EventRow.objects.filter(game=game.pk).order_by("seq")
        if (event := from_payload(row.payload)).__class__ in (OfferMade, OfferAccepted, WalkedAway)
        and event.actor == "seller"
    ]
    assert spoken
    assert all(from_payload(row.payload).text for row in spoken)
    assert {row.policy_version for row in spoken} == {policies.policy(policy).version}


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("budget", "2001", "nothing to haggle over"),
        ("budget", "99", "nobody would listen"),
        ("budget", "-5", "Write a price"),
        ("budget", "NaN", "Write a price"),
        ("budget", "1e99", "Write a price"),
        ("budget", "lots", "Write a price"),
        ("policy", "sauda", "That stall is closed"),
        ("policy", "seller:nobody", "That stall is closed"),
    ],
)
def test_a_mistake_is_named_in_its_place_and_the_rest_is_kept(
    bilal: Client, lamp: Listing, field: str, value: str, said: str
) -> None:
    kept = {"budget": "1750", "policy": "seller:flexible", "share_replay": "on", field: value}
    answer = bilal.post("/buy/new/", {"listing": str(lamp.pk), **kept})
    page = text(answer)
    assert answer.status_code == 422
    assert said in page
    assert f'name="budget" inputmode="decimal" maxlength="24" value="{kept["budget"]}"' in page
    assert re.search(r'name="share_replay" value="on" checked', page)
    if field == "budget":
        assert re.search(r'value="seller:flexible" checked', page)
        assert re.search(r'name="budget"[^>]* aria-invalid="true" autofocus', page)
        assert re.search(r'role="alert">Not yet: please look at <a href="#id_budget">', page)
    assert Game.objects.count() == 0


def test_a_bid_by_form_is_answered_on_mirrored_sides(bilal: Client, lamp: Listing) -> None:
    game = opened(bilal, lamp)
    page = moves(bilal, game, action="say", text="bhai 900 dunga, cash abhi")
    assert re.search(r'class="turn is-buyer is-offer is-own"', text(page))
    assert re.search(r'class="turn is-seller is-offer"', text(page))
    told = words(page)
    assert "You bid ₹900 bhai 900 dunga, cash abhi" in told
    assert "Meena asked ₹" in told
    assert re.search(r"Round 2, 8 left · ₹[\d,.]+ apart", told)
    main = re.search(r"<main.*</main>", text(page))
    assert main is not None
    assert "Sauda" not in main[0]


def test_the_price_field_is_a_bid_and_wins_over_the_words(bilal: Client, lamp: Listing) -> None:
    game = opened(bilal, lamp)
    page = moves(bilal, game, text="900 final", price="950")
    assert "the field counts" in text(page)
    assert "You bid ₹950" in words(page)


def test_words_without_a_price_are_heard(bilal: Client, lamp: Listing) -> None:
    game = opened(bilal, lamp)
    page = moves(bilal, game, text="bhabhi ji, chain original hai kya")
    assert "no price" in text(page)
    assert EventRow.objects.filter(game=game, kind="message").exists()


def test_a_refused_bid_keeps_the_draft(bilal: Client, lamp: Listing) -> None:
    game = opened(bilal, lamp, budget=1500_00)
    answer = moves(bilal, game, text="itna hi hai", price="1600")
    assert answer.status_code == 409
    assert "above your budget" in text(answer)
    assert 'value="1600"' in text(answer)
    assert ">itna hi hai</textarea>" in text(answer)
    assert EventRow.objects.filter(game=game).count() == 1


def test_two_prices_are_asked_back_and_nothing_is_recorded(bilal: Client, lamp: Listing) -> None:
    game = opened(bilal, lamp)
    answer = moves(bilal, game, text="900 or 1000")
    assert answer.status_code == 422
    assert len(re.findall(r'name="choice"', text(answer))) == 2
    assert EventRow.objects.filter(game=game).count() == 1


def test_a_yes_by_form_bids_with_the_line_that_was_asked_about(
    bilal: Client, lamp: Listing
) -> None:
    game, line = opened(bilal, lamp), "shayad 900 de du"
    asked = text(moves(bilal, game, text=line))
    kept = re.search(r'name="meant" value="([^"]*)"', asked)
    assert kept is not None
    assert kept[1] == line
    moves(bilal, game, text="haan. nakad", asked="900", meant=kept[1])
    bid = next(one for one in sessions.current(game.pk)[1].state.turns if one.actor == "buyer")
    assert (bid.price, bid.text) == (900_00, f"{line} nakad")


@pytest.mark.parametrize(("budget", "is_suggested"), [(1990_00, True), (1710_00, False)])
def test_the_middle_is_suggested_only_within_the_budget(
    bilal: Client, lamp: Listing, budget: int, is_suggested: bool
) -> None:
    game = opened(bilal, lamp, budget=budget)
    page = text(moves(bilal, game, text="", price="1700"))
    assert "data-chips" in page
    assert ("Meet in the middle" in page) is is_suggested


def test_an_ask_above_the_budget_cannot_be_taken(bilal: Client, lamp: Listing) -> None:
    game = opened(bilal, lamp, budget=1500_00)
    page = text(bilal.get(f"/buy/{game.pk}/"))
    assert re.search(r'data-accept data-barred disabled title="Above your budget"', page)
    assert moves(bilal, game, action="accept").status_code == 409


@pytest.mark.parametrize(
    ("budget", "said", "unsaid"),
    [
        (2300_00, "is within your budget", "both of you lose"),
        (1500_00, "both of you lose", "is within your budget"),
    ],
)
def test_what_a_walk_would_lose_follows_from_the_numbers_on_the_page(
    bilal: Client, lamp: Listing, budget: int, said: str, unsaid: str
) -> None:
    page = text(bilal.get(f"/buy/{opened(bilal, lamp, budget=budget).pk}/"))
    assert said in page
    assert unsaid not in page


def test_taking_the_ask_ends_with_a_sheet_in_the_buyers_words(bilal: Client, lamp: Listing) -> None:
    game = opened(bilal, lamp, budget=ASKED)
    page = words(moves(bilal, game, action="accept"))
    sealed = stored_scenario(game).sealed
    assert "Yours for ₹2,000" in page
    assert "0 % ☆☆☆☆☆" in page.replace("\xa0", " ").replace("&nbsp;", " ")
    assert "Your budget ₹2,000" in page
    assert f"Meena&#x27;s floor ₹{sealed.reservation / 100:,.2f}".removesuffix(".00") in page
    assert "Left in your pocket ₹0" in page
    assert "Your bonus" not in page


def test_who_somebody_was_is_told_after_the_end(bilal: Client, lamp: Listing) -> None:
    game = opened(bilal, lamp, budget=ASKED, policy=SOMEBODY)
    who = policies.drawn_by(SOMEBODY, stored_scenario(game).sealed.seed)
    assert who in {family_of(name).title for name in family_names()}
    assert who not in words(bilal.get(f"/buy/{game.pk}/"))
    assert f"Who that was {who}" in words(moves(bilal, game, action="accept"))


def test_a_chosen_seller_is_not_told_anew(bilal: Client, lamp: Listing) -> None:
    game = opened(bilal, lamp, budget=ASKED)
    assert "Who that was" not in words(moves(bilal, game, action="accept"))


def test_a_good_price_is_the_buyers_share(bilal: Client, lamp: Listing) -> None:
    game = opened(bilal, lamp)
    sealed = stored_scenario(game).sealed
    low = sealed.reservation // 100 + 1
    # She is patient: what is just enough for her she takes in the last round.
    for _ in range(stored_scenario(game).max_rounds):
        forget_uses()
        page = words(moves(bilal, game, price=str(low)))
    game.refresh_from_db()
    assert game.outcome == "deal"
    assert game.buyer_share is not None
    assert game.buyer_share > 0.9
    assert f"{round(100 * game.buyer_share)} % ★★★★★" in page.replace("&nbsp;", " ")
    assert "outcome is-deal" in text(bilal.get(f"/buy/{game.pk}/"))
    assert "Nearly all of the room stayed with you." in page


def test_walking_away_opens_the_sealed_values(bilal: Client, lamp: Listing) -> None:
    game = opened(bilal, lamp)
    page = text(moves(bilal, game, action="walk"))
    assert "You walked away" in page
    assert re.search(r"every price from her ₹[\d,.]+ to your ₹1,800 suited both of you", page)
    assert stored_scenario(game).salt in page


def test_the_last_round_says_that_it_is_the_last_word(bilal: Client, lamp: Listing) -> None:
    game = opened(bilal, lamp)
    for price in range(1001, 1010):
        forget_uses()
        page = moves(bilal, game, price=str(price))
    assert "Last round: take it, or one last bid" in text(page)
    forget_uses()
    assert "The rounds ran out" in text(moves(bilal, game, price="1010"))


def test_a_seller_who_is_insulted_too_often_leaves(bilal: Client, lamp: Listing) -> None:
    game = opened(bilal, lamp)
    for price in range(50, 60):
        forget_uses()
        page = moves(bilal, game, price=str(price))
        if Game.objects.get(pk=game.pk).status == Game.Status.ENDED:
            break
    assert price >= 52
    assert "Meena walked away" in words(page)
    assert "No deal. Meena walked away" in words(page)


def test_a_budget_below_the_reservation_price_makes_walking_right(
    bilal: Client, lamp: Listing
) -> None:
    game = opened(bilal, lamp, budget=200_00)
    page = text(moves(bilal, game, action="walk"))
    assert "Right to walk: no price suited both of you. She needed ₹" in page
    assert "you could pay at most ₹200." in page


def test_the_brief_says_when_walking_away_is_right(bilal: Client, lamp: Listing) -> None:
    before = text(bilal.get(f"/buy/new/?listing={lamp.pk}"))
    assert "In your first two games some price always suits you both." in before
    for number in range(3):
        game = start(bilal, lamp, budget="200")
        page = text(bilal.get(f"/buy/{game.pk}/"))
        assert ("Some price suits you both here" in page) == (number < 2)
        assert ("Her floor may lie above your budget, and" in page) == (number == 2)
        assert (stored_scenario(game).zopa > 0) == (number < 2)


def test_the_certificate_of_the_house_is_read_out(bilal: Client, lamp: Listing) -> None:
    game = opened(bilal, lamp)
    moves(bilal, game, action="walk")
    checks = [
        {"name": "limit", "checked": 6, "broken": 0},
        {"name": "leaks", "checked": 1, "broken": 1},
        {"name": "reopened", "checked": 0, "broken": 0},
    ]
    certificate = {"side": "seller", "checks": checks, "version": 1, "honest": False}
    Game.objects.filter(pk=game.pk).update(certificate=certificate)
    for address in (f"/buy/{game.pk}/", f"/replays/{game.pk}/"):
        page = text(bilal.get(address))
        kept = "All 6 prices at or above her floor"
        assert f'<li class="is-kept">{kept}</li>' in page
        assert '<li class="is-broken">1 of 1 messages gave her secret away</li>' in page
        assert "the agreed price" not in page


def test_the_certificate_names_what_she_said_and_what_was_not_so(
    bilal: Client, lamp: Listing
) -> None:
    """The replay knows it, so the end says it; while a game goes on nothing is judged."""
    assert untrue_lines(opened(bilal, lamp)) == []
    games = (a_finished_purchase(lamp, number, "seller:deceptive") for number in range(12))
    game, (words, why) = next((one, said[0]) for one in games if (said := untrue_lines(one)))
    Game.objects.filter(pk=game.pk).update(owner=key_of(bilal))
    page = text(bilal.get(f"/buy/{game.pk}/"))
    assert f'“<span translate="no">{words}</span>”: untrue. {why}' in page
    # What a room keeps sealed is not told by what was untrue of it.
    Game.objects.filter(pk=game.pk).update(terms={"reveal": "own"})
    game.refresh_from_db()
    assert untrue_lines(game) == []
    assert "untrue" not in text(bilal.get(f"/buy/{game.pk}/"))


def test_a_form_from_before_her_last_ask_makes_no_second_move(bilal: Client, lamp: Listing) -> None:
    game = opened(bilal, lamp)
    stale = {"text": "800", "seq": "1"}
    assert bilal.post(f"/buy/{game.pk}/move/", stale).status_code == 302
    bids = EventRow.objects.filter(game=game, kind="offer").count()
    assert bilal.post(f"/buy/{game.pk}/move/", stale).status_code == 409
    assert EventRow.objects.filter(game=game, kind="offer").count() == bids


def test_no_byte_of_a_live_page_holds_her_sealed_values(bilal: Client, lamp: Listing) -> None:
    game = opened(bilal, lamp)
    pages = [bilal.get(f"/buy/{game.pk}/"), bilal.get(f"/api/buy/{game.pk}/")]
    pages += [moves(bilal, game, text=said) for said in ("700", "hello", "1 or 2", "710")]
    pages.append(bilal.get(f"/buy/{game.pk}/"))
    game.refresh_from_db()
    assert game.status == Game.Status.LIVE
    sealed = stored_scenario(game).sealed
    for page in pages:
        body = page.content.decode() + str(page.headers)
        assert stored_scenario(game).salt not in body
        for secret in (sealed.reservation, sealed.cost, sealed.seed):
            assert [form for form in forms_of(secret) if form in body] == []


def test_chetan_finds_no_such_game(bilal: Client, chetan: Client, lamp: Listing) -> None:
    game = opened(bilal, lamp)
    stranger = chetan.get(f"/buy/{game.pk}/")
    assert stranger.status_code == chetan.get("/buy/aaaaaaaaaaaa/").status_code == 404
    assert "Brass lamp" not in text(stranger)
    assert chetan.post(f"/buy/{game.pk}/move/", {"action": "walk"}).status_code == 404
    game.refresh_from_db()
    assert game.status == Game.Status.LIVE


def test_a_purchase_is_no_sale_and_a_sale_no_purchase(bilal: Client, lamp: Listing) -> None:
    bought = opened(bilal, lamp)
    assert bilal.get(f"/sell/{bought.pk}/").status_code == 404
    assert bilal.post(f"/sell/{bought.pk}/move/", {"action": "walk"}).status_code == 404
    answer = bilal.post("/sell/new/", {"listing": lamp.pk})
    sold = answer["Location"].split("/")[2]
    assert bilal.get(f"/buy/{sold}/").status_code == 404


def test_the_replay_tells_who_played_what(bilal: Client, chetan: Client, lamp: Listing) -> None:
    game = start(bilal, lamp, policy="seller:flexible", budget="1900", share_replay="on")
    moves(bilal, game, text="700 dunga")
    moves(bilal, game, action="walk")
    assert "A visitor buys from Bindu" in text(chetan.get("/replays/"))
    page = words(chetan.get(f"/replays/{game.pk}/"))
    assert "The buyer walked away in round 2" in page
    assert "Bindu opens at ₹2,000" in page
    assert "Round 1: the buyer bids ₹700" in page
    assert "What these words give away" in page
    assert "Sauda" not in page.replace("Sauda never sees", "")


def test_the_way_to_buying_is_on_the_landing_page_and_in_the_masthead(bilal: Client) -> None:
    page = text(bilal.get("/"))
    assert len(re.findall(r'href="/buy/"', page)) >= 2
    assert re.search(r'href="/buy/"\s+aria-current="page"', text(bilal.get("/buy/")))


@pytest.mark.parametrize("address", ["/", "/sell/", "/buy/"])
def test_a_game_left_half_way_is_offered_again(
    bilal: Client, chetan: Client, lamp: Listing, address: str
) -> None:
    assert "Continue:" not in text(bilal.get(address))
    game = start(bilal, lamp)
    page = text(bilal.get(address))
    assert f'<a class="button" href="/buy/{game.pk}/">Continue:' in page
    assert "round 1</a>" in page
    assert "Continue:" not in text(chetan.get(address)), "somebody else's"
    Game.objects.filter(pk=game.pk).update(terms={"chat": False})
    assert "Continue:" not in text(bilal.get(address)), "rooms lead back to their own"
    Game.objects.filter(pk=game.pk).update(terms={}, status=Game.Status.ENDED)
    assert "Continue:" not in text(bilal.get(address))
