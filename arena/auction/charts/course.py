"""The course of a match as its charts need it: frames folded into lanes, told in words."""

from collections.abc import Sequence
from typing import Any

import msgspec
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from arena.auction.charts.glyphs import SIGNALS
from arena.words import say
from bazaarbatna.auction.events import Signal
from bazaarbatna.money import rupees_text
from negotiation.bargain.web.bubbles import Frame

STAYED, LEFT, WON = "stayed", "left", "won"


class AskMark(msgspec.Struct, frozen=True):
    """The ask that stands in a round; ``price`` in rupees, ``seq`` the event that named it."""

    seq: int
    round: int
    price: float


class BidMark(msgspec.Struct, frozen=True):
    """What a buyer's envelope of a round held.

    ``price`` in rupees is the bid that stands after it, None without one. ``closed``: whoever looks
    may not know what was inside, only whether the buyer is still there.
    """

    seq: int
    round: int
    action: str
    price: float | None
    signal: Signal | None
    text: str
    closed: bool


class Lane(msgspec.Struct, frozen=True):
    """One buyer's part. ``place`` counts seats from 1; ``budget`` in rupees, None until the end.

    ``called`` is the name as it was recorded, ``name`` as the reader's language writes it.
    """

    actor: str
    place: int
    called: str
    policy: str
    version: str
    person: bool
    you: bool
    marks: tuple[BidMark, ...] = ()
    won: float | None = None
    budget: float | None = None
    share: float | None = None

    @property
    def name(self) -> str:
        """What the page calls this buyer."""
        return spoken(self.called)

    @property
    def who(self) -> str:
        """Whom the portraits know it by: the policy that plays, or that it is a person."""
        return f"person:{self.name}" if self.person else self.policy

    @property
    def last(self) -> BidMark | None:
        """The newest envelope of this buyer that was opened."""
        return self.marks[-1] if self.marks else None

    @property
    def fate(self) -> str:
        """``stayed``, ``left`` or ``won``."""
        if self.won is not None:
            return WON
        return LEFT if self.last is not None and self.last.action == "walk" else STAYED

    def bid_after(self, number: int) -> float | None:
        """Return the bid that stands after a round, in rupees."""
        bids = [mark.price for mark in self.marks if mark.round <= number]
        return bids[-1] if bids else None


class Attention(msgspec.Struct, frozen=True):
    """The seller's attention after a round: a share 0..1 by actor, None where it is sealed."""

    seq: int
    round: int
    shares: dict[str, float] | None


class Course(msgspec.Struct, frozen=True):
    """A match as its pictures see it. ``sold_seq`` and ``ended_seq`` are 0 while it goes on.

    ``budget`` in rupees is that of the viewer's own seat; ``reservation`` is None until the end;
    it was read from the events of ``log``; ``said`` keeps what is spoken at them, once it is asked.
    """

    title: str
    currency: str
    max_rounds: int
    sealed: bool
    lanes: tuple[Lane, ...]
    asks: tuple[AskMark, ...]
    reveals: dict[int, int]
    attention: tuple[Attention, ...]
    sold_seq: int = 0
    ended_seq: int = 0
    outcome: str = ""
    price: float | None = None
    reservation: float | None = None
    budget: float | None = None
    log: tuple[Frame, ...] = ()
    said: dict[tuple[str, int | None], Any] = msgspec.field(default_factory=dict)

    @property
    def own(self) -> Lane | None:
        """The buyer whose seat the viewer has."""
        return next((lane for lane in self.lanes if lane.you), None)

    @property
    def opening_ask(self) -> float:
        """The anchor in rupees."""
        return self.asks[0].price

    @property
    def ask(self) -> float:
        """The standing ask in rupees."""
        return self.asks[-1].price

    @property
    def rounds(self) -> int:
        """Rounds that were opened."""
        return max(self.reveals, default=0)

    @property
    def winner(self) -> Lane | None:
        """The buyer that got it."""
        return next((lane for lane in self.lanes if lane.won is not None), None)

    def lane(self, actor: str) -> Lane:
        """Return a buyer by its name on the wire."""
        return next(lane for lane in self.lanes if lane.actor == actor)

    def ask_in(self, number: int) -> float:
        """Return the ask that stood in a round, in rupees."""
        return [mark.price for mark in self.asks if mark.round <= number][-1]


def spoken(name: str) -> str:
    """Return a recorded name in the reader's language; the number of a namesake stays.

    >>> spoken("Visitor 2"), spoken("")
    ('Visitor 2', '')
    """
    first, _space, number = name.rpartition(" ")
    if first and number.isdecimal():
        return f"{spoken(first)} {number}"
    return _(name) if name else ""


def course_of(frames: Sequence[Frame]) -> Course:
    """Read a match out of its wire frames: all in order, the first one ``opened``."""
    opened = frames[0]["event"]
    end: dict[str, Any] = next((f["event"] for f in frames if f["event"]["kind"] == "ended"), {})
    sold: dict[str, Any] = next((f["event"] for f in frames if f["event"]["kind"] == "accept"), {})
    reveals = {f["event"]["round"]: f["seq"] for f in _of(frames, "round")}
    return Course(
        title=opened["item"]["title"],
        currency=opened["item"].get("currency", "INR"),
        max_rounds=opened["max_rounds"],
        sealed=bool(opened.get("sealed")),
        lanes=tuple(
            _lane(place, buyer, frames, sold, end)
            for place, buyer in enumerate(opened["buyers"], start=1)
        ),
        asks=(
            AskMark(frames[0]["seq"], 1, opened["price"]),
            *(
                AskMark(f["seq"], f["event"]["round"] + 1, f["event"]["price"])
                for f in _of(frames, "offer")
            ),
        ),
        reveals=reveals,
        attention=tuple(
            Attention(f["seq"], f["event"]["round"], f["event"]["shares"])
            for f in _of(frames, "attention")
        ),
        sold_seq=next((f["seq"] for f in _of(frames, "accept")), 0),
        ended_seq=next((f["seq"] for f in _of(frames, "ended")), 0),
        outcome=end.get("outcome", ""),
        price=sold.get("price"),
        reservation=end["opened"]["reservation"] if end else None,
        budget=opened.get("budget"),
        log=tuple(frame["event"] for frame in frames),
    )


def _of(frames: Sequence[Frame], kind: str) -> list[Frame]:
    return [frame for frame in frames if frame["event"]["kind"] == kind]


def _lane(
    place: int,
    buyer: dict[str, Any],
    frames: Sequence[Frame],
    sold: dict[str, Any],
    end: dict[str, Any],
) -> Lane:
    actor = buyer["actor"]
    return Lane(
        actor=actor,
        place=place,
        called=buyer["name"],
        policy=buyer["policy"],
        version=buyer["version"],
        person=bool(buyer.get("person")),
        you=bool(buyer.get("you")),
        marks=tuple(_marks(frames, actor)),
        won=sold["price"] if sold.get("buyer") == actor else None,
        budget=end["opened"]["budgets"][actor] if end else None,
        share=end["shares"].get(actor) if end else None,
    )


def _marks(frames: Sequence[Frame], actor: str) -> list[BidMark]:
    return [
        BidMark(
            seq=frame["seq"],
            round=frame["event"]["round"],
            action=row["action"],
            price=row.get("price"),
            signal=row.get("signal"),
            text=row.get("text", ""),
            closed=row["action"] == "in" or "price" not in row,
        )
        for frame in _of(frames, "round")
        for row in frame["event"]["bids"]
        if row["actor"] == actor
    ]


ACTIONS = {
    "offer": say.text("bids_price"),
    "accept": say.text("takes_the_ask_price"),
    "hold": say.text("holds_price"),
    "walk": say.text("leaves"),
    "in": say.text("closes_its_envelope"),
}

SIGNAL_WORDS = {name: word for name, word, _said in SIGNALS}
"""Wire name of a signal and its word within a sentence."""


def signal_word(signal: str) -> str:
    """Return a signal's word in the reader's language."""
    return _(SIGNAL_WORDS.get(signal, signal))


def mark_words(course: Course, mark: BidMark) -> str:
    """Return what an envelope held, in words."""
    if mark.action == "hold" and mark.price is None:
        words = say("waits_without_a_bid")
    else:
        price = "" if mark.price is None else rupees_text(mark.price, course.currency)
        words = _(ACTIONS[mark.action]) % {"price": price}
    if not mark.signal:
        return words
    return say("words_signals_signal", words=words, signal=signal_word(mark.signal))


def lane_words(course: Course, lane: Lane) -> str:
    """Return one buyer's whole match in a few sentences."""
    told = [
        say("round_number_told", number=mark.round, told=mark_words(course, mark))
        for mark in lane.marks
    ]
    return " ".join([*told, fate_words(course, lane)]).strip()


def fate_words(course: Course, lane: Lane) -> str:
    """Return how it ended for a buyer; empty while it is still there."""
    if lane.won is not None:
        return say("won_for_price", price=rupees_text(lane.won, course.currency))
    if lane.last is not None and lane.last.action == "walk":
        return say("left_in_round_number", number=lane.last.round)
    return say("did_not_get_it") if course.outcome else ""


def fate_seq(course: Course, lane: Lane) -> int:
    """Return the event with which a buyer's fate was settled, 0 while it is open."""
    if lane.won is not None:
        return course.sold_seq
    if lane.last is not None and lane.last.action == "walk":
        return lane.last.seq
    return course.ended_seq


def bids_table(course: Course) -> SafeString:
    """Draw all bids as a table: a row for each round, a column for each buyer and the ask."""
    rows = [
        {
            "number": number,
            "seq": course.reveals[number],
            "bids": [
                "".join(mark_words(course, mark) for mark in lane.marks if mark.round == number)
                for lane in course.lanes
            ],
            "asked": rupees_text(course.ask_in(number), course.currency),
        }
        for number in range(1, course.rounds + 1)
    ]
    return render_to_string("arena/_bids.html", {"course": course, "rows": rows})
