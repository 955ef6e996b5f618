"""Frames in, board out, with its log in plain sentences: what a page knows of a market."""

from collections.abc import Callable, Mapping, Sequence

from arena.gpu_market.board.board_reducer import BoardReducer
from arena.gpu_market.board.names import (
    SHOCK_TITLES,
    SHOCK_WORDS,
    blocks_text,
    credits_text,
    job_name,
    listed,
    owned,
    plain,
    plural,
    told,
)
from arena.gpu_market.board.parts import Board, Event, Line, read_contract, read_job, read_offer
from arena.gpu_market.engine.blocks import Offer
from arena.gpu_market.engine.quantities import to_cents

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
    return Line(seq, round_, lab, words, tone, quote)


def verdict_of(reducer: BoardReducer, seq: int, event: Event) -> Line | None:
    """Say how the pitches of a round were judged that ends with an event; None: none were made."""
    hearing = event.get("hearing")
    if hearing is None:
        return None
    winner = hearing["winner"]
    words = f"The judge gives the hearing to {reducer.name(winner)}." if winner else ""
    words = words or "The judge gives the hearing to nobody."
    return Line(seq, hearing["round"], winner, words, "talk", hearing["reason"])


def exchange_words(
    blocks: tuple[str, ...],
    payment: int | None,
    names: Mapping[str, str],
    nothing: str = "nothing",
) -> str:
    """Name what one side of an offer puts in.

    >>> exchange_words(("block_3",), 400, {"block_3": "4 GPUs in round 2"})
    '4 GPUs in round 2 and 4 credits'
    """
    parts = [told(name, names) for name in blocks]
    if payment:
        parts.append(f"{credits_text(payment)} credits")
    return listed(parts) or nothing


def _opened(reducer: BoardReducer, event: Event) -> Said:
    labs = plural(len(event["labs"]), "lab")
    blocks = plural(len(event["blocks"]), "block")
    return "", f"The market opens: {labs}, {blocks}, {event['rounds']} rounds.", "round"


def _turn(reducer: BoardReducer, event: Event) -> Said | None:
    action = event.get("action")
    if action is not None and action["action"] == "wait":
        return event["lab"], f"{reducer.name(event['lab'])} waits.", "plain"
    return None


def _refused(reducer: BoardReducer, event: Event) -> Said:
    name = reducer.name(event["lab"])
    if "message" not in event:
        return event["lab"], f"{name} tries what the rules do not allow.", "breach"
    return event["lab"], f"{name} is refused: {plain(event['message'], reducer.names)}", "breach"


def _offer(reducer: BoardReducer, event: Event) -> Said:
    offer = read_offer(event["offer"])
    sender, target = reducer.name(offer.sender), reducer.whom(offer.target)
    gives = exchange_words(offer.offered, offer.payment, reducer.names)
    wants = exchange_words(offer.requested, 0, reducer.names)
    verb = "answers" if offer.linked else "offers"
    if offer.linked:
        return offer.sender, f"{sender} {verb} {target} with {gives} for {wants}.", "plain"
    return offer.sender, f"{sender} {verb} {target} {gives} for {wants}.", "plain"


def _offer_closed(reducer: BoardReducer, event: Event) -> Said | None:
    offer = reducer.offers.get(event["offer"])
    if offer is None:
        return None
    return _closed_words(reducer, offer, event["status"])


def _closed_words(reducer: BoardReducer, offer: Offer, status: str) -> Said | None:
    sender, target = reducer.name(offer.sender), reducer.name(offer.target)
    for_what = exchange_words(offer.requested, 0, reducer.names)
    match status:
        case "rejected":
            return (
                offer.target,
                f"{target} turns down {reducer.whose(offer.sender)} offer for {for_what}.",
                "plain",
            )
        case "expired":
            return (
                offer.sender,
                f"{owned(sender)} offer to {reducer.whom(offer.target)} lapses.",
                "plain",
            )
        case "withdrawn":
            return offer.sender, f"{sender} takes its offer to {target} back.", "plain"
        case _:
            return None


def _contract(reducer: BoardReducer, event: Event) -> Said:
    contract = read_contract(event["contract"])
    sender = reducer.name(contract.sender)
    if contract.target not in reducer.labs:
        price = "" if contract.payment is None else f" for {credits_text(contract.payment)} credits"
        return (
            contract.sender,
            f"{sender} wins {blocks_text(contract.taken, reducer.names)}{price}.",
            "deal",
        )
    gives = exchange_words(contract.given, contract.payment, reducer.names, "a sum between the two")
    gets = exchange_words(contract.taken, 0, reducer.names)
    return (
        contract.target,
        f"Deal: {sender} gives {reducer.whom(contract.target)} {gives} for {gets}.",
        "deal",
    )


def _reserved(reducer: BoardReducer, event: Event) -> Said:
    blocks = blocks_text(event["blocks"], reducer.names)
    words = f"{reducer.name(event['lab'])} takes {blocks} off the market."
    return event["lab"], words, "plain"


def _released(reducer: BoardReducer, event: Event) -> Said:
    blocks = blocks_text(event["blocks"], reducer.names)
    words = f"{reducer.name(event['lab'])} sets {blocks} free again."
    return event["lab"], words, "plain"


def _invited(reducer: BoardReducer, event: Event) -> Said:
    by, lab, into = (
        reducer.name(event["by"]),
        reducer.name(event["lab"]),
        told(event["coalition"], reducer.names),
    )
    verb = "asks" if event["coalition"] in reducer.coalitions else "founds it and asks"
    if verb == "asks":
        return event["by"], f"{by} asks {lab} into {into} too.", "plain"
    return event["by"], f"{by} asks {lab} into a coalition ({into}).", "plain"


def _answered(reducer: BoardReducer, event: Event) -> Said:
    name, into = reducer.name(event["lab"]), told(event["coalition"], reducer.names)
    if event["consents"]:
        return event["lab"], f"{name} joins {into}.", "deal"
    return event["lab"], f"{name} stays out of {into}.", "plain"


def _committed(reducer: BoardReducer, event: Event) -> Said:
    name, blocks = reducer.name(event["lab"]), blocks_text(event["blocks"], reducer.names)
    return (
        event["lab"],
        f"{name} puts {blocks} into the pool of {told(event['coalition'], reducer.names)}.",
        "deal",
    )


def _coalition_ended(reducer: BoardReducer, event: Event) -> Said:
    kept = {
        "none": "every promise was kept",
        "excused": "a failure is nobody’s fault",
        "breached": "a promise was broken",
    }[event["breach"]]
    return "", f"{told(event['coalition'], reducer.names).capitalize()} is over; {kept}.", "plain"


def _breach(reducer: BoardReducer, event: Event) -> Said:
    name, blocks = reducer.name(event["lab"]), blocks_text(event["blocks"], reducer.names)
    if event["excused"]:
        return event["lab"], f"{blocks} failed, so {name} is excused from its promise.", "plain"
    return event["lab"], f"{name} breaks its promise about {blocks}.", "breach"


def _job(reducer: BoardReducer, event: Event) -> Said:
    name, blocks = reducer.name(event["lab"]), blocks_text(event["blocks"], reducer.names)
    hours = plural(event["hours"], "GPU-hour")
    job = reducer.job(event["lab"], event["job"])
    if "value" not in event or job is None:
        return event["lab"], f"{name} runs a job on {blocks}: {hours}.", "deal"
    value, energy = event["value"], event["energy"]
    flaw = " late" if event["late"] else ""
    if event["completion"] < 1:
        flaw += f", {event['completion']:.0%} of it"
    words = (
        f"{name} runs its {job_name(job)} on {blocks}{flaw}: "
        f"worth {credits_text(to_cents(value))}, energy {credits_text(to_cents(energy))}."
    )
    return event["lab"], words, "deal"


def _said(reducer: BoardReducer, event: Event) -> Said:
    name = reducer.name(event["lab"])
    to = reducer.whom(event["to"]) if event["to"] else "everybody"
    verb = {"message": "says to", "pitch": "pitches to", "counter_pitch": "answers"}
    return event["lab"], f"{name} {verb[event['speech']]} {to}:", "talk"


def _shock(reducer: BoardReducer, event: Event) -> Said:
    title, touched = SHOCK_TITLES[event["shock"]], event["blocks"]
    if event["shock"] == "capacity_failure" and touched:
        block = touched[0]
        loss = f"{reducer.name(block['owner'])} loses {told(block['id'], reducer.names)}"
        return "", f"{title}: {loss}.", "shock"
    if event["shock"] == "sudden_supply" and touched:
        block = touched[0]
        return (
            "",
            f"{title}: {reducer.name(block['owner'])} gets {told(block['id'], reducer.names)}.",
            "shock",
        )
    return "", f"{title}: {SHOCK_WORDS[event['shock']]}.", "shock"


def _jobs(reducer: BoardReducer, event: Event) -> Said:
    name = reducer.name(event["lab"])
    jobs = [read_job(one) for one in event["jobs"]]
    new = [job for job in jobs if reducer.job(event["lab"], job.id) is None]
    if new:
        what = listed(f"{job_name(job)}, due by round {job.deadline}" for job in new)
        return event["lab"], f"{name} gets work: {what}.", "shock"
    what = listed(f"{job_name(job)} by round {job.deadline}" for job in jobs)
    return event["lab"], f"{name} is due earlier: {what}.", "shock"


def _round(reducer: BoardReducer, event: Event) -> Said:
    return "", f"Round {event['round'] + 1} begins.", "round"


def _finished(reducer: BoardReducer, event: Event) -> Said:
    return event["lab"], f"{reducer.name(event['lab'])} leaves the market.", "plain"


def _ended(reducer: BoardReducer, event: Event) -> Said:
    best = max(event["results"], key=lambda row: float(row["utility"]))
    words = (
        f"The market closes. {reducer.name(best['lab'])} made most of it: "
        f"{credits_text(to_cents(best['utility']))}."
    )
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
    return _board(reducer, seq, tuple(lines))


def _board(reducer: BoardReducer, seq: int, lines: tuple[Line, ...]) -> Board:
    return Board(
        task=reducer.task,
        round=reducer.round,
        rounds=reducer.rounds,
        seq=seq,
        to_act=reducer.to_act,
        labs=tuple(reducer.labs.values()),
        blocks=tuple(reducer.blocks.values()),
        offers=tuple(reducer.offers.values()),
        contracts=tuple(reducer.contracts),
        coalitions=tuple(reducer.coalitions.values()),
        shocks=tuple(reducer.shocks),
        lines=lines,
        commitment=reducer.commitment,
        reward=reducer.reward,
        has_coalitions=reducer.has_coalitions,
        over=reducer.over,
        judge=reducer.judge,
        judgements=tuple(reducer.judgements),
        names=reducer.names,
    )
