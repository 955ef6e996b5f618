"""The page /training/: all of it from published runs, nothing before there are any."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from bazaarbatna.money import rupees_text
from negotiation import ttl_cache
from tests.support.evaluating import a_plan
from tests.support.school import enrol, keep_samples, played_run, published, schooled, stage_run
from training.evaluation.published import ABLATION, STRANGERS
from training.models import Run
from training.pages.curves import words_of
from training.pages.public.chain import shipped_chain
from training.pages.public.views import PARTS
from training.receipts.figures import number_text
from training.runs import lifecycle
from training.sellers.seller_evaluation import plan_for

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("runs_here")]

ARMS = {
    "sauda-mini+tells-steer": "rules:boulware",
    "sauda-mini+tells+steer": "rules:linear",
    "sauda-mini-tells-steer": "rules:linear",
    "sauda-mini-tells+steer": "rules:boulware",
}


def page(client: Client, part: str = "") -> str:
    answer = client.get(f"/training/{part}")
    assert answer.status_code == 200
    return unescape(answer.content.decode())


ORDER = ("rules:smart", *(f"sauda-mini:{stage}" for stage in ("base", "sft", "grpo", "dpo")))
"""Who is compared with those before it."""


def looked_up(document: Any, pointer: str) -> Any:
    for key in pointer.split("/")[1:]:
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document


def test_a_site_without_runs_says_so_and_still_explains_the_stages(client: Client) -> None:
    html = page(client)
    assert "No run has been published on this site yet" in html
    for words in ("It reads.", "It copies.", "It plays.", "It is compared."):
        assert words in html
    assert "run-curve" not in html
    assert re.search(r'href="/learn/" aria-current="true"', html)


def test_the_addresses_of_old_still_lead_to_their_part(client: Client) -> None:
    schooled()
    html = page(client)
    for anchor in ("stages", *(f"stage-{kind}" for kind in ("base", "sft", "grpo", "dpo"))):
        assert f'id="{anchor}"' in html
    card = html.partition('id="receipts"')[2].partition("</li>")[0]
    assert 'href="/training/receipts/"' in card
    for part in PARTS:
        assert 'href="/training/">Training</a>' in page(client, f"{part}/")


def test_nothing_claims_that_the_words_came_from_nowhere(client: Client) -> None:
    """Its lines imitate templates that somebody wrote."""
    for part in ("", *(f"{name}/" for name in PARTS)):
        assert "obody told it" not in page(client, part)
    assert "lines that were written for its teachers" in page(client)


def test_curves_are_those_of_the_published_chain(client: Client) -> None:
    chain = schooled()
    stage_run("grpo")
    html = page(client, "stages/")
    assert [step.run for step in shipped_chain()] == chain
    assert html.count('class="run-curve"') == len(chain)
    for run in chain:
        assert f"/training/runs/{run.pk}/" in html
    values = (lifecycle.folder_of(chain[0]) / "metrics.jsonl").read_text().splitlines()
    last = json.loads(values[-1])
    assert f"step {last['step']}: {words_of(last['loss'])}" in html


def test_a_stage_that_was_tried_and_left_out_says_so(
    client: Client, settings: Settings, tmp_path: Path
) -> None:
    base, sft, grpo, dpo = schooled()
    folder = tmp_path / "models" / "voice"
    folder.mkdir(parents=True)
    (folder.parent / "shipped.json").write_text('{"voice": "voice"}')
    (folder / "model.safetensors").write_bytes(b"weights")
    about = {"name": "sauda-mini:grpo", "title": "Sauda mini, SFT + GRPO", "dialect": "compact"}
    card = {"format": "sauda@1", **about, "prompt_version": "compact-2", "made_by": grpo.pk}
    (folder / "sauda.json").write_text(json.dumps(card))
    settings.SHIPPED_MODELS_DIR = folder.parent
    published(stage_run("dpo", sft))
    chain = shipped_chain()
    assert [step.run for step in chain] == [base, sft, grpo, dpo]
    assert [step.is_shipped for step in chain] == [True, True, True, False]
    for part in ("", "stages/"):
        html = page(client, part)
        assert html.count("Tried, measured, left out") == 1
        assert "Tried, measured" in html.partition('id="stage-dpo"')[2]


def test_sft_is_measured_against_its_teachers(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = enrol(monkeypatch, {"sauda-mini:sft": "rules:linear"})
    played_run(a_plan([*names, "rules:teachers"], ["single_deal"]), "evaluate", "ladder")
    ladder = page(client, "ladder/").partition('id="ladder"')[2]
    assert re.findall(
        r'no">SFT</span> <span class="soft">over</span> <span translate="no">([^<]+)<', ladder
    ) == ["The teachers"]


def test_chetan_sees_nothing_of_a_run_that_is_not_published(client: Client) -> None:
    run = stage_run("sft")
    run.config["config"]["note"] = "only-for-staff"
    run.save()
    for part in ("", *(f"{name}/" for name in PARTS)):
        html = page(client, part)
        assert run.pk not in html
        assert "only-for-staff" not in html


def test_the_same_game_stands_side_by_side_in_the_order_of_the_stages(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = enrol(monkeypatch)
    chain = schooled()
    path = keep_samples(chain[-1], names[::-1], "firm@strangers-1", range(2))
    html = page(client, "games/")
    first = html.partition('id="same-game"')[2].partition("Suite <code>")[0]
    titles = re.findall(
        r'<li class="same-buyer">\s*<h3><span translate="no">([^<]+)</span></h3>', first
    )
    assert titles == [f"Sauda mini, {kind}" for kind in ("BASE", "SFT", "GRPO", "DPO")]
    for line in path.read_text().splitlines():
        one = json.loads(line)
        if one["price"] is not None:
            assert f"deal at {rupees_text(one['price'] / 100)}" in html


def test_the_ladder_compares_each_stage_with_the_one_before(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = enrol(monkeypatch)
    run = played_run(a_plan([*names, "rules:smart"], ["single_deal"]), "evaluate", "ladder")
    html = page(client, "ladder/").partition('id="ladder"')[2]
    receipt = client.get(f"/training/receipts/{run.pk}/summary.json").json()
    told = re.findall(r'summary\.json#(/differences/[^"]+)">([^<]+)</a>', html)
    assert len(told) == 4
    for pointer, text in told:
        found = looked_up(receipt, pointer.rpartition("/")[0])
        # The page tells the later stage's lead; the receipt's pairs are in the order of names.
        is_lead = ORDER.index(found["first"]) > ORDER.index(found["second"])
        mean = found["share_of_winnable"]["mean"] * (1 if is_lead else -1)
        assert text == number_text(mean, 2, plus=True)
    figures = re.findall(r'summary\.json#(/policies/\d+/mean/share_of_winnable)">([^<]+)</a>', html)
    assert len({pointer for pointer, _ in figures}) == 5
    for pointer, text in figures:
        assert text == f"{looked_up(receipt, pointer)['mean']:.2f}"
    assert html.count("trained</span>") == 4


def test_strangers_and_switches_have_tables_of_their_own(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    enrol(monkeypatch, ARMS)
    enrol(monkeypatch, {"sauda-mini:sft": "rules:linear"})
    plan = plan_for(["sauda-mini:sft", "rules:split"], ["firm"], episodes=4)
    played_run(plan, STRANGERS, "strangers")
    played_run(a_plan(list(ARMS), ["single_deal"], episodes=8), ABLATION, "switches")
    html = page(client, "ladder/")
    assert 'id="strangers"' in html
    assert 'id="ladder"' not in html
    switches = html.partition('id="switches"')[2]
    assert re.findall(r'<th scope="row">(\w[\w ]+) <span class="soft">\(([^)]+)\)', switches) == [
        ("Reading tells", "not steered"),
        ("Reading tells", "steered"),
        ("Steering", "blind to tells"),
        ("Steering", "reading tells"),
    ]
    first = re.findall(r'"is-(more|less|open)">\s*<th scope="row">', switches)
    # The same two buyers stand in, the other way round: what one switch does, the other undoes.
    opposite = {"more": "less", "less": "more", "open": "open"}
    assert first == [first[0], opposite[first[0]]] * 2


def test_every_published_run_has_its_receipt_and_files(client: Client) -> None:
    [base, *_] = schooled()
    html = page(client, "receipts/").partition('id="receipts"')[2]
    for name in ("metrics.jsonl", "summary.json"):
        url = f"/training/runs/{base.pk}/files/{name}"
        assert url in html
        answer = client.get(url)
        assert answer.status_code == 200
        assert answer.getvalue()


def test_a_withdrawn_run_leaves_the_page(client: Client) -> None:
    run = published(stage_run("sft"))
    assert run.pk in page(client, "receipts/")
    Run.objects.filter(pk=run.pk).update(published_at=None)
    ttl_cache.forget()
    assert run.pk not in page(client, "receipts/")
