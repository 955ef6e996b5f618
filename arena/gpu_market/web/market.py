"""The page of one market, gathered for its template."""

import threading
from collections.abc import Sequence
from typing import Any

import msgspec
from django.utils.text import capfirst

from arena.gpu_market.board.action_words import action_words
from arena.gpu_market.board.advice import Choice, choices_of
from arena.gpu_market.board.coalition_claims import Explained, explain_coalitions
from arena.gpu_market.board.drawing import board_context
from arena.gpu_market.board.folding import board_of
from arena.gpu_market.board.names import credits_text, exchange_words
from arena.gpu_market.board.parts import Board, Line
from arena.gpu_market.board.result import Accrued, accrued, result_context
from arena.gpu_market.board.titles import task_title
from arena.gpu_market.board.wants import brings
from arena.gpu_market.twins import all_steps_of
from arena.gpu_market.web.actions import answer_words
from arena.gpu_market.web.game import position_of
from arena.gpu_market.web.judge_rulings import bonuses
from arena.gpu_market.web.verdict import verdict_of
from arena.gpu_market.web.watching import Seen
from arena.gpu_market.web.what_if import answer_of
from arena.models import MarketMatch
from arena.words import say
from bazaarbatna.market import State, fold
from bazaarbatna.market.archetypes import Reason
from bazaarbatna.market.blocks import Offer
from bazaarbatna.market.events import OfferClosed, OfferMade, TurnTaken
from bazaarbatna.market.planner import measure
from bazaarbatna.market.quantities import LAB_IDS, LAB_NUMBERS, Cents
from bazaarbatna.market.scripted import asked_price, refusals_of

WITHIN_S = 2.0
"""The solver's, for a market; then its coalitions are valued quickly.

Of 394 coalitions that policies formed the slowest took 0.86 s; all labs of a market 1 to 10."""

KEPT = 64  # markets that one process remembers


class Answer(msgspec.Struct, frozen=True):
    """How another lab turned the viewer's newest offer down; ``why`` where its character did.

    ``counter`` is the payment that it takes this round (None: no money would do), ``words`` name
    it, and ``gain`` is what the viewer's lab would have of that, in hundredths of a credit.
    """

    lab: str
    offer: Offer
    gives: str
    wants: str
    why: Reason | None
    counter: Cents | None = None
    gain: int = 0
    words: str = ""


class OwnTurn(msgspec.Struct, frozen=True):
    """A turn that was played from outside; ``seq`` is its place in the log."""

    seq: int
    round: int
    lab: str
    words: str


def part_of(seen: Seen, until: int | None) -> dict[str, Any]:
    """Gather the board alone."""
    context = board_context(seen.frames, until, rewards=rewards_of(seen), bands=_bands(seen, until))
    board: Board = context["board"]
    own = board.own
    mine = [one for one in board.coalitions if own and one.open and own.id in one.members]
    pooled = [
        block
        for block in board.blocks
        if block.pool in {one.id for one in mine} and block.status == "committed"
    ]
    foreign = [block for block in pooled if own and block.owner != own.id]
    answers = answers_of(seen, board) if context["can_act"] else ()
    # A price that stood beside a block would be another offer without it.
    tried = {one.offer.requested: one.offer.payment for one in answers if not one.offer.offered}
    context["wanted"] = [
        msgspec.structs.replace(one, tried=tried.get((one.block.id,))) for one in context["wanted"]
    ]
    _log_bids(context["log"], seen, board)
    is_advised = context["can_act"] and not context["first"]
    return context | {
        "choices": _choices(context, answers, seen) if is_advised else (),
        "answers": answers,
        "match": seen.named,
        "own_coalitions": mine,
        "reachable": (*context["usable"], *foreign),
        "draft": {},
        "last_bid": seen.match.bids[-1] if seen.match.bids else None,
    }


LOGGED = {"asked": "you_ask_whom", "over": "you_offer_whom_more"}
"""Sentences of bids that were not refused."""


def _log_bids(log: Sequence[tuple[int, list[Line]]], seen: Seen, board: Board) -> None:
    """Put the bids that cost no turn before what the bidder then did in their round."""
    rounds, me = dict(log), board.own.id if board.own else ""
    for bid in seen.match.bids if seen.viewer.lab is not None else ():
        lab, gives, wants = bid["about"]
        said = say(
            LOGGED.get(bid["kind"], "you_bid_whom"),
            whom=board.lab_name(lab),
            gives=exchange_words(gives, bid["payment"], board.names),
            wants=exchange_words(wants, 0, board.names),
            counter=credits_text(bid["counter"]),
        )
        lines = rounds.get(bid["round"], [])
        at = next((at for at, line in enumerate(lines) if line.lab == me), len(lines))
        lines.insert(at, Line(0, bid["round"], "", said))


def _choices(context: dict[str, Any], answers: Sequence[Answer], seen: Seen) -> tuple[Choice, ...]:
    spare, wanted = context["spare"], context["wanted"]
    gives = (spare.id,) if spare else ()
    told = {
        one.offer.requested[0]: one.counter
        for one in answers
        if one.offer.offered == gives and len(one.offer.requested) == 1
    }
    board = context["board"]
    for bid in seen.match.bids if seen.viewer.lab is not None else ():
        _, gave, wants = bid["about"]
        if bid["round"] == board.round and gave == list(gives) and len(wants) == 1:
            told[wants[0]] = bid["counter"]
    course, cards, runs = (context[name] for name in ("course", "offers", "runs"))
    return choices_of(board, course, cards, told, runs, wanted, gives)


def answers_of(seen: Seen, board: Board) -> tuple[Answer, ...]:
    """Return how other labs turned the viewer's offers down since its last turn.

    It reads the log and what is sealed; ``visibility.py`` says what of them it may tell.
    """
    me, scenario, events = seen.viewer.me, seen.facts.scenario, seen.events
    offers = {one.offer.id: one.offer for one in events if isinstance(one, OfferMade)}
    found: list[Answer] = []
    closed: list[Offer] = []
    for at in range(len(events) - 1, -1, -1):
        event = events[at]
        if isinstance(event, OfferClosed) and event.status == "rejected":
            closed.append(offers[event.offer])
        if not isinstance(event, TurnTaken):
            continue
        if event.lab == me:
            break
        # The house closes bids after the last lab's turn, whose character has no part in that.
        answered = [one for one in closed if one.sender == me and one.target == event.lab]
        closed = []
        if not answered:
            continue
        number = LAB_NUMBERS[event.lab]
        why = refusals_of(fold(scenario, events[:at]), number) if event.scripted else {}
        now = fold(scenario, events)
        found += [_answer(board, one, why.get(one.id), now) for one in answered]
    return tuple(reversed(found))


def _answer(board: Board, offer: Offer, why: Reason | None, now: State) -> Answer:
    gives = exchange_words(offer.offered, offer.payment, board.names)
    wants = exchange_words(offer.requested, 0, board.names)
    found = Answer(offer.target, offer, gives, wants, why)
    # Until that lab's turn its own jobs stay as they are: what it asks now, it takes.
    silent = msgspec.structs.replace(offer, message="")
    counter = (
        asked_price(now, LAB_NUMBERS[offer.target], silent)
        if why in ("near", "short", "far")
        else None
    )
    if counter is None:
        return found
    gain = brings(board, offer.offered, offer.requested) - counter
    # Since that lab turned the offer down, its deadlines have come nearer.
    kind = "eased" if counter <= offer.payment else why or "short"
    words = answer_words(kind, now.round, offer.payment, counter)
    return msgspec.structs.replace(found, counter=counter, gain=gain, words=words)


def market_page(seen: Seen, until: int | None) -> dict[str, Any]:
    """Gather the whole page."""
    context = part_of(seen, until)
    context |= {
        "title": task_title(seen.facts.scenario.task),
        "last_seq": seen.frames[-1]["seq"],
        "over": seen.over,
        "standing": seen.standing,
    }
    if seen.over:
        last = board_of(seen.frames)
        names = last.names
        turns = _own_turns(seen, names)
        context |= {
            "abandoned": seen.match.is_abandoned,
            "has_people": seen.facts.has_people,
            "result": result_context(
                seen.frames,
                last,
                rewards_of(seen),
                explained(seen.match.pk),
            )
            | {"take_home": f"/api/market/{seen.match.pk}/replay/"},
            "verdict": verdict_of(seen, last),
            "own_turns": turns,
            "actor_name": names[turns[0].lab] if turns else "",
            "answer": answer_of(seen),
        }
    return context


def _bands(seen: Seen, until: int | None) -> dict[str, dict[str, str]]:
    if seen.over or until is not None:
        return {}
    return {row["id"]: row for row in seen.standing["labs"]}


def rewards_of(seen: Seen) -> list[Accrued]:
    """Add up what all labs made, after the end: before it, columns would tell what is sealed."""
    if not seen.over:
        return []
    scenario, judged = seen.facts.scenario, bonuses(seen.facts)
    steps = all_steps_of(scenario, seen.events, normaliser=measure, judged=judged)
    return [accrued(lab, own) for lab, own in zip(LAB_IDS, steps, strict=False)]


def _own_turns(seen: Seen, names: dict[str, str]) -> list[OwnTurn]:
    return [
        OwnTurn(seq, event.round + 1, event.lab, capfirst(action_words(event.action, names)))
        for seq, event in enumerate(seen.events, start=1)
        if isinstance(event, TurnTaken) and not event.scripted
    ]


# A page asks in a thread, and the solver holds no lock of Python's: live lines go on meanwhile.
_known: dict[str, tuple[Explained, ...]] = {}
_solving = threading.Lock()


def explained(match_id: str) -> tuple[Explained, ...]:
    """Explain the coalitions of a market that has ended."""
    found = _known.get(match_id)
    if found is not None:
        return found
    # Whoever asks meanwhile waits for the answer; a crowd that asks of many markets does not.
    if not _solving.acquire(timeout=WITHIN_S):
        return _explain(match_id, 0)
    try:
        if match_id not in _known:
            _known[match_id] = _explain(match_id, WITHIN_S)
            while len(_known) > KEPT:
                del _known[next(iter(_known))]
        return _known[match_id]
    finally:
        _solving.release()


def _explain(match_id: str, within_s: float) -> tuple[Explained, ...]:
    position = position_of(MarketMatch.objects.select_related("game").get(pk=match_id).game)
    return explain_coalitions(position.state.scenario, position.events, within_s)
