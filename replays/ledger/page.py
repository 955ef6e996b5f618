"""The tells ledger as the replay page shows it: whole points that add up, words in place."""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import chain
from typing import TypeVar

import msgspec
from django.utils.translation import gettext

from agents.buyers.steering import buyer_power, estimated_cost, nash_target
from agents.text.tells.reader import CALM, tells_of
from bazaarbatna.bargain.quantities import Paise, to_paise, to_rupees
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.bargain.tells import Tells, TellSpan
from negotiation.bargain.web.bubbles import Frame, Piece, bubble_of, currency_of
from negotiation.bargain.web.seats import Cast
from negotiation.bargain.web.signals import label_of
from negotiation.models import Game
from negotiation.readers import Belief, reader
from negotiation.sentences import sentences
from replays.finished import scenario_of
from replays.ledger.claims import (
    RIVALS,
    Hand,
    Verdict,
    Word,
    about_next_door,
    about_thing,
    hand_at,
    said_of_goods,
    verdict_on,
)
from replays.sealed_days import is_next_door

say = sentences(__file__)

MOST = 7
"""Reasons of one turn that are told apart (128 estimates, a millisecond); few lines hold more."""


class Amount(msgspec.Struct, frozen=True):
    """A movement of the estimate, each part -1..1."""

    urgency: float = 0.0
    flexibility: float = 0.0

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.urgency + other.urgency, self.flexibility + other.flexibility)

    def __sub__(self, other: "Amount") -> "Amount":
        return Amount(self.urgency - other.urgency, self.flexibility - other.flexibility)

    def times(self, factor: float) -> "Amount":
        """Scale both parts."""
        return Amount(self.urgency * factor, self.flexibility * factor)


Player = TypeVar("Player")
Key = TypeVar("Key", bound=Hashable)


def grouped(players: Sequence[Player], key: Callable[[Player], Key]) -> list[list[Player]]:
    """Return players that count as one together; beyond ``MOST`` groups the last are one group."""
    groups: dict[Key, list[Player]] = {}
    for player in players:
        groups.setdefault(key(player), []).append(player)
    found = list(groups.values())
    if len(found) <= MOST:
        return found
    return [*found[: MOST - 1], list(chain.from_iterable(found[MOST - 1 :]))]


def shares(
    players: Sequence[Player], worth: Callable[[Sequence[Player]], Amount]
) -> tuple[Amount, ...]:
    """Return each player's Shapley share; they add up to ``worth(all) - worth(none)``.

    Every further player doubles the work; ``worth`` is given some of them in order. Leaving one out
    does not add up here: reasons for one signal join like doubts (two of 0.8 make 0.96, not 1.6),
    firm and doubtful words are averaged, and the estimate is held in 0..1.
    Source: L. S. Shapley, "A value for n-person games", 1953.
    """
    count = len(players)
    worths = [
        worth([one for place, one in enumerate(players) if mask >> place & 1])
        for mask in range(1 << count)
    ]
    weights = [1 / (count * math.comb(count - 1, size)) for size in range(count)]
    found = [Amount()] * count
    for mask, before in enumerate(worths):
        for place in range(count):
            if not mask >> place & 1:
                step = worths[mask | 1 << place] - before
                found[place] += step.times(weights[mask.bit_count()])
    return tuple(found)


SILENT = ("condition",)  # signals of spans that no estimate looks at


class Entry(msgspec.Struct, frozen=True):
    """One span: its words, what they moved, what became of their claim."""

    words: str
    signal: str
    why: str
    moved: Amount
    verdict: Verdict | None


class Turn(msgspec.Struct, frozen=True):
    """One turn of the seller that was read.

    ``moved`` is the whole movement since the turn before; ``faded`` what the words of that turn no
    longer do; ``rest`` what needed no words. ``hoped``: rupees by which its words moved the price
    Sauda hoped for (negative: they cost the seller), None where nothing or she does not buy.
    """

    seq: int
    text: str
    price: float | None
    entries: tuple[Entry, ...]
    moved: Amount
    faded: Amount
    rest: Amount
    after: Belief
    hoped: float | None

    @property
    def words_moved(self) -> Amount:
        """What this turn's words did together."""
        return sum((entry.moved for entry in self.entries), Amount())


def ledger_of(
    frames: Sequence[Frame],
    scenario: Scenario,
    *,
    sauda_buys: bool = True,
    next_door: bool = False,
) -> tuple[Turn, ...]:
    """Return the ledger of a finished game; ``sauda_buys``: and what her hope lost by the words.

    ``next_door``: the floor is what the shop next door pays.
    """
    asks: list[Paise] = [to_paise(frames[0]["event"]["price"])]
    before, spoken = _belief(None, asks), Amount()
    turns: list[Turn] = []
    for place, frame in enumerate(frames[1:], start=1):
        event = frame["event"]
        if event.get("actor") != "seller":
            continue
        if event["kind"] == "offer":
            asks.append(to_paise(event["price"]))
        if event["kind"] == "tells":
            at = event["of_seq"] - 1 if event["of_seq"] else place
            hand = hand_at(frames, at, scenario, next_door=next_door)
            turn = _turn(frames, place, asks, before, spoken, hand)
            if sauda_buys:
                hoped = _hoped(turn, asks[-1], event["round"], scenario)
                turn = msgspec.structs.replace(turn, hoped=hoped)
            turns.append(turn)
            before, spoken = turn.after, turn.words_moved
    return tuple(turns)


def _turn(
    frames: Sequence[Frame],
    place: int,
    asks: Sequence[Paise],
    before: Belief,
    spoken: Amount,
    hand: Hand,
) -> Turn:
    event = frames[place]["event"]
    of_seq = event["of_seq"]
    said = frames[of_seq - 1]["event"] if of_seq else {}
    tells = msgspec.convert(event["signals"], Tells)
    spans = msgspec.convert(event["spans"], tuple[TellSpan, ...])
    text = str(said.get("text", ""))
    entries = _entries(text, tells, spans, asks, hand)
    after = _belief(tells, asks)
    moved = Amount(after.urgency - before.urgency, after.flexibility - before.flexibility)
    words = sum((entry.moved for entry in entries), Amount())
    return Turn(
        seq=of_seq or frames[place]["seq"],
        text=text,
        price=said["price"] if said.get("kind") == "offer" else None,
        entries=entries,
        moved=moved,
        faded=spoken.times(-1),
        rest=moved - words + spoken,
        after=after,
        hoped=None,
    )


def _entries(
    text: str, tells: Tells, spans: Sequence[TellSpan], asks: Sequence[Paise], hand: Hand
) -> tuple[Entry, ...]:
    def worth(some: Sequence[Sequence[int]]) -> Amount:
        said = sorted(place for group in some for place in group)
        belief = _belief(tells_of(tells, [spans[place] for place in said]), asks)
        return Amount(belief.urgency, belief.flexibility)

    # The strongest first: where a line holds too many reasons, the weakest share one place.
    order = sorted(range(len(spans)), key=lambda place: -abs(spans[place].score - CALM))
    speaking = [place for place in order if spans[place].signal not in SILENT]
    # The reader counts each reason once, however often it is given.
    groups = grouped(speaking, lambda place: (spans[place].signal, spans[place].why))
    moved = {
        place: share.times(1 / len(group))
        for group, share in zip(groups, shares(groups, worth), strict=True)
        for place in group
    }
    entries, door = [], about_next_door(text, hand)
    for place, span in enumerate(spans):
        words = text[span.start : span.end]
        verdict = verdict_on(words, span.signal, span.why, span.score, hand, text)
        if span.why.startswith(RIVALS) and door:
            verdict, door = door, None
        entries.append(Entry(words, span.signal, span.why, moved.get(place, Amount()), verdict))
    if door:
        entries.append(Entry(text, "deception", "", Amount(), door))
    # What was told of the goods in words that move no estimate: a flaw that was owned up to.
    read = [entry.words for entry in entries if entry.signal == "condition"]
    for told in said_of_goods(text):
        verdict = about_thing(told, hand)
        is_told = told.state == "faulty" or told.count or verdict.word != "cannot be known"
        if is_told and not any(words in told.text for words in read):
            read.append(told.text)
            entries.append(Entry(told.text, "condition", "", Amount(), verdict))
    return tuple(entries)


def _belief(tells: Tells | None, asks: Sequence[Paise]) -> Belief:
    return reader().belief(tells, tuple(asks), None)


def _hoped(turn: Turn, ask: Paise, round_: int, scenario: Scenario) -> float | None:
    if not any(entry.moved != Amount() for entry in turn.entries):
        return None
    progress = min(round_ + 1, scenario.max_rounds) / scenario.max_rounds
    budget = scenario.sealed.budget

    def target(belief: Belief) -> float:
        cost = estimated_cost(ask, belief)
        return nash_target(ask, budget, cost, buyer_power(belief, progress))

    silent = Amount(turn.after.urgency, turn.after.flexibility) - turn.words_moved
    without = Belief(urgency=silent.urgency, flexibility=silent.flexibility)
    return to_rupees(round(target(turn.after) - target(without)))


STEERED = ("sauda:", "sauda-mini:", "sauda@")
"""Buyers whose hope for a price moves with what they hear; words said to others move no bid."""

VERDICTS: tuple[Word, ...] = ("true", "bluff", "cannot be known")
WORDLESS = say.text("wordless")
FIRST = say.text("first")


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


class Page(msgspec.Struct, frozen=True):
    """The whole table."""

    blocks: tuple[Block, ...]
    counts: tuple[tuple[Word, int], ...]
    currency: str
    title: str
    about: str


def ledger_page(game: Game, frames: Sequence[Frame], cast: Cast) -> Page | None:
    """Return the ledger of a finished game; None where no person played or nobody was read."""
    if game.source not in (Game.Source.PERSON, Game.Source.EXAMPLE):
        return None
    sold = game.seat == Game.Seat.SELLER and not game.is_pair
    hopes = sold and f"{game.policy}@".startswith(STEERED)
    turns = ledger_of(frames, scenario_of(frames), sauda_buys=hopes, next_door=is_next_door(game))
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
        title=say("what_the_words_did")
        if sold
        else say("what_seller_s_words_gave_away", seller=cast.seller),
        about=say("sold") if sold else say("bought", seller=cast.seller),
    )


def _block(turn: Turn, place: int, frames: Sequence[Frame], cast: Cast) -> Block:
    parts = [(entry.words, label_of(entry.signal), entry.moved, entry.verdict)
             for entry in turn.entries]  # fmt: skip
    if turn.faded != Amount():
        parts.append(("", say("faded"), turn.faded, None))
    parts.append(("", gettext(WORDLESS if place else FIRST), turn.rest, None))
    after, moved = turn.after, turn.moved
    urgency = points([one.urgency for _, _, one, _ in parts], _shown(after.urgency, moved.urgency))
    flexibility = points(
        [one.flexibility for _, _, one, _ in parts], _shown(after.flexibility, moved.flexibility)
    )
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


def _shown(after: float, moved: float) -> int:
    """Return the movement as the panel beside has it: between two estimates in whole percent."""
    return round(after * 100) - round((after - moved) * 100)


def points(parts: Sequence[float], total: int) -> list[int]:
    """Round parts of 1 to whole hundredths whose sum is ``total`` (largest remainders).

    >>> points([0.146, 0.004, 0.003], 15)
    [15, 0, 0]
    """
    floors = [math.floor(part * 100) for part in parts]
    missing = total - sum(floors)
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
