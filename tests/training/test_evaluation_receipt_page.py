"""The page of a receipt says what its summary says, from either side."""

import hashlib
from pathlib import Path
from urllib.parse import quote

import pytest
from django.test import Client

from tests.support.evaluating import a_plan, a_run
from training.evaluation.bazaar import Bazaar
from training.evaluation.plan import make_plan
from training.evaluation.published import publish
from training.models import Run
from training.receipts.figures import number_text

BUYERS = ["rules:linear", "rules:split", "rules:conceder"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Three buyers, published."""
    run = a_run(tmp_path / "run", a_plan(BUYERS, episodes=10), "three-buyers")
    publish(run)
    return run


def page(client: Client, run: Run, policy: str = "") -> str:
    answer = client.get(f"/training/receipts/{run.pk}/", {"policy": policy})
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def difference(run: Run, first: str, second: str) -> dict[str, float]:
    assert run.summary is not None
    for one in run.summary["differences"]:
        if (one["first"], one["second"], one["suite"]) == (first, second, "mean"):
            share: dict[str, float] = one["share_of_winnable"]
            return share
    raise AssertionError("no such pair")


def words(value: float) -> str:
    return number_text(100 * value, 1, plus=True)


def test_a_difference_reads_the_same_from_both_sides(client: Client, run: Run) -> None:
    share = difference(run, "rules:linear", "rules:conceder")
    mean, low, high = share["mean"], share["low"], share["high"]
    ours, theirs = page(client, run, "rules:linear"), page(client, run, "rules:conceder")
    assert f"<b>{words(mean)}</b> <small>{words(low)} to {words(high)}</small>" in ours
    assert f"<b>{words(-mean)}</b> <small>{words(-high)} to {words(-low)}</small>" in theirs
    assert low > 0
    assert "takes more" in ours
    assert "takes less" in theirs


def test_it_begins_with_the_best_and_leads_to_everybody(client: Client, run: Run) -> None:
    for asked in ("", "nobody"):
        shown = page(client, run, asked)
        assert "Linear against each other buyer" in shown
    for buyer in BUYERS:
        assert f"?policy={quote(buyer)}#versus" in shown


def test_it_gives_the_digest_of_the_file_that_is_downloaded(client: Client, run: Run) -> None:
    answer = client.get(f"/training/receipts/{run.pk}/episodes.jsonl.gz")
    packed = b"".join(answer.streaming_content)  # type: ignore[arg-type]
    assert f"sha256 {hashlib.sha256(packed).hexdigest()}" in page(client, run)


def test_what_is_not_published_has_no_page(client: Client, run: Run) -> None:
    Run.objects.update(published_at=None)
    assert client.get(f"/training/receipts/{run.pk}/").status_code == 404
    assert client.get("/training/receipts/nothing/").status_code == 404


def test_the_command_it_gives_plays_the_same_plan() -> None:
    assert Bazaar().command(make_plan(["rules"], ["all"], variant="fixed", seed=4)) == (
        "python manage.py evaluate --policies rules --suites all --variant fixed "
        "--episodes 200 --seed 4"
    )
    assert "--policies rules:linear,rules:split --suites single_deal@sampled-1,career_10@" in (
        Bazaar().command(a_plan())
    )
