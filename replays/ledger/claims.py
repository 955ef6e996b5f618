"""Was the tell true? A closed table of claims, each held against the opened envelope.

A claim about a limit can be checked with the numbers. A claim about the speaker's life cannot:
there the only witness is what the same person did later.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from django.utils.translation import pgettext

from agents.text.reading.pieces import to_text
from agents.text.reading.roles import roles
from agents.text.tells.words import find_cues
from bazaarbatna.bargain.quantities import Paise, to_paise, to_rupees
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.bargain.tells import CONDITIONS
from bazaarbatna.money import about_text, gap_text
from bazaarbatna.word_tables import read_table
from negotiation.bargain.web.bubbles import Frame
from negotiation.sentences import sentences

say = sentences(__file__)

Word = Literal["true", "bluff", "cannot be known"]

TOLERANCE = 0.02  # of a limit (and a rupee): people round

IN_A_HURRY = 0.05
"""Whoever says they can wait and then comes down by this part of their ask could not."""

CONDITION_STEP = 0.25  # of 0..1: more than two people calling one thing by two names

PLAUSIBLE = (0.2, 3.0)
"""An amount inside a claim is a price when it is this part of the ask: not "2 log", not "2019"."""


class Verdict(msgspec.Struct, frozen=True):
    """What became of a claim, and one line of reason with its numbers."""

    word: Word
    why: str


class Hand(msgspec.Struct, frozen=True, kw_only=True):
    """The seller's side at one turn of a finished game, and what came after it. Prices in paise.

    ``ask`` stands after the turn, ``bid`` is the buyer's last of all; ``taken`` is the bid the
    seller accepted then or later; ``rival`` is what the turn says that somebody else offers. Where
    there is a shop ``next_door``, the reservation price is what it pays.
    """

    scenario: Scenario
    ended: dict[str, Any]
    ask: Paise
    bid: Paise | None
    later_asks: tuple[Paise, ...]
    taken: Paise | None
    rival: Paise | None
    next_door: bool = False

    def text(self, price: int) -> str:
        """Write a price."""
        return about_text(to_rupees(price), self.scenario.item.currency)

    def gap(self, paise: int) -> str:
        """Write a distance between prices."""
        return gap_text(to_rupees(paise), self.scenario.item.currency)

    @property
    def reservation(self) -> Paise:
        """The seller's."""
        return self.scenario.sealed.reservation

    @property
    def left_standing(self) -> Paise | None:
        """A bid at or above the reservation price that the seller left on the table at the end."""
        outcome, by = self.ended["outcome"], self.ended["by"]
        gave_up = outcome == "expired" or (outcome == "walk" and by == "seller")
        good = self.bid is not None and self.bid >= self.reservation
        return self.bid if gave_up and good else None


def hand_at(
    frames: Sequence[Frame], place: int, scenario: Scenario, *, next_door: bool = False
) -> Hand:
    """Return the seller's hand at the turn with the words in frame ``place`` of a finished log."""
    asks, bids = _prices(frames[: place + 1], "seller"), _prices(frames, "buyer")
    takes = _prices(frames, "seller", "accept")
    return Hand(
        scenario=scenario,
        ended=frames[-1]["event"],
        ask=asks[-1] if asks else scenario.anchor,
        # What the seller left at the end is the last bid of all, whenever the words were said.
        bid=bids[-1] if bids else None,
        later_asks=_prices(frames[place + 1 :], "seller"),
        taken=takes[-1] if takes else None,
        rival=_rival(str(frames[place]["event"].get("text", ""))),
        next_door=next_door,
    )


def _rival(text: str) -> Paise | None:
    cut = to_text(text)
    named = zip(cut.said, roles(cut), strict=True)
    return next((Paise(said.amount.paise) for said, role in named if role == "rival"), None)


def _prices(frames: Sequence[Frame], actor: str, kind: str = "offer") -> tuple[Paise, ...]:
    events: list[dict[str, Any]] = [one["event"] for one in frames]
    return tuple(
        to_paise(event["price"])
        for event in events
        if event["kind"] == kind and event["actor"] == actor
    )


def verdict_on(
    words: str, signal: str, why: str, score: float, hand: Hand, line: str = ""
) -> Verdict | None:
    """Return what became of the words of one tell; None where they claim nothing.

    The reason ``why`` says the kind of claim; ``score`` is its strength (goods: 1 mint .. 0 junk).
    ``line``: the whole line, in whose clauses the thing stands that the words are about.
    """
    if signal == "condition":
        clauses = said_of_goods(line or words)
        told = next((one for one in clauses if words in one.text or one.text in words), None)
        if told is None:
            return _about_goods(score, hand)
        if told.state:
            told = msgspec.structs.replace(told, state="sound" if score >= SOUND else "faulty")
        return about_thing(told, hand)
    claim = next((one for one in CLAIMS if why.startswith(one.whys)), None)
    return claim.judge(words, hand) if claim else None


def _bluff(why: str) -> Verdict:
    return Verdict("bluff", why)


def _true(why: str) -> Verdict:
    return Verdict("true", why)


def _unknown(why: str) -> Verdict:
    return Verdict("cannot be known", why)


def _limit(words: str, hand: Hand) -> Verdict:
    claimed, limit = _amount(words, hand) or hand.ask, hand.text(hand.reservation)
    taken = [hand.taken] if hand.taken is not None else []
    lower = min([*hand.later_asks, *taken], default=claimed)
    if claimed - lower > _tolerance(claimed):
        words = say("later_was_taken") if lower == hand.taken else say("later_was_asked")
        shown, later = hand.text(claimed), hand.text(lower)
        return _bluff(words % {"price": shown, "later": later})
    above = claimed - hand.reservation
    if above > _tolerance(claimed):
        return _bluff(say("floor_was_lower", limit=limit, gap=hand.gap(above)))
    return _true(say("the_floor_was_limit", limit=limit))


def _room(words: str, hand: Hand) -> Verdict:
    room = hand.ask - hand.reservation
    if room > _tolerance(hand.ask):
        return _true(say("room_was_left", gap=hand.gap(room)))
    return _bluff(say("no_room"))


def _loss(words: str, hand: Hand) -> Verdict:
    cost = hand.scenario.sealed.cost
    prices = {"asked": hand.text(hand.ask), "cost": hand.text(cost)}
    if hand.ask - cost > _tolerance(hand.ask):
        return _bluff(say("asked_above_its_cost", **prices))
    return _true(say("asked_below_its_cost", **prices))


def _urgent(words: str, hand: Hand) -> Verdict:
    left, limit = hand.left_standing, hand.text(hand.reservation)
    if left is not None:
        return _bluff(say("left_on_the_table", left=hand.text(left), limit=limit))
    return _unknown(say("nobody_knows_the_calendar"))


def _rivals(words: str, hand: Hand) -> Verdict:
    offered, sold = hand.rival, hand.ended["price"]
    if offered and sold is not None and offered - to_paise(sold) > _tolerance(offered):
        price = hand.text(to_paise(sold))
        return _bluff(say("sold_with_an_offer_in_hand", price=price, offered=hand.text(offered)))
    return _unknown(say("nobody_else_at_the_table"))


def about_next_door(text: str, hand: Hand) -> Verdict | None:
    """Hold what the shop next door is said to pay against what it pays; None where it is unsaid."""
    offered, paid = hand.rival, {"paid": hand.text(hand.reservation)}
    if not (hand.next_door and offered and _has(_GOODS.next_door, text)):
        return None
    if offered - hand.reservation > _tolerance(offered):
        return _bluff(say("the_shop_paid_less", **paid))
    return _true(say("the_shop_paid_that", **paid))


def _patient(words: str, hand: Hand) -> Verdict:
    step = hand.ask - hand.later_asks[0] if hand.later_asks else 0
    if step >= IN_A_HURRY * hand.ask:
        return _bluff(say("next_ask_was_lower", gap=hand.gap(step)))
    return _unknown(say("nobody_knows_patience"))


def _tomorrow(words: str, hand: Hand) -> Verdict:
    return _unknown(say("ended_before_tomorrow"))


def _condition(label: str) -> str:
    words = {
        "new": pgettext("condition", "new"),
        "like_new": pgettext("condition", "like new"),
        "very_good": pgettext("condition", "very good"),
        "good": pgettext("condition", "good"),
        "acceptable": pgettext("condition", "acceptable"),
        "junk": pgettext("condition", "junk"),
    }
    return words[label]


class _Goods(msgspec.Struct, frozen=True):
    things: tuple[str, ...]
    faulty: str
    sound: str
    denied: str
    next_door: str
    count: str
    age: str
    clauses: str
    numbers: tuple[tuple[str, ...], ...]


_GOODS = read_table(Path(__file__).with_name("goods.toml"), _Goods)
_AGE = len(_GOODS.things) - 1
_FLAW = next(at for at, words in enumerate(_GOODS.things) if "scratch" in words)
_YEARS, _MONTHS = 2, 3
"""Groups of the pattern of counts."""
_IN_A_YEAR = 12

SOUND = 0.6
"""So strong a cue of the goods praises; below it, it tells of a flaw."""


class Said(msgspec.Struct, frozen=True):
    """What a clause says of one thing; ``count`` is the 2 of "2-hour", and which unit it has."""

    thing: int
    state: Literal["sound", "faulty", ""]
    count: tuple[int, int] | None
    text: str


def said_of_goods(text: str) -> tuple[Said, ...]:
    """List what a text says of things that a listing could name too."""
    clauses = re.split(_GOODS.clauses, text, flags=re.IGNORECASE)
    return tuple(one for clause in clauses for one in _said_in(clause))


def _said_in(told: str) -> Iterator[Said]:
    # The patterns know Hindi as people write it in Latin letters.
    clause = told if told.isascii() else " ".join(term.text for term in to_text(told).terms)
    named = [at for at, words in enumerate(_GOODS.things) if _has(rf"\b(?:{words})\b", clause)]
    # "Two years of warranty" tells of no age, and of two things none is told apart.
    things = [at for at in named if at != _AGE] or (named if _has(_GOODS.age, clause) else [])
    # "A scratch on the glass" tells of both the same.
    is_clear = len([at for at in things if at != _FLAW]) <= 1
    for thing in things:
        state, count = (_state(clause), _count(clause)) if is_clear else ("", None)
        yield Said(thing, state, count, told.strip())


def _has(pattern: str, clause: str) -> re.Match[str] | None:
    return re.search(pattern, clause, re.IGNORECASE)


def _state(clause: str) -> Literal["sound", "faulty", ""]:
    if _has(_GOODS.denied, clause):
        return ""  # "not loose" is no flaw, and "no problem" is one of nothing
    cues = [cue.strength for cue in find_cues(to_text(clause), goods_only=True)]
    if cues:
        return "sound" if min(cues) >= SOUND else "faulty"
    return (
        "faulty" if _has(_GOODS.faulty, clause) else "sound" if _has(_GOODS.sound, clause) else ""
    )


def _count(clause: str) -> tuple[int, int] | None:
    found = _has(_GOODS.count, clause)
    if found is None or found.lastindex is None:
        return None
    word = found[1].lower()
    spelled = (at for at, words in enumerate(_GOODS.numbers, start=1) if word in words)
    number = int(word) if word.isdecimal() else next(spelled, 0)
    # Of years and months one cannot be held against the other without reckoning: they are counted.
    months = {_YEARS: _IN_A_YEAR, _MONTHS: 1}.get(found.lastindex)
    return (number * months, _MONTHS) if months else (number, found.lastindex)


def about_thing(told: Said, hand: Hand) -> Verdict:
    """Hold what was said of one thing against what the listing says of it, and of nothing else."""
    there = [one for one in said_of_goods(hand.scenario.item.condition) if one.thing == told.thing]
    if not there:
        return _unknown(say("listing_does_not_say"))
    listed = there[0]
    so, other = (
        say(name, listed=listed.text) for name in ("listing_says_so", "listing_says_otherwise")
    )
    if told.count and listed.count:
        if told.count == listed.count:
            return _true(so)
        if told.count[1] != listed.count[1]:
            return _unknown(say("listing_only_names", listed=listed.text))
        is_flattering = (told.count > listed.count) != (told.thing == _AGE)
        return _bluff(other) if is_flattering else _unknown(other)
    if not (told.state and listed.state):
        return _unknown(say("listing_only_names", listed=listed.text))
    if told.state == listed.state:
        return _true(so)
    return _bluff(other) if told.state == "sound" else _unknown(other)


def _about_goods(score: float, hand: Hand) -> Verdict:
    item = hand.scenario.item
    if not item.condition:
        return _unknown(say("listing_is_silent"))
    cues = find_cues(to_text(item.condition), goods_only=True)
    listed = min((cue.strength for cue in cues), default=CONDITIONS[item.condition_label][0])
    label = _condition(item.condition_label)
    if score - listed > CONDITION_STEP:
        return _bluff(say("listing_calls_it", label=label, condition=item.condition))
    if listed - score > CONDITION_STEP:
        return _unknown(say("listing_knows_no_flaw", label=label))
    return _true(say("listing_agrees", label=label))


class Claim(msgspec.Struct, frozen=True):
    """One row of the table: ``kind`` names the claim, ``whys`` begin the reasons of its tells."""

    kind: str
    whys: tuple[str, ...]
    judge: Callable[[str, Hand], Verdict]


RIVALS = "Rival offers cannot be checked"
_LIMITS = ("You name a floor", "You call the price fixed", "You named a last price before")
_HURRY = (
    *("You say you need the money", "You say you are leaving", "You set a near day"),
    *("You press for speed", "You say it takes up room"),
)
CLAIMS: tuple[Claim, ...] = (
    Claim("limit", _LIMITS, _limit),
    Claim("room", ("You leave a door open",), _room),
    Claim("loss", ("You say you lose money",), _loss),
    Claim("urgency", _HURRY, _urgent),
    Claim("rivals", (RIVALS,), _rivals),
    Claim("patience", ("You say that you can wait",), _patient),
    Claim("tomorrow", ("A price that rises tomorrow",), _tomorrow),
)
"""Praise, oaths, pleading and temper claim nothing that could be true or false."""


def _amount(words: str, hand: Hand) -> Paise | None:
    low, high = (part * hand.ask for part in PLAUSIBLE)
    named = [Paise(said.amount.paise) for said in to_text(words).said]
    return next((price for price in named if low <= price <= high), None)


def _tolerance(price: int) -> float:
    return max(TOLERANCE * price, 100)
