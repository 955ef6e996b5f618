"""Everything the scrubbing page shows, rendered once; the browser only hides and shows."""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any

import msgspec
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_lazy

from bazaarbatna.bargain.theory import NASH
from negotiation.bargain.web.outcome import checked, theory_name
from negotiation.bargain.web.rendering import event_html
from negotiation.bargain.web.seats import Cast, replay_cast
from negotiation.charts.price_path import price_path
from negotiation.charts.share_bar import share_bar
from negotiation.models import Game
from replays.finished import theory_lines
from replays.ledger.page import ledger_page
from replays.player.narration import why_no_deal
from replays.player.steps import Step, step_at, steps_of
from replays.wording import wording_of

# In milliseconds a step.
SPEEDS: tuple[tuple[Any, int], ...] = (
    (gettext_lazy("Slow"), 3000),
    (gettext_lazy("Normal"), 1600),
    (gettext_lazy("Fast"), 700),
)


class Said(msgspec.Struct, frozen=True):
    """One item of the transcript and the step it appears with."""

    seq: int
    step: int
    later: bool
    html: SafeString


def player(
    game: Game,
    frames: Sequence[dict[str, Any]],
    at: int | None,
    ghost: Sequence[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return what the replay page shows at an event, None for the end; ``ghost`` lies behind."""
    log = list(frames)
    cast = replay_cast(game)
    steps = steps_of(log, cast)
    here = steps[-1] if at is None else step_at(steps, at)
    opened, ended = log[0]["event"], log[-1]["event"]
    theory = theory_lines(log)
    middle = {gettext("Even split"): theory[NASH]} if theory else None
    return {
        "game": game,
        "cast": cast,
        "words": wording_of(game),
        "why_no_deal": why_no_deal(ended, opened["item"]["currency"], cast),
        "leaver": cast.name(ended["by"]) if ended["by"] else "",
        "currency": opened["item"]["currency"],
        "opened": opened,
        "ended": ended,
        "steps": steps,
        "here": here,
        "previous": steps[here.index - 1] if here.index else None,
        "next": steps[here.index + 1] if here.index + 1 < len(steps) else None,
        "transcript": _transcript(log, steps, here, game, cast),
        "chart": price_path(log, upto=here.last_seq, references=middle, ghost=ghost),
        "theory": tuple((theory_name(name), price) for name, price in theory.items()),
        "bar": share_bar(ended["seller_share"], ended["buyer_share"]),
        "kept": is_kept(ended),
        "certificate": checked(ended.get("certificate")),
        "speeds": SPEEDS,
        "ledger": ledger_page(game, log, cast),
    }


def is_kept(ended: dict[str, Any]) -> bool:
    """Whether the committed text of an ``ended`` event has the promised SHA-256."""
    found = hashlib.sha256(ended["committed_text"].encode()).hexdigest()
    return hmac.compare_digest(found, ended["commitment"])


def _transcript(
    log: list[dict[str, Any]], steps: tuple[Step, ...], here: Step, game: Game, cast: Cast
) -> list[Said]:
    said = []
    for frame in log:
        if frame["event"]["kind"] == "tells":
            continue  # the message they were read from shows them
        html = event_html(frame, log, game, cast=cast)
        if html:
            step = step_at(steps, frame["seq"])
            # The front end's template has escaped what people wrote.
            item = mark_safe(html)  # noqa: S308
            said.append(Said(frame["seq"], step.index, step.index > here.index, item))
    return said
