"""The position of a game as a page shows it, read from wire frames alone."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from negotiation.bubbles import Frame, currency_of
from negotiation.money import rupees_text

Turn = Literal["buyer", "seller", "over"]


class Table(msgspec.Struct, frozen=True):
    """Who asks what, and whose move it is. Prices in rupees.

    ``asks`` starts with the opening ask; ``said`` counts the seller's words without a price in
    this round; ``signals`` are those of the seller's last turn that was read.
    """

    currency: str
    round: int
    max_rounds: int
    asks: tuple[float, ...]
    bids: tuple[float, ...]
    turn: Turn
    said: int
    signals: dict[str, Any] | None
    ended: dict[str, Any] | None
    last_seq: int

    @property
    def ask(self) -> float:
        """The seller's price that stands."""
        return self.asks[-1]

    @property
    def bid(self) -> float | None:
        """Sauda's price that stands, None before its first."""
        return self.bids[-1] if self.bids else None

    @property
    def gap(self) -> float | None:
        """Rupees between the two standing prices."""
        return None if self.bid is None else round(self.ask - self.bid, 2)

    @property
    def middle(self) -> float | None:
        """The whole rupee halfway between the standing prices, if there is one strictly between."""
        if self.bid is None:
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
    def in_words(self) -> str:
        """The position in one sentence, for people who listen."""
        if self.ended is not None:
            return _ending(self.ended, self.currency)
        ask = rupees_text(self.ask, self.currency)
        place = f"Round {self.round} of {self.max_rounds}."
        if self.bid is None:
            return f"You ask {ask}. {place} Sauda moves first."
        bid = rupees_text(self.bid, self.currency)
        mover = "Your move." if self.turn == "seller" else "Sauda is thinking."
        return f"Sauda bids {bid}, you ask {ask}. {place} {mover}"


def table_of(frames: Sequence[Frame]) -> Table:
    """Read the position from a log.

    Args:
        frames: wire frames from the first one, ``opened``.
    """
    opened = frames[0]["event"]
    asks, bids = [opened["price"]], []
    turn: Turn = "buyer"
    at, said = 1, 0
    signals: dict[str, Any] | None = None
    ended: dict[str, Any] | None = None
    for frame in frames[1:]:
        event = frame["event"]
        match event["kind"], event.get("actor"):
            case "offer", "buyer":
                bids.append(event["price"])
                turn, at, said = "seller", event["round"], 0
            case "offer", "seller":
                asks.append(event["price"])
                turn, at = "buyer", min(event["round"] + 1, opened["max_rounds"])
            case "message", "seller":
                said += 1
            case "tells", "seller":
                signals = event["signals"]
            case "ended", _:
                turn, ended, at = "over", event, event["round"]
            case _:
                pass  # words of the buyer, an acceptance, a walk: ``ended`` says what they led to
    return Table(
        currency=currency_of(frames),
        round=at,
        max_rounds=opened["max_rounds"],
        asks=tuple(asks),
        bids=tuple(bids),
        turn=turn,
        said=said,
        signals=signals,
        ended=ended,
        last_seq=frames[-1]["seq"],
    )


def _ending(ended: dict[str, Any], currency: str) -> str:
    match ended["outcome"]:
        case "deal":
            return f"Sold for {rupees_text(ended['price'], currency)}."
        case "walk":
            return "No deal: Sauda walked away." if ended["by"] == "buyer" else "You walked away."
        case _:
            return "No deal: the rounds ran out."
