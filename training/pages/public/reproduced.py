"""Published findings and the same counted here: the receipt of ``bazaarbatna reproduce``."""

from collections.abc import Iterator

import msgspec
from django.urls import reverse
from django.utils.translation import get_language, gettext

from bazaarbatna.commands.reproduce import Figure, Receipt, words
from bazaarbatna.intervals import Interval
from bazaarbatna.players.simple import rule_buyer
from negotiation.ttl_cache import cached
from training.receipts.figures import SHARE
from training.receipts.figures import Figure as Shown
from training.receipts.figures import figure as shown
from training.receipts.views import REPRODUCED
from training.runs import lifecycle

LOOK_EVERY_S = 600.0


class Line(msgspec.Struct, frozen=True):
    """One number of ours: who bought, where, what is counted."""

    who: str
    where: str
    what: str
    figure: Shown | None


class Study(msgspec.Struct, frozen=True):
    """What others found, how it is counted here, our numbers, and what differs."""

    title: str
    source: str
    theirs: str
    ours: str
    differs: str
    lines: tuple[Line, ...]


def reproduced() -> tuple[Study, ...]:
    """Read the receipt and its words; nothing where there is none."""
    return cached(f"reproduced:{get_language()}", LOOK_EVERY_S, lambda: tuple(_studies()))


def _studies() -> Iterator[Study]:
    path = lifecycle.RECEIPTS / f"{REPRODUCED}.json"
    if not path.is_file():
        return
    receipt = msgspec.json.decode(path.read_bytes(), type=Receipt)
    for name, figures in receipt.studies.items():
        said = words()[name]
        lines = tuple(
            _line(one, f"#/studies/{name}/{number}") for number, one in enumerate(figures)
        )
        told = {key: gettext(said[key]) for key in ("title", "theirs", "ours", "differs")}
        yield Study(source=said["source"], lines=lines, **told)


def _line(one: Figure, pointer: str) -> Line:
    found = Interval(one.mean, one.low, one.high)
    receipt = reverse("table", args=[REPRODUCED]) + pointer
    where = gettext(words()[one.where.partition("@")[0]]["title"])
    who = gettext(rule_buyer(f"rules:{one.who}").title) if one.who else ""
    return Line(who, where, gettext(words()[one.key]["title"]), shown(found, SHARE, receipt))
