"""The settings of every stage as tables for the docs: ``python -m training.stages.describing``."""

from typing import Any

from pydantic.fields import FieldInfo

from training.stages.config import CONFIGS, Stage, StageConfig, defaults, sizes_of

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
