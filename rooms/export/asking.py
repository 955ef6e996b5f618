"""Lets the policies of an exported game move once more, from the export alone."""

from typing import Any

import msgspec

from bazaarbatna.bargain.events import settled
from negotiation.bargain.continuation import Crossroads, move_of
from negotiation.bargain.recorded import Record, Setting
from negotiation.errors import NoMoveHere
from negotiation.games.event_log import from_payload
from negotiation.policies import UnknownPolicy, policy


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
