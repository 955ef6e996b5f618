"""Receipts of the market: checked like all others, shown on /market/, kept off the ladder."""

import gzip
import json
from pathlib import Path

import msgspec
import pytest
from django.core.management.base import CommandError
from django.template import engines
from django.template.loader import render_to_string
from django.test import Client

from negotiation import ttl_cache
from tests.support.marketing import a_market_plan, a_market_run
from tests.support.receipts import load_receipts
from training.evaluation.markets.summary import MarketCard, MarketResult
from training.evaluation.published import newest as newest_ladder
from training.evaluation.published import pack, publish, write_receipt
from training.models import Run
from training.pages import market
from training.pages import market as looking
from training.pages.market import ELSEWHERE, baselines_of, comparison_of, newest, order_of
from training.runs import lifecycle

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("runs_here")]

PLAYERS = ["rule_expert", "naive_instruct", "never_act", "keyword_pitcher"]


def played(tmp_path: Path, reward: str, episodes: int, name: str) -> Run:
    """A published run of all three tasks."""
    suites = [f"market:{task}" for task in ("single_trade", "market_round", "coalition_market")]
    plan = a_market_plan(PLAYERS, suites, episodes=episodes, reward=reward)
    run = a_market_run(tmp_path / name, plan, name)
    publish(run)
    run.refresh_from_db()
    return run


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of receipts with one of the market in it, as a fresh clone has."""
    run = played(tmp_path, "published", 3, "small")
    monkeypatch.setattr(lifecycle, "RECEIPTS", tmp_path / "receipts")
    write_receipt(run, lifecycle.RECEIPTS / "small")
    run.delete()
    return lifecycle.RECEIPTS / "small"


def test_a_receipt_of_the_market_is_loaded_and_is_no_ladder(shipped: Path) -> None:
    assert "1 receipts follow from their 36 markets; 1 loaded." in load_receipts()
    run = Run.objects.get()
    assert (run.kind, run.status, run.done) == ("market", "done", 36)
    assert newest_ladder() is None
    found = newest("published", small=True)
    assert found is not None
    assert found.run == run.pk
    assert newest("published") is newest("default") is None


def test_a_number_that_was_edited_is_found(shipped: Path) -> None:
    path = shipped / "summary.json"
    summary = json.loads(path.read_text())
    summary["policies"][0]["mean"]["over_best"]["mean"] += 0.01
    path.write_text(json.dumps(summary))
    with pytest.raises(CommandError, match=r"policies\[0\]\.mean\.over_best\.mean"):
        load_receipts()


def test_a_row_that_was_edited_is_found(shipped: Path) -> None:
    path = shipped / "episodes.jsonl.gz"
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    richer = msgspec.json.decode(lines[0]) | {"utility": 99_999}
    path.write_bytes(pack(b"".join([msgspec.json.encode(richer) + b"\n", *lines[1:]])))
    with pytest.raises(CommandError, match="the row of rule_expert has a utility that does not"):
        load_receipts()
    assert not Run.objects.exists()


def test_the_pages_of_a_run_and_its_receipt_say_what_the_summary_says(
    tmp_path: Path, client: Client
) -> None:
    run = played(tmp_path, "published", 3, "small")
    assert run.summary is not None
    receipt = client.get(f"/training/receipts/{run.pk}/").content.decode()
    assert "36 markets of 4 policies in 3 suites" in receipt
    assert "Keyword pitcher against each other policy" in receipt
    assert "--suites market --reward published --episodes 3 --seed 0" in receipt
    best = max(run.summary["policies"], key=lambda one: one["mean"]["reward"]["mean"])
    assert (
        f"{best['mean']['reward']['mean']:.2f} ("
        in client.get(f"/training/runs/{run.pk}/").content.decode()
    )
    assert "every market" in client.get("/training/receipts/").content.decode()


def shown() -> str:
    ttl_cache.forget()
    return str(
        engines["django"].from_string("{% load market_figures %}{% market_baselines %}").render({})
    )


def test_the_page_says_how_to_make_what_nobody_has_made() -> None:
    assert "evaluate --policies market-rules --suites market --publish" in shown()


def test_the_page_shows_every_policy_with_its_interval_best_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "ENOUGH", 4)
    played(tmp_path, "default", 4, "enough")
    found = newest("default")
    assert found is not None
    baselines = baselines_of(found)
    assert baselines["lines"][0].policy == "rule_expert"
    page = shown()
    for line in baselines["lines"]:
        for cell in (*line.returns, *line.others):
            assert cell.text in page
            assert f"{cell.low} to {cell.high}" in page
    assert page.count('class="whisker-span"') == len(PLAYERS)
    # Without eyes the chart says the same.
    mean = baselines["lines"][0].returns[0]
    assert f"Rule expert: {mean.text}, {mean.low} to {mean.high}." in page


def test_the_published_mix_is_set_beside_theirs_as_it_came_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(looking, "ENOUGH", 4)
    played(tmp_path, "published", 4, "many")
    many = newest("published")
    assert many is not None
    comparison = comparison_of(many)
    theirs = comparison["rows"][: len(ELSEWHERE)]
    assert [row.title for row in theirs] == [one.title for one in ELSEWHERE]
    assert theirs[0].theirs == ("0.451", "0.204", "0.526", "0.624")
    expert = next(row for row in many.rows if row.policy == "rule_expert")
    assert expert.mean.reward is not None
    assert theirs[0].here[0] == f"{expert.mean.reward.mean:.3f}"
    # Who did not play is said not to have.
    accepting = next(row for row in theirs if row.title == "Always accept")
    assert (accepting.ours, accepting.here) == ("Accepts first", ())
    assert [row.ours for row in theirs if row.title == "Rule expert"] == [""]
    assert comparison["order"] is not None
    assert "keyword pitcher" in comparison["order"]["above"]
    told = render_to_string("market/_order.html", {"order": comparison["order"]}).strip()
    assert comparison["order"]["above"] in told
    assert told in shown()


def test_a_market_without_a_short_name_has_its_title_over_its_column(tmp_path: Path) -> None:
    played(tmp_path, "published", 3, "small")
    found = newest("published", small=True)
    assert found is not None
    first, *others = found.made.suites
    made = msgspec.structs.replace(
        found.made, suites=(msgspec.structs.replace(first, id="market:first_trade@1"), *others)
    )
    headings = comparison_of(msgspec.structs.replace(found, made=made, rows=()))["headings"]
    assert headings == ("All", "Your first trade", "Full", "Coalition")


def test_an_order_that_differs_is_said_to_differ(tmp_path: Path) -> None:
    run = played(tmp_path, "published", 3, "small")
    found = newest("published", small=True)
    assert found is not None
    rows = {row.policy: row for row in found.rows}

    def told(ranked: list[MarketResult]) -> str:
        return render_to_string("market/_order.html", {"order": order_of(ranked)})

    swapped = [
        msgspec.structs.replace(rows["rule_expert"], policy="naive_instruct"),
        msgspec.structs.replace(rows["naive_instruct"], policy="rule_expert"),
    ]
    assert "Another policy is first and another is last." in told(swapped)
    honest = [rows["rule_expert"], rows["naive_instruct"]]
    assert "The order is the same." in told(honest)
    assert run.pk == found.run


def test_the_columns_of_the_page_are_rates_of_a_card() -> None:
    fields = set(MarketCard.__struct_fields__)
    assert {rate for _, rate, *_ in market.COLUMNS} <= fields
