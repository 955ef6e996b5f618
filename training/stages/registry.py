"""The stages of training by name: the defaults of each size, and what is checked beforehand.

``python -m training.stages.registry`` writes the settings of every stage as tables for the docs.
"""

from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from bazaarbatna.bargain.people.suites import is_held_out
from bazaarbatna.envs.bargain.resets import Reset, wanted_suite
from bazaarbatna.market import TASK_NAMES
from bazaarbatna.market.policies.registry import POLICIES
from bazaarbatna.word_tables import read_table
from training.data.seeds import first_seed, ring_of
from training.data.teaching import SUITE_IDS
from training.stages.config import (
    LARGE_STAGES,
    SIZES,
    STAGES,
    BadConfig,
    BaseConfig,
    BatchConfig,
    DpoConfig,
    GrpoConfig,
    LargeConfig,
    LargeDpoConfig,
    LargeGrpoConfig,
    LargeSftConfig,
    LeagueConfig,
    MarketGrpoConfig,
    MarketSftConfig,
    RoundsConfig,
    SftConfig,
    Size,
    Stage,
    StageConfig,
    VoiceConfig,
    VoiceDpoConfig,
    VoiceSftConfig,
    sizes_of,
)

CONFIGS: dict[Stage, type[StageConfig]] = {
    "league": LeagueConfig,
    "base": BaseConfig,
    "sft": SftConfig,
    "grpo": GrpoConfig,
    "dpo": DpoConfig,
    "large-sft": LargeSftConfig,
    "large-grpo": LargeGrpoConfig,
    "large-dpo": LargeDpoConfig,
    "market-sft": MarketSftConfig,
    "market-grpo": MarketGrpoConfig,
    "voice-sft": VoiceSftConfig,
    "voice-dpo": VoiceDpoConfig,
}

_OTHERS = read_table(
    Path(__file__).with_name("sizes.toml"), dict[Stage, dict[Size, dict[str, Any]]]
)


def defaults(stage: Stage, size: Size) -> dict[str, Any]:
    """Return every setting of a stage as it is when nothing is said; BadConfig."""
    if stage not in CONFIGS or size not in SIZES:
        raise BadConfig(f"Stages are {', '.join(STAGES)}; sizes are {', '.join(SIZES)}.")
    if size not in sizes_of(stage):
        raise BadConfig(
            f"Sizes of {stage} are {', '.join(sizes_of(stage))}; models of the hub are for "
            f"{', '.join(LARGE_STAGES)}."
        )
    return CONFIGS[stage](size=size, **_OTHERS.get(stage, {}).get(size, {})).model_dump()


GONE = {"lora_rank": 0, "lora_alpha": 32, "lora_dropout": 0.05, "model": ""}
"""What runs of before say that stages do not know any more, where it changed nothing."""


def make_config(stage: Stage, size: Size, **changes: object) -> StageConfig:
    """Check the settings of a stage."""
    return checked(stage, {**defaults(stage, size), **changes})


def checked(stage: Stage, settings: dict[str, Any]) -> StageConfig:
    """Check settings that were written down; BadConfig names all that is wrong, and the right."""
    fields = CONFIGS[stage].model_fields
    kept = {
        name: value
        for name, value in settings.items()
        if name in fields or name not in GONE or GONE[name] != value
    }
    try:
        config = CONFIGS[stage].model_validate(kept)
    except ValidationError as wrong:
        raise BadConfig(
            "\n".join(_sentence(CONFIGS[stage], one) for one in wrong.errors())
        ) from None
    _check_together(config)
    return config


def _sentence(kind: type[StageConfig], error: Any) -> str:
    name = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        return (
            f"{name[:60]} is no setting of {kind.stage}; there are {', '.join(kind.model_fields)}."
        )
    return f"{name}: {error['msg']}, not {str(error['input'])[:60]!r}."


def _check_together(config: StageConfig) -> None:
    if isinstance(config, BatchConfig) and config.batch % config.rows_at_once:
        raise BadConfig(
            f"batch ({config.batch}) has to be a multiple of rows_at_once ({config.rows_at_once})."
        )
    if isinstance(config, BaseConfig | MarketSftConfig) and config.hidden % (2 * config.heads):
        raise BadConfig(
            f"hidden ({config.hidden}) has to be a multiple of twice the heads ({config.heads})."
        )
    if isinstance(config, RoundsConfig):
        config.check_round()
    if isinstance(config, GrpoConfig):
        kept = [name for name in config.suites if is_held_out(name)]
        if kept:
            raise BadConfig(
                f"{kept[0][:60]} is held out: results are reported on it, and no stage plays it."
            )
        unknown = [name for name in config.suites if name not in SUITE_IDS]
        if unknown:
            raise BadConfig(
                f"There is no suite {unknown[0][:60]!r}. Known: {', '.join(SUITE_IDS)}."
            )
    _check_market(config)
    _check_large(config)
    _check_ring(config, config.stage, config.seeds)
    if isinstance(config, SftConfig):
        _check_ring(config, "people", config.people_seeds)
    has_adapter = isinstance(config, VoiceConfig | LargeConfig) and config.lora_rank
    if config.is_four_bit and not has_adapter:
        raise BadConfig("4-bit weights cannot be trained themselves; set lora_rank, usually 16.")


def _check_ring(config: StageConfig, games: str, seeds: int) -> None:
    if first_seed(games, config.seed) + seeds > ring_of(config.stage):
        raise BadConfig(
            f"Seed {config.seed} with {seeds:,} games would learn from games that are held "
            "out; ask for fewer games, or a smaller seed."
        )


def _check_market(config: StageConfig) -> None:
    if isinstance(config, MarketSftConfig) and config.teacher not in POLICIES:
        raise BadConfig(
            f"There is no teacher {config.teacher[:60]!r}. Known: {', '.join(POLICIES)}."
        )
    if isinstance(config, MarketGrpoConfig) and config.worlds % len(TASK_NAMES):
        raise BadConfig(
            f"worlds ({config.worlds}) has to be a multiple of {len(TASK_NAMES)}: one of each task."
        )


def _check_large(config: StageConfig) -> None:
    if not isinstance(config, LargeConfig):
        return
    try:
        suite = wanted_suite(Reset(task=config.task))
    except ValueError as wrong:
        raise BadConfig(str(wrong)) from None
    if is_held_out(suite):
        raise BadConfig(f"{config.task} is held out: results are reported on it.")
    if isinstance(config, LargeGrpoConfig) and config.vllm and config.is_four_bit:
        raise BadConfig("vLLM takes no weights of 4 bits from a trainer; leave one of both out.")


BOUNDS = {"ge": "{} or more", "gt": "more than {}", "le": "at most {}", "lt": "less than {}"}
ALL_SUITES = "all"


def settings_tables() -> str:
    """Write a table for every stage in Markdown: settings, ranges, and what each size has."""
    return "\n".join(_table(stage, kind) for stage, kind in CONFIGS.items())


def _table(stage: Stage, kind: type[StageConfig]) -> str:
    sizes = sizes_of(stage)
    usual = {size: defaults(stage, size) for size in sizes}
    first_line = (kind.__doc__ or "").splitlines()[0]
    rows = [
        f"## {stage}",
        "",
        first_line,
        "",
        f"| setting | {' | '.join(sizes)} | range | what it is |",
        f"|---|{'---:|' * len(sizes)}---|---|",
    ]
    for name, field in kind.model_fields.items():
        if name != "size":
            values = " | ".join(_value(usual[size][name]) for size in sizes)
            rows.append(f"| `{name}` | {values} | {_range(field)} | {field.description} |")
    return "\n".join([*rows, ""])


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return ALL_SUITES
    return f"{value:g}" if isinstance(value, float) else str(value)


def _range(field: FieldInfo) -> str:
    allowed = getattr(field.annotation, "__args__", ())
    if allowed and all(isinstance(one, str) for one in allowed):
        return ", ".join(allowed)
    told = []
    for rule in field.metadata:
        for bound, words in BOUNDS.items():
            if (limit := getattr(rule, bound, None)) is not None:
                told.append(words.format(f"{limit:,}" if limit >= 1000 else f"{limit:g}"))
    return ", ".join(told)


if __name__ == "__main__":
    print(settings_tables())  # noqa: T201  a command prints
