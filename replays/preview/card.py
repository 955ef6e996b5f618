"""What the preview image of a replay says and shows, of whatever kind the game is."""

from collections.abc import Sequence
from typing import Any

import msgspec

from arena.auction.charts.course import course_of as match_course_of
from arena.auction.web.outcome import headline_of
from negotiation.bargain.web.seats import Cast, replay_cast
from negotiation.charts.course import course_of
from negotiation.charts.share_bar import whole_percents
from negotiation.models import Game
from negotiation.money import rupees_text
from replays.finished import ARENA
from replays.wording import wording_of

Frame = dict[str, Any]
Share = tuple[str, int, str]
"""Whose it is, how many percent, and the role that colours it."""


class Path(msgspec.Struct, frozen=True):
    """Prices in rupees over half rounds; ``role`` names the colour."""

    role: str
    points: tuple[tuple[float, float], ...]


class Card(msgspec.Struct, frozen=True):
    """Everything on the image; two cards that are equal make the same image.

    ``tone`` is deal, walk or expired; ``limits`` are prices in rupees with their names; ``meeting``
    is where the paths met or somebody left.
    """

    title: str
    players: str
    ending: str
    rest: str
    tone: str
    currency: str
    paths: tuple[Path, ...]
    meeting: tuple[float, float] | None
    limits: tuple[tuple[str, float], ...]
    shares: tuple[Share, ...]

    @property
    def description(self) -> str:
        """The same in a sentence, for the words beside the image."""
        shares = ", ".join(f"{name} {percent} %" for name, percent, _ in self.shares)
        shared = f" {shares} of what there was to share." if shares else ""
        return f"{self.ending}, {self.rest}.{shared}"


def card_of(game: Game, frames: Sequence[Frame]) -> Card:
    """Return the card of a finished game of any kind; ``frames`` are those that anybody sees."""
    return _match_card(frames) if game.kind == ARENA else _sale_card(game, frames)


def _sale_card(game: Game, frames: Sequence[Frame]) -> Card:
    course, words = course_of(frames), wording_of(game)
    cast, ended = replay_cast(game), frames[-1]["event"]
    assert course.ending is not None
    currency, price = course.currency, course.ending.price
    paths = []
    for side, role in (("seller", "ask"), ("buyer", "bid")):
        marks = [m for m in course.marks if m.actor == side or m.kind == "accept"]
        paths.append(Path(role, tuple((m.at, m.price) for m in marks)))
    last = course.marks[-1]
    reservation, budget = course.ending.reservation, course.ending.budget
    limits = (("reservation", reservation), ("budget", budget))
    if price is not None:
        ending, shares = f"{words.deal} {rupees_text(price, currency)}", _shares(ended, cast)
    else:
        who = cast.called(ended["by"]) if ended["by"] else ""
        ending = f"No deal: {who} walked away" if who else "No deal: the rounds ran out"
        shares = ()
    return Card(
        title=course.title,
        players=f"What if: {words.players}"
        if game.source == Game.Source.WHAT_IF
        else words.players,
        ending=ending,
        rest=_rest(course.opening_ask, ended["round"], currency),
        tone=ended["outcome"],
        currency=currency,
        paths=tuple(paths),
        meeting=(last.at, last.price) if last.kind in ("accept", "walk") else None,
        limits=tuple((name, limit) for name, limit in limits if limit is not None),
        shares=shares,
    )


def _match_card(frames: Sequence[Frame]) -> Card:
    course, ended = match_course_of(frames), frames[-1]["event"]
    paths = [Path("ask", tuple((2.0 * (a.round - 1), a.price) for a in course.asks))]
    for lane in course.lanes:
        bids = ((2.0 * m.round - 1, m.price) for m in lane.marks if m.price is not None)
        paths.append(Path(lane.actor, tuple((at, price) for at, price in bids)))
    winner = course.winner
    shares: tuple[Share, ...] = ()
    meeting: tuple[float, float] | None = None
    if winner is not None and course.price is not None:
        seller, buyer = whole_percents(ended["seller_share"])
        shares = (("The seller", seller, "ask"), (winner.name, buyer, winner.actor))
        meeting = (2.0 * ended["round"] - 1, course.price)
    return Card(
        title=course.title,
        players=f"{len(course.lanes)} buyers, one item",
        ending=headline_of(ended, course),
        rest=_rest(course.opening_ask, ended["round"], course.currency),
        tone=ended["outcome"],
        currency=course.currency,
        paths=tuple(paths),
        meeting=meeting,
        limits=() if course.reservation is None else (("reservation", course.reservation),),
        shares=shares,
    )


def _rest(asked: float, rounds: int, currency: str) -> str:
    return f"{rupees_text(asked, currency)} asked, {rounds} round{'' if rounds == 1 else 's'}"


def _shares(ended: Frame, cast: Cast) -> tuple[Share, ...]:
    seller, buyer = whole_percents(ended["seller_share"])
    return ((cast.name("seller"), seller, "ask"), (cast.name("buyer"), buyer, "bid"))
