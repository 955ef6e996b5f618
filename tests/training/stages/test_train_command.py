"""`manage.py train`: whatever is wrong is told at once, and nothing is written down."""

import io
import itertools
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.support.small_stages import Reader, ctrl_c, quick
from tests.support.staged import a_stage
from training.models import Run
from training.stages import running
from training.stages.config import LARGE_BASE, Stage
from training.stages.running import before, open_stage, rest_of, run_stage

pytestmark = pytest.mark.usefixtures("folders")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            "",
            "Stages are league, base, sft, grpo, dpo, large-sft, large-grpo, large-dpo, "
            "market-sft, market-grpo, voice-sft, voice-dpo; sizes are toy, mini, large",
        ),
        ("rlhf", "Stages are league, base, sft, grpo, dpo"),
        ("base --size giant", "sizes are toy, mini, large"),
        ("base --size large", "Sizes of base are toy, mini; models of the hub are for large-sft"),
        ("large-sft --size mini", "Sizes of large-sft are large"),
        ("large-sft --set task=nowhere", "There is no task 'nowhere'"),
        ("base --set epochz=3", "epochz is no setting of base; there are .*epochs"),
        ("base --set epochs", "--set takes name=value"),
        ("base --set epochs=many", "epochs: .*number.*'many'"),
        ("base --set epochs=nan", "epochs: .*finite.*'nan'|epochs: .*nan"),
        ("base --set epochs=inf", "epochs: "),
        ("base --set epochs=-1", "epochs: .*greater than 0"),
        ("base --set batch=1.5", "batch: .*integer"),
        ("base --set batch=10 --set rows_at_once=4", r"batch \(10\) has to be a multiple of"),
        ("base --set heads=5", "hidden .* has to be a multiple of twice the heads"),
        ("base --spread 2", "--spread is for a league, or a chain"),
        ("league --spread many", "--spread is a whole number from 0 to 1024, not 'many'"),
        ("base --seed 1000", "seed: .*less than or equal to 999"),
        ("base --seed -1", "seed: .*greater than or equal to 0"),
        ("base --seed x", "seed: .*integer"),
        ("base --name Big_Name", "of a-z, 0-9 and hyphens, at most 40; not 'Big_Name'"),
        ("base --set lora_rank=4", "lora_rank is no setting of base"),
        ("sft --from x --set precision=4bit", "precision: "),
        ("large-sft --set precision=4bit --set lora_rank=0", "cannot be trained themselves"),
        ("grpo --from x --set suites=moon@1,mars@1", "no suite 'moon@1'"),
        ("base --set precision=8bit", "precision: "),
        ("sft", "sft begins with a model: name a run or a folder with --from"),
        ("grpo --from nowhere", "There is no run and no folder 'nowhere'; .* for large-sft"),
        ("grpo --from owner/name", "no folder 'owner/name'; a model of the hub is owner/name"),
        ("grpo --from ./no/where", "There is no run and no folder './no/where'"),
        ("large-grpo --from x --set model=a/b", "--from and model both say what to begin with"),
        ("large-sft --set model=/no/where", "There is no run and no folder '/no/where'"),
        ("grpo --from x --set parts=3", r"parts \(3\) has to be a multiple of updates"),
        ("dpo --from x --set judge=me", "judge: .*'heuristic' or 'llm'"),
        ("--resume 20200101-000000_nothing", "There is no run '20200101-000000_nothing'"),
        ("chain --size toy --evaluate -3", "--evaluate takes 1..100000 bargains, not '-3'"),
        ("chain --size toy --evaluate ten", "--evaluate takes"),
        ("chain --size toy --set stepz=3", "stepz is no setting of league"),
        # "base" would fit 40 letters; "grpo" after hours of work would not.
        (f"chain --size large --name {'x' * 36}", "at most 40; not 'x+-large-sft'"),
    ],
)
def test_what_is_wrong_is_told_before_any_work(words: str, told: str) -> None:
    with pytest.raises(CommandError, match=told):
        call_command("train", *words.split(), stdout=io.StringIO())
    assert not Run.objects.exists()


def test_every_wrong_setting_is_told_at_once() -> None:
    with pytest.raises(CommandError) as wrong:
        call_command("train", "base", "--set", "epochs=-1", "--set", "layers=0", "--set", "typo=1")
    assert [line.split(":")[0].split()[0] for line in str(wrong.value).splitlines()] == [
        "epochs",
        "layers",
        "typo",
    ]


def test_a_run_that_has_left_no_model_yet_is_nothing_to_begin_with() -> None:
    run = a_stage("sft", status=Run.Status.INTERRUPTED)
    with pytest.raises(CommandError, match=f"{run.pk} has left no model; it is interrupted"):
        call_command("train", "grpo", "--from", run.pk)


def test_what_is_done_is_not_done_again() -> None:
    run = a_stage("sft")
    with pytest.raises(CommandError, match="is done; start a new run"):
        call_command("train", "--resume", run.pk)
    run.refresh_from_db()
    assert run.status == Run.Status.DONE


def test_an_evaluation_is_no_stage() -> None:
    run = Run.objects.create(
        id="x", kind="evaluate", name="x", config={"stage": "evaluate"}, seeds={}, total=1,
        folder="x", status=Run.Status.QUEUED,
    )  # fmt: skip
    with pytest.raises(CommandError, match="x is no stage of training"):
        call_command("train", "--resume", run.pk, stdout=io.StringIO())


@pytest.mark.usefixtures("every_line")
def test_ctrl_c_ends_with_130_and_says_how_to_go_on(haggler: Path) -> None:
    said, err = Reader("sft 2/", ctrl_c), io.StringIO()
    told = ["--set", "bargains=4", "--set", "epochs=0.1", "--set", "check_games=4"]
    with pytest.raises(SystemExit) as ended:
        call_command(
            "train", "sft", "--size", "toy", "--from", str(haggler), *told, stdout=said, stderr=err
        )
    assert ended.value.code == 130
    run = Run.objects.get()
    assert f"manage.py train --resume {run.pk}" in err.getvalue()
    assert run.status == Run.Status.INTERRUPTED


@pytest.mark.usefixtures("every_line")
def test_a_chain_that_was_killed_goes_on_through_all_later_stages(haggler: Path) -> None:
    later = [quick("grpo"), quick("grpo", seed=1)]
    first = open_stage(quick("sft"), "kite-sft", source=str(haggler), later=later)
    with pytest.raises(KeyboardInterrupt):
        run_stage(first, Reader("sft 2/", ctrl_c))
    call_command("train", "chain", "--resume", first.pk, stdout=io.StringIO())
    runs = list(Run.objects.order_by("created_at"))
    assert [(run.name, run.status) for run in runs] == [
        (f"kite-{stage}", Run.Status.DONE) for stage in ("sft", "grpo", "grpo")
    ]
    assert [run.after for run in runs] == [None, *runs[:2]]
    assert before(runs[2]) == runs[:2]


def test_a_chain_goes_on_where_nothing_ran_when_it_was_killed() -> None:
    """Killed between two stages: one is done, the next was never opened."""
    done = a_stage("sft")
    Run.objects.filter(pk=done.pk).update(config=done.config | told_later("grpo", "dpo"))
    done.refresh_from_db()
    [opened] = itertools.islice(rest_of(done), 1)
    assert (opened.kind, opened.after) == ("grpo", done)
    assert opened.config["later"] == told_later("dpo")["later"]
    assert list(itertools.islice(rest_of(done), 1)) == [opened]


def told_later(*stages: Stage) -> dict[str, object]:
    configs = [quick(stage) for stage in stages]
    return {"later": [{"stage": one.stage, "config": one.model_dump()} for one in configs]}


def test_a_model_of_the_hub_is_named_by_owner_and_name() -> None:
    run = open_stage(quick("large-sft"), "from-hub", source="Qwen/Qwen3-1.7B")
    assert (running.source_of(run), run.config["config"]["model"]) == ("Qwen/Qwen3-1.7B", "")
    after = open_stage(quick("large-grpo", model="a/b"), "after", after=run)
    assert (after.config["source"], after.config["config"]["model"]) == ("", "")
    assert running.source_of(open_stage(quick("large-sft"), "usual")) == LARGE_BASE
