"""Published findings and the same counted here: the receipt of ``bazaarbatna reproduce``."""

from collections.abc import Iterator
from typing import Any

import msgspec
from django.urls import reverse
from django.utils.translation import get_language, gettext

from bazaarbatna.commands.reproduce import Figure, Receipt, words
from bazaarbatna.intervals import Interval
from bazaarbatna.players.simple import rule_buyer
from negotiation.ttl_cache import cached
from training.receipts.figures import SHARE, figure
from training.receipts.views import REPRODUCED
from training.runs import lifecycle

LOOK_EVERY_S = 600.0


def reproduced() -> tuple[dict[str, Any], ...]:
    """Read each study's words and ``lines`` (who, where, what, figure); nothing without receipt."""
    return cached(f"reproduced:{get_language()}", LOOK_EVERY_S, lambda: tuple(_studies()))


def _studies() -> Iterator[dict[str, Any]]:
    path = lifecycle.RECEIPTS / f"{REPRODUCED}.json"
    if not path.is_file():
        return
    receipt = msgspec.json.decode(path.read_bytes(), type=Receipt)
    for name, figures in receipt.studies.items():
        said = words()[name]
        told = {key: gettext(said[key]) for key in ("title", "theirs", "ours", "differs")}
        lines = [_line(one, f"#/studies/{name}/{n}") for n, one in enumerate(figures)]
        yield {**told, "source": said["source"], "lines": lines}


def _line(one: Figure, pointer: str) -> dict[str, Any]:
    found = Interval(one.mean, one.low, one.high)
    return {
        "who": gettext(rule_buyer(f"rules:{one.who}").title) if one.who else "",
        "where": gettext(words()[one.where.partition("@")[0]]["title"]),
        "what": gettext(words()[one.key]["title"]),
        "figure": figure(found, SHARE, reverse("table", args=[REPRODUCED]) + pointer),
    }
