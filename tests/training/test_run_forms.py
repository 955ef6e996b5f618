"""Staff start stages and chains by forms made from the settings; a wrong one starts nothing."""

from typing import Any

import pytest
from django.test import Client

from tests.support.staged import a_stage, signed_in
from training.jobs.chains import choices_of
from training.jobs.starting import ChainForm, StageForm
from training.models import Run
from training.runs.lifecycle import folder_of
from training.stages.config import (
    BOX,
    LARGE_BASE,
    LARGE_STAGES,
    Size,
    Stage,
    sizes_of,
)
from training.stages.registry import CONFIGS, make_config

ADD = "/admin/training/run/add/"
STAGE_SIZES = [(stage, size) for stage in CONFIGS for size in sizes_of(stage)]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("runs_here")]


@pytest.fixture
def omar() -> Client:
    """Omar, who operates the site."""
    return signed_in("omar", "view_run", "add_run", "change_run")


def filled(stage: Stage, size: Size, **changes: Any) -> dict[str, Any]:
    begin: dict[str, str] = {}
    if stage in LARGE_STAGES:
        begin = {"begin": f"hub:{LARGE_BASE}"}
    elif stage == "voice-sft":
        begin = {"begin": f"box:{BOX}"}
    elif stage in ("sft", "grpo", "dpo"):
        begin = {"begin": f"run:{a_stage('base').pk}"}
    if stage == "market-grpo":
        begin = {"begin": f"run:{a_lab().pk}"}
    if stage == "voice-dpo":
        begin = {"begin": f"run:{a_voice().pk}"}
    return StageForm(stage, size).initial | begin | changes


def a_lab() -> Run:
    """A finished run that left a lab."""
    run = a_stage("market-sft", name="a-lab")
    model = folder_of(run) / "model"
    (model / "sauda.json").unlink(missing_ok=True)
    (model / "lab.json").write_text("{}")
    return run


def a_voice() -> Run:
    """A finished run that left a voice."""
    run = a_stage("voice-sft", name="a-voice")
    model = folder_of(run) / "model"
    (model / "sauda.json").unlink(missing_ok=True)
    (model / "voice.json").write_text("{}")
    return run


@pytest.mark.parametrize(("stage", "size"), STAGE_SIZES)
def test_what_a_form_shows_first_is_what_the_size_has_by_default(stage: Stage, size: Size) -> None:
    form = StageForm(stage, size, filled(stage, size))
    assert form.is_valid(), form.errors
    expected = make_config(stage, size)
    # The model is chosen beside the settings.
    assert form.config.model_dump(exclude={"model"}) == expected.model_dump(exclude={"model"})


@pytest.mark.parametrize("stage", CONFIGS)
def test_every_setting_has_its_words_and_its_range(stage: Stage) -> None:
    form = StageForm(stage, sizes_of(stage)[0])
    assert all(form.fields[name].help_text for name in CONFIGS[stage].model_fields
               if name in form.fields)  # fmt: skip
    seed: Any = form.fields["seed"]
    assert (seed.min_value, seed.max_value) == (0, 999)
    assert str(seed.help_text).endswith("From 0, up to 999.")
    assert str(form.fields["learning_rate"].help_text).endswith("Above 0, up to 0.1.")


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"learning_rate": "-1"}, "learning_rate", "greater than 0"),
        ({"learning_rate": "nan"}, "learning_rate", "Enter a number"),
        ({"seed": "1000"}, "seed", "less than or equal to 999"),
        ({"epochs": "0"}, "epochs", "greater than 0"),
        ({"batch": "8", "rows_at_once": "3"}, "batch", "multiple of rows_at_once"),
        ({"precision": "8bit"}, "precision", "not one of the available choices"),
        ({"begin": "hub:mallory/model"}, "begin", "not one of the available choices"),
        ({"begin": ""}, "begin", "required"),
        ({"name": "../x"}, "name", "Small letters"),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_nothing_starts(
    omar: Client, changes: dict[str, str], field: str, words: str
) -> None:
    form = StageForm("sft", "toy", filled("sft", "toy", **changes))
    assert not form.is_valid()
    assert words in str(form.errors[field])
    answer = omar.post(f"{ADD}?what=sft&size=toy", filled("sft", "toy", **changes))
    assert answer.status_code == 200
    assert not Run.objects.exclude(kind="base").exists()


def test_a_stage_is_started_on_the_model_of_a_run(omar: Client) -> None:
    before = a_stage("sft")
    told = filled("grpo", "toy", begin=f"run:{before.pk}", steps="2", name="small")
    omar.post(f"{ADD}?what=grpo&size=toy", told)
    run = Run.objects.get(kind="grpo")
    assert (run.status, run.after, run.name) == ("queued", before, "small")
    assert run.config["config"]["steps"] == 2
    assert run.chain == before.pk


def test_a_model_of_the_hub_from_before_it_had_stages_of_its_own_is_no_beginning() -> None:
    before = a_stage("sft")
    assert any(choice == f"run:{before.pk}" for choice, _ in choices_of("grpo"))
    before.config["config"]["size"] = "large"
    before.save()
    assert [choice for choice, _ in choices_of("grpo") if choice.startswith("run:")] == []


def test_a_chain_is_started_with_a_name_a_size_and_a_seed(omar: Client) -> None:
    page = omar.get(f"{ADD}?what=chain&size=toy").content.decode()
    assert "Start a chain" in page
    told = {"name": "tiny", "begin": "", "seed": "7", "episodes": "4"}
    answer = omar.post(f"{ADD}?what=chain&size=toy", told)
    names = list(Run.objects.order_by("created_at").values_list("name", flat=True))
    parts = ("league", "base", "sft", "grpo", "dpo", "evaluation")
    assert names == [f"tiny-{part}" for part in parts]
    assert answer["Location"].endswith(f"{Run.objects.get(kind='league').pk}/change/")


def test_a_large_chain_begins_with_the_large_model() -> None:
    form = ChainForm("large")
    assert form.initial["begin"] == f"hub:{LARGE_BASE}"
    told = {"name": "big", "begin": "", "seed": "0", "episodes": "4"}
    assert "begin" in ChainForm("large", told).errors


def test_only_staff_who_may_see_a_form() -> None:
    rita = signed_in("rita", "view_run")
    mallory = signed_in("mallory", "add_run", is_staff=False)
    for what in ("chain", "sft", "evaluate"):
        assert rita.get(f"{ADD}?what={what}").status_code == 403
        assert rita.post(f"{ADD}?what={what}").status_code == 403
        assert mallory.post(f"{ADD}?what={what}").status_code == 302
        assert Client().post(f"{ADD}?what={what}").status_code == 302
    assert not Run.objects.exists()


@pytest.mark.parametrize("what", ["chain", "base", "sft", "grpo", "dpo", "evaluate", "nonsense",
                                  "large-sft", "large-grpo", "large-dpo",
                                  "market-sft", "market-grpo", "voice-sft",
                                  "voice-dpo"])  # fmt: skip
def test_every_form_opens_whatever_the_address_says(omar: Client, what: str) -> None:
    for size in ("toy", "mini", "large", "gigantic"):
        assert omar.get(f"{ADD}?what={what}&size={size}").status_code == 200
