"""Frames in, board out, with its log in plain sentences: what a page knows of a market."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arena.gpu_market.board.board_reducer import BoardReducer
from arena.gpu_market.board.names import (
    blocks_text,
    credits_text,
    exchange_words,
    flaw_words,
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
from arena.gpu_market.board.titles import TITLES, shock_title, words_of
from arena.words import say
from bazaarbatna.market.quantities import to_cents
from bazaarbatna.marking import joined
from bazaarbatna.word_tables import read_table

_SENTENCES = read_table(Path(__file__).with_name("log.toml"), dict[str, str])

Said = tuple[str, str, str, Mapping[str, object]]
"""Whose doing it is, the name of the sentence, its tone, and what fills its holes."""


def line_of(reducer: BoardReducer, seq: int, event: Event) -> Line | None:
    """Say what an event changes; asked before it happens, while owners are the old ones."""
    tell = _TELLERS.get(event["kind"])
    said = tell(reducer, event) if tell else None
    if said is None:
        return None
    lab, sentence, tone, values = said
    quote = event.get("text") or event.get("purpose") or ""
    if event["kind"] == "offer":
        quote = event["offer"]["message"]
    round_ = event["contract"]["round"] if "contract" in event else event.get("round", 0)
    words = joined(_(_SENTENCES[sentence]) % values)
    return Line(seq, round_, lab, words, tone, quote, event["kind"])


def verdict_of(reducer: BoardReducer, seq: int, event: Event) -> Line | None:
    """Say how the pitches of a round were judged that ends with an event; None: none were made."""
    hearing = event.get("hearing")
    if hearing is None:
        return None
    winner = hearing["winner"]
    sentence = _SENTENCES["hearing" if winner else "hearing_of_nobody"]
    words = _(sentence) % {"who": reducer.name(winner) if winner else ""}
    return Line(seq, hearing["round"], winner, words, "talk", in_language(hearing["reason"]))


def _opened(_reducer: BoardReducer, event: Event) -> Said:
    count = len(event["blocks"])
    values = {
        "labs": labs_text(len(event["labs"])),
        "blocks": ngettext("%(count)s block", "%(count)s blocks", count) % {"count": count},
        "rounds": event["rounds"],
    }
    return "", "opened", "round", values


def _turn(reducer: BoardReducer, event: Event) -> Said | None:
    action = event.get("action")
    if action is not None and action["action"] == "wait":
        return event["lab"], "wait", "plain", _acting(reducer, event)
    return None


def _acting(reducer: BoardReducer, event: Event) -> dict[str, str]:
    """Name the lab of an event, and the blocks and the coalition where it has them."""
    values = {"who": reducer.name(event["lab"])}
    if "blocks" in event:
        values["blocks"] = blocks_text(event["blocks"], reducer.names)
    if "coalition" in event:
        values["into"] = told(event["coalition"], reducer.names)
    return values


def _acts(sentence: str, tone: str) -> Callable[[BoardReducer, Event], Said]:
    """Tell of what one lab does, always with the same sentence."""
    return lambda reducer, event: (event["lab"], sentence, tone, _acting(reducer, event))


def _refused(reducer: BoardReducer, event: Event) -> Said:
    values = _acting(reducer, event)
    if "message" not in event:
        return event["lab"], "refused_hidden", "breach", values
    values["why"] = in_language(plain(event["message"], reducer.names))
    return event["lab"], "refused", "breach", values


def _offer(reducer: BoardReducer, event: Event) -> Said:
    offer = read_offer(event["offer"])
    values = {
        "who": reducer.name(offer.sender),
        "whom": reducer.whom(offer.target),
        "gives": exchange_words(offer.offered, offer.payment, reducer.names),
        "wants": exchange_words(offer.requested, 0, reducer.names),
    }
    return offer.sender, "offer_linked" if offer.linked else "offer", "plain", values


def _offer_closed(reducer: BoardReducer, event: Event) -> Said | None:
    offer, status = reducer.offers.get(event["offer"]), event["status"]
    if offer is None:
        return None
    sender, target = reducer.name(offer.sender), reducer.name(offer.target)
    match status:
        case "rejected":
            values = {
                "who": target,
                "whose": reducer.whose(offer.sender),
                "what": exchange_words(offer.requested, 0, reducer.names),
            }
            return offer.target, "offer_rejected", "plain", values
        case "expired":
            values = {"whose": owned(sender), "whom": reducer.whom(offer.target)}
            return offer.sender, "offer_expired", "plain", values
        case "withdrawn":
            return offer.sender, "offer_withdrawn", "plain", {"who": sender, "whom": target}
        case _:
            return None


def _contract(reducer: BoardReducer, event: Event) -> Said:
    contract = read_contract(event["contract"])
    values = {"who": reducer.name(contract.sender)}
    if contract.target not in reducer.labs:
        values["what"] = blocks_text(contract.taken, reducer.names)
        if contract.payment is None:
            return contract.sender, "contract_won_hidden", "deal", values
        values["price"] = money_text(contract.payment)
        return contract.sender, "contract_won", "deal", values
    some = say("a_sum_between_the_two")
    values |= {
        "whom": reducer.whom(contract.target),
        "gives": exchange_words(contract.given, contract.payment, reducer.names, some),
        "gets": exchange_words(contract.taken, 0, reducer.names),
    }
    return contract.target, "contract", "deal", values


def _invited(reducer: BoardReducer, event: Event) -> Said:
    values = {
        "who": reducer.name(event["by"]),
        "whom": reducer.name(event["lab"]),
        "into": told(event["coalition"], reducer.names),
    }
    sentence = "invited_too" if event["coalition"] in reducer.coalitions else "invited"
    return event["by"], sentence, "plain", values


def _answered(reducer: BoardReducer, event: Event) -> Said:
    sentence, tone = ("joined", "deal") if event["consents"] else ("stayed_out", "plain")
    return event["lab"], sentence, tone, _acting(reducer, event)


def _coalition_ended(reducer: BoardReducer, event: Event) -> Said:
    which = told(event["coalition"], reducer.names).capitalize()
    return "", f"coalition_{event['breach']}", "plain", {"which": which}


def _breach(reducer: BoardReducer, event: Event) -> Said:
    sentence, tone = ("breach_excused", "plain") if event["excused"] else ("breach", "breach")
    return event["lab"], sentence, tone, _acting(reducer, event)


def _job(reducer: BoardReducer, event: Event) -> Said:
    values = _acting(reducer, event)
    job = reducer.job(event["lab"], event["job"])
    if "value" not in event or job is None:
        values["hours"] = hours_text(event["hours"])
        return event["lab"], "job_hidden", "deal", values
    values |= {
        "job": job_name(job),
        "flaw": flaw_words(" ", event["completion"], late=event["late"]),
        "value": credits_text(to_cents(event["value"])),
        "energy": credits_text(to_cents(event["energy"])),
    }
    return event["lab"], "job", "deal", values


def _said(reducer: BoardReducer, event: Event) -> Said:
    whom = reducer.whom(event["to"]) if event["to"] else say("everybody")
    values = {"who": reducer.name(event["lab"]), "whom": whom}
    return event["lab"], f"said_{event['speech']}", "talk", values


def _shock(reducer: BoardReducer, event: Event) -> Said:
    kind, touched = event["shock"], event["blocks"]
    values = {"shock": shock_title(kind), "what": words_of(TITLES.shock_effects, kind)}
    sentence = {"capacity_failure": "shock_loses", "sudden_supply": "shock_gets"}.get(kind)
    if not touched or not sentence:
        return "", "shock", "shock", values
    values["who"] = reducer.name(touched[0]["owner"])
    values["block"] = told(touched[0]["id"], reducer.names)
    return "", sentence, "shock", values


def _jobs(reducer: BoardReducer, event: Event) -> Said:
    jobs = [read_job(one) for one in event["jobs"]]
    new = [job for job in jobs if reducer.job(event["lab"], job.id) is None]
    each = say("job_due_by_round_round") if new else say("job_by_round_round")
    what = listed(each % {"job": job_name(job), "round": job.deadline} for job in new or jobs)
    values = {"who": reducer.name(event["lab"]), "what": what}
    return event["lab"], "jobs_new" if new else "jobs_earlier", "shock", values


def _round(_reducer: BoardReducer, event: Event) -> Said:
    return "", "round", "round", {"number": event["round"] + 1}


def _ended(reducer: BoardReducer, event: Event) -> Said:
    best = max(event["results"], key=lambda row: float(row["utility"]))
    made = credits_text(to_cents(best["utility"]))
    return "", "ended", "round", {"who": reducer.name(best["lab"]), "made": made}


_TELLERS: dict[str, Callable[[BoardReducer, Event], Said | None]] = {
    "opened": _opened,
    "turn": _turn,
    "refused": _refused,
    "offer": _offer,
    "offer_closed": _offer_closed,
    "contract": _contract,
    "reserved": _acts("reserved", "plain"),
    "released": _acts("released", "plain"),
    "invited": _invited,
    "answered": _answered,
    "committed": _acts("committed", "deal"),
    "coalition_ended": _coalition_ended,
    "breach": _breach,
    "job": _job,
    "said": _said,
    "shock": _shock,
    "jobs": _jobs,
    "round": _round,
    "finished": _acts("finished", "plain"),
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
