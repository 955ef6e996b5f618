"""What the preview image of a replay says and shows, and its drawing: a chat shows it by a link."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from django.utils.translation import ngettext, pgettext

from arena.auction.charts.course import course_of as match_course_of
from arena.auction.web.game import AUCTION
from arena.auction.web.outcome import headline_of
from bazaarbatna.money import rupees_text
from negotiation.bargain.game import SALE
from negotiation.bargain.web.bubbles import closing_words
from negotiation.bargain.web.seats import Cast, replay_cast
from negotiation.charts.course import course_of
from negotiation.charts.share_bar import whole_percents
from negotiation.games.game import AnyGame, game_of
from negotiation.games.turn_game import turn_game
from negotiation.models import Game
from negotiation.sentences import sentences
from replays.preview.canvas import HEIGHT, WIDTH, Canvas, Point, wrapped
from replays.vouching import vouched
from replays.wording import wording_of

say = sentences(__file__)

Frame = dict[str, Any]
Share = tuple[str, int, str]  # whose, how many percent, and the role that colours it


class Path(msgspec.Struct, frozen=True):
    """Prices in rupees over half rounds; ``role`` names the colour."""

    role: str
    points: tuple[tuple[float, float], ...]


class Card(msgspec.Struct, frozen=True):
    """Everything on the image; two cards that are equal make the same image. Prices in rupees.

    ``tone`` is deal, walk or expired; ``meeting`` is where the paths met or somebody left.
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
    mark: str = ""
    """What must be said of words that this house does not vouch for."""

    @property
    def heading(self) -> str:
        """The title, with the mark before it."""
        return f"{self.mark}: {self.title}" if self.mark else self.title

    @property
    def description(self) -> str:
        """The same in a sentence, for the words beside the image."""
        shares = ", ".join(f"{name} {percent} %" for name, percent, _ in self.shares)
        told = self.ending
        if self.rest:
            parts = {"ending": self.ending, "rest": self.rest}
            told = say("ending_rest", **parts)
        if self.mark:
            told = f"{self.mark}. {told}"
        if not shares:
            return told
        return f"{told} {say('shares_of_what_there_was_to') % {'shares': shares}}"


def card_of(game: Game, frames: Sequence[Frame]) -> Card:
    """Return the card of a finished game of any kind; ``frames`` are those that anybody sees."""
    card = _CARDS.get(game_of(game.kind), _turns_card)(game, frames)
    return msgspec.structs.replace(card, mark=vouched(game).mark)


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
    limits = (
        (pgettext("limit", "reservation"), reservation),
        (pgettext("limit", "budget"), budget),
    )
    if price is not None:
        ending, shares = f"{words.deal} {rupees_text(price, currency)}", _shares(ended, cast)
    else:
        who = cast.called(ended["by"]) if ended["by"] else ""
        left = say("no_deal_who_walked_away", who=who) if who else say("no_deal_the_rounds_ran_out")
        closed = closing_words(frames, cast)
        ending = say("no_deal_closed", why=closed) if closed else left
        shares = ()
    return Card(
        title=course.title,
        players=say("what_if_players", players=words.players)
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


def _match_card(game: Game, frames: Sequence[Frame]) -> Card:
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
        shares = ((say("the_seller"), seller, "ask"), (winner.name, buyer, winner.actor))
        meeting = (2.0 * ended["round"] - 1, course.price)
    return Card(
        title=course.title,
        players=say("count_buyers_one_item", count=len(course.lanes)),
        ending=headline_of(ended, course),
        rest=_rest(course.opening_ask, ended["round"], course.currency),
        tone=ended["outcome"],
        currency=course.currency,
        paths=tuple(paths),
        meeting=meeting,
        limits=()
        if course.reservation is None
        else ((pgettext("limit", "reservation"), course.reservation),),
        shares=shares,
    )


def _turns_card(game: Game, frames: Sequence[Frame]) -> Card:
    rules = turn_game(game.kind)
    return Card(
        title=game.title,
        players=rules.players(game),
        ending=rules.words(frames[-1]["event"]),
        rest="",
        tone="expired",
        currency="",
        paths=(),
        meeting=None,
        limits=(),
        shares=(),
    )


_CARDS: dict[AnyGame, Callable[[Game, Sequence[Frame]], Card]] = {
    SALE: _sale_card,
    AUCTION: _match_card,
}


def _rest(asked: float, rounds: int, currency: str) -> str:
    words = ngettext(
        "%(price)s asked, %(rounds)d round", "%(price)s asked, %(rounds)d rounds", rounds
    )
    return words % {"price": rupees_text(asked, currency), "rounds": rounds}


def _shares(ended: Frame, cast: Cast) -> tuple[Share, ...]:
    seller, buyer = whole_percents(ended["seller_share"])
    return ((cast.name("seller"), seller, "ask"), (cast.name("buyer"), buyer, "bid"))


PAPER, RAISED, INK, SOFT, LINE = "#faf5eb", "#fefcf7", "#2a1a12", "#675145", "#dcd1c0"
ACCENT, MARIGOLD = "#a82925", "#faa928"
ROLES = {
    "ask": "#925303", "bid": "#364597", "buyer-1": "#3b4aa0", "buyer-2": "#00646d",
    "buyer-3": "#9b236d", "buyer-4": "#52610c",
}  # fmt: skip
# The light theme of ``tokens.css`` in sRGB.
TONES = {"deal": "#206137", "walk": "#842e56", "expired": INK}

_LEFT, _RIGHT = 64, WIDTH - 64
_PAD = 26
_LABELS = 180  # room for words at the right of the chart


@functools.lru_cache(maxsize=128)
def draw(card: Card, language: str = "") -> bytes:
    """Return the image, 1200 by 630 pixels, as PNG, in the language that is spoken now."""
    del language  # of the words on it, so that a kept image is not shown in another one
    canvas = Canvas(PAPER)
    if card.mark:
        _warning(canvas, card.mark)
    else:
        awning(canvas)
    canvas.text((_LEFT, 84), "Bazaar", "display", 30, INK)
    start = _LEFT + canvas.width("Bazaar", "display", 30)
    after = canvas.text((start, 84), "BATNA", "display-bold", 30, ACCENT)
    players = wrapped(canvas, card.players, "control", 24, _RIGHT - after - 60, 1)
    for line in players:
        canvas.text((_RIGHT - canvas.width(line, "control", 24), 84), line, "control", 24, SOFT)
    y = _title(canvas, card)
    ending = wrapped(canvas, card.ending, "display-bold", 36, _RIGHT - _LEFT, 1)[0]
    x = canvas.text((_LEFT, y), ending, "display-bold", 36, TONES[card.tone])
    if x + canvas.width(card.rest, "control", 24) + 24 <= _RIGHT:
        canvas.text((x + 22, y), card.rest, "control", 24, SOFT)
    bottom = HEIGHT - (96 if card.shares else 44)
    if card.paths:
        _chart(canvas, card, y + 34, bottom)
    if card.shares:
        _share_bar(canvas, card)
    return canvas.png()


def awning(canvas: Canvas) -> None:
    """Draw the stripes of a stall along the upper edge."""
    stripe = 40
    for number, x in enumerate(range(0, WIDTH, stripe)):
        colour = (ACCENT, MARIGOLD)[number % 2]
        canvas.box((x, 0), (x + stripe, 14), colour)
        canvas.dot((x + stripe / 2, 14), stripe / 2 - 6, colour)


def _warning(canvas: Canvas, mark: str) -> None:
    """Draw a dark band with the mark, where other cards have the stripes of a stall."""
    canvas.box((0, 0), (WIDTH, 46), INK)
    words = wrapped(canvas, mark, "control-bold", 26, _RIGHT - _LEFT, 1)[0]
    canvas.text(
        ((WIDTH - canvas.width(words, "control-bold", 26)) / 2, 33),
        words,
        "control-bold",
        26,
        PAPER,
    )


def _title(canvas: Canvas, card: Card) -> float:
    size = 58
    lines = wrapped(canvas, card.title, "display", size, _RIGHT - _LEFT, 2)
    if len(lines) > 1:
        size = 46
        lines = wrapped(canvas, card.title, "display", size, _RIGHT - _LEFT, 2)
    y = 160.0
    for line in lines:
        canvas.text((_LEFT, y), line, "display", size, INK)
        y += size * 1.2
    return y - size * 1.2 + 58


def _chart(canvas: Canvas, card: Card, top: float, bottom: float) -> None:
    prices = [price for path in card.paths for _, price in path.points]
    # A limit far away would flatten the paths: it is drawn where it fits.
    low, high = min(prices), max(prices)
    span = (high - low) or high * 0.1
    near = [(n, p) for n, p in card.limits if low - 0.6 * span <= p <= high + 0.6 * span]
    low, high = min([low, *(p for _, p in near)]), max([high, *(p for _, p in near)])
    last = max(at for path in card.paths for at, _ in path.points) or 1
    right = _RIGHT - _LABELS

    def place(at: float, price: float) -> Point:
        room = (high - low) or 1.0
        y = bottom - 20 - (price - low) / room * (bottom - top - 40)
        return _LEFT + _PAD + at / last * (right - _LEFT - 2 * _PAD), y

    canvas.box((_LEFT, top), (_RIGHT, bottom), RAISED, radius=12)
    labels = []
    for name, price in near:
        y = place(0, price)[1]
        canvas.dashes(_LEFT + _PAD, right, y, LINE)
        labels.append((y, name, SOFT))
    for path in reversed(card.paths):
        points = [place(at, price) for at, price in path.points]
        canvas.line(points, ROLES[path.role], 6)
        for point in points:
            canvas.dot(point, 7, ROLES[path.role])
    first = card.paths[0].points[0][1]
    labels.append(
        (
            place(0, first)[1],
            say("price_asked", price=rupees_text(first, card.currency)),
            ROLES["ask"],
        )
    )
    if card.meeting is not None:
        mark = place(*card.meeting)
        if card.tone == "deal":
            canvas.dot(mark, 15, RAISED)
            canvas.dot(mark, 12, TONES["deal"])
            labels.insert(0, (mark[1], rupees_text(card.meeting[1], card.currency), TONES["deal"]))
        else:
            canvas.cross(mark, 11, TONES["walk"])
    _labels(canvas, labels, right, top, bottom)


def _labels(
    canvas: Canvas, labels: list[tuple[float, str, str]], left: float, top: float, bottom: float
) -> None:
    taken: list[float] = []
    for wanted, text, colour in labels:
        y = min(max(wanted, top + 16), bottom - 16)
        if all(abs(y - other) >= 26 for other in taken):
            taken.append(y)
            canvas.text((left + 14, y + 7), text, "control-bold", 20, colour)


def _share_bar(canvas: Canvas, card: Card) -> None:
    y, room = HEIGHT - 72, _RIGHT - _LEFT
    (first, percent, role), (second, other, rival) = card.shares
    middle = _LEFT + room * percent / 100
    canvas.box((_LEFT, y), (_RIGHT, y + 16), ROLES[rival], radius=8)
    if percent:
        canvas.box((_LEFT, y), (middle, y + 16), ROLES[role], radius=8)
        if other:
            canvas.box((max(middle - 8, _LEFT), y), (middle, y + 16), ROLES[role])
            canvas.box((middle - 1, y), (middle + 2, y + 16), PAPER)
    canvas.text((_LEFT, y + 46), f"{first} {percent} %", "control-bold", 22, ROLES[role])
    words = f"{second} {other} %"
    end = _RIGHT - canvas.width(words, "control-bold", 22)
    canvas.text((end, y + 46), words, "control-bold", 22, ROLES[rival])
