"""Pages of runs: Bilal sees what was published, staff see all of it while it happens."""

import io
import os
import re
import tarfile
from html import unescape

import pytest
from django.conf import settings as site
from django.test import Client
from django.utils import timezone

from negotiation.secret_values import keep_secret
from tests.support.staged import METRICS, a_stage, signed_in
from training.jobs.publishing import publish
from training.models import Run
from training.runs import lifecycle
from training.runs.files import pack_model

TOKEN = "a-token-that-nobody-may-read"

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("runs_here")]


@pytest.fixture
def bilal() -> Client:
    """Bilal, who looks around."""
    return Client()


@pytest.fixture
def omar() -> Client:
    """Omar, who operates the site."""
    return signed_in("omar", "view_run")


def page(client: Client, run: Run, more: str = "") -> str:
    answer = client.get(f"/training/runs/{run.pk}/{more}")
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def codes(client: Client, addresses: list[str]) -> list[int]:
    """What each address answers; files are read to their end, which closes them."""
    answers = [client.get(one) for one in addresses]
    assert all(answer.getvalue() for answer in answers)
    return [answer.status_code for answer in answers]


def test_a_run_is_nobodys_business_until_it_is_published(bilal: Client, omar: Client) -> None:
    run = a_stage()
    addresses = [f"/training/runs/{run.pk}/{more}" for more in ("", "live/", "files/metrics.jsonl")]
    assert codes(bilal, addresses) == [404, 404, 404]
    assert run.pk not in bilal.get("/training/runs/").content.decode()
    assert codes(omar, addresses) == [200, 200, 200]
    assert run.pk in omar.get("/training/runs/").content.decode()
    publish(run)
    assert codes(bilal, addresses) == [200, 200, 200]
    assert run.pk in bilal.get("/training/runs/").content.decode()


def test_staff_without_the_permission_are_visitors() -> None:
    rita, mallory = signed_in("rita"), signed_in("mallory", "view_run", is_staff=False)
    run = a_stage()
    for who in (rita, mallory):
        assert who.get(f"/training/runs/{run.pk}/").status_code == 404


def test_every_step_of_a_curve_can_be_read_without_a_script(bilal: Client) -> None:
    run = a_stage()
    publish(run)
    text = page(bilal, run)
    assert text.count("<figure") == 2, "loss and valid_json; an epoch is no news"
    assert "<title>step 2: 1.5</title>" in text
    assert "From 2.5 at step 1 to 0.5 at step 3." in text
    assert re.search(r"<tr><td>3</td><td>0\.5</td></tr>", text)
    assert 'tabindex="0"' in text


def test_a_run_at_work_asks_every_two_seconds_until_it_is_over(omar: Client) -> None:
    run = a_stage(status=Run.Status.QUEUED)
    text = page(omar, run)
    assert f'hx-get="/training/runs/{run.pk}/live/?was=queued" hx-trigger="every 2s"' in text
    live = omar.get(f"/training/runs/{run.pk}/live/?was=queued")
    assert "HX-Refresh" not in live
    Run.objects.update(status=Run.Status.RUNNING, alive_at=timezone.now(), done=1, total=4)
    live = omar.get(f"/training/runs/{run.pk}/live/?was=queued")
    assert live["HX-Refresh"] == "true"
    assert 'value="25"' in live.content.decode()
    Run.objects.update(status=Run.Status.DONE)
    live = omar.get(f"/training/runs/{run.pk}/live/?was=running")
    assert live["HX-Refresh"] == "true"
    assert "hx-get" not in live.content.decode()


def test_chetan_finds_neither_log_nor_folder_nor_token(bilal: Client, omar: Client) -> None:
    keep_secret([TOKEN])
    run = a_stage()
    folder = lifecycle.folder_of(run)
    (folder / "stdout.log").write_text(f"loaded {folder}/model with {TOKEN}\n")
    (folder / "config.json").write_text(f'{{"source": "{folder}/model", "token": "{TOKEN}"}}')
    told = {"stage": "sft", "config": {"model": f"{folder}/model"}}
    Run.objects.filter(pk=run.pk).update(config=told, note=f"in {folder}")
    publish(run)
    seen = b"".join(
        b"".join(bilal.get(f"/training/runs/{run.pk}/{more}"))
        for more in ("", "live/", "files/config.json", "files/summary.json", "files/metrics.jsonl")
    ).decode()
    for hidden in (TOKEN, str(site.RUNS_DIR), str(site.BASE_DIR), "loaded"):
        assert hidden not in seen, hidden
    assert '"source": "runs/' in seen
    log = page(omar, run)
    assert "loaded" in log
    assert TOKEN not in log


def test_only_the_files_of_a_run_can_be_fetched(bilal: Client) -> None:
    run = a_stage()
    folder = lifecycle.folder_of(run)
    (folder / "stdout.log").write_text("told to staff")
    (folder.parent / "outside.jsonl").write_text("somebody else's")
    (folder / "samples.jsonl").symlink_to(folder.parent / "outside.jsonl")
    publish(run)
    for name in (
        "stdout.log", ".lock", "checkpoints", "samples.jsonl", "pairs.jsonl", "model",
        "..%2foutside.jsonl", "../outside.jsonl", "model/sauda.json", "nothing",
    ):  # fmt: skip
        assert bilal.get(f"/training/runs/{run.pk}/files/{name}").status_code == 404, name
    found = bilal.get(f"/training/runs/{run.pk}/files/metrics.jsonl")
    assert b"".join(found) == METRICS.encode()
    assert found["Content-Disposition"] == f'attachment; filename="{run.pk}.metrics.jsonl"'


def test_a_model_is_packed_once_and_the_same_way_each_time(bilal: Client) -> None:
    run = a_stage()
    folder = lifecycle.folder_of(run)
    (folder / "model" / "secret").symlink_to("/etc/hostname")
    publish(run)
    first = b"".join(bilal.get(f"/training/runs/{run.pk}/files/model.tar"))
    with tarfile.open(fileobj=io.BytesIO(first)) as tar:
        assert tar.getnames() == [
            f"{folder.name}/{one}" for one in ("model.safetensors", "sauda.json")
        ]
        assert {one.uid for one in tar} | {one.mtime for one in tar} == {0}
    made = (folder / "model.tar").stat().st_mtime_ns
    assert b"".join(bilal.get(f"/training/runs/{run.pk}/files/model.tar")) == first
    assert (folder / "model.tar").stat().st_mtime_ns == made
    (folder / "model.tar").unlink()
    os.utime(folder / "model" / "sauda.json", (1, 1))
    assert pack_model(folder).read_bytes() == first


def test_a_packed_model_does_not_say_where_its_base_lies(bilal: Client) -> None:
    run = a_stage()
    model = lifecycle.folder_of(run) / "model"
    (model / "adapter_config.json").write_text(f'{{"base_model_name_or_path": "{model}"}}')
    publish(run)
    packed = b"".join(bilal.get(f"/training/runs/{run.pk}/files/model.tar"))
    assert f'"base_model_name_or_path": "runs/{run.pk}/model"'.encode() in packed
    assert str(site.RUNS_DIR).encode() not in packed


def test_a_chain_is_listed_as_one(omar: Client) -> None:
    base = a_stage("base")
    sft = a_stage("sft", after=base)
    a_stage("dpo")
    text = omar.get("/training/runs/").content.decode()
    assert "A chain of 2 runs" in text
    assert text.index(base.pk) < text.index(sft.pk)
    assert 'aria-current="step"' in page(omar, sft)


def test_settings_and_figures_are_shown_as_words(bilal: Client) -> None:
    run = a_stage()
    summary = {
        "loss": 0.123456, "share": {"mean": 0.5, "low": 0.4, "high": 0.6}, "games": 1200,
        "held_out": {"valid_json": 1.0}, "many": [{"no": "row"}], "checks": {"2": {"deals": 7}},
    }  # fmt: skip
    Run.objects.filter(pk=run.pk).update(summary=summary)
    publish(run)
    text = page(bilal, run)
    for words in ("0.123", "0.5 (0.4 to 0.6)", "1,200", "held out, valid json", "learning rate"):
        assert words in text, words
    assert "no</dd>" not in text
    assert "checks, 2" not in text
