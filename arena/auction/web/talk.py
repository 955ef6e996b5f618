"""What is said around the table, in the reader's language: the seller and the rivals.

Everything comes from a match as its viewer is sent it: nobody speaks of a bid that is sealed to
that viewer. The same frames give the same words.
"""

import functools
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Literal

import msgspec
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext, override

from agents.speech.facts import answers_to, names_a_property, reasons
from agents.speech.sides import clearly
from agents.speech.truths import WHAT_SHE_IS, answers, asked, misplaced
from agents.text.languages import Register
from arena.auction.charts.course import BidMark, Course, Lane
from arena.auction.web.bidding import manner_of
from arena.words import say
from bazaarbatna.auction.observe import claimed
from bazaarbatna.bargain.scenario import Item
from bazaarbatna.money import rupees_text
from bazaarbatna.word_tables import read_table
from negotiation.bargain.web.bubbles import Frame

Silly = Literal["tiny", "low", "over", "far"]

TINY, LOW = 0.1, 0.4
"""Of the ask: below it a bid is laughed at."""
OVER, FAR = 1.5, 1.4
"""Times the best bid of the others, at the ask and below it: above it a bid is wondered at."""
NEAR = 0.6
"""Of the ask: a bid below it is not far in front, only less low."""
CRAWL = 0.03
"""Of the ask before: a smaller step down is a crawl."""
SELLER = ("seller", "dukandar", "bechne wale", "सेलर", "दुकानदार", "बेचने वाले", "बेचनेवाले")
"""What the table calls the seller."""
ANSWERS = ("bid", "asked", "priced", "spoken")
BID = re.compile(
    r"\b(?:(?:what|how (?:much|high)|kitn[aei]|kya)\b.*\b(?:bid(?:ding)?|boli|offer|daam|likh\w*)"
    r"|your (?:bid|offer|number|limit|budget)|(?:aap|tumh|ter)\w+ (?:boli|daam|budget))\b"
    r"|(?:how much|kitn[ae])\W*$|(?:आप|तुम्ह|कित)\S* (?:बोली|दाम|बजट|लिख)"
)
"""How a person asks what another buyer bids."""
OF_ONE = re.compile(r"ungi\b|\bbani\b|poori|ऊँगी|बनी|person here")
"""Truths that only a woman says, or only where nobody else sits."""
TO_YOU = re.compile(r"\b(?:you|aap|tum)\b|आप|तुम", re.IGNORECASE)
OF_A_WOMAN = re.compile(r"\b\w+ti(?: hoon)?[ .,;:!]|ती(?: हूँ)?[ ।,;:!]|ungi\b|ूँगी|ऊँगी")
PAGES = {"english": "en", "hindi": "hi"}
"""In which language words of a person's are answered: the one that was used."""


class Lines(msgspec.Struct, frozen=True):
    """All lines by who says them and what about."""

    seller: dict[str, tuple[str, ...]]
    voices: dict[str, dict[str, tuple[str, ...]]]


class Saying(msgspec.Struct, frozen=True):
    """What a buyer of the house says to the table."""

    lane: Lane
    text: str


@functools.cache
def _lines(table: str = "talk") -> Lines:
    return read_table(Path(__file__).with_name("lines") / f"{table}.toml", Lines)


def silly(course: Course, lane: Lane, mark: BidMark) -> Silly | None:
    """Return what is odd about an opened bid; None where nothing is, or where it is not open."""
    if mark.action != "offer" or mark.price is None:
        return None
    ask = course.ask_in(mark.round)
    if mark.price < LOW * ask:
        # Who creeps up from below is laughed at once.
        before = lane.bid_after(mark.round - 1)
        if before is not None and before < LOW * ask:
            return None
        return "tiny" if mark.price < TINY * ask else "low"
    # Who bid among sealed envelopes is told what could be seen then, also when all are open.
    rivals = [] if course.sealed else [one for one in course.lanes if one != lane]
    known = [bid for one in rivals if (bid := one.bid_after(mark.round)) is not None]
    if not known:
        return "over" if mark.price >= ask and mark.round == 1 else None
    if mark.price >= ask:
        return "over" if mark.price >= OVER * max(known) else None
    return "far" if mark.price >= max(FAR * max(known), NEAR * ask) else None


def _silly_bid(course: Course, number: int) -> tuple[str, Lane | None]:
    """Find the first odd bid of a round, of the persons' where bids are sealed to who looks on."""
    for lane in course.lanes:
        for mark in lane.marks if lane.person or lane.you or not course.sealed else ():
            if mark.round == number and (kind := silly(course, lane, mark)):
                return kind, lane
    return "", None


def said_by_seller(course: Course, event: Frame) -> str:
    """Return the seller's words at an event in the reader's language, "" where it says none."""
    return _script(course, event)[0]


def said_by_rival(course: Course, event: Frame) -> Saying | None:
    """Return what one of the house's buyers says at an event about what everybody may see."""
    return _script(course, event)[1]


def _script(course: Course, event: Frame) -> tuple[str, Saying | None]:
    """Tell a match from its first event on: no line twice, and all in a person's own language."""
    if not course.said:
        heard: set[str] = set()
        tongue = None
        for one in course.log:
            spoken = _answered(course, one)
            tongue = (clearly(spoken.text) if spoken else None) or tongue
            lines = _lines("hinglish" if tongue == "hinglish" else "talk")
            with override(PAGES.get(tongue or "", get_language())):
                rival = _rival(course, one, heard, lines)
                told = _seller(course, one, heard, lines, alone=rival is None), rival
            course.said[one["kind"], one.get("round")] = told
    said: tuple[str, Saying | None] = course.said[event["kind"], event.get("round")]
    return said


def _seller(course: Course, event: Frame, heard: set[str], lines: Lines, *, alone: bool) -> str:
    kind, about = _occasion(course, event), None
    if event["kind"] == "round":
        kind, about = _silly_bid(course, event["round"])
    pool = lines.seller.get(kind, ())
    spoken = _answered(course, event) if alone else None
    if spoken and _asks_what(course, spoken) and _named(course, spoken)[0] in ("", "seller"):
        kind, about, pool = "self", None, _truths(spoken.text, heard, lines)
    elif spoken and (known := _answers(course, spoken, lines)):
        kind, about, pool = "thing", None, known
    elif kind == "opened":
        pool += tuple(f"{{ask}}. {one}" for one in _praise(course, lines))
    if about and (about.person or about.you):
        # Lines that name the bidder do not fit a person, who reads them about oneself.
        pool = tuple(line for line in pool if "{who}" not in line)
    line = _in_turn(course, f"seller {kind}", pool, event.get("round", 0), heard)
    return _told(course, event, line, about) if line else ""


def _rival(course: Course, event: Frame, heard: set[str], lines: Lines) -> Saying | None:
    number, kind = event.get("round", 0), _occasion(course, event)
    about: Lane | None = None
    if event["kind"] == "round":
        kind, about = _called(course, event, lines)
    elif event["kind"] == "accept":
        about = course.lane(event["buyer"])
        kind = "sold" if about.person or about.you else "won"
    spoken = _answered(course, event)
    named = _named(course, spoken)[0]
    house = [
        lane
        for lane in course.lanes
        if not (lane.person or lane.you)
        and not any(mark.action == "walk" and mark.round <= number for mark in lane.marks)
        and (lane == about) == (kind == "won")
        and named in ("", lane.actor)
    ]
    if not (kind and house):
        return None
    first = _chance(course, f"who {kind}").randrange(len(house)) - number % len(house)
    for lane in (house[(first + step) % len(house)] for step in range(len(house))):
        voice = lines.voices[manner_of(lane.policy).voice or "base"]
        # Who has no more to say to a question or a number has heard it all the same.
        kinds = (kind, "spoken") if kind in ANSWERS else (_stands(course, event, lane), kind)
        for one in dict.fromkeys(kinds):
            about_it, turn = f"{lane.actor} {one}", number // len(house)
            pool = voice.get(one, ())
            if spoken and one == "self":
                pool = _truths(spoken.text, heard, lines)
            if line := _in_turn(course, about_it, pool, turn, heard):
                if lines is _lines("hinglish") and about and about.you:
                    line = line.replace("{who}", "dost")
                return Saying(lane, _told(course, event, line, about))
    return None


def _stands(course: Course, event: Frame, lane: Lane) -> str:
    """Say whether a buyer leads or trails after a round, where it knows, and the reader too.

    Of sealed bids the table knows one thing: that the person who is told to lead is in front.
    """
    if event["kind"] != "offer" or event["round"] % 2:
        return ""
    opened = [one for one in course.log if one["kind"] == "round"]
    told = opened[event["round"] - 1]
    own = course.own
    ahead = own and told.get("outbid") is False and own.bid_after(event["round"]) is not None
    front = own.actor if own and ahead else told.get("best")
    if not front or (course.sealed and not course.lane(front).person):
        return ""
    return "leads" if front == lane.actor else "trails"


def _occasion(course: Course, event: Frame) -> str:
    match event["kind"]:
        case "opened":
            return "opened"
        case "accept":
            return "sold"
        case "offer" if event["round"] + 1 == course.max_rounds:
            return "last"
        case "offer":
            return step_kind(course.ask_in(event["round"]), event["price"])
        case _:
            return ""


def _called(course: Course, event: Frame, lines: Lines) -> tuple[str, Lane | None]:
    """Find what is to be answered of a round: who left, a person's words, or a call.

    A person's come first, and words that name somebody before who left.
    """
    lanes = {row["actor"]: course.lane(row["actor"]) for row in event["bids"]}
    gone = [lanes[row["actor"]] for row in event["bids"] if row["action"] == "walk"]
    spoken = _answered(course, event)
    if spoken and _asks_what(course, spoken):
        return "self", spoken.lane
    if spoken and _answers(course, spoken, lines):
        return "", None  # the seller speaks
    if gone and not _named(course, spoken)[0]:
        return "left", gone[0]
    if spoken:
        return _about(spoken.text), spoken.lane
    called = [(claimed(row.get("signal")), lanes[row["actor"]]) for row in event["bids"]]
    calls = [(sign, lane) for sign, lane in called if sign]
    # A person's comes first, whoever reads: all hear the same answer, and in the replay too.
    calls = [call for call in calls if call[1].person or call[1].you] or calls
    return calls[event["round"] % len(calls)] if calls else ("", None)


def said_by_people(course: Course, event: Frame) -> list[Saying]:
    """Return what persons said to the table with their envelopes; the reader's own first."""
    lanes = {row["actor"]: course.lane(row["actor"]) for row in event["bids"]}
    said = [Saying(lanes[row["actor"]], row.get("text", "")) for row in event["bids"]]
    people = [one for one in said if one.text and (one.lane.person or one.lane.you)]
    return sorted(people, key=lambda one: not one.lane.you)


def _answered(course: Course, event: Frame) -> Saying | None:
    """Choose whose words are answered, who asks for the truth first: the same for all readers."""
    said = said_by_people(course, event) if event["kind"] == "round" else []
    said = [one for one in said if _asks_what(course, one)] or said
    said.sort(key=lambda one: one.lane.place)
    return said[event["round"] % len(said)] if said else None


def _about(text: str) -> str:
    """Say how a line is answered: it asks for a bid, has a number, is a question, or any other."""
    if BID.search(text.casefold()):
        return "bid"
    if any(letter.isdigit() for letter in text):
        return "priced"
    return "asked" if "?" in text else "spoken"


def _named(course: Course, said: Saying | None) -> tuple[str, str]:
    """Return whom a line names first (an actor, "seller", "" for nobody), and it with one name."""
    if said is None:
        return "", ""
    others = [lane for lane in course.lanes if lane != said.lane]
    names = dict.fromkeys(SELLER, "seller")
    names |= {name.casefold(): one.actor for one in others for name in (one.called, one.name)}
    either = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    named, text = re.compile(rf"(?<!\w)({either})(?!\w)"), said.text.casefold()
    one = named.sub(lambda who: "sauda" if who[1].isascii() else "सौदा", text)
    return names[found[1]] if (found := named.search(text)) else "", one


def _asks_what(course: Course, said: Saying) -> bool:
    """Whether a line asks if somebody here is a program, by whatever name."""
    return any(WHAT_SHE_IS in asked(text) for text in (said.text, _named(course, said)[1]))


def _answers(course: Course, said: Saying, lines: Lines) -> tuple[str, ...]:
    """Return what the seller says to who asks about the thing, or asks it by its name; else none.

    The card is all it knows, as at every table of the house.
    """
    name, text = _named(course, said)[0], said.text
    if name not in ("", "seller") or _about(text) in ("bid", "priced"):
        return ()
    if known := answers_to(_item(course), text, _register(lines)):
        return (" ".join(known), *known)
    if "?" not in text:
        return ()
    # "How high will you go?" asks those at the table, and of no height.
    silent = names_a_property(text) and not (name == "" and TO_YOU.search(text))
    return lines.seller["untold" if silent else "asked"] if silent or name else ()


def _praise(course: Course, lines: Lines) -> tuple[str, ...]:
    """Return reasons of the thing itself for its price; the seller of a match is a man."""
    told = reasons(_item(course), "seller", _register(lines))
    return tuple(one for one in told if not OF_A_WOMAN.search(one))


def _item(course: Course) -> Item:
    return msgspec.convert(course.log[0]["item"], Item)


def _register(lines: Lines) -> Register:
    if lines is _lines("hinglish"):
        return "hinglish"
    return "hindi" if (get_language() or "").startswith("hi") else "english"


def _truths(question: str, heard: set[str], lines: Lines) -> tuple[str, ...]:
    """Return what is true of all who play for the house; it runs out for nobody who asks again."""
    told = answers(_register(lines)).self
    said = tuple(heard)
    fit = {one for one in told if not (OF_ONE.search(one) or misplaced(one, question, said))}
    if fit <= heard:
        heard -= fit
    return tuple(one for one in told if one in fit)


def _told(course: Course, event: Frame, line: str, about: Lane | None) -> str:
    # The ask as it stood when this was said, not as it stands for who reads later.
    before = course.ask_in(max(event.get("round", 1), 1))
    ask = event["price"] if event["kind"] in ("opened", "offer") else before
    who = "" if about is None else say("my_friend") if about.you else about.name
    bid = about.bid_after(event.get("round", 0)) if about else None
    amounts = {"ask": ask, "step": max(before - ask, 0.0), "price": bid or 0.0}
    spoken = {name: rupees_text(price, course.currency) for name, price in amounts.items()}
    return capfirst(gettext(line).format(who=who, **spoken))


def _in_turn(course: Course, about: str, pool: Sequence[str], turn: int, heard: set[str]) -> str:
    order = _chance(course, about).sample(pool, len(pool))
    at = turn % len(pool) if pool else 0
    line = next((line for line in order[at:] + order[:at] if line not in heard), "")
    heard.add(line)
    return line


def step_kind(before: float, after: float) -> str:
    """Return how far an ask came down.

    >>> step_kind(1000, 900), step_kind(1000, 990), step_kind(1000, 1000)
    ('drop', 'crawl', 'still')
    """
    if after >= before:
        return "still"
    return "crawl" if before - after < CRAWL * before else "drop"


def _chance(course: Course, about: str) -> Random:
    # What everybody knows of a match, and nothing else.
    names = ",".join(lane.called for lane in course.lanes)
    return Random(f"{course.title}:{course.opening_ask}:{names}:{about}")
