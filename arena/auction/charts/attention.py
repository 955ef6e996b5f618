"""Whom the seller looks at: one column per round, divided among the buyers."""

from django.utils.safestring import SafeString

from arena.auction.charts.course import Attention, Course
from arena.auction.charts.lanes import WIDTH, Scale, scale_of
from negotiation.charts.svg import element, labelled

HEIGHT = 56.0


def attention_strip(course: Course) -> SafeString:
    """Draw the seller's attention under the strips; rounds in which it is sealed stay empty."""
    scale = scale_of(course)
    return labelled(
        {"class": "lane-strip attention-strip", "viewBox": f"0 0 {WIDTH:g} {HEIGHT:g}"},
        "attention",
        "The seller's attention, round by round",
        attention_words(course),
        *(_column(course, scale, seen) for seen in course.attention),
    )


def attention_words(course: Course) -> str:
    """Return the shares in words."""
    told = []
    for seen in course.attention:
        if seen.shares is None:
            continue
        shares = [
            f"{lane.name} {seen.shares.get(lane.actor, 0.0):.0%}"
            for lane in course.lanes
            if seen.shares.get(lane.actor)
        ]
        told.append(f"Round {seen.round}: {', '.join(shares) or 'nobody'}.")
    return " ".join(told) or "Not open yet."


def _column(course: Course, scale: Scale, seen: Attention) -> SafeString:
    left = scale.left(seen.round) + 4
    pieces, y = [], HEIGHT
    for lane in course.lanes:
        share = (seen.shares or {}).get(lane.actor, 0.0)
        if not share:
            continue
        tall = share * HEIGHT
        y -= tall
        box = {"x": left, "y": y, "width": scale.cell - 8, "height": max(tall - 1.5, 0.5)}
        pieces.append(
            element(
                "rect",
                {"class": f"of-{lane.actor}", **box},
                element("title", {}, f"Round {seen.round}: {lane.name} {share:.0%}"),
            )
        )
    return element("g", {"data-seq": seen.seq}, *pieces)
