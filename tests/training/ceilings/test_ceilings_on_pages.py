"""Bounds beside published buyers: of the same games or not at all, every number a receipt's."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from bazaar_site.landing.playground import playground
from negotiation import ttl_cache
from training.evaluation.ceilings.players import BEST_RESPONSE, CLAIRVOYANT, player
from training.evaluation.measures import WAITER, beside, is_patience, of_best
from training.evaluation.plan import Plan, make_plan
from training.evaluation.playing import play
from training.evaluation.published import CEILINGS, KIND, newest
from training.evaluation.summary import SUMMING, Summary
from training.models import Run
from training.pages.public.views import ceilings_of
from training.runs import lifecycle

pytestmark = pytest.mark.django_db

BOUNDS = [CLAIRVOYANT, BEST_RESPONSE, WAITER]
SUITES = ["single_deal", "amazon_realistic"]


def a_plan(buyers: list[str], seed: int = 20) -> Plan:
    return make_plan(buyers, SUITES, episodes=10, seed=seed, commit="0123456789ab")


def summed(plan: Plan) -> Summary:
    rows = [
        row
        for suite in plan.suites
        for buyer in plan.policies
        for game in play(player(buyer.name), suite.id, range(plan.seed, plan.seed + suite.games))
        for row in game.rows
    ]
    return SUMMING.summarise(plan, rows)


@pytest.fixture(autouse=True)
def anew() -> None:
    """What other tests have published is forgotten."""
    ttl_cache.forget()


@pytest.fixture(scope="module")
def buyers() -> Summary:
    return summed(a_plan(["rules:linear", "sauda"]))


@pytest.fixture(scope="module")
def bounds() -> Summary:
    return summed(a_plan(BOUNDS))


def publishes(summary: Summary, name: str, kind: str) -> Run:
    return Run.objects.create(
        id=name, name=name, kind=kind, status=Run.Status.DONE,
        config=msgspec.to_builtins(summary.config), summary=msgspec.to_builtins(summary),
        published_at=timezone.now(),
    )  # fmt: skip


def looked_up(document: Any, pointer: str) -> Any:
    for key in pointer.split("/")[1:]:
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document


def test_the_front_page_says_how_good_anybody_could_be(
    client: Client, buyers: Summary, bounds: Summary
) -> None:
    publishes(buyers, "buyers", KIND)
    publishes(bounds, "bounds", CEILINGS)
    html = unescape(client.get("/evidence/").content.decode())
    told = playground()
    assert told is not None
    assert told.bounds is not None
    assert {row.policy for row in told.table} == {"rules:linear", "sauda", *BOUNDS}
    assert [row.policy for row in told.rows if row.is_bound] == []
    assert (told.bounds.patient, told.bounds.suites) == (1, 2)
    assert "In 1 of 2 suites waiting comes within 5 % of the best response" in html
    best = next(row for row in told.table if row.policy == BEST_RESPONSE)
    assert best.of_best == "1.00"


def test_every_number_of_the_bounds_stands_in_their_receipt(
    client: Client, buyers: Summary, bounds: Summary
) -> None:
    publishes(buyers, "buyers", KIND)
    publishes(bounds, "bounds", CEILINGS)
    receipts = {
        name: client.get(f"/training/receipts/{name}/summary.json").json()
        for name in ("buyers", "bounds")
    }
    for address, fewest in (("/evidence/", 6), ("/training/ladder/", 3)):
        html = unescape(client.get(address).content.decode())
        found = re.findall(
            r'href="/training/receipts/(bounds)/summary\.json#(/[^"]+/(?:share_of_winnable|grade))"'
            r"[^>]*>([^<]+)</a>",
            html,
        )
        assert len(found) >= fewest
        for run, pointer, text in found:
            assert text == f"{looked_up(receipts[run], pointer)['mean']:.2f}"


def test_bounds_of_other_games_are_not_shown(
    client: Client, buyers: Summary, bounds: Summary
) -> None:
    publishes(buyers, "buyers", KIND)
    publishes(summed(a_plan(BOUNDS, seed=21)), "others", CEILINGS)
    assert beside(newest()) is None
    assert ceilings_of(newest()) is None
    assert "Of best response" not in client.get("/evidence/").content.decode()
    assert "How good could anybody be" not in client.get("/training/ladder/").content.decode()


def test_the_ladder_says_in_how_many_suites_waiting_is_enough(
    client: Client, buyers: Summary, bounds: Summary
) -> None:
    publishes(buyers, "buyers", KIND)
    publishes(bounds, "bounds", CEILINGS)
    found = ceilings_of(newest())
    assert found is not None
    assert (found["patient"], found["suites"]) == (1, 2)
    html = unescape(client.get("/training/ladder/").content.decode())
    assert "In 1 of 2 suites waiting comes within 5 % of the best response" in html


def test_the_board_shows_bounds_and_rates_none_of_them(
    client: Client, buyers: Summary, bounds: Summary
) -> None:
    publishes(buyers, "buyers", KIND)
    publishes(bounds, "bounds", CEILINGS)
    html = unescape(client.get("/leaderboard/suites/").content.decode())
    assert html.count(">to measure against</span>") == len(BOUNDS)
    assert "Of best response" in html
    single = unescape(
        client.get("/leaderboard/suites/", {"suite": "single_deal@sampled-1"}).content.decode()
    )
    assert "a test of patience" in single
    assert "Task’s own grade" in single


def test_the_readme_says_what_the_receipts_say() -> None:
    text = (Path(settings.BASE_DIR) / "README.md").read_text()
    ladder, ceilings = (
        {one["policy"]: one for one in json.loads(path.read_bytes())["policies"]}
        for path in (lifecycle.RECEIPTS / name / "summary.json" for name in ("ladder", "ceilings"))
    )
    known = {**ceilings, **ladder}
    told = {
        "clairvoyant": CLAIRVOYANT, "best response": BEST_RESPONSE, "waiter": WAITER,
        "Sauda mini, GRPO": "sauda-mini:grpo", "Sauda mini, DPO": "sauda-mini:dpo",
        "Boulware": "rules:boulware",
    }  # fmt: skip
    best = known[BEST_RESPONSE]["mean"]["share_of_winnable"]["mean"]
    for words, name in told.items():
        share = known[name]["mean"]["share_of_winnable"]["mean"]
        assert re.search(rf"\| {words}[^|]*\| {share:.3f} \| {share / best:.2f} \|", text), words
    summary = msgspec.json.decode(
        (lifecycle.RECEIPTS / "ceilings" / "summary.json").read_bytes(), type=Summary
    )
    cards = {one.policy: one for one in summary.policies}
    marks = [
        is_patience({name: cards[name].suites[suite.id] for name in (WAITER, BEST_RESPONSE)})
        for suite in summary.config.suites
    ]
    assert (marks.count(True), len(marks)) == (5, 8)
    assert "In five of the eight suites" in text


def test_the_shipped_bounds_are_of_the_ladders_games_and_nobody_passes_them() -> None:
    read = {
        name: msgspec.json.decode(
            (lifecycle.RECEIPTS / name / "summary.json").read_bytes(), type=Summary
        )
        for name in ("ladder", "ceilings")
    }
    assert read["ladder"].config.suites == read["ceilings"].config.suites
    assert read["ladder"].config.seed == read["ceilings"].config.seed
    cards = {one.policy: one.suites for one in read["ceilings"].policies}
    for one in (*read["ladder"].policies, *read["ceilings"].policies):
        for suite, card in one.suites.items():
            part = of_best(card, cards[CLAIRVOYANT][suite])
            assert part is not None
            assert part <= 1 + 1e-6
