"""Settings of the stages: checked whole, before any work, in words that help."""

import pytest

from training.stages.config import SIZES, STAGES, BadConfig, GrpoConfig, sizes_of
from training.stages.registry import CONFIGS, checked, defaults, make_config


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("stage", STAGES)
def test_the_defaults_of_every_size_are_allowed(stage: str, size: str) -> None:
    if size not in sizes_of(stage):  # type: ignore[arg-type]
        with pytest.raises(BadConfig, match=f"Sizes of {stage} are .*models of the hub are for"):
            defaults(stage, size)  # type: ignore[arg-type]
        return
    told = defaults(stage, size)  # type: ignore[arg-type]
    assert checked(stage, told).model_dump() == told  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"stepz": 3}, "stepz is no setting of grpo; there are .*steps"),
        ({"steps": 0}, "steps: .*greater than or equal to 1"),
        ({"steps": "many"}, "steps: .*integer.*'many'"),
        ({"learning_rate": float("nan")}, "learning_rate: .*finite"),
        ({"learning_rate": -1}, "learning_rate: .*greater than 0"),
        ({"suites": ("moon@sampled-1",)}, "no suite 'moon@sampled-1'. Known: single_deal"),
        ({"suites": ()}, "suites: "),
        ({"parts": 3, "updates": 2}, "parts .3. has to be a multiple of updates .2."),
        ({"deals": 3, "group": 3}, "deals x group .9. has to be a multiple of parts"),
        ({"precision": "4bit"}, "precision: "),
        ({"size": "huge"}, "size: "),
        ({"seed": 10**9}, "seed: "),
    ],
)
def test_a_wrong_setting_is_refused_with_what_is_right(
    changes: dict[str, object], words: str
) -> None:
    with pytest.raises(BadConfig, match=words):
        checked("grpo", {**defaults("grpo", "mini"), **changes})


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(BadConfig) as wrong:
        make_config("sft", "mini", epochs=-1, batch=0, typo=1)
    assert [line.partition(":")[0].split()[0] for line in str(wrong.value).splitlines()] == [
        "batch",
        "epochs",
        "typo",
    ]


def test_words_of_the_command_line_become_numbers() -> None:
    config = make_config("grpo", "toy", steps="7", beta="0.5")
    assert isinstance(config, GrpoConfig)
    assert (config.steps, config.beta) == (7, 0.5)


def test_every_setting_says_in_one_line_what_it_is() -> None:
    for kind in CONFIGS.values():
        for name, field in kind.model_fields.items():
            assert field.description, f"{kind.__name__}.{name}"
            assert len(field.description) < 80


def test_suites_may_be_told_in_one_text() -> None:
    config = make_config("grpo", "toy", suites="single_deal@sampled-1, career_10@sampled-1")
    assert isinstance(config, GrpoConfig)
    assert config.suites == ("single_deal@sampled-1", "career_10@sampled-1")


def test_weights_of_4_bits_need_an_adapter() -> None:
    with pytest.raises(BadConfig, match="set lora_rank"):
        make_config("voice-sft", "large", lora_rank=0)
