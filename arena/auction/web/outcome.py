"""The sheet after a match: who won, what was sealed, and what the log says about it."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString

from arena.auction.charts.course import Course, Lane, fate_words
from arena.auction.web.orders import persona_word
from arena.models import Match
from negotiation.bargain.web.bubbles import Frame
from negotiation.charts.share_bar import share_bar
from negotiation.money import rupees_text


def outcome_html(match: Match, frames: Sequence[Frame], course: Course) -> SafeString:
    """Return the sheet of a finished match, or an empty place for it."""
    return render_to_string("arena/_outcome.html", _outcome_of(match, frames, course))


def _outcome_of(match: Match, frames: Sequence[Frame], course: Course) -> dict[str, Any]:
    ended = frames[-1]["event"]
    if ended["kind"] != "ended":
        return {"ended": None, "course": course}
    deal = ended["outcome"] == "deal"
    return {
        "course": course,
        "ended": ended,
        "seq": frames[-1]["seq"],
        "tone": "deal" if deal else "walk",
        "headline": headline_of(ended, course),
        "verdict": _verdict(ended, course),
        "bar": share_bar(ended["seller_share"], 1 - ended["seller_share"]) if deal else "",
        "persona": persona_word(ended["opened"]["persona"]),
        "lanes": [
            (lane, fate_words(course, lane), pocket_words(course, lane)) for lane in course.lanes
        ],
        "remarks": ended.get("remarks", []),
        "again": again(match),
        "seed": match.seed,
    }


def again(match: Match) -> str:
    """Return the address that fills in the form with this match's choices."""
    chosen = {"listing": match.game.listing_id or "", "persona": match.persona, "seed": match.seed}
    seats = [(f"seat_{number}", name) for number, name in enumerate(match.line_up, start=1)]
    return f"{reverse('arena')}?{urlencode({**chosen, **dict(seats)})}#start"


def pocket_words(course: Course, lane: Lane) -> str:
    """Return how a buyer's budget lies to the price that was paid."""
    if lane.budget is None or course.price is None:
        return ""
    left = lane.budget - course.price
    if lane.won is not None:
        return f"{rupees_text(left, course.currency)} left in the pocket"
    if left > 0:
        return f"could have paid {rupees_text(left, course.currency)} more than the winner did"
    return "the price passed its budget"


def headline_of(ended: Frame, course: Course) -> str:
    """Return in a few words who got it for how much."""
    winner = course.winner
    if winner is None:
        return "Nobody bought it"
    price = rupees_text(ended["price"], course.currency)
    return f"You got it for {price}" if winner.you else f"{winner.name} got it for {price}"


def _verdict(ended: Frame, course: Course) -> str:
    number = ended["round"]
    asked = rupees_text(course.opening_ask, course.currency)
    rounds = f"in {number} round{'' if number == 1 else 's'}"
    if course.winner is not None:
        return f"{asked} was asked at the start; the hammer fell {rounds}."
    why = "Every buyer left" if ended["outcome"] == "walk" else "The rounds ran out"
    return f"{why} {rounds}; {asked} was asked at the start."
