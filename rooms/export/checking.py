"""Reads an export again: sums, columns, counts, and every game played anew, byte for byte."""

import csv
import itertools
import json
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from bazaarbatna.bargain.episode import State, follow, start
from bazaarbatna.bargain.errors import GameError
from bazaarbatna.bargain.events import Ended, Event, TellsShown, settled
from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.bargain.sealed import committed_text
from bazaarbatna.cases import play
from negotiation.bargain.continuation import Crossroads, move_of
from negotiation.bargain.recorded import Record, Setting
from negotiation.cases.game import CASE, Dealt
from negotiation.errors import NoMoveHere
from negotiation.games.event_log import from_payload, to_payload
from negotiation.policies import UnknownPolicy, policy
from replays.transfer.signing import STUDY as STUDY_PREFIX
from replays.transfer.signing import BadSignature, Signature, is_ours
from replays.transfer.signing import check as check_signature
from rooms.export.tables import EVENTS, GAMES, TABLES
from rooms.export.writing import APART, CODEBOOK, FORMAT, SIGNATURE, STUDY, SUMS, file_names, sum_of


def moves_again(game: dict[str, Any], log: list[dict[str, Any]]) -> tuple[int, int]:
    """Return how many moves could be asked for again, and how many came out as they were.

    A policy is asked where it is here in the version that moved; people and models say what they
    said. After the first difference nothing is the same any more.
    """
    if game.get("case"):
        return 0, 0
    events = settled([from_payload(str(row["payload"]).encode()) for row in log])
    names = {side: str(game[f"{side}_policy"] or "") for side in ("buyer", "seller")}
    first = next((seq for seq, event in enumerate(events, start=1) if move_of(event)), 0)
    # The first move is the one that the line begins with: nobody is asked for it.
    again = frozenset(
        row["seq"]
        for row, event in zip(log, events, strict=True)
        if row["seq"] != first and _is_here(names.get(getattr(event, "actor", ""), ""), row)
    )
    if not again or not first:
        return 0, 0
    setting = msgspec.json.decode(str(game["scenario"]), type=Setting)
    record = Record(setting, events, names["buyer"], names["seller"], "sell", again)
    try:
        at = Crossroads(record, first)
        line = at.play(at.made)
    except NoMoveHere:
        return len(again), 0
    pairs = zip(line.events, events, strict=False)
    alike = next((place for place, (a, b) in enumerate(pairs, 1) if a != b), len(events) + 1)
    return len(again), sum(seq < alike for seq in again)


def _is_here(name: str, row: dict[str, Any]) -> bool:
    if not name or not row["backend"]:
        return False
    try:
        entry = policy(name)
    except UnknownPolicy:
        return False
    return (row["backend"], row["policy_version"]) == (entry.backend, entry.version)


class CheckResult(msgspec.Struct):
    """What was found: how much, and everything that is wrong (at most ``MOST_FAULTS`` of it).

    ``asked`` moves were made by a policy that is here in the same version; it was asked again, and
    ``same`` of them came out as they were. ``signer`` is the id of the key under the sums, "" where
    there is none; ``is_ours`` says whether it is one of this house.
    """

    games: int = 0
    events: int = 0
    rows: int = 0
    asked: int = 0
    same: int = 0
    signer: str = ""
    is_ours: bool = False
    faults: list[str] = []

    def fault(self, words: str) -> None:
        """Note what is wrong."""
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(words)


MOST_FAULTS = 50


def check(path: Path, *, ask: bool = False) -> CheckResult:
    """Check an export: a folder, or the zip as it was downloaded.

    ``ask``: let the policies that are here in the same version move again, too.
    """
    if path.is_dir():
        return _check(path, ask)
    with tempfile.TemporaryDirectory() as place:
        try:
            with zipfile.ZipFile(path) as packed:
                known = {SUMS, SIGNATURE, *file_names()}
                for member in packed.infolist():
                    name = Path(member.filename).name
                    if name in known:
                        (Path(place) / name).write_bytes(packed.read(member))
        except (OSError, zipfile.BadZipFile) as wrong:
            return CheckResult(faults=[f"{path.name}: {wrong}"])
        return _check(Path(place), ask)


def _check(folder: Path, ask: bool) -> CheckResult:
    found = CheckResult()
    if not _sums(folder, found):
        return found
    _signature(folder, found)
    told = json.loads((folder / STUDY).read_text(encoding="utf-8"))
    if told.get("format") != FORMAT:
        found.fault(f"{STUDY}: this program reads {FORMAT}, not {told.get('format')!r}.")
        return found
    _tables(folder, told, found)
    _games(folder, found, ask)
    return found


def _sums(folder: Path, found: CheckResult) -> bool:
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    except OSError as wrong:
        found.fault(f"{SUMS}: {wrong.strerror}.")
        return False
    said = {
        name: digest for digest, name in (line.split("  ", 1) for line in lines if "  " in line)
    }
    for name in file_names():
        if name not in said:
            found.fault(f"{SUMS}: {name} is not in it.")
        elif not (folder / name).is_file():
            if name not in APART:
                found.fault(f"{name}: it is missing.")
        elif sum_of(folder / name) != said[name]:
            found.fault(f"{name}: it was changed; its SHA-256 is another one.")
    needed = (name for name in file_names() if name not in APART)
    return all((folder / name).is_file() for name in needed)


def _signature(folder: Path, found: CheckResult) -> None:
    file = folder / SIGNATURE
    if not file.is_file():
        return
    try:
        own = msgspec.json.decode(file.read_bytes(), type=Signature)
        check_signature(own, STUDY_PREFIX + (folder / SUMS).read_bytes())
    except (msgspec.DecodeError, UnicodeError, BadSignature) as wrong:
        found.fault(f"{SIGNATURE}: it does not fit {SUMS}. {wrong}")
        return
    found.signer, found.is_ours = own.key, is_ours(own.public_key)


def _tables(folder: Path, told: dict[str, Any], found: CheckResult) -> None:
    with (folder / CODEBOOK[0]).open(encoding="utf-8", newline="") as file:
        book = {(row["table"], row["column"]) for row in csv.DictReader(file)}
    for table in TABLES:
        if not (folder / f"{table.name}.csv").is_file():
            continue
        with (folder / f"{table.name}.csv").open(encoding="utf-8", newline="") as file:
            header = next(csv.reader(file), [])
            count = count_rows(file)
        for name in header:
            if (table.name, name) not in book:
                found.fault(f"{table.name}.csv: the codebook does not know its column {name!r}.")
        if count != told["rows"].get(table.name):
            found.fault(f"{table.name}.csv: it has {count} rows, {STUDY} says another number.")
        if "jsonl" in table.formats and count != sum(1 for _ in _rows(folder, table.name)):
            found.fault(f"{table.name}.jsonl: it has another number of rows than the CSV.")
        found.rows += count


def count_rows(file: Iterable[str]) -> int:
    """Count the rows of a table, from the start of one; a cell may be a whole event.

    The csv module refuses cells of more than a tenth of a megabyte, by one limit for the process.
    """
    quotes = rows = 0
    for line in file:
        quotes += line.count('"')
        rows += quotes % 2 == 0
    return rows


def _games(folder: Path, found: CheckResult, ask: bool) -> None:
    logs = itertools.groupby(_rows(folder, EVENTS.name), key=lambda row: str(row["game"]))
    for game in _rows(folder, GAMES.name):
        name, rows = next(logs, ("", iter(())))
        if name != game["game"]:
            found.fault(f"game {game['game']}: its events are not in their place.")
            return
        log = list(rows)
        events = [str(row["payload"]) for row in log]
        why = _replay(game, events)
        if ask and not why:
            asked, same = moves_again(game, log)
            found.asked, found.same = found.asked + asked, found.same + same
        if why:
            found.fault(f"game {name}: {why}")
        elif len(events) != game["events"]:
            found.fault(f"game {name}: it has {len(events)} events, not {game['events']}.")
        found.games += 1
        found.events += len(events)
    if next(logs, None) is not None:
        found.fault("events.jsonl: it has games that games.jsonl does not have.")


def _replay(game: dict[str, Any], events: list[str]) -> str:
    """Play a game from what its players did; return what differs, "" where nothing does."""
    try:
        if game.get("case"):  # an export of before has no such column
            return _replay_case(game, events)
        scenario = msgspec.json.decode(str(game["scenario"]), type=Scenario)
        state, expected = start(scenario)
        for number, stored in enumerate(events, start=1):
            event = from_payload(stored.encode())
            state, expected, made = _step(state, expected, event)
            if to_payload(made).decode() != stored:
                return f"event {number} is another one when it is played again."
    except (msgspec.DecodeError, GameError, ValueError) as wrong:
        return f"it cannot be played again: {wrong}"
    if state.ended is None or expected:
        return "it does not end."
    told = _told(scenario, state.ended)
    others = [name for name, value in told.items() if game[name] != value]
    if others:
        return f"its {', '.join(others)} in games.jsonl do not follow from its events."
    return ""


def _replay_case(game: dict[str, Any], events: list[str]) -> str:
    dealt = msgspec.json.decode(str(game["scenario"]), type=Dealt)
    state, expected = CASE.start(dealt)
    for number, stored in enumerate(events, start=1):
        event = CASE.event_from(stored.encode())
        if not expected:
            seat, move = play.move_of(event) or ("", play.Move("walk"))
            state, expected = play.apply(state, seat, move)
        if to_payload(expected[0]).decode() != stored:
            return f"event {number} is another one when it is played again."
        expected = expected[1:]
    if state.ended is None or expected:
        return "it does not end."
    points = state.ended.points
    told = {"seller_points": points["a"], "buyer_points": points["b"]}
    others = [name for name, value in told.items() if game[name] != value]
    return f"its {', '.join(others)} in games.jsonl do not follow from its events." * bool(others)


def _told(scenario: Scenario, ended: Ended) -> dict[str, Any]:
    return {
        "outcome": ended.outcome,
        "price": None if ended.price is None else to_rupees(ended.price),
        "seller_share": ended.seller_share,
        "buyer_share": ended.buyer_share,
        "reservation": to_rupees(scenario.sealed.reservation),
        "budget": to_rupees(scenario.sealed.budget),
        "sealed_text": committed_text(scenario.sealed, scenario.salt),
    }


def _step(
    state: State, expected: tuple[Event, ...], event: Event
) -> tuple[State, tuple[Event, ...], Event]:
    before = expected
    state, expected = follow(state, expected, event)
    if isinstance(event, TellsShown) or not before:
        return state, expected, event
    return state, expected, before[0]


def _rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    with (folder / f"{name}.jsonl").open("rb") as file:
        for line in file:
            yield json.loads(line)
