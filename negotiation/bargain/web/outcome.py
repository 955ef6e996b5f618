"""The sheet after the end: what came out, what was sealed, what theory would say."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from bazaarbatna.bargain.quantities import Paise, Side, to_paise, to_rupees
from bazaarbatna.bargain.scenario import Scenario
from bazaarbatna.bargain.tells import Tells
from bazaarbatna.bargain.theory import reference_lines
from bazaarbatna.money import gap_text, least_text, most_text, rupees_text, whole
from negotiation.bargain.honesty import Certificate, Check
from negotiation.bargain.house import LEVEL, Others, Over, better_than
from negotiation.bargain.terms import Reveal
from negotiation.bargain.verdict import STARS, Verdict, verdict_of
from negotiation.bargain.web.brief import bonus
from negotiation.bargain.web.bubbles import Frame, closing_words, currency_of
from negotiation.bargain.web.seats import Seat
from negotiation.charts.price_path import price_path
from negotiation.charts.share_bar import share_bar
from negotiation.policies import drawn_by
from negotiation.readers import reader
from negotiation.sentences import sentences

say = sentences(__file__)

UNCHECKED = "Rival offers cannot be checked"
"""So begins the reason of a tell about other buyers."""

SHORT = 64
"""Longest piece of a turn's words in characters that the table shows."""


class Moved(msgspec.Struct, frozen=True):
    """The estimate after one turn; values and changes 0..1 as whole percents in words."""

    seq: int
    words: str
    urgency: float
    flexibility: float
    urgency_change: str
    flexibility_change: str


def moved_by(frames: Sequence[Frame]) -> tuple[Moved, ...]:
    """List the buyer's estimate after each turn of the seller that was read, from a whole log."""
    asks: list[Paise] = [to_paise(frames[0]["event"]["price"])]
    found: list[Moved] = []
    for frame in frames[1:]:
        event = frame["event"]
        if event.get("actor") != "seller":
            continue
        if event["kind"] == "offer":
            asks.append(to_paise(event["price"]))
        if event["kind"] == "tells":
            words = _words(frames, event["of_seq"])
            tells = msgspec.convert(event["signals"], Tells)
            belief = reader().belief(tells, tuple(asks), None)
            before = found[-1] if found else None
            found.append(
                Moved(
                    seq=event["of_seq"],
                    words=words,
                    urgency=belief.urgency,
                    flexibility=belief.flexibility,
                    urgency_change=_change(before.urgency if before else None, belief.urgency),
                    flexibility_change=_change(
                        before.flexibility if before else None, belief.flexibility
                    ),
                )
            )
    return tuple(found)


def _words(frames: Sequence[Frame], seq: int) -> str:
    event: dict[str, Any] = frames[seq - 1]["event"] if 0 < seq <= len(frames) else {}
    text = str(event.get("text", "")).strip()
    if not text:
        return say("only_a_price")
    return text if len(text) <= SHORT else f"{text[: SHORT - 1].rstrip()}…"


def _change(before: float | None, after: float) -> str:
    if before is None:
        return ""
    points = round(after * 100) - round(before * 100)
    return "" if points == 0 else f"{'+' if points > 0 else '−'}{abs(points)}"


ALONE = Others()

GREEN = 3
"""Stars from which on a deal is celebrated."""


class Checked(msgspec.Struct, frozen=True):
    """One promise: whether it was kept, and the count that shows it."""

    words: str
    kept: bool


PROMISES = tomllib.loads(Path(__file__).with_name("promises.toml").read_text(encoding="utf-8"))
"""Side of the opponent and name of a check -> what is said of it, kept and broken."""


def checked(certificate: dict[str, Any] | None) -> tuple[Checked, ...]:
    """List the promises of a stored certificate that the game put to the test, in words.

    >>> checked({"side": "seller", "checks": [{"name": "leaks", "checked": 6, "broken": 0}]})
    (Checked(words='Kept her secret in all 6 messages', kept=True),)
    """
    if certificate is None:
        return ()
    sheet = Certificate.from_json(certificate)
    words = PROMISES[sheet.side]
    return tuple(
        Checked(_told(words.get(check.name), check), check.kept)
        for check in sheet.checks
        if check.checked
    )


def _told(words: dict[str, str] | None, check: Check) -> str:
    if words is None:
        return check.name
    form = "broken" if check.broken else "kept_one" if check.checked == 1 else "kept"
    return gettext(words.get(form, words["kept"])).format(
        checked=check.checked, broken=check.broken
    )


class Fact(msgspec.Struct, frozen=True):
    """A line of the sheet: a name and its value; ``tone`` colours it, ``rest`` stays plain."""

    name: str
    value: str
    tone: str = ""
    rest: str = ""


class Theory(msgspec.Struct, frozen=True):
    """A price that theory names, in rupees, and what it stands for in one line."""

    name: str
    price: float
    about: str


THEORY: dict[str, str] = PROMISES["theory"]


class Standing(msgspec.Struct, frozen=True):
    """How a share compares: the ``better`` of ``house`` got less, the ``rest`` did not.

    Likewise people.

    ``dealt`` of the house made a deal. ``over`` as of ``Others``.
    """

    better: int
    house: int
    dealt: int
    better_people: int
    people: int
    over: Over

    @property
    def rest(self) -> int:
        """How many of the house got as much or more."""
        return self.house - self.better


class Outcome(msgspec.Struct, frozen=True):
    """Everything the sheet shows; ``bar`` is "" where nothing is shared.

    ``standing`` is None where no price suited both, and in practice.
    """

    tone: str
    headline: str
    verdict: Verdict
    currency: str
    bar: SafeString | str
    chart: SafeString
    facts: tuple[Fact, ...]
    theory: tuple[Theory, ...]
    moved: tuple[Moved, ...]
    certificate: tuple[Checked, ...]
    commitment: str
    committed_text: str
    replay: str
    standing: Standing | None = None
    rivals: tuple[str, ...] = ()


def rivals_of(frames: Sequence[Frame], seat: Seat) -> tuple[str, ...]:
    """List what the house's seller said of other buyers: no envelope knows any."""
    return tuple(
        _words(frames, frame["event"]["of_seq"])
        for frame in frames
        if frame["event"]["kind"] == "tells" and frame["event"]["actor"] != seat.side
        and any(span["why"].startswith(UNCHECKED) for span in frame["event"]["spans"])
    )  # fmt: skip


def outcome_of(
    frames: Sequence[Frame],
    scenario: Scenario,
    seat: Seat,
    others: Others = ALONE,
    *,
    in_room: bool = False,
) -> Outcome:
    """Write the sheet of a finished game from all its owner's frames."""
    ended = frames[-1]["event"]
    deal = ended["price"] is not None
    shared = deal and scenario.zopa > 0
    currency = currency_of(frames)
    verdict = told_verdict(frames, scenario, seat)
    is_compared = scenario.zopa > 0 and bool(others.house or others.people)
    lines = reference_lines(scenario)
    return Outcome(
        tone=_tone(verdict),
        headline=closing_words(frames, seat.cast) or _headline(ended, seat, currency),
        verdict=verdict,
        currency=currency,
        bar=share_bar(ended["seller_share"], ended["buyer_share"]) if shared else "",
        chart=price_path(frames, place="outcome"),
        facts=_facts(frames, scenario, seat, currency, in_room=in_room),
        theory=tuple(
            Theory(theory_name(name), whole(price), _about(name)) for name, price in lines.items()
        ),
        moved=moved_by(frames),
        certificate=checked(ended.get("certificate")),
        commitment=ended["commitment"],
        committed_text=ended["committed_text"],
        replay=ended["replay"],
        standing=_standing(ended[f"{seat.side}_share"], others) if is_compared else None,
        rivals=rivals_of(frames, seat),
    )


def told_of(frames: Sequence[Frame], scenario: Scenario, seat: Seat, reveal: Reveal) -> Outcome:
    """Write the sheet of a game whose limits stay sealed: nothing of the other side's is read."""
    ended, currency = frames[-1]["event"], currency_of(frames)
    deal, sealed = ended["price"] is not None, scenario.sealed
    facts = []
    if deal:
        facts.append(Fact(say("price"), rupees_text(ended["price"], currency)))
    if reveal != "price":
        limits = zone_amounts(sealed.reservation, sealed.budget, currency)
        own = limits["reservation" if seat.is_seller else "budget"]
        facts.append(Fact(seat.own_limit, own, seat.own_kind))
        facts += [
            msgspec.structs.replace(f, rest="")
            for f in _gain(ended, scenario, seat, currency, in_room=True)
        ]
    return Outcome(
        tone="deal" if deal else "walk",
        headline=closing_words(frames, seat.cast) or _headline(ended, seat, currency),
        verdict=Verdict(None, deal),
        currency=currency,
        bar="",
        chart=price_path(frames, place="outcome"),
        facts=tuple(facts),
        theory=(),
        moved=(),
        certificate=(),
        commitment="",
        committed_text="",
        replay="",
    )


def told_verdict(frames: Sequence[Frame], scenario: Scenario, seat: Seat) -> Verdict:
    """Judge a finished game from the seat of its person, with what is said to that person."""
    ended = frames[-1]["event"]
    deal, room = ended["price"] is not None, scenario.zopa > 0
    found = verdict_of(ended["seller_share"], seat.side, deal=deal, room=room)
    said = seat.praise[STARS - max(found.stars, 1)] if deal and room else ""
    sentence = said or _without_share(frames, scenario, seat)
    return msgspec.structs.replace(found, sentence=sentence)


def _standing(share: float, others: Others) -> Standing:
    return Standing(
        better=better_than(share, others.house),
        house=len(others.house),
        dealt=sum(theirs > LEVEL for theirs in others.house),
        better_people=others.worse,
        people=others.people,
        over=others.over,
    )


def _tone(verdict: Verdict) -> str:
    """Name the colour: no green for crumbs, no plum for whoever was right to leave."""
    if verdict.percent is None:
        return "right"
    if not verdict.is_deal:
        return "walk"
    return "deal" if verdict.stars >= GREEN else "plain"


def theory_name(name: str) -> str:
    """Return what ``reference_lines`` calls a price, in the language that is spoken now."""
    start, comma, rest = name.partition(", ")
    if comma:
        rounds = int(rest.partition(" ")[0])
        return say("name_rounds_rounds", name=gettext(start), rounds=rounds)
    return gettext(name)


def _about(name: str) -> str:
    about = next((about for start, about in THEORY.items() if name.startswith(start)), "")
    return gettext(about) if about else ""


def zone_amounts(reservation: Paise, budget: Paise, currency: str) -> dict[str, str]:
    """Write the limits, in paise, with which a game without a deal is told."""
    return {
        "reservation": least_text(to_rupees(reservation), currency),
        "budget": most_text(to_rupees(budget), currency),
    }


def _headline(ended: Frame, seat: Seat, currency: str) -> str:
    match ended["outcome"]:
        case "deal":
            return seat.deal.format(price=rupees_text(ended["price"], currency))
        case "walk":
            if ended["by"] == seat.side:
                return say("you_walked_away")
            return say("who_walked_away", who=seat.rival)
        case _:
            return say("the_rounds_ran_out")


def _without_share(frames: Sequence[Frame], scenario: Scenario, seat: Seat) -> str:
    ended, sealed, zopa = frames[-1]["event"], scenario.sealed, scenario.zopa
    if ended["price"] is not None:
        return seat.at_limits
    amounts = zone_amounts(sealed.reservation, sealed.budget, currency_of(frames))
    # Of a table that was closed the log has a walk, and nobody walked.
    by = None if closing_words(frames, seat.cast) else ended["by"]
    return _without_deal(by, zopa, seat).format(**amounts)


def _without_deal(by: Side | None, zopa: int, seat: Seat) -> str:
    if zopa > 0:
        return seat.missed
    if zopa == 0:
        return seat.missed_point
    if by is None:
        return seat.rightly_expired
    return seat.rightly_walked if by == seat.side else seat.rightly_left


def _facts(
    frames: Sequence[Frame], scenario: Scenario, seat: Seat, currency: str, *, in_room: bool
) -> tuple[Fact, ...]:
    ended, sealed = frames[-1]["event"], scenario.sealed
    reservation, budget = zone_amounts(sealed.reservation, sealed.budget, currency).values()
    own, rival = (reservation, budget) if seat.is_seller else (budget, reservation)
    facts = [Fact(seat.rival_limit, rival, seat.rival_kind)]
    if ended["price"] is not None:
        facts.append(Fact(say("price"), rupees_text(ended["price"], currency)))
    facts.append(Fact(seat.own_limit, own, seat.own_kind))
    gain = _gain(ended, scenario, seat, currency, in_room=in_room)
    return (*facts, *gain, *_who(frames, scenario, seat))


def _who(frames: Sequence[Frame], scenario: Scenario, seat: Seat) -> tuple[Fact, ...]:
    offers = [one["event"] for one in frames if one["event"]["kind"] == "offer"]
    own, theirs = (
        {one["price"] for one in offers if one["actor"] == side}
        for side in (seat.side, seat.rival_side)
    )
    is_still = len(own) > 1 and theirs <= {frames[0]["event"]["price"]}
    if seat.is_seller or seat.is_person or is_still:
        # Of whom one saw no step for one's own, no word about steps holds.
        return ()
    sealed = scenario.sealed
    character = drawn_by(f"seller:{sealed.persona}", sealed.seed)
    return (Fact(say("who_that_was"), gettext(character)),) if character else ()


def _gain(
    ended: Frame, scenario: Scenario, seat: Seat, currency: str, *, in_room: bool
) -> tuple[Fact, ...]:
    """What the person has of it: a seller's bonus, a buyer's rest of the budget.

    A room has no bonus of ours, a study one of its own.
    """
    sealed, name = scenario.sealed, "your_bonus"
    price = None if ended["price"] is None else to_paise(ended["price"])
    if in_room or not seat.is_seller:
        if price is None:
            return ()
        if not seat.is_seller:
            return (Fact(say("left_in_your_pocket"), _money(sealed.budget - price, currency)),)
        name, earned, largest = "above_your_floor", price - sealed.reservation, scenario.zopa
    else:
        earned, largest = (
            0 if at is None else bonus(at, scenario.anchor, sealed.reservation)
            for at in (price, sealed.budget)
        )
    bonus_of = say("of_most", most=_money(largest, currency)) if largest > 0 else ""
    return (Fact(say(name), _money(earned, currency), rest=bonus_of),)


def _money(paise: int, currency: str) -> str:
    return gap_text(to_rupees(paise), currency)
