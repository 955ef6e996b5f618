"""What a stage's summary and settings say, as rows of a page."""

from collections.abc import Iterator, Mapping
from typing import Any

from negotiation.secret_values import scrub_json
from training.curves.chart import words_of
from training.hidden_paths import hide_paths_json
from training.models import Run
from training.stage_form_fields import label_of

MOST_ROWS = 40
LEFT_OUT = ("stage", "checks")
"""Said elsewhere, and too much of the same; the files have it."""

LONGEST = 120
"""Characters of a value on a page; the files have all of it."""

Row = tuple[str, str]


def figures_of(run: Run) -> tuple[Row, ...]:
    """Give the numbers of a stage's summary, those inside others by ``outer, inner``."""
    if not run.summary or not run.what.is_stage:
        return ()
    told = {name: value for name, value in run.summary.items() if name not in LEFT_OUT}
    return tuple(_rows(_shown(told)))[:MOST_ROWS]


def settings_of(run: Run) -> tuple[Row, ...]:
    """Give what a stage was told."""
    told = run.config.get("config")
    if not isinstance(told, dict):
        return ()
    return tuple((label_of(name), _words(value)) for name, value in _shown(told).items())


def _shown(value: dict[str, Any]) -> dict[str, Any]:
    shown: dict[str, Any] = hide_paths_json(scrub_json(value))
    return shown


def _rows(summary: Mapping[str, Any], before: str = "") -> Iterator[Row]:
    for name, value in summary.items():
        words = f"{before}{name.replace('_', ' ')}"
        if isinstance(value, Mapping) and {"mean", "low", "high"} <= value.keys():
            mean, low, high = (_words(value[part]) for part in ("mean", "low", "high"))
            yield words, f"{mean} ({low} to {high})"
        elif isinstance(value, Mapping):
            yield from _rows(value, f"{words}, ")
        elif not isinstance(value, list) or all(isinstance(one, int | float) for one in value):
            yield words, _words(value)


def _words(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return words_of(value)
        case None | "":
            return "–"
        case list() | tuple():
            return ", ".join(map(_words, value))[:LONGEST]
        case _:
            return str(value)[:LONGEST]
