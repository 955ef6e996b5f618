"""The page that says what is sealed: its figures are those of the command, in both languages."""

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from bazaar_site.learn.given_away import Row, Seen, fixed_multiples, measure, recorded, row_of
from training.exploits.bounds import GIVEN_AWAY, SHIPPED
from training.receipts.tables import GivenAwayTable


def test_the_record_is_what_the_command_measures_now() -> None:
    kept = recorded()
    again = measure(kept[0].games)
    assert msgspec.json.encode(again) == msgspec.json.encode(kept)


def of(name: str, place: str = "sale") -> Row:
    return next(row for row in recorded() if (row.who, row.place) == (name, place))


def test_a_rule_that_bids_a_fixed_share_gives_its_budget_away() -> None:
    for name in ("rules:og", "rules:smart"):
        assert of(name).verdict == "given away"
        assert of(name).after == 0.0
    assert of("sauda-network").verdict == "tells nothing"
    assert of("rules:waiter").verdict == "tells nothing"


def test_in_seven_of_eight_suites_the_ask_is_a_fixed_multiple_of_the_cost() -> None:
    suites = {row.who for row in recorded() if row.place == "suite"}
    fixed = {row.who for row in fixed_multiples(recorded())}
    assert {name.partition("@")[0] for name in suites - fixed} == {"amazon_realistic"}
    assert len({name.partition("@")[0] for name in fixed}) == 7


@pytest.mark.parametrize(
    ("bids", "verdict"),
    [
        ([30, 40, 50, 60, 70, 80, 90, 99], "given away"),
        ([50, 50, 50, 50, 50, 50, 50, 50], "tells nothing"),
        ([40, 42, 44, 46, 48, 50, 52, 54], "given away"),
    ],
)
def test_a_guess_is_as_good_as_what_there_is_to_know(bids: list[float], verdict: str) -> None:
    budgets = [60, 80, 100, 120, 140, 160, 180, 198]
    seen = [Seen(200, bid, budget) for bid, budget in zip(bids, budgets, strict=True)]
    row = row_of("sale", "somebody", "budget", seen)
    assert row.after is not None
    assert row.verdict == verdict


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "hi"])
def test_the_page_is_there_and_every_page_leads_to_it(client: Client, language: str) -> None:
    client.cookies["django_language"] = language
    html = client.get("/learn/sealed/").content.decode()
    bars = len([row for row in recorded() if row.place == "sale"])
    assert html.count("shows-after") == bars + len(GIVEN_AWAY)
    assert 'href="/learn/sealed/"' in client.get("/learn/").content.decode()
    if language == "hi":
        assert "मुहरबंद" in html
        assert "What is sealed" not in html


@pytest.mark.django_db
def test_the_page_tells_what_her_bids_tell_as_the_receipt_has_it(client: Client) -> None:
    table = GivenAwayTable.shipped()
    assert table is not None
    read = next(row.read for row in table.rows if row.policy == SHIPPED)
    html = client.get("/learn/sealed/").content.decode()
    section = html[html.index("What her bids tell") : html.index("Whose words a replay has")]
    for one in read:
        assert f'width="{100 * one.r2.mean:.1f}"' in section
        is_beyond = one.r2.mean > GIVEN_AWAY[one.after]
        limit = f"{100 * GIVEN_AWAY[one.after]:.0f}\N{NO-BREAK SPACE}%"
        verdict = f"more than the {limit} we" if is_beyond else f"within the {limit} we"
        assert verdict in section.replace("&nbsp;", "\N{NO-BREAK SPACE}")
    receipt = reverse("table", args=["given_away"])
    assert receipt in section
    assert client.get(receipt).content == table.path().read_bytes()
