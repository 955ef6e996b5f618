"""State of the playground: every number is the receipt's, and leads to it."""

import datetime as dt
import gzip
import re
from html import unescape
from typing import Any

import msgspec
import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from bazaar_site.landing.playground import playground
from tests.support.evaluating import a_plan, all_rows
from training.evaluation.summary import SUMMING, Summary
from training.models import Run
from training.pages.public.board import STYLES
from training.receipts.figures import number_text

pytestmark = pytest.mark.django_db
BUYERS = ["rules:linear", "sauda", "rules:sauda-without-tells"]


@pytest.fixture(scope="module")
def small() -> Summary:
    """Three buyers in two suites."""
    plan = a_plan(BUYERS, episodes=10)
    return SUMMING.summarise(plan, all_rows(plan))


def publishes(summary: Summary, name: str, age: dt.timedelta = dt.timedelta(0)) -> Run:
    return Run.objects.create(
        id=name,
        name=name,
        status=Run.Status.DONE,
        config=msgspec.to_builtins(summary.config),
        summary=msgspec.to_builtins(summary),
        published_at=timezone.now() - age,
    )


def looked_up(document: Any, pointer: str) -> Any:
    """Follow a JSON pointer (RFC 6901)."""
    for key in pointer.split("/")[1:]:
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document


def test_every_number_of_the_table_stands_in_its_receipt(client: Client, small: Summary) -> None:
    publishes(small, "first")
    html = unescape(client.get("/evidence/").content.decode())
    receipt = client.get("/training/receipts/first/summary.json").json()
    told = re.findall(
        r'<a class="figure" href="/training/receipts/first/summary\.json#(/[^"]+)"[^>]*>([^<]+)</a>'
        r' <small><span class="sr-only">[^<]*</span>([^<]+) to ([^<]+)</small>',
        html,
    )
    shown = {pointer.rsplit("/", 1)[1] for pointer, *_ in told}
    assert shown == STYLES.keys() - {"deal_rate"}
    assert len(told) == len(BUYERS) * len(shown)
    for pointer, text, low, high in told:
        found, style = looked_up(receipt, pointer), STYLES[pointer.rsplit("/", 1)[1]]

        def written(value: float, style: Any = style) -> str:
            return f"{value * style.scale:.{style.decimals}f}"

        assert text == written(found["mean"]) + style.unit
        assert (low, high) == (written(found["low"]), written(found["high"]))


def test_rows_carry_their_own_policy_and_begin_with_the_largest_share(
    client: Client, small: Summary
) -> None:
    publishes(small, "first")
    told = playground()
    assert told is not None
    receipt = client.get(told.summary_url).json()
    names = [looked_up(receipt, row.receipt.partition("#")[2])["policy"] for row in told.rows]
    assert names == [row.policy for row in told.rows]
    shares = {one.policy: one.mean.share_of_winnable for one in small.policies}
    means = [share.mean for name in names if (share := shares[name])]
    assert means == sorted(means, reverse=True)
    assert [row.policy for row in told.rows if row.policy == told.house] == ["sauda"]


def test_both_denominators_are_on_the_page(client: Client, small: Summary) -> None:
    publishes(small, "first")
    html = client.get("/evidence/").content.decode()
    for name in ("share_of_winnable", "share_of_deals"):
        assert html.count(f'/mean/{name}" tabindex') == len(BUYERS)
    assert html.count('name="share-over"') == 2


def test_what_it_was_made_with_stands_below(client: Client, small: Summary) -> None:
    publishes(small, "first")
    html = unescape(client.get("/evidence/").content.decode())
    assert small.config.commit in html
    assert "3 to 12, the same for every buyer" in html
    for one in small.config.suites:
        assert one.seller in html
        assert one.id in html
    for buyer in small.config.policies:
        assert buyer.version in html.partition("How it was made")[2]
    assert client.get("/training/receipts/first/summary.json").status_code == 200


def test_what_tells_change_is_said_with_the_sign_of_the_receipt(
    client: Client, small: Summary
) -> None:
    publishes(small, "first")
    told = playground()
    assert told is not None
    assert told.tells is not None
    receipt = client.get(told.summary_url).json()
    place = told.tells.receipt.partition("#")[2].rsplit("/", 1)[0]
    row = looked_up(receipt, place)
    sign = 1 if row["first"] == "sauda" else -1
    mean = sign * row["share_of_winnable"]["mean"]
    assert told.tells.text == number_text(mean, 3, plus=True)
    assert told.tells.text in unescape(client.get("/evidence/").content.decode())


def test_a_new_publication_shows_at_once(client: Client, small: Summary) -> None:
    publishes(small, "first", age=dt.timedelta(days=1))
    assert "/receipts/first/" in client.get("/evidence/").content.decode()
    publishes(small, "second")
    html = client.get("/evidence/").content.decode()
    assert "/receipts/second/" in html
    assert "/receipts/first/" not in html


def test_without_an_evaluation_the_section_says_so(client: Client, small: Summary) -> None:
    run = publishes(small, "first")
    Run.objects.filter(pk=run.pk).update(published_at=None)
    html = client.get("/evidence/").content.decode()
    assert "No evaluation has been published on this site yet" in html
    assert '<table class="ladder"' not in html


def test_an_evaluation_of_another_age_does_not_take_the_front_page_down(
    client: Client, small: Summary, caplog: pytest.LogCaptureFixture
) -> None:
    run = publishes(small, "old")
    Run.objects.filter(pk=run.pk).update(summary={"format": "of another age"})
    answer = client.get("/evidence/")
    assert answer.status_code == 200
    assert "No evaluation has been published" in answer.content.decode()
    assert "cannot be read" in caplog.text


def test_a_fresh_clone_shows_what_it_came_with(client: Client) -> None:
    call_command("load_receipts", verbosity=0)
    told = playground()
    assert told is not None
    assert len(told.rows) >= 3
    html = client.get("/evidence/").content.decode()
    for row in told.rows:
        share = row.figures["share_of_winnable"]
        assert share is not None
        assert f'href="{share.receipt}"' in html
    answer = client.get(told.episodes_url)
    assert answer.status_code == 200
    bargains = gzip.decompress(b"".join(answer.streaming_content)).splitlines()  # type: ignore[arg-type]
    assert len(bargains) == told.board.bargains
