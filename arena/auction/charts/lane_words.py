"""The numbers of the strips in words and as a table, for whoever cannot see them."""

from django.utils.safestring import SafeString

from arena.auction.charts.course import BidMark, Course, Lane
from negotiation.charts.svg import element
from negotiation.money import rupees_text

ACTIONS = {
    "offer": "bids {price}",
    "accept": "takes the ask, {price}",
    "hold": "holds {price}",
    "walk": "leaves",
    "in": "closes its envelope",
}


def mark_words(course: Course, mark: BidMark) -> str:
    """Return what an envelope held, in words."""
    if mark.action == "hold" and mark.price is None:
        words = "waits without a bid"
    else:
        price = "" if mark.price is None else rupees_text(mark.price, course.currency)
        words = ACTIONS[mark.action].format(price=price)
    return f"{words}, signals {mark.signal}" if mark.signal else words


def lane_words(course: Course, lane: Lane) -> str:
    """Return one buyer's whole match in a few sentences."""
    told = [f"Round {mark.round}: {mark_words(course, mark)}." for mark in lane.marks]
    return " ".join([*told, fate_words(course, lane)]).strip()


def fate_words(course: Course, lane: Lane) -> str:
    """Return how it ended for a buyer; empty while it is still there."""
    if lane.won is not None:
        return f"Won for {rupees_text(lane.won, course.currency)}."
    if lane.last is not None and lane.last.action == "walk":
        return f"Left in round {lane.last.round}."
    return "Did not get it." if course.outcome else ""


def fate_seq(course: Course, lane: Lane) -> int:
    """Return the event with which a buyer's fate was settled, 0 while it is open."""
    if lane.won is not None:
        return course.sold_seq
    if lane.last is not None and lane.last.action == "walk":
        return lane.last.seq
    return course.ended_seq


def bids_table(course: Course) -> SafeString:
    """Draw all bids as a table: a row for each round, a column for each buyer and the ask."""
    heads = ("Round", *(lane.name for lane in course.lanes), "Asked")
    rows = [_row(course, number) for number in range(1, course.rounds + 1)]
    return element(
        "table",
        {"class": "bids-table"},
        element("caption", {"class": "sr-only"}, f"Bids by round: {course.title}"),
        element("thead", {}, element("tr", {}, *(_head(head) for head in heads))),
        element("tbody", {}, *rows),
    )


def _head(text: str) -> SafeString:
    return element("th", {"scope": "col"}, text)


def _row(course: Course, number: int) -> SafeString:
    cells = []
    for lane in course.lanes:
        mark = next((mark for mark in lane.marks if mark.round == number), None)
        words = "" if mark is None else mark_words(course, mark)
        cells.append(element("td", {}, words or "–"))
    asked = rupees_text(course.ask_in(number), course.currency)
    head = element("th", {"scope": "row"}, str(number))
    seq: dict[str, object] = {"data-seq": course.reveals[number]}
    return element("tr", seq, head, *cells, element("td", {}, asked))
