"""Frames in, board out, with its log in plain sentences: what a page knows of a market."""

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.gpu_market.board.board_reducer import BoardReducer
from arena.gpu_market.board.names import (
    blocks_text,
    credits_text,
    exchange_words,
    hours_text,
    job_name,
    labs_text,
    listed,
    money_text,
    owned,
    plain,
    told,
)
from arena.gpu_market.board.parts import Board, Event, Line, read_contract, read_job, read_offer
from arena.gpu_market.board.pure_sentences import in_language
from arena.gpu_market.board.titles import shock_title, shock_words
from arena.gpu_market.engine.blocks import Offer
from arena.gpu_market.engine.quantities import to_cents
from negotiation.marking import joined

Said = tuple[str, str, str]


def line_of(reducer: BoardReducer, seq: int, event: Event) -> Line | None:
    """Say what an event changes; asked before it happens, while owners are the old ones."""
    tell = _TELLERS.get(event["kind"])
    said = tell(reducer, event) if tell else None
    if said is None:
        return None
    lab, words, tone = said
    quote = event.get("text") or event.get("purpose") or ""
    if event["kind"] == "offer":
        quote = event["offer"]["message"]
    round_ = event["contract"]["round"] if "contract" in event else event.get("round", 0)
    return Line(seq, round_, lab, joined(words), tone, quote)


def verdict_of(reducer: BoardReducer, seq: int, event: Event) -> Line | None:
    """Say how the pitches of a round were judged that ends with an event; None: none were made."""
    hearing = event.get("hearing")
    if hearing is None:
        return None
    winner = hearing["winner"]
    words = _("The judge gives the hearing to nobody.")
    if winner:
        words = _("The judge gives the hearing to %(who)s.") % {"who": reducer.name(winner)}
    return Line(seq, hearing["round"], winner, words, "talk", in_language(hearing["reason"]))


def _opened(reducer: BoardReducer, event: Event) -> Said:
    count = len(event["blocks"])
    blocks = ngettext("%(count)s block", "%(count)s blocks", count) % {"count": count}
    words = _("The market opens: %(labs)s, %(blocks)s, %(rounds)s rounds.") % {
        "labs": labs_text(len(event["labs"])),
        "blocks": blocks,
        "rounds": event["rounds"],
    }
    return "", words, "round"


def _turn(reducer: BoardReducer, event: Event) -> Said | None:
    action = event.get("action")
    if action is not None and action["action"] == "wait":
        return event["lab"], _("%(who)s waits.") % {"who": reducer.name(event["lab"])}, "plain"
    return None


def _refused(reducer: BoardReducer, event: Event) -> Said:
    who = {"who": reducer.name(event["lab"])}
    if "message" not in event:
        return event["lab"], _("%(who)s tries what the rules do not allow.") % who, "breach"
    why = in_language(plain(event["message"], reducer.names))
    return event["lab"], _("%(who)s is refused: %(why)s") % {**who, "why": why}, "breach"


def _offer(reducer: BoardReducer, event: Event) -> Said:
    offer = read_offer(event["offer"])
    values = {
        "who": reducer.name(offer.sender),
        "whom": reducer.whom(offer.target),
        "gives": exchange_words(offer.offered, offer.payment, reducer.names),
        "wants": exchange_words(offer.requested, 0, reducer.names),
    }
    words = _("%(who)s offers %(whom)s %(gives)s for %(wants)s.")
    if offer.linked:
        words = _("%(who)s answers %(whom)s with %(gives)s for %(wants)s.")
    return offer.sender, words % values, "plain"


def _offer_closed(reducer: BoardReducer, event: Event) -> Said | None:
    offer = reducer.offers.get(event["offer"])
    if offer is None:
        return None
    return _closed_words(reducer, offer, event["status"])


def _closed_words(reducer: BoardReducer, offer: Offer, status: str) -> Said | None:
    sender, target = reducer.name(offer.sender), reducer.name(offer.target)
    match status:
        case "rejected":
            values = {
                "who": target,
                "whose": reducer.whose(offer.sender),
                "what": exchange_words(offer.requested, 0, reducer.names),
            }
            words = _("%(who)s turns down %(whose)s offer for %(what)s.") % values
            return offer.target, words, "plain"
        case "expired":
            values = {"whose": owned(sender), "whom": reducer.whom(offer.target)}
            return offer.sender, _("%(whose)s offer to %(whom)s lapses.") % values, "plain"
        case "withdrawn":
            values = {"who": sender, "whom": target}
            return offer.sender, _("%(who)s takes its offer to %(whom)s back.") % values, "plain"
        case _:
            return None


def _contract(reducer: BoardReducer, event: Event) -> Said:
    contract = read_contract(event["contract"])
    values = {"who": reducer.name(contract.sender)}
    if contract.target not in reducer.labs:
        values["what"] = blocks_text(contract.taken, reducer.names)
        words = _("%(who)s wins %(what)s.")
        if contract.payment is not None:
            values["price"] = money_text(contract.payment)
            words = _("%(who)s wins %(what)s for %(price)s.")
        return contract.sender, words % values, "deal"
    some = _("a sum between the two")
    values |= {
        "whom": reducer.whom(contract.target),
        "gives": exchange_words(contract.given, contract.payment, reducer.names, some),
        "gets": exchange_words(contract.taken, 0, reducer.names),
    }
    words = _("Deal: %(who)s gives %(whom)s %(gives)s for %(gets)s.") % values
    return contract.target, words, "deal"


def _reserved(reducer: BoardReducer, event: Event) -> Said:
    values = _who_and_blocks(reducer, event)
    return event["lab"], _("%(who)s takes %(blocks)s off the market.") % values, "plain"


def _released(reducer: BoardReducer, event: Event) -> Said:
    values = _who_and_blocks(reducer, event)
    return event["lab"], _("%(who)s sets %(blocks)s free again.") % values, "plain"


def _who_and_blocks(reducer: BoardReducer, event: Event) -> dict[str, str]:
    blocks = blocks_text(event["blocks"], reducer.names)
    return {"who": reducer.name(event["lab"]), "blocks": blocks}


def _invited(reducer: BoardReducer, event: Event) -> Said:
    values = {
        "who": reducer.name(event["by"]),
        "whom": reducer.name(event["lab"]),
        "into": told(event["coalition"], reducer.names),
    }
    words = _("%(who)s asks %(whom)s into a coalition (%(into)s).")
    if event["coalition"] in reducer.coalitions:
        words = _("%(who)s asks %(whom)s into %(into)s too.")
    return event["by"], words % values, "plain"


def _answered(reducer: BoardReducer, event: Event) -> Said:
    into = told(event["coalition"], reducer.names)
    values = {"who": reducer.name(event["lab"]), "into": into}
    if event["consents"]:
        return event["lab"], _("%(who)s joins %(into)s.") % values, "deal"
    return event["lab"], _("%(who)s stays out of %(into)s.") % values, "plain"


def _committed(reducer: BoardReducer, event: Event) -> Said:
    values = _who_and_blocks(reducer, event)
    values["into"] = told(event["coalition"], reducer.names)
    words = _("%(who)s puts %(blocks)s into the pool of %(into)s.") % values
    return event["lab"], words, "deal"


def _coalition_ended(reducer: BoardReducer, event: Event) -> Said:
    words = {
        "none": _("%(which)s is over; every promise was kept."),
        "excused": _("%(which)s is over; a failure is nobody’s fault."),
        "breached": _("%(which)s is over; a promise was broken."),
    }[event["breach"]]
    which = told(event["coalition"], reducer.names).capitalize()
    return "", words % {"which": which}, "plain"


def _breach(reducer: BoardReducer, event: Event) -> Said:
    values = _who_and_blocks(reducer, event)
    if event["excused"]:
        words = _("%(blocks)s failed, so %(who)s is excused from its promise.") % values
        return event["lab"], words, "plain"
    return event["lab"], _("%(who)s breaks its promise about %(blocks)s.") % values, "breach"


def _job(reducer: BoardReducer, event: Event) -> Said:
    values = _who_and_blocks(reducer, event)
    job = reducer.job(event["lab"], event["job"])
    if "value" not in event or job is None:
        values["hours"] = hours_text(event["hours"])
        words = _("%(who)s runs a job on %(blocks)s: %(hours)s.") % values
        return event["lab"], words, "deal"
    flaw = " " + _("late") if event["late"] else ""
    if event["completion"] < 1:
        flaw += ", " + _("%(part)s of it") % {"part": f"{event['completion']:.0%}"}
    values |= {
        "job": job_name(job),
        "flaw": flaw,
        "value": credits_text(to_cents(event["value"])),
        "energy": credits_text(to_cents(event["energy"])),
    }
    words = _("%(who)s runs its %(job)s on %(blocks)s%(flaw)s: worth %(value)s, energy %(energy)s.")
    return event["lab"], words % values, "deal"


def _said(reducer: BoardReducer, event: Event) -> Said:
    to = reducer.whom(event["to"]) if event["to"] else _("everybody")
    words = {
        "message": _("%(who)s says to %(whom)s:"),
        "pitch": _("%(who)s pitches to %(whom)s:"),
        "counter_pitch": _("%(who)s answers %(whom)s:"),
    }[event["speech"]]
    return event["lab"], words % {"who": reducer.name(event["lab"]), "whom": to}, "talk"


def _shock(reducer: BoardReducer, event: Event) -> Said:
    kind, touched = event["shock"], event["blocks"]
    values = {"shock": shock_title(kind)}
    if touched and kind in ("capacity_failure", "sudden_supply"):
        block = touched[0]
        values |= {
            "who": reducer.name(block["owner"]),
            "block": told(block["id"], reducer.names),
        }
        words = _("%(shock)s: %(who)s gets %(block)s.")
        if kind == "capacity_failure":
            words = _("%(shock)s: %(who)s loses %(block)s.")
        return "", words % values, "shock"
    words = _("%(shock)s: %(what)s.")
    return "", words % {**values, "what": shock_words(kind)}, "shock"


def _jobs(reducer: BoardReducer, event: Event) -> Said:
    name = reducer.name(event["lab"])
    jobs = [read_job(one) for one in event["jobs"]]
    new = [job for job in jobs if reducer.job(event["lab"], job.id) is None]
    if new:
        each = _("%(job)s, due by round %(round)s")
        what = listed(each % {"job": job_name(job), "round": job.deadline} for job in new)
        return (
            event["lab"],
            _("%(who)s gets work: %(what)s.") % {"who": name, "what": what},
            "shock",
        )
    each = _("%(job)s by round %(round)s")
    what = listed(each % {"job": job_name(job), "round": job.deadline} for job in jobs)
    words = _("%(who)s is due earlier: %(what)s.") % {"who": name, "what": what}
    return event["lab"], words, "shock"


def round_begins(number: int) -> str:
    """Return the line with which a round, counted from 0, begins."""
    return _("Round %(number)s begins.") % {"number": number + 1}


def _round(reducer: BoardReducer, event: Event) -> Said:
    return "", round_begins(event["round"]), "round"


def _finished(reducer: BoardReducer, event: Event) -> Said:
    words = _("%(who)s leaves the market.") % {"who": reducer.name(event["lab"])}
    return event["lab"], words, "plain"


def _ended(reducer: BoardReducer, event: Event) -> Said:
    best = max(event["results"], key=lambda row: float(row["utility"]))
    words = _("The market closes. %(who)s made most of it: %(made)s.") % {
        "who": reducer.name(best["lab"]),
        "made": credits_text(to_cents(best["utility"])),
    }
    return "", words, "round"


_TELLERS: dict[str, Callable[[BoardReducer, Event], Said | None]] = {
    "opened": _opened,
    "turn": _turn,
    "refused": _refused,
    "offer": _offer,
    "offer_closed": _offer_closed,
    "contract": _contract,
    "reserved": _reserved,
    "released": _released,
    "invited": _invited,
    "answered": _answered,
    "committed": _committed,
    "coalition_ended": _coalition_ended,
    "breach": _breach,
    "job": _job,
    "said": _said,
    "shock": _shock,
    "jobs": _jobs,
    "round": _round,
    "finished": _finished,
    "ended": _ended,
}


Frame = dict[str, Event]


def board_of(frames: Sequence[Event], until: int | None = None) -> Board:
    """Fold a viewer's frames, the first one ``opened``, into the board after frame ``until``.

    When the market has ended, the sealed values of its last frame show every lab's jobs and money.
    """
    if not frames or frames[0]["event"]["kind"] != "opened":
        raise ValueError("A board needs a market's frames from the first one on.")
    last = frames[-1]["event"]
    sealed = last["opened"] if last["kind"] == "ended" else None
    reducer = BoardReducer(frames[0]["event"], sealed)
    lines: list[Line] = []
    seq = frames[0]["seq"]
    for frame in frames:
        if until is not None and frame["seq"] > max(until, frames[0]["seq"]):
            break
        seq, event = frame["seq"], frame["event"]
        said = (verdict_of(reducer, seq, event), line_of(reducer, seq, event))
        lines += [line for line in said if line is not None]
        reducer.take(seq, event)
    return reducer.board(seq, tuple(lines))
