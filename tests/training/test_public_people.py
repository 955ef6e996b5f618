"""The story of sellers who answer: told by the shipped receipts, every number theirs."""

import json
import re
from html import unescape
from typing import Any

import msgspec
import pytest
from django.test import Client

from negotiation import ttl_cache
from training.evaluation.published import PEOPLE, load, read
from training.models import Run
from training.pages.public import people as story
from training.runs import lifecycle

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("runs_here")]


@pytest.fixture
def shipped(runs_here: Any) -> Run:
    """The receipt that ships with the code, on this site."""
    load(read(PEOPLE))
    ttl_cache.forget()
    return Run.objects.get(kind=PEOPLE)


def page(client: Client) -> str:
    return unescape(client.get("/training/people/").content.decode())


def test_without_an_evaluation_there_is_no_story(client: Client) -> None:
    ttl_cache.forget()
    assert story.people() is None
    assert 'id="people"' not in page(client)
    assert 'id="people"' not in client.get("/training/").content.decode()


def test_every_figure_is_the_number_its_receipt_points_to(client: Client, shipped: Run) -> None:
    found = re.findall(r'class="figure" href="([^"#]+)#([^"]+)">([^<]+)</a>', page(client))
    assert len(found) > 40
    for url, pointer, text in found:
        at: Any = json.loads(client.get(url).content)
        for key in pointer.split("/")[1:]:
            at = at[int(key)] if isinstance(at, list) else at[key]
        shown = float(re.sub(r"[^\d.]", "", text))
        is_percent = "%" in text
        last_digit = 1 if is_percent else 10 ** -len(text.rpartition(".")[2])
        assert abs(abs(at["mean"]) * (100 if is_percent else 1) - shown) < 0.51 * last_digit


def test_where_a_rule_is_ahead_is_counted_from_the_summary(shipped: Run) -> None:
    told = story.people()
    assert told is not None
    rows = {one["policy"]: one for one in shipped.summary["policies"]}
    for line, suite in zip(told["lines"], shipped.summary["config"]["suites"], strict=False):
        ours = rows["sauda-network"]["suites"][suite["id"]]["share_of_winnable"]["mean"]
        ahead = {
            one["title"]
            for name, one in rows.items()
            if one["kind"] == "rules"
            and name not in ("ceiling:clairvoyant", "ceiling:best-response")
            and one["suites"][suite["id"]]["share_of_winnable"]["mean"] > ours
        }
        assert {words.rpartition(" ")[0] for words in line.ahead} == ahead


def test_what_searched_sellers_take_is_served_as_it_was_measured(
    client: Client, shipped: Run
) -> None:
    wanted = json.loads((lifecycle.RECEIPTS / "exploit.json").read_text())
    assert json.loads(client.get("/training/receipts/exploit.json").content) == wanted
    told = story.people()
    assert told is not None
    assert {row.title for row in told["exploited"]} == {row["title"] for row in wanted["rows"]}
    takes = [float(row.text) for row in told["exploited"]]
    assert takes == sorted(takes)
    assert [row.title for row in told["exploited"] if row.is_here] == ["Sauda's network"]


def test_other_files_beside_the_receipts_are_not_served(client: Client) -> None:
    for name in ("people", "..%2Fpeople", "config"):
        assert client.get(f"/training/receipts/{name}.json").status_code == 404


def test_each_kind_shows_its_first_winnable_game_before_and_after(
    client: Client, shipped: Run
) -> None:
    told = story.people()
    assert told is not None
    assert len(told["games"]) == len(shipped.summary["config"]["suites"])
    for game in told["games"]:
        assert game.winnable
        assert len(game.played) == 2
        assert all(one.is_trained for one in game.played)


def test_a_league_shows_what_each_round_s_seller_took(client: Client, shipped: Run) -> None:
    takes = [0.6, 0.5, 0.4]
    Run.objects.create(
        pk="league-1", kind="league", status=Run.Status.DONE, published_at=shipped.published_at,
        name="league", summary={"exploiters": [
            {"round": number, "takes": one, "games": 10} for number, one in enumerate(takes)
        ]},
    )  # fmt: skip
    told = story.people()
    assert told is not None
    assert [row.text for row in told["rounds"]] == ["0.60", "0.50", "0.40"]
    assert [row.title for row in told["rounds"]] == [
        "before the first round", "after round 1", "after the last round",
    ]  # fmt: skip


def test_an_evaluation_without_the_network_tells_no_story(shipped: Run) -> None:
    summary = json.loads(json.dumps(shipped.summary))
    summary["policies"] = [p for p in summary["policies"] if p["policy"] != "sauda-network"]
    shipped.summary = msgspec.to_builtins(summary)
    shipped.pk = "another"
    shipped.save()
    Run.objects.exclude(pk="another").delete()
    ttl_cache.forget()
    assert story.people() is None
