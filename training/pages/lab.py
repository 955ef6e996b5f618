"""Everything that the section about the trained lab shows, from published runs alone.

What stands of a market is what the engine makes of the recorded answers, played again; a record
that does not follow from its answers is left out (``load_receipts`` refuses it).
"""

import functools
import logging
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from arena.gpu_market.board.action_words import action_words, names_of
from arena.gpu_market.board.titles import lab_name, task_title
from arena.gpu_market.trained.cards import CARD, LabCheckpoint, labs
from bazaarbatna.market import make_market, start
from negotiation.sentences import sentences
from negotiation.ttl_cache import cached
from training.evaluation.markets.players import MODEL
from training.models import Run, published_runs
from training.pages.curves import Chart, chart
from training.pages.market import Published, baselines_of, newest, said_title
from training.pages.public.chain import Fact, count_fact, mean_fact, rate_fact
from training.receipts.figures import Gap, Style, gap_of, number_text
from training.runs import lifecycle
from training.runs.files import artifacts_of
from training.runs.metrics import METRICS, Point, read_series
from training.stages.market.episodes import (
    EPISODES,
    LabTurn,
    Record,
    contradiction,
    play_again,
    read_records,
)

say = sentences(__file__)

log = logging.getLogger(__name__)


class Deed(msgspec.Struct, frozen=True):
    """One turn: what was done, answered and earned; ``fault``: what was wrong with it, or ""."""

    round: int
    words: str
    said: str
    fault: str
    reward: str


class Course(msgspec.Struct, frozen=True):
    """One lab's way through a market."""

    policy: str
    total: str
    deeds: tuple[Deed, ...]


class SameMarket(msgspec.Struct, frozen=True):
    """One seed, played by several labs; ``gap`` is the last one's return less the first one's."""

    task: str
    title: str
    seed: int
    lab: str
    courses: tuple[Course, ...]
    gap: float


def same_markets(run: Run | None) -> tuple[SameMarket, ...]:
    """Pair the episodes that a run of GRPO has left, what changed most first."""
    if run is None:
        return ()
    path = lifecycle.folder_of(run) / EPISODES
    try:
        stat = path.stat()
    except OSError:
        return ()
    return _read(path.parent, stat.st_mtime_ns, stat.st_size, get_language())


@functools.lru_cache(maxsize=8)
def _read(folder: Path, _changed: int, _size: int, _language: str | None) -> tuple[SameMarket, ...]:
    try:
        records = [one for one in read_records(folder) if contradiction(one) is None]
    except (OSError, ValueError):
        log.exception("the episodes of a run cannot be read", extra={"run": folder.name})
        return ()
    markets: dict[tuple[str, int, int], list[Record]] = {}
    for one in records:
        markets.setdefault((one.task, one.seed, one.lab), []).append(one)
    pairs = [_market(played) for played in markets.values() if len(played) > 1]
    return tuple(sorted(pairs, key=lambda one: -abs(one.gap)))


def _market(played: Sequence[Record]) -> SameMarket:
    first, last = played[0], played[-1]
    scenario = make_market(first.task, first.seed)
    cards = scenario.labs
    names = names_of(start(scenario)[0], first.lab)
    return SameMarket(
        task=first.task,
        title=task_title(first.task),
        seed=first.seed,
        lab=lab_name(cards[first.lab].name),
        courses=tuple(_course(one, names) for one in played),
        gap=round(last.total - first.total, 6),
    )


def _course(record: Record, names: dict[str, str]) -> Course:
    turns = play_again(record).turns
    return Course(record.policy, _signed(record.total), tuple(_deed(one, names) for one in turns))


def _deed(turn: LabTurn, names: dict[str, str]) -> Deed:
    words = action_words(turn.said.action, names)
    fault = ""
    if not turn.legal:
        fault = say("against_the_rules") if turn.said.valid else say("no_action")
    return Deed(
        turn.seen.round + 1,
        words[:1].upper() + words[1:],
        turn.said.text,
        fault,
        _signed(turn.reward),
    )


def _signed(value: float) -> str:
    return number_text(value, 3, plus=True)


FILES = (
    "README.md",
    "model.safetensors",
    "tokenizer.json",
    "tokenizer_config.json",
    "chat_template.jinja",
    "config.json",
    "generation_config.json",
    CARD,
)
"""Files of a shipped lab that may be downloaded."""

AN_HOUR_S = 3600
FOLDER = re.compile("[a-z0-9][a-z0-9-]{0,79}")
MEAN = "mean"
RETURN = Style(3)
SFT, GRPO = "market-sft", "market-grpo"
SFT_CURVES = (
    ("loss", say.text("sft_loss_of_the_teachers_tokens")),
    ("accuracy", say.text("sft_tokens_told_right")),
)
LOOK_EVERY_S = 10.0


class Made(msgspec.Struct, frozen=True):
    """A lab and the published runs that made it; what is not published is None."""

    sft: Run | None
    grpo: Run | None
    lab: LabCheckpoint | None
    before: LabCheckpoint | None

    @property
    def runs(self) -> tuple[Run, ...]:
        """In the order of the pipeline."""
        return tuple(run for run in (self.sft, self.grpo) if run is not None)


class File(msgspec.Struct, frozen=True):
    """A download; ``size`` in bytes."""

    name: str
    url: str
    size: int


class Shelf(msgspec.Struct, frozen=True):
    """Files that belong together, with the page they belong to, if any."""

    title: str
    url: str
    files: tuple[File, ...]


@require_safe
@cache_control(public=True, max_age=AN_HOUR_S)
def lab_file(request: HttpRequest, folder: str, name: str) -> FileResponse:
    """Send a file of a shipped lab."""
    path = shipped_file(folder, name)
    if path is None:
        raise Http404(say("there_is_no_such_file_of"))
    return FileResponse(path.open("rb"), as_attachment=True, filename=f"{folder}.{name}")


def shipped_file(folder: str, name: str) -> Path | None:
    """Find a file of a lab that came with the code; None for anything else."""
    home = Path(settings.SHIPPED_LABS_DIR) / folder
    if not FOLDER.fullmatch(folder) or name not in FILES or not (home / CARD).is_file():
        return None
    path = home / name
    return path if path.is_file() and not path.is_symlink() else None


def lab_page() -> dict[str, Any]:
    """Gather the section, made at most every few seconds; what nobody ran yet is None or empty."""
    return cached(f"lab-page:{get_language()}", LOOK_EVERY_S, _page)


def _page() -> dict[str, Any]:
    found = made()
    climb = trajectory(found.grpo)
    return {
        "made": found,
        "facts": tuple(_facts(found)),
        "learned": (*_copied(found.sft), *([climb] if climb is not None else [])),
        "rivals": rivals(found.lab.card.name if found.lab is not None else None),
        "same_markets": same_markets(found.grpo),
        "shelves": shelves(found),
    }


def made() -> Made:
    """Find the lab of the first published run of GRPO, shipped ones first, and its runs.

    Where no lab names such a run, the newest published runs stand alone.
    """
    published = {run.pk: run for run in published_runs((SFT, GRPO))}
    here = list(labs())
    lab = next((one for one in here if _kind(published, one) == GRPO), None)
    grpo = published[lab.card.made_by] if lab is not None else _newest(published, GRPO)
    before = published.get(grpo.after_id or "") if grpo is not None else None
    sft = before if before is not None else _newest(published, SFT)
    copied = next((one for one in here if sft is not None and one.card.made_by == sft.pk), None)
    return Made(sft, grpo, lab, copied)


def _kind(published: dict[str, Run], lab: LabCheckpoint) -> str:
    run = published.get(lab.card.made_by)
    return "" if run is None else run.kind


def _newest(published: dict[str, Run], kind: str) -> Run | None:
    return next((run for run in reversed(published.values()) if run.kind == kind), None)


def _facts(made: Made) -> Iterator[Fact]:
    copied: dict[str, Any] = (made.sft.summary or {}) if made.sft else {}
    practised: dict[str, Any] = (made.grpo.summary or {}) if made.grpo else {}
    yield from count_fact(say("parameters"), copied.get("parameters"))
    yield from count_fact(say("pieces_of_words_it_knows"), copied.get("vocabulary"))
    yield from count_fact(say("lessons"), copied.get("lessons"))
    yield from count_fact(say("kept_step_of_grpo"), practised.get("kept_step"))
    before = practised.get("before") or copied.get("held_out")
    after = practised.get("held_out")
    if isinstance(before, dict):
        yield from mean_fact(say("return_after_sft_unseen_markets"), before, "return")
    if isinstance(after, dict):
        yield from mean_fact(say("return_after_grpo_unseen_markets"), after, "return")
        yield from rate_fact(say("answers_that_can_be_read"), after.get("valid_json"))
        yield from rate_fact(say("answers_within_the_rules"), after.get("legal"))


def _copied(sft: Run | None) -> Iterator[Chart]:
    # What has fewer than two values is left out.
    if sft is None:
        return
    series = read_series(lifecycle.folder_of(sft) / METRICS)
    for metric, title in SFT_CURVES:
        if len(series.get(metric, [])) > 1:
            yield chart(series[metric], gettext(title), f"{sft.kind}-{metric}")


def trajectory(grpo: Run | None) -> Chart | None:
    """Draw the return on unseen markets, check after check; None where there are fewer than two."""
    points = checked(grpo)
    if len(points) < 2:
        return None
    return chart(points, say("return_on_unseen_markets"), "lab-trajectory")


def checked(grpo: Run | None) -> list[Point]:
    """Read the mean returns by which the kept step was chosen, by step."""
    told = (grpo.summary or {}).get("checks") if grpo is not None else None
    found = [_check(step, one) for step, one in told.items()] if isinstance(told, dict) else []
    return sorted(point for point in found if point is not None)


def _check(step: str, told: Any) -> Point | None:
    found = told.get("return") if isinstance(told, dict) else None
    mean = found.get("mean") if isinstance(found, dict) else None
    if not step.isdecimal() or not isinstance(mean, int | float) or not math.isfinite(mean):
        return None
    return float(step), float(mean)


def rivals(name: str | None) -> dict[str, Any] | None:
    """Compare a lab with everybody that played beside it; None before an evaluation is published.

    Without a ``name``, or one that did not play: the best trained one. ``apart`` compares it.
    """
    found = newest("default", trained=True) or newest("default", small=True, trained=True)
    if found is None:
        return None
    trained = [row for row in found.rows if row.kind == MODEL]
    best = max(trained, key=lambda row: row.mean.reward.mean if row.mean.reward else -1.0)
    lab = next((row for row in trained if row.policy == name), best)
    return {
        "board": baselines_of(found, "lab"),
        "lab": said_title(lab.title),
        "version": lab.version,
        "apart": _apart(found, lab.policy),
    }


def _apart(found: Published, lab: str) -> tuple[Gap, ...]:
    titles = {row.policy: row.title for row in found.rows}
    told: list[tuple[float, Gap]] = []
    for one in found.differences:
        if one.suite != MEAN or one.reward is None or lab not in (one.first, one.second):
            continue
        sign = 1 if one.first == lab else -1
        other = said_title(titles[one.second if sign > 0 else one.first])
        told.append((sign * one.reward.mean, gap_of(one.reward, RETURN, sign=sign, second=other)))
    return tuple(one for _, one in sorted(told, key=lambda pair: pair[0]))


def shelves(made: Made) -> tuple[Shelf, ...]:
    """List the labs that came with the code, then the runs."""
    found = [_lab_shelf(one) for one in (made.lab, made.before) if one is not None and _ships(one)]
    found += [_run_shelf(run) for run in made.runs]
    return tuple(shelf for shelf in found if shelf.files)


def _ships(lab: LabCheckpoint) -> bool:
    return lab.folder.parent == Path(settings.SHIPPED_LABS_DIR)


def _lab_shelf(lab: LabCheckpoint) -> Shelf:
    folder = lab.folder.name
    files = tuple(
        File(name, reverse("lab-file", args=[folder, name]), path.stat().st_size)
        for name in FILES
        if (path := shipped_file(folder, name)) is not None
    )
    return Shelf(f"{lab.card.title}, {lab.version}", "", files)


def _run_shelf(run: Run) -> Shelf:
    files = tuple(
        File(one.name, reverse("run-file", args=[run.pk, one.name]), one.size)
        for one in artifacts_of(run)
    )
    return Shelf(f"{gettext(run.what.title)}: {run.name}", reverse("run", args=[run.pk]), files)
