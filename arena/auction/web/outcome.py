"""The sheet after a match: who won, what was sealed, and what the log says about it."""

import functools
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import msgspec
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from arena.auction.charts.course import Course, Lane, lane_words
from arena.auction.charts.glyphs import cross
from arena.auction.web.game import AUCTION
from arena.auction.web.orders import PERSON, persona_word
from arena.auction.web.records import event_from
from arena.auction.web.what_if import Better, better_move, remarks_in_words
from arena.models import Match
from arena.words import say
from bazaarbatna.auction.events import Bid, action_of
from bazaarbatna.bargain.quantities import to_rupees
from bazaarbatna.money import least_text, most_text, rupees_text
from negotiation.bargain.verdict import Verdict, verdict_of
from negotiation.bargain.web.bubbles import Frame
from negotiation.charts.share_bar import share_bar
from negotiation.charts.svg import element, labelled, round_ticks, text_width
from negotiation.models import EventRow, Game

WIDTH, HEIGHT, LETTER = 340.0, 190.0, 13.0
TOP, BOTTOM = 22.0, HEIGHT - 24.0


def secret_picture(course: Course, lane: Lane) -> SafeString:
    """Draw one buyer of a finished match, in rupees by round; all of a match share the axis."""
    assert lane.budget is not None
    assert course.reservation is not None
    most = max(course.opening_ask, *(one.budget or 0.0 for one in course.lanes))
    ticks = round_ticks(0, most, 6)
    left = text_width(rupees_text(ticks[-1], course.currency), LETTER) + 8
    cell = (WIDTH - left) / max(course.rounds, 1)

    def y(price: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * price / ticks[-1]

    def across(kind: str, price: float) -> SafeString:
        return element("path", {"class": kind, "d": f"M{left:.1f} {y(price):.1f}H{WIDTH:g}"})

    parts = []
    for tick in ticks:
        at = {"class": "secret-tick", "x": left - 6, "y": y(tick) + 4, "text-anchor": "end"}
        parts += [
            across("secret-grid", tick),
            element("text", at, rupees_text(tick, course.currency)),
        ]
    for mark in lane.marks:
        x = left + cell * (mark.round - 0.5)
        number = {"class": "secret-tick", "x": x, "y": HEIGHT - 6, "text-anchor": "middle"}
        parts.append(element("text", number, str(mark.round)))
        if mark.action == "walk":
            parts.append(cross(x, BOTTOM - 12, 6))
        elif mark.price is not None:
            wide = min(cell * 0.7, 34)
            top = y(mark.price)
            box = {"x": x - wide / 2, "y": top, "width": wide, "height": BOTTOM - top, "rx": 2}
            won = " is-won" if lane.won is not None and mark.round == course.rounds else ""
            parts.append(element("rect", {"class": f"secret-bid{won}", **box}))
    budget, least = (
        most_text(lane.budget, course.currency),
        least_text(course.reservation, course.currency),
    )
    words = {"class": "secret-words", "x": WIDTH, "y": y(lane.budget) - 5, "text-anchor": "end"}
    parts += [
        across("secret-least", course.reservation),
        across("secret-value", lane.budget),
        element("text", words, say("worth_price_to_it", price=budget)),
    ]
    return labelled(
        {"class": f"secret of-{lane.actor}", "viewBox": f"0 0 {WIDTH:g} {HEIGHT:g}"},
        f"secret-{lane.actor}",
        say("who_the_true_value_and_the_bids", who=lane.name),
        say(
            "worth_budget_bids_the_seller_needed_least",
            budget=budget,
            bids=lane_words(course, lane),
            least=least,
        ),
        *parts,
    )


def outcome_html(
    match: Match, frames: Sequence[Frame], course: Course, request: HttpRequest | None = None
) -> SafeString:
    """Return the sheet of a finished match, or an empty place for it.

    Without a ``request`` its forms need scripts, which know the page's token.
    """
    return render_to_string("arena/_outcome.html", _outcome_of(match, frames, course), request)


def _outcome_of(match: Match, frames: Sequence[Frame], course: Course) -> dict[str, Any]:
    ended = frames[-1]["event"]
    if ended["kind"] != "ended":
        return {"ended": None, "course": course}
    deal = ended["outcome"] == "deal"
    return {
        "course": course,
        "ended": ended,
        "seq": frames[-1]["seq"],
        "tone": _tone(course, deal=deal),
        "headline": headline_of(ended, course),
        "verdict": seat_verdict(course, _told(ended, course)),
        "bar": share_bar(ended["seller_share"], 1 - ended["seller_share"]) if deal else "",
        "persona": persona_word(ended["opened"]["persona"]),
        "lanes": [
            (lane, pocket_words(course, lane), secret_picture(course, lane))
            for lane in course.lanes
        ],
        "remarks": remarks_in_words(match.game_id, frames[-1]["seq"], course),
        "again": again(match),
        "sat": course.own is not None,
        "listing": match.game.listing_id,
        "people": match.line_up.count(PERSON),
        "match": match,
        "seed": match.seed,
    }


def seat_verdict(course: Course, sentence: str = "") -> Verdict:
    """Judge what the reader has of a finished match; nothing is counted for who only watched."""
    own = course.own
    if own is None or own.budget is None or course.reservation is None:
        return Verdict(None, is_deal=False, sentence=sentence)
    deal, room = own.won is not None, own.budget > course.reservation
    found = verdict_of(1 - (own.share or 0.0), "buyer", deal=deal, room=room)
    return msgspec.structs.replace(found, sentence=sentence)


def _tone(course: Course, *, deal: bool) -> str:
    """Name the colour: green is for whoever got it, and for those who only watched."""
    lost = course.own is not None and course.own.won is None
    return "plain" if deal and lost else "deal" if deal else "walk"


def again(match: Match) -> str:
    """Return the address that fills in the form with this match's choices."""
    chosen = {"listing": match.game.listing_id or "", "persona": match.persona, "seed": match.seed}
    seats = [(f"seat_{number}", name) for number, name in enumerate(match.line_up, start=1)]
    return f"{reverse('arena')}?{urlencode({**chosen, **dict(seats)})}#start"


def better_words(game: Game, seat: int) -> dict[str, Any]:
    """Return what the one sentence about a person's best move is made of."""
    scenario = AUCTION.scenario_of(game.pk)
    better = _better_of(game.pk, seat)
    if isinstance(better, str):
        return {"known": better}
    currency = scenario.item.currency
    move = better.move
    return {
        "known": "better",
        "round": better.round,
        "action": action_of(move),
        "price": to_rupees(move.price) if isinstance(move, Bid) else None,
        "at": to_rupees(better.at),
        "at_once": better.at_once,
        "currency": currency,
    }


@functools.lru_cache(maxsize=512)
def _better_of(game_id: str, seat: int) -> Better | str:
    rows = EventRow.objects.filter(game=game_id).order_by("seq")
    events = [event_from(payload) for payload in rows.values_list("payload", flat=True)]
    return better_move(AUCTION.scenario_of(game_id), events, seat)


def pocket_words(course: Course, lane: Lane) -> str:
    """Return how a buyer's budget lies to the price that was paid."""
    if lane.budget is None or course.price is None:
        return ""
    left = lane.budget - course.price
    if lane.won is not None:
        return say("money_left_in_the_pocket", money=most_text(left, course.currency))
    if left > 0:
        return say("could_have_paid_money_more_than_the", money=most_text(left, course.currency))
    return say("the_price_passed_this_budget")


def headline_of(ended: Frame, course: Course) -> str:
    """Return in a few words who got it for how much."""
    winner = course.winner
    if winner is None:
        return say("nobody_bought_it")
    price = rupees_text(ended["price"], course.currency)
    if winner.you:
        return say("you_got_it_for_price", price=price)
    return say("who_got_it_for_price", who=winner.name, price=price)


def _told(ended: Frame, course: Course) -> str:
    number = ended["round"]
    asked = rupees_text(course.opening_ask, course.currency)
    told = {"asked": asked, "count": number}
    if course.winner is not None:
        return (
            ngettext(
                "%(asked)s was asked at the start; the hammer fell in the first round.",
                "%(asked)s was asked at the start; the hammer fell after %(count)s rounds.",
                number,
            )
            % told
        )
    if ended["outcome"] == "walk":
        return say("asked_was_asked_at_the_start_every", **told)
    return say("asked_was_asked_at_the_start_the", **told)
