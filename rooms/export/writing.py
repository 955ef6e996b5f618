"""Writes an export into a folder in one pass: no more than a few hundred games are in memory."""

import datetime as dt
import hashlib
import json
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, Final, Literal, get_args

import msgspec
from django.utils import timezone

from negotiation.code_version import code_version
from replays.transfer.signing import STUDY as STUDY_PREFIX
from replays.transfer.signing import signature_over
from rooms.debrief.games import SIDES
from rooms.export import rows
from rooms.export.columns import (
    Table,
    codebook_csv,
    codebook_markdown,
    codebook_rows,
    csv_line,
    json_line,
    values_of,
)
from rooms.export.questions import ANSWERS, BELIEFS, question_rows
from rooms.export.rows import LeftOutCounts, Person, PlayedGame, Promises
from rooms.export.tables import (
    EVENTS,
    GAMES,
    PARTICIPANTS,
    PAY,
    PERSON_GAMES,
    PROMPTS,
    TABLES,
    TURNS,
)
from rooms.models import Room, Study
from rooms.pages import csv_row
from rooms.study.promises import promise_now

FORMAT = "bazaarbatna.study/1"
STUDY = "study.json"
CODEBOOK = ("codebook.csv", "codebook.md")
STARTERS = Path(__file__).with_name("starters")
SCRIPTS = ("analyse.py", "analyse.R")
"""What begins an analysis: goes along as it is."""
SUMS = "SHA256SUMS"
APART = PAY.files
"""Files that a deposit for everybody leaves out; the sums and the signature are of all of them."""
SIGNATURE = "SIGNATURE.json"
"""The signature of this house over the sums; no sum of its own, since it comes after them."""
RULE = (
    "A game is here when it has ended, everybody who sat in it consented, and nobody in it "
    "withdrew to whom the deletion of games was promised."
)


Times = Literal["exact", "minute", "day"]
TIMES: Final[tuple[Times, ...]] = get_args(Times)


class NoStudy(Exception):
    """Only a room with a study has data to take away: nobody in another one consented to it."""


class _Files:
    """The open files of the tables, and what is counted and summed of each."""

    def __init__(self, folder: Path, stack: ExitStack, times: Times) -> None:
        self._times = times
        self._open: dict[str, IO[str]] = {}
        self.rows = {table.name: 0 for table in TABLES}
        for name in (name for table in TABLES for name in table.files):
            file = (folder / name).open("w", encoding="utf-8", newline="")
            self._open[name] = stack.enter_context(file)
        for table in TABLES:
            self._open[f"{table.name}.csv"].write(csv_row(table.header))

    def write(self, table: Table[Any], row: Any) -> None:
        self.rows[table.name] += 1
        values = [
            _coarse(value, self._times) if isinstance(value, dt.datetime) else value
            for value in values_of(table, row)
        ]
        self._open[f"{table.name}.csv"].write(csv_line(table, values))
        if "jsonl" in table.formats:
            self._open[f"{table.name}.jsonl"].write(json_line(table, values))


def study_of(room: Room) -> Study:
    """Return the study of a room, or raise NoStudy."""
    study = Study.objects.filter(room=room).first()
    if study is None:
        raise NoStudy
    return study


def export_to(room: Room, folder: Path, *, times: Times = "exact") -> dict[str, Any]:
    """Write all files of a room's study; return what ``study.json`` says. Raises NoStudy.

    ``times``: how much of each moment is written, for others have lists of who came when.
    """
    study = study_of(room)
    promises = Promises(study)
    folder.mkdir(parents=True, exist_ok=True)
    left, policies = LeftOutCounts(), set[tuple[str, str]]()
    with ExitStack() as stack:
        files = _Files(folder, stack, times)
        _write_games(files, room, promises, left, policies)
        for given in rows.answers(room, promises):
            files.write(ANSWERS, given)
    left.people_without_consent = room.members.filter(consented_at__isnull=True).count()
    told = _study(room, study, left)
    told |= {"times": times, "rows": files.rows, "versions": _versions(policies)}
    _write(folder / STUDY, json.dumps(told, ensure_ascii=False, indent=2) + "\n")
    book = codebook_rows(TABLES) + question_rows(study.design)
    _write(folder / CODEBOOK[0], codebook_csv(book))
    _write(folder / CODEBOOK[1], _codebook_head(room) + codebook_markdown(TABLES, book))
    for name in SCRIPTS:
        _write(folder / name, (STARTERS / name).read_text(encoding="utf-8"))
    _write(folder / SUMS, "".join(f"{sum_of(folder / name)}  {name}\n" for name in file_names()))
    own = msgspec.to_builtins(signature_over(STUDY_PREFIX + (folder / SUMS).read_bytes(), "study"))
    _write(folder / SIGNATURE, json.dumps(own, indent=2) + "\n")
    return told


def file_names() -> tuple[str, ...]:
    """Name every file of an export but the sums and their signature, in order."""
    return (STUDY, *CODEBOOK, *SCRIPTS, *(name for table in TABLES for name in table.files))


def sum_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _coarse(moment: dt.datetime, times: Times) -> dt.datetime | dt.date:
    if times == "day":
        return moment.date()
    return moment.replace(second=0, microsecond=0) if times == "minute" else moment


def _write_games(
    files: _Files,
    room: Room,
    promises: Promises,
    left: LeftOutCounts,
    policies: set[tuple[str, str]],
) -> None:
    played: dict[str, int] = {}
    missed: dict[str, int] = {}
    for game in rows.finished_games(room, promises, left, missed):
        files.write(GAMES, game)
        for table, details in _details(game):
            files.write(table, (game, *details))
        for member in game.members:
            played[member.pk] = played.get(member.pk, 0) + 1
        policies |= {game.policy("seller"), game.policy("buyer")}
    for member in rows.members(room):
        counts = played.get(member.pk, 0), missed.get(member.pk, 0)
        files.write(PARTICIPANTS, Person(member, *counts, promises))
        if member.external_id and promises.allows("external_id", member):
            files.write(PAY, member)


def _details(game: PlayedGame) -> Iterator[tuple[Table[Any], tuple[Any, ...]]]:
    """Return the rows of a game in other tables than its own, beside the game itself."""
    yield from ((TURNS, (number, line)) for number, line in game.spoken)
    yield from ((EVENTS, (line,)) for line in game.lines)
    yield from ((BELIEFS, (believed,)) for believed in game.beliefs)
    yield from ((PROMPTS, (asked,)) for asked in game.prompts)
    yield from ((PERSON_GAMES, (side,)) for side in SIDES if game.member(side) is not None)


def _study(room: Room, study: Study, left: LeftOutCounts) -> dict[str, Any]:
    consent = promise_now(study)
    return {
        "format": FORMAT,
        "exported_at": timezone.now().isoformat(timespec="seconds"),
        "name": room.name,
        "plan": room.plan,
        "design": study.design,
        "seed_of_arms": str(study.seed),
        "is_pilot_now": study.is_pilot,
        "keep_until": room.keep_until.isoformat() if room.keep_until else None,
        "rule": RULE,
        # What it says now; what each person agreed to stands in participants.
        "consent_keeps": sorted(consent.keeps),
        "withdrawal_deletes": sorted(consent.withdrawal),
        "left_out": {name: getattr(left, name) for name in left.__struct_fields__},
    }


def _versions(policies: set[tuple[str, str]]) -> dict[str, Any]:
    found: dict[str, list[str]] = {}
    for name, its_version in sorted(policies):
        if name:
            found.setdefault(name, []).append(its_version)
    return {"site": version("bazaarbatna"), "code": code_version(), "policies": found}


def _codebook_head(room: Room) -> str:
    name = " ".join(room.name.split())
    return (
        f"# Codebook: {name}\n\n"
        "CSV is UTF-8 with a head line. A text cell that a spreadsheet could take for a formula\n"
        "has an apostrophe before it; the JSON files hold the same text as it was. An empty cell\n"
        f"means that there is nothing to say. {RULE}\n"
    )


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")
