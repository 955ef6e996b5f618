"""Trace strips: a strip of paper for each buyer, torn off in the round in which it left.

Every piece carries ``data-seq``, the event it shows; pages hide what is later than the reader's
moment. All strips of a match share their scales; the attention of the seller lies below them.
"""

import msgspec
from django.utils.safestring import SafeString

from arena.auction.charts.course import (
    LEFT,
    WON,
    Attention,
    BidMark,
    Course,
    Lane,
    lane_words,
    mark_words,
)
from arena.auction.charts.glyphs import cross, envelope, seat_shape, signal_sign
from arena.words import say
from bazaarbatna.money import most_text, rupees_text
from negotiation.charts.svg import closed, element, labelled, line

WIDTH, HEIGHT = 720.0, 76.0
LETTER = 24.0
"""Size of the numbers of the axis: legible when 720 units are 320 CSS pixels."""
FIRST_COLUMNS, FEWEST_COLUMNS = 8, 6
"""Rounds that the strips of a live match begin with, and that those of a finished one keep."""
TEAR = 7.0
"""Depth of the torn edge in user units."""


class Scale(msgspec.Struct, frozen=True):
    """Maps rounds and rupees to user units; the same for all strips of a match."""

    columns: int
    low: float
    high: float

    @property
    def cell(self) -> float:
        """Width of a round."""
        return WIDTH / self.columns

    def left(self, number: int) -> float:
        """Where a round begins."""
        return (number - 1) * self.cell

    def middle(self, number: int) -> float:
        """Where a round has its middle."""
        return (number - 0.5) * self.cell

    def y(self, price: float) -> float:
        """Place a price in rupees."""
        share = (price - self.low) / (self.high - self.low)
        return HEIGHT - 20 - (HEIGHT - 32) * min(max(share, 0.0), 1.0)


def scale_of(course: Course) -> Scale:
    """Fit the strips to a match: from the opening ask down to the lowest bid."""
    bids = [mark.price for lane in course.lanes for mark in lane.marks if mark.price is not None]
    lows = [course.opening_ask * 0.55, *bids]
    if course.reservation is not None:
        lows.append(course.reservation)
    return Scale(columns_of(course), min(lows) * 0.97, course.opening_ask)


def columns_of(course: Course) -> int:
    """Return how many rounds the strips have room for: few at first, so that bids are large."""
    if course.ended_seq:
        return max(course.rounds, FEWEST_COLUMNS)
    return max(FIRST_COLUMNS, min(course.asks[-1].round + 1, course.max_rounds))


def lane_strip(course: Course, lane: Lane) -> SafeString:
    """Draw one buyer's strip."""
    scale = scale_of(course)
    marks = {mark.round: mark for mark in lane.marks}
    parts = [_rest(scale)]
    parts += [
        _empty_cell(scale, ask.round, ask.seq)
        for ask in course.asks
        if _is_there(lane, ask.round) and ask.round <= scale.columns
    ]
    parts += [_cell(course, scale, lane, mark) for mark in marks.values()]
    parts += _budget(course, scale, lane)
    return labelled(
        {"class": "lane-strip", "viewBox": f"0 0 {WIDTH:g} {HEIGHT:g}"},
        lane.actor,
        say("who_round_by_round", who=lane.name),
        lane_words(course, lane) or say("no_envelope_opened_yet"),
        *parts,
    )


def rounds_axis(course: Course) -> SafeString:
    """Draw the numbers of the rounds above the strips."""
    scale = scale_of(course)
    numbers = [
        element(
            "text",
            {"x": scale.middle(number), "y": LETTER * 0.9, "text-anchor": "middle"},
            str(number),
        )
        for number in range(1, scale.columns + 1)
    ]
    box = f"0 0 {WIDTH:g} {LETTER * 1.15:g}"
    return element(
        "svg",
        {"class": "lane-axis", "viewBox": box, "font-size": LETTER, "aria-hidden": "true"},
        *numbers,
    )


def _is_there(lane: Lane, number: int) -> bool:
    gone = [mark.round for mark in lane.marks if mark.action == "walk"]
    return not gone or number <= gone[0]


def _rest(scale: Scale) -> SafeString:
    y = HEIGHT - 18
    dots = [f"M{scale.middle(number):.1f} {y:.1f}h0.1" for number in range(1, scale.columns + 1)]
    return element("path", {"class": "lane-rest", "d": "".join(dots)})


def _empty_cell(scale: Scale, number: int, seq: int) -> SafeString:
    x = scale.left(number)
    box = {"x": x + 1.5, "y": 1.5, "width": scale.cell - 3, "height": HEIGHT - 3, "rx": 4}
    return element("rect", {"class": "lane-empty", "data-seq": seq, **box})


def _cell(course: Course, scale: Scale, lane: Lane, mark: BidMark) -> SafeString:
    number = mark.round
    won = lane.fate == WON and number == course.rounds
    words = mark_words(course, mark)
    parts = [
        element(
            "title", {}, say("who_round_number_told", who=lane.name, number=number, told=words)
        ),
        _paper(scale, number, torn=mark.action == "walk"),
        *_ask_line(course, scale, number),
        *_bid(scale, lane, mark),
    ]
    if mark.signal:
        parts.append(signal_sign(mark.signal, scale.middle(number), HEIGHT - 9, 6))
    cells = [element("g", {"class": "lane-cell", "data-seq": mark.seq}, *parts)]
    if won:
        cells.append(_stamp(course, scale, lane, number))
    return element("g", {}, *cells)


def _paper(scale: Scale, number: int, *, torn: bool) -> SafeString:
    left, right = scale.left(number), scale.left(number + 1)
    points = [(left, 0.0), (right, 0.0)]
    if torn:
        right = scale.middle(number) + scale.cell * 0.3
        teeth = range(9)
        points = [(left, 0.0)] + [
            (right + (TEAR if tooth % 2 else -TEAR) / 2, HEIGHT * tooth / 8) for tooth in teeth
        ]
    else:
        points.append((right, HEIGHT))
    points.append((left, HEIGHT))
    # Half a unit more: neighbouring cells of one strip must not show a seam.
    points = [(x + 0.4 if x == right and not torn else x, y) for x, y in points]
    return element("path", {"class": "lane-paper", "d": closed(points)})


def _ask_line(course: Course, scale: Scale, number: int) -> list[SafeString]:
    y = scale.y(course.ask_in(number))
    before = scale.y(course.ask_in(number - 1)) if number > 1 else y
    path = line(
        [(scale.left(number), before), (scale.left(number), y), (scale.left(number + 1), y)]
    )
    return [element("path", {"class": "lane-ask", "d": path})]


def _bid(scale: Scale, lane: Lane, mark: BidMark) -> list[SafeString]:
    number, x = mark.round, scale.middle(mark.round)
    if mark.action == "walk":
        return [cross(x - scale.cell * 0.05, HEIGHT / 2 - 6, 7)]
    if mark.closed:
        return [envelope(x, HEIGHT / 2 - 6, 12)]
    if mark.price is None:
        return []
    y, base = scale.y(mark.price), HEIGHT - 18
    left, right = scale.left(number), scale.left(number + 1)
    area = closed([(left, y), (right + 0.4, y), (right + 0.4, base), (left, base)])
    top = line([(left, y), (right, y)])
    drawn = [
        element("path", {"class": "lane-area", "d": area}),
        element("path", {"class": "lane-level", "d": top}),
    ]
    if mark.action != "hold":
        shape = seat_shape(lane.place, x, y, 7)
        drawn.append(element("path", {"class": "lane-mark", "d": shape}))
    return drawn


def _stamp(course: Course, scale: Scale, lane: Lane, number: int) -> SafeString:
    x, y = scale.middle(number), HEIGHT / 2 - 6
    tick = line([(x - 9, y), (x - 2, y + 8), (x + 10, y - 9)])
    price = "" if lane.won is None else rupees_text(lane.won, course.currency)
    box = {"x": scale.left(number), "y": 0, "width": scale.cell, "height": HEIGHT}
    return element(
        "g",
        {"class": "lane-stamp", "data-seq": course.sold_seq},
        element("title", {}, say("who_wins_for_price", who=lane.name, price=price)),
        element("rect", {"class": "lane-won", **box}),
        element("path", {"class": "lane-tick", "d": tick}),
    )


def _budget(course: Course, scale: Scale, lane: Lane) -> list[SafeString]:
    if lane.budget is None or not lane.marks:
        return []
    y = scale.y(lane.budget)
    last = lane.marks[-1].round
    right = scale.left(last + 1) if lane.fate != LEFT else scale.middle(last)
    budget = most_text(lane.budget, course.currency)
    return [
        element(
            "g",
            {"class": "lane-budget", "data-seq": course.ended_seq},
            element("title", {}, say("who_s_budget_was_budget", who=lane.name, budget=budget)),
            element("path", {"d": f"M0 {y:.1f}H{right:.1f}"}),
        )
    ]


ATTENTION_HEIGHT = 56.0


def attention_strip(course: Course) -> SafeString:
    """Draw the seller's attention under the strips; rounds in which it is sealed stay empty."""
    scale = scale_of(course)
    return labelled(
        {"class": "lane-strip attention-strip", "viewBox": f"0 0 {WIDTH:g} {ATTENTION_HEIGHT:g}"},
        "attention",
        say("the_seller_s_attention_round_by_round"),
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
        told.append(
            say("round_number_told", number=seen.round, told=", ".join(shares) or say("nobody"))
        )
    return " ".join(told) or say("not_open_yet")


def _column(course: Course, scale: Scale, seen: Attention) -> SafeString:
    left = scale.left(seen.round) + 4
    pieces, y = [], ATTENTION_HEIGHT
    for lane in course.lanes:
        share = (seen.shares or {}).get(lane.actor, 0.0)
        if not share:
            continue
        tall = share * ATTENTION_HEIGHT
        y -= tall
        box = {"x": left, "y": y, "width": scale.cell - 8, "height": max(tall - 1.5, 0.5)}
        pieces.append(
            element(
                "rect",
                {"class": f"of-{lane.actor}", **box},
                element(
                    "title",
                    {},
                    say("round_number_told_2", number=seen.round, told=f"{lane.name} {share:.0%}"),
                ),
            )
        )
    return element("g", {"data-seq": seen.seq}, *pieces)
