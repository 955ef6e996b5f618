"""Who may see which event of a market, and in what shape: the only way from a log to a screen.

The table at the end has one row per kind of event and one column per audience. A cell gives the
event's fields, or None where this viewer is not told that it happened at all.

**One exception.** ``market.answers_of`` tells a player why a scripted lab, in its own turn, refused
the player's offer. It folds the log up to that turn: the reason is a word, of the one lab that was
asked, to the one that asked.

**Numbers.** Live viewers count their own frames, 1, 2, 3 and so on: with the log's numbers a gap
would tell that somebody made an offer, whispered, or got a new deadline. Only a replay, where
nothing is hidden, carries the log's numbers.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args

import msgspec

from arena.gpu_market.twins import PERSON
from arena.gpu_market.web.wire import to_reader, to_viewer, to_wire
from bazaarbatna.bargain.sealed import committed_text
from bazaarbatna.market.blocks import Offer
from bazaarbatna.market.events import (
    ActionRefused,
    Ended,
    JobRun,
    JobsChanged,
    MarketEvent,
    OfferClosed,
    OfferMade,
    Opened,
    RoundBegan,
    Said,
    TradeMade,
    TurnTaken,
)
from bazaarbatna.market.judging import JudgedRound
from bazaarbatna.market.quantities import LAB_IDS, LabId
from bazaarbatna.market.scenario import MarketScenario
from negotiation.games.event_log import kind_of

Audience = Literal["open", "lab", "replay"]
"""``open``: a spectator; ``lab``: the person who plays one; ``replay``: anybody after the end."""

AUDIENCES: tuple[Audience, ...] = get_args(Audience)

Frame = dict[str, Any]


class Facts(msgspec.Struct, frozen=True):
    """A match before its first event; sealed values and ``hearings`` are not for everybody.

    ``seats`` are ``person``, ``archetype`` or a policy; ``match_id`` "" for one that is not stored.
    """

    scenario: MarketScenario
    seats: tuple[str, ...]
    match_id: str = ""
    judge: str = "off"
    hearings: tuple[JudgedRound, ...] = ()

    @property
    def has_people(self) -> bool:
        """Whether a person plays: then a spectator may learn nothing that a lab may not know."""
        return PERSON in self.seats

    @property
    def people(self) -> tuple[int, ...]:
        """Return the labs that persons play."""
        return tuple(lab for lab, who in enumerate(self.seats) if who == PERSON)


class Viewer(msgspec.Struct, frozen=True):
    """Somebody who looks at a match; ``lab`` is the own one, for the audience "lab" alone."""

    audience: Audience
    lab: int | None = None

    @property
    def me(self) -> LabId | None:
        """Return the id of the own lab."""
        return LAB_IDS[self.lab] if self.audience == "lab" and self.lab is not None else None


SPECTATOR = Viewer("open")
READER = Viewer("replay")


def viewer_of(lab: int | None, *, is_over: bool) -> Viewer:
    """Return as what somebody looks who plays ``lab``, or none."""
    if is_over:
        return Viewer("replay", lab)
    return Viewer("open") if lab is None else Viewer("lab", lab)


class Glass(msgspec.Struct):
    """What an event is looked at through.

    ``offers`` are those of the log up to the event: whether a viewer may know that an offer closed
    depends on whose it was. ``promise`` is the commitment that was shown at the opening.
    """

    facts: Facts
    viewer: Viewer
    offers: dict[str, Offer] = {}
    promise: str = ""

    def concerns(self, *labs: LabId) -> bool:
        """Whether the viewer plays one of these labs."""
        me = self.viewer.me
        return me is not None and me in labs

    @property
    def is_demo(self) -> bool:
        """A spectator watches a match without people: nobody could use what is on the cards."""
        return self.viewer.audience == "open" and not self.facts.has_people


Shape = Callable[[Any, Glass], Frame | None]


def shown(
    events: Sequence[tuple[int, MarketEvent]], scenario_facts: Facts, viewer: Viewer
) -> list[Frame]:
    """Return a log, from its first event on, as frames for a viewer, money in credits.

    ``events`` are pairs of the log's number, from 1, and the event. ``seq`` is that number for
    "replay" (only for a match that is over) and the viewer's own count for others.
    """
    glass = Glass(scenario_facts, viewer)
    frames: list[Frame] = []
    for number, event in events:
        if isinstance(event, Opened):
            glass.promise = event.commitment
        elif isinstance(event, OfferMade):
            glass.offers[event.offer.id] = event.offer
        kind = kind_of(event)
        made = VISIBLE[kind][viewer.audience](event, glass)
        if made is not None:
            seq = number if viewer.audience == "replay" else len(frames) + 1
            frames.append({"type": "event", "seq": seq, "event": {"kind": kind, **made}})
    return frames


def _all(event: MarketEvent, glass: Glass) -> Frame:
    whole: Frame = to_wire(event)
    return whole


def _opened(event: Opened, glass: Glass) -> Frame:
    facts, me = glass.facts, glass.viewer.me
    labs = [
        {**to_wire(card), "plays": who, **({"you": True} if card.id == me else {})}
        for card, who in zip(event.labs, facts.seats, strict=True)
    ]
    court = {} if facts.judge == "off" else {"judge": facts.judge}
    return {**to_wire(event), "labs": labs, "reward": facts.scenario.reward, **court}


def _own_opening(event: Opened, glass: Glass) -> Frame:
    lab = glass.viewer.lab
    if lab is None:
        return _opened(event, glass)
    sealed = glass.facts.scenario.sealed
    own = {"lab": LAB_IDS[lab], "budget": to_wire(sealed)["budgets"][lab]}
    return {**_opened(event, glass), **own, "jobs": to_wire(sealed.jobs[lab])}


def _whole_opening(event: Opened, glass: Glass) -> Frame:
    return {**_opened(event, glass), "opened": to_wire(glass.facts.scenario.sealed)}


def _turn(event: TurnTaken, glass: Glass) -> Frame:
    # What was done shows in what follows; an action's own words may be meant for one lab alone.
    return {"lab": event.lab, "round": event.round, "scripted": event.scripted}


def _own_turn(event: TurnTaken, glass: Glass) -> Frame:
    return (_all if glass.concerns(event.lab) else _turn)(event, glass)


def _refused(event: ActionRefused, glass: Glass) -> Frame:
    # The lost reputation is public; the reason would tell of a job or a budget.
    return {"lab": event.lab, "round": event.round}


def _own_refusal(event: ActionRefused, glass: Glass) -> Frame:
    return (_all if glass.concerns(event.lab) else _refused)(event, glass)


def _offer(event: OfferMade, glass: Glass) -> Frame | None:
    return _all(event, glass) if glass.is_demo else None


def _own_offer(event: OfferMade, glass: Glass) -> Frame | None:
    is_own = glass.concerns(event.offer.sender, event.offer.target)
    return _all(event, glass) if is_own else None


def _closed(event: OfferClosed, glass: Glass) -> Frame | None:
    return _all(event, glass) if glass.is_demo else None


def _own_closed(event: OfferClosed, glass: Glass) -> Frame | None:
    offer = glass.offers[event.offer]
    return _all(event, glass) if glass.concerns(offer.sender, offer.target) else None


def _trade(event: TradeMade, glass: Glass) -> Frame:
    contract = event.contract
    frame = _all(event, glass)
    if not glass.is_demo and not glass.concerns(contract.sender, contract.target):
        # Otherwise budgets could be added up.
        frame["contract"]["payment"] = None
    return frame


def _job(event: JobRun, glass: Glass) -> Frame:
    # Hours follow from the blocks. Whether they sufficed and were in time would tell the job.
    hidden = {"completion", "late", "value", "energy"}
    return {name: value for name, value in to_wire(event).items() if name not in hidden}


def _own_job(event: JobRun, glass: Glass) -> Frame:
    return (_all if glass.concerns(event.lab) else _job)(event, glass)


def _said(event: Said, glass: Glass) -> Frame | None:
    return None if event.to else _all(event, glass)


def _heard(event: Said, glass: Glass) -> Frame | None:
    may_hear = not event.to or glass.concerns(event.lab, event.to)
    return _all(event, glass) if may_hear else None


def _nothing(event: MarketEvent, glass: Glass) -> None:
    return None


def _own_jobs(event: JobsChanged, glass: Glass) -> Frame | None:
    return _all(event, glass) if glass.concerns(event.lab) else None


def _round(event: RoundBegan, glass: Glass) -> Frame:
    return {**to_wire(event), **_verdict(event.round, glass)}


def _verdict(round_: int, glass: Glass) -> Frame:
    judged = next((one for one in glass.facts.hearings if one.hearing.round == round_ - 1), None)
    if judged is None:
        return {}
    if glass.viewer.audience == "replay":
        return {"hearing": to_reader(judged)}
    return {"hearing": to_viewer(judged, glass.viewer.me or "")}


def _ended(event: Ended, glass: Glass) -> Frame:
    return {
        **to_wire(event),
        **_verdict(event.round, glass),
        "commitment": glass.promise,
        "committed_text": committed_text(event.opened, event.salt),
        "replay": f"/market/{glass.facts.match_id}/" if glass.facts.match_id else None,
    }


def _row(spectator: Shape, lab: Shape, replay: Shape = _all) -> dict[Audience, Shape]:
    return {"open": spectator, "lab": lab, "replay": replay}


VISIBLE: dict[str, dict[Audience, Shape]] = {
    "opened": _row(_opened, _own_opening, _whole_opening),
    "turn": _row(_turn, _own_turn),
    "refused": _row(_refused, _own_refusal),
    "offer": _row(_offer, _own_offer),
    "offer_closed": _row(_closed, _own_closed),
    "contract": _row(_trade, _trade),
    "reserved": _row(_all, _all),
    "released": _row(_all, _all),
    "invited": _row(_all, _all),
    "answered": _row(_all, _all),
    "committed": _row(_all, _all),
    "coalition_ended": _row(_all, _all),
    "breach": _row(_all, _all),
    "job": _row(_job, _own_job),
    "said": _row(_said, _heard),
    "shock": _row(_all, _all),
    "jobs": _row(_nothing, _own_jobs),
    "round": _row(_round, _round, _round),
    "finished": _row(_all, _all),
    "ended": _row(_ended, _ended, _ended),
}
"""Kind of event -> audience -> shape; nobody else decides what leaves a log."""
