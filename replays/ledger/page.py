"""The tells ledger as the replay page shows it: whole points that add up, words in place."""

import math
from collections import Counter
from collections.abc import Sequence

import msgspec
from django.utils.translation import gettext

from bazaarbatna.marking import gettext_noop
from negotiation.bargain.web.bubbles import Frame, Piece, bubble_of, currency_of
from negotiation.bargain.web.seats import Cast
from negotiation.bargain.web.signals import label_of
from negotiation.models import Game
from replays.finished import scenario_of
from replays.ledger.claims import Verdict, Word
from replays.ledger.turns import Amount, Turn, ledger_of

STEERED = ("sauda:", "sauda-mini:", "sauda@")
"""Buyers whose hope for a price moves with what they hear; words said to others move no bid."""

VERDICTS: tuple[Word, ...] = ("true", "bluff", "cannot be known")
WORDLESS = gettext_noop("Pace and path of prices")
FADED = gettext_noop("Last turn's words fade")
FIRST = gettext_noop("A first line, plainly said")


class Row(msgspec.Struct, frozen=True):
    """One line of the table; points are whole hundredths, "" where nothing moved."""

    words: str
    label: str
    urgency: str
    flexibility: str
    verdict: Verdict | None = None


class Block(msgspec.Struct, frozen=True):
    """One turn of the table; ``urgency`` and ``flexibility`` are the sums of its rows."""

    seq: int
    price: float | None
    pieces: tuple[Piece, ...]
    rows: tuple[Row, ...]
    urgency: str
    flexibility: str
    hoped: float | None

    @property
    def hoped_size(self) -> float:
        """The same in rupees without its sign."""
        return abs(self.hoped or 0.0)


class Page(msgspec.Struct, frozen=True):
    """The whole table."""

    blocks: tuple[Block, ...]
    counts: tuple[tuple[Word, int], ...]
    currency: str
    title: str
    about: str
    who: str


def ledger_page(game: Game, frames: Sequence[Frame], cast: Cast) -> Page | None:
    """Return the ledger of a finished game; None where no person played or nobody was read."""
    if game.source != Game.Source.PERSON:
        return None
    sold = game.seat == Game.Seat.SELLER and not game.is_pair
    hopes = sold and f"{game.policy}@".startswith(STEERED)
    turns = ledger_of(frames, scenario_of(frames), sauda_buys=hopes)
    if not turns:
        return None
    blocks = tuple(_block(turn, place, frames, cast) for place, turn in enumerate(turns))
    given = Counter(
        entry.verdict.word for turn in turns for entry in turn.entries if entry.verdict is not None
    )
    return Page(
        blocks=blocks,
        counts=tuple((word, given[word]) for word in VERDICTS if given[word]),
        currency=currency_of(frames),
        title=gettext("What the words did")
        if sold
        else gettext("What %(seller)s's words gave away") % {"seller": cast.seller},
        about=gettext(SOLD) if sold else gettext(BOUGHT).format(seller=cast.seller),
        who=cast.buyer if sold else gettext("a careful buyer"),
    )


SOLD = gettext_noop(
    "After each line Sauda guessed how pressed the seller was and how much room was left. Each row "
    "says by how many points of a hundred it moved her; the rows of a turn add up to its movement."
)
BOUGHT = gettext_noop(
    "What a careful buyer would have concluded from {seller}'s lines: how pressed she was and how "
    "much room was left, in points of a hundred. The rows of a turn add up to its movement."
)


def _block(turn: Turn, place: int, frames: Sequence[Frame], cast: Cast) -> Block:
    parts = [(entry.words, label_of(entry.signal), entry.moved, entry.verdict)
             for entry in turn.entries]  # fmt: skip
    if turn.faded != Amount():
        parts.append(("", gettext(FADED), turn.faded, None))
    parts.append(("", gettext(WORDLESS if place else FIRST), turn.rest, None))
    urgency = points([one.urgency for _, _, one, _ in parts])
    flexibility = points([one.flexibility for _, _, one, _ in parts])
    rows = tuple(
        Row(words, label, signed(pressed), signed(room), verdict)
        for (words, label, _, verdict), pressed, room in zip(
            parts, urgency, flexibility, strict=True
        )
        if words or pressed or room
    )
    spoken = frames[turn.seq - 1]
    pieces = bubble_of(spoken, frames, cast).pieces if turn.text else ()
    return Block(
        seq=turn.seq,
        price=turn.price,
        pieces=pieces,
        rows=rows,
        urgency=signed(sum(urgency)),
        flexibility=signed(sum(flexibility)),
        hoped=turn.hoped,
    )


def points(parts: Sequence[float]) -> list[int]:
    """Round parts of 1 to whole hundredths whose sum is the rounded sum (largest remainders).

    >>> points([0.146, 0.004, 0.003])
    [15, 0, 0]
    """
    floors = [math.floor(part * 100) for part in parts]
    missing = round(sum(parts) * 100) - sum(floors)
    rests = sorted(range(len(parts)), key=lambda at: floors[at] - parts[at] * 100)
    for at in rests[:missing]:
        floors[at] += 1
    return floors


def signed(value: int) -> str:
    """Return points with their sign; "" for none.

    >>> signed(4), signed(-3), signed(0)
    ('+4', '−3', '')
    """
    return "" if value == 0 else f"{'+' if value > 0 else '−'}{abs(value)}"
