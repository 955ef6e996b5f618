"""The chart of share against deal rate: whiskers, the frontier, and lines of equal worth."""

from collections.abc import Iterator, Sequence

from django.utils.safestring import SafeString

from negotiation.charts.svg import element, line
from training.leaderboard.frontier import Spot, frontier
from training.leaderboard.frontier_names import DOT, Name, names
from training.leaderboard.frontier_paper import Paper, paper_for, percent, worth_words

TICKS = (0.02, 0.05, 0.1, 0.2, 0.5)
MOST_TICKS = 5


def frontier_chart(
    spots: Sequence[Spot], title: str, *, width: float = 560, height: float = 520
) -> SafeString:
    """Draw policies by how often they close and what they get when they do.

    Args:
        spots: at least one.
        title: what is shown, for readers without eyes.
        width: of the view box.
        height: of the view box.
    """
    paper = paper_for(spots, width, height)
    best = frontier(spots)
    return element(
        "svg",
        {"viewBox": f"0 0 {width:g} {height:g}", "role": "img", "font-size": paper.letter},
        element("title", {}, title),
        element("desc", {}, _in_words(spots, best)),
        *_worth_lines(paper),
        *_axes(paper),
        _frontier_line(paper, best),
        *(_spot(paper, spot, is_best=spot in best) for spot in spots),
        *(_name(paper, name, best) for name in names(paper, spots, best)),
    )


def _axes(paper: Paper) -> Iterator[SafeString]:
    bottom, left, letter = paper.bottom, paper.left, paper.letter
    right = paper.x(1)
    yield _path("chart-line", f"M{left:.1f} {paper.y(paper.high_y):.1f}V{bottom:.1f}H{right:.1f}")
    for tick in _ticks(paper.low_x, 1):
        yield _text(percent(tick), paper.x(tick), bottom + letter * 1.2, "middle")
    for tick in _ticks(paper.low_y, paper.high_y):
        yield _text(percent(tick), left - letter * 0.4, paper.y(tick) + letter * 0.35, "end")
    middle = (left + right) / 2
    yield _text("Deals per winnable bargain", middle, bottom + letter * 2.5, "middle")


def _ticks(low: float, high: float) -> list[float]:
    step = next(one for one in TICKS if (high - low) / one <= MOST_TICKS)
    return [high - step * at for at in range(int((high - low) / step + 1e-6) + 1)]


def _worth_lines(paper: Paper) -> Iterator[SafeString]:
    for worth, seen in paper.worths:
        way = line([(paper.x(rate), paper.y(worth / rate)) for rate in seen])
        yield element(
            "g",
            {"class": "frontier-worth"},
            element("path", {"d": way, "fill": "none", "stroke": "currentColor"}),
            _text(worth_words(worth), *paper.worth_place(worth, seen[0]), "start"),
        )


def _frontier_line(paper: Paper, best: Sequence[Spot]) -> SafeString:
    return _path(
        "frontier-line", line([(paper.x(s.deals.mean), paper.y(s.share.mean)) for s in best])
    )


def _spot(paper: Paper, spot: Spot, *, is_best: bool) -> SafeString:
    x, y = paper.x(spot.deals.mean), paper.y(spot.share.mean)
    whiskers = (
        f"M{paper.x(spot.deals.low):.1f} {y:.1f}H{paper.x(spot.deals.high):.1f}"
        f"M{x:.1f} {paper.y(spot.share.low):.1f}V{paper.y(spot.share.high):.1f}"
    )
    return element(
        "g",
        {"class": "frontier-spot is-best" if is_best else "frontier-spot"},
        element("title", {}, _said(spot)),
        element("path", {"d": whiskers, "fill": "none", "stroke": "currentColor"}),
        element("circle", {"cx": x, "cy": y, "r": DOT, "fill": "currentColor"}),
    )


def _name(paper: Paper, name: Name, best: Sequence[Spot]) -> SafeString:
    kind = "frontier-name is-best" if name.spot in best else "frontier-name"
    words = _text(name.spot.name, name.at, name.box[1] + paper.letter * 0.8, name.anchor)
    return element("g", {"class": kind, "aria-hidden": "true"}, words)


def _in_words(spots: Sequence[Spot], best: Sequence[Spot]) -> str:
    said = ", ".join(_said(spot) for spot in best)
    others = len(spots) - len(best)
    return (
        f"Nobody is better in both than: {said}. "
        f"{others} others lie below that line; the table has their numbers."
    )


def _said(spot: Spot) -> str:
    return (
        f"{spot.name}: deals in {percent(spot.deals.mean)} of winnable bargains, "
        f"{percent(spot.share.mean)} of the zone in a deal"
    )


def _path(name: str, d: str) -> SafeString:
    path = element("path", {"d": d, "fill": "none", "stroke": "currentColor"})
    return element("g", {"class": name}, path)


def _text(words: str, x: float, y: float, anchor: str) -> SafeString:
    return element("text", {"x": x, "y": y, "text-anchor": anchor}, words)
