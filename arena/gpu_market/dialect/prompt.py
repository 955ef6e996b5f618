"""The prompt of the small model: a position of the market in some hundred tokens.

Left out by rule, since a small model has little room: blocks of others beyond the few that would
help most, are offered, or lie in a pool with this lab; offers and coalitions that are over; what
was said; and shocks, of which the blocks themselves show what they did.

No word ends in the letter of a name, since names are tokens of their own.

A model must never meet another text than the one it was trained on: whoever changes a character
here raises ``VERSION`` and trains anew.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from arena.gpu_market.dialect.books import Books, books, credit, hours_of, memberships
from arena.gpu_market.dialect.names import Names
from arena.gpu_market.engine.agreements import Offer
from arena.gpu_market.engine.archetypes import perceived_value
from arena.gpu_market.engine.blocks import Job
from arena.gpu_market.engine.observe import LabSeen, Observation
from arena.gpu_market.engine.planning import Fill
from arena.gpu_market.policies.helping import Help

VERSION = "lab-1"

Thing = TypeVar("Thing", LabSeen, Job, Offer)


def render(seen: Observation) -> str:
    """Write a position: money in credits, reputations and refused bids in percent."""
    sums = books(seen)
    names = Names.of(seen, sums)
    return "\n".join(_lines(seen, names, sums))


def _lines(seen: Observation, names: Names, sums: Books) -> Iterator[str]:
    me = next(lab for lab in seen.labs if lab.id == seen.lab)
    yield (
        f"round{seen.round} left{seen.rounds - seen.round} cash{_credits(seen.budget)} "
        f"trust{_percent(me.reputation)} {seen.pressure}{'' if seen.coalitions_enabled else ' no'}"
    )
    yield from (_lab(seen, names, lab) for lab in _in_order(names.labs, seen.labs))
    yield from (_job(seen, names, job) for job in _in_order(names.jobs, seen.jobs))
    yield from (_fill(seen, names, fill) for fill in sums.fills)
    yield from _blocks(seen, names, sums)
    yield from (_offer(seen, names, sums, one) for one in _in_order(names.offers, seen.offers))
    yield from _pools(seen, names)
    yield from (_help("draw", seen, names, one) for one in sums.draws)
    yield from (_help("help", seen, names, one) for one in sums.helps)
    result = seen.last_result
    if result is not None and not result.ok:
        yield f"failed {result.code}"
    yield "act"


def _lab(seen: Observation, names: Names, lab: LabSeen) -> str:
    refused = [
        perceived_value(offer)
        for offer in seen.offers
        if offer.target == lab.id and offer.sender == seen.lab and offer.status == "rejected"
    ]
    asked = any(lab.id in (*one.members, *one.invited) for one in seen.coalitions)
    words = [
        f"lab {names.labs[lab.id]} trust{_percent(lab.reputation)} {lab.demand}",
        f"refused{_percent(max(refused))}" if refused else "",
        "asked" if asked else "",
        "gone" if lab.finished else "",
    ]
    return " ".join(word for word in words if word)


def _job(seen: Observation, names: Names, job: Job) -> str:
    rounds = job.deadline - seen.round
    due = f"due{rounds}" if rounds > 0 else "late"
    part = " part" if job.partial else ""
    return f"job {_of(names.jobs, job.id)} need{job.hours} {due} worth{_credits(job.value)}{part}"


def _fill(seen: Observation, names: Names, fill: Fill) -> str:
    blocks = " ".join(names.known(block.id for block in fill.blocks))
    wait = max(0, min(block.start for block in fill.blocks) - seen.round)
    when = f"in{wait}" if wait and seen.windows else "now"
    return f"plan {_of(names.jobs, fill.job.id)} {blocks} gain{_credits(fill.net)} {when}"


def _blocks(seen: Observation, names: Names, sums: Books) -> Iterator[str]:
    if sums.spare:
        yield "spare " + " ".join(
            f"{_of(names.blocks, block.id)} {hours_of(seen, block)}" for block in sums.spare
        )
    for status in ("reserved", "committed"):
        held = names.known(one.id for one in seen.own_blocks if one.status == status)
        if held:
            yield f"{status} {' '.join(held)}"


def _offer(seen: Observation, names: Names, sums: Books, offer: Offer) -> str:
    gives, wants = names.known(offer.offered), names.known(offer.requested)
    other = offer.target if offer.sender == seen.lab else offer.sender
    words = [
        "sent" if offer.sender == seen.lab else "offer",
        _of(names.offers, offer.id),
        _of(names.labs, other),
        *(("gives", *gives) if gives else ()),
        *(("wants", *wants) if wants else ()),
        f"pays{_credits(offer.payment)}",
        *(["bound"] if offer.conditions else []),
    ]
    if offer.target == seen.lab:
        gain = sums.gains[offer.id]
        words.append("void" if gain is None else f"gain{_credits(gain)}")
    return " ".join(words)


def _pools(seen: Observation, names: Names) -> Iterator[str]:
    for one in memberships(seen):
        left = one.expires - seen.round
        yield f"pool {_of(names.pools, one.id)} left{left} credit{credit(seen, one)}"
    for one in seen.coalitions:
        if one.open and seen.lab in one.invited:
            trust = _percent(one.trust)
            yield f"invited {_of(names.pools, one.id)} {_of(names.labs, one.founder)} trust{trust}"


def _help(word: str, seen: Observation, names: Names, found: Help) -> str:
    with_ = names.known(block.id for block in found.cover if block is not found.block)
    whose = _of(names.labs, found.block.owner)
    words = [word, _of(names.blocks, found.block.id), whose, _of(names.jobs, found.job.id)]
    if with_:
        words += ["with", *with_]
    return " ".join([*words, f"gain{_credits(found.gain)}"])


def _in_order(shorts: dict[str, str], things: Sequence[Thing]) -> list[Thing]:
    """Put what has a name in the order of the names."""
    places = {id_: place for place, id_ in enumerate(shorts)}
    return sorted((one for one in things if one.id in places), key=lambda one: places[one.id])


def _of(shorts: dict[str, str], id_: str) -> str:
    return shorts.get(id_, "other")


def _credits(cents: float) -> int:
    return round(cents / 100)


def _percent(share: float) -> int:
    return round(100 * share)
