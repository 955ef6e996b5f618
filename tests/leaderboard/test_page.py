"""The board's page, its downloads and the form for a name, without a browser."""

import csv
import io
import json
import re
from pathlib import Path

import msgspec
import pytest
from django.test import Client

from bazaarbatna.bargain.moves import Walk
from negotiation.models import Game
from tests.support.board import sells
from tests.support.evaluating import a_plan, a_run
from tests.support.visitors import a_visitor, key_of
from training.evaluation.published import publish
from training.leaderboard import people, policy_table
from training.leaderboard.lines import people_lines, stored
from training.leaderboard.models import BoardName, Standing
from training.models import Run

pytestmark = pytest.mark.django_db

BUYERS = ["sauda", "rules:linear", "rules:agreeable"]
SUITES = ["single_deal", "deceptive_seller"]


@pytest.fixture
def run(tmp_path: Path, django_capture_on_commit_callbacks: object) -> Run:
    """An evaluation that was published just now, and rated by that."""
    plan = a_plan(BUYERS, SUITES, episodes=25)
    run = a_run(tmp_path / "run", plan)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        publish(run)
    return run


@pytest.fixture
def bilal() -> Client:
    return a_visitor()


def text(client: Client, address: str = "/leaderboard/") -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_publishing_an_evaluation_rates_it(run: Run) -> None:
    known = stored("policies")
    assert known is not None
    table, row = known
    assert row.made_from.startswith(run.pk)
    assert {one.player.key for one in table.places} == set(BUYERS)
    assert {one.player.version for one in table.sellers} == {
        fact["seller"] for fact in run.config["suites"]
    }


def test_an_empty_board_says_so_and_its_files_are_empty_tables(bilal: Client) -> None:
    page = text(bilal)
    assert "Nothing has been published yet" in page
    assert "Suite by suite" not in page
    told = json.loads(text(bilal, "/leaderboard/board.json"))
    assert told["run"] is None
    assert told["ratings"] == told["policies"] == []
    assert len(text(bilal, "/leaderboard/board.csv").splitlines()) == 1


def test_the_page_shows_every_policy_with_points_interval_and_both_denominators(
    run: Run, bilal: Client
) -> None:
    page = text(bilal)
    table = stored("policies")
    assert table is not None
    for place in table[0].places:
        assert place.player.title in page
        assert f"<b>{round(place.points)}</b>" in page
        assert f"± {round(place.half_width)}" in page
    assert run.config["commit"] in page
    assert f"/training/receipts/{run.pk}/episodes.jsonl.gz" in page
    suites = text(bilal, "/leaderboard/suites/")
    assert "Share of all games" in suites
    assert "Share of deals" in suites
    for suite in run.config["suites"]:
        assert suite["seller"] in suites


def test_the_old_address_of_a_suite_leads_to_its_page(bilal: Client) -> None:
    answer = bilal.get("/leaderboard/", {"suite": "single_deal@fixed-1"})
    assert answer.status_code == 302
    assert answer["Location"] == "/leaderboard/suites/?suite=single_deal%40fixed-1#suites"


def test_a_suites_numbers_are_those_of_the_summary(run: Run, bilal: Client) -> None:
    suite = run.config["suites"][1]["id"]
    page = text(bilal, f"/leaderboard/suites/?suite={suite}")
    assert re.search(r'aria-current="true">A seller who bluffs', page)
    for policy in run.summary["policies"]:
        share = policy["suites"][suite]["share_of_deals"]
        assert f"{100 * share['mean']:.1f}" in page
        assert f"{100 * share['low']:.1f}–{100 * share['high']:.1f}" in page


@pytest.mark.parametrize("suite", ["nosuch", "<script>", "single_deal@fixed-1", "%00"])
def test_an_unknown_suite_shows_all_of_them(suite: str, run: Run, bilal: Client) -> None:
    page = text(bilal, f"/leaderboard/suites/?suite={suite}")
    assert re.search(r'aria-current="true">All suites', page)
    assert "<script>" not in page.replace("<script src", "").replace("<script type", "")


def test_htmx_gets_the_suite_alone(run: Run, bilal: Client) -> None:
    suite = run.config["suites"][0]["id"]
    answer = bilal.get(f"/leaderboard/suites/?suite={suite}", headers={"HX-Request": "true"})
    part = answer.content.decode()
    assert part.strip().startswith('<section class="board-section" id="suites"')
    assert "<html" not in part
    assert "HX-Request" in answer["Vary"]


def test_the_chart_can_be_read_without_eyes(run: Run, bilal: Client) -> None:
    page = text(bilal, "/leaderboard/suites/")
    title = "Share of closed deals against deal rate: All suites"
    assert f'<title id="frontier-title">{title}</title>' in page
    assert re.search(
        r"<desc id=[^>]+>Nobody is better in both than: [^<]+% of the room in a deal", page
    )


def test_without_ratings_the_shares_stand_and_the_page_says_that_points_come(
    run: Run, bilal: Client
) -> None:
    Standing.objects.all().delete()
    page = text(bilal)
    assert "The points are being computed" in page
    assert all(policy["title"] in page for policy in run.summary["policies"])


def test_ratings_of_an_older_evaluation_are_not_shown_under_a_newer_one(
    run: Run, bilal: Client
) -> None:
    Standing.objects.filter(pk="policies").update(made_from="20200101_other 2020 abc")
    assert "The points are being computed" in text(bilal)


def test_the_files_say_what_the_page_says(run: Run, bilal: Client) -> None:
    told = json.loads(text(bilal, "/leaderboard/board.json"))
    assert told["run"] == run.pk
    assert {one["player"] for one in told["ratings"]} == set(BUYERS)
    assert all(one["low"] < one["points"] < one["high"] for one in told["ratings"])
    answer = bilal.get("/leaderboard/board.csv")
    assert "attachment" in answer["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert len(rows) == len(BUYERS) * (len(SUITES) + 1)
    cards = {one["policy"]: one["mean"] for one in run.summary["policies"]}
    for row in rows:
        if row["suite"] == "mean":
            share = cards[row["policy"]]["share_of_winnable"]
            assert float(row["share_of_winnable_mean"]) == share["mean"]


def test_a_request_never_computes_a_rating(
    run: Run, bilal: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a page has no time for this")

    monkeypatch.setattr(policy_table, "rate_policies", refuse)
    monkeypatch.setattr(people, "rate_people", refuse)
    text(bilal)


# A name


def test_a_visitor_takes_a_name_changes_it_and_takes_it_back(bilal: Client) -> None:
    answer = bilal.post("/leaderboard/name/", {"name": "  Bilal   of Pune "}, follow=True)
    assert "You are on the board as Bilal of Pune." in answer.content.decode()
    assert BoardName.objects.get().owner == key_of(bilal)
    assert "You are <bdi>Bilal of Pune</bdi>" in text(bilal)
    assert "Bilal of Pune" not in text(a_visitor()), "without a game nobody is in a table"
    bilal.post("/leaderboard/name/", {"name": "Bilal"})
    assert "You are <bdi>Bilal</bdi>" in text(bilal)
    bilal.post("/leaderboard/name/withdraw/")
    assert "Bilal" not in text(bilal)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "Write the name"),
        ("   ", "2 to 24 characters"),
        ("x" * 300, "at most 24"),
        ("Sauda", "belongs to the house"),
        ("<b>Mallory</b>", "letters, digits"),
        ("a\u202eb", "letters, digits"),
        ("Ma\u200dllory", "letters"),
        ("=cmd()", "letters, digits"),
    ],
)
def test_a_bad_name_is_refused_beside_the_field(name: str, problem: str, bilal: Client) -> None:
    answer = bilal.post("/leaderboard/name/", {"name": name})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert problem in re.sub(r"\s+", " ", page)
    assert 'aria-invalid="true"' in page
    assert "<b>Mallory</b>" not in page
    assert not BoardName.objects.exists()


def test_a_taken_name_is_a_conflict(bilal: Client) -> None:
    a_visitor().post("/leaderboard/name/", {"name": "Asha"})
    assert bilal.post("/leaderboard/name/", {"name": "ASHA"}).status_code == 409


def test_a_name_needs_the_sites_own_form() -> None:
    mallory = Client(enforce_csrf_checks=True)
    assert mallory.post("/leaderboard/name/", {"name": "Mallory"}).status_code == 403
    assert mallory.get("/leaderboard/name/").status_code == 405


def test_people_stand_in_the_table_of_their_seat_and_are_told_what_did_not_count(
    bilal: Client,
) -> None:
    bilal.post("/leaderboard/name/", {"name": "Bilal"})
    sells(key_of(bilal))
    sells(key_of(bilal), asking_price=Game.objects.get().deal_price * 3)
    people.refresh_people()
    page = text(bilal)
    assert "1 game of yours counts" in page
    assert "with your own goods or prices" in page
    chetan = text(a_visitor())
    assert re.search(r'"board-name" translate="no">Bilal</bdi>.*?few games yet', chetan, re.S)
    assert "with your own goods or prices" not in chetan
    told = json.loads(text(bilal, "/leaderboard/board.json"))
    person, house = told["people"]["seller"]
    assert (person["player"], person["kind"], person["games"]) == ("Bilal", "person", 1)
    assert (house["kind"], house["seat"]) == ("house", "buyer")


def test_a_withdrawn_name_leaves_every_page_at_once(bilal: Client) -> None:
    bilal.post("/leaderboard/name/", {"name": "Bilal"})
    sells(key_of(bilal), end=Walk("nahi"))
    people.refresh_people()
    assert "Bilal" in text(a_visitor())
    bilal.post("/leaderboard/name/withdraw/")
    assert "Bilal" not in text(a_visitor())
    assert "Bilal" not in text(bilal, "/leaderboard/board.json")


def test_no_session_key_ever_leaves_the_site(run: Run, bilal: Client) -> None:
    bilal.post("/leaderboard/name/", {"name": "Bilal"})
    sells(key_of(bilal))
    people.refresh_people()
    for address in ("/leaderboard/", "/leaderboard/board.json", "/leaderboard/board.csv"):
        assert key_of(bilal) not in text(a_visitor(), address)
    body = msgspec.json.encode(Standing.objects.get(pk="people").body).decode()
    assert key_of(bilal) not in body


def test_an_operator_takes_a_name_off_and_never_sees_whose_session_it_is(
    bilal: Client, admin_client: Client
) -> None:
    bilal.post("/leaderboard/name/", {"name": "Bilal"})
    entry = BoardName.objects.get()
    listed = text(admin_client, "/admin/leaderboard/boardname/")
    shown = text(admin_client, f"/admin/leaderboard/boardname/{entry.pk}/change/")
    assert "Bilal" in listed
    assert key_of(bilal) not in listed + shown
    action = {"action": "take_off", "_selected_action": [entry.pk]}
    admin_client.post("/admin/leaderboard/boardname/", action)
    assert "Play under a name" in text(bilal)


def test_a_long_table_is_cut_but_ends_with_the_reader(bilal: Client) -> None:
    keys = []
    for number in range(4):
        client = bilal if number == 3 else a_visitor()
        client.post(
            "/leaderboard/name/",
            {"name": f"Player {'abcd'[number]}"},
            REMOTE_ADDR=f"10.0.0.{number + 1}",
        )
        sells(key_of(client), end=Walk("nahi") if client is bilal else None)
        keys.append(key_of(client))
    people.refresh_people()
    known = stored("people")
    assert known is not None
    table = people_lines(known[0], keys[3], most=2)["seller"]
    assert [line.is_yours for line in table.lines] == [False, False, True]
    assert table.more == 1
