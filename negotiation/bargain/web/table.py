"""The position of a game as a page shows it, read from wire frames alone."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from bazaarbatna.money import rupees_text
from negotiation.bargain.web.bubbles import Frame, closing_words, currency_of
from negotiation.bargain.web.seats import Seat
from negotiation.sentences import sentences

say = sentences(__file__)

Turn = Literal["buyer", "seller", "over"]

NEAR = 0.2
"""Prices that differ by no more of the ask are near."""


class Table(msgspec.Struct, frozen=True):
    """Who asks what, and whose move it is, as somebody in a seat sees it. Prices in rupees.

    ``asks`` starts with the opening ask; ``signals`` are of the seller's last turn that was read.
    """

    seat: Seat
    currency: str
    round: int
    max_rounds: int
    asks: tuple[float, ...]
    bids: tuple[float, ...]
    turn: Turn
    signals: dict[str, Any] | None
    ended: dict[str, Any] | None
    last_seq: int
    closed: str = ""
    """Why the table was closed, in words; "" where somebody ended the game."""
    unanswered: float | None = None
    """The own last price, while it was read from words and the house has not answered it."""

    @property
    def ask(self) -> float:
        """The seller's price that stands."""
        return self.asks[-1]

    @property
    def bid(self) -> float | None:
        """The buyer's price that stands, None before the first."""
        return self.bids[-1] if self.bids else None

    @property
    def own(self) -> float | None:
        """The own price that stands."""
        return self.ask if self.seat.is_seller else self.bid

    @property
    def rival(self) -> float | None:
        """The price that stands opposite: what accepting would mean."""
        return self.bid if self.seat.is_seller else self.ask

    @property
    def is_own_turn(self) -> bool:
        """The person is to move."""
        return self.turn == self.seat.side

    @property
    def waits(self) -> bool:
        """The other side is to move."""
        return self.turn == self.seat.rival_side

    @property
    def gap(self) -> float | None:
        """Rupees between the two standing prices."""
        return None if self.bid is None else round(self.ask - self.bid, 2)

    @property
    def gap_in_words(self) -> str:
        """How far apart the prices stand, where this seat is told."""
        if self.ended is not None or not self.seat.gap or not self.gap:
            return ""
        return self.seat.gap.format(gap=rupees_text(self.gap, self.currency))

    @property
    def middle(self) -> float | None:
        """The whole rupee between prices that are near, if there is one.

        From far apart to meet halfway gives away what the rounds are there to find.
        """
        if self.bid is None or self.ask - self.bid > NEAR * self.ask:
            return None
        middle = float(round((self.ask + self.bid) / 2))
        return middle if self.bid < middle < self.ask else None

    @property
    def rounds_left(self) -> int:
        """Rounds that remain after this one."""
        return self.max_rounds - self.round

    @property
    def ticks(self) -> tuple[str, ...]:
        """One word per round for the row of rounds: past, now, ahead."""
        marks = ("past",) * (self.round - 1) + ("past" if self.ended else "now",)
        return marks + ("ahead",) * (self.max_rounds - self.round)

    @property
    def ending(self) -> str:
        """How it ended, as a headline; "" before the end."""
        if self.ended is None:
            return ""
        if self.ended["outcome"] == "deal":
            return self.seat.deal.format(price=rupees_text(self.ended["price"], self.currency))
        return self._ended_in_words(self.ended)

    @property
    def in_words(self) -> str:
        """The position in one sentence, for people who listen."""
        if self.ended is not None:
            return self._ended_in_words(self.ended)
        ask = rupees_text(self.ask, self.currency)
        place = say("round_round_of_rounds", round=self.round, rounds=self.max_rounds)
        if self.bid is None:
            return self.seat.first.format(ask=ask, place=place)
        bid = rupees_text(self.bid, self.currency)
        mover = (
            self.seat.own_move if self.is_own_turn else say("sentence", sentence=self.seat.thinking)
        )
        return self.seat.both.format(ask=ask, bid=bid, place=place, mover=mover)

    def _ended_in_words(self, ended: dict[str, Any]) -> str:
        if self.closed:
            return say("no_deal_closed", closed=self.closed)
        return _ending(ended, self.seat, self.currency)


def table_of(frames: Sequence[Frame], seat: Seat) -> Table:
    """Read the position from a log's wire frames, from the first one on."""
    opened = frames[0]["event"]
    asks, bids = [opened["price"]], []
    turn: Turn = "buyer"
    at = 1
    signals: dict[str, Any] | None = None
    ended: dict[str, Any] | None = None
    spoken: dict[str, Any] = {}
    for frame in frames[1:]:
        event = frame["event"]
        if event["kind"] != "tells":
            spoken = event
        match event["kind"], event.get("actor"):
            case "offer", "buyer":
                bids.append(event["price"])
                turn, at = "seller", event["round"]
            case "offer", "seller":
                asks.append(event["price"])
                # The seller's own price belongs to this round until the buyer has answered it.
                after = 0 if seat.is_seller else 1
                turn, at = "buyer", min(event["round"] + after, opened["max_rounds"])
            case "withdrawn", actor:
                # What was taken back is mere words by now: its price is in neither list.
                turn, at = ("seller" if actor == "seller" else "buyer"), event["round"]
            case "tells", "seller":
                signals = event["signals"]
            case "ended", _:
                turn, ended, at = "over", event, event["round"]
            case _:
                pass  # mere words, an acceptance, a walk: ``ended`` says what they led to
    return Table(
        seat=seat,
        currency=currency_of(frames),
        round=at,
        max_rounds=opened["max_rounds"],
        asks=tuple(asks),
        bids=tuple(bids),
        turn=turn,
        signals=signals,
        ended=ended,
        last_seq=frames[-1]["seq"],
        closed=closing_words(frames, seat.cast) if ended else "",
        unanswered=_unanswered(spoken, seat) if ended is None else None,
    )


def _unanswered(last: dict[str, Any], seat: Seat) -> float | None:
    if seat.is_person or (last.get("kind"), last.get("actor")) != ("offer", seat.side):
        return None
    return float(last["price"]) if last.get("text") else None


def _ending(ended: dict[str, Any], seat: Seat, currency: str) -> str:
    match ended["outcome"]:
        case "deal":
            told = seat.deal.format(price=rupees_text(ended["price"], currency))
            return say("sentence", sentence=told)
        case "walk" if ended["by"] == seat.side:
            return seat.own_walk
        case "walk":
            return say("no_deal_who_walked_away", who=seat.rival)
        case _:
            return say("no_deal_the_rounds_ran_out")
