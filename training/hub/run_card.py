"""What another machine has to know of a run to go on with it."""

import re
from pathlib import Path
from typing import Any, Literal

import msgspec

from negotiation.secret_values import scrub_json
from training.hub.artifacts import CARD
from training.hub.errors import NotAllowed
from training.models import KINDS, Run

RUN_ID = re.compile(r"\d{8}-\d{6}_[a-z0-9][a-z0-9-]{0,50}")


class RunCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A run without its files; ``after`` is the run whose model it starts from, or ""."""

    id: str
    kind: str
    name: str
    config: dict[str, Any]
    seeds: dict[str, Any]
    total: int
    after: str = ""
    format: Literal["run@1"] = "run@1"

    def to_json(self) -> bytes:
        """Write it as people can read it."""
        facts = scrub_json(msgspec.structs.asdict(self))
        return msgspec.json.format(msgspec.json.encode(facts), indent=1)


def card_of(run: Run) -> RunCard:
    """Describe a run."""
    return RunCard(
        id=run.pk,
        kind=run.kind,
        name=run.name,
        config=run.config,
        seeds=run.seeds,
        total=run.total,
        after=run.after_id or "",
    )


def read_card(folder: Path) -> RunCard:
    """Read the card of a run that was fetched.

    Raises:
        NotAllowed: there is none, or it is not one of ours.
    """
    path = folder / CARD
    try:
        card = msgspec.json.decode(path.read_bytes(), type=RunCard)
    except OSError:
        raise NotAllowed(f"There is no {CARD} of this run in the repository.") from None
    except msgspec.DecodeError as wrong:
        raise NotAllowed(f"{CARD} cannot be read: {wrong}.") from wrong
    check_id(card.id)
    if card.after:
        check_id(card.after)
    if card.kind not in KINDS or card.total < 0:
        raise NotAllowed(f"{CARD} describes a {card.kind[:40]!r}, which is no stage of training.")
    return card


def check_id(run_id: str) -> str:
    """Give the id of a run, which is the name of its folder too.

    Raises:
        NotAllowed: it could be something else.
    """
    if not RUN_ID.fullmatch(run_id):
        raise NotAllowed(f"{run_id[:120]!r} is no run, like 20261121-101500_sft.")
    return run_id
