"""Buyers against the house's talking sellers: paired, batched, and a table of its own."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from agents.sellers.persona import PERSONAS
from bazaarbatna.bargain.events import MessageSent, OfferAccepted, OfferMade, TellsShown
from negotiation.policies import policy
from tests.support.school import enrol
from training.evaluation import BadPlan
from training.evaluation.playing import ActMany, Recording, play
from training.evaluation.published import STRANGERS, newest
from training.evaluation.samples import read_samples
from training.models import Run
from training.sellers.seller_evaluation import deal, plan_for, suite_ids

pytestmark = pytest.mark.usefixtures("runs_here")

FIRM = "firm@strangers-1"


def test_every_talking_seller_has_a_suite() -> None:
    assert [one.split("@")[0] for one in suite_ids()] == list(PERSONAS)


def test_some_games_can_be_won_and_some_cannot() -> None:
    zones = [deal("firm", seed).zopa for seed in range(200)]
    assert 160 <= sum(zone > 0 for zone in zones) < 200


def test_a_game_follows_from_its_seed_and_every_seller_has_its_own_goods() -> None:
    assert deal("firm", 7) == deal("firm", 7)
    goods = {tuple(deal(persona, seed).item.title for seed in range(20)) for persona in PERSONAS}
    assert len(goods) == len(PERSONAS)


def test_the_seller_talks_and_what_it_lets_slip_is_read_from_its_words() -> None:
    table = Recording(FIRM, 3)
    buyer = policy("sauda").make(3)
    while (seen := table.game.observation) is not None:
        table.move(buyer.act(seen))
    events = table.game.logs[0].events
    spoken = [
        one
        for one in events
        if isinstance(one, OfferMade | OfferAccepted | MessageSent) and one.actor == "seller"
    ]
    assert spoken
    assert all(one.text for one in spoken)
    assert any(isinstance(one, TellsShown) for one in events)
    assert table.game.logs[0].state().ended is not None


def test_games_in_step_are_the_games_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    [name] = enrol(monkeypatch, {"sauda-mini:sft": "rules:linear"})
    assert isinstance(policy(name).make(0), ActMany)
    together = {row.seed: row.digest for one in play(policy(name), FIRM, range(8))
                for row in one.rows}  # fmt: skip
    alone = {row.seed: row.digest for one in play(policy("rules:linear"), FIRM, range(8))
             for row in one.rows}  # fmt: skip
    assert together == alone


def test_an_unknown_seller_is_refused_with_those_there_are() -> None:
    with pytest.raises(BadPlan, match="default, firm, flexible, deceptive"):
        plan_for(["sauda"], ["frim"])


@pytest.mark.django_db
def test_the_command_publishes_a_table_that_is_not_the_ladder(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enrol(monkeypatch, {"sauda-mini:grpo": "rules:boulware"})
    ask = ["--policies", "sauda-mini:grpo,rules:split", "--sellers", "firm,seller:default"]
    for name in ("one", "two"):
        more = ["--episodes", "6", "--samples", "2", "--workers", "1", "--publish"]
        folder = str(tmp_path / name)
        call_command("evaluate_strangers", *ask, *more, "--out", folder, stdout=io.StringIO())
    for name in ("summary.json", "episodes.jsonl.gz", "samples.jsonl"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert newest() is None
    found = newest(STRANGERS)
    assert found is not None
    assert [one.policy for one in found.rows] == ["sauda-mini:grpo", "rules:split"]
    assert {one.suite for one in found.differences} == {FIRM, "default@strangers-1", "mean"}
    assert client.get(f"/training/receipts/{found.run}/").status_code == 200
    samples = read_samples(tmp_path / "one" / "samples.jsonl")
    assert len(samples) == 2 * 2 * 2
    assert any(line.side == "seller" and line.text for line in samples[0].lines)


@pytest.mark.django_db
def test_a_number_that_is_none_is_refused_before_anything_is_played() -> None:
    with pytest.raises(CommandError, match="--episodes is a whole number"):
        call_command("evaluate_strangers", "--policies", "sauda", "--episodes", "many")
    assert not Run.objects.exists()
